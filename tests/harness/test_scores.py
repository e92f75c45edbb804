"""Score rows: each once, what is no metric left out, what is no number said so with its reason."""

from pathlib import Path
from typing import Any

import pytest

from diptych.harness.lm_eval.score_tables import items_of_group, task_groups
from diptych.harness.lm_eval.scores import read_scores
from diptych.harness.reader import read_run
from diptych.run import Score
from written_runs import results, write_run


def scores(row: dict[str, Any], items: int = 40, **document: Any) -> list[Score]:
    return list(read_scores({"results": {"t": row}, **document}, {"t": items}).rows)


NAN, INFINITY = float("nan"), float("inf")

# value in the file, value read, a part of the reason
VALUES = [
    (0.5, 0.5, None),
    (1, 1.0, None),
    (62.5, 62.5, None),
    (NAN, None, "NaN"),
    (INFINITY, None, "Infinity"),
    (-INFINITY, None, "-Infinity"),
    (True, None, "a truth value (true)"),
    ("0.5x", None, 'the text "0.5x"'),
    ([0.5, 0.6], None, "a list"),
    (None, None, "null"),
    (10**400, None, "larger"),
]


@pytest.mark.parametrize(("given", "value", "reason"), VALUES)
def test_a_score_is_a_number_or_not_available_with_its_reason(given: Any, value: float | None, reason: str) -> None:
    (score,) = scores({"acc,none": given})
    assert score.value == value
    assert (score.reason is None) if reason is None else (score.reason or "").startswith(reason)


@pytest.mark.parametrize(("given", "value", "reason"), VALUES)
def test_what_is_no_number_is_remarked_on_once(given: Any, value: float | None, reason: str | None) -> None:
    read = read_scores({"results": {"t": {"acc,none": given}}}, {})
    assert [remark.kind for remark in read.remarks] == ([] if reason is None else ["value_not_a_number"])


# value, standard error in the file, read, reason, items
ERRORS = [
    (0.5, 0.05, 0.05, None, 40),
    (0.5, "N/A", None, "N/A", 40),
    (0.5, None, None, "missing", 40),
    (0.4, 0.0, None, "0.0 at 0.4", 40),
    (0.4, 0.0, 0.0, None, 1),
    (0.0, 0.0, 0.0, None, 40),
    (1.0, 0.0, 0.0, None, 40),
    (0.5, -0.1, None, "negative (-0.1)", 40),
    (0.5, NAN, None, "NaN", 40),
]


@pytest.mark.parametrize(("value", "given", "error", "reason", "items"), ERRORS)
def test_a_standard_error_that_cannot_be_is_none_with_its_reason(
    value: float, given: Any, error: float | None, reason: str | None, items: int
) -> None:
    (score,) = scores({"acc,none": value, "acc_stderr,none": given}, items)
    assert (score.stderr, score.stderr_reason) == (error, reason)


def test_a_standard_error_that_is_not_there_is_missing() -> None:
    (score,) = scores({"acc,none": 0.5})
    assert (score.stderr, score.stderr_reason) == (None, "missing")


def test_what_is_no_metric_gets_no_score() -> None:
    row = {"alias": " - t", "name": "t", "sample_len": 40, "sample_count": {"acc,none": 40}, " ": " ", "acc,none": 0.5}
    assert [score.metric for score in scores(row)] == ["acc"]


@pytest.mark.parametrize("name", ["none", "strict-match", "a,b", "with space", "ü/@"])
def test_filters_have_any_name_and_the_first_comma_parts_it(name: str) -> None:
    (score,) = scores({f"pass@1/x,{name}": 0.5, f"pass@1/x_stderr,{name}": 0.1})
    assert (score.metric, score.filter, score.stderr) == ("pass@1/x", name, 0.1)


def test_newer_names_of_score_and_standard_error_are_read() -> None:
    (score,) = scores({"acc_avg,none": 0.5, "acc_std_err,none": 0.08})
    assert (score.metric, score.value, score.stderr, score.higher_is_better) == ("acc_avg", 0.5, 0.08, True)


def test_a_standard_error_without_a_score_is_said() -> None:
    read = read_scores({"results": {"t": {"acc,none": 0.5, "f1_stderr,none": 0.1}}}, {})
    assert [remark.kind for remark in read.remarks] == ["value_not_a_number"]
    assert "f1" in read.remarks[0].text


