"""The nouns of scores side by side: an estimate of a difference, and one metric of one task with what is said of it.

Numbers stay numbers; None is "not available".
"""

from collections.abc import Mapping, Sequence
from typing import Any

from diptych.closed_names import Family, Status
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.sides import Sided

Json = Any

ALPHA = 0.05
"""The two-sided level that every word on a difference rests on."""


class Interval(NamedTuple):
    """A range for one score, with the name of its method."""

    low: float
    high: float
    method: str


class Estimate(NamedTuple):
    """A difference b - a with its range and test. Names of methods are keys of `methods.METHODS`.

    `low`, `high` are the range at `confidence`; `low_90`, `high_90` serve the equivalence margin. `only_a` counts
    items that score 1 in A alone, `only_b` in B alone. `detectable` is the smallest true difference that
    this many items would show with 80 % power; `needed` the items that would show a difference of `margin`.
    `why` says why a better method was not possible, or None. `clusters` is the number of independent units.
    """

    method: str
    confidence: float
    difference: float | None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    p_exact: float | None = None
    p_equivalence: float | None = None
    low_90: float | None = None
    high_90: float | None = None
    standard_error: float | None = None
    pairs: int | None = None
    both: int | None = None
    only_a: int | None = None
    only_b: int | None = None
    neither: int | None = None
    detectable: float | None = None
    needed: int | None = None
    margin: float | None = None
    clusters: int | None = None
    changed: int | None = None
    odds_ratio: float | None = None
    why: str | None = None
    flags: tuple[str, ...] = ()
    parameters: Mapping[str, Json] = {}


class NoiseFloor(NamedTuple):
    """What two fresh runs of one configuration may differ by, from k repeats of it.

    `spread` is the standard deviation of the k scores (k - 1 degrees of freedom); `residual_error` the part of it that
    is the answers' own luck, where items are logged.
    """

    runs: int
    spread: float
    floor: float | None
    sigma_run: float | None
    degrees_of_freedom: float
    labels: tuple[str, ...]
    sentence: str
    residual_error: float | None = None


class SideScore(NamedTuple):
    """One side's score of a metric: as reported, and what else is known of it."""

    present: bool
    score: float | None
    stderr: float | None
    recomputed_stderr: float | None
    interval: Interval | None
    items: int | None
    paired: float | None


class MetricComparison(NamedTuple):
    """One metric of one task under one filter, side by side. `a`, `b` are the reported scores.

    `difference` is b - a of the estimate's own items, of the reported scores where there is none; `a_paired`,
    `b_paired` are the scores over the paired items. `estimate` is the paired one, None where samples of either side
    are missing; `unpaired` then holds what the reported scores alone allow. `unit` says what a difference of one
    means (a key of catalogue.metrics). `primary` marks the one metric of its task or group that is judged by;
    `headline` those that lead: groups first, and tasks outside of them. `family` says with which rows the p-value is
    adjusted, `family_tests` how many those are, `family_heads` how many of them are tested first (benchmarks by
    their group row, and tasks outside of groups); the estimate's `confidence` is the level that is left for this row.
    """

    task: str
    metric: str
    filter: str
    higher_is_better: bool | None
    a: float | None
    b: float | None
    difference: float | None
    status: Status
    reason: str | None
    a_stderr: float | None = None
    b_stderr: float | None = None
    a_recomputed_stderr: float | None = None
    b_recomputed_stderr: float | None = None
    a_interval: Interval | None = None
    b_interval: Interval | None = None
    a_items: int | None = None
    b_items: int | None = None
    a_paired: float | None = None
    b_paired: float | None = None
    a_present: bool = True
    b_present: bool = True
    group: bool = False
    subtasks: tuple[str, ...] = ()
    primary: bool = False
    sentence: str = ""
    estimate: Estimate | None = None
    unpaired: Estimate | None = None
    noise_floor: NoiseFloor | None = None
    unit: str = ""
    headline: bool = False
    family: Family | None = None
    family_tests: int = 0
    family_heads: int = 0

    @property
    def is_apart(self) -> bool:
        """Whether the two runs differ significantly, to the better or the worse."""
        return self.status in ("better", "worse")

    @property
    def key(self) -> MetricKey:
        """What names this metric."""
        return MetricKey(self.task, self.metric, self.filter)

    @property
    def in_points(self) -> bool:
        """Whether its differences are told in percentage points: both scores are shares of 1, and more is better.

        Shares they are too where the items alone are of one scale, whatever is reported.
        """
        a, b = self.a, self.b
        if self.higher_is_better is False or a is None or b is None:
            return False
        return self.unit == "fraction" or (0 <= a <= 1 and 0 <= b <= 1)

    @property
    def pairs(self) -> int | None:
        """Over how many pairs its difference is; differences over other items disagree with nothing."""
        found = best_estimate(self)
        return None if found is None else found.pairs

    @property
    def sides(self) -> Sided[SideScore]:
        """What is said of each side's score."""
        return Sided(
            SideScore(
                present=self.a_present,
                score=self.a,
                stderr=self.a_stderr,
                recomputed_stderr=self.a_recomputed_stderr,
                interval=self.a_interval,
                items=self.a_items,
                paired=self.a_paired,
            ),
            SideScore(
                present=self.b_present,
                score=self.b,
                stderr=self.b_stderr,
                recomputed_stderr=self.b_recomputed_stderr,
                interval=self.b_interval,
                items=self.b_items,
                paired=self.b_paired,
            ),
        )


