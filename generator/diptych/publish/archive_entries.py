"""The artifacts of a build by their names: each is looked at once, then it is settled which are drawn, and when."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from diptych.fast_named_tuple import NamedTuple
from diptych.publish.archive_sources import Entry
from diptych.publish.archive_tables import Tables, decoded, encoded
from diptych.publish.kept_summaries import kept_summary
from diptych.report.documents.summaries import Failure, Site

PART = 64
"""Artifacts that are held of the table at a time."""


class Numbered(NamedTuple):
    """An artifact with its place in the order of names, and the sha256 of its text, once that is known."""

    number: int
    entry: Entry
    digest: str = ""


def number_entries(tables: Tables, found: Iterable[Entry | Failure]) -> list[Failure]:
    """Put artifacts into their table, in the order of names; return what is none."""
    failures: list[Failure] = []

    def entries() -> Iterator[tuple[bytes, bytes]]:
        for each in found:
            if isinstance(each, Failure):
                failures.append(each)
            else:
                yield encoded(each.name), encoded(each.place)

    tables.do("CREATE TEMP TABLE given (name BLOB, place BLOB)")
    tables.do_all("INSERT INTO given VALUES (?, ?)", entries())
    tables.do("INSERT INTO entry (name, place) SELECT name, place FROM given ORDER BY name, given.rowid")
    tables.do("DROP TABLE given")
    return failures


def numbered(tables: Tables, which: str) -> Iterator[Numbered]:
    """Yield some artifacts, a part of the table at a time: it may change meanwhile."""
    last = 0
    while rows := list(
        tables.rows(
            f"SELECT number, name, place, digest FROM entry WHERE number > ? AND {which} ORDER BY number LIMIT {PART}",
            last,
        )
    ):
        for last, name, place, digest in rows:
            yield Numbered(last, Entry(decoded(name), decoded(place)), digest or "")


def note_read(tables: Tables, number: int, digest: str, id_: str | None) -> None:
    """Note what the look at an artifact told; no digest: that it cannot be read."""
    if digest:
        own = None if id_ is None else encoded(id_)
        tables.do("UPDATE entry SET digest = ?, id = ? WHERE number = ?", digest, own, number)
    else:
        tables.do("DELETE FROM entry WHERE number = ?", number)


def whole_key(tables: Tables, site: Site, failures: Sequence[Failure]) -> str:
    """Return the key of all that an archive is made from."""
    whole = sha256(repr((site, failures)).encode("utf-8", "backslashreplace"))
    for name, digest in tables.rows("SELECT name, digest FROM entry ORDER BY number"):
        whole.update(b"%b %b\n" % (name, digest.encode()))
    return whole.hexdigest()


def settle_turns(tables: Tables) -> None:
    """Leave one artifact of each text, and settle which are drawn last: those whose id another has, or nobody knows.

    Two artifacts of one id would share a folder; drawn in the order of names, who gets the plain name does not hang on
    who was drawn first.
    """
    tables.do("DELETE FROM entry WHERE number NOT IN (SELECT min(number) FROM entry GROUP BY digest)")
    unknown = tables.rows("SELECT number, texts FROM entry JOIN last_summary USING (digest) WHERE id IS NULL")
    for number, texts in list(unknown):
        own = kept_summary(tables.texts(tables.numbers(texts)[:2])).id
        tables.do("UPDATE entry SET id = ? WHERE number = ?", encoded(own), number)
    tables.do("UPDATE entry SET later = number NOT IN (SELECT min(number) FROM entry WHERE id IS NOT NULL GROUP BY id)")


class Folders:
    """The folders that artifacts have already."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        tables.do("CREATE INDEX folders ON artifact (folder)")

    def __contains__(self, folder: object) -> bool:
        return self.tables.row("SELECT 1 FROM artifact WHERE folder = ?", folder) is not None
