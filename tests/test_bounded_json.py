"""JSON of a stranger is read within bounds, and what breaks them is said in few words."""

import json

import pytest
from hypothesis import given, strategies

from diptych.bounded_json import DEPTH, LONG, NotJson, load_json, whole_number
from diptych.fast_json import dump_many


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 200 + "]" * 200, "nests too deeply"),
        ("[" * 100_000, "nests too deeply"),
        ('{"a":' * (DEPTH + 1) + "1" + "}" * (DEPTH + 1), "nests too deeply"),
        ("1" * 5_000, "whole number of 5000 digits"),
        ("1e101", "beyond all size"),
        ("0." + "1" * 100_000, "beyond all size"),
        ("NaN", "NaN is no number"),
        ('{"a": 1', "breaks off"),
        ("{a: 1}", "not JSON"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_what_is_beyond_the_bounds_is_refused(text: str | bytes, says: str) -> None:
    with pytest.raises(NotJson, match=says):
        load_json(text)


def test_what_is_within_the_bounds_is_read() -> None:
    text = "[" * DEPTH + "]" * DEPTH
    assert load_json(text) is not None
    assert load_json('\ufeff{"a": [1, 2.5, "\\ud800x"]}') == {"a": [1, 2.5, "?x"]}
    assert load_json("[NaN]", constant=lambda _: None) == [None]
    with pytest.raises(NotJson) as caught:
        load_json('{\n"a": }')
    assert caught.value.line == 2


@given(strategies.binary(max_size=60))
def test_any_bytes_give_a_value_or_a_reason(data: bytes) -> None:
    try:
        said = repr(load_json(data))
    except NotJson as error:
        said = str(error)
    assert said


@given(strategies.text())
def test_a_text_is_a_whole_number_or_none(text: str) -> None:
    value = whole_number(text)
    assert value is None or (value >= 0 and text.isascii())


def test_digits_that_are_no_number_are_none() -> None:
    assert [whole_number(text) for text in ("²", "٣", "-1", "", "1" * 21, "007")] == [None] * 5 + [7]


@pytest.mark.parametrize("value", [{"b": [1.5, None, "é"], "a": {}}, ["\ud800"], {"n": 10**30}])
def test_what_is_written_by_the_thousand_is_the_same_json(value: object) -> None:
    assert json.loads(dump_many(value)) == value


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_whole_number_of_one_digit_more_than_python_reads_is_told_in_words(sign: str) -> None:
    assert load_json(f"{sign}{'9' * LONG}", digits=LONG)
    with pytest.raises(NotJson, match=r"a whole number of 430\d digits"):
        load_json(f"{sign}{'9' * (LONG + 1)}", digits=LONG)
