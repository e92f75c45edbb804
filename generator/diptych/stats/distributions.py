"""Normal, Student and binomial probabilities in plain Python: the common path loads no numeric library."""

import math
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import mul

SQRT2 = math.sqrt(2.0)
LARGE_COUNT = 1_000  # up to here one exact integer binomial is as quick as a series
STIRLING_FROM = 60.0  # from here four terms of the series are exact to a double


def normal_two_sided(z: float) -> float:
    """Return P(|Z| >= |z|); erfc keeps its digits in the far tail, where 1 - cdf has none."""
    return math.erfc(abs(z) / SQRT2)


def normal_above(z: float) -> float:
    """Return P(Z >= z)."""
    return 0.5 * math.erfc(z / SQRT2)


def normal_quantile(p: float) -> float:
    """Return z with P(Z <= z) = p, for 0 < p < 1: a rational start, then Halley steps on erfc."""
    if p == 0.5:
        return 0.0
    tail = min(p, 1.0 - p)
    t = math.sqrt(-2.0 * math.log(tail))
    z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
    for _ in range(4):
        density = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
        step = (normal_above(z) - tail) / density
        z += step / (1.0 - 0.5 * step * z)
    return z if p > 0.5 else -z


@lru_cache(maxsize=4_096)
def critical(level: float) -> float:
    """Return the normal multiplier of a two-sided interval at `level` (1.96 at 0.95)."""
    return normal_quantile(0.5 + level / 2.0)


