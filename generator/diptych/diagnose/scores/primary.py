"""Which one metric, under which one filter, the verdict on a task or a benchmark rests on.

The named one, else the first by the catalogue; of two filters of it never one that finds nothing on either side while
another finds something; and one metric for a benchmark and all that is below it. The same whichever side is A. Where
metrics split the items of a task each is of a slice, and all of them lead.
"""

from collections.abc import Iterable, Mapping, Sequence

from diptych.catalogue.metrics import filter_place, is_binary_metric, primary_place
from diptych.diagnose.benchmarks import Groups, members_of
from diptych.diagnose.options import Options
from diptych.diagnose.samples.evidence import Evidence, FilterFacts, TaskEvidence
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.scores.families import MeasuredRow
from diptych.estimates import MetricComparison
from diptych.fast_named_tuple import NamedTuple
from diptych.sides import Sided

MOST = 0.5
"""A filter that finds nothing in at least this share of the responses of each side measures their form."""

SCORES_NOTHING, SCORES_SOMETHING = 0.05, 0.1
"""Without samples: the most that a filter scores which finds nothing, and the least, of a side, of one that does."""

Chosen = tuple[str, str]
"""A metric and a filter."""


class Found(NamedTuple):
    """In how many responses of each side a filter found nothing, of how many that are not empty."""

    nothing: Sided[int]
    of: Sided[int]

    @property
    def least(self) -> float:
        """The share in which it found nothing, on the side where it found most."""
        return min(self.nothing.a / max(1, self.of.a), self.nothing.b / max(1, self.of.b))

    @property
    def most(self) -> float:
        """The share in which it found nothing, on the side where it found least."""
        return max(self.nothing.a / max(1, self.of.a), self.nothing.b / max(1, self.of.b))


def with_primary(
    made: Sequence[MeasuredRow], options: Options, evidence: Evidence, groups: Groups
) -> list[MeasuredRow]:
    """Mark the one metric of each task and group that its verdict rests on; of a task in slices that of each slice."""
    chosen = primary_keys(made, options, evidence, groups)
    leads = with_slices(chosen, made, options, evidence, groups)
    return [
        each._replace(row=each.row._replace(primary=(each.row.metric, each.row.filter) in leads[each.row.task]))
        for each in made
    ]


def with_slices(
    chosen: Mapping[str, Chosen], made: Sequence[MeasuredRow], options: Options, evidence: Evidence, groups: Groups
) -> dict[str, frozenset[Chosen]]:
    """Return the metrics and filters that lead in each task and group: all slices where the chosen one is of one."""
    known = {(each.row.task, each.row.metric, each.row.filter) for each in made if each.measured is not None}
    leads = {}
    for task, key in chosen.items():
        found = {key}
        for member in () if task in options.primary else members_of(task, groups) or [task]:
            keys = slice_keys(evidence.paired.get(member), key[1])
            found |= {one for one in keys if (task, *one) in known} if key in keys else set()
        leads[task] = frozenset(found)
    return leads


def slice_keys(scores: PairedScores | None, name: str) -> list[Chosen]:
    """Return the metric of each slice of a task under a filter."""
    slices = scores.slices.get(name, ()) if scores else ()
    return [(min(one.metrics, key=primary_place), name) for one in slices]


def primary_keys(
    made: Sequence[MeasuredRow], options: Options, evidence: Evidence, groups: Groups
) -> dict[str, Chosen]:
    """Return the metric and filter of each task and group; what is below a group takes the group's where it has it."""
    by_task: dict[str, list[MeasuredRow]] = {}
    for each in made:
        by_task.setdefault(each.row.task, []).append(each)
    chosen = {
        task: primary_of(rows, options.primary.get(task), evidence, members_of(task, groups) or [task])
        for task, rows in by_task.items()
    }
    inner = {child for children in groups.values() for child in children}
    for task in [name for name in by_task if name in groups and name not in inner]:
        if not has_value(by_task[task], chosen[task]):
            continue
        for below in members_of(task, groups):
            if below not in options.primary and has_value(by_task.get(below, ()), chosen[task]):
                chosen[below] = chosen[task]
    return chosen


