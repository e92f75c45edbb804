"""More than two runs: each against the first in full, and every pair on every metric with ranges that hold at once."""

import math
from collections.abc import Sequence

from diptych import __version__
from diptych.compare.align import align
from diptych.compare.headers import header
from diptych.compare.options import Options
from diptych.compare.pipeline import compare_runs
from diptych.compare.situations import Key, Sides, aggregation_of, plain_situation, why_unpaired
from diptych.comparison import Comparison, Estimate, Gate, Input, Json, Matrix, MatrixCell, MatrixRow, Provenance
from diptych.errors import DiptychError
from diptych.estimate.choice import Situation, estimate, holm, word_of
from diptych.estimate.many import letters, simultaneous_level
from diptych.runs import Run, Score


def compare_many(runs: Sequence[Run], options: Options | None = None) -> Matrix:
    """Return who differs from whom among more than two runs, and how each compares with the first."""
    options = options or Options()
    if len(runs) < 3:
        raise DiptychError("a matrix needs more than two runs", hint="give at least three")
    firsts = [compare_runs(runs[0], run, options) for run in runs[1:]]
    rows = [row for key in shared_keys(runs) if (row := matrix_row(key, runs, options)) is not None]
    return Matrix(
        id=identity(firsts),
        title=options.title or " · ".join(run.label for run in runs),
        runs=tuple(header(run) for run in runs),
        rows=tuple(rows),
        comparisons=tuple(each.id for each in firsts),
        sentences=tuple(f"{each.b.label}: {each.verdict.sentence}" for each in firsts),
        settings=differing_settings(runs, firsts),
        findings=tuple(dict.fromkeys(finding for each in firsts for finding in each.findings)),
        left_out=(),
        provenance=Provenance(
            diptych_version=__version__,
            methods=tuple(sorted({row.method for row in rows})),
            inputs=tuple(Input(source.name, source.sha256) for run in runs for source in run.inputs),
            options={"margin": options.margin},
        ),
        gates=tuple(
            Gate(gate.rule, gate.fired, f"{each.b.label}: {gate.text}") for each in firsts for gate in each.gates
        ),
    )


def identity(firsts: Sequence[Comparison]) -> str:
    """Return the content address of a matrix: made of those of its comparisons."""
    import hashlib  # not for who compares two runs

    return hashlib.sha256("|".join(each.id for each in firsts).encode("ascii")).hexdigest()[:12]


def shared_keys(runs: Sequence[Run]) -> list[Key]:
    """Return the metrics that at least two runs have as a number, group rows left out, in the order they appear."""
    seen: dict[Key, int] = {}
    for run in runs:
        for score in run.scores:
            if score.value is not None and not score.group:
                seen[score.task, score.metric, score.filter] = seen.get((score.task, score.metric, score.filter), 0) + 1
    return [key for key, count in seen.items() if count >= 2]


def score_of(run: Run, key: Key) -> Score | None:
    """Return a run's score of a metric where it is a number."""
    for score in run.scores:
        if (score.task, score.metric, score.filter) == key and score.value is not None:
            return score
    return None


def matrix_row(key: Key, runs: Sequence[Run], options: Options) -> MatrixRow | None:
    """Return one metric over all runs: every pair with a simultaneous range, and the letters that tell them apart."""
    scores = [score_of(run, key) for run in runs]
    there = [place for place, score in enumerate(scores) if score is not None]
    pairs = [(one, other) for at, one in enumerate(there) for other in there[at + 1 :]]
    if not pairs:
        return None
    level = simultaneous_level(len(pairs))
    found = [pair_estimate(key, runs[one], runs[other], options, level) for one, other in pairs]
    adjusted = holm([each.p_value for each in found])
    direction = next((score.higher_is_better for score in scores if score and score.higher_is_better is not None), None)
    words = [word_of(each, direction, p)[0] for each, p in zip(found, adjusted, strict=True)]
    cells = tuple(
        MatrixCell(one, other, each.difference, each.low, each.high, p, word)
        for (one, other), each, p, word in zip(pairs, found, adjusted, words, strict=True)
    )
    counts = [each.pairs for each in found if each.pairs is not None]
    return MatrixRow(
        task=key[0],
        metric=key[1],
        filter=key[2],
        higher_is_better=direction,
        scores=tuple(score.value if score else None for score in scores),
        stderrs=tuple(score.stderr if score else None for score in scores),
        letters=letters_of(scores, cells, direction),
        pairs=min(counts) if counts else None,
        cells=cells,
        method=found[0].method,
    )


