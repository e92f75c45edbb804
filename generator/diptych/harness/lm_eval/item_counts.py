"""Over how many items each task was scored, and how many it holds: by its file, or by a log that says it better."""

from collections.abc import Mapping, Sequence
from math import fsum, isfinite
from typing import Any

from diptych.harness.lm_eval.generations import COUNTS_SCORED_ITEMS, Generation
from diptych.harness.lm_eval.score_columns import read_columns
from diptych.harness.lm_eval.score_tables import is_item_count, task_rows
from diptych.harness.strict_values import score_number
from diptych.sample_log import SampleLog, distinct

BOOTSTRAPPED = 0.02
"""By how much, in parts, a bootstrapped error may miss the one of its items."""


def item_counts(
    document: Mapping[str, Any], tasks: tuple[str, ...], logs: Mapping[str, SampleLog], listed: frozenset[str]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return by task how many items were scored, and how many the whole task holds.

    Of `listed` tasks the logged items are all that were scored, whatever the file says.
    """
    items: dict[str, int] = {}
    expected: dict[str, int] = {}
    table = document.get("n-samples")
    rows = task_rows(document)
    for task in dict.fromkeys((*tasks, *rows)):
        entry = table.get(task) if isinstance(table, dict) else None
        scored, whole = (entry.get("effective"), entry.get("original")) if isinstance(entry, dict) else (entry, None)
        length = rows.get(task, {}).get("sample_len")
        logged = distinct(logs[task].columns.doc_ids) if task in logs else None
        said = next((value for value in (length, scored, logged) if is_item_count(value)), None)
        if said is not None:
            items[task] = logged if task in listed and logged is not None and 0 < logged < said else said
        if is_item_count(whole):
            expected[task] = whole
    return items, expected


def subsets(document: Mapping[str, Any], logs: Mapping[str, SampleLog], generation: Generation) -> frozenset[str]:
    """Return the tasks whose whole logs give the reported scores: they were run over a list of samples.

    Such a run leaves the full count in the file from 0.4.9, which brought the list, to 0.4.11.
    """
    if generation.since(COUNTS_SCORED_ITEMS) is True:
        return frozenset()
    rows = task_rows(document)
    return frozenset(task for task, log in logs.items() if explains_scores(log, rows.get(task, {})))


def explains_scores(log: SampleLog, row: Mapping[str, Any]) -> bool:
    """Say whether a log's own items give the reported scores, to the digits of a mean that no part of them would give.

    Where all items score alike any part of them gives the mean: then the log must not look like one that was cut.
    """
    shown = False
    columns = read_columns(row)
    for key, (metric, name) in columns.metrics.items():
        column, names = log.columns.values.get(metric), log.columns.filter_names
        reported, _ = score_number(row[key])
        if column is None or reported is None or name not in names:
            continue
        place = names.index(name)
        own = [one for one, at in zip(column, log.columns.filters, strict=True) if at == place and isfinite(one)]
        error = columns.errors.get((metric, name))
        given = score_number(row[error.key])[0] if error is not None and error.plain else None
        if not own or not is_mean_of(own, reported, given):
            return False
        shown = shown or min(own) != max(own) or not starts_at_first(log.columns.doc_ids)
    return shown


def is_mean_of(values: Sequence[float], reported: float, error: float | None) -> bool:
    """Say whether a score is the mean of some values, and its error, where one is given, that of so many."""
    count, mean = len(values), fsum(values) / len(values)
    if abs(mean - reported) > 1e-9 * max(1.0, abs(reported)):
        return False
    if error is None or count < 2:
        return True
    own = (fsum((value - mean) ** 2 for value in values) / (count - 1) / count) ** 0.5
    return bool(abs(own - error) <= BOOTSTRAPPED * own)


def starts_at_first(doc_ids: Sequence[int | str]) -> bool:
    """Say whether ids are 0, 1, 2, …, as a log that broke off has them."""
    return set(doc_ids) == set(range(len(set(doc_ids))))
