"""Whether items that share something share their differences: the p-value by shuffling."""

import random
import statistics
from itertools import permutations

import pytest

from diptych.stats.dependence import (
    SHUFFLES,
    centre,
    chance_at_most,
    dependence_p,
    moments,
    shared_products,
    shuffled_p,
)


def test_a_dependence_that_no_shuffle_reaches_has_a_small_p_value_that_is_not_nothing() -> None:
    differences = [float(number // 4 % 2) for number in range(80)]
    assert dependence_p(differences, [number // 4 for number in range(80)], seed=1) == 1 / 2_000


def test_shuffles_that_come_out_as_what_was_seen_count_against_it() -> None:
    # both ones fall into one of three pairs in one shuffle of five
    assert dependence_p([1.0, 1.0, 0.0, 0.0, 0.0, 0.0], (0, 0, 1, 1, 2, 2), seed=1) == pytest.approx(0.2, abs=0.03)


@pytest.mark.parametrize("groups", [(0, 0, 1, 1, 2, 2, 2), (0, 0, 0, 0, 1, 2, 3), (0, 1, 2, 3, 4, 5, 5)])
def test_mean_and_variance_over_all_shuffles_are_those_of_every_order(groups: tuple[int, ...]) -> None:
    values = centre([0.0, 1.0, 1.0, 0.25, 7.0, -2.0, 0.5])
    sums = [shared_products(order, groups) for order in permutations(values)]
    assert moments(values, groups) == pytest.approx((statistics.fmean(sums), statistics.pvariance(sums)))


@pytest.mark.parametrize("seed", range(8))
def test_where_nothing_is_shuffled_shuffles_say_the_same(seed: int) -> None:
    chance, told = random.Random(seed), 0
    for size in (60, 300, 3_000):
        for share in (0.0, 0.5, 0.9, 1.0):
            groups = [chance.randrange(size // 4) for _ in range(size)]
            of_group = [chance.choice((0.0, 1.0)) for _ in range(size)]
            differences = [of_group[group] if chance.random() < share else chance.random() for group in groups]
            centred = centre(differences)
            observed = shared_products(centred, groups)
            if chance_at_most(observed, centred, groups) <= 1 / (1 + SHUFFLES):
                told += 1
                assert shuffled_p(observed, centred, groups, seed) == dependence_p(differences, groups, seed)
                assert dependence_p(differences, groups, seed) == 1 / (1 + SHUFFLES)
    assert told
