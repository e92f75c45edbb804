"""What a setting would leave behind, held against what the samples show: explains, can, cannot, with the counts."""

from random import Random

import pytest

from diptych.catalogue.settings import RANKED
from diptych.catalogue.traces import TRACES, trace_of
from diptych.comparison import AnswerChange, Finding, SettingDifference
from diptych.diagnose.samples.evidence import PROMPT_KINDS, Evidence
from diptych.diagnose.settings.differences import context_differences, setting_differences
from diptych.diagnose.settings.weigh_evidence import sharpen, sharpen_context
from diptych.run import Run
from examples_runs import NOTHING, Json, evidence, run, shape, task_evidence

TEXT = {"shape_a": shape(), "shape_b": shape()}
PARTED = evidence(task_evidence(responses=40, scores=70, **TEXT))
"""Equal requests, 60 of 100 written answers differ."""

SAME = evidence(task_evidence(**TEXT))
LAST_DIGITS = AnswerChange("arith", 100, 100, 0.02, 0.4, 3, 0.1, ())
FAR = AnswerChange("arith", 100, 100, 2.5, 9.0, 80, 6.0, ())


def table(a: Run, b: Run, found: Evidence) -> dict[str, SettingDifference]:
    return {row.key: row for row in sharpen(setting_differences(a, b), found, a, b)}


def changed(key: str, value: Json, base: Json = None) -> tuple[Run, Run]:
    a = run({} if base is None else {key: base})
    return a, run({key: value})


def test_every_trace_says_why_and_names_known_kinds() -> None:
    for trace in TRACES:
        assert trace.why.endswith("."), trace.keys
        assert set(trace.prompts) <= set(PROMPT_KINDS)
        assert trace.answers in {"", "any", "may", "small", "drawn"}


def test_every_ranked_setting_has_a_trace_of_its_own_or_says_that_nothing_points_to_it() -> None:
    catch_all = TRACES[-1]
    silent = {key for row in RANKED for key in row.keys if trace_of(key) is catch_all}
    assert "chat_template" not in silent
    assert {"model_args.base_url", "model_args.num_concurrent"} <= silent


@pytest.mark.parametrize("key", ["chat_template", "num_fewshot", "batch_size", "limit", "model_args.add_bos_token"])
def test_without_samples_whatever_can_act_stays_possible(key: str) -> None:
    a, b = run(), run({"chat_template": "t", "batch_size": 1, "limit": 10, "model_args.add_bos_token": True})
    b = b._replace(task_settings={"arith": {**b.task_settings["arith"], "num_fewshot": run().settings["random_seed"]}})
    b.task_settings["arith"]["num_fewshot"] = b.task_settings["arith"]["num_fewshot"]._replace(value=5)
    row = table(a, b, NOTHING)[key]
    assert row.standing == "can"
    assert row.evidence is None


def test_a_limit_without_samples_explains_unequal_counts_of_items() -> None:
    row = table(run(), run({"limit": 20}, items={"arith": 20}), NOTHING)["limit"]
    assert row.standing == "explains"
    assert row.evidence == "A scored 100 items of arith, B scored 20."


def test_role_markers_in_the_prompts_explain_a_template_on_one_side() -> None:
    found = evidence(task_evidence(prompts=0, responses=0, kinds={"role_markers": 100}, **TEXT))
    rows = table(run({"batch_size": 32}), run({"batch_size": 50, "chat_template": "{{ m }}"}), found)
    assert list(rows) == ["chat_template", "batch_size"]
    assert rows["chat_template"].standing == "explains"
    assert rows["chat_template"].evidence == "100 of 100 prompts differ by role markers."
    assert rows["batch_size"].standing == "can"


def test_a_template_that_left_every_prompt_equal_cannot_be_the_cause() -> None:
    row = table(*changed("chat_template", "{{ m }}"), PARTED)["chat_template"]
    assert (row.standing, row.evidence) == ("cannot", "All 100 prompts are equal.")


def test_a_template_that_a_server_applies_leaves_equal_messages() -> None:
    found = evidence(task_evidence(prompts=0, responses=0, kinds={"same_words": 100}, **TEXT))
    assert table(*changed("chat_template", ""), found)["chat_template"].standing == "explains"
    assert table(*changed("chat_template", ""), PARTED)["chat_template"].standing == "explains"


