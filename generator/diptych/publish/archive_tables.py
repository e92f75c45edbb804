"""The tables of a build, in a file of their own: all that grows with the number of artifacts stands there, in order.

What is in memory is a cache of a few MB. The build's own process fills them; once they are settled its workers look
into the same file. It is a draft beside the list of an archive's files: it goes with the build, and the next build
removes what a killed one left.
"""

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from diptych import storage

SCHEMA = """
CREATE TABLE entry (
    number INTEGER PRIMARY KEY, name BLOB, place BLOB, digest TEXT, id BLOB, later INTEGER DEFAULT 0
);
CREATE TABLE text (number INTEGER PRIMARY KEY, digest BLOB UNIQUE, body TEXT);
CREATE TABLE last_piece (name BLOB PRIMARY KEY, artifact INTEGER, row BLOB) WITHOUT ROWID;
CREATE TABLE last_summary (digest TEXT PRIMARY KEY, texts BLOB) WITHOUT ROWID;
CREATE TABLE artifact (
    number INTEGER PRIMARY KEY, digest TEXT, folder TEXT, kind TEXT, word TEXT, said BLOB, sign BLOB, tone BLOB,
    date BLOB, title BLOB, id BLOB, row BLOB, texts BLOB
);
CREATE TABLE version (
    number INTEGER PRIMARY KEY, own INTEGER, alike INTEGER, folder TEXT, label BLOB, model BLOB, date BLOB, source BLOB,
    release BLOB, scores BLOB, UNIQUE (own, alike)
);
CREATE TABLE use (
    folder TEXT, artifact INTEGER, place INTEGER, version INTEGER, PRIMARY KEY (folder, artifact, place)
) WITHOUT ROWID;
CREATE TABLE change (a TEXT, b TEXT, artifact INTEGER, changes BLOB, PRIMARY KEY (a, b, artifact)) WITHOUT ROWID;
CREATE TABLE repeated (task BLOB, artifact INTEGER, metric BLOB, asked BLOB, scores BLOB);
CREATE TABLE met (folder TEXT, version INTEGER, versions BLOB, key TEXT);
CREATE TABLE run (number INTEGER PRIMARY KEY, folder TEXT, version INTEGER, versions BLOB, key TEXT, asked INTEGER);
CREATE TABLE alike (number INTEGER PRIMARY KEY, asked INTEGER);
CREATE TABLE asked (number INTEGER PRIMARY KEY, told BLOB UNIQUE);
CREATE TABLE holds (
    task BLOB, alike INTEGER, first INTEGER, count INTEGER, told BLOB, PRIMARY KEY (task, alike)
) WITHOUT ROWID;
CREATE TABLE about (shown TEXT);
CREATE TEMP TABLE piece (name BLOB PRIMARY KEY, row BLOB) WITHOUT ROWID;
CREATE TEMP TABLE going (path BLOB PRIMARY KEY) WITHOUT ROWID;
"""
"""Texts that a person or a model wrote are bytes: half of a pair in them is no text to SQLite."""

CACHE = 2_000
"""KiB that a process holds of the tables."""

FULL = frozenset((sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY))


class Tables:
    """An open file of tables."""

    def __init__(self, path: str, mode: str) -> None:
        self.path = path
        address = f"file:{path.replace('%', '%25').replace('?', '%3f').replace('#', '%23')}?nolock=1&mode={mode}"
        self.base = sqlite3.connect(address, uri=True, isolation_level=None)
        self.base.executescript(
            f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-{CACHE}; PRAGMA temp.cache_size=-500"
        )

    def do(self, statement: str, *values: object) -> sqlite3.Cursor:
        """Run one statement."""
        return self.base.execute(statement, values)

    def do_all(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for each of many rows."""
        self.base.executemany(statement, rows)

    def rows(self, statement: str, *values: object) -> Iterator[Any]:
        """Yield the rows that a question finds."""
        return iter(self.base.execute(statement, values))

    def row(self, statement: str, *values: object) -> Any:
        """Return the first row that a question finds, None where there is none."""
        return self.base.execute(statement, values).fetchone()

    def value(self, statement: str, *values: object) -> Any:
        """Return the first value that a question finds, None where there is none."""
        row = self.row(statement, *values)
        return row and row[0]

    def text(self, body: str) -> int:
        """Return the number of a packed text, the same for the same text; it stands in its table once."""
        digest = blake2b(body.encode("ascii"), digest_size=16).digest()
        found = self.value("SELECT number FROM text WHERE digest = ?", digest)
        return int(found or self.do("INSERT INTO text VALUES (NULL, ?, ?)", digest, body).lastrowid or 0)

    def texts(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return packed texts by their numbers."""
        return tuple(str(self.value("SELECT body FROM text WHERE number = ?", number)) for number in numbers)

    def numbers(self, data: bytes) -> "array[int]":
        """Return the numbers that a column of several holds."""
        return array("q", data)

    def settle(self) -> None:
        """Put all on disk, for workers to look into; the build's own tables of pieces may still grow."""
        self.do("COMMIT")
        self.do("BEGIN")


@contextmanager
def new_tables(beside: str) -> Iterator[Tables]:
    """Give the tables of one build, in a draft beside a file."""
    path = storage.draft_of(beside)
    try:
        tables = Tables(path, "rwc")
        try:
            tables.base.executescript(SCHEMA)
            tables.do("BEGIN")
            yield tables
        finally:
            tables.base.close()
            storage.remove(path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in FULL:
            raise
        raise storage.unwritable(beside, error) from error


@lru_cache(1)
def settled_tables(path: str) -> Tables:
    """Return tables that do not change any more; a process holds those of its build open."""
    return Tables(path, "ro")


def encoded(text: str) -> bytes:
    """Return a text as bytes of the same order; half of a pair stands for itself."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """Return the text that bytes keep."""
    return data.decode("utf-8", "surrogatepass")
