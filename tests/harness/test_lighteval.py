"""Results of lighteval: scores, settings and details of its own files; what cannot be read is named."""

import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from diptych.diagnose.pipeline import compare_runs
from diptych.diagnose.verdict.isolating_run import isolating_run
from diptych.harness import sample_streams
from diptych.harness.inspection import inspect
from diptych.harness.reader import read_run
from diptych.run import Run
from written_runs import results as harness_results
from written_runs import write_run

Json = Any
STAMP = "2026-01-02T03-04-05.000006"
MODEL = {
    "model_name": "/srv/models/org/tiny",
    "generation_parameters": {"temperature": 0, "max_new_tokens": None},
    "system_prompt": None,
    "batch_size": 8,
    "dtype": "float32",
    "model_parallel": False,
    "override_chat_template": False,
}


def results(shots: int = 0, **model: Json) -> dict[str, Json]:
    """Return results of a generated and a multiple-choice task."""
    return {
        "config_general": {
            "lighteval_sha": "?",
            "max_samples": None,
            "job_id": "0",
            "start_time": 20.5,
            "model_config": {**MODEL, **model},
            "model_name": "/srv/models/org/tiny",
        },
        "results": {
            f"sums|{shots}": {"em": 0.5, "em_stderr": 0.28868},
            "pairs|0": {"acc": 0.75, "acc_stderr": 0.25},
            "all": {"em": 0.5, "em_stderr": 0.28868, "acc": 0.75, "acc_stderr": 0.25},
        },
        "versions": {},
        "config_tasks": {
            f"sums|{shots}": task("sums", "em", shots, generation_size=12, stop_sequence=["\n"]),
            "pairs|0": task("pairs", "acc", 0, generation_size=-1, stop_sequence=[]),
        },
        "summary_tasks": {},
        "summary_general": {},
    }


def task(name: str, metric: str, shots: int, **more: Json) -> dict[str, Json]:
    """Return the definition of a task."""
    metrics = [{"metric_name": metric, "higher_is_better": True, "corpus_level_fn": "mean"}]
    return {"name": name, "hf_repo": f"org/{name}", "metrics": metrics, "num_fewshots": shots, "version": 1, **more}


def answered(item: int, text: str, tokens: list[int], right: bool) -> dict[str, Json]:
    """Return a row of a generated answer."""
    doc = {"query": f"What is {item} + 1?", "choices": [str(item + 1)], "gold_index": 0, "id": str(item)}
    asked = {"sampling_methods": ["GENERATIVE"], "stop_sequences": ["\n"], "generation_size": 12}
    said = {"input": None, "input_tokens": tokens, "text": [text], "text_post_processed": [text.strip()]}
    return {"doc": {**doc, **asked}, "metric": {"em": int(right)}, "model_response": said}


def chosen(item: int, values: list[float], right: bool) -> dict[str, Json]:
    """Return a row of scored choices."""
    doc = {"query": f"Opposite of {item}:", "choices": [" a", " b"], "gold_index": 1, "id": str(item)}
    said = {"input": None, "input_tokens": [1, item], "logprobs": values, "argmax_logits_eq_gold": [False, right]}
    return {"doc": {**doc, "sampling_methods": ["LOGPROBS"]}, "metric": {"acc": int(right)}, "model_response": said}


def write(folder: Path, document: dict[str, Json], tokens: tuple[int, ...] = (), details: bool = True) -> Path:
    """Write results four folders deep, and their details as lighteval lays them out."""
    deep = Path("srv/models/org/tiny")
    place = folder / "results" / deep
    place.mkdir(parents=True)
    (place / f"results_{STAMP}.json").write_text(json.dumps(document))
    rows = {
        "sums": [answered(item, f" {item + 1}", [*tokens, 7, item], item < 2) for item in range(4)],
        "pairs": [chosen(item, [-2.0, -0.5 if item else -3.0], bool(item)) for item in range(4)],
    }
    for row in document["results"] if details else ():
        name = row.partition("|")[0]
        if name in rows:
            file = folder / "details" / deep / STAMP / f"details_{row}_{STAMP}.parquet"
            file.parent.mkdir(parents=True, exist_ok=True)
            parquet.write_table(pyarrow.Table.from_pylist(rows[name]), file)
    return folder


def read(folder: Path, *arguments: Json, **more: Json) -> Run:
    """Return the run that was written."""
    return read_run(str(write(folder, *arguments, **more)), folder.name)


def test_scores_settings_and_details_are_read_from_five_folders_deep(tmp_path: Path) -> None:
    run = read(tmp_path / "a", results(3))
    assert (run.harness, run.model, run.date) == ("lighteval", "org/tiny", "2026-01-02T03:04:05.000006")
    assert [(score.task, score.metric, score.value, score.stderr) for score in run.scores] == [
        ("sums", "em", 0.5, 0.28868),
        ("pairs", "acc", 0.75, 0.25),
    ]
    assert run.items == {"sums": 4, "pairs": 4}
    assert run.task_settings["sums"]["num_fewshot"].value == 3
    assert run.task_settings["sums"]["gen_kwargs.max_new_tokens"].value == 12
    assert {key: run.settings[key].value for key in ("chat_template", "batch_size", "model_args.dtype", "limit")} == {
        "chat_template": None,
        "batch_size": 8,
        "model_args.dtype": "float32",
        "limit": None,
    }
    assert run.configs["sums"]["dataset_path"] == "org/sums"
    assert {"results.all", "job_id", "summary_tasks"} <= set(run.unused)
    assert list(run.samples["sums"].columns.values["em"]) == [1.0, 1.0, 0.0, 0.0]


