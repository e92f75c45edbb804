"""Every odd kind of input, as a table: read right, or refused with one error that says what it is."""

import ctypes
import json
import os
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from diptych.cli.check import inspection_text
from diptych.errors import RunError
from diptych.harness.foreign_files import name_of_bytes
from diptych.harness.inspection import discover, inspect
from diptych.harness.parse_json import RecordedFile
from diptych.harness.reader import read_run, split_label
from written_runs import ABSENT, LATER, STAMP, choices, results, write_run, write_samples


def dump(value: Any) -> str:
    return json.dumps(value)


ROW = {"acc,none": 0.5, "acc_stderr,none": 0.1, "alias": "arith"}

# name of the file, its content, a part of the error
REFUSED: dict[str, tuple[str, str, str]] = {
    "lighteval": ("results_x.json", dump({"config_general": {}, "results": {"all": {"acc": 1}}}), "lighteval"),
    "inspect log": ("log.json", dump({"version": 2, "status": "success", "eval": {}, "plan": {}}), "inspect_ai"),
    "inspect log with NaN": ("log.txt", '{"status": "x", "eval": {}, "plan": {}, "v": NaN}', "inspect_ai"),
    "HELM statistics": ("stats.json", dump([{"name": {"name": "em"}, "count": 1, "sum": 1}]), "HELM"),
    "HELM items": ("per_instance_stats.json", dump([{"instance_id": "1", "stats": []}]), "HELM"),
    "HELM run": ("scenario_state.json", dump({"adapter_spec": {}, "request_states": []}), "HELM"),
    "alpaca_eval": ("annotations.json", dump([{"instruction": "", "output_1": "", "output_2": ""}]), "alpaca_eval"),
    "0.3 write-out": ("x_write_out_info.json", dump([{"doc_id": 0, "prompt_0": "", "acc": "True"}]), "--write_out"),
    "samples as an array": ("m_arith.jsonl", dump([{"doc_id": 0, "doc": {}, "resps": []}]), "samples file"),
    "samples": ("samples_arith.jsonl", '{"doc_id": 0, "doc": {}}\n{"doc_id": 1, "doc": {}}\n', "samples file"),
    "lines of another tool": ("calls.jsonl", '{"id": 1}\n{"id": 2}\n', "lines of JSON"),
    "students' results": ("results-a.json", dump({"results": [{"id": 1}]}), "students' results"),
    "an artifact of ours": ("c.json", dump({"schema": "diptych/comparison/1", "a": {}}), "artifact of diptych"),
    "a context": ("x.json", dump({"quant": "Q4", "engine": "e"}), "run-context.json"),
    "perplexity record": ("ppl.json", dump({"model": "m", "ppl": 7.1, "settings": {}}), "no results of a harness"),
    "promptfoo": (
        "out.json",
        dump({"evalId": "e", "results": {"stats": {"failures": 3, "durationMs": 9}}, "config": {"tests": []}}),
        "promptfoo",
    ),
    "promptfoo without an id": (
        "out.json",
        dump({"results": {"prompts": {}, "stats": {"failures": 3}}, "config": {}, "versions": {"stats": 1}}),
        "promptfoo",
    ),
    "DeepEval": ("t.json", dump({"testCases": [], "metricsScores": [], "testPassed": 2}), "DeepEval"),
    "EvalPlus": ("s_eval_results.json", dump({"date": "", "hash": "", "eval": {"HumanEval/0": []}}), "EvalPlus"),
    "EvalPlus' answers": ("samples.jsonl", '{"task_id": "HumanEval/0", "solution": ""}\n{}\n', "EvalPlus"),
    "NeMo": ("eval-1.json", dump({"benchmark": {"scores": {}}, "sdk_version": "0.3.0"}), "NeMo Evaluator"),
    "every-eval-ever": ("1.json", dump({"schema_version": "0.3.0", "evaluation_results": []}), "every-eval-ever"),
    "Parquet": ("details.json", "PAR1\x15\x04", "Parquet"),
    "rows of somebody": (
        "r.json",
        dump({"results": {"run": {"failures": 2, "ms": 5}}, "config": {"n": 1}}),
        "its keys",
    ),
    "rows beside texts": (
        "r.json",
        dump({"results": {"t": {"acc": 0.5}, "when": "now"}, "config": {"model": "m", "limit": 1, "device": "cpu"}}),
        "its keys",
    ),
    "words with commas": ("w.json", dump({"greetings": {"hello, you": 1, "good day, you": 2}}), "its keys"),
    "own metrics": ("b.json", dump({"tag": "a", "metrics": {"x": {"acc": 1}}}), "its keys: tag, metrics"),
    "cut": ("results.json", '{\n "results": {"a": {"acc,none": 0.5}},\n "config": {', "cut off"),
    "cut inside a text": ("results.json", '{"results": {"a": {"alias": "ari', "cut off"),
    "no JSON": ("results.json", "Traceback (most recent call last):", "not JSON"),
    "empty": ("results.json", "", "empty file"),
    "a number": ("results.json", "7", "no results of a harness"),
    "a pointer of Git LFS": ("results.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
    "a page": ("results.json", "<!doctype html><title>404</title>", "a page of HTML"),
    "a log in words": ("run.log", "2026-07-02:12:00:01 INFO started\n", "it begins with '2026-07-02"),
    "zero bytes": ("results.json", "\0" * 100, "nothing but zero bytes"),
    "nested without end": ("results.json", "[" * 100_000, "nests too deeply"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_run_is_named_in_one_error(kind: str, tmp_path: Path) -> None:
    name, content, part = REFUSED[kind]
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RunError) as caught:
        read_run(str(path))
    assert part in caught.value.message
    assert caught.value.where.startswith(str(path))
    assert caught.value.hint
    assert inspect(str(path)).exit_code == 1


def test_a_file_that_is_removed_while_it_is_read_is_one_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "results_x.json"
    path.write_text(dump({"results": {"arith": ROW}}))
    file = RecordedFile(str(path))
    assert file.start
    path.unlink()
    with pytest.raises(RunError, match="cannot be read") as caught:
        name_of_bytes(file)
    assert caught.value.where == str(path)
    with pytest.raises(RunError, match="cannot be read"):
        _ = file.document


def test_results_that_lie_deep_below_are_found_and_how_deep_was_looked_is_said(tmp_path: Path) -> None:
    deep = tmp_path.joinpath("results", *["srv", "models", "lab", "team", "big", "model"])
    write_run(deep, results())
    assert read_run(str(tmp_path)).model == "org/base-1b"
    deeper = tmp_path.joinpath("other", *map(str, range(14)))
    write_run(deeper, results())
    with pytest.raises(RunError, match="down to 12 folders deep"):
        read_run(str(tmp_path / "other"))


def test_check_names_what_is_not_read_by_its_place_below_what_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    cut = tmp_path / "one" / "results.json"
    cut.write_text(json.dumps(results())[:-20], encoding="utf-8")
    for asked in (str(tmp_path), f"{tmp_path}/"):
        told = inspection_text(inspect(asked)).splitlines()[1]
        assert told.startswith("  not read  one/results.json:1: the file is cut off")


def test_check_tells_of_a_damaged_line_once(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", results(), {"arith": choices()})
    log = next(folder.rglob("samples*"))
    log.write_bytes(log.read_bytes()[:-30])
    told = inspect(str(folder))
    assert told.exit_code == 5
    assert " ".join(inspection_text(told).split()).count("cannot be read and") == 1


def test_a_link_to_a_folder_above_is_no_way_without_end(tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "model", results())
    (tmp_path / "runs" / "model" / "up").symlink_to(tmp_path)
    assert read_run(str(tmp_path)).model == "org/base-1b"


def test_an_eval_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", "{}")
    with pytest.raises(RunError, match="inspect_ai"):
        read_run(str(path))


def test_bytes_that_are_no_text_are_named_by_their_place(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(b'{"results": "\xff"}')
    with pytest.raises(RunError) as caught:
        read_run(str(path))
    assert caught.value.where == f"{path}@13"


def test_a_cut_file_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text('{\n"results": {},\n"config": {', encoding="utf-8")
    with pytest.raises(RunError) as caught:
        read_run(str(path))
    assert caught.value.where == f"{path}:3"


@pytest.mark.parametrize("name", ["nothing", "."])
def test_a_place_without_results_is_an_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(RunError):
        read_run(str(tmp_path / name))


# what a results document holds, and what must be read of it
READ: dict[str, tuple[Callable[[], Any], Callable[[Any], bool]]] = {
    "0.3: bare keys": (
        lambda: {
            "results": {"hellaswag": {"acc": 0.4, "acc_stderr": 0.01, "acc_norm": 0.5, "acc_norm_stderr": 0.01}},
            "versions": {"hellaswag": 0},
            "config": {"model": "gpt2", "model_args": "pretrained=org/m", "num_fewshot": 5, "limit": None},
        },
        lambda run: (
            run.generation == "0.3"
            and [(s.metric, s.filter, s.value, s.stderr) for s in run.scores]
            == [("acc", "none", 0.4, 0.01), ("acc_norm", "none", 0.5, 0.01)]
            and run.task_settings["hellaswag"]["num_fewshot"].value == 5
            and run.settings["chat_template"].value is None
            and run.settings["chat_template"].default
        ),
    ),
    "0.3: samples among the metrics": (
        lambda: {
            "results": {"mgsm": {"acc": 0.3, "acc_stderr": 0.03, "details": [{"question": "?"}]}},
            "versions": {},
            "config": {},
        },
        lambda run: [s.metric for s in run.scores] == ["acc"] and not run.remarks,
    ),
    "rows at the top level": (
        lambda: {"cola": {"mcc,none": -0.1, "mcc_stderr,none": 0.03, "alias": " - cola"}, "sst2": dict(ROW)},
        lambda run: {s.task for s in run.scores} == {"cola", "sst2"} and not run.settings["model"].recorded,
    ),
    "a wrapper without config": (
        lambda: {"model": "org/m", "tasks": ["mmlu"], "num_fewshot": 5, "results": {"mmlu": dict(ROW)}},
        lambda run: (
            "wrapper" in run.generation
            and run.model == "org/m"
            and run.task_settings["mmlu"]["num_fewshot"].value == 5
            and not run.settings["batch_size"].recorded
            and not run.settings["chat_template"].recorded
            and not run.settings["model_args"].recorded
        ),
    ),
    "a wrapper with package versions": (
        lambda: {
            "path": "org/m",
            "results": {"gsm8k": {"exact_match,strict-match": 0.7, "sample_len": 250, "name": "gsm8k"}},
            "n_samples": {"gsm8k": {"original": 1319, "effective": 250}},
            "limit": 250,
            "versions": {"lm_eval": "0.4.13", "transformers": "5.1.0"},
        },
        lambda run: (
            run.harness_version == "0.4.13"
            and run.items == {"gsm8k": 250}
            and run.expected == {"gsm8k": 1319}
            and run.settings["versions.transformers"].value == "5.1.0"
            and run.settings["limit"].value == 250
            and [(s.metric, s.value) for s in run.scores] == [("exact_match", 0.7)]
        ),
    ),
    "rows nested two levels": (
        lambda: {
            "params": {"model": "hf", "model_args": "pretrained=org/m", "chat_template": "<|x|>"},
            "results": {
                "pro": dict(ROW),
                "bbh": {"bbh": {"acc_norm,none": 0.5, "acc_norm_stderr,none": "N/A"}, "bbh_a": {"acc_norm,none": 1.0}},
            },
        },
        lambda run: (
            [s.task for s in run.scores] == ["pro", "bbh", "bbh_a"]
            and run.groups == {"bbh": ("bbh_a",)}
            and run.scores[1].stderr_reason == "N/A"
            and run.settings["chat_template"].value == "<|x|>"
            and run.model == "org/m"
        ),
    ),
    "samples inside": (
        lambda: results(samples={"arith": choices()}, lm_eval_version=ABSENT, config__model_args=None),
        lambda run: len(run.samples["arith"]) == 4 and run.samples["arith"].columns.filter_names == ("none",),
    ),
    "an object of model arguments": (
        lambda: results(lm_eval_version="0.4.13", config__model_args={"pretrained": "org/base-1b", "dtype": "float32"}),
        lambda run: run.settings["model_args.pretrained"].value == "org/base-1b" and run.model == "org/base-1b",
    ),
    "a version that is only in development": (
        lambda: results(lm_eval_version="0.4.13.dev0", fewshot_as_multiturn=None),
        lambda run: run.harness_version == "0.4.13.dev0" and run.settings["fewshot_as_multiturn"].value is False,
    ),
    "nothing but scores": (
        lambda: {"results": {"arith": dict(ROW)}},
        lambda run: [(s.task, s.value) for s in run.scores] == [("arith", 0.5)] and not run.settings["limit"].recorded,
    ),
}


@pytest.mark.parametrize("kind", READ)
def test_odd_results_are_read(kind: str, tmp_path: Path) -> None:
    document, holds = READ[kind]
    path = tmp_path / "out.json"
    path.write_text(json.dumps(document(), ensure_ascii=False), encoding="utf-8")
    run = read_run(str(path))
    assert holds(run), run


def test_a_directory_may_end_in_json(tmp_path: Path) -> None:
    write_run(tmp_path / "run.json" / "org__m", samples={"arith": choices()})
    assert len(read_run(str(tmp_path / "run.json")).samples["arith"]) == 4


def test_a_renamed_results_file_is_found_with_its_samples(tmp_path: Path) -> None:
    write_run(tmp_path, samples={"arith": choices()})
    (tmp_path / f"results_{STAMP}.json").rename(tmp_path / f"my-model_arith_{STAMP}.json")
    run = read_run(str(tmp_path))
    assert run.date == "2025-11-01T10:00:00.000001"
    assert set(run.samples) == {"arith"}


@pytest.mark.parametrize(
    "name", ["arith.jsonl", f"samples_arith_{STAMP}.jsonl.xz", f"logs/samples_arith_{STAMP}.jsonl"]
)
def test_a_log_that_is_not_read_for_its_name_or_place_is_named(tmp_path: Path, name: str) -> None:
    write_run(tmp_path, results(), {"arith": choices()})
    (tmp_path / name).parent.mkdir(exist_ok=True)
    next(tmp_path.glob("samples*.jsonl")).rename(tmp_path / name)
    run = read_run(str(tmp_path))
    assert not run.samples
    assert [name in remark.text and STAMP in remark.text for remark in run.remarks] == [True]


@pytest.mark.parametrize(
    ("name", "told"),
    [("results_1.json.gz", "packed"), ("run.zip", "packed"), (f"samples_a_{STAMP}.jsonl", "samples without")],
)
def test_a_folder_without_results_is_told_by_what_lies_in_it(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_bytes(b"{}")
    with pytest.raises(RunError, match=rf"out/{name} is {told}"):
        read_run(str(tmp_path))


def test_of_results_of_one_date_each_is_named_by_its_file_and_what_the_taken_one_lacks(tmp_path: Path) -> None:
    for folder, task in (("one", "arith"), ("two", "other")):
        document = results()
        for table in ("results", "configs", "versions", "n-shot", "n-samples", "higher_is_better", "group_subtasks"):
            document[table] = {task: document[table]["arith"]}
        write_run(tmp_path / folder, document)
    (said,) = (remark for remark in read_run(str(tmp_path)).remarks if remark.kind == "results_many")
    assert "of one date; two/" in said.text
    assert "It lacks 1 task of the others: arith." in said.text
    assert "@DATE" not in said.text


def test_of_several_results_the_newest_by_its_own_date_is_taken_and_announced(tmp_path: Path) -> None:
    write_run(tmp_path, results(**{"results__arith__acc,none": 0.75}), stamp=LATER)
    write_run(tmp_path, samples={"arith": choices()})
    run = read_run(str(tmp_path))
    assert run.date == "2025-11-02T09:30:00"
    assert [remark.kind for remark in run.remarks] == ["results_many", "no_samples"]
    assert "2025-11-01T10:00:00.000001" in run.remarks[0].text
    assert "2025-11-02T09:30:00" in run.remarks[0].text
    assert not run.samples


@pytest.mark.parametrize("date", ["2025-11-01", "2025-11-01T10-00-00", "2025-11-01T10:00:00.000001"])
def test_a_date_picks_another(date: str, tmp_path: Path) -> None:
    write_run(tmp_path, stamp=LATER)
    write_run(tmp_path, samples={"arith": choices()})
    run = read_run(f"{tmp_path}@{date}")
    assert run.date == "2025-11-01T10:00:00.000001"
    assert set(run.samples) == {"arith"}
    assert not run.remarks


def test_a_date_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    write_run(tmp_path)
    with pytest.raises(RunError, match="2024"):
        read_run(f"{tmp_path}@2024-01-01")


def test_a_path_may_hold_an_at_sign(tmp_path: Path) -> None:
    write_run(tmp_path / "run@home")
    assert read_run(str(tmp_path / "run@home")).label == "run@home"


def test_the_runs_of_two_models_are_not_chosen_between(tmp_path: Path) -> None:
    write_run(tmp_path / "a")
    write_run(tmp_path / "b", results(config__model_args="pretrained=org/other"))
    with pytest.raises(RunError, match="2 models") as caught:
        read_run(str(tmp_path))
    assert "org/other" in caught.value.message


def test_several_results_without_a_date_are_not_chosen_between(tmp_path: Path) -> None:
    for name in ("opt-a.json", "opt-b.json"):
        (tmp_path / name).write_text(dump({"results": {"arith": ROW}}), encoding="utf-8")
    with pytest.raises(RunError, match=r"without a date: opt-a\.json, opt-b\.json"):
        read_run(str(tmp_path))


def test_two_models_in_one_folder_are_named_where_the_newest_is_taken(tmp_path: Path) -> None:
    write_run(tmp_path)
    write_run(tmp_path, results(config__model_args="pretrained=org/other"), stamp=LATER)
    run = read_run(str(tmp_path))
    assert run.model == "org/other"
    assert "2 models: org/base-1b, org/other" in run.remarks[0].text


def test_a_cut_results_file_beside_a_good_one_is_said(tmp_path: Path) -> None:
    write_run(tmp_path)
    (tmp_path / f"results_{LATER}.json").write_text('{"results": {"ar', encoding="utf-8")
    assert [remark.kind for remark in read_run(str(tmp_path)).remarks] == ["file_damaged"]
    assert inspect(str(tmp_path)).exit_code == 5


def test_old_samples_belong_by_the_models_arguments(tmp_path: Path) -> None:
    document = results(
        lm_eval_version=ABSENT, higher_is_better=ABSENT, n_samples=ABSENT, config__model_args="pretrained=org/m"
    )
    (tmp_path / "results.json").write_text(json.dumps(document), encoding="utf-8")
    for name in ("pretrained__org__m_arith.jsonl", "pretrained__org__other_arith.jsonl"):
        (tmp_path / name).write_text(json.dumps(choices(3 if "other" in name else 4), indent=2), encoding="utf-8")
    run = read_run(str(tmp_path))
    assert run.generation == "0.4.2"
    assert len(run.samples["arith"]) == 4
    assert run.items == {"arith": 4}


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_the_context_is_found_up_to_two_folders_above(steps: int, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "x" / "run" / "model")
    place = [folder, folder.parent, folder.parent.parent][steps]
    (place / "run-context.json").write_text('{"quant": "Q4_K_M", "note": 1}', encoding="utf-8")
    run = read_run(str(folder))
    assert run.context == {"quant": "Q4_K_M", "note": 1}
    assert "run-context.json" in [source.name for source in run.inputs]


def test_a_context_three_folders_above_is_none(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a" / "b" / "c")
    (tmp_path / "run-context.json").write_text("{}", encoding="utf-8")
    assert read_run(str(folder)).context is None


def test_a_broken_context_is_an_error_with_its_line(tmp_path: Path) -> None:
    write_run(tmp_path)
    (tmp_path / "run-context.json").write_text('{\n"quant": }', encoding="utf-8")
    with pytest.raises(RunError) as caught:
        read_run(str(tmp_path))
    assert caught.value.where.endswith("run-context.json:2")


def test_damaged_samples_are_counted_named_and_left_out(tmp_path: Path) -> None:
    write_run(tmp_path, samples={"arith": choices()})
    path = tmp_path / f"samples_arith_{STAMP}.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:90] + b"\n" + lines[2] + lines[3][:200])
    run = read_run(str(tmp_path))
    assert list(run.samples["arith"].columns.doc_ids) == [0, 2]
    remark = run.remarks[0]
    assert (remark.kind, remark.severity, remark.task, remark.count_, remark.of) == (
        "file_damaged",
        "error",
        "arith",
        2,
        4,
    )
    assert "2 of 4 lines of the samples of arith cannot be read" in remark.text
    assert [place.rpartition(":")[2] for place in remark.evidence] == ["2", "4"]
    assert inspect(str(tmp_path)).exit_code == 5


def test_a_log_that_is_a_pointer_is_named_and_the_scores_are_read(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", results(), {"arith": choices()})
    log = folder / f"samples_arith_{STAMP}.jsonl"
    log.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", encoding="utf-8")
    run = read_run(str(folder))
    assert run.scores[0].value == 0.5
    assert "a pointer of Git LFS" in run.remarks[0].text


NO_LOGS: dict[str, Callable[[Path], object]] = {
    "a folder": Path.mkdir,
    "a pipe that nobody writes to": os.mkfifo,
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("kind", NO_LOGS)
def test_what_stands_in_the_place_of_a_log_is_named_and_the_scores_are_read(tmp_path: Path, kind: str) -> None:
    folder = write_run(tmp_path / "run", results(), {})
    name = f"samples_arith_{STAMP}.jsonl"
    NO_LOGS[kind](folder / name)
    run = read_run(str(folder))
    assert run.scores[0].value == 0.5
    assert [(remark.kind, remark.evidence) for remark in run.remarks] == [("file_damaged", (name,))]
    assert inspect(str(folder)).exit_code == 5


def test_a_results_file_that_may_not_be_read_says_so_and_not_that_it_is_empty(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", results(), {})
    (file,) = folder.iterdir()
    file.chmod(0)
    with without_rights(), pytest.raises(RunError, match=r"cannot be read \(Permission denied\)"):
        read_run(str(folder))


@contextmanager
def without_rights() -> Iterator[None]:
    """Let the superuser be refused what the mode of a file refuses, as anybody else is."""
    if os.geteuid():
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # capset(2), version 3, this thread
    kept = (ctypes.c_uint32 * 6)()
    assert libc.capget(header, kept) == 0
    fewer = (ctypes.c_uint32 * 6)(*kept)
    fewer[0] &= ~0b110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, of those in effect
    assert libc.capset(header, fewer) == 0
    try:
        yield
    finally:
        assert libc.capset(header, kept) == 0


def test_inspection_names_keys_of_samples_that_nothing_is_made_of_and_items_that_no_log_holds(tmp_path: Path) -> None:
    records = [record | {"elapsed": 0.5, "resps": [[["-0.5", "True"]] * 3]} for record in choices(3)]
    seen = inspect(str(write_run(tmp_path / "run", results(), {"arith": records})))
    assert "samples.elapsed" in seen.unused
    assert [skipped.why for skipped in seen.skipped] == ["1 of 4 items are not in its log"]
    assert (seen.tasks[0].logged, seen.tasks[0].answers) == (3, 3)


def test_check_tells_the_versions_of_many_tasks_together_and_a_refusal_in_eighty_columns(tmp_path: Path) -> None:
    tasks = [f"task_{number}" for number in range(30)]
    many = results(results=dict.fromkeys(tasks, ROW), versions=dict.fromkeys(tasks, 1.0), configs={})
    told = inspection_text(inspect(str(write_run(tmp_path / "many", many))))
    assert "versions of 30 tasks" in told.replace("\n            ", " ")
    path = tmp_path / "stats.json"
    path.write_text(dump([{"name": {"name": "em"}, "count": 1, "sum": 1}]), encoding="utf-8")
    refused = inspection_text(inspect(str(path))).splitlines()
    assert refused[1] == "  not read  statistics of HELM, which are not read"
    assert "lm_eval --log_samples" in refused[2]


def test_check_says_on_one_screen_what_was_read_and_what_was_not_and_in_full_each_key(tmp_path: Path) -> None:
    tasks = [f"task_{number}" for number in range(30)]
    seen = inspect(str(write_run(tmp_path / "run", results(results=dict.fromkeys(tasks, ROW), configs={}))))
    lines = inspection_text(seen).splitlines()
    assert len(lines) <= 24
    named = [name for line in lines[1:] if (name := line[2:11].strip())]
    assert named[:5] == ["is", "model", "date", "read", "not read"]
    assert any("more (--full)" in line for line in lines)
    full = inspection_text(seen, full=True)
    assert all(name in full for name in (*tasks, *seen.defaults, *seen.unused, *seen.measured))


def test_inspection_tells_what_was_read_and_what_was_skipped(tmp_path: Path) -> None:
    write_run(tmp_path, stamp=LATER, samples={"arith": choices()})
    write_run(tmp_path, samples={"arith": choices()})
    seen = inspect(f"{tmp_path}@2025-11-02")
    assert (seen.exit_code, seen.generation, seen.model) == (0, "0.4.9.2", "org/base-1b")
    (task,) = seen.tasks
    assert (task.task, task.metrics, task.filters, task.items, task.expected, task.rows) == (
        "arith",
        ("acc",),
        ("none",),
        4,
        40,
        4,
    )
    assert {"limit", "model_args.dtype", "num_fewshot"} <= set(seen.recorded)
    assert "device" in seen.defaults
    assert len(seen.skipped) == 2


@pytest.mark.parametrize("name", [".__out__sft-r16", "..__x", ".__", ".cache__models__x"])
def test_a_run_in_a_folder_that_the_harness_names_with_a_dot_is_found(tmp_path: Path, name: str) -> None:
    write_run(tmp_path / "run" / name)
    assert read_run(str(tmp_path / "run")).model == "org/base-1b"
    (found,) = discover(str(tmp_path))
    assert Path(found.location).name == name


def test_hidden_folders_are_not_searched_and_are_named_where_nothing_else_is_there(tmp_path: Path) -> None:
    write_run(tmp_path / "a" / ".old" / "m")
    assert discover(str(tmp_path)) == ()
    with pytest.raises(RunError, match=r"hidden folders are not searched: a/\.old") as caught:
        read_run(str(tmp_path))
    assert "or the hidden folder itself" in caught.value.hint
    assert read_run(str(tmp_path / "a" / ".old")).model == "org/base-1b"


def test_the_runs_of_a_tree_are_discovered(tmp_path: Path) -> None:
    write_run(tmp_path / "one" / "m", samples={"arith": choices()})
    write_run(tmp_path / "two", stamp=LATER)
    write_run(tmp_path / "two")
    (tmp_path / "two" / "notes.json").write_text("{}", encoding="utf-8")
    write_samples(tmp_path / "three" / f"samples_arith_{STAMP}.jsonl", choices())
    found = discover(str(tmp_path))
    assert [Path(run.location).name for run in found] == ["m", f"results_{STAMP}.json", f"results_{LATER}.json"]
    assert {run.model for run in found} == {"org/base-1b"}
    assert found[0].tasks == ("arith",)
    for run in found:
        assert read_run(run.location).date == run.date


@pytest.mark.parametrize(
    ("text", "label", "path"),
    [
        ("base=runs/a", "base", "runs/a"),
        ("runs/a", None, "runs/a"),
        ("runs/x=1/a", None, "runs/x=1/a"),
        ("=runs/a", None, "=runs/a"),
        ("A b=c=d", "A b", "c=d"),
    ],
)
def test_a_label_is_split_from_its_path(text: str, label: str | None, path: str) -> None:
    assert split_label(text) == (label, path)


def test_a_deep_context_is_taken_apart_and_its_measurements_are_none(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "deep" / "srv" / "a" / "b" / "c" / "d")
    context = {"server": {"flags": {"kv_cache": "q8_0"}, "uptime_seconds": 12.5}, "quant": "Q4"}
    (tmp_path / "deep" / "run-context.json").write_text(json.dumps(context), encoding="utf-8")
    run = read_run(str(tmp_path / "deep"))
    assert run.context == {"server.flags.kv_cache": "q8_0", "quant": "Q4"}
    assert run.measurements["context.server.uptime_seconds"] == 12.5
    assert read_run(str(folder)).context is None


@pytest.mark.parametrize("name", ["calls.jsonl", "calls.json"])
def test_a_large_file_of_lines_is_known_by_its_first_and_never_held_whole(tmp_path: Path, name: str) -> None:
    line = json.dumps({"doc_id": 1, "doc": "x" * 3_000_000}) + "\n"
    with open(tmp_path / name, "w") as file:
        for _ in range(10):
            file.write(line)
    tracemalloc.start()
    with pytest.raises(RunError, match="samples file of lm-evaluation-harness"):
        read_run(str(tmp_path / name))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 6_000_000


def test_results_on_one_long_line_are_read(tmp_path: Path) -> None:
    document = results(notes="x" * 2_000_000)
    (tmp_path / "results.json").write_text(json.dumps(document) + "\n")
    assert read_run(str(tmp_path / "results.json")).scores
