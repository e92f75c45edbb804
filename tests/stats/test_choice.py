"""Which method is chosen is decided by what is known of two scores, and by nothing else."""

import math
import random
import subprocess
import sys
from typing import Any, get_args

import pytest
from estimates import estimate

from diptych.catalogue.methods import FLAGS, METHODS, TABLE
from diptych.closed_names import Status
from diptych.estimates import Estimate, NoiseFloor
from diptych.stats.multiple import holm
from diptych.stats.status import REASONS, status_and_reason
from diptych.stats.test_input import SharePart, TestInput


def zeros_and_ones(right: int, n: int) -> list[float]:
    return [1.0] * right + [0.0] * (n - right)


def graded(n: int, seed: int = 1, shift: float = 0.0) -> list[float]:
    chance = random.Random(seed)
    return [min(1.0, max(0.0, chance.random() + shift)) for _ in range(n)]


def moved(column: list[float], items: int, by: float = -0.1) -> list[float]:
    return [value + by * (1 + place / 100) if place < items else value for place, value in enumerate(column)]


def texts(n: int, seed: int) -> list[tuple[str, str]]:
    chance = random.Random(seed)
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "ran", "off"]
    lines = [" ".join(random.Random(place).choices(words, k=8)) for place in range(n)]
    return [(line, line if chance.random() < 0.5 else " ".join(chance.choices(words, k=7))) for line in lines]


def documents(n: int, seed: int) -> list[tuple[float, float]]:
    chance = random.Random(seed)
    return [(-20.0 - place - chance.random(), float(5 + place % 9)) for place in range(n)]


LABELS = [(place % 2, place % 3 % 2) for place in range(60)]

