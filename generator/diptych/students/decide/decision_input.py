"""What the rule looks at, and the few questions it asks of it: who is really better, no worse, cheaper."""

from collections.abc import Sequence
from typing import NamedTuple

from diptych.comparison import ALPHA
from diptych.decision import COST_UNITS, PairedChecks, Route, Trade


class Preference(NamedTuple):
    """What the judges say of one pair: the preferred route, or None, in one sentence."""

    first: str
    second: str
    route: str | None
    sentence: str


class Standing(NamedTuple):
    """Everything the rule looks at. `paired` holds every pair of routes once."""

    routes: tuple[Route, ...]
    paired: tuple[PairedChecks, ...]
    preferences: tuple[Preference, ...]
    trades: tuple[Trade, ...]
    margin: float
    floor: float | None = None
    worth: float | None = None

    def route(self, name: str) -> Route:
        """Return a route by name."""
        return next(route for route in self.routes if route.name == name)

    def pair(self, one: str, other: str) -> PairedChecks:
        """Return the paired checks of two routes, in whichever order they stand."""
        return next(pair for pair in self.paired if {pair.first, pair.second} == {one, other})


def share(route: Route) -> float:
    """Return the share of tasks that a route passed."""
    return route.passed / route.total if route.total else 0.0


def really_better(standing: Standing, one: Route, other: Route) -> bool:
    """Say whether `one` passes more tasks than `other` beyond luck (Holm over all pairs, range without 0)."""
    if one.name == other.name:
        return False
    pair = standing.pair(one.name, other.name)
    low, _ = lead(pair, one.name, "low", "high")
    return low is not None and low > 0 and pair.p_adjusted is not None and pair.p_adjusted < ALPHA


def lead(pair: PairedChecks, name: str, low: str, high: str) -> tuple[float | None, float | None]:
    """Return the range of `name` minus the other route (the pair keeps second minus first)."""
    bottom, top = getattr(pair, low), getattr(pair, high)
    if bottom is None or top is None:
        return None, None
    return (bottom, top) if name == pair.second else (-top, -bottom)


def no_worse(standing: Standing, cheap: Route, dear: Route) -> bool:
    """Say whether `cheap` is shown to be no worse than `dear` by the margin (one-sided 95 %)."""
    low, _ = lead(standing.pair(cheap.name, dear.name), cheap.name, "low_90", "high_90")
    return low is not None and low > -standing.margin


def comparable(one: Route, other: Route) -> dict[str, tuple[float, float]]:
    """Return the costs that both routes have in full, by unit; money alone where both have it."""
    if one.money is not None and other.money is not None:
        return {"money": (one.money, other.money)}
    found = {}
    for unit in COST_UNITS:
        a, b = one.cost[unit], other.cost[unit]
        if a.whole and b.whole and a.kind == b.kind and a.total is not None and b.total is not None:
            found[unit] = (a.total, b.total)
    return found


def cheaper(one: Route, other: Route) -> bool:
    """Say whether `one` costs less than `other` in some unit and more in none of those known for both."""
    costs = comparable(one, other).values()
    return any(a < b for a, b in costs) and not any(a > b for a, b in costs)


def cheapest(routes: Sequence[Route]) -> Route | None:
    """Return the route that costs less than every other, or None."""
    return next((one for one in routes if all(cheaper(one, other) for other in routes if other is not one)), None)


def is_known(routes: Sequence[Route], unit: str) -> bool:
    """Say whether any route has some of a cost."""
    return any(route.cost[unit].measured for route in routes)
