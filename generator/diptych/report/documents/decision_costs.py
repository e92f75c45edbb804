"""What students cost: their own answers, making them stage by stage with every gap, money, and cost against quality."""

import math
from collections.abc import Mapping

from diptych import numbers, value_text
from diptych.decision import COST_UNITS, CostPlot, CostTotal, Route, StudentDecision, Trade
from diptych.report.blocks import (
    IN_COMMENT,
    IN_FULL,
    Block,
    Cell,
    Column,
    Entry,
    Folded,
    Line,
    Listing,
    Name,
    Picture,
    Row,
    Section,
    Table,
)
from diptych.report.charts.decision import cost_quality

UNIT_TITLES: Mapping[str, str] = {
    "prompt_tokens": "Tokens in",
    "completion_tokens": "Tokens out",
    "seconds": "Time",
    "watt_hours": "Energy",
    "money": "Money",
}
FOLDED = IN_COMMENT
ANSWERING_UNITS = ("prompt_tokens", "completion_tokens", "seconds")


# The students' own answers.


def answering_section(decision: StudentDecision) -> Section:
    """Return what the students' own answers took, as far as their results files measured it."""
    measured = [(route, counts) for route in decision.routes if any(counts := measured_counts(route))]
    columns = (
        Column("Student"),
        Column("Measured on", leaves=1),
        *(Column(UNIT_TITLES[unit], right=True) for unit in ANSWERING_UNITS),
    )
    rows = tuple(
        Row(
            (
                (Name(route.name),),
                (measured_on(counts),),
                *((answering_text(route, unit),) for unit in ANSWERING_UNITS),
            )
        )
        for route, counts in measured
    )
    note = "Measured on the students' own answers to these tasks; sum, and mean an answer."
    blocks = (Table(columns, rows, "students", note=note),) if rows else ()
    return Section("answering", "Answering cost", blocks, places=IN_FULL, folded=FOLDED)


def measured_counts(route: Route) -> list[int]:
    """Return how many answers recorded each unit."""
    return [int(route.answering.get(f"{unit}_measured") or 0) for unit in ANSWERING_UNITS]


def measured_on(counts: list[int]) -> str:
    """Return over how many answers costs were measured."""
    low, high = min(counts), max(counts)
    return numbers.counted(high, "answer") if low == high else f"{low} to {numbers.counted(high, 'answer')}"


def answering_text(route: Route, unit: str) -> str:
    """Return a student's answering cost in one unit: the sum, and the mean an answer."""
    mean, total = route.answering.get(unit), route.answering.get(f"{unit}_sum")
    if mean is None:
        return "not measured"
    each = numbers.duration(mean) if unit == "seconds" else f"{mean:,.1f}"
    return f"{amount_with_unit(total, unit)} ({each} each)" if total is not None else f"{each} each"


# Making them.


def cost_section(decision: StudentDecision) -> Section:
    """Return the cost of making each student by stage, closed by its total, with what is missing and unusable named."""
    if not any(route.by_stage for route in decision.routes):
        return Section("costs", "Cost by stage", ())
    columns = (
        Column("Student"),
        Column("Stage"),
        Column("Attempts", right=True, leaves=3),
        *(Column(UNIT_TITLES[unit], right=True, leaves=2 if unit.endswith("tokens") else 0) for unit in COST_UNITS),
    )
    rows = tuple(row for route in decision.routes for row in stage_rows(route))
    lower = any(text.startswith("≥") for row in rows for cell in row.cells if isinstance(text := cell[0], str))
    note = "≥: at least so much, since a part was not measured." if lower else ""
    lacking = gap_lines(decision)
    blocks: list[Block] = [Table(columns, rows, "stages", note=note)]
    blocks += [Listing(tuple(map(Entry, lacking)), "gaps in the costs")] if lacking else []
    each = passed_table(decision)
    blocks += [Folded(("For one passed task",), (each,))] if each else []
    return Section("costs", "Cost by stage", tuple(blocks), places=IN_FULL, folded=FOLDED)


def stage_rows(route: Route) -> list[Row]:
    """Return the stages of one student, and where there are several its total."""
    rows = [stage_row(route, stage.stage, numbers.count(stage.attempts), stage.cost) for stage in route.by_stage]
    return rows if len(rows) == 1 else [*rows, stage_row(route, "all stages", "", route.cost)]


