"""The methods for students: what a judge prefers, how far judges agree, what a solved task costs."""

from diptych.catalogue.method_row import Method

STUDENT_METHODS: tuple[Method, ...] = (
    Method(
        "judge_swap_signflip",
        "Preference in both orders, exact sign-flip test",
        "A judge compared two answers an item in both orders, on at least 20 items.",
        "Both verdicts of an item are added (win, tie and loss count 1, 0 and -1) and the signs of the sums are "
        "flipped in every pattern; the judge is heard only if it rarely contradicts itself.",
        "Fisher 1935; Zheng et al. 2023 for the swap",
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
)
