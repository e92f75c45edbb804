"""The logged samples of a task: an index that fits in memory, and lines that are read back where they stand.

A log in a file keeps no line; a log inside a results file, or one written as a JSON array, keeps its records.
"""

import io
import json
import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple, cast

from diptych.errors import RunError
from diptych.read.decode import EncodedLine, RecordLine
from diptych.read.index import BLOCK, HASHES, BadLine, Index, Readable, index_of
from diptych.read.layout import shown
from diptych.read.secrets import mask_text
from diptych.runs import Line, SampleColumns
from diptych.storage import unreadable

WINDOW = 1 << 18


class FileLog(NamedTuple):
    """All logged rows of one task in a file of JSON lines; it implements `SampleLog`."""

    task: str
    source: str
    columns: SampleColumns
    path: str
    offsets: Sequence[int]
    lengths: Sequence[int]
    usual: bool

    def __len__(self) -> int:
        return len(self.offsets)

    def lines(self, rows: Iterable[int]) -> Iterator[Line]:
        """Yield rows in the order asked for, read back by offset; a compressed file is gone through once more."""
        filters = self.columns
        for row, raw in zip(*self._raw(rows), strict=True):
            yield EncodedLine(raw, filters.filter_names[filters.filters[row]], self.usual)

    def _raw(self, rows: Iterable[int]) -> tuple[list[int], Iterator[bytes]]:
        wanted = list(rows)
        places = [(self.offsets[row], self.lengths[row]) for row in wanted]
        read = by_stream if is_compressed(self.path) else by_offset
        return wanted, read(self.path, places)


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


class Read(NamedTuple):
    """A log with what was wrong in its file: the lines left out by number, their count, and how many there were."""

    log: FileLog | RecordLog
    bad: tuple[BadLine, ...]
    bad_count: int
    lines: int
    filter_named: bool


def read_log(path: str, task: str, filters: Sequence[str], *, strict: bool = False) -> Read:
    """Read the index of a sample file, plain, `.gz` or `.zst`; `filters` are the names that its task defines, in order.

    Raises `RunError` where the file cannot be read at all.
    """
    try:
        with opened(path) as stream:
            if (first := first_byte(stream)) == b"[":
                return array_log(path, task, filters)
        with opened(path) as stream:
            index, reason = damaged_stream(stream, strict)
    except OSError as error:
        plain = unreadable(mask_text(path)[0], error)
        raise RunError(plain.message, where=plain.where, hint=plain.hint) from error
    if reason:
        index.damaged(index.lines + 1, reason)
    if first == b"":
        index.damaged(1, "the file is empty")
    log = FileLog(task, shown(path), columns_of(index, filters), path, index.offsets, index.lengths, index.usual)
    return Read(log, tuple(index.bad), index.bad_count, index.lines, index.named)


def damaged_stream(stream: Readable, strict: bool) -> tuple[Index, str]:
    """Return the index of a stream, and what broke it off where it is compressed and cut or torn."""
    torn = Torn(stream)
    index = index_of(torn, strict=strict)
    return index, torn.reason


class Torn:
    """A stream that ends where its compressed data break off, and keeps why."""

    def __init__(self, stream: Readable) -> None:
        self.stream = stream
        self.reason = ""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer; nothing where the data break off."""
        import zlib

        try:
            return self.stream.readinto(buffer)
        except (EOFError, zlib.error) as error:
            self.reason = f"the compressed data break off ({error})"
        except OSError as error:
            if error.errno is not None:
                raise
            self.reason = f"the compressed data are damaged ({error})"
        return 0


def first_byte(stream: Readable) -> bytes:
    """Return the first byte that is no white space or byte order mark."""
    buffer = bytearray(64)
    with memoryview(buffer) as view:
        got = Torn(stream).readinto(view) or 0
    return bytes(buffer[:got]).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]


def array_log(path: str, task: str, filters: Sequence[str]) -> Read:
    """Read a log that is one JSON array, as the harness wrote it before 0.4.3 despite the file's name."""
    with opened(path) as stream:
        data = b"".join(bytes(block[:end]) for _, block, end in whole_blocks(stream))
    try:
        records = json.loads(data.decode("utf-8-sig", "replace"))
    except RecursionError as error:
        raise RunError("nests too deeply", where=mask_text(path)[0], hint="no harness writes such a file") from error
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise RunError(
            "an array of samples that is cut or damaged",
            where=f"{mask_text(path)[0]}:{line}",
            hint="write the samples again",
        ) from error
    return record_log(records, task, shown(path), filters)


def whole_blocks(stream: Readable) -> Iterator[tuple[int, bytearray, int]]:
    """Yield a stream's bytes in blocks of any border."""
    while True:
        block = bytearray(BLOCK)
        with memoryview(block) as view:
            got = stream.readinto(view)
        if not got:
            return
        yield 0, block, got


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
    log = RecordLog(task, source, columns_of(index, filters), records)
    return Read(log, tuple(index.bad), index.bad_count, index.lines, index.named)


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
    docs, prompts, targets = (bytes(index.hashes.pop(name)) for name in HASHES)
    return SampleColumns(index.doc_ids, docs, prompts, targets, filters, filter_names, index.values, repeats)


