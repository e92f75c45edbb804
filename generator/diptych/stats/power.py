"""What a benchmark of this size can see: smallest detectable difference, items needed, power."""

import math

from diptych.comparison import ALPHA
from diptych.stats.distributions import critical, half_binomial, normal_quantile, root

POWER = 0.80


def multiplier(alpha: float = ALPHA, power: float = POWER) -> float:
    """Return how many standard errors a true difference must measure to be seen (2.80 by default)."""
    return critical(1.0 - alpha) + normal_quantile(power)


def needed_for_mean(variance: float, difference: float, alpha: float = ALPHA, power: float = POWER) -> float:
    """Return the items that would show `difference`, from the variance of paired differences (Miller 2024, Eq. 9)."""
    return variance * (multiplier(alpha, power) / difference) ** 2


def detectable_mean(variance: float, n: float, alpha: float = ALPHA, power: float = POWER) -> float:
    """Return the smallest true mean difference that n items would show (Miller 2024, Eq. 10)."""
    return multiplier(alpha, power) * math.sqrt(variance / n)


def detectable_t(error: float, df: float, alpha: float = ALPHA, power: float = POWER) -> float:
    """Return the smallest true mean that a t test with this standard error would show (normal law where df is inf)."""
    from diptych.stats.distributions import student_quantile

    if math.isinf(df):
        return multiplier(alpha, power) * error
    return (student_quantile(1.0 - alpha / 2.0, df) + student_quantile(power, df)) * error


def resampling_factor(answers: int) -> float:
    """Return how K answers an item shrink a variance that is two thirds one answer's luck (Miller 2024, 3.1)."""
    return (1.0 + 2.0 / answers) / 3.0


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


def _binomial(k: int, n: int, share: float) -> float:
    logs = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(logs + (k * math.log(share) if k else 0.0) + ((n - k) * math.log1p(-share) if n > k else 0.0))


def _rejected_up_to(changed: int, alpha: float) -> int:
    """Return the largest count of the rarer side that mid-p rejects among `changed` items; -1 for none."""
    below, answer = 0.0, -1
    for k in range((changed - 1) // 2 + 1):
        term = half_binomial(k, changed)
        if 2.0 * below + term >= alpha:
            break
        below += term
        answer = k
    return answer


def mcnemar_power(n: int, changed_share: float, difference: float, alpha: float = ALPHA) -> float:
    """Return the exact power of the mid-p test, summed over every number of changed items and every split of them."""
    gains = (changed_share + difference) / 2.0 / changed_share
    total = 0.0
    for changed in range(1, n + 1):
        weight = _binomial(changed, n, changed_share)
        if weight < 1e-14:
            continue
        last = _rejected_up_to(changed, alpha)
        splits = (_binomial(k, changed, gains) + _binomial(changed - k, changed, gains) for k in range(last + 1))
        total += weight * math.fsum(splits)
    return total


def needed_for_t(effect: float, alpha: float = ALPHA, power: float = POWER) -> float:
    """Return the items that a paired t test needs for a difference of `effect` standard deviations."""
    from scipy.special import nctdtr  # the noncentral t: rare, and 0.3 s to load

    from diptych.stats.distributions import student_quantile

    def shortfall(n: float) -> float:
        bar, shift = student_quantile(1.0 - alpha / 2.0, n - 1.0), effect * math.sqrt(n)
        return power - (1.0 - float(nctdtr(n - 1.0, shift, bar)) + float(nctdtr(n - 1.0, shift, -bar)))

    high = max(4.0, 2.0 * needed_for_mean(1.0, effect, alpha, power) + 10.0)
    return root(shortfall, 2.0, high)
