"""What the rule looks at, and the few questions it asks of it: who is really better, no worse, cheaper."""

from collections.abc import Sequence

from diptych.decision import COST_UNITS, CostTotal, PairedChecks, Route, Trade
from diptych.estimates import ALPHA
from diptych.fast_named_tuple import NamedTuple

TIE = 0.05
"""Costs within this share of the larger one are a tie."""
SPREADS = 1.96
"""Costs within so many standard deviations of what repeated runs show are a tie."""
MOST_UNANSWERED = 0.10
"""A student that left more than this share of its tasks unanswered withholds the pick."""


class Said(NamedTuple):
    """Whom one judge that may speak prefers (or None), and how often each route won in both orders.

    `told` says how: the wins, or the win rate as people's labels correct it (`by_labels`).
    """

    judge: str
    route: str | None
    wins: int
    losses: int
    told: str = ""
    by_labels: bool = False


def who_prefers(said: Said) -> str:
    """Return who prefers a route: a judge, or the human labels that correct it."""
    return f"human labels beside judge {said.judge} prefer" if said.by_labels else f"the judge {said.judge} prefers"


class Preference(NamedTuple):
    """What the judges say of one pair: the preferred route, or None, in one sentence; `speaking` of `judges` may speak.

    `help` says what would let a judge speak that may not.
    """

    first: str
    second: str
    route: str | None
    sentence: str
    speaking: tuple[Said, ...] = ()
    judges: int = 1
    help: str = ""


class DecisionInput(NamedTuple):
    """Everything the rule looks at. `paired` holds every pair of routes once; `same_file` names routes of one file,
    `unknown_questions` says that tasks of different files are matched by id alone, `unfair` which failures may be
    of the answer format.
    """

    routes: tuple[Route, ...]
    paired: tuple[PairedChecks, ...]
    preferences: tuple[Preference, ...]
    trades: tuple[Trade, ...]
    margin: float
    floor: float | None = None
    worth: float | None = None
    same_file: tuple[str, ...] = ()
    unknown_questions: bool = False
    unfair: str = ""

    def route(self, name: str) -> Route:
        return next(route for route in self.routes if route.name == name)

    def pair(self, one: str, other: str) -> PairedChecks:
        """Return the paired checks of two routes, in whichever order they stand."""
        return next(pair for pair in self.paired if {pair.first, pair.second} == {one, other})


class Lead(NamedTuple):
    """By how much one route passes more than another: the difference and its intervals, as shares."""

    difference: float
    low: float
    high: float
    low_90: float
    high_90: float


def lead(pair: PairedChecks, name: str) -> Lead | None:
    """Return the lead of `name` over the other route on the tasks that both answered."""
    if pair.low is None or pair.high is None or pair.low_90 is None or pair.high_90 is None:
        return None
    moved = (pair.only_second - pair.only_first) / pair.tasks
    seen = Lead(moved, pair.low, pair.high, pair.low_90, pair.high_90)
    return seen if name == pair.second else lead_of_other(seen)


def leads(pair: PairedChecks, name: str) -> tuple[Lead, ...]:
    """Return the lead as seen, and at both bounds where tasks are unanswered."""
    seen = lead(pair, name)
    if seen is None:
        return ()
    bounds = []
    for bound in pair.bounds:
        n = bound.both + bound.only_first + bound.only_second + bound.neither
        at = Lead((bound.only_second - bound.only_first) / n, bound.low, bound.high, bound.low_90, bound.high_90)
        bounds.append(at if name == pair.second else lead_of_other(at))
    return (seen, *bounds)


def lead_of_other(one: Lead) -> Lead:
    """Return a lead as the other route's."""
    return Lead(-one.difference, -one.high, -one.low, -one.high_90, -one.low_90)


def passed_share(route: Route) -> float:
    """Return the share of tasks that a route is known to pass."""
    return route.passed / route.total if route.total else 0.0


def really_better(given: DecisionInput, one: Route, other: Route) -> bool:
    """Say whether `one` passes more tasks than `other` beyond luck: Holm over all pairs, interval without 0, at both
    bounds of what is unanswered."""
    if one.name == other.name:
        return False
    pair = given.pair(one.name, other.name)
    found = leads(pair, one.name)
    return bool(found) and all(at.low > 0 for at in found) and pair.p_adjusted is not None and pair.p_adjusted < ALPHA


def no_worse(given: DecisionInput, cheap: Route, dear: Route) -> bool:
    """Say whether `cheap` is shown to be no worse than `dear` by the margin (one-sided 95 %), at both bounds."""
    found = leads(given.pair(cheap.name, dear.name), cheap.name)
    return bool(found) and all(at.low_90 > -given.margin for at in found)


