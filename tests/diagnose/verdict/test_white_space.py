"""Responses that are one text but for white space: nothing to explain, whoever may have put it there."""

from pathlib import Path

import pytest

from verdict_runs import Records, answers, compared
from written_runs import Json

ENGINE = {"before": {"config__model": "hf"}, "config__model": "vllm"}
MODEL = {"config__model_args": "pretrained=org/other-1b,dtype=float32"}
BOTH = {"lm_eval_version": "0.4.13", "transformers_version": "4.60.0"}
NOTHING = "There is no gap to explain on these items: nothing but white space around the responses changed."


def spaced(other: int = 0) -> Records:
    """Answers with a blank before each; the first few say something else, too."""
    found = answers(range(20))
    for number, record in enumerate(found):
        text = record["resps"][0][0]
        record["resps"] = [[f"I say {text}" if number < other else f" {text}"]]
    return found


@pytest.mark.parametrize("changes", [ENGINE, MODEL, BOTH, {"transformers_version": "4.60.0"}])
def test_what_may_have_put_white_space_there_is_blamed_for_nothing_else(
    tmp_path: Path, changes: dict[str, Json]
) -> None:
    verdict = compared(tmp_path, answers(range(20)), spaced(), **changes).verdict
    assert "Possible cause of the white space: " in verdict.sentence
    assert "the responses are the same but for it." in verdict.sentence
    assert verdict.next_step == NOTHING
    assert ("was applied cannot be seen" in verdict.sentence) == (changes is MODEL)


def test_a_few_responses_beside_white_space_do_not_say_that_another_model_answered(tmp_path: Path) -> None:
    sentence = compared(tmp_path, answers(range(20)), spaced(3), transformers_version="4.60.0").verdict.sentence
    assert "57 of 60 changed responses in arith differ by white space alone." in sentence
    assert "what answered" not in sentence


def test_no_filter_that_strips_white_space_is_asked_for_where_responses_are_programs(tmp_path: Path) -> None:
    side: dict[str, Json] = {"configs__arith__unsafe_code": True}
    indented = answers(text=lambda number: f"    return {number}")
    bare = answers(range(20), lambda number: f"return {number}")
    step = compared(tmp_path, indented, bare, before=side, **side).verdict.next_step
    assert "in a program white space counts" in step
    step = compared(tmp_path / "texts", indented, bare).verdict.next_step
    assert "by a filter that strips white space" in step
