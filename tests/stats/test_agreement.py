"""A range and the word beside it agree: 0 lies outside only where the test at the same level rejects it."""

import pytest
from estimates import estimate
from scipy.stats import beta, binom

from diptych.stats.paired import agreeing_interval, mcnemar, one_way_bound, one_way_p, tango_interval
from diptych.stats.status import status_and_reason
from diptych.stats.test_input import TestInput


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


@pytest.mark.parametrize(("changed", "n", "share"), [(0, 300, 0.01), (1, 450, 0.01), (7, 450, 0.01), (90, 3_000, 0.02)])
def test_changes_of_one_way_have_the_binomial_law(changed: int, n: int, share: float) -> None:
    assert one_way_p(changed, n, share) == pytest.approx(binom.cdf(changed, n, share), rel=1e-10)
    assert one_way_bound(changed, n, 0.05) == pytest.approx(beta.ppf(0.95, changed + 1, n - changed), rel=1e-9)


@pytest.mark.parametrize("n", [268, 300, 450, 473, 700])
def test_equality_is_said_wrongly_at_most_one_time_in_twenty_where_all_changes_go_one_way(n: int) -> None:
    wrongly = 0.0
    for lost in range(12):
        found = estimate(TestInput(a=[1.0] * n, b=[0.0] * lost + [1.0] * (n - lost)))
        if status_and_reason(found, True)[0] == "same":
            wrongly += binom.pmf(lost, n, 0.01)
            assert (found.low_90 or 0.0) > -0.01
    assert wrongly <= 0.05
