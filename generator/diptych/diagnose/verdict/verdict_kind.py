"""What kind of verdict two runs deserve, on what ground: from "measured nothing" to "cannot tell". No words here."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from diptych.catalogue.metrics import at_floor
from diptych.closed_names import VerdictKind
from diptych.diagnose.samples.evidence import Evidence, Invalid
from diptych.diagnose.samples.sample_counts import SampleCounts, sample_counts, still_tasks
from diptych.estimates import MetricComparison, best_estimate, gap_of
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run

Ground = Literal[
    "no_scores",
    "nothing_shared",
    "invalid",
    "not_applied",
    "no_shared_items",
    "other_items",
    "no_common_unit",
    "items_equal",
    "file_twice",
    "scores_equal",
    "reported_apart",
    "weighed_apart",
    "retargeted",
    "log_cut",
    "unpaired_apart",
    "statuses",
]
"""On what a kind rests."""

ROUNDING = 5.1e-5
"""A reported score may be rounded to four digits."""


class Ruling(NamedTuple):
    """A verdict's kind and its ground, with the rows that it rests on and the tasks that measured nothing."""

    kind: VerdictKind
    ground: Ground
    rows: tuple[MetricComparison, ...] = ()
    invalid: Mapping[str | None, Invalid] = {}


def rule(metrics: tuple[MetricComparison, ...], evidence: Evidence, differs: bool, a: Run, b: Run) -> Ruling:
    """Return the kind of verdict: the first that holds. `differs`: something that can act differs on record."""
    shared = [row for row in metrics if row.a_present and row.b_present]
    if not shared:
        bare = not all(any(getattr(row, side) for row in metrics) for side in ("a_present", "b_present"))
        return Ruling("not_comparable", "no_scores" if bare else "nothing_shared", metrics)
    invalid = numbers_first(evidence.invalid_tasks)
    tasks = {row.task for row in shared if not row.group}
    if invalid and (None in invalid or tasks <= set(invalid)):
        applied = next(iter(invalid.values())).side == "both"
        return Ruling("not_a_measurement", "not_applied" if applied else "invalid", tuple(shared), invalid)
    judged = [row for row in shared if row.task not in invalid]
    if is_one_sided(invalid) and still_tasks(evidence).issuperset(tasks - set(invalid)):
        return Ruling("not_a_measurement", "invalid", tuple(shared), invalid)
    seen = sample_counts(evidence)
    if seen.one_sided and not seen.pairs:
        return Ruling("not_comparable", "no_shared_items", tuple(judged), invalid)
    if scored_other_items(judged, a, b):
        return Ruling("not_comparable", "other_items", tuple(judged), invalid)
    equal = equal_kind(judged, evidence, seen, differs, a, b)
    if equal is not None:
        same = [one for one in invalid.values() if one.side == "both"]
        if equal.ground == "items_equal" and same:  # where one task proves it, short answers that agree do not deny it
            return Ruling("not_a_measurement", "not_applied", tuple(shared), invalid)
        return equal._replace(invalid=invalid)
    if lacks_common_unit(judged):
        return Ruling("not_comparable", "no_common_unit", tuple(judged), invalid)
    return by_status(rows_rested_on(judged))._replace(invalid=invalid)


def numbers_first(invalid: Mapping[str | None, Invalid]) -> Mapping[str | None, Invalid]:
    """Return the tasks that measure nothing, those without numbers first: that breaks the answers of others, too."""
    return dict(sorted(invalid.items(), key=lambda one: one[1].kind != "likelihoods_not_numbers"))


def is_one_sided(invalid: Mapping[str | None, Invalid]) -> bool:
    """Say whether it is one side's answers that measure nothing, in each such task."""
    return bool(invalid) and all(one.side != "both" for one in invalid.values())


def equal_kind(
    judged: list[MetricComparison], evidence: Evidence, seen: SampleCounts, differs: bool, a: Run, b: Run
) -> Ruling | None:
    """Return that everything is equal: every logged item, one file twice, or every reported score; None where not."""
    worded = any(row.is_apart for row in judged if not row.group and row.estimate)
    still = seen.pairs and seen.nothing_moved and not (worded or evidence.incomplete_tasks)
    if still and (alone := unshared_row(judged, evidence)) is not None:
        return Ruling("unclear", "unpaired_apart", (alone,))
    if still and all_logged(judged, evidence):
        apart = None if set_differs(evidence) else row_reported_apart(judged)
        if apart:
            return apart_kind(apart, evidence)
        groups = [row for row in judged if row.group and of_same_tasks(row, a, b) and reports_apart(row)]
        if groups and not set_differs(evidence):
            return Ruling("unclear", "weighed_apart", tuple(groups))
        return Ruling("identical", "items_equal", tuple(judged))
    if evidence.tasks:
        return None
    if one_file(a, b):
        return Ruling("identical", "file_twice", tuple(judged))
    numbers = [row for row in judged if row.a is not None and row.b is not None]
    if numbers and not differs and all(row.a == row.b and row.a_stderr == row.b_stderr for row in numbers):
        return Ruling("identical", "scores_equal", tuple(judged))
    return None


def one_file(a: Run, b: Run) -> bool:
    """Say whether both sides were read from one results file, with the same samples."""
    return bool(a.inputs) and [one.sha256 for one in a.inputs] == [one.sha256 for one in b.inputs]


def set_differs(evidence: Evidence) -> bool:
    """Say whether the two logs hold other items, beyond rows that a log lacks."""
    return any(task.only_a + task.only_b > task.missing.a + task.missing.b for task in evidence.tasks)


