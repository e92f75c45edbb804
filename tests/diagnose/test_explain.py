"""The verdict: its kind, its sentence, its leading cause and how sure it is, on evidence written by hand."""

from typing import get_args

import pytest

from diptych.comparison import Estimate, Finding, MetricComparison, Verdict, VerdictKind
from diptych.diagnose.samples.evidence import Evidence, StartTokens
from diptych.diagnose.settings.differences import context_differences, setting_differences
from diptych.diagnose.settings.setting_findings import setting_findings
from diptych.diagnose.settings.task_fields import task_differences
from diptych.diagnose.settings.weigh_evidence import sharpen, sharpen_context
from diptych.diagnose.verdict.verdict import verdict
from diptych.run import Run, Setting
from examples_runs import NOTHING, Json, evidence, run, shape, task_evidence

TEXT = {"shape_a": shape(), "shape_b": shape()}
PARTED = evidence(task_evidence(responses=40, scores=70, **TEXT))
SAME = evidence(task_evidence(**TEXT))
MARKED = evidence(task_evidence(prompts=0, responses=0, scores=60, kinds={"role_markers": 100}, **TEXT))
CHAT = {"chat_template": "{{ m }}"}

FORBIDDEN = ("no loss", "no difference", "regression", "not significant", "no significant")


def metric(status: str, gap: float | None = -0.15, task: str = "arith", **fields: Json) -> MetricComparison:
    low, high = (None, None) if gap is None else (gap - 0.05, gap + 0.05)
    found = Estimate("mcnemar_midp", 0.95, gap, low=low, high=high, pairs=100, margin=0.01)
    row = MetricComparison(task, "acc", "none", True, 0.5, 0.5 if gap is None else 0.5 + gap, gap, status, None)
    return row._replace(**{"estimate": found, "primary": True, **fields})


def judged(a: Run, b: Run, found: Evidence, *metrics: MetricComparison, findings: tuple[Finding, ...] = ()) -> Verdict:
    settings = sharpen(setting_differences(a, b), found, a, b)
    context = sharpen_context(context_differences(a, b), found)
    result = verdict(metrics or (metric("worse"),), settings, task_differences(a, b), context, found, findings, a, b)
    assert result.kind in get_args(VerdictKind)
    assert not any(word in (result.sentence + result.next_step).lower() for word in FORBIDDEN)
    assert result.sentence.endswith(".")
    return result


def test_a_real_difference_with_one_whole_trace_is_proven() -> None:
    result = judged(run(), run(CHAT), MARKED)
    assert (result.kind, result.leading_cause, result.standing) == ("different", "chat_template", "proven")
    assert result.sentence == (
        "B is worse than A on arith (−15.0 pp); the cause is chat_template: off against on, "
        "as the logged samples prove."
    )
    assert result.isolating_run is not None
    assert result.isolating_run.changes == "chat_template"


@pytest.mark.parametrize(
    ("other", "standing"),
    [({"batch_size": 1}, "proven"), ({"model": "vllm"}, "supported"), ({"model_args.num_concurrent": 4}, "proven")],
)
def test_a_rival_that_could_have_acted_takes_the_proof_away(other: dict[str, Json], standing: str) -> None:
    assert judged(run(), run({**CHAT, **other}), MARKED).standing == standing


def test_a_trace_on_some_items_only_is_no_proof() -> None:
    found = evidence(task_evidence(prompts=40, responses=40, scores=60, kinds={"role_markers": 60}, **TEXT))
    assert judged(run(), run(CHAT), found).standing == "supported"
    mixed = evidence(task_evidence(prompts=0, responses=0, kinds={"role_markers": 100, "other": 5}, **TEXT))
    assert judged(run(), run(CHAT), mixed).standing == "supported"


def test_a_served_model_without_context_is_never_proven() -> None:
    served = {"model": "served-completions", "model_args.base_url": "http://x"}
    assert judged(run(served), run({**served, **CHAT}), MARKED).standing == "supported"
    known = {"context": {"quant": "Q4"}}
    assert judged(run(served, **known), run({**served, **CHAT}, **known), MARKED).standing == "proven"


