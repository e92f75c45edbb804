"""More than two runs: each against the first in full, and every pair on every metric with ranges that hold at once."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from diptych import __version__
from diptych.comparison import SEVERITIES, Comparison, Estimate, Finding, Gate, Input, Provenance
from diptych.diagnose.effects import Factor, factors_of, run_to_make, setting_effects, settings_of
from diptych.diagnose.headers import header
from diptych.diagnose.options import Options
from diptych.diagnose.pipeline import compare_runs
from diptych.diagnose.samples.invalid_tasks import missing_reason, reasons, spoilt_in
from diptych.diagnose.samples.ladder import gather
from diptych.diagnose.scores.rows import bare_row, interval
from diptych.diagnose.scores.test_inputs import aggregation_of, sides_of, test_input_of
from diptych.errors import DiptychError
from diptych.keys import MetricKey
from diptych.matrix import Matrix, MatrixCell, MatrixRow, SettingEffect
from diptych.run import Run, Score
from diptych.stats.multiple import letters, simultaneous_level
from diptych.stats.select import TestInput, estimate, holm, word_of

Pair = tuple[int, int]
"""Two runs by place, the earlier first."""


class PairFind(NamedTuple):
    """Two runs on one metric: their estimate or why there is none; with an estimate, why no word is given on it."""

    estimate: Estimate | None
    reason: str | None


PairFinds = dict[MetricKey, PairFind]


def compare_many(runs: Sequence[Run], options: Options | None = None) -> Matrix:
    """Return who differs from whom among more than two runs, and how each compares with the first."""
    options = options or Options()
    if len(runs) < 3:
        raise DiptychError("a matrix needs more than two runs", hint="give at least three")
    firsts = [compare_runs(runs[0], run, options) for run in runs[1:]]
    keys = shared_keys(runs)
    levels = {key: simultaneous_level(len(pairs_of(key, runs))) for key in keys}
    found = {
        (one, other): pair_finds(runs[one], runs[other], levels, options)
        for one in range(len(runs))
        for other in range(one + 1, len(runs))
    }
    rows = [row for key in keys if (row := matrix_row(key, runs, found)) is not None]
    factors = factors_of(settings_of(firsts, moving=True))
    effects = effects_on(rows, runs, factors, options)
    then, of = run_to_make(runs, factors)
    return Matrix(
        id=identity(firsts),
        title=options.title or " · ".join(run.label for run in runs),
        runs=tuple(header(run) for run in runs),
        rows=tuple(rows),
        comparisons=tuple(each.id for each in firsts),
        sentences=tuple(each.verdict.sentence for each in firsts),
        settings=tuple(settings_of(firsts).items()),
        findings=named_findings(firsts),
        left_out=(),
        provenance=Provenance(
            diptych_version=__version__,
            methods=methods_of(rows, effects),
            inputs=tuple(Input(source.name, source.sha256) for run in runs for source in run.inputs),
            options={"margin": options.margin},
        ),
        gates=tuple(
            Gate(gate.rule, gate.fired, f"{each.b.label}: {gate.text}") for each in firsts for gate in each.gates
        ),
        effects=effects,
        next_run=then,
        next_settings=of,
    )


def effects_on(
    rows: Sequence[MatrixRow], runs: Sequence[Run], factors: Sequence[Factor], options: Options
) -> tuple[SettingEffect, ...]:
    """Return what each setting does to each metric that is a mean of independent items measured in every run."""
    found: list[SettingEffect] = []
    for row in rows:
        key = row.key
        whole = all(row.letters) and aggregation_of(runs[0], key) == "mean" and row.task not in options.clusters
        if whole:
            noise = options.noise.get(key)
            found += setting_effects(key, runs, factors, ((noise.sigma_run or 0.0) if noise else 0.0) ** 2)
    return tuple(found)


def identity(firsts: Sequence[Comparison]) -> str:
    """Return the content address of a matrix: made of those of its comparisons."""
    import hashlib  # not for who compares two runs

    return hashlib.sha256("|".join(each.id for each in firsts).encode("ascii")).hexdigest()[:12]


def shared_keys(runs: Sequence[Run]) -> list[MetricKey]:
    """Return the metrics that at least two runs have as a number, group rows left out, in the order they appear."""
    seen: dict[MetricKey, int] = {}
    for run in runs:
        for score in run.scores:
            if score.value is not None and not score.group:
                seen[score.key] = seen.get(score.key, 0) + 1
    return [key for key, count in seen.items() if count >= 2]


def score_of(run: Run, key: MetricKey) -> Score | None:
    """Return a run's score of a metric where it is a number."""
    for score in run.scores:
        if score.key == key and score.value is not None:
            return score
    return None


