"""What a worker does for an archive: some artifacts, or some pieces, drawn and written in one go.

Work crosses to another process and back as small values: an artifact goes by the place it is read from, and comes
back as its summary, packed.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from diptych import artifact as hinge
from diptych import storage
from diptych.errors import DiptychError
from diptych.fast_named_tuple import NamedTuple
from diptych.publish.archive_folder import Piece, Written, write_piece
from diptych.publish.archive_sources import Entry
from diptych.publish.badges import badge
from diptych.publish.export import files_beside
from diptych.publish.kept_summaries import Kept, packed
from diptych.report import archive_pages
from diptych.report.documents.summaries import Failure, Site, Summary
from diptych.report.documents.summarise import summarise


class Work(NamedTuple):
    """Artifacts to be drawn, or pieces; `taken` are folders that other artifacts have."""

    root: str
    site: Site
    same: str
    entries: tuple[Entry, ...] = ()
    taken: frozenset[str] = frozenset()
    pieces: tuple[Piece, ...] = ()


class Made(NamedTuple):
    """What became of an artifact: its summary, packed, with its folder and its pages, or why it could not be shown."""

    digest: str
    packed: Kept = ()
    folder: str = ""
    written: Written | None = None
    failure: Failure | None = None


def do(work: Work) -> list[Made | Written] | DiptychError:
    """Do some work; a mistake that a user can mend is returned, since not every error finds its way home."""
    try:
        return [*outcomes_of(work), *(write_piece(work.root, piece) for piece in work.pieces)]
    except DiptychError as error:
        return error


def outcomes_of(work: Work) -> Iterator[Made]:
    """Yield what becomes of each artifact of some work."""
    for entry in work.entries:
        try:
            artifact = hinge.load_one(data := entry.read(), where=entry.name)
        except DiptychError as error:
            yield Made(entry.digest, failure=Failure(entry.name, error.message, error.where, error.hint))
            continue
        original = summarise(artifact)
        summary = in_own_folder(original, work.taken)
        name, own = f"{summary.kind}:{summary.folder}", artifact_key(work.same, entry.digest, summary.folder)
        written = write_piece(
            work.root, Piece(name, own, partial(artifact_files, entry, data, artifact, summary, work.site))
        )
        yield Made(entry.digest, packed(original), summary.folder, written)


def artifact_files(entry: Entry, data: bytes, artifact: Any, summary: Summary, site: Site) -> dict[str, str | bytes]:
    """Return the pages of one artifact, with its JSON, its tables and its pictures beside them."""
    pages = archive_pages.artifact_pages(artifact, summary, entry.digest, site)
    files: dict[str, str | bytes] = {"badge.svg": badge(summary), "artifact.json": data, **files_beside(artifact)}
    return {**pages, **{f"{summary.folder}/{name}": text for name, text in files.items()}}


def in_own_folder(summary: Summary, taken: frozenset[str]) -> Summary:
    """Return a summary whose folder nobody else has (the same runs may be compared under two sets of options)."""
    number, folder = 2, summary.folder
    while folder in taken:
        folder, number = f"{summary.folder}-{number}", number + 1
    return summary._replace(folder=folder)


def artifact_key(same: str, digest: str, folder: str) -> str:
    """Return the key of an artifact's pages."""
    return key("artifact", same, digest, folder)


def key(*parts: Any) -> str:
    """Return the digest of everything that a piece is drawn from."""
    return storage.sha256(repr(parts).encode("utf-8", "backslashreplace"))
