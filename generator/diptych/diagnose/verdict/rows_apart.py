"""Filters of one metric, and metrics of one task, that disagree on which run is better, or by how much."""

from collections.abc import Collection, Mapping, Sequence

from diptych.estimates import (
    MetricComparison,
    are_slices,
    best_estimate,
    gap_of,
    no_item_changed,
    says_otherwise,
    takes_back,
)
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
    by_task = rows_by_task(rows)
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
    by_task = rows_by_task(rows)
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


FARTHER = 1.6
"""From so many times the difference of the metric that leads on, another metric moved farther."""


def moves_farther(rows: Sequence[MetricComparison]) -> MetricsApart | None:
    """Return another metric of a task that moved much farther the same way, or moved where the one that leads did not.

    It is told in the same unit, and over the same items, unless it alone has a word. Slices of a task all lead.
    """
    by_task = rows_by_task(rows)
    found = [
        MetricsApart(lead, row)
        for lead in rows
        if lead.primary and not lead.group and known_gap(lead)
        for row in by_task[lead.task]
        if row.metric != lead.metric and known_gap(row) and not are_slices(lead, row)
        if (row.unit, row.higher_is_better) == (lead.unit, lead.higher_is_better)
        if told_beside(lead, row)
    ]
    return max(found, key=lambda pair: (abs(gap(pair.other)), pair.other.key), default=None)


def told_beside(lead: MetricComparison, other: MetricComparison) -> bool:
    """Say whether another metric tells more than the one that leads: it moved much farther, or it alone moved."""
    if lead.pairs != other.pairs:
        return other.is_apart and lead.status in ("unclear", "same") and gone_farther(lead, other)
    return moved_alone(lead, other) or (other.is_apart and other.status == lead.status and gone_farther(lead, other))


def moved_alone(lead: MetricComparison, other: MetricComparison) -> bool:
    """Say whether no item changed its score by the metric that leads, and some did by the other."""
    return no_item_changed(lead) and bool(gap(other))


def gone_farther(lead: MetricComparison, other: MetricComparison) -> bool:
    """Say whether a metric moved much farther than the one that leads, and by more than its margin."""
    return abs(gap(other)) >= max(FARTHER * abs(gap(lead)), abs(gap(lead)) + 2 * margin_of(lead))


def rows_by_task(rows: Sequence[MetricComparison]) -> dict[str, list[MetricComparison]]:
    """Return the rows of each task, in their order."""
    found: dict[str, list[MetricComparison]] = {}
    for row in rows:
        found.setdefault(row.task, []).append(row)
    return found


def known_gap(row: MetricComparison) -> bool:
    """Say whether a row has a difference."""
    return gap_of(row) is not None


def gap(row: MetricComparison) -> float:
    """Return the difference that a row shows."""
    return gap_of(row) or 0.0


def margin_of(row: MetricComparison) -> float:
    found = best_estimate(row)
    return found.margin if found is not None and found.margin is not None else MARGIN
