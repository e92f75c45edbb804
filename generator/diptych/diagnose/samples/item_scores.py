"""The per-item scores of both sides as plain columns over the shared items: what the estimates are made from."""

import json
import math
from collections.abc import Mapping, Sequence
from itertools import compress
from operator import and_

from diptych.diagnose.samples.dependence import answers_each, dependence, either_ties
from diptych.diagnose.samples.filter_tally import FilterTally
from diptych.diagnose.samples.held_log import HeldLog
from diptych.diagnose.samples.paired_scores import Dependence, PairedScores
from diptych.diagnose.samples.row_pairs import Pairs, filter_rows
from diptych.errors import DiptychError
from diptych.metric_slices import Slice, metric_slices
from diptych.sample_log import Json, SampleLog

Key = tuple[str, str]

NO_FIELD = "none"
"""As the field of a task: its items are independent, whatever their documents share."""


def paired_scores(a: SampleLog, b: SampleLog, walked: dict[str, FilterTally], field: str | None) -> PairedScores:
    """Return the columns of one task; `field` names the part of a document whose items rise and fall together."""
    items: dict[str, Sequence[str]] = {}
    values: dict[Key, tuple[Sequence[float], Sequence[float]]] = {}
    clusters: dict[Key, tuple[int, ...] | None] = {}
    own_a: dict[Key, Sequence[float]] = {}
    own_b: dict[Key, Sequence[float]] = {}
    dropped: dict[Key, int] = {}
    lists: dict[Key, tuple[tuple[object, ...], tuple[object, ...]]] = {}
    ties: dict[str, Dependence] = {}
    slices: dict[str, tuple[Slice, ...]] = {}
    for name, walk in walked.items():
        columns: dict[str, tuple[Sequence[float], Sequence[float]]] = {}
        items[name] = walk.items
        ties[name] = Dependence() if field == NO_FIELD else known_ties(a, b, walk.pairs, ties, walked)
        units = (
            field_clusters(a, walk.pairs, field)
            if field and field != NO_FIELD
            else walk.pairs.clusters or ties[name].documents
        )
        for metric in shared_metrics(a, b):
            key = (name, metric)
            left, right = a.columns.values[metric], b.columns.values[metric]
            own_a[key] = own_values(left, a, walk.pairs.doubled_a, name)
            own_b[key] = own_values(right, b, walk.pairs.doubled_b, name)
            ours = paired_values(left, a, name, walk.pairs.rows_a, own_a[key])
            theirs = paired_values(right, b, name, walk.pairs.rows_b, own_b[key])
            usable = bytes(map(and_, map(math.isfinite, ours), map(math.isfinite, theirs)))
            if usable and not any(usable) and (found_lists := list_values(a, b, walk.pairs, metric)):
                lists[key] = found_lists
                continue
            whole = all(usable)
            columns |= {} if whole else {metric: (ours, theirs)}
            values[key] = (
                ours if whole else tuple(compress(ours, usable)),
                theirs if whole else tuple(compress(theirs, usable)),
            )
            clusters[key] = None if units is None else tuple(compress(units, usable))
            dropped[key] = len(usable) - sum(usable) + len(walk.pairs.changed_targets)
        if len(columns) > 1 and (found := metric_slices(columns)):
            slices[name] = found
            others = sum(map(sum, (one.items for one in found)))
            for one in found:
                for metric in one.metrics:
                    dropped[name, metric] -= others - sum(one.items)
    return PairedScores(items, values, clusters, own_a, own_b, dropped, lists, ties, slices)


def known_ties(
    a: SampleLog, b: SampleLog, pairs: Pairs, known: Mapping[str, Dependence], walked: Mapping[str, FilterTally]
) -> Dependence:
    """Return what ties the pairs of a filter together; filters over the same items share it."""
    items = walked[pairs.filter].items
    for name, found in known.items():
        if walked[name].items == items:
            return found
    ours, theirs = ties_of(a, pairs.rows_a), answers_each(b, pairs.rows_b)
    if not (pairs.edited or pairs.reordered):
        return ours._replace(answers=max(ours.answers, theirs))
    return either_ties(ours, ties_of(b, pairs.rows_b))


