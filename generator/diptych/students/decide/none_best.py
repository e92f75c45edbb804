"""The verdict where checks do not separate the students: on cost, by the judge, a tie, or "inconclusive"."""

from collections.abc import Sequence

from diptych.decision import Route
from diptych.numbers import counted, size
from diptych.students.decide.decision_input import (
    DecisionInput,
    cheapest,
    costs_between,
    costs_clash,
    costs_tie,
    lead,
    leads,
    no_worse,
    really_better,
    who_prefers,
)
from diptych.students.decide.decision_steps import cost_reason, lead_words, not_worse_words
from diptych.students.decide.phrases import route_names
from diptych.students.decide.verdict_parts import Pick, decision_verdict


def none_is_best(given: DecisionInput, left: Sequence[Route]) -> Pick:
    """Return the verdict where checks do not separate the routes that are left."""
    cheap = cheapest(left)
    liked = preferred_to_all(given, left)
    others = [route for route in left if route is not cheap]
    if cheap and all(no_worse(given, cheap, other) for other in others):
        worst = min(others, key=lambda other: given_lead(given, cheap, other))
        text = f"Keep {cheap.name} on cost: {not_worse_words(given, cheap, worst)}, and it {cost_reason(cheap, worst)}."
        step = f"Margin: {cheap.name} is shown to be no worse by {size(given.margin)} pp or more than any other."
        return decision_verdict("equal_choose_on_cost", cheap.name, text, step)
    who = route_names(left)
    if liked and (cheap is None or liked == cheap.name):
        also = f", and it {cost_reason(cheap, others[0])}" if cheap else ""
        why = f"{liking(given, left, liked)}{also}"
        text = f"Keep {liked}: checks do not separate {who}{seen_between(given, left)}; {why}."
        return decision_verdict("route", liked, text, "Judge: it decides, since checks do not.", "by_judge")
    same = all(no_worse(given, one, other) for one in left for other in left if one is not other)
    if cheap is None and same:
        return all_the_same(given, left)
    return cannot_tell(given, left, cheap)


def given_lead(given: DecisionInput, one: Route, other: Route) -> float:
    """Return the difference of two routes as seen, 0 where there is none."""
    seen = lead(given.pair(one.name, other.name), one.name)
    return seen.difference if seen else 0.0


def all_the_same(given: DecisionInput, left: Sequence[Route]) -> Pick:
    """Return the verdict where routes are the same within the margin, and no cost sets one apart."""
    who, least = route_names(left), size(given.margin)
    first, *rest = left
    if all(costs_tie(first, other) for other in rest):
        units = route_names([cost.unit.replace("_", " ") for cost in costs_between(first, rest[0])])
        alike = f"equivalent within ±{least} pp and cost the same within 5 % ({units})"
        text = f"A tie: {who} are {alike}. Keep the simpler one."
        return decision_verdict("equal_choose_on_cost", None, text, "Cost: a tie within 5 %.", "tie")
    clash = next(((a, b) for a in left for b in left if a is not b and costs_clash(a, b)), None)
    text = f"Choose on cost: {who} are equivalent within ±{least} pp, "
    if clash:
        text += (
            f"and costs point both ways: {clash[0].name} {cost_reason(*clash)}. Name the one that you pay (--basis)."
        )
        return decision_verdict("equal_choose_on_cost", None, text, "Cost: the units disagree.", "costs_disagree")
    text += "and no cost that all record in full sets one apart. Keep the one that is easier to make again."
    return decision_verdict("equal_choose_on_cost", None, text, "Cost: none is known in full for all.", "cost_unknown")


def cannot_tell(given: DecisionInput, left: Sequence[Route], cheap: Route | None) -> Pick:
    """Return "inconclusive", with what is known beside it."""
    who = route_names(left)
    checks = f"the checks do not show which of {who} is better{seen_between(given, left)}"
    turned = [pair for pair in given.paired if unsure(pair.first, pair.second, given)]
    open_ = f" What is unanswered could turn it: {counted(sum(r.unanswered for r in left), 'task')}." if turned else ""
    if cheap is None:
        clash = next(((a, b) for a in left for b in left if a is not b and costs_clash(a, b)), None)
        compared = any(costs_between(a, b) for a in left for b in left if a is not b)
        none = "no cost of making sets one ahead" if compared else cost_lacking(left)
        cost = f"costs point both ways ({clash[0].name} {cost_reason(*clash)})" if clash else none
        judge = judges_words(given, left)
        text = f"Inconclusive: {checks}; {cost}, and {judge}.{open_}"
        return decision_verdict("cannot_tell", None, text, "Cost and judge: neither decides.")
    others = [route for route in left if route is not cheap]
    worst = min(others, key=lambda other: lowest(given, cheap, other))
    low = lowest(given, cheap, worst)
    text = (
        f"Inconclusive: {checks}. {cheap.name} {cost_reason(cheap, worst)}, but could be up to {size(-low)} pp worse"
        f" (one-sided 95 % limit); keep it only if that is acceptable.{open_}"
    )
    step = f"Margin: {cheap.name} is not shown to be no worse by {size(given.margin)} pp."
    change = f"{cheap.name}, if being up to {size(-low)} pp worse is acceptable (--margin)."
    return decision_verdict("cannot_tell", None, text, step, change=change)