def test_a_block_of_examples_explains_the_shots_and_leaves_the_backend_possible() -> None:
    a = run({"model": "hf"}, tasks={"arith": {"num_fewshot": 0}})
    b = run({"model": "vllm", "batch_size": "auto"}, tasks={"arith": {"num_fewshot": 5}})
    found = evidence(task_evidence(pairs=60, prompts=0, responses=1, kinds={"examples": 60}, **TEXT))
    rows = table(a, b, found)
    assert [(row.key, row.standing) for row in rows.values()] == [
        ("num_fewshot", "explains"),
        ("model", "can"),
        ("batch_size", "can"),
    ]
    assert rows["model"].evidence == "60 of 60 prompts differ already, so nothing can be told apart here."


def test_shots_that_left_every_prompt_equal_cannot_be_the_cause() -> None:
    a, b = run(), run(tasks={"arith": {"num_fewshot": 5}})
    assert table(a, b, PARTED)["num_fewshot"].standing == "cannot"


def test_a_start_token_explains_answers_to_equal_prompts_above_the_batch_size() -> None:
    found = evidence(task_evidence(generation_arguments=None, responses=0, scores=90, change=FAR))
    rows = table(run({"batch_size": 12}), run({"batch_size": 1, "model_args.add_bos_token": True}), found)
    assert [(row.key, row.standing) for row in rows.values()] == [
        ("model_args.add_bos_token", "explains"),
        ("batch_size", "can"),
    ]
    assert "by more than batching" in str(rows["batch_size"].evidence)


@pytest.mark.parametrize("key", ["batch_size", "device", "model_args.dtype"])
def test_changes_in_the_last_digits_explain_batching_and_precision(key: str) -> None:
    found = evidence(task_evidence(generation_arguments=None, responses=0, change=LAST_DIGITS))
    row = table(*changed(key, "other"), found)[key]
    assert row.standing == "explains"
    assert "batching and precision" in str(row.evidence)


def test_a_finding_of_numerical_noise_is_believed() -> None:
    noise = Finding("numerical_noise", "note", "", task="arith")
    found = evidence(task_evidence(responses=40, **TEXT), findings=(noise,))
    assert table(*changed("batch_size", 1), found)["batch_size"].standing == "explains"
    assert table(*changed("batch_size", 1), PARTED)["batch_size"].standing == "can"


@pytest.mark.parametrize("key", ["model_args.pretrained", "model_args.load_in_4bit", "model_args.revision", "model"])
def test_other_weights_explain_other_answers_to_equal_prompts(key: str) -> None:
    row = table(*changed(key, "other"), PARTED)[key]
    assert (row.standing, row.evidence) == ("explains", "60 of 100 answers differ though the requests are equal.")


def test_an_address_is_possible_but_nothing_points_to_it() -> None:
    row = table(*changed("model_args.base_url", "http://b", "http://a"), PARTED)["model_args.base_url"]
    assert row.standing == "can"


@pytest.mark.parametrize("key", ["versions.lm_eval", "model_args.pretrained", "batch_size", "chat_template", "x.y"])
def test_nothing_explains_answers_that_are_all_the_same(key: str) -> None:
    row = table(*changed(key, "other"), SAME)[key]
    assert (row.standing, row.evidence) == ("cannot", "All 100 shared items have the same answers and scores.")


def test_a_limit_explains_other_items_and_says_what_it_leaves_alone() -> None:
    found = evidence(task_evidence(pairs=20, only_a=60))
    row = table(*changed("limit", 20.0), found)["limit"]
    assert row.standing == "explains"
    assert row.evidence == "60 of 80 items were scored on one side only; on the 20 shared items it changes nothing."


def test_a_limit_over_the_same_items_cannot_be_the_cause() -> None:
    assert table(*changed("limit", 500.0), PARTED)["limit"].standing == "cannot"


@pytest.mark.parametrize("key", ["random_seed", "numpy_seed", "torch_seed"])
def test_a_seed_cannot_matter_where_nothing_is_drawn(key: str) -> None:
    assert table(*changed(key, 7), PARTED)[key].standing == "cannot"


@pytest.mark.parametrize("key", ["random_seed", "torch_seed"])
def test_a_seed_explains_answers_that_were_drawn(key: str) -> None:
    drawn = {"arith": {"gen_kwargs.temperature": 0.8}}
    row = table(run(tasks=drawn), run({key: 7}, tasks=drawn), PARTED)[key]
    assert row.standing == "explains"


def test_a_request_s_seed_explains_where_answers_are_drawn_and_not_where_they_are_taken() -> None:
    found = evidence(
        task_evidence(generation_arguments=0, responses=40, arguments={"seed": 100, "temperature": 100}, **TEXT)
    )
    warm = {"gen_kwargs.temperature": 0.8}
    a, b = (run(tasks={"arith": {**warm, "gen_kwargs.seed": seed}}) for seed in (1, 2))
    row = table(a, b, found)["gen_kwargs.seed"]
    assert (row.standing, row.evidence) == (
        "explains",
        "100 of 100 requests differ in seed; 60 of 100 answers differ.",
    )
    a, b = (run(tasks={"arith": {"gen_kwargs.seed": seed}}) for seed in (1, 2))
    assert table(a, b, found)["gen_kwargs.seed"].standing == "cannot"