def test_what_left_no_trace_is_called_possible() -> None:
    result = judged(run(), run({"versions.lm_eval": "0.4.13"}), PARTED, metric("unclear", 0.06))
    assert (result.kind, result.leading_cause, result.standing) == ("unclear", "versions.lm_eval", "possible")
    assert "(not proven)" in result.sentence


def test_a_quantisation_leads_over_the_address_and_over_the_file_named_after_it() -> None:
    a = run({"model_args.pretrained": "m/x-Q4_1", "model_args.base_url": "http://a"}, context={"quant": "Q4_1"})
    b = run({"model_args.pretrained": "m/x-Q4_0", "model_args.base_url": "http://b"}, context={"quant": "Q4_0"})
    result = judged(a, b, PARTED)
    assert (result.leading_cause, result.standing) == ("context.quant", "supported")
    assert "context.quant: Q4_1 against Q4_0" in result.sentence


def test_noise_never_leads_over_another_explanation() -> None:
    a = run({"batch_size": 1}, context={"quant": "Q8"})
    b = run({"batch_size": 8}, context={"quant": "Q4"})
    found = evidence(task_evidence(responses=90, **TEXT))
    assert judged(a, b, found).leading_cause == "context.quant"


def test_what_is_not_recorded_leads_only_where_the_log_shows_it() -> None:
    a, b = run(without=("chat_template", "device")), run({**CHAT, "batch_size": 1})
    assert judged(a, b, PARTED).leading_cause == "batch_size"
    assert judged(a, b, MARKED).leading_cause == "chat_template"
    assert judged(run(without=("device",)), run(), PARTED).leading_cause is None


def test_nothing_that_differs_is_said_and_leads_to_a_context_file_and_the_noise_floor() -> None:
    result = judged(run(), run(), PARTED)
    assert (result.leading_cause, result.standing, result.isolating_run) == (None, "none", None)
    assert "nothing recorded differs" in result.sentence
    assert "run-context.json" in result.next_step
    assert "three times" in result.next_step


def test_a_definition_leads_where_nothing_else_explains_the_rung_that_breaks() -> None:
    a, b = run(configs={"arith": {"doc_to_text": "Q"}}), run(configs={"arith": {"doc_to_text": "Question"}})
    found = evidence(task_evidence(prompts=0, responses=0, kinds={"other": 100}, **TEXT))
    assert judged(a, b, found).leading_cause == "arith.doc_to_text"
    newer = b._replace(task_settings=run(tasks={"arith": {"versions.arith": 2}}).task_settings)
    assert judged(a, newer, found).leading_cause == "versions.arith"
    assert judged(a, b, PARTED).leading_cause is None


def test_better_and_worse_tasks_are_counted_with_the_largest_first() -> None:
    rows = (metric("worse", -0.05, "x"), metric("worse", -0.2, "y"), metric("better", 0.1, "z"), metric("unclear", 0.0))
    sentence = judged(run(), run(CHAT), MARKED, *rows).sentence
    assert "worse than A on 2 of 4 tasks (y −20.0 pp and x −5.0 pp)" in sentence
    assert "better than A on 1 of 4 tasks (z +10.0 pp)" in sentence


def test_metrics_that_are_not_primary_and_groups_decide_nothing() -> None:
    rows = (metric("unclear", 0.01), metric("worse", primary=False), metric("worse", primary=False, group=True))
    assert judged(run(), run(CHAT), MARKED, *rows).kind == "unclear"


def test_all_within_the_margin_is_equivalent_and_names_the_margin() -> None:
    result = judged(run(), run(), PARTED, metric("same", 0.001))
    assert result.kind == "equivalent"
    assert "the same within ±1.0 pp" in result.sentence


def test_cannot_tell_gives_the_gap_and_what_else_fits() -> None:
    sentence = judged(run(), run(), PARTED, metric("unclear", 0.02), metric("unclear", 0.04, "z")).sentence
    assert "the largest of 2 gaps is z +4.0 pp on 100 items" in sentence
    assert "anything from −1.0 to +9.0 pp fits the data" in sentence