def matrix_row(key: MetricKey, runs: Sequence[Run], found: Mapping[Pair, PairFinds]) -> MatrixRow | None:
    """Return one metric over all runs: every pair with a simultaneous range, and the letters that tell them apart."""
    scores = [score_of(run, key) for run in runs]
    pairs = pairs_of(key, runs)
    if not pairs:
        return None
    finds = [found[pair][key] for pair in pairs]
    adjusted = holm([each.estimate.p_value if each.estimate else None for each in finds])
    direction = next((score.higher_is_better for score in scores if score and score.higher_is_better is not None), None)
    cells = tuple(cell_of(pair, each, direction, p) for pair, each, p in zip(pairs, finds, adjusted, strict=True))
    known = [each.estimate for each in finds if each.estimate]
    counts = [each.pairs for each in known if each.pairs is not None]
    return MatrixRow(
        task=key.task,
        metric=key.metric,
        filter=key.filter,
        higher_is_better=direction,
        scores=tuple(score.value if score else None for score in scores),
        stderrs=tuple(score.stderr if score else None for score in scores),
        letters=letters_of(scores, cells, direction),
        pairs=min(counts) if counts else None,
        cells=cells,
        method=known[0].method if known else "no_test",
        intervals=tuple(
            interval(score, run.items_of(score) if score else None) for run, score in zip(runs, scores, strict=True)
        ),
    )


def pairs_of(key: MetricKey, runs: Sequence[Run]) -> list[Pair]:
    """Return every pair of the runs that have a metric as a number, by place."""
    there = [place for place, run in enumerate(runs) if score_of(run, key) is not None]
    return [(one, other) for at, one in enumerate(there) for other in there[at + 1 :]]


def cell_of(pair: Pair, find: PairFind, direction: bool | None, p_adjusted: float | None) -> MatrixCell:
    """Return two runs on one metric; a word is withheld for the reasons for which a comparison of two withholds it."""
    if find.estimate is None:
        return MatrixCell(*pair, None, None, None, None, "not_available", find.reason)
    word, reason = word_of(find.estimate, direction, p_adjusted)
    if find.reason and word in ("better", "worse", "same"):
        word, reason = "unclear", find.reason
    each = find.estimate
    return MatrixCell(*pair, each.difference, each.low, each.high, p_adjusted, word, reason)


def letters_of(scores: Sequence[Score | None], cells: Sequence[MatrixCell], direction: bool | None) -> tuple[str, ...]:
    """Return a letter set a run, the best run's first; runs that nothing can be said of on this metric have none."""
    told = {place for cell in cells if cell.status != "not_available" for place in (cell.a, cell.b)}
    there = [place for place in range(len(scores)) if place in told]
    apart = [(there.index(cell.a), there.index(cell.b)) for cell in cells if cell.status in ("better", "worse")]
    sign = 1.0 if direction is False else -1.0
    values = [(score.value or 0.0) * sign for place, score in enumerate(scores) if score is not None and place in told]
    given = letters(len(there), apart, sorted(range(len(there)), key=lambda place: values[place]))
    return tuple(given[there.index(place)] if place in told else "" for place in range(len(scores)))


def pair_finds(a: Run, b: Run, levels: Mapping[MetricKey, float], options: Options) -> PairFinds:
    """Return every metric of two of the runs at the level that lets all ranges of that metric hold at once."""
    evidence = gather(a, b, options._replace(samples=0, flips=0))
    spoilt = reasons(spoilt_in(evidence))
    sides = sides_of(a, b)
    found: PairFinds = {}
    for key, level in levels.items():
        pair = sides.get(key)
        if pair is None or pair.a is None or pair.b is None or pair.a.value is None or pair.b.value is None:
            continue
        why = bare_row(key, pair, a, b, evidence).reason or spoilt.get(key.task) or spoilt.get(None)
        if why:
            found[key] = PairFind(None, why)
            continue
        thin = missing_reason(evidence.thin[key.task]) if key.task in evidence.thin else None
        found[key] = PairFind(at_level(test_input_of(key, pair, a, b, evidence, options), level), thin)
    return found


def at_level(given: TestInput, level: float) -> Estimate:
    """Return an estimate whose range has this level while its test keeps the usual one."""
    usual = estimate(given)
    wide = estimate(given._replace(confidence=level))
    return usual._replace(low=wide.low, high=wide.high, confidence=level)


def named_findings(firsts: Sequence[Comparison]) -> tuple[Finding, ...]:
    """Return the findings of all comparisons, each said of its runs by name; what is said of A alone once."""
    found: dict[Finding, None] = {}
    for each in firsts:
        for finding in each.findings:
            about = f"A is {each.a.label}" if finding.side == "a" else f"B is {each.b.label}"
            found[finding._replace(text=f"{about}. {finding.text}")] = None
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def methods_of(rows: Sequence[MatrixRow], effects: Sequence[SettingEffect]) -> tuple[str, ...]:
    """Return every method behind the numbers of a matrix."""
    always = {"compact_letters", "holm", "simultaneous_bonferroni"}
    return tuple(sorted({row.method for row in rows} | always | ({"attribution"} if effects else set())))
