"""Which setting did it, among many runs: each effect a contrast of runs, told only where the runs tell it apart.

Settings that change together in all runs are one factor; effects are said to add, and where four runs show that two
do not, each is told at the first run's level of the other.
"""

import json
import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from diptych.catalogue.acts import Known
from diptych.catalogue.settings import context_rank, rank_of
from diptych.comparison import ALPHA, Comparison, Finding, IsolatingRun, Json
from diptych.diagnose.repeats import SEEDS
from diptych.diagnose.samples.pairs import WIDTH, rows_of
from diptych.diagnose.settings.lookup import of_interface, takes_messages
from diptych.diagnose.settings.no_effect_rules import COPIES
from diptych.diagnose.verdict.isolating_run import isolating_run
from diptych.keys import MetricKey
from diptych.matrix import MatrixRow, SettingEffect
from diptych.nouns import NamedTuple
from diptych.run import Run
from diptych.stats.distributions import student_two_sided
from diptych.stats.effects import contrast, effects_of, lack_of_fit, next_run, next_run_gains
from diptych.stats.graded import t_test
from diptych.stats.measured import mean_limits
from diptych.stats.multiple import Adjusted, holm_levels

FEWEST_ITEMS = 20
MOST_LEVELS = 12
"""A setting with more values than this names the runs: what each does is the matrix itself."""

NOTHING = 1e-9
SPREAD, ERROR = 0.05, 0.03
"""What a setting is thought to move a score by, and how well a run tells it: these rank next runs and nothing else."""


class Factor(NamedTuple):
    """Settings that change together: the level of each run (the first run's is 0), a run that shows each level."""

    keys: tuple[str, ...]
    levels: tuple[int, ...]
    examples: tuple[int, ...]


Columns = Sequence[Sequence[float]]
"""A score for each shared item, run by run."""


def settings_of(firsts: Sequence[Comparison], moving: bool = False) -> dict[str, tuple[Json, ...]]:
    """Return each setting in which some run differs from the first, with its value in every run, worst first.

    `moving` leaves out those that the samples say cannot have moved a score anywhere, seeds, what only sets which
    items are scored (every number is of shared ones), and a machine that only one side describes: runs that differ in
    nothing else repeat each other.
    """
    ranks: dict[str, tuple[int, str]] = {}
    values: dict[str, dict[int, Json]] = {}
    for place, each in enumerate(firsts, 1):
        outside = [(f"context.{row.setting}", row.a, row.b, row.standing, 900) for row in each.context]
        inside = [
            (row.key, row.a, row.b, row.standing, 1_000 if row.rank is None else row.rank)
            for row in each.settings
            if not moving or row.kind != "environment" or (row.a_recorded and row.b_recorded)
        ]
        for key, a, b, standing, rank in (*inside, *outside):
            # a level stays though its own outcome did not move: what moves at any level is a setting that can act
            values.setdefault(key, {0: a})[place] = b
            if not moving or (standing != "cannot" and key not in SEEDS and known_of(key).acts != ("items",)):
                ranks[key] = (rank, key)
    return {
        key: tuple(values[key].get(place, values[key][0]) for place in range(len(firsts) + 1))
        for key in sorted(ranks, key=ranks.__getitem__)
    }


def known_of(key: str) -> Known:
    """Return what is known of a setting, of the run or of what stands beside it."""
    outside = key.removeprefix("context.")
    return context_rank(outside)[1] if outside != key else rank_of(key)[1]


def factors_of(settings: Mapping[str, Sequence[Json]]) -> list[Factor]:
    """Return the settings, those that change together in all runs as one."""
    together: dict[tuple[int, ...], list[str]] = {}
    for key, values in settings.items():
        numbers: dict[str, int] = {}
        levels = tuple(numbers.setdefault(json.dumps(value, sort_keys=True), len(numbers)) for value in values)
        together.setdefault(levels, []).append(key)
    return [
        Factor(tuple(keys), levels, tuple(levels.index(level) for level in range(max(levels) + 1)))
        for levels, keys in together.items()
        if max(levels)  # one level in all runs: null here, not recorded there
    ]


class Found(NamedTuple):
    """An effect before its family is known: its contrast with the standard error over `df` + 1 shared items."""

    effect: SettingEffect
    error: float = 0.0
    df: int = 0


