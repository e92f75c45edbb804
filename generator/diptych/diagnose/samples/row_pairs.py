"""The pairs of one task as rows of two logs, and the hashes by which documents are known."""

from collections.abc import Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.sample_log import HASH_WIDTH, SampleColumns, SampleLog

WIDTH = HASH_WIDTH


NOT_RECORDED = bytes(WIDTH)


class Pairs(NamedTuple):
    """The pairs of one filter, in the row order of A, and what could not be paired (all as row numbers).

    `clusters` numbers the item of each pair where some item has more than one (equal numbers belong together).
    `doubled_a`, `doubled_b` are rows left out because an identical one was used. `disagree` are places in the pairs
    whose ids differ though the document is the same; `clashes` are (row of A, row of B) with one id for two documents.
    `changed_targets` are pairs of rows left out because the right answer is not the same on both sides. `reordered`
    are places whose documents hold the same choices in another order, `edited` those whose documents ask the same and
    differ in something else: both were joined by their question.
    """

    filter: str
    rows_a: Sequence[int]
    rows_b: Sequence[int]
    clusters: tuple[int, ...] | None = None
    only_a: tuple[int, ...] = ()
    only_b: tuple[int, ...] = ()
    doubled_a: tuple[int, ...] = ()
    doubled_b: tuple[int, ...] = ()
    disagree: tuple[int, ...] = ()
    clashes: tuple[tuple[int, int], ...] = ()
    changed_targets: tuple[tuple[int, int], ...] = ()
    reordered: tuple[int, ...] = ()
    edited: tuple[int, ...] = ()


class Alignment(NamedTuple):
    """The pairs of one task, filter by filter, and the filters that one side alone has."""

    filters: tuple[Pairs, ...]
    filters_only_a: tuple[str, ...] = ()
    filters_only_b: tuple[str, ...] = ()


def filter_rows(columns: SampleColumns, name: str) -> Sequence[int]:
    """Return the rows under one filter: a range where they stand in one block, which is the usual case."""
    if len(columns.filter_names) == 1:
        return range(len(columns.filters))
    place = columns.filter_names.index(name)
    rows = [row for row, filter_ in enumerate(columns.filters) if filter_ == place]
    if rows and rows[-1] - rows[0] + 1 == len(rows):
        return range(rows[0], rows[-1] + 1)
    return rows


def hashes(column: bytes, rows: Sequence[int]) -> bytes:
    """Return the hashes of the rows, one after the other."""
    if isinstance(rows, range):
        return column[rows.start * WIDTH : rows.stop * WIDTH]
    return b"".join(column[row * WIDTH : row * WIDTH + WIDTH] for row in rows)


def differing_ids(a: SampleColumns, b: SampleColumns, rows_a: Sequence[int], rows_b: Sequence[int]) -> tuple[int, ...]:
    """Return the places whose rows carry different ids; 7 and "7" are one id."""
    pairs = enumerate(zip(rows_a, rows_b, strict=True))
    return tuple(place for place, (left, right) in pairs if str(a.doc_ids[left]) != str(b.doc_ids[right]))


def copies(log: SampleLog, paired: Sequence[int], alone: Sequence[int]) -> int:
    """Return how many rows in no pair hold a document that another row of their log has in a pair."""
    column = log.columns.doc_hashes
    known = {column[row * WIDTH : row * WIDTH + WIDTH] for row in paired} if alone else set()
    return sum(column[row * WIDTH : row * WIDTH + WIDTH] in known - {NOT_RECORDED, b""} for row in alone)


def kept_pairs(pairs: Pairs, keep: Sequence[bool]) -> Pairs:
    """Return the pairs without those that `keep` denies, which go to `changed_targets`."""
    if all(keep):
        return pairs
    places = [place for place, good in enumerate(keep) if good]
    new_places = {old: new for new, old in enumerate(places)}
    return pairs._replace(
        rows_a=[pairs.rows_a[place] for place in places],
        rows_b=[pairs.rows_b[place] for place in places],
        clusters=None if pairs.clusters is None else tuple(pairs.clusters[place] for place in places),
        disagree=tuple(new_places[place] for place in pairs.disagree if place in new_places),
        reordered=tuple(new_places[place] for place in pairs.reordered if place in new_places),
        edited=tuple(new_places[place] for place in pairs.edited if place in new_places),
        changed_targets=pairs.changed_targets
        + tuple((pairs.rows_a[place], pairs.rows_b[place]) for place, good in enumerate(keep) if not good),
    )


Item = list[int]
"""The rows of one item of one side: one as a rule, more where it was logged again."""


class Asked(NamedTuple):
    """Items of both sides that ask the same though their documents differ, as places among those of one side alone.

    `other_answer` are (row of A, row of B) of those whose right choice is another text: they are in no pair.
    """

    reordered: tuple[tuple[int, int], ...] = ()
    edited: tuple[tuple[int, int], ...] = ()
    other_answer: tuple[tuple[int, int], ...] = ()
    used_a: frozenset[int] = frozenset()
    used_b: frozenset[int] = frozenset()
