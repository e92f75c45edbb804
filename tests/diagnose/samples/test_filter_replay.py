"""A changed filter is run over the logged responses: that proves it, denies it, or leaves it open."""

import random
import re
from pathlib import Path

import pytest
from truth.changed import answers, compared, named, start
from truth.effects import move_answers, reworded
from truth.sides import Json, Side

import verdict_runs
from diptych.diagnose.samples import filter_replay
from diptych.diagnose.samples.filter_replay import by_options, search_time
from diptych.diagnose.samples.filter_steps import pipeline
from diptych.rules.rules import breaches
from diptych.timed_search import SearchTime

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
    run = pipeline([{"function": "regex", "regex_pattern": "(a|aa)+$"}], search_time())
    with pytest.raises(TimeoutError):
        run(["a" * 80 + "!"])


def test_all_searches_share_their_time_and_none_is_begun_when_it_is_spent() -> None:
    searches = SearchTime(0.2, 0.05)
    run = pipeline([{"function": "regex", "regex_pattern": "(a|aa)+$"}], searches)
    for _ in range(20):
        with pytest.raises(TimeoutError):
            run(["a" * 80 + "!"])
    assert searches.left <= 0
    with pytest.raises(TimeoutError):
        pipeline([{"function": "regex", "regex_pattern": "4"}], searches)(["4"])


def test_a_filter_whose_searches_ran_out_of_time_is_left_out_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = start("sums, few-shot")
    for side in (a, b):
        extracted_by_last_number(side)
    filters(b, group_select=0)
    monkeypatch.setattr(filter_replay, "SECONDS", 0.0)
    made = compared(tmp_path, a, b)
    left = [row for row in made.left_out if "over the other side's responses" in row.what]
    assert left
    assert left[0].what.startswith("the filter flexible-extract of ")
    assert "take too long" in left[0].why
    assert made.verdict.mechanism != "filter_replayed"


def test_steps_are_run_as_the_harness_runs_them() -> None:
    told = [{"function": "regex", "regex_pattern": "(?:is (\\d+))|(x)", "group_select": -1}, {"function": "take_first"}]
    assert pipeline(told, search_time())(["it is 4, or x", "is 5"]) == "x"
    assert pipeline([{"function": "regex", "fallback": "?"}, {"function": "take_first"}], search_time())(["4"]) == "?"
    voted = [{"function": "lowercase"}, {"function": "majority_vote"}, {"function": "take_first"}]
    assert pipeline(voted, search_time())(["B", "a", "A"]) == "a"
    assert pipeline([{"function": "remove_whitespace"}, {"function": "take_first_k", "k": 1}], search_time())(
        [" B", "a"]
    ) == ["B"]


NUMBER = {"function": "regex", "regex_pattern": "is (\\d+)", "group_select": 0}
FIRST, VOTE = {"function": "take_first"}, {"function": "majority_vote"}


def asked(times: int, steps: list[Json], share: float) -> tuple[Json, verdict_runs.Records]:
    """Return a task's definition and rows: each item is asked so many times, and answered rightly by chance."""
    chance, records = random.Random(times), verdict_runs.answers()
    for record in records:
        told = [4 if chance.random() < share else chance.randrange(10, 99) for _ in range(times)]
        record["resps"] = [[f"It is {number}, drawn as {place}." for place, number in enumerate(told)]]
        kept = pipeline(steps, search_time())(record["resps"][0])
        record["filtered_resps"] = kept = kept if isinstance(kept, list) else [kept]
        record["target"], record["exact_match"] = "4", float(kept[0] == "4")
    row = {"filter_list": [{"name": "none", "filter": steps}], "repeats": times}
    return row, verdict_runs.asking(records, temperature=0.7, do_sample=True)


@pytest.mark.parametrize("vote", [True, False])
def test_a_vote_over_several_responses_is_read_as_the_other_side_reads_one(tmp_path: Path, vote: bool) -> None:
    once, a = asked(1, [NUMBER, FIRST], 0.6)
    often, b = asked(9, [NUMBER, VOTE, FIRST] if vote else [NUMBER, FIRST], 0.6)
    made = verdict_runs.compared(tmp_path, a, b, before={"configs__arith": once}, configs__arith=often)
    if not vote:
        assert made.verdict.leading_cause is None
        assert "noise floor" in made.verdict.next_step
        return
    assert made.verdict.leading_cause == "arith.filter_list.none"
    assert (made.verdict.standing, made.verdict.mechanism) == ("proven", "filter_replayed")
    assert "repeats: 1 → 9" in made.verdict.sentence
    assert "the responses of b score" in made.verdict.sentence
    assert "the responses of a score" not in made.verdict.sentence
    told = " ".join(found.text for found in made.findings)
    assert "the answer that an item gives most often" in told


def test_what_a_filter_makes_by_itself_is_said_where_other_draws_may_make_the_rest(tmp_path: Path) -> None:
    once, a = asked(1, [NUMBER, FIRST], 0.1)
    often, b = asked(9, [NUMBER, VOTE, FIRST], 0.5)
    a = verdict_runs.asking(a, temperature=0.0, do_sample=False)
    made = verdict_runs.compared(tmp_path, a, b, before={"configs__arith": once}, configs__arith=often)
    assert "left its mark, " in made.verdict.sentence
    assert re.search(
        r"the filter alone moves the score 0\.\d+ → 0\.\d+\. What is left \(0\.\d+ → 0\.", made.verdict.sentence
    )
    assert not breaches(made)
    assert "with only gen_kwargs.temperature and gen_kwargs.do_sample taken" in made.verdict.next_step


def test_a_score_is_given_again_by_the_options_of_its_metric() -> None:
    options = {"metric": "exact_match", "regexes_to_ignore": [",", "(?s).*#### "], "ignore_case": True}
    (left,) = by_options(options, search_time())
    assert left("Two and two.\n#### 4,000") == left("4000")
    assert by_options({"metric": "exact_match", "regexes_to_ignore": ["("]}, search_time()) == ()
