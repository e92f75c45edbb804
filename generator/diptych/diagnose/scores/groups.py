"""Group rows: recomputed from their subtasks with the group's own weighting, never counted as further evidence."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from diptych.catalogue.metrics import is_binary_metric, most_difference, unit_of
from diptych.diagnose.benchmarks import Groups, members_of
from diptych.diagnose.options import Options
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.scores.reported_scales import Sides
from diptych.diagnose.scores.test_inputs import aggregation_of, reported_input, units_of, why_unpaired
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.run import Run, Score
from diptych.stats.paired import may_be_binary as is_share
from diptych.stats.test_input import SharePart, TestInput


class GroupScore(NamedTuple):
    """A group's score made of its subtasks in both ways; `weighting` is the way that gives the reported one."""

    by_items: float
    plain_mean: float
    weighting: str | None


def leaf_tasks(run: Run, group: str) -> tuple[str, ...]:
    """Return the leaf tasks of a group, nested groups opened."""
    return kept_leaf_tasks(ByIdentity(run.groups), group)


class ByIdentity:
    """A run's groups as a key: the same mapping is the same key, and none is changed once its run is read."""

    def __init__(self, groups: Groups) -> None:
        self.groups = groups

    def __hash__(self) -> int:
        return id(self.groups)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and self.groups is other.groups


@lru_cache(maxsize=1_024)
def kept_leaf_tasks(known: ByIdentity, group: str) -> tuple[str, ...]:
    """Return the leaf tasks of a group; kept, as every score of a group asks for them several times."""
    return tuple(name for name in members_of(group, known.groups) if not known.groups.get(name))


def group_score(run: Run, score: Score) -> GroupScore | None:
    """Return a group's score from the scores of those subtasks that have the metric; None where one is not a number."""
    parts = {each.task: each for each in run.scores if (each.metric, each.filter) == (score.metric, score.filter)}
    found = [parts[task] for task in leaf_tasks(run, score.task) if task in parts]
    values = [(each.value, each.items or run.items.get(each.task)) for each in found if each.value is not None]
    if not values or len(values) < len(found) or not all(items for _, items in values):
        return None
    total = sum(items or 0 for _, items in values)
    by_items = sum((value or 0.0) * (items or 0) for value, items in values) / total
    plain_mean = sum(value or 0.0 for value, _ in values) / len(values)
    weighting = weighting_of(score.value, by_items, plain_mean)
    if weighting and abs(by_items - plain_mean) < 2e-6:
        weighting = recorded_weighting(run, score) or weighting  # the numbers cannot tell the two apart
    return GroupScore(by_items, plain_mean, weighting)


def recorded_weighting(run: Run, score: Score) -> str | None:
    """Return how the group's own definition weighs its subtasks, None where it does not say."""
    rows = run.configs.get(score.task, {}).get("aggregate_metric_list")
    for row in rows if isinstance(rows, (list, tuple)) else (rows,):
        if isinstance(row, Mapping) and row.get("metric") == score.metric and "weight_by_size" in row:
            return "items" if row["weight_by_size"] else "equal"
    return None


def group_error(run: Run, score: Score) -> float | None:
    """Return a group's standard error from its subtasks' (these fixed, their items drawn); None where one has none.

    Weighted as the reported score is: by items, or each subtask alike.
    """
    made = group_score(run, score)
    parts = {each.task: each for each in run.scores if (each.metric, each.filter) == (score.metric, score.filter)}
    found = [parts[task] for task in leaf_tasks(run, score.task) if task in parts]
    sizes = [each.items or run.items.get(each.task) or 0 for each in found]
    errors = [own_error(each, size) for each, size in zip(found, sizes, strict=True)]
    if made is None or not found or any(error is None for error in errors) or not all(sizes):
        return None
    weights = [1 / len(sizes)] * len(sizes) if made.weighting == "equal" else [size / sum(sizes) for size in sizes]
    return float(sum((weight * (error or 0.0)) ** 2 for weight, error in zip(weights, errors, strict=True)) ** 0.5)


def own_error(score: Score, items: int) -> float | None:
    """Return a subtask's standard error; of a share of right answers whose error cannot be, what its score gives."""
    if score.stderr is not None or score.value is None or not is_binary_metric(score.metric) or items < 2:
        return score.stderr
    return (score.value * (1 - score.value) / (items - 1)) ** 0.5 if 0 <= score.value <= 1 else None


WRONG_ERROR = 1.5
"""A group's standard error is wrong where it is so many times the one of its subtasks, or less than that share."""


def is_wrong(reported: float | None, ours: float | None) -> bool:
    """Say whether a group's reported standard error cannot come of its subtasks."""
    return bool(reported and ours) and not (ours or 0) / WRONG_ERROR <= (reported or 0) <= (ours or 0) * WRONG_ERROR


def weighting_of(reported: float | None, by_items: float, plain_mean: float) -> str | None:
    """Return "items" or "equal", whichever gives the reported score; None where neither does."""
    if reported is None:
        return None
    if abs(reported - by_items) < 1e-6:
        return "items"
    return "equal" if abs(reported - plain_mean) < 1e-6 else None


def leaf_tasks_with_metric(run: Run, key: MetricKey) -> tuple[str, ...]:
    """Return a group's leaf tasks that have this metric: the harness averages over these."""
    having = {each.task for each in run.scores if (each.metric, each.filter) == (key.metric, key.filter)}
    return tuple(task for task in leaf_tasks(run, key.task) if task in having)


