"""Which setting did it, among many runs: each effect a contrast of runs, told only where the runs tell it apart.

Effects are said to add, and where four runs show that two do not, each is told at the first run's level of the other.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from diptych.closed_names import Status
from diptych.diagnose.effect_notes import Sides, mean_weights, note_of, seed_repeats
from diptych.diagnose.samples.row_pairs import WIDTH, filter_rows
from diptych.diagnose.varied_settings import Factor, factor_steps, own_pair
from diptych.estimates import ALPHA
from diptych.fast_named_tuple import NamedTuple
from diptych.matrix import MatrixCell, MatrixRow, SettingEffect
from diptych.metric_key import MetricKey
from diptych.run import Run
from diptych.stats.distributions import student_two_sided
from diptych.stats.effects import contrast, effects_of, lack_of_fit
from diptych.stats.estimate_by_level import mean_limits
from diptych.stats.graded import t_test
from diptych.stats.multiple import Adjusted, holm_levels

FEWEST_ITEMS = 20
MOST_LEVELS = 12
"""A setting with more values than this names the runs: what each does is the matrix itself."""

NOTHING = 1e-9

Columns = Sequence[Sequence[float]]
"""A score for each shared item, run by run."""


class Found(NamedTuple):
    """An effect before its family is known: its contrast with the standard error over `df` + 1 shared items.

    `of_two`: it is one run less another, and no more.
    """

    effect: SettingEffect
    error: float = 0.0
    df: int = 0
    of_two: bool = False


def setting_effects(
    key: MetricKey, runs: Sequence[Run], factors: Sequence[Factor], variance_run: float = 0.0
) -> list[Found]:
    """Return what each factor does to one metric; none where too few items are logged in all runs, or none differs.

    Two runs that differ in one factor alone are that step's own difference, whatever a fit over all runs would say.
    `variance_run` is what a rerun adds to each run's score, from repeats.
    """
    factors = [factor for factor in factors if len(factor.examples) <= MOST_LEVELS]
    columns = shared_columns(key, runs) if factors else []
    steps = factor_steps(factors)
    if not steps or not columns or len(columns[0]) < FEWEST_ITEMS:
        return []
    design = [[1.0, *(float(factor.levels[place] == level) for factor, level in steps)] for place in range(len(runs))]
    scores = [math.fsum(column) / len(column) for column in columns]
    fitted = effects_of(design, scores)
    squares = not_adding(factors, columns)
    bent = {at for square in squares for at in square.factors}
    misfit = lack_of_fit(design, columns) if fitted.rank < len(runs) else None
    found = []
    for at, (factor, level) in enumerate(steps):
        pair = own_pair(factors, factor, level)
        blank = SettingEffect(*key, factor.keys, *(pair or (0, factor.examples[level])), "")
        weights: Sequence[float] | None = None
        sides: Sides | None = None
        if pair is not None:
            sides = seed_repeats(pair[0], factors, runs), seed_repeats(pair[1], factors, runs)
            weights = mean_weights(*sides, len(runs))
        elif factors.index(factor) not in bent and fitted.identified[at + 1]:
            weights = fitted.weights[at + 1]
        note = note_of(factor, pair, runs, factors.index(factor) in bent, misfit, sides)
        found.append(effect(blank._replace(note=note), weights, columns, variance_run))
    for square in squares:
        keys = tuple(name for at in square.factors for name in factors[at].keys)
        joint = SettingEffect(*key, keys, *square.ends, TOGETHER)
        found.append(effect(joint, pair_weights(square.ends, len(runs)), columns, variance_run))
    return found


TOGETHER = "both at once: their effects do not add"
"""On what the effect of two factors that do not add rests."""


def effect(blank: SettingEffect, weights: Sequence[float] | None, columns: Columns, variance_run: float) -> Found:
    """Return one factor's step to one level as a contrast of runs over the shared items."""
    if weights is None:
        return Found(blank._replace(note="confounded with other settings"))
    made = contrast(weights, columns, variance_run)
    estimate = 0.0 if abs(made.estimate) <= NOTHING else made.estimate  # nought has no sign
    if made.error <= NOTHING:
        # a range without width is no range
        return Found(blank._replace(difference=estimate, p_value=1.0 if not estimate else None))
    df = len(columns[0]) - 1
    p = student_two_sided(estimate / made.error, df)
    of_two = list(weights) == pair_weights((blank.a, blank.b), len(weights))
    return Found(blank._replace(difference=estimate, p_value=p), made.error, df, of_two)


