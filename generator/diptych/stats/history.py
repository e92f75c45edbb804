"""A step in a row of scores over time: where it is, how large, and how sure, when any place might have had it."""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import critical
from diptych.stats.multiple import holm

FEWEST = 5
FEWEST_EACH_SIDE = 2
DRAWS = 9_999
BLOCK = 250
"""Series drawn at a time: what they take of memory."""

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

    def moves_of(rows: Any) -> Any:
        """Return for each row and split the mean after it less the mean before it."""
        sums = rows.cumsum(axis=-1)
        before = sums[..., ends]
        moves = sums[..., -1:] - before
        moves /= n - splits
        moves -= before / splits
        return moves

    summed = numpy.cumsum(squares)
    variances = summed[ends] / splits**2 + (summed[-1] - summed[ends]) / (n - splits) ** 2
    moves = moves_of(numpy.array([point.score for point in points]))
    statistics = moves**2 / variances
    best = int(statistics.argmax())
    spread = numpy.sqrt(squares)
    hits = draws = 0
    for chance in series_without_step(seed, n):
        drawn_moves = moves_of(chance * spread)
        drawn_moves **= 2
        drawn_moves /= variances
        hits += int((drawn_moves >= statistics[best] - 1e-12).any(axis=-1).sum())
        draws += len(chance)
        if hits >= ENOUGH:
            break
    p = (1 + hits) / (1 + draws)
    size, reach = float(moves[best]), critical(level) * math.sqrt(float(variances[best]))
    return Step(int(splits[best]), size, size - reach, size + reach, p, p)


def series_without_step(seed: int, n: int) -> Iterator[Any]:
    """Yield blocks of series of n normal numbers, `DRAWS` in all: the same for every series of one length.

    An archive searches many of one length: the first blocks, which mostly are enough, are kept for the next.
    """
    import numpy

    kept, chance = kept_draws(seed, n)
    yield from kept
    rest = numpy.random.RandomState()
    rest.set_state(chance)
    for start in range(len(kept) * BLOCK, DRAWS, BLOCK):
        yield rest.standard_normal((min(BLOCK, DRAWS - start), n))


@lru_cache(1)
def kept_draws(seed: int, n: int) -> tuple[list[Any], Any]:
    """Return the first blocks of series of n normal numbers, and the state that the next ones are drawn from."""
    import numpy

    chance = numpy.random.RandomState(seed)
    return [chance.standard_normal((BLOCK, n)) for _ in range(KEPT)], chance.get_state()


KEPT = 20
"""Blocks that are kept: eight megabytes for the longest series that are searched."""
