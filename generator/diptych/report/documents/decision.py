"""A student decision in words and figures: what its page, its terminal report and its Markdown all show."""

from collections.abc import Mapping
from typing import NamedTuple

from diptych import numbers
from diptych.comparison import Finding
from diptych.decision import (
    COST_UNITS,
    PairedChecks,
    StudentDecision,
    TaskOutcome,
)
from diptych.report.documents.decision_costs import cost, money
from diptych.report.documents.judge import share_range

KINDS = {
    "route": ("keep", "✓"),
    "equal_choose_on_cost": ("equal on checks", "≈"),
    "cannot_tell": ("cannot tell", "?"),
    "neither": ("keep neither", "✗"),
}


class RouteRow(NamedTuple):
    """One route as the first table shows it."""

    name: str
    model: str
    checks: str
    share: str
    between: str
    costs: tuple[str, ...]
    money: str
    kept: bool
    note: str


class KindRow(NamedTuple):
    """Checks of one kind, by route."""

    kind: str
    cells: tuple[str, ...]


class PairRow(NamedTuple):
    """Two routes over the tasks that both answered."""

    first: str
    second: str
    counts: tuple[str, ...]
    difference: str
    between: str
    p: str
    method: str
    more: str
    confidence: float = 0.95


class GridRow(NamedTuple):
    """One task and what each student made of it: True passed, False failed, None unanswered.

    `outcome` is one of `OUTCOMES`, or "only:NAME" where one of two students alone passed it.
    """

    id: str
    question: str
    outcome: str
    passed: tuple[tuple[str, bool | None], ...]
    prompt: str
    answers: tuple[tuple[str, bool | None, str], ...]


OUTCOMES = {
    "split": "some pass, some fail",
    "unanswered": "unanswered by some",
    "none": "failed by all",
    "all": "passed by all",
}
"""What can be said of a task over all students, in the order in which a reader looks at it."""


def verdict_word(decision: StudentDecision) -> tuple[str, str]:
    """Return the verdict in a word or two, and its sign."""
    word, sign = KINDS.get(decision.verdict.kind, (decision.verdict.kind, "?"))
    if "trade_off" in decision.verdict.flags:
        word = "trade-off, no pick"
    if decision.verdict.route:
        on_cost = decision.verdict.kind == "equal_choose_on_cost"
        word = f"keep {decision.verdict.route}" + (" on cost" if on_cost else "")
    return word, sign


def route_rows(decision: StudentDecision) -> tuple[RouteRow, ...]:
    """Return the routes side by side, in the order they were given."""
    return tuple(
        RouteRow(
            name=route.name,
            model=route.model or numbers.NOT_RECORDED,
            checks=numbers.count_of(route.passed, route.total)
            + (f" ({route.unanswered} unanswered)" if route.unanswered else ""),
            share=numbers.percent(route.passed / route.total) if route.total else numbers.NOT_AVAILABLE,
            between=share_range(route.low, route.high),
            costs=tuple(cost(route.cost.get(unit), unit) for unit in COST_UNITS),
            money=money(route.money, route.currency),
            kept=route.name == decision.verdict.route,
            note=f"dominated by {route.dominated_by}" if route.dominated_by else "",
        )
        for route in decision.routes
    )


def kind_rows(decision: StudentDecision) -> tuple[KindRow, ...]:
    """Return the checks by kind, a column a route."""
    kinds = dict.fromkeys(check.kind for route in decision.routes for check in route.checks)
    rows = []
    for kind in kinds:
        cells = []
        for route in decision.routes:
            found = next((check for check in route.checks if check.kind == kind), None)
            cells.append(f"{found.passed} of {found.total}" if found else numbers.NOT_AVAILABLE)
        rows.append(KindRow(kind, tuple(cells)))
    return tuple(rows)


def pairs(decision: StudentDecision) -> tuple[PairedChecks, ...]:
    """Return the paired tables as a tuple, whatever the number of routes."""
    if decision.paired is None:
        return ()
    return (decision.paired,) if isinstance(decision.paired, PairedChecks) else decision.paired


