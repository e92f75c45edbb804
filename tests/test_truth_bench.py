"""The bench of truth itself: its bases are the runs they are made from, and every mechanism makes two readable runs."""

import json
from pathlib import Path

import pytest
from truth import bases
from truth.sides import records_of, write
from truth.situations import open_mechanisms, situation

from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run

KEPT = ("doc", "target", "arguments", "filter", "exact_match", "acc", "prompt_hash", "doc_hash", "target_hash")


@pytest.mark.parametrize(
    "folder", ["smol-3shot", "api-completions-3shot", "api-chat-3shot-multiturn", "api-chat-0shot"]
)
def test_a_real_run_that_is_taken_apart_and_put_together_is_the_same_run(folder: str) -> None:
    path = next((bases.RUNS / folder).rglob("results_*.json"))
    for name, task in bases.real(folder).tasks.items():
        log = next(path.parent.glob(f"samples_{name}_*"))
        logged = [json.loads(line) for line in log.read_text(encoding="utf-8").split("\n") if line]
        made = {(row["doc_id"], row["filter"]): row for row in records_of(task)}
        for row in logged:
            other = made[row["doc_id"], row["filter"]]
            assert {key: row[key] for key in KEPT if key in row} == {key: other[key] for key in KEPT if key in other}


@pytest.mark.parametrize("number", range(len(open_mechanisms())))
def test_every_mechanism_makes_two_runs_that_can_be_read_and_compared(number: int, tmp_path: Path) -> None:
    made = situation(number, 7, open_mechanisms())
    a, b = (read_run(str(write(side, tmp_path / name, name))) for name, side in (("a", made.a), ("b", made.b)))
    assert compare_runs(a, b).verdict.sentence
    assert made.truth.answers


def test_the_same_seed_makes_the_same_situation(tmp_path: Path) -> None:
    for name in ("once", "again"):
        write(situation(11, 3, open_mechanisms()).b, tmp_path / name, "b")
    once, again = ([path.read_bytes() for path in sorted((tmp_path / name).iterdir())] for name in ("once", "again"))
    assert once == again