def stage_row(route: Route, stage: str, attempts: str, cost: Mapping[str, CostTotal]) -> Row:
    """Return one stage's costs."""
    costs: tuple[Cell, ...] = tuple((cost_text(cost.get(unit), unit),) for unit in COST_UNITS)
    return Row(((Name(route.name),), (Name(stage),), (attempts,), *costs))


def gap_lines(decision: StudentDecision) -> list[Line]:
    """Return what the costs lack: a unit that nobody measured once, else student by student and stage by stage."""
    lines: list[Line] = []
    for unit in COST_UNITS:
        parts = [(route, stage, total) for route in decision.routes for stage, total in stage_totals(route, unit)]
        if any(total.measured or total.unusable for _, _, total in parts):
            lines += [(f"{route.name}, {stage}: {gap}",) for route, stage, total in parts for gap in gaps(total, unit)]
        elif parts:
            lines.append((f"{UNIT_TITLES[unit]}: not measured in any record.",))
    return lines


def stage_totals(route: Route, unit: str) -> list[tuple[str, CostTotal]]:
    """Return a student's total in one unit by stage, or over all where no stage is known."""
    parts = [(stage.stage, stage.cost) for stage in route.by_stage] or [("all stages", route.cost)]
    return [(name, cost[unit]) for name, cost in parts if unit in cost]


def gaps(total: CostTotal, unit: str) -> list[str]:
    """Return what a total lacks, a sentence each."""
    word = UNIT_TITLES[unit].lower()
    found = []
    if total.measured < total.records:
        names = f" (missing: {', '.join(total.missing)})" if total.missing else ""
        found.append(f"{word}: measured in {total.measured} of {numbers.counted(total.records, 'record')}{names}")
    for bad in total.unusable:
        found.append(f"{word}: {value_text.value(bad.value)} in {bad.record} left out, {bad.why}")
    return found


def passed_table(decision: StudentDecision) -> Table | None:
    """Return what one passed task cost each student, where anything is known; a dash where the total has gaps."""
    rows = []
    for route in decision.routes:
        known = [(unit, route.cost_per_passed.get(unit)) for unit in COST_UNITS]
        cells = ((amount_with_unit(cost, unit) if cost is not None else numbers.NOT_AVAILABLE,) for unit, cost in known)
        rows.append(Row(((Name(route.name),), *cells)))
    if all(cell == (numbers.NOT_AVAILABLE,) for row in rows for cell in row.cells[1:]):
        return None
    columns = (Column("Student"), *(Column(UNIT_TITLES[unit], right=True) for unit in COST_UNITS))
    return Table(columns, tuple(rows), "students")


def cost_text(total: CostTotal | None, unit: str) -> str:
    """Return a total in words; one that lacks a part is a lower bound and says so, a reckoned one as well."""
    if total is None or total.total is None:
        return "mixed" if total is not None and total.kind == "mixed" else "not measured"
    text = amount_with_unit(total.total, unit) + (" (estimated)" if total.kind == "estimated" else "")
    return text if total.whole else f"≥ {text}"


def amount_with_unit(value: float | None, unit: str, currency: str | None = None) -> str:
    """Return a quantity with the unit that its kind needs, money with its currency."""
    return numbers.money(value, currency) if unit == "money" else numbers.cost(value, unit)


# Money.


def money_section(decision: StudentDecision) -> Section:
    """Return each student's money on every basis that has a price, the one that the decision took marked."""
    bases = [one.basis for one in decision.routes[0].money_by_basis] if decision.routes else []
    rows = tuple(Row(((Name(route.name),), *money_cells(route))) for route in decision.routes)
    columns = (Column("Student"), *(Column(f"By {basis}", right=True) for basis in bases))
    told = f"In {decision.currency}. " if decision.currency else ""
    note = f"{told}Bases overlap and are never added." if len(bases) > 1 else told.strip()
    blocks = (Table(columns, rows, "students", note=note),) if bases else ()
    return Section("money", "Money", blocks, places=IN_FULL, folded=FOLDED)


def money_cells(route: Route) -> list[Line]:
    """Return a student's money basis by basis; where there is none, why."""
    cells: list[Line] = []
    for one in route.money_by_basis:
        taken = " (taken)" if one.basis == route.money_basis and route.money is not None else ""
        text = numbers.money(one.amount, route.currency) if one.amount is not None else f"none: {one.why}"
        cells.append((text + taken,))
    return cells


