"""The pure step: students' results, verdicts and notebook in, one student decision out. No network, no clock."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from diptych import storage
from diptych.comparison import Finding
from diptych.decision import DecisionVerdict, ExternalStep, PairedChecks, Route, StudentDecision, Trade
from diptych.errors import StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.judge_audit import JudgeAgreement, JudgeAudit
from diptych.labbook import Labbook, read_labbook
from diptych.provenance import Input, Provenance
from diptych.students.collect.student_results import Results, read_results
from diptych.students.cost.cost_effectiveness import cost_plots, dominated_by, trades_of
from diptych.students.cost.prices import NO_PRICES, Prices, money_of
from diptych.students.cost.totals import RouteCost, paying_stages, route_cost
from diptych.students.decide.answer_findings import AnswerFacts, answer_facts, answer_findings, ask_again, unfair
from diptych.students.decide.decision_findings import (
    cost_disagreements,
    damage_findings,
    judge_against,
    money_findings,
    notebook_gaps,
    serving_findings,
    unanswered_findings,
    unlike_findings,
)
from diptych.students.decide.decision_input import DecisionInput
from diptych.students.decide.paired_tasks import comparable_tasks, paired_checks
from diptych.students.decide.routes import answering, outcomes_by_route, route_noun, same_file
from diptych.students.decide.rule import decide_by_rule
from diptych.students.judge.audit import audits_of, judge_agreement
from diptych.students.judge.external_records import outside_findings
from diptych.students.judge.human_labels import NO_LABELS, Labels, read_labels
from diptych.students.judge.judgements import Judgements, read_judgements, verdicts_by_pair
from diptych.students.judge.preferences import preferences_of
from diptych.version import VERSION

Json = Any
MARGIN = 0.01
"""How many points (as a share) a cheaper route may be worse and still count as no worse; a convention, --margin."""


class Loaded(NamedTuple):
    """What a decision is made from, read. `damaged` counts input lines that were left out."""

    routes: tuple[Results, ...]
    judgements: tuple[Judgements, ...]
    labbook: Labbook | None
    warnings: tuple[str, ...]
    damaged: int
    labels: Labels = NO_LABELS


def load_inputs(
    routes: Sequence[tuple[str, str | Path]],
    *,
    judgements: Sequence[str | Path] = (),
    labbook: str | Path | None = None,
    labels: str | Path | None = None,
) -> Loaded:
    """Read a decision's inputs; `warnings` are lines for stderr, one a damaged line that was left out."""
    names = [name for name, _ in routes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise StudentsError(f"two students are called {twice!r}", hint="give each --route its own name")
    if len(routes) < 2:
        raise StudentsError("a decision needs two students or more", hint="give --route NAME=RESULTS.json twice")
    read = tuple(read_results(path, name) for name, path in routes)
    verdicts = tuple(read_judgements(path) for path in judgements)
    notebook = read_labbook(labbook) if labbook is not None else None
    person = read_labels(labels) if labels is not None else NO_LABELS
    broken = notebook.broken if notebook else ()
    warnings = [f"{labbook}:{line.line}: a broken record is left out: {line.why}" for line in broken]
    warnings += [
        f"{path}: {gap.what}: {gap.why}"
        for path, file in zip(judgements, verdicts, strict=True)
        for gap in file.left_out
    ]
    warnings += [f"{labels}: {gap.what}: {gap.why}" for gap in person.left_out]
    damaged = len(broken) + sum(file.damaged for file in verdicts) + sum(gap.count_ for gap in person.left_out)
    return Loaded(read, verdicts, notebook, tuple(warnings), damaged, person)


def decide(
    routes: Sequence[Results],
    judgements: Sequence[Judgements] = (),
    labbook: Labbook | None = None,
    stages: Mapping[str, Sequence[str]] | None = None,
    prices: Prices = NO_PRICES,
    margin: float = MARGIN,
    attempts: str = "all",
    floor: float | None = None,
    title: str = "",
    external: Sequence[ExternalStep] = (),
    outside_audits: Sequence[JudgeAudit] = (),
    labels: Labels = NO_LABELS,
) -> StudentDecision:
    """Return the decision between two or more routes.

    `margin` is the share of tasks by which a cheaper route may be worse, `floor` the least share a route must pass,
    `attempts` "all" (what it cost) or "last" (what it would cost again). `outside_audits` are an external judge's own.
    """
    check_options(routes, stages or {}, margin, floor)
    shared = comparable_tasks(routes)
    costs = costs_of(routes, labbook, stages or {}, attempts)
    money = money_of({name: cost.cost for name, cost in costs.items()}, prices)
    nouns = tuple(route_noun(route, shared, costs[route.name], money[route.name], prices) for route in routes)
    paired = paired_checks(routes, shared, margin)
    said, strange = verdicts_by_pair(judgements, routes, shared.answered)
    audited, judge_findings = audits_of(said, routes, labels)
    audits = (*(one.noun for one in audited), *outside_audits)
    agreement = judge_agreement(audited)
    trades = trades_of(nouns, paired, prices)
    nouns = tuple(route._replace(dominated_by=dominated_by(route, nouns, paired)) for route in nouns)
    preferences = preferences_of(audited, outside_audits)
    answered = tuple(map(answer_facts, routes))
    verdict = decide_by_rule(
        DecisionInput(
            nouns,
            paired,
            preferences,
            trades,
            margin,
            floor,
            prices.worth,
            same_file(routes),
            shared.unknown_questions,
            unfair(answered),
        )
    )
    options = kept_options(stages or {}, prices, margin, attempts, floor)
    inputs = inputs_of(routes, judgements, costs, labbook, labels)
    findings = (
        *(finding for route in routes for finding in route.findings),
        *shared.findings,
        *unanswered_findings(routes, shared),
        *answer_findings(routes, answered),
        *serving_findings(routes),
        *(finding for cost in costs.values() for finding in cost.findings),
        *money_findings(money),
        *cost_disagreements(nouns),
        *unlike_findings(nouns),
        *outside_findings(external, outside_audits),
        *judge_findings,
        *judge_against(verdict, preferences),
        *damage_findings(labbook, judgements),
    )
    return StudentDecision(
        id=content_id(routes, inputs, options),
        title=title or " or ".join(route.name for route in routes),
        routes=nouns,
        paired=paired[0] if len(paired) == 1 else paired,
        judge=leading_audit(audits, nouns),
        judges=audits,
        agreement=agreement,
        trades=trades,
        plots=cost_plots(nouns),
        tasks=outcomes_by_route(routes, shared),
        tasks_sha256=one_hash(routes),
        verdict=verdict._replace(caveats=caveats_of(findings), next_step=decision_step(verdict, answered)),
        findings=findings,
        left_out=(
            *(gap for route in routes for gap in route.left_out),
            *shared.left_out,
            *notebook_gaps(labbook),
            *dict.fromkeys(gap for cost in costs.values() for gap in cost.left_out),
            *(gap for file in judgements for gap in file.left_out),
            *strange,
            *labels.left_out,
        ),
        provenance=Provenance(VERSION, decision_methods(paired, audits, agreement, trades), inputs, options),
        external=tuple(external),
    )


def check_options(
    routes: Sequence[Results], stages: Mapping[str, Sequence[str]], margin: float, floor: float | None
) -> None:
    """Refuse options that cannot be meant."""
    names = {route.name for route in routes}
    unknown = sorted(set(stages) - names)
    if unknown:
        raise StudentsError(
            f"--stages names {unknown[0]!r}, which is no student here", hint=f"students: {', '.join(sorted(names))}"
        )
    if not 0 <= margin < 1:
        raise StudentsError(f"a margin of {margin} is no share of tasks", hint="0.01 is one point")
    if floor is not None and not 0 <= floor <= 1:
        raise StudentsError(f"a floor of {floor} is no share of tasks", hint="0.5 is half of them")


def costs_of(
    routes: Sequence[Results], labbook: Labbook | None, stages: Mapping[str, Sequence[str]], attempts: str
) -> dict[str, RouteCost]:
    """Return each route's costs from the notebook."""
    models = frozenset(route.model for route in routes if route.model)
    return {
        route.name: route_cost(
            route.name,
            paying_stages(route.name, stages),
            labbook,
            attempts=attempts,
            model=route.model,
            other_models=models,
            answered=answering(route),
        )
        for route in routes
    }


def decision_step(verdict: DecisionVerdict, answered: Sequence[AnswerFacts]) -> str:
    """Return what to do next where nothing is decided: ask again what was truncated, else the first that would."""
    if verdict.kind != "cannot_tell":
        return ""
    return ask_again(answered) or next(iter(verdict.would_change), "")


def caveats_of(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return what could turn the decision, worst first: the texts of all errors and warnings."""
    order = {"error": 0, "warning": 1}
    grave = [finding for finding in findings if finding.severity in order]
    return tuple(dict.fromkeys(one.text for one in sorted(grave, key=lambda finding: order[finding.severity])))


def leading_audit(audits: Sequence[JudgeAudit], routes: Sequence[Route]) -> JudgeAudit | None:
    """Return the audit that the page leads with: the first judge's on the two routes that passed most."""
    top = {route.name for route in sorted(routes, key=lambda route: -route.passed)[:2]}
    return next((audit for audit in audits if {audit.first, audit.second} == top), audits[0] if audits else None)


def one_hash(routes: Sequence[Results]) -> str | None:
    """Return the sha256 of the tasks file where all routes recorded the same one."""
    hashes = {route.tasks_sha256 for route in routes}
    return hashes.pop() if len(hashes) == 1 else None


def kept_options(
    stages: Mapping[str, Sequence[str]], prices: Prices, margin: float, attempts: str, floor: float | None
) -> dict[str, Json]:
    """Return the options that a decision rests on, as the artifact keeps them."""
    return {
        "stages": {name: list(value) for name, value in stages.items()},
        "prices": {key: value for key, value in prices._asdict().items() if value not in (None, "", {})},
        "margin": margin,
        "attempts": attempts,
        "floor": floor,
    }


def inputs_of(
    routes: Sequence[Results],
    judgements: Sequence[Judgements],
    costs: Mapping[str, RouteCost],
    labbook: Labbook | None,
    labels: Labels,
) -> tuple[Input, ...]:
    """Return the inputs by name and digest.

    The notebook grows with every record that is appended, so its digest is that of the stage records used.
    """
    inputs = [route.input for route in routes] + [file.input for file in judgements if file.input]
    inputs += [labels.input] if labels.input else []
    if labbook is not None:
        used = [record.fields for cost in costs.values() for record in cost.records]
        text = json.dumps(used, sort_keys=True, default=str)
        inputs.append(Input(f"{labbook.source} (stage records)", storage.sha256(text.encode("utf-8", "replace"))))
    return tuple(inputs)


def content_id(routes: Sequence[Results], inputs: Sequence[Input], options: Mapping[str, Json]) -> str:
    """Return the content address of a decision: the same inputs and options give the same id anywhere."""
    body = [[route.name for route in routes], [item.sha256 for item in inputs], options]
    return storage.sha256(json.dumps(body, sort_keys=True).encode())[:16]


def decision_methods(
    paired: Sequence[PairedChecks],
    audits: Sequence[JudgeAudit],
    agreement: Sequence[JudgeAgreement],
    trades: Sequence[Trade],
) -> tuple[str, ...]:
    """Return the names of the methods that gave this decision's numbers."""
    names = {pair.method for pair in paired} | {"wilson"} | {row.method for row in agreement}
    if any(audit.tasks for audit in audits):
        names |= {"judge_swap_signflip", "cohens_kappa"}
    if any(audit.length_controlled is not None for audit in audits):
        names.add("length_controlled")
    if len(paired) > 1:
        names.add("holm")
    fixed = [one for audit in audits if audit.labels for one in audit.labels.corrected]
    names |= {one.method for one in fixed if one.rate is not None}
    if any(trade.net_low is not None for trade in trades):
        names.add("net_benefit")
    return tuple(sorted(names))


__all__ = ["MARGIN", "Loaded", "decide", "load_inputs"]