def pair_rows(decision: StudentDecision) -> tuple[PairRow, ...]:
    """Return each pair of routes with its counts, its difference (second less first) and its test."""
    rows = []
    many = len(pairs(decision)) > 1
    for pair in pairs(decision):
        moved = (pair.only_second - pair.only_first) / pair.tasks if pair.tasks else None
        rows.append(
            PairRow(
                first=pair.first,
                second=pair.second,
                counts=tuple(
                    numbers.count(number) for number in (pair.both, pair.only_first, pair.only_second, pair.neither)
                ),
                difference=numbers.points(moved),
                between=numbers.between(pair.low, pair.high, in_points=True),
                p=numbers.p_text(
                    pair.p_value if pair.p_adjusted is None else pair.p_adjusted,
                    "Holm" if pair.p_adjusted is not None and many else "",
                ),
                method=pair.method,
                more=" ".join(part for part in (seen_by(pair), held_to_margin(pair), bounded(pair)) if part),
                confidence=pair.confidence,
            )
        )
    return tuple(rows)


def bounded(pair: PairedChecks) -> str:
    """Return between which differences the unanswered tasks leave the truth."""
    if not pair.bounds:
        return ""
    ends = []
    for bound in pair.bounds:
        n = bound.both + bound.only_first + bound.only_second + bound.neither
        ends.append((bound.only_second - bound.only_first) / n)
    open_ = f"{pair.first} {pair.unanswered_first}, {pair.second} {pair.unanswered_second}"
    span = numbers.between(min(ends), max(ends), in_points=True)
    return f"Unanswered: {open_}; counted as failed or passed they leave the difference at {span}."


def held_to_margin(pair: PairedChecks) -> str:
    """Return the range that "no worse by the margin" rests on: narrower than the other, since it asks one side only."""
    if pair.low_90 is None or pair.high_90 is None:
        return ""
    return f"The margin is held against the 90 % CI: {numbers.between(pair.low_90, pair.high_90, in_points=True)}."


def seen_by(pair: PairedChecks) -> str:
    """Return what this many tasks could have shown."""
    if pair.detectable is None:
        return ""
    text = f"{numbers.counted(pair.tasks, 'task')} would show a true difference of {numbers.points(pair.detectable)}"
    return f"{text.replace('+', '')} four times in five."


def grid_rows(decision: StudentDecision) -> tuple[GridRow, ...]:
    """Return every task with what each student made of it: split tasks first, then unanswered, failed and passed."""
    rank = {name: place for place, name in enumerate(OUTCOMES)}
    order = {route.name: place for place, route in enumerate(decision.routes)}
    rows = [grid_row(task, order) for task in decision.tasks]
    return tuple(sorted(rows, key=lambda row: rank[row.outcome.partition(":")[0].replace("only", "split")]))


def grid_row(task: TaskOutcome, order: Mapping[str, int]) -> GridRow:
    """Return one task of the grid, its students in the routes' order (an artifact's own keys are sorted)."""
    prompt = task.prompt or ""
    passed = sorted(task.passed.items(), key=lambda item: order.get(item[0], len(order)))
    return GridRow(
        task.id,
        " ".join(prompt.split()),
        outcome_of(task),
        tuple(passed),
        prompt,
        tuple((route, ok, task.responses.get(route) or "") for route, ok in passed),
    )


def outcome_of(task: TaskOutcome) -> str:
    """Return what can be said of a task over all students."""
    passed = [route for route, ok in task.passed.items() if ok]
    if None in task.passed.values():
        return "unanswered"
    if len(passed) in (0, len(task.passed)):
        return "all" if passed else "none"
    return f"only:{passed[0]}" if len(task.passed) == 2 else "split"


def outcome_word(outcome: str) -> str:
    """Return an outcome in words."""
    return f"passed by {outcome[5:]} only" if outcome.startswith("only:") else OUTCOMES[outcome]


def worst_first(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return findings, errors before warnings before notes."""
    order = {"error": 0, "warning": 1, "note": 2}
    return tuple(sorted(findings, key=lambda finding: order.get(finding.severity, 3)))
