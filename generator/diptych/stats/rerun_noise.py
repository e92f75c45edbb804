"""Repeats of one configuration: how much a rerun moves a score, apart from which items were asked."""

import math
from collections.abc import Sequence

from diptych.estimates import NoiseFloor
from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import critical, f_above, mean_and_variance, student_quantile, student_two_sided


class Floor(NamedTuple):
    """What two fresh runs may differ by (`fresh`), and a fresh run from the mean of the k (`against_mean`)."""

    spread: float
    df: int
    fresh: float
    against_mean: float | None


class RunItemParts(NamedTuple):
    """The mean squares and variance components of k runs crossed with n items, and the test of the run part."""

    ms_run: float
    ms_item: float
    ms_error: float
    run: float
    item: float
    residual: float
    df_run: int
    df_error: int
    f: float | None
    p_run: float | None


class RepeatsSummary(NamedTuple):
    """k repeats of one configuration and one metric: the floor, and where items are known, its parts.

    `floor` and `spread` are None for a single run. `changed_bound` is the largest share of items that may still
    change on a rerun where none did.
    """

    runs: int
    mean: float
    spread: float | None
    df: int
    floor: float | None
    sigma_run: float | None
    sigma_residual: float | None
    sigma_item: float | None
    residual_error: float | None
    p_run: float | None
    changed_items: int | None
    comparisons: int | None
    changed_bound: float | None
    items: int | None = None


def floor_of(scores: Sequence[float], level: float = 0.95) -> Floor | None:
    """Return the noise floor from k >= 2 scores of one configuration; None for one: it is not known, and not 0."""
    k = len(scores)
    if k < 2:
        return None
    # equal scores have no spread at all, not one of rounding
    spread = math.sqrt(mean_and_variance(scores)[1]) if len(set(scores)) > 1 else 0.0
    reach = student_quantile(0.5 + level / 2.0, k - 1) * spread
    return Floor(spread, k - 1, reach * math.sqrt(2.0), reach * math.sqrt(1.0 + 1.0 / k))


def run_item_parts(runs: Sequence[Sequence[float]]) -> RunItemParts:
    """Split k >= 2 runs over the same n >= 2 items into run, item and residual (two-way, no replication)."""
    k, n = len(runs), len(runs[0])
    run_means = [math.fsum(row) / n for row in runs]
    item_means = [math.fsum(column) / k for column in zip(*runs, strict=True)]
    grand = math.fsum(run_means) / k
    square_run = n * math.fsum((mean - grand) ** 2 for mean in run_means)
    square_item = k * math.fsum((mean - grand) ** 2 for mean in item_means)
    square_error = math.fsum(
        (value - run_mean - item_mean + grand) ** 2
        for row, run_mean in zip(runs, run_means, strict=True)
        for value, item_mean in zip(row, item_means, strict=True)
    )
    if all(row == runs[0] for row in runs):
        square_run = square_error = 0.0  # and not what rounding leaves
    df_error = (k - 1) * (n - 1)
    ms_run, ms_item, ms_error = square_run / (k - 1), square_item / (n - 1), square_error / df_error
    f = ms_run / ms_error if ms_error > 0 else None
    return RunItemParts(
        ms_run,
        ms_item,
        ms_error,
        max(0.0, (ms_run - ms_error) / n),
        max(0.0, (ms_item - ms_error) / k),
        ms_error,
        k - 1,
        df_error,
        f,
        None if f is None else _f_above(f, k - 1, df_error),
    )


def _f_above(f: float, df_between: int, df_within: int) -> float:
    """Return P(F >= f); two runs are a t test, more need the incomplete beta of any shape."""
    if df_between == 1:
        return student_two_sided(math.sqrt(f), df_within)
    return f_above(f, df_between, df_within)


class Halving(NamedTuple):
    """What would halve the range of a score: so many times the items, or so many repeats; None where that cannot."""

    items: float | None
    repeats: int | None

    @property
    def cheaper(self) -> str | None:
        """Which of the two costs less, in answers asked for."""
        if self.items is None and self.repeats is None:
            return None
        return "repeats" if self.items is None or (self.repeats or math.inf) < self.items else "items"


def items_or_repeats(item: float, residual: float, run: float, n: int) -> Halving:
    """Return what would halve the range of one run's score over n items, from the variances of its three parts.

    Var = (item + residual) / n + run for one run; more items shrink the first term, the mean of k repeats what is not
    of the items. A quarter of the variance is half the range.
    """
    goal = ((item + residual) / n + run) / 4.0
    room_items, room_repeats = goal - run, goal - item / n
    return Halving(
        (item + residual) / n / room_items if room_items > 0 else None,
        math.ceil((residual / n + run) / room_repeats) if room_repeats > 0 else None,
    )


def rerun_bar(error_pair: float, noise: NoiseFloor, level: float = 0.95) -> float:
    """Return what a difference of two single runs must pass: the items' part, and twice the reruns' part of its own.

    The error over items holds the answers' own luck already; it is taken out, since the spread of whole runs holds it
    too. That spread has k - 1 degrees of freedom, so each part keeps its own quantile (MOVER) and nothing is cut at 0.
    """
    items = max(0.0, error_pair**2 - 2.0 * (noise.residual_error or 0.0) ** 2)
    reruns = student_quantile(0.5 + level / 2.0, noise.degrees_of_freedom) ** 2 * 2.0 * noise.spread**2
    return math.sqrt(critical(level) ** 2 * items + reruns)


def summarize_repeats(
    scores: Sequence[float], items: Sequence[Sequence[float]] | None = None, level: float = 0.95
) -> RepeatsSummary:
    """Summarize k runs of one configuration: their scores, and one column an item a run where samples are kept."""
    from diptych.stats.graded import share_bound

    k = len(scores)
    floor = floor_of(scores, level)
    parts = changed = comparisons = bound = None
    if items is not None and k >= 2 and len(items) == k and len(items[0]) >= 2:
        parts = run_item_parts(items)
        changed = sum(len(set(column)) > 1 for column in zip(*items, strict=True))
        comparisons = (k - 1) * len(items[0])
        bound = share_bound(comparisons, level) if not changed else None
    if floor and parts and items and floor.spread == 0.0 and changed:
        # equal scores by luck: what the items' own changes move a score by is the least that a rerun does
        luck = math.sqrt(parts.residual / len(items[0]))
        floor = Floor(
            luck, parts.df_error, student_quantile(0.5 + level / 2.0, parts.df_error) * luck * math.sqrt(2), None
        )
    # without any residual the run part is what is left between runs: 0 where nothing moved
    return RepeatsSummary(
        runs=k,
        mean=math.fsum(scores) / k,
        spread=floor.spread if floor else None,
        df=floor.df if floor else 0,
        floor=floor.fresh if floor else None,
        sigma_run=math.sqrt(parts.run) if parts else None,
        sigma_residual=math.sqrt(parts.residual) if parts else None,
        sigma_item=math.sqrt(parts.item) if parts else None,
        residual_error=math.sqrt(parts.residual / len(items[0])) if parts and items else None,
        p_run=parts.p_run if parts else None,
        changed_items=changed,
        comparisons=comparisons,
        changed_bound=bound,
        items=len(items[0]) if parts and items else None,
    )
