"""What a mean of bounded scores may be, whatever the law behind them: rare large falls included.

Gaffke's bound (2005; Learned-Miller and Thomas 2019): the observed values with one more at the end of the range, under
all random weights of the simplex. On zeros and ones it is Clopper and Pearson's. Weights of the simplex are
exponentials over their sum, so that the bound's tail is one of a sum of gammas, taken by its saddle point.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from diptych.stats.distributions import critical, normal_above, root
from diptych.stats.estimate_by_level import Span

CELLS = 100
"""So many places stand for the values of a column; each value is shared between two, which keeps the mean."""


def weights_of(values: Sequence[float], cells: int = CELLS) -> Mapping[float, float]:
    """Return value -> how often it stands in a sorted column; of many values each is shared by two places of a grid."""
    if len(set(values)) <= cells:
        return Counter(values)
    low, high = values[0], values[-1]
    step = (high - low) / (cells - 1)
    shared, sums, start = [0.0] * cells, [0.0, *accumulate(values)], 0
    for place in range(cells - 1):
        end = bisect_left(values, low + (place + 1) * step, start) if place < cells - 2 else len(values)
        above_share = (sums[end] - sums[start] - (end - start) * (low + place * step)) / step
        shared[place] += end - start - above_share
        shared[place + 1] += above_share
        start = end
    return {low + place * step: times for place, times in enumerate(shared) if times > 0}


def p_at_most(weights: Mapping[float, float], mean: float, lowest: float) -> float:
    """Return the p-value of "the true mean is `mean` or less" (one-sided), for values that are `lowest` at least."""
    return gamma_tail([(value - mean, times) for value, times in (*weights.items(), (lowest, 1.0)) if value != mean])


def gamma_tail(parts: Sequence[tuple[float, float]]) -> float:
    """Return P(sum of x * Gamma(h) <= 0) over pairs (x, h), by its saddle point (Lugannani and Rice 1980)."""
    least, most = min(parts, default=(0.0, 0.0))[0], max(parts, default=(0.0, 0.0))[0]
    if least >= 0:
        return 0.0
    if most <= 0:
        return 1.0
    s = saddle(parts, 1.0 / least, 1.0 / most)
    cumulant = -math.fsum([h * math.log1p(-x * s) for x, h in parts])
    curve = math.fsum([h * (x / (1.0 - x * s)) ** 2 for x, h in parts])
    w = math.copysign(math.sqrt(max(0.0, -2.0 * cumulant)), s)
    v = s * math.sqrt(curve)
    if abs(w) < 1e-4 or abs(v) < 1e-4:  # the two terms cancel here: the skewness alone is left
        skew: float = math.fsum(2.0 * h * x**3 for x, h in parts) / curve**1.5
        return 0.5 + skew / (6.0 * math.sqrt(2.0 * math.pi))
    above = normal_above(w) + math.exp(-w * w / 2.0) / math.sqrt(2.0 * math.pi) * (1.0 / v - 1.0 / w)
    return min(1.0, max(0.0, 1.0 - above))


def saddle(parts: Sequence[tuple[float, float]], low: float, high: float) -> float:
    """Return where the cumulant of the sum has no slope, between two poles: Newton steps inside a bracket."""
    s = 0.0
    for _ in range(200):
        slope = curve = 0.0
        for x, h in parts:
            ratio = x / (1.0 - x * s)
            slope += h * ratio
            curve += h * ratio * ratio
        low, high = (low, s) if slope > 0 else (s, high)
        following = s - slope / curve
        if not low < following < high:
            following = (low + high) / 2.0
        if abs(following - s) <= 1e-10 * (high - low) or abs(following - s) <= 1e-13 * abs(s):
            return following
        s = following
    return s


class AnyLaw:
    """The mean of differences in +-`reach`, whatever their law: its range, and the test that it lies in a margin."""

    def __init__(self, values: Sequence[float], reach: float) -> None:
        self.values, self.reach = values, reach

    @cached_property
    def weights(self) -> Mapping[float, float]:
        """The column, shared out between the places of a grid where it has many values."""
        return weights_of(sorted(self.values))  # sums of floats go by their order

    @cached_property
    def mirrored(self) -> Mapping[float, float]:
        """The same with the sides swapped."""
        return {-value: times for value, times in self.weights.items()}

    def limits(self, level: float) -> Span:
        """Return the range at a two-sided level."""
        tail = (1.0 - level) / 2.0
        return lower_limit(self.weights, -self.reach, tail), -lower_limit(self.mirrored, -self.reach, tail)

    def equivalence_p(self, margin: float) -> float:
        """Return the larger p-value of the two one-sided tests that the mean lies in +-`margin`."""
        return max(p_at_most(weights, -margin, -self.reach) for weights in (self.weights, self.mirrored))


def lower_limit(weights: Mapping[float, float], lowest: float, tail: float) -> float:
    """Return the smallest mean that a one-sided test at `tail` does not reject."""
    total = math.fsum(weights.values())
    centre = math.fsum(value * times for value, times in weights.items()) / total
    if centre <= lowest or p_at_most(weights, centre, lowest) < tail:
        return centre
    spread = math.fsum((value - centre) ** 2 * times for value, times in weights.items()) / total
    # far enough for most columns; rare large falls reach further
    near = centre - 3.0 * critical(1.0 - 2.0 * tail) * math.sqrt(spread / total) - (centre - lowest) / total
    start = near if near > lowest and p_at_most(weights, near, lowest) < tail else lowest
    return root(lambda mean: p_at_most(weights, mean, lowest) - tail, start, centre, 1e-8 * (1.0 + abs(centre)))
