"""The decision: audit numbers, costs, the rule and its answers, each from small files that the test writes."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from diptych import artifact
from diptych.decision import PairedChecks, StudentDecision
from diptych.errors import StudentsError
from diptych.judge_audit import JudgeAudit
from diptych.labbook import parse_labbook
from diptych.students.collect.student_results import parse_results
from diptych.students.cost.prices import Prices
from diptych.students.decide.decide import decide, load_inputs
from diptych.students.judge.human_labels import Labels, read_labels
from diptych.students.judge.judgements import parse_judgements
from diptych.students.judge.model_names import other_names, same_model
from written_decisions import COSTS, PREFER_ONE, STAGES, costed, notebook, route, two, verdicts


def only(decision: StudentDecision) -> PairedChecks:
    assert isinstance(decision.paired, PairedChecks)
    return decision.paired


def audit(decision: StudentDecision) -> JudgeAudit:
    assert decision.judge is not None
    return decision.judge


# The rule.


def test_more_passed_for_real_and_cheaper_is_kept_and_the_other_is_dominated() -> None:
    decision = costed(two(60, 25, 3, 12))
    assert (decision.verdict.kind, decision.verdict.route, decision.verdict.flags) == ("route", "one", ("dominates",))
    assert decision.routes[1].dominated_by == "one"
    assert any("would undo the lead of one" in text for text in decision.verdict.would_change)


def test_more_passed_for_real_and_dearer_is_a_trade_off_with_the_price_of_one_more() -> None:
    decision = costed(two(60, 3, 25, 12))
    assert (decision.verdict.kind, decision.verdict.route) == ("cannot_tell", None)
    assert decision.verdict.flags == ("trade_off",)
    trade = decision.trades[0]
    assert (trade.cheap, trade.dear, trade.extra_passed, trade.case) == ("one", "other", 22, "dearer_better")
    assert trade.per_passed == pytest.approx(300 / 22)
    assert any(step.startswith("Trade-off:") and "costs 14 s" in step for step in decision.verdict.rule)
    assert "worth more than 14 s" in decision.verdict.would_change[0]


@pytest.mark.parametrize(("worth", "keeps"), [(0.001, "one"), (10.0, "other")])
def test_what_a_solved_task_is_worth_turns_the_trade(worth: float, keeps: str) -> None:
    decision = costed(two(60, 3, 25, 12), prices=Prices("EUR", per_hour=1.0, worth=worth))
    assert (decision.verdict.kind, decision.verdict.route) == ("route", keeps)
    if keeps == "other":
        assert "one, if an hour costs more than 2,640 EUR; other, if it costs less." in decision.verdict.would_change
        assert decision.trades[-1].net_benefit == pytest.approx(220 - 300 / 3600)
    assert decision.routes[0].money == pytest.approx(100 / 3600)
    assert decision.routes[0].currency == "EUR"


def test_a_cost_that_money_stands_for_is_not_called_incomplete() -> None:
    decision = costed(two(60, 3, 25, 12), prices=Prices("EUR", per_hour=1.0))
    (step,) = (text for text in decision.verdict.rule if text.startswith("Cost:"))
    assert "EUR" in step
    assert "cannot be compared" not in step


def test_a_real_lead_under_the_margin_does_not_pay_for_a_dearer_route() -> None:
    decision = costed(two(900, 2, 14, 84), margin=0.05)
    assert (decision.verdict.route, decision.verdict.flags) == ("one", ("negligible",))


def test_no_worse_and_cheaper_is_chosen_on_cost() -> None:
    decision = costed(two(380, 6, 6, 8), margin=0.05)
    assert (decision.verdict.kind, decision.verdict.route) == ("equal_choose_on_cost", "one")


def test_no_difference_seen_in_few_tasks_is_not_called_equal() -> None:
    decision = costed(two(7, 0, 0, 3))
    assert (decision.verdict.kind, decision.verdict.route) == ("cannot_tell", None)
    assert "up to 21.3 pp worse" in decision.verdict.sentence
    assert "3 more tasks that only one passes: then it would be “keep one”." in decision.verdict.would_change


def test_the_same_within_the_margin_without_costs_names_no_route() -> None:
    decision = decide(two(380, 6, 6, 8), margin=0.05)
    assert (decision.verdict.kind, decision.verdict.route) == ("equal_choose_on_cost", None)


def test_a_steady_judge_decides_where_checks_do_not() -> None:
    decision = decide(two(10, 4, 4, 7), [verdicts(PREFER_ONE)])
    assert (decision.verdict.kind, decision.verdict.route, decision.verdict.flags) == ("route", "one", ("by_judge",))


def test_a_judge_against_the_cheaper_route_decides_nothing_and_it_is_said() -> None:
    decision = costed(two(10, 4, 4, 7), one=400.0, other=100.0, judgements=[verdicts(PREFER_ONE)])
    assert (decision.verdict.kind, decision.verdict.flags) == ("cannot_tell", ())
    assert "The judge j prefers one to other (20 : 3 in both orders)." in decision.verdict.sentence


@pytest.mark.parametrize("floor", [None, 0.2])
def test_where_no_route_passes_anything_neither_is_kept(floor: float | None) -> None:
    decision = costed(two(0, 0, 0, 10), floor=floor)
    assert (decision.verdict.kind, decision.verdict.route) == ("neither", None)


def test_a_floor_is_judged_on_limits_and_says_how_far_it_is() -> None:
    decision = decide(two(20, 3, 2, 75), floor=0.5)
    assert decision.verdict.kind == "neither"
    assert decision.verdict.would_change[0].startswith("one with 59 of 100 passed")
    near = decide(two(48, 4, 0, 48), floor=0.5)
    assert (near.verdict.kind, near.verdict.flags) == ("cannot_tell", ("floor",))
    alone = decide(two(52, 8, 2, 38), floor=0.5)
    assert (alone.verdict.kind, alone.verdict.route, alone.verdict.flags) == ("route", "one", ("floor",))


def test_routes_without_a_shared_task_cannot_be_told() -> None:
    one = route("one", [True], tasks_sha256="1")
    other = parse_results(
        b'{"results": [{"id": "elsewhere", "checks": {"passed": true}}]}', "other", source="o", where="o"
    )
    decision = decide([one, other])
    assert decision.verdict.kind == "cannot_tell"
    assert "share no task" in decision.verdict.sentence
    assert artifact.loads(artifact.dumps(decision)) == decision


def test_three_routes_are_adjusted_together_and_the_best_of_all_is_kept() -> None:
    a = [True] * 70 + [False] * 30
    b = [True] * 40 + [False] * 60
    decision = decide([route("a", a), route("b", b), route("c", [False] * 10 + b[10:])])
    assert isinstance(decision.paired, tuple)
    assert len(decision.paired) == 3
    assert all(
        p.p_adjusted is not None and p.p_value is not None and p.p_adjusted >= p.p_value for p in decision.paired
    )
    assert (decision.verdict.kind, decision.verdict.route) == ("route", "a")


@pytest.mark.parametrize("seed", range(12))
def test_swapping_the_routes_keeps_the_decision(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.choice((10, 40, 200))
    one, other = (route(name, [rng.random() < p for _ in range(n)]) for name, p in (("one", 0.7), ("other", 0.6)))
    said = verdicts(
        [(rng.choice(("one", "other", "tie", None)), rng.choice(("one", "other", "tie"))) for _ in range(n)]
    )
    there, back = costed([one, other], judgements=[said]), costed([other, one], judgements=[said])
    assert (there.verdict.kind, there.verdict.route) == (back.verdict.kind, back.verdict.route)
    assert only(there).only_first == only(back).only_second
    assert only(there).p_value == only(back).p_value
    assert audit(there).wins == audit(back).wins
    assert (audit(there).flips, audit(there).first_place_wins) == (audit(back).flips, audit(back).first_place_wins)
    assert audit(there).p_value == pytest.approx(audit(back).p_value)
    assert artifact.loads(artifact.dumps(there)) == there


def test_the_same_inputs_give_the_same_bytes_and_other_inputs_another_id() -> None:
    once, again = costed(two(10, 4, 4, 7)), costed(two(10, 4, 4, 7))
    assert artifact.dumps(once) == artifact.dumps(again)
    assert costed(two(10, 4, 5, 7)).id != once.id
    assert costed(two(10, 4, 4, 7), margin=0.02).id != once.id


def test_a_compare_record_in_the_notebook_changes_neither_costs_nor_id() -> None:
    book = notebook(**COSTS)
    grown = parse_labbook('{"stage": "compare", "cost": {"seconds": 9}}')
    later = book._replace(records=(*book.records, *grown.records))
    once = decide(two(10, 4, 4, 7), labbook=book, stages=STAGES)
    assert artifact.dumps(decide(two(10, 4, 4, 7), labbook=later, stages=STAGES)) == artifact.dumps(once)


# The judge's audit.


def test_the_audit_counts_what_survives_the_swap() -> None:
    said = [("one", "one")] * 7 + [("other", "other")] * 4 + [("tie", "tie")] * 2
    said += [("one", "other")] * 5 + [("other", "one")] + [("one", None)]
    decision = decide(two(9, 4, 3, 4), [verdicts(said)])
    judge = audit(decision)
    assert (judge.tasks, judge.unreadable, judge.flips, judge.ties) == (19, 1, 6, 2)
    assert judge.wins == {"one": 7, "other": 4}
    assert (judge.first_place_wins, judge.second_place_wins) == (5, 1)
    assert judge.flip_rate == pytest.approx(6 / 19)
    assert judge.win_rate["one"] == pytest.approx((7 + 0.5 * 8) / 19)
    assert judge.p_value == pytest.approx(0.548828125)
    assert judge.position_p == pytest.approx(0.21875)
    assert judge.orders["one"] == {"one": 13, "other": 5, "tie": 2, "unreadable": 0}
    assert len(judge.disagreements) == 6
    assert judge.disagreements[0].raw_first == "raw one"
    assert decision.verdict.kind == "cannot_tell"


def test_a_judge_that_always_takes_the_first_place_gives_no_verdict() -> None:
    decision = decide(two(10, 4, 4, 7), [verdicts([("one", "other")] * 25)])
    judge = audit(decision)
    assert (judge.flip_rate, judge.gate, judge.win_rate) == (1.0, "unusable", {"one": 0.5, "other": 0.5})
    assert judge.position_p is not None
    assert judge.position_p < 0.001
    assert decision.verdict.kind == "cannot_tell"
    assert {"judge_flips", "judge_place"} <= {finding.kind for finding in decision.findings}


def test_half_changes_stand_apart_from_flips_and_ties() -> None:
    judge = audit(
        decide(two(10, 4, 4, 7), [verdicts([("one", "tie")] * 3 + [("tie", "other")] * 2 + [("tie", "tie")] * 20)])
    )
    assert (judge.half_changes, judge.flips, judge.ties, judge.once) == (5, 0, 20, {"one": 3, "other": 2})
    assert judge.gate == "mostly_ties"


def test_without_the_order_shown_no_flip_rate_is_made_up() -> None:
    lines = [
        json.dumps({"task": f"t{n}", "student_a": "one", "student_b": "other", "winner": "one", "judge": "j"})
        for n in range(25)
    ]
    judgements = parse_judgements("\n".join(lines).encode(), "j", "j")
    decision = decide(two(10, 4, 4, 7), [judgements])
    judge = audit(decision)
    assert (judge.flip_rate, judge.gate, judge.orders) == (
        None,
        "order_unknown",
        {"unknown": {"one": 25, "other": 0, "tie": 0, "unreadable": 0}},
    )
    assert "judge_order_unknown" in {finding.kind for finding in decision.findings}
    assert decision.verdict.kind == "cannot_tell"


def test_a_judge_asked_in_one_order_only_says_so_and_decides_nothing() -> None:
    judgements = verdicts(PREFER_ONE)
    half = judgements._replace(rows=tuple(row for row in judgements.rows if row.shown_first == "one"))
    decision = decide(two(10, 4, 4, 7), [half])
    assert (audit(decision).gate, audit(decision).tasks, audit(decision).flip_rate) == ("one_order", 25, None)
    assert "one 20, other 3, tie 2" in " ".join(decision.verdict.rule)
    assert any("in the other order too" in text for text in decision.verdict.would_change)
    assert "judge_one_order" in {finding.kind for finding in decision.findings}
    assert decision.verdict.kind == "cannot_tell"


def test_a_judge_asked_in_one_order_only_has_its_unreadable_verdicts_counted() -> None:
    said = verdicts([*PREFER_ONE[:-3], *[(None, None)] * 3])
    half = said._replace(rows=tuple(row for row in said.rows if row.shown_first == "one"))
    found = audit(decide(two(10, 4, 4, 7), [half]))
    assert (found.gate, found.tasks, found.unreadable) == ("one_order", 22, 3)


def test_repeats_give_self_agreement_and_count_as_their_majority() -> None:
    once = verdicts([("one", "one")] * 25)
    odd = verdicts([("other", "one")] * 25)
    rows = (*once.rows, *once.rows, *odd.rows)
    judge = audit(decide(two(10, 4, 4, 7), [once._replace(rows=rows)]))
    assert (judge.tasks, judge.wins["one"], judge.flips, judge.repeats) == (25, 25, 0, 3)
    assert judge.self_agreement == pytest.approx((25 * 1 + 25 * 3) / 150)


def test_a_judge_that_contradicts_itself_on_the_same_question_is_not_used() -> None:
    once, other = verdicts([("one", "one")] * 25), verdicts([("other", "other")] * 12 + [("one", "one")] * 13)
    decision = decide(two(10, 4, 4, 7), [once._replace(rows=(*once.rows, *other.rows))])
    assert audit(decision).self_agreement == pytest.approx(13 / 25)
    assert audit(decision).gate == "unusable"
    assert "judge_repeats" in {finding.kind for finding in decision.findings}
    assert decision.verdict.route is None
    assert any("asked the same once more" in step for step in decision.verdict.rule)


def test_several_judges_are_gated_first_and_their_agreement_is_shown() -> None:
    steady, again = verdicts(PREFER_ONE, "k"), verdicts(PREFER_ONE, "l")
    coin = verdicts([("one", "other")] * 25, "m")
    decision = decide(two(10, 4, 4, 7), [steady, again, coin])
    assert [judge.judge for judge in decision.judges] == ["k", "l", "m"]
    assert decision.agreement[0].judges == ("k", "l", "m")
    assert decision.agreement[0].method == "fleiss_kappa"
    assert decision.verdict.flags == ("by_judge",)
    gap = verdicts(PREFER_ONE[:20], "n")
    assert decide(two(10, 4, 4, 7), [steady, gap]).agreement[0].method == "krippendorff_alpha"


def test_students_are_known_by_route_or_by_model_and_strangers_are_left_out() -> None:
    said = verdicts([("local/one", "local/one")] * 25, names=("local/one", "local/other"))
    strange = verdicts([("x", "x")], names=("x", "one"))
    decision = decide(two(10, 4, 4, 7), [said, strange])
    assert audit(decision).wins == {"one": 25, "other": 0}
    assert ("verdicts about students that are not compared here", 2) in [(g.what, g.count_) for g in decision.left_out]


def test_length_and_winning_are_held_against_each_other() -> None:
    rows = [{"id": f"t{n}", "response": "x" * (5 + n), "checks": {"passed": True}} for n in range(25)]
    long = parse_results(json.dumps({"results": rows}).encode(), "one", source="r", where="r")
    short = route("other", [True] * 25)
    short = short._replace(rows={key: row._replace(prompt=None, response="x") for key, row in short.rows.items()})
    judge = audit(decide([long, short], [verdicts(PREFER_ONE)]))
    assert (judge.longer_of, judge.longer_wins) == (23, 20)
    assert judge.win_low is not None
    assert judge.win_high is not None
    assert judge.win_rate["other"] is not None
    assert judge.win_low < judge.win_rate["other"] < judge.win_high < 0.5
    assert judge.length_controlled is not None
    assert judge.length_controlled < 0.5
    assert len(judge.length_bins) == 5
    assert sum(b.first + b.neither + b.second for b in judge.length_bins) == 25


@pytest.mark.parametrize(
    ("judge", "first", "second", "says"),
    [
        ("qwen2.5-7b-instruct", "local/qwen-student", "local/llama-student", "qwen family"),
        ("org/Llama-3.1-8B", "llama3.2-1b", "gemma-3-1b", "llama family"),
        ("local/one", "local/one", "local/other", "is one itself"),
        ("qwen-7b", "qwen-a", "qwen-b", "as are both students"),
        ("local/chat", "local/a", "local/b", None),
    ],
)
def test_a_judge_of_a_students_family_is_named(judge: str, first: str, second: str, says: str | None) -> None:
    one, other = two(10, 4, 4, 7)
    said = [verdicts(PREFER_ONE, judge)]
    note = audit(decide([one._replace(model=first), other._replace(model=second)], said)).family_note
    if says is None:
        assert note is None
    else:
        assert says in (note or "")


def test_labels_hold_the_judge_against_people_and_correct_its_win_rate(tmp_path: Path) -> None:
    said = verdicts([("one", "one")] * 60 + [("other", "other")] * 40)
    lines = [json.dumps({"task": f"t{n}", "preferred": "other" if n % 2 else "one"}) for n in range(40)]
    lines += [json.dumps({"task": "t60", "student": name, "passed": name == "other"}) for name in ("one", "other")]
    (tmp_path / "labels.jsonl").write_text("\n".join(lines) + '\n{"task": "t61"}\n')
    person = read_labels(tmp_path / "labels.jsonl")
    assert person.left_out[0].what == "line 43 of labels.jsonl"
    decision = decide(two(40, 15, 15, 30), [said], labels=person)
    labels = audit(decision).labels
    assert labels is not None
    assert (labels.labelled, labels.decided, labels.agreed) == (41, 41, 21)
    powered = labels.corrected[0]
    assert powered.method == "prediction_powered"
    assert powered.low is not None
    assert powered.high is not None
    assert powered.low < 0.5 < powered.high  # the judge alone is sure of one: 60 to 40
    assert decision.verdict.kind == "cannot_tell"
    assert "corrected by 41 human labels" in " ".join(decision.verdict.rule)
    assert decide(two(40, 15, 15, 30), [said]).verdict.route is None
    assert {"prediction_powered"} <= set(decision.provenance.methods)
    assert "labels.jsonl" in {source.name for source in decision.provenance.inputs}


def test_few_labels_correct_nothing_and_no_labels_speak_for_a_judge_that_contradicts_itself() -> None:
    few = Labels({f"t{n}": "one" for n in range(5)}, {})
    labels = audit(decide(two(10, 4, 4, 7), [verdicts(PREFER_ONE)], labels=few)).labels
    assert labels is not None
    assert (labels.labelled, labels.corrected[0].rate) == (5, None)
    many = Labels({f"t{n}": "one" for n in range(25)}, {})
    decision = decide(two(10, 4, 4, 7), [verdicts([("one", "other")] * 25)], labels=many)
    assert decision.verdict.route is None


def test_a_judge_that_drifts_or_answers_under_another_name_is_told() -> None:
    lines = []
    for n in range(100):
        for shown in ("one", "other"):
            winner = shown if n < 50 else "one"
            verdict = {"task": f"t{n}", "student_a": "one", "student_b": "other", "shown_first": shown}
            lines.append(json.dumps({**verdict, "winner": winner, "judge": "j-7b", "served_model": "k-1b"}))
    judgements = parse_judgements("\n".join(lines).encode(), "j", "j")
    kinds = {finding.kind: finding.text for finding in decide(two(60, 10, 10, 20), [judgements]).findings}
    assert "the first place wins in 100.0 % of the first half and 50.0 % of the second" in kinds["judge_drift"]
    assert "k-1b (200) gave its verdicts" in kinds["model_mismatch"]


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("org/model", "model.gguf", True),
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("qwen2.5", "qwen2.5:latest", True),
        ("model", "model-mini", False),
        ("a", "b", False),
    ],
)
def test_a_dated_or_filed_name_is_the_same_model(asked: str, served: str, same: bool) -> None:
    assert same_model(asked, served) is same


# Costs in the decision.


def test_incomplete_totals_are_never_compared() -> None:
    book = parse_labbook(
        "\n".join(
            (
                '{"stage": "make-one", "run_id": "1", "cost": {"seconds": 10, "watt_hours": 1}}',
                '{"stage": "make-one", "run_id": "2", "cost": {"seconds": 10, "watt_hours": null}}',
                '{"stage": "make-other", "run_id": "3", "cost": {"seconds": 50, "watt_hours": 5}}',
            )
        )
    )
    decision = decide(two(10, 4, 4, 7), labbook=book, stages=STAGES)
    assert {trade.unit for trade in decision.trades} == {"seconds"}
    energy = next(plot for plot in decision.plots if plot.unit == "watt_hours")
    assert [point.route for point in energy.points] == ["other"]
    assert energy.not_placed == (("one", "recorded in 1 of 2 records: at least 1"),)
    assert "Watt-hours cannot be compared" in " ".join(decision.verdict.rule)
    assert decision.routes[0].cost_per_passed == {
        "prompt_tokens": None,
        "completion_tokens": None,
        "seconds": pytest.approx(20 / 14),
        "watt_hours": None,
    }


def test_costs_that_point_both_ways_make_no_route_the_cheaper_one() -> None:
    book = parse_labbook(
        '{"stage": "make-one", "cost": {"seconds": 60, "prompt_tokens": 9}}\n'
        '{"stage": "make-other", "cost": {"seconds": 50, "prompt_tokens": 99}}'
    )
    decision = decide(two(380, 6, 6, 8), labbook=book, stages=STAGES, margin=0.05)
    assert (decision.verdict.kind, decision.verdict.route) == ("equal_choose_on_cost", None)


def test_break_even_uses_what_answering_takes() -> None:
    one, other = two(10, 4, 4, 7)
    slow = one._replace(rows={key: row._replace(seconds=3.0) for key, row in one.rows.items()})
    fast = other._replace(rows={key: row._replace(seconds=1.0) for key, row in other.rows.items()})
    trade = costed([slow, fast]).trades[0]
    assert (trade.break_even, trade.break_even_case) == (150.0, "x_cheaper_until")


def test_unlike_serving_and_unanswered_tasks_are_said() -> None:
    one = route("one", [True] * 5, quant="Q4_K_M", served_models={"local/one": 4, "fallback": 1})
    other = route("other", [True] * 5, quant="Q8_0", failed=[{"id": "t9", "error": "HTTP 500"}])
    kinds = {finding.kind: finding.text for finding in decide([one, other]).findings}
    assert "quant" in kinds["serving_differs"]
    assert "fallback" in kinds["model_mismatch"]
    assert "between 5 and 6 of 6" in kinds["unanswered"]


# The loader.


def test_the_loader_names_damaged_lines_and_counts_them(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / f"{name}.json").write_text('{"results": [{"id": "t0", "checks": {"passed": true}}]}')
    (tmp_path / "labbook.md").write_text('prose\n{"stage": "train", "co\n')
    (tmp_path / "j.jsonl").write_text('{"task": "t0", "student_a": "one", "student_b": "other"}\n{"cut')
    routes = [(name, tmp_path / f"{name}.json") for name in ("one", "other")]
    read = load_inputs(routes, judgements=[tmp_path / "j.jsonl"], labbook=tmp_path / "labbook.md")
    assert read.damaged == 2
    assert "labbook.md:2: a broken record is left out" in read.warnings[0]
    assert "line 2 of j.jsonl" in read.warnings[1]
    decision = decide(read.routes, read.judgements, read.labbook)
    assert [gap.what for gap in decision.left_out] == ["line 2 of labbook.md", "line 2 of j.jsonl"]


@pytest.mark.parametrize(
    ("routes", "options", "says"),
    [
        ([("one", "x.json")], {}, "two students or more"),
        ([("one", "x.json"), ("one", "y.json")], {}, "two students are called"),
        ([("tie", "x.json"), ("one", "y.json")], {}, "cannot be called"),
    ],
)
def test_routes_that_cannot_be_meant_are_refused(routes: Any, options: Any, says: str) -> None:
    with pytest.raises(StudentsError, match=says):
        load_inputs(routes, **options)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"stages": {"nobody": ("x",)}}, "names 'nobody'"),
        ({"margin": 1.5}, "no share"),
        ({"margin": -0.1}, "no share"),
        ({"floor": 50}, "no share"),
        ({"attempts": "first"}, "attempts are"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(StudentsError, match=says):
        decide(two(1, 1, 1, 1), **options)


def test_every_method_that_gave_a_number_is_named_and_known() -> None:
    from diptych.catalogue.methods import METHODS

    decision = decide(two(10, 4, 4, 7), [verdicts(PREFER_ONE, "k"), verdicts(PREFER_ONE, "l")])
    assert set(decision.provenance.methods) <= set(METHODS)
    assert {"mcnemar_midp_tango", "judge_swap_signflip", "fleiss_kappa"} <= set(decision.provenance.methods)


def test_more_tasks_are_advised_only_where_somebody_could_write_them() -> None:
    few = decide(two(21, 7, 2, 20), margin=0.01).verdict.would_change
    assert not any("more tasks would show" in text for text in few)
    wide = decide(two(21, 7, 2, 20), margin=0.1).verdict.would_change
    assert any(text.startswith("About ") and "more tasks would show" in text for text in wide)


def test_no_interval_that_denies_the_p_value_stands_beside_it() -> None:
    decision = decide(two(21, 7, 2, 20), labbook=notebook(**COSTS), stages=STAGES)
    told = " ".join((decision.verdict.sentence, *decision.verdict.rule, *decision.verdict.would_change))
    assert "p = 0.11" in told
    assert "90 %" not in told


def test_of_several_students_that_checks_do_not_separate_the_widest_difference_is_told_at_its_level() -> None:
    made = decide(
        [
            route("a", [True] * 30 + [False] * 20),
            route("b", [True] * 29 + [False] * 21),
            route("c", [True] * 27 + [False] * 23),
        ]
    )
    assert "(widest apart, c − a: −6.0 pp, 98.3 % CI" in made.verdict.sentence


def test_only_names_of_another_model_than_was_asked_for_are_told() -> None:
    served = {"models/Qwen.gguf": 3, "llama": 2}
    assert other_names("qwen", served) == {"llama": 2}
    assert other_names(None, served) == {}
