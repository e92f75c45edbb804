"""Costs from the notebook: what is measured, what is missing, what cannot be, and what may be compared."""

import json
from typing import Any

import pytest

from diptych.decision import COST_UNITS, CostTotal, Money
from diptych.errors import StudentsError
from diptych.labbook import Labbook, parse_labbook
from diptych.students.cost.prices import Prices, money_of, prices_of
from diptych.students.cost.totals import RouteCost, paying_stages, route_cost
from diptych.students.decide.decide import decide
from written_decisions import STAGES, costed, two


def book(*records: dict[str, Any]) -> Labbook:
    return parse_labbook("\n".join(json.dumps(record) for record in records))


def stage(name: str, run_id: Any = "20260101T000000", **cost: Any) -> dict[str, Any]:
    return {"stage": name, "run_id": run_id, "cost": cost}


def logit(*records: dict[str, Any], **options: Any) -> RouteCost:
    return route_cost("logit", ("train-logit",), book(*records), **options)


@pytest.mark.parametrize(
    ("unit", "value", "others", "why"),
    [
        ("seconds", -1, {}, "negative"),
        ("seconds", True, {}, "a boolean"),
        ("seconds", "12.5", {}, "text"),
        ("seconds", [1], {}, "a list"),
        ("seconds", {"s": 1}, {}, "an object"),
        ("seconds", float("nan"), {}, "not a finite number"),
        ("seconds", 1.7e9, {}, "more than ten years"),
        ("seconds", 0, {"completion_tokens": 40}, "0 s for 40 tokens"),
        ("prompt_tokens", 12.5, {}, "whole number"),
        ("completion_tokens", -3, {}, "negative"),
        ("watt_hours", -3.1, {"seconds": 6}, "negative"),
        ("watt_hours", 0.0, {"seconds": 420.0}, "0 Wh for 420 s of work"),
        ("watt_hours", 0, {}, "no time recorded"),
        ("watt_hours", 31_250.0, {"seconds": 660.0}, "another unit than watt-hours"),
        ("watt_hours", 0.03125, {"seconds": 660.0}, "another unit than watt-hours"),
        ("watt_hours", False, {"seconds": 1}, "a boolean"),
    ],
)
def test_a_value_that_cannot_be_is_named_and_left_out(unit: str, value: Any, others: dict[str, Any], why: str) -> None:
    good = {"seconds": 100.0, "watt_hours": 5.0, "prompt_tokens": 10, "completion_tokens": 20}
    total = logit(stage("train-logit", "r1", **{**others, unit: value}), stage("train-logit", "r2", **good)).cost[unit]
    assert (total.total, total.measured, total.records, total.whole) == (good[unit], 1, 2, False)
    assert total.unusable[0].record == "line 1 (train-logit r1)"
    assert why in total.unusable[0].why


@pytest.mark.parametrize("value", [0.05, 31.25, 2000.0])
def test_an_energy_that_a_machine_can_use_is_kept(value: float) -> None:
    assert logit(stage("train-logit", seconds=660.0 if value > 1 else 6.0, watt_hours=value)).cost["watt_hours"].whole


def test_a_cost_that_is_null_was_not_measured_and_the_total_says_which() -> None:
    cost = logit(
        stage("train-logit", "r1", seconds=5.0),
        stage("train-logit", "r2", seconds=None),
        {"stage": "train-logit", "run_id": "r3", "cost": None},
        {"stage": "train-logit", "run_id": "r4"},
    ).cost
    missing = ("line 2 (train-logit r2)", "line 3 (train-logit r3)", "line 4 (train-logit r4)")
    assert cost["seconds"] == CostTotal(5.0, 1, 4, (), missing)
    assert cost["watt_hours"].total is None
    assert cost["watt_hours"].measured == 0


def test_a_route_whose_stage_has_no_record_is_not_whole() -> None:
    cost = route_cost(
        "sequence", paying_stages("sequence", {}), book(stage("generate", seconds=1), stage("train", seconds=2))
    )
    assert cost.cost["seconds"].total == 3
    assert not cost.cost["seconds"].whole
    assert cost.cost["seconds"].missing == ("filter: no record",)


