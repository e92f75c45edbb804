"""Metrics that each score a part of a task's items: which they are, by where they have values.

A task may score each item under a metric of its own (its length, its language), and leave the others out or write a
mark in their place. Such metrics are slices of the task, each over items of its own.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import compress

from diptych.fast_named_tuple import NamedTuple

ALIKE = 0.5
"""The least share of the items that either side scores under a metric, which both must: else it is no slice."""


class Slice(NamedTuple):
    """The metrics over one part of the items; `items` has a byte for each item, 1 where it is of the part."""

    metrics: tuple[str, ...]
    items: bytes


def metric_slices(columns: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> tuple[Slice, ...]:
    """Return the parts that metrics split the items into, by both sides' values (NaN: none); () where they do not.

    Two parts at least, and no item in two of them; what a side alone lacks of a part is still of it.
    """
    found: dict[bytes, list[str]] = {}
    for metric, (ours, theirs) in columns.items():
        left, right = bytes(map(math.isfinite, ours)), bytes(map(math.isfinite, theirs))
        either = left if left == right else bytes(one | other for one, other in zip(left, right, strict=True))
        both = sum(left) + sum(right) - sum(either)
        if 0 < sum(either) < len(either) and both >= ALIKE * sum(either):
            found.setdefault(either, []).append(metric)
    taken, kept = bytes(max(map(len, found), default=0)), []
    for items in sorted(found, key=lambda items: (sum(items), found[items])):
        if not any(compress(taken, items)):
            taken = bytes(map(max, taken, items))
            kept.append(Slice(tuple(found[items]), items))
    order = list(columns)
    return tuple(sorted(kept, key=lambda one: order.index(one.metrics[0]))) if len(kept) > 1 else ()
