"""The pages of an archive that are drawn from all artifacts together: runs, tasks, lists, and what all have.

Each is a piece of work of its own: whoever does it reads what it needs from the tables of the build.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from diptych.publish.archive_folder import Drawing, Piece, Written, write_piece
from diptych.publish.archive_last import last_files
from diptych.publish.archive_stamp import all_there
from diptych.publish.archive_tables import Tables, settled_tables
from diptych.publish.archive_told import Rows, Runs, TaskRuns, run_page
from diptych.publish.archive_work import Work, key
from diptych.publish.feed import LIMIT, feed
from diptych.publish.task_steps import Search, with_steps
from diptych.report import archive_pages, histories, manual, methods_page, run_pages, task_history
from diptych.report.archive_pages import TaskRow
from diptych.report.documents.summaries import Failure, Site

ROBOTS = "User-agent: *\nDisallow: /\n"
"""Nothing of an archive is for search machines."""

CHUNK = 16
"""Runs that a worker is given at a time."""


def shared_work(tables: Tables, work: Work, failures: tuple[Failure, ...], search: Search) -> Iterator[Work]:
    """Yield what is to be done once the tables are settled, the longest first; `search` finds steps in histories."""
    for name in fixed_names(work.site):
        yield work._replace(step=partial(draw_fixed, tables.path, name, failures))
    for task in TaskRuns(tables).tasks():
        yield work._replace(step=partial(draw_task, tables.path, task, search))
    for first in range(1, len(Runs(tables)) + 1, CHUNK):
        yield work._replace(step=partial(draw_runs, tables.path, first))


def shared_names(tables: Tables, site: Site) -> Iterator[str]:
    """Yield the names of all pieces that are drawn from all artifacts together."""
    yield from ("tasks", *fixed_names(site))
    for (folder,) in tables.rows("SELECT folder FROM run"):
        yield f"run:{folder}"
    for task in TaskRuns(tables).tasks():
        yield f"task:{histories.task_folder(task)}"


def fixed_names(site: Site) -> tuple[str, ...]:
    """Return the names of what every archive has."""
    return ("artifacts", "runs", "methods", "manual", "static", "feed", "lost", *(["sitemap"] if site.base_url else []))


def draw_fixed(path: str, name: str, failures: tuple[Failure, ...], work: Work) -> Iterator[Written]:
    """Yield a piece that every archive has, drawn."""
    tables, site = settled_tables(path), work.site
    shown = tables.value("SELECT shown FROM about")
    pieces: dict[str, tuple[tuple[Any, ...], Drawing]] = {
        "artifacts": ((shown, failures), partial(first_pages, tables, failures, site)),
        "runs": ((shown,), partial(run_pages.run_lists, Runs(tables), site)),
        "methods": ((), partial(methods_page.methods_pages, site)),
        "manual": ((), partial(manual.manual_pages, site)),
        "static": ((), archive_pages.static_files),
        "feed": ((shown,), partial(feed_file, tables, site)),
        "lost": ((), partial(lost_files, site)),
        "sitemap": ((shown,), partial(sitemap_file, tables, site)),
    }
    told, draw = pieces[name]
    yield drawn(work.root, tables, Piece(name, key(name, work.same, *told), draw))


def drawn(root: str, tables: Tables, piece: Piece) -> Written:
    """Return a piece as it is written now, or as the last build has left it where it would be drawn alike."""
    last, files = last_files(tables, piece.name)
    if last == piece.key != "" and all_there(root, files):
        return Written(piece.name, last, files, 0)
    return write_piece(root, piece)


def draw_runs(path: str, first: int, work: Work) -> Iterator[Written]:
    """Yield the pages of some runs, drawn."""
    tables = settled_tables(path)
    runs = tables.rows("SELECT number, folder, key FROM run WHERE number BETWEEN ? AND ?", first, first + CHUNK - 1)
    for number, folder, own in runs:
        yield drawn(work.root, tables, Piece(f"run:{folder}", own, partial(run_files, tables, number, work.site)))


def run_files(tables: Tables, number: int, site: Site) -> Mapping[str, str]:
    """Return the page of a run."""
    return run_pages.run_page(run_page(tables, number), site)


@lru_cache(1)
def task_runs(path: str) -> TaskRuns:
    """Return the runs of a build's tables, with what the tasks before have looked up."""
    return TaskRuns(settled_tables(path))


def draw_task(path: str, task: str, search: Search, work: Work) -> Iterator[Written | TaskRow]:
    """Yield the pages of a task, drawn, and its row in the list of tasks."""
    told = task_runs(path)
    page = task_history.task_page(task, told)
    own = key("task", work.same, task, told.key(task))
    piece = Piece(f"task:{page.folder}", own, partial(tested_task_pages, page, work.site, search))
    yield drawn(work.root, told.tables, piece)
    yield archive_pages.task_row(page)


def tested_task_pages(task: histories.TaskPage, site: Site, search: Search) -> Iterator[dict[str, str]]:
    """Yield the pages of a task; a step in its history is looked for only where they are drawn."""
    yield from archive_pages.task_pages(with_steps(task, search), site)


def draw_task_lists(tables: Tables, rows: Sequence[TaskRow], work: Work) -> Written:
    """Return the lists of tasks, drawn."""
    own = key("tasks", work.same, tables.value("SELECT shown FROM about"))
    return drawn(work.root, tables, Piece("tasks", own, partial(archive_pages.task_lists, rows, work.site)))


def first_pages(
    tables: Tables, failures: tuple[Failure, ...], site: Site
) -> Iterator[Mapping[str, str | Iterator[str]]]:
    """Yield the first page and its followers, a page after the other."""
    found = tables.rows("SELECT kind, word, count(*) FROM artifact GROUP BY kind, word")
    return archive_pages.first_pages(Rows(tables), found, failures, site)


def lost_files(site: Site) -> dict[str, str]:
    """Return what lost visitors and robots see."""
    return {**archive_pages.not_found(site), "robots.txt": ROBOTS}


def feed_file(tables: Tables, site: Site) -> dict[str, str]:
    """Return the Atom feed at its path."""
    latest = Rows(tables, "date DESC, id DESC, number").part(0, LIMIT)
    return {"feed.xml": feed(latest, site.title, site.base_url, site.built)}


def sitemap_file(tables: Tables, site: Site) -> Iterator[dict[str, Iterator[str]]]:
    """Yield the site map."""
    folders = tables.rows("SELECT folder FROM artifact ORDER BY folder || '/'")
    yield {"sitemap.xml": sitemap((folder for (folder,) in folders), site)}


def sitemap(folders: Iterable[str], site: Site) -> Iterator[str]:
    """Yield the sitemap of the pages that a reader may enter by."""
    from html import escape

    base = (site.base_url or "").rstrip("/")
    yield '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    yield f"<url><loc>{escape(f'{base}/index.html', quote=False)}</loc></url>\n"
    for folder in folders:
        yield f"<url><loc>{escape(f'{base}/{folder}/index.html', quote=False)}</loc></url>\n"
    yield "</urlset>\n"
