"""Which settings differ: looked up in every place, in the prior order, and never more than was recorded."""

import pytest

from diptych.catalogue.settings import RANKED, rank_of
from diptych.diagnose.settings.differences import context_differences, equal_count, setting_differences
from diptych.diagnose.settings.same_values import same_value
from diptych.run import Setting
from examples_runs import Json, run

PRIOR_ORDER = [
    "chat_template",
    "fewshot_as_multiturn",
    "num_fewshot",
    "gen_kwargs.temperature",
    "gen_kwargs.anything",
    "model",
    "model_args.pretrained",
    "limit",
    "batch_size",
    "torch_seed",
    "fewshot_seed",
    "device",
]


def keys(a: object, b: object) -> list[str]:
    return [row.key for row in setting_differences(a, b)]  # type: ignore[arg-type]


def test_the_prior_order_is_that_of_the_specification() -> None:
    ranks = [rank_of(key)[0] for key in PRIOR_ORDER]
    assert None not in ranks
    assert ranks == sorted(ranks, key=lambda rank: rank or 0)
    assert len(set(ranks)) == len(ranks)


@pytest.mark.parametrize(
    "name", ["add_bos_token", "max_gen_toks", "max_length", "dtype", "load_in_4bit", "system_prompt"]
)
def test_an_argument_hidden_in_model_args_outranks_the_batch_size(name: str) -> None:
    assert (rank_of(f"model_args.{name}")[0] or 999) < (rank_of("batch_size")[0] or 0)


def test_arguments_that_only_reach_the_model_rank_below_the_seeds() -> None:
    assert (rank_of("model_args.num_concurrent")[0] or 0) > (rank_of("torch_seed")[0] or 999)


def test_every_rank_says_why_in_whole_sentences() -> None:
    for row in RANKED:
        assert row.why.endswith("."), row.keys
        assert row.kind in {"model", "prompt", "sampling", "harness", "environment", "data"}


@pytest.mark.parametrize("key", ["task_hashes", "date", "model_name_sanitized", "chat_template_sha"])
def test_what_differs_between_any_two_runs_is_no_setting(key: str) -> None:
    assert keys(run({key: "x"}), run({key: "y"})) == []


@pytest.mark.parametrize(
    ("key", "a", "b"),
    [
        ("batch_size", 1, "1"),
        ("limit", 50, 50.0),
        ("limit", None, 0),
        ("gen_kwargs", {}, None),
        ("fewshot_as_multiturn", False, None),
        ("device", None, "cuda:0"),
        ("model_args.dtype", None, "auto"),
        ("model_args.add_bos_token", "True", True),
        ("model_args.x", [1, "2"], ["1", 2.0]),
        ("model_args.add_bos_token", "true", 1),
        ("model_args.dtype", "torch.float16", "fp16"),
        ("model_args.dtype", "bf16", "torch.bfloat16"),
        ("model_args.eps", "1e-5", 0.00001),
        ("batch_size", "auto:8", "auto:8"),
        ("versions.lib", "2.1", "2.1"),
    ],
)
def test_two_ways_of_writing_the_same_are_no_difference(key: str, a: Json, b: Json) -> None:
    assert keys(run({key: a}), run({key: b})) == []


@pytest.mark.parametrize(
    ("a", "b"),
    [(True, 2), ("fp16", "bfloat16"), ("auto:8", "auto:4"), ("1_0", 10), ("nan", "nan "), ("inf", 1), (None, "")],
)
def test_values_that_only_look_alike_stay_apart(a: Json, b: Json) -> None:
    assert not same_value(a, b)


def test_version_with_another_last_part_is_another_version() -> None:
    assert keys(run({"versions.lib": "2.10"}), run({"versions.lib": "2.1"})) == ["versions.lib"]


def test_a_default_and_the_same_value_given_are_no_difference() -> None:
    assert keys(run({"batch_size": Setting(1, default=True)}), run({"batch_size": "1"})) == []


def test_what_neither_side_records_has_no_row() -> None:
    silent = {"random_seed": Setting(None, recorded=False)}
    assert keys(run(silent), run(silent)) == []
    assert keys(run(without=("random_seed",)), run(silent)) == []


def test_not_recorded_is_listed_last_and_says_that_it_shows_nothing() -> None:
    rows = setting_differences(run(without=("chat_template",)), run({"batch_size": 1, "chat_template": None}))
    assert [row.key for row in rows] == ["batch_size", "chat_template"]
    assert (rows[1].a_recorded, rows[1].b_recorded) == (False, True)
    assert "Not recorded in A" in rows[1].why


def test_an_argument_on_one_side_only_was_not_given_on_the_other() -> None:
    (row,) = setting_differences(run(), run({"model_args.add_bos_token": True}))
    assert (row.key, row.a, row.b, row.a_recorded, row.a_default) == (
        "model_args.add_bos_token",
        None,
        True,
        True,
        True,
    )


