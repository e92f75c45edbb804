"""Two hundred random pairs of runs, through the door of a comparison, against independent code for every number."""

import math
import random
from collections.abc import Sequence

import numpy
import pytest
import sacrebleu
from scipy import optimize, stats
from sklearn import metrics
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint
from statsmodels.stats.weightstats import ttost_paired

from diptych.diagnose.compare_repeats import repeats_of
from diptych.diagnose.options import Options
from diptych.diagnose.pipeline import compare_runs
from diptych.estimates import Estimate, MetricComparison
from diptych.run import Run, Score
from examples_runs import run
from sample_logs import answer, log

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "ran", "off", "with", "every", "hat"]


def two_runs(seed: int, tasks: int) -> tuple[Run, Run]:
    """Return two runs of some tasks of right-or-wrong or graded items; clusters stand in the documents."""
    chance = random.Random(seed)
    sides: tuple[dict[str, list[float]], dict[str, list[float]]] = ({}, {})
    for number in range(tasks):
        n, kind = chance.randrange(25, 160), chance.choice(("right", "graded"))
        shift = chance.choice((0.0, 0.0, 0.15, -0.2))
        a = [float(chance.random() < 0.6) if kind == "right" else chance.random() for _ in range(n)]
        b = []
        for x in a:
            if kind == "right":
                b.append(float(chance.random() < 0.6 + shift) if chance.random() < 0.4 else x)
            else:
                b.append(min(1.0, max(0.0, x + chance.gauss(shift / 2, 0.1))))
        sides[0][f"t{number}"], sides[1][f"t{number}"] = a, b
    return made_of(sides[0], "a"), made_of(sides[1], "b")


def made_of(columns: dict[str, list[float]], label: str) -> Run:
    samples = {
        task: log([answer(at, f"{label} {at} {value}", right=value) for at, value in enumerate(column)], task)
        for task, column in columns.items()
    }
    scores = tuple(
        Score(task, "exact_match", "none", sum(column) / len(column), None, True, items=len(column))
        for task, column in columns.items()
    )
    items = {task: len(column) for task, column in columns.items()}
    return run(tasks={task: {} for task in columns}, label=label, samples=samples, scores=scores, items=items)


def column(side: Run, task: str) -> numpy.ndarray:
    return numpy.asarray(side.samples[task].columns.values["exact_match"], dtype=float)