def group_input(
    key: MetricKey, sides: Sides, a: Run, b: Run, paired: Mapping[str, PairedScores], options: Options
) -> TestInput:
    """Return what is known of a group row: its subtasks' items as strata where all of them are paired."""
    assert sides.a is not None and sides.b is not None
    known = with_own_errors(reported_input(key, sides, a, b, options), sides, a, b)
    tasks, others = leaf_tasks_with_metric(a, key), leaf_tasks_with_metric(b, key)
    column = (key.filter, key.metric)
    known = known._replace(parts=share_parts(key, a, b, tasks) if set(tasks) == set(others) else ())
    if set(tasks) != set(others):
        return known._replace(no_pairs=f"group {key.task} is not made of the same subtasks on both sides")
    columns = [paired[task].values.get(column) if task in paired else None for task in tasks]
    if not tasks or not all(each and each[0] for each in columns):
        missing = next((task for task, each in zip(tasks, columns, strict=True) if not each), key.task)
        return known._replace(no_pairs=f"subtask {missing}: {why_unpaired(missing, a, b)}")
    ways = {made.weighting for run, score in ((a, sides.a), (b, sides.b)) if (made := group_score(run, score))} - {None}
    weighting = ways.pop() if len(ways) == 1 else "items" if ways else None
    if weighting is None:
        return known._replace(no_pairs="the subtasks do not make up the group's score by either weighting")
    whole = [each for each in columns if each]
    unit = unit_of(key.metric, (known.score_a, known.score_b))
    return known._replace(
        aggregation="mean" if all(is_mean_of_items(a, task, key, paired) for task in tasks) else known.aggregation,
        reach=most_difference(key.metric, unit),
        a=[value for each in whole for value in each[0]],
        b=[value for each in whole for value in each[1]],
        clusters=units(
            [
                units_of(key._replace(task=task), paired[task], *each)[0]
                for task, each in zip(tasks, whole, strict=True)
            ],
            [len(each[0]) for each in whole],
        ),
        strata=[number for number, each in enumerate(whole) for _ in each[0]],
        weighting=weighting,
    )


def share_parts(key: MetricKey, a: Run, b: Run, tasks: Sequence[str]) -> tuple[SharePart, ...]:
    """Return a group's subtasks as shares of right answers with their weights, none where one of them is no share."""
    sides = [
        {each.task: each for each in run.scores if (each.metric, each.filter) == (key.metric, key.filter)}
        for run in (a, b)
    ]
    counts = [(right_answers(a, sides[0][task]), right_answers(b, sides[1][task])) for task in tasks]
    known = [(one, other) for one, other in counts if one and other]
    groups = [(run, score) for run in (a, b) for score in run.scores if score.key == key]
    ways = [made.weighting for run, score in groups if (made := group_score(run, score))]
    if len(known) < len(tasks) or not ways:
        return ()
    totals = [sum(pair[side][1] for pair in known) for side in (0, 1)]
    equal = all(way == "equal" for way in ways)
    # by the items of both sides alike, so that neither side's name matters
    shares = [(one[1] / totals[0] + other[1] / totals[1]) / 2 for one, other in known]
    weights = [1 / len(known)] * len(known) if equal else shares
    return tuple(SharePart(weight, *one, *other) for weight, (one, other) in zip(weights, known, strict=True))


def right_answers(run: Run, score: Score) -> tuple[int, int] | None:
    """Return how many of how many items a share of right answers counts; None where the score is no share."""
    items = score.items or run.items.get(score.task)
    if score.value is None or not items or not 0 <= score.value <= 1:
        return None
    right = round(score.value * items)
    binary = is_binary_metric(score.metric) or (score.stderr is not None and is_share(score.value, score.stderr, items))
    return (right, items) if binary and abs(right - score.value * items) <= 1e-6 * items else None


def is_mean_of_items(run: Run, task: str, key: MetricKey, paired: Mapping[str, PairedScores]) -> bool:
    """Say whether a subtask's score is the mean of its items, whatever its metric's name is."""
    known = key._replace(task=task)
    if aggregation_of(run, known) == "mean":
        return True
    own = paired[task].all_a.get((key.filter, key.metric))
    value = next((score.value for score in run.scores if score.key == known), None)
    return (
        bool(own) and value is not None and abs(sum(own or ()) / len(own or (0,)) - value) <= 1e-6 * max(1, abs(value))
    )


def with_own_errors(known: TestInput, sides: Sides, a: Run, b: Run) -> TestInput:
    """Return what is reported of a group, without standard errors that its subtasks deny."""
    errors = []
    for run, score in ((a, sides.a), (b, sides.b)):
        ours = group_error(run, score) if score else None
        errors.append(ours if score and is_wrong(score.stderr, ours) else score.stderr if score else None)
    return known._replace(stderr_a=errors[0], stderr_b=errors[1], binary=None)


def units(columns: Sequence[Sequence[int] | None], sizes: Sequence[int]) -> list[int] | None:
    """Return the number of each item's independent unit over all subtasks, None where every item is one."""
    if not any(columns):
        return None
    numbers: dict[tuple[int, int], int] = {}
    return [
        numbers.setdefault((place, unit), len(numbers))
        for place, (column, size) in enumerate(zip(columns, sizes, strict=True))
        for unit in column or range(size)
    ]
