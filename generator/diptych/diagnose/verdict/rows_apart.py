"""Filters of one metric, and metrics of one task, that disagree on which run is better, or by how much."""

from collections.abc import Sequence

from diptych.estimates import MetricComparison, best_estimate, gap_of, says_otherwise
from diptych.fast_named_tuple import NamedTuple
from diptych.sides import Sided

MARGIN = 0.01


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
