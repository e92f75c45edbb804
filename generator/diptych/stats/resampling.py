"""Resampling with a recorded seed: the same items give the same numbers on any machine, in any order of rows."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import normal_quantile, normal_two_sided, quantile

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

RESAMPLES = 1_999
SWAPS = 10_000
GENERATOR = "numpy.random.RandomState"
CELLS = 2_000_000  # index cells held at once: about 16 MB, whatever n and the resamples are


class Resampled(NamedTuple):
    """An interval from resamples, with what is needed to draw the same ones again."""

    low: float
    high: float
    seed: int
    resamples: int
    values: "NDArray[numpy.float64]"


def seed_of(key: str, unit: str, n: int) -> int:
    """Return the seed of "task|metric|filter": no metric's numbers move when another is added."""
    import hashlib  # costs a millisecond that only a resampled metric should pay

    return int.from_bytes(hashlib.sha256(f"diptych/boot/v1|{key}|{unit}|{n}".encode()).digest()[:4], "big")


def resampled_sums(
    rows: "NDArray[Any]", counts: "NDArray[Any]", seed: int, resamples: int = RESAMPLES
) -> "NDArray[numpy.float64]":
    """Return (resamples x columns) sums of rows drawn with replacement; row i stands `counts[i]` times in the data."""
    import numpy

    random = numpy.random.RandomState(seed)
    n = int(counts.sum())
    sums = numpy.empty((resamples, rows.shape[1]))
    if len(rows) <= 1_000:
        step = max(1, CELLS // len(rows))
        for start in range(0, resamples, step):
            stop = min(resamples, start + step)
            sums[start:stop] = random.multinomial(n, counts / n, size=stop - start) @ rows
        return sums
    owner = numpy.repeat(numpy.arange(len(rows)), counts)
    for place in range(resamples):
        drawn = numpy.bincount(owner[random.randint(0, n, size=n)], minlength=len(rows))
        sums[place] = drawn @ rows
    return sums


def bootstrap_sums(
    rows: "NDArray[Any]", statistic: "Callable[[NDArray[Any]], NDArray[Any]]", seed: int, level: float, resamples: int
) -> Resampled:
    """Return the percentile interval of a statistic of column sums, from the rows of independent units.

    `statistic` takes (resamples x columns) sums and returns one value a row; where it is not defined (NaN) the
    resample is left out.
    """
    import numpy

    distinct, counts = numpy.unique(rows, axis=0, return_counts=True)
    values = statistic(resampled_sums(distinct, counts, seed, resamples))
    values = values[numpy.isfinite(values)]
    if not len(values):
        return Resampled(math.nan, math.nan, seed, 0, values)
    low, high = percentile_interval(values, level)
    return Resampled(low, high, seed, resamples, values)


def swap_test(
    rows: "NDArray[Any]", difference: "Callable[[NDArray[Any]], NDArray[Any]]", seed: int, swaps: int = SWAPS
) -> float:
    """Return the p-value of paired approximate randomisation: each unit's two sides are swapped by a coin.

    A row holds a unit's counts of the one side, then of the other; `difference` takes sums of such rows. Only units
    whose sides differ can matter, and equal ones are swapped together by a binomial draw. p = (1 + hits) / (1 + swaps);
    Noreen 1989, Riezler and Maxwell 2005. Without a hit the normal law of the swaps goes on from there, so that a
    large family can still be told apart.
    """
    import numpy

    width = rows.shape[1] // 2
    one, other = rows[:, :width], rows[:, width:]
    total = rows.sum(axis=0)
    observed = abs(float(difference(total[None, :])[0]))
    steps = (other - one)[(one != other).any(axis=1)]
    distinct, counts = numpy.unique(steps, axis=0, return_counts=True)
    random, hits, squares = numpy.random.RandomState(seed), 0, 0.0
    batch = max(1, CELLS // max(1, len(distinct)))
    for start in range(0, swaps, batch):
        size = min(batch, swaps - start)
        moved = swapped(random, counts, size) @ distinct
        sums = numpy.hstack([total[:width] + moved, total[width:] - moved])
        apart = difference(sums)
        hits += int((numpy.abs(apart) >= observed - 1e-12).sum())
        squares += float((apart**2).sum())
    return beyond_draws(hits, swaps, normal_two_sided(observed / math.sqrt(squares / swaps)) if squares > 0 else 1.0)


def beyond_draws(hits: int, draws: int, law: float) -> float:
    """Return (1 + hits) / (1 + draws); where no draw reaches as far, a law's p-value if that is smaller yet."""
    drawn = (1 + hits) / (1 + draws)
    return drawn if hits else min(drawn, law)


def swapped(random: "numpy.random.RandomState", counts: "NDArray[Any]", size: int) -> "NDArray[Any]":
    """Return how many of each kind of unit are swapped in each of `size` draws."""
    import numpy

    if (counts == 1).all():
        bits = numpy.frombuffer(random.bytes(-(-size * len(counts) // 8)), dtype=numpy.uint8)
        return numpy.unpackbits(bits)[: size * len(counts)].reshape(size, len(counts)).astype(numpy.float32)
    return random.binomial(counts, 0.5, size=(size, len(counts))).astype(numpy.float32)


FEWEST_BEYOND = 10
"""So many resamples must lie beyond a limit; further out it follows the normal law from there."""


def tail_interval(ordered: "Sequence[float]", centre: float, level: float) -> tuple[float, float]:
    """Return the percentile interval of sorted resamples; where too few lie beyond, its distance grows as normal."""
    share = (1.0 - level) / 2.0
    nearest = max(share, FEWEST_BEYOND / len(ordered))
    low, high = quantile(ordered, nearest), quantile(ordered, 1.0 - nearest)
    if nearest == share or nearest >= 0.5:
        return low, high
    more = normal_quantile(1.0 - share) / normal_quantile(1.0 - nearest)
    return centre + (low - centre) * more, centre + (high - centre) * more


def percentile_interval(values: "NDArray[numpy.float64] | Sequence[float]", level: float) -> tuple[float, float]:
    """Return the two type-7 quantiles that leave out (1 - level) / 2 on each side."""
    import numpy

    ordered = numpy.sort(numpy.asarray(values, dtype=float))
    return float(quantile(ordered, (1.0 - level) / 2.0)), float(quantile(ordered, (1.0 + level) / 2.0))  # type: ignore[arg-type]
