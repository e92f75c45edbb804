"""The rule that turns checks, judge and costs into one decision, each step with what would have turned it.

Quality first (a real difference in checks), then cost where the cheap route is shown to be no worse, then the
judge where it holds its verdict when the order is swapped. "Neither" and "cannot tell" are answers.
"""

from collections.abc import Mapping, Sequence

from diptych.decision import COST_UNITS, DecisionVerdict, PairedChecks, Route, Trade
from diptych.numbers import UNITS, size
from diptych.students.decide.decision_input import (
    Standing,
    cheaper,
    cheapest,
    comparable,
    is_known,
    lead,
    no_worse,
    really_better,
    share,
)
from diptych.students.decide.words import chance, names, quantity
from diptych.students.decide.would_change import would_change


def decide_by_rule(standing: Standing) -> DecisionVerdict:
    """Return the verdict for two or more routes."""
    steps = [checks_step(pair, standing) for pair in standing.paired]
    steps += [preference.sentence for preference in standing.preferences]
    steps.append(cost_step(standing))
    early = too_poor(standing)
    if early:
        return early._replace(rule=(*steps, *early.rule))
    able = [route for route in standing.routes if standing.floor is None or share(route) >= standing.floor]
    left = [route for route in able if not any(really_better(standing, other, route) for other in able)]
    verdict = one_is_best(standing, left[0], able) if len(left) == 1 else none_is_best(standing, left or able)
    return verdict._replace(rule=(*steps, *verdict.rule))


