"""Make the site's student decision from nothing: serve two real small students, ask, judge, and write down the costs.

Usage: python tests/bench/make_students.py [FOLDER]        (default: site/students, which keeps tasks.json)

Writes results-q4_1.json, results-q4_0.json, judgements.jsonl and labbook.md there; a killed run goes on where it was.
Needs the packages that tests/served_models.py names; no accelerator, about fifteen minutes on one core.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from diptych.labbook import append_record, read_labbook
from diptych.students.collect.endpoint import Endpoint
from diptych.students.collect.own_harness import students_eval
from diptych.students.judge.ask_judge import students_judge
from served_models import PACKAGES, requantise, served, weights

STUDENTS = {"q4_1": "smollm2-135m-instruct-q4_1", "q4_0": "smollm2-135m-instruct-q4_0"}
JUDGE = "smollm2-135m-instruct-judge"
PROSE = """# Lab notebook: which quantisation of a small student to keep

Two students of one family, served by llama.cpp on one core of a shared machine. The first is the Q4_1 file as it is
packaged; the second was made from it as Q4_0. There is no energy counter on this machine, so watt-hours are null:
not measured, not zero. Each stage's record stands below as it was written.

"""


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "site" / "students")
    packaged = weights()
    if packaged is None:
        print(f"the model packages are not installed here: {PACKAGES}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        smaller = Path(scratch) / "q4_0.gguf"
        seconds = requantise(packaged, smaller)
        record(folder, "requantise-q4_0", STUDENTS["q4_0"], seconds, {"prompt_tokens": 0, "completion_tokens": 0})
        for route, model in (("q4_1", packaged), ("q4_0", smaller)):
            evaluate(folder, route, model)
        judge(folder, packaged)
    return 0


def evaluate(folder: Path, route: str, model: Path) -> None:
    """Ask one student all tasks and write down what it took."""
    out = folder / f"results-{route}.json"
    with served(model, STUDENTS[route]) as url:
        began = time.monotonic()
        done = students_eval(
            folder / "tasks.json",
            STUDENTS[route],
            out,
            Endpoint(url, timeout=300, concurrency=1, max_tokens=48),
            quant=route.upper(),
            engine="llama.cpp",
            engine_version="xllamacpp 2026.10.11549",
            progress=lambda done, of: print(f"{route}: {done} of {of}", end="\r", file=sys.stderr),
            say=print,
        )
        seconds = time.monotonic() - began
    print(f"{route}: {done.passed} of {done.answered} passed, {done.asked} asked now, {done.retries} retries")
    if done.asked and not done.reused:
        rows = json.loads(out.read_text(encoding="utf-8"))["results"]
        tokens = {key: sum(row["usage"][key] for row in rows) for key in ("prompt_tokens", "completion_tokens")}
        record(folder, f"answer-{route}", STUDENTS[route], seconds, tokens)


def judge(folder: Path, model: Path) -> None:
    """Ask the judge about every task in both orders; its replies are constrained by what the server offers."""
    with served(model, JUDGE) as url:
        done = students_judge(
            {route: folder / f"results-{route}.json" for route in STUDENTS},
            [JUDGE],
            folder / "judgements.jsonl",
            Endpoint(url, timeout=300, concurrency=1, max_tokens=64),
            progress=lambda done, of: print(f"judge: {done} of {of}", end="\r", file=sys.stderr),
            say=print,
        )
    print(f"judge: {done.asked} verdicts, {done.unreadable} unreadable, {done.retries} retries")


def record(folder: Path, stage: str, student: str, seconds: float, tokens: dict[str, int]) -> None:
    """Append one stage's record to the notebook, unless a run before this one wrote it."""
    book = folder / "labbook.md"
    if not book.is_file():
        book.write_text(PROSE, encoding="utf-8")
    if any(entry.fields.get("stage") == stage for entry in read_labbook(book).records):
        return
    append_record(
        book,
        {
            "lab": "diptych/site-students",
            "run_id": time.strftime("%Y%m%dT%H%M%S"),
            "stage": stage,
            "teacher": None,
            "student": student,
            "dataset": {"tasks": "tasks.json"},
            "hyperparameters": {"max_tokens": 48, "temperature": 0.0, "threads": 1},
            "seed": 0,
            "scores": None,
            "cost": {**tokens, "seconds": round(seconds, 2), "watt_hours": None},
            "config_path": "tests/bench/make_students.py",
            "notes": "wall time; watt-hours not measured: no energy counter",
            "date": time.strftime("%Y-%m-%d"),
        },
    )


if __name__ == "__main__":
    sys.exit(main())