def test_a_row_in_groups_and_results_is_one_score() -> None:
    row = {"acc,none": 0.5, "alias": "g"}
    document = {
        "results": {"g": row, "a": {"acc,none": 0.4}, "b": {"acc,none": 0.6}},
        "groups": {"g": row, "only_here": {"acc,none": 0.1}},
        "group_subtasks": {"g": ["a", "b"], "a": []},
    }
    read = read_scores(document, {"a": 10, "b": 30})
    assert [(score.task, score.group, score.items) for score in read.rows] == [
        ("g", True, 40),
        ("a", False, 10),
        ("b", False, 30),
        ("only_here", True, None),
    ]
    assert read.groups == {"g": ("a", "b"), "only_here": ()}


def test_groups_nest_and_their_items_are_those_of_their_tasks() -> None:
    document = {
        "results": {"top": {"acc,none": 0.5}, "mid": {"acc,none": 0.5}, "a": {"acc,none": 0.5}, "b": {"acc,none": 0.5}},
        "group_subtasks": {"top": ["mid", "b"], "mid": ["a"]},
    }
    read = read_scores(document, {"a": 3, "b": 4})
    assert [score.items for score in read.rows] == [7, 3, 3, 4]


def test_a_group_that_holds_itself_ends() -> None:
    document = {"results": {"g": {"acc,none": 0.5}}, "group_subtasks": {"g": ["h"], "h": ["g"]}}
    assert [score.items for score in read_scores(document, {}).rows] == [None]


def test_indented_aliases_show_the_groups_of_a_file_that_names_none() -> None:
    rows = {"mmlu": "mmlu", "stem": " - stem", "algebra": "  - algebra", "law": " - law", "arc": "arc"}
    document = {"results": {task: {"alias": alias, "acc,none": 0.5} for task, alias in rows.items()}}
    assert read_scores(document, {}).groups == {"mmlu": ("stem", "law"), "stem": ("algebra",)}


@pytest.mark.parametrize("row", [{"alias": "g", " ": " "}, {"alias": "g", "name": "g", "sample_len": 4}])
def test_a_group_without_a_metric_is_remarked_on_and_has_no_score(row: dict[str, Any]) -> None:
    document = {"results": {"g": row, "a": {"acc,none": 0.5}}, "group_subtasks": {"g": ["a"]}}
    read = read_scores(document, {})
    assert [score.task for score in read.rows] == ["a"]
    assert [(remark.kind, remark.severity, remark.task) for remark in read.remarks] == [
        ("group_without_metric", "note", "g")
    ]


def test_predictions_without_scores_are_no_scores() -> None:
    read = read_scores({"results": {"t": {"bypass,none": 999, "bypass_stderr,none": "N/A", "alias": "t"}}}, {})
    assert not read.rows
    assert [remark.kind for remark in read.remarks] == ["no_item_scores"]


@pytest.mark.parametrize(
    ("metric", "document", "direction"),
    [
        ("acc", {}, True),
        ("mae", {}, False),
        ("word_perplexity", {}, False),
        ("my_metric", {}, None),
        ("my_metric", {"higher_is_better": {"t": {"my_metric": False}}}, False),
        ("acc", {"higher_is_better": {"t": {"acc": False}}}, False),
        ("acc", {"higher_is_better": {"t": {"acc": None}}}, True),
        (
            "my_metric",
            {"configs": {"t": {"metric_list": [{"metric": "my_metric", "higher_is_better": True}]}}},
            True,
        ),
    ],
)
def test_the_direction_is_the_files_then_the_tasks_then_the_metrics(
    metric: str, document: dict[str, Any], direction: bool | None
) -> None:
    (score,) = scores({f"{metric},none": 0.5}, **document)
    assert score.higher_is_better is direction


@pytest.mark.parametrize(
    ("rows", "severities"),
    [
        ({"a": {"acc,none": 0.5}, "b": {"exact_match,none": 61.2}}, ["warning"]),
        ({"a": {"acc,none": 0.5, "bleu,none": 22.0}}, ["note"]),
        ({"a": {"acc,none": 51.0}, "b": {"exact_match,none": 61.2}}, []),
        ({"a": {"acc,none": 0.5}, "b": {"mae,none": 12.0}}, []),
    ],
)
def test_two_scales_in_one_run_are_remarked_on(rows: dict[str, Any], severities: list[str]) -> None:
    remarks = [r for r in read_scores({"results": rows}, {}).remarks if r.kind == "scale_mixed"]
    assert [remark.severity for remark in remarks] == severities


@pytest.mark.parametrize("listed", [0, "acc", {"metric": "acc"}, [None, 3]])
def test_a_metric_list_of_another_shape_is_passed_over(listed: Any) -> None:
    (score,) = scores({"acc,none": 0.5}, configs={"arith": {"metric_list": listed}})
    assert score.value == 0.5