def test_a_temperature_goes_before_the_seed_that_came_with_it() -> None:
    found = evidence(
        task_evidence(generation_arguments=0, responses=40, arguments={"seed": 100, "temperature": 100}, **TEXT)
    )
    b = run(tasks={"arith": {"gen_kwargs.temperature": 0.8, "gen_kwargs.seed": 1}})
    assert list(table(run(), b, found)) == ["gen_kwargs.temperature", "gen_kwargs.seed"]


def test_a_generation_argument_cannot_matter_where_no_task_asks_for_text() -> None:
    found = evidence(task_evidence(generation_arguments=None, responses=0, change=FAR))
    row = table(run(), run(tasks={"arith": {"gen_kwargs.temperature": 0.8}}), found)["gen_kwargs.temperature"]
    assert (row.standing, row.evidence) == ("cannot", "No compared task asks for text.")


def test_turns_or_one_block_cannot_matter_without_examples() -> None:
    row = table(*changed("fewshot_as_multiturn", True), PARTED)["fewshot_as_multiturn"]
    assert row.standing == "cannot"
    assert "0 shots" in str(row.evidence)


def test_the_layout_of_the_examples_explains_turns_against_one_block() -> None:
    shots = {"arith": {"num_fewshot": 3}}
    a = run({"fewshot_as_multiturn": True, "chat_template": "t"}, tasks=shots)
    b = run({"fewshot_as_multiturn": False, "chat_template": "t", "versions.lm_eval": "0.4.13"}, tasks=shots)
    found = evidence(task_evidence(prompts=0, responses=5, kinds={"example_layout": 100}, **TEXT))
    assert list(table(a, b, found))[:2] == ["fewshot_as_multiturn", "versions.lm_eval"]


def test_the_seed_of_the_examples_needs_examples_and_other_prompts() -> None:
    assert table(*changed("fewshot_seed", 7), PARTED)["fewshot_seed"].standing == "cannot"
    shots = {"arith": {"num_fewshot": 3}}
    found = evidence(task_evidence(prompts=0, responses=5, kinds={"other": 100}, **TEXT))
    assert table(run(tasks=shots), run({"fewshot_seed": 7}, tasks=shots), found)["fewshot_seed"].standing == "explains"


def test_a_system_text_explains_prompts_that_differ_by_it() -> None:
    found = evidence(task_evidence(prompts=0, responses=5, kinds={"system_text": 100}, **TEXT))
    assert table(*changed("system_instruction", "Be brief."), found)["system_instruction"].standing == "explains"


def test_a_device_cannot_matter_where_the_model_is_served() -> None:
    served = {"model": "served-completions", "model_args.base_url": "http://x"}
    row = table(run({**served, "device": "cpu"}), run({**served, "device": "mps"}), PARTED)["device"]
    assert row.standing == "cannot"


def test_a_setting_of_one_task_is_held_against_that_task_alone() -> None:
    a = run(tasks={"x": {}, "y": {"num_fewshot": 0}})
    b = run(tasks={"x": {}, "y": {"num_fewshot": 5}})
    found = evidence(
        task_evidence("x", responses=50, **TEXT),
        task_evidence("y", prompts=0, responses=0, kinds={"examples": 100}, **TEXT),
    )
    row = table(a, b, found)["num_fewshot"]
    assert row.evidence == "100 of 100 prompts differ by a block of examples."


def test_a_version_explains_other_scores_for_the_same_answers() -> None:
    found = evidence(task_evidence(filtered=40, scores=40, **TEXT))
    row = table(*changed("versions.lm_eval", "0.4.13"), found)["versions.lm_eval"]
    assert row.standing == "explains"
    assert row.evidence == "All 100 raw answers are the same, 60 are extracted or scored otherwise."


def test_a_version_alone_is_possible_where_only_answers_differ() -> None:
    assert table(*changed("versions.lm_eval", "0.4.13"), PARTED)["versions.lm_eval"].standing == "can"


def test_a_task_s_version_cannot_change_answers_to_equal_requests() -> None:
    row = table(run(), run(tasks={"arith": {"versions.arith": 2}}), PARTED)["versions.arith"]
    assert row.standing == "cannot"


