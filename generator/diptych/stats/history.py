"""A step in a row of scores over time: where it is, how large, and how sure, when any place might have had it."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import critical
from diptych.stats.multiple import holm

FEWEST = 5
FEWEST_EACH_SIDE = 2
DRAWS = 9_999
BLOCK = 250
"""Series drawn at a time: after each it is asked whether they are enough."""

ENOUGH = 200
"""Drawn series with a larger step after which no more are drawn: the p-value is near that share already."""


class Point(NamedTuple):
    """One score of a configuration with its standard error, and what a rerun adds to it where that is known."""

    score: float
    error: float
    run_spread: float = 0.0


class Step(NamedTuple):
    """The likeliest step: the place of the first point after it, its size with a range, and its p-values.

    `p` counts that every split was looked at, `p_adjusted` that several series were.
    """

    at: int
    size: float
    low: float
    high: float
    p: float
    p_adjusted: float


def steps_in(series: Sequence[Sequence[Point]], level: float = 0.95, seed: int = 1) -> list[Step | None]:
    """Return the likeliest step of each series, None where it has too few points or no errors.

    The statistic of a split is the squared difference of the two means over its variance; the largest one is held
    against that of series without a step (Worsley 1979), drawn from the normal law: p = (1 + hits) / (1 + draws), where
    drawing ends early if `ENOUGH` are larger (Besag and Clifford 1991).
    """
    found = [step_in(points, level, seed) for points in series]
    adjusted = holm([step.p if step else None for step in found])
    return [step._replace(p_adjusted=p or 0.0) if step else None for step, p in zip(found, adjusted, strict=True)]


def step_in(points: Sequence[Point], level: float, seed: int) -> Step | None:
    """Return the likeliest step of one series."""
    n = len(points)
    squares = [point.error**2 + point.run_spread**2 for point in points]
    if n < FEWEST or not all(math.isfinite(square) and square > 0 for square in squares):
        return None
    import numpy

    splits = numpy.arange(FEWEST_EACH_SIDE, n - FEWEST_EACH_SIDE + 1)
    ends = slice(FEWEST_EACH_SIDE - 1, n - FEWEST_EACH_SIDE)  # the last points before each split
    sums = numpy.cumsum([point.score for point in points])
    moves = (sums[-1] - sums[ends]) / (n - splits) - sums[ends] / splits
    summed = numpy.cumsum(squares)
    variances = summed[ends] / splits**2 + (summed[-1] - summed[ends]) / (n - splits) ** 2
    statistics = moves**2 / variances
    best = int(statistics.argmax())
    p = chance_of(float(statistics[best]), numpy.sqrt(squares), variances, seed)
    size, reach = float(moves[best]), critical(level) * math.sqrt(float(variances[best]))
    return Step(int(splits[best]), size, size - reach, size + reach, p, p)


def chance_of(statistic: float, spread: Any, variances: Any, seed: int) -> float:
    """Return how often chance alone has a step of this statistic, among points of these spreads.

    `variances` are those of the difference of the means at each split. That difference is n / (k (n - k)) of what the
    sum of the first k points is more than k of n parts of the whole: it is this that is drawn and compared.
    """
    import numpy

    n = len(spread)
    splits = numpy.arange(FEWEST_EACH_SIDE, n - FEWEST_EACH_SIDE + 1)
    share = splits / n
    bounds = numpy.sqrt(max(statistic - 1e-12, 0.0) * variances) * share * (n - splits)
    # made once: to get memory anew for each block takes longer than to count in it
    room, gaps_room = numpy.empty((BLOCK, n)), numpy.empty((BLOCK, len(splits)))
    hits = draws = 0
    while hits < ENOUGH and draws < DRAWS:
        count = min(BLOCK, DRAWS - draws)
        sums, gaps = room[:count], gaps_room[:count]
        numpy.multiply(kept_chance(seed).rows(draws, count, n), spread, out=sums)
        numpy.cumsum(sums, axis=1, out=sums)
        numpy.multiply(sums[:, -1:], share, out=gaps)
        numpy.subtract(sums[:, splits[0] - 1 : splits[-1]], gaps, out=gaps)
        numpy.abs(gaps, out=gaps)
        hits += int((gaps >= bounds).any(axis=1).sum())
        draws += count
    return (1 + hits) / (1 + draws)


class Chance:
    """Normal numbers of one seed, drawn when they are first asked for: series of every length are cut from the same."""

    def __init__(self, seed: int) -> None:
        import numpy

        self.source = numpy.random.RandomState(seed)
        self.room, self.drawn = numpy.empty(0), 0

    def rows(self, first: int, count: int, n: int) -> Any:
        """Return so many series of n numbers, from the `first` one on."""
        import numpy

        start, end = first * n, (first + count) * n
        if len(self.room) < end:
            before, self.room = self.room, numpy.empty(DRAWS * n)  # of which only what is drawn takes memory
            self.room[: self.drawn] = before[: self.drawn]
        if self.drawn < end:
            self.room[self.drawn : end] = self.source.standard_normal(end - self.drawn)
            self.drawn = end
        return self.room[start:end].reshape(count, n)


kept_chance = lru_cache(1)(Chance)
"""The numbers of the last seed: an archive searches many series, of which each needs the first of them again."""
