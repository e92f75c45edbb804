"""More than two runs: each against the first in full, and every pair on every metric with ranges that hold at once."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from diptych.catalogue.metrics import agreed_direction
from diptych.catalogue.side_labels import with_labels
from diptych.closed_names import SEVERITIES
from diptych.comparison import Comparison, Finding
from diptych.diagnose.benchmarks import Groups, members_of
from diptych.diagnose.damage import without_changed_logs
from diptych.diagnose.doubles import Double, doubles_of
from diptych.diagnose.effects import Found, as_pair, cells_of, judged_effects, pair_effects, setting_effects
from diptych.diagnose.factor_pairs import factor_between, set_apart
from diptych.diagnose.matrix_verdict import matrix_verdict
from diptych.diagnose.next_run import Known, run_to_make
from diptych.diagnose.odd_runs import broken_sums, odd_runs
from diptych.diagnose.options import Options
from diptych.diagnose.pair_finds import Pair, PairFind, all_pairs, whys_of
from diptych.diagnose.pipeline import compare_with_evidence
from diptych.diagnose.run_headers import header
from diptych.diagnose.samples.held_log import with_held_logs
from diptych.diagnose.scores.rows import wilson_of_score
from diptych.diagnose.scores.test_inputs import aggregation_of
from diptych.diagnose.unrecorded import unrecorded_change
from diptych.diagnose.varied_settings import Factor, Moving, factors_of, moving_settings, settings_that_differ
from diptych.errors import DiptychError
from diptych.estimates import ALPHA
from diptych.matrix import Matrix, MatrixCell, MatrixRow, SettingEffect
from diptych.metric_key import MetricKey
from diptych.provenance import Input, Provenance
from diptych.run import Run, Score
from diptych.stats.estimate_by_level import measured_p, p_same_of, range_at
from diptych.stats.multiple import Adjusted, holm_levels, letters
from diptych.stats.status import status_and_reason
from diptych.version import VERSION


def compare_many(runs: Sequence[Run], options: Options | None = None) -> Matrix:
    """Return who differs from whom among more than two runs, and how each compares with the first."""
    if len(runs) < 3:
        raise DiptychError("a matrix needs more than two runs", hint="give at least three")
    return without_changed_logs(lambda left: matrix_of(left, options or Options()), runs)


def matrix_of(runs: Sequence[Run], options: Options) -> Matrix:
    """Return the matrix of runs whose logs stay as they were indexed."""
    runs = numbered_labels(runs)
    first = with_held_logs(runs[0])
    # texts of items and prompts stand in comparisons of two, never in a matrix
    bare = options._replace(samples=0, flips=0)
    made = [compare_with_evidence(first, run, bare) for run in runs[1:]]
    firsts = [comparison for comparison, _ in made]
    ties = {task: scores.dependence for _, evidence in made for task, scores in evidence.paired.items()}
    found = all_pairs(runs, whys_of([evidence for _, evidence in made]), options, ties)
    rows = matrix_rows(runs, found, matrix_keys(firsts, benchmarks_of_all(runs)))

    def compare(a: Run, b: Run) -> Comparison:
        return compare_with_evidence(a, b, bare)[0]

    moving = moving_settings(firsts, runs)
    factors = factors_of(set_apart(moving.settings, firsts, runs, compare))
    factors = [factor_between(one, factors, runs, compare) for one in factors]
    factors += broken_sums(factors_of(moving.sums), factors, [row for row in rows if row.primary] or rows)
    effects = effects_on(rows, runs, factors, options, moving.alike)
    known = known_of(rows, runs, factors, moving, effects, doubles_of(runs, moving.alike, compare))
    then = run_to_make(known, options.margin)
    unrecorded = unrecorded_change(rows, factors, moving.sums, runs)
    return Matrix(
        id=identity(firsts),
        title=options.title or " · ".join(run.label for run in runs),
        runs=tuple(header(run) for run in runs),
        rows=tuple(rows),
        comparisons=tuple(each.id for each in firsts),
        sentences=tuple(each.verdict.sentence for each in firsts),
        settings=tuple(settings_that_differ(firsts, runs).items()),
        findings=(*((unrecorded.finding,) if unrecorded else ()), *named_findings(firsts)),
        left_out=(),
        provenance=Provenance(
            diptych_version=VERSION,
            methods=matrix_methods(rows, effects),
            inputs=tuple(Input(source.name, source.sha256) for run in runs for source in run.inputs),
            options={"margin": options.margin},
        ),
        gates=tuple(gate._replace(text=f"{each.b.label}: {gate.text}") for each in firsts for gate in each.gates),
        effects=effects,
        next_run=then.run,
        next_settings=then.settings,
        verdict=matrix_verdict(known, then),
    )


def numbered_labels(runs: Sequence[Run]) -> list[Run]:
    """Return the runs, those of one label with their number behind it."""
    count = Counter(run.label for run in runs)
    return [
        run._replace(label=f"{run.label} ({number})") if count[run.label] > 1 else run
        for number, run in enumerate(runs, 1)
    ]


def effects_on(
    rows: Sequence[MatrixRow],
    runs: Sequence[Run],
    factors: Sequence[Factor],
    options: Options,
    alike: Collection[int] = (),
) -> tuple[SettingEffect, ...]:
    """Return what each setting does to each metric: contrasts where it is a mean of independent items of every run.

    What two runs show by themselves is that pair among all pairs, there and elsewhere. A step from the first run to one
    whose every response and score is its own (`alike`) tests nothing.
    """
    found: list[Found] = []
    of_pairs: dict[int, MatrixCell] = {}
    alone: list[SettingEffect] = []
    as_first = {0, *alike}
    for row in rows:
        key = row.key
        whole = all(row.letters) and aggregation_of(runs[0], key) == "mean" and row.task not in options.clusters
        noise = options.noise.get(key)
        variance = ((noise.sigma_run or 0.0) if noise else 0.0) ** 2
        made = setting_effects(key, runs, factors, variance) if whole and not row.group else []
        cells = cells_of(row)
        for one in made:
            pair = one.effect.a, one.effect.b
            if set(pair) <= as_first:
                continue
            if one.of_two and pair in cells:
                of_pairs[len(found)] = cells[pair]
            found.append(one)
        alone += [] if made else [one for one in pair_effects(row, factors, runs) if not {one.a, one.b} <= as_first]
    directions = {row.key: row.higher_is_better for row in rows}
    primary = {row.key for row in rows if row.primary} or directions.keys()
    judged = iter(judged_effects([one for at, one in enumerate(found) if at not in of_pairs], directions, primary))
    told = [as_pair(one.effect, of_pairs[at]) if at in of_pairs else next(judged) for at, one in enumerate(found)]
    return (*told, *alone)


def known_of(
    rows: Sequence[MatrixRow],
    runs: Sequence[Run],
    factors: Sequence[Factor],
    moving: Moving,
    effects: Sequence[SettingEffect],
    doubles: Sequence[Double],
) -> Known:
    """Return what the primary metrics show, all metrics where none is primary."""
    leading = [row for row in rows if row.primary] or list(rows)
    keys = {row.key for row in leading}
    led = {(row.task, row.metric) for row in leading}
    inside = {name for row in leading if row.group for name in members_of(row.task, benchmarks_of_all(runs))}
    subtasks = [row for row in rows if row.task in inside]
    return Known(
        runs,
        factors,
        leading,
        [each for each in effects if each.key in keys],
        subtasks,
        [row for row in rows if not row.group and row.key not in keys and (row.task, row.metric) in led],
        unrecorded_change(leading, factors, moving.sums, runs),
        odd_runs(factors),
        moving.alike,
        doubles,
    )


def identity(firsts: Sequence[Comparison]) -> str:
    """Return the content address of a matrix: made of those of its comparisons."""
    import hashlib  # not for who compares two runs

    return hashlib.sha256("|".join(each.id for each in firsts).encode("ascii")).hexdigest()[:12]


def reported_score_of(run: Run, key: MetricKey) -> Score | None:
    """Return a run's score of a metric where it is a number."""
    for score in run.scores:
        if score.key == key and score.value is not None:
            return score
    return None