class CostPair(NamedTuple):
    """The cost of two routes in one unit. `order` is -1 where the first costs less, 1 where it costs more, 0 for a tie.

    An amount that is only a lower bound (`one_whole`, `other_whole`) is compared where the bound is enough.
    """

    unit: str
    one: float
    other: float
    order: int
    one_whole: bool = True
    other_whole: bool = True


def money_pair(one: Route, other: Route) -> tuple[CostPair, ...]:
    """Return the money of two routes, on the basis of each where one was named, else on every basis that both have."""
    if one.money is not None and other.money is not None:
        unit = f"money by {one.money_basis}" if one.money_basis == other.money_basis else "money"
        return (CostPair(unit, one.money, other.money, order_of(one.money, other.money)),)
    return money_by_every_basis(one, other)


def money_by_every_basis(one: Route, other: Route) -> tuple[CostPair, ...]:
    """Return the money of two routes on every basis that both have it on."""
    theirs = {money.basis: money.amount for money in other.money_by_basis}
    return tuple(
        CostPair(f"money by {money.basis}", money.amount, amount, order_of(money.amount, amount))
        for money in one.money_by_basis
        if money.amount is not None and (amount := theirs.get(money.basis)) is not None
    )


def native_pairs(one: Route, other: Route) -> tuple[CostPair, ...]:
    """Return the costs of two routes that can be compared in their own units; a lower bound counts where it is enough.

    Amounts under names of their own (`gpu_hours`) stand beside them: they may speak against a pick, never for it.
    """
    found = [paired_cost(unit, one.cost.get(unit), other.cost.get(unit)) for unit in COST_UNITS]
    names = [name for name in one.other_costs if name in other.other_costs]
    found += [paired_cost(name, one.other_costs[name], other.other_costs[name]) for name in names]
    return tuple(pair for pair in found if pair is not None)


def paired_cost(unit: str, a: CostTotal | None, b: CostTotal | None) -> CostPair | None:
    """Return two totals of one unit, or None where they cannot be compared."""
    if a is None or b is None or a.total is None or b.total is None or a.kind != b.kind:
        return None
    if not a.whole and not b.whole:
        return None
    order = order_of(a.total, b.total, 0.0 if a.spread is None else a.spread, 0.0 if b.spread is None else b.spread)
    if (not a.whole and order <= 0) or (not b.whole and order >= 0):
        return None  # the missing part could turn it
    return CostPair(unit, a.total, b.total, order, a.whole, b.whole)


def order_of(a: float, b: float, spread_a: float = 0.0, spread_b: float = 0.0) -> int:
    """Return -1 where a is less than b beyond a tie, 1 where it is more, else 0."""
    reach = max(TIE * max(a, b), SPREADS * (spread_a * spread_a + spread_b * spread_b) ** 0.5)
    return 0 if abs(a - b) <= reach else -1 if a < b else 1


def costs_between(one: Route, other: Route) -> tuple[CostPair, ...]:
    """Return the costs by which two routes are compared: money alone where both have it, else their own units."""
    return money_pair(one, other) or native_pairs(one, other)


def cheaper(one: Route, other: Route) -> bool:
    """Say whether `one` costs less than `other` in some unit and more in none of those that can be compared."""
    costs = costs_between(one, other)
    known = [cost.order for cost in costs if cost.unit in COST_UNITS or cost.unit.startswith("money")]
    return -1 in known and all(cost.order <= 0 for cost in costs)


def dearer_somewhere(one: Route, other: Route) -> bool:
    """Say whether `one` costs more than `other` in some unit that can be compared."""
    return any(cost.order > 0 for cost in costs_between(one, other))


def unlike_costs(one: Route, other: Route) -> list[str]:
    """Return the units in which one route's cost is measured and the other's is not of the same kind."""
    return [
        unit
        for unit in COST_UNITS
        if one.cost[unit].measured and other.cost[unit].measured and one.cost[unit].kind != other.cost[unit].kind
    ]


def costs_tie(one: Route, other: Route) -> bool:
    """Say whether two routes have costs that can be compared, and all of them tie."""
    costs = costs_between(one, other)
    return bool(costs) and all(cost.order == 0 for cost in costs)


def costs_clash(one: Route, other: Route) -> bool:
    """Say whether one unit says that the first route costs less and another that it costs more."""
    orders = {cost.order for cost in costs_between(one, other)}
    return {-1, 1} <= orders


def cheapest(routes: Sequence[Route]) -> Route | None:
    """Return the route that costs less than every other, or None."""
    return next((one for one in routes if all(cheaper(one, other) for other in routes if other is not one)), None)


def is_known(routes: Sequence[Route], unit: str) -> bool:
    """Say whether any route has some of a cost."""
    return any(route.cost[unit].measured for route in routes)