def test_a_score_that_is_not_a_share_is_no_matter_of_points() -> None:
    row = metric("better", -2.5)._replace(a=12.0, b=9.5, higher_is_better=False)
    assert "(−2.5000)" in judged(run(), run(), PARTED, row).sentence


def test_the_same_answers_and_scores_are_identical_and_need_no_cause() -> None:
    result = judged(run(), run({"versions.lm_eval": "0.4.13"}), SAME, metric("unclear", 0.0))
    assert (result.kind, result.leading_cause, result.standing) == ("identical", None, "none")
    assert result.sentence == "Every answer and score is the same on all 100 shared items."


def test_equal_scores_without_samples_are_not_called_identical() -> None:
    assert judged(run(), run(), NOTHING, metric("unclear", 0.0)).kind == "unclear"


def test_a_limit_makes_other_question_sets_and_is_proven_on_equal_shared_answers() -> None:
    found = evidence(task_evidence(pairs=20, only_a=60, **TEXT))
    differ = Finding("items_differ", "warning", "", task="arith", count_=60, of=80)
    result = judged(run(), run({"limit": 20.0}), found, metric("unclear", 0.0), findings=(differ,))
    assert (result.kind, result.leading_cause, result.standing) == ("identical", "limit", "proven")
    assert result.sentence.startswith(
        "The runs cover different question sets (arith: 80 items in A, 20 in B, 20 shared)"
    )
    assert "over the shared items only" in result.next_step


def test_a_limit_never_leads_where_the_shared_items_themselves_differ() -> None:
    found = evidence(task_evidence(pairs=20, only_a=60, responses=5, scores=5, **TEXT))
    result = judged(run(), run({"limit": 20.0, "versions.lm_eval": "0.4.13"}), found)
    assert (result.leading_cause, result.standing) == ("versions.lm_eval", "possible")
    assert judged(run(), run({"limit": 20.0}), found).leading_cause is None
    assert "serving_unknown" in kinds(run(), run({"limit": 20.0}), found)


def test_missing_rows_are_not_called_other_question_sets() -> None:
    found = evidence(task_evidence(pairs=97, only_a=3, responses=90, scores=90, **TEXT))
    sentence = judged(run(), run(), found, metric("unclear", 0.0)).sentence
    assert sentence.startswith("Rows are missing from a log (arith: 97 of 100 items can be paired).")


def test_runs_without_a_shared_item_are_not_comparable() -> None:
    found = evidence(task_evidence(pairs=0, only_a=50, only_b=50))
    assert judged(run(), run(), found, metric("unclear", None)).kind == "not_comparable"


def test_other_items_without_samples_are_not_comparable() -> None:
    row = metric("unclear", 0.16)._replace(estimate=None)
    result = judged(run(), run({"limit": 20}, items={"arith": 20}), NOTHING, row)
    assert result.kind == "not_comparable"
    assert "100 items in A, 20 in B" in result.sentence
    assert result.leading_cause == "limit"


def test_runs_without_a_shared_metric_did_not_measure_the_same() -> None:
    rows = (metric("not_available", None, "x", b_present=False), metric("not_available", None, "y", a_present=False))
    result = judged(run(), run(), NOTHING, *rows)
    assert result.kind == "not_comparable"
    assert "share no metric" in result.sentence
    assert "(A has x acc; B has y acc)" in result.sentence
    renamed = (rows[0], rows[1]._replace(task="x", metric="exact_match"))
    assert "have other names" in judged(run(), run(), NOTHING, *renamed).sentence


@pytest.mark.parametrize("kind", ["answers_empty", "answers_cut", "answers_loop"])
def test_a_side_whose_answers_are_nearly_all_broken_measured_nothing(kind: str) -> None:
    broken = Finding(kind, "error", "", "b", "arith", 90, 100)
    result = judged(run(), run({"model": "vllm"}), PARTED, metric("not_available"), findings=(broken,))
    assert result.kind == "not_a_measurement"
    assert result.sentence.startswith("B is not usable as a measurement: 90 of 100 answers of B")
    assert "raw answers of B" in result.next_step
    assert result.leading_cause == "model"


def test_fewer_broken_answers_are_still_a_measurement() -> None:
    broken = Finding("answers_empty", "warning", "", "b", "arith", 89, 100)
    assert judged(run(), run(CHAT), MARKED, findings=(broken,)).kind == "different"


