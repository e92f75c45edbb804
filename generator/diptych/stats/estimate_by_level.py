"""An estimate before its level is known: what a test found, and its ranges as functions of the level.

How many tests stand beside a row is known only when all of them are made; the range, the equivalence interval and the
detectable difference are then read off at the level that the adjustment left for the row.
"""

from collections.abc import Callable

from diptych.estimates import Estimate
from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import critical, student_quantile

Span = tuple[float | None, float | None]
Limits = Callable[[float], Span]
"""A two-sided level -> (low, high)."""

BY_LEVEL = Callable[[float], float | None]
"""A two-sided alpha -> a size."""


def no_limits(level: float) -> Span:
    """Return no range: there is no error bar."""
    return None, None


def no_size(alpha: float) -> float | None:
    """Return no size: it cannot be reckoned."""
    return None


class Measured(NamedTuple):
    """What a test found, with everything that depends on the level still open.

    `limits` gives the range of the difference, `same_limits` the one that must lie inside the margin, `detectable`
    and `needed` the smallest difference that would show and the items that would show the margin.
    """

    found: Estimate
    limits: Limits = no_limits
    same_limits: Limits = no_limits
    detectable: BY_LEVEL = no_size
    needed: BY_LEVEL = no_size

    def flagged(self, *flags: str) -> "Measured":
        """Return it with these flags after its own, each once."""
        return self._replace(found=self.found._replace(flags=tuple(dict.fromkeys((*self.found.flags, *flags)))))

    def noted(self, **notes: object) -> "Measured":
        """Return it with these parameters of its method; one of the same name is replaced."""
        return self._replace(found=self.found._replace(parameters={**self.found.parameters, **notes}))


def measured_p(measured: Measured | None) -> float | None:
    """Return the p-value of no difference, None where nothing was measured."""
    return measured.found.p_value if measured else None


def p_same_of(measured: Measured | None) -> float | None:
    """Return the p-value of a difference of the margin, None where nothing was measured."""
    return measured.found.p_equivalence if measured else None


def at_levels(measured: Measured, alpha: float, alpha_same: float) -> Estimate:
    """Return the estimate with its ranges at the levels that its tests have: alpha two-sided, alpha_same one-sided."""
    found = measured.found
    low, high = measured.limits(round(1.0 - alpha, 12))
    low_90, high_90 = measured.same_limits(round(1.0 - 2.0 * alpha_same, 12))
    needed = measured.needed(alpha)
    flags = list(found.flags)
    if low is not None and high is not None and found.p_value is not None:
        apart = not low <= 0 <= high
        if apart != (found.p_value < alpha):
            flags.append("borderline")
        elif apart and inside(low_90, high_90, found.margin):
            flags.append("negligible")
    return found._replace(
        confidence=round(1.0 - alpha, 12),
        low=low,
        high=high,
        low_90=low_90,
        high_90=high_90,
        detectable=measured.detectable(alpha),
        needed=None if needed is None else int(-(-needed // 1)),
        flags=tuple(flags),
        parameters={**found.parameters, "equivalence_level": round(1.0 - 2.0 * alpha_same, 12)},
    )


def range_at(measured: Measured, alpha: float, alpha_same: float, *, same: bool) -> Estimate:
    """Return the estimate with its range at a level, and the equivalence range where `same` asks for it: no sizes."""
    low, high = measured.limits(round(1.0 - alpha, 12))
    low_90, high_90 = measured.same_limits(round(1.0 - 2.0 * alpha_same, 12)) if same else (None, None)
    return measured.found._replace(
        confidence=round(1.0 - alpha, 12), low=low, high=high, low_90=low_90, high_90=high_90
    )


def inside(low: float | None, high: float | None, margin: float | None) -> bool:
    """Say whether a range lies inside +-margin whole."""
    return low is not None and high is not None and margin is not None and -margin < low and high < margin


def errors_reached(level: float, df: float) -> float:
    """Return how many standard errors a two-sided range at this level reaches; `df` inf is the normal law."""
    return critical(level) if df == float("inf") else student_quantile(0.5 + level / 2.0, df)


def mean_limits(mean: float, error: float, df: float) -> Limits:
    """Return the range of a mean with a standard error > 0."""

    def limits(level: float) -> Span:
        half = errors_reached(level, df) * error
        return mean - half, mean + half

    return limits


def hull(*ways: Limits) -> Limits:
    """Return the range that holds those of several ways."""

    def limits(level: float) -> Span:
        spans = [way(level) for way in ways]
        lows, highs = [low for low, _ in spans if low is not None], [high for _, high in spans if high is not None]
        return (min(lows), max(highs)) if lows and highs else (None, None)

    return limits


def widened(limits: Limits, centre: float, spread: float, df: float) -> Limits:
    """Return a range with an independent error added on each side (MOVER: squared distances add)."""

    def wider(level: float) -> Span:
        low, high = limits(level)
        if low is None or high is None:
            return None, None
        more = errors_reached(level, df) * spread
        return centre - ((centre - low) ** 2 + more**2) ** 0.5, centre + ((high - centre) ** 2 + more**2) ** 0.5

    return wider


def equivalence_p(limits: Limits, margin: float) -> float | None:
    """Return the smallest one-sided level at which a range lies inside +-margin; None where there is no range."""
    if limits(0.9)[0] is None:
        return None
    low, high = 1e-9, 0.5 - 1e-9
    if inside(*limits(1.0 - 2.0 * low), margin):
        return low
    if not inside(*limits(1.0 - 2.0 * high), margin):
        return 0.5
    for _ in range(40):
        middle = (low * high) ** 0.5
        if inside(*limits(1.0 - 2.0 * middle), margin):
            high = middle
        else:
            low = middle
    return high
