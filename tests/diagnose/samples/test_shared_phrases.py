"""Phrases that one side alone puts around its responses are found, whatever the rest of the response says."""

import pytest

from diptych.diagnose.samples.phrase_tally import KEPT, WINDOW, Frequent, PhraseTally
from diptych.diagnose.samples.shared_phrases import likeness
from sample_logs import Record, answer, evidence, finding, kinds, task

WHO = ("The old baker", "Our neighbour", "A tired guard", "Every teacher", "No farmer", "My sister", "Their cook")
WHAT = ("sold the boat", "found a key", "left the town", "wrote three letters", "fixed the roof", "lost a bet")
WHERE = ("by the river", "in the market", "near the harbour", "after the storm", "before noon")


def told(item: int, word: str = "yesterday") -> str:
    """Return a sentence of an item."""
    return f"{WHO[item % 7]} {WHAT[item % 6]} {WHERE[item % 5]} {word}."


def written(before: tuple[str, ...] = ("",), behind: tuple[str, ...] = ("",), metric: str = "bleu",
            word: str = "yesterday", often: int = 1, filtered: bool = False) -> list[Record]:  # fmt: skip
    """Return items whose response has one of some phrases around it, every `often`-th none."""
    found = []
    for item in range(60):
        text, plain = told(item, word), item % often == 1
        around = text if plain else f"{before[item % len(before)]}{text}{behind[item % len(behind)]}"
        pair = [told(item), around]
        found.append(answer(item, around, target=told(item), filtered=text if filtered else None, metric=metric,
                            right=pair if metric == "bleu" else float(text == around)))  # fmt: skip
    return found


FEW = ("Here is what it says: ", "Sure! ", "The text:\n")


@pytest.mark.parametrize("turned", [False, True])
def test_a_few_phrases_before_other_words_are_found(turned: bool) -> None:
    pair = written(word="last week"), written(FEW, often=4)
    found = evidence(*(pair[::-1] if turned else pair))
    one = finding(found, "answers_phrased", "a" if turned else "b")
    assert (one.count_, one.of, one.severity) == (45, 60, "warning")
    shared = found.tasks[0].phrases
    assert shared is not None
    assert set(shared.phrases) == {phrase.strip() for phrase in FEW}
    assert (shared.other, shared.read) == (0, (("none", "bleu"),))


def test_phrases_behind_the_responses_are_found() -> None:
    behind = (" I hope this helps!", "\n\nLet me know if you need more.")
    shared = task(written(word="last week"), written(behind=behind)).phrases
    assert shared is not None
    assert shared.at_end
    assert set(shared.phrases) == {phrase.strip() for phrase in behind}


def test_where_a_filter_takes_them_off_or_no_metric_reads_them_it_is_a_note() -> None:
    plain = written(word="last week", metric="exact_match")
    for made in (written(FEW, metric="exact_match", filtered=True), written(FEW, metric="pass@1")):
        assert finding(evidence(plain, made), "answers_phrased").severity == "note"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (written(FEW, word="last week"), written(FEW)),
        (written(word="last week"), written(("As one could guess ",))),
        (written(word="last week"), written(("Why: ",), often=2)[:16]),
        (written(), written(("assistant: ",))),
        (
            [answer(item, told(item)) for item in range(60)],
            [answer(item, f"Sorry! {item * 7919}") for item in range(60)],
        ),
        (written(word="last week"), written(("```text\n",))),
    ],
    ids=["both sides", "part of the sentence", "too few", "around the other's own", "another rest", "a fence"],
)
def test_what_both_sides_have_and_what_belongs_to_the_response_is_no_phrase(a: list[Record], b: list[Record]) -> None:
    assert "answers_phrased" not in kinds(evidence(a, b))


def test_what_is_frequent_is_kept_in_bounded_memory() -> None:
    one = Frequent()
    for number in range(20 * WINDOW):
        one.add("often" if number % 20 == 0 else f"once {number}")
    assert one.counts["often"] == WINDOW
    assert len(one.counts) <= KEPT + WINDOW
    tally = PhraseTally()
    for number in range(100):
        tally.add(f"{number} is what I say", f"I say: {number} it is, so {number}")
    assert tally.keys_of(1, "begin") == ["I say"]
    assert tally.keys_of(0, "begin") == []


def test_likeness_is_one_of_equal_texts_and_nought_of_others() -> None:
    assert likeness("the same text", "the same text") == 1
    assert likeness("the same text", "quod vide") == 0
    assert likeness("", "") == 0


def test_what_goes_on_behind_a_stop_string_is_told_as_that_alone() -> None:
    behind = ("\nQuestion: and now?", "\nQuestion: why so?")
    asking = {"until": ["Question:"], "max_gen_toks": 64}
    plain, on = written(word="last week"), written(behind=behind)
    for record in (*plain, *on):
        record["arguments"]["gen_args_0"]["arg_1"] = dict(asking)
    assert "answers_phrased" not in kinds(evidence(plain, on))


def test_where_a_filter_takes_an_answer_out_on_the_other_side_the_phrases_are_not_what_moved() -> None:
    plain = written(word="last week", metric="exact_match", filtered=True)
    for record in plain:
        record["filtered_resps"] = [record["filtered_resps"][0][:8]]
    assert finding(evidence(plain, written(FEW, metric="exact_match")), "answers_phrased").severity == "note"