def test_one_unmeasured_task_is_left_out_and_the_others_decide() -> None:
    broken = Finding("answers_empty", "error", "", "b", "x", 100, 100)
    rows = (metric("not_available", None, "x"), metric("worse", -0.2, "y"))
    result = judged(run(), run(CHAT), MARKED, *rows, findings=(broken,))
    assert result.kind == "different"
    assert "x is left out (100 of 100 answers of B are empty: no measurement)" in result.sentence


def test_the_same_answers_from_two_models_are_not_two_measurements() -> None:
    twice = Finding("answers_identical", "error", "", "both", "arith", 100, 100)
    a, b = run(), run({"model_args.pretrained": "org/other"})
    result = judged(a, b, SAME, metric("not_available", 0.0), findings=(twice,))
    assert result.kind == "not_a_measurement"
    assert "not two measurements" in result.sentence
    assert "cache" in result.sentence + result.next_step


def test_a_lost_form_is_not_called_lost_ability() -> None:
    form = Finding("answer_format_changed", "warning", "", "b", "arith", 100, 100)
    result = judged(run(), run({"versions.lm_eval": "0.4.13"}), PARTED, findings=(form,))
    assert result.kind == "different"
    assert "form, not ability" in result.sentence


def test_one_side_near_chance_is_called_rather_broken_than_weak() -> None:
    guess = Finding("near_chance", "warning", "", "a", "arith")
    sentence = judged(run(), run({"model_args.add_bos_token": True}), PARTED, metric("better", 0.4), findings=(guess,))
    assert "A is near chance, rather a broken run than a weak model" in sentence.sentence


def test_without_samples_the_next_step_asks_for_them() -> None:
    assert "--log_samples" in judged(run(), run({"batch_size": 1}), NOTHING).next_step


def test_long_and_broken_values_are_cut_and_kept_on_one_line() -> None:
    sentence = judged(run(), run({"system_instruction": "a\nb" * 100}), PARTED, metric("worse")).sentence
    assert "\n" not in sentence
    assert len(sentence) < 300


# ---------------------------------------------------------------- findings that the settings give


def said_of_settings(a: Run, b: Run, found: Evidence) -> tuple[Finding, ...]:
    recorded = setting_differences(a, b)
    context = sharpen_context(context_differences(a, b), found)
    return setting_findings(a, b, found, recorded, sharpen(recorded, found, a, b), context)


def kinds(a: Run, b: Run, found: Evidence = NOTHING) -> dict[str, Finding]:
    return {finding.kind: finding for finding in said_of_settings(a, b, found)}


def test_equal_settings_give_no_finding() -> None:
    assert said_of_settings(run(), run(), SAME) == ()


def test_turns_without_a_template_contradict_each_other() -> None:
    shots = {"arith": {"num_fewshot": 3}}
    found = kinds(run({"fewshot_as_multiturn": True}, tasks=shots), run(tasks=shots))
    assert found["settings_contradict"].side == "a"
    assert "settings_contradict" not in kinds(run({"fewshot_as_multiturn": True}), run())


def test_greedy_and_warm_at_once_is_said() -> None:
    warm = run(tasks={"arith": {"gen_kwargs.temperature": 0.8, "gen_kwargs.do_sample": False}})
    assert "do_sample false" in kinds(run(), warm)["settings_contradict"].text


def test_names_that_differ_in_letter_case_alone_never_lead() -> None:
    a, b = run({"batch_size": 1}), run({"model_args.pretrained": "ORG/BASE-1B"})
    assert judged(a, b, NOTHING).leading_cause == "batch_size"


def test_many_broken_answers_on_one_side_are_named_in_the_verdict() -> None:
    loops = Finding("answers_loop", "warning", "", "b", "arith", 60, 100)
    sentence = judged(run(), run({"model": "vllm"}), PARTED, findings=(loops,)).sentence
    assert "60 of 100 answers of B repeat one phrase without end: rather a broken run" in sentence


def test_equal_answers_from_a_cache_are_not_taken_for_a_repeat() -> None:
    cached = run({"use_cache": "c.db"})
    assert "without it" in judged(cached, cached, SAME, metric("unclear", 0.0)).next_step


