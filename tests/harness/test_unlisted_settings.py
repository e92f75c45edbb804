"""The complement: whatever a results file records that is no result and no measurement is a setting, under its name."""

from pathlib import Path
from typing import Any

import pytest

from diptych.catalogue.measurements import bearing_of
from diptych.catalogue.settings import rank_of
from diptych.diagnose.settings.differences import setting_differences
from diptych.harness.inspection import inspect
from diptych.harness.lm_eval.commands import nested
from diptych.harness.reader import read_run
from diptych.run import Run
from written_runs import ABSENT, results, write_run


def run_of(folder: Path, **changes: Any) -> Run:
    return read_run(str(write_run(folder, results(**changes))))


def differing(folder: Path, theirs: dict[str, Any], ours: dict[str, Any] | None = None) -> list[str]:
    a, b = run_of(folder / "a", **(ours or {})), run_of(folder / "b", **theirs)
    return [row.key for row in setting_differences(a, b)]


# what B records beside A, and the key under which it must be listed
UNKNOWN = [
    ({"pruned_experts": 2}, "pruned_experts"),
    ({"experiment": {"quant": {"mode": "nf4"}}}, "experiment.quant.mode"),
    ({"config__attention_sink": 4}, "attention_sink"),
    ({"config__serving": {"engine": "x", "kv_bits": 8}}, "serving.kv_bits"),
    ({"config__model_args": {"pretrained": "org/base-1b", "dtype": "float32", "extra": {"rope": {"factor": 2}}}},
     "model_args.extra.rope.factor"),
    ({"config__gen_kwargs": {"extra_body": {"chat_template_kwargs": {"enable_thinking": False}}}},
     "gen_kwargs.extra_body.chat_template_kwargs.enable_thinking"),
    ({"git_hash": "def5678"}, "git_hash"),
    ({"config__model_sha": "a1"}, "model_sha"),
    ({"metadata": {"adapter": "on"}}, "metadata.adapter"),
    ({"pretty_env_info": "PyTorch version: 2.6.0\nOS: Linux"}, "environment.pytorch_version"),
    ({"model_name": "org/another-model"}, "model_name"),
    ({"time_limit": 30}, "time_limit"),
    ({"score_mode": "strict"}, "score_mode"),
    ({"use_log_softmax": True}, "use_log_softmax"),
    ({"user_prompt": "Answer."}, "user_prompt"),
    ({"knowledge_date": "2025-01"}, "knowledge_date"),
    ({"second_stage_layers": 2}, "second_stage_layers"),
    ({"acc_threshold": 0.5}, "acc_threshold"),
    ({"num_samples": 7}, "num_samples"),
    ({"command": "lm_eval --model hf --limit 4 --steer up --output_path x"}, "command.steer"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "key"), UNKNOWN)
def test_what_one_side_records_beside_the_known_keys_is_a_difference_under_its_inner_key(
    tmp_path: Path, change: dict[str, Any], key: str
) -> None:
    assert key in differing(tmp_path, change)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"config__model_sha": ""}, "model_sha"),
        ({"serving": {"adapter_commit": ""}}, "serving.adapter_commit"),
    ],
)
def test_a_hash_that_was_not_found_is_none_recorded(tmp_path: Path, change: dict[str, Any], key: str) -> None:
    assert key not in differing(tmp_path, change)


# what a meter, a clock, or the machine wrote: no setting
MEASURED = [
    {"config__total_energy_joules": 2.5},
    {"time": {"eval": 12.25}},
    {"throughput_tokens_per_second": 812.0},
    {"config__peak_gpu_memory_gb": 11.5},
    {"usage": {"prompt_tokens": 812, "completion_tokens": 90}},
    {"hostname": "node-7"},
    {"started_at": "2026-01-01T00:00:00"},
    {"date": 1761991207.5, "total_evaluation_time_seconds": "99", "start_time": 1.5, "end_time": 2.5},
    {"output_path": "out/7", "run_id": "8f2a"},
    {"samples_per_second": 3.5, "tok_per_s": 9, "it/s": 2.5, "num_tokens": 8, "time": "12:31:07", "ram_gb": 7},
    {"num_errors": 2, "mean_score": 0.5, "name": "run seven", "id": "x7", "command": "lm_eval --output_path y"},
    {"usage": {"peak_vram_gb": 4}, "latencyMs": 12, "wall_time": 3.5},
]


