"""Filters of one metric, and metrics of one task, that disagree on which run is better, or by how much."""

from collections.abc import Collection, Mapping, Sequence

from diptych.estimates import MetricComparison, best_estimate, gap_of, says_otherwise, takes_back
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.sides import Sided

MARGIN = 0.01


class TakenBack(NamedTuple):
    """Of metrics that lead, the other one of the task with the opposite word, or the only one (`by`).

    `alone` are those whose word no other filter of the metric has.
    """

    by: Mapping[MetricKey, MetricComparison] = {}
    alone: frozenset[MetricKey] = frozenset()


class FiltersApart(NamedTuple):
    """Two filters of one metric that disagree: the rows with the smallest and the largest difference.

    `ballots` is how many responses an item has on each side by the record; `logged`: samples of both sides are there.
    """

    low: MetricComparison
    high: MetricComparison
    ballots: Sided[int] = Sided(1, 1)
    logged: bool = True


class MetricsApart(NamedTuple):
    """Two metrics of one task that disagree in direction: the one that leads, and the other."""

    leads: MetricComparison
    other: MetricComparison


def filters_apart(rows: Sequence[MetricComparison]) -> FiltersApart | None:
    """Return two filters of one metric that disagree in direction, or by more than the margin."""
    by_metric: dict[tuple[str, str], list[MetricComparison]] = {}
    for row in filter(known_gap, rows):
        by_metric.setdefault((row.task, row.metric), []).append(row)
    found = []
    for key in dict.fromkeys((row.task, row.metric) for row in rows if not row.group):
        own = by_metric.get(key, [])
        if len(own) > 1:
            low, high = min(own, key=gap), max(own, key=gap)
            if gap(high) - gap(low) > margin_of(low) and high.pairs == low.pairs:
                found.append(FiltersApart(low, high))
    return max(found, key=lambda pair: gap(pair.high) - gap(pair.low), default=None)


def metrics_apart(rows: Sequence[MetricComparison]) -> MetricsApart | None:
    """Return another metric of a task that has a word where the one that leads has none, or goes the other way."""
    by_task: dict[str, list[MetricComparison]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row)
    found = [
        MetricsApart(lead, row)
        for lead in rows
        if lead.primary and not lead.group
        for row in by_task[lead.task]
        if row.metric != lead.metric and says_otherwise(lead, row)
    ]
    return max(found, key=lambda pair: (abs(gap(pair.other)), pair.other.key), default=None)


def taken_back(rows: Sequence[MetricComparison], named: Collection[str]) -> TakenBack:
    """Return the metrics that lead with what takes their word back; a metric that was asked for (`named`) leads."""
    by_task: dict[str, list[MetricComparison]] = {}
    for row in rows:
        by_task.setdefault(row.task, []).append(row)
    by = {
        lead.key: max(others, key=lambda row: (abs(gap(row)), row.key))
        for lead in rows
        if lead.primary and lead.task not in named
        if (others := [row for row in by_task[lead.task] if takes_back(lead, row)])
    }
    leads = [row for row in rows if row.primary and row.is_apart and row.key not in by]
    return TakenBack(by, frozenset(lead.key for lead in leads if stands_alone(lead, by_task[lead.task])))


def stands_alone(lead: MetricComparison, rows: Sequence[MetricComparison]) -> bool:
    """Say whether other filters of a metric find another difference over the same items, and none has its word."""
    others = [row for row in rows if row.metric == lead.metric and row.filter != lead.filter and known_gap(row)]
    others = [row for row in others if row.pairs == lead.pairs]
    differ = any(abs(gap(row) - gap(lead)) > margin_of(lead) for row in others)
    return lead.filter not in ("", "none") and differ and not any(row.status == lead.status for row in others)


def known_gap(row: MetricComparison) -> bool:
    """Say whether a row has a difference."""
    return gap_of(row) is not None


def gap(row: MetricComparison) -> float:
    """Return the difference that a row shows."""
    return gap_of(row) or 0.0


def margin_of(row: MetricComparison) -> float:
    """Return the margin of a row."""
    found = best_estimate(row)
    return found.margin if found is not None and found.margin is not None else MARGIN
