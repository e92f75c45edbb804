"""Metrics that each score a part of a task's items: each is a slice, and all of them lead."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.options import Options
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from diptych.metric_slices import metric_slices
from diptych.report.documents.headline import headline
from diptych.rules.rules import breaches, mirror_breaches
from diptych.run import Run
from verdict_runs import document
from written_runs import Json, answer_record, write_run

SIZES = ("8", "16", "32")
EACH = 20
NAN = float("nan")


def sliced(wrong: dict[str, int], mark: float | None, lacking: int = 0) -> list[dict[str, Json]]:
    """Return a log whose items score under their own size alone, elsewhere a mark or nothing; the last lack a score."""
    records = []
    for place, size in enumerate(SIZES):
        for number in range(EACH):
            right = float(number >= wrong.get(size, 0))
            record = answer_record(place * EACH + number, f"{size} {right}", score=right)
            del record["exact_match"]
            others = {} if mark is None else dict.fromkeys(SIZES, mark)
            own = {} if number >= EACH - lacking and size == SIZES[0] else {size: right}
            records.append(record | others | own | {"metrics": list({**others, **own})})
    return records


def run_of(folder: Path, records: Sequence[dict[str, Json]], logged: bool = True, **changes: Json) -> Run:
    """Return a run over such a log, with the scores of its slices as a task's own function makes them."""
    made = document([answer_record(0)], **changes)
    row: dict[str, Json] = {"alias": "arith"}
    for size in (*SIZES, "64"):
        values = [record[size] for record in records if record.get(size, -1) != -1]
        row |= {f"{size},none": sum(values) / len(values) if values else -1, f"{size}_stderr,none": "N/A"}
    made["results"]["arith"] = row
    made["higher_is_better"]["arith"] = {SIZES[0]: True}
    made["n-samples"]["arith"] = {"original": len(records), "effective": len(records)}
    own = "def mean_of_own(values):\n    return sum(v for v in values if v != -1) / len(values)\n"
    made["configs"]["arith"]["metric_list"] = [{"metric": SIZES[0], "aggregation": own, "higher_is_better": True}]
    return read_run(str(write_run(folder, made, {"arith": records} if logged else None)))


def compared(folder: Path, mark: float | None, options: Options | None = None, lacking: int = 0) -> Comparison:
    """Return the comparison of runs of which one falls on the larger sizes alone."""
    a = run_of(folder / "a", sliced({"8": 4, "16": 4, "32": 4}, mark))
    b = run_of(folder / "b", sliced({"8": 4, "16": 12, "32": 20}, mark, lacking), config__batch_size="1")
    made, back = compare_runs(a, b, options), compare_runs(b, a, options)
    assert not (*breaches(made), *mirror_breaches(made, back))
    return made


@pytest.mark.parametrize("mark", [-1.0, None])
def test_each_slice_has_its_items_and_the_one_that_moved_is_told_first(tmp_path: Path, mark: float | None) -> None:
    made = compared(tmp_path, mark)
    rows = {row.metric: row for row in made.metrics}
    assert {size: (rows[size].a_paired, rows[size].pairs, rows[size].primary) for size in SIZES} == dict.fromkeys(
        SIZES, (0.8, EACH, True)
    )
    assert [rows[size].status for size in SIZES] == ["unclear", "worse", "worse"]
    assert [rows[size].family_tests for size in SIZES] == [3] * 3
    assert all(rows[size].higher_is_better for size in SIZES)
    assert (rows["64"].status, rows["64"].primary) == ("not_available", False)
    first = made.verdict.sentence.partition(".")[0]
    assert first.startswith("b is worse than a (baseline) on 2 of 3 metrics: arith: metric 32 −80")
    assert "Each metric of arith is over items of its own." in made.verdict.sentence
    assert "Inconclusive whether" not in made.verdict.sentence
    texts = [finding.text for finding in made.findings if finding.kind in ("value_not_a_number", "reported_disagrees")]
    assert not texts
    assert not any("arith without a score" in one.what for one in made.left_out)
    assert {(one.metric, one.class_): one.count_ for one in made.flip_counts if one.class_ == "lost"} == {
        ("16", "lost"): 8,
        ("32", "lost"): 16,
    }


@pytest.mark.parametrize("mark", [-1.0, None])
def test_what_a_side_lacks_of_a_slice_is_left_out_and_what_is_of_others_is_not(
    tmp_path: Path, mark: float | None
) -> None:
    made = compared(tmp_path, mark, lacking=2)
    assert [(one.what, one.count_) for one in made.left_out if "without a score" in one.what] == [
        ("items of arith without a score in b", 2)
    ]


def test_a_slice_that_was_asked_for_leads_alone(tmp_path: Path) -> None:
    made = compared(tmp_path, -1.0, Options(primary={"arith": "8"}))
    assert [row.metric for row in made.metrics if row.primary] == ["8"]
    assert made.verdict.kind == "unclear"
    assert (
        "metrics of arith disagree: metric 8 0.0 pp (no item changed), metric 32 −80.0 pp (worse)"
        in made.verdict.sentence
    )


