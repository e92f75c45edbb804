"""The rule that turns checks, judge and costs into one decision.

Quality first (a real difference in checks), then cost where the cheap route is shown to be no worse, then the
judge where it holds its verdict when the order is swapped. "Neither" and "inconclusive" are answers, and so is a
trade-off. What would change a decision is found by applying this rule to what is added.
"""

from diptych.decision import DecisionVerdict
from diptych.students.decide.decision_input import (
    DecisionInput,
    really_better,
    who_prefers,
)
from diptych.students.decide.decision_steps import checks_step, cost_step
from diptych.students.decide.no_pick import below_floor, no_measurement, none_passes, reaches, too_many_unanswered
from diptych.students.decide.none_best import none_is_best
from diptych.students.decide.one_best import one_is_best
from diptych.students.decide.verdict_parts import Pick
from diptych.students.decide.would_change import would_change


def decide_by_rule(given: DecisionInput) -> DecisionVerdict:
    """Return the verdict for two or more routes, with its steps and what would change it."""
    verdict = with_judges(given, pick_by_rule(given))
    if given.unfair and not given.same_file:
        verdict = verdict._replace(sentence=f"{verdict.sentence} {given.unfair}")
    steps = [checks_step(pair, given) for pair in given.paired]
    steps += [preference.sentence for preference in given.preferences]
    steps.append(cost_step(given))
    changes = (*verdict.would_change, *would_change(given, verdict, pick_by_rule))
    return verdict._replace(rule=(*steps, *verdict.rule), would_change=tuple(dict.fromkeys(changes)))


def pick_by_rule(given: DecisionInput) -> Pick:
    """Return which route the rule keeps, in one sentence; its `rule` holds the step that decided."""
    early = no_measurement(given) or none_passes(given) or too_many_unanswered(given)
    if early:
        return early
    able = list(given.routes)
    if given.floor is not None:
        able = [route for route in given.routes if reaches(route, given.floor)]
        poor = below_floor(given, given.floor, able)
        if poor:
            return poor
    left = [route for route in able if not any(really_better(given, other, route) for other in able)]
    return one_is_best(given, left[0], able) if len(left) == 1 else none_is_best(given, left or able)


def with_judges(given: DecisionInput, verdict: Pick) -> Pick:
    """Return the verdict with every judge in its sentence that may speak and prefers another route than the pick."""
    texts = []
    for pair in given.preferences:
        for said in pair.speaking:
            if said.route is None or said.route == verdict.route:
                continue
            other = pair.second if said.route == pair.first else pair.first
            if verdict.route is None or verdict.route == other:
                who = who_prefers(said)
                start = f"{who[0].upper()}{who[1:]}" if verdict.route is None else f"But {who}"
                texts.append(f"{start} {said.route} to {other} ({said.told}).")
    if not texts:
        return verdict
    flags = verdict.flags if verdict.route is None else (*verdict.flags, "judge_disagrees")
    return verdict._replace(sentence=f"{verdict.sentence} {' '.join(texts)}", flags=flags)
