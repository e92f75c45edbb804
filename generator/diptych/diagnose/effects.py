"""Which setting did it, among many runs: each effect a contrast of runs, told only where the runs tell it apart.

Settings that change together in all runs are one factor; effects are said to add, and where four runs show that two
do not, each is told at the first run's level of the other.
"""

import json
import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from diptych.comparison import Comparison, IsolatingRun, Json
from diptych.diagnose.repeats import SEEDS
from diptych.diagnose.samples.pairing import rows_of
from diptych.diagnose.verdict.isolating_run import isolating_run
from diptych.keys import MetricKey
from diptych.matrix import SettingEffect
from diptych.run import Run
from diptych.stats.effects import contrast, effects_of, next_run, next_run_gains
from diptych.stats.graded import t_test
from diptych.stats.select import holm

FEWEST_ITEMS = 20
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

    `moving` leaves out those that the samples say cannot have moved a score anywhere, seeds, and a machine that only
    one side describes: runs that differ in nothing else repeat each other.
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
            if not moving or (standing != "cannot" and key not in SEEDS):
                ranks[key] = (rank, key)
                values.setdefault(key, {0: a})[place] = b
    return {
        key: tuple(values[key].get(place, values[key][0]) for place in range(len(firsts) + 1))
        for key in sorted(ranks, key=ranks.__getitem__)
    }


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


def setting_effects(
    key: MetricKey, runs: Sequence[Run], factors: Sequence[Factor], variance_run: float = 0.0
) -> tuple[SettingEffect, ...]:
    """Return what each factor does to one metric; none where too few items are logged in all runs, or none differs.

    `variance_run` is what a rerun adds to each run's score, from repeats.
    """
    columns = shared_columns(key, runs)
    steps = [(factor, level) for factor in factors for level in range(1, len(factor.examples))]
    if not steps or not columns or len(columns[0]) < FEWEST_ITEMS:
        return ()
    design = [[1.0, *(float(factor.levels[place] == level) for factor, level in steps)] for place in range(len(runs))]
    scores = [math.fsum(column) / len(column) for column in columns]
    found = effects_of(design, scores)
    bent = {at for pair in not_adding(factors, columns) for at in pair}
    rows = []
    for at, (factor, level) in enumerate(steps):
        alone = alone_from_first(factors, factor, level)
        if factors.index(factor) in bent:
            weights = step_weights(alone, len(runs)) if alone is not None else None
            note = "at the first run's other settings: this effect is not the same at others"
        else:
            weights = list(found.weights[at + 1]) if found.identified[at + 1] else None
            note = "" if found.rank == len(runs) and alone is not None else "if effects add"
        rows.append(
            effect(SettingEffect(*key, factor.keys, 0, factor.examples[level], note), weights, columns, variance_run)
        )
    return tuple(adjusted(rows))


def effect(
    blank: SettingEffect, weights: Sequence[float] | None, columns: Columns, variance_run: float
) -> SettingEffect:
    """Return one factor's step to one level as a contrast of runs, with a t range over the shared items."""
    if weights is None:
        return blank._replace(note="these runs do not tell it apart from other settings")
    made = contrast(weights, columns, variance_run)
    if made.error <= 0:
        return blank._replace(difference=made.estimate, p_value=1.0 if made.estimate == 0 else None)
    test = t_test(made.estimate, made.error, len(columns[0]) - 1, 0.95)
    return blank._replace(difference=made.estimate, low=test.low, high=test.high, p_value=test.p)


def adjusted(rows: Sequence[SettingEffect]) -> list[SettingEffect]:
    """Return the effects with Holm's p-values over all of them."""
    p_values = holm([row.p_value for row in rows])
    return [row._replace(p_adjusted=p) for row, p in zip(rows, p_values, strict=True)]


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
            item = bytes(columns.doc_hashes[row * 32 : row * 32 + 32]), str(columns.doc_ids[row])
            found.setdefault(item, []).append(value)
    return {item: math.fsum(values) / len(values) for item, values in found.items()}


def alone_from_first(factors: Sequence[Factor], factor: Factor, level: int) -> int | None:
    """Return a run that differs from the first in this factor alone."""
    for place in range(len(factor.levels)):
        others = all(other.levels[place] == 0 for other in factors if other is not factor)
        if others and factor.levels[place] == level:
            return place
    return None


def step_weights(place: int, runs: int) -> list[float]:
    """Return the weights of one run less the first."""
    return [float(at == place) - float(at == 0) for at in range(runs)]


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
    names = [f"{at:04d}|{key}" for at, key in enumerate(key for factor in factors for key in factor.keys)]
    owners = [factor for factor in factors for _ in factor.keys]
    edges = [[float(owner.levels[place] == 1) for owner in owners] for place in range(1, len(runs))]
    candidates, commands = {}, {}
    for name, owner in zip(names, owners, strict=True):
        if len(owner.keys) == 1 and alone_from_first(factors, owner, 1) is not None:
            continue  # a run has shown it already
        command = isolating_run(name.partition("|")[2], runs[0], runs[owner.examples[1]])
        if command is not None:
            candidates[name], commands[name] = [float(name == other) for other in names], command
    if not candidates:
        return None, ()
    gains, _ = next_run_gains(edges, candidates, SPREAD, ERROR)
    best = next_run(gains, dict.fromkeys(candidates, 1)) or ""
    return commands[best], owners[names.index(best)].keys
