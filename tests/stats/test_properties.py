"""What must hold for any data: mirrors, additions that change nothing, and orders that do not matter."""

import math
import random
from collections.abc import Callable

import numpy
import pytest
from estimates import estimate

from diptych.estimates import Estimate
from diptych.stats import clusters, graded, paired, power, rerun_noise, resampling
from diptych.stats import cost as tradeoffs
from diptych.stats import judge as agreement
from diptych.stats import multiple as many
from diptych.stats.test_input import TestInput

SEEDS = range(12)


def binary(chance: random.Random, n: int) -> TestInput:
    a = [float(chance.random() < 0.6) for _ in range(n)]
    return TestInput(a=a, b=[x if chance.random() < 0.8 else 1.0 - x for x in a])


def real(chance: random.Random, n: int) -> TestInput:
    a = [chance.gauss(0.5, 0.2) for _ in range(n)]
    return TestInput(a=a, b=[x + chance.gauss(0.02, 0.1) for x in a])


def few(chance: random.Random, n: int) -> TestInput:
    whole = real(chance, n)
    assert whole.a is not None
    assert whole.b is not None
    return whole._replace(b=[y if place < 9 else x for place, (x, y) in enumerate(zip(whole.a, whole.b, strict=True))])


def grouped(chance: random.Random, n: int) -> TestInput:
    return real(chance, n)._replace(clusters=[chance.randrange(14) for _ in range(n)])


def few_groups(chance: random.Random, n: int) -> TestInput:
    return binary(chance, n)._replace(clusters=[place % 8 for place in range(n)])


def layered(chance: random.Random, n: int) -> TestInput:
    return binary(chance, n)._replace(strata=[chance.randrange(5) for _ in range(n)], weighting="equal")


def apart(chance: random.Random, n: int) -> TestInput:
    return TestInput(
        own_a=[float(chance.random() < 0.4) for _ in range(n)],
        own_b=[float(chance.random() < 0.5) for _ in range(n + 9)],
    )


def apart_graded(chance: random.Random, n: int) -> TestInput:
    return TestInput(own_a=[chance.random() for _ in range(n)], own_b=[chance.random() for _ in range(n + 9)])


def aggregates(chance: random.Random, n: int) -> TestInput:
    return TestInput(score_a=chance.random(), score_b=chance.random(), stderr_a=0.02, stderr_b=0.03)


def documents(chance: random.Random, n: int) -> TestInput:
    weights = [float(chance.randrange(3, 40)) for _ in range(n)]
    sides = [[(-w * (2 + chance.random()), w) for w in weights] for _ in range(2)]
    return TestInput(a_lists=sides[0], b_lists=sides[1], aggregation="word_perplexity")


def classes(chance: random.Random, n: int) -> TestInput:
    gold = [chance.randrange(3) for _ in range(n)]
    sides = [[(g, g if chance.random() < 0.7 else chance.randrange(3)) for g in gold] for _ in range(2)]
    return TestInput(a_lists=sides[0], b_lists=sides[1], aggregation="mcc", key="t|mcc|none")


KINDS: list[Callable[[random.Random, int], TestInput]] = [
    binary,
    real,
    few,
    grouped,
    few_groups,
    layered,
    apart,
    apart_graded,
    aggregates,
    documents,
    classes,
]


def swapped(given: TestInput) -> TestInput:
    return given._replace(
        a=given.b,
        b=given.a,
        a_lists=given.b_lists,
        b_lists=given.a_lists,
        own_a=given.own_b,
        own_b=given.own_a,
        score_a=given.score_b,
        score_b=given.score_a,
        stderr_a=given.stderr_b,
        stderr_b=given.stderr_a,
    )


def near(one: float | None, other: float | None) -> bool:
    """Tell whether two values are both not available or the same but for rounding."""
    return one is other if one is None or other is None else math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-15)


def number(value: float | None) -> float:
    assert value is not None
    return value


