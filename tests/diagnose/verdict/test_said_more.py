"""What the files show is said: a run that fell silent, a template that writes the date, scores that stay."""

from pathlib import Path
from typing import Any

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from diptych.report.documents.headline import headline
from written_runs import answer_record, results, sha, write_run

DATED = "{{ 'Today: ' + strftime_now('%d %b %Y') }}{% for message in messages %}{{ message.content }}{% endfor %}"


def pair(tmp_path: Path, a: list[dict[str, Any]], b: list[dict[str, Any]], template: str | None = None) -> Comparison:
    return compared(tmp_path, a, b, {"chat_template": template}, chat_template=template)


def compared(
    tmp_path: Path, a: list[dict[str, Any]], b: list[dict[str, Any]], before: dict[str, Any] | None = None, **after: Any
) -> Comparison:
    for name, records, given in (("a", a, before or {}), ("b", b, after)):
        document = results(configs__arith__output_type="generate_until", **given)
        mean = sum(one["exact_match"] for one in records) / len(records)
        document["results"]["arith"] = {"exact_match,none": mean}
        write_run(tmp_path / name, document, {"arith": records})
    return compare_runs(read_run(tmp_path / "a"), read_run(tmp_path / "b"))


def answered(silent: range = range(0)) -> list[dict[str, Any]]:
    return [
        answer_record(
            number, "" if number in silent else f" {number}", score=float(number not in silent and number % 3)
        )
        | {"exact_match": float(number not in silent and number % 3 > 0)}
        for number in range(90)
    ]


def test_empty_responses_at_the_end_of_a_run_are_said_to_be_its_last(tmp_path: Path) -> None:
    made = pair(tmp_path, answered(), answered(range(60, 90)))
    assert "exactly the last 30 items of the run" in made.verdict.sentence
    assert "reasoning channel" not in made.verdict.next_step
    assert "33 % of its responses empty" in headline(made)[1]


def test_empty_responses_in_the_midst_of_a_run_are_not(tmp_path: Path) -> None:
    made = pair(tmp_path, answered(), answered(range(50, 80)))
    assert "30 of 90 responses of b in arith are empty." in made.verdict.sentence
    assert "the last" not in made.verdict.sentence


def dated(day: str) -> list[dict[str, Any]]:
    found = []
    for number, record in enumerate(answered()):
        prompt = f"Today: {day} Mar 2026\nWhat is {number}?"
        asked = {"gen_args_0": {"arg_0": prompt, "arg_1": {"until": ["\n"]}}}
        text = f" {number}" + (" indeed" if day == "05" and not number % 4 else "")
        found.append({**record, "arguments": asked, "prompt_hash": sha(prompt), "resps": [[text]]})
    return found


def test_a_date_that_the_recorded_template_writes_is_named(tmp_path: Path) -> None:
    verdict = pair(tmp_path, dated("04"), dated("05"), DATED).verdict
    assert "the recorded chat template writes the day of the run into them (strftime_now)" in verdict.sentence
    assert verdict.next_step.startswith("Run both sides on one day")


def test_a_date_without_such_a_template_has_no_recorded_cause(tmp_path: Path) -> None:
    verdict = pair(tmp_path, dated("04"), dated("05"), "{{ messages }}").verdict
    assert "no recorded setting explains that" in verdict.sentence


def test_a_score_that_no_item_changed_is_said_so_in_the_first_words(tmp_path: Path) -> None:
    moved = [record | {"resps": [[f"{record['resps'][0][0]}."]]} for record in answered()]
    assert pair(tmp_path, answered(), moved).verdict.sentence.startswith("No item changed its score")


def test_empty_responses_that_carry_all_that_fell_are_said_to(tmp_path: Path) -> None:
    made = pair(tmp_path, answered(), answered(range(60, 90)))
    assert "all 20 items that score worse there are among them" in made.verdict.sentence
    assert "over the 60 items that both sides completed exact_match" in made.verdict.sentence
    turned = pair(tmp_path / "turned", answered(range(60, 90)), answered())
    assert "all 20 items that score worse there are among them" in turned.verdict.sentence


def test_a_run_that_ended_early_is_mended_first_whatever_setting_differs(tmp_path: Path) -> None:
    b = answered(range(60, 90))
    for record in b[:5]:
        record["resps"], record["exact_match"] = [[" another"]], 1.0
    made = compared(tmp_path, answered(), b, config__model_args="pretrained=org/other-3b")
    assert made.verdict.leading_cause == "model_args.pretrained"
    assert made.verdict.next_step.startswith("First read the 30 responses of b that are empty: the server's log says")


def test_another_model_is_not_shown_to_have_acted_by_the_empty_end_of_a_run(tmp_path: Path) -> None:
    made = compared(tmp_path, answered(), answered(range(60, 90)), config__model_args="pretrained=org/other-3b")
    assert (made.verdict.leading_cause, made.verdict.standing) == ("model_args.pretrained", "possible")


def test_empty_responses_that_are_all_that_moved_blame_no_connection(tmp_path: Path) -> None:
    whole, silent = (long_answers(gone) for gone in (range(0), range(20, 50)))
    made = compared(tmp_path, whole, silent, {"config__model_args": SERVED}, config__model_args=f"{SERVED},{MANY}")
    sentence = made.verdict.sentence
    assert "What moved in arith is 30 empty responses of b" in sentence
    assert "the other 60 of 90 are equal" in sentence
    assert "Possible cause" not in sentence
    assert sentence.count("that score worse") == 1


SERVED, MANY = "pretrained=org/base-1b,base_url=http://host/v1/completions", "num_concurrent=32"


def long_answers(silent: range) -> list[dict[str, Any]]:
    made = answered(silent)
    for number, record in enumerate(made):
        if number not in silent:
            record["resps"] = [[f"First take {number} and then count from there on to the end: {number}"]]
    return made
