"""What the last build left in an archive's folder, as its list file tells it, and what of that goes with this build."""

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from diptych import storage
from diptych.errors import DiptychError
from diptych.fast_json import dump_many, load_own
from diptych.fast_named_tuple import NamedTuple
from diptych.publish.archive_list import LIST_FILE, READ_SCHEMAS, is_inside, list_lines, listed, short_files, sizes_in
from diptych.publish.archive_stamp import JOURNAL, all_there
from diptych.publish.archive_tables import Tables, decoded, encoded
from diptych.publish.kept_summaries import is_unbroken
from diptych.report.documents.summaries import Failure

ARTIFACT_KINDS = frozenset(("comparison", "matrix", "repeats", "decision"))
"""The first words of the names of pieces that one artifact is the source of."""


class Last(NamedTuple):
    """What the last build was: `whole` is the key of all that the archive was made from, `failures` what could not be
    shown. Its pieces and its summaries stand in tables."""

    whole: str = ""
    failures: tuple[Failure, ...] = ()


def read_list(root: str, maker: str, tables: Tables) -> Last:
    """Put into tables what the last build left in a folder; a list that is not readable counts as none.

    Summaries that another `maker` has made are passed over: what a summary holds may have changed since.
    """
    try:
        body = read_lines(os.path.join(root, LIST_FILE), maker, tables)
        if body["schema"] not in READ_SCHEMAS:
            raise ValueError("a list of another version")
        if body["maker"] != maker:
            return Last()
        return Last(str(body["whole"]), tuple(Failure(*row) for row in body["failures"]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        tables.do("DELETE FROM last_piece")
        tables.do("DELETE FROM last_summary")
        return Last()  # then everything is drawn again, and compared with what is there


def read_lines(path: str, maker: str, tables: Tables) -> dict[str, Any]:
    """Put pieces and summaries of a list file into tables; return what stands beside them."""
    body: dict[str, Any] = {}
    shared = array("q")
    for section, value in listed(path):
        own: dict[str, Any] = {section: [value] if section == "shared" else value} if section else dict(value)
        for name, (key, files) in own.pop("pieces", {}).items():
            row = dump_many((str(key), short_files(name, sizes_in(name, files))))
            kind = name.partition(":")[0] in ARTIFACT_KINDS
            tables.do("INSERT OR REPLACE INTO last_piece VALUES (?, ?, ?)", encoded(name), kind, row)
        texts, kept = own.pop("shared", ()), own.pop("summaries", {})
        if body.get("maker", own.get("maker")) == maker:
            shared.extend(unbroken(tables, text) for text in texts)
            tables.do_all("INSERT OR REPLACE INTO last_summary VALUES (?, ?)", known_summaries(tables, shared, kept))
        body |= own
    return body


def unbroken(tables: Tables, text: object) -> int:
    """Return the number of a packed text, 0 for one that is not as it was packed."""
    return tables.text(str(text)) if is_unbroken(str(text)) else 0


def known_summaries(tables: Tables, shared: "array[int]", kept: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the digests of artifacts with the numbers of their texts, of those that are whole."""
    for digest, (own, *places) in kept.items():
        numbers = array("q", [unbroken(tables, own), *(shared[place] for place in places)])
        if all(numbers):
            yield digest, numbers.tobytes()


def save_list(root: str, tables: Tables, maker: str, whole: str, failures: Iterable[Failure]) -> None:
    """Write the list file of an archive, line by line: what many artifacts share stands in it once."""
    size = tables.value("SELECT coalesce(max(number), 0) + 1 FROM text")
    places, order = array("q", [-1]) * size, array("q")
    for (texts,) in tables.rows("SELECT texts FROM artifact ORDER BY digest"):
        for number in array("q", texts)[1:]:
            if places[number] < 0:
                places[number] = len(order)
                order.append(number)

    def summaries() -> Iterator[bytes]:
        for digest, texts in tables.rows("SELECT digest, texts FROM artifact ORDER BY digest"):
            own, *others = array("q", texts)
            row = [*tables.texts([own]), *(places[number] for number in others)]
            yield b"%b:%b" % (dump_many(digest), dump_many(row))

    lines = list_lines(
        {"failures": list(map(list, failures)), "maker": maker},
        (b"%b:%b" % (dump_many(decoded(name)), row) for name, row in tables.rows("SELECT * FROM piece ORDER BY name")),
        (dump_many(text) for number in order for text in tables.texts([number])),
        summaries(),
        whole,
    )
    storage.replace_file(os.path.join(root, LIST_FILE), lines)


def last_files(tables: Tables, name: str) -> tuple[str, dict[str, int]]:
    """Return the key and the files of a piece as the last build left it; no key where it left none."""
    row = tables.value("SELECT row FROM last_piece WHERE name = ?", encoded(name))
    return read_row(name, row) if row else ("", {})


def read_row(name: str, row: bytes) -> tuple[str, dict[str, int]]:
    """Return the key and the files that a piece's row holds."""
    key, files = load_own(row)
    return key, sizes_in(name, files)


def all_as_left(root: str, tables: Tables) -> int | None:
    """Return how many files the last build left, None where one of them is not there as it left it."""
    count = 0
    for name, row in tables.rows("SELECT name, row FROM last_piece"):
        files = read_row(decoded(name), row)[1]
        if not all_there(root, files):
            return None
        count += len(files)
    return count


def journal_size(root: str) -> int:
    """Return how long the journal of a build that was killed is."""
    try:
        return os.path.getsize(os.path.join(root, JOURNAL))
    except OSError:
        return 0


def journalled(root: str, size: int) -> Iterator[str]:
    """Yield the files that a build which was killed has begun to write, from the first `size` bytes of the journal."""
    if size:
        with open(os.path.join(root, JOURNAL), "rb") as handle:
            while size > 0 and (line := handle.readline(size)).endswith(b"\n"):
                size -= len(line)
                if is_inside(path := line[:-1].decode("utf-8", "replace")):
                    yield path


def files_going(root: str, tables: Tables, size: int) -> Iterator[str]:
    """Yield the files that the last build left, or one that was killed, and that are of no piece any more."""
    changed = tables.rows(
        "SELECT l.name, l.row, p.row FROM last_piece l LEFT JOIN piece p USING (name) WHERE p.row IS NOT l.row"
    )
    for name, row, new in changed:
        may_go(tables, read_row(decoded(name), row)[1].keys() - (read_row(decoded(name), new)[1] if new else ()))
    may_go(tables, journalled(root, size))
    if tables.row("SELECT 1 FROM going"):
        for name, row in tables.rows("SELECT name, row FROM piece"):
            stay(tables, read_row(decoded(name), row)[1])
    return (decoded(path) for (path,) in tables.rows("SELECT path FROM going ORDER BY path"))


def may_go(tables: Tables, paths: Iterable[str]) -> None:
    """Note that files go, unless something is said against it."""
    tables.do_all("INSERT OR IGNORE INTO going VALUES (?)", ((encoded(path),) for path in paths))


def stay(tables: Tables, paths: Iterable[str]) -> None:
    """Note that files stay."""
    tables.do_all("DELETE FROM going WHERE path = ?", ((encoded(path),) for path in paths))


def refuse_large_removal(root: str, tables: Tables, shared: Iterable[str]) -> None:
    """Raise a `DiptychError` where pieces of artifacts are gone, and with them more than half of all files.

    `shared` are the names of the pieces that are still to be drawn: what files they will have the last build tells.
    """
    gone = "SELECT 1 FROM last_piece LEFT JOIN piece USING (name) WHERE artifact AND piece.name IS NULL"
    if not tables.row(gone):
        return
    for name, row in tables.rows("SELECT name, row FROM last_piece"):
        may_go(tables, read_row(decoded(name), row)[1])
    left = tables.value("SELECT count(*) FROM going")
    for name, row in tables.rows("SELECT name, row FROM piece"):
        stay(tables, read_row(decoded(name), row)[1])
    for name in shared:
        stay(tables, last_files(tables, name)[1])
    going = tables.value("SELECT count(*) FROM going")
    tables.do("DELETE FROM going")
    if 2 * going > left:
        raise DiptychError(
            f"this build would remove {going} of the {left} files that the last one left",
            where=root,
            hint="check the sources; where they are right, say --prune",
        )
