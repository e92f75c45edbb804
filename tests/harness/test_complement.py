"""Every key of a results file that is no result and not written anew is a setting, nested ones key by key."""

import json
from pathlib import Path

import pytest

from diptych.catalogue.measurements import is_measurement
from diptych.harness.reader import read_run


def written(folder: Path, **keys: object) -> dict[str, object]:
    """Return the recorded settings of a results file with some keys of one's own."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model": "hf", "model_args": {"pretrained": "example-org/a", "additional_config": {"x": {"y": 3}}}}
    body = {"results": {"t": {"acc,none": 0.5}}, "versions": {"t": 1}, "config": config, "configs": {}, **keys}
    (folder / "results_2025-01-01T00-00-00.000000.json").write_text(json.dumps(body), encoding="utf-8")
    return {key: one.value for key, one in read_run(str(folder)).settings.items() if one.recorded}


def test_keys_at_the_top_are_settings_of_their_own(tmp_path: Path) -> None:
    found = written(tmp_path, num_experts_to_prune=2, experiment={"mode": "nf4", "deep": {"k": [1]}}, git_hash="abc")
    assert found["num_experts_to_prune"] == 2
    assert found["experiment.mode"] == "nf4"
    assert found["experiment.deep.k"] == [1]
    assert found["git_hash"] == "abc"


def test_an_argument_that_is_an_object_is_named_by_its_inner_keys(tmp_path: Path) -> None:
    found = written(tmp_path)
    assert found["model_args.additional_config.x.y"] == 3
    assert "model_args.additional_config" not in found


def test_what_a_run_consumed_is_no_setting(tmp_path: Path) -> None:
    found = written(tmp_path, wall_time=3.5, usage={"total_energy_joules": 12.5, "peak_memory_gb": 4}, run_id="x7")
    assert not {key for key in found if "time" in key or key.startswith("usage") or key == "run_id"}


@pytest.mark.parametrize(
    "key",
    ["total_energy_joules", "elapsed", "latencyMs", "prompt_tokens", "tokens_per_second", "hostname", "peak_vram_gb"],
)
def test_measurements_are_known_by_their_words(key: str) -> None:
    assert is_measurement(key)


@pytest.mark.parametrize(
    "key",
    [
        *(
            "max_gen_toks",
            "max_tokens",
            "timeout",
            "gpu_memory_utilization",
            "model_path",
            "add_bos_token",
            "gguf_file",
        ),
        *("temperature", "max_time", "revision", "num_fewshot", "think_end_token", "seed", "gguf_file"),
    ],
)
def test_settings_are_not_taken_for_measurements(key: str) -> None:
    assert not is_measurement(key)
