"""An archive as a plan of paths and texts, so that tests can look at every page without a folder."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from diptych import artifact
from diptych.publish.archive import Gathered, pieces
from diptych.publish.archive_folder import Built, Piece, held, read_list, write_pieces
from diptych.publish.archive_sources import Entry
from diptych.report.documents.summaries import Failure, Site


def entry_of(name: str, text: str) -> Entry:
    """Return an artifact's text as an entry."""
    return Entry(name, artifact.digest(text), lambda: text)


def plan_archive(
    entries: Iterable[Entry], failures: Iterable[Failure] = (), site: Site | None = None
) -> dict[str, str]:
    """Return the whole archive as paths and texts."""
    plan: dict[str, str] = {}
    for piece in pieces(entries, Gathered([], {}, list(failures)), site or Site()):
        plan |= piece.draw()
    return dict(sorted(plan.items()))


def write_archive(plan: Mapping[str, str], folder: str | Path) -> Built:
    """Write a plan into a folder."""
    with held(folder):
        return write_pieces([Piece("plan", "", lambda: plan)], {}, folder, read_list(folder))