def test_choices_are_read_with_their_log_likelihoods_and_answers_with_what_was_kept(tmp_path: Path) -> None:
    run = read(tmp_path / "a", results())
    choices = next(iter(run.samples["pairs"].lines([1]))).sample()
    assert [request.continuation for request in choices.requests] == [" a", " b"]
    assert choices.responses == (((-2.0, False),), ((-0.5, True),))
    answer = next(iter(run.samples["sums"].lines([1]))).sample()
    assert (answer.responses, answer.filtered, answer.target) == (((" 2",),), ("2",), "2")


def test_prompts_of_which_only_token_ids_were_logged_are_told_apart_by_them(tmp_path: Path) -> None:
    made = compare_runs(read(tmp_path / "a", results()), read(tmp_path / "b", results(3), (9, 9, 9)))
    (ladder,) = [ladder for ladder in made.ladder if ladder.task == "sums"]
    assert {rung.rung: rung.equal for rung in ladder.rungs}["prompts"] == 0


def test_shots_stay_in_a_tasks_name_where_they_tell_two_rows_apart(tmp_path: Path) -> None:
    document = results()
    document["results"]["sums|5"] = {"em": 0.25, "em_stderr": 0.2}
    run = read(tmp_path / "a", document)
    assert [score.task for score in run.scores] == ["sums|0", "pairs", "sums|5"]


def test_the_mean_of_a_benchmarks_subsets_is_a_group(tmp_path: Path) -> None:
    document = results()
    subsets = {f"facts:{name}|0": {"acc": value, "acc_stderr": 0.1} for name, value in (("x", 0.2), ("y", 0.4))}
    document["results"] |= {**subsets, "facts:_average|0": {"acc": 0.3, "acc_stderr": 0.1}}
    run = read(tmp_path / "a", document)
    assert run.groups == {"facts:_average": ("facts:x", "facts:y")}
    assert [score.group for score in run.scores] == [False, False, False, False, True]


def test_results_without_details_say_how_to_have_them_and_damaged_details_are_named(tmp_path: Path) -> None:
    bare = inspect(str(write(tmp_path / "bare", results(), details=False)))
    assert bare.exit_code == 0
    assert any("--save-details" in remark.text for remark in bare.remarks)
    folder = write(tmp_path / "torn", results())
    (file,) = folder.rglob("details_sums*.parquet")
    file.write_bytes(file.read_bytes()[:-20])
    torn = inspect(str(folder))
    assert torn.exit_code == 5
    assert any(file.name in remark.text for remark in torn.remarks)
    assert [row.rows for row in torn.tasks] == [None, 4]


def test_the_isolating_run_is_lightevals_own(tmp_path: Path) -> None:
    a, b = read(tmp_path / "a", results()), read(tmp_path / "b", results(override_chat_template=True))
    run = isolating_run("chat_template", a, b)
    assert run is not None
    words = run.command.splitlines()[-1]
    assert words.startswith("lighteval accelerate 'model_name=/srv/models/org/tiny,dtype=float32,")
    assert "override_chat_template=True" in words
    assert "'pairs|0,sums|0'" in words


def test_a_path_that_is_no_results_folder_has_no_details(tmp_path: Path) -> None:
    (tmp_path / f"results_{STAMP}.json").write_text(json.dumps(results()))
    assert not read_run(str(tmp_path)).samples


def test_results_of_the_other_harness_stay_its_own_where_a_leaderboard_adds_a_configuration(tmp_path: Path) -> None:
    folder = write_run(tmp_path, {**harness_results(), "config_general": {"lighteval_sha": "?"}})
    assert read_run(str(folder)).harness == "lm-evaluation-harness"


@pytest.mark.parametrize("document", [{"config_general": {}, "results": {"all": {"acc": 1}}}])
def test_results_without_a_task_are_an_error_with_what_to_do(tmp_path: Path, document: Json) -> None:
    found = inspect(str(write(tmp_path / "a", document)))
    assert found.exit_code == 1
    assert found.error is not None
    assert found.error.hint


def test_details_that_hide_far_more_than_a_log_holds_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_streams, "MOST_UNPACKED", 1 << 20)
    folder = write(tmp_path / "a", results())
    file = next(folder.rglob("details_sums*.parquet"))
    parquet.write_table(pyarrow.Table.from_pylist([answered(1, "x" * 10_000, [1], True)] * 3_000), file)
    run = read_run(str(folder))
    assert any("300 times its size" in remark.text for remark in run.remarks)


def test_details_of_more_rows_than_bytes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_streams, "MOST_ROWS", 1_000)
    folder = write(tmp_path / "a", results())
    file = next(folder.rglob("details_sums*.parquet"))
    parquet.write_table(pyarrow.Table.from_pylist([answered(1, "x", [1], True)] * 10_000), file)
    run = read_run(str(folder))
    assert any("more rows than it has bytes" in remark.text for remark in run.remarks)


def test_a_row_whose_shots_are_no_number_is_read(tmp_path: Path) -> None:
    document = results()
    document["results"]["sums|²"] = {"em": 0.25, "em_stderr": 0.2}
    assert "sums|²" in [score.task for score in read(tmp_path / "a", document).scores]
