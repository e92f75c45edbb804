"""What would have turned a decision: found by adding tasks and asking the rule again, not by a formula beside it."""

from collections.abc import Callable
from math import ceil

from diptych.decision import COST_UNITS, DecisionVerdict, PairedChecks, Route
from diptych.numbers import UNITS, counted, size
from diptych.students.decide.decision_input import DecisionInput, Preference, is_known, really_better
from diptych.students.decide.paired_tasks import tested, with_more_passed
from diptych.students.decide.phrases import route_names

Rule = Callable[[DecisionInput], DecisionVerdict]

MOST_TASKS = 20
"""Tasks are added, and more are advised, up to so many times the tasks at hand."""


def would_change(given: DecisionInput, verdict: DecisionVerdict, rule: Rule) -> tuple[str, ...]:
    """Return what would have turned the verdict, as far as numbers say so."""
    if not all(pair.tasks for pair in given.paired) or given.same_file:
        return ()
    texts: list[str] = []
    if "unanswered" not in verdict.flags:
        texts += [text for route in given.routes if (text := task_change(given, verdict, route, rule))]
    ahead = {route.name for route in sorted(given.routes, key=lambda route: -route.passed)[:2]}
    texts += [
        text for pair in given.paired if {pair.first, pair.second} == ahead and (text := size_change(given, pair))
    ]
    texts += [text for one in given.preferences if (text := judge_change(one, verdict))]
    texts += [text for route in given.routes for text in cost_gaps(route)]
    if not any(is_known(given.routes, unit) for unit in COST_UNITS):
        texts.append("What each student cost (--labbook, --stages): none is known.")
    return tuple(dict.fromkeys(texts))


def with_tasks(given: DecisionInput, winner: str, more: int) -> DecisionInput:
    """Return what the rule would look at with `more` tasks added that only `winner` passes."""
    routes = tuple(
        route._replace(total=route.total + more, passed=route.passed + (more if route.name == winner else 0))
        for route in given.routes
    )
    pairs = tested([with_more_passed(pair, winner, more) for pair in given.paired], given.margin, brief=True)
    return given._replace(routes=routes, paired=pairs)


def task_change(given: DecisionInput, verdict: DecisionVerdict, route: Route, rule: Rule) -> str | None:
    """Return how many more tasks that a route alone passes would turn the verdict, and into what."""
    if verdict.route == route.name:
        return None

    def turned(more: int) -> DecisionVerdict | None:
        made = rule(with_tasks(given, route.name, more))
        if verdict.route is None:
            news = made.route == route.name or ("trade_off" in made.flags and "trade_off" not in verdict.flags)
        else:
            news = made.route != verdict.route
        return made if news else None

    more = fewest(lambda count: turned(count) is not None, MOST_TASKS * max(pair.tasks for pair in given.paired))
    made = turned(more) if more else None
    if made is None:
        return None
    tasks = counted(more or 0, "more task")
    if made.route is not None:
        return f"{tasks} that only {route.name} passes: then it would be “keep {made.route}”."
    if "trade_off" in made.flags:
        return f"{tasks} that only {route.name} passes would make it significantly better, and dearer: a trade-off."
    more_of = f"{tasks} that only {route.name} passes"
    if verdict.kind == "equal_choose_on_cost":
        return f"{more_of}: then {verdict.route} is not shown to be no worse, and it would be “inconclusive”."
    return f"{more_of} would undo the lead of {verdict.route}: then it would be “inconclusive”."


def fewest(holds: Callable[[int], bool], most: int) -> int | None:
    """Return the smallest count from 1 on that holds, None where none up to `most` does; checked on both sides."""
    high = 1
    while not holds(high):
        if high >= most:
            return None
        high = min(2 * high, most)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    while high > 1 and holds(high - 1):
        high -= 1  # a p-value of counts is not smooth: the step before may hold as well
    return high


def size_change(given: DecisionInput, pair: PairedChecks) -> str | None:
    """Return how many tasks would show a difference of the margin, where checks do not separate two routes."""
    one, other = given.route(pair.first), given.route(pair.second)
    apart = really_better(given, one, other) or really_better(given, other, one)
    if apart or pair.needed is None or pair.needed <= pair.tasks:
        return None
    more = pair.needed - pair.tasks
    if more > MOST_TASKS * pair.tasks:
        return None  # nobody writes so many: the minimum detectable effect says what these tasks can show
    rounded = int(float(f"{ceil(more):.2g}"))
    return (
        f"About {rounded:,} more tasks would show a difference of {size(given.margin)} pp between {pair.first} and"
        f" {pair.second}, if there is one."
    )


def judge_change(preference: Preference, verdict: DecisionVerdict) -> str | None:
    """Return what would let a judge speak where it does not, or turn a pick that rests on it."""
    if "by_judge" in verdict.flags and preference.route == verdict.route:
        other = preference.second if preference.route == preference.first else preference.first
        return f"A judge that prefers {other}, asked in both orders."
    if preference.speaking or verdict.kind == "neither":
        return None
    if preference.help:
        return preference.help
    sides = [name for name in (preference.first, preference.second) if name != verdict.route]
    return f"A judge that holds its verdict when the order is swapped and prefers {' or '.join(sides)}."


def cost_gaps(route: Route) -> list[str]:
    """Return which costs of a route could be compared if they were recorded in full."""
    lacking = [
        (UNITS[unit], total)
        for unit, total in route.cost.items()
        if total.measured and not total.whole and total.records > total.measured
    ]
    if not lacking:
        return []
    units = route_names([unit for unit, _ in lacking])
    now = sorted({f"{total.measured} of {counted(total.records, 'record')}" for _, total in lacking})
    return [f"The {units} of {route.name}, if recorded in full (now {route_names(now)}): they could then be compared."]
