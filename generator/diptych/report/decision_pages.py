"""The page of a student decision: the answer, its rule, and all evidence on one page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from diptych import numbers
from diptych.decision import CostPlot, ExternalStep, JudgeAudit, StudentDecision
from diptych.report.addresses import slug, title_of
from diptych.report.artifact_parts import Place, finding_rows, left_out_rows, provenance_rows
from diptych.report.charts import decision as decision_charts
from diptych.report.documents import decision as views
from diptych.report.documents import decision_costs as spent
from diptych.report.documents.judge import FACT_METHODS, JudgeCard, OrderRow, judge_cards
from diptych.report.writers.environment import html_page
from diptych.report.writers.harmless import visible

if TYPE_CHECKING:
    from markupsafe import Markup

TASKS, ANSWERS = 1_000, 200
"""Tasks in the grid, and how many of them open to prompt and answers; artifact.json holds all."""
CAVEATS = 6
"""Caveats in the box; the others stand among the findings."""
QUESTION = 110
"""Characters of a question in its line of the grid."""

OUTCOMES = {True: ("✓", "passed"), False: ("✗", "failed"), None: ("–", "unanswered")}

TONES = {"route": "better", "equal_choose_on_cost": "better", "cannot_tell": "unclear", "neither": "worse"}

UNITS = {
    "prompt_tokens": "Tokens in",
    "completion_tokens": "Tokens out",
    "seconds": "Time",
    "watt_hours": "Energy",
}


class Case(NamedTuple):
    """One task on which a judge contradicted itself."""

    task: str
    first: str
    second: str
    raw_first: str
    raw_second: str


class CardView(NamedTuple):
    """A judge's card with its bar and a few of its contradictions."""

    judge: str
    first: str
    second: str
    gate: str
    chart: "Markup | None"
    caption: str
    facts: tuple[tuple[str, str], ...]
    order_heads: tuple[str, ...]
    orders: tuple[OrderRow, ...]
    cases: tuple[Case, ...]


class TaskView(NamedTuple):
    """A task of the grid: a sign a student, and where it opens its prompt and answers."""

    id: str
    anchor: str
    word: str
    question: str
    signs: tuple[tuple[str, str], ...]
    prompt: str
    answers: tuple[tuple[str, str, str, str], ...]


class ExternalView(NamedTuple):
    """One call of an external harness."""

    step: str
    command: str
    end: str
    output: str
    records: tuple[str, ...]


class PlotView(NamedTuple):
    """Cost against quality in one unit."""

    unit: str
    chart: "Markup | None"
    caption: str


def decision_page(decision: StudentDecision, place: Place) -> str:
    """Return the whole page of a decision."""
    word, sign = views.verdict_word(decision)
    costs = spent.cost_rows(decision)
    grid = views.grid_rows(decision)
    main = spent.main_plot(decision)
    caveats = decision.verdict.caveats
    return html_page(
        "decision.html.j2",
        frame=place.frame,
        title=title_of(decision),
        tone=TONES.get(decision.verdict.kind, "void"),
        sign=sign,
        word=word,
        sentence=decision.verdict.sentence,
        caveats=caveats[:CAVEATS],
        more_caveats=len(caveats[CAVEATS:]),
        rule=decision.verdict.rule,
        would_change=decision.verdict.would_change,
        units=tuple(UNITS.values()),
        routes=views.route_rows(decision),
        money=any(route.money is not None for route in decision.routes),
        pairs=views.pair_rows(decision),
        kinds=views.kind_rows(decision),
        judges=judges(decision),
        fact_methods=FACT_METHODS,
        agreement=agreement(decision),
        costs=costs,
        lower=any(text.startswith("≥") for row in costs for text in row.costs),
        gaps=[f"{row.route}, {row.stage}: {gap}" for row in costs for gap in row.gaps],
        solved_costs=solved_costs(decision),
        trades=spent.trade_rows(decision),
        plots=sorted(plots(decision), key=lambda plot: plot.unit != main),
        answering=spent.answering_rows(decision),
        money_bases=spent.money_bases(decision),
        money_rows=spent.money_rows(decision),
        students=[route.name for route in decision.routes],
        tasks=[task_view(task, place < ANSWERS) for place, task in enumerate(grid[:TASKS])],
        outcomes=[(row, views.outcome_word(row)) for row in dict.fromkeys(row.outcome for row in grid)],
        tasks_note=tasks_note(grid),
        external=[external_view(step) for step in decision.external],
        findings=finding_rows(decision.findings),
        left_out=left_out_rows(decision.left_out),
        provenance=[*provenance_rows(decision, place.digest), ("sha256 of the tasks", decision.tasks_sha256 or "–")],
    )


