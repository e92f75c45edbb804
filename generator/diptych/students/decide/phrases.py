"""Say amounts, chances and names in the short sentences of a decision."""

from collections.abc import Sequence

from diptych.decision import Route
from diptych.numbers import cost, money, p_text


def chance(p: float | None) -> str:
    """Return a p-value in words, also where there is none."""
    return p_text(p) or "p not available"


def in_unit(unit: str, value: float, currency: str | None = None) -> str:
    """Return an amount with its unit; tokens say which they are."""
    if unit.startswith("money"):
        return money(value, currency or "money")
    if unit.endswith("tokens"):
        return f"{cost(value, unit)} {unit.replace('_', ' ')}"
    return cost(value, unit)


def route_names(routes: Sequence[Route | str]) -> str:
    """Return route names as a phrase: `a`, `a and b`, `a, b and c`."""
    words = [route if isinstance(route, str) else route.name for route in routes]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
