"""A batch makes one artifact a job, does again only what changed, and survives broken inputs, kills and company."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diptych.batch.executor import Serial, executor_for
from diptych.batch.manifest import read_manifest
from diptych.batch.runner import Outcome, run_batch, summary
from diptych.batch.state import files_of
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


def test_links_in_circles_and_pipes_beside_a_run_hold_up_no_batch(place: Path) -> None:
    folder = next(path for path in place.rglob("results_*.json")).parent
    for number in range(6):
        (folder / f"again-{number}").symlink_to(folder)
    os.mkfifo(folder / "pipe.json")
    found = files_of(str(folder))
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


def test_an_executor_that_is_not_known_is_named() -> None:
    with pytest.raises(DiptychError, match="unknown executor 'threads'"):
        executor_for("threads", None)


def start(place: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "diptych", "batch", str(place / "diptych.toml"), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


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


CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_bytes_as_no_cluster(place: Path, tmp_path: Path) -> None:
    batch(place)
    alone = whole(place)
    shutil.rmtree(place / "artifacts")
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    cluster = subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert cluster.stdout is not None
        address = cluster.stdout.readline().strip()
        assert address.startswith("tcp://127.0.0.1:")
        process = start(place, "--executor", address.replace("tcp://", "dask://"))
        output, errors = process.communicate(timeout=180)
        assert process.returncode == 0, errors
        assert "3 made" in output
    finally:
        cluster.communicate(timeout=60)
    assert whole(place) == alone


@pytest.mark.slow
def test_a_cluster_that_does_not_answer_is_one_error(place: Path) -> None:
    process = start(place, "--executor", "dask://127.0.0.1:9")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "no dask scheduler answers" in errors