def best_estimate(metric: MetricComparison) -> Estimate | None:
    """Return the estimate that a metric's status rests on: the paired one, else the unpaired one."""
    return metric.estimate or metric.unpaired


def gap_of(metric: MetricComparison) -> float | None:
    """Return b - a over the items that a metric's word rests on, else that of the reported scores."""
    found = best_estimate(metric)
    return metric.difference if found is None or found.difference is None else found.difference


def regressed_and_fixed(metric: MetricComparison) -> tuple[int, int] | None:
    """Return how many items came out worse and better; None where the metric does not say right or wrong."""
    found = best_estimate(metric)
    if found is None or found.only_a is None or found.only_b is None:
        return None
    return (found.only_b, found.only_a) if metric.higher_is_better is False else (found.only_a, found.only_b)


def says_otherwise(lead: MetricComparison, other: MetricComparison) -> bool:
    """Say whether a metric is better where the leading one falls, worse where it rises, or has the only word.

    Over as many items: a difference over others, as one of another slice, disagrees with nothing.
    """
    if not other.is_apart or lead.pairs != other.pairs or are_slices(lead, other):
        return False
    if lead.status in ("unclear", "same"):
        return True
    gap = gap_of(lead) or 0.0
    rises = gap > 0 if lead.higher_is_better is not False else gap < 0
    return bool(gap) and other.status == ("worse" if rises else "better")


def takes_back(lead: MetricComparison, other: MetricComparison) -> bool:
    """Say whether another metric or filter of a task has the opposite word, or the only one, over as many items."""
    if lead.task != other.task or not other.is_apart or other.status == lead.status or are_slices(lead, other):
        return False
    return lead.pairs == other.pairs and lead.status in ("better", "worse", "unclear", "same")


def are_slices(one: MetricComparison, other: MetricComparison) -> bool:
    """Say whether two metrics of a task are of two slices of its items: both lead."""
    return one.primary and other.primary and one.key != other.key


def noun_of(rows: Sequence[MetricComparison]) -> str:
    """Return what rows that lead are one by one: tasks, or where several of one task lead, metrics."""
    leads = [row.task for row in rows if row.primary]
    return "task" if len(set(leads)) == len(leads) else "metric"


TOO_FEW_UNCHANGED = "no item changed its score, but these are too few items to call it equivalent"
"""The reason of an `unclear` metric whose items all score the same."""


def no_item_changed(metric: MetricComparison) -> bool:
    """Say whether a metric is unclear though no item changed its score: there are too few to call it the same."""
    found = best_estimate(metric)
    return metric.status == "unclear" and found is not None and bool(found.pairs) and found.only_a == found.only_b == 0
