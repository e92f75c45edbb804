"""Scores of a run held as numbers are the rows they were made from, and an answer is worked out once an artifact."""

import pytest

from diptych.closed_names import Status
from diptych.matrix import SettingEffect
from diptych.metric_key import MetricKey
from diptych.publish.kept_summaries import kept_summary, packed
from diptych.report.artifact_cache import of_last
from diptych.report.documents.summaries import RunSummary, ScoreRow, Scores, Summary
from diptych.report.documents.summarise import summarise
from examples_comparison import matrix

ROWS = (
    ScoreRow("arith", "acc", "none", 0.5, 0.1, True, True),
    ScoreRow("arith", "acc", "strict", 0.25, None, True, False, 0.2),
    ScoreRow("words", "ppl", "none", None, None, None, True),
    ScoreRow("words", "acc", "none", 1.0, 0.0, True, False, None, 0.8, 1.0),
)


def test_scores_are_the_rows_they_were_made_from() -> None:
    scores = Scores.of(ROWS)
    assert tuple(scores) == ROWS
    assert scores[1] == ROWS[1]
    assert len(scores) == 4
    assert list(scores.tasks()) == ["arith", "words"]
    assert scores.of_task("words") == list(ROWS[2:])
    assert scores.of_task("other") == []
    assert scores == Scores.of(ROWS)
    assert scores != Scores.of(ROWS[:3])


def test_the_names_of_scores_are_held_once_for_all_runs() -> None:
    assert Scores.of(ROWS).names is Scores.of([row._replace(value=0.75) for row in ROWS]).names


@pytest.mark.parametrize(
    ("other", "knows"),
    [
        (ROWS, True),
        ([row._replace(stderr=None) for row in ROWS], True),
        ([row._replace(stderr=0.3) for row in ROWS], False),
        (ROWS[:2], False),
    ],
)
def test_scores_know_what_another_artifact_tells_of_the_same_run_or_do_not(other: list[ScoreRow], knows: bool) -> None:
    assert Scores.of(ROWS).knows(Scores.of(other)) is knows


def test_a_summary_comes_back_from_its_short_text() -> None:
    run = RunSummary(
        "runs/x", "x", None, "h", "1", None, "s", "r.json", {"arith": 3}, {"a": 1}, {"b": [2]}, Scores.of(ROWS)
    )
    made = Summary(
        "comparison", "1", "f", "t", "w", "s", None, None, ("a", "b"), ("arith",), (run,), (("k", "1", "2"),)
    )
    assert kept_summary(packed(made)) == made


@pytest.mark.parametrize(
    ("settings", "status", "cause", "confounded"),
    [
        (("num_fewshot",), "worse", "num_fewshot", False),
        (("num_fewshot",), "unclear", None, False),
        (("num_fewshot", "batch_size"), "worse", None, True),
    ],
)
def test_the_cause_of_many_runs_is_the_setting_with_the_largest_significant_effect(
    settings: tuple[str, ...], status: Status, cause: str | None, confounded: bool
) -> None:
    key = MetricKey("arith", "exact_match", "flexible-extract")
    one = SettingEffect(*key, settings, 0, 1, "", difference=-0.1, low=-0.2, high=-0.05, status=status)
    small = SettingEffect(*key, ("limit",), 0, 2, "", difference=0.01, low=-0.1, high=0.1)
    found = summarise(matrix()._replace(effects=(small, one)))
    assert (found.cause, found.confounded) == (cause, confounded)


def test_what_is_asked_twice_of_one_artifact_is_worked_out_once() -> None:
    asked: list[object] = []

    @of_last
    def count(rows: tuple[int, ...]) -> int:
        asked.append(rows)
        return len(rows)

    rows, others = (1, 2), [1, 2, 3]
    assert [count(rows), count(rows), len(asked)] == [2, 2, 1]
    assert [count(others), count(others)] == [3, 3]  # a list may have changed since
    assert len(asked) == 3


def test_a_group_is_no_task_of_its_own_and_its_tasks_stand_behind_it() -> None:
    from diptych.report.run_pages import groups_first

    assert groups_first(["c", "b", "a", "g"], {"g": ("a", "b")}) == ["c", "g", "b", "a"]
    assert groups_first(["a", "g"], {}) == ["a", "g"]