def setting_effects(
    key: MetricKey, runs: Sequence[Run], factors: Sequence[Factor], variance_run: float = 0.0
) -> list[Found]:
    """Return what each factor does to one metric; none where too few items are logged in all runs, or none differs.

    Two runs that differ in one factor alone are that step's own difference, whatever a fit over all runs would say.
    `variance_run` is what a rerun adds to each run's score, from repeats.
    """
    factors = [factor for factor in factors if len(factor.examples) <= MOST_LEVELS]
    columns = shared_columns(key, runs) if factors else []
    steps = [(factor, level) for factor in factors for level in range(1, len(factor.examples))]
    if not steps or not columns or len(columns[0]) < FEWEST_ITEMS:
        return []
    design = [[1.0, *(float(factor.levels[place] == level) for factor, level in steps)] for place in range(len(runs))]
    scores = [math.fsum(column) / len(column) for column in columns]
    fitted = effects_of(design, scores)
    bent = {at for pair in not_adding(factors, columns) for at in pair}
    misfit = lack_of_fit(design, columns) if fitted.rank < len(runs) else None
    found = []
    for at, (factor, level) in enumerate(steps):
        pair = own_pair(factors, factor, level)
        blank = SettingEffect(*key, factor.keys, *(pair or (0, factor.examples[level])), "")
        weights: Sequence[float] | None = None
        if pair is not None:
            weights = pair_weights(pair, len(runs))
        elif factors.index(factor) not in bent and fitted.identified[at + 1]:
            weights = fitted.weights[at + 1]
        note = note_of(pair, factors.index(factor) in bent, misfit)
        found.append(effect(blank._replace(note=note), weights, columns, variance_run))
    return found


def note_of(pair: tuple[int, int] | None, bent: bool, misfit: float | None) -> str:
    """Return on what an effect rests."""
    if bent:
        where = "the first run's" if pair is None or pair[0] == 0 else "these two runs'"
        return f"at {where} other settings: this effect is not the same at others"
    if pair is not None:
        return "" if pair[0] == 0 else "by the two runs that differ in this alone"
    if misfit is not None and misfit < ALPHA:
        return "if effects add, which these runs deny (lack of fit)"
    return "if effects add"


def effect(blank: SettingEffect, weights: Sequence[float] | None, columns: Columns, variance_run: float) -> Found:
    """Return one factor's step to one level as a contrast of runs over the shared items."""
    if weights is None:
        return Found(blank._replace(note="these runs do not tell it apart from other settings"))
    made = contrast(weights, columns, variance_run)
    if abs(made.estimate) <= NOTHING or made.error <= NOTHING:
        # nought has no sign, and a range without width is no range
        estimate = 0.0 if abs(made.estimate) <= NOTHING else made.estimate
        return Found(blank._replace(difference=estimate, p_value=1.0 if not estimate else None))
    df = len(columns[0]) - 1
    p = student_two_sided(made.estimate / made.error, df)
    return Found(blank._replace(difference=made.estimate, p_value=p), made.error, df)


def judged(found: Sequence[Found], directions: Mapping[MetricKey, bool | None]) -> tuple[SettingEffect, ...]:
    """Return all effects with Holm's p-values over them, the range at the level that is left, and their word."""
    tests = holm_levels([each.effect.p_value for each in found])
    return tuple(worded(each, test, directions.get(each.effect.key)) for each, test in zip(found, tests, strict=True))


def worded(each: Found, test: Adjusted, higher_is_better: bool | None) -> SettingEffect:
    """Return an effect with its range and status: a word needs its p-value and its range."""
    made = each.effect._replace(p_adjusted=test.p, confidence=round(1.0 - test.alpha, 12))
    if made.difference is None:
        return made._replace(status="not_available")
    if not each.error:
        return made
    low, high = mean_limits(made.difference, each.error, each.df)(made.confidence)
    made = made._replace(low=low, high=high)
    apart = low is not None and high is not None and not low <= 0 <= high
    if not apart or test.p is None or test.p >= ALPHA or higher_is_better is None:
        return made
    return made._replace(status="better" if ((made.difference or 0.0) > 0) is higher_is_better else "worse")


def shared_columns(key: MetricKey, runs: Sequence[Run]) -> Columns:
    """Return the scores of the items that every run logs, run by run; repeats of an item are averaged."""
    means = [item_means(key, run) for run in runs]
    shared = [item for item in means[0] if all(item in other for other in means)]
    return [[mean[item] for item in shared] for mean in means] if shared else []


def item_means(key: MetricKey, run: Run) -> dict[tuple[bytes, str], float]:
    """Return item -> mean score over its rows under a filter; nothing where the run has no samples of it."""
    task, metric, filter_name = key
    log = run.samples.get(task)
    if log is None or filter_name not in log.columns.filter_names or metric not in log.columns.values:
        return {}
    columns, found = log.columns, dict[tuple[bytes, str], list[float]]()
    for row in rows_of(columns, filter_name):
        value = float(columns.values[metric][row])
        if math.isfinite(value):
            item = bytes(columns.doc_hashes[row * WIDTH : row * WIDTH + WIDTH]), str(columns.doc_ids[row])
            found.setdefault(item, []).append(value)
    return {item: math.fsum(values) / len(values) for item, values in found.items()}


