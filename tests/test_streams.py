"""Each way in which standard output and standard error can fail is an exit code and, where it can be, a sentence."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from written_runs import choices, results, write_run

COMPARE = ("compare", "a", "b", "--labbook", "book.md")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_run(tmp_path / "a", samples={"arith": choices()})
    write_run(tmp_path / "b", results(config__batch_size="64"), {"arith": choices()})
    return tmp_path


def shell(place: Path, line: str, *, environ: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a shell; `D` stands for diptych."""
    command = line.replace("D ", f"{sys.executable} -m diptych ", 1)
    environment = {**os.environ, **(environ or {})}
    return subprocess.run(["/bin/bash", "-c", command], cwd=place, env=environment, capture_output=True, timeout=180)


@pytest.mark.parametrize("form", ["", "--json", "--html", "--markdown"])
@pytest.mark.parametrize(("way", "says"), [("> /dev/full", b"takes no more"), (">&-", b"is closed")])
def test_a_result_that_cannot_be_shown_is_an_error_and_no_record(place: Path, form: str, way: str, says: bytes) -> None:
    ran = shell(place, f"D compare a b --labbook book.md {form} {way}")
    assert (ran.returncode, says in ran.stderr, b"Traceback" in ran.stderr) == (1, True, False), ran.stderr
    assert not (place / "book.md").exists()


@pytest.mark.parametrize("command", ["--help", "--version", "compare -h", "students eval --help"])
@pytest.mark.parametrize(("way", "says"), [("> /dev/full", b"takes no more"), (">&-", b"is closed")])
def test_help_that_cannot_be_shown_is_an_error(place: Path, command: str, way: str, says: bytes) -> None:
    ran = shell(place, f"D {command} {way}")
    assert (ran.returncode, says in ran.stderr, b"Traceback" in ran.stderr) == (1, True, False), ran.stderr


@pytest.mark.parametrize("way", ["2> /dev/full", "2>&-", "> /dev/full 2>&1", ">&- 2>&-"])
def test_what_cannot_be_said_beside_is_left_unsaid(place: Path, way: str) -> None:
    ran = shell(place, f"D compare a b {way}")
    assert ran.returncode == (1 if way.startswith(">") else 0)
    assert b"Traceback" not in ran.stdout + ran.stderr


@pytest.mark.parametrize("command", ["compare a b --json", "check a b", "schema", "discover ."])
def test_a_reader_that_goes_away_is_no_error_to_read(place: Path, command: str) -> None:
    ran = shell(place, f"D {command} | head -c 1")
    assert (len(ran.stdout), ran.stderr) == (1, b"")


@pytest.mark.parametrize("coding", ["latin-1", "ascii", "cp1252"])
def test_a_terminal_of_another_alphabet_shows_what_it_can(place: Path, coding: str) -> None:
    ran = shell(place, "D compare a b", environ={"PYTHONIOENCODING": coding})
    assert ran.returncode == 0
    assert len(ran.stdout.splitlines()) > 5


def test_a_folder_whose_name_is_no_utf_8_is_no_crash(place: Path) -> None:
    odd = os.fsencode(place) + b"/caf\xe9"
    os.rename(place / "b", odd)
    for command in (
        b"compare a caf\xe9 --out c.json --labbook book.md",
        b"compare a caf\xe9 --html",
        b"check caf\xe9",
        b"check caf\xe9 --json",
        b"discover .",
        b"init . --out first.toml",
        b"compare a x=caf\xe9/none",
    ):
        line = f"{sys.executable} -m diptych ".encode() + command
        ran = subprocess.run([b"/bin/bash", b"-c", line], cwd=place, capture_output=True, timeout=180)
        assert b"Traceback" not in ran.stderr, ran.stderr.decode()
        assert ran.returncode in (0, 1)


def writer_of(pipe: Path) -> int:
    """Open a pipe for writing as soon as somebody reads it, and return its number."""
    end = time.monotonic() + 60
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.02)


def test_an_interruption_says_what_was_kept(place: Path) -> None:
    os.mkfifo(place / "pipe.json")
    command = [sys.executable, "-m", "diptych", "export", "pipe.json", "--csv"]
    with subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        held = writer_of(place / "pipe.json")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    os.close(held)
    assert process.returncode == 130
    assert b"is kept" in errors
    assert b"Traceback" not in errors


def test_an_interruption_while_modules_are_imported_shows_no_traceback(place: Path) -> None:
    (place / "slow").mkdir()
    (place / "slow" / "click.py").write_text("import time\nprint('importing', flush=True)\ntime.sleep(60)\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(place / "slow"), *sys.path))}
    command = [sys.executable, "-m", "diptych", "compare", "a", "b"]
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a job in the background inherits that it is deaf
    try:
        with subprocess.Popen(
            command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"importing\n"
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=50)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (process.returncode, errors) == (-signal.SIGINT, b"")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_file_that_takes_only_a_part_is_an_error(place: Path, unbuffered: str) -> None:
    ran = shell(place, "ulimit -f 1; D compare a b --full > small.txt", environ={"PYTHONUNBUFFERED": unbuffered})
    assert (ran.returncode, b"takes no more" in ran.stderr) == (1, True), ran.stderr


def test_a_bug_shows_its_traceback_without_a_secret(place: Path) -> None:
    code = (
        "import diptych.cli.discover as d, diptych.cli\n"
        "def broken(*a, **k): raise RuntimeError('asked with correct-horse-77')\n"
        "d.result = broken\n"
        "diptych.cli.main(['schema'])"
    )
    environment = {**os.environ, "SOME_API_KEY": "correct-horse-77"}
    ran = subprocess.run([sys.executable, "-c", code], cwd=place, env=environment, capture_output=True, timeout=180)
    assert ran.returncode == 1
    assert b"RuntimeError: asked with ***" in ran.stderr
    assert b"correct-horse" not in ran.stderr
