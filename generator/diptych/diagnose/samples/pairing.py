"""Which logged rows of two runs belong together: by document first, then by question, by id where nothing else is left.

Works on the index columns alone; lines are read only for rows that stand in a log more than once, and for those whose
document the other side does not hold.
"""

from collections.abc import Hashable, Iterable, Sequence

from diptych.nouns import NamedTuple
from diptych.run import HASH_WIDTH, SampleColumns, SampleLog

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
    rows_a, rows_b = rows_of(a.columns, name), rows_of(b.columns, name)
    found = same_order(a.columns, b.columns, rows_a, rows_b, name) or by_key(a, b, rows_a, rows_b, name)
    return without_changed_targets(a.columns, b.columns, found)


def rows_of(columns: SampleColumns, name: str) -> Sequence[int]:
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


def differing_ids(a: SampleColumns, b: SampleColumns, rows_a: Sequence[int], rows_b: Sequence[int]) -> tuple[int, ...]:
    """Return the places whose rows carry different ids; 7 and "7" are one id."""
    pairs = enumerate(zip(rows_a, rows_b, strict=True))
    return tuple(place for place, (left, right) in pairs if str(a.doc_ids[left]) != str(b.doc_ids[right]))


def by_key(a: SampleLog, b: SampleLog, rows_a: Sequence[int], rows_b: Sequence[int], name: str) -> Pairs:
    """Return the pairs by a join over documents, then over questions (over ids where a side records no hash)."""
    by_id = unrecorded(a.columns, rows_a) or unrecorded(b.columns, rows_b)
    groups_a, groups_b = grouped(a.columns, rows_a, by_id), grouped(b.columns, rows_b, by_id)
    matched, only_a, only_b = match(a.columns, b.columns, groups_a, groups_b)
    asked = Asked()
    if only_a and only_b and not by_id:
        from diptych.diagnose.samples.question_pairs import same_questions  # most logs hold the same documents

        asked = same_questions(a, b, only_a, only_b)
    first_asked = len(matched)
    left_a, left_b = without(only_a, asked.used_a), without(only_b, asked.used_b)
    for joined in (asked.reordered, asked.edited):
        first_edited = len(matched)
        for one, other in joined:
            both, *left = match_ids(by_ids(a.columns, only_a[one]), by_ids(b.columns, only_b[other]))
            matched, left_a, left_b = matched + both, left_a + left[0], left_b + left[1]
    only_a = [item for rows in left_a for item in by_ids(a.columns, rows).values()]
    only_b = [item for rows in left_b for item in by_ids(b.columns, rows).values()]
    kept_a, doubled_a = without_doubles(a, [left for left, _ in matched] + only_a)
    kept_b, doubled_b = without_doubles(b, [right for _, right in matched] + only_b)
    pairs: list[tuple[int, int, int]] = []
    for item in range(len(matched)):
        pairs += [(left, right, item) for left, right in partners(kept_a[item], kept_b[item])]
    pairs.sort(key=lambda pair: pair[0])
    rows = [left for left, _, _ in pairs], [right for _, right, _ in pairs]
    alone_a, alone_b = first_rows(only_a), first_rows(only_b)
    return Pairs(
        name,
        *rows,
        tuple(item for *_, item in pairs) if len(pairs) > len(matched) else None,
        alone_a,
        alone_b,
        doubled_a,
        doubled_b,
        differing_ids(a.columns, b.columns, *rows),
        clashes(a.columns, b.columns, alone_a, alone_b),
        asked.other_answer,
        tuple(place for place, (*_, item) in enumerate(pairs) if first_asked <= item < first_edited),
        tuple(place for place, (*_, item) in enumerate(pairs) if item >= first_edited),
    )


def unrecorded(columns: SampleColumns, rows: Sequence[int]) -> bool:
    """Say whether no row has a document hash."""
    docs = hashes(columns.doc_hashes, rows)
    return docs == bytes(len(docs))


def grouped(columns: SampleColumns, rows: Sequence[int], by_id: bool) -> dict[Hashable, list[int]]:
    """Return the rows of each document, in row order."""
    groups: dict[Hashable, list[int]] = {}
    for row in rows:
        document = columns.doc_hashes[row * WIDTH : row * WIDTH + WIDTH]
        key = str(columns.doc_ids[row]) if by_id or document == NOT_RECORDED else document
        groups.setdefault(key, []).append(row)
    return groups


