"""The bench of truth itself: its bases are the runs they are made from, and every mechanism makes two readable runs."""

import json
from pathlib import Path
from typing import Any

import pytest
from truth import bases
from truth.judge import judge
from truth.sides import records_of, write
from truth.situations import Situation, open_mechanisms, situation

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
def test_every_mechanism_makes_two_runs_that_can_be_read_and_has_a_right_answer(number: int, tmp_path: Path) -> None:
    made = situation(number, 7, open_mechanisms())
    runs = [read_run(str(write(side, tmp_path / name, name))) for name, side in (("a", made.a), ("b", made.b))]
    assert all(run.scores and bool(run.samples) == made.logged for run in runs)
    assert made.truth.answers


def judged(mechanism: str, folder: Path, **changes: Any) -> tuple[str, ...]:
    """Return the faults of a verdict that is changed by hand, on one situation of one mechanism alone."""
    pool = [each for each in open_mechanisms() if each.name == mechanism]
    made = next(one for number in range(40) if alone(one := situation(number, 5, pool)))
    a, b = (read_run(str(write(side, folder / name, name))) for name, side in (("a", made.a), ("b", made.b)))
    found = compare_runs(a, b)
    right: dict[str, Any] = {"leading_cause": "num_fewshot", "standing": "supported", "models_differ": False}
    verdict = found.verdict._replace(
        **{"suspects": (), "kind": "different", "sentence": "b is worse.", **right, **changes}
    )
    return judge(found._replace(verdict=verdict), made.truth).faults


def alone(made: Situation) -> bool:
    return len(made.mechanisms) == 1 and made.logged and not made.decoys and made.base == "sums, few-shot"


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "another cause": ({"leading_cause": "batch_size"}, "lead batch_size"),
    "no cause": ({"leading_cause": None, "standing": "none"}, "lead None"),
    "too sure": ({"standing": "proven"}, "proven falsely"),
    "not sure enough": ({"standing": "none"}, "none, not supported"),
    "another kind": ({"kind": "identical"}, "identical, not"),
    "two models": ({"models_differ": True}, "one model, said to be two"),
    "a denial": ({"sentence": "b is worse; nothing recorded differs."}, "says that nothing differs"),
    "an equal setting": ({"sentence": "b is worse by its chat_template."}, "names chat_template"),
    "a proof that is none": ({"sentence": "b is worse, as the samples prove."}, "says proven"),
}


def test_the_judge_takes_a_right_verdict(tmp_path: Path) -> None:
    assert judged("number of examples", tmp_path) == ()


@pytest.mark.parametrize("name", FAULTS)
def test_the_judge_finds_what_is_wrong_with_a_verdict(name: str, tmp_path: Path) -> None:
    changes, fault = FAULTS[name]
    assert any(each.startswith(fault) for each in judged("number of examples", tmp_path, **changes))


def test_the_same_seed_makes_the_same_situation(tmp_path: Path) -> None:
    for name in ("once", "again"):
        write(situation(11, 3, open_mechanisms()).b, tmp_path / name, "b")
    once, again = ([path.read_bytes() for path in sorted((tmp_path / name).iterdir())] for name in ("once", "again"))
    assert once == again
