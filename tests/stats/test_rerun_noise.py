"""Reruns: what a difference must pass beside its test, and whether items or repeats are the cheaper way on."""

import pytest

from diptych.estimates import NoiseFloor
from diptych.stats.rerun_noise import items_or_repeats, rerun_bar, summarize_repeats


def floor(spread: float, k: int, residual_error: float = 0.0) -> NoiseFloor:
    return NoiseFloor(k, spread, None, None, k - 1.0, (), "", residual_error)


def test_without_any_spread_the_items_part_alone_is_left() -> None:
    assert rerun_bar(0.02, floor(0.0, 3)) == pytest.approx(1.959964 * 0.02, rel=1e-6)


def test_few_repeats_leave_a_higher_bar_and_luck_of_answers_is_not_counted_twice() -> None:
    bars = [rerun_bar(0.02, floor(0.01, k)) for k in (2, 3, 5, 10)]
    assert bars == sorted(bars, reverse=True)
    assert rerun_bar(0.02, floor(0.01, 5, 0.01)) < rerun_bar(0.02, floor(0.01, 5))


def test_the_luck_of_both_runs_answers_is_taken_out_of_the_items_part() -> None:
    assert rerun_bar(0.03, floor(0.0, 3, 0.02)) == pytest.approx(1.959964 * 0.01), "0.03^2 - 2 * 0.02^2 = 0.01^2"


def test_more_items_help_where_items_vary_and_repeats_where_runs_do() -> None:
    assert items_or_repeats(0.2, 0.0, 0.0, 100).items == pytest.approx(4.0)
    assert items_or_repeats(0.2, 0.0, 0.0, 100).repeats is None
    assert items_or_repeats(0.001, 0.0, 0.001, 100).cheaper == "repeats"
    assert items_or_repeats(0.2, 0.01, 0.0, 100).cheaper == "items"
    assert items_or_repeats(0.2, 0.0, 0.002, 100).cheaper is None


def test_scores_that_come_out_equal_by_luck_are_no_floor_of_nought() -> None:
    one, other = [1.0] * 50 + [0.0] * 50, [1.0] * 40 + [0.0] * 50 + [1.0] * 10
    made = summarize_repeats([0.5, 0.5], [one, other])
    assert made.changed_items == 20
    assert made.spread == pytest.approx(made.residual_error)
    assert made.floor == pytest.approx(0.0892, abs=1e-3), "1.98 times the root of 20 items in 100 that changed"
    assert summarize_repeats([0.5, 0.5], [one, one]).floor == 0.0