@pytest.mark.parametrize("kind", KINDS, ids=[kind.__name__ for kind in KINDS])
@pytest.mark.parametrize("seed", SEEDS)
def test_swapping_the_sides_mirrors_the_result(kind: Callable[[random.Random, int], TestInput], seed: int) -> None:
    given = kind(random.Random(seed), 80)
    there, back = estimate(given), estimate(swapped(given))
    assert there.method == back.method
    assert there.flags == back.flags
    assert number(there.difference) == pytest.approx(-number(back.difference), rel=1e-12, abs=1e-15)
    assert number(there.low) == pytest.approx(-number(back.high), rel=1e-9)
    assert number(there.high) == pytest.approx(-number(back.low), rel=1e-9)
    assert (there.low_90 is None) == (back.high_90 is None)
    assert there.low_90 is None or there.low_90 == pytest.approx(-number(back.high_90), rel=1e-6)
    assert near(there.p_value, back.p_value)
    assert near(there.p_equivalence, back.p_equivalence)
    assert (there.only_a, there.only_b) == (back.only_b, back.only_a)
    assert near(there.detectable, back.detectable)
    assert there.needed == back.needed


def shuffled(given: TestInput, chance: random.Random) -> TestInput:
    n = len(given.a or given.a_lists or ())
    order = list(range(n))
    chance.shuffle(order)

    def in_order(column: list | None) -> list | None:  # type: ignore[type-arg]
        return None if column is None else [column[place] for place in order]

    return given._replace(
        **{name: in_order(getattr(given, name)) for name in ("a", "b", "a_lists", "b_lists", "clusters", "strata")}
    )


PAIRED = [kind for kind in KINDS if kind not in (apart, apart_graded, aggregates)]


@pytest.mark.parametrize("kind", PAIRED, ids=[kind.__name__ for kind in PAIRED])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_rows_moves_no_digit(kind: Callable[[random.Random, int], TestInput], seed: int) -> None:
    chance = random.Random(seed)
    given = kind(chance, 80)
    there, back = estimate(given), estimate(shuffled(given, chance))
    assert there == back


@pytest.mark.parametrize("seed", SEEDS)
def test_an_item_that_scores_alike_on_both_sides_leaves_mcnemar(seed: int) -> None:
    given = binary(random.Random(seed), 60)
    before = estimate(given)
    for score in (0.0, 1.0):
        after = estimate(given._replace(a=[*(given.a or ()), score], b=[*(given.b or ()), score]))
        assert (after.p_value, after.p_exact) == (before.p_value, before.p_exact)
        assert (after.only_a, after.only_b) == (before.only_a, before.only_b)
        assert abs(number(after.difference)) <= abs(number(before.difference))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_shift_on_both_sides_moves_nothing(seed: int) -> None:
    chance = random.Random(seed)
    a = [chance.randrange(64) / 64 for _ in range(60)]
    b = [chance.randrange(64) / 64 for _ in range(60)]
    here, there = estimate(TestInput(a=a, b=b)), estimate(TestInput(a=[x + 4 for x in a], b=[y + 4 for y in b]))
    assert here == there


@pytest.mark.parametrize("seed", SEEDS)
def test_the_interval_and_the_test_agree(seed: int) -> None:
    chance = random.Random(seed)
    gained, lost, rest = (chance.randrange(40) for _ in range(3))
    n = gained + lost + rest + 1
    low, high = paired.tango_interval(gained, lost, n, 0.95)
    assert (paired.mcnemar(gained, lost).asymptotic < 0.05) == (not low <= 0 <= high)
    if paired.mcnemar(gained, lost).mid < 0.05:
        assert not low <= 0 <= high
    inside = paired.tango_equivalence(gained, lost, n, 0.1).p < 0.05
    low_90, high_90 = paired.tango_interval(gained, lost, n, 0.90)
    assert inside == (low_90 > -0.1 and high_90 < 0.1)


