"""One student as a decision shows it: its tasks, its checks by kind, what it cost to make and to answer."""

import math
from collections.abc import Sequence

from diptych.decision import Check, Money, Route, TaskOutcome
from diptych.stats.paired import wilson
from diptych.students.collect.student_results import Results
from diptych.students.cost.prices import Prices
from diptych.students.cost.totals import RouteCost
from diptych.students.decide.paired_tasks import Shared


def same_file(routes: Sequence[Results]) -> tuple[str, ...]:
    """Return the routes that one and the same results file stands for."""
    hashes = [route.input.sha256 for route in routes]
    return tuple(route.name for route in routes if hashes.count(route.input.sha256) > 1)


def route_noun(
    results: Results, shared: Shared, cost: RouteCost, money: tuple[Money, tuple[Money, ...]], prices: Prices
) -> Route:
    """Return one route as a decision shows it: checks over the shared tasks, costs, money."""
    rows = [row for task in shared.all if (row := results.rows.get(task)) is not None]
    passed, total = sum(row.passed for row in rows), len(shared.all)
    unanswered = total - len(rows)
    low = wilson(passed, total, 0.95)[0] if total else None
    high = wilson(passed + unanswered, total, 0.95)[1] if total else None
    counts: dict[str, list[int]] = {}
    for kind, ok in (detail for row in rows for detail in row.details):
        tally = counts.setdefault(kind, [0, 0])
        tally[0] += ok
        tally[1] += 1
    per_passed: dict[str, float | None] = {
        unit: amount.total / passed if amount.whole and amount.total is not None and passed else None
        for unit, amount in cost.cost.items()
    }
    own, every = money
    if own.amount is not None:
        per_passed["money"] = own.amount / passed if passed else None
    return Route(
        name=results.name,
        model=results.model,
        passed=passed,
        total=total,
        stages=cost.stages,
        cost=cost.cost,
        cost_per_passed=per_passed,
        by_stage=cost.by_stage,
        checks=tuple(Check(kind, ok, of) for kind, (ok, of) in sorted(counts.items())),
        money=own.amount,
        money_basis=own.basis or None,
        currency=prices.currency or None if every else None,
        low=low,
        high=high,
        answering=answering(results),
        metadata={
            **results.metadata,
            "passed_of_all": sum(row.passed for row in results.rows.values()),
            "answered": len(results.rows),
            "failed": len(results.failed),
        },
        unanswered=unanswered,
        money_by_basis=every,
        other_costs=cost.other,
    )


def answering(results: Results) -> dict[str, float | None]:
    """Return what one answer takes on average by unit, over the answers that recorded it, with their count and sum."""
    means: dict[str, float | None] = {}
    rows = tuple(results.rows.values())
    measured = {
        "prompt_tokens": [row.prompt_tokens for row in rows if row.prompt_tokens is not None],
        "completion_tokens": [row.completion_tokens for row in rows if row.completion_tokens is not None],
        "seconds": [row.seconds for row in rows if row.seconds is not None],
    }
    for unit, values in measured.items():
        total = math.fsum(values)
        means[unit] = total / len(values) if values else None
        means[f"{unit}_measured"] = len(values)
        means[f"{unit}_sum"] = total if values else None
    return means


def outcomes_by_route(routes: Sequence[Results], shared: Shared) -> tuple[TaskOutcome, ...]:
    """Return every shared task with what each route made of it; None where it gave no answer."""
    found = []
    for task in shared.all:
        rows = {route.name: route.rows.get(task) for route in routes}
        found.append(
            TaskOutcome(
                task,
                {name: None if row is None else row.passed for name, row in rows.items()},
                next((row.prompt for row in rows.values() if row is not None and row.prompt is not None), None),
                {name: None if row is None else row.response for name, row in rows.items()},
            )
        )
    return tuple(found)
