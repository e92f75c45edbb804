"""The paired scores of two runs from the index of their logs alone: no line is read where both hold the same items.

A matrix of forty runs has 780 pairs: what each run holds is made once, and a pair puts two columns side by side.
"""

import math
from collections.abc import Mapping
from functools import lru_cache

from diptych.diagnose.options import Options
from diptych.diagnose.samples.filter_tally import FilterTally
from diptych.diagnose.samples.item_names import ItemNames
from diptych.diagnose.samples.item_scores import paired_scores
from diptych.diagnose.samples.paired_scores import Dependence, PairedScores
from diptych.diagnose.samples.pairing import align
from diptych.diagnose.samples.row_pairs import NOT_RECORDED
from diptych.run import Run
from diptych.sample_log import SampleLog
from diptych.stats.test_input import Column

NO_ITEMS: tuple[str, ...] = ()


class PairScores:
    """The logs of many runs, each made into columns once."""

    def __init__(self, options: Options, ties: Mapping[str, Mapping[str, Dependence]] | None = None) -> None:
        self.options, self.ties = options, ties or {}
        self.columns = lru_cache(maxsize=None)(plain_columns)

    def of(self, a: Run, b: Run) -> dict[str, PairedScores]:
        """Return the paired scores of every task that both runs logged."""
        return {task: self.of_task(task, a.samples[task], b.samples[task]) for task in a.samples if task in b.samples}

    def of_task(self, task: str, a: SampleLog, b: SampleLog) -> PairedScores:
        """Return the paired scores of one task."""
        if task not in self.options.clusters and same_items(a, b):
            left, right = self.columns(Held(a)), self.columns(Held(b))
            if left is not None and right is not None:
                return paired_columns(a.columns.filter_names[0], left, right)._replace(
                    dependence=self.ties.get(task, {})
                )
        filters = {
            pairs.filter: FilterTally(pairs, ItemNames(a.columns.doc_ids, pairs.rows_a))
            for pairs in align(a, b).filters
        }
        return paired_scores(a, b, filters, self.options.clusters.get(task))


class Held:
    """A log as the key of what was made of it: the same object, the same columns."""

    def __init__(self, log: SampleLog) -> None:
        self.log = log

    def __hash__(self) -> int:
        return id(self.log)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and other.log is self.log


Columns = dict[str, Column]


def plain_columns(held: Held) -> Columns | None:
    """Return each metric's column; None where an item stands twice or a value is no number: look closer there."""
    columns = held.log.columns
    if any(columns.repeats) or not len(held.log):
        return None
    found = {metric: Column(map(float, values)) for metric, values in columns.values.items()}
    return found if all(math.isfinite(math.fsum(values)) for values in found.values()) else None


def same_items(a: SampleLog, b: SampleLog) -> bool:
    """Say whether two logs hold the same documents with the same targets in the same order under one filter."""
    one, other = a.columns, b.columns
    return (
        len(one.filter_names) == 1
        and one.filter_names == other.filter_names
        and one.doc_hashes == other.doc_hashes
        and one.target_hashes == other.target_hashes
        and NOT_RECORDED not in one.doc_hashes
    )


def paired_columns(name: str, left: Columns, right: Columns) -> PairedScores:
    """Return two runs' columns of the same items as their paired scores."""
    shared = [metric for metric in left if metric in right]
    values = {(name, metric): (left[metric], right[metric]) for metric in shared}
    return PairedScores(
        items={name: NO_ITEMS},
        values=values,
        clusters=dict.fromkeys(values),
        all_a={key: pair[0] for key, pair in values.items()},
        all_b={key: pair[1] for key, pair in values.items()},
        dropped=dict.fromkeys(values, 0),
        lists={},
    )
