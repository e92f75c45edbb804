"""The verdict where one student passes more tasks than all others for real: keep it, or say what it costs to."""

from collections.abc import Sequence

from diptych.decision import Route, Trade
from diptych.numbers import size
from diptych.students.decide.decision_input import (
    DecisionInput,
    cheaper,
    cheapest,
    costs_between,
    costs_clash,
    costs_tie,
    dearer_somewhere,
    no_worse,
    passed_share,
    really_better,
)
from diptych.students.decide.decision_steps import cost_reason, lead_words, not_worse_words
from diptych.students.decide.phrases import in_unit
from diptych.students.decide.verdict_parts import Pick, decision_verdict, passed_of


def one_is_best(given: DecisionInput, best: Route, able: Sequence[Route]) -> Pick:
    """Return the verdict where one route is left: really better than all others, or alone above the floor."""
    others = [route for route in given.routes if route is not best]
    beaten = [route for route in others if really_better(given, best, route)]
    if len(able) == 1 and len(beaten) < len(others):
        text = (
            f"Keep {best.name}: it alone is shown to pass the {size(given.floor or 0)} % asked for ({passed_of(best)},"
            f" {size(passed_share(best))} %)."
        )
        step = f"Floor: only {best.name} surely reaches it; its lead over the others is not significant."
        return decision_verdict("route", best.name, text, step, "floor")
    if len(able) == 1:
        return alone_above(given, best, others)
    rivals = [route for route in able if route is not best]
    equal = [route for route in rivals if cheaper(route, best) and no_worse(given, route, best)]
    if equal:
        pick = cheapest(equal) or equal[0]
        seen = lead_words(given.pair(best.name, pick.name), best.name)
        text = (
            f"Keep {pick.name}: {best.name} passes significantly more tasks ({seen}), but less than the"
            f" {size(given.margin)} pp that matter, and {pick.name} {cost_reason(pick, best)}."
        )
        step = f"Margin: {not_worse_words(given, pick, best)}."
        return decision_verdict("route", pick.name, text, step, "negligible")
    dear = [route for route in rivals if dearer_somewhere(best, route)]
    if dear:
        return better_and_dearer(given, best, dear)
    closest = max(others, key=passed_share)
    text = f"Keep {best.name}: it passes significantly more tasks than {than(closest, others)}"
    ahead = lead_words(given.pair(best.name, closest.name), best.name)
    text += f" ({ahead}; {passed_of(best)} against {passed_of(closest)})"
    if all(cheaper(best, other) for other in others):
        return decision_verdict(
            "route",
            best.name,
            f"{text} and {cost_reason(best, closest)}.",
            "Cost: it is the cheaper one too.",
            "dominates",
        )
    if all(cheaper(best, other) or costs_tie(best, other) for other in others):
        return decision_verdict("route", best.name, f"{text}; the costs tie.", "Cost: a tie within 5 %.", "tie")
    step = f"Cost: no other student is known to cost less than {best.name}."
    return decision_verdict("route", best.name, f"{text}. Costs cannot be compared in full.", step, "cost_unknown")


def alone_above(given: DecisionInput, best: Route, others: Sequence[Route]) -> Pick:
    """Return the verdict where the better route alone reaches the floor: what it costs more decides nothing then."""
    closest = max(others, key=passed_share)
    text = (
        f"Keep {best.name}: it passes significantly more tasks than {than(closest, others)}"
        f" ({lead_words(given.pair(best.name, closest.name), best.name)}), and it alone is shown to pass the"
        f" {size(given.floor or 0)} % asked for ({passed_of(best)}, {size(passed_share(best))} %); it"
        f" {cost_reason(best, closest)}."
    )
    return decision_verdict("route", best.name, text, f"Floor: only {best.name} surely reaches it.", "floor")


def than(closest: Route, others: Sequence[Route]) -> str:
    """Return against whom a lead is told: the only other route, or the closest of several."""
    return closest.name if len(others) == 1 else f"all others, of which {closest.name} is the closest"


def better_and_dearer(given: DecisionInput, best: Route, dear: Sequence[Route]) -> Pick:
    """Return the verdict where the better route costs more: by what one more solved task is worth, if that is known."""
    able = [best, *dear]
    if given.worth is not None and all(route.money is not None for route in able):
        return by_worth(given, best, able, given.worth)
    rival = max(dear, key=lambda route: (route.passed, route.name))
    prices = prices_of_one_more(given, best, rival)
    each = " or ".join(prices)
    costs = f"one more solved task costs {each}" if each else "what one more solved task costs is not known in full"
    seen = lead_words(given.pair(best.name, rival.name), best.name)
    clash = ("costs_disagree",) if costs_clash(best, rival) else ()
    text = (
        f"Trade-off, no pick: {best.name} passes significantly more tasks than {rival.name} ({seen}), and it"
        f" {cost_reason(best, rival)}. {costs[0].upper()}{costs[1:]}; whether it is worth that is yours to say."
    )
    step = f"Trade-off: {best.name} is better and dearer than {rival.name}; {costs}."
    verdict = decision_verdict("cannot_tell", None, text, step, "trade_off", *clash)
    return verdict._replace(
        would_change=(
            f"What one more solved task is worth (--worth with prices): {best.name} where it is worth more than"
            f" {each or 'it costs'}, {rival.name} where it is worth less.",
        )
    )


