"""Which items a comparison is of: what chose others on each side is said where the record tells it."""

import json
from pathlib import Path

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from verdict_runs import ITEMS, Records, answers, document
from written_runs import Json, results, sha, write_run

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
    assert "the reported scores are of other items (arith exact_match 1 against 0.6667)" in verdict.sentence
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


def reworded(records: Records, places: range, target: bool = False) -> Records:
    """Return records of which some hold another text under their id; `target`: with another right answer, too."""
    for place in places:
        record = records[place]
        record["doc"] = {"question": f"Add {place} to itself, please.", "answer": place % 2}
        record["doc_hash"] = sha(json.dumps(record["doc"]))
        if target:
            record["target"] = f"{place} as a word"
            record["target_hash"] = sha(record["target"])
    return records


@pytest.mark.parametrize("turned", [False, True])
def test_a_text_that_changed_under_its_id_is_another_version_of_the_data_and_no_choice_of_items(
    tmp_path: Path, turned: bool
) -> None:
    pair = (answers(), reworded(answers(range(20)), range(20)))
    verdict = compared(tmp_path, *pair[:: -1 if turned else 1], (ITEMS, ITEMS)).verdict
    assert verdict.kind == "identical"
    assert (
        "20 of 60 ids of arith name another document in b, with the same right answers: the text of the data changed; "
        "only the 40 shared items are compared"
    ) in verdict.sentence
    assert "--samples" not in verdict.sentence + verdict.next_step
    assert "Read one document of arith on both sides under one id" in verdict.next_step


def test_other_answers_under_the_same_ids_may_be_other_items(tmp_path: Path) -> None:
    pair = (answers(), reworded(answers(range(20)), range(20), target=True))
    verdict = compared(tmp_path, *pair, (ITEMS, ITEMS)).verdict
    assert "another version of the data, or other items drawn under the same ids" in verdict.sentence


def test_a_shuffle_before_a_limit_counts_every_id_and_the_documents_that_stand_elsewhere(tmp_path: Path) -> None:
    shuffled = answers()[20:][::-1]
    for place, record in enumerate(shuffled):
        record["doc_id"] = place
    verdict = compared(tmp_path, answers()[:40], shuffled, (ITEMS, ITEMS), config__limit=40.0).verdict
    assert "40 of 40 ids of arith name another document in b, 20 documents stand under other ids" in verdict.sentence
    assert "the items were shuffled or drawn otherwise" in verdict.sentence


def test_a_list_of_items_changes_no_document(tmp_path: Path) -> None:
    verdict = compared(tmp_path, answers(), answers()[::3], (ITEMS, ITEMS)).verdict
    assert "name another document" not in verdict.sentence
    assert "a list of items (--samples) is not recorded" in verdict.sentence


@pytest.mark.parametrize("turned", [False, True])
def test_a_group_is_said_to_fall_by_the_one_task_whose_documents_changed(tmp_path: Path, turned: bool) -> None:
    made = []
    for name in ("b", "a") if turned else ("a", "b"):
        other = reworded(answers(range(40)), range(ITEMS)) if name == "b" else answers()
        logs = {"sums_en": answers(range(6)), "sums_th": other}
        rows = {task: sum(record["exact_match"] for record in log) / ITEMS for task, log in logs.items()}
        rows["sums"] = sum(rows.values()) / 2
        scored = {row: {"alias": row, "exact_match,none": rows[row], "exact_match_stderr,none": 0.05} for row in rows}
        given = results(
            results=scored, groups={"sums": scored["sums"]},
            group_subtasks={"sums": [*logs]}, higher_is_better={row: {"exact_match": True} for row in rows},
            versions=dict.fromkeys(rows, 1.0), n_shot=dict.fromkeys(rows, 0), config__limit=None,
            n_samples={task: {"original": ITEMS, "effective": ITEMS} for task in logs},
        )  # fmt: skip
        field = given["configs"].pop("arith") | {
            "output_type": "generate_until",
            "metric_list": [{"metric": "exact_match"}],
        }
        given["configs"] = {task: field | {"task": task} for task in logs}
        made.append(read_run(str(write_run(tmp_path / name, given, logs))))
    verdict = compare_runs(*made).verdict
    assert verdict.kind == "unclear"
    assert (
        "the same on 60 shared items; the reported scores differ, wholly by sums_th (sums exact_match"
        in verdict.sentence
    )
    assert "60 of 60 ids of sums_th name another document" in verdict.sentence
    assert "without a word" not in verdict.sentence
    assert "--samples" not in verdict.next_step
