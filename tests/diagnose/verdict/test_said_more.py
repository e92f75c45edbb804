"""What the files show is said: a run that fell silent, a template that writes the date, scores that stay."""

from pathlib import Path
from typing import Any

import pytest

from diptych.comparison import Comparison, Finding
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from diptych.report.documents.headline import headline
from verdict_runs import ITEMS, document
from written_runs import answer_record, choice_record, results, sha, write_run

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
    assert pair(tmp_path, answered(), moved).verdict.sentence.startswith("No item changed its ")


def test_empty_responses_that_carry_all_that_fell_are_said_to(tmp_path: Path) -> None:
    made = pair(tmp_path, answered(), answered(range(60, 90)))
    assert "all 20 items that score worse there are among them" in made.verdict.sentence
    assert "in exact_match over the 60 items that both sides completed" in made.verdict.sentence
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


def test_the_few_that_changed_beside_empty_responses_are_counted_and_may_be_of_batching(tmp_path: Path) -> None:
    whole, silent = (long_answers(gone) for gone in (range(0), range(20, 70)))
    for number in range(3):
        silent[number]["resps"] = [[f"{silent[number]['resps'][0][0]}, or so"]]
    silent[0]["exact_match"] = 1.0
    there = {"config__model_args": SERVED}
    said = compared(tmp_path / "at_once", whole, silent, there, config__model_args=f"{SERVED},{MANY}").verdict.sentence
    counts = "is 50 empty responses of {} and 3 others (1 scored higher there, 2 scored the same); the other 37 of 90"
    assert counts.format("b") in said
    assert "batches the others otherwise, which moves few of them" in said
    waited = compared(tmp_path / "waited", whole, silent, there, config__model_args=f"{SERVED},timeout=9").verdict
    assert "what moved 3 other responses is not shown" in waited.sentence
    turned = compared(tmp_path / "turned", silent, whole, there, config__model_args=f"{SERVED},{MANY}").verdict
    assert counts.format("a") in turned.sentence


def test_few_empty_responses_are_said_where_most_of_what_fell_is_among_them(tmp_path: Path) -> None:
    whole, silent = long_answers(range(0)), long_answers(range(40, 47))
    for one, name in (((whole, silent), "b"), ((silent, whole), "a")):
        verdict = pair(tmp_path / name, *one).verdict
        assert f"7 of 90 responses of {name} in arith are empty" in verdict.sentence
        assert verdict.next_step.startswith(f"First read the 7 responses of {name} that are empty")


SERVED, MANY = "pretrained=org/base-1b,base_url=http://host/v1/completions", "num_concurrent=32"


def long_answers(silent: range) -> list[dict[str, Any]]:
    made = answered(silent)
    for number, record in enumerate(made):
        if number not in silent:
            record["resps"] = [[f"First take {number} and then count from there on to the end: {number}"]]
    return made


def test_truncated_responses_that_carry_the_gap_are_mended_before_a_model_is_isolated(tmp_path: Path) -> None:
    sides = answered(), answered()
    for record in (*sides[0], *sides[1]):
        record["arguments"]["gen_args_0"]["arg_1"] |= {"max_gen_toks": 24}
        record["resps"] = [[f"Then {record['resps'][0][0]} it is."]]
    for number in range(0, 60, 2):
        sides[1][number]["resps"] = [[" ".join(f"and {number + step}" for step in range(18))]]
        sides[1][number]["exact_match"] = 0.0
    verdict = compared(tmp_path, *sides, config__model_args="pretrained=org/other-3b").verdict
    assert verdict.leading_cause == "model_args.pretrained"
    assert "responses of b in arith appear truncated at max_gen_toks" in verdict.sentence
    assert verdict.next_step.startswith("First read the 30 responses of b that appear truncated: give a larger")


def judged(tmp_path: Path, **changes: Any) -> Comparison:
    for name, score, given in (("a", 0.6, {}), ("b", 0.4, changes)):
        document = results(configs__arith__output_type="generate_until", **given)
        mean = sum(one["exact_match"] for one in answered()) / 90
        document["results"]["arith"] = {"exact_match,none": mean, "judged,none": score}
        write_run(tmp_path / name, document, {"arith": answered()})
    return compare_runs(read_run(tmp_path / "a"), read_run(tmp_path / "b"))