def matrix_keys(firsts: Sequence[Comparison], groups: Groups) -> frozenset[MetricKey]:
    """Return the metrics that a verdict rests on in any of the comparisons with the first run: a benchmark's own row.

    Its subtasks stand behind it; where it has no difference, they stand for themselves.
    """
    rows = [row for each in firsts for row in each.metrics if row.primary]
    heads = {row.key for row in rows if row.group and row.difference is not None}
    inside = {(name, head.metric) for head in heads for name in members_of(head.task, groups)}
    return frozenset(
        row.key for row in rows if (row.task, row.metric) not in inside and (not row.group or row.key in heads)
    )


def matrix_rows(
    runs: Sequence[Run], found: Mapping[MetricKey, Mapping[Pair, PairFind]], primary: frozenset[MetricKey]
) -> list[MatrixRow]:
    """Return every metric over all runs: the pairs of all primary metrics are one family, those of the rest another."""
    cells: dict[MetricKey, dict[Pair, MatrixCell]] = {key: {} for key in found}
    directions = {key: common_direction(key, runs) for key in found}
    for family in (True, False):
        places = [(key, pair) for key in found if (key in primary) == family for pair in found[key]]
        finds = [found[key][pair] for key, pair in places]
        tests = holm_levels([measured_p(each.measured) for each in finds])
        same = holm_levels([p_same_of(each.measured) for each in finds])
        for (key, pair), find, test, equal in zip(places, finds, tests, same, strict=True):
            cells[key][pair] = cell_of(pair, find, directions[key], test, equal)
    return [
        matrix_row(key, runs, found[key], tuple(cells[key].values()), primary=key in primary)
        for key in found
        if found[key]
    ]


