"""Sample files as streams of plain bytes, whatever packed them, and the bytes at given places of one."""

import io
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import pairwise
from typing import Any, Protocol, cast

from diptych.errors import RunError
from diptych.secrets import mask_text

BLOCK = 1 << 20
WINDOW = 1 << 18
NEAR = 4
"""A place follows another where at most so many of its length lie between them."""

LONGEST = 1 << 28
"""Bytes of the largest array, and of the largest part of an archive, that is read: more is no log."""

LONGEST_LINE = 1 << 26
"""Bytes of the longest line that is read: a record of pictures comes to a tenth of it."""

MOST_UNPACKED, MOST_TIMES = 1 << 30, 300
"""A packed log that unpacks to more bytes than this, and to more than so many times its own, is no log."""

MOST_ROWS = 1_000_000
"""Nor is one of more rows than this, and than the bytes that it has packed: a row that is kept takes 58 bytes."""


Place = tuple[int, int]
"""Where a line stands: its first byte, and how many there are."""


class Readable(Protocol):
    """A stream of bytes that fills a buffer."""

    def readinto(self, buffer: memoryview, /) -> int | None: ...


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


def beginning(stream: Readable) -> bytes:
    """Return the first bytes behind white space and a byte order mark, some tens of them."""
    buffer = bytearray(64)
    with memoryview(buffer) as view:
        got = Torn(stream).readinto(view) or 0
    return bytes(buffer[:got]).removeprefix(b"\xef\xbb\xbf").lstrip()


def too_long(what: str, limit: int) -> RunError:
    """Return the error for a log that no memory should be spent on."""
    return RunError(f"{what} of more than {limit >> 20} MB", hint="no harness writes such a file: write it again")


def whole_blocks(stream: Readable) -> Iterator[tuple[int, bytearray, int]]:
    """Yield a stream's bytes in blocks of any border."""
    while True:
        block = bytearray(BLOCK)
        with memoryview(block) as view:
            got = stream.readinto(view)
        if not got:
            return
        yield 0, block, got


def newlines_before(stream: Readable, offset: int) -> int:
    """Return how many lines of a stream end before a byte of it."""
    count = start = 0
    for _, block, got in whole_blocks(stream):
        if start + got >= offset:
            return count + block.count(b"\n", 0, offset - start)
        count, start = count + block.count(b"\n", 0, got), start + got
    return count


def is_compressed(path: str) -> bool:
    """Say whether a file is read through a decompressor."""
    return path.endswith((".gz", ".zst"))


class Allowance:
    """How many bytes may come out of a packed file: far more than any log's, and no more than a memory holds."""

    def __init__(self, packed: int) -> None:
        self.left = max(MOST_UNPACKED, MOST_TIMES * packed)
        self.rows = max(MOST_ROWS, packed)

    def take(self, count: int) -> None:
        """Count bytes that came out. Raises `RunError` where they are too many."""
        self.left -= count
        if self.left < 0:
            raise RunError(
                f"unpacks to more than {MOST_TIMES} times its size",
                hint="no harness writes such a file: write it again",
            )

    def take_rows(self, count: int) -> None:
        """Count rows that are kept. Raises `RunError` where they are too many."""
        self.rows -= count
        if self.rows < 0:
            raise RunError("unpacks to more rows than it has bytes", hint="no harness writes such a file")


class Unpacked:
    """A stream out of a packed file that ends in an error where far too much comes out of far too little."""

    def __init__(self, stream: Readable, packed: io.FileIO) -> None:
        self.stream = stream
        self.allowance = Allowance(os.fstat(packed.fileno()).st_size)

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer."""
        got = self.stream.readinto(buffer)
        self.allowance.take(got or 0)
        return got


def at_once(path: str, flags: int) -> int:
    """Open a file without waiting; a `RunError` where a pipe or a device has come in its place."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise RunError("is no file", where=mask_text(path)[0], hint="write the samples again")
    return descriptor


@contextmanager
def open_stream(path: str) -> Iterator[Readable]:
    """Open a sample file as a stream of its plain bytes."""
    with open(path, "rb", buffering=0, opener=at_once) as handle:
        if path.endswith(".gz"):
            import gzip  # only for logs that are compressed

            with gzip.GzipFile(fileobj=cast(Any, handle)) as plain:
                yield Unpacked(cast(Readable, plain), handle)
        elif path.endswith(".zst"):
            with zstd_reader(path, handle) as plain:
                yield Unpacked(plain, handle)
        else:
            yield cast(Readable, handle)


def without_zstandard(path: str, otherwise: str) -> RunError:
    """Return the error that a file is packed with zstandard and nothing here reads it: what to install or do."""
    text = "packed with zstandard, and the package to read it is not installed"
    return RunError(text, where=mask_text(path)[0], hint=f"pip install diptych[zstd], or {otherwise}")


def zstd_reader(path: str, handle: io.FileIO) -> AbstractContextManager[Readable]:
    """Return a reader of a `.zst` file; a `RunError` says what to install where there is none."""
    try:
        import zstandard
    except ImportError as error:
        raise without_zstandard(path, "unpack the file") from error

    class Reader:
        """A zstd stream whose own error is one that every stream has."""

        def __init__(self) -> None:
            self.stream = zstandard.ZstdDecompressor().stream_reader(handle, read_across_frames=True, closefd=False)

        def readinto(self, buffer: memoryview, /) -> int | None:
            try:
                return self.stream.readinto(buffer)
            except zstandard.ZstdError as error:
                raise EOFError(str(error)) from error

    return nullcontext(Reader())


def by_offset(path: str, places: Iterable[Place]) -> Iterator[bytes]:
    """Yield the bytes at each place of a plain file; places that follow one another share a read."""
    start, end, window = 0, 0, b""
    with open(path, "rb", buffering=0, opener=at_once) as handle:
        for offset, length in places:
            inside = offset - start
            if not 0 <= inside <= len(window) - length:
                # of lines here and there more would be read than is asked for
                ahead = WINDOW if end <= offset <= end + NEAR * length else 0
                start, inside = offset, 0
                window = os.pread(handle.fileno(), max(length, ahead), offset)
            end = offset + length
            yield window[inside : inside + length]


def by_stream(path: str, places: Sequence[Place]) -> Iterator[bytes]:
    """Yield the bytes at each place of a compressed file, in the order asked for, from one pass in the file's order."""
    if all(one <= two for one, two in pairwise(places)):
        yield from in_one_pass(path, places)
        return
    order = sorted(range(len(places)), key=places.__getitem__)
    kept: dict[int, bytes] = dict(zip(order, in_one_pass(path, [places[place] for place in order]), strict=True))
    for place in range(len(places)):
        yield kept.pop(place)


def in_one_pass(path: str, places: Iterable[Place]) -> Iterator[bytes]:
    """Yield the bytes at places that rise (a place may come again)."""
    start, window = 0, bytearray()
    with open_stream(path) as plain:
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
