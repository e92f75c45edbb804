"""A student decision in words and figures: what its page, its terminal report and its Markdown all show."""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from diptych import numbers
from diptych.comparison import Finding
from diptych.decision import (
    COST_UNITS,
    CostPlot,
    CostTotal,
    PairedChecks,
    Route,
    StudentDecision,
    TaskOutcome,
    Trade,
)
from diptych.report.documents.judge import share_range

UNIT_WORDS = {
    "prompt_tokens": "tokens in",
    "completion_tokens": "tokens out",
    "seconds": "time",
    "watt_hours": "energy",
    "money": "money",
}

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


class CostRow(NamedTuple):
    """The cost of one stage of a route, or of all of it; `gaps` names what is missing in it."""

    route: str
    stage: str
    attempts: str
    costs: tuple[str, ...]
    gaps: tuple[str, ...]
    total: bool


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


class AnsweringRow(NamedTuple):
    """What a student's own answers took: how many were measured, and by unit the sum with the mean an answer."""

    route: str
    measured: str
    cells: tuple[str, ...]


class MoneyRow(NamedTuple):
    """A student's cost in money on every basis that has a price; the one that the decision took is marked."""

    route: str
    cells: tuple[str, ...]


def verdict_word(decision: StudentDecision) -> tuple[str, str]:
    """Return the verdict in a word or two, and its sign."""
    word, sign = KINDS.get(decision.verdict.kind, (decision.verdict.kind, "?"))
    if "trade_off" in decision.verdict.flags:
        word = "trade-off, no pick"
    if decision.verdict.route:
        on_cost = decision.verdict.kind == "equal_choose_on_cost"
        word = f"keep {decision.verdict.route}" + (" on cost" if on_cost else "")
    return word, sign


def cost(total: CostTotal | None, unit: str) -> str:
    """Return a total in words; one that lacks a part is a lower bound and says so."""
    if total is None or total.total is None:
        return "not measured"
    text = amount(total.total, unit)
    return text if total.whole else f"≥ {text}"


def amount(value: float | None, unit: str) -> str:
    """Return a quantity with the unit that its kind needs."""
    if unit == "seconds":
        return numbers.duration(value)
    return numbers.quantity(value, "Wh" if unit == "watt_hours" else "")


def gaps(total: CostTotal, unit: str) -> list[str]:
    """Return what a total lacks, a sentence each."""
    word = UNIT_WORDS[unit]
    found = []
    if total.measured < total.records:
        names = f" (missing: {', '.join(total.missing)})" if total.missing else ""
        found.append(f"{word}: measured in {total.measured} of {numbers.counted(total.records, 'record')}{names}")
    for bad in total.unusable:
        found.append(f"{word}: {numbers.value(bad.value)} in {bad.record} left out, {bad.why}")
    return found


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


def money(value: float | None, currency: str | None) -> str:
    """Return an amount of money, two digits after the point."""
    return numbers.NOT_AVAILABLE if value is None else f"{value:,.2f} {currency or ''}".strip()