@pytest.mark.parametrize("changed", [1, 7, 60, 999, 1_001, 14_001, 60_001])
def test_the_float_series_is_the_exact_binomial(changed: int) -> None:
    for few_lost in {0, changed // 3, changed // 2 - changed // 40, changed // 2}:
        test = paired.mcnemar(changed - few_lost, few_lost)
        if changed <= 1_001:
            exact = 2 * sum(math.comb(changed, k) for k in range(few_lost + 1)) / 2**changed
            assert test.exact == pytest.approx(min(1.0, exact), rel=1e-12)
        assert 0 <= test.mid <= test.exact <= 1
        assert test.mid == pytest.approx(test.asymptotic, rel=0.05, abs=0.01) or changed < 60 or test.mid < 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_sign_flips_agree_however_they_are_counted(seed: int) -> None:
    chance = random.Random(seed)
    whole = [chance.randrange(-4, 5) for _ in range(14)]
    counted, changed = graded.signflip(whole)
    assert graded.lattice_signflip(whole) == pytest.approx(counted, rel=1e-12)
    assert changed == sum(value != 0 for value in whole)
    sampled = graded.signflip_sampled(whole, seed)
    assert abs(sampled - counted) <= 0.02
    assert graded.lattice([value / 4 for value in whole]) is not None


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_of_one_item_have_the_plain_error(seed: int) -> None:
    values = [random.Random(seed + place).gauss(0, 1) for place in range(30)]
    found = clusters.cluster_error(values, list(range(30)))
    assert found.cr1 == pytest.approx(found.plain, rel=1e-12)
    assert found.effective == pytest.approx(30)


@pytest.mark.parametrize("seed", SEEDS)
def test_repeating_every_item_adds_no_evidence(seed: int) -> None:
    given = real(random.Random(seed), 40)
    once = estimate(given._replace(clusters=list(range(40))))
    thrice = estimate(
        given._replace(a=list(given.a or ()) * 3, b=list(given.b or ()) * 3, clusters=list(range(40)) * 3)
    )
    assert number(thrice.standard_error) == pytest.approx(number(once.standard_error), rel=1e-9)
    assert number(thrice.p_value) == pytest.approx(number(once.p_value), rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_adjusted_p_values_keep_order_and_never_shrink(seed: int) -> None:
    chance = random.Random(seed)
    p_values = [None if chance.random() < 0.2 else chance.random() ** 3 for _ in range(15)]
    adjusted = many.holm(p_values)
    assert [x is None for x in adjusted] == [x is None for x in p_values]
    known = sorted((p, q) for p, q in zip(p_values, adjusted, strict=True) if p is not None and q is not None)
    assert all(p <= q <= 1 for p, q in known)
    assert [q for _, q in known] == sorted(q for _, q in known)


@pytest.mark.parametrize("seed", range(40))
def test_runs_share_a_letter_exactly_where_they_are_not_apart(seed: int) -> None:
    chance = random.Random(seed)
    count = chance.randrange(1, 9)
    apart = [(i, j) for i in range(count) for j in range(i) if chance.random() < 0.4]
    names = many.letters(count, apart)
    for i in range(count):
        assert names[i], "every run has a letter"
        for j in range(i):
            together = bool(set(names[i]) & set(names[j]))
            assert together == ((i, j) not in apart)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_detectable_needs_as_many_items_as_there_are(seed: int) -> None:
    chance = random.Random(seed)
    share, n = chance.uniform(0.05, 0.5), chance.randrange(100, 5_000)
    seen = number(power.detectable_share(share, n))
    assert power.needed_for_shares(share, seen) == pytest.approx(n, rel=1e-9)
    best = number(power.detectable_share_at_best(n))
    assert best <= seen


@pytest.mark.parametrize("seed", SEEDS)
def test_drawing_counts_has_the_law_of_drawing_rows(seed: int) -> None:
    chance = random.Random(seed)
    differences = [float(chance.randrange(-1, 2)) for _ in range(200)]
    by_counts = mean_range(differences, seed)
    drawn = numpy.random.RandomState(seed).randint(0, len(differences), size=(4_000, len(differences)))
    by_rows = resampling.percentile_interval(numpy.asarray(differences)[drawn].mean(axis=1), 0.95)
    assert by_counts == pytest.approx(by_rows, abs=0.02)
    chance.shuffle(differences)
    assert mean_range(differences, seed) == by_counts


def mean_range(differences: list[float], seed: int) -> tuple[float, float]:
    rows = numpy.asarray(differences)[:, None]
    found = resampling.bootstrap_sums(rows, lambda sums: sums[:, 0] / len(differences), seed, 0.95, 4_000)
    return found.low, found.high


@pytest.mark.parametrize("seed", SEEDS)
def test_run_and_item_parts_add_up_to_what_the_runs_show(seed: int) -> None:
    chance = random.Random(seed)
    runs = [[float(chance.random() < 0.7) for _ in range(40)] for _ in range(4)]
    parts = rerun_noise.run_item_parts(runs)
    summed = 3 * parts.ms_run + 39 * parts.ms_item + 117 * parts.ms_error
    values = [value for run in runs for value in run]
    mean = sum(values) / 160
    assert summed == pytest.approx(sum((value - mean) ** 2 for value in values))
    assert min(parts.run, parts.item, parts.residual) >= 0


def test_runs_that_do_not_vary_have_a_bound_and_not_a_promise() -> None:
    runs = [[1.0, 0.0, 1.0, 1.0]] * 3
    found = rerun_noise.summarize_repeats([0.75] * 3, runs)
    assert (found.floor, found.sigma_run, found.changed_items, found.comparisons) == (0.0, 0.0, 0, 8)
    assert number(found.changed_bound) == pytest.approx(1 - 0.05 ** (1 / 8))


def test_a_judge_that_follows_the_place_is_not_usable() -> None:
    assert agreement.audit([(-1, 1)] * 60).gate == "unusable"
    assert agreement.audit([(-1, 1)] * 60).win_rate == 0.5


@pytest.mark.parametrize("seed", SEEDS)
def test_swapping_the_students_mirrors_the_judge(seed: int) -> None:
    chance = random.Random(seed)
    verdicts = [(chance.choice((-1, 0, 1, 1)), chance.choice((-1, 0, 1, 1, None))) for _ in range(50)]
    # the call that showed A first now shows the other one first, so the calls swap places as well
    other = [(None if second is None else -second, None if first is None else -first) for first, second in verdicts]
    here, there = agreement.audit(verdicts), agreement.audit(other)
    assert number(here.win_rate) == pytest.approx(1 - number(there.win_rate))
    assert (here.both_a, here.half_a, here.flips) == (there.both_b, there.half_b, there.flips)
    assert (here.first_slot, here.second_slot) == (there.first_slot, there.second_slot)
    assert here.p_value == pytest.approx(there.p_value)
    assert here.gate == there.gate
    assert here.invalid == there.invalid == sum(second is None for _, second in verdicts)


@pytest.mark.parametrize("seed", SEEDS)
def test_nobody_on_the_front_is_dominated(seed: int) -> None:
    chance = random.Random(seed)
    routes: dict[str, tuple[float | None, float | None]] = {
        f"r{place}": (None if chance.random() < 0.1 else chance.randrange(20), chance.randrange(20))
        for place in range(8)
    }
    found = tradeoffs.place_routes(routes)
    assert set(found.front) | set(found.dominated) | set(found.not_placed) == set(routes)
    assert not set(found.front) & set(found.dominated)
    prices = [price for _, _, price in found.steps]
    assert prices == sorted(prices)


def test_an_estimate_never_holds_a_number_that_json_cannot() -> None:
    for kind in KINDS:
        for n in (1, 2, 3, 31, 60):
            found: Estimate = estimate(kind(random.Random(n), n))
            numbers = [value for value in (*found, *found.parameters.values()) if isinstance(value, float)]
            assert all(math.isfinite(value) for value in numbers), kind.__name__
