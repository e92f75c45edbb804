"""Metrics of a whole set come out as the libraries that define them give them (values: sacreBLEU 2, scikit-learn 1)."""

import random

import pytest
from estimates import estimate

from diptych.stats import corpus, translation
from diptych.stats import edit_distance as edits
from diptych.stats.test_input import TestInput

SEGMENTS: list[tuple[object, object]] = [
    ("The cat sat on the mat.", "The cat is on the mat."),
    ("It costs 1,000 dollars (about 3-4 days' pay).", "It cost 1,000 dollars, about 3-4 days of pay."),
    ('He said: "never again" & left.', 'He left & said: "never".'),
    ("one two three four five six", "four five six one two three"),
    ("Ein kurzer Satz", ""),
    ("", "extra words"),
]
TWO_REFERENCES: list[tuple[object, object]] = [(["the cat", "a cat the the"], "the the cat")]

TEXTS = [
    ("bleu", SEGMENTS, 32.98144929626685),
    ("chrf", SEGMENTS, 60.93644365987032),
    ("ter", SEGMENTS, 58.620689655172406),
    ("bleu", SEGMENTS[:4], 34.57937906851115),
    ("chrf", SEGMENTS[:4], 66.59291028724762),
    ("ter", SEGMENTS[:4], 46.15384615384615),
    ("bleu", SEGMENTS[:1], 48.892302243490086),
    ("chrf", SEGMENTS[:1], 64.58166836671698),
    ("ter", SEGMENTS[:1], 16.666666666666664),
    ("bleu", TWO_REFERENCES, 0.0),
    ("chrf", TWO_REFERENCES, 83.4542337114218),
    ("ter", TWO_REFERENCES, 33.33333333333333),
]

THREE_CLASSES = list(zip([0, 1, 2, 2, 1, 0, 1, 2, 0, 0], [0, 1, 2, 1, 1, 0, 0, 2, 2, 0], strict=True))
TWO_CLASSES = list(zip([1, 0, 1, 1, 0, 0, 1], [1, 1, 1, 0, 0, 0, 1], strict=True))

CLASSES = [
    ("f1_macro", THREE_CLASSES, 0.6944444444444443),
    ("f1_micro", THREE_CLASSES, 0.7),
    ("mcc", THREE_CLASSES, 0.5454545454545454),
    ("f1", TWO_CLASSES, 0.75),
    ("mcc", TWO_CLASSES, 0.4166666666666667),
    ("mcc", [(1, 1), (1, 0)], 0.0),
]


@pytest.mark.parametrize(("aggregation", "items", "score"), TEXTS + CLASSES)
def test_the_score_of_the_set_is_the_defining_librarys(aggregation: str, items: corpus.Items, score: float) -> None:
    sides = corpus.both_counts(aggregation, items, items)
    assert sides is not None
    assert corpus.corpus_score(sides[0]) == pytest.approx(score, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("aggregation", "items"),
    [("f1", THREE_CLASSES), ("bleu", [(3, "text")]), ("bleu", [("a", "b", "c")]), ("chrf", [("a", None)])],
)
def test_items_of_another_shape_are_not_recomputed(aggregation: str, items: corpus.Items) -> None:
    assert corpus.both_counts(aggregation, items, items) is None


def test_a_class_is_the_same_however_it_is_written() -> None:
    assert {corpus.class_label(value) for value in (1, 1.0, True, "1", " 1 ")} == {"1"}


@pytest.mark.parametrize(
    ("text", "reference", "fewest"),
    [
        ("a b c d", "a b c d", 0),
        ("c d a b", "a b c d", 1),
        ("a b x d", "a b c d", 1),
        ("", "a b", 2),
        ("a b", "", 2),
        ("d e f a b c", "a b c d e g", 2),
    ],
)
def test_moving_a_block_of_words_is_one_edit(text: str, reference: str, fewest: int) -> None:
    assert edits.fewest_edits(text.split(), reference.split()) == fewest


def test_tokens_part_punctuation_but_not_numbers() -> None:
    assert translation.tokens_13a("It's 1,000.5, really (&amp; truly)-3-4") == (
        ["It's", "1,000.5", ",", "really", "(", "&", "truly", ")", "-3", "-", "4"]
    )


def test_documents_of_other_weights_are_other_documents() -> None:
    a = [(-10.0, 5)] * 40
    assert corpus.perplexity_columns(a, [(-9.0, 6)] * 40) is None
    found = estimate(TestInput(a_lists=a, b_lists=[(-9.0, 6)] * 40, aggregation="word_perplexity"))
    assert found.method == "no_test"
    assert found.why is not None
    assert "weigh" in found.why


def test_an_unlikely_document_without_a_number_is_left_out_and_counted() -> None:
    chance = random.Random(1)
    a = [(-10.0 - chance.random(), 5) for _ in range(40)]
    b = [(x - chance.random(), w) for x, w in a]
    b[3] = (float("-inf"), 5)
    found = estimate(TestInput(a_lists=a, b_lists=b, aggregation="word_perplexity"))
    assert found.pairs == 39
    assert found.parameters["pairs_left_out"] == 1


@pytest.mark.parametrize("aggregation", ["word_perplexity", "bits_per_byte"])
def test_a_lower_likelihood_is_a_higher_perplexity(aggregation: str) -> None:
    chance = random.Random(2)
    a = [(-20.0 - 5 * chance.random(), 5 + place % 4) for place in range(60)]
    b = [(x - 0.5 - 0.1 * chance.random(), w) for x, w in a]
    found = estimate(TestInput(a_lists=a, b_lists=b, aggregation=aggregation))
    assert found.difference is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < found.difference < found.high
    assert found.p_value is not None
    assert found.p_value < 1e-6, "far beyond all swaps"
    assert found.parameters["ratio_low"] < found.parameters["ratio"] < found.parameters["ratio_high"]


def test_a_difference_far_beyond_all_swaps_can_be_told_in_a_large_family() -> None:
    chance = random.Random(5)
    gold = [chance.randrange(2) for _ in range(400)]
    a, b = ([(g, g if chance.random() < right else 1 - g) for g in gold] for right in (0.6, 0.95))
    found = estimate(TestInput(a_lists=a, b_lists=b, aggregation="f1"))
    assert found.p_value is not None
    assert found.p_value < 1e-9
    near = estimate(TestInput(a_lists=a, b_lists=[*b[:20], *a[20:]], aggregation="f1"))
    assert near.p_value is not None
    assert near.p_value * 10_001 == pytest.approx(round(near.p_value * 10_001))
