"""The checks of an answer, as a table; and that no pattern can hold a whole evaluation."""

import time
from typing import Any

import pytest

from diptych.errors import StudentsError
from diptych.students.collect import timed
from diptych.students.collect.answer_checks import check_answer, unfenced, validate

SCHEMA = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("check", "answer", "passes"),
    [
        ({"type": "equals", "value": "Paris"}, " Paris\n", True),
        ({"type": "equals", "value": "Paris"}, "paris", False),
        ({"type": "equals", "value": "Paris", "ignore_case": True}, "PARIS", True),
        ({"type": "equals", "value": ""}, "", True),
        ({"type": "contains", "value": "two  words"}, "the two\nwords", True),
        ({"type": "contains", "value": ["red", "blue"]}, "red only", False),
        ({"type": "contains", "value": "straße", "ignore_case": True}, "STRASSE", True),
        ({"type": "not_contains", "value": ["cat", "dog"]}, "a horse", True),
        ({"type": "not_contains", "value": "cat"}, "a cat", False),
        ({"type": "one_of", "value": ["yes", "no"]}, "yes.", True),
        ({"type": "one_of", "value": ["yes", "no"]}, "yes and no", False),
        ({"type": "max_words", "value": 3}, "one two  three", True),
        ({"type": "max_words", "value": 3}, "one two three four", False),
        ({"type": "max_words", "value": 0}, "", True),
        ({"type": "number", "value": 56}, "7 times 8 is 56.", True),
        ({"type": "number", "value": 56}, "56 is 7 times 8", False),
        ({"type": "number", "value": 56, "which": "first"}, "56 is 7 times 8", True),
        ({"type": "number", "value": 7, "which": "any"}, "56 is 7 times 8", True),
        ({"type": "number", "value": 3.14, "tolerance": 0.01}, "about 3.1416", True),
        ({"type": "number", "value": 3.14}, "about 3.1416", False),
        ({"type": "number", "value": 1234.5}, "1,234.5 km", True),
        ({"type": "number", "value": -5}, "it is -5", True),
        ({"type": "number", "value": 5}, "Q4-5", True),
        ({"type": "number", "value": 2021}, "2020-2021", True),
        ({"type": "number", "value": 0.3}, "0.1 + 0.2 = 0.30000000000000004", True),
        ({"type": "number", "value": 5}, "none at all", False),
        ({"type": "number", "value": 5}, "9" * 400, False),
        ({"type": "regex", "value": r"\b(8|eight)\b"}, "It has eight legs", True),
        ({"type": "regex", "value": r"^len\(xs\)$"}, "xs.size()", False),
        ({"type": "json_schema", "value": SCHEMA}, '{"a": 1}', True),
        ({"type": "json_schema", "value": SCHEMA}, 'Here:\n```json\n{"a": 1}\n```\n', True),
        ({"type": "json_schema", "value": SCHEMA}, '{"a": "1"}', False),
        ({"type": "json_schema", "value": SCHEMA}, "{a: 1}", False),
        ({"type": "json_schema", "value": SCHEMA}, "[" * 100_000, False),
    ],
)
def test_a_check_passes_or_says_why_not(check: dict[str, Any], answer: str, passes: bool) -> None:
    validate(check, "t")
    passed, (outcome,) = check_answer([check], answer)
    assert passed is passes
    assert (outcome.note is None) is passes