def test_the_blob_is_not_listed_beside_its_keys() -> None:
    a = run({"model_args": "pretrained=x", "model_args.pretrained": "x"})
    b = run({"model_args": {"pretrained": "y"}, "model_args.pretrained": "y"})
    assert keys(a, b) == ["model_args.pretrained"]


def test_the_model_s_name_is_one_question_however_a_backend_calls_it() -> None:
    served = run({"model": "served", "model_args.model": "org/base-1b"}, without=("model_args.pretrained",))
    assert keys(run(), served) == ["model"]
    other = run({"model": "served", "model_args.model": "org/other"}, without=("model_args.pretrained",))
    assert keys(run(), other) == ["model", "model_args.pretrained"]
    said = "A names the model by model_args.pretrained, B by model_args.model."
    assert setting_differences(run(), other)[1].why.endswith(said)


def test_names_that_differ_only_in_letter_case_are_said_to_do_so() -> None:
    (row,) = setting_differences(run(), run({"model_args.pretrained": "Org/Base-1B"}))
    assert "letter case" in row.why


def test_a_setting_that_differs_in_every_task_names_none() -> None:
    a = run(tasks={"x": {"num_fewshot": 0}, "y": {"num_fewshot": 0}})
    b = run(tasks={"x": {"num_fewshot": 5}, "y": {"num_fewshot": 5}})
    (row,) = setting_differences(a, b)
    assert (row.a, row.b, row.tasks) == (0, 5, ())


def test_a_setting_that_differs_in_some_tasks_names_them() -> None:
    a = run(tasks={"x": {"num_fewshot": 0}, "y": {"num_fewshot": 0}, "z": {}})
    b = run(tasks={"x": {"num_fewshot": 5}, "y": {"num_fewshot": 3}, "z": {}})
    (row,) = setting_differences(a, b)
    assert (row.a, row.b, row.tasks) == (0, {"x": 5, "y": 3}, ("x", "y"))


def test_tasks_of_one_side_only_and_rows_of_groups_are_not_compared() -> None:
    a = run(tasks={"x": {}, "group": {"num_fewshot": 5}}, groups={"group": ("x",)})
    b = run(tasks={"x": {}, "group": {"num_fewshot": 0}, "extra": {"num_fewshot": 7}}, groups={"group": ("x",)})
    assert keys(a, b) == []


def test_the_effective_generation_argument_goes_before_what_the_command_gave() -> None:
    a, b = run({"gen_kwargs.temperature": 0.0}), run({})
    assert keys(a, b) == []
    (row,) = setting_differences(a, run(tasks={"arith": {"gen_kwargs.temperature": 0.8}}))
    assert (row.key, row.a, row.b) == ("gen_kwargs.temperature", 0.0, 0.8)


def test_a_generation_argument_of_one_side_is_compared_with_not_given() -> None:
    (row,) = setting_differences(run(), run(tasks={"arith": {"gen_kwargs.seed": 1}}))
    assert (row.key, row.a, row.b, row.a_default, row.a_recorded) == ("gen_kwargs.seed", None, 1, True, True)


def test_a_task_s_version_names_its_task() -> None:
    (row,) = setting_differences(run(), run(tasks={"arith": {"versions.arith": 2.0}}))
    assert (row.key, row.tasks, row.kind) == ("versions.arith", ("arith",), "harness")


def test_rows_come_in_the_prior_order() -> None:
    b = run(
        {"chat_template": "{{ x }}", "model": "vllm", "batch_size": "auto", "versions.lm_eval": "0.4.13", "x.y": 1},
        tasks={"arith": {"num_fewshot": 5, "gen_kwargs.temperature": 1.0}},
    )
    assert keys(run({"x.y": 2}), b) == [
        "chat_template",
        "num_fewshot",
        "gen_kwargs.temperature",
        "model",
        "batch_size",
        "versions.lm_eval",
        "x.y",
    ]


def test_equal_settings_are_counted_once_and_only_where_both_record_them() -> None:
    same = equal_count(run(), run())
    assert same == len(run().settings) + len(run().task_settings["arith"])
    assert equal_count(run(), run({"batch_size": 1})) == same - 1
    assert equal_count(run(without=("device",)), run()) == same - 1
    assert equal_count(run(tasks={"x": {}, "y": {}}), run(tasks={"x": {}, "y": {}})) == same


def test_the_context_is_compared_in_the_order_in_which_it_moves_a_score() -> None:
    a = run(context={"quant": "Q4_1", "engine": "one", "endpoint": "x", "zebra": 1, "alias": None})
    b = run(context={"quant": "Q4_0", "engine": "ONE ", "endpoint": "y", "zebra": 2, "note": "n"})
    rows = context_differences(a, b)
    assert [row.setting for row in rows] == ["quant", "endpoint", "zebra", "note"]
    assert (rows[3].a_recorded, rows[3].b_recorded) == (False, True)


def test_two_runs_without_context_have_no_row_of_it() -> None:
    assert context_differences(run(), run(context={})) == ()
