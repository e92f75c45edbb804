"""The logged samples of a task: an index that fits in memory, and lines that are read back where they stand.

A log in a file keeps no line; a log inside a results file, or one written as a JSON array, keeps its records.
"""

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from diptych.bounded_json import parse_bounded
from diptych.errors import LogChanged, RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness import sample_streams
from diptych.harness.foreign_files import POINTER
from diptych.harness.lm_eval.line_cuts import EncodedLine, RecordLine
from diptych.harness.lm_eval.log_index import KEPT, BadLine, Index
from diptych.harness.lm_eval.read_log_index import index_of
from diptych.harness.locate import shown_name
from diptych.harness.parse_json import Stamp, stamp_on_disk
from diptych.harness.plausible_scores import without_sentinels
from diptych.harness.sample_streams import (
    Place,
    Readable,
    Torn,
    Unpacked,
    beginning,
    by_offset,
    by_stream,
    is_compressed,
    newlines_before,
    open_stream,
    whole_blocks,
)
from diptych.sample_log import HASH_WIDTH, Line, SampleColumns
from diptych.secrets import mask_text
from diptych.storage import unreadable


class Places(Sequence[Place]):
    """Where some lines of a file stand, made when it is asked for."""

    def __init__(self, offsets: Sequence[int], lengths: Sequence[int], rows: Sequence[int]) -> None:
        self.offsets, self.lengths, self.rows = offsets, lengths, rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Place]:
        return zip(map(self.offsets.__getitem__, self.rows), map(self.lengths.__getitem__, self.rows), strict=True)

    def __getitem__(self, place: Any) -> Any:
        row = self.rows[place]
        return self.offsets[row], self.lengths[row]


class FileLog(NamedTuple):
    """All logged rows of one task in a file of JSON lines; it implements `SampleLog`."""

    task: str
    source: str
    columns: SampleColumns
    path: str
    offsets: Sequence[int]
    lengths: Sequence[int]
    usual: bool
    stamp: Stamp | None = None

    def __len__(self) -> int:
        return len(self.offsets)

    def lines(self, rows: Iterable[int]) -> Iterator[Line]:
        """Yield rows in the order asked for, read back by offset; a compressed file is gone through once more.

        Raises `LogChanged` where the file is not, or is no longer, the one that was indexed.
        """
        wanted = rows if isinstance(rows, Sequence) else list(rows)
        names, filters, usual = self.columns.filter_names, self.columns.filters, self.usual
        self._refuse_changed()
        read = by_stream if is_compressed(self.path) else by_offset
        for row, raw in zip(wanted, read(self.path, Places(self.offsets, self.lengths, wanted)), strict=True):
            yield EncodedLine(raw, names[filters[row]], usual)
        self._refuse_changed()

    def line_number(self, row: int) -> int:
        """Return at which line of the file a row stands, from 1."""
        with open_stream(self.path) as stream:
            return 1 + newlines_before(Torn(stream), self.offsets[row])

    def _refuse_changed(self) -> None:
        if self.stamp is not None and stamp_on_disk(self.path) != self.stamp:
            where, hint = mask_text(self.path)[0], "compare again when the run has ended"
            raise LogChanged("changed while it was read", where=where, hint=hint, log=self)


class RecordLog(NamedTuple):
    """All logged rows of one task that came as records; it implements `SampleLog`."""

    task: str
    source: str
    columns: SampleColumns
    records: Sequence[Mapping[str, Any]]

    def __len__(self) -> int:
        return len(self.records)

    def lines(self, rows: Iterable[int]) -> Iterator[Line]:
        """Yield rows in the order asked for."""
        filters = self.columns
        for row in rows:
            yield RecordLine(self.records[row], filters.filter_names[filters.filters[row]])

    def line_number(self, row: int) -> int:
        """Return which of the records a row is, from 1."""
        return row + 1


class Read(NamedTuple):
    """A log with what was wrong in its file: the lines left out by number, their count, and how many there were.

    `not_run` counts by metric the items whose value is a mark for "not run"; they have none. `unused` are the keys of
    the first record of which nothing is made.
    """

    log: FileLog | RecordLog
    bad: tuple[BadLine, ...]
    bad_count: int
    lines: int
    filter_named: bool
    not_run: Mapping[str, int] = {}
    unused: tuple[str, ...] = ()


def read_log(path: str, task: str, filters: Sequence[str], *, strict: bool = False) -> Read:
    """Read the index of a sample file, plain, `.gz` or `.zst`; `filters` are the names that its task defines, in order.

    Raises `RunError` where the file cannot be read at all.
    """
    stamp = stamp_on_disk(path)
    if stamp is None and os.path.exists(path):
        raise RunError("is no file", hint="write the samples again")  # a pipe would be waited on without end
    try:
        with open_stream(path) as stream:
            if (first := beginning(stream)).startswith(b"["):
                return array_log(path, task, filters)
            if first.startswith(POINTER):
                raise RunError("a pointer of Git LFS, not the samples", hint="run `git lfs pull`, then compare again")
        with open_stream(path) as stream:
            index, reason = damaged_stream(stream, strict)
    except OSError as error:
        plain = unreadable(mask_text(path)[0], error)
        raise RunError(plain.message, where=plain.where, hint=plain.hint) from error
    if reason:
        index.damaged(index.lines + 1, reason)
    if first == b"":
        index.damaged(1, "the file is empty")
    not_run = marks_in(index)
    columns, source = columns_of(index, filters), shown_name(path)
    log = FileLog(task, source, columns, path, index.offsets, index.lengths, index.usual, stamp)
    return Read(log, tuple(index.bad), index.bad_count, index.lines, index.named, not_run, index.unused)


