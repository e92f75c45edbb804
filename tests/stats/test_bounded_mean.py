"""A mean of bounded scores: rare large falls do not pass for equality, and zeros and ones get the exact bound."""

import math
import random

import pytest
from estimates import estimate

from diptych.stats.bounded_mean import AnyLaw, gamma_tail, p_at_most
from diptych.stats.test_input import TestInput


@pytest.mark.parametrize(("n", "lost"), [(299, 0), (500, 1), (1_000, 3), (2_000, 10)])
def test_zeros_and_ones_get_clopper_and_pearsons_p_value(n: int, lost: int) -> None:
    exact = math.fsum(math.comb(n, k) * 0.01**k * 0.99 ** (n - k) for k in range(lost + 1))
    assert p_at_most({-1.0: lost, 0.0: n - lost}, -0.01, -1.0) == pytest.approx(exact, rel=0.02)


def test_at_the_mean_the_skewness_says_how_far_from_a_half_the_chance_is() -> None:
    exact = 1 - (1 / 1.5) ** 2  # P(2 X <= Y) for X ~ Gamma(1), Y ~ Gamma(2)
    assert gamma_tail([(2.0, 1.0), (-1.0, 2.0)]) == pytest.approx(exact, abs=0.002)


def test_swapping_the_sides_mirrors_the_range() -> None:
    chance = random.Random(2)
    values = [chance.choice((0.0, 0.0, 0.1, -0.3, 0.7)) for _ in range(90)]
    low, high = AnyLaw(values, 1.0).limits(0.9)
    mirrored = AnyLaw([-value for value in values], 1.0).limits(0.9)
    assert (low, high) == pytest.approx((-(mirrored[1] or 0), -(mirrored[0] or 0)), abs=1e-6)


@pytest.mark.parametrize("n", [10, 34, 150])
def test_few_graded_items_never_make_two_runs_the_same(n: int) -> None:
    chance = random.Random(n)
    a = [chance.random() for _ in range(n)]
    b = [min(1.0, max(0.0, x + chance.gauss(0, 0.002))) for x in a]
    found = estimate(TestInput(a=a, b=b))
    assert found.p_equivalence is not None
    assert found.p_equivalence > 0.05, (
        "one item in a hundred may fall by all of its score, and would not be among these"
    )


def test_many_graded_items_do() -> None:
    chance = random.Random(1)
    a = [chance.random() for _ in range(600)]
    b = [min(1.0, max(0.0, x + chance.gauss(0, 0.002))) for x in a]
    found = estimate(TestInput(a=a, b=b))
    assert found.p_equivalence is not None
    assert found.p_equivalence < 0.05
    assert found.low_90 is not None
    assert found.low_90 > -0.01