def judges(decision: StudentDecision) -> list[CardView]:
    """Return a card for each judge and pair."""
    both = zip(audits(decision), judge_cards(decision), strict=True)
    return [card_view(audit, card, number) for number, (audit, card) in enumerate(both, 1)]


def external_view(step: ExternalStep) -> ExternalView:
    """Return one call of an external harness, with what it printed and what it wrote to the notebook."""
    end = "did not end" if step.exit_code is None else f"exit code {step.exit_code}"
    return ExternalView(step.step, step.command, end, step.output, tuple(numbers.value(row) for row in step.records))


def audits(decision: StudentDecision) -> tuple[JudgeAudit, ...]:
    """Return the audits that have a card, in its order."""
    return decision.judges or ((decision.judge,) if decision.judge else ())


def card_view(audit: JudgeAudit, card: JudgeCard, number: int) -> CardView:
    """Return a judge's card."""
    shown = [f"{name}: {count}" for name, count in card.parts]
    return CardView(
        judge=card.judge,
        first=card.first,
        second=card.second,
        gate=card.gate,
        chart=decision_charts.judge_bar(audit, key=f"judge-{number}"),
        caption="; ".join(shown) + ". Hatched parts changed with the order of the answers.",
        facts=card.facts,
        order_heads=card.order_heads,
        orders=card.orders,
        cases=tuple(
            Case(
                case.task,
                case.first_order or "a tie",
                case.second_order or "a tie",
                visible(case.raw_first or ""),
                visible(case.raw_second or ""),
            )
            for case in audit.disagreements[:3]
        ),
    )


def agreement(decision: StudentDecision) -> list[str]:
    """Return how far several judges agree."""
    return [
        f"{', '.join(row.judges)} agree at {row.value:.2f} ({row.method}) over {numbers.counted(row.tasks, 'task')}."
        for row in decision.agreement
        if row.value is not None
    ]


def solved_costs(decision: StudentDecision) -> list[tuple[str, tuple[str, ...]]]:
    """Return what one solved task cost on each route, where anything is known."""
    rows = [(route.name, spent.per_passed(route)) for route in decision.routes]
    known = any(text != numbers.NOT_AVAILABLE for _, texts in rows for text in texts)
    return rows if known else []


def plots(decision: StudentDecision) -> list[PlotView]:
    """Return a plot for each unit, with the range of each route's checks."""
    ranges = {
        route.name: (route.low, route.high)
        for route in decision.routes
        if route.low is not None and route.high is not None
    }
    return [plot_view(plot, ranges) for plot in decision.plots]


def plot_view(plot: CostPlot, ranges: Mapping[str, tuple[float, float]]) -> PlotView:
    """Return one plot; routes that could not be placed are named with the reason."""
    word = spent.UNIT_WORDS.get(plot.unit, plot.unit)
    texts = [f"Checks passed against {word}."]
    if any(not point.measured for point in plot.points):
        texts.append("A hollow point lacks a part of its cost.")
    if any(point.on_frontier for point in plot.points):
        texts.append("The line joins routes that no other beats in both.")
    texts += [f"{route} is not placed: {why}." for route, why in plot.not_placed]
    return PlotView(plot.unit, decision_charts.cost_quality(plot, ranges), " ".join(texts))


def task_view(task: views.GridRow, opens: bool) -> TaskView:
    """Return one task of the grid, with prompt and answers where it opens."""
    question = visible(task.question)
    return TaskView(
        id=task.id,
        anchor=f"task-{slug(task.id)}",
        word=task.outcome,
        question=question if len(question) <= QUESTION else f"{question[:QUESTION].rstrip()} …",
        signs=tuple(OUTCOMES[passed] for _, passed in task.passed),
        prompt=visible(task.prompt) if opens else "",
        answers=tuple((route, *OUTCOMES[passed], visible(text)) for route, passed, text in task.answers)
        if opens
        else (),
    )


def tasks_note(grid: tuple[views.GridRow, ...]) -> str:
    """Return how many tasks there are of each outcome, and how many are shown."""
    counts: dict[str, int] = {}
    for row in grid:
        counts[row.outcome] = counts.get(row.outcome, 0) + 1
    told = [f"{numbers.count(number)} {views.outcome_word(outcome)}" for outcome, number in counts.items()]
    text = f"{numbers.counted(len(grid), 'task')}: {', '.join(told)}."
    if len(grid) > TASKS:
        text += f" The first {TASKS:,} are listed; artifact.json holds all."
    return text + (f" The first {ANSWERS} open to their answers." if len(grid) > ANSWERS else "")