def test_items_that_several_metrics_score_or_one_alone_lacks_make_no_slices() -> None:
    whole, first, last = (1.0,) * 6, (1.0, 0.0, 1.0, NAN, NAN, NAN), (NAN, NAN, NAN, 0.0, 0.0, 1.0)
    most, other = (1.0, 1.0, 1.0, 1.0, 1.0, NAN), (NAN, 1.0, 1.0, 1.0, 1.0, 1.0)

    def names(**columns: Sequence[float]) -> list[tuple[str, ...]]:
        return [one.metrics for one in metric_slices({name: (own, own) for name, own in columns.items()})]

    assert names(x=first, y=last, whole=whole, z=first) == [("x", "z"), ("y",)]
    assert names(x=first, y=last, most=most) == [("x",), ("y",)]
    assert names(x=first, whole=whole) == names(most=most, other=other) == names(whole=whole) == []
    assert metric_slices({"x": (first, last), "y": (last, first)}) == ()


def test_a_mark_beside_shares_is_no_score_and_a_correlation_of_minus_one_is_one(tmp_path: Path) -> None:
    records = sliced({}, -1.0)
    for name, metric, value in (("unknown", "64", None), ("known", "pearson", -1.0)):
        made = document([answer_record(0)])
        made["results"]["arith"] = {"alias": "arith", "8,none": 0.5, f"{metric},none": -1.0}
        run = read_run(str(write_run(tmp_path / name, made, {"arith": records} if name == "none" else None)))
        assert {score.metric: score.value for score in run.scores} == {"8": 0.5, metric: value}


def test_a_metric_over_other_items_that_alone_has_a_word_and_moved_far_is_in_the_first_sentence(tmp_path: Path) -> None:
    runs = []
    for name, hard in (("a", 1.0), ("b", 0.0)):
        records = [answer_record(number, f"{name} {number}", score=float(number % 2)) for number in range(60)]
        for record in records[40:]:
            record |= {"hard": hard, "metrics": ["exact_match", "hard"]}
        made = document(records, config__batch_size="1" if name == "b" else "8")
        made["results"]["arith"] |= {"hard,none": hard, "hard_stderr,none": 0.05}
        made["higher_is_better"]["arith"]["hard"] = True
        runs.append(read_run(str(write_run(tmp_path / name, made, {"arith": records}))))
    verdict = compare_runs(*runs).verdict
    assert verdict.kind == "unclear"
    assert "on arith hard moved: −100.0 pp (worse), 20 regressed, 0 fixed" in verdict.sentence.replace("On", "on")


def test_slices_of_a_group_lead_one_by_one_and_their_changed_items_are_those_of_its_tasks(tmp_path: Path) -> None:
    runs = []
    for name, wrong in (("a", {"8": 4, "16": 4, "32": 4}), ("b", {"8": 4, "16": 12, "32": 20})):
        records = sliced(wrong, -1.0)
        folder = tmp_path / name
        run_of(folder, records)
        path = next(folder.glob("results*.json"))
        made = json.loads(path.read_text())
        more = [{**record, "doc_hash": f"{number:064x}"} for number, record in enumerate(records)]
        for part in ("results", "configs", "n-samples", "higher_is_better"):
            made[part]["more"] = made[part]["arith"]
        made["results"]["all"] = {**made["results"]["arith"], "alias": "all"}
        made["higher_is_better"]["all"] = made["higher_is_better"]["arith"]
        made["groups"], made["group_subtasks"] = {"all": made["results"]["all"]}, {"all": ["arith", "more"]}
        runs.append(read_run(str(write_run(folder, made, {"arith": records, "more": more}))))
    made, back = compare_runs(*runs), compare_runs(*runs[::-1])
    assert not (*breaches(made), *mirror_breaches(made, back))
    heads = {row.metric: row.status for row in made.metrics if row.headline}
    assert heads == {"8": "unclear", "16": "worse", "32": "worse"}
    assert all(row.group for row in made.metrics if row.headline)
    assert made.verdict.sentence.startswith("b is worse than a (baseline) on all: metric 32 −80")
    assert headline(made)[1] == "worse on all"
    lost = {(one.task, one.metric): one.count_ for one in made.flip_counts if one.class_ == "lost"}
    assert lost == {
        **{(task, size): number for task in ("arith", "more") for size, number in (("16", 8), ("32", 16))},
        ("all", "16"): 16,
        ("all", "32"): 32,
    }


def test_without_samples_another_metric_that_alone_has_a_word_is_in_the_first_sentence(tmp_path: Path) -> None:
    runs = []
    for name, hard in (("a", 0.9), ("b", 0.1)):
        made = document([answer_record(0)])
        row = {"alias": "arith", "easy,none": 0.5, "easy_stderr,none": "N/A", "hard,none": hard}
        made["results"]["arith"] = {**row, "hard_stderr,none": 0.05}
        made["higher_is_better"]["arith"] = {"easy": True, "hard": True}
        made["n-samples"]["arith"] = {"original": 60, "effective": 60}
        runs.append(read_run(str(write_run(tmp_path / name, made))))
    first = compare_runs(*runs).verdict.sentence.partition(" Which of the two")[0]
    assert first.startswith("Inconclusive by easy")
    assert "; worse by hard −80.0 pp" in first
