"""Bad input at the doors: one clear error or one named gap, the right exit code, and nothing lost or half-written."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from diptych.cli import compare as door
from diptych.cli import main
from diptych.diagnose.options import Options
from diptych.run import Run
from written_runs import ABSENT, choices, results, write_run

HOSTILE = "<script>alert(1)</script> @octocat closes #1 | `x` \x1b[31m \u202e $\\href{javascript:x}{y}$ ![](http://x.invalid/p.png)"


def compare(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return write_run(tmp_path / "good", results(), {"arith": choices()})


def empty(folder: Path) -> Path:
    folder.mkdir()
    return folder


def text_in(folder: Path, text: str, name: str = "results_2026-01-01T00-00-00.json") -> Path:
    folder.mkdir()
    (folder / name).write_text(text)
    return folder


INSPECT_LOG = json.dumps({"version": 2, "status": "success", "eval": {"task": "arc", "model": "m"}, "samples": []})


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda place: place / "nothing-here", "no such file or directory"),
        (lambda place: empty(place / "empty"), "holds no results"),
        (lambda place: text_in(place / "cut", json.dumps(results())[:-40]), "is cut off"),
        (lambda place: text_in(place / "list", "[1, 2]"), ""),
        (lambda place: text_in(place / "other", INSPECT_LOG), "inspect"),
        (lambda place: text_in(place / "deep", "[" * 100_000), ""),
    ],
)
def test_what_is_no_run_is_one_error_with_what_where_and_what_to_do(
    tmp_path: Path, good: Path, make: Callable[[Path], Path], says: str
) -> None:
    bad = make(tmp_path)
    done = compare(good, bad)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert says in done.stderr
    assert str(bad.name) in done.stderr
    assert "\n  hint: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_line_that_does_not_parse_is_named_left_out_counted_and_the_exit_code_is_5(
    tmp_path: Path, good: Path
) -> None:
    damaged = write_run(tmp_path / "damaged", results(), {"arith": choices()})
    (log,) = damaged.glob("samples_*.jsonl")
    lines = log.read_bytes().split(b"\n")
    log.write_bytes(b"\n".join([lines[0], lines[1][:50], *lines[2:]]))
    done = compare(good, damaged, "--json")
    assert done.exit_code == 5
    made = json.loads(done.stdout)
    (finding,) = [each for each in made["findings"] if each["kind"] == "file_damaged"]
    assert (finding["side"], finding["count"]) == ("b", 1)
    assert "line 2" in finding["text"]
    assert made["metrics"][0]["estimate"]["pairs"] == 3


def test_check_exits_by_the_worst_of_its_inputs(tmp_path: Path, good: Path) -> None:
    damaged = write_run(tmp_path / "damaged", samples={"arith": choices()})
    with next(damaged.glob("samples_*")).open("a") as log:
        log.write('{"doc_id": 9, "doc"')
    for places, code in (([good], 0), ([good, damaged], 5), ([good, damaged, tmp_path / "none"], 1)):
        done = CliRunner().invoke(main, ["check", *map(str, places)])
        assert done.exit_code == code, done.output
        assert all(str(place) in done.output for place in places)


@pytest.mark.parametrize("value", ["NaN", "Infinity", '"N/A"', "true", '"high"', "[1, 2]"])
def test_what_is_no_number_is_not_available_with_its_reason_and_never_nought(
    tmp_path: Path, good: Path, value: str
) -> None:
    text = json.dumps(results()).replace('"acc,none": 0.5', f'"acc,none": {value}')
    odd = text_in(tmp_path / "odd", text)
    done = compare(good, odd, "--json")
    assert done.exit_code == 0
    (row,) = json.loads(done.stdout)["metrics"]
    assert (row["a"], row["b"], row["difference"], row["status"]) == (0.5, None, None, "not_available")
    assert row["reason"].startswith("B: ")
    shown = compare(good, odd).stdout + compare(good, odd, "--markdown").stdout + compare(good, odd, "--html").stdout
    assert "nan%" not in shown.lower()
    assert "inf%" not in shown.lower()


def test_two_runs_without_a_shared_metric_did_not_measure_the_same_thing(tmp_path: Path, good: Path) -> None:
    other = write_run(tmp_path / "other", results(results={"poems": {"rhyme,none": 0.25}}))
    done = compare(good, other, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["verdict"]["kind"] == "not_comparable"


def hostile_runs(tmp_path: Path) -> tuple[Path, Path]:
    records = choices()
    for record in records:
        record["doc"]["question"] = HOSTILE
        record["arguments"]["gen_args_0"]["arg_0"] = record["arguments"]["gen_args_1"]["arg_0"] = HOSTILE
    other = [{**record, "acc": 1.0 - record["acc"], "resps": record["resps"][::-1]} for record in records]
    document = results(config__model_args=f"pretrained={HOSTILE.replace(',', '')}")
    return (
        write_run(tmp_path / "a", document, {"arith": records}),
        write_run(tmp_path / "b", document, {"arith": other}),
    )


def test_hostile_text_reaches_every_form_harmless(tmp_path: Path) -> None:
    a, b = hostile_runs(tmp_path)
    page, comment, report = (compare(a, b, *form).stdout for form in (["--html"], ["--markdown"], []))
    assert "<script>alert" not in page
    assert "<script>alert" not in comment
    assert "http://x.invalid" not in page.replace("![](http://x.invalid/p.png)", "")
    for text in (page, comment, report):
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_a_secret_in_the_settings_reaches_no_output(tmp_path: Path, good: Path) -> None:
    secret = "hf_" + "Zq7" * 11
    arguments = f"pretrained=org/base-1b,token={secret}"
    leaky = write_run(tmp_path / "leaky", results(config__model_args=arguments), {"arith": choices()})
    outputs = [compare(good, leaky, *form) for form in ([], ["--json"], ["--html"], ["--markdown"])]
    checked = CliRunner().invoke(main, ["check", str(leaky), "--json"])
    assert all(secret not in done.stdout + done.stderr for done in [*outputs, checked])
    assert "secret_masked" in outputs[1].stdout


def test_the_notebook_gets_one_line_with_the_fields_that_its_readers_know(tmp_path: Path, good: Path) -> None:
    other = write_run(tmp_path / "other", results(config__batch_size="64"), {"arith": choices()})
    book = tmp_path / "labbook.md"
    book.write_text("# My notes\n\nprose")
    compare(good, other, "--labbook", book, "--out", tmp_path / "ab.json")
    first, second, third, line = book.read_text().splitlines()
    assert (first, second, third) == ("# My notes", "", "prose")
    record = json.loads(line)
    assert {
        "lab", "run_id", "a", "b", "score_differences", "setting_differences", "task_differences",
        "context_differences", "host", "date", "artifact", "verdict",
    } == set(record)  # fmt: skip
    assert record["score_differences"] == [{"metric": "arith/acc,none", "a": 0.5, "b": 0.5, "delta": 0.0}]
    assert record["setting_differences"][0]["setting"] == "batch_size"
    assert record["artifact"]["link"] == "ab.json"
    assert record["a"].count("results_") == 1
    assert str(good).endswith(os.path.dirname(record["a"]))


def test_the_notebook_tells_null_from_not_recorded(tmp_path: Path, good: Path) -> None:
    other = write_run(
        tmp_path / "other", results(chat_template=ABSENT, config__gen_kwargs="seed=1"), {"arith": choices()}
    )
    (other / "run-context.json").write_text('{"quant": "Q4_0"}')
    book = tmp_path / "labbook.md"
    book.write_text("")
    compare(good, other, "--labbook", book)
    record = json.loads(book.read_text())
    rows = {row["setting"]: row for part in ("setting", "context") for row in record[f"{part}_differences"]}
    assert (rows["chat_template"]["b"], rows["chat_template"]["b_recorded"]) == (None, False)
    assert (rows["quant"]["a"], rows["quant"]["a_recorded"]) == (None, False)
    assert set(rows["gen_kwargs.seed"]) == {"setting", "a", "b", "why"}


def limited(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.slow
def test_without_room_nothing_half_written_is_left_and_the_old_file_stays(tmp_path: Path, good: Path) -> None:
    out = tmp_path / "ab.json"
    out.write_text("before")
    command = [sys.executable, "-m", "diptych", "compare", str(good), str(good), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limited(2_000))
    assert done.returncode == 1, done.stderr
    assert "cannot be written" in done.stderr
    assert "nothing half-written was left" in done.stderr
    assert out.read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == ["ab.json", "good"]


def test_a_folder_in_place_of_a_file_is_refused_by_name(tmp_path: Path, good: Path) -> None:
    done = compare(good, good, "--out", tmp_path / "none" / ".." / "good")
    assert done.exit_code in (1, 2)
    assert "good" in done.stderr


def test_a_gate_that_fires_exits_with_3_and_is_named(tmp_path: Path, good: Path) -> None:
    other = write_run(tmp_path / "other", results(results={"poems": {"rhyme,none": 0.25}}))
    done = compare(good, other, "--fail-on", "missing")
    assert done.exit_code == 3
    assert "gate missing: " in done.stderr


def test_of_three_runs_a_cut_one_is_left_out_by_file_and_line_and_the_exit_code_is_5(
    tmp_path: Path, good: Path
) -> None:
    other = write_run(tmp_path / "other", results(), {"arith": choices()})
    cut = write_run(tmp_path / "cut", results(), {"arith": choices()})
    (file,) = cut.glob("results_*.json")
    file.write_text(file.read_text(encoding="utf-8")[:400], encoding="utf-8")
    done = compare(good, other, cut, "--json")
    assert done.exit_code == 5
    made = json.loads(done.stdout)
    assert made["schema"].startswith("diptych/comparison/")
    (finding,) = [each for each in made["findings"] if each["kind"] == "file_damaged"]
    line = file.read_text(encoding="utf-8").count("\n") + 1
    assert f"{file.name}:{line}" in finding["text"]
    assert f"{file.name}:{line}" in done.stderr
    assert [each["what"] for each in made["left_out"] if "cut" in each["what"]]
    assert compare(good, cut, "--json").exit_code == 1


def test_a_log_that_changes_after_it_was_indexed_is_left_out_by_name_and_the_rest_is_compared(
    tmp_path: Path, good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = write_run(tmp_path / "other", results(), {"arith": choices()})
    (log,) = other.glob("samples_*.jsonl")
    checked = door.known_tasks

    def while_it_grows(runs: tuple[Run, ...], options: Options) -> None:
        checked(runs, options)
        log.write_bytes(log.read_bytes() + b"{}\n")

    monkeypatch.setattr(door, "known_tasks", while_it_grows)
    for runs in ((good, other), (good, good, other)):
        log.write_bytes(log.read_bytes().removesuffix(b"{}\n"))
        done = compare(*runs, "--json")
        assert done.exit_code == 5
        made = json.loads(done.stdout)
        (finding,) = [each for each in made["findings"] if each["kind"] == "file_damaged"]
        assert f"{log.name} changed while it was read" in finding["text"]
        assert made["metrics" if len(runs) == 2 else "rows"]


def test_repeats_name_a_damaged_line_and_of_three_a_cut_run_is_left_out(tmp_path: Path) -> None:
    names = ("one", "two", "three")
    runs = [write_run(tmp_path / name, results(date=1.0 + day), {"arith": choices()}) for day, name in enumerate(names)]
    (file,) = runs[2].glob("results_*.json")
    file.write_text(file.read_text(encoding="utf-8")[:400], encoding="utf-8")
    with next(runs[1].glob("samples_*")).open("a") as log:
        log.write('{"doc_id": \n')
    done = CliRunner().invoke(main, ["noise", *map(str, runs), "--json"], catch_exceptions=False)
    assert done.exit_code == 5
    made = json.loads(done.stdout)
    assert len(made["runs"]) == 2
    assert ["three" in each["what"] for each in made["left_out"]] == [True]
    said = [each["text"] for each in made["findings"] if each["kind"] == "file_damaged"]
    assert [f"{file.name}:" in said[0], "two: 1 of" in said[1], len(said)] == [True, True, 2]


TOO_DEEP = "a = " + "[" * 3_000
DIGITS = "a = " + "9" * 5_000


@pytest.mark.parametrize("text", [TOO_DEEP, DIGITS, "a." * 3_000 + "a = 1", "a = {b = " * 3_000, "a"])
def test_a_table_beyond_all_bounds_is_one_error_at_every_door(text: str, tmp_path: Path, good: Path) -> None:
    table, run = tmp_path / "m.toml", str(good)
    table.write_text(text)
    for arguments in (
        ["compare", run, run, "--policy", str(table)],
        ["batch", str(table)],
        ["build", str(table)],
        ["baseline", "show", "--manifest", str(table)],
        ["decide", "--route", f"a={run}", "--prices", str(table)],
    ):
        ran = CliRunner().invoke(main, arguments)
        assert isinstance(ran.exception, SystemExit), arguments
        assert ran.exit_code in (1, 2), arguments


@pytest.mark.parametrize("key", ["artifacts", "build", "pages", "a", "file", "main"])
@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3_000, "\udcff"])
def test_a_path_that_no_system_takes_is_one_error(key: str, name: str, tmp_path: Path, good: Path) -> None:
    given = {
        "artifacts": "made",
        "build": "site",
        "pages": "pages",
        "a": str(good),
        "file": "b.json",
        "main": str(good),
    }
    given = {**given, key: name}
    (tmp_path / "pages").mkdir()
    table = tmp_path / "m.toml"
    lines = [f"{each} = {json.dumps(given[each])}" for each in ("artifacts", "build", "pages")]
    lines += ['[[comparisons]]\nname = "one"', f"a = {json.dumps(given['a'])}", f"b = {json.dumps(str(good))}"]
    lines += ["[baseline]", *(f"{each} = {json.dumps(given[each])}" for each in ("file", "main"))]
    table.write_text("\n".join(lines))
    for arguments in (["batch", "--executor", "serial"], ["build"], ["baseline", "show", "--manifest"]):
        ran = CliRunner().invoke(main, [*arguments, str(table)])
        assert ran.exception is None or isinstance(ran.exception, SystemExit), arguments
        assert "a bug" not in ran.output, arguments