@pytest.mark.parametrize("count", [-1, True, 10**400, 1.5, "4", None], ids=lambda count: str(count)[:6])
def test_a_count_that_no_task_can_have_is_not_believed(count: Any, tmp_path: Path) -> None:
    run = read_run(str(write_run(tmp_path, results(n_samples={"arith": {"original": count, "effective": count}}))))
    assert run.items == {}
    assert run.expected == {}


@pytest.mark.parametrize("value", [1e101, -1e200, 10**150])
def test_a_number_larger_than_any_score_is_not_available(value: float) -> None:
    (score,) = scores({"acc,none": value})
    assert (score.value, score.reason) == (None, "larger than any score")


# keys of a row, its metrics, the error of acc
FORKS = [
    ({"acc,none": 0.5, "acc_stderr_clustered,none": 0.06}, ["acc"], 0.06),
    ({"acc,none": 0.5, "acc_stderr_clt,none": 0.07, "acc_stderr,none": 0.05}, ["acc"], 0.05),
    ({"acc,none": 0.5, "acc_stderr_bootstrap,none": "N/A"}, ["acc"], None),
    ({"acc,none": 0.5, "acc_ci95,none": [0.4, 0.6], "acc_std,none": 0.5}, ["acc"], None),
    ({"acc": 0.5, "acc_stderr_clustered": 0.06, "acc_norm": 0.25}, ["acc", "acc_norm"], 0.06),
    ({"acc,none": 0.5, "rouge1_max,none": 0.2, "rouge1,none": 0.1}, ["acc", "rouge1_max", "rouge1"], None),
    ({"acc,none": 0.5, "acc_bootstrap_stderr,none": 0.06, "stderr_acc,none": 0.05}, ["acc"], 0.05),
    ({"acc,none": 0.5, "acc_se_clustered,none": 0.06, "acc_95ci_lower,none": 0.4}, ["acc"], 0.06),
    ({"acc,none": 0.5, "acc_n,none": 40, "acc_n_samples,none": 40, "acc_pvalue,none": 0.1}, ["acc"], None),
    ({"acc,none": 0.5, "acc_sample_std,none": 0.5, "ci-low_acc,none": 0.4}, ["acc"], None),
    ({"acc,none": 0.5, "acc,none_stderr": 0.06}, ["acc"], 0.06),
    ({"acc,none": 0.5, "acc_max,none": 0.6, "acc_5,none": 0.6}, ["acc", "acc_max", "acc_5"], None),
    ({"acc_n,none": 0.5, "acc_stderr,strict": 0.1}, ["acc_n"], None),
]


@pytest.mark.parametrize(("row", "metrics", "error"), FORKS)
def test_the_errors_that_a_fork_adds_are_errors_of_their_metric(
    row: dict[str, Any], metrics: list[str], error: float | None
) -> None:
    found = scores(row)
    assert [score.metric for score in found] == metrics
    assert found[0].stderr == error


# metric, value, whether it is a mark for "not run"
MARKS = [
    ("acc", -1, True),
    ("acc", -100.0, True),
    ("exact_match", 999, True),
    ("exact_match", "N/A", True),
    ("mcc", -1, False),
    ("mcc", -100, True),
    ("bleu", -1.0, True),
    ("acc", 99.0, False),
    ("own_points", -1, False),
    ("word_perplexity", 999.0, False),
]


@pytest.mark.parametrize(("metric", "value", "mark"), MARKS)
def test_a_number_outside_a_metrics_range_that_stands_for_not_run_is_no_score(
    metric: str, value: Any, mark: bool
) -> None:
    read = read_scores({"results": {"t": {f"{metric},none": value, f"{metric}_stderr,none": 0.01}}}, {"t": 40})
    (score,) = read.rows
    assert (score.value is None) == mark
    assert (score.stderr is None) >= mark
    assert ("score_sentinel" in [remark.kind for remark in read.remarks]) == mark


def test_a_standard_error_above_what_a_mean_of_so_many_items_can_have_is_not_used() -> None:
    (score,) = scores({"acc,none": 0.4, "acc_stderr,none": 0.2}, 40)
    assert score.stderr is None
    assert (score.stderr_reason or "").startswith("impossible: 0.2 at 0.4 over 40 items")
    (percent,) = scores({"acc,none": 40.0, "acc_stderr,none": 7.8}, 40)
    assert percent.stderr == 7.8


