"""The table of statistical methods: which one serves which situation, why, and from where.

Both sides of the hinge read it: the choice of a method takes its names from here, and the
methods page of an archive is made from it.
"""

from collections.abc import Mapping

from diptych.catalogue.method_row import Method
from diptych.catalogue.score_methods import SCORE_METHODS
from diptych.catalogue.student_methods import STUDENT_METHODS

TABLE: tuple[Method, ...] = (*SCORE_METHODS, *STUDENT_METHODS)

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
