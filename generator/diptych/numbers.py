"""Numbers in the sentences that an artifact carries: points, chances, counts (METHODS 12's rules, in one place).

Sentences stand in artifacts, so their numbers are rounded here; every number that is shown on its own
is written by report/figures.py instead.
"""

import math


def points(value: float) -> str:
    """Return a share's difference in points, signed: one decimal from one point on, else two; "0.00" for none.

    The metric's unit is a share of 1: 0.0213 gives "+2.1".
    """
    amount = 100 * value
    digits = 1 if abs(amount) >= 0.9995 and abs(round(amount, 2)) > 1 else 2
    text = f"{amount:+.{digits}f}"
    return "0.00" if float(text) == 0 else text


def size(value: float, *, up: bool = False) -> str:
    """Return a share's size in points without a sign; `up` rounds away from zero (floors, detectable differences)."""
    amount = 100 * abs(value)
    digits = 1 if amount >= 1 else 2
    if up:
        scale = 10**digits
        amount = math.ceil(amount * scale - 1e-9) / scale
    return f"{amount:.{digits}f}"


def amount(value: float, in_points: bool) -> str:
    """Return a signed difference: in points where the metric is a share, else in its own unit to three digits."""
    return f"{points(value)} points" if in_points else f"{value:+.3g}"


def bare(value: float, in_points: bool) -> str:
    """Return a signed difference without the word "points"."""
    return points(value) if in_points else f"{value:+.3g}"


def p_text(p: float) -> str:
    """Return a p-value in words: never zero, four digits near 0.05."""
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.4f}" if 0.045 <= p <= 0.055 else f"p = {p:.2g}"


def odds(p: float) -> str:
    """Return how often luck alone does this: "about 1 time in 30"."""
    if p < 0.001:
        return "less than 1 time in 1,000"
    if p > 0.5:
        return "more often than not"
    times = 1 / p
    rounded = round(times, -math.floor(math.log10(times))) if times >= 10 else round(times)
    return f"about 1 time in {int(rounded):,}"


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Return a count with its noun, in the plural where it must be."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def metric_name(metric: str, filter_: str) -> str:
    """Return a metric with the filter that its answers went through: `exact_match (strict-match)`, or just `acc`."""
    return metric if filter_ in ("", "none") else f"{metric} ({filter_})"


def listed(names: list[str] | tuple[str, ...], most: int = 3) -> str:
    """Return names as a phrase, at most so many of them: `a`, `a and b`, `a, b, c and 4 more`."""
    shown = list(names[:most])
    rest = len(names) - len(shown)
    if rest:
        return f"{', '.join(shown)} and {rest} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""
