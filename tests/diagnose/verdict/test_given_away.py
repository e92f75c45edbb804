"""A prompt that gives the answers away takes the word from a better score."""

from pathlib import Path

from verdict_runs import Records, answers, compared


def told(more: str, right: range) -> Records:
    made = answers(range(0), text=str)
    for number, record in enumerate(made):
        record["arguments"]["gen_args_0"]["arg_0"] = f"What is {number} plus 4?{more.format(number + 4)}\nAnswer:"
        record["target"] = str(number + 4)
        record["exact_match"] = float(number in right)
    return made


def test_answers_in_the_prompts_are_told_in_the_first_sentence_and_in_the_next_step(tmp_path: Path) -> None:
    pair = told("", range(20)), told("\nHint: it is {}.", range(55))
    verdict = compared(tmp_path, *pair, configs__arith__doc_to_text="{{question}}\nHint: it is {{hint}}.").verdict
    assert verdict.kind == "different"
    first = verdict.parts[0].text
    assert "b's prompts of arith hold the right answer in what was added to them (60 of 60)" in first
    assert verdict.leading_cause == "arith.doc_to_text"
    assert verdict.next_step.startswith("First read what b's prompts of arith have more than a's")