def test_a_score_that_no_log_holds_may_be_moved_by_what_scores(tmp_path: Path) -> None:
    verdict = judged(tmp_path, lm_eval_version="0.4.5").verdict
    assert "no log holds judged item by item, so it was scored otherwise" in verdict.sentence
    assert (verdict.leading_cause, verdict.standing) == ("versions.lm_eval", "possible")
    assert "cannot have acted" in judged(tmp_path / "dtype", config__batch_size=99).verdict.sentence


def prompted(records: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    for record in records:
        request = record["arguments"]["gen_args_0"]
        request["arg_0"] = text + request["arg_0"]
        record["prompt_hash"] = sha(request["arg_0"])
    return records


def test_a_recorded_text_that_only_one_side_sent_made_the_prompts_differ(tmp_path: Path) -> None:
    told, other = "Answer in digits alone.", "Answer in words alone."
    b = answered()
    for record in b[:40]:
        record["resps"], record["exact_match"] = [[" something else"]], 0.0
    made = compared(
        tmp_path, prompted(answered(), f"{told}\n\n"), b, {"system_instruction": told}, system_instruction=other
    )
    assert (made.verdict.leading_cause, made.verdict.standing) == ("system_instruction", "supported")
    assert "hold the recorded text of one side, and none holds the other's" in made.verdict.sentence


def test_a_filter_that_finds_nothing_is_mended_before_a_model_is_isolated(tmp_path: Path) -> None:
    sides = answered(), answered()
    for record in (*sides[0], *sides[1]):
        record["filtered_resps"], record["exact_match"] = ["[invalid]"], 0.0
    for record in sides[1]:
        record["resps"] = [[f"{1000 - record['doc_id']} or so"]]
    verdict = compared(tmp_path, *sides, config__model_args="pretrained=org/other-3b").verdict
    assert "is at the floor" in verdict.sentence
    assert verdict.next_step.startswith("Read some responses of arith and score both logs by a filter")


def test_settings_that_a_side_does_not_record_are_found_first(tmp_path: Path) -> None:
    b = answered()
    for record in b[:40]:
        record["resps"] = [[f"{1000 - record['doc_id']} or so"]]
    made = compared(tmp_path, answered(), b, {"config": None}, config__batch_size=64)
    assert "The settings of a are unknown" in made.verdict.sentence
    assert made.verdict.next_step.startswith("Find the results file of a as the harness wrote it, with its config")


def test_refusals_that_carry_what_fell_are_said_to_as_empty_responses_are(tmp_path: Path) -> None:
    b = answered(range(40, 60))
    for record in b[40:60]:
        record["resps"] = [["I'm sorry, but I can't help with that."]]
    for sides in ((answered(), b), (b, answered())):
        sentence = pair(tmp_path / str(sides[0] is b), *sides).verdict.sentence
        assert "items that score worse in " in sentence
        assert "over the 70 items that both sides answered" in sentence


def two_metrics(folder: Path, name: str, wrong: range, other: range) -> Any:
    """Return a run of a task of choices scored by two metrics, with the items that each of them finds wrong."""
    records = [choice_record(number, number not in other) for number in range(ITEMS)]
    for number, record in enumerate(records):
        shift = 2.0 * (number in range(len(other)) and len(other) > 0)
        record["resps"] = [[[str(-0.5 - shift), "True"]], [["-1.25", "False"]]]
        record |= {"metrics": ["acc", "acc_norm"], "acc_norm": float(number not in wrong)}
    made = document(records, "acc")
    row = made["results"]["arith"]
    row |= {"acc_norm,none": 1 - len(wrong) / ITEMS, "acc_norm_stderr,none": 0.05}
    made["configs"]["arith"]["metric_list"] = [{"metric": "acc"}, {"metric": "acc_norm"}]
    return read_run(str(write_run(folder / name, made, {"arith": records})))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("wrong", "other", "said"),
    [
        (range(10), range(30), "on arith acc moved farther: "),
        (range(0), range(2), "on arith acc moved: "),
        (range(20), range(22), ""),
    ],
    ids=["farther", "alone", "alike"],
)
def test_another_metric_that_moved_much_farther_or_alone_is_told_on_the_first_screen(
    tmp_path: Path, wrong: range, other: range, said: str, turned: bool
) -> None:
    pair = [two_metrics(tmp_path, "a", range(0), range(0)), two_metrics(tmp_path, "b", wrong, other)]
    sentence = compare_runs(*pair[:: -1 if turned else 1]).verdict.sentence
    assert (said in sentence) if said else ("moved farther" not in sentence and "acc moved" not in sentence)


