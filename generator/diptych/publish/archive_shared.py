"""The pages of an archive that are drawn from all artifacts together: runs, tasks, lists, and what all have."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from diptych.publish.archive_folder import Piece
from diptych.publish.archive_memory import Rows, Spill, Text
from diptych.publish.archive_work import key
from diptych.publish.feed import feed
from diptych.publish.kept_summaries import Kept, kept_summary
from diptych.publish.task_steps import Search, with_steps
from diptych.report import archive_pages, histories, manual, methods_page, run_pages
from diptych.report.documents.summaries import Failure, RunSummary, Site, Summary
from diptych.report.histories import as_scores
from diptych.stats.history import steps_in

ROBOTS = "User-agent: *\nDisallow: /\n"
"""Nothing of an archive is for search machines."""

Spilled = tuple[Text, ...]
"""A packed summary on disk."""


class Gathered:
    """What the pages that many artifacts share are drawn from, gathered one artifact after the other, by name.

    `packed` are the summaries as they are kept, by digest; `sources` names the artifacts of each run, by its folder,
    with their digests: its page changes only with theirs.
    """

    def __init__(self, failures: list[Failure], spill: Spill) -> None:
        self.packed: dict[str, Spilled] = {}
        self.shown: list[tuple[str, str]] = []
        self.sources: dict[str, list[tuple[str, str]]] = {}
        self.failures = failures
        self.told = histories.Histories()
        self.rows = Rows(spill)
        self.spill = spill

    def spilled(self, packed: Kept) -> Spilled:
        """Return a summary whose texts stand on disk."""
        return tuple(map(self.spill.text, packed))

    def add(self, digest: str, packed: Spilled, folder: str) -> None:
        """Take the summary of one artifact, which stands in a folder."""
        summary = kept_summary(tuple(map(str, packed)))
        self.packed[digest] = packed
        self.shown.append((digest, folder))
        self.told.add(summary._replace(folder=folder, runs=tuple(map(self.lightened, summary.runs))))
        self.rows.add(summary._replace(folder=folder))
        for run_folder in {run.folder for run in summary.runs}:
            self.sources.setdefault(run_folder, []).append((folder, digest))

    def lightened(self, run: RunSummary) -> RunSummary:
        """Return a run whose scores stand on disk; where it was met in another artifact, as it was met there."""
        met = self.told.found.get(run.folder)
        if met is not None and met.run == run:
            return met.run
        return run._replace(scores=self.spill.scores(as_scores(run.scores)))


def shared_pieces(
    gathered: Gathered, failures: tuple[Failure, ...], site: Site, search: Search = steps_in
) -> Iterator[Piece]:
    """Yield the pieces that are drawn from all artifacts together; `search` finds the steps in a task's history."""
    same, told = key(site), gathered.told
    runs = told.runs()
    drawn_from = {folder: key("run", same, folder, gathered.sources[folder]) for folder in runs}
    for run in runs.values():
        yield Piece(f"run:{run.folder}", drawn_from[run.folder], partial(run_pages.run_page, run, site))
    latest = []
    for task in histories.tasks_in(told):
        latest.append(archive_pages.task_row(task))
        parts = sorted(drawn_from[folder] for line in task.configurations for folder in line.folders)
        yield Piece(
            f"task:{task.folder}", key("task", same, task.task, parts), partial(tested_task_pages, task, site, search)
        )
    yield Piece(
        "lists",
        key("lists", same, gathered.shown, failures),
        partial(list_pages, gathered.rows, failures, list(runs.values()), latest, site),
    )
    yield from fixed(gathered.rows, site, same, gathered.shown)


def list_pages(
    rows: Rows,
    failures: tuple[Failure, ...],
    runs: list[histories.RunPage],
    tasks: list[archive_pages.TaskRow],
    site: Site,
) -> Iterator[Mapping[str, str | Iterator[str]]]:
    """Yield the first page, the list of runs and that of tasks, a page after the other."""
    yield from archive_pages.first_pages(rows, failures, site)
    yield from run_pages.run_lists(runs, site)
    yield archive_pages.task_lists(tasks, site)


OF_ALL = ("lists", "feed", "sitemap")
"""Pieces that hold something of each artifact: drawn where that is, one page after the other."""


def tested_task_pages(task: histories.TaskPage, site: Site, search: Search) -> Iterator[dict[str, str]]:
    """Yield the pages of a task; a step in its history is looked for only where they are drawn."""
    yield from archive_pages.task_pages(with_steps(task, search), site)


def fixed(rows: Rows, site: Site, same: str, shown: list[tuple[str, str]]) -> Iterator[Piece]:
    """Yield what every archive has: methods, manual, feed, style, what robots and lost visitors see."""
    yield Piece("methods", key("methods", same), partial(methods_page.methods_pages, site))
    yield Piece("manual", key("manual", same), partial(manual.manual_pages, site))
    yield Piece("static", key("static", same), archive_pages.static_files)
    yield Piece("feed", key("feed", same, shown), partial(feed_file, rows, site))
    yield Piece("lost", key("lost", same), partial(lost_files, site))
    if site.base_url:
        yield Piece("sitemap", key("sitemap", same, shown), partial(sitemap_file, rows, site))


def lost_files(site: Site) -> dict[str, str]:
    """Return what lost visitors and robots see."""
    return {**archive_pages.not_found(site), "robots.txt": ROBOTS}


def sitemap_file(summaries: Iterable[Summary], site: Site) -> dict[str, str]:
    """Return the site map."""
    return {"sitemap.xml": sitemap(summaries, site)}


def feed_file(summaries: Rows, site: Site) -> dict[str, str]:
    """Return the Atom feed at its path."""
    return {"feed.xml": feed(summaries, site.title, site.base_url, site.built)}


def sitemap(summaries: Iterable[Summary], site: Site) -> str:
    """Return the sitemap of the pages that a reader may enter by."""
    from xml.sax.saxutils import escape

    base = (site.base_url or "").rstrip("/")
    pages = ["index.html", *sorted(f"{row.folder}/index.html" for row in summaries)]
    rows = "".join(f"<url><loc>{escape(f'{base}/{page}')}</loc></url>\n" for page in pages)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return f"{head}{rows}</urlset>\n"
