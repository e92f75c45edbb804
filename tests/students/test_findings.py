"""Every kind of finding that a decision's costs, prices and judge can have, each from records that the test writes."""

import json
from typing import Any

import pytest

from diptych.comparison import Finding
from diptych.decision import StudentDecision
from diptych.labbook import parse_labbook
from diptych.students.collect.student_results import Results, parse_results
from diptych.students.cost.prices import Prices
from diptych.students.decide.decide import decide
from diptych.students.decide.decision_findings import serving_findings
from diptych.students.judge.judgements import Judgements, parse_judgements

STAGES = {"one": ("make-one",), "other": ("make-other",)}
WINNERS = ["one"] * 4 + ["other"] * 2 + ["tie"] * 2


def students(models: tuple[str, str] = ("local/one", "local/other"), words: int = 1) -> tuple[Results, Results]:
    """Return two students who answer eight tasks; the answers of the first are `words` times as long."""
    made = []
    for name, model, length in zip(("one", "other"), models, (words, 1), strict=True):
        rows = [
            {"id": f"t{n}", "prompt": f"p{n}", "response": f"{name} " * length, "checks": {"passed": n > 1}}
            for n in range(8)
        ]
        body = json.dumps({"model": model, "results": rows}).encode()
        made.append(parse_results(body, name, source=f"{name}.json", where=f"{name}.json"))
    return made[0], made[1]


def judged(winners: list[str | None], judge: str = "j") -> Judgements:
    """Return verdicts that say the same in both orders."""
    lines = [
        json.dumps(
            {"task": f"t{n}", "student_a": "one", "student_b": "other", "shown_first": shown}
            | {"winner": winner, "judge": judge, "raw": "r"}
        )
        for n, winner in enumerate(winners)
        for shown in ("one", "other")
    ]
    return parse_judgements("\n".join(lines).encode(), "j.jsonl", "j.jsonl")


def costed(*records: tuple[str, dict[str, Any]], prices: Prices | None = None) -> StudentDecision:
    """Return the decision over the costs that stages recorded."""
    rows = [{"stage": name, "run_id": f"r{n}", "cost": cost} for n, (name, cost) in enumerate(records)]
    book = parse_labbook("\n".join(map(json.dumps, rows)))
    options = {} if prices is None else {"prices": prices}
    return decide(students(), labbook=book, stages=STAGES, **options)


def judging(winners: list[str | None], judge: str = "j", **given: Any) -> StudentDecision:
    return decide(students(**given), judgements=[judged(winners, judge)])


GOOD = {"seconds": 100.0, "watt_hours": 5.0, "prompt_tokens": 10, "completion_tokens": 20}
SIZED = {"seconds": 100.0, "prompt_tokens": 10, "completion_tokens": 20}
WORDS = {"prompt_tokens": 10, "completion_tokens": 20}
HOURS = Prices("EUR", per_hour=2.0)
BOTH = Prices("EUR", prompt_per_million=1.0, completion_per_million=2.0, per_hour=2.0, basis={"one": "seconds"})

CASES = {
    "cost_unusable": (lambda: costed(("make-one", {"seconds": -1}), ("make-other", GOOD)), "-1 in line 1", 1, 1),
    "cost_incomplete": (
        lambda: costed(("make-one", GOOD), ("make-one", SIZED), ("make-other", GOOD)),
        "one: watt-hours are measured in 1 of 2 records",
        1,
        2,
    ),
    "cost_attempts": (
        lambda: costed(("make-one", GOOD), ("make-one", GOOD), ("make-other", GOOD)),
        "several attempts of make-one (2)",
        None,
        None,
    ),
    "cost_mixed": (
        lambda: costed(
            ("make-one", {**GOOD, "energy_method": "nvml"}),
            ("make-one", {**GOOD, "energy_method": "model:codecarbon"}),
            ("make-other", GOOD),
        ),
        "measured and modelled watt-hours stand side by side",
        None,
        2,
    ),
    "money_bases_differ": (
        lambda: costed(("make-one", {"seconds": 100.0}), ("make-other", WORDS), prices=BOTH),
        "Money is reckoned on different bases: one by",
        None,
        None,
    ),
    "money_not_available": (lambda: costed(("make-one", GOOD), prices=HOURS), "other: no money figure", None, None),
    "judge_unreadable": (lambda: judging([None, *WINNERS[1:]]), "1 of 8 tasks have an unreadable verdict", 1, 8),
    "judge_length": (lambda: judging(WINNERS, words=3), "the longer answer won 4 of 6 decided tasks", 4, 6),
    "judge_family": (
        lambda: judging(WINNERS, "local/qwen-judge", models=("qwen-small", "llama-small")),
        "of the qwen family, as is the student of one",
        None,
        None,
    ),
}


@pytest.mark.parametrize("kind", CASES)
def test_every_kind_is_found_with_its_count(kind: str) -> None:
    make, text, count, of = CASES[kind]
    found: list[Finding] = [finding for finding in make().findings if finding.kind == kind]
    assert found, "not found"
    assert text in found[0].text
    assert (found[0].count_, found[0].of) == (count, of)


def test_whole_costs_and_a_judge_of_another_family_give_none_of_these() -> None:
    kinds = {finding.kind for finding in costed(("make-one", GOOD), ("make-other", GOOD), prices=HOURS).findings}
    kinds |= {finding.kind for finding in judging(WINNERS).findings}
    assert not kinds & set(CASES)


def test_a_quantization_that_students_are_named_after_is_what_is_compared_and_no_caveat() -> None:
    one, other = students(("local/m-q4_1", "local/m-q4_0"))
    named = [one._replace(metadata={"quant": "Q4_1"}), other._replace(metadata={"quant": "Q4_0"})]
    assert serving_findings(named) == []
    hidden = [one._replace(metadata={"quant": "Q8_0"}), other._replace(metadata={"quant": "Q4_0"})]
    assert [each.kind for each in serving_findings(hidden)] == ["serving_differs"]
