"""The table of statistical methods: which one serves which situation, why, and from where.

Both sides of the hinge read it: the choice of a method takes its names from here, and the
methods page of an archive is made from it.
"""

from collections.abc import Mapping

from diptych.fast_named_tuple import NamedTuple


class Method(NamedTuple):
    """One method: its name in artifacts, a title, when it is chosen, how it works in a sentence, its source."""

    name: str
    title: str
    when: str
    how: str
    source: str


TABLE: tuple[Method, ...] = (
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
        "judge_swap_signflip",
        "Preference in both orders, exact sign-flip test",
        "A judge compared two answers an item in both orders, on at least 20 items.",
        "Both verdicts of an item are added (win, tie and loss count 1, 0 and -1) and the signs of the sums are "
        "flipped in every pattern; the judge is heard only if it rarely contradicts itself.",
        "Fisher 1935; Zheng et al. 2023 for the swap",
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
        "cohens_kappa",
        "Cohen's kappa",
        "A judge's verdicts in the two orders.",
        "Agreement beyond what the shares of each verdict would give by chance; low where one verdict is common.",
        "Cohen 1960",
    ),
    Method(
        "fleiss_kappa",
        "Fleiss' kappa",
        "Several judges who all judged every item.",
        "As kappa, for more than two judges.",
        "Fleiss 1971",
    ),
    Method(
        "krippendorff_alpha",
        "Krippendorff's alpha",
        "Several judges with gaps.",
        "Disagreement seen over disagreement expected by chance, over all pairs of verdicts that exist.",
        "Krippendorff 2004 (nominal)",
    ),
    Method(
        "length_controlled",
        "Length-controlled win rate",
        "A judge's preferences between answers of unlike length.",
        "A logistic curve over the difference in length gives the win rate at equal length.",
        "Dubois et al. 2024, with the length term alone",
    ),
    Method(
        "prediction_powered",
        "Prediction-powered win rate",
        "A person labelled at least 20 of the tasks that a judge judged.",
        "The mean of the person's labels, with the judge's verdicts on all other tasks lending it power as far as "
        "they agree with the person; valid whatever the judge is worth.",
        "Angelopoulos, Duchi and Zrnic 2023 (PPI++)",
    ),
    Method(
        "rogan_gladen",
        "Win rate corrected by the judge's error rates",
        "A person labelled at least 20 of the tasks, and the judge agrees with people better than luck would.",
        "The judge's share of wins is turned back by how often it is right where a person prefers either student; the "
        "interval counts what is not known of both.",
        "Rogan and Gladen 1978; interval of Lee et al. 2025",
    ),
    Method(
        "net_benefit",
        "Net benefit of the dearer student",
        "A solved task's worth is given in the money that students cost.",
        "Worth times extra solved tasks less extra money, task by task, with a t interval over tasks.",
        "Stinnett and Mullahy 1998",
    ),
    Method(
        "icer",
        "Price of one more solved task",
        "A dearer student passes significantly more tasks.",
        "Extra cost over extra solved tasks; not printed where the extra may be none.",
        "Drummond et al. 2015",
    ),
    Method(
        "pareto",
        "Students that no other beats on cost and quality",
        "Several students with a known cost in one unit.",
        "A student is dominated where another costs no more and solves no less, and one of the two is strict.",
        "Pareto 1906; Cantor 1994 for extended dominance",
    ),
    Method(
        "attribution",
        "Effects of settings from many runs",
        "Runs that differ in several settings.",
        "Every effect is a weighted sum of runs' scores, given only where the runs tell it apart from the others.",
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

METHODS: Mapping[str, Method] = {method.name: method for method in TABLE}

FLAGS: Mapping[str, str] = {
    "borderline": "The test and the CI at its level do not agree on 0: taken as not shown.",
    "clusters_spread_less": "Groups vary less than independent items would: the larger error is tested.",
    "conservative": "Shared items could not be paired: a difference may be missed.",
    "constant_shift": "Every item moved by the same amount: an exact test, and no interval.",
    "few_changed": "Few items differ: the p-value is exact, the interval a rough one.",
    "floor_above_margin": "Reruns differ by more than the margin: equivalence cannot be shown.",
    "few_clusters": "Few independent groups of items.",
    "identical_scores": "Every item scored the same on both sides.",
    "negligible": "Significant, but smaller than the margin.",
    "no_pairing_would_do": "No pairing of these counts could show a difference.",
    "pairs_left_out": "Items without a number on a side were left out.",
    "pairs_under_30": "Fewer than 30 pairs.",
    "partly_shared": "Less than nine tenths of the items are shared.",
    "rerun_noise_unknown": "No repeats: how far a rerun would move the score is not known.",
    "resamples_left_out": "Resamples in which the metric is not defined were left out.",
    "stderr_inferred": "A standard error was worked out from the score and n.",
    "stderr_upper_bound": "A standard error is the largest that this score and n allow.",
    "strata_merged": "Subtasks of a single item were joined to a neighbour.",
    "too_few_changed": "So few items changed that no split of them could show a difference.",
    "within_rerun_noise": "Not larger than what a rerun may move.",
}
"""What each flag of an estimate means, in one sentence."""
