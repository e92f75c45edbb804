"""What a reader of a decision must not miss beside the numbers: unlike serving, unanswered tasks, damaged inputs."""

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from diptych.comparison import Finding, LeftOut
from diptych.decision import DecisionVerdict, Money, Route
from diptych.labbook import Labbook
from diptych.numbers import UNITS
from diptych.students.collect.student_results import Results
from diptych.students.decide.decision_input import (
    Preference,
    money_by_every_basis,
    native_pairs,
    unlike_costs,
    who_prefers,
)
from diptych.students.decide.decision_steps import amounts
from diptych.students.decide.paired_tasks import Shared
from diptych.students.judge.judgements import Judgements
from diptych.students.judge.model_names import other_names

Json = Any

SERVING = ("quant", "engine", "engine_version", "sampling")


def serving_findings(routes: Sequence[Results]) -> list[Finding]:
    """Return where the routes were served or asked differently, and models that were not the one asked for."""
    findings = []
    for key in SERVING:
        values = {json.dumps(route.metadata.get(key), sort_keys=True) for route in routes}
        if len(values) > 1 and not all(in_name(route, route.metadata.get(key)) for route in routes):
            who = ", ".join(f"{route.name} {setting_as_read(route.metadata.get(key))}" for route in routes)
            text = f"Not served alike: {key} is {who}. The serving may make the difference."
            findings.append(Finding("serving_differs", "warning", text))
    for route in routes:
        served = route.metadata.get("served_models")
        counts = {str(name): count for name, count in served.items()} if isinstance(served, dict) else {}
        strange = other_names(route.model, {name: n if type(n) is int else 1 for name, n in counts.items()})
        if strange:
            text = (
                f"{route.name}: asked for {route.model}, the endpoint says it answered as {', '.join(sorted(strange))}."
            )
            findings.append(
                Finding("model_mismatch", "warning", text, count_=sum(strange.values()), of=len(route.rows))
            )
    return findings


def in_name(route: Results, value: Json) -> bool:
    """Say whether a setting is what a student is called after: then it is what is compared, not how it was served."""
    return isinstance(value, str) and value.casefold() in f"{route.name} {route.model}".casefold()


def setting_as_read(value: Json) -> str:
    """Return a recorded setting as a person reads it."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {setting_as_read(item)}" for key, item in value.items())
    return "not recorded" if value is None else str(value)


def unanswered_findings(routes: Sequence[Results], shared: Shared) -> list[Finding]:
    """Return which routes left tasks unanswered, with the pass rates that bound theirs."""
    findings = []
    for route in routes:
        open_ = [task for task in shared.all if task not in route.rows]
        if open_:
            total, passed = len(shared.all), sum(route.rows[task].passed for task in shared.all if task in route.rows)
            asked = sum(task in set(route.failed) for task in open_)
            why = (
                "no answer came"
                if asked == len(open_)
                else "not asked, no answer or no check"
                if asked
                else "not in its file"
            )
            text = (
                f"{route.name}: {len(open_)} of {total} tasks are unanswered ({why}); it passed {passed} of"
                f" {total - len(open_)} answered, so between {passed} and {passed + len(open_)} of {total}."
            )
            findings.append(Finding("unanswered", "warning", text, None, None, len(open_), total, tuple(open_[:10])))
    return findings


def money_findings(money: Mapping[str, tuple[Money, tuple[Money, ...]]]) -> list[Finding]:
    """Return why a route has no money figure although prices were given, and where bases differ or disagree."""
    findings = [
        Finding("money_not_available", "warning", f"{name}: no money figure, {one.why}.")
        for name, (one, _) in money.items()
        if one.why
    ]
    bases = {one.basis for one, _ in money.values() if one.amount is not None}
    if len(bases) > 1:
        who = ", ".join(f"{name} by {one.basis}" for name, (one, _) in money.items() if one.amount is not None)
        findings.append(Finding("money_bases_differ", "note", f"Money is reckoned on different bases: {who}."))
    return findings


def cost_disagreements(routes: Sequence[Route]) -> list[Finding]:
    """Return where one unit, or one basis of money, says that a route costs less and another that it costs more."""
    findings = []
    for one, other in combinations(routes, 2):
        for costs in (money_by_every_basis(one, other), native_pairs(one, other)):
            if {-1, 1} <= {cost.order for cost in costs}:
                told = "; ".join(amounts(cost, one.currency) for cost in costs)
                text = f"Costs of {one.name} and {other.name} disagree on which is cheaper: {told}."
                findings.append(Finding("costs_disagree", "warning", text))
                break
    return findings


def unlike_findings(routes: Sequence[Route]) -> list[Finding]:
    """Return where one route's cost is measured and another's is estimated: they are not compared."""
    findings = []
    for one, other in combinations(routes, 2):
        for unit in unlike_costs(one, other):
            kinds = f"{one.name} {one.cost[unit].kind}, {other.name} {other.cost[unit].kind}"
            text = f"{upper_first(UNITS[unit])} of {one.name} and {other.name} are not compared: {kinds}."
            findings.append(Finding("cost_mixed", "warning", text))
    return findings


def judge_against(verdict: DecisionVerdict, preferences: Sequence[Preference]) -> list[Finding]:
    """Return that a judge that may speak prefers another student than the one that is kept."""
    return [
        Finding(
            "judge_disagrees",
            "warning",
            f"{upper_first(who_prefers(said))} {said.route} ({said.told}), not {verdict.route}, which the checks and"
            " costs keep.",
        )
        for pair in preferences
        for said in pair.speaking
        if verdict.route in (pair.first, pair.second) and said.route not in (None, verdict.route)
    ]


def upper_first(text: str) -> str:
    """Return a text as a sentence begins."""
    return text[:1].upper() + text[1:]


def damage_findings(labbook: Labbook | None, judgements: Sequence[Judgements]) -> list[Finding]:
    """Return a finding for each file that holds broken lines."""
    findings = []
    if labbook and labbook.broken:
        lines = ", ".join(str(line.line) for line in labbook.broken)
        text = f"{labbook.source}: broken records on line {lines} are left out; costs may be missing."
        findings.append(Finding("file_damaged", "warning", text, count_=len(labbook.broken)))
    for file in judgements:
        if file.damaged and file.input:
            text = f"{file.input.name}: {file.damaged} broken lines are left out."
            findings.append(Finding("file_damaged", "warning", text, count_=file.damaged))
    return findings


def notebook_gaps(labbook: Labbook | None) -> list[LeftOut]:
    """Return the notebook's broken lines as gaps."""
    if labbook is None:
        return []
    return [LeftOut(f"line {line.line} of {labbook.source}", 1, line.why) for line in labbook.broken]