def occurrences(index: Index) -> "array[int]":
    """Return for each row how often its document has come before under the same filter.

    A document is its id and its hash: an id that comes again with other text is another document.
    """
    rows = len(index.filters)
    counts = array("I", bytes(4 * rows))
    if in_order(index.doc_ids, index.filters):
        return counts
    seen: set[tuple[int, int | str]] = set()
    twice: set[tuple[int, int | str]] = set()
    for pair in zip(index.filters, index.doc_ids, strict=True):
        (twice if pair in seen else seen).add(pair)
    before: dict[tuple[int, int | str, bytes], int] = {}
    hashes = index.hashes["doc_hash"]
    for row, pair in enumerate(zip(index.filters, index.doc_ids, strict=True)):
        if pair in twice:
            key = (*pair, bytes(hashes[32 * row : 32 * row + 32]))
            counts[row] = before.get(key, 0)
            before[key] = counts[row] + 1
    return counts


def in_order(doc_ids: Sequence[int | str], filters: Sequence[int]) -> bool:
    """Say whether ids rise within each filter, so that none comes twice: true of nearly every log, and cheap to see."""
    if not isinstance(doc_ids, array):
        return False
    last: dict[int, int] = {}
    for place, doc_id in zip(filters, doc_ids, strict=True):
        if doc_id <= last.get(place, -1):
            return False
        last[place] = doc_id
    return True


def is_compressed(path: str) -> bool:
    """Say whether a file is read through a decompressor."""
    return path.endswith((".gz", ".zst"))


@contextmanager
def opened(path: str) -> Iterator[Readable]:
    """Open a sample file as a stream of its plain bytes."""
    with open(path, "rb", buffering=0) as handle:
        if path.endswith(".gz"):
            import gzip  # only for logs that are compressed

            with gzip.GzipFile(fileobj=cast(Any, handle)) as plain:
                yield cast(Readable, plain)
        elif path.endswith(".zst"):
            with zstd_reader(path, handle) as plain:
                yield plain
        else:
            yield cast(Readable, handle)


def zstd_reader(path: str, handle: io.FileIO) -> AbstractContextManager[Readable]:
    """Return a reader of a `.zst` file; a `RunError` says what to install where there is none."""
    try:
        import zstandard
    except ImportError as error:
        raise RunError(
            "compressed with zstd, and the package to read it is not installed",
            where=mask_text(path)[0],
            hint="pip install diptych[zstd], or unpack the file",
        ) from error

    class Reader:
        """A zstd stream whose own error is one that every stream has."""

        def __init__(self) -> None:
            self.stream = zstandard.ZstdDecompressor().stream_reader(handle, read_across_frames=True, closefd=False)

        def readinto(self, buffer: memoryview, /) -> int | None:
            try:
                return cast(int, self.stream.readinto(buffer))
            except zstandard.ZstdError as error:
                raise EOFError(str(error)) from error

    return nullcontext(Reader())


def by_offset(path: str, places: Sequence[tuple[int, int]]) -> Iterator[bytes]:
    """Yield the bytes at each place of a plain file; places that follow one another share a read."""
    start, window = 0, b""
    with open(path, "rb", buffering=0) as handle:
        for offset, length in places:
            inside = offset - start
            if not 0 <= inside <= len(window) - length:
                ahead = WINDOW if start <= offset <= start + len(window) + WINDOW else 0
                start, inside = offset, 0
                window = os.pread(handle.fileno(), max(length, ahead), offset)
            yield window[inside : inside + length]


def by_stream(path: str, places: Sequence[tuple[int, int]]) -> Iterator[bytes]:
    """Yield the bytes at each place of a compressed file, in the order asked for, from one pass in the file's order."""
    order = sorted(range(len(places)), key=places.__getitem__)
    if order == list(range(len(places))):
        yield from in_one_pass(path, places)
        return
    kept: dict[int, bytes] = dict(zip(order, in_one_pass(path, [places[place] for place in order]), strict=True))
    for place in range(len(places)):
        yield kept.pop(place)


def in_one_pass(path: str, places: Iterable[tuple[int, int]]) -> Iterator[bytes]:
    """Yield the bytes at places that rise (a place may come again)."""
    start, window = 0, bytearray()
    with opened(path) as plain:
        stream = Torn(plain)
        block = bytearray(BLOCK)
        for offset, length in places:
            while start + len(window) < offset + length:
                if start + len(window) <= offset:
                    start, window = start + len(window), bytearray()
                elif start < offset:
                    del window[: offset - start]
                    start = offset
                with memoryview(block) as view:
                    got = stream.readinto(view)
                if not got:
                    break
                window += block[:got]
            yield bytes(window[offset - start : offset - start + length])
