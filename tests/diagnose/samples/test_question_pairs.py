"""Joining by question: where documents differ to the letter, what they ask and offer decides."""

from pathlib import Path
from typing import Any

import pytest

from diptych.diagnose.options import Options
from diptych.diagnose.pipeline import compare_runs
from diptych.diagnose.samples.pairing import align
from diptych.diagnose.samples.row_pairs import Pairs
from diptych.errors import DiptychError
from diptych.harness.reader import read_run
from diptych.run import Run
from sample_logs import Record, answer, choice, evidence, finding, hashed, kinds, log
from written_runs import choice_record, results, write_run

LIKELIHOODS = (-1.0, -2.0, -3.0, -4.0)


def asked(item: int, options: list[str], gold: Any, **more: Any) -> Record:
    doc = {"question": f"What is item {item}?", "choices": options, "answer": gold, **more}
    return hashed(choice(item, LIKELIHOODS, 0, doc=doc) | {"target": str(gold)})


def pairs(a: list[Record], b: list[Record]) -> Pairs:
    return align(log(a), log(b)).filters[0]


STRAIGHT = ["red", "green", "blue", "grey"]
TURNED = ["blue", "red", "grey", "green"]

# how the right choice is told before and after its choices were put in another order
GOLDS = [(0, 1), ("A", "B"), ("red", "red"), ("(A)", "(B)")]


@pytest.mark.parametrize(("before", "after"), GOLDS)
def test_choices_in_another_order_are_the_same_question_and_said(before: Any, after: Any) -> None:
    a = [asked(item, STRAIGHT, before) for item in range(6)]
    b = [asked(item, TURNED, after) for item in range(6)]
    found = evidence(a, b)
    assert found.tasks[0].pairs == 6
    assert finding(found, "choices_reordered").count_ == 6
    assert found.tasks[0].ladder.first_break == "documents"
    assert not {"ids_disagree", "items_differ", "targets_differ"} & set(kinds(found))


def test_answers_to_choices_in_another_order_are_compared_choice_by_choice() -> None:
    def scored(item: int, options: list[str], likelihoods: tuple[float, ...]) -> Record:
        doc = {"question": f"What is item {item}?", "choices": options, "answer": options.index("red")}
        record = choice(item, likelihoods, options.index("red"), doc=doc, choices=[f" {text}" for text in options])
        return hashed(record)

    a = [scored(item, STRAIGHT, (-1.0, -2.0, -3.0, -4.0)) for item in range(4)]
    b = [scored(item, TURNED, (-3.0, -1.0, -4.0, -2.0)) for item in range(4)]
    found = evidence(a, b)
    steps = {step.rung: step.equal for step in found.tasks[0].ladder.rungs}
    assert (steps["responses"], steps["scores"], steps["choices"]) == (4, 4, 0)
    assert kinds(found).count("choices_reordered") == 1
    assert "choices_differ" not in kinds(found)


def test_choices_that_are_numbers_are_not_taken_for_places() -> None:
    a = [asked(0, ["3", "4", "7", "24"], 1), asked(1, ["1", "2", "3", "0"], 2)]
    b = [asked(0, ["24", "7", "3", "4"], 3), asked(1, ["0", "3", "2", "1"], 3)]
    found = pairs(a, b)
    assert [a[row]["doc_id"] for row in found.rows_a] == [0]
    assert found.changed_targets == ((1, 1),)


def test_choices_in_another_order_whose_right_text_moved_are_in_no_pair() -> None:
    a, b = [asked(0, STRAIGHT, 0), asked(1, STRAIGHT, 1)], [asked(0, TURNED, 0), asked(1, TURNED, 3)]
    found = pairs(a, b)
    assert [a[row]["doc_id"] for row in found.rows_a] == [1]
    assert found.changed_targets == ((0, 0),)