def cost_lacking(left: Sequence[Route]) -> str:
    """Return whose cost of making is lacking, so that costs cannot be compared."""
    lacking = [route for route in left if route.money is None and not any(cost.total for cost in route.cost.values())]
    if 0 < len(lacking) < len(left):
        return f"the cost of making {route_names(lacking)} is not measured, so costs cannot be compared"
    return f"no cost of making is measured for {'both' if len(left) == 2 else 'all'}, so costs cannot be compared"


def judges_words(given: DecisionInput, left: Sequence[Route]) -> str:
    """Return why no judge decides between the routes that are left."""
    if not given.preferences:
        return "no judge may say which is better"
    here = {route.name for route in left}
    liked = {j.route for one in given.preferences if {one.first, one.second} <= here for j in one.speaking if j.route}
    if len(liked) > 1:
        return "the judges do not agree"
    if not any(one.speaking for one in given.preferences if {one.first, one.second} <= here):
        return "no judge's preference can be used"
    neither = "neither" if len(left) == 2 else "none of them"
    return f"the judges together prefer {neither}" if liked else f"the judge prefers {neither}"


def seen_between(given: DecisionInput, left: Sequence[Route]) -> str:
    """Return the paired difference of two students in parentheses; of several that of the two widest apart."""
    here = {route.name for route in left}
    pairs = [pair for pair in given.paired if {pair.first, pair.second} <= here and pair.tasks]
    if not pairs:
        return ""
    pair = max(pairs, key=lambda pair: abs(pair.only_second - pair.only_first) / pair.tasks)
    widest = "widest apart, " if len(pairs) > 1 else ""
    return f" ({widest}{pair.second} − {pair.first}: {lead_words(pair, pair.second)})"


def lowest(given: DecisionInput, cheap: Route, other: Route) -> float:
    """Return the lowest one-sided 95 % limit of a route's lead over another, over both bounds."""
    return min((at.low_90 for at in leads(given.pair(cheap.name, other.name), cheap.name)), default=0.0)


def unsure(first: str, second: str, given: DecisionInput) -> bool:
    """Say whether two routes are apart on what both answered, and no more once the unanswered are counted."""
    pair = given.pair(first, second)
    seen = lead(pair, first)
    apart = seen is not None and (seen.low > 0 or seen.high < 0)
    one, other = given.route(first), given.route(second)
    return bool(pair.bounds) and apart and not (really_better(given, one, other) or really_better(given, other, one))


def preferred_to_all(given: DecisionInput, left: Sequence[Route]) -> str | None:
    """Return the route that the judges prefer to every other one that is left, or None."""
    said = {frozenset((one.first, one.second)): one.route for one in given.preferences}
    for route in left:
        if all(said.get(frozenset((route.name, other.name))) == route.name for other in left if other is not route):
            return route.name
    return None


def liking(given: DecisionInput, left: Sequence[Route], liked: str) -> str:
    """Return who prefers a route: judges in both orders, or people whose labels correct a judge."""
    here = {route.name for route in left}
    said = [judge for one in given.preferences if {one.first, one.second} <= here for judge in one.speaking]
    people = next((judge for judge in said if judge.by_labels and judge.route == liked), None)
    if people:
        return f"{who_prefers(people)} it ({people.told})"
    return f"it is preferred in both orders by {spokesmen(given, left)}"


def spokesmen(given: DecisionInput, left: Sequence[Route]) -> str:
    """Return which judges speak: by name, and of how many."""
    here = {route.name for route in left}
    said = [one for one in given.preferences if {one.first, one.second} <= here]
    who = list(dict.fromkeys(judge.judge for one in said for judge in one.speaking))
    asked = max((one.judges for one in said), default=1)
    of = (
        f" (of {asked} judges the only one that may speak)"
        if asked > len(who) == 1
        else (f" ({len(who)} of {asked} judges may speak)" if asked > len(who) else "")
    )
    return f"the judge{'s' if len(who) > 1 else ''} {route_names(who)}{of}" if who else "the judges"
