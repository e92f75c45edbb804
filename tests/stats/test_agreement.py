"""A range and the word beside it agree: 0 lies outside only where the test at the same level rejects it."""

import pytest

from diptych.stats.paired import agreeing_interval, mcnemar, tango_interval


@pytest.mark.parametrize("level", [0.90, 0.95, 0.975, 0.99])
def test_a_range_leaves_out_0_only_where_the_test_at_its_level_rejects_it(level: float) -> None:
    alpha, widened = round(1 - level, 12), 0
    for changed in range(1, 61):
        for lost in range(changed + 1):
            low, high = agreeing_interval(changed - lost, lost, 200, level)
            plain = tango_interval(changed - lost, lost, 200, level)
            apart, rejected = not low <= 0 <= high, mcnemar(changed - lost, lost).mid < alpha
            # beyond 95 % the score test is the more careful one here and there: a word needs both
            assert apart == rejected if level <= 0.95 else apart <= rejected
            assert low <= plain[0]
            assert plain[1] <= high
            widened += (low, high) != plain
    assert (widened > 0) == (level <= 0.95)


def test_four_gained_and_none_lost_reach_down_to_0_and_no_further() -> None:
    assert tango_interval(4, 0, 40, 0.95)[0] > 0
    assert agreeing_interval(4, 0, 40, 0.95) == (0.0, tango_interval(4, 0, 40, 0.95)[1])
