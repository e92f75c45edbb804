"""A chat template that is laid over a chat template is told as such, and one of the two is to go."""

from pathlib import Path

import pytest

from diptych.diagnose.samples.prompt_parts import take_apart
from diptych.sample_log import Message, Request
from verdict_runs import answers, compared, prompted

CHATML = "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
LLAMA = "<|start_header_id|>user<|end_header_id|>\n\n{}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"
FAMILIES = (CHATML, LLAMA, "<start_of_turn>user\n{}<end_of_turn>\n<start_of_turn>model\n", "[INST] {} [/INST]")


@pytest.mark.parametrize("inner", FAMILIES)
@pytest.mark.parametrize("turned", [False, True])
def test_a_template_over_a_template_is_laid_to_the_outer_one(tmp_path: Path, inner: str, turned: bool) -> None:
    once = prompted(answers(), inner.format)
    twice = prompted(prompted(answers(range(30)), inner.format), CHATML.format)
    settings = {"chat_template": CHATML, "chat_template_sha": "a" * 64}
    pair = (twice, once) if turned else (once, twice)
    made = compared(tmp_path, *pair, before=settings if turned else {}, **({} if turned else settings))
    who = "A" if turned else "B"
    one = next(found for found in made.findings if found.kind == "prompt_role_markers")
    assert (one.count_, one.of) == (60, 60)
    assert f"they stand twice in {who}" in one.text
    assert made.verdict.leading_cause == "chat_template"
    assert "60 prompts hold the chat-template tokens twice on one side" in made.verdict.sentence
    assert made.verdict.next_step.startswith(f"First let one template be enough in {who.lower()}: run arith without")
    assert all(found.kind != "prompt_white_space" for found in made.findings)


@pytest.mark.parametrize(
    "text",
    [
        "<|im_start|>system\n<|im_end|>\n<|im_start|>user\n4?<|im_end|>\n<|im_start|>assistant\n",
        "[INST] <<SYS>>\nBe short.\n<</SYS>>\n\n4? [/INST]",
        CHATML.format("### Instruction:\n4?\n### Response:"),
        CHATML.format("Human: 4?"),
        CHATML.format("3?") + "3<|im_end|>\n" + CHATML.format("4?"),
        "<|user|>\n4?<|end|>\n<|assistant|>\n<think>\n\n</think>\n\n",
        "<|start|>system<|message|>Be short.<|end|><|start|>user<|message|>4?<|end|><|start|>assistant",
    ],
)
def test_one_template_is_not_taken_for_two(text: str) -> None:
    assert not take_apart(Request(text)).nested


def test_a_message_that_holds_a_template_is_one_template_too_many() -> None:
    def sent(text: str) -> Request:
        return Request(text, (Message("user", text),))

    assert take_apart(sent(CHATML.format("4?"))).nested
    assert not take_apart(sent("4?")).nested


def test_prompts_with_another_number_of_the_same_marks_do_not_differ_by_white_space(tmp_path: Path) -> None:
    plain, closed = (prompted(answers(), form.format) for form in (CHATML, CHATML + "<|im_end|>"))
    one = next(found for found in compared(tmp_path, plain, closed).findings if found.kind == "prompt_role_markers")
    assert "A has 3 of them, B 4" in one.text


def test_a_frame_that_writes_the_marks_by_itself_is_what_changed_the_prompts(tmp_path: Path) -> None:
    plain, marked = prompted(answers(), str), prompted(answers(range(30)), CHATML.format)
    made = compared(tmp_path, plain, marked, configs__arith__doc_to_text="<|im_start|>user\n{{question}}<|im_end|>")
    assert made.verdict.leading_cause == "arith.doc_to_text"
