"""Values of people's files, made strict."""

import pytest

from diptych.harness.strict_values import parse_harness_json


@pytest.mark.parametrize("half", [r"\ud83d", r"\uD83D"])
def test_half_a_surrogate_is_mended_however_its_escape_is_written(half: str) -> None:
    text = parse_harness_json(f'{{"text": "a{half}"}}'.encode())["text"]
    assert text.startswith("a")
    text.encode("utf-8")