@pytest.mark.parametrize(
    "check",
    [
        {"type": "vibes", "value": "good"},
        {"value": "x"},
        "contains",
        None,
        {"type": ["contains"], "value": "x"},
        {"type": "equals"},
        {"type": "equals", "value": 5},
        {"type": "contains", "value": []},
        {"type": "contains", "value": ""},
        {"type": "contains", "value": [1]},
        {"type": "one_of", "value": "yes"},
        {"type": "max_words", "value": -1},
        {"type": "max_words", "value": True},
        {"type": "number", "value": "5"},
        {"type": "number", "value": float("nan")},
        {"type": "number", "value": 5, "tolerance": -1},
        {"type": "number", "value": 5, "which": "best"},
        {"type": "regex", "value": "(unclosed"},
        {"type": "json_schema", "value": {"type": "no such type"}},
        {"type": "json_schema", "value": "object"},
    ],
)
def test_a_check_that_cannot_be_run_is_refused_before_anything_is_asked(check: Any) -> None:
    with pytest.raises(StudentsError) as caught:
        validate(check, "tasks.json: task t1")
    assert caught.value.where == "tasks.json: task t1"


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"a*a*a*a*a*a*a*b"])
def test_a_pattern_that_could_search_for_ever_is_stopped(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed, "SECONDS", 0.5)
    passed, (outcome,) = check_answer([{"type": "regex", "value": pattern}], "a" * 300 + "!")
    assert not passed
    assert outcome.note == "the pattern took longer than 0.5 s"


def test_a_schema_is_never_fetched() -> None:
    check = {"type": "json_schema", "value": {"$ref": "http://127.0.0.1:9/schema.json"}}
    passed, (outcome,) = check_answer([check], "{}")
    assert not passed
    assert "refers to" in (outcome.note or "")


def test_an_answer_passes_only_where_every_check_passes() -> None:
    checks = [{"type": "contains", "value": "a"}, {"type": "max_words", "value": 1}]
    assert check_answer(checks, "a")[0]
    assert [outcome.passed for outcome in check_answer(checks, "a b")[1]] == [True, False]


@pytest.mark.parametrize(
    "pattern", [r"a?" * 30 + "a" * 40 + "b", "(a|a)" * 40 + "b", "(?x)(a+) +b", "(?:a{0,5}){0,50}c"]
)
def test_a_pattern_of_any_kind_that_could_search_for_ever_is_stopped(
    pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timed, "SECONDS", 0.5)
    passed, (outcome,) = check_answer([{"type": "regex", "value": pattern}], "a" * 80 + "!")
    assert (passed, outcome.note) == (False, "the pattern took longer than 0.5 s")


CHAIN = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)} | {"d40": {"type": "string"}}


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^(a+)+$"},
        {"additionalProperties": False, "patternProperties": {"^(a+)+$": {}}},
        {"$defs": CHAIN, "$ref": "#/$defs/d0"},
    ],
)
def test_a_schema_that_could_take_for_ever_is_stopped(schema: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed, "SECONDS", 0.5)
    text = '"' + "a" * 60 + '!"'
    passed, (outcome,) = check_answer(
        [{"type": "json_schema", "value": schema}], f"{{{text}: 1}}" if "additionalProperties" in schema else text
    )
    assert (passed, outcome.note) == (False, "the schema took longer than 0.5 s")


@pytest.mark.parametrize("schema", [{"pattern": "("}, {"patternProperties": {"(": {}}}, {"$schema": ["x"]}])
def test_a_schema_that_cannot_be_applied_is_refused_before_anything_is_asked(schema: Any) -> None:
    with pytest.raises(StudentsError, match="its value"):
        validate({"type": "json_schema", "value": schema}, "tasks.json")


def test_a_schema_of_a_process_of_its_own_says_what_one_here_says() -> None:
    for value in ("ab", "xy", 5):
        assert timed.in_own_process("broken_rule", {"pattern": "^a"}, value) == timed.first_error(
            {"pattern": "^a"}, value
        )
    passed, (outcome,) = check_answer([{"type": "json_schema", "value": {"$ref": "#"}}], "1")
    assert (passed, outcome.note) == (False, "the schema cannot be applied (RecursionError)")


def test_the_only_fenced_block_is_found_in_an_answer_of_any_size() -> None:
    assert unfenced('x\n```json\n{"a": 1}\n```  \ny') == '{"a": 1}\n'
    assert unfenced("```\n1\n```\n```\n2\n```") == "```\n1\n```\n```\n2\n```"
    began = time.process_time()
    unfenced("```a\n" * 1_000_000)
    assert time.process_time() - began < 20