def prices_of_one_more(given: DecisionInput, best: Route, rival: Route) -> list[str]:
    """Return what one more solved task costs in each unit in which the better route is dearer beyond a tie."""
    dearer = {cost.unit.partition(" by ")[0] for cost in costs_between(best, rival) if cost.order > 0}
    return [
        in_unit(trade.unit, trade.per_passed, best.currency)
        for trade in trades_between(given, best, rival)
        if trade.per_passed is not None and trade.dear == best.name and trade.unit in dearer
    ]


def trades_between(given: DecisionInput, one: Route, other: Route) -> list[Trade]:
    """Return the trades of two routes; money stands for its own basis."""
    found = [trade for trade in given.trades if {trade.cheap, trade.dear} == {one.name, other.name}]
    return [trade for trade in found if trade.unit == "money"] or found


def by_worth(given: DecisionInput, best: Route, able: Sequence[Route], worth: float) -> Pick:
    """Return the route with the largest net benefit: passed tasks at their worth, less money."""

    def benefit(route: Route) -> float:
        return worth * passed_share(route) * best.total - (route.money or 0.0)

    pick = max(able, key=lambda route: (benefit(route), route.name))
    rival = max((route for route in able if route is not pick), key=lambda route: (benefit(route), route.name))
    if pick is not best:
        rival = best
    trade = next((t for t in given.trades if t.unit == "money" and {t.cheap, t.dear} == {pick.name, rival.name}), None)
    price = trade.per_passed if trade else None
    each = in_unit("money", price, best.currency) if price is not None else "an amount that is not known"
    limit = in_unit("money", worth, best.currency)
    better, other = (pick, rival) if pick is best else (rival, pick)
    seen = lead_words(given.pair(better.name, other.name), better.name)
    word = "less" if pick is best else "more"
    start = f"it passes significantly more tasks than {other.name}" if pick is best else f"{better.name} passes more"
    text = f"Keep {pick.name}: {start} ({seen}), and each one more costs {each}, {word} than the {limit} it is worth."
    if trade and trade.net_low is not None and trade.net_high is not None and trade.net_benefit is not None:
        sign = 1 if trade.dear == pick.name else -1
        low, high = sorted((sign * trade.net_low, sign * trade.net_high))
        money = f"{in_unit('money', sign * trade.net_benefit, best.currency)} (95 % CI {money_range(low, high, best)})"
        text += f" Its net benefit is {money.replace('-', '−')}."
        if low < 0:
            text += " That CI holds 0."
    step = f"Worth: one more solved task with {better.name} costs {each} and is worth {limit}."
    turn = f"{other.name if pick is best else better.name}, if one more solved task is worth"
    change = f"{turn} {'less' if pick is best else 'at least'} {'than ' if pick is best else ''}{each}."
    verdict = decision_verdict("route", pick.name, text, step, "worth", change=change)
    return verdict._replace(would_change=(*verdict.would_change, *price_turns(given, better, other)))


def money_range(low: float, high: float, route: Route) -> str:
    """Return two amounts of money as a range."""
    return f"{in_unit('money', low, route.currency).split(' ')[0]} to {in_unit('money', high, route.currency)}"


def price_turns(given: DecisionInput, better: Route, other: Route) -> list[str]:
    """Return the price of a kWh or an hour from which the cheaper route wins, where a solved task's worth is given."""
    if given.worth is None or better.money_basis != other.money_basis or better.money_basis not in TURNS:
        return []
    unit, size, word = TURNS[better.money_basis]
    found = [trade for trade in given.trades if {trade.cheap, trade.dear} == {better.name, other.name}]
    amount = next((trade.per_passed for trade in found if trade.unit == unit), None)
    if not amount:
        return []
    price = in_unit("money", given.worth / (amount / size), better.currency)
    return [f"{other.name}, if {word} costs more than {price}; {better.name}, if it costs less."]


TURNS = {"energy": ("watt_hours", 1000.0, "a kWh"), "seconds": ("seconds", 3600.0, "an hour")}
