"""Logs of inspect_ai: read whole, from archives old and new and from JSON; what is missing or damaged is named."""

import json
import zipfile
from pathlib import Path

import pytest

from diptych.diagnose.pipeline import compare_runs
from diptych.diagnose.verdict.isolating_run import isolating_run
from diptych.errors import RunError
from diptych.harness import sample_streams
from diptych.harness.inspect_ai.samples import completion_of
from diptych.harness.inspection import inspect
from diptych.harness.parse_json import DamagedFile
from diptych.harness.reader import read_run
from written_inspect import log, sample, samples, scored, write_eval, write_json


def test_an_archive_old_or_new_and_json_give_the_same_run(tmp_path: Path) -> None:
    paths = [
        write_eval(tmp_path / "old", log(), samples()),
        write_eval(tmp_path / "new", log(), samples(), pack=93),
        write_json(tmp_path / "json", log(), samples()),
    ]
    runs = [read_run(str(path), "run") for path in paths]
    assert [(score.filter, score.value, score.stderr) for score in runs[0].scores] == [
        ("match", 0.5, 0.28868),
        ("includes", 0.75, 0.25),
    ]
    for run in runs:
        assert (run.harness, run.harness_version, run.model, run.date) == (
            "inspect_ai",
            "0.3.285",
            "maker/small-1b",
            "2026-01-02T03:04:05",
        )
        assert run.scores == runs[0].scores
        assert run.settings == runs[0].settings
        assert (run.items, run.expected) == ({"sums": 4}, {"sums": 8})
        columns = run.samples["sums"].columns
        assert columns.filter_names == ("match", "includes")
        assert list(columns.values["accuracy"]) == [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0]
        line = next(iter(run.samples["sums"].lines([0]))).sample()
        assert [message.content for message in line.requests[0].messages or ()] == ["Be brief.", "What is 0 + 1?"]
        assert (line.responses, line.target) == ((("4",),), "1")


def test_settings_stand_under_the_names_of_every_harness(tmp_path: Path) -> None:
    run = read_run(str(write_json(tmp_path, log(), samples())))
    wanted = {
        "model": "maker",
        "model_args.model": "small-1b",
        "gen_kwargs.temperature": 0.0,
        "gen_kwargs.max_tokens": 64,
        "system_instruction": "Be brief.",
        "solver": "generate",
        "task_args.hint": True,
        "limit": 4,
        "git_hash": "abc1234",
        "versions.inspect_ai": "0.3.285",
    }
    assert {key: run.settings[key].value for key in wanted} == wanted
    assert run.configs["sums"]["metric_list"][0] == {"metric": "match", "numeric": True}
    assert run.measurements["stats.model_usage.maker/small-1b.total_tokens"] == 90
    assert {"eval.run_id", "eval.config.log_samples"} <= set(run.unused)


def test_the_logs_of_one_call_are_one_run_and_what_differs_between_them_stands_with_its_task(tmp_path: Path) -> None:
    write_json(tmp_path, log(), samples(), "2026-01-02T03-04-05_sums.json")
    other = log("letters", plan__config={"temperature": 0.7}, eval__created="2026-01-02T03:04:06+00:00")
    write_json(tmp_path, other, samples(), "2026-01-02T03-04-06_letters.json")
    run = read_run(str(tmp_path))
    assert run.task_settings["sums"]["gen_kwargs.temperature"].value == 0
    assert run.task_settings["letters"]["gen_kwargs.temperature"].value == 0.7
    assert set(run.samples) == {"sums", "letters"}
    assert not [remark for remark in run.remarks if remark.kind == "results_many"]
    assert not inspect(str(tmp_path)).skipped


def test_epochs_are_repeats_of_an_item_and_the_items_are_counted_once(tmp_path: Path) -> None:
    rows = [sample(item, epoch=epoch) for epoch in (1, 2) for item in range(4)]
    head = log(eval__config={"epochs": 2}, results__completed_samples=8)
    run = read_run(str(write_json(tmp_path / "twice", head, rows)))
    assert run.items == {"sums": 4}
    assert run.configs["sums"]["repeats"] == 2
    assert sorted(run.samples["sums"].columns.repeats) == [0] * 8 + [1] * 8
    once = read_run(str(write_json(tmp_path / "once", log(), [*samples(), sample(9)])))
    sentence = compare_runs(once, run).verdict.sentence
    assert "sums: 5 items in once, 4 in twice, 4 shared" in sentence