@pytest.mark.parametrize("change", MEASURED)
def test_a_measurement_is_no_setting(tmp_path: Path, change: dict[str, Any]) -> None:
    assert differing(tmp_path, change) == []


@pytest.mark.parametrize(
    "key",
    ["max_gen_toks", "model_path", "gguf_file", "add_bos_token", "max_time", "revision", "think_end_token", "seed",
     "model_args.gpu_memory_utilization", "gen_kwargs.max_time", "config.timeout_seconds", "max_tokens", "num_experts",
     "cli_args.warmup_seconds", "temperature", "track_energy_mode"],
)  # fmt: skip
def test_what_somebody_set_is_a_setting_also_where_its_name_holds_a_unit(key: str) -> None:
    assert bearing_of(key, 30) == "setting"


NO_SEEDS: dict[str, Any] = {f"config__{name}_seed": ABSENT for name in ("random", "numpy", "torch", "fewshot")}

ELSEWHERE = [
    ({"config__random_seed": ABSENT, "random_seed": 7}, "random_seed", 7),
    ({"config__limit": ABSENT, "resolved_cli_args": {"limit": 20}}, "limit", 20),
    ({"config__fewshot_seed": ABSENT, "config__seeds": {"fewshot_seed": 9}}, "fewshot_seed", 9),
    ({"chat_template": ABSENT, "config__chat_template": "<|x|>"}, "chat_template", "<|x|>"),
    ({"config__gen_kwargs": ABSENT, "cli": {"args": {"gen_kwargs": {"top_p": 0.5}}}}, "gen_kwargs.top_p", 0.5),
    (NO_SEEDS | {"args": {"seed": [1, 2, 3, 4]}}, "torch_seed", 3),
    (NO_SEEDS | {"args": {"seed": "1,2,3,4"}}, "fewshot_seed", 4),
    (NO_SEEDS | {"config__seeds": {"random": 5, "numpy": 6, "torch": None}}, "numpy_seed", 6),
    (NO_SEEDS | {"setup": {"seed": {"few_shot": 8}}}, "fewshot_seed", 8),
]  # fmt: skip


@pytest.mark.parametrize(("change", "key", "value"), ELSEWHERE)
def test_a_setting_that_stands_elsewhere_is_found_and_named_by_its_inner_key(
    tmp_path: Path, change: dict[str, Any], key: str, value: Any
) -> None:
    run = run_of(tmp_path, **change)
    assert run.settings[key].value == value
    assert [other for other in run.settings if other.endswith(f".{key}")] == []


USUAL = {"config__model_args": {"pretrained": "org/base-1b", "dtype": "float32", "revision": "v1"}}
LACKING = {"config__model_args": {"pretrained": "org/base-1b", "dtype": "float32"}}


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"resolved_cli_args": {"model_args": {"revision": "v2"}}},
        {"resolved_cli_args": '{"model_args": {"revision": "v2"}}'},
        {"config__args": {"run": {"model_args": "pretrained=org/base-1b,revision=v2"}}},
        {"command": "srun --limit 7 lm_eval --model hf --model-args pretrained=org/base-1b,revision=v2"},
        {"argv": ["lm_eval", "--model_args=revision=v2"]},
    ],
)
def test_argument_that_stands_elsewhere_is_the_one_of_the_other_side(tmp_path: Path, elsewhere: dict[str, Any]) -> None:
    assert differing(tmp_path, {**LACKING, **elsewhere}, USUAL) == ["model_args.revision"]
    assert differing(tmp_path / "again", USUAL, {**LACKING, **elsewhere}) == ["model_args.revision"]


def test_argument_of_another_model_is_not_the_one_of_this_model(tmp_path: Path) -> None:
    judged = {**LACKING, "judge": {"model_args": {"revision": "v2"}}}
    assert differing(tmp_path, judged, LACKING) == ["judge.model_args.revision"]


def test_seeds_given_twice_are_one_setting_each(tmp_path: Path) -> None:
    copies = {"args": {"seed": "0,1234,1234,1234"}, "seeds": {"random": 0, "torch": 1234}}
    assert differing(tmp_path, copies) == []


