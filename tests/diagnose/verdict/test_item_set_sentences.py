"""Which items a comparison is of: what chose others on each side is said where the record tells it."""

from pathlib import Path

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from verdict_runs import ITEMS, Records, answers, document
from written_runs import Json, sha, write_run

SHUFFLES = "def process_docs(dataset):\n    return dataset.shuffle()\n"


def compared(folder: Path, a: Records, b: Records, whole: tuple[int, int], **changes: Json) -> Comparison:
    """Return the comparison of two runs over some of the items; `whole` is how many the data set of each holds."""
    made = []
    for name, records, original in (("a", a, whole[0]), ("b", b, whole[1])):
        given = document(records, **changes)
        given["n-samples"] = {"arith": {"original": original, "effective": len(records)}}
        made.append(read_run(str(write_run(folder / name, given, {"arith": records}))))
    return compare_runs(*made)


def test_a_data_set_that_grew_is_said_to_be_the_reason_of_other_items(tmp_path: Path) -> None:
    verdict = compared(tmp_path, answers()[:40], answers(range(40, ITEMS)), (40, ITEMS)).verdict
    assert "40 shared): the data set itself holds 40 and 60." in verdict.sentence
    assert "The reported scores are of other items (arith exact_match 1 against 0.6667)" in verdict.sentence
    assert verdict.next_step.startswith("Run both on one version of the data of arith")


def test_items_that_a_task_draws_by_itself_are_laid_to_its_code(tmp_path: Path) -> None:
    field = {"configs__arith__process_docs": SHUFFLES, "config__limit": 40.0}
    verdict = compared(tmp_path, answers()[:40], answers()[20:], (ITEMS, ITEMS), **field).verdict
    assert "its recorded code (process_docs) draws them" in verdict.sentence
    assert verdict.next_step.startswith("Seed what draws the items of arith (process_docs)")


def test_other_items_for_no_recorded_reason_are_said_to_have_none(tmp_path: Path) -> None:
    verdict = compared(tmp_path, answers()[:40], answers()[20:], (ITEMS, ITEMS), config__limit=40.0).verdict
    assert "a list of items (--samples) is not recorded" in verdict.sentence
    assert "data set itself" not in verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
def test_items_that_are_in_no_pair_are_not_said_to_be_left_out(tmp_path: Path, turned: bool) -> None:
    moved = answers()
    for record in moved:
        record["target"] = f"{record['target']}!"
        record["target_hash"] = sha(record["target"])
    pair = (moved, answers()) if turned else (answers(), moved)
    assert "left out" not in compared(tmp_path, *pair, (ITEMS, ITEMS)).verdict.sentence
