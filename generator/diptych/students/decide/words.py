"""Say amounts, chances and names in the short sentences of a decision."""

import math
from collections.abc import Sequence
from typing import Any

from diptych.decision import Route
from diptych.numbers import cost, money, p_text

HUGE = 10**300
LARGEST = 1e15
"""No amount, price or count of ours is larger; a whole number of JSON may have thousands of digits."""


def strict(value: Any) -> Any:
    """Return a JSON value as an artifact can carry it: a number that is not finite, or beyond all size, as a text."""
    if isinstance(value, int) and abs(value) > HUGE:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [strict(item) for item in value]
    if isinstance(value, dict):
        return {key: strict(item) for key, item in value.items()}
    return value


def chance(p: float | None) -> str:
    """Return a p-value in words, also where there is none."""
    return p_text(p) or "p not available"


def quantity(unit: str, value: float, currency: str | None = None) -> str:
    """Return an amount with its unit; tokens say which they are."""
    if unit.startswith("money"):
        return money(value, currency or "money")
    if unit.endswith("tokens"):
        return f"{cost(value, unit)} {unit.replace('_', ' ')}"
    return cost(value, unit)


def names(routes: Sequence[Route | str]) -> str:
    """Return route names as a phrase: `a`, `a and b`, `a, b and c`."""
    words = [route if isinstance(route, str) else route.name for route in routes]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