def ties_of(log: SampleLog, rows: Sequence[int]) -> Dependence:
    """Return what ties some rows of a log together; a log that is compared again and again remembers it."""
    if isinstance(log, HeldLog):
        return log.tied(rows, lambda: dependence(log, rows))
    return dependence(log, rows)


def shared_metrics(a: SampleLog, b: SampleLog) -> list[str]:
    """Return the metrics that both logs hold, in the order of A."""
    return [metric for metric in a.columns.values if metric in b.columns.values]


def picked_values(column: Sequence[float], rows: Sequence[int]) -> Sequence[float]:
    """Return the values of some rows: of all of them the column itself, which costs nothing.

    Equal ones are one object, since most columns hold nothing but 0 and 1.
    """
    if rows == range(len(column)):
        return column
    known: dict[float, float] = {}
    values = map(column.__getitem__, rows)
    return tuple(known.setdefault(each, each) if len(known) < FEW else known.get(each, each) for each in values)


def paired_values(
    column: Sequence[float], log: SampleLog, name: str, rows: Sequence[int], own: Sequence[float]
) -> Sequence[float]:
    """Return the values of the paired rows: the side's own ones where every row of it is paired and has a value."""
    return own if len(own) == len(rows) and rows == filter_rows(log.columns, name) else picked_values(column, rows)


FEW = 1_000
"""So many different values of a column are looked for again."""


def own_values(column: Sequence[float], log: SampleLog, doubled: tuple[int, ...], name: str) -> Sequence[float]:
    """Return one side's finite values under a filter, doubled rows once."""
    rows = filter_rows(log.columns, name)
    if doubled:
        left_out = set(doubled)
        rows = [row for row in rows if row not in left_out]
    values = picked_values(column, rows)
    return values if all(map(math.isfinite, values)) else tuple(filter(math.isfinite, values))


def list_values(
    a: SampleLog, b: SampleLog, pairs: Pairs, metric: str
) -> tuple[tuple[object, ...], tuple[object, ...]] | None:
    """Return the item values of a metric that is made over all items ([gold, predicted] ...), None if they are none."""
    left, right = logged_values(a, pairs.rows_a, metric), logged_values(b, pairs.rows_b, metric)
    return (left, right) if left and right else None


def logged_values(log: SampleLog, rows: Sequence[int], metric: str) -> tuple[object, ...]:
    """Return a metric's values as logged, none at all where the first is no list or object."""
    first = next((line.sample().scores.get(metric) for line in log.lines(rows[:1])), None)
    if not isinstance(first, (list, tuple, dict)):
        return ()
    return tuple(line.sample().scores.get(metric) for line in log.lines(rows))


def field_clusters(log: SampleLog, pairs: Pairs, field: str) -> tuple[int, ...]:
    """Return the number of the unit of each pair: equal values of one field of the document belong together.

    A field that no document has is a `DiptychError`: all items would pass for one.
    """
    numbers: dict[str, int] = {}
    found = tuple(
        numbers.setdefault(field_of(line.document(), field), len(numbers)) for line in log.lines(pairs.rows_a)
    )
    if list(numbers) == ["null"]:
        first = next(iter(log.lines(pairs.rows_a[:1]))).document()
        there = f"; it has {', '.join(sorted(map(str, first))[:12])}" if isinstance(first, dict) and first else ""
        raise DiptychError(
            f"no document of {log.task} has the field {field!r} to group items by",
            where=log.source,
            hint=f"name a field of `doc` in the sample log, with dots for what lies deeper{there}",
        )
    return found


def field_of(document: Json, field: str) -> str:
    """Return a document's field, by dotted path, as text."""
    for step in field.split("."):
        document = document.get(step) if isinstance(document, dict) else None
    return json.dumps(document, sort_keys=True)