def has_value(rows: Iterable[MeasuredRow], key: Chosen) -> bool:
    """Say whether a metric under a filter was measured among some rows."""
    return any((each.row.metric, each.row.filter) == key and each.measured is not None for each in rows)


def primary_of(rows: Sequence[MeasuredRow], wanted: str | None, evidence: Evidence, tasks: Sequence[str]) -> Chosen:
    """Return (metric, filter) of a task's primary metric: the named one, else the first by the catalogue.

    `tasks` are those whose responses stand behind it: the task, or all of a group.
    """
    metric, _, filter_name = (wanted or "").partition(",")
    named = [each for each in rows if each.row.metric == metric and filter_name in ("", each.row.filter)]
    usable = [each.row for each in rows if each.measured is not None] or [each.row for each in rows]
    leads = named[0].row if named else min(usable, key=lambda row: primary_place(row.metric))
    alike = [each.row for each in named] or [row for row in usable if row.metric == leads.metric]
    first = min(alike, key=lambda row: filter_place(row.filter))  # not the order in which a task lists its filters
    if named and filter_name:
        return first.metric, first.filter
    others = [row for row in usable if row.metric == first.metric and row.filter != first.filter]
    able = [row for row in others if finds_more(row, first, evidence, tasks)]
    if able:
        first = min(able, key=lambda row: (share_of_nothing(row, evidence, tasks), row.filter))
    return first.metric, first.filter


def finds_more(one: MetricComparison, other: MetricComparison, evidence: Evidence, tasks: Sequence[str]) -> bool:
    """Say whether a filter finds something on a side where another of its metric finds (nearly) nothing on both."""
    ours, theirs = (found_by(row.filter, evidence, tasks) for row in (one, other))
    if ours is not None and theirs is not None:
        return theirs.least >= MOST and ours.least < MOST
    if ours is not None or theirs is not None or not is_binary_metric(one.metric):
        return False
    low, high = (other.a, other.b), (one.a, one.b)
    return all(value is not None and value <= SCORES_NOTHING for value in low) and any(
        value is not None and value >= SCORES_SOMETHING for value in high
    )


def share_of_nothing(row: MetricComparison, evidence: Evidence, tasks: Sequence[str]) -> float:
    """Return in which share of the responses a filter finds nothing at most, 0 where no samples tell."""
    found = found_by(row.filter, evidence, tasks)
    return found.most if found else 0.0


def found_by(name: str, evidence: Evidence, tasks: Sequence[str]) -> Found | None:
    """Return what a filter found in the generated responses of some tasks, None where none is logged."""
    own = [
        (task, facts)
        for task in evidence.tasks
        if task.task in tasks and task.kind == "generation"
        for facts in task.filters
        if facts.filter == name and facts.compared
    ]
    if not own:
        return None
    nothing = Sided(sum(facts.nothing.a for _, facts in own), sum(facts.nothing.b for _, facts in own))
    return Found(nothing, Sided(sum(answered(*one).a for one in own), sum(answered(*one).b for one in own)))


def answered(task: TaskEvidence, facts: FilterFacts) -> Sided[int]:
    """Return how many responses of each side are not empty."""
    empty = [shape.empty if shape else 0 for shape in (task.answers_a, task.answers_b)]
    return Sided(facts.compared - empty[0], facts.compared - empty[1])


class SetAside(NamedTuple):
    """A filter that finds (nearly) nothing on both sides, and the row that leads in its place.

    `found` is None where no samples tell, and its scores alone do.
    """

    row: MetricComparison
    leads: MetricComparison
    found: Found | None


def set_aside(rows: Sequence[MetricComparison], evidence: Evidence) -> list[SetAside]:
    """Return the filters of primary metrics of tasks that do not lead because they find (nearly) nothing."""
    alike: dict[tuple[str, str], list[MetricComparison]] = {}
    for row in rows:
        alike.setdefault((row.task, row.metric), []).append(row)
    return [
        SetAside(row, lead, found_by(row.filter, evidence, [row.task]))
        for lead in rows
        if lead.primary and not lead.group
        for row in alike[lead.task, lead.metric]
        if row.filter != lead.filter and finds_more(lead, row, evidence, [row.task])
    ]
