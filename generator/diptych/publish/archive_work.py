"""What a worker does for an archive: it looks at some artifacts, or draws and writes some, or some shared pages.

Work crosses to another process and back as small values: an artifact goes by the place it is read from, and comes
back as its summary, packed; what is drawn from all artifacts is read from the build's tables.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from typing import Any

from diptych import artifact as hinge
from diptych import storage
from diptych.errors import DiptychError
from diptych.fast_named_tuple import NamedTuple
from diptych.publish.archive_entries import Numbered
from diptych.publish.archive_folder import Piece, Written, write_piece
from diptych.publish.archive_sources import Read, read_artifact, unmarked_bytes
from diptych.publish.badges import badge
from diptych.publish.export import files_beside
from diptych.publish.kept_summaries import Kept, packed
from diptych.report import archive_pages
from diptych.report.documents.summaries import Failure, Site, Summary
from diptych.report.documents.summarise import summarise


class Work(NamedTuple):
    """Something to be done for an archive in the folder `root`; `same` is the key of its site."""

    root: str
    site: Site
    same: str
    step: Callable[["Work"], Iterator[Any]]


class Looked(NamedTuple):
    """What the look at an artifact told, by its number."""

    number: int
    found: Read | Failure


class Made(NamedTuple):
    """What became of an artifact: its summary, packed, with its folder and its pages, or why it could not be shown."""

    number: int
    digest: str
    packed: Kept = ()
    folder: str = ""
    written: Written | None = None
    failure: Failure | None = None


def do(work: Work) -> list[Any] | DiptychError:
    """Do some work; a mistake that a user can mend is returned, since not every error finds its way home."""
    try:
        return list(work.step(work))
    except DiptychError as error:
        return error


def look(entries: Sequence[Numbered], _: Work) -> Iterator[Looked]:
    """Yield what a look at each of some artifacts tells."""
    return (Looked(each.number, read_artifact(each.entry)) for each in entries)


def draw(entries: Sequence[Numbered], taken: Container[str], work: Work) -> Iterator[Made]:
    """Yield what becomes of each of some artifacts; `taken` are folders that others have."""
    for number, entry, digest in entries:
        try:
            artifact = hinge.load_one(data := unmarked_bytes(entry.place), where=entry.name)
        except DiptychError as error:
            yield Made(number, digest, failure=Failure(entry.name, error.message, error.where, error.hint))
            continue
        original = summarise(artifact)
        summary = in_own_folder(original, taken)
        name, own = f"{summary.kind}:{summary.folder}", artifact_key(work.same, digest, summary.folder)
        files = partial(artifact_files, digest, data, artifact, summary, work.site)
        yield Made(number, digest, packed(original), summary.folder, write_piece(work.root, Piece(name, own, files)))


def artifact_files(digest: str, data: bytes, artifact: Any, summary: Summary, site: Site) -> dict[str, str | bytes]:
    """Return the pages of one artifact, with its JSON, its tables and its pictures beside them."""
    pages = archive_pages.artifact_pages(artifact, summary, digest, site)
    files: dict[str, str | bytes] = {"badge.svg": badge(summary), "artifact.json": data, **files_beside(artifact)}
    return {**pages, **{f"{summary.folder}/{name}": text for name, text in files.items()}}


def in_own_folder(summary: Summary, taken: Container[str]) -> Summary:
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