def test_marks_in_the_prompts_lead_though_no_setting_records_them() -> None:
    result = judged(run({"model": "hf"}), run({"model": "vllm"}), MARKED)
    assert result.leading_cause == "chat_template"
    assert "the same on record" in result.sentence
    assert "side by side" in result.next_step
    assert "settings_contradict" in kinds(run({"model": "hf"}), run({"model": "vllm"}), MARKED)


def test_two_templates_are_called_two_texts() -> None:
    assert "chat_template: two different texts" in judged(run({"chat_template": "x"}), run(CHAT), MARKED).sentence


def test_only_the_side_without_a_context_file_is_asked_to_write_one() -> None:
    assert "beside A " in judged(run(), run(context={"quant": "Q4"}), PARTED).next_step


def test_prompts_that_show_what_the_settings_deny_are_believed() -> None:
    found = kinds(run(), run(), MARKED)["settings_contradict"]
    assert (found.count_, found.of) == (100, 100)
    assert "settings_contradict" not in kinds(run(), run(CHAT), MARKED)


def test_examples_that_were_asked_for_and_not_shown_contradict_the_prompts() -> None:
    assert (
        "num_fewshot is recorded as 0 and 5"
        in kinds(run(), run(tasks={"arith": {"num_fewshot": 5}}), PARTED)["settings_contradict"].text
    )


def test_what_one_side_does_not_record_is_counted_with_its_side() -> None:
    found = kinds(run(without=("chat_template", "device")), run())["settings_not_recorded"]
    assert (found.side, found.count_) == ("a", 2)
    assert "chat_template" in found.evidence


def test_a_start_token_setting_that_differs_is_said_with_unseen_tokens() -> None:
    found = kinds(run(), run({"model_args.add_bos_token": True}), PARTED)
    assert "start_token_setting" in found
    assert (found["tokens_unseen"].count_, found["tokens_unseen"].of) == (60, 100)


@pytest.mark.parametrize(("version", "severity"), [("0.4.9.2", "warning"), ("0.4.10", "note")])
def test_a_start_token_in_the_prompt_and_in_the_settings_may_be_there_twice(version: str, severity: str) -> None:
    side = run({"model": "vllm", "model_args.add_bos_token": True, "versions.lm_eval": version})
    starts = StartTokens(100, 100, 0, "<bos>")
    found = kinds(side, side, evidence(task_evidence(responses=86, starts_a=starts, **TEXT)))["start_token_doubled"]
    assert (found.side, found.severity, found.count_, found.of) == ("a", severity, 100, 100)
    off = run({"model": "vllm", "versions.lm_eval": version})
    assert "start_token_doubled" not in kinds(off, off, evidence(task_evidence(starts_a=starts, **TEXT)))


def test_the_known_suspect_is_looked_at_first() -> None:
    a = run({"model": "vllm", "model_args.add_bos_token": True})
    b = run({"model": "vllm", "model_args.add_bos_token": True, "versions.lm_eval": "0.4.10"})
    starts = StartTokens(100, 100, 0, "<bos>")
    found = evidence(task_evidence(responses=86, starts_a=starts, starts_b=starts, **TEXT))
    result = judged(a, b, found, metric("unclear", 0.06), findings=said_of_settings(a, b, found))
    assert result.next_step.startswith("First look at the start token: it may be there twice in A")


def test_answers_that_nothing_on_record_explains_ask_what_was_served() -> None:
    found = kinds(run(), run(), PARTED)["serving_unknown"]
    assert (found.count_, found.of) == (60, 100)
    assert "Neither run has a run-context.json" in found.text
    assert "serving_unknown" not in kinds(run(), run({"model_args.pretrained": "other"}), PARTED)
    assert "serving_unknown" not in kinds(run(context={"quant": "a"}), run(context={"quant": "b"}), PARTED)
    assert "serving_unknown" not in kinds(run(), run(), SAME)


def test_a_setting_may_be_recorded_as_null() -> None:
    assert setting_differences(run({"x": Setting(None)}), run({"x": Setting(None)})) == ()