@pytest.mark.parametrize(
    ("ours", "theirs", "side"), [("train", "test", "b"), ("test", "train", "a"), ("test", "test", "")]
)
def test_examples_out_of_the_split_that_is_scored_are_a_warning_where_one_side_alone_has_them(
    tmp_path: Path, ours: str, theirs: str, side: str
) -> None:
    records = [answer_record(number, f"It is {number}.", score=float(number > 20)) for number in range(ITEMS)]
    other = [answer_record(number, f"It is {number}!", score=float(number > 2)) for number in range(ITEMS)]
    given = {"configs__arith__test_split": "test", "configs__arith__num_fewshot": 2, "n_shot__arith": 2}
    before, after = (given | {"configs__arith__fewshot_split": split} for split in (ours, theirs))
    sentence = compared(tmp_path, records, other, before, **after).verdict.sentence
    assert ("from the split that it scores (test): answers may leak" in sentence) is bool(side)
    assert f"{side} takes its examples for arith" in sentence or not side


def test_what_differs_and_cannot_act_is_named_where_every_response_is_the_same(tmp_path: Path) -> None:
    records = [answer_record(number, f"It is {number}.", score=float(number > 20)) for number in range(ITEMS)]
    made = compared(tmp_path, records, records, {"config__bootstrap_iters": 100000}, config__bootstrap_iters=0)
    assert made.verdict.next_step.endswith(": bootstrap_iters differs, and changed nothing.")


def test_one_model_under_two_names_is_not_called_two_models(tmp_path: Path) -> None:
    records = [answer_record(number, f"It is {number}.", score=float(number > 20)) for number in range(ITEMS)]
    other = [answer_record(number, f"Well, {number}!", score=float(number > 2)) for number in range(ITEMS)]
    names = [{"config__model_args": f"pretrained={name}"} for name in ("base:1b-q4_0", "Base-1B-Q4_0.gguf")]
    made = compared(tmp_path, records, other, names[0], **names[1])
    assert made.verdict.sentence.startswith("One model under two names, as these go (base:1b-q4_0 → Base-1B-Q4_0")
    (note,) = [one.text for one in made.findings if one.kind == "models_differ"]
    assert note.startswith("The record names one model under two names: ")


def test_one_model_in_its_own_files_and_in_quantized_ones_is_one_model_in_two_forms(tmp_path: Path) -> None:
    records = [answer_record(number, f"It is {number}.", score=float(number > 20)) for number in range(ITEMS)]
    other = [answer_record(number, f"Well, {number}!", score=float(number > 2)) for number in range(ITEMS)]
    names = [{"config__model_args": f"pretrained=org/base-1b{mark}"} for mark in ("", "-AWQ")]
    made = compared(tmp_path, records, other, names[0], **names[1])
    assert made.verdict.sentence.startswith("One model in two forms, by its names (base-1b → base-1b-AWQ): ")
    (note,) = [one.text for one in made.findings if one.kind == "models_differ"]
    assert note.startswith("The record names one model in two forms: ")


def test_programs_that_were_scored_otherwise_are_run_again_and_no_judge_is_asked(tmp_path: Path) -> None:
    made = []
    for name, failed in (("a", 0), ("b", 12)):
        records = [answer_record(number, f"return {number}", score=float(number >= failed)) for number in range(ITEMS)]
        given = document(records, configs__arith__unsafe_code=True)
        made.append(read_run(str(write_run(tmp_path / name, given, {"arith": records}))))
    step = compare_runs(*made).verdict.next_step
    assert "Run the tests of the logged programs of arith" in step
    assert "time-out" in step
    assert "judge" not in step


def test_a_headline_says_which_share_of_what_is_better_was_recited(tmp_path: Path) -> None:
    made = pair(tmp_path, answered(range(30)), answered())
    recited = Finding("answers_recited", "warning", "", "b", made.metrics[0].task, 60, 90)
    assert headline(made._replace(findings=(recited,)))[1].endswith("67 % of its responses recited")