# Cost and quality.


def quality_section(decision: StudentDecision) -> Section:
    """Return what more quality costs in sentences, and one plot with the chosen unit, the others folded."""
    entries = tuple(Entry((trade_text(item, decision.currency),)) for item in decision.trades)
    blocks: list[Block] = [Listing(entries, "trades")] if entries else []
    ranges = {
        route.name: (route.low, route.high)
        for route in decision.routes
        if route.low is not None and route.high is not None
    }
    ranked = sorted(decision.plots, key=plot_weight)
    worth = [plot for plot in ranked if len({point.cost for point in plot.points}) > 1]
    if ranked and not worth:
        blocks.append((no_plot_text(ranked[0]),))
    label = money_label(decision)
    pictures = [plot_picture(plot, ranges, label if plot.unit == "money" else "") for plot in worth]
    blocks += pictures[:1]
    if others := pictures[1:]:
        blocks.append(Folded((f"The same in other units ({len(others)})",), tuple(others)))
    return Section("quality", "Cost and quality", tuple(blocks), places=IN_FULL, folded=FOLDED)


def no_plot_text(plot: CostPlot) -> str:
    """Return why there is no plot: a cost that sets students apart is not known of two of them."""
    word = UNIT_TITLES.get(plot.unit, plot.unit).lower()
    gone = "; ".join(f"{route}: {why}" for route, why in plot.not_placed)
    return f"No plot: no cost that is known in full sets two students apart ({word}{': ' + gone if gone else ''})."


def plot_weight(plot: CostPlot) -> tuple[bool, bool, int]:
    """Return where a plot stands: money first, then a unit in which students differ and all are placed."""
    costs = {point.cost for point in plot.points}
    return (plot.unit != "money" or len(costs) < 2, len(costs) < 2, len(plot.not_placed))


def money_label(decision: StudentDecision) -> str:
    """Return money with its currency and the basis that it was reckoned on."""
    bases = sorted({route.money_basis for route in decision.routes if route.money is not None and route.money_basis})
    return f"{decision.currency or 'money'} by {', '.join(bases)}" if bases else ""


def plot_picture(plot: CostPlot, ranges: Mapping[str, tuple[float, float]], label: str) -> Picture:
    """Return one plot; students that could not be placed are named with the reason."""
    word = label or UNIT_TITLES.get(plot.unit, plot.unit).lower()
    texts = [f"Pass rate with its 95 % CI against {word}."]
    if any(not point.measured for point in plot.points):
        texts.append("A hollow point is estimated, not measured.")
    if sum(point.on_frontier for point in plot.points) > 1:
        texts.append("The line joins students that no other beats in both.")
    texts += [f"{route} is not placed: {why}." for route, why in plot.not_placed]
    return Picture(cost_quality(plot, ranges, label), (" ".join(texts),))


def trade_text(item: Trade, currency: str | None) -> str:
    """Return what going from the cheap to the dear student buys."""
    word = UNIT_TITLES.get(item.unit, item.unit)
    extra = amount_with_unit(item.extra_cost, item.unit, currency)
    if item.extra_passed is None or item.extra_cost is None:
        return f"{word}: not known for both students"
    more = f"{extra} more than" if item.extra_cost else "as much as"
    text = f"{word}: {item.dear} costs {more} {item.cheap}"
    if item.extra_passed <= 0:
        return f"{text} and passes no more ({numbers.minus(str(item.extra_passed))}){uses(item)}."
    text += f" and passes {item.extra_passed} more"
    if item.per_passed is not None:
        text += f": {amount_with_unit(item.per_passed, item.unit, currency)} for one more"
    return f"{text}{uses(item)}."


def uses(item: Trade) -> str:
    """Return on which side of how many answers which student is the cheaper one, answering counted in."""
    if item.break_even_case == "x_never_dearer":
        return f"; {item.cheap} stays the cheaper one however many answers it gives"
    if item.break_even is None or item.break_even_case not in ("x_cheaper_until", "x_cheaper_after"):
        return ""
    number = numbers.counted(math.ceil(item.break_even), "answer")
    who = item.dear if item.break_even_case == "x_cheaper_until" else item.cheap
    return f"; answering counted in, {who} is the cheaper one from {number} on"
