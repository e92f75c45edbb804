"""A judge's rates corrected by human labels of some of the same items.

Sources: Lee et al. 2025, "How to Correctly Report LLM-as-a-Judge Evaluations" (arXiv 2511.21140), for Rogan and
Gladen's estimator (1978) with its interval; Angelopoulos, Duchi and Zrnic 2023, "PPI++" (arXiv 2311.01453), for
prediction-powered means.
"""

import math
from collections.abc import Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import critical, mean_and_variance


class Rate(NamedTuple):
    """A corrected rate with its interval."""

    rate: float
    low: float
    high: float


def rogan_gladen(
    said: float, specificity: float, sensitivity: float, n: int, negatives: int, positives: int, level: float = 0.95
) -> Rate | None:
    """Return the true rate of positives behind the rate `said` of n judged items; None for a judge no better than luck.

    Specificity and sensitivity were measured on so many labelled `negatives` and `positives`. The interval adds the
    usual pseudo-counts to all three, and a term for the skew of a ratio.
    """
    if specificity + sensitivity <= 1.0 or not n or not negatives or not positives:
        return None
    point = (said + specificity - 1.0) / (specificity + sensitivity - 1.0)
    z2 = critical(level) ** 2
    p, items = (n * said + z2 / 2.0) / (n + z2), n + z2
    q0, m0 = (negatives * specificity + 1.0) / (negatives + 2.0), negatives + 2.0
    q1, m1 = (positives * sensitivity + 1.0) / (positives + 2.0), positives + 2.0
    youden = q0 + q1 - 1.0
    if youden <= 0.0:
        return None
    centre = (p + q0 - 1.0) / youden
    skew = 2.0 * z2 * (centre * q1 * (1.0 - q1) / m1 - (1.0 - centre) * q0 * (1.0 - q0) / m0)
    variance = p * (1.0 - p) / items + (1.0 - centre) ** 2 * q0 * (1.0 - q0) / m0 + centre**2 * q1 * (1.0 - q1) / m1
    reach = math.sqrt(z2 * variance) / youden
    return Rate(_share(point), _share(centre + skew - reach), _share(centre + skew + reach))


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


def prediction_powered(
    human: Sequence[float], judged: Sequence[float], judged_alone: Sequence[float], level: float = 0.95
) -> Rate:
    """Return the mean of the human scores with the judge's scores of more items lending it power.

    `human` and `judged` are of the same n >= 2 items, `judged_alone` of those that nobody labelled. The weight of the
    judge is the one of least variance, between 0 (it says nothing) and 1.
    """
    n, more = len(human), len(judged_alone)
    mean, variance = mean_and_variance(human)
    z = critical(level)
    if not more:
        reach = z * math.sqrt(variance / n)
        return Rate(mean, mean - reach, mean + reach)
    centre = math.fsum(judged) / n
    shared = math.fsum((y - mean) * (f - centre) for y, f in zip(human, judged, strict=True)) / n
    spread = mean_and_variance([*judged, *judged_alone])[1]
    weight = _share(shared / ((1.0 + n / more) * spread)) if spread > 0 else 0.0
    rest = [y - weight * f for y, f in zip(human, judged, strict=True)]
    point = weight * math.fsum(judged_alone) / more + math.fsum(rest) / n
    error = math.sqrt(weight**2 * population_variance(judged_alone) / more + population_variance(rest) / n)
    return Rate(point, point - z * error, point + z * error)


def population_variance(values: Sequence[float]) -> float:
    """Return the mean squared distance from the mean."""
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / len(values)
