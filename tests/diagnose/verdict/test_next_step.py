"""What to do next, and what a sentence says of logs and tasks that are not there, on small runs written as files."""

import json
from pathlib import Path
from typing import Any

import pytest

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from verdict_runs import ITEMS, Records, answers, asking, compared, document, prompted
from written_runs import answer_record, choice_record, write_run

WRONG = range(25)


def written(folder: Path, name: str, records: Records, log: Records | None, **changes: Any) -> Any:
    """Return a run of one task with a log of its own choice, None for none."""
    samples = {} if log is None else {"arith": log}
    return read_run(str(write_run(folder / name, document(records, **changes), samples)))


def held(a: Any, b: Any) -> Comparison:
    """Return the comparison of two runs."""
    return compare_runs(a, b)


def test_without_samples_the_next_step_is_to_log_them(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), answers(WRONG), logged=False)
    assert "--log_samples" in made.verdict.next_step


def test_where_b_is_the_isolating_run_without_samples_the_logs_are_asked_for(tmp_path: Path) -> None:
    made = compared(tmp_path, answers(), answers(WRONG), logged=False, config__batch_size="1")
    assert made.verdict.next_run_exists
    assert "--log_samples" in made.verdict.next_step


def test_a_log_that_one_side_lacks_is_named_and_asked_for(tmp_path: Path) -> None:
    a = written(tmp_path, "a", answers(), answers())
    made = held(a, written(tmp_path, "b", answers(WRONG), None))
    assert "sample log of arith in b" in made.verdict.next_step


def test_a_run_with_another_difference_that_cannot_act_is_not_said_to_differ_in_one_setting_only(
    tmp_path: Path,
) -> None:
    made = compared(tmp_path, answers(), answers(WRONG), config__bootstrap_iters=500, lm_eval_version="0.4.8")
    assert made.verdict.leading_cause == "versions.lm_eval"
    assert "with only" not in made.verdict.next_step
    assert "bootstrap_iters differs, too" in made.verdict.next_step


def test_a_results_file_whose_log_gives_another_score_is_said_to_be_of_another_run(tmp_path: Path) -> None:
    a = written(tmp_path, "a", answers(), answers())
    made = held(a, written(tmp_path, "b", answers(), answers(WRONG)))
    assert "is not what its log gives" in made.verdict.sentence
    assert "belongs to the results file of b" in made.verdict.next_step


def test_the_same_examples_in_another_order_are_called_so(tmp_path: Path) -> None:
    shots = ["Q901\nA: 1", "Q902\nA: 2"]

    def ahead(order: int) -> Records:
        return prompted(answers(range(20 * (order < 0))), lambda text: "\n\n".join([*shots[::order], text]))

    seeds = {"config__fewshot_seed": 9, "n_shot__arith": 2, "configs__arith__num_fewshot": 2}
    made = compared(tmp_path, ahead(1), ahead(-1), **seeds)
    assert "in another order" in made.verdict.sentence or made.verdict.leading_cause != "fewshot_seed"
    assert any("in another order" in each.text for each in made.findings)


def test_a_task_of_one_side_alone_is_in_the_sentence(tmp_path: Path) -> None:
    both = document(answers())
    both["results"]["extra"] = {"alias": "extra", "acc,none": 0.5, "acc_stderr,none": 0.1}
    a = read_run(str(write_run(tmp_path / "a", both, {"arith": answers()})))
    made = held(a, written(tmp_path, "b", answers(), answers()))
    assert "extra is in a alone" in made.verdict.sentence


