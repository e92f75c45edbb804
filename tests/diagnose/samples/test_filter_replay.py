"""A changed filter is run over the logged responses: that proves it, denies it, or leaves it open."""

import random
from pathlib import Path

import pytest
from truth.changed import answers, compared, named, start
from truth.effects import move_answers, reworded
from truth.sides import Json, Side

from diptych.diagnose.samples.filter_replay import NotReplayed, pipeline

FIRST_NUMBER = {"function": "regex", "regex_pattern": "(\\-?[0-9]+)", "group_select": 0}


def filters(side: Side, **changes: Json) -> None:
    """Change the first step of the flexible filter of every task that asks for text."""
    for task in side.texts:
        task.config["filter_list"] = [
            {**each, "filter": [{**each["filter"][0], **changes}, *each["filter"][1:]]}
            if each["name"] == "flexible-extract"
            else each
            for each in task.config["filter_list"]
        ]


def extracted_by_last_number(side: Side) -> None:
    """Leave one filter of two, so that the verdict rests on it."""
    for task in side.texts:
        task.config["filter_list"] = task.config["filter_list"][1:]


def test_a_filter_that_explains_what_moved_is_proven_though_responses_changed_too(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    for side in (a, b):
        extracted_by_last_number(side)
    filters(b, group_select=0)
    b.argue(dtype="float16")
    answers(b, lambda text: reworded(text, random.Random(text)), every=6)
    made = compared(tmp_path, a, b)
    assert named(made) == ["filter_list.flexible-extract"]
    assert (made.verdict.standing, made.verdict.mechanism) == ("proven", "filter_replayed")
    assert "group_select: -1 → 0" in made.verdict.sentence
    assert "as the filter of b reads them" in made.verdict.sentence


def test_a_filter_that_reads_every_response_alike_is_no_suspect(tmp_path: Path) -> None:
    a, b = start("sums, few-shot")
    filters(b, regex_pattern="(\\-?\\d+)")
    b.argue(dtype="float16")
    move_answers(b, random.Random("moved"), 0.9, -0.3)
    made = compared(tmp_path, a, b)
    assert not [key for key in named(made) if key.startswith("filter_list")]
    row = next(row for row in made.task_settings if row.field == "filter_list.flexible-extract")
    assert row.standing == "cannot"


@pytest.mark.parametrize("step", [{"function": "own_filter"}, {**FIRST_NUMBER, "flags": 2}], ids=["kind", "argument"])
def test_a_step_that_is_not_known_is_not_run_again(tmp_path: Path, step: Json) -> None:
    a, b = start("sums, few-shot")
    for task in b.texts:
        task.config["filter_list"] = [{**each, "filter": [step]} for each in task.config["filter_list"]]
    answers(b, lambda text: reworded(text, random.Random(text)))
    verdict = compared(tmp_path, a, b).verdict
    assert verdict.mechanism != "filter_replayed"
    assert "reads them" not in verdict.sentence


def test_a_pattern_that_never_gets_done_is_given_up() -> None:
    run = pipeline([{"function": "regex", "regex_pattern": "(a|aa)+$"}])
    with pytest.raises(NotReplayed):
        run(["a" * 80 + "!"])


def test_steps_are_run_as_the_harness_runs_them() -> None:
    told = [{"function": "regex", "regex_pattern": "(?:is (\\d+))|(x)", "group_select": -1}, {"function": "take_first"}]
    assert pipeline(told)(["it is 4, or x", "is 5"]) == "x"
    assert pipeline([{"function": "regex", "fallback": "?"}, {"function": "take_first"}])(["4"]) == "?"
    voted = [{"function": "lowercase"}, {"function": "majority_vote"}, {"function": "take_first"}]
    assert pipeline(voted)(["B", "a", "A"]) == "a"
    assert pipeline([{"function": "remove_whitespace"}, {"function": "take_first_k", "k": 1}])([" B", "a"]) == ["B"]