def test_what_a_wrapper_keeps_at_the_top_is_not_called_unused(tmp_path: Path) -> None:
    found = inspect(str(write_run(tmp_path, results(config=ABSENT, num_fewshot=5, model="org/m", limit=4))))
    assert "num_fewshot" in found.recorded
    assert "num_fewshot" not in found.unused


@pytest.mark.parametrize(
    ("key", "like"),
    [
        ("cli.args.temperature", "gen_kwargs.temperature"),
        ("experiment.run.seed", "seed"),
        ("fewshot.seed", "fewshot_seed"),
    ],
)
def test_a_nested_setting_is_known_by_its_inner_name(key: str, like: str) -> None:
    assert rank_of(key) == rank_of(like)
    assert rank_of("judge.model") == rank_of("something.of.its.own")


def test_a_copy_of_a_setting_is_no_second_one(tmp_path: Path) -> None:
    copies = {"args": {"limit": 4.0, "model_args": {"dtype": "float32"}}, "model_name": "org/base-1b"}
    assert differing(tmp_path, copies) == []


def test_scores_in_keys_of_a_wrapper_are_no_settings_and_check_names_what_is_not_used(tmp_path: Path) -> None:
    path = write_run(tmp_path, results(summary={"accuracy": 0.75}, run_id="x1", seconds=3.0))
    found = inspect(str(path))
    assert {"run_id", "summary.accuracy"} <= set(found.unused)
    assert "seconds" in found.measured
    assert not {"summary.accuracy", "run_id", "seconds"} & set(found.recorded)


def test_nested_arguments_come_back_as_objects_in_a_command() -> None:
    assert nested({"pretrained": "m", "extra.rope.factor": 2, "extra.on": True}) == {
        "pretrained": "m",
        "extra": {"rope": {"factor": 2}, "on": True},
    }


def test_what_was_measured_task_by_task_is_no_setting_and_what_was_set_is_named_by_its_task(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", energy={"arith": 5.5}, usage={"arith": float("nan")}, pruned={"arith": 2})
    assert run.measurements["energy.arith"] == 5.5
    assert run.settings["pruned.arith"].value == 2
    assert run.settings["usage.arith"].value is None


def test_check_names_every_key_that_it_did_not_use_and_each_key_once(tmp_path: Path) -> None:
    changes = {
        "results__arith": {"acc,none": 0.5, "acc_stderr,none": 0.2, "acc_ci95,none": 0.4},
        "task_hashes": {"arith": "0f"},
        "upper_git_hash": None,
        "model_name_sanitized": "org__base-1b",
        "model_name": "org/base-1b",
        "job_id": 7,
        "config__seen": {},
        "pruned": {"experts": 2},
    }
    found = inspect(str(write_run(tmp_path / "run", results(**changes))))
    assert set(found.unused) >= {
        "results.acc_ci95,none",
        "task_hashes",
        "upper_git_hash",
        "model_name_sanitized",
        "model_name",
        "job_id",
        "system_instruction_sha",
        "chat_template_sha",
    }
    named = [*found.recorded, *found.missing, *found.measured, *found.unused]
    assert len(named) == len(set(named))
    stems = {name.partition(".")[0] for name in named}
    read = {"results", "configs", "versions", "config", "pretty_env_info", "n-shot", "n-samples", "higher_is_better"}
    read |= {"group_subtasks", "lm_eval_version", "transformers_version"}
    assert set(results(**changes)) - read <= stems
    assert {"seen", "pruned"} <= stems


def test_a_table_of_very_many_keys_is_one_value_and_hides_no_setting_behind_it(tmp_path: Path) -> None:
    table = {f"k{number}": number for number in range(3000)}
    one, other = (run_of(tmp_path / name, map=wide, later=1) for name, wide in (("a", table), ("b", table | {"k9": 0})))
    assert one.settings["map"] != other.settings["map"]
    assert one.settings["later"].value == 1
    timed = run_of(tmp_path / "c", seconds={f"t{number}": 0.5 for number in range(3000)}, later=1)
    assert not [key for key in timed.settings if key.startswith("seconds")]
    assert timed.settings["later"].value == 1