def too_poor(standing: Standing) -> DecisionVerdict | None:
    """Return "cannot tell" where no tasks are shared, "neither" where all routes pass too little, else None."""
    if any(pair.tasks == 0 for pair in standing.paired):
        text = "Cannot tell: the routes share no task that both answered."
        return DecisionVerdict("cannot_tell", None, text, (), ("Evaluate every route on the same tasks file.",))
    if all(route.passed == 0 for route in standing.routes):
        text = f"Keep neither: no route passed any of the {standing.routes[0].total} tasks."
        return DecisionVerdict("neither", None, text, (), ("A route that passes at least one task.",))
    if standing.floor is not None and all(share(route) < standing.floor for route in standing.routes):
        best = max(standing.routes, key=share)
        least = -(-standing.floor * best.total // 1)
        text = (
            f"Keep neither: every route passes less than the {size(standing.floor)} % asked for"
            f" (best: {best.name}, {best.passed} of {best.total})."
        )
        change = f"{best.name} passing {least:.0f} of {best.total} tasks, or a lower --floor."
        return DecisionVerdict("neither", None, text, (), (change,))
    return None


def checks_step(pair: PairedChecks, standing: Standing) -> str:
    """Return what the checks of one pair show."""
    if not pair.tasks:
        return f"Checks: {pair.first} and {pair.second} share no task."
    one, other = pair.both + pair.only_first, pair.both + pair.only_second
    text = (
        f"Checks: {pair.first} passed {one} and {pair.second} {other} of {pair.tasks} shared tasks; {pair.only_first}"
        f" passed by {pair.first} alone, {pair.only_second} by {pair.second} alone ({chance(pair.p_value)})"
    )
    better = [
        name
        for name, rival in ((pair.first, pair.second), (pair.second, pair.first))
        if really_better(standing, standing.route(name), standing.route(rival))
    ]
    return f"{text}: {better[0]} is really better." if better else f"{text}: not distinguishable."


def cost_step(standing: Standing) -> str:
    """Return which costs can be compared, and how they stand."""
    first, *others = standing.routes
    units = set.intersection(*(set(comparable(first, other)) for other in others))
    if not units:
        return "Cost: no cost is recorded in full for every route, so costs decide nothing."
    parts = []
    for unit in (unit for unit in (*COST_UNITS, "money") if unit in units):
        amounts = [f"{route.name} {quantity(unit, cost_in(route, unit), route.currency)}" for route in standing.routes]
        parts.append(", ".join(amounts))
    gaps = [
        UNITS[unit]
        for unit in COST_UNITS
        if unit not in units and is_known(standing.routes, unit) and not in_full(standing.routes, unit)
    ]
    said = f" {names(gaps).capitalize()} cannot be compared: not in full for every route." if gaps else ""
    return f"Cost: {'; '.join(parts)}.{said}"


def in_full(routes: Sequence[Route], unit: str) -> bool:
    """Say whether every route has a cost in full, told by one kind of meter."""
    return all(route.cost[unit].whole for route in routes) and len({route.cost[unit].kind for route in routes}) == 1


def cost_in(route: Route, unit: str) -> float:
    """Return a route's cost in a unit that is known to be whole."""
    value = route.money if unit == "money" else route.cost[unit].total
    return value or 0.0


def one_is_best(standing: Standing, best: Route, able: Sequence[Route]) -> DecisionVerdict:
    """Return the verdict where one route is left: really better than all others, or alone above the floor."""
    others = [route for route in standing.routes if route is not best]
    if len(able) == 1 and not any(really_better(standing, best, other) for other in others):
        text = f"Keep {best.name}: it alone passes the {size(standing.floor or 0)} % asked for ({score(best)})."
        step = f"Floor: only {best.name} reaches it; the lead over the others may be luck."
        return DecisionVerdict("route", best.name, text, (step,), would_change(standing, best), ("floor",))
    cheap = [route for route in able if route is not best and cheaper(route, best)]
    equal = [route for route in cheap if no_worse(standing, route, best)]
    if equal:
        pick = cheapest(equal) or equal[0]
        least = size(standing.margin)
        text = f"Keep {pick.name}: {best.name} is really better, but by less than {least} points, and costs more."
        step = f"Margin: {pick.name} is at most {size(standing.margin)} pp worse and costs less."
        return DecisionVerdict("route", pick.name, text, (step,), would_change(standing, pick), ("negligible",))
    if not cheap:
        free = all(cheaper(best, other) for other in others)
        why = " and costs less" if free else ""
        text = f"Keep {best.name}: it passes more tasks for real ({score(best)}){why}."
        step = f"Cost: no other route is known to cost less than {best.name}."
        return DecisionVerdict(
            "route",
            best.name,
            text,
            (step,),
            would_change(standing, best),
            ("dominates",) if free else ("cost_unknown",),
        )
    return better_and_dearer(standing, best, cheap)


def better_and_dearer(standing: Standing, best: Route, cheap: Sequence[Route]) -> DecisionVerdict:
    """Return the verdict where the better route costs more: by what one more solved task is worth, if that is given."""
    rival = max(cheap, key=lambda route: (route.passed, -cost_order(route, best)))
    trades = [trade for trade in standing.trades if {trade.cheap, trade.dear} == {rival.name, best.name}]
    prices = [
        f"{quantity(trade.unit, trade.per_passed, best.currency)}"
        for trade in trades
        if trade.per_passed is not None and trade.dear == best.name
    ]
    each = " or ".join(prices) or "an amount that is not known"
    money = next((trade.per_passed for trade in trades if trade.unit == "money"), None)
    if standing.worth is not None and money is not None and money > standing.worth:
        limit = quantity("money", standing.worth, best.currency)
        text = (
            f"Keep {rival.name}: one more solved task with {best.name} costs {each}, more than the {limit} it is worth."
        )
        step = f"Trade: {best.name} is really better, and too dear."
        worth = (f"{best.name}, if one more solved task is worth at least {each}.",)
        return DecisionVerdict("route", rival.name, text, (step,), worth, ("worth",))
    text = f"Keep {best.name}: it passes more tasks for real ({score(best)}); each more than {rival.name} costs {each}."
    step = f"Trade: {best.name} costs more than {rival.name}; one more solved task costs {each}."
    less = f"{rival.name}, if one more solved task is worth less than {each}."
    change = (less, *price_turns(standing, best, rival, trades), *would_change(standing, best))
    return DecisionVerdict("route", best.name, text, (step,), change, ("trade_off",))


def price_turns(standing: Standing, best: Route, rival: Route, trades: Sequence[Trade]) -> list[str]:
    """Return the price of a kWh or an hour from which the cheaper route wins, where a solved task's worth is given."""
    if standing.worth is None or best.money_basis != rival.money_basis or best.money_basis not in TURNS:
        return []
    unit, size, word = TURNS[best.money_basis]
    amount = next((trade.per_passed for trade in trades if trade.unit == unit), None)
    if not amount:
        return []
    price = quantity("money", standing.worth / (amount / size), best.currency)
    return [f"{rival.name}, if {word} costs more than {price}."]


TURNS = {"energy": ("watt_hours", 1000.0, "a kWh"), "seconds": ("seconds", 3600.0, "an hour")}


def cost_order(route: Route, against: Route) -> float:
    """Return a number that orders routes by the first cost they share with another."""
    return next((a for a, _ in comparable(route, against).values()), 0.0)


def score(route: Route) -> str:
    """Return how many tasks a route passed."""
    return f"{route.passed} of {route.total}"


def none_is_best(standing: Standing, left: Sequence[Route]) -> DecisionVerdict:
    """Return the verdict where checks do not separate the routes that are left."""
    cheap = cheapest(left)
    liked = preferred(standing, left)
    change = would_change(standing, None)
    who = names(left)
    if cheap and all(no_worse(standing, cheap, other) for other in left if other is not cheap):
        text = (
            f"Keep {cheap.name}: checks do not tell {who} apart, it is at most {size(standing.margin)} pp worse,"
            " and it costs less."
        )
        flags = ("judge_disagrees",) if liked and liked != cheap.name else ()
        step = f"Margin: {cheap.name} is shown to be at most {size(standing.margin)} pp worse."
        change = would_change(standing, cheap)
        return DecisionVerdict("equal_choose_on_cost", cheap.name, text, (step,), change, flags)
    if liked and (cheap is None or liked == cheap.name):
        also = " and it costs less" if cheap else ""
        text = f"Keep {liked}: checks do not tell {who} apart; the judge prefers it in both orders{also}."
        return DecisionVerdict(
            "route", liked, text, ("Judge: it decides, since checks do not.",), change, ("by_judge",)
        )
    if cheap is None and all_same(standing, left):
        text = (
            f"Choose on cost: {who} are the same within {size(standing.margin)} pp,"
            " and no cost that all record in full sets one apart. Keep the one that is easier to make again."
        )
        return DecisionVerdict("equal_choose_on_cost", None, text, (), change)
    return cannot_tell(standing, left, cheap, liked, change)


def cannot_tell(
    standing: Standing, left: Sequence[Route], cheap: Route | None, liked: str | None, change: tuple[str, ...]
) -> DecisionVerdict:
    """Return "cannot tell", with what is known beside it."""
    who = names(left)
    if cheap is None:
        text = f"Cannot tell: checks do not tell {who} apart, and neither cost nor judge sets one ahead."
        return DecisionVerdict("cannot_tell", None, text, ("Cost and judge: neither decides.",), change)
    worst = min(
        lead(standing.pair(cheap.name, other.name), cheap.name, "low_90", "high_90")[0] or 0.0
        for other in left
        if other is not cheap
    )
    flags = ("judge_disagrees",) if liked else ()
    against = f" The judge prefers {liked}." if liked else ""
    text = (
        f"Cannot tell: checks do not tell {who} apart. {cheap.name} costs less, but it could be up to"
        f" {size(-worst)} pp worse; keep it only if that is acceptable.{against}"
    )
    step = f"Margin: {cheap.name} is not shown to be no worse by {size(standing.margin)} pp."
    first = f"{cheap.name}, if being up to {size(-worst)} pp worse is acceptable (--margin)."
    return DecisionVerdict("cannot_tell", None, text, (step,), (first, *change), flags)


def preferred(standing: Standing, left: Sequence[Route]) -> str | None:
    """Return the route that the judges prefer to every other one that is left, or None."""
    said: Mapping[frozenset[str], str | None] = {
        frozenset((preference.first, preference.second)): preference.route for preference in standing.preferences
    }
    for route in left:
        if all(said.get(frozenset((route.name, other.name))) == route.name for other in left if other is not route):
            return route.name
    return None


def all_same(standing: Standing, left: Sequence[Route]) -> bool:
    """Say whether every two routes are the same within the margin."""
    return all(no_worse(standing, one, other) for one in left for other in left if one is not other)