def test_a_budget_beside_another_backend_is_named_where_answers_look_truncated(tmp_path: Path) -> None:
    words = "first we add the tens, then we add the ones, and then we have the sum of both which is"
    whole = answers(text=lambda number: f"Well {number}: {words} {number}.")
    short = answers(range(ITEMS // 2), text=lambda number: f"So {number}, {words}"[:40])
    made = compared(tmp_path, asking(whole, max_gen_toks=256), asking(short, max_gen_toks=10), config__model="vllm")
    keys = {made.verdict.leading_cause, *(one.key for one in made.verdict.suspects)}
    assert keys & {"gen_kwargs.max_gen_toks"} or made.verdict.kind == "not_a_measurement"


def test_how_far_log_likelihoods_moved_stands_beside_a_version_that_alone_differs(tmp_path: Path) -> None:
    a = [choice_record(number) for number in range(ITEMS)]
    b = [choice_record(number) for number in range(ITEMS)]
    for record in b[:6]:
        record["resps"] = [[["-0.5", "True"]], [["-6.25", "False"]]]
        record["filtered_resps"] = [["-0.5", "True"], ["-6.25", "False"]]
    made = compared(tmp_path, a, b, metric="acc", lm_eval_version="0.4.8")
    assert "moved on 6" in made.verdict.sentence
    assert "equal text does not show" in made.verdict.sentence


def test_a_score_in_percent_is_called_one(tmp_path: Path) -> None:
    records = [answer_record(number, score=float(number > 9)) for number in range(ITEMS)]
    percent = document(records)
    percent["results"]["arith"]["exact_match,none"] *= 100
    a = written(tmp_path, "a", records, records)
    made = held(a, read_run(str(write_run(tmp_path / "b", percent, {"arith": records}))))
    assert "percent" in made.verdict.sentence or "scale" in made.verdict.sentence


@pytest.mark.parametrize(("first", "second", "said"), [(1, 2, "b"), (2, 1, "a"), (1, 1, "the later one of a and b")])
def test_of_two_runs_with_a_cache_the_later_one_is_run_again(
    tmp_path: Path, first: int, second: int, said: str
) -> None:
    runs = []
    for name, size, day in (("a", "1b", first), ("b", "7b", second)):
        given = document(
            answers(text=counting), config__use_cache="kept.db", config__model_args=f"pretrained=org/m-{size}"
        )
        folder = write_run(tmp_path / name, given, {"arith": answers(text=counting)}, f"2025-11-0{day}T10-00-00.000001")
        runs.append(read_run(str(folder)))
    assert compare_runs(*runs).verdict.next_step.startswith(f"First run {said} again without its response cache")


def counting(number: int) -> str:
    return f"First take {number}, then count four more from there: the answer is {number + 4}."


def test_a_group_that_lacks_a_task_on_one_side_asks_for_that_task(tmp_path: Path) -> None:
    runs = []
    for name, tasks in (("a", ("arith", "more")), ("b", ("arith",))):
        given = document(answers())
        for task in tasks:
            given["results"][task] = {**given["results"]["arith"], "alias": task}
            given["configs"][task] = {**given["configs"]["arith"], "task": task}
            given["n-samples"][task] = given["n-samples"]["arith"]
            given["higher_is_better"][task] = {"exact_match": True}
        given["results"]["all"] = {"alias": "all", "exact_match,none": 1.0 / len(tasks)}
        given["groups"] = {"all": given["results"]["all"]}
        given["group_subtasks"] = {"all": list(tasks)}
        runs.append(read_run(str(write_run(tmp_path / name, given, {task: answers() for task in tasks}))))
    for pair in (runs, runs[::-1]):
        verdict = compare_runs(*pair).verdict
        assert verdict.next_step.startswith("Run more in b, too, and compare all then")


@pytest.mark.parametrize("wrong", [range(3), range(30)])
def test_what_a_group_lacks_on_one_side_is_run_before_any_setting_is_taken_apart(tmp_path: Path, wrong: range) -> None:
    runs = []
    for name, tasks, size in (("a", ("arith", "more"), "8"), ("b", ("arith",), "1")):
        records = answers(wrong if name == "b" else range(0))
        given = document(records, config__batch_size=size)
        for part in ("results", "configs", "n-samples", "higher_is_better"):
            given[part] |= dict.fromkeys(tasks, given[part]["arith"])
        given["results"]["all"] = {"alias": "all", "exact_match,none": 0.9 / len(tasks)}
        given["groups"] = {"all": given["results"]["all"]}
        given["group_subtasks"] = {"all": list(tasks)}
        runs.append(read_run(str(write_run(tmp_path / name, given, dict.fromkeys(tasks, records)))))
    for pair in (runs, runs[::-1]):
        verdict = compare_runs(*pair).verdict
        assert verdict.next_step.startswith(
            "Run more in b, too, and compare all then (or leave more out on both sides): until then its two scores are "
            "of other tasks."
        )
        assert ("batch_size" in verdict.next_step) is (verdict.kind == "different") is (len(wrong) > 3)


def test_a_group_of_which_each_side_lacks_a_task_asks_for_both(tmp_path: Path) -> None:
    runs = []
    for name, other in (("a", "more"), ("b", "less")):
        given = document(answers())
        for part in ("results", "configs", "n-samples", "higher_is_better"):
            given[part][other] = given[part]["arith"]
        given["results"]["all"] = {"alias": "all", "exact_match,none": 1.0}
        given["groups"] = {"all": given["results"]["all"]}
        given["group_subtasks"] = {"all": ["arith", other]}
        own = [{**one, "doc": {other: number}, "doc_hash": f"{other} {number}"} for number, one in enumerate(answers())]
        runs.append(read_run(str(write_run(tmp_path / name, given, {"arith": answers(), other: own}))))
    assert compare_runs(*runs).verdict.next_step.startswith("Run less in a and more in b, too, and compare all then")


def test_repeats_and_the_filter_that_makes_one_answer_of_them_are_told_once(tmp_path: Path) -> None:
    first = [{"name": "none", "filter": [{"function": "take_first"}]}]
    vote = [{"name": "none", "filter": [{"function": "majority_vote"}, {"function": "take_first"}]}]
    thrice = answers(range(3), text=lambda number: f"It is {number + (number % 7 == 0)}.")
    for number, record in enumerate(thrice):
        record["resps"] = [[record["resps"][0][0]] * 2 + [f"Or {number}."]]
    pair = [asking(records, do_sample=True, temperature=0.8) for records in (answers(), thrice)]
    made = compared(
        tmp_path, *pair, before={"configs__arith__filter_list": first},
        configs__arith__filter_list=vote, configs__arith__repeats=3,
    )  # fmt: skip
    known = "The two runs differ in arith.repeats (arith.filter_list.none differs, too, and is part of the same change)"
    assert made.verdict.next_step.startswith(known)


def shown(first: int, turns: bool) -> Records:
    """Return records with two examples in front, as turns or in one piece, beginning at one of several."""
    shots = [(f"Q{number}\nA:", f"{number}") for number in (first, first + 1)]

    def asked(text: str) -> str:
        bare = [("user", "\n\n".join([*(f"{ask} {told}" for ask, told in shots), text]))]
        parts = [part for ask, told in shots for part in (("user", ask), ("assistant", told))] + [("user", text)]
        return json.dumps([{"role": role, "content": words} for role, words in (parts if turns else bare)])

    return prompted(answers(range(20 * turns), lambda number: f"{turns} {number}"), asked)


SHOTS = {"n_shot__arith": 2, "configs__arith__num_fewshot": 2, "chat_template": "{{ m }}"}


def test_what_only_lays_examples_out_is_not_called_the_cause_of_other_ones(tmp_path: Path) -> None:
    def pair(first: int, name: str, **changes: Any) -> Comparison:
        before = {**SHOTS, "fewshot_as_multiturn": False}
        more = {**SHOTS, "fewshot_as_multiturn": True, **changes}
        return compared(tmp_path / name, shown(901, False), shown(first, True), before=before, **more)

    assert pair(901, "same").verdict.leading_cause == "fewshot_as_multiturn"
    other = pair(903, "other", lm_eval_version="0.4.8").verdict
    assert {one.key for one in other.suspects} == {"fewshot_as_multiturn", "versions.lm_eval"}
    assert "in which examples are shown" in other.sentence
    assert "which of them chose other examples" in other.next_step
    lone = pair(903, "lone").verdict
    assert lone.leading_cause == "fewshot_as_multiturn"
    assert "nothing else on record chooses them" in lone.sentence


def test_where_a_limit_left_items_out_what_the_shared_ones_leave_open_is_said_with_the_run_that_settles_it(
    tmp_path: Path,
) -> None:
    reworded = answers(range(20), lambda number: f"The answer is {4 + (number < 20)}{'!' * (number < 4)}")[:30]
    made = compared(tmp_path / "unclear", answers(range(20)), reworded, config__limit=30)
    assert made.verdict.leading_cause == "limit"
    assert "limit (not given → 30) chose the items: 30 of 60 items" in made.verdict.sentence
    assert "of 30 responses of shared items differ, too, and no choice of items makes that" in made.verdict.sentence
    assert "The 30 shared items of arith show no change and leave a difference of" in made.verdict.next_step
    assert "run b again without --limit, which pairs all 60" in made.verdict.next_step
    assert "already answer" not in made.verdict.next_step


def test_two_quantizations_of_one_model_are_one_setting_in_every_text(tmp_path: Path) -> None:
    contexts = ({"quant": "Q4_1", "model_file": "m.Q4_1.gguf"}, {"quant": "Q4_0", "model_file": "m.Q4_0.gguf"})
    made = compared(tmp_path, answers(), answers(WRONG), contexts=contexts)
    assert "Two quantizations of one model" in made.verdict.sentence
    (note,) = [each.text for each in made.findings if each.kind == "models_differ"]
    assert note.startswith("The record names one model in two quantizations: ")


def test_a_difference_that_the_completed_items_do_not_show_is_led_by_that_and_mended_first(tmp_path: Path) -> None:
    def said(number: int) -> str:
        return "Let us count the apples one by one and" if 20 <= number < 40 else f"The answer is {4 + (number < 4)}."

    wrong = range(20, 24)
    limited = {"max_gen_toks": 8}
    whole = asking(answers(range(4)), **limited)
    cut = asking(answers(range(4), lambda number: f"The answer is {4 + (number < 4)}."), **limited)
    for number, record in enumerate(cut):
        record["resps"] = record["filtered_resps"] = [[said(number)]]
        record["filtered_resps"] = [said(number)]
        record["exact_match"] = float(number >= 4 and number not in wrong)
    made = compared(tmp_path, whole, cut, config__batch_size="1", lm_eval_version="0.4.8")
    assert made.verdict.kind == "unclear"
    first, second = made.verdict.parts[:2]
    assert (first.role, second.role) == ("answer", "answer")
    assert second.text.startswith("The truncated responses carry all of that difference: 20 of 60 responses of b")
    assert made.verdict.next_step.startswith("First read the 20 responses of b that appear truncated: give a larger")


@pytest.mark.parametrize(
    ("before", "after", "fits"),
    [
        ("pretrained=/m/base-1b-q8_0.gguf", "pretrained=/n/base-1b-Q2_K.gguf", "weights in few bits may loop"),
        ("pretrained=org/base-1b", "pretrained=org/base-1b,load_in_4bit=True", "weights in few bits may loop"),
        ("pretrained=org/base-1b", "pretrained=org/base-1b,repetition_penalty=0.8", "are decoded so may loop"),
        ("pretrained=org/base-1b", "pretrained=org/other-1b", ""),
    ],
    ids=["files", "bits", "decoding", "another model"],
)  # fmt: skip
def test_what_may_itself_make_answers_loop_leads_and_no_missing_stop_string_is_supposed(
    tmp_path: Path, before: str, after: str, fits: str
) -> None:
    def said(number: int) -> str:
        return "I think so. " * 20 if number in WRONG else f"The answer is {4}."

    looping = answers(WRONG, said)
    for number in range(30, 40):
        looping[number]["resps"] = [[f"It is 4, number {number}."]]
    made = compared(tmp_path, answers(), looping, before={"config__model_args": before}, config__model_args=after)
    assert "most likely missing" not in made.verdict.next_step
    assert ("that model may loop by itself" in made.verdict.next_step) is not bool(fits)
    assert fits in made.verdict.next_step
    assert ("25 responses of b that repeat one phrase fit that" in made.verdict.next_step) is bool(fits)


VOTES = [
    {"name": "first", "filter": [{"function": "take_first"}]},
    {"name": "vote", "filter": [{"function": "majority_vote"}, {"function": "take_first"}]},
]
WARM = {"do_sample": True, "temperature": 0.7}


def voted(each: int, wrong: range) -> Records:
    """Return records under two filters, of several responses an item; the vote alone finds some of them wrong."""
    found = []
    for name, missed in (("first", range(8)), ("vote", wrong)):
        for record in asking(answers(missed, lambda number: f"It is {number}, try {each}."), **WARM):
            record["resps"] = [[f"{record['resps'][0][0]} {ballot}" for ballot in range(each)]]
            record["filter"] = name
            found.append(record)
    return found


def voting(folder: Path, name: str, each: int, wrong: range, logged: bool, **changes: Any) -> Any:
    """Return a run whose items have some responses each, scored by the first one and by a vote."""
    records = voted(each, wrong)
    made = document(records, configs__arith__filter_list=VOTES, configs__arith__repeats=each, **changes)
    rows = {"vote": 1 - len(wrong) / ITEMS, "first": 1 - 8 / ITEMS}
    made["results"]["arith"] = {"alias": "arith"}
    for filter_, score in rows.items():
        made["results"]["arith"] |= {f"exact_match,{filter_}": score, f"exact_match_stderr,{filter_}": 0.04}
    made["n-samples"]["arith"] = {"original": ITEMS, "effective": ITEMS}
    return read_run(str(write_run(folder / name, made, {"arith": records} if logged else None)))


@pytest.mark.parametrize("logged", [True, False], ids=["samples", "no samples"])
def test_more_responses_to_vote_on_are_other_ballots_and_act_where_the_log_holds_them(
    tmp_path: Path, logged: bool
) -> None:
    pair = [voting(tmp_path, "a", 4, range(30), logged), voting(tmp_path, "b", 16, range(6), logged)]
    for a, b in (pair, pair[::-1]):
        verdict = held(a, b).verdict
        assert verdict.leading_cause == "arith.repeats"
        assert verdict.standing == ("supported" if logged else "possible")
        assert "what a filter finds changed" not in verdict.sentence
        assert "on the same responses" not in verdict.sentence
        assert ("4 responses an item and b 16" in verdict.sentence) is (a is pair[0])
        assert "noise" not in verdict.next_step


def test_another_model_beside_more_responses_may_have_acted_too(tmp_path: Path) -> None:
    other = voting(tmp_path, "b", 16, range(6), True, config__model_args="pretrained=org/other-1b,dtype=float32")
    verdict = held(voting(tmp_path, "a", 4, range(30), True), other).verdict
    assert [one.key for one in verdict.suspects] == ["arith.repeats", "model_args.pretrained"]


@pytest.mark.parametrize(
    ("seed", "said"),
    [(None, "(temperature 0.7, and no seed is recorded), so responses differ anyway"), (7, "(temperature 0.7)")],
)
def test_where_both_sides_draw_and_no_difference_is_shown_no_one_is_said_to_have_acted(
    tmp_path: Path, seed: int | None, said: str
) -> None:
    seeds = dict.fromkeys(("config__random_seed", "config__numpy_seed", "config__torch_seed"), seed)
    redrawn = answers(range(4, 9), lambda number: f"The answer is {4 + (number in range(4, 9))}, I think.")
    pair = [asking(records, **WARM) for records in (answers(range(4)), redrawn)]
    made = compared(
        tmp_path, *pair, before=seeds | {"config__device": "cuda:0"},
        **seeds | {"config__device": "mps", "pretty_env_info": "PyTorch version: 2.6.0\nOS: Linux"},
    )  # fmt: skip
    assert made.verdict.kind == "unclear"
    assert "nothing in the files shows that either of them acted" in made.verdict.sentence
    assert said in made.verdict.sentence
    assert "take its noise floor (diptych noise): one draw more with" in made.verdict.next_step
    assert ("Give both runs one seed" in made.verdict.next_step) is (seed is None)


@pytest.mark.parametrize("changed", [0, 5])
def test_a_run_that_was_told_not_to_score_says_so_and_which_responses_are_the_same(
    tmp_path: Path, changed: int
) -> None:
    bypass = {"metric_list": [{"metric": "bypass", "aggregation": "bypass"}]}
    records = answers(text=lambda number: f"The answer is {4 + (number < changed)}.")
    for record in records:
        del record["exact_match"]
        record |= {"metrics": ["bypass"], "bypass": None}
    made = document(answers())
    made["results"]["arith"] = {"alias": "arith", "bypass,none": 999, "bypass_stderr,none": "N/A"}
    made["configs"]["arith"] |= bypass
    b = read_run(str(write_run(tmp_path / "b", made, {"arith": records})))
    found = held(written(tmp_path, "a", answers(), answers()), b)
    assert "b does not hold a score: it was run without scoring (--predict_only)." in found.verdict.sentence
    whose = "responses of b are those of a."
    assert f"{f'{60 - changed} of' if changed else 'All'} 60 {whose}" in found.verdict.sentence
    assert found.verdict.next_step.startswith("Score the logged responses of b")
    assert not any(row.standing == "cannot" for row in found.task_settings if "bypass" in row.field)


@pytest.mark.parametrize("few", [10, 40])
def test_reported_scores_of_other_items_ask_for_the_same_items_before_any_setting(tmp_path: Path, few: int) -> None:
    """Half of A's items, which a list that no file records has chosen, and one shared response that changed."""
    chosen = [record for record in answers(range(few)) if record["doc_id"] % 2]
    changed = answers(range(few))
    changed[59] |= {"resps": [["It is 4."]], "filtered_resps": ["It is 4."]}
    more = changed + [answer_record(number, "The answer is 4.") for number in range(ITEMS, 2 * ITEMS)]
    runs = []
    for name, records, version in (("a", chosen, "4.57.1"), ("b", more, "4.60.0")):
        made = document(records, transformers_version=version)
        made["n-samples"]["arith"]["original"] = 2 * ITEMS
        runs.append(read_run(str(write_run(tmp_path / name, made, {"arith": records}))))
    a, b = runs
    assert held(a, b).verdict.next_step.startswith("Score the same items on both sides")


def test_the_fuller_older_results_beside_a_short_newest_run_are_compared_before_anything_is_run(tmp_path: Path) -> None:
    records = answers(range(6, 31))
    ours = written(tmp_path, "a", answers(), answers())
    write_run(tmp_path / "b", document(records), {"arith": records}, stamp="2025-10-01T10-00-00.000001")
    theirs = written(tmp_path, "b", records[:8], records[:8], config__limit=8.0, config__batch_size="1")
    made = held(ours, theirs)
    assert made.verdict.next_step == (
        "Compare a with b@2025-10-01T10:00:00: the older results of b are over 60 items, the newest, compared here, "
        "over 8."
    )
    whole = held(ours, read_run(str(tmp_path / "b@2025-10-01")))
    assert whole.verdict.kind == "different"
    assert "older results" not in whole.verdict.next_step


def test_older_results_that_are_no_fuller_are_not_asked_for(tmp_path: Path) -> None:
    records = answers(WRONG)
    write_run(tmp_path / "b", document(records[:50]), {"arith": records[:50]}, stamp="2025-10-01T10-00-00.000001")
    theirs = written(tmp_path, "b", records, records)
    assert theirs.fuller is None
    assert "older results" not in held(written(tmp_path, "a", answers(), answers()), theirs).verdict.next_step