def scored_other_items(rows: list[MetricComparison], a: Run, b: Run) -> bool:
    """Say whether other items were scored on all primary metrics and no samples allow to compare the shared ones."""
    bare = [row for row in rows_rested_on(rows) if row.estimate is None and not row.group]
    known = [row.task for row in bare if row.task in a.items and row.task in b.items]
    uneven = [task for task in known if a.items[task] != b.items[task]]
    return bool(uneven) and len(uneven) == len([row for row in rows_rested_on(rows) if not row.group])


def lacks_common_unit(rows: list[MetricComparison]) -> bool:
    """Say whether both sides have numbers, but none in the other's unit."""
    numbers = [row for row in rows if row.a is not None and row.b is not None and not row.group]
    return bool(numbers) and all(row.difference is None for row in numbers)


def all_logged(rows: list[MetricComparison], evidence: Evidence) -> bool:
    """Say whether every task that both sides scored has samples of both sides."""
    logged = {task.task for task in evidence.tasks if task.pairs}
    return {row.task for row in rows if not row.group} <= logged


def unshared_row(rows: list[MetricComparison], evidence: Evidence) -> MetricComparison | None:
    """Return a row that differs by the tasks alone of which no item is shared, where all others are logged.

    A benchmark's row goes before that of its task.
    """
    unshared = {task.task for task in evidence.tasks if not task.pairs and task.only_a and task.only_b}
    logged = {task.task for task in evidence.tasks if task.pairs} | unshared
    if not {row.task for row in rows if not row.group} <= logged:
        return None
    inside = [row for row in rows if unshared & {row.task, *row.subtasks} and row.a is not None and row.b is not None]
    found = [row for row in inside if reports_apart(row)]
    return max(found, key=lambda row: (row.primary, row.group, abs(reported_gap(row)), row.task), default=None)


def row_reported_apart(rows: list[MetricComparison]) -> MetricComparison | None:
    """Return a row whose reported scores differ though every item is the same, one that leads first; else None."""
    found = [row for row in rows if not row.group and reports_apart(row)]
    return next((row for row in found if row.primary), next(iter(found), None))


def of_same_tasks(row: MetricComparison, a: Run, b: Run) -> bool:
    """Say whether a benchmark is made of the same tasks on both sides."""
    return set(a.groups.get(row.task, ())) == set(b.groups.get(row.task, ()))


def reports_apart(row: MetricComparison) -> bool:
    """Say whether the two reported scores are not the same, as far as they were rounded."""
    return abs(reported_gap(row)) > ROUNDING * max(1.0, abs(row.a or 0.0))


def apart_kind(row: MetricComparison, evidence: Evidence) -> Ruling:
    """Return what sets reported scores apart though every pair is the same: first what is in no pair, last the sums."""
    task = next(task for task in evidence.tasks if task.task == row.task)
    if task.retargeted.items:
        return Ruling("not_comparable", "retargeted", (row,))
    if any(task.missing):
        return Ruling("unclear", "log_cut", (row,))
    return Ruling("unclear", "unpaired_apart" if adds_up(row, evidence) else "reported_apart", (row,))


def adds_up(row: MetricComparison, evidence: Evidence) -> bool:
    """Say whether each log's own mean over all its items is the score that its results file reports."""
    paired, key = evidence.paired[row.task], (row.filter, row.metric)
    sides = [(row.a, paired.all_a.get(key, ())), (row.b, paired.all_b.get(key, ()))]
    return all(
        values and said is not None and abs(sum(values) / len(values) - said) <= ROUNDING * max(1.0, abs(said))
        for said, values in sides
    )


def reported_gap(row: MetricComparison) -> float:
    """Return the difference of the reported scores; 0 where one is not known."""
    return 0.0 if row.a is None or row.b is None else row.b - row.a


def rows_rested_on(rows: Iterable[MetricComparison]) -> list[MetricComparison]:
    """Return the metrics that a verdict rests on: those marked as primary, else all that are of no group."""
    rows = list(rows)
    return [row for row in rows if row.primary] or [row for row in rows if not row.group]


def outermost(rows: Sequence[MetricComparison]) -> list[MetricComparison]:
    """Return the rows that are in no benchmark of which there is a row of its own with a number."""
    inside = {name for row in rows if row.group and best_estimate(row) is not None for name in row.subtasks}
    return [row for row in rows if row.task not in inside and not (row.group and best_estimate(row) is None)]


def by_status(rows: list[MetricComparison]) -> Ruling:
    """Return the kind that the words of the primary metrics give together."""
    if any(row.is_apart for row in rows):
        return Ruling("different", "statuses", tuple(rows))
    top = outermost(rows)
    if top and all(row.status == "same" for row in top):
        return Ruling("equivalent", "statuses", tuple(rows))
    return Ruling("unclear", "statuses", tuple(rows))


def leading(rows: Sequence[MetricComparison], still: frozenset[str]) -> MetricComparison | None:
    """Return the row that an inconclusive verdict names: the largest difference, of one that can be bounded first."""
    outer = outermost(rows)
    left = [row for row in outer if not in_still(row, still)] or outer
    known = [row for row in left if gap_of(row) is not None and not is_floored(row)]
    return max(known, key=lambda row: (has_interval(row), abs(gap_of(row) or 0.0), row.group, row.task), default=None)


def is_floored(row: MetricComparison) -> bool:
    """Say whether no item is right on either side."""
    return row.status != "not_available" and at_floor(row.metric, row.a, row.b)


def in_still(row: MetricComparison, still: frozenset[str]) -> bool:
    """Say whether nothing moved in a task, or in any task of a benchmark."""
    return row.task in still or (bool(row.subtasks) and still.issuperset(row.subtasks))


def has_interval(row: MetricComparison) -> bool:
    """Say whether a row's difference has a confidence interval."""
    found = best_estimate(row)
    return found is not None and found.low is not None and found.high is not None