def _log_gamma_half_step(a: float) -> float:
    """Return ln G(a + 1/2) - ln G(a); by its series where the difference of two large logs would lose digits."""
    if a < STIRLING_FROM:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    inverse = 1.0 / a
    square = inverse * inverse
    return 0.5 * math.log(a) - inverse * (1 / 8 - square * (1 / 192 - square * (1 / 640 - square * 17 / 14336)))


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function (Lentz's evaluation)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            d = 1.0 + numerator * d
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = 1.0 + numerator / c
            c = c if abs(c) > tiny else tiny
            value *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return value


def student_two_sided(t: float, df: float) -> float:
    """Return P(|T| >= |t|) with `df` > 0 degrees of freedom: the incomplete beta at df / (df + t^2)."""
    if t == 0.0:
        return 1.0
    a, square = df / 2.0, t * t
    log_front = (
        -a * math.log1p(square / df)
        + 0.5 * math.log(square / (df + square))
        + _log_gamma_half_step(a)
        - math.lgamma(0.5)
    )
    if df / (df + square) < (a + 1.0) / (a + 2.5):
        return math.exp(log_front) * _beta_fraction(df / (df + square), a, 0.5) / a
    return 1.0 - math.exp(log_front) * _beta_fraction(square / (df + square), 0.5, a) * 2.0


def f_above(f: float, between: float, within: float) -> float:
    """Return P(F >= f) with its two degrees of freedom: the incomplete beta at within / (within + between f)."""
    if f <= 0.0:
        return 1.0
    return _incomplete_beta(within / (within + between * f), within / 2.0, between / 2.0)


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, from the side on which its fraction converges."""
    if x > (a + 1.0) / (a + b + 2.0):
        return 1.0 - _incomplete_beta(1.0 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) * _beta_fraction(x, a, b) / a


def student_above(t: float, df: float) -> float:
    """Return P(T >= t)."""
    half = student_two_sided(t, df) / 2.0
    return half if t >= 0 else 1.0 - half


@lru_cache(maxsize=4_096)
def student_quantile(p: float, df: float) -> float:
    """Return t with P(T <= t) = p, for 0 < p < 1: Newton steps inside a bracket that only shrinks."""
    if p == 0.5:
        return 0.0
    tail = 2.0 * min(p, 1.0 - p)
    low, high = 0.0, max(1.0, normal_quantile(1.0 - tail / 2.0))
    while student_two_sided(high, df) > tail:
        low, high = high, 2.0 * high
    log_peak = _log_gamma_half_step(df / 2.0) - 0.5 * math.log(df * math.pi)
    t = high
    for _ in range(200):
        excess = student_two_sided(t, df) - tail
        low, high = (t, high) if excess > 0 else (low, t)
        density = math.exp(log_peak - (df + 1.0) / 2.0 * math.log1p(t * t / df))
        following = t + excess / (2.0 * density)
        if not low < following < high:
            following = (low + high) / 2.0
        if abs(following - t) <= 1e-15 * following:
            break
        t = following
    return t if p > 0.5 else -t


def _stirling_error(n: float) -> float:
    """Return ln n! minus Stirling's approximation, for n >= 60."""
    square = 1.0 / (n * n)
    return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / n


def half_binomial(k: int, m: int) -> float:
    """Return P(X = k) for X ~ Bin(m, 1/2), without large integers where m is large (Loader 2000, saddle point)."""
    if m <= LARGE_COUNT:
        return math.comb(m, k) / (1 << m)
    smaller = min(k, m - k)
    if smaller < STIRLING_FROM:
        logs = math.fsum(math.log(m - i) - math.log(i + 1.0) for i in range(smaller))
        return math.exp(logs - m * math.log(2.0))
    tilt = (m - 2 * smaller) / m
    deviance = m / 2.0 * ((1.0 - tilt) * math.log1p(-tilt) + (1.0 + tilt) * math.log1p(tilt))
    errors = _stirling_error(m) - _stirling_error(smaller) - _stirling_error(m - smaller)
    return math.exp(errors - deviance) * math.sqrt(m / (2.0 * math.pi * smaller * (m - smaller)))


def half_binomial_below(k: int, m: int) -> tuple[float, float]:
    """Return (P(X <= k), P(X = k)) for X ~ Bin(m, 1/2) and k <= m / 2, by the ratio of neighbouring terms."""
    top = term = half_binomial(k, m)
    total = term
    for j in range(k, 0, -1):
        term *= j / (m - j + 1.0)
        total += term
        if term < total * 1e-18:
            break
    return total, top


def mean_and_variance(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the sample variance (ddof 1); the variance of one value is 0."""
    n = len(values)
    mean = math.fsum(values) / n
    if n < 2:
        return mean, 0.0
    apart = array("d", (value - mean for value in values))
    return mean, math.fsum(map(mul, apart, apart)) / (n - 1)


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the type-7 quantile of values that are already sorted."""
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def root(function: Callable[[float], float], low: float, high: float, accuracy: float = 0.0) -> float:
    """Return where `function` changes sign between two bounds (Chandrupatla 1997: bisection, quicker where safe).

    `accuracy` is how far from it the place may lie; 0: as near as doubles come.
    """
    a, b = high, low
    value_a, value_b = function(a), function(b)
    c, value_c, share = a, value_a, 0.5
    for _ in range(200):
        at = a + share * (b - a)
        value = function(at)
        if (value > 0) == (value_a > 0):
            c, value_c = a, value_a
        else:
            c, b, value_c, value_b = b, a, value_b, value_a
        a, value_a = at, value
        best, best_value = (a, value_a) if abs(value_a) < abs(value_b) else (b, value_b)
        tolerance = max(accuracy / 2, 4e-16 * abs(best) + 1e-17)
        if best_value == 0 or abs(b - a) <= 2 * tolerance:
            return best
        xi, phi = (a - b) / (c - b), (value_a - value_b) / (value_c - value_b)
        if phi * phi < xi and (1 - phi) ** 2 < 1 - xi:
            share = value_a / (value_b - value_a) * value_c / (value_b - value_c)
            share += (c - a) / (b - a) * value_a / (value_c - value_a) * value_b / (value_c - value_b)
        else:
            share = 0.5
        edge = tolerance / abs(b - a)
        share = min(1 - edge, max(edge, share))
    return best