def restricted(gained: int, lost: int, n: int, delta: float) -> float:
    """The score statistic against `delta`, its nuisance by a numeric maximum of the likelihood."""

    def minus_log_likelihood(share: float) -> float:
        # share of lost; share + delta of gained
        rest = 1 - 2 * share - delta
        terms = ((gained, share + delta), (lost, share), (n - gained - lost, rest))
        return -sum(count * math.log(max(p, 1e-300)) for count, p in terms if count)

    low, high = max(0.0, -delta), (1 - delta) / 2
    share = optimize.minimize_scalar(
        minus_log_likelihood, bounds=(low, high), method="bounded", options={"xatol": 1e-13}
    ).x
    return (gained - lost - n * delta) / math.sqrt(n * (2 * share + delta * (1 - delta)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_every_number_of_a_comparison_is_that_of_independent_code(seed: int) -> None:
    a, b = two_runs(seed, 1 + seed % 5)
    made = compare_runs(a, b)
    rows = [row for row in made.metrics if row.estimate]
    assert len(rows) == len(a.samples)
    raw = [row.estimate.p_value for row in rows if row.estimate]
    adjusted = multipletests(raw, method="holm")[1]
    for row, holm in zip(rows, adjusted, strict=True):
        assert row.estimate is not None
        assert row.estimate.p_adjusted == pytest.approx(holm, rel=1e-9)
        x, y = column(a, row.task), column(b, row.task)
        assert row.difference == pytest.approx((y - x).mean(), abs=1e-12)
        assert (row.a_paired, row.b_paired) == pytest.approx((x.mean(), y.mean()))
        check_own_errors(row, x, y)
        check(row, row.estimate, x, y)


def check_own_errors(row: MetricComparison, x: numpy.ndarray, y: numpy.ndarray) -> None:
    """Hold what stands beside each score, which no run of these reports, against scipy and statsmodels."""
    sides = ((row.a_recomputed_stderr, row.a_interval, x), (row.b_recomputed_stderr, row.b_interval, y))
    for error, interval, own in sides:
        assert error == pytest.approx(stats.sem(own))
        if interval is not None:
            wanted = proportion_confint(int(own.sum()), len(own), method="wilson")
            assert (interval.low, interval.high) == pytest.approx(wanted)


def check(row: MetricComparison, found: Estimate, x: numpy.ndarray, y: numpy.ndarray) -> None:
    """Hold one row's test and range against scipy, at the row's own level."""
    d, n, level = y - x, len(x), found.confidence
    if found.method == "mcnemar_midp_tango":
        gained, lost = int((d > 0).sum()), int((d < 0).sum())
        assert (found.only_b, found.only_a) == (gained, lost)
        if gained + lost:
            exact = stats.binomtest(lost, gained + lost).pvalue
            middle = stats.binom.pmf(min(gained, lost), gained + lost, 0.5)
            assert found.p_exact == pytest.approx(exact)
            assert found.p_value == pytest.approx(1.0 if gained == lost else exact - middle)
        z = stats.norm.ppf(0.5 + level / 2)
        assert found.low is not None
        assert found.high is not None
        if 0 < gained + lost < n:
            for end, bar in ((found.low, z), (found.high, -z)):
                # an end of 0 is where the score test rejects 0 and mid-p at this level does not
                if end != 0 or (exact - middle) < 1 - level:
                    assert restricted(gained, lost, n, end) == pytest.approx(bar, abs=2e-3)
    elif found.method == "paired_t":
        assert found.p_value == pytest.approx(stats.ttest_rel(y, x).pvalue)
        low, high = stats.t.interval(level, n - 1, d.mean(), stats.sem(d))
        assert found.low is not None
        assert found.high is not None
        assert found.low <= low + 1e-9, "never shorter than the t range"
        assert found.high >= high - 1e-9, "never shorter than the t range"
        if abs(stats.skew(d)) < 0.09 * math.sqrt(n):
            assert (found.low, found.high) == pytest.approx((low, high))
    else:
        raise AssertionError(found.method)
    assert (found.pairs, found.changed) == (n, int((d != 0).sum()))
    check_sizes(found, d)
    check_equivalence(found, x, y)
    excludes = not (found.low or 0) <= 0 <= (found.high or 0)
    real = row.status in ("better", "worse")
    assert not real or (excludes and (found.p_adjusted or 1) < 0.05)


def check_equivalence(found: Estimate, x: numpy.ndarray, y: numpy.ndarray) -> None:
    """Hold the p-value of equivalence and the cells of the table against statsmodels and the score statistic."""
    margin, d = found.margin or 0.0, y - x
    if found.method == "paired_t":
        plain = ttost_paired(y, x, -margin, margin)[0]
        assert found.p_equivalence is not None
        assert found.p_equivalence >= plain * (1 - 1e-9), "never bolder than two one-sided t tests"
        level = found.parameters["equivalence_level"]
        low, high = stats.t.interval(level, len(d) - 1, d.mean(), stats.sem(d))
        assert found.low_90 is not None
        assert found.high_90 is not None
        if -margin < low and high < margin:
            assert found.low_90 <= low + 1e-9, "what is to be shown may only cost more"
            assert found.high_90 >= high - 1e-9, "what is to be shown may only cost more"
        else:
            assert (found.low_90, found.high_90) == pytest.approx((low, high))
        assert plain < 0.05 or found.p_equivalence == pytest.approx(plain)
        return
    table = [int(((x == left) & (y == right)).sum()) for left in (1, 0) for right in (1, 0)]
    assert [found.both, found.only_a, found.only_b, found.neither] == table
    gained, lost = table[2], table[1]
    if not (gained and lost) and found.p_equivalence is not None and margin * len(d) >= gained + lost:
        assert found.p_equivalence >= stats.binom.cdf(gained + lost, len(d), margin) * (1 - 1e-9)
    if gained and lost:
        far = [sign * restricted(gained, lost, len(d), -sign * margin) for sign in (1, -1)]
        assert found.p_equivalence == pytest.approx(max(stats.norm.sf(far)), abs=1e-4)
        share_low, share_high = proportion_confint(gained, gained + lost, method="wilson")
        odds = found.parameters["odds_ratio_low"], found.parameters["odds_ratio_high"]
        assert odds == pytest.approx((share_low / (1 - share_low), share_high / (1 - share_high)))


def check_sizes(found: Estimate, d: numpy.ndarray) -> None:
    """Hold the standard error, the equivalence range, the odds and the detectable difference against scipy."""
    n, alpha = len(d), 1 - found.confidence
    assert found.standard_error == pytest.approx(stats.sem(d))
    changed, detectable = int((d != 0).sum()), found.detectable
    if found.method == "paired_t":
        bar = stats.t.ppf(1 - alpha / 2, n - 1)
        assert stats.nct.sf(bar, n - 1, (detectable or 0) / stats.sem(d)) == pytest.approx(0.8, abs=0.01)
        assert found.needed == math.ceil(n * ((detectable or 0) / (found.margin or 1)) ** 2)
        return
    gained, lost, share = int((d > 0).sum()), int((d < 0).sum()), changed / n
    check_needed(found.needed, found.margin or 1, max(share, found.margin or 1), alpha)
    assert (found.odds_ratio == pytest.approx(gained / lost)) if lost else found.odds_ratio is None
    if detectable is not None and changed and detectable < share:
        reach = stats.norm.ppf(1 - alpha / 2) * math.sqrt(share)
        needed = (reach + stats.norm.ppf(0.8) * math.sqrt(share - detectable**2)) ** 2 / detectable**2
        assert needed == pytest.approx(n, rel=1e-6)
    if gained and lost:
        level = found.parameters["equivalence_level"]
        assert isinstance(level, float)
        z = stats.norm.ppf(0.5 + level / 2)
        for end, sign in ((found.low_90, 1), (found.high_90, -1)):
            assert end is not None
            if end != 0:
                assert restricted(gained, lost, n, end) == pytest.approx(sign * z, abs=2e-3)


def check_needed(needed: int | None, margin: float, share: float, alpha: float) -> None:
    """Hold the items that would show the margin against Connor's power at that number, and at one fewer."""
    assert needed is not None

    def power(n: int) -> float:
        reach = margin * math.sqrt(n) - stats.norm.ppf(1 - alpha / 2) * math.sqrt(share)
        return float(stats.norm.cdf(reach / math.sqrt(share - margin**2)))

    assert power(needed) >= 0.8 - 1e-9
    assert power(needed - 1) < 0.8 + 1e-9


def rejected(head: float, parts: Sequence[float], alpha: float) -> set[int]:
    """Return what one benchmark's fallback procedure rejects at a level (-1 is its group), step by step."""
    gone: set[int] = set()
    while True:
        left = [place for place in range(len(parts)) if place not in gone]
        share = alpha if -1 in gone else 0.2 * alpha
        new = {place for place in left if parts[place] < share / len(left)}
        new |= {-1} if -1 not in gone and head < (0.8 * alpha if left else alpha) else set()
        if not new:
            return gone
        # one at a time: what is rejected leaves its level to the rest
        gone.add(min(new))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_a_group_has_the_numbers_of_strata_and_its_family_those_of_the_procedure(seed: int) -> None:
    weighting = ("items", "equal")[seed % 2]
    sides = two_runs(1_000 + seed, 4)
    sizes = numpy.asarray([len(column(sides[0], task)) for task in sides[0].samples])
    weights = sizes / sizes.sum() if weighting == "items" else numpy.full(4, 0.25)

    def grouped(side: Run) -> Run:
        mean = float(sum(w * column(side, task).mean() for w, task in zip(weights, side.samples, strict=True)))
        whole = Score("bench", "exact_match", "none", mean, None, True, items=int(sizes.sum()), group=True)
        return side._replace(scores=(*side.scores, whole), groups={"bench": tuple(side.samples)})

    made = compare_runs(*map(grouped, sides))
    head = next(row for row in made.metrics if row.group)
    found = head.estimate
    assert found is not None
    moves = [column(sides[1], task) - column(sides[0], task) for task in sides[0].samples]
    squares = numpy.asarray([(w * stats.sem(d)) ** 2 for w, d in zip(weights, moves, strict=True)])
    error, df = math.sqrt(squares.sum()), squares.sum() ** 2 / (squares**2 / (sizes - 1)).sum()
    mean = float(sum(w * d.mean() for w, d in zip(weights, moves, strict=True)))
    assert (found.difference, found.standard_error) == pytest.approx((mean, error))
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(mean) / error, df))
    assert (found.low, found.high) == pytest.approx(stats.t.interval(found.confidence, df, mean, error))
    parts = [row.estimate for row in made.metrics if not row.group]
    p_values = [part.p_value for part in parts if part]
    for place, own in ((-1, found), *enumerate(parts)):
        assert own is not None
        assert own.p_adjusted is not None
        for factor, there in ((1 + 1e-6, True), (1 - 1e-6, False)):
            if own.p_adjusted < 1:
                assert (place in rejected(found.p_value or 1, p_values, own.p_adjusted * factor)) is there


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_scores_alone_have_the_numbers_of_statsmodels(seed: int) -> None:
    chance = random.Random(2_000 + seed)
    sizes = [chance.randrange(40, 190) for _ in "ab"]
    right = [sum(chance.random() < share for _ in range(n)) for n, share in zip(sizes, (0.5, 0.65), strict=True)]

    def alone(side: int) -> Run:
        n, share = sizes[side], right[side] / sizes[side]
        error = math.sqrt(share * (1 - share) / (n - 1))
        score = Score("arith", "exact_match", "none", share, error, True, items=n)
        return run(label="ab"[side], scores=(score,), items={"arith": n})

    found = compare_runs(alone(0), alone(1)).metrics[0].unpaired
    assert found is not None
    assert found.method == "unpaired_newcombe"
    wanted = confint_proportions_2indep(
        right[1], sizes[1], right[0], sizes[0], method="newcomb", alpha=1 - found.confidence
    )
    assert (found.low, found.high) == pytest.approx(wanted)
    shares = [count / n for count, n in zip(right, sizes, strict=True)]
    error = math.hypot(*(math.sqrt(p * (1 - p) / (n - 1)) for p, n in zip(shares, sizes, strict=True)))
    assert found.standard_error == pytest.approx(error)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(shares[1] - shares[0]) / error))
    assert found.detectable == pytest.approx((stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * error)


@pytest.mark.parametrize("seed", range(20))
def test_a_noise_floor_is_that_of_two_fresh_runs_by_students_law(seed: int) -> None:
    chance = random.Random(3_000 + seed)
    columns = [[float(chance.random() < 0.6) for _ in range(80)] for _ in range(2 + seed % 5)]
    runs = [made_of({"arith": values}, f"seed {at}") for at, values in enumerate(columns)]
    (floor,) = repeats_of(runs, "").floors.values()
    spread = float(numpy.std([numpy.mean(values) for values in columns], ddof=1))
    assert floor.spread == pytest.approx(spread, abs=1e-12)
    assert floor.floor == pytest.approx(stats.t.ppf(0.975, len(runs) - 1) * math.sqrt(2) * spread, abs=1e-9)


@pytest.mark.parametrize("aggregation", ["word_perplexity", "bits_per_byte"])
def test_a_perplexitys_p_value_is_that_of_scipys_swaps(aggregation: str) -> None:
    from estimates import estimate

    from diptych.stats.test_input import TestInput

    chance = random.Random(7)
    a = [(-50.0 - 40 * chance.random(), float(20 + place % 9)) for place in range(70)]
    b = [(x + chance.gauss(0.5, 2), weight) for x, weight in a]
    found = estimate(TestInput(a_lists=a, b_lists=b, aggregation=aggregation, key="t|p|none"))
    x, y = (numpy.asarray([value for value, _ in side]) for side in (a, b))
    told = stats.permutation_test(
        (x, y), lambda one, other, axis: (other - one).sum(axis=axis), permutation_type="samples", n_resamples=20_000
    )
    assert found.p_value == pytest.approx(told.pvalue, abs=0.015)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_clusters_have_the_errors_of_statsmodels(seed: int) -> None:
    chance = random.Random(seed)
    moods = [chance.gauss(0, 0.2) for _ in range(30)]
    a = [chance.random() for _ in range(150)]
    b = [x + moods[at // 5] + chance.gauss(0, 0.1) for at, x in enumerate(a)]
    docs = [{"question": f"item {at}", "passage": f"p{at // 5}"} for at in range(150)]

    def side(label: str, values: Sequence[float]) -> Run:
        records = [answer(at, f"{label}{at}", right=value, doc=docs[at]) for at, value in enumerate(values)]
        scores = (Score("arith", "exact_match", "none", sum(values) / 150, None, True, items=150),)
        return run(label=label, samples={"arith": log(records)}, scores=scores, items={"arith": 150})

    made = compare_runs(side("a", a), side("b", b), Options(clusters={"arith": "passage"}))
    found = made.metrics[0].estimate
    assert found is not None
    groups = numpy.arange(150) // 5
    d = numpy.asarray(b) - numpy.asarray(a)
    fit = OLS(d, numpy.ones(150)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}, use_t=True
    )
    assert found.method == "paired_cluster_t"
    assert found.standard_error == pytest.approx(fit.bse[0] * math.sqrt(30 / 29))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_corpus_metrics_are_those_of_sacrebleu_and_scikit_learn_and_so_is_their_randomisation(seed: int) -> None:
    from estimates import estimate

    from diptych.stats.test_input import TestInput

    chance = random.Random(seed)
    gold = [chance.randrange(2) for _ in range(120)]
    sides = [[(g, g if chance.random() < right else 1 - g) for g in gold] for right in (0.7, 0.85)]
    for name, score in (("f1", metrics.f1_score), ("mcc", metrics.matthews_corrcoef)):
        found = estimate(TestInput(a_lists=sides[0], b_lists=sides[1], aggregation=name, key=f"t|{name}|none"))
        want = [score(gold, [predicted for _, predicted in side]) for side in sides]
        assert found.difference == pytest.approx(want[1] - want[0])
    lines = [" ".join(chance.choices(WORDS, k=9)) for _ in range(60)]

    def spoiled(line: str, share: float) -> str:
        return " ".join(chance.choice(WORDS) if chance.random() < share else word for word in line.split())

    systems = [[spoiled(line, share) for line in lines] for share in (0.4, 0.3)]
    pairs = [list(zip(lines, system, strict=True)) for system in systems]
    found = estimate(TestInput(a_lists=pairs[0], b_lists=pairs[1], aggregation="bleu", key="t|bleu|none"))
    bleu = [sacrebleu.corpus_bleu(system, [lines]).score for system in systems]
    assert found.difference == pytest.approx(bleu[1] - bleu[0])
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    _, told = PairedTest(
        [("a", systems[0]), ("b", systems[1])],
        {"BLEU": BLEU(references=[lines])},
        None,
        test_type="ar",
        n_samples=2_000,
    )()
    assert found.p_value == pytest.approx(told["BLEU"][1].p_value, abs=0.035)
