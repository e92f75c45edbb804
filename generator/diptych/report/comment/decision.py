"""What a comment says of a student decision: which one to keep, by which steps, at what cost, what would turn it."""

from collections.abc import Sequence

from diptych import numbers
from diptych.decision import COST_UNITS, CostTotal, JudgeAudit, PairedChecks, Route, StudentDecision
from diptych.report.addresses import title_of
from diptych.report.comment.budget import Block
from diptych.report.comment.words import NO_BREAK, Section, bar, excerpt, findings_blocks, row, running, table_head
from diptych.report.writers.markdown import cell, code_html, shorten

SIGNS = {"route": "✔", "equal_choose_on_cost": "≈", "cannot_tell": "?", "neither": "✕"}
WORDS = {
    "route": "keep",
    "equal_choose_on_cost": "equal on checks, so cost decides",
    "cannot_tell": "cannot tell which to keep",
    "neither": "keep neither",
}
EXCERPTS = 4


def section(decision: StudentDecision) -> Section:
    """Return what a decision has to say, as parts of a comment."""
    verdict = decision.verdict
    sign, word = SIGNS.get(verdict.kind, "?"), WORDS.get(verdict.kind, "no known verdict")
    if "trade_off" in verdict.flags:
        word = "trade-off, no pick"
    kept = f"Keep {cell(verdict.route, 60)}" if verdict.route else ""
    on_cost = " on cost" if verdict.kind == "equal_choose_on_cost" else ""
    heading = f"### {sign} {kept}{on_cost}" if kept else f"### {sign} {word[0].upper()}{word[1:]}"
    return Section(
        sign=sign,
        word=word,
        name=cell(title_of(decision), 80),
        title=code_html(shorten(title_of(decision), 80)),
        cause="–",
        worst=cell(verdict.route, 60) if verdict.route else "–",
        changed=True,
        intro=(heading, running(verdict.sentence, 1_000)),
        blocks=blocks(decision),
        closing=(),
        left_out=tuple(f"{entry.what} ({numbers.count(entry.count_)})" for entry in decision.left_out),
    )


def blocks(decision: StudentDecision) -> tuple[Block, ...]:
    """Return the parts after the verdict."""
    verdict = decision.verdict
    rule = tuple(f"{number}. {running(step)}" for number, step in enumerate(verdict.rule, 1))
    turns = tuple(f"- {running(text)}" for text in verdict.would_change)
    return (
        routes_block(decision),
        *findings_blocks(decision.findings),
        Block("better", "things that would change it", turns, title="**What would change it**"),
        Block("worse", "steps of the rule", rule, title=f"The rule, step by step ({len(rule)})", fold=True, least=6),
        *paired_blocks(decision),
        *judge_blocks(decision.judges or ((decision.judge,) if decision.judge else ())),
        checks_block(decision),
        costs_block(decision),
        tasks_block(decision),
    )


def routes_block(decision: StudentDecision) -> Block:
    """Return the routes side by side: checks passed, and what each cost."""
    used = [unit for unit in COST_UNITS if any(route.cost.get(unit) for route in decision.routes)]
    head = table_head("Student", ":Passed", *(f":{numbers.UNITS.get(unit, unit)}" for unit in used))
    return Block(
        "worse",
        "routes",
        tuple(route_row(route, used) for route in decision.routes),
        head=head,
        least=10,
    )


def route_row(route: Route, used: Sequence[str]) -> str:
    """Return one route as a table row."""
    share = route.passed / route.total if route.total else None
    costs = (cost_text(route.cost.get(unit), unit) for unit in used)
    passed = numbers.count_of(route.passed, route.total).replace(" ", NO_BREAK)
    name = f"{cell(route.name, 60)}<br>{cell(route.model, 60)}" if route.model else cell(route.name, 60)
    return row(name, f"{passed}<br>{bar(share)}", *costs)


def cost_text(total: CostTotal | None, unit: str) -> str:
    """Return a cost, and where it is incomplete over how many records it is."""
    if total is None or total.total is None:
        return "not measured"
    text = numbers.duration(total.total) if unit == "seconds" else numbers.quantity(total.total)
    notes = [] if total.whole else [f"{numbers.count_of(total.measured, total.records)} records"]
    notes += [total.kind] if total.kind in ("estimated", "mixed") else []
    text = text.replace(" ", NO_BREAK)
    return f"{text}<br>({', '.join(notes)})" if notes else text


