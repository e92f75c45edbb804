"""Responses that hold one text all the same are told for what they are: a blank, a header, a thought, a repetition."""

from pathlib import Path

import pytest

from diptych.diagnose.samples.framed_responses import bare_side, frame_of
from verdict_runs import Records, answers, compared


def worded(number: int) -> str:
    return f"To add {number} and 4 you take {number} and count four more, so the answer is {number + 4}."


def rewritten(change: str) -> Records:
    return answers(text=lambda number: change.format(worded(number)))


@pytest.mark.parametrize("change", ["{} ", " {}", "\n{}\n"])
@pytest.mark.parametrize("turned", [False, True])
def test_texts_that_differ_by_white_space_alone_blame_nothing(tmp_path: Path, change: str, turned: bool) -> None:
    pair = (rewritten(change), rewritten("{}"))
    verdict = compared(tmp_path, *(pair if turned else pair[::-1])).verdict
    assert "60 of 60 changed responses in arith differ by white space alone." in verdict.sentence
    assert "thoughts" not in verdict.sentence
    assert "what answered" not in verdict.sentence
    assert verdict.next_step.startswith("There is no gap to explain on these items")


def test_an_engine_that_strips_blanks_is_not_credited_with_every_response(tmp_path: Path) -> None:
    moved = answers(text=lambda number: worded(number + 100 * (number < 2)))
    made = compared(tmp_path, rewritten(" {}"), moved, before={"config__model": "hf"}, config__model="vllm")
    assert "58 of 60 changed responses in arith differ by white space alone." in made.verdict.sentence
    assert "All 60 responses" not in made.verdict.sentence
    assert made.verdict.standing != "supported"


@pytest.mark.parametrize(("change", "said"), [("assistant: {}", '"assistant:" before'), ("{}</s>", '"</s>" behind')])
@pytest.mark.parametrize("turned", [False, True])
def test_words_around_every_response_are_named_and_blame_no_weights(
    tmp_path: Path, change: str, said: str, turned: bool
) -> None:
    pair = (rewritten(change), rewritten("{}"))
    verdict = compared(tmp_path, *(pair if turned else pair[::-1])).verdict
    who, other = ("a", "b") if turned else ("b", "a")
    assert f"60 of 60 changed responses of {who} in arith are {other}'s with {said} each" in verdict.sentence
    assert "one model most likely wrote both" in verdict.sentence
    assert "what answered" not in verdict.sentence
    assert verdict.next_step.startswith(f"Send one request to what serves {who}")


def test_words_around_short_responses_say_nothing_of_the_model(tmp_path: Path) -> None:
    plain, framed = answers(text=str), answers(text=lambda number: f"The answer is: {number}")
    assert "one model most likely wrote both" not in compared(tmp_path, plain, framed).verdict.sentence


def test_only_a_text_that_holds_a_thought_can_be_without_it() -> None:
    assert bare_side("It is 4.", "<think>two and two</think>\n\nIt is 4.") == "a"
    assert bare_side("<|channel|>analysis<|message|>two<|end|><|channel|>final<|message|>4.<|return|>", "4.") == "b"
    assert bare_side("It is 4.", "It is 4.\n") is None
    assert bare_side("<think>one</think> 4", "<think>two</think> 4") is None


def test_a_response_that_a_budget_cuts_earlier_is_found_behind_its_prefix() -> None:
    text = "To add two and two you count"
    assert frame_of("b", f"assistant: {text[:-6]}", text) == ("b", "assistant:", "")
    assert frame_of("b", text[:-6], text) is None


def test_an_answer_that_is_given_three_times_is_one_answer(tmp_path: Path) -> None:
    thrice = answers(text=worded)
    for record in thrice:
        record["resps"] = [record["resps"][0] * 3]
    made = compared(tmp_path, answers(text=worded), thrice, configs__arith__repeats=3)
    assert made.verdict.kind == "identical"
    assert "thoughts" not in made.verdict.sentence