def test_words_for_scores_count_as_inspect_counts_them_and_others_are_no_number(tmp_path: Path) -> None:
    values = ["C", "P", "N", "yes", "0.25", "unclear", True, {"match": 0.5}]
    rows = [sample(item, match=value) for item, value in enumerate(values)]
    run = read_run(str(write_json(tmp_path, log(), rows)))
    columns = run.samples["sums"].columns
    found = [value for value, place in zip(columns.values["accuracy"], columns.filters, strict=True) if not place]
    assert [None if value != value else value for value in found] == [1.0, 0.5, 0.0, 1.0, 0.25, None, 1.0, 0.5]


def test_a_scorer_reduced_in_another_way_is_a_score_of_its_own_without_items(tmp_path: Path) -> None:
    entries = [scored("match", 0.5, 0.2, reducer="mean"), scored("match", 0.9, 0.1, reducer="pass_at_2")]
    run = read_run(str(write_json(tmp_path, log(results__scores=entries), samples())))
    assert [(score.filter, score.value) for score in run.scores] == [("match", 0.5), ("match/pass_at_2", 0.9)]
    columns = run.samples["sums"].columns
    assert columns.values["accuracy"][columns.filters.index(columns.filter_names.index("match"))] == 1.0


def test_two_runs_are_compared_item_by_item_and_the_isolating_run_is_inspects_own(tmp_path: Path) -> None:
    a = read_run(str(write_json(tmp_path / "a", log(), [sample(item, "long answer") for item in range(4)])))
    hot = log(plan__config__temperature=0.8)
    b = read_run(str(write_json(tmp_path / "b", hot, [sample(item, "other words", match="I") for item in range(4)])))
    made = compare_runs(a, b)
    row = next(row for row in made.metrics if row.filter == "match")
    assert row.estimate is not None
    assert row.estimate.pairs == 4
    assert made.verdict.leading_cause == "gen_kwargs.temperature"
    run = isolating_run("gen_kwargs.temperature", a, b)
    assert run is not None
    assert run.command.splitlines()[-1] == (
        "inspect eval tasks.py@sums --model maker/small-1b --temperature 0.8 --max-tokens 64 --stop-seqs '###' "
        "--system-message 'Be brief.' --limit 4 --log-dir isolate-gen_kwargs-temperature"
    )
    assert run.python == ""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"results": None, "status": "error"}, "without scores (its status: error)"),
        ({"eval": 3}, "without what was evaluated"),
    ],
)
def test_a_log_without_scores_is_named_with_what_to_do(tmp_path: Path, change: dict[str, object], says: str) -> None:
    path = write_json(tmp_path, {**log(), **change}, samples())
    with pytest.raises(RunError) as caught:
        read_run(str(path))
    assert says in caught.value.message
    assert caught.value.hint


def test_an_archive_of_a_run_that_did_not_end_or_is_cut_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "started.eval", "w") as archive:
        archive.writestr("_journal/start.json", json.dumps({"eval": log()["eval"]}))
    with pytest.raises(RunError, match="did not end"):
        read_run(str(tmp_path / "started.eval"))
    whole = write_eval(tmp_path, log(), samples())
    (tmp_path / "cut.eval").write_bytes(whole.read_bytes()[:-200])
    with pytest.raises(DamagedFile, match="cut or damaged"):
        read_run(str(tmp_path / "cut.eval"))


def test_a_sample_that_cannot_be_unpacked_is_left_out_and_counted(tmp_path: Path) -> None:
    path = write_eval(tmp_path, log(), samples(), pack=zipfile.ZIP_STORED)
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"id": 2', b'"id": x', 1))
    found = inspect(str(path))
    assert found.exit_code == 5
    (remark,) = [each for each in found.remarks if each.kind == "file_damaged"]
    assert (remark.count_, "samples/2_epoch_1.json" in remark.text) == (1, True)
    assert found.tasks[0].rows == 6


def test_a_secret_in_a_log_is_masked(tmp_path: Path) -> None:
    head = log(eval__model_args={"api_key": "sk-" + "a1B2c3D4" * 6})
    run = read_run(str(write_json(tmp_path, head, samples())))
    assert "a1B2c3D4" not in str(run.settings)
    assert any(remark.kind == "secret_masked" for remark in run.remarks)


def test_an_archive_that_hides_far_more_than_a_log_holds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_streams, "MOST_UNPACKED", 1 << 22)
    path = write_eval(tmp_path / "a", log(), [{**each, "input": " " * (1 << 21)} for each in samples()])
    with pytest.raises(RunError, match="300 times its size"):
        read_run(str(path))


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"completion": "4", "choices": [{"message": {"content": "5"}}]}, "4"),
        ({"choices": [{"message": {"content": "5"}}, {"message": {"content": "6"}}]}, "5"),
        ({"choices": []}, ""),
        ({}, ""),
    ],
    ids=["completion", "first choice", "no choice", "nothing"],
)
def test_an_answer_without_a_completion_is_the_first_choices_message(output: dict[str, object], text: str) -> None:
    assert completion_of(output) == text
