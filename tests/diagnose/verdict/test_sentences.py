"""Numbers in sentences are rounded by one rule: signed points, chances that are never zero, sizes rounded up."""

import pytest

from diptych.diagnose.scores.sentences import metric_sentence, noise_sentence
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.score_sentences import equivalent
from diptych.diagnose.verdict.scored_row import scored
from diptych.estimates import Estimate, MetricComparison
from diptych.numbers import counted, listed, odds, p_text, size
from diptych.value_text import metric_name


@pytest.mark.parametrize(
    ("p", "text", "luck"),
    [
        (4e-05, "p < 0.001", "less than 1 time in 1,000"),
        (0.0315, "p = 0.032", "about 1 time in 30"),
        (0.0496, "p = 0.0496", "about 1 time in 20"),
        (0.35, "p = 0.35", "about 1 time in 3"),
        (0.7, "p = 0.7", "more often than not"),
    ],
)
def test_a_chance_is_told_twice_and_is_never_zero(p: float, text: str, luck: str) -> None:
    assert (p_text(p), odds(p)) == (text, luck)


def test_what_a_benchmark_can_see_is_rounded_up() -> None:
    assert size(0.06861, up=True) == "6.9"
    assert size(0.0686) == "6.9"
    assert size(0.0021, up=True) == "0.21"


def test_counts_and_names_read_as_phrases() -> None:
    assert (counted(1, "item"), counted(1_200, "item")) == ("1 item", "1,200 items")
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"


def row(status: str, estimate: Estimate | None, **fields: object) -> MetricComparison:
    return MetricComparison("t", "acc", "none", True, 0.5, 0.5, 0.1, status, None, estimate=estimate, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("a", "b", "unit", "higher", "points"),
    [
        (0.0, 1.0, "", True, True),
        (0.4, 1.1, "", True, False),
        (-0.1, 0.4, "", True, False),
        (0.4, 0.5, "", False, False),
        (44.0, 51.0, "fraction", True, True),
        (None, 0.5, "", True, False),
    ],
    ids=["shares", "above 1", "below 0", "less is better", "shares of the items", "one score not known"],
)
def test_a_difference_is_told_in_points_only_where_both_scores_are_shares_and_more_is_better(
    a: float | None, b: float, unit: str, higher: bool, points: bool
) -> None:
    made = row("unclear", None)._replace(a=a, b=b, unit=unit, higher_is_better=higher)
    assert made.in_points is points


def test_a_real_difference_is_told_with_size_range_items_and_chance() -> None:
    found = Estimate(
        "mcnemar_midp_tango", 0.95, 0.00634, 0.00056, 0.01212, 0.0315, only_a=812, only_b=901, pairs=14_042
    )
    assert metric_sentence(row("better", found)) == (
        "B is better than A: +0.63 pp (95 % CI +0.06 to +1.2); 812 regressed and 901 fixed of 14,042 items. "
        "By luck alone a gap this large would appear about 1 time in 30 (p = 0.032)."
    )


def test_cannot_tell_gives_what_fits_and_what_could_have_been_seen() -> None:
    found = Estimate(
        "mcnemar_midp_tango",
        0.95,
        0.006,
        -0.012,
        0.024,
        0.5,
        pairs=164,
        detectable=0.0687,
        parameters={"changed_share": 0.1},
    )
    assert metric_sentence(row("unclear", found)) == (
        "Inconclusive: B scored +0.60 pp against A (95 % CI −1.2 to +2.4); over 164 items. "
        "Minimum detectable effect with 164 items: 6.9 pp at 80 % power (the two runs disagree "
        "on 10.0 % of items); a smaller true difference would be missed more than 1 time in 5."
    )


def test_an_adjusted_range_names_its_level_and_both_p_values() -> None:
    found = Estimate("paired_t", 0.98333, -0.1, -0.19, -0.01, 0.008, p_adjusted=0.024, pairs=150)
    text = metric_sentence(row("worse", found, family_tests=3))
    assert text.startswith("B is worse than A: −10.0 pp (98.3 % CI −19.0 to −1.0, Holm over 3 tests); over 150")
    assert "(Holm-adjusted p = 0.024; alone p = 0.008)" in text


def test_a_difference_that_is_real_and_inside_the_margin_is_told_as_such() -> None:
    found = Estimate("paired_t", 0.95, 0.004, 0.001, 0.007, 0.01, margin=0.01, flags=("negligible",))
    assert "significant, but within the margin of 1.0 pp" in metric_sentence(row("better", found))


def test_the_same_is_told_only_with_its_margin_and_interval() -> None:
    found = Estimate("mcnemar_midp_tango", 0.95, 0.001, low_90=-0.004, high_90=0.007, margin=0.01, pairs=9_000)
    text = metric_sentence(row("same", found))
    assert text == (
        "A and B are equivalent within 1.0 pp: B − A is between −0.40 and +0.70 pp (90 % CI); over 9,000 items."
    )


@pytest.mark.parametrize("status", ["better", "worse", "same", "unclear", "not_available"])
def test_no_sentence_says_that_there_is_no_difference(status: str) -> None:
    found = Estimate("paired_t", 0.95, 0.0, -0.1, 0.1, 0.9, low_90=-0.1, high_90=0.1, margin=0.01)
    text = metric_sentence(row(status, None if status == "not_available" else found)).lower()
    assert "identical" not in text
    assert "no difference between" not in text


def test_one_repeat_tells_nothing_and_three_tell_a_floor() -> None:
    assert noise_sentence(1, None, None, None) == "One run tells nothing about what a rerun may move."
    assert noise_sentence(3, 0.02788, 4, None) == (
        "Two runs of the same configuration can differ by up to 2.8 pp (95 %, from 3 repeated runs); a gap below "
        "that is not evidence of a change. 4 items changed between them."
    )


def test_a_metric_names_its_filter_only_where_there_is_one() -> None:
    assert metric_name("exact_match", "strict-match") == "exact_match (strict-match)"
    assert metric_name("acc", "none") == metric_name("acc", "") == "acc"


def test_a_significant_difference_inside_the_margin_says_so_in_the_verdict() -> None:
    found = Estimate("paired_t", 0.95, -0.006, -0.008, -0.004, 0.001, pairs=9000, margin=0.01, flags=("negligible",))
    assert scored(row("worse", found)).endswith("on 9,000 items, within the margin of ±1.0 pp")
    assert "within the margin" not in scored(row("worse", found._replace(flags=())))


def test_equality_of_a_group_is_said_to_be_one_of_its_mean() -> None:
    found = Estimate("stratified_paired", 0.96, 0.001, -0.002, 0.004, 0.5, low_90=-0.003, high_90=0.004, margin=0.01)
    whole = row("same", found)._replace(group=True, subtasks=("law", "art"))
    assert "the mean over its subtasks)" in equivalent([whole], Labels("one", "two"))
    assert "of the mean over its subtasks, not of each" in metric_sentence(whole)


@pytest.mark.parametrize(
    ("clusters", "said"), [(24, "1 fixed of 240 in 24 clusters"), (240, "1 fixed of 240"), (None, "1 fixed of 240")]
)
def test_items_that_count_by_cluster_are_told_with_the_number_of_clusters(clusters: int | None, said: str) -> None:
    found = Estimate(
        "cluster_signflip", 0.95, -0.088, -0.258, 0.086, 0.16, only_a=24, only_b=1, pairs=240, clusters=clusters
    )
    assert scored(row("unclear", found)).endswith(said)