def benchmarks_of_all(runs: Sequence[Run]) -> Groups:
    return {name: tasks for run in reversed(runs) for name, tasks in run.groups.items()}


def common_direction(key: MetricKey, runs: Sequence[Run]) -> bool | None:
    """Return whether higher is better in all runs."""
    said = (score.higher_is_better for run in runs if (score := reported_score_of(run, key)))
    return agreed_direction(key.metric, said)


def matrix_row(
    key: MetricKey,
    runs: Sequence[Run],
    finds: Mapping[Pair, PairFind],
    cells: tuple[MatrixCell, ...],
    *,
    primary: bool,
) -> MatrixRow:
    """Return one metric over all runs: every pair with its range, and the letters that tell them apart."""
    scores = [reported_score_of(run, key) for run in runs]
    known = [each.measured.found for each in finds.values() if each.measured]
    counts = [each.pairs for each in known if each.pairs is not None]
    direction = common_direction(key, runs)
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
            wilson_of_score(score, run.items_of(score) if score else None)
            for run, score in zip(runs, scores, strict=True)
        ),
        primary=primary,
        group=any(score.group for score in scores if score),
    )


def cell_of(pair: Pair, find: PairFind, direction: bool | None, test: Adjusted, same: Adjusted) -> MatrixCell:
    """Return two runs on one metric; a word is withheld for the reasons for which a comparison of two withholds it."""
    if find.measured is None:
        return MatrixCell(*pair, None, None, None, None, "not_available", find.reason)
    each = range_at(find.measured, test.alpha, same.alpha, same=same.p is not None and same.p < ALPHA)
    word, reason = status_and_reason(each, direction, test.p, same.p)
    if find.reason and word in ("better", "worse", "same"):
        word, reason = "unclear", find.reason
    return MatrixCell(*pair, each.difference, each.low, each.high, test.p, word, reason, each.confidence)


def letters_of(scores: Sequence[Score | None], cells: Sequence[MatrixCell], direction: bool | None) -> tuple[str, ...]:
    """Return a letter set a run, the best run's first; runs that nothing can be said of on this metric have none."""
    told = {place for cell in cells if cell.status != "not_available" for place in (cell.a, cell.b)}
    there = [place for place in range(len(scores)) if place in told]
    apart = [(there.index(cell.a), there.index(cell.b)) for cell in cells if cell.is_apart]
    sign = 1.0 if direction is False else -1.0
    values = [(score.value or 0.0) * sign for place, score in enumerate(scores) if score is not None and place in told]
    given = letters(len(there), apart, sorted(range(len(there)), key=lambda place: values[place]))
    return tuple(given[there.index(place)] if place in told else "" for place in range(len(scores)))


def named_findings(firsts: Sequence[Comparison]) -> tuple[Finding, ...]:
    """Return the findings of all comparisons, each said of its runs by name; what is said of A alone once."""
    found: dict[Finding, None] = {}
    for each in firsts:
        for finding in each.findings:
            text = with_labels(finding.text, each.a.label, each.b.label)
            who = each.a.label if finding.side == "a" else each.b.label
            found[finding._replace(text=text if who in text else f"{who}: {text}")] = None
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def matrix_methods(rows: Sequence[MatrixRow], effects: Sequence[SettingEffect]) -> tuple[str, ...]:
    """Return every method behind the numbers of a matrix."""
    always = {"compact_letters", "holm", "simultaneous_bonferroni"}
    return tuple(sorted({row.method for row in rows} | always | ({"attribution"} if effects else set())))
