"""Say amounts, chances and names in the short sentences of a decision."""

import math
from collections.abc import Sequence
from typing import Any

from diptych.decision import Route

UNIT_WORDS = {
    "prompt_tokens": "prompt tokens",
    "completion_tokens": "completion tokens",
    "seconds": "seconds",
    "watt_hours": "watt-hours",
    "money": "money",
}


LARGEST = 1e15
"""No amount, price or count of ours is larger; a whole number of JSON may have thousands of digits."""


def strict(value: Any) -> Any:
    """Return a JSON value as strict JSON can carry it: a number that is not finite becomes its name as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [strict(item) for item in value]
    if isinstance(value, dict):
        return {key: strict(item) for key, item in value.items()}
    return value


def chance(p: float | None) -> str:
    """Return a p-value in words: four digits near the line, never zero."""
    if p is None:
        return "p not available"
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.4f}" if 0.045 <= p < 0.055 else f"p = {p:.2g}" if p < 0.1 else f"p = {p:.2f}"


def points(share: float) -> str:
    """Return a share as points, one decimal from one point on, else two."""
    return f"{100 * share:.1f}" if abs(share) >= 0.00995 else f"{100 * share:.2f}"


def quantity(unit: str, value: float, currency: str | None = None) -> str:
    """Return an amount with its unit."""
    if unit == "money":
        return f"{short(value)} {currency or 'money'}"
    if unit.endswith("tokens"):
        return f"{value:,.0f} {unit.replace('_', ' ')}"
    return f"{short(value)} {'s' if unit == 'seconds' else 'Wh'}"


def short(value: float) -> str:
    """Return a number with four significant digits at most, thousands apart, no exponent where it can be helped."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def names(routes: Sequence[Route | str]) -> str:
    """Return route names as a phrase: `a`, `a and b`, `a, b and c`."""
    words = [route if isinstance(route, str) else route.name for route in routes]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