def judged_effects(
    found: Sequence[Found], directions: Mapping[MetricKey, bool | None], primary: Collection[MetricKey] | None = None
) -> tuple[SettingEffect, ...]:
    """Return all effects with Holm's p-values, the range at the level that is left, and their word.

    Those on primary metrics are one family (all of them where `primary` is None), the rest is another.
    """
    made: dict[int, SettingEffect] = {}
    for family in (True, False):
        places = [at for at, each in enumerate(found) if (primary is None or each.effect.key in primary) == family]
        tests = holm_levels([found[at].effect.p_value for at in places])
        for at, test in zip(places, tests, strict=True):
            made[at] = worded_effect(found[at], test, directions.get(found[at].effect.key))
    return tuple(made[at] for at in range(len(found)))


def worded_effect(each: Found, test: Adjusted, higher_is_better: bool | None) -> SettingEffect:
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


def pair_effects(row: MatrixRow, factors: Sequence[Factor], runs: Sequence[Run]) -> list[SettingEffect]:
    """Return the effects that two runs show by themselves, from the pairs of a row: where no contrast can be made.

    Their ranges and p-values are those of all pairs at once.
    """
    cells = cells_of(row)
    found = []
    for step in factor_steps([factor for factor in factors if len(factor.examples) <= MOST_LEVELS]):
        pair = own_pair(factors, step.factor, step.level)
        if pair is not None and (cell := cells.get(pair)) is not None:
            blank = SettingEffect(*row.key, step.factor.keys, *pair, note_of(step.factor, pair, runs, False, None))
            found.append(as_pair(blank, cell))
    return found


def cells_of(row: MatrixRow) -> Mapping[tuple[int, int], MatrixCell]:
    """Return the pairs of a row that have a difference, each either way round."""
    known = [cell for cell in row.cells if cell.difference is not None]
    return {(cell.a, cell.b): cell for one in known for cell in (one, other_way_round(one))}


def as_pair(effect: SettingEffect, cell: MatrixCell) -> SettingEffect:
    """Return an effect that two runs show with the numbers and the word that these two have among all pairs.

    One difference has one range: that of the table, where the same pair stands.
    """
    return effect._replace(
        difference=cell.difference,
        low=cell.low,
        high=cell.high,
        p_value=None,
        p_adjusted=cell.p_adjusted,
        status=cell.status,
        confidence=cell.confidence,
    )


TURNED: Mapping[Status, Status] = {"better": "worse", "worse": "better"}


def other_way_round(cell: MatrixCell) -> MatrixCell:
    """Return two runs the other way round."""
    gap, low, high = (None if value is None else -value for value in (cell.difference, cell.low, cell.high))
    status = TURNED.get(cell.status, cell.status)
    return cell._replace(a=cell.b, b=cell.a, difference=gap, low=high, high=low, status=status)


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
    for row in filter_rows(columns, filter_name):
        value = float(columns.values[metric][row])
        if math.isfinite(value):
            item = bytes(columns.doc_hashes[row * WIDTH : row * WIDTH + WIDTH]), str(columns.doc_ids[row])
            found.setdefault(item, []).append(value)
    return {item: math.fsum(values) / len(values) for item, values in found.items()}


def pair_weights(pair: tuple[int, int], runs: int) -> list[float]:
    """Return the weights of one run less another."""
    return [float(at == pair[1]) - float(at == pair[0]) for at in range(runs)]


class Square(NamedTuple):
    """Two factors (by place) and the runs with neither and both of their first changes."""

    factors: tuple[int, int]
    ends: tuple[int, int]


def not_adding(factors: Sequence[Factor], columns: Columns) -> list[Square]:
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
            found.append(Square((one, other), (places[square[0]], places[square[-1]])))
    return found
