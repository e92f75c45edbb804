"""Say what the checks and the costs show, one step of the rule at a time."""

from collections.abc import Sequence
from itertools import combinations

from diptych.decision import COST_UNITS, PairedChecks, Route
from diptych.numbers import UNITS, amount_beside, bare, counted, interval, size
from diptych.students.decide.decision_input import (
    CostPair,
    DecisionInput,
    costs_between,
    costs_clash,
    lead,
    leads,
    native_pairs,
    really_better,
)
from diptych.students.decide.phrases import chance, in_unit, route_names


def lead_words(pair: PairedChecks, name: str) -> str:
    """Return by how much a route leads the other one, with the interval: "+2.1 pp, 95 % CI +0.3 to +4.0"."""
    seen = lead(pair, name)
    if not seen:
        return ""
    gap = amount_beside(seen.difference, seen.low, seen.high, True)
    return f"{gap}, {interval(seen.low, seen.high, True, pair.confidence)}"


def not_worse_words(given: DecisionInput, cheap: Route, other: Route) -> str:
    """Return that a route is shown to be no worse, with the lead and the limit that it rests on."""
    found = leads(given.pair(cheap.name, other.name), cheap.name)
    if not found:
        return f"{cheap.name} and {other.name} share no task"
    seen = found[0]
    low = min(at.low_90 for at in found)
    open_ = ", the unanswered counted either way" if len(found) > 1 else ""
    gap = amount_beside(seen.difference, seen.low, seen.high, True)
    return (
        f"{cheap.name} is not worse than {other.name} by {size(given.margin)} pp or more ({cheap.name} −"
        f" {other.name}: {gap}, one-sided 95 % limit {bare(low, True)}{open_})"
    )


def checks_step(pair: PairedChecks, given: DecisionInput) -> str:
    """Return what the checks of one pair show."""
    if not pair.tasks:
        return f"Checks: {pair.first} and {pair.second} share no task."
    one, other = pair.both + pair.only_first, pair.both + pair.only_second
    adjusted = f", {chance(pair.p_adjusted)} after Holm over {len(given.paired)} pairs" if len(given.paired) > 1 else ""
    text = (
        f"Checks: {pair.first} passed {one} and {pair.second} {other} of the {counted(pair.tasks, 'task')} that both"
        f" answered; {pair.only_first} by {pair.first} alone, {pair.only_second} by {pair.second} alone"
        f" ({chance(pair.p_value)}{adjusted})"
    )
    if pair.bounds:
        open_ = f"{pair.first} {pair.unanswered_first}, {pair.second} {pair.unanswered_second}"
        ends = [at.difference for at in leads(pair, pair.second)[1:]]
        span = f"{bare(min(ends), True)} to {bare(max(ends), True)} pp"
        text += f"; unanswered: {open_}, which leaves {pair.second} − {pair.first} anywhere from {span}"
    better = [
        name
        for name, rival in ((pair.first, pair.second), (pair.second, pair.first))
        if really_better(given, given.route(name), given.route(rival))
    ]
    return f"{text}: {better[0]} is better, significantly." if better else f"{text}: inconclusive."


def cost_reason(one: Route, other: Route) -> str:
    """Return in which units a route costs less than another, which tie and which say the opposite."""
    costs = costs_between(one, other)
    parts: list[str] = []
    for order, word in ((-1, "costs less"), (1, "costs more"), (0, "costs the same within 5 %")):
        said = [amounts(cost, one.currency) for cost in costs if cost.order == order]
        if said and (order or not parts):
            parts.append(f"{word}: {'; '.join(said)}")
    return ", but ".join(parts) if parts else "has no cost that can be compared"


def amounts(cost: CostPair, currency: str | None) -> str:
    """Return the two amounts of one unit; a lower bound says so."""
    one = ("at least " if not cost.one_whole else "") + in_unit(cost.unit, cost.one, currency)
    other = ("at least " if not cost.other_whole else "") + in_unit(cost.unit, cost.other, currency)
    basis = f" ({cost.unit.removeprefix('money ')})" if cost.unit.startswith("money by ") else ""
    return f"{one} against {other}{basis}"


def cost_step(given: DecisionInput) -> str:
    """Return which costs can be compared, and how they stand."""
    first, *others = given.routes
    compared = [{cost.unit for cost in native_pairs(first, other)} for other in others]
    native = [unit for unit in COST_UNITS if all(unit in units for units in compared) and spent(given.routes, unit)]
    paid = all(route.money is not None for route in given.routes)
    units = ["money"] if paid else native
    gaps = [UNITS[unit] for unit in COST_UNITS if not paid and unit not in native and spent(given.routes, unit)]
    said = f" {route_names(gaps).capitalize()} cannot be compared: not in full for every student." if gaps else ""
    beside = f"{said}{other_bases(given)}{answering_words(given.routes)}"
    if not units:
        return f"Cost: no cost is recorded in full for every student, so costs decide nothing.{beside}"
    parts = [", ".join(f"{route.name} {cost_words(route, unit)}" for route in given.routes) for unit in units]
    basis = {route.money_basis for route in given.routes}
    by = f" (money by {route_names(sorted(filter(None, basis)))})" if paid else ""
    clash = any(costs_clash(one, other) for one, other in combinations(given.routes, 2))
    nothing = (
        " They disagree on which is cheaper, so cost decides nothing; --basis names what you pay by." if clash else ""
    )
    return f"Cost: {'; '.join(parts)}{by}.{nothing}{beside}"


def spent(routes: Sequence[Route], unit: str) -> bool:
    """Say whether any route spent something of a unit."""
    return any(route.cost[unit].total for route in routes)


def cost_words(route: Route, unit: str) -> str:
    """Return a route's cost in a unit; a lower bound says so."""
    if unit == "money":
        return in_unit("money", route.money or 0.0, route.currency)
    total = route.cost[unit]
    return ("" if total.whole else "at least ") + in_unit(unit, total.total or 0.0)


def other_bases(given: DecisionInput) -> str:
    """Return the money on every basis where several have prices."""
    bases = [money.basis for money in given.routes[0].money_by_basis]
    if len(bases) < 2:
        return ""
    said = []
    for place, basis in enumerate(bases):
        each = [f"{route.name} {on_basis(route, place)}" for route in given.routes]
        said.append(f"by {basis} {', '.join(each)}")
    return f" Basis by basis, never added: {'; '.join(said)}."


def on_basis(route: Route, place: int) -> str:
    """Return a route's money on one of the bases that have prices."""
    amount = route.money_by_basis[place].amount
    return "not known" if amount is None else in_unit("money", amount, route.currency)


def answering_words(routes: Sequence[Route]) -> str:
    """Return what one answer took on average, where every route's answers were measured."""
    said = []
    for unit in ("completion_tokens", "seconds"):
        means = [route.answering.get(unit) for route in routes]
        if all(mean is not None for mean in means):
            each = [f"{r.name} {in_unit(unit, mean or 0.0)}" for r, mean in zip(routes, means, strict=True)]
            said.append(", ".join(each))
    return f" One answer takes {'; '.join(said)}." if said else ""
