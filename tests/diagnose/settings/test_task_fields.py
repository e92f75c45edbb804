"""Which fields of a task differ, and which differences mean nothing."""

import pytest

from diptych.comparison import TaskDifference
from diptych.diagnose.settings.task_fields import task_differences
from examples_runs import Json, run

STRICT = {"name": "strict", "filter": [{"function": "regex", "regex_pattern": "A (.*)"}, {"function": "take_first"}]}
LOOSE = {"name": "strict", "filter": [{"function": "regex", "regex_pattern": "(.*)"}, {"function": "take_first"}]}
OTHER = {"name": "flexible", "filter": [{"function": "take_first"}]}


def rows(a: dict[str, Json], b: dict[str, Json]) -> list[TaskDifference]:
    return list(task_differences(run(configs={"arith": a}), run(configs={"arith": b})))


def test_a_field_that_differs_is_named_with_both_values() -> None:
    assert rows({"doc_to_text": "Q: {{q}}"}, {"doc_to_text": "{{q}}"}) == [
        TaskDifference("arith", "doc_to_text", "Q: {{q}}", "{{q}}")
    ]


def test_a_nested_field_stands_under_its_dotted_name() -> None:
    a = {"generation_kwargs": {"until": ["\n"], "max_gen_toks": 16}}
    b = {"generation_kwargs": {"until": ["\n"], "max_gen_toks": 32}}
    assert rows(a, b) == [TaskDifference("arith", "generation_kwargs.max_gen_toks", 16, 32)]


def test_filters_and_metrics_are_compared_by_their_names() -> None:
    (row,) = rows({"filter_list": [STRICT, OTHER]}, {"filter_list": [OTHER, LOOSE]})
    assert row.field == "filter_list.strict"
    (row,) = rows(
        {"metric_list": [{"metric": "acc", "aggregation": "mean"}]},
        {"metric_list": [{"metric": "acc", "aggregation": "median"}]},
    )
    assert (row.field, row.a, row.b) == ("metric_list.acc.aggregation", "mean", "median")


def test_a_metric_that_only_one_side_has_is_a_difference() -> None:
    (row,) = rows({"metric_list": [{"metric": "acc"}]}, {"metric_list": [{"metric": "acc"}, {"metric": "f1"}]})
    assert (row.field, row.a, row.b) == ("metric_list.f1", None, True)


@pytest.mark.parametrize("steps", [None, -1, True, "take_first", [None], [[[]]], ["a", 1]], ids=str)
def test_a_filter_without_a_list_of_steps_is_compared_as_it_stands(steps: Json) -> None:
    odd = {"filter_list": [{"name": "strict", "filter": steps}]}
    assert rows(odd, odd) == []
    assert [row.field for row in rows({"filter_list": [STRICT]}, odd)] == ["filter_list.strict"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({}, {"repeats": 1, "unsafe_code": False, "description": "", "target_delimiter": " "}),
        ({"num_fewshot": 0}, {}),
        ({"gen_prefix": None}, {}),
        ({"metadata": {"version": 1.0}}, {"metadata": {"version": "1.0"}}),
        ({"metadata": {"version": 1.0, "config_source": "/a.yaml"}}, {"metadata": {"version": 1.0}}),
        ({"metadata": {"pretrained": "org/x"}}, {"metadata": {"pretrained": "org/y"}}),
        ({"task_alias": "Arith"}, {"task_alias": " - Arith"}),
        ({"fewshot_config": {}}, {}),
    ],
)
def test_usual_values_and_noise_are_no_difference(a: dict[str, Json], b: dict[str, Json]) -> None:
    assert rows(a, b) == []


def test_tasks_of_one_side_and_groups_are_not_compared() -> None:
    a = run(configs={"only": {"x": 1}, "group": {"x": 1}}, groups={"group": ()})
    b = run(configs={"group": {"x": 2}})
    assert task_differences(a, b) == ()


def test_rows_come_by_task_and_field() -> None:
    a = run(configs={"y": {"b": 1, "a": 1}, "x": {"c": 1}})
    b = run(configs={"x": {"c": 2}, "y": {"a": 2, "b": 2}})
    assert [(row.task, row.field) for row in task_differences(a, b)] == [("x", "c"), ("y", "a"), ("y", "b")]