def test_a_column_more_and_other_white_space_leave_a_question_what_it_is() -> None:
    a = [asked(item, STRAIGHT, 0) for item in range(4)]
    b = [asked(item, STRAIGHT, 0, source="second edition") for item in range(4)]
    b[2]["doc"]["question"] = "What  is item 2?\n"
    found = evidence(a, [hashed(record) for record in b])
    assert found.tasks[0].pairs == 4
    assert finding(found, "documents_differ").count_ == 4


def test_labels_of_choices_and_nested_choices_are_read() -> None:
    def arc(item: int, texts: list[str], key: str) -> Record:
        doc = {"question": f"item {item}?", "choices": {"text": texts, "label": ["A", "B", "C", "D"]}, "answerKey": key}
        return hashed(choice(item, LIKELIHOODS, 0, doc=doc) | {"target": str("ABCD".index(key))})

    found = pairs([arc(0, STRAIGHT, "A"), arc(1, STRAIGHT, "C")], [arc(1, TURNED, "A"), arc(0, TURNED, "B")])
    assert (list(found.rows_a), list(found.rows_b), found.reordered) == ([0, 1], [1, 0], (0, 1))


def test_one_question_that_stands_twice_on_a_side_is_not_guessed_at() -> None:
    a = [asked(0, STRAIGHT, 0, note="one"), asked(1, STRAIGHT, 0, note="two")]
    a[1]["doc"]["question"] = a[0]["doc"]["question"]
    b = [hashed(asked(0, TURNED, 1) | {"doc_id": 7})]
    assert list(pairs([hashed(record) for record in a], b).rows_a) == []


def test_other_questions_under_the_same_ids_stay_apart() -> None:
    a = [asked(item, STRAIGHT, 0) for item in range(3)]
    b = [
        hashed(asked(item, STRAIGHT, 0) | {"doc": {"question": f"other {item}", "choices": STRAIGHT}})
        for item in range(3)
    ]
    assert list(pairs(a, b).rows_a) == []


def renamed(tmp_path: Path) -> tuple[Run, Run]:
    records = [choice_record(number, right=number % 2 == 0) for number in range(6)]
    ours = write_run(tmp_path / "a", results(), {"arith": records})
    other = results()
    for table in ("results", "configs", "versions", "n-shot", "higher_is_better", "n-samples"):
        other[table] = {"arith_v2": other[table]["arith"]}
    theirs = write_run(tmp_path / "b", other, {"arith_v2": records})
    return read_run(str(ours)), read_run(str(theirs))


def test_a_task_under_another_name_is_proposed_and_joined_when_asked(tmp_path: Path) -> None:
    a, b = renamed(tmp_path)
    said = next(one for one in compare_runs(a, b).findings if one.kind == "tasks_renamed")
    assert "--match-tasks arith=arith_v2" in said.text
    assert (said.count_, said.of) == (6, 6)
    assert "--match-tasks arith=arith_v2" in compare_runs(a, b).verdict.next_step
    made = compare_runs(a, b, Options(match_tasks={"arith": "arith_v2"}))
    assert [(row.task, row.estimate is not None) for row in made.metrics] == [("arith", True)]
    assert made.b.items == {"arith": 4}
    assert [one.severity for one in made.findings if one.kind == "tasks_renamed"] == ["note"]
    assert not [row for row in made.settings if row.key.startswith("versions.arith")]


def test_a_task_that_is_not_there_is_named(tmp_path: Path) -> None:
    a, b = renamed(tmp_path)
    with pytest.raises(DiptychError, match="b has no task arith_v3"):
        compare_runs(a, b, Options(match_tasks={"arith": "arith_v3"}))


def test_a_field_that_one_side_alone_has_keeps_no_documents_apart() -> None:
    bare = [answer(number, doc={"claim": f"{number} is even.", "label": "true"}) for number in range(6)]
    more = [
        answer(number, doc={"claim": f"{number} is even.", "label": "true", "source": f"row {number}"})
        for number in range(6)
    ]
    for sides in ((bare, more), (more, bare)):
        assert evidence(*sides).tasks[0].pairs == 6