def test_what_is_not_recorded_explains_only_what_the_log_itself_shows() -> None:
    silent = run(without=("model_args.pretrained", "chat_template", "model"))
    rows = table(silent, run({"chat_template": "t"}), PARTED)
    assert rows["model_args.pretrained"].standing == "can"
    found = evidence(task_evidence(prompts=0, responses=0, kinds={"role_markers": 100}, **TEXT))
    assert table(silent, run({"chat_template": "t"}), found)["chat_template"].standing == "explains"


def test_a_quantisation_explains_other_answers_to_equal_prompts_and_an_address_does_not() -> None:
    a = run(context={"quant": "Q4_1", "endpoint": "x"})
    b = run(context={"quant": "Q4_0", "endpoint": "y"})
    rows = sharpen_context(context_differences(a, b), PARTED)
    assert [(row.setting, row.standing) for row in rows] == [("quant", "explains"), ("endpoint", "can")]


def test_what_one_side_did_not_write_down_never_explains() -> None:
    a, b = run(context={"engine": "x"}), run(context={"engine": "x", "quant": "Q4_0"})
    (row,) = sharpen_context(context_differences(a, b), PARTED)
    assert row.standing == "can"


def test_an_argument_of_another_backend_is_no_cause_of_its_own() -> None:
    b = run({"model": "served", "model_args.tokenizer": "x"})
    rows = table(run(), b, PARTED)
    assert (rows["model"].standing, rows["model_args.tokenizer"].standing) == ("explains", "can")
    assert table(run({"model": "served"}), b, PARTED)["model_args.tokenizer"].standing == "explains"


@pytest.mark.parametrize(("kind", "key"), [("role_markers", "chat_template"), ("system_text", "system_instruction")])
def test_what_the_prompts_show_is_believed_over_what_the_files_record(kind: str, key: str) -> None:
    found = evidence(task_evidence(prompts=0, responses=0, kinds={kind: 100}, **TEXT))
    rows = table(run({"model": "hf"}), run({"model": "vllm"}), found)
    assert list(rows) == [key, "model"]
    assert "the logged prompts show one" in rows[key].why
    silent = run(without=(key,))
    assert not table(silent, silent, found)[key].a_recorded


def test_nothing_is_added_where_another_setting_explains_the_prompts_or_nothing_moved() -> None:
    found = evidence(task_evidence(prompts=0, responses=0, kinds={"role_markers": 100, "system_text": 100}, **TEXT))
    assert list(table(*changed("chat_template", "t"), found)) == ["chat_template"]
    still = evidence(task_evidence(prompts=0, kinds={"role_markers": 100}, **TEXT))
    assert table(run(), run(), still) == {}


def test_names_that_differ_in_letter_case_alone_explain_nothing() -> None:
    row = table(*changed("model_args.pretrained", "ORG/base-1b"), PARTED)["model_args.pretrained"]
    assert row.standing == "can"
    assert "letter case" in str(row.evidence)


def test_a_library_that_one_side_works_without_cannot_be_the_cause() -> None:
    row = table(*changed("versions.transformers", None), PARTED)["versions.transformers"]
    assert row.standing == "cannot"
    assert table(*changed("versions.transformers", "4.40"), PARTED)["versions.transformers"].standing == "can"


POOL: dict[str, tuple[Json, ...]] = {
    "chat_template": (None, "", "{{ m }}"),
    "model": ("hf", "vllm", "served-completions"),
    "model_args.add_bos_token": (None, True),
    "batch_size": (1, 8, "auto"),
    "limit": (None, 20),
    "torch_seed": (1234, 7),
    "versions.lm_eval": ("0.4.9.2", "0.4.13"),
    "x.y": (1, "1", 2),
}


@pytest.mark.parametrize("seed", range(20))
def test_swapping_the_sides_mirrors_every_row(seed: int) -> None:
    chance = Random(seed)
    sides = [
        run({key: chance.choice(values) for key, values in POOL.items()}, without=tuple(chance.sample(list(POOL), 2)))
        for _ in range(2)
    ]
    kinds = {kind: 100 for kind in PROMPT_KINDS if chance.random() < 0.2}
    found = evidence(task_evidence(prompts=0 if kinds else 100, responses=chance.choice([0, 90]), kinds=kinds, **TEXT))
    there, back = table(sides[0], sides[1], found), table(sides[1], sides[0], found)
    assert list(there) == list(back)
    for key, row in there.items():
        assert (row.a, row.b, row.a_recorded) == (back[key].b, back[key].a, back[key].b_recorded)
        assert (row.standing, row.evidence, row.rank) == (back[key].standing, back[key].evidence, back[key].rank)