def letters_of(scores: Sequence[Score | None], cells: Sequence[MatrixCell], direction: bool | None) -> tuple[str, ...]:
    """Return a letter set a run, the best run's first; runs without the metric have none."""
    there = [place for place, score in enumerate(scores) if score is not None]
    apart = [(there.index(cell.a), there.index(cell.b)) for cell in cells if cell.status in ("better", "worse")]
    sign = 1.0 if direction is False else -1.0
    values = [(score.value or 0.0) * sign for score in scores if score is not None]
    given = letters(len(there), apart, sorted(range(len(there)), key=lambda place: values[place]))
    return tuple(given[there.index(place)] if place in there else "" for place in range(len(scores)))


def pair_estimate(key: Key, a: Run, b: Run, options: Options, level: float) -> Estimate:
    """Return the estimate of two of the runs at the level that lets all ranges hold at once."""
    left, right = score_of(a, key), score_of(b, key)
    situation = plain_situation(key, Sides(left, right), a, b, options)
    columns = columns_of(key, a, b)
    if columns is None or aggregation_of(a, key) != "mean":
        situation = situation._replace(no_pairs=why_unpaired(key[0], a, b))
    else:
        situation = situation._replace(a=columns[0], b=columns[1], clusters=columns[2])
    return at_level(situation, level)


def at_level(situation: Situation, level: float) -> Estimate:
    """Return an estimate whose range has this level while its test keeps the usual one."""
    usual = estimate(situation)
    wide = estimate(situation._replace(confidence=level))
    return usual._replace(low=wide.low, high=wide.high, confidence=level)


def columns_of(key: Key, a: Run, b: Run) -> tuple[list[float], list[float], tuple[int, ...] | None] | None:
    """Return the values of one metric over the shared items of two runs and their clusters; None without pairs."""
    task, metric, filter_name = key
    if task not in a.samples or task not in b.samples:
        return None
    logs = a.samples[task], b.samples[task]
    if any(metric not in log.columns.values for log in logs):
        return None
    pairs = next((each for each in align(*logs).filters if each.filter == filter_name), None)
    if pairs is None:
        return None
    left = [logs[0].columns.values[metric][row] for row in pairs.rows_a]
    right = [logs[1].columns.values[metric][row] for row in pairs.rows_b]
    keep = [place for place in range(len(left)) if math.isfinite(left[place]) and math.isfinite(right[place])]
    if not keep:
        return None
    clusters = None if pairs.clusters is None else tuple(pairs.clusters[place] for place in keep)
    return [left[place] for place in keep], [right[place] for place in keep], clusters


def differing_settings(runs: Sequence[Run], firsts: Sequence[Comparison]) -> tuple[tuple[str, tuple[Json, ...]], ...]:
    """Return each setting in which some run differs from the first, with its value in every run, worst first."""
    rows: dict[str, int] = {}
    for each in firsts:
        for row in each.settings:
            rank = row.rank if row.rank is not None else 1_000
            rows[row.key] = min(rank, rows.get(row.key, 1_000))
    ordered = sorted(rows, key=lambda key: (rows[key], key))
    heads = [header(run).settings for run in runs]
    return tuple((key, tuple(head.get(key) for head in heads)) for key in ordered)
