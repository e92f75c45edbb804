"""What students cost, in words: by stage with every gap, their own answers as measured, money by basis, the trades."""

import math
from collections.abc import Callable
from typing import NamedTuple

from diptych import numbers
from diptych.decision import COST_UNITS, CostPlot, CostTotal, Route, StudentDecision, Trade

UNIT_WORDS = {
    "prompt_tokens": "tokens in",
    "completion_tokens": "tokens out",
    "seconds": "time",
    "watt_hours": "energy",
    "money": "money",
}


class CostRow(NamedTuple):
    """The cost of one stage of a route, or of all of it; `gaps` names what is missing in it."""

    route: str
    stage: str
    attempts: str
    costs: tuple[str, ...]
    gaps: tuple[str, ...]
    total: bool


class AnsweringRow(NamedTuple):
    """What a student's own answers took: how many were measured, and by unit the sum with the mean an answer."""

    route: str
    measured: str
    cells: tuple[str, ...]


class MoneyRow(NamedTuple):
    """A student's cost in money on every basis that has a price; the one that the decision took is marked."""

    route: str
    cells: tuple[str, ...]


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


def money(value: float | None, currency: str | None) -> str:
    """Return an amount of money, two digits after the point."""
    return numbers.NOT_AVAILABLE if value is None else f"{value:,.2f} {currency or ''}".strip()


def per_passed(route: Route) -> tuple[str, ...]:
    """Return what one passed check cost, by unit; nothing where the total has gaps."""
    return tuple(
        numbers.NOT_AVAILABLE if route.cost_per_passed.get(unit) is None else amount(route.cost_per_passed[unit], unit)
        for unit in COST_UNITS
    )


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
