"""What is wrong with answers, each fault on a small written log."""

import pytest

from diptych.comparison import SettingDifference
from diptych.diagnose.options import Options
from diptych.diagnose.samples.answer_texts import holds_target, is_nothing
from diptych.diagnose.samples.evidence import Recorded
from diptych.diagnose.samples.responses import faults_of
from diptych.diagnose.samples.score_checks import agrees
from diptych.diagnose.samples.task_evidence import gather
from diptych.diagnose.settings.suspects import of_setting
from diptych.diagnose.verdict.response_traces import window_trace
from diptych.diagnose.verdict.trace import facts_with_counts
from diptych.run import Score, Setting
from diptych.sides import Sided
from sample_logs import GREEDY, Record, answer, choice, evidence, finding, kinds, run_of

LONG = "so the first thing that we need to do is to look at the two numbers and then to add one of them to the"


@pytest.mark.parametrize(
    ("text", "budget", "faults"),
    [
        ("", 64, ("empty",)),
        (" \n\u200b", 64, ("empty",)),
        ("The answer is 4.", 64, ()),
        ("4", 1, ("cut",)),
        ("4", 64, ()),
        (LONG, 24, ("cut",)),
        (LONG + ".", 24, ()),
        (LONG, 256, ()),
        (LONG + " sum so the answer is 12", 24, ()),
        (LONG + " sum\n#### 1,204", 24, ()),
        ("I think so. " * 20, 256, ("looping",)),
        ("1" + "0" * 200, 64, ("looping",)),
        ("\n".join(["The same line again"] * 9), 256, ("looping",)),
        ("\n".join(f"Line {number} says something else" for number in range(9)), 256, ()),
        ("<think>Let me see", 64, ("thinking_open",)),
        ("<think>Let me see</think>4", 64, ()),
        ("I'm sorry, but I can't help with that.", 64, ("refused",)),
        ("I’m unable to answer.", 64, ("refused",)),
        ("The man said: I cannot.", 64, ()),
    ],
)
def test_an_answer_has_its_faults_and_no_other(text: str, budget: int, faults: tuple[str, ...]) -> None:
    assert faults_of(text, budget) == faults


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("answers_empty", ""),
        ("answers_cut", LONG),
        ("answers_loop", "and again " * 30),
        ("answers_thinking_open", "<think>Hm."),
        ("answers_refused", "I cannot help you with that."),
    ],
)
def test_each_fault_is_a_finding_of_its_side_with_its_count(kind: str, text: str) -> None:
    budget = {**GREEDY, "max_gen_toks": 24}
    left = [answer(number, "It is 4.", arguments=budget) for number in range(10)]
    right = [answer(n, "It is 4." if n < 4 else text, right=float(n < 4), arguments=budget) for n in range(10)]
    found = finding(evidence(left, right), kind)
    assert (found.side, found.count_, found.of, found.evidence) == ("b", 6, 10, ("4", "5", "6"))
    assert kinds(evidence(left, left)) in ([], ["score_at_bound"])


def test_a_side_of_empty_answers_is_an_error_and_no_change_of_form() -> None:
    left = [answer(number, filter=name) for name in ("strict", "loose") for number in range(10)]
    right = [answer(n, "", filtered="[invalid]", right=0.0, filter=f) for f in ("strict", "loose") for n in range(10)]
    found = evidence(left, right)
    assert finding(found, "answers_empty").severity == "error"
    assert not {"answer_format_changed", "filter_extracts_nothing"} & set(kinds(found))


def strict(texts: list[str], right: list[float], name: str = "strict") -> list[Record]:
    return [
        answer(n, text, right=score, filtered=None if score else "[invalid]", filter=name, target="#### 4")
        for n, (text, score) in enumerate(zip(texts, right, strict=True))
    ]


def test_a_filter_that_finds_nothing_is_counted_with_what_the_answers_hold() -> None:
    rows = strict(["It is 4"] * 6 + ["It is 5"] * 4, [0.0] * 10)
    found = finding(evidence(strict(["#### 4"] * 10, [1.0] * 10), rows), "filter_extracts_nothing")
    assert (found.side, found.count_, found.of) == ("b", 10, 10)
    assert "6 of these answers hold the right value" in found.text


def test_a_form_lost_while_another_filter_holds_is_a_change_of_form() -> None:
    left = strict(["#### 4"] * 10, [1.0] * 10) + strict(["#### 4"] * 10, [1.0] * 10, "loose")
    loose = [answer(n, "It is 4", filtered="4", filter="loose") for n in range(10)]
    found = finding(evidence(left, strict(["It is 4"] * 10, [0.0] * 10) + loose), "answer_format_changed")
    assert (found.side, found.count_) == ("b", 10)


def test_a_form_lost_together_with_the_right_values_is_no_change_of_form() -> None:
    found = evidence(strict(["#### 4"] * 10, [1.0] * 10), strict(["It is 5"] * 10, [0.0] * 10))
    assert "answer_format_changed" not in kinds(found)
    assert "filter_extracts_nothing" in kinds(found)


@pytest.mark.parametrize(
    ("text", "target", "holds"),
    [
        ("It is 1,234.0 in all", "#### 1234", True),
        ("It is 12", "1", False),
        ("the capital is PARIS!", "Paris", True),
        ("x", "y", False),
        ("-3", "3", False),
    ],
)
def test_a_raw_answer_holds_the_right_value_or_not(text: str, target: str, holds: bool) -> None:
    assert holds_target(text, target) is holds