def causes(factor: Factor) -> tuple[str, ...]:
    """Return the keys of a factor that can be told apart: without copies, and of all that name one model the first."""
    of_model = [key for key in factor.keys if known_of(key).model]
    copied = [key for key in factor.keys if set(COPIES.get(key, ())) & set(factor.keys)]
    return tuple(key for key in factor.keys if key not in of_model[1:] and key not in copied)


def own_pair(factors: Sequence[Factor], factor: Factor, level: int) -> tuple[int, int] | None:
    """Return two runs that differ in this factor alone, at its first level and at another; the first run if it can."""
    others = [other.levels for other in factors if other is not factor]
    rest = [tuple(levels[place] for levels in others) for place in range(len(factor.levels))]
    for one, base in enumerate(factor.levels):
        for other, there in enumerate(factor.levels):
            if base == 0 and there == level and rest[one] == rest[other]:
                return one, other
    return None


def pair_weights(pair: tuple[int, int], runs: int) -> list[float]:
    """Return the weights of one run less another."""
    return [float(at == pair[1]) - float(at == pair[0]) for at in range(runs)]


def unrecorded_changes(
    rows: Sequence[MatrixRow], factors: Sequence[Factor], runs: Sequence[Run]
) -> tuple[Finding, ...]:
    """Return a finding for runs that are equal in all that can act and yet differ beyond pure error."""
    levels = list(zip(*(factor.levels for factor in factors), strict=True)) or [()] * len(runs)
    for row in rows:
        for cell in row.cells:
            if levels[cell.a] == levels[cell.b] and cell.status in ("better", "worse"):
                text = (
                    f"{runs[cell.a].label} and {runs[cell.b].label} are equal in every recorded setting that can "
                    f"act, and yet differ in {row.task} {row.metric}: an unrecorded setting changed."
                )
                return (Finding("serving_unknown", "warning", text, None, row.task),)
    return ()


def not_adding(factors: Sequence[Factor], columns: Columns) -> list[tuple[int, int]]:
    """Return pairs of factors whose effects do not add, as four runs that differ in nothing else show."""
    found = []
    places = {levels: place for place, levels in enumerate(zip(*(factor.levels for factor in factors), strict=True))}
    for one, other in combinations(range(len(factors)), 2):
        square = [
            tuple(step * (at == one) + turn * (at == other) for at in range(len(factors)))
            for step, turn in ((0, 0), (1, 0), (0, 1), (1, 1))
        ]
        if not all(corner in places for corner in square):
            continue
        signs = dict(zip((places[corner] for corner in square), (1.0, -1.0, -1.0, 1.0), strict=True))
        made = contrast([signs.get(place, 0.0) for place in range(len(columns))], columns)
        if made.error > 0 and t_test(made.estimate, made.error, len(columns[0]) - 1, 0.95).p < 0.05:
            found.append((one, other))
    return found


def run_to_make(runs: Sequence[Run], factors: Sequence[Factor]) -> tuple[IsolatingRun | None, tuple[str, ...]]:
    """Return the run that tells most of what these runs leave together, and which settings those are.

    Candidates repeat the first run with one setting changed; of equal gains the one that comes first in the list wins.
    """
    names = [f"{at:04d}|{key}" for at, key in enumerate(key for factor in factors for key in causes(factor))]
    owners = [factor for factor in factors for _ in causes(factor)]
    edges = [[float(owner.levels[place] == 1) for owner in owners] for place in range(1, len(runs))]
    candidates, commands = {}, {}
    for name, owner in zip(names, owners, strict=True):
        if len(causes(owner)) == 1 and own_pair(factors, owner, 1) is not None:
            continue  # two runs have shown it already
        there = runs[owner.examples[1]]
        if takes_messages(runs[0]) != takes_messages(there) and of_interface(name.partition("|")[2]):
            continue  # template, backend and arguments come together: no run separates them
        command = isolating_run(name.partition("|")[2], runs[0], there)
        if command is not None:
            candidates[name], commands[name] = [float(name == other) for other in names], command
    if not candidates:
        return None, ()
    # the largest set of settings that no run tells apart is split first
    largest = max(len(causes(owner)) for name, owner in zip(names, owners, strict=True) if name in candidates)
    kept = {name for name, owner in zip(names, owners, strict=True) if len(causes(owner)) == largest}
    candidates = {name: row for name, row in candidates.items() if name in kept}
    gains, _ = next_run_gains(edges, candidates, SPREAD, ERROR)
    best = next_run(gains, dict.fromkeys(candidates, 1)) or ""
    return commands[best], causes(owners[names.index(best)])
