"""A student decision in words and figures: what its page, its terminal report and its Markdown all show."""

from typing import NamedTuple

from diptych.comparison import Finding
from diptych.decision import (
    COST_UNITS,
    CostTotal,
    JudgeAudit,
    PairedChecks,
    Route,
    StudentDecision,
    TaskOutcome,
    Trade,
)
from diptych.render import figures

UNIT_WORDS = {
    "prompt_tokens": "tokens in",
    "completion_tokens": "tokens out",
    "seconds": "time",
    "watt_hours": "energy",
    "money": "money",
}

GATES = {
    "usable": "consistent enough to be used",
    "directional_only": "may say which is preferred, not by how much",
    "unusable": "contradicts itself too often to be used",
    "too_few": "too few tasks to be used",
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


class OrderRow(NamedTuple):
    """What a judge said in one order of showing."""

    order: str
    cells: tuple[str, ...]


class JudgeCard(NamedTuple):
    """What one judge said of one pair, and how far it may be trusted."""

    judge: str
    first: str
    second: str
    gate: str
    usable: bool
    facts: tuple[tuple[str, str], ...]
    order_heads: tuple[str, ...]
    orders: tuple[OrderRow, ...]
    parts: tuple[tuple[str, int], ...]
    tasks: int


class OnlyOne(NamedTuple):
    """A task that some routes solved and some did not, with every answer."""

    id: str
    prompt: str
    solved: str
    answers: tuple[tuple[str, bool, str], ...]


def kept_route(decision: StudentDecision) -> str | None:
    """Return the route that the decision keeps, if it keeps one."""
    return decision.verdict.route


def verdict_word(decision: StudentDecision) -> tuple[str, str]:
    """Return the verdict in a word or two, and its sign."""
    word, sign = KINDS.get(decision.verdict.kind, (decision.verdict.kind, "?"))
    if decision.verdict.kind == "route" and decision.verdict.route:
        word = f"keep {decision.verdict.route}"
    return word, sign


def cost(total: CostTotal | None, unit: str) -> str:
    """Return a total in words; one that lacks a part is a lower bound and says so."""
    if total is None or total.total is None:
        return "not measured"
    text = amount(total.total, unit)
    return text if total.measured == total.records else f"≥ {text}"


def amount(value: float | None, unit: str) -> str:
    """Return a quantity with the unit that its kind needs."""
    if unit == "seconds":
        return figures.duration(value)
    return figures.quantity(value, "Wh" if unit == "watt_hours" else "")


def gaps(total: CostTotal, unit: str) -> list[str]:
    """Return what a total lacks, a sentence each."""
    word = UNIT_WORDS[unit]
    found = []
    if total.measured < total.records:
        names = f" (missing: {', '.join(total.missing)})" if total.missing else ""
        found.append(f"{word}: measured in {total.measured} of {figures.plural(total.records, 'record')}{names}")
    for bad in total.unusable:
        found.append(f"{word}: {figures.value(bad.value)} in {bad.record} left out, {bad.why}")
    return found


def route_rows(decision: StudentDecision) -> tuple[RouteRow, ...]:
    """Return the routes side by side, in the order they were given."""
    return tuple(
        RouteRow(
            name=route.name,
            model=route.model or figures.NOT_RECORDED,
            checks=figures.count_of(route.passed, route.total),
            share=figures.percent(route.passed / route.total) if route.total else figures.NOT_AVAILABLE,
            between=share_range(route.low, route.high),
            costs=tuple(cost(route.cost.get(unit), unit) for unit in COST_UNITS),
            money=money(route.money, route.currency),
            kept=route.name == decision.verdict.route,
            note=f"dominated by {route.dominated_by}" if route.dominated_by else "",
        )
        for route in decision.routes
    )


def share_range(low: float | None, high: float | None) -> str:
    """Return the range of a share of passed checks."""
    if low is None or high is None:
        return figures.NOT_AVAILABLE
    return f"{figures.percent(low)} to {figures.percent(high)}"


def money(value: float | None, currency: str | None) -> str:
    """Return an amount of money, two digits after the point."""
    return figures.NOT_AVAILABLE if value is None else f"{value:,.2f} {currency or ''}".strip()


def per_passed(route: Route) -> tuple[str, ...]:
    """Return what one passed check cost, by unit; nothing where the total has gaps."""
    return tuple(
        figures.NOT_AVAILABLE if route.cost_per_passed.get(unit) is None else amount(route.cost_per_passed[unit], unit)
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
            cells.append(f"{found.passed} of {found.total}" if found else figures.NOT_AVAILABLE)
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
    for pair in pairs(decision):
        moved = (pair.only_second - pair.only_first) / pair.tasks if pair.tasks else None
        rows.append(
            PairRow(
                first=pair.first,
                second=pair.second,
                counts=tuple(
                    figures.count(number) for number in (pair.both, pair.only_first, pair.only_second, pair.neither)
                ),
                difference=figures.points(moved),
                between=figures.between(pair.low, pair.high, as_points=True),
                p=figures.p_phrase(
                    pair.p_value if pair.p_adjusted is None else pair.p_adjusted, pair.p_adjusted is not None
                ),
                method=pair.method,
                more=seen_by(pair),
            )
        )
    return tuple(rows)


def seen_by(pair: PairedChecks) -> str:
    """Return what this many tasks could have shown."""
    if pair.detectable is None:
        return ""
    text = f"{figures.plural(pair.tasks, 'task')} would show a true difference of {figures.points(pair.detectable)}"
    return f"{text.replace('+', '')} four times in five."


def cost_rows(decision: StudentDecision) -> tuple[CostRow, ...]:
    """Return the costs by stage, each route closed by its total."""
    rows: list[CostRow] = []
    for route in decision.routes:
        for stage in route.by_stage:
            missing = [line for unit, total in stage.cost.items() for line in gaps(total, unit)]
            costs = tuple(cost(stage.cost.get(unit), unit) for unit in COST_UNITS)
            rows.append(CostRow(route.name, stage.stage, figures.count(stage.attempts), costs, tuple(missing), False))
        if len(route.by_stage) != 1:
            missing = [line for unit, total in route.cost.items() for line in gaps(total, unit)]
            costs = tuple(cost(route.cost.get(unit), unit) for unit in COST_UNITS)
            rows.append(CostRow(route.name, "all stages", "", costs, () if route.by_stage else tuple(missing), True))
    return tuple(rows)


def judge_cards(decision: StudentDecision) -> tuple[JudgeCard, ...]:
    """Return a card for each judge and pair of routes."""
    audits = decision.judges or ((decision.judge,) if decision.judge else ())
    return tuple(judge_card(audit) for audit in audits)


def judge_card(audit: JudgeAudit) -> JudgeCard:
    """Return what one judge said, first how far it may be trusted."""
    heads = (audit.first, "tie", audit.second, "unreadable")
    return JudgeCard(
        judge=audit.judge,
        first=audit.first,
        second=audit.second,
        gate=GATES.get(audit.gate, audit.gate),
        usable=audit.gate == "usable",
        facts=tuple((name, text) for name, text in judge_facts(audit) if text),
        order_heads=heads,
        orders=tuple(
            OrderRow(order, tuple(figures.count(counts.get(head, 0)) for head in heads))
            for order, counts in audit.orders.items()
        ),
        parts=judge_parts(audit),
        tasks=audit.tasks,
    )


def judge_parts(audit: JudgeAudit) -> tuple[tuple[str, int], ...]:
    """Return the parts of the head-to-head bar, left to right."""
    return (
        (f"{audit.first} in both orders", audit.wins.get(audit.first, 0)),
        (f"{audit.first} in one order, a tie in the other", audit.once.get(audit.first, 0)),
        ("tie in both orders", audit.ties),
        ("another winner in each order", audit.flips),
        (f"{audit.second} in one order, a tie in the other", audit.once.get(audit.second, 0)),
        (f"{audit.second} in both orders", audit.wins.get(audit.second, 0)),
    )


def judge_facts(audit: JudgeAudit) -> list[tuple[str, str]]:
    """Return what is known of a judge as pairs of a name and a text; an empty text is not shown."""
    first, second = audit.win_rate.get(audit.first), audit.win_rate.get(audit.second)
    rates = f"{audit.first} {figures.percent(first)}, {audit.second} {figures.percent(second)}"
    return [
        ("verdicts on", f"{figures.plural(audit.tasks, 'task')} in both orders, {audit.unreadable} unreadable"),
        (
            "flip rate",
            f"{figures.percent(audit.flip_rate)} ({share_range(audit.flip_low, audit.flip_high)})"
            f"; {figures.plural(audit.half_changes, 'half change')}",
        ),
        (
            "place",
            f"of {figures.plural(audit.flips, 'flip')} {audit.first_place_wins} went to the answer shown first, "
            f"{audit.second_place_wins} to the one shown second"
            + (f" ({figures.p_phrase(audit.position_p)})" if audit.position_p is not None else ""),
        ),
        (
            "win rate, ties half",
            rates
            + (f" ({audit.second}: {share_range(audit.win_low, audit.win_high)})" if audit.win_low is not None else "")
            + (f", {figures.p_phrase(audit.p_value)}" if audit.p_value is not None else ""),
        ),
        (
            "length",
            f"the longer answer won {audit.longer_wins} of {audit.longer_of} times"
            if audit.longer_wins is not None and audit.longer_of
            else "",
        ),
        (
            "win rate at equal length",
            f"{audit.second} {figures.percent(audit.length_controlled)}" if audit.length_controlled is not None else "",
        ),
        ("on length", audit.length_note or ""),
        ("agreement between orders", f"κ = {audit.kappa:.2f}" if audit.kappa is not None else ""),
        (
            "agreement with itself",
            f"{figures.percent(audit.self_agreement)} over {figures.plural(audit.repeats, 'repeat')}"
            if audit.self_agreement is not None
            else "",
        ),
        ("family", audit.family_note or ""),
    ]


def only_one(decision: StudentDecision) -> tuple[OnlyOne, ...]:
    """Return the tasks that at least one route solved and at least one did not, with the answers."""
    return tuple(split_task(task) for task in decision.tasks if len(set(task.passed.values())) > 1)


def split_task(task: TaskOutcome) -> OnlyOne:
    """Return one such task."""
    solved = [route for route, passed in task.passed.items() if passed]
    answers = tuple((route, passed, task.responses.get(route) or "") for route, passed in task.passed.items())
    return OnlyOne(task.id, task.prompt or "", ", ".join(solved), answers)


def trade_rows(decision: StudentDecision) -> tuple[str, ...]:
    """Return each trade of cost for quality as a sentence."""
    return tuple(trade(item) for item in decision.trades)


def trade(item: Trade) -> str:
    """Return what going from the cheap to the dear route buys."""
    word = UNIT_WORDS.get(item.unit, item.unit)
    extra = amount(item.extra_cost, item.unit)
    if item.extra_passed is None or item.extra_cost is None:
        return f"{word}: not known for both routes"
    text = f"{word}: {item.dear} costs {extra} more than {item.cheap}"
    if item.extra_passed <= 0:
        return f"{text} and solves no more ({figures.minus(str(item.extra_passed))})."
    text += f" and solves {item.extra_passed} more"
    if item.per_passed is not None:
        text += f": {amount(item.per_passed, item.unit)} for one more solved task"
    if item.break_even is not None:
        text += f"; even after {figures.quantity(item.break_even)} uses"
    return f"{text}."


def worst_first(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return findings, errors before warnings before notes."""
    order = {"error": 0, "warning": 1, "note": 2}
    return tuple(sorted(findings, key=lambda finding: order.get(finding.severity, 3)))
