"""An archive as paths and texts, so that tests can look at every page without a folder."""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from diptych import artifact
from diptych.publish.archive import build
from diptych.publish.archive_folder import LIST_FILE, Piece, Written, hold_folder, write_piece
from diptych.publish.archive_sources import Entry
from diptych.report.archive_pages import first_pages
from diptych.report.documents.summaries import Failure, Site, Summary


def entry_of(name: str, text: str) -> Entry:
    """Return an artifact's text as an entry."""
    return Entry(name, artifact.digest(text), lambda: text.encode())


def plan_archive(
    entries: Iterable[Entry], failures: Iterable[Failure] = (), site: Site | None = None
) -> dict[str, str]:
    """Return the whole archive as paths and texts."""
    with tempfile.TemporaryDirectory() as folder:
        build(entries, folder, failures, site)
        return files_in(Path(folder))


def index_pages(summaries: Sequence[Summary], failures: Sequence[Failure], site: Site) -> dict[str, str]:
    """Return the first page and its followers, each as one text."""
    parts = (item for part in first_pages(summaries, failures, site) for item in part.items())
    return {path: text if isinstance(text, str) else "".join(text) for path, text in parts}


def files_in(folder: Path) -> dict[str, str]:
    """Return every file of an archive but its list, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != LIST_FILE
    }


def write_archive(plan: Mapping[str, str], folder: str | Path) -> Written:
    """Write a plan into a folder."""
    with hold_folder(folder) as root:
        return write_piece(root, Piece("plan", "", lambda: plan))