def marks_in(index: Index) -> dict[str, int]:
    """Take the marks for "not run" out of an index, and return how many there were by metric."""
    counts = {metric: without_sentinels(metric, column) for metric, column in index.values.items()}
    return {metric: count for metric, count in counts.items() if count}


def damaged_stream(stream: Readable, strict: bool) -> tuple[Index, str]:
    """Return the index of a stream, and what broke it off where it is compressed and cut or torn."""
    torn = Torn(stream)
    keep = stream.allowance.take_rows if isinstance(stream, Unpacked) else None
    index = index_of(torn, strict=strict, keep=keep)
    return index, torn.reason


def array_log(path: str, task: str, filters: Sequence[str]) -> Read:
    """Read a log that is one JSON array, as the harness wrote it before 0.4.3 despite the file's name."""
    with open_stream(path) as stream:
        data = bytearray()
        for _, block, end in whole_blocks(stream):
            data += block[:end]
            if len(data) > sample_streams.LONGEST:
                raise sample_streams.too_long("an array of samples", sample_streams.LONGEST)
    try:
        records = parse_bounded(data.decode("utf-8-sig", "replace"))
    except RecursionError as error:
        raise RunError("nests too deeply", where=mask_text(path)[0], hint="no harness writes such a file") from error
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise RunError(
            "an array of samples that is cut or damaged",
            where=f"{mask_text(path)[0]}:{line}",
            hint="write the samples again",
        ) from error
    return record_log(records, task, shown_name(path), filters)


def record_log(given: Sequence[Any], task: str, source: str, filters: Sequence[str]) -> Read:
    """Return the log over records that are in memory; what is no sample among them is left out and counted."""
    index = Index()
    records: list[Mapping[str, Any]] = []
    for number, record in enumerate(given, 1):
        index.lines += 1
        if isinstance(record, dict) and "doc_id" in record:
            index.add_record(record)
            records.append(record)
        else:
            index.damaged(number, "not a sample (it has no doc_id)")
    not_run = marks_in(index)
    log = RecordLog(task, source, columns_of(index, filters), records)
    return Read(log, tuple(index.bad), index.bad_count, index.lines, index.named, not_run, index.unused)


def columns_of(index: Index, names: Sequence[str]) -> SampleColumns:
    """Return an index as columns; rows that name no filter are numbered by the block of documents they stand in."""
    earlier = occurrences(index)
    filters, filter_names, repeats = index.filters, tuple(index.filter_names), earlier
    if not index.named and len(names) > 1:
        places = len(names)
        filters = array("H", [count % places for count in earlier])
        repeats = array("I", [count // places for count in earlier])
        filter_names = tuple(names)
    elif not index.named and len(names) == 1:
        filter_names = (names[0],) if filter_names else ()
    docs, targets = (bytes(index.hashes.pop(name)) for name in KEPT)
    return SampleColumns(index.doc_ids, docs, targets, filters, filter_names, index.values, repeats)


def occurrences(index: Index) -> "array[int]":
    """Return for each row how often its document has come before under the same filter.

    A document is its id and its hash: an id that comes again with other text is another document.
    """
    rows = len(index.filters)
    counts = array("I", bytes(4 * rows))
    if ids_rise(index.doc_ids, index.filters):
        return counts
    seen: set[tuple[int, int | str]] = set()
    twice: set[tuple[int, int | str]] = set()
    for pair in zip(index.filters, index.doc_ids, strict=True):
        (twice if pair in seen else seen).add(pair)
    before: dict[tuple[int, int | str, bytes], int] = {}
    hashes = index.hashes["doc_hash"]
    for row, pair in enumerate(zip(index.filters, index.doc_ids, strict=True)):
        if pair in twice:
            key = (*pair, bytes(hashes[HASH_WIDTH * row : HASH_WIDTH * row + HASH_WIDTH]))
            counts[row] = before.get(key, 0)
            before[key] = counts[row] + 1
    return counts


def ids_rise(doc_ids: Sequence[int | str], filters: Sequence[int]) -> bool:
    """Say whether ids rise within each filter, so that none comes twice: true of nearly every log, and cheap to see."""
    if not isinstance(doc_ids, array):
        return False
    last: dict[int, int] = {}
    for place, doc_id in zip(filters, doc_ids, strict=True):
        if doc_id <= last.get(place, -1):
            return False
        last[place] = doc_id
    return True
