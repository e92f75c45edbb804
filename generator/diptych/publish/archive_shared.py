"""The pages of an archive that are drawn from all artifacts together: runs, tasks, lists, and what all have."""

from collections.abc import Iterator
from functools import partial

from diptych.nouns import NamedTuple
from diptych.publish.archive_folder import Piece
from diptych.publish.archive_work import key
from diptych.publish.feed import feed
from diptych.publish.kept_summaries import Kept
from diptych.report import archive_pages, histories, manual, methods_page, run_pages
from diptych.report.documents.summaries import Failure, Site, Summary


class Gathered(NamedTuple):
    """What the pages that many artifacts share are drawn from: summaries in the order of names, packed by digest.

    `sources` names the artifacts of each run, by its folder, with their digests: its page changes only with theirs.
    """

    chosen: list[Summary]
    packed: dict[str, Kept]
    sources: dict[str, list[tuple[str, str]]]
    failures: list[Failure]


def shared(gathered: Gathered, failures: tuple[Failure, ...], site: Site) -> Iterator[Piece]:
    """Yield the pieces that are drawn from all artifacts together."""
    same, summaries = key(site), gathered.chosen
    runs = histories.runs_of(summaries)
    drawn_from = {folder: key("run", same, folder, gathered.sources[folder]) for folder in runs}
    for run in runs.values():
        yield Piece(f"run:{run.folder}", drawn_from[run.folder], partial(run_pages.run_page, run, site))
    latest = []
    for task in histories.tasks_in(summaries, runs):
        latest.append(archive_pages.task_row(task))
        parts = sorted(drawn_from[folder] for line in task.configurations for folder in line.folders)
        yield Piece(f"task:{task.folder}", key("task", same, task.task, parts), partial(task_page, task, site))
    shown = [(digest, summary.folder) for digest, summary in zip(gathered.packed, summaries, strict=True)]
    rows = [row_key(summary) for summary in summaries]
    listed = [run_pages.run_row(run) for run in runs.values()]
    yield Piece(
        "lists",
        key("lists", same, shown, failures),
        partial(lists, rows, failures, listed, latest, site),
    )
    yield from fixed(rows, site, same, shown)


def lists(
    rows: list[Summary],
    failures: tuple[Failure, ...],
    runs: list[run_pages.RunRow],
    tasks: list[archive_pages.TaskRow],
    site: Site,
) -> dict[str, str]:
    """Return the first page, the list of runs and that of tasks."""
    first = archive_pages.index_pages(rows, failures, site)
    return {**first, **run_pages.run_lists(runs, site), **archive_pages.task_lists(tasks, site)}


def task_page(task: histories.TaskPage, site: Site) -> dict[str, str]:
    """Return the pages of a task; a step in its history is looked for only where they are drawn."""
    from diptych.publish.task_steps import with_steps

    return archive_pages.task_page(with_steps(task), site)


def row_key(summary: Summary) -> Summary:
    """Return what the first page, the feed and the site map show of an artifact."""
    runs = tuple(run._replace(items={}, metadata={}, settings={}, scores=()) for run in summary.runs)
    return summary._replace(runs=runs, changes=())


def fixed(rows: list[Summary], site: Site, same: str, shown: list[tuple[str, str]]) -> Iterator[Piece]:
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
    return {**archive_pages.not_found(site), "robots.txt": robots(site)}


def sitemap_file(summaries: list[Summary], site: Site) -> dict[str, str]:
    """Return the site map."""
    return {"sitemap.xml": sitemap(summaries, site)}


def feed_file(summaries: list[Summary], site: Site) -> dict[str, str]:
    """Return the feed."""
    return {"feed.xml": feed(summaries, site.title, site.base_url, site.built)}


def robots(site: Site) -> str:
    """Return robots.txt: nothing is for search machines unless it was asked for."""
    if not site.indexable:
        return "User-agent: *\nDisallow: /\n"
    line = f"Sitemap: {site.base_url.rstrip('/')}/sitemap.xml\n" if site.base_url else ""
    return f"User-agent: *\nAllow: /\n{line}"


def sitemap(summaries: list[Summary], site: Site) -> str:
    """Return the sitemap of the pages that a reader may enter by."""
    from xml.sax.saxutils import escape

    base = (site.base_url or "").rstrip("/")
    pages = ["index.html", *sorted(f"{row.folder}/index.html" for row in summaries)]
    rows = "".join(f"<url><loc>{escape(f'{base}/{page}')}</loc></url>\n" for page in pages)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return f"{head}{rows}</urlset>\n"
