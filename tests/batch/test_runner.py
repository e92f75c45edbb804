"""A batch makes one artifact a job, does again only what changed, and survives broken inputs, kills and company."""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from diptych.batch import runner
from diptych.batch.executor import Processes, Serial, executor_for
from diptych.batch.jobs import Made
from diptych.batch.manifest import read_manifest
from diptych.batch.runner import Outcome, run_batch, summary
from diptych.batch.state import run_files
from diptych.cli import main
from diptych.errors import DiptychError

RUNS = Path(__file__).resolve().parents[2] / "site" / "runs"
PAIRS = {
    "shots": ("api-completions-0shot", "api-completions-3shot"),
    "template": ("api-completions-0shot", "api-chat-0shot"),
    "twice": ("api-temp0.8-seed1", "api-temp0.8-seed2"),
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a manifest of three comparisons and copies of the runs that they name."""
    for name in sorted({run for pair in PAIRS.values() for run in pair}):
        shutil.copytree(RUNS / name, tmp_path / "runs" / name)
    write_manifest(tmp_path, PAIRS)
    return tmp_path


def write_manifest(place: Path, pairs: dict[str, tuple[str, str]], extra: str = "") -> None:
    rows = [f'[[comparisons]]\nname = "{name}"\na = "runs/{a}"\nb = "runs/{b}"\n' for name, (a, b) in pairs.items()]
    (place / "diptych.toml").write_text("\n".join(rows) + extra)


def batch(place: Path, *, again: bool = False) -> dict[str, Outcome]:
    manifest = read_manifest(str(place / "diptych.toml"))
    return {outcome.name: outcome for outcome in run_batch(manifest, Serial(), again=again)}


def results(outcomes: dict[str, Outcome]) -> dict[str, str]:
    return {name: outcome.result for name, outcome in outcomes.items()}


def test_what_is_up_to_date_is_not_done_again(place: Path) -> None:
    assert set(results(batch(place)).values()) == {"made"}
    second = batch(place)
    assert set(results(second).values()) == {"kept"}
    assert summary(list(second.values())) == "0 made, 3 up to date, 0 failed"


def test_only_the_job_whose_input_changed_is_done_again(place: Path) -> None:
    batch(place)
    context = place / "runs" / "api-chat-0shot" / "run-context.json"
    context.write_text(json.dumps({**json.loads(context.read_text()), "quant": "Q8_0"}))
    assert results(batch(place)) == {"shots": "kept", "template": "made", "twice": "kept"}


def test_a_touched_file_with_the_same_bytes_is_no_reason(place: Path) -> None:
    batch(place)
    for path in (place / "runs").rglob("*.json"):
        os.utime(path)
    assert set(results(batch(place)).values()) == {"kept"}


def test_an_option_that_changed_is_a_reason(place: Path) -> None:
    batch(place)
    manifest = place / "diptych.toml"
    manifest.write_text("margin = 0.05\n" + manifest.read_text())
    assert set(results(batch(place)).values()) == {"made"}


def test_an_artifact_that_was_changed_by_hand_is_made_again(place: Path) -> None:
    batch(place)
    artifact = place / "artifacts" / "shots.json"
    before = artifact.read_text()
    artifact.write_text(before.replace("dip_arith", "dip_arxth"))
    assert results(batch(place))["shots"] == "made"
    assert artifact.read_text() == before


def test_one_broken_input_fails_its_own_job_and_is_noted_for_the_index_page(place: Path) -> None:
    write_manifest(place, {**PAIRS, "broken": ("api-chat-0shot", "none-such")})
    outcomes = batch(place)
    assert results(outcomes) == {"shots": "made", "template": "made", "twice": "made", "broken": "failed"}
    note = json.loads((place / "artifacts" / "broken.failed.json").read_text())
    assert note["schema"] == "diptych/failure/1"
    assert note["message"] == "no such file or directory"


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ('primary = { dip_arit = "exact_match" }', "primary: no task is called 'dip_arit'", "did you mean dip_arith?"),
        ('clusters = { other = "x" }', "clusters: no task is called 'other'", "these runs have dip_arith"),
        ('primary = { dip_arith = "exact_mtch" }', "no metric is called 'exact_mtch'", "did you mean exact_match?"),
        ('primary = { dip_arith = "exact_match,none-such" }', "no metric is called", "these runs have exact_match,"),
        ('clusters = { dip_arith = "none_such" }', "no document of dip_arith has the field", "; it has "),
    ],
)
def test_a_name_that_the_runs_do_not_have_is_an_error_that_says_what_they_have(
    place: Path, line: str, message: str, hint: str
) -> None:
    write_manifest(place, PAIRS, line)
    outcome = batch(place)["twice"]
    assert outcome.result == "failed"
    note = json.loads((place / "artifacts" / "twice.failed.json").read_text())
    assert message in note["message"]
    assert hint in note["hint"]


def test_defaults_may_name_a_task_that_not_every_entry_has(place: Path) -> None:
    write_manifest(place, PAIRS)
    manifest = place / "diptych.toml"
    defaults = '[defaults]\nprimary = { dip_arith = "exact_match", other = "acc" }\n'
    manifest.write_text(defaults + manifest.read_text())
    assert set(results(batch(place)).values()) == {"made"}


def test_one_damaged_run_of_a_matrix_is_left_out_and_named_and_the_others_are_compared(place: Path) -> None:
    names = ["api-temp0.8-seed1", "api-temp0.8-seed2", "api-completions-0shot", "api-completions-3shot"]
    runs = ", ".join(f'"runs/{name}"' for name in names)
    (place / "diptych.toml").write_text(f'[[comparisons]]\nname = "many"\nruns = [{runs}]\n')
    (file,) = (place / "runs" / names[1]).rglob("results_*.json")
    file.write_bytes(file.read_bytes()[:3000])
    outcome = batch(place)["many"]
    assert (outcome.result, outcome.damaged) == ("made", True)
    made = json.loads(Path(outcome.path).read_text())
    assert [each["label"] for each in made["runs"]] == [name for name in names if name != names[1]]
    assert [file.name in each["text"] for each in made["findings"] if each["kind"] == "file_damaged"] == [True]
    assert any(names[1] in note for note in outcome.notes)
    done = CliRunner().invoke(main, ["batch", str(place / "diptych.toml"), "--again"])
    assert done.exit_code == 5


def test_links_in_circles_and_pipes_beside_a_run_hold_up_no_batch(place: Path) -> None:
    folder = next(path for path in place.rglob("results_*.json")).parent
    for number in range(6):
        (folder / f"again-{number}").symlink_to(folder)
    os.mkfifo(folder / "pipe.json")
    found = run_files(str(folder))
    assert len(found) == len({os.path.realpath(path) for path in found})
    assert not any(path.endswith("pipe.json") for path in found)


def test_a_failure_note_goes_when_the_input_is_mended(place: Path) -> None:
    write_manifest(place, {"late": ("api-chat-0shot", "late")})
    batch(place)
    shutil.copytree(RUNS / "api-temp0.8-seed3", place / "runs" / "late")
    assert results(batch(place)) == {"late": "made"}
    assert sorted(path.name for path in (place / "artifacts").glob("*.json")) == ["late.json"]


def test_repeats_come_first_and_their_floor_reaches_comparisons_of_that_configuration(place: Path) -> None:
    extra = '[[repeats]]\nname = "floor"\nruns = ["runs/api-temp0.8-seed1", "runs/api-temp0.8-seed2"]\n'
    write_manifest(place, PAIRS, extra)
    outcomes = batch(place)
    assert next(iter(outcomes)) == "floor"
    floors = {
        name: {row["noise_floor"] is not None for row in json.loads(Path(outcomes[name].path).read_text())["metrics"]}
        for name in PAIRS
    }
    assert floors == {"shots": {False}, "template": {False}, "twice": {True}}


def test_artifacts_hold_no_absolute_path(place: Path) -> None:
    for outcome in batch(place).values():
        assert str(place) not in Path(outcome.path).read_text()


def test_an_artifact_has_the_same_bytes_wherever_its_batch_was_started(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_manifest(place, {"twice": PAIRS["twice"]})
    # two results in one run: the sentence that announces the newest names them, too
    run = place / "runs" / PAIRS["twice"][0]
    (newest,) = run.rglob("results_*.json")
    shutil.copy(newest, newest.with_name("results_2026-01-01T00-00-00.000001.json"))
    made = set()
    for folder, manifest in (
        (place, "diptych.toml"),
        (run, "../../diptych.toml"),
        (Path("/"), str(place / "diptych.toml")),
    ):
        monkeypatch.chdir(folder)
        list(run_batch(read_manifest(manifest), Serial(), again=True))
        made.add((place / "artifacts" / "twice.json").read_bytes())
    assert len(made) == 1
    body = json.loads(made.pop())
    assert body["a"]["source"].startswith("runs/api-temp0.8-seed1")
    assert any(finding["kind"] == "results_many" for finding in body["findings"])


def test_workers_have_ended_when_their_executor_is_gone() -> None:
    before = set(multiprocessing.active_children())
    executor = Processes(2)
    assert sorted(executor.run(len, ["x", "xx"], lambda job, why: 0)) == [1, 2]
    assert set(multiprocessing.active_children()) - before
    del executor
    assert not set(multiprocessing.active_children()) - before


def test_an_interruption_leaves_neither_a_worker_nor_a_thread_of_theirs() -> None:
    workers, threads = set(multiprocessing.active_children()), set(threading.enumerate())
    results = Processes(2).run(time.sleep, [0, 60, 60], lambda job, why: None)
    assert next(results) is None
    assert set(multiprocessing.active_children()) - workers
    assert set(threading.enumerate()) - threads
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)
    assert not set(multiprocessing.active_children()) - workers
    assert not set(threading.enumerate()) - threads


def test_an_executor_that_is_not_known_is_named() -> None:
    with pytest.raises(DiptychError, match="unknown executor 'threads'"):
        executor_for("threads", None)


def start(place: Path, *options: str) -> subprocess.Popen[str]:
    """Start a batch in a group of processes of its own, as a terminal does."""
    command = [sys.executable, "-m", "diptych", "batch", str(place / "diptych.toml"), *options]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def whole(place: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (place / "artifacts").glob("*.json")}


@pytest.mark.slow
def test_worker_processes_give_the_same_bytes_as_none(place: Path) -> None:
    batch(place)
    alone = whole(place)
    shutil.rmtree(place / "artifacts")
    process = start(place, "--jobs", "2")
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert "3 made, 0 up to date, 0 failed" in output
    assert whole(place) == alone


@pytest.mark.slow
def test_a_batch_that_was_killed_leaves_nothing_half_written_and_goes_on(place: Path) -> None:
    process = start(place, "--executor", "serial")
    deadline = time.monotonic() + 60
    while not list((place / "artifacts").glob("*.json")) and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    for text in whole(place).values():
        json.loads(text)
    done = results(batch(place))
    assert set(done.values()) <= {"made", "kept"}
    assert len(whole(place)) == 3


@pytest.mark.slow
def test_two_batches_at_once_on_one_archive_do_no_harm(place: Path) -> None:
    batch(place)
    alone = whole(place)
    shutil.rmtree(place / "artifacts")
    both = [start(place, "--jobs", "1") for _ in range(2)]
    for process in both:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert whole(place) == alone
    assert not list((place / "artifacts").glob("*.draft"))


def test_a_bug_in_one_job_is_its_own_failure_and_its_traceback_is_kept(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_manifest(place, PAIRS, '[[repeats]]\nname = "odd"\nruns = ["runs/api-temp0.8-seed1"]\n')
    monkeypatch.setitem(runner.MAKERS, "repeats", lambda spec, folder, noise: 1 // 0)  # type: ignore[arg-type]
    ran = CliRunner().invoke(main, ["batch", str(place / "diptych.toml"), "--executor", "serial"])
    assert ran.exit_code == 1
    assert "odd failed: a bug in diptych: ZeroDivisionError" in ran.output
    assert "3 made, 0 up to date, 1 failed" in ran.output
    assert "ZeroDivisionError" in (place / "artifacts" / "odd.failed.txt").read_text()
    assert "a bug in diptych" in (place / "artifacts" / "odd.failed.json").read_text()
    monkeypatch.undo()
    write_manifest(place, {"odd": PAIRS["twice"]})
    assert results(batch(place)) == {"odd": "made"}
    assert not list((place / "artifacts").glob("odd.failed*"))


def test_a_note_of_somebody_else_is_neither_removed_nor_written_over(place: Path) -> None:
    kept = {"artifacts/odd.failed.json": '{"mine": 1}', "artifacts/odd.failed.txt": "mine"}
    (place / "artifacts").mkdir()
    for name, text in kept.items():
        (place / name).write_text(text)
    for pair in (PAIRS["twice"], ("none", "such")):
        write_manifest(place, {"odd": pair})
        batch(place)
        assert {name: (place / name).read_text() for name in kept} == kept


def test_what_nobody_reads_whole_is_not_hashed(place: Path) -> None:
    write_manifest(place, {"one": PAIRS["twice"]})
    beside = next(place.glob("**/results*.json")).parent / "huge.json"
    with beside.open("wb") as file:
        file.truncate(40_000_000_000)  # a file of nothing: to read it takes minutes
    assert results(batch(place)) == {"one": "made"}
    assert results(batch(place)) == {"one": "kept"}


def test_a_file_of_somebody_else_is_not_written_over(place: Path) -> None:
    text = '{"name": "my-package", "version": "1.0.0"}'
    (place / "package.json").write_text(text)
    (place / "notes.failed.json").write_text(text)
    pairs = {"package": PAIRS["twice"], "notes": ("none", "such")}
    write_manifest(place, pairs)
    manifest = place / "diptych.toml"
    manifest.write_text('artifacts = "."\n' + manifest.read_text())
    outcomes = batch(place)
    assert results(outcomes) == {"package": "failed", "notes": "failed"}
    assert "is not ours" in outcomes["package"].message
    assert {(place / name).read_text() for name in ("package.json", "notes.failed.json")} == {text}


def test_an_old_artifact_without_its_state_is_made_again(place: Path) -> None:
    write_manifest(place, {"twice": PAIRS["twice"]})
    batch(place)
    shutil.rmtree(place / "artifacts" / ".state")
    assert results(batch(place)) == {"twice": "made"}


def test_only_what_is_read_is_hashed(place: Path) -> None:
    folder = next(path for path in place.rglob("results_*.json")).parent
    for name in ("model.safetensors", "pytorch_model.bin", "notes.txt"):
        (folder / name).write_bytes(b"x")
    (folder / "checkpoint").mkdir()
    (folder / "checkpoint" / "optimizer.pt").write_bytes(b"x")
    names = {os.path.basename(path) for path in run_files(str(folder))}
    assert not names & {"model.safetensors", "pytorch_model.bin", "notes.txt", "optimizer.pt"}
    assert any(name.startswith("results_") for name in names)
    assert any(name.startswith("samples_") for name in names)


def test_a_file_that_changes_while_it_is_read_is_named(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_manifest(place, {"twice": PAIRS["twice"]})
    made = runner.MAKERS["comparison"]
    samples = next((place / "runs" / PAIRS["twice"][0]).rglob("samples_*"))

    def while_it_grows(spec: Mapping[str, Any], folder: str, noise: Sequence[str]) -> Made:
        done = made(spec, folder, noise)
        samples.write_bytes(samples.read_bytes() + b"{}\n")
        return done

    monkeypatch.setitem(runner.MAKERS, "comparison", while_it_grows)
    outcome = batch(place)["twice"]
    assert (outcome.result, outcome.damaged) == ("made", True)
    assert outcome.notes[-1] == f"{samples.name} changed while it was read: make it again"
    monkeypatch.undo()
    assert results(batch(place)) == {"twice": "made"}
    assert results(batch(place)) == {"twice": "kept"}


def children(parent: int) -> set[int]:
    """Return the processes below a process."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                found |= {int(folder.name)} | children(int(folder.name))
    return found


def wait_for(true: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


MANY = {f"pair-{number}": PAIRS["shots"] for number in range(40)}


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(place: Path, how: signal.Signals) -> None:
    write_manifest(place, MANY)
    process = start(place, "--jobs", "2")
    wait_for(lambda: list((place / "artifacts").glob("*.json")))
    workers = children(process.pid)
    assert len(workers) >= 2
    process.send_signal(how)
    process.communicate(timeout=60)
    wait_for(lambda: not any(Path(f"/proc/{worker}/exe").exists() for worker in workers))


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_at_a_terminal_ends_workers_that_only_start_without_a_word_of_theirs(place: Path, times: int) -> None:
    write_manifest(place, MANY)
    process = start(place, "--jobs", "2", "--quiet")
    wait_for(lambda: any(b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes() for each in children(process.pid)))
    for _ in range(times):  # to all of the group, as a terminal does
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.02)
    _, errors = process.communicate(timeout=20)
    assert process.returncode in ((130,) if times == 1 else (130, -signal.SIGINT))
    assert "Traceback" not in errors
    assert times == 2 or "is kept" in errors


@pytest.mark.slow
def test_a_worker_that_is_killed_takes_no_other_job_with_it(place: Path) -> None:
    write_manifest(place, MANY)
    process = start(place, "--jobs", "2")
    wait_for(lambda: list((place / "artifacts").glob("*.json")))
    for worker in children(process.pid):
        if is_worker(worker):
            os.kill(worker, signal.SIGKILL)
            break
    output, errors = process.communicate(timeout=240)
    assert "40 made, 0 up to date, 0 failed" in output, errors
    assert process.returncode == 0


SCHEDULER = """
import sys
from distributed import Client, LocalCluster
if __name__ == "__main__":
    place = {"dashboard_address": None, "host": "127.0.0.1"}
    with LocalCluster(n_workers=int(sys.argv[1]), threads_per_worker=1, **place) as one:
        with Client(one) as client:
            client.write_scheduler_file(sys.argv[2])
        print(one.scheduler_address, flush=True)
        sys.stdin.read()
"""


@contextmanager
def cluster(folder: Path, workers: int, start: str = "") -> Iterator[tuple[str, str]]:
    """Start a dask cluster of real processes in a folder of its own; yield its address and its scheduler file.

    `start` is code that each of its processes runs first.
    """
    folder.mkdir()
    script, file = folder / "cluster.py", folder / "scheduler.json"
    script.write_text(SCHEDULER)
    (folder / "first").mkdir()
    (folder / "first" / "sitecustomize.py").write_text(start)
    environ = {**os.environ, "PYTHONPATH": str(folder / "first")}
    command = [sys.executable, str(script), str(workers), str(file)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=folder, env=environ, text=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            address = process.stdout.readline().strip()
            assert address.startswith("tcp://127.0.0.1:")
            yield address, str(file)
        finally:
            process.communicate(timeout=60)


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_bytes_as_no_cluster(place: Path, tmp_path: Path) -> None:
    write_manifest(place, {**PAIRS, "broken": ("api-chat-0shot", "none-such")})
    batch(place)
    alone = whole(place)
    with cluster(tmp_path / "elsewhere", 1) as (address, file):
        for executor in (address.replace("tcp://", "dask://"), file):
            shutil.rmtree(place / "artifacts")
            command = [sys.executable, "-m", "diptych", "batch", "diptych.toml", "--executor", executor]
            ran = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=180, check=False)
            assert "3 made, 0 up to date, 1 failed" in ran.stdout, ran.stderr
            assert whole(place) == alone
        left = {path.name for path in (tmp_path / "elsewhere").iterdir()}
        assert left <= {"cluster.py", "scheduler.json", "first"}


@pytest.mark.slow
def test_a_cluster_s_worker_that_is_killed_in_mid_job_loses_nothing(place: Path, tmp_path: Path) -> None:
    write_manifest(place, MANY)
    with cluster(tmp_path / "elsewhere", 2) as (address, _):
        process = start(place, "--executor", address.replace("tcp://", "dask://"))
        wait_for(lambda: list((place / "artifacts").glob("*.json")))
        mine = {pid for pid in children(os.getpid()) - children(process.pid) - {process.pid} if is_worker(pid)}
        os.kill(min(mine), signal.SIGKILL)
        output, errors = process.communicate(timeout=240)
        assert "40 made, 0 up to date, 0 failed" in output, errors


def is_worker(pid: int) -> bool:
    with suppress(OSError):
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


@pytest.mark.slow
def test_a_cluster_that_cannot_work_is_told_within_seconds(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cluster(tmp_path / "empty", 0) as (address, _):
        began = time.monotonic()
        process = start(place, "--executor", address.replace("tcp://", "dask://"))
        _, errors = process.communicate(timeout=120)
        assert (process.returncode, "no worker" in errors) == (1, True), errors
        assert time.monotonic() - began < 60
    with cluster(tmp_path / "old", 1) as (address, _):
        monkeypatch.setattr("diptych.batch.cluster.VERSION", "99.0")
        with pytest.raises(DiptychError, match=r"and this is 99\.0"):
            list(executor_for(address, None).run(len, ["x"], lambda job, why: 0))
    monkeypatch.undo()
    for name, error, said in (
        ("diptych", "ModuleNotFoundError", "lacks"),
        ("diptych.batch.jobs", "OSError", "cannot load"),
    ):
        with (
            cluster(tmp_path / error, 1, LACKING.format(name=name, error=error)) as (address, _),
            pytest.raises(DiptychError, match=f"worker {said} diptych"),
        ):
            list(executor_for(address, None).run(len, ["x"], lambda job, why: 0))


LACKING = """
import sys
class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name == "{name}":
            error = {error}("not here")
            error.name = name
            raise error
sys.meta_path.insert(0, Lacking())
"""


@pytest.mark.slow
@pytest.mark.parametrize("address", ["dask://127.0.0.1:9", "tls://127.0.0.1:9", "dask://nonsense"])
def test_a_cluster_that_does_not_answer_is_one_error(place: Path, address: str) -> None:
    process = start(place, "--executor", address)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "no dask scheduler answers" in errors
    assert "Traceback" not in errors


def test_a_scheduler_file_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(DiptychError, match="no such scheduler file"):
        list(executor_for("none-such.json", None).run(len, ["x"], lambda job, why: 0))
