"""The ledger of flips: classes, leads, order, texts and caps."""

import pytest

from diptych.closed_names import FLIP_CLASSES
from diptych.diagnose.options import Options
from diptych.diagnose.pipeline import compare_runs
from diptych.diagnose.samples.changed_texts import middle_folded
from diptych.diagnose.samples.task_evidence import gather
from sample_logs import Record, answer, choice, evidence, run_of


def test_every_class_has_its_case() -> None:
    left = [
        answer("lost", "4", right=1.0),
        answer("gained", "5", right=0.0),
        answer("wrong", "5", right=0.0),
        answer("form", "Four.", right=1.0),
        answer("extract", "4 or 5", filtered="4", right=1.0),
        answer("same", "4"),
        answer("both right", "4", right=1.0),
        answer("alone", "4"),
    ]
    right = [
        answer("lost", "5", right=0.0),
        answer("gained", "4", right=1.0),
        answer("wrong", "6", right=0.0),
        answer("form", "**four**", right=0.0),
        answer("extract", "4 or 5", filtered="5", right=0.0),
        answer("same", "4"),
        answer("both right", "4.", right=1.0),
    ]
    found = evidence(left, right)
    classes = {flip.item: flip.class_ for flip in found.flips}
    assert classes == {
        "lost": "lost",
        "gained": "gained",
        "wrong": "both_wrong_changed",
        "form": "format_only",
        "extract": "extraction_only",
        "alone": "one_side_missing",
    }
    assert {count.class_: count.count_ for count in found.flip_counts} == dict.fromkeys(FLIP_CLASSES, 1)


def test_a_flip_carries_its_texts_and_its_metric() -> None:
    found = evidence([answer(0, "4")], [answer(0, "It is 5", filtered="5", right=0.0)]).flips[0]
    assert found.a is not None
    assert found.b is not None
    assert (found.a.response, found.b.response, found.b.filtered, found.target) == ("4", "It is 5", "5", "4")
    assert (found.a.score, found.b.score, found.metric) == (1.0, 0.0, "exact_match")
    assert found.a.prompt == "Question: What is item 0?\nAnswer:"


def test_a_choice_names_the_likeliest_text_and_its_lead() -> None:
    found = evidence([choice(0, (-1.0, -2.5, -9, -9))], [choice(0, (-3.0, -2.75, -9, -9))]).flips[0]
    assert found.a is not None
    assert found.b is not None
    assert (found.a.filtered, found.b.filtered, found.target) == ("red", "green", "red")
    assert (found.margin_a, found.margin_b) == (1.5, 0.25)
    assert found.a.choices == ("red", "green", "blue", "grey")


def flipping(number: int) -> tuple[list[Record], list[Record]]:
    left = [choice(n, (-1.0, -2.0 - n / 10, -9, -9)) for n in range(number)]
    right = [choice(n, (-2.0 - n / 10, -1.0, -9, -9)) for n in range(number)]
    return left, right


def test_lost_and_gained_come_first_and_sure_answers_before_close_ones() -> None:
    left, right = flipping(6)
    found = evidence([*left, choice(99, (-1, -9, -9, -9), gold=2)], [*right, choice(99, (-9, -1, -9, -9), gold=2)])
    assert [flip.item for flip in found.flips] == ["5", "4", "3", "2", "1", "0", "99"]
    assert found.flips[-1].class_ == "both_wrong_changed"


def test_a_cap_keeps_the_most_telling_counts_all_and_is_stated() -> None:
    found = evidence(*flipping(20), Options(flips=5))
    assert [flip.item for flip in found.flips] == ["19", "18", "17", "16", "15"]
    assert found.flip_counts[0].count_ == 20
    assert ("changed items not listed", 15) in [(left.what, left.count_) for left in found.left_out]


def test_long_prompts_are_folded_in_the_middle_and_that_is_stated() -> None:
    prompt = "x" * 30_000
    found = evidence([answer(0, prompt=prompt)], [answer(0, "5", prompt=prompt, right=0.0)])
    assert found.flips[0].a is not None
    assert "[… 10000 characters left out …]" in (found.flips[0].a.prompt or "")
    assert "prompts folded in flips" in [left.what for left in found.left_out]


@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 5000])
def test_folding_keeps_both_ends_and_counts_the_rest(length: int) -> None:
    text = "".join(chr(97 + place % 26) for place in range(length))
    found = middle_folded(text, 10)
    assert found == text if length <= 10 else (found.startswith(text[:5]) and found.endswith(text[-5:]))
    assert length <= 10 or f"{length - 10} characters left out" in found


def test_swapping_the_sides_swaps_lost_and_gained() -> None:
    left, right = flipping(7)
    there, back = evidence(left, right), evidence(right, left)
    assert (there.tasks[0].lost, there.tasks[0].gained) == (back.tasks[0].gained, back.tasks[0].lost) == (7, 0)
    assert {(flip.item, flip.margin_a) for flip in there.flips} == {(flip.item, flip.margin_b) for flip in back.flips}


def test_of_a_metric_of_which_less_is_better_an_item_that_falls_is_fixed_and_1_is_wrong() -> None:
    left = [answer(0, "You fool.", right=1.0, metric="insult"), answer(1, "You fool.", right=1.0, metric="insult")]
    right = [answer(0, "You dear.", right=0.0, metric="insult"), answer(1, "You ass.", right=1.0, metric="insult")]
    runs = [
        one._replace(scores=tuple(score._replace(higher_is_better=False) for score in one.scores))
        for one in (run_of(left), run_of(right))
    ]
    classes = [{flip.item: flip.class_ for flip in gather(*pair, Options()).flips} for pair in (runs, runs[::-1])]
    assert classes == [{"0": "gained", "1": "both_wrong_changed"}, {"0": "lost", "1": "both_wrong_changed"}]
    made = compare_runs(*runs, Options(fail_on=("flip",)))
    assert [gate.fired for gate in made.gates] == [False]
    assert [gate.fired for gate in compare_runs(*runs[::-1], Options(fail_on=("flip",))).gates] == [True]


def test_graded_scores_make_no_flip() -> None:
    left = [answer(number, right=0.25 * number) for number in range(4)]
    right = [answer(number, "5", right=0.2 * number) for number in range(4)]
    assert evidence(left, right).flips == ()


def test_without_texts_changed_items_are_counted_and_not_read_back() -> None:
    left, right = [answer(item, "4") for item in range(3)], [answer(item, "5", right=0.0) for item in range(3)]
    whole, bare = evidence(left, right), evidence(left, right, Options(texts=False))
    assert (len(whole.flips), bare.flips, bare.left_out) == (3, (), ())
    assert bare == whole._replace(flips=())