TABLE_OF_CHOICES: list[tuple[str, TestInput, str]] = [
    (
        "right or wrong on the same items",
        TestInput(a=zeros_and_ones(50, 100), b=zeros_and_ones(60, 100)),
        "mcnemar_midp_tango",
    ),
    ("graded, many items differ", TestInput(a=graded(50), b=graded(50, 2)), "paired_t"),
    ("graded, few items differ", TestInput(a=graded(50), b=moved(graded(50), 9)), "paired_signflip"),
    (
        "twenty groups that moved",
        TestInput(a=graded(100), b=graded(100, 2), clusters=[i // 5 for i in range(100)]),
        "paired_cluster_t",
    ),
    ("ten groups", TestInput(a=graded(50), b=graded(50, 2), clusters=[i // 5 for i in range(50)]), "cluster_signflip"),
    (
        "right or wrong in groups is no McNemar test",
        TestInput(a=zeros_and_ones(50, 100), b=zeros_and_ones(60, 100), clusters=[i // 5 for i in range(100)]),
        "cluster_signflip",
    ),
    (
        "seven groups",
        TestInput(a=graded(49), b=graded(49, 2), clusters=[i // 7 for i in range(49)]),
        "cluster_signflip",
    ),
    (
        "many groups, one of which outweighs the rest",
        TestInput(a=graded(90), b=graded(90, 2), clusters=[max(0, i - 60) for i in range(90)]),
        "cluster_signflip",
    ),
    ("five groups", TestInput(a=graded(50), b=graded(50, 2), clusters=[i // 10 for i in range(50)]), "cluster_too_few"),
    (
        "groups of one item are no groups",
        TestInput(a=graded(50), b=graded(50, 2), clusters=list(range(50))),
        "paired_t",
    ),
    (
        "subtasks of a group",
        TestInput(a=graded(50), b=graded(50, 2), strata=[i % 4 for i in range(50)]),
        "stratified_paired",
    ),
    (
        "perplexity over the same documents",
        TestInput(a_lists=documents(40, 1), b_lists=documents(40, 2), aggregation="word_perplexity"),
        "paired_ratio",
    ),
    (
        "perplexity of bare log-likelihoods",
        TestInput(a=[-x - 1 for x in graded(40)], b=[-x - 1 for x in graded(40, 2)], aggregation="perplexity"),
        "paired_ratio",
    ),
    (
        "BLEU over the same items",
        TestInput(a_lists=texts(60, 1), b_lists=texts(60, 2), aggregation="bleu"),
        "paired_bootstrap",
    ),
    ("F1 over the same items", TestInput(a_lists=LABELS, b_lists=LABELS[::-1], aggregation="f1"), "paired_bootstrap"),
    (
        "F1 of few items, no standard error",
        TestInput(a_lists=LABELS[:20], b_lists=LABELS[:20], aggregation="f1", score_a=0.5, score_b=0.6),
        "no_test",
    ),
    (
        "BLEU without texts, standard errors in the file",
        TestInput(aggregation="bleu", score_a=30.0, score_b=31.0, stderr_a=0.6, stderr_b=0.6),
        "unpaired_z",
    ),
    (
        "right or wrong on other items",
        TestInput(own_a=zeros_and_ones(5, 10), own_b=zeros_and_ones(9, 12)),
        "unpaired_newcombe",
    ),
    ("graded on other items", TestInput(own_a=graded(40), own_b=graded(50, 2)), "unpaired_welch"),
    ("graded on few other items", TestInput(own_a=graded(20), own_b=graded(50, 2)), "no_test"),
    (
        "two aggregates of zeros and ones",
        TestInput(
            score_a=0.6, score_b=0.64, stderr_a=math.sqrt(0.24 / 99), stderr_b=math.sqrt(0.2304 / 99), n_a=100, n_b=100
        ),
        "unpaired_newcombe",
    ),
    (
        "n is implied by score and standard error",
        TestInput(score_a=0.6, score_b=0.64, stderr_a=math.sqrt(0.24 / 99), stderr_b=math.sqrt(0.2304 / 99)),
        "unpaired_newcombe",
    ),
    (
        "two graded aggregates",
        TestInput(score_a=0.6, score_b=0.64, stderr_a=0.011, stderr_b=0.012, n_a=500, n_b=500),
        "unpaired_z",
    ),
    (
        "an impossible standard error beside 0/1 scores and n",
        TestInput(score_a=0.6, score_b=0.64, stderr_a=0.0, stderr_b=0.0, n_a=500, n_b=500, binary=True),
        "unpaired_z",
    ),
    (
        "few items, no standard error",
        TestInput(score_a=0.0, score_b=1.0, n_a=10, n_b=10, binary=True, stderr_a=0.0, stderr_b=0.0),
        "unpaired_newcombe",
    ),
    ("bare scores", TestInput(score_a=0.6, score_b=0.64), "no_test"),
    ("a score that is no number", TestInput(score_a=0.6, score_b=None, stderr_a=0.1), "no_test"),
    (
        "a metric that items do not make",
        TestInput(
            a=graded(50), b=graded(50, 2), aggregation="median", score_a=1.0, score_b=2.0, stderr_a=0.1, stderr_b=0.1
        ),
        "unpaired_z",
    ),
]


@pytest.mark.parametrize(
    ("given", "method"), [row[1:] for row in TABLE_OF_CHOICES], ids=[row[0] for row in TABLE_OF_CHOICES]
)
def test_the_situation_alone_chooses_the_method(given: TestInput, method: str) -> None:
    found = estimate(given)
    assert found.method == method
    assert found.method in METHODS
    assert set(found.flags) <= set(FLAGS)
    assert found.why or found.pairs is not None, "an unpaired estimate says why it is none better"
    status, reason = status_and_reason(found, True)
    assert status in get_args(Status)
    assert (reason is not None) == (status in ("unclear", "not_available"))
    for value in found:
        assert not isinstance(value, float) or math.isfinite(value)
    for value in found.parameters.values():
        assert not isinstance(value, float) or math.isfinite(value)


def test_every_kind_of_choice_is_in_the_table_of_methods() -> None:
    chosen = {method for _, _, method in TABLE_OF_CHOICES}
    assert chosen <= set(METHODS)
    assert len(METHODS) == len(TABLE)
    assert all(all(method) for method in TABLE), "each method says when, how and from where"
    assert {flag for flag, _ in REASONS} <= set(FLAGS)


def found_for(**known: Any) -> Estimate:
    return estimate(TestInput(**known))


def test_paired_zeros_and_ones_carry_every_number_of_their_test() -> None:
    a = [1.0] * 59 + [0.0] * 6 + [1.0] * 16 + [0.0] * 80
    b = [1.0] * 59 + [1.0] * 6 + [0.0] * 16 + [0.0] * 80
    found = found_for(a=a, b=b)
    assert (found.both, found.only_b, found.only_a, found.neither, found.pairs) == (59, 6, 16, 80, 161)
    assert found.p_value == pytest.approx(0.03468966484069824)
    assert found.p_exact == pytest.approx(0.052478790283203125)
    assert (found.low, found.high) == pytest.approx((-0.12402343246406815, -0.0054333957316770945))
    assert status_and_reason(found, True) == ("worse", None)
    assert status_and_reason(found, False) == ("better", None)
    assert status_and_reason(found, None)[0] == "unclear"


def test_a_difference_that_is_real_alone_is_unclear_among_many() -> None:
    found = found_for(a=zeros_and_ones(50, 100), b=zeros_and_ones(56, 100))
    assert status_and_reason(found, True)[0] == "better"
    adjusted = holm([found.p_value] * 4)
    status, reason = status_and_reason(found, True, adjusted[0])
    assert status == "unclear"
    assert reason is not None
    assert "Holm" in reason


def test_the_same_is_said_only_where_the_margin_is_ruled_out() -> None:
    small, large = zeros_and_ones(50, 100), zeros_and_ones(200, 400)
    assert status_and_reason(found_for(a=small, b=small), True)[0] == "unclear"
    assert status_and_reason(found_for(a=large, b=large), True)[0] == "same"
    assert status_and_reason(found_for(a=small, b=small, margin=0.05), True)[0] == "same"
    assert status_and_reason(found_for(a=large, b=large), True, None, 0.2)[0] == "unclear", (
        "equivalence is adjusted as well"
    )


def test_equal_graded_scores_are_bounded_by_the_share_that_could_still_change() -> None:
    few, many = graded(50), graded(400)
    assert status_and_reason(found_for(a=few, b=few), True)[0] == "unclear"
    found = found_for(a=many, b=many)
    assert found.p_value == 1.0
    assert found.low is None, "without any spread there is no t interval"
    assert "identical_scores" in found.flags
    assert status_and_reason(found, True)[0] == "same"


def test_a_constant_shift_has_an_exact_p_value_and_no_interval() -> None:
    a = [place / 8 for place in range(8)]
    found = found_for(a=a, b=[value + 0.125 for value in a])
    assert "constant_shift" in found.flags
    assert found.p_value == 2.0**-7
    assert found.low is None
    assert status_and_reason(found, True)[0] == "better"


def test_a_split_that_the_score_interval_alone_rejects_has_a_range_that_ends_at_0() -> None:
    # 21 changed items, 15 to 6: the score interval leaves out 0, mid-p does not reject
    ends = {lead: found_for(**changed(21, lead, 300)).low for lead in range(1, 22, 2)}
    (lead,) = [lead for lead, low in ends.items() if low == 0]
    found = found_for(**changed(21, lead, 300))
    assert "borderline" not in found.flags
    assert (found.p_value or 0) >= 0.05
    assert status_and_reason(found, True)[0] == "unclear"


def changed(items: int, lead: int, n: int) -> dict[str, list[float]]:
    gained, lost = (items + lead) // 2, (items - lead) // 2
    rest = [1.0] * (n - items)
    return {"a": [0.0] * gained + [1.0] * lost + rest, "b": [1.0] * gained + [0.0] * lost + rest}


def test_up_to_four_changed_items_can_show_nothing_whatever_their_split() -> None:
    for items in range(1, 5):
        found = found_for(**changed(items, items, 10_000))
        assert "too_few_changed" in found.flags
        assert status_and_reason(found, True)[0] in ("unclear", "same")
    assert "too_few_changed" not in found_for(**changed(5, 5, 10_000)).flags


def test_items_without_a_number_are_left_out_in_pairs_and_counted() -> None:
    a: list[float | None] = [1.0, None, 0.0, float("nan"), 1.0]
    b: list[float | None] = [1.0, 1.0, None, 0.0, 0.0]
    found = found_for(a=a, b=b)
    assert found.pairs == 2
    assert found.only_a == 1
    assert found.parameters["pairs_left_out"] == 3


def test_without_pairs_no_difference_is_never_the_same() -> None:
    known = {"score_a": 0.5, "score_b": 0.5, "stderr_a": 0.0005, "stderr_b": 0.0005}
    assert status_and_reason(found_for(**known), True)[0] == "unclear"
    assert status_and_reason(found_for(**known, same_items=False), True)[0] == "same"


def test_the_reason_names_the_side_without_samples() -> None:
    found = found_for(score_a=0.5, score_b=0.6, stderr_a=0.01, stderr_b=0.01, no_pairs="no samples in B")
    assert found.why == "no samples in B: unpaired, wider than need be"


def test_counts_that_no_pairing_could_make_real_are_said_to_be_so() -> None:
    error_a, error_b = math.sqrt(0.24 / 99), math.sqrt(0.2304 / 99)
    found = found_for(score_a=0.6, score_b=0.64, stderr_a=error_a, stderr_b=error_b, n_a=100, n_b=100)
    assert found.parameters["p_best_pairing"] == pytest.approx(0.0625)
    assert "no_pairing_would_do" in found.flags


def noise(spread: float, residual_error: float | None, floor: float) -> NoiseFloor:
    return NoiseFloor(3, spread, floor, None, 2.0, ("r1", "r2", "r3"), "", residual_error)


def test_a_difference_must_pass_what_a_rerun_may_move() -> None:
    columns = changed(40, 30, 600)
    assert status_and_reason(found_for(**columns), True)[0] == "better"
    assert "rerun_noise_unknown" in found_for(**columns).flags
    for floor in (noise(0.01, None, 0.06), noise(0.01, 0.001, 0.06)):
        found = found_for(**columns, noise=floor)
        assert found.difference == 0.05
        assert found.parameters["rerun_bar"] > 0.05
        assert "within_rerun_noise" in found.flags
        assert status_and_reason(found, True)[0] == "unclear"
    for floor in (noise(0.006, None, 0.04), noise(0.0, 0.0, 0.0)):
        assert status_and_reason(found_for(**columns, noise=floor), True)[0] == "better"


def test_reruns_that_move_a_score_by_more_than_the_margin_leave_no_equality() -> None:
    same = zeros_and_ones(200, 400)
    assert status_and_reason(found_for(a=same, b=same), True)[0] == "same"
    assert status_and_reason(found_for(a=same, b=same, noise=noise(0.002, None, 0.012)), True)[0] == "unclear"
    assert status_and_reason(found_for(a=same, b=same, noise=noise(0.0, 0.0, 0.0)), True)[0] == "same"


def test_a_real_difference_under_the_margin_is_negligible_and_still_named() -> None:
    found = found_for(**changed(60, 40, 20_000))
    assert "negligible" in found.flags
    assert status_and_reason(found, True)[0] == "better"


def test_a_partial_overlap_is_said() -> None:
    found = found_for(a=zeros_and_ones(20, 50), b=zeros_and_ones(30, 50), shared_of=100)
    assert "partly_shared" in found.flags
    assert found.why == "only 50 of 100 items are shared"


def test_both_weightings_of_a_group_are_kept() -> None:
    strata = [0] * 80 + [1] * 20
    a, b = [0.0] * 100, [0.0] * 60 + [1.0] * 40
    by_items, equally = found_for(a=a, b=b, strata=strata), found_for(a=a, b=b, strata=strata, weighting="equal")
    assert by_items.difference == pytest.approx(0.4)
    assert equally.difference == pytest.approx((0.25 + 1.0) / 2)
    for found in (by_items, equally):
        assert found.parameters["difference_by_items"] == pytest.approx(0.4)
        assert found.parameters["difference_equally"] == pytest.approx(0.625)


def test_common_estimates_load_no_numeric_library() -> None:
    program = """
import sys
from diptych.closed_names import Status
from diptych.stats.estimate_by_level import at_levels
from diptych.stats.test_input import TestInput
from diptych.stats.select import measure
from diptych.stats.status import status_and_reason
from diptych.stats import multiple as many
from diptych.stats import unpaired
ones, halves = [1.0, 0.0] * 300, [1.0, 0.0, 1.0, 1.0] * 150
for given in (
    TestInput(a=ones, b=halves),
    TestInput(a=[x / 3 for x in ones], b=[x / 2 for x in halves]),
    TestInput(a=ones, b=halves, clusters=[i // 5 for i in range(600)]),
    TestInput(a=ones, b=halves, strata=[i // 100 for i in range(600)]),
    TestInput(score_a=0.5, score_b=0.6, stderr_a=0.01, stderr_b=0.02),
):
    status_and_reason(at_levels(measure(given), 0.05, 0.05), True)
heavy = {"numpy", "scipy", "dataclasses", "statistics", "hashlib"} & set(sys.modules)
sys.exit(f"loaded {heavy}" if heavy else 0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_group_of_reported_scores_is_no_surer_than_its_subtasks_that_were_all_right() -> None:
    parts = (SharePart(34 / 64, 33, 34, 33, 34), SharePart(30 / 64, 30, 30, 30, 30))
    given = {"score_a": 63 / 64, "score_b": 63 / 64, "stderr_a": 0.0156, "stderr_b": 0.0156}
    alone, whole = found_for(**given), found_for(**given, parts=parts)
    assert alone.high == pytest.approx(0.0432, abs=1e-3)
    # Wilson limits by hand: 33 of 34 reach 0.1225, 30 of 30 reach 0.1135
    assert whole.high == pytest.approx(math.hypot(0.1225 * 34, 0.1135 * 30) / 64, abs=1e-3)
    sure = found_for(score_a=1.0, score_b=1.0, stderr_a=0.0, stderr_b=0.0, parts=(SharePart(1.0, 30, 30, 30, 30),))
    assert (sure.p_value, sure.high) == (1.0, pytest.approx(0.1135, abs=1e-3))


def test_a_group_in_which_no_item_changed_has_a_range_all_the_same() -> None:
    right = [1.0] * 60
    found = found_for(a=right, b=right, strata=[0] * 30 + [1] * 30)
    assert found.high == pytest.approx(0.1135 / math.sqrt(2), abs=1e-3)
    assert found.low == -(found.high or 0)


@pytest.mark.parametrize("groups", [None, [i // 2 for i in range(60)], [min(i, 40) for i in range(60)]])
@pytest.mark.parametrize("to", [0.0, 0.5])
def test_a_fall_of_every_item_by_as_much_is_worse_and_no_range_holds_0(groups: list[int] | None, to: float) -> None:
    found = estimate(TestInput(a=[1.0] * 60, b=[to] * 60, clusters=groups))
    assert found.p_value is not None
    assert found.p_value < 0.001
    assert found.low is None or (found.high is not None and found.low <= to - 1.0 <= found.high < 0)
    assert status_and_reason(found, higher_is_better=True)[0] == "worse"


@pytest.mark.parametrize(
    ("a", "b", "error"),
    [
        (0.6, 0.64, math.sqrt((0.24 + 0.2304) / 500)),  # 300 and 320 of 500 are right: the file's error is not theirs
        (0.6013, 0.6413, math.sqrt(0.02)),  # no whole number is right: the scores are made in another way
    ],
)
def test_an_error_that_right_and_wrong_cannot_have_is_worked_out_where_a_whole_number_is_right(
    a: float, b: float, error: float
) -> None:
    given = TestInput(score_a=a, score_b=b, stderr_a=0.1, stderr_b=0.1, n_a=500, n_b=500, binary=True)
    found = estimate(given)
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error, rel=0.02)