def test_a_score_over_a_list_of_samples_counts_the_items_that_its_error_shows() -> None:
    right, items = 18, 50
    share = right / items
    error = (share * (1 - share) / (items - 1)) ** 0.5
    read = read_scores({"results": {"t": {"acc,none": share, "acc_stderr,none": error}}}, {"t": 1319})
    assert (read.rows[0].items, read.rows[0].stderr) == (items, error)
    assert [remark.kind for remark in read.remarks] == ["reported_disagrees"]


def test_every_column_of_which_nothing_came_is_named() -> None:
    row = {"alias": "t", "acc,none": 0.5, "acc_stderr,none": 0.1, "acc_stderr_clt,none": 0.1, "acc_n,none": 4}
    assert read_scores({"results": {"t": row}}, {}).unread == ("results.acc_stderr_clt,none", "results.acc_n,none")


def above_chance(share: float, choices: int, factor: int, items: int = 100) -> dict[str, float]:
    """Return a row whose score is the share above a guess, with its error stretched alike."""
    stretch = factor / (1 - 1 / choices)
    error = stretch * (share * (1 - share) / (items - 1)) ** 0.5
    return {"acc,none": stretch * (share - 1 / choices), "acc_stderr,none": round(error, 4)}


@pytest.mark.parametrize(("choices", "factor"), [(4, 1), (4, 100), (2, 1), (5, 100), (10, 1)])
@pytest.mark.parametrize("share", [0.6, 0.2, 0.93])
def test_a_share_above_chance_is_named_with_the_formula_that_its_error_shows(
    share: float, choices: int, factor: int
) -> None:
    (score,) = scores(above_chance(share, choices, factor), 100)
    assert score.scale == f"{'100 × ' if factor > 1 else ''}(acc − 1/{choices}) / (1 − 1/{choices})"
    assert score.stderr is not None


@pytest.mark.parametrize(
    "row", [{"acc,none": 0.6, "acc_stderr,none": 0.0492}, {"acc,none": 60.0, "acc_stderr,none": 4.92}]
)
def test_a_plain_share_is_on_no_other_scale(row: dict[str, float]) -> None:
    (score,) = scores(row, 100)
    assert score.scale == ""


@pytest.mark.parametrize(("metric", "value"), [("acc", -0.067), ("exact_match", 250.0), ("mcc", -1.5)])
def test_a_score_that_its_metric_cannot_have_and_no_formula_explains_is_not_compared(metric: str, value: float) -> None:
    (score,) = scores({f"{metric},none": value, f"{metric}_stderr,none": 0.4}, 100)
    assert score.value is None
    assert "scale that is not known" in (score.reason or "")


def test_a_number_that_was_written_as_text_is_a_number() -> None:
    (score,) = scores({"acc,none": "0.5", "acc_stderr,none": "0.05"}, 100)
    assert (score.value, score.stderr) == (0.5, 0.05)


def test_a_group_of_more_items_than_there_can_be_has_none() -> None:
    rows = {"g": {"acc,none": 1.0, "sample_len": 10**30}, "t": {"acc,none": 1.0}}
    read = read_scores({"results": rows, "group_subtasks": {"g": ["t"]}}, {})
    assert [score.items for score in read.rows] == [None, None]


def test_items_of_groups_that_list_one_another_are_summed_once() -> None:
    names = [f"g{number}" for number in range(24)]
    groups = task_groups({"group_subtasks": {name: [*(names * 30), "t", "t"] for name in names}}, {})
    assert groups["g0"] == (*names, "t")
    assert [items_of_group(name, {}, groups, {"t": 7}) for name in names] == [7] * 24


@pytest.mark.parametrize(
    ("value", "error", "items", "kept"),
    [
        (0.335, None, 50, False),  # 16.75 of 50
        (0.335, 0.0674, 50, False),
        (0.34, 0.0676, 50, True),
        (0.3333, None, 600, True),  # rounded to four digits
        (0.335, 0.05, 50, True),  # its error is that of graded items
        (0.335, None, 200, True),
    ],
)
def test_share_that_no_whole_count_gives_is_no_score(value: float, error: float | None, items: int, kept: bool) -> None:
    (score,) = scores({"acc,none": value, "acc_stderr,none": error}, items)
    assert (score.value is not None) is kept
    assert kept or "no share" in str(score.reason)


def test_graded_items_and_repeats_give_any_mean() -> None:
    for config in ({"process_results": "def f(): ..."}, {"repeats": 3}):
        (score,) = scores({"acc,none": 0.335}, 50, configs={"t": config})
        assert score.value == 0.335
    (row,) = read_scores({"results": {"t": {"acc,none": 0.335}}}, {"t": 50}, {"t"}).rows
    assert row.value == 0.335  # its samples tell more
