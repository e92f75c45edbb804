"""Genuine runs of each generation, read whole: what they say must not depend on who wrote it down."""

from pathlib import Path
from typing import Any

import pytest

from diptych.harness.reader import read_run
from diptych.run import Run
from written_runs import choice_record, results, write_run

RUNS = Path(__file__).parents[1] / "runs"

# generation, harness version, rows of dip_arith, chat template on, multiturn
EXPECTED = {
    "0.4.0/plain": ("0.4.0", None, 24, False, False),
    "0.4.2/plain": ("0.4.2", None, 24, False, False),
    "0.4.3/chat": ("0.4.3", None, 24, True, True),
    "0.4.5/plain": ("0.4.4–0.4.6", None, 24, False, False),
    "0.4.8/plain": ("0.4.8", None, 24, False, False),
    "0.4.9.2/chat": ("0.4.9.2", "0.4.9.2", 24, True, True),
    "0.4.11/chat": ("0.4.11", "0.4.11", 24, True, True),
    "0.4.13/plain": ("0.4.13", "0.4.13", 24, False, False),
}


def run_of(name: str) -> Run:
    return read_run(str(RUNS / name))


@pytest.mark.parametrize("name", EXPECTED)
def test_each_generation_is_told_and_read(name: str) -> None:
    generation, version, rows, chat, multiturn = EXPECTED[name]
    run = run_of(name)
    assert (run.generation, run.harness_version) == (generation, version)
    assert run.model == "models/tiny-random-gpt2"
    log = run.samples["dip_arith"]
    assert len(log) == rows
    assert log.columns.filter_names == ("strict-match", "flexible-extract")
    assert list(log.columns.filters) == [0] * 12 + [1] * 12
    assert not any(log.columns.repeats)
    assert (run.settings["chat_template"].value is not None) is chat
    assert run.settings["fewshot_as_multiturn"].value is multiturn
    assert run.settings["model_args.dtype"].value == "float32"
    assert run.settings["limit"].value == 12
    assert run.task_settings["dip_arith"]["num_fewshot"].value == 2
    assert run.items["dip_arith"] == 12
    assert not run.remarks


# generation and harness version of runs of the model that answers at random, and the items of its group:
# each kept the log of one task alone, and before 0.4.3 no file but the logs counts items
AT_RANDOM = {
    "0.4.1/dummy": ("0.4.0–0.4.1", None, None),
    "0.4.7/dummy": ("0.4.7–0.4.8", None, 64),
    "0.4.9/dummy": ("0.4.9", "0.4.9", 64),
    "0.4.12/dummy": ("0.4.12", "0.4.12", 64),
}


@pytest.mark.parametrize("name", AT_RANDOM)
def test_a_run_of_choices_alone_is_told_and_read(name: str) -> None:
    generation, version, items = AT_RANDOM[name]
    run = run_of(name)
    assert (run.generation, run.harness_version) == (generation, version)
    assert run.model == "dummy"
    assert run.settings["chat_template"].value is None
    assert run.settings["limit"].value is None
    assert set(run.groups["dip_words"]) == {"dip_opposites", "dip_plurals"}
    assert [score.items for score in run.scores if score.task == "dip_words"] == [items]
    assert list(run.samples) == ["dip_plurals"]
    columns = run.samples["dip_plurals"].columns
    assert list(columns.doc_ids) == list(range(30))
    assert columns.filter_names == ("none",)
    (reported,) = [score.value for score in run.scores if score.task == "dip_plurals"]
    assert sum(columns.values["acc"]) / 30 == reported
    assert columns.doc_hashes == run_of("0.4.12/dummy").samples["dip_plurals"].columns.doc_hashes


@pytest.mark.parametrize("name", [name for name in EXPECTED if name != "0.4.0/plain"])
def test_a_group_is_counted_once_and_marked(name: str) -> None:
    run = run_of(name)
    assert set(run.groups["dip_words"]) == {"dip_opposites", "dip_plurals"}
    assert [score.group for score in run.scores if score.task == "dip_words"] == [True]
    assert {score.metric for score in run.scores} == {"acc", "exact_match"}
    assert all(score.items == (24 if score.group else 12) for score in run.scores)


