"""What a reader of a decision must not miss beside the numbers: unlike serving, unanswered tasks, damaged inputs."""

import json
from collections.abc import Mapping, Sequence

from diptych.comparison import Finding, LeftOut
from diptych.labbook import Labbook
from diptych.students.collect.results import Results
from diptych.students.cost.prices import Money
from diptych.students.judge.judgements import Judgements

SERVING = ("quant", "engine", "engine_version", "sampling")


def serving_findings(routes: Sequence[Results]) -> list[Finding]:
    """Return where the routes were served or asked differently, and models that were not the one asked for."""
    findings = []
    for key in SERVING:
        values = {json.dumps(route.metadata.get(key), sort_keys=True) for route in routes}
        if len(values) > 1:
            who = ", ".join(f"{route.name} {route.metadata.get(key)!r}" for route in routes)
            text = f"The routes were not served alike: {key} is {who}. The serving may make the difference."
            findings.append(Finding("serving_differs", "warning", text))
    for route in routes:
        served = route.metadata.get("served_models")
        strange = sorted(set(served) - {route.model}) if isinstance(served, dict) else []
        if strange:
            text = f"{route.name}: asked for {route.model}, the endpoint says it answered as {', '.join(strange)}."
            findings.append(Finding("model_mismatch", "warning", text, count_=len(strange)))
    return findings


def failed_findings(routes: Sequence[Results]) -> list[Finding]:
    """Return which routes left tasks unanswered, with the score that counts those as not passed."""
    findings = []
    for route in routes:
        if route.failed:
            total = len(route.rows) + len(route.failed)
            passed = sum(row.passed for row in route.rows.values())
            text = (
                f"{route.name}: {len(route.failed)} of {total} tasks were asked and never answered;"
                f" counted as not passed, it passed {passed} of {total}."
            )
            findings.append(
                Finding("answers_missing", "warning", text, None, None, len(route.failed), total, route.failed[:10])
            )
    return findings


def money_findings(money: Mapping[str, Money]) -> list[Finding]:
    """Return why a route has no money figure although prices were given, and where bases differ."""
    findings = [
        Finding("money_not_available", "warning", f"{name}: no money figure, {one.why}.")
        for name, one in money.items()
        if one.why
    ]
    bases = {one.basis for one in money.values() if one.amount is not None}
    if len(bases) > 1:
        who = ", ".join(f"{name} by {one.basis}" for name, one in money.items() if one.amount is not None)
        findings.append(Finding("money_bases_differ", "note", f"Money is reckoned on different bases: {who}."))
    return findings


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
