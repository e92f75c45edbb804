"""Rows of two logs joined by their documents, where they do not stand in one order."""

from collections.abc import Hashable, Iterable, Sequence

from diptych.diagnose.samples.row_pairs import NOT_RECORDED, WIDTH, Asked, Item, Pairs, differing_ids, hashes
from diptych.sample_log import SampleColumns, SampleLog


def by_key(a: SampleLog, b: SampleLog, rows_a: Sequence[int], rows_b: Sequence[int], name: str) -> Pairs:
    """Return the pairs by a join over documents, then over questions (over ids where a side records no hash)."""
    by_id = has_no_documents(a.columns, rows_a) or has_no_documents(b.columns, rows_b)
    groups_a, groups_b = rows_by_document(a.columns, rows_a, by_id), rows_by_document(b.columns, rows_b, by_id)
    matched, only_a, only_b = match(a.columns, b.columns, groups_a, groups_b)
    asked = Asked()
    if only_a and only_b and not by_id:
        from diptych.diagnose.samples.question_pairs import same_questions  # most logs hold the same documents

        asked = same_questions(a, b, only_a, only_b)
    first_asked = len(matched)
    left_a, left_b = unused_items(only_a, asked.used_a), unused_items(only_b, asked.used_b)
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


def has_no_documents(columns: SampleColumns, rows: Sequence[int]) -> bool:
    """Say whether no row has a document hash."""
    docs = hashes(columns.doc_hashes, rows)
    return docs == bytes(len(docs))


def rows_by_document(columns: SampleColumns, rows: Sequence[int], by_id: bool) -> dict[Hashable, list[int]]:
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
    contents = {row: line.fingerprint() for row, line in zip(several, log.lines(several), strict=True)}
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


def clashes(
    a: SampleColumns, b: SampleColumns, only_a: tuple[int, ...], only_b: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    """Return the rows without a partner whose id the other side uses for another document."""
    ids = {str(b.doc_ids[row]): row for row in only_b}
    found = ((row, ids.get(str(a.doc_ids[row]))) for row in only_a)
    return tuple((left, right) for left, right in found if right is not None)


def unused_items(items: Sequence["Item"], used: frozenset[int]) -> list["Item"]:
    """Return the items whose places were not used."""
    return [rows for place, rows in enumerate(items) if place not in used]