def test_all_attempts_or_the_last_one() -> None:
    records = [
        stage("train-logit", "20260102T000000", seconds=10.0),
        stage("train-logit", "20260101T000000", seconds=7.0),
        stage("train-logit", "20260103T000000", seconds=4.0),
    ]
    every, last = logit(*records), logit(*records, attempts="last")
    assert every.cost["seconds"].total == 21.0
    assert last.cost["seconds"].total == 4.0
    assert last.by_stage[0].run_ids == ("20260101T000000", "20260102T000000", "20260103T000000")
    assert last.by_stage[0].attempts == 3
    with pytest.raises(StudentsError, match="attempts are"):
        logit(attempts="best")


def test_a_record_of_another_routes_student_is_not_counted_and_a_doubled_one_once() -> None:
    mine = {**stage("train", "r1", seconds=5.0), "student": "local/mine"}
    theirs = {**stage("train", "r2", seconds=9.0), "student": "local/theirs"}
    unnamed = stage("train", "r3", seconds=1.0)
    models = frozenset(("local/mine", "local/theirs"))
    cost = route_cost("mine", ("train",), book(mine, theirs, mine, unnamed), model="local/mine", other_models=models)
    assert cost.cost["seconds"].total == 6.0
    assert cost.left_out[0].why == "the same record as line 1"


def test_a_stage_that_is_the_answering_of_these_tasks_is_no_cost_of_making_the_student() -> None:
    records = [
        stage("quantise", "r1", prompt_tokens=0, completion_tokens=0, seconds=66.0),
        stage("answer", "r2", prompt_tokens=2_039, completion_tokens=1_517, seconds=324.0),
    ]
    answered = {"prompt_tokens_sum": 2_039.0, "completion_tokens_sum": 1_517.0}
    made = route_cost("small", ("quantise", "answer"), book(*records), answered=answered)
    assert (made.stages, made.cost["seconds"].total) == (("quantise",), 66.0)
    assert [finding.kind for finding in made.findings] == ["cost_answering"]
    other = route_cost("small", ("quantise", "answer"), book(*records), answered={"completion_tokens_sum": 1_518.0})
    assert other.cost["seconds"].total == 390.0


def test_measured_and_modelled_energy_are_never_added() -> None:
    measured = stage("train-logit", "r1", seconds=60.0, watt_hours=3.0, energy_method="nvml")
    modelled = stage("train-logit", "r2", seconds=60.0, watt_hours=2.0, energy_method="model:codecarbon")
    mixed = logit(measured, modelled).cost["watt_hours"]
    assert (mixed.total, mixed.kind, mixed.sources, mixed.whole) == (None, "mixed", ("model:codecarbon", "nvml"), False)
    alone = logit(modelled).cost["watt_hours"]
    assert (alone.total, alone.kind, alone.whole) == (2.0, "estimated", True)


def test_without_a_notebook_nothing_is_known_and_nothing_is_zero() -> None:
    cost = route_cost("logit", ("train-logit",), None)
    assert all(cost.cost[unit].total is None and not cost.cost[unit].whole for unit in COST_UNITS)


def whole(**totals: float) -> dict[str, CostTotal]:
    return {unit: CostTotal(totals.get(unit), int(unit in totals), 1, whole=unit in totals) for unit in COST_UNITS}


def test_money_has_one_basis_a_route_and_is_never_added_twice() -> None:
    costs = {
        "a": whole(prompt_tokens=1_200_000, completion_tokens=300_000, seconds=5400, watt_hours=850),
        "b": whole(seconds=3600, watt_hours=100),
    }
    prices = Prices("EUR", 0.15, 0.6, 2.0, 0.3)
    assert {name: own for name, (own, _) in money_of(costs, prices).items()} == {
        "a": Money("seconds", 3.0),
        "b": Money("seconds", 2.0),
    }
    by_hand = money_of(costs, prices._replace(basis={"a": "tokens", "b": "energy"}))
    assert by_hand["a"][0].amount == pytest.approx(0.36)
    assert by_hand["b"][0].amount == pytest.approx(0.03)
    assert [money.amount for money in by_hand["a"][1]] == pytest.approx([0.36, 3.0, 0.255])
    assert money_of(costs, prices._replace(basis={"b": "tokens"}))["b"][0].why == "its tokens are not recorded in full"
    assert money_of(costs, Prices())["a"] == (Money("", None), ())


