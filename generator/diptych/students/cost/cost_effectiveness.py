"""Quality against cost, route by route: who is dominated, what one more solved task costs, where the lines cross."""

from collections.abc import Sequence
from itertools import combinations

from diptych.decision import COST_UNITS, CostPlot, PairedChecks, PlotPoint, Route, Trade
from diptych.estimates import ALPHA
from diptych.stats.cost import break_even, icer, net_benefit, place_routes
from diptych.students.cost.prices import Prices, reckon
from diptych.students.decide.decision_input import cheaper, costs_between, lead, native_pairs


def trades_of(routes: Sequence[Route], paired: Sequence[PairedChecks], prices: Prices) -> tuple[Trade, ...]:
    """Return for each pair and each cost known in full for both what moving from the cheap to the dear one buys."""
    pairs = {(pair.first, pair.second): pair for pair in paired}
    return tuple(
        trade(unit, *amounts, one, other, pairs[one.name, other.name], prices)
        for one, other in combinations(routes, 2)
        for unit, amounts in whole_costs(one, other).items()
    )


def whole_costs(one: Route, other: Route) -> dict[str, tuple[float, float]]:
    """Return the costs that both routes have in full, by unit, and their money; nothing for both is no cost."""
    found = {
        cost.unit: (cost.one, cost.other)
        for cost in native_pairs(one, other)
        if cost.unit in COST_UNITS and cost.one_whole and cost.other_whole and (cost.one or cost.other)
    }
    if one.money is not None and other.money is not None:
        found["money"] = (one.money, other.money)
    return found


def trade(unit: str, a: float, b: float, one: Route, other: Route, pair: PairedChecks, prices: Prices) -> Trade:
    """Return one trade; one more solved task has a price only where the checks show a difference."""
    use = {route.name: cost_per_answer(route, unit, prices) for route in (one, other)}
    first = (a, use[one.name] or 0.0) <= (b, use[other.name] or 0.0)
    cheap, dear, low, high = (one, other, a, b) if first else (other, one, b, a)
    passed = {pair.first: pair.both + pair.only_first, pair.second: pair.both + pair.only_second}
    step = icer(low, high, passed[cheap.name], passed[dear.name])
    seen = lead(pair, dear.name)
    real = seen is not None and (seen.low > 0 or seen.high < 0) and pair.p_adjusted is not None
    even = break_even(low, use[cheap.name], high, use[dear.name])
    same = low == high and use[cheap.name] == use[dear.name]
    made = Trade(
        unit,
        cheap.name,
        dear.name,
        step.extra_cost,
        int(step.extra_passed),
        step.price if real and (pair.p_adjusted or 0.0) < ALPHA else None,
        None if same else even.uses,
        step.quadrant,
        "same" if same else even.case,
    )
    return with_benefit(made, pair, prices.worth) if unit == "money" and prices.worth is not None else made


def with_benefit(made: Trade, pair: PairedChecks, worth: float) -> Trade:
    """Return a trade in money with its net benefit and interval: worth times extra passed tasks, less extra money.

    The cost of a route is that of all its tasks together, so each task carries an equal part of it.
    """
    n = pair.tasks
    if n < 2:
        return made
    up, down = (pair.only_second, pair.only_first) if made.dear == pair.second else (pair.only_first, pair.only_second)
    more = [1.0] * up + [0.0] * (n - up)
    less = [0.0] * (n - down) + [1.0] * down
    each = (made.extra_cost or 0.0) / n
    test = net_benefit(worth, less, more, [0.0] * n, [each] * n)
    ends = (None if test.low is None else n * test.low, None if test.high is None else n * test.high)
    return made._replace(net_benefit=n * test.mean, net_low=ends[0], net_high=ends[1])


def cost_per_answer(route: Route, unit: str, prices: Prices) -> float | None:
    """Return what one answer of a route costs in a unit, or None where that was not measured."""
    if unit != "money":
        return route.answering.get(unit)
    basis = route.money_basis
    units = ("prompt_tokens", "completion_tokens") if basis == "tokens" else ("seconds",)
    amounts = {name: route.answering.get(name) for name in units}
    if basis not in ("tokens", "seconds") or any(value is None for value in amounts.values()):
        return None
    return reckon(basis, {name: value or 0.0 for name, value in amounts.items()}, prices)


def cost_plots(routes: Sequence[Route]) -> tuple[CostPlot, ...]:
    """Return a plot for each unit in which some route's cost is known; routes that are not placed say why."""
    plots = [one_plot(unit, routes) for unit in (*COST_UNITS, "money")]
    return tuple(plot for plot in plots if plot.points)


def one_plot(unit: str, routes: Sequence[Route]) -> CostPlot:
    """Return the cost-quality plot of one unit, its frontier over the routes that are placed."""
    known = {route.name: amount_of(route, unit) for route in routes}
    front = place_routes({route.name: (known[route.name], float(route.passed)) for route in routes}).front
    points = tuple(
        PlotPoint(
            route.name,
            amount,
            route.passed,
            route.total,
            unit == "money" or route.cost[unit].kind == "measured",
            route.name in front,
        )
        for route in routes
        if (amount := known[route.name]) is not None
    )
    return CostPlot(unit, points, tuple((r.name, why_not_plotted(r, unit)) for r in routes if known[r.name] is None))


def amount_of(route: Route, unit: str) -> float | None:
    """Return a route's cost in a unit where it is whole, else None."""
    if unit == "money":
        return route.money
    total = route.cost[unit]
    return total.total if total.whole else None


def why_not_plotted(route: Route, unit: str) -> str:
    """Return why a route has no place on the plot of a unit."""
    if unit == "money":
        return "no money figure"
    total = route.cost[unit]
    if total.kind == "mixed":
        return "measured and modelled values are not added"
    if not total.measured:
        return "not recorded"
    return f"recorded in {total.measured} of {total.records} records: at least {total.total:g}"


def dominated_by(route: Route, routes: Sequence[Route], paired: Sequence[PairedChecks]) -> str | None:
    """Return the route that is really better and costs no more in any unit known for both, or None."""
    for pair in paired:
        if route.name not in (pair.first, pair.second) or pair.p_adjusted is None or pair.p_adjusted >= ALPHA:
            continue
        rival = pair.second if route.name == pair.first else pair.first
        ahead = lead(pair, rival)
        other = next(r for r in routes if r.name == rival)
        if ahead is not None and ahead.low > 0 and no_dearer(other, route):
            return rival
    return None


def no_dearer(one: Route, other: Route) -> bool:
    """Say whether `one` costs no more than `other` in every unit known for both (and one is known)."""
    costs = costs_between(one, other)
    return cheaper(one, other) or (bool(costs) and all(cost.order <= 0 for cost in costs))
