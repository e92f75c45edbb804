"""What a benchmark of this size can see: smallest detectable difference, items needed, power."""

import math

from diptych.estimates import ALPHA
from diptych.stats.distributions import critical, normal_quantile, root

POWER = 0.80


def multiplier(alpha: float = ALPHA, power: float = POWER) -> float:
    """Return how many standard errors a true difference must measure to be seen (2.80 by default)."""
    return critical(1.0 - alpha) + normal_quantile(power)


def detectable_t(error: float, df: float, alpha: float = ALPHA, power: float = POWER) -> float:
    """Return the smallest true mean that a t test with this standard error would show (normal law where df is inf).

    The noncentrality that gives this power, by the normal approximation of Johnson and Welch (1940): at small alpha and
    few degrees of freedom two quantiles of t added up fall short of it.
    """
    from diptych.stats.distributions import student_quantile

    if math.isinf(df):
        return multiplier(alpha, power) * error
    bar = student_quantile(1.0 - alpha / 2.0, df)
    return (bar * (1.0 - 1.0 / (4.0 * df)) + normal_quantile(power) * math.sqrt(1.0 + bar * bar / (2.0 * df))) * error


def needed_for_shares(changed_share: float, difference: float, alpha: float = ALPHA, power: float = POWER) -> float:
    """Return the pairs that McNemar's test needs to show `difference` (Connor 1987); changed_share >= difference."""
    spread = math.sqrt(max(0.0, changed_share - difference * difference))
    reach = critical(1.0 - alpha) * math.sqrt(changed_share) + normal_quantile(power) * spread
    return (reach / difference) ** 2


def detectable_share(changed_share: float, n: int, alpha: float = ALPHA, power: float = POWER) -> float | None:
    """Return the smallest true difference that n pairs would show; None where not even all changes one way would."""
    if changed_share <= 0 or needed_for_shares(changed_share, changed_share, alpha, power) > n:
        return None
    return root(lambda delta: needed_for_shares(changed_share, delta, alpha, power) - n, 1e-9, changed_share)


def detectable_share_at_best(n: int, alpha: float = ALPHA, power: float = POWER) -> float | None:
    """Return the smallest true difference that n pairs would show if every changed item moved the same way."""
    if needed_for_shares(1.0, 1.0, alpha, power) > n:
        return None
    return root(lambda delta: needed_for_shares(delta, delta, alpha, power) - n, 1e-9, 1.0)