def paired_blocks(decision: StudentDecision) -> tuple[Block, ...]:
    """Return the paired table of each two routes, folded."""
    paired = decision.paired
    if paired is None:
        return ()
    pairs: tuple[PairedChecks, ...] = (paired,) if isinstance(paired, PairedChecks) else paired
    rows = tuple(
        row(
            f"{cell(pair.first, 40)} against {cell(pair.second, 40)}",
            *(
                numbers.count(value)
                for value in (pair.tasks, pair.both, pair.only_first, pair.only_second, pair.neither)
            ),
            numbers.between(pair.low, pair.high, True),
            numbers.p_value(pair.p_adjusted if pair.p_adjusted is not None else pair.p_value),
        )
        for pair in pairs
    )
    head = table_head("Pair", ":Tasks", ":Both", ":Only first", ":Only second", ":Neither", "95 % CI", ":p")
    return (Block("detail", "pairs", rows, title="Checks on the tasks that both answered", fold=True, head=head),)


def judge_blocks(judges: Sequence[JudgeAudit]) -> tuple[Block, ...]:
    """Return what each judge said in both orders, and how often it contradicted itself, folded."""
    rows = tuple(
        row(
            cell(judge.judge, 60),
            f"{cell(judge.first, 40)} against {cell(judge.second, 40)}",
            numbers.count(judge.tasks),
            f"{numbers.count(judge.wins.get(judge.first, 0))} to {numbers.count(judge.wins.get(judge.second, 0))}",
            numbers.count(judge.ties),
            f"{numbers.count(judge.flips)} ({numbers.percent(judge.flip_rate)})",
            numbers.count(judge.unreadable),
            running(judge.gate.replace("_", " ")),
        )
        for judge in judges
    )
    head = table_head(
        "Judge", "Pair", ":Tasks", ":Won in both orders", ":Ties", ":Contradicted itself", ":Unreadable", "May it speak"
    )
    return (Block("detail", "judges", rows, title=f"Judges ({len(rows)})", fold=True, head=head),)


def checks_block(decision: StudentDecision) -> Block:
    """Return checks passed by kind, folded."""
    kinds = list(dict.fromkeys(check.kind for route in decision.routes for check in route.checks))
    rows = []
    for kind in kinds:
        found = [next((check for check in route.checks if check.kind == kind), None) for route in decision.routes]
        rows.append(row(cell(kind, 40), *(numbers.count_of(one.passed, one.total) if one else "–" for one in found)))
    head = table_head("Check", *(f":{cell(route.name, 40)}" for route in decision.routes))
    return Block("detail", "kinds of check", tuple(rows), title=f"Checks by kind ({len(rows)})", fold=True, head=head)


def costs_block(decision: StudentDecision) -> Block:
    """Return costs by stage, folded."""
    rows = tuple(
        row(
            cell(route.name, 40),
            cell(stage.stage, 40),
            numbers.count(stage.attempts),
            *(cost_text(stage.cost.get(unit), unit) for unit in COST_UNITS),
        )
        for route in decision.routes
        for stage in route.by_stage
    )
    head = table_head("Route", "Stage", ":Attempts", *(f":{numbers.UNITS.get(unit, unit)}" for unit in COST_UNITS))
    return Block("detail", "stages", rows, title=f"Costs by stage ({len(rows)})", fold=True, head=head)


def tasks_block(decision: StudentDecision) -> Block:
    """Return a few tasks that only one route solved, with what each answered."""
    split = [task for task in decision.tasks if {True, False} <= set(task.passed.values())]
    shown = []
    for task in split[:EXCERPTS]:
        lines = [f"Task {cell(task.id, 60)}"]
        if task.prompt is not None:
            lines.append(excerpt(task.prompt))
        for name, passed in task.passed.items():
            answer = task.responses.get(name)
            said = excerpt(answer) if answer is not None else "(no text)"
            outcome = "gave no answer" if passed is None else "passed" if passed else "did not pass"
            lines.append(f"{cell(name, 40)} {outcome}\n\n{said}")
        shown.append("\n\n".join(lines))
    title = f"Tasks that not all routes solve ({len(shown)} of {len(split)} shown)"
    return Block("excerpts", "sample excerpts", tuple(shown), title=title, fold=True, total=len(split), apart=True)