def match(
    a: SampleColumns, b: SampleColumns, groups_a: dict[Hashable, list[int]], groups_b: dict[Hashable, list[int]]
) -> tuple[list[tuple[Item, Item]], list[Item], list[Item]]:
    """Return the items of both sides that belong together, and those of one side alone."""
    matched: list[tuple[Item, Item]] = []
    only_a: list[Item] = []
    only_b: list[Item] = [rows for key, rows in groups_b.items() if key not in groups_a]
    for key, rows in groups_a.items():
        others = groups_b.get(key)
        if others is None:
            only_a.append(rows)
        elif len(rows) == 1 and len(others) == 1:
            matched.append((rows, others))
        else:
            both, left, right = match_ids(by_ids(a, rows), by_ids(b, others))
            matched, only_a, only_b = matched + both, only_a + left, only_b + right
    return matched, only_a, only_b


def by_ids(columns: SampleColumns, rows: Iterable[int]) -> dict[str, Item]:
    """Return the rows of one document by id: a data set may hold the same document twice."""
    ids: dict[str, Item] = {}
    for row in rows:
        ids.setdefault(str(columns.doc_ids[row]), []).append(row)
    return ids


def match_ids(ids_a: dict[str, Item], ids_b: dict[str, Item]) -> tuple[list[tuple[Item, Item]], list[Item], list[Item]]:
    """Return the pairs by equal id; what is left pairs in the order it comes."""
    matched = [(rows, ids_b[key]) for key, rows in ids_a.items() if key in ids_b]
    left = [rows for key, rows in ids_a.items() if key not in ids_b]
    right = [rows for key, rows in ids_b.items() if key not in ids_a]
    shared = min(len(left), len(right))
    return matched + list(zip(left[:shared], right[:shared], strict=True)), left[shared:], right[shared:]


def without_doubles(log: SampleLog, items: list[Item]) -> tuple[list[Item], tuple[int, ...]]:
    """Return the items without rows that repeat an earlier one to the letter, and those rows.

    Where every repeated item has the same number of rows and some answers differ, the repeats are meant: all stay.
    """
    several = [row for rows in items if len(rows) > 1 for row in rows]
    if not several:
        return items, ()
    contents = {
        row: hash((line.arguments, line.responses, line.filtered))
        for row, line in zip(several, log.lines(several), strict=True)
    }
    kept: list[Item] = []
    doubled: list[int] = []
    for rows in items:
        seen: dict[int, int] = {}
        kept.append([row for row in rows if len(rows) == 1 or seen.setdefault(contents[row], row) == row])
        doubled += [row for row in rows if row not in kept[-1]] if len(rows) > 1 else []
    sizes = {len(rows) for rows in items if len(rows) > 1}
    if len(sizes) == 1 and any(len(rows) > 1 for rows in kept):
        return items, ()
    return kept, tuple(sorted(doubled))


def partners(left: Item, right: Item) -> list[tuple[int, int]]:
    """Return the pairs of one item's rows: in turn, or each with the only one of the other side."""
    if len(left) == 1 or len(right) == 1:
        return [(one, other) for one in left for other in right]
    return list(zip(left, right, strict=False))


def first_rows(items: list[Item]) -> tuple[int, ...]:
    """Return one row for each item, in row order."""
    return tuple(sorted(rows[0] for rows in items))


def copies(log: SampleLog, paired: Sequence[int], alone: Sequence[int]) -> int:
    """Return how many rows in no pair hold a document that another row of their log has in a pair."""
    column = log.columns.doc_hashes
    known = {column[row * WIDTH : row * WIDTH + WIDTH] for row in paired} if alone else set()
    return sum(column[row * WIDTH : row * WIDTH + WIDTH] in known - {NOT_RECORDED, b""} for row in alone)


def clashes(
    a: SampleColumns, b: SampleColumns, only_a: tuple[int, ...], only_b: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    """Return the rows without a partner whose id the other side uses for another document."""
    ids = {str(b.doc_ids[row]): row for row in only_b}
    found = ((row, ids.get(str(a.doc_ids[row]))) for row in only_a)
    return tuple((left, right) for left, right in found if right is not None)


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


def without(items: Sequence["Item"], used: frozenset[int]) -> list["Item"]:
    """Return the items whose places were not used."""
    return [rows for place, rows in enumerate(items) if place not in used]