def test_bases_that_disagree_decide_nothing_until_one_is_named() -> None:
    costs = {
        "a": whole(prompt_tokens=1_000, completion_tokens=1_000, seconds=144_000, watt_hours=5),
        "b": whole(prompt_tokens=9_000, completion_tokens=9_000, seconds=7_200, watt_hours=5),
    }
    prices = Prices("EUR", 100.0, 100.0, 2.0)
    assert {name: own.amount for name, (own, _) in money_of(costs, prices).items()} == {"a": None, "b": None}
    named = money_of(costs, prices._replace(basis={"*": "seconds"}))
    assert {name: own.amount for name, (own, _) in named.items()} == {"a": 80.0, "b": 4.0}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"per_kwh": "0.3"}, "not a price"),
        ({"per_kwh": True}, "not a price"),
        ({"per_kwh": -1}, "not a price"),
        ({"kwh": 1}, "no price is called 'kwh'"),
        ({"basis": {"a": "wishes"}}, "cannot be reckoned from 'wishes'"),
        ({"basis": "tokens"}, "cannot be reckoned from"),
    ],
)
def test_a_price_that_is_none_is_refused(body: dict[str, Any], says: str) -> None:
    with pytest.raises(StudentsError, match=says):
        prices_of(body)


def test_an_amount_under_another_name_is_said_to_be_unread_and_added_to_nothing() -> None:
    found = logit(stage("train-logit", seconds=600.0, joules=108_000.0))
    assert found.cost["watt_hours"].total is None
    unread = next(finding for finding in found.findings if finding.kind == "cost_unread")
    assert (unread.count_, unread.of, unread.evidence) == (1, 1, ("joules",))


def test_a_total_that_is_not_whole_names_the_stage_without_a_record() -> None:
    found = route_cost("sequence", ("generate", "train"), book(stage("generate", seconds=6.0)))
    text = next(finding.text for finding in found.findings if finding.kind == "cost_incomplete")
    assert text.endswith("the total is not whole (missing: train: no record).")


def test_costs_that_are_equal_name_no_student_as_the_cheaper_one() -> None:
    decision = costed(two(30, 3, 3, 5), one=100.0, other=100.0)
    (trade,) = decision.trades
    assert (trade.break_even, trade.break_even_case) == (None, "same")


def test_one_more_solved_task_is_priced_only_in_what_the_better_student_costs_more_of() -> None:
    lines = [
        {"stage": "make-one", "run_id": "r", "cost": {"seconds": 100.0, "prompt_tokens": 100}},
        {"stage": "make-other", "run_id": "r", "cost": {"seconds": 103.0, "prompt_tokens": 900}},
    ]
    notebook = parse_labbook("\n".join(map(json.dumps, lines)))
    verdict = decide(two(60, 3, 25, 12), labbook=notebook, stages=STAGES).verdict
    assert "One more solved task costs 36.4 prompt tokens; whether" in verdict.sentence


def test_what_is_not_recorded_in_full_is_asked_for_once_a_student() -> None:
    half = {"seconds": 1.0, "prompt_tokens": 5}
    lines = [
        {"stage": f"make-{name}", "run_id": f"r{run}", "cost": half if run else {}}
        for name in ("one", "other")
        for run in range(2)
    ]
    made = decide(two(5, 2, 2, 3), labbook=parse_labbook("\n".join(map(json.dumps, lines))), stages=STAGES)
    asked = [text for text in made.verdict.would_change if "if recorded in full" in text]
    told = "if recorded in full (now 1 of 2 records): they could then be compared."
    assert asked == [f"The prompt tokens and seconds of {name}, {told}" for name in ("one", "other")]
