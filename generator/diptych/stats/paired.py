"""Two runs that answered the same items right or wrong: tests, intervals and effect sizes from four counts."""

import math
from functools import lru_cache

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import critical, half_binomial_below, normal_above, normal_two_sided, root

FEW_CHANGED = 20
"""Up to so many changed items (or moved clusters) the signs of all of them are flipped in every pattern. Equality is
tested exactly there where right-or-wrong scores all moved one way: beyond it the score test holds its level."""


class McNemar(NamedTuple):
    """The test of gained against lost: `mid` is the p-value that verdicts rest on, `exact` stands beside it."""

    exact: float
    mid: float
    asymptotic: float
    z: float


class Equivalence(NamedTuple):
    """Two one-sided tests at a margin: `p` is the larger of them."""

    p: float
    p_lower: float
    p_upper: float


SEEN = 4_096
"""Tables whose numbers are kept: many runs on the same items meet the same few counts again and again."""


@lru_cache(maxsize=SEEN)
def mcnemar(gained: int, lost: int) -> McNemar:
    """Test whether gains and losses are equally likely (McNemar 1947; mid-p: Fagerland, Lydersen and Laake 2013)."""
    changed = gained + lost
    if not changed:
        return McNemar(1.0, 1.0, 1.0, 0.0)
    z = (gained - lost) / math.sqrt(changed)
    if gained == lost:
        return McNemar(1.0, 1.0, 1.0, 0.0)
    below, at = half_binomial_below(min(gained, lost), changed)
    return McNemar(min(1.0, 2.0 * below), 2.0 * below - at, normal_two_sided(z), z)


def _score_parts(gained: int, lost: int, n: int, delta: float) -> tuple[float, float]:
    """Return numerator and denominator of Tango's score statistic at a true difference `delta`."""
    a = 2.0 * n
    b = -gained - lost + (2.0 * n - gained + lost) * delta
    c = -lost * delta * (1.0 - delta)
    surd = math.sqrt(max(0.0, b * b - 4.0 * a * c))
    # the two forms of the same root: each loses digits where the other keeps them
    q = -2.0 * c / (b + surd) if b > 0 else (surd - b) / (2.0 * a)
    return gained - lost - n * delta, math.sqrt(max(0.0, n * (2.0 * q + delta * (1.0 - delta))))


def tango_z(gained: int, lost: int, n: int, delta: float) -> float:
    """Return Tango's score statistic against a true difference `delta`; at 0 it is McNemar's z."""
    numerator, denominator = _score_parts(gained, lost, n, delta)
    if denominator == 0.0:
        return math.copysign(math.inf, numerator) if numerator else 0.0
    return numerator / denominator


@lru_cache(maxsize=SEEN)
def tango_interval(gained: int, lost: int, n: int, level: float) -> tuple[float, float]:
    """Return the score interval of B - A (Tango 1998): all differences that the score test does not reject."""
    z = critical(level)
    if gained == lost == 0:
        half = z * z / (n + z * z)
        return -half, half
    difference = (gained - lost) / n

    def excess(delta: float, sign: int) -> float:
        numerator, denominator = _score_parts(gained, lost, n, delta)
        return numerator - sign * z * denominator

    # at +-1 the statistic is 0 / 0: start a hair inside
    inner = max(-1.0 + 1e-12, min(1.0 - 1e-12, difference))
    low = -1.0 if lost == n else root(lambda delta: excess(delta, 1), -1.0, inner)
    high = 1.0 if gained == n else root(lambda delta: excess(delta, -1), inner, 1.0)
    return low, high


def agreeing_interval(gained: int, lost: int, n: int, level: float) -> tuple[float, float]:
    """Return Tango's interval, with 0 in it wherever the mid-p test at this level does not reject it.

    The score test is a little bolder than mid-p at a few counts (4 gained and none lost, 21, 26, 31 ...): where only
    the score interval leaves out 0, its near end is 0, so that a range and the word beside it agree. It holds no less
    often.
    """
    low, high = tango_interval(gained, lost, n, level)
    if not low <= 0 <= high and mcnemar(gained, lost).mid >= round(1.0 - level, 12):
        return min(low, 0.0), max(high, 0.0)
    return low, high


