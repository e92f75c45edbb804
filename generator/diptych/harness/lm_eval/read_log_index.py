"""The index of a sample log, made in one pass: where each line is, whose it is, how it scored.

What is wanted of a line stands in its tail, behind prompts and answers: in a JSON text a quotation mark is always
escaped, so `, "filter": ` with bare marks is a key, and `{` with all that follows it parses only where that key belongs
to the record itself. So nobody parses prompts. The tails of nearly every log are flat and alike: one pattern, made from
the first line, takes them apart; where that fails the tails of a block are decoded together. A line that does not fit
(its keys in another order, a key more or less) is parsed whole, and so is each line that could hold two records run
together: a record that starts in the middle of a line gives itself away, since its first key cannot stand inside a
text. No JSON library beside the standard one: what they would win on tails is less than their import costs.
"""

import json
import re
from array import array
from binascii import unhexlify
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import Any

from diptych.bounded_json import parse_bounded
from diptych.fast_named_tuple import NamedTuple
from diptych.harness import sample_streams
from diptych.harness.lm_eval.log_index import KEPT, Index, hash_bytes
from diptych.harness.lm_eval.log_tail_shape import HEAD, Shape, line_shape
from diptych.harness.sample_streams import BLOCK, Readable
from diptych.harness.strict_values import item_value
from diptych.sample_log import HASH_WIDTH

BLANK = re.compile(rb"[ \t\r\n]*\n")
RECORD = b'{"doc_id": '


def index_of(stream: Readable, *, strict: bool = False, keep: Callable[[int], None] | None = None) -> Index:
    """Return the index of a log that is read once, front to back; `strict` parses every line whole.

    `keep` is told how many rows each block has added, and may refuse them.
    """
    index = Index()
    shape: Shape | None = None
    learnt = strict
    for base, block, end in blocks(stream):
        if not learnt:
            first = block.find(b"\n", 0, end)
            shape = line_shape(bytes(block[: first if first >= 0 else end]).rstrip(b"\r"))
            index.usual = shape is not None and shape.usual
            index.unused = shape.unused if shape else ()
            learnt = True
        before = len(index)
        read_block(index, shape, base, block, end, strict)
        if keep:
            keep(len(index) - before)
    return index


def blocks(stream: Readable) -> Iterator[tuple[int, bytearray, int]]:
    """Yield (offset, buffer, length) of whole lines, about a block at a time; a longer line makes the buffer grow."""
    buffer = bytearray(BLOCK)
    have = base = 0
    while True:
        with memoryview(buffer) as view, view[have:] as room:
            got = stream.readinto(room)
        if not got:
            if have:
                yield base, buffer, have
            return
        had, have = have, have + got
        end = buffer.rfind(b"\n", had, have) + 1
        if end:
            yield base, buffer, end
            base += end
            buffer[: have - end] = buffer[end:have]
            have -= end
        elif have >= sample_streams.LONGEST_LINE:
            raise sample_streams.too_long("a line", sample_streams.LONGEST_LINE)
        elif have == len(buffer):
            buffer += bytes(len(buffer))


def read_block(index: Index, shape: Shape | None, base: int, block: bytearray, end: int, strict: bool) -> None:
    """Index the lines of one block: their tails together where all fit, else one by one."""
    starts, stops, ids, tails, groups, blank = cut_lines(block, end, shape)
    fits = shape is not None and starts and len(ids) == len(starts) and block.count(RECORD, 0, end) == len(starts)
    columns = tail_columns(shape, tails, groups) if fits and shape is not None else None
    lines = index.lines + blank + len(starts)
    if columns is not None and shape is not None:
        add_columns(index, shape, ids, columns)
        index.offsets.extend([base + start for start in starts])
        index.lengths.extend([stop - start for start, stop in zip(starts, stops, strict=True)])
    else:
        before = 0
        for start, stop in zip(starts, stops, strict=True):
            index.lines += block.count(b"\n", before, start)
            before = stop
            read_line(index, shape, base, block, start, stop, strict)
    index.lines = lines


class Cut(NamedTuple):
    """The lines of a block that are not blank: where each starts and stops, and of those that look as the first line
    did their id and their tail, or, where the pattern of tails took them all apart, the pattern's groups; and how many
    lines are `blank`.
    """

    starts: list[int]
    stops: list[int]
    ids: list[int]
    tails: list[bytes]
    groups: list[tuple[bytes, ...]]
    blank: int


def cut_lines(block: bytearray, end: int, shape: Shape | None) -> Cut:
    """Return the lines of a block, cut."""
    find, rfind, head = block.find, block.rfind, HEAD.match
    mark = shape.mark if shape else b"\n"
    flat = shape.flat.fullmatch if shape and shape.flat else None
    lines = Cut([], [], [], [], [], 0)
    start = length = empty = 0
    while start < end:
        stop = find(b"\n", start, end)
        if stop < 0:
            stop = end
        match = head(block, start, stop)
        if not match and (blank := BLANK.match(block, start, end)):
            empty += block.count(b"\n", start, blank.end())
            start = blank.end()  # millions of them cost a packed file nothing
            continue
        lines.starts.append(start)
        lines.stops.append(stop)
        # tails are mostly as long as the last one: looking there first saves the search for the mark
        taken = flat(block, max(start, stop - length), stop) if flat and match else None
        if match and not taken:
            place = rfind(mark, start, stop)
            length = stop - place
            taken = flat(block, place, stop) if flat and place >= 0 else None
            if flat and not taken:
                return cut_lines(block, end, shape and shape._replace(flat=None))
            if not flat and place >= 0:
                lines.tails.append(b"{" + block[place + 2 : stop])
        if match and (taken or len(lines.tails) > len(lines.ids)):
            lines.ids.append(int(match[1]))
        if taken:
            lines.groups.append(taken.groups())
        start = stop + 1
    return lines._replace(blank=empty)


