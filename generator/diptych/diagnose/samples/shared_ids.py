"""Ids that both logs hold, and whether they name one document there: what tells other data from another choice."""

from diptych.diagnose.samples.evidence import SharedIds
from diptych.diagnose.samples.row_pairs import NOT_RECORDED, WIDTH, Pairs, filter_rows
from diptych.sample_log import SampleColumns, SampleLog


def shared_ids(a: SampleLog, b: SampleLog, pairs: Pairs | None) -> SharedIds:
    """Return what the ids of both sides name; nothing is counted where every item of one side is in a pair."""
    if pairs is None or not (pairs.only_a and pairs.only_b):
        return SharedIds()
    ours, theirs = first_rows_by_id(a.columns, pairs.filter), first_rows_by_id(b.columns, pairs.filter)
    joined = {*zip(pairs.rows_a, pairs.rows_b, strict=True), *pairs.changed_targets}
    both = other = same_target = 0
    for name, row in ours.items():
        if name not in theirs:
            continue
        documents = hash_at(a.columns.doc_hashes, row), hash_at(b.columns.doc_hashes, theirs[name])
        if NOT_RECORDED in documents or b"" in documents:
            return SharedIds()
        both += 1
        if documents[0] != documents[1] and (row, theirs[name]) not in joined:
            other += 1
            targets = hash_at(a.columns.target_hashes, row), hash_at(b.columns.target_hashes, theirs[name])
            same_target += targets[0] == targets[1] != NOT_RECORDED
    return SharedIds(both, other, same_target, len(pairs.disagree))


def first_rows_by_id(columns: SampleColumns, name: str) -> dict[str, int]:
    """Return the first row of each id under a filter; 7 and "7" are one id."""
    found: dict[str, int] = {}
    for row in filter_rows(columns, name):
        found.setdefault(str(columns.doc_ids[row]), row)
    return found


def hash_at(column: bytes, row: int) -> bytes:
    return bytes(column[row * WIDTH : row * WIDTH + WIDTH])
