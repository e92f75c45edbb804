"""Which logged rows of two runs belong together: by document first, then by question, by id where nothing else is left.

Works on the index columns alone; lines are read only for rows that stand in a log more than once, and for those whose
document the other side does not hold.
"""

from collections.abc import Sequence

from diptych.diagnose.samples.row_pairs import (
    NOT_RECORDED,
    WIDTH,
    Alignment,
    Pairs,
    differing_ids,
    filter_rows,
    hashes,
    kept_pairs,
)
from diptych.sample_log import SampleColumns, SampleLog


def align(a: SampleLog, b: SampleLog) -> Alignment:
    """Return which rows of two logs of one task are the same item under the same filter."""
    names_a, names_b = a.columns.filter_names, b.columns.filter_names
    return Alignment(
        tuple(pair(a, b, name) for name in names_a if name in names_b),
        tuple(name for name in names_a if name not in names_b),
        tuple(name for name in names_b if name not in names_a),
    )


def pair(a: SampleLog, b: SampleLog, name: str) -> Pairs:
    """Return the pairs of one filter: at once where both logs hold the same documents in the same order."""
    rows_a, rows_b = filter_rows(a.columns, name), filter_rows(b.columns, name)
    found = same_order(a.columns, b.columns, rows_a, rows_b, name)
    if found is None:
        from diptych.diagnose.samples.document_join import by_key  # most logs stand in one order

        found = by_key(a, b, rows_a, rows_b, name)
    return without_changed_targets(a.columns, b.columns, found)


def same_order(
    a: SampleColumns, b: SampleColumns, rows_a: Sequence[int], rows_b: Sequence[int], name: str
) -> Pairs | None:
    """Return the pairs where one log is the other or its beginning, else None (a tenth of the price of a join)."""
    docs_a, docs_b = hashes(a.doc_hashes, rows_a), hashes(b.doc_hashes, rows_b)
    if not docs_a or not docs_b or NOT_RECORDED in docs_a or NOT_RECORDED in docs_b:
        return None
    if not (docs_a.startswith(docs_b) or docs_b.startswith(docs_a)) or repeats(a, rows_a) or repeats(b, rows_b):
        return None
    shared = min(len(rows_a), len(rows_b))
    disagree = () if same_ids(a, b, rows_a, rows_b, shared) else differing_ids(a, b, rows_a[:shared], rows_b[:shared])
    if disagree and len(rows_a) != len(rows_b):
        return None
    return Pairs(
        name,
        rows_a[:shared],
        rows_b[:shared],
        only_a=tuple(rows_a[shared:]),
        only_b=tuple(rows_b[shared:]),
        disagree=disagree,
    )


def repeats(columns: SampleColumns, rows: Sequence[int]) -> bool:
    """Say whether an item of these rows has come before in its log."""
    if isinstance(rows, range):
        return any(columns.repeats[rows.start : rows.stop])
    return any(columns.repeats[row] for row in rows)


def same_ids(a: SampleColumns, b: SampleColumns, rows_a: Sequence[int], rows_b: Sequence[int], shared: int) -> bool:
    """Say at once whether the first ids are the same, without a loop where both stand in a block."""
    if isinstance(rows_a, range) and isinstance(rows_b, range):
        ids_a = a.doc_ids[rows_a.start : rows_a.start + shared]
        return bool(ids_a == b.doc_ids[rows_b.start : rows_b.start + shared])
    return False


def without_changed_targets(a: SampleColumns, b: SampleColumns, pairs: Pairs) -> Pairs:
    """Return the pairs whose right answer is the same on both sides; the others are named."""
    targets_a, targets_b = hashes(a.target_hashes, pairs.rows_a), hashes(b.target_hashes, pairs.rows_b)
    if targets_a == targets_b or not targets_a.strip(b"\0") or not targets_b.strip(b"\0"):
        return pairs
    keep, moved = [], set(pairs.reordered)
    for place in range(len(pairs.rows_a)):
        left, right = (column[place * WIDTH : place * WIDTH + WIDTH] for column in (targets_a, targets_b))
        keep.append(left == right or NOT_RECORDED in (left, right) or place in moved)
    return kept_pairs(pairs, keep)
