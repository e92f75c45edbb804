"""The methods for scores: a difference, an error, many tests at once, repeats, several settings, a history."""

from diptych.catalogue.method_row import Method

SCORE_METHODS: tuple[Method, ...] = (
    Method(
        "mcnemar_midp_tango",
        "Mid-p McNemar test with Tango's interval",
        "Both runs answered the same items, each right or wrong, and the items are independent.",
        "Only the items that changed count: if nothing but luck were at work, fixed and regressed items would be as "
        "heads and tails; the interval holds every difference that the same kind of test would not reject.",
        "McNemar 1947; Fagerland, Lydersen and Laake 2013 (mid-p); Tango 1998 (interval)",
    ),
    Method(
        "paired_t",
        "Paired t interval",
        "Both runs scored the same independent items on a graded scale, and more than 20 of them differ.",
        "The differences item by item are averaged, and their spread over the root of their number says how far the "
        "average may be off. A fall so rare that none of these items shows it is in no such range; equality is held "
        "against any law, too.",
        "Student 1908; Miller 2024, section 4",
    ),
    Method(
        "paired_signflip",
        "Exact sign-flip test and its own interval",
        "Graded scores on the same items of which at most 20 differ.",
        "If neither run were better, each difference could as well have had the other sign: the p-value is the share "
        "of all sign patterns that lead as far from zero as the one seen. The interval holds the shifts that the same "
        "test does not reject, and away from zero what scores of this range allow under any law.",
        "Fisher 1935; Hartigan 1969 (interval); Gaffke 2005 (any law)",
    ),
    Method(
        "paired_cluster_t",
        "Paired t interval with cluster-robust error",
        "The same items on both sides, but items come in groups that rise and fall together (a shared passage, repeats "
        "of one question), at least ten of them by size.",
        "Differences are summed within each group first, so that a group counts as one piece of evidence however many "
        "items it has.",
        "Liang and Zeger 1986, with G / (G - 1); Miller 2024, equation 8",
    ),
    Method(
        "cluster_signflip",
        "Exact sign-flip test over groups of items",
        "Grouped items with six to nine groups, or with a few groups that outweigh the rest.",
        "The signs of whole groups are flipped in every pattern, since with so few groups no bell curve holds.",
        "Fisher 1935; Canay, Romano and Shaikh 2017",
    ),
    Method(
        "cluster_too_few",
        "Too few groups of items for a test",
        "Grouped items with fewer than six groups.",
        "Fewer than six groups cannot show a difference at the 5 % level whatever they say; a wide interval is given "
        "and no verdict.",
        "two to the power of one minus the number of groups is the smallest p-value there is",
    ),
    Method(
        "stratified_paired",
        "Stratified paired difference",
        "A group of subtasks that are always the same (the subjects of one benchmark), the same items on both sides.",
        "Each subtask's differences are averaged apart and combined with the group's own weights; only the spread "
        "within subtasks counts as chance.",
        "Cochran 1977, chapter 5; Satterthwaite 1946 for few items a subtask",
    ),
    Method(
        "paired_ratio",
        "Paired ratio on the log scale",
        "Perplexities and bits per byte over the same documents, at least 30.",
        "Log-likelihoods are summed and divided by the summed weights on both sides; what each document adds to the "
        "difference gives its error; the p-value comes of swapping the two sides of each document by a coin, "
        "10,000 times (beyond the farthest of these it follows Student's law).",
        "Cochran 1977, chapter 6 (linearisation); Noreen 1989 (swaps)",
    ),
    Method(
        "paired_bootstrap",
        "Paired bootstrap of a corpus metric",
        "Metrics of the whole set (F1, MCC, BLEU, chrF, TER) over the same items, at least 50.",
        "Items are drawn again with replacement, the metric of both runs is recomputed from the same draw, and the "
        "middle 95 % of the differences is the interval; the p-value comes of swapping the two sides of each item by a "
        "coin, 10,000 times (beyond the farthest of these it follows the normal law).",
        "Efron 1979; Koehn 2004 for translation; Noreen 1989 and Riezler and Maxwell 2005 (swaps)",
    ),
    Method(
        "unpaired_newcombe",
        "Two unpaired proportions, Newcombe's interval",
        "Right-or-wrong scores of which only the counts are known, or whose items differ.",
        "A Wilson interval is made for each side and the two are joined; the p-value compares the gap with both "
        "standard errors.",
        "Newcombe 1998; Wilson 1927",
    ),
    Method(
        "unpaired_welch",
        "Welch's t interval",
        "Graded scores of different items on the two sides, at least 30 each.",
        "Each side's mean has its own error; the two errors are added as squares.",
        "Welch 1947",
    ),
    Method(
        "unpaired_z",
        "Two unpaired scores by their standard errors",
        "Two reported scores with standard errors and no items to pair.",
        "The gap is divided by the root of the summed squared errors; on shared items this is too cautious, so a "
        "difference may be missed.",
        "Miller 2024, equations 5 and 6",
    ),
    Method(
        "no_test",
        "No test",
        "Neither items nor a standard error are there, or the metric cannot be recomputed from what is logged.",
        "The bare difference is shown; nothing is said about chance.",
        "none",
    ),
    Method(
        "wilson",
        "Wilson interval of one share",
        "One right-or-wrong score, also at 0 and at 1, where plus-minus has no width.",
        "All shares that a score test would not reject given the count.",
        "Wilson 1927",
    ),
    Method(
        "normal",
        "Score plus and minus its standard error",
        "One graded score with a standard error.",
        "1.96 standard errors to each side.",
        "Laplace 1812",
    ),
    Method(
        "stderr_recomputed",
        "Standard error from the items",
        "Samples are logged and the metric is a mean.",
        "The spread of the items' scores over the root of their number; for 0/1 scores sqrt(p(1-p)/(n-1)).",
        "Miller 2024, equation 1",
    ),
    Method(
        "stderr_inferred",
        "Standard error from the score and n",
        "A right-or-wrong score whose file has no usable standard error (missing, or an impossible 0).",
        "sqrt(p(1-p)/(n-1)), the value that zeros and ones with this mean must have; for other scores in 0..1 it is an "
        "upper bound.",
        "Miller 2024, equation 2",
    ),
    Method(
        "group_stderr",
        "Standard error of a group",
        "A group of subtasks, weighted by items or equally.",
        "The subtasks' squared errors are added with the squared weights of the mean that they belong to.",
        "Cochran 1977, chapter 5",
    ),
    Method(
        "equivalence",
        "Equivalence within a margin",
        "No significant difference was found.",
        "Two one-sided tests: a difference of the margin is ruled out on both sides exactly where the 90 % interval "
        "lies inside the margin. Graded scores must pass it under any law that their range allows, groups by the "
        "summed distances of their subtasks' limits.",
        "Schuirmann 1987; Tango 1998 for shares; Gaffke 2005, Learned-Miller and Thomas 2019 (any law); Zou and "
        "Donner 2008 (groups)",
    ),
    Method(
        "detectable",
        "Minimum detectable effect",
        "Every test, so that 'inconclusive' says what could have been seen.",
        "The true difference that a test of this size would find four times in five; rounded up.",
        "Connor 1987 for shares; Miller 2024, equations 9 and 10",
    ),
    Method(
        "holm",
        "Holm's adjustment",
        "Verdicts over several metrics: each benchmark's group row first, with its subtasks beside it; one primary "
        "metric of each other task.",
        "The smallest p-value is multiplied by the number of tests, the next by one less, and so on, so that any false "
        "alarm at all stays as rare as for a single test. A group has four fifths of its benchmark's alpha and its "
        "subtasks the rest, all of it once the group is rejected. A CI has the level that is left for its test.",
        "Holm 1979; Wiens 2003 (group first); Goeman and Solari 2010",
    ),
    Method(
        "benjamini_hochberg",
        "Benjamini and Hochberg's adjustment",
        "Lists of many rows, such as the subjects of one benchmark.",
        "p-values are scaled so that about 1 in 20 of the rows marked is a false alarm, not 1 in 20 of all rows.",
        "Benjamini and Hochberg 1995",
    ),
    Method(
        "noise_floor",
        "Noise floor from repeats",
        "Several runs of one configuration are given.",
        "The spread of the repeats times a factor that is large where repeats are few: the gap that two fresh runs of "
        "the same configuration stay under 95 times in 100. A difference must pass it, and a floor above the margin "
        "leaves no equality.",
        "ISO 5725, with Student's t for an estimated spread",
    ),
    Method(
        "run_item_parts",
        "Run and item parts of the noise",
        "Repeats of one configuration with their samples.",
        "Scores are laid out as runs by items; what whole runs share is told from what single answers do.",
        "Fisher 1925 (two-way analysis of variance)",
    ),
    Method(
        "simultaneous_bonferroni",
        "One family over all pairs",
        "More than two runs: every pair on every primary metric.",
        "p-values are adjusted by Holm over all pairs and primary metrics, and each pair's interval has the level that "
        "this leaves for its test.",
        "Bonferroni 1936; Holm 1979",
    ),
    Method(
        "compact_letters",
        "Groups of runs (compact letter display)",
        "More than two runs.",
        "Two runs share a letter exactly where no significant difference between them was found.",
        "Piepho 2004",
    ),
    Method(
        "attribution",
        "Effects of settings from many runs",
        "Runs that differ in several settings.",
        "Every effect is a weighted sum of runs' scores, given only where the runs tell it apart from the others. "
        "One that two runs show by themselves has the CI of that pair among all pairs.",
        "Gauss 1821 (least squares); Shapley 1953 for full tables",
    ),
    Method(
        "level_step",
        "A step in a task's history",
        "Five runs or more of one configuration on a task, each with a standard error.",
        "Every place with two runs a side is tried; the largest squared difference of the two means over its variance "
        "is held against that of 9,999 series without a step, and p-values are adjusted over a task's series.",
        "Worsley 1979; Holm 1979",
    ),
)
