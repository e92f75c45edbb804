"""Where no student is picked, whatever sets any two apart: nothing measured, none passes, or none reaches the floor."""

from collections.abc import Sequence

from diptych.decision import Route
from diptych.numbers import between, counted, size
from diptych.stats.paired import wilson
from diptych.students.decide.decision_input import (
    MOST_UNANSWERED,
    DecisionInput,
    leads,
    passed_share,
)
from diptych.students.decide.decision_steps import lead_words
from diptych.students.decide.phrases import route_names
from diptych.students.decide.verdict_parts import Pick, decision_verdict, passed_of


def no_measurement(given: DecisionInput) -> Pick | None:
    """Return "inconclusive" where one file stands for two students, or no task was answered by both."""
    if given.same_file:
        who = route_names(given.same_file)
        text = f"Inconclusive: the students {who} are one and the same results file, so there is nothing to compare."
        change = "Give each student its own results file."
        return decision_verdict("cannot_tell", None, text, "Checks: the same file twice.", "same_file", change=change)
    apart = [pair for pair in given.paired if pair.tasks == 0]
    if apart:
        both = route_names([apart[0].first, apart[0].second])
        text = f"Inconclusive: the students {both} share no task that both answered."
        return decision_verdict("cannot_tell", None, text, change="Evaluate every student on the same tasks file.")
    if given.unknown_questions:
        pair = given.paired[0]
        seen = lead_words(pair, pair.second)
        text = (
            "Inconclusive: the students answered different tasks files, and without prompts nobody knows whether equal"
            f" ids are equal questions. On the {counted(pair.tasks, 'id')} that both answered, {pair.second} −"
            f" {pair.first} is {seen}."
        )
        return decision_verdict("cannot_tell", None, text, change="Evaluate every student on the same tasks file.")
    return None


def none_passes(given: DecisionInput) -> Pick | None:
    """Return "neither" where no route passes a task, whatever is unanswered."""
    if any(route.passed or route.unanswered for route in given.routes):
        return None
    text = f"Keep neither: no student passed any of the {counted(given.routes[0].total, 'task')}."
    return decision_verdict("neither", None, text, change="A student that passes at least one task.")


def too_many_unanswered(given: DecisionInput) -> Pick | None:
    """Return "inconclusive" where a route left more than a tenth of its tasks unanswered."""
    open_ = [route for route in given.routes if route.total and route.unanswered > MOST_UNANSWERED * route.total]
    if not open_:
        return None
    who = route_names([f"{r.name} left {r.unanswered:,} of {counted(r.total, 'task')} unanswered" for r in open_])
    text = f"Inconclusive: {who}; above {100 * MOST_UNANSWERED:.0f} % no student is picked."
    pair = next(pair for pair in given.paired if {open_[0].name} & {pair.first, pair.second})
    seen = lead_words(pair, pair.second)
    if seen:
        text += f" On the {counted(pair.tasks, 'task')} that both answered, {pair.second} − {pair.first} is {seen}."
    ends = [at.difference for at in leads(pair, pair.second)[1:]]
    if ends:
        span = between(min(ends), max(ends), True)
        text += f" With the unanswered counted one way or the other it is {span} pp."
    missing = sum(route.unanswered for route in open_)
    change = f"Answers to the {counted(missing, 'unanswered task')}: the same command asks those alone again."
    step = f"Unanswered: more than {100 * MOST_UNANSWERED:.0f} % of the tasks of {route_names(open_)}."
    return decision_verdict("cannot_tell", None, text, step, "unanswered", change=change)


def reaches(route: Route, floor: float) -> bool:
    """Say whether a route is shown to pass the floor: the one-sided 95 % limit lies on it or above."""
    return bool(route.total) and wilson(route.passed, route.total, 0.90)[0] >= floor


def misses(route: Route, floor: float) -> bool:
    """Say whether a route is shown to pass less than the floor, even with its unanswered tasks counted as passed."""
    return not route.total or wilson(route.passed + route.unanswered, route.total, 0.90)[1] < floor


def below_floor(given: DecisionInput, floor: float, able: Sequence[Route]) -> Pick | None:
    """Return "neither" or "inconclusive" where no route is shown to reach the floor, else None."""
    if able:
        return None
    best = max(given.routes, key=passed_share)
    low, high = wilson(best.passed, best.total, 0.90)
    limits = f"one-sided 95 % limits {size(low)} and {size(high)} %"
    rate = f"best: {best.name}, {passed_of(best)}, {size(passed_share(best))} %, {limits}"
    asked = f"the {size(floor)} % asked for"
    change = f"{least_for(best, floor)} passing the floor surely, or a lower --floor."
    if all(misses(route, floor) for route in given.routes):
        text = f"Keep neither: every student passes less than {asked} ({rate})."
        return decision_verdict("neither", None, text, "Floor: no limit reaches it.", change=change)
    text = f"Inconclusive: no student is shown to pass {asked} ({rate})."
    return decision_verdict("cannot_tell", None, text, "Floor: it lies inside the CI.", "floor", change=change)


def least_for(best: Route, floor: float) -> str:
    """Return how many tasks a route would have to pass for its limit to lie on the floor."""
    least = next((n for n in range(best.passed, best.total + 1) if wilson(n, best.total, 0.90)[0] >= floor), None)
    return f"{best.name} on more tasks," if least is None else f"{best.name} with {least} of {best.total} passed,"
