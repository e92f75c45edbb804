"""The per-item scores of both sides of one task, and what ties its items together."""

from collections.abc import Mapping, Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.metric_slices import Slice


class Dependence(NamedTuple):
    """What ties the paired items of one task together, as its documents show it.

    `answers` is how many answers each item has (the task's `repeats`). `documents` numbers the document of each pair
    where some stand under several ids, else None. `fields` numbers, by dotted field, the value of each pair for fields
    whose values several items share (a passage, a conversation); right answers, choices and kinds of items are none.
    """

    answers: int = 1
    documents: tuple[int, ...] | None = None
    fields: Mapping[str, tuple[int, ...]] = {}


class PairedScores(NamedTuple):
    """The per-item scores of one task over the shared items: (filter, metric) -> (a, b), in pair order.

    `items` maps a filter to the names of its pairs, before any is dropped. `clusters` numbers the independent unit of
    each kept pair (equal numbers belong together), or is None where every pair is its own. `all_a`, `all_b` hold each
    side's own finite values, paired or not; `dropped` counts pairs without a usable score by (filter, metric). `lists`
    holds, for metrics whose item values are no numbers ([gold, predicted] and the like), those values in pair order.
    `dependence` tells by filter what ties the pairs together, in pair order before any is dropped. `slices` are by
    filter the parts that its metrics split the pairs into: what is of another part is not dropped.
    """

    items: Mapping[str, Sequence[str]]
    values: Mapping[tuple[str, str], tuple[Sequence[float], Sequence[float]]]
    clusters: Mapping[tuple[str, str], tuple[int, ...] | None]
    all_a: Mapping[tuple[str, str], Sequence[float]]
    all_b: Mapping[tuple[str, str], Sequence[float]]
    dropped: Mapping[tuple[str, str], int]
    lists: Mapping[tuple[str, str], tuple[tuple[object, ...], tuple[object, ...]]]
    dependence: Mapping[str, Dependence] = {}
    slices: Mapping[str, tuple[Slice, ...]] = {}
