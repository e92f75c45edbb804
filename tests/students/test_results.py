"""A student's results file: what is used, what is left out and said, what is refused with the way out."""

import json
from typing import Any

import pytest

from diptych.errors import StudentsError
from diptych.students.collect.student_results import Results, parse_results, read_results
from diptych.students.decide.decide import decide
from diptych.students.decide.paired_tasks import comparable_tasks
from diptych.students.judge.judgements import parse_judgements


def file_of(rows: list[Any], **fields: Any) -> bytes:
    return json.dumps({"results": rows, **fields}).encode()


def row(id_: Any, passed: Any = True, **fields: Any) -> dict[str, Any]:
    return {"id": id_, "checks": {"passed": passed}, **fields}


def read(rows: list[Any], name: str = "one", **fields: Any) -> Results:
    return parse_results(file_of(rows, **fields), name, source="r.json", where="r.json")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not JSON"),
        (b'{"results": [{"id": "t1", "checks": {"pas', "not JSON"),
        (b'{"results": ', "not JSON"),
        (b"<html><body>502</body></html>", "not JSON"),
        (b'{"results": "\xff"}', "not UTF-8 text"),
        (b"[1, 2]", "no list under `results`"),
        (b'{"results": {"mmlu": {"acc": 0.5}}}', "no list under `results`"),
        (b'{"results": []}', "none of its 0 rows"),
        (file_of([{"id": "t1", "response": "x"}]), "none of its 1 rows has a check"),
        (file_of([row("t1", None), row("t2", "yes"), row("t3", {})]), "none of its 3 rows has a check"),
        (b"[" * 100_000, "nests too deeply"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_error_with_its_place(data: bytes, says: str) -> None:
    with pytest.raises(StudentsError, match=says) as caught:
        parse_results(data, "one", source="r.json", where="out/r.json")
    assert caught.value.where.startswith("out/r.json")
    assert caught.value.hint


def test_a_missing_file_and_a_forbidden_name_are_named() -> None:
    with pytest.raises(StudentsError, match=r"gone\.json"):
        read_results("gone.json", "one")
    with pytest.raises(StudentsError, match="cannot be called 'tie'"):
        read_results("gone.json", "tie")


def test_rows_without_a_check_are_left_out_counted_and_named() -> None:
    results = read([row("a"), {"id": "b"}, row("c", None), "junk", row("d", 0), row("a", False)])
    assert {key: value.passed for key, value in results.rows.items()} == {"a": True, "d": False}
    assert [(gap.count_, gap.what) for gap in results.left_out] == [
        (3, "rows of r.json without checks: b, c, row 4"),
        (1, "repeated rows of r.json: a"),
    ]
    assert {finding.kind for finding in results.findings} == {"rows_missing", "rows_doubled"}


def test_what_is_present_is_used_and_impossible_amounts_are_not() -> None:
    good = row("a", prompt="p", response="r", usage={"prompt_tokens": 7, "completion_tokens": 2}, seconds=1.5)
    bad = row("b", usage={"prompt_tokens": True, "completion_tokens": -1}, seconds="3", response={"x": 1})
    results = read([good, bad, row("c", usage=[], seconds=float("nan"))])
    assert results.rows["a"][3:8] == ("p", "r", 7, 2, 1.5)
    assert results.rows["b"][3:8] == (None, '{"x": 1}', None, None, None)
    assert results.rows["c"][5:8] == (None, None, None)


def test_rows_without_ids_are_matched_by_place_and_it_is_said() -> None:
    results = read([{"checks": {"passed": True}}, row(7), row(True)])
    assert list(results.rows) == ["#1", "7", "#3"]
    assert [finding.kind for finding in results.findings] == ["ids_missing"]


def test_a_task_that_one_route_lacks_is_unanswered_unless_it_had_another_tasks_file() -> None:
    one, other = read([row("a"), row("b"), row("x")]), read([row("b"), row("a"), row("y")], name="other")
    shared = comparable_tasks([one, other])
    assert shared.all == ("a", "b", "x", "y")
    assert shared.answered["one", "other"] == {"a", "b"}
    first, second = (each._replace(tasks_sha256=str(n)) for n, each in enumerate((one, other)))
    apart = comparable_tasks([first, second])
    assert apart.all == ("a", "b")
    assert [gap.what for gap in apart.left_out] == [
        "tasks of one that another student was not asked: x",
        "tasks of other that another student was not asked: y",
    ]
    assert "one passed 3 of its 3, other passed 3 of its 3" in apart.findings[-1].text


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ({"tasks_sha256": "1"}, {"tasks_sha256": "1"}, ["same", "turned"]),
        ({"tasks_sha256": "1"}, {"tasks_sha256": "2"}, ["same"]),
        ({"tasks_sha256": "1"}, {}, ["same"]),
        ({}, {}, ["same"]),
    ],
)
def test_the_same_id_with_another_question_is_not_compared(
    first: dict[str, str], second: dict[str, str], kept: list[str]
) -> None:
    one = read([row("same", prompt="q"), row("turned", prompt="q1")], **first)
    other = read([row("same", prompt="q"), row("turned", prompt="q2")], name="other", **second)
    assert list(comparable_tasks([one, other]).all) == kept


def test_another_tasks_file_without_prompts_is_matched_by_id_and_decides_nothing() -> None:
    one = read([row(f"t{n}") for n in range(40)], tasks_sha256="1")
    other = read([row(f"t{n}", n % 2) for n in range(40)], name="other", tasks_sha256="2")
    assert len(comparable_tasks([one, other]).all) == 40
    decision = decide([one, other])
    assert (decision.verdict.kind, decision.verdict.route) == ("cannot_tell", None)
    assert "nobody knows whether equal ids are equal questions" in decision.verdict.sentence
    assert "tasks_differ" in {finding.kind for finding in decision.findings}


def test_broken_judgement_lines_are_named_by_number_and_the_rest_is_kept() -> None:
    good = b'{"task": "a", "student_a": "x", "student_b": "y", "shown_first": "x", "winner": null, "judge": "j"}'
    lines = [good, b'{"task": "a", "stu', b"", b"[1]", b'{"task": "a"}', b"\xff", good.replace(b'"j"', b'"k"'), good]
    read_ = parse_judgements(b"\n".join(lines), "j.jsonl", "j.jsonl")
    assert [row.line for row in read_.rows] == [1, 7]
    assert read_.left_out[0].what == "lines 2, 4, 5, 6 of j.jsonl"
    assert read_.left_out[1].what == "line 8 of j.jsonl"  # a copied line is no repeat
    assert read_.damaged == 4
    with pytest.raises(StudentsError, match="no line of it is a judgement"):
        parse_judgements(b"<html>\n", "j.jsonl", "j.jsonl")
