"""Kinds of pairs that were once told half: each with the clause, the certainty or the next step that makes it whole."""

import random
from pathlib import Path

from truth.changed import answers, compared, finding, generation, listed, named, start
from truth.effects import budget_for, cut_at, move_a_little, move_answers, reworded, shortened
from truth.sides import Item, Side

from diptych.catalogue.side_labels import with_labels
from diptych.diagnose.compare_many import compare_many
from diptych.diagnose.pipeline import compare_runs
from diptych.diagnose.verdict.rows_apart import metrics_apart
from diptych.estimates import Estimate, MetricComparison
from diptych.harness.reader import read_run
from diptych.report.documents.headline import headline
from diptych.report.documents.score_rows import row_word
from written_inspect import log, sample, write_json
from written_runs import ABSENT, choice_record, results, write_run

ROOT = Path(__file__).resolve().parents[3]

CHANCE = random.Random


def moved(side: Side, share: float = 0.8, tilt: float = -0.6) -> None:
    move_answers(side, CHANCE("moved"), share, tilt)


def gpu(side: Side, name: str) -> None:
    side.top["pretty_env_info"] = f"GPU models and configuration: GPU 0: {name}"


def test_items_that_no_setting_chose_are_told_as_the_reason_for_the_reported_gap(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for task in b.tasks.values():
        task.items = task.items[::3]
    verdict = compared(tmp_path, a, b).verdict
    assert "--samples" in verdict.sentence
    assert "the reported scores are of other items (sums exact_match" in verdict.sentence
    assert verdict.next_step.startswith("Score the same items on both sides")
    assert verdict.leading_cause is None


def test_second_copies_of_shared_documents_are_not_said_to_be_missing(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for task in b.tasks.values():
        again = [Item(item.number + 500, item.doc, item.question, item.target, item.response) for item in task.items]
        task.items += again[:20]
    made = compared(tmp_path, a, b)
    assert "20 of 20 items of b in no pair are second copies of shared documents" in made.verdict.sentence
    assert not [each for each in made.left_out if "does not hold them" in each.why]


def test_hardware_alone_is_possible_and_a_repeat_tells_more(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    gpu(a, "NVIDIA A100")
    gpu(b, "NVIDIA H100")
    move_a_little(b, CHANCE("little"))
    verdict = compared(tmp_path, a, b).verdict
    assert (verdict.leading_cause, verdict.standing) == ("environment.gpu", "possible")
    assert "Repeat a as it was" in verdict.next_step
    assert "no further run" not in verdict.next_step


def test_an_address_that_changed_few_answers_is_no_more_than_possible(tmp_path: Path) -> None:
    a, b = start("real few-shot, served")
    b.argue(base_url="http://elsewhere.example:8000/v1/completions")
    answers(b, lambda text: reworded(text, CHANCE(text)), every=20)
    verdict = compared(tmp_path, a, b).verdict
    assert (verdict.leading_cause, verdict.standing) == ("model_args.base_url", "possible")


def test_another_port_of_one_host_is_possible_where_answers_moved_broadly(tmp_path: Path) -> None:
    a, b = start("real few-shot, served")
    for side, port in ((a, 8000), (b, 8001)):
        side.argue(base_url=f"http://127.0.0.1:{port}/v1/completions")
    moved(b)
    verdict = compared(tmp_path, a, b).verdict
    assert (verdict.leading_cause, verdict.standing) == ("model_args.base_url", "possible")
    assert "what answered" in verdict.sentence
    assert verdict.next_step.startswith("Find out what each server loaded")


def test_a_served_backend_is_told_with_weights_that_no_file_knows(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.config["model"] = b.top["model_source"] = "gguf"
    b.argue(base_url="http://127.0.0.1:9000")
    moved(b)
    verdict = compared(tmp_path, a, b).verdict
    assert named(compared(tmp_path / "again", a, b))[0] == "model"
    assert "Which weights the server loaded is not on record" in verdict.sentence
    assert verdict.next_step.startswith("Find out what the server of b loaded")
    assert verdict.isolating_run is None


def test_answers_that_end_early_without_a_setting_are_cut_by_something_unrecorded(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    answers(b, lambda text: shortened(text, 30))
    verdict = compared(tmp_path, a, b).verdict
    assert "are the beginnings of a's" in verdict.sentence
    assert "what answered" not in verdict.sentence
    assert "limits the tokens" in verdict.next_step


def test_every_answer_that_the_other_sides_shows_to_be_cut_counts_as_cut(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    budget = budget_for(b, 0.4)
    generation(b, max_gen_toks=budget)
    cut = cut_at(b, budget)
    assert f"{cut} of 90 responses of b in sums appear truncated" in compared(tmp_path, a, b).verdict.sentence


def test_another_metric_with_a_word_is_told_beside_one_that_is_inconclusive() -> None:
    lead = MetricComparison("t", "acc_norm", "none", True, 0.5, 0.52, 0.02, "unclear", None, primary=True)
    other = MetricComparison("t", "acc", "none", True, 0.5, 0.65, 0.15, "better", None)
    found = metrics_apart([lead, other])
    assert found is not None
    assert (found.leads.metric, found.other.metric) == ("acc_norm", "acc")
    assert metrics_apart([lead, other._replace(status="unclear")]) is None


def test_parts_of_one_field_that_changed_together_are_named_together(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side, flag in ((a, True), (b, False)):
        for task in side.texts:
            options = {"ignore_case": flag, "ignore_punctuation": flag, "ignore_numbers": not flag}
            task.config["metric_list"] = [{**task.config["metric_list"][0], **options}]
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.standing == "proven"
    for part in ("ignore_case", "ignore_punctuation", "ignore_numbers"):
        assert part in verdict.sentence


def test_a_judge_scores_equal_answers_otherwise_and_is_asked_twice(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side, judge in ((a, "judge-1"), (b, "judge-2")):
        for task in side.texts:
            task.config["metadata"] = {**task.config["metadata"], "judge_model": judge}
    for item in b.tasks["sums"].items[::3]:
        item.verdict = 0.0
    verdict = compared(tmp_path, a, b).verdict
    assert (verdict.leading_cause or "").endswith("metadata.judge_model")
    assert verdict.standing == "supported"
    assert "twice" in verdict.next_step


def test_a_scorer_that_nothing_explains_is_looked_at_first(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for item in b.tasks["sums"].items[::3]:
        item.verdict = 0.0
    assert "scorer's own noise" in compared(tmp_path, a, b).verdict.next_step


def test_a_benchmark_that_is_added_up_otherwise_is_no_change_of_the_model(tmp_path: Path) -> None:
    a, b = start("quiz, group")
    task = b.tasks["quiz_music"]
    task.items = task.items[:20]
    a.tasks["quiz_music"].items = a.tasks["quiz_music"].items[:20]
    assert compared(tmp_path / "same", a, b).verdict.kind == "identical"
    b.by_items = False
    made = compared(tmp_path / "apart", a, b)
    assert made.verdict.kind == "unclear"
    assert "only the benchmark quiz is reported otherwise" in made.verdict.sentence
    assert made.verdict.sentence.startswith("Every response and item score of b is that of a (baseline)")
    assert "the sum changed, not the model" in made.verdict.sentence


def test_a_request_cache_comes_first_where_a_recorded_prompt_was_not_sent(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for task in b.texts:
        task.config["doc_to_text"] = "Sum: {{question}}\nA:"
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.kind == "identical"
    assert "--cache_requests" in verdict.next_step


def test_a_response_cache_comes_first_where_two_models_answer_alike(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.argue(pretrained="org/other-3b")
    a.config["use_cache"] = b.config["use_cache"] = "cache/answers"
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.kind == "not_a_measurement"
    assert verdict.next_step.startswith("First run b again without its response cache")


def test_one_model_under_two_names_is_the_likelier_where_no_cache_is_recorded(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.argue(pretrained="org/other-3b")
    verdict = compared(tmp_path, a, b).verdict
    assert "most likely one model under two names" in verdict.sentence
    assert verdict.next_step.startswith("Compare the checksums")


def test_continuations_that_no_setting_changed_point_to_the_harness_not_to_a_library(tmp_path: Path) -> None:
    a, b = start("quiz, few-shot")
    a.top["transformers_version"], b.top["transformers_version"] = "4.46.3", "4.57.3"
    del a.top["lm_eval_version"]
    for task in b.picks:
        for item in task.items:
            item.choices = [choice.strip() for choice in item.choices]
    moved(b)
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.leading_cause is None
    assert "only by white space at their beginning" in verdict.sentence
    assert "The harness builds the requests, so versions.lm_eval (not recorded → " in verdict.sentence
    assert "versions.transformers cannot have" in verdict.sentence
    a.top["lm_eval_version"], b.top["lm_eval_version"] = "0.4.8", "0.4.9.2"
    verdict = compared(tmp_path / "recorded", a, b).verdict
    assert verdict.leading_cause == "versions.lm_eval"
    assert "the harness builds the requests, and they differ" in verdict.sentence
    assert "nothing in the files shows" not in verdict.sentence


def test_what_no_file_tells_is_said_once_and_plainly(tmp_path: Path) -> None:
    a, b = start("real few-shot, served")
    b.context = None
    moved(b)
    (note,) = [each for each in compared(tmp_path, a, b).findings if each.kind == "not_in_files"]
    assert note.text.startswith("No file of these runs tells: what answered B (weights")
    assert "which tokens were made of equal prompts" in note.text
    a.logged = b.logged = False
    (note,) = [each for each in compared(tmp_path / "bare", a, b).findings if each.kind == "not_in_files"]
    assert "item by item" in note.text
    assert "tokens" not in note.text


def test_prompts_that_differ_by_white_space_hold_no_recorded_version(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    a.top["lm_eval_version"], b.top["lm_eval_version"] = "0.4.13", "0.4.9.2"
    b.lay(delimiter="")
    moved(b)
    verdict = compared(tmp_path, a, b).verdict
    assert (verdict.leading_cause, verdict.standing) == ("versions.lm_eval", "possible")


def test_the_version_of_a_task_is_told_with_the_field_that_changed(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for task in b.texts:
        task.config["doc_to_text"] = "Sum: {{question}}\nA:"
        task.layout = task.layout._replace(before="Sum: ")
        task.version = 3.0
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == ["doc_to_text"]
    assert "with task version 2 → 3" in made.verdict.sentence
    assert "task's file" in made.verdict.next_step or "The two runs differ in" in made.verdict.next_step


def test_a_cause_and_other_right_answers_are_both_in_the_next_step(tmp_path: Path) -> None:
    a, b = start("sums and quiz")
    budget = budget_for(b, 0.4)
    generation(b, max_gen_toks=budget)
    cut_at(b, budget)
    for item in b.tasks["quiz_music"].items[:5]:
        item.target = str((int(item.target) + 1) % 4)
    verdict = compared(tmp_path, a, b).verdict
    assert "gen_kwargs.max_gen_toks" in verdict.next_step
    assert "one version of quiz_music" in verdict.next_step


def test_the_order_in_which_filters_are_listed_chooses_no_primary_metric(tmp_path: Path) -> None:
    led = []
    for turn in (1, -1):
        a, b = start("sums, few-shot")
        for side in (a, b):
            for task in side.texts:
                task.config["filter_list"] = task.config["filter_list"][::turn]
        moved(b)
        made = compared(tmp_path / str(turn), a, b)
        led.append([(row.metric, row.filter) for row in made.metrics if row.primary])
    assert led[0] == led[1]


def test_what_differs_beside_a_cause_is_not_said_to_be_unable_where_it_only_cannot_explain(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    b.argue(revision="v2", dtype="float16")
    moved(b)
    made = compared(tmp_path, a, b)
    assert named(made) == ["model_args.revision"]
    assert {"model_args.dtype"} <= listed(made)
    assert "cannot have acted" not in made.verdict.next_step


def test_one_changed_example_of_several_is_told_as_one_also_where_it_is_the_first(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for item in b.tasks["sums"].items:
        first, *rest = b.tasks["sums"].examples(item)
        item.shots = ((first[0], f"{first[1]} That is all."), *rest)
    moved(b)
    made = compared(tmp_path, a, b)
    assert "1 of them another one" in finding(made, "prompt_examples").text


def test_a_title_says_where_filters_disagree_on_the_task_that_has_a_word(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    answers(b, lambda text: text.replace("The answer is", "So it is"))
    made = compared(tmp_path, a, b)
    assert headline(made)[1] == "differs on sums under strict-match alone"


def test_a_row_whose_test_and_range_say_two_things_is_called_borderline() -> None:
    found = Estimate("mcnemar_midp_tango", 0.95, 0.05, 0.001, 0.1, 0.052, pairs=100, changed=9, flags=("borderline",))
    row = MetricComparison("t", "acc", "none", True, 0.5, 0.55, 0.05, "unclear", None, estimate=found)
    assert row_word(row).word == "borderline"
    assert row_word(row._replace(status="better")).word == "better"


def test_labels_that_are_each_others_letters_are_put_in_the_place_of_the_letters() -> None:
    assert with_labels("B holds 300 items, and A 100.", "B", "A") == "A holds 300 items, and B 100."
    assert with_labels("B holds 300 items.", "A", "B") == "B holds 300 items."


def test_a_provider_is_no_second_suspect_beside_the_model_that_its_name_begins(tmp_path: Path) -> None:
    sides = []
    for side, model, wrong in (("a", "maker/small-1b", range(3)), ("b", "other/tiny-2b", range(3, 20))):
        rows = [
            sample(item, answer="5" if item in wrong else "4", match="I" if item in wrong else "C")
            for item in range(30)
        ]
        head = log()
        head["eval"]["model"] = model
        sides.append(read_run(str(write_json(tmp_path / side, head, rows))))
    assert named(compare_runs(*sides)) == ["model_args.model"]


def test_no_run_is_asked_for_that_would_take_an_interface_apart() -> None:
    folders = [Path("site/runs") / name for name in ("api-completions-3shot", "api-chat-3shot-multiturn")]
    runs = [read_run(str(ROOT / folder)) for folder in (*folders, Path("tests/runs/two-causes/base"))]
    made = compare_many(runs)
    assert not {"chat_template", "model"} & set(made.next_settings)


def test_nothing_recorded_is_not_said_where_a_side_did_not_record_its_tasks(tmp_path: Path) -> None:
    moved_by = {"a": 0, "b": 2}
    for name, wrong in moved_by.items():
        (tmp_path / name).mkdir()
        body = results(configs=ABSENT) if name == "b" else results()
        write_run(tmp_path / name, body, {"arith": [choice_record(n, right=n >= wrong) for n in range(4)]})
    made = compare_runs(*(read_run(str(tmp_path / name)) for name in moved_by))
    assert "the task configuration of b is not recorded" in made.verdict.sentence
    assert "Nothing recorded differs" not in made.verdict.sentence