def per_passed(route: Route) -> tuple[str, ...]:
    """Return what one passed check cost, by unit; nothing where the total has gaps."""
    return tuple(
        numbers.NOT_AVAILABLE if route.cost_per_passed.get(unit) is None else amount(route.cost_per_passed[unit], unit)
        for unit in COST_UNITS
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


def cost_rows(decision: StudentDecision) -> tuple[CostRow, ...]:
    """Return the costs by stage, each route closed by its total."""
    rows: list[CostRow] = []
    for route in decision.routes:
        for stage in route.by_stage:
            missing = [line for unit, total in stage.cost.items() for line in gaps(total, unit)]
            costs = tuple(cost(stage.cost.get(unit), unit) for unit in COST_UNITS)
            rows.append(CostRow(route.name, stage.stage, numbers.count(stage.attempts), costs, tuple(missing), False))
        if len(route.by_stage) != 1:
            missing = [line for unit, total in route.cost.items() for line in gaps(total, unit)]
            costs = tuple(cost(route.cost.get(unit), unit) for unit in COST_UNITS)
            rows.append(CostRow(route.name, "all stages", "", costs, () if route.by_stage else tuple(missing), True))
    return tuple(rows)


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


ANSWERING_UNITS = ("prompt_tokens", "completion_tokens", "seconds")


def answering_rows(decision: StudentDecision) -> tuple[AnsweringRow, ...]:
    """Return what the students' own answers took, as far as their results files measured it."""
    rows = []
    for route in decision.routes:
        counts = [int(route.answering.get(f"{unit}_measured") or 0) for unit in ANSWERING_UNITS]
        if any(counts):
            rows.append(AnsweringRow(route.name, measured_of(counts), tuple(map(per_unit(route), ANSWERING_UNITS))))
    return tuple(rows)


def measured_of(counts: list[int]) -> str:
    """Return over how many answers costs were measured."""
    low, high = min(counts), max(counts)
    return numbers.counted(high, "answer") if low == high else f"{low} to {numbers.counted(high, 'answer')}"


def per_unit(route: Route) -> Callable[[str], str]:
    """Return what says a route's answering cost in one unit: the sum, and the mean an answer."""

    def told(unit: str) -> str:
        mean, total = route.answering.get(unit), route.answering.get(f"{unit}_sum")
        if mean is None:
            return "not measured"
        each = numbers.duration(mean) if unit == "seconds" else f"{mean:,.1f}"
        return f"{amount(total, unit)} ({each} each)" if total is not None else f"{each} each"

    return told


def money_bases(decision: StudentDecision) -> tuple[str, ...]:
    """Return the bases that have prices, for the columns of the money table; none where there is one money at most."""
    return tuple(money.basis for money in decision.routes[0].money_by_basis) if decision.routes else ()


def money_rows(decision: StudentDecision) -> tuple[MoneyRow, ...]:
    """Return each student's money on every basis that has a price."""
    return tuple(
        MoneyRow(
            route.name,
            tuple(
                (money(one.amount, route.currency) if one.amount is not None else f"none: {one.why}")
                + (" (taken)" if one.basis == route.money_basis and route.money is not None else "")
                for one in route.money_by_basis
            ),
        )
        for route in decision.routes
    )


def main_plot(decision: StudentDecision) -> str | None:
    """Return the unit of the plot that is shown first: money, else one in which students differ and all are placed."""
    if not decision.plots:
        return None

    def weight(plot: CostPlot) -> tuple[bool, bool, int]:
        costs = {point.cost for point in plot.points}
        return (plot.unit != "money", len(costs) < 2, len(plot.not_placed))

    return min(decision.plots, key=weight).unit


def trade_rows(decision: StudentDecision) -> tuple[str, ...]:
    """Return each trade of cost for quality as a sentence."""
    return tuple(trade(item) for item in decision.trades)


def trade(item: Trade) -> str:
    """Return what going from the cheap to the dear route buys."""
    word = UNIT_WORDS.get(item.unit, item.unit)
    extra = amount(item.extra_cost, item.unit)
    if item.extra_passed is None or item.extra_cost is None:
        return f"{word}: not known for both routes"
    more = f"{extra} more than" if item.extra_cost else "as much as"
    text = f"{word}: {item.dear} costs {more} {item.cheap}"
    if item.extra_passed <= 0:
        return f"{text} and passes no more ({numbers.minus(str(item.extra_passed))}){uses(item)}."
    text += f" and passes {item.extra_passed} more"
    if item.per_passed is not None:
        text += f": {amount(item.per_passed, item.unit)} for one more"
    return f"{text}{uses(item)}."


def uses(item: Trade) -> str:
    """Return on which side of how many answers which student is the cheaper one, answering counted in."""
    if item.break_even_case == "x_never_dearer":
        return f"; {item.cheap} stays the cheaper one however many answers it gives"
    if item.break_even is None or item.break_even_case not in ("x_cheaper_until", "x_cheaper_after"):
        return ""
    number = math.ceil(item.break_even)
    if item.break_even_case == "x_cheaper_until":
        return f"; answering counted in, {item.dear} is the cheaper one from {numbers.counted(number, 'answer')} on"
    return f"; answering counted in, {item.cheap} is the cheaper one from {numbers.counted(number, 'answer')} on"


def worst_first(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return findings, errors before warnings before notes."""
    order = {"error": 0, "warning": 1, "note": 2}
    return tuple(sorted(findings, key=lambda finding: order.get(finding.severity, 3)))
