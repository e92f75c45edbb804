"""Ranges of a mean where its differences are few or lean to one side: resampled t, and the sign-flip test inverted.

Both resample with a recorded seed over a sorted column, so that neither the order of rows nor the name of a side
matters.
"""

import math
from collections.abc import Sequence
from functools import cache
from operator import mul

from diptych.stats.distributions import student_quantile
from diptych.stats.estimate_by_level import Limits, Span

RESAMPLES = 999
SUBSETS = 9_999
LEANING = 0.1
"""From this share of skewness over the root of n on, a t range is too short on the long side."""

FEWEST_BEYOND = 10
"""So many resamples must lie beyond a limit; further out the limit follows Student's law from there."""


def leans(differences: Sequence[float], mean: float, variance: float) -> bool:
    """Say whether a column is too skewed for its size for a plain t range."""
    n = len(differences)
    if n < 3 or variance <= 0:
        return False
    apart = [value - mean for value in differences]
    third = math.fsum(map(mul, map(mul, apart, apart), apart)) / n
    return abs(third) > LEANING * math.sqrt(n) * math.sqrt(variance) ** 3


def oriented(differences: Sequence[float]) -> tuple[list[float], int]:
    """Return a column sorted, on the one of its two signs that any order of the sides gives; 0: both are the same."""
    column, other = sorted(differences), sorted(-value for value in differences)
    return (column, 0) if column == other else (column, 1) if column > other else (other, -1)


def range_as_given(limits: Limits, sign: int) -> Limits:
    """Return the range of an oriented column as that of the given one."""

    def there(level: float) -> Span:
        low, high = limits(level)
        if low is None or high is None:
            return None, None
        if sign == 0:
            half = max(-low, high)
            return -half, half
        return (low, high) if sign > 0 else (-high, -low)

    return there


def resampled_t_limits(differences: Sequence[float], mean: float, error: float, seed: int) -> Limits:
    """Return the bootstrap-t range of a mean (Efron 1981; Hall 1988): each resample is measured by its own error."""
    column, sign = oriented(differences)
    df, centre = len(column) - 1, mean if sign >= 0 else -mean

    @cache
    def draws() -> list[float]:
        return studentized(column, centre, seed)

    def limits(level: float) -> Span:
        values = draws()
        if len(values) < 2 * FEWEST_BEYOND:
            return None, None
        share = (1.0 - level) / 2.0
        upper = -tail_quantile([-value for value in reversed(values)], share, df)
        return centre - upper * error, centre - tail_quantile(values, share, df) * error

    return range_as_given(limits, sign)


def tail_quantile(values: Sequence[float], share: float, df: float) -> float:
    """Return the `share` quantile from below of sorted t statistics; beyond the draws it follows Student's law."""
    nearest = max(share, FEWEST_BEYOND / len(values))
    there = values[min(len(values) - 1, round(nearest * len(values)))]
    if nearest > share and there < 0:
        there *= student_quantile(1.0 - share, df) / student_quantile(1.0 - nearest, df)
    return there


def studentized(column: Sequence[float], mean: float, seed: int) -> list[float]:
    """Return the sorted t statistics of resamples of a sorted column; a resample without spread has none."""
    import numpy

    from diptych.stats.resampling import resampled_sums

    values, counts = numpy.unique(numpy.asarray(column, dtype=float), return_counts=True)
    # centred by the mean, so that squares keep their digits
    centred = values - mean
    n = len(column)
    sums = resampled_sums(numpy.column_stack([centred, centred**2]), counts, seed, RESAMPLES)
    variance = (sums[:, 1] - sums[:, 0] ** 2 / n) / (n - 1)
    usable = variance > 1e-12 * float((centred**2 * counts).sum()) / n
    return sorted((sums[usable, 0] / n / numpy.sqrt(variance[usable] / n)).tolist())


def subset_mean_limits(differences: Sequence[float], seed: int) -> Limits:
    """Return all shifts that the sign-flip test does not reject: the middle of the means of random subsets.

    Hartigan 1969: flipping the signs of x - shift rejects exactly where the shift lies outside these quantiles.
    """

    column, sign = oriented(differences)

    @cache
    def means() -> list[float]:
        return sorted(subset_means(column, seed))

    def limits(level: float) -> Span:
        values = means()
        place = (1.0 - level) / 2.0 * (len(values) + 1)
        if place < 1:
            return values[0], values[-1]
        return values[int(place) - 1], values[-int(place)]

    return range_as_given(limits, sign)


def subset_means(column: Sequence[float], seed: int) -> list[float]:
    """Return the means of random subsets, each item in or out by a coin; unchanged items count by their number."""
    import numpy

    changed = numpy.asarray([value for value in column if value])
    idle = len(column) - len(changed)
    random = numpy.random.RandomState(seed)
    taken = random.randint(0, 2, size=(SUBSETS, len(changed)))
    sizes = taken.sum(axis=1) + (random.binomial(idle, 0.5, size=SUBSETS) if idle else 0)
    found: list[float] = ((taken @ changed)[sizes > 0] / sizes[sizes > 0]).tolist()
    return found