@pytest.mark.parametrize(
    ("value", "nothing"), [(["[invalid]"], True), ([""], True), ([], True), (None, True), (["4"], False)]
)
def test_what_a_filter_leaves_where_it_found_nothing(value: object, nothing: bool) -> None:
    assert is_nothing(value) is nothing


def likelihoods(shift: float = 0.0) -> list[Record]:
    return [choice(n, (-1.25 - n / 100 - shift, -2.5, -3.0, -4.0), gold=n % 2) for n in range(30)]


def model(name: str, rows: list[Record], **settings: object) -> object:
    return run_of(
        rows,
        model=name,
        settings={"model_args.pretrained": Setting(name), **{key: Setting(value) for key, value in settings.items()}},
    )


def test_two_models_with_the_same_answers_to_the_last_digit_are_not_two_measurements() -> None:
    a, b = model("org/alpha", likelihoods(), use_cache="c.db"), model("org/beta", likelihoods())
    found = finding(gather(a, b, Options(), Recorded(model_key="model_args.pretrained")), "answers_identical")  # type: ignore[arg-type]
    assert (found.severity, found.count_, found.of) == ("error", 30, 30)
    assert "use_cache is set in A" in found.text


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (("org/alpha", "org/beta"), likelihoods(0.001)),
        (("org/alpha", "org/beta"), [answer(number, "4") for number in range(40)]),
    ],
    ids=["other digits", "few different texts"],
)
def test_the_same_answers_may_be_no_wonder(names: tuple[str, str], rows: list[Record]) -> None:
    left = likelihoods() if "resps" in rows[0] and len(rows) == 30 else rows
    two = Recorded(model_key="model_args.pretrained")
    found = gather(model(names[0], left), model(names[1], rows), Options(), two)  # type: ignore[arg-type]
    assert "answers_identical" not in kinds(found)


def test_a_score_that_guessing_would_give_is_near_chance() -> None:
    guessed = [choice(n, (-1.0, -2.0, -3.0, -4.0), gold=n % 4) for n in range(80)]
    known = [choice(n, tuple(-1.0 if place == n % 4 else -9.0 for place in range(4)), gold=n % 4) for n in range(80)]
    found = evidence(guessed, known)
    assert finding(found, "near_chance").side == "a"
    assert found.tasks[0].chance is not None
    assert found.tasks[0].chance.chance == 0.25


@pytest.mark.parametrize(("a", "b", "side"), [(1.0, 0.5, "a"), (0.5, 0.0, "b"), (1.0, 1.0, "both")])
def test_a_score_at_the_bound_is_no_certainty(a: float, b: float, side: str) -> None:
    rows = [[answer(n, right=float(n < share * 50)) for n in range(50)] for share in (a, b)]
    found = finding(evidence(*rows), "score_at_bound")
    assert found.side == side
    assert "0.0713" in found.text or "0.9287" in found.text


def test_a_reported_score_that_its_samples_do_not_give_is_named() -> None:
    rows = [answer(number, right=float(number < 6)) for number in range(10)]
    wrong = run_of(rows, scores=(Score("arith", "exact_match", "none", 0.7, items=10),))
    found = finding(gather(run_of(rows), wrong, Options()), "reported_disagrees")
    assert (found.side, found.task) == ("b", "arith")


def test_samples_that_score_another_metric_than_the_reported_one_are_named() -> None:
    rows = [answer(number, right=float(number < 6)) for number in range(10)]
    other = run_of(rows, scores=(Score("arith", "acc", "none", 0.1, items=100),))
    found = gather(other, other, Options())
    assert {one.side for one in found.findings if one.kind == "reported_disagrees"} == {"a", "b"}
    assert finding(found, "no_item_scores").evidence == ("acc,none",)


@pytest.mark.parametrize(
    ("reported", "mean", "same"),
    [(0.6667, 2 / 3, True), (66.67, 2 / 3, True), (0.667, 2 / 3, False), (0.7167, 0.7368, False)],
)
def test_rounding_and_percent_are_no_contradiction(reported: float, mean: float, same: bool) -> None:
    assert agrees(reported, mean) is same


def test_a_metric_that_is_no_mean_is_not_held_against_its_items() -> None:
    rows = [answer(number, right=float(number < 6), metric="median_score") for number in range(10)]
    other = run_of(rows, scores=(Score("arith", "median_score", "none", 1.0, items=10),))
    assert "reported_disagrees" not in kinds(gather(other, other, Options()))


def test_the_budget_is_that_of_the_request_else_of_the_settings() -> None:
    bare = {key: value for key, value in GREEDY.items() if key != "max_gen_toks"}
    rows = [answer(number, LONG, arguments=bare) for number in range(4)]
    short = run_of(rows, settings={"model_args.max_gen_toks": Setting(24)})
    found = gather(run_of(rows), short, Options())
    assert finding(found, "answers_cut").side == "b"


@pytest.mark.parametrize(("kind", "mark"), [("choices", "silent"), ("likelihood", "broad")])
def test_a_window_may_have_cut_whole_texts_though_every_prompt_fits(kind: str, mark: str) -> None:
    a, b = model("org/alpha", likelihoods()), model("org/alpha", likelihoods(0.5))
    facts = gather(a, b, Options(), Recorded()).tasks[0]._replace(kind=kind, most_tokens=40)  # type: ignore[arg-type]
    one = of_setting(SettingDifference("model_args.max_length", 1024, 4096, True, True, None, "", (), ""))
    assert window_trace(one, facts_with_counts(facts, Sided(False, False))).mark == mark
