"""Where scipy, statsmodels or krippendorff have a method, random data give the same numbers as ours."""

import math
import random

import krippendorff
import numpy
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats import inter_rater, multitest, proportion, weightstats
from statsmodels.stats.contingency_tables import mcnemar

from diptych.stats import (
    clusters,
    distributions,
    effects,
    graded,
    judge,
    multiple,
    paired,
    rerun_noise,
    unpaired,
)

SEEDS = range(15)


@pytest.mark.parametrize("seed", SEEDS)
def test_exact_and_asymptotic_mcnemar_are_statsmodels(seed: int) -> None:
    chance = random.Random(seed)
    gained, lost = chance.randrange(1, 60 * (1 + seed)), chance.randrange(1, 60 * (1 + seed))
    ours = paired.mcnemar(gained, lost)
    assert ours.exact == pytest.approx(mcnemar([[5, gained], [lost, 5]], exact=True).pvalue, rel=1e-9)
    assert ours.asymptotic == pytest.approx(
        mcnemar([[5, gained], [lost, 5]], exact=False, correction=False).pvalue, rel=1e-9
    )


@pytest.mark.parametrize("changed", [3, 400, 1_001, 1_713, 14_000, 60_001])
def test_the_exact_test_keeps_its_digits_for_any_number_of_changed_items(changed: int) -> None:
    for lost in {0, 1, changed // 5, changed * 2 // 5, changed * 48 // 100}:
        want = stats.binomtest(lost, changed, 0.5).pvalue
        assert paired.mcnemar(changed - lost, lost).exact == pytest.approx(want, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("seed", SEEDS)
def test_wilson_and_newcombe_are_statsmodels(seed: int) -> None:
    chance = random.Random(seed)
    n_a, n_b = chance.randrange(5, 300), chance.randrange(5, 300)
    x_a, x_b = chance.randrange(n_a + 1), chance.randrange(n_b + 1)
    want = proportion.proportion_confint(x_a, n_a, method="wilson")
    assert paired.wilson(x_a, n_a, 0.95) == pytest.approx(want, rel=1e-9, abs=1e-12)
    low, high = proportion.confint_proportions_2indep(x_b, n_b, x_a, n_a, method="newcomb", compare="diff")
    assert unpaired.newcombe(x_a, n_a, x_b, n_b, 0.95) == pytest.approx((low, high), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_student_is_scipys(seed: int) -> None:
    chance = random.Random(seed)
    for df in (1.0, 2.0, 4.7, 30.0, 119.0, 121.0, 14_041.0, 3e6, chance.uniform(1, 900)):
        t = chance.choice((0.01, 0.5, 2.0, 7.0, 25.0))
        assert distributions.student_two_sided(t, df) == pytest.approx(2 * stats.t.sf(t, df), rel=1e-9)
        p = chance.choice((0.6, 0.9, 0.95, 0.975, 0.9999))
        # the oldest scipy that we allow is itself right to eight digits here
        assert distributions.student_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-8)
        assert distributions.student_quantile(1 - p, df) == pytest.approx(-distributions.student_quantile(p, df))
    p = chance.choice((1e-12, 1e-5, 0.3, 0.5, 0.8, 0.999))
    assert distributions.normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_paired_t_equivalence_and_welch_are_the_libraries(seed: int) -> None:
    chance = random.Random(seed)
    a = [chance.gauss(0.5, 0.2) for _ in range(40)]
    b = [x + chance.gauss(0.03, 0.1) for x in a]
    ours, want = graded.paired_t([y - x for x, y in zip(a, b, strict=True)]), stats.ttest_rel(b, a)
    assert (ours.t, ours.p) == pytest.approx((want.statistic, want.pvalue))
    assert (ours.low, ours.high) == pytest.approx(tuple(want.confidence_interval(0.95)))
    p, lower, upper = weightstats.ttost_paired(numpy.array(b), numpy.array(a), -0.05, 0.05)
    both = graded.t_equivalence(ours.mean, ours.error, ours.df, 0.05)
    assert (both.p, both.p_lower, both.p_upper) == pytest.approx((p, lower[1], upper[1]))
    apart, expected = unpaired.welch(a, b[:31], 0.95), stats.ttest_ind(b[:31], a, equal_var=False)
    assert apart is not None
    assert (apart.t, apart.p, apart.df) == pytest.approx((expected.statistic, expected.pvalue, expected.df))


@pytest.mark.parametrize("seed", SEEDS)
def test_sign_flips_are_scipys_permutations(seed: int) -> None:
    chance = random.Random(seed)
    differences = [chance.gauss(0.3, 1) for _ in range(9)]
    want = stats.permutation_test(
        (differences,), lambda x: abs(x.mean()), permutation_type="samples", n_resamples=math.inf, alternative="greater"
    ).pvalue
    assert graded.signflip(differences)[0] == pytest.approx(want)


@pytest.mark.parametrize("seed", SEEDS)
def test_cluster_errors_are_statsmodels(seed: int) -> None:
    chance = random.Random(seed)
    groups = [chance.randrange(12) for _ in range(90)]
    values = [chance.gauss(0.1 * group, 1) for group in groups]
    ours = clusters.cluster_error(values, groups)
    for corrected, error in ((False, ours.cr0), (True, ours.cr1)):
        fit = OLS(values, numpy.ones(90)).fit(
            cov_type="cluster", cov_kwds={"groups": numpy.array(groups), "use_correction": corrected}
        )
        assert error == pytest.approx(float(fit.bse[0]), rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_adjusted_p_values_are_statsmodels(seed: int) -> None:
    p_values = [random.Random(seed + place).random() ** 2 for place in range(20)]
    assert multiple.holm(p_values) == pytest.approx(multitest.multipletests(p_values, method="holm")[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_agreement_is_the_libraries(seed: int) -> None:
    chance = random.Random(seed)
    ratings = [[chance.choice((-1, 0, 1, 1)) for _ in range(25)] for _ in range(3)]
    table = numpy.zeros((3, 3), dtype=int)
    for one, other in zip(ratings[0], ratings[1], strict=True):
        table[one + 1, other + 1] += 1
    pairs = list(zip(ratings[0], ratings[1], strict=True))
    assert judge.cohens_kappa(pairs) == pytest.approx(inter_rater.cohens_kappa(table).kappa)
    counts = [[column.count(value) for value in (-1, 0, 1)] for column in zip(*ratings, strict=True)]
    assert judge.fleiss_kappa(counts) == pytest.approx(inter_rater.fleiss_kappa(numpy.array(counts)))
    gapped = [[None if chance.random() < 0.3 else value for value in row] for row in ratings]
    want = krippendorff.alpha(
        [[math.nan if value is None else value for value in row] for row in gapped], level_of_measurement="nominal"
    )
    assert judge.krippendorff_alpha(gapped) == pytest.approx(want)


def test_one_category_alone_has_no_agreement_to_speak_of() -> None:
    assert judge.cohens_kappa([(1, 1)] * 9) is None
    assert judge.fleiss_kappa([[0, 3]] * 9) is None
    assert judge.krippendorff_alpha([[1] * 9] * 3) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_the_run_part_is_tested_by_scipys_f(seed: int) -> None:
    chance = random.Random(seed)
    runs = [[chance.random() + 0.05 * number for _ in range(30)] for number in range(3)]
    parts = rerun_noise.run_item_parts(runs)
    assert parts.f is not None
    assert parts.p_run == pytest.approx(stats.f.sf(parts.f, parts.df_run, parts.df_error))
    two = rerun_noise.run_item_parts(runs[:2])
    assert two.f is not None
    assert two.p_run == pytest.approx(stats.f.sf(two.f, 1, two.df_error))


@pytest.mark.parametrize("seed", SEEDS)
def test_least_squares_effects_are_statsmodels(seed: int) -> None:
    chance = random.Random(seed)
    design = [[1.0, *(float(chance.random() < 0.5) for _ in range(3))] for _ in range(12)]
    design += [[1.0, *(float(at == place) for at in range(3))] for place in range(3)]
    scores = [chance.random() for _ in design]
    assert effects.effects_of(design, scores).effects == pytest.approx(tuple(OLS(scores, design).fit().params))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tail_of_f_is_scipys(seed: int) -> None:
    chance = random.Random(seed)
    f, between, within = chance.expovariate(0.5), chance.randrange(1, 60), chance.randrange(1, 3_000)
    assert distributions.f_above(f, between, within) == pytest.approx(stats.f.sf(f, between, within), rel=1e-8)
    assert distributions.f_above(0.0, between, within) == 1.0


@pytest.mark.parametrize("alpha", [0.05, 0.05 / 57])
@pytest.mark.parametrize("df", [5, 10, 33, 300])
def test_a_detectable_mean_has_the_power_that_the_noncentral_law_gives(alpha: float, df: int) -> None:
    from diptych.stats.power import detectable_t

    bar = stats.t.ppf(1 - alpha / 2, df)
    assert stats.nct.sf(bar, df, detectable_t(1.0, df, alpha)) == pytest.approx(0.8, abs=0.01)
