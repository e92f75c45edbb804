"""Whether items that share something share their differences: the p-value by shuffling."""

import pytest

from diptych.stats.dependence import p_of


def test_a_dependence_that_no_shuffle_reaches_has_a_small_p_value_that_is_not_nothing() -> None:
    differences = [float(number // 4 % 2) for number in range(80)]
    assert p_of(differences, [number // 4 for number in range(80)], seed=1) == 1 / 2_000


def test_shuffles_that_come_out_as_what_was_seen_count_against_it() -> None:
    # both ones fall into one of three pairs in one shuffle of five
    assert p_of([1.0, 1.0, 0.0, 0.0, 0.0, 0.0], (0, 0, 1, 1, 2, 2), seed=1) == pytest.approx(0.2, abs=0.03)