@pytest.mark.parametrize("name", ["0.4.2/plain", "0.4.5/plain", "0.4.8/plain"])
def test_the_same_documents_have_the_same_hashes_in_every_generation(name: str) -> None:
    old, new = run_of(name).samples["dip_arith"], run_of("0.4.13/plain").samples["dip_arith"]
    assert old.columns.doc_hashes == new.columns.doc_hashes
    assert old.columns.target_hashes == new.columns.target_hashes
    prompts = [[line.requests()[0].context for line in log.lines(range(len(log)))] for log in (old, new)]
    assert prompts[0] == prompts[1]


@pytest.mark.parametrize("name", ["0.4.2/plain", "0.4.5/plain", "0.4.8/plain"])
@pytest.mark.parametrize("task", ["dip_arith", "dip_plurals"])
def test_the_same_rows_mean_the_same_samples_in_every_generation(name: str, task: str) -> None:
    old, new = run_of(name).samples[task], run_of("0.4.13/plain").samples[task]
    for before, after in zip(old.lines(range(12)), new.lines(range(12)), strict=True):
        left, right = before.sample(), after.sample()
        assert left.requests == right.requests
        assert (left.item, left.doc, left.target, left.filter) == (right.item, right.doc, right.target, right.filter)
        assert len(left.responses) == len(right.responses)
        for ours, theirs in zip(left.responses, right.responses, strict=True):
            assert [type(answer) for answer in ours] == [type(answer) for answer in theirs]


def test_the_same_command_line_differs_in_no_setting_between_generations() -> None:
    old, new = run_of("0.4.8/plain"), run_of("0.4.13/plain")
    unlike = {
        key
        for key in {*old.settings, *new.settings}
        if old.settings.get(key) is None
        or new.settings.get(key) is None
        or old.settings[key].value != new.settings[key].value
    }
    assert unlike == {"versions.lm_eval"}
    assert old.task_settings == new.task_settings


def test_definitions_hold_no_noise_between_generations() -> None:
    old, new = run_of("0.4.8/plain").configs["dip_plurals"], run_of("0.4.13/plain").configs["dip_plurals"]
    assert old == new


def test_no_absolute_path_is_kept() -> None:
    run = read_run(str((RUNS / "0.4.8/plain").resolve()))
    names = [run.source, run.results_file, *(source.name for source in run.inputs)]
    assert not any(name.startswith("/") or ".." in name for name in names)
    assert run.results_file.endswith("results_2026-11-29T14-04-26.166827.json")


def subset(folder: Path, ids: list[int], right: list[bool], reported: float, error: Any = None, **more: Any) -> Run:
    """Return a run of 40 items, by its results, whose log holds some of them."""
    records = [choice_record(number, right=good) for number, good in zip(ids, right, strict=True)]
    changes: dict[str, Any] = {"n_samples__arith": {"original": 40, "effective": 40}}
    changes["results__arith"] = {"alias": "arith", "acc,none": reported, "acc_stderr,none": error or "N/A"}
    return read_run(str(write_run(folder, results(**changes | more), {"arith": records})))


def test_a_log_whose_mean_is_the_reported_one_lacks_nothing(tmp_path: Path) -> None:
    assert subset(tmp_path / "list", [3, 9, 4], [True, False, True], 2 / 3).items == {"arith": 3}
    assert subset(tmp_path / "all right", [3, 9, 4], [True, True, True], 1.0).items == {"arith": 3}


def test_a_log_whose_mean_happens_to_be_the_reported_one_lacks_items_all_the_same(tmp_path: Path) -> None:
    ids, right = [3, 9, 4, 7], [True, False, True, False]
    assert subset(tmp_path / "fits", ids, right, 0.5, 0.28867513459481287).items == {"arith": 4}
    assert subset(tmp_path / "error of 40", ids, right, 0.5, 0.08).items == {"arith": 40}
    assert subset(tmp_path / "counted", ids, right, 0.5, lm_eval_version="0.4.12").items == {"arith": 40}


def test_a_log_that_broke_off_lacks_items(tmp_path: Path) -> None:
    assert subset(tmp_path / "cut", [0, 1, 2], [True, False, True], 0.6).items == {"arith": 40}
    assert subset(tmp_path / "all right", [0, 1, 2], [True, True, True], 1.0).items == {"arith": 40}
