"""Two runs without shared items, or with aggregates alone: z, Welch, Newcombe, and what a bare score still allows."""

import math
from collections.abc import Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import critical, mean_and_variance, normal_two_sided
from diptych.stats.graded import MeanTest, t_test
from diptych.stats.paired import mcnemar, wilson


class PairingBounds(NamedTuple):
    """What the unknown pairing of two 0/1 runs of the same items could have given."""

    changed_min: int
    changed_max: int
    p_best: float
    p_worst: float


def unpaired_z(a: float, error_a: float, b: float, error_b: float, level: float) -> MeanTest | None:
    """Compare two scores by their standard errors; None where both errors are 0."""
    error = math.hypot(error_a, error_b)
    if error == 0:
        return None
    z = (b - a) / error
    reach = critical(level) * error
    return MeanTest(b - a, error, z, math.inf, normal_two_sided(z), b - a - reach, b - a + reach)


def pooled_z(right_a: float, n_a: float, right_b: float, n_b: float) -> float:
    """Return the two-sided p-value of two shares under one common share: where both standard errors are 0."""
    common = (right_a + right_b) / (n_a + n_b)
    error = math.sqrt(common * (1.0 - common) * (1.0 / n_a + 1.0 / n_b))
    return normal_two_sided((right_b / n_b - right_a / n_a) / error) if error else 1.0


def newcombe(right_a: float, n_a: float, right_b: float, n_b: float, level: float) -> tuple[float, float]:
    """Return Newcombe's interval of B - A of two independent shares: their Wilson limits combined (1998)."""
    (low_a, high_a), (low_b, high_b) = wilson(right_a, n_a, level), wilson(right_b, n_b, level)
    share_a, share_b = right_a / n_a, right_b / n_b
    difference = share_b - share_a
    low = difference - math.hypot(share_b - low_b, high_a - share_a)
    return low, difference + math.hypot(high_b - share_b, share_a - low_a)


def welch(a: Sequence[float], b: Sequence[float], level: float) -> MeanTest | None:
    """Compare the means of two independent columns of unlike spread (Welch 1947); None where neither varies."""
    (mean_a, variance_a), (mean_b, variance_b) = mean_and_variance(a), mean_and_variance(b)
    return welch_from_errors(mean_a, variance_a / len(a), len(a) - 1, mean_b, variance_b / len(b), len(b) - 1, level)


def welch_from_errors(
    mean_a: float, square_a: float, df_a: float, mean_b: float, square_b: float, df_b: float, level: float
) -> MeanTest | None:
    """Compare two means from their squared standard errors and degrees of freedom."""
    square = square_a + square_b
    if square < 1e-100:
        return None
    df = square * square / (square_a**2 / df_a + square_b**2 / df_b)
    return t_test(mean_b - mean_a, math.sqrt(square), df, level)


def impossible_error(score: float, error: float | None) -> bool:
    """Tell whether a standard error of 0 stands beside a score strictly between 0 and 1, or is no error at all."""
    if error is None:
        return False
    return error < 0 or not math.isfinite(error) or (error == 0 and 0 < score < 1)


def pairing_bounds(right_a: int, right_b: int, n: int) -> PairingBounds:
    """Return the fewest and most items that can have changed, and McNemar's mid-p at both ends."""
    lead = right_b - right_a
    fewest, most = abs(lead), min(right_a + right_b, 2 * n - right_a - right_b)
    best = mcnemar(max(lead, 0), max(-lead, 0)).mid
    worst = mcnemar((most + lead) // 2, (most - lead) // 2).mid
    return PairingBounds(fewest, most, best, worst)
