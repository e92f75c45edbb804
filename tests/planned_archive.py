"""An archive as paths and texts, so that tests can look at every page without a folder."""

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from diptych.publish.archive import build
from diptych.publish.archive_folder import Piece, Written, hold_folder, write_piece
from diptych.publish.archive_gathered import add_artifact, number_runs
from diptych.publish.archive_list import LIST_FILE
from diptych.publish.archive_sources import Entry
from diptych.publish.archive_tables import Tables, new_tables
from diptych.publish.kept_summaries import packed
from diptych.report.archive_pages import first_pages
from diptych.report.documents.summaries import Failure, Site, Summary

WRITTEN = tempfile.TemporaryDirectory()
"""Where the artifacts of tests lie until the tests end."""


def entry_of(name: str, text: str) -> Entry:
    """Return an artifact's text as an entry: it lies in a file of its own."""
    place = os.path.join(tempfile.mkdtemp(dir=WRITTEN.name), name)
    Path(place).write_text(text, encoding="utf-8")
    return Entry(name, place)


def plan_archive(found: Iterable[Entry | Failure], site: Site | None = None) -> dict[str, str]:
    """Return the whole archive as paths and texts."""
    with tempfile.TemporaryDirectory() as folder:
        build(found, folder, site)
        return files_in(Path(folder))


@contextmanager
def gathered(summaries: Iterable[Summary]) -> Iterator[Tables]:
    """Give the tables of a build of some artifacts, in the order of their names."""
    with tempfile.TemporaryDirectory() as folder, new_tables(os.path.join(folder, LIST_FILE)) as tables:
        for number, summary in enumerate(summaries, 1):
            add_artifact(tables, number, f"{number:064x}", list(map(tables.text, packed(summary))), summary.folder)
        number_runs(tables, "")
        yield tables


def index_pages(summaries: Sequence[Summary], failures: Sequence[Failure], site: Site) -> dict[str, str]:
    """Return the first page and its followers, each as one text."""
    order = sorted(summaries, key=lambda row: (row.date or "", row.title, row.id), reverse=True)
    counts = Counter((row.kind, row.word) for row in summaries)
    pages = first_pages(order, ((*told, count) for told, count in counts.items()), failures, site)
    parts = (item for part in pages for item in part.items())
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
