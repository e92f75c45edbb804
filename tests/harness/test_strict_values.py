"""Values of people's files, made strict."""

import pytest

from diptych.harness.strict_values import item_value, parse_harness_json, split_arguments


@pytest.mark.parametrize("half", [r"\ud83d", r"\uD83D"])
def test_half_a_surrogate_is_mended_however_its_escape_is_written(half: str) -> None:
    text = parse_harness_json(f'{{"text": "a{half}"}}'.encode())["text"]
    assert text.startswith("a")
    text.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('a=1,b={"x": "k=v", "y": [1, 2]},c=True', {"a": 1, "b": '{"x": "k=v", "y": [1, 2]}', "c": True}),
        ("a='x,y=z',b=1", {"a": "x,y=z", "b": 1}),
        ('until=["\\n","Q="],temperature=0.7', {"until": '["\\n","Q="]', "temperature": 0.7}),
        ("pretrained=a,stop=,b=2", {"pretrained": "a", "stop": "", "b": 2}),
        ('dtype="float16",until=a,b', {"dtype": "float16", "until": "a,b"}),
    ],
)
def test_arguments_are_parted_outside_brackets_and_quotation_marks(text: str, values: object) -> None:
    assert split_arguments(text) == values


def test_a_number_of_an_item_may_be_written_as_a_text() -> None:
    assert [item_value(value) for value in ("0.5", "1", "True", 1, False)] == [0.5, 1, 1, 1, 0]
    assert all(item_value(value) != item_value(value) for value in ("a", "nan", "", None, [1]))