def tail_columns(shape: Shape, tails: list[bytes], groups: list[tuple[bytes, ...]]) -> list[Sequence[Any]] | None:
    """Return the columns of tails that are all as the first line's, or None where one of them is not."""
    if not groups:
        rows = tails_of(shape, tails)
        return None if rows is None else list(zip(*rows, strict=True))
    columns: list[Sequence[Any]] = list(zip(*map(shape.place, groups), strict=True))
    first = len(KEPT) + shape.named
    try:
        if shape.named:
            given = columns[first - 1]
            names = {name: name.decode("utf-8") for name in set(given)}
            columns[first - 1] = list(map(names.__getitem__, given))
        columns[first:] = [list(map(float, column)) for column in columns[first:]]
    except ValueError:
        return None
    return columns


def tails_of(shape: Shape, tails: list[bytes]) -> list[tuple[Any, ...]] | None:
    """Return the wanted values of each tail, or None where any of them is not as the first line's."""
    try:
        records = json.loads((b"[" + b",".join(tails) + b"]").decode("utf-8"))
        if len(records) != len(tails) or set(map(len, records)) != {shape.keys}:
            return None
        return list(map(shape.pick, records))
    except (ValueError, RecursionError, KeyError, TypeError):
        return None


def add_columns(index: Index, shape: Shape, ids: Sequence[int], columns: list[Sequence[Any]]) -> None:
    """Add the columns of records that all look alike."""
    rows = len(ids)
    before = len(index.filters)
    for name, column in zip(KEPT, columns[: len(KEPT)], strict=True):
        index.hashes[name] += hashes_together(column)
    if isinstance(index.doc_ids, array):
        index.doc_ids.extend(ids)
    else:
        index.doc_ids += ids
    if shape.named:
        index.named = True
        names = [name if isinstance(name, str) else "none" for name in columns[len(KEPT)]]
        places = {name: index.place_of_filter(name) for name in dict.fromkeys(names)}
        index.filters.extend(map(places.__getitem__, names))
    else:
        index.filters.extend([index.place_of_filter("none")] * rows)
    for metric, column in zip(shape.metrics, columns[len(KEPT) + shape.named :], strict=True):
        if metric not in index.values:
            index.values[metric] = array("d", [float("nan")]) * before
        index.values[metric].extend(values_together(column))
    index.fill_up()


def values_together(column: Sequence[Any]) -> "array[float]":
    """Return the values of many items; where their sum is finite each of them is."""
    if set(map(type, column)) <= {float, int, bool}:
        try:
            values = array("d", column)
            if isfinite(sum(values)):
                return values
        except OverflowError:
            pass  # a whole number that no float holds: each is looked at by itself
    return array("d", map(item_value, column))


def hashes_together(column: Sequence[Any]) -> bytes:
    """Return the bytes of many hashes, decoded at once where each is one."""
    nothing: Any = b"" if isinstance(column[0], bytes) else ""
    try:
        if set(map(len, column)) == {64}:
            return unhexlify(nothing.join([value[: 2 * HASH_WIDTH] for value in column]))
    except (ValueError, TypeError):
        pass  # one of them is none: each is looked at by itself
    return b"".join(
        hash_bytes(value.decode("utf-8", "replace") if isinstance(value, bytes) else value) for value in column
    )


def read_line(
    index: Index, shape: Shape | None, base: int, block: bytearray, start: int, stop: int, strict: bool
) -> None:
    """Index one line by its tail where that can be trusted, else whole; count one without a record as damaged."""
    line = bytes(block[start:stop])
    if not line.strip():
        return
    single = shape is not None and line.count(RECORD) == 1
    match = HEAD.match(line) if single else None
    place = line.rfind(shape.mark) if shape and match else -1
    rows = tails_of(shape, [b"{" + line[place + 2 :]]) if shape and place >= 0 else None
    if rows and match and shape:
        add_columns(index, shape, [int(match[1])], list(zip(*rows, strict=True)))
    else:
        record, reason = record_of(line, strict)
        if record is None:
            index.damaged(index.lines + 1, reason)
            return
        index.add_record(record)
    index.offsets.append(base + start)
    index.lengths.append(stop - start)


def record_of(line: bytes, strict: bool) -> tuple[dict[str, Any] | None, str]:
    """Parse a line whole and return its record, or None and the reason why it holds none."""
    try:
        record = parse_bounded(line.decode("utf-8-sig", "strict" if strict else "replace"))
    except UnicodeDecodeError as error:
        return None, f"not UTF-8 at byte {error.start}"
    except RecursionError:
        return None, "nests too deeply"
    except ValueError as error:
        place = getattr(error, "pos", None)
        return None, "not JSON" if place is None else f"not JSON at character {place + 1}"
    if not isinstance(record, dict) or "doc_id" not in record:
        return None, "not a sample (it has no doc_id)"
    return record, ""