@lru_cache(maxsize=SEEN)
def tango_equivalence(gained: int, lost: int, n: int, margin: float) -> Equivalence:
    """Test that the true difference lies inside +-`margin`; below 0.05 iff the 90 % Tango interval does."""
    lower = normal_above(tango_z(gained, lost, n, -margin))
    upper = normal_above(-tango_z(gained, lost, n, margin))
    return Equivalence(max(lower, upper), lower, upper)


def one_way_p(changed: int, n: int, margin: float) -> float:
    """Return P(X <= changed) for X ~ Bin(n, margin): the exact test where all changed items moved the same way."""
    if margin >= 1.0:
        return float(changed >= n)
    odds = margin / (1.0 - margin)
    term = total = (1.0 - margin) ** n
    for k in range(1, changed + 1):
        term *= (n - k + 1) / k * odds
        total += term
    return min(1.0, total)


def one_way_bound(changed: int, n: int, tail: float) -> float:
    """Return the largest share that so many changed items of n leave possible (Clopper and Pearson 1934)."""
    if changed >= n:
        return 1.0
    return root(lambda share: one_way_p(changed, n, share) - tail, changed / n, 1.0)


def wilson(right: float, n: float, level: float) -> tuple[float, float]:
    """Return Wilson's interval of a share (1927); its bounds at 0 and n are exactly 0 and 1."""
    z = critical(level)
    share, square = right / n, z * z
    centre = (share + square / (2.0 * n)) / (1.0 + square / n)
    half = z / (1.0 + square / n) * math.sqrt(share * (1.0 - share) / n + square / (4.0 * n * n))
    return (0.0 if right <= 0 else centre - half), (1.0 if right >= n else centre + half)


def odds_ratio(gained: int, lost: int, level: float) -> tuple[float, float, float] | None:
    """Return gained / lost with its Wilson range, or None where no item was lost."""
    if not lost:
        return None
    low, high = wilson(gained, gained + lost, level)
    return gained / lost, low / (1.0 - low), high / (1.0 - high)


def standard_error(gained: int, lost: int, n: int) -> float | None:
    """Return the standard error of (gained - lost) / n from the differences -1, 0, 1; None below two items."""
    if n < 2:
        return None
    return math.sqrt((gained + lost - (gained - lost) ** 2 / n) / (n - 1.0) / n)


WHOLE = 0.01
"""How close p(1-p)/se^2 + 1 must come to a whole number for a metric to be 0/1."""


SMALLEST_ERROR = 1e-9
"""No mean of as many items as there are has a smaller standard error, but 0."""


def binary_error(share: float, n: float) -> float | None:
    """Return the standard error that a mean of n zeros and ones has (ddof 1, as the harness prints it)."""
    return math.sqrt(share * (1.0 - share) / (n - 1.0)) if n > 1 and 0 <= share <= 1 else None


def implied_items(share: float, error: float) -> float | None:
    """Return the n that a 0/1 score and its error imply; None at 0, at 1 or for an error that none can have."""
    return share * (1.0 - share) / (error * error) + 1.0 if error > SMALLEST_ERROR and 0 < share < 1 else None


def may_be_binary(share: float, error: float, n: float | None) -> bool:
    """Tell whether a score and its full-precision standard error can come from zeros and ones alone."""
    implied = implied_items(share, error)
    if implied is None:
        return False
    # rounding in the error is magnified by n: the tolerance is absolute up to 1e9 items
    whole = n if n is not None else round(implied)
    return abs(implied - whole) <= max(WHOLE, 1e-9 * whole) and abs(share * whole - round(share * whole)) <= WHOLE
