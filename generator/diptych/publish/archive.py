"""Artifacts become an archive: planned as values, then written, and only what changed.

An archive is planned in pieces (an artifact's pages, the index, a run, a task). A piece has a key made of all that
it is drawn from, so that a piece whose key is the one of the last build is neither loaded nor drawn again. The list
file in the archive's folder holds the keys, the summaries, and the names of all files that were written there:
nothing else is ever removed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from diptych import artifact as hinge
from diptych import storage
from diptych.errors import ArtifactError
from diptych.publish.archive_folder import NOTHING, Built, Known, Piece, held, read_list, write_pieces
from diptych.publish.archive_sources import Entry, read_pages, read_sources, source_date
from diptych.publish.badges import badge
from diptych.publish.export import beside
from diptych.publish.feed import feed
from diptych.report import archive_pages, histories, manual, methods_page
from diptych.report.documents.summaries import Failure, Site, Summary, restored
from diptych.report.documents.summarise import summarise


class Gathered(NamedTuple):
    """What the pages that many artifacts share are drawn from; it fills while the artifacts' own pages are planned."""

    chosen: list[Summary]
    originals: dict[str, Summary]
    failures: list[Failure]


def pieces(entries: Iterable[Entry], gathered: Gathered, site: Site, known: Known = NOTHING) -> Iterator[Piece]:
    """Yield the pieces of an archive: each artifact's own, then those that many share, then the fixed ones.

    An artifact is loaded at most once, and let go before the next. An entry that is no artifact becomes one more
    failure, shown on the first page like a failed job.
    """
    same = key(site)  # once: a piece's key takes the site's, not its texts
    folders: set[str] = set()
    for entry in sorted(entries, key=lambda entry: entry.name):
        if entry.digest in gathered.originals:
            continue
        artifact = None
        try:
            if entry.digest in known.summaries:
                original = restored(known.summaries[entry.digest])
            else:
                artifact = hinge.loads(entry.read(), where=entry.name)
                original = summarise(artifact)
        except ArtifactError as error:
            gathered.failures.append(Failure(entry.name, error.message, error.where, error.hint))
            continue
        summary = apart(original, folders)
        folders.add(summary.folder)
        gathered.originals[entry.digest] = original
        gathered.chosen.append(summary)
        draw = partial(artifact_files, entry, artifact, summary, site)
        yield Piece(f"{summary.kind}:{summary.folder}", key("artifact", same, entry.digest, summary.folder), draw)
    yield from shared(gathered.chosen, tuple(gathered.failures), site, same)


def apart(summary: Summary, taken: set[str]) -> Summary:
    """Return a summary whose folder nobody else has (the same runs may be compared under two sets of options)."""
    number, folder = 2, summary.folder
    while folder in taken:
        folder, number = f"{summary.folder}-{number}", number + 1
    return summary._replace(folder=folder)


def artifact_files(entry: Entry, artifact: Any, summary: Summary, site: Site) -> dict[str, str]:
    """Return the pages of one artifact, with its JSON, its tables and its pictures beside them."""
    if artifact is None:  # known from the last build, but its pages are not there any more
        artifact = hinge.loads(entry.read(), where=entry.name)
    pages = archive_pages.artifact_pages(artifact, summary, entry.digest, site)
    files = {"badge.svg": badge(summary), "artifact.json": entry.read(), **beside(artifact)}
    return {**pages, **{f"{summary.folder}/{name}": text for name, text in files.items()}}


def shared(summaries: list[Summary], failures: tuple[Failure, ...], site: Site, same: str) -> Iterator[Piece]:
    """Yield the pieces that are drawn from all artifacts together."""
    runs = histories.runs_of(summaries)
    tasks = histories.tasks_of(summaries, runs)
    for run in runs.values():
        yield shared_piece(
            f"run:{run.folder}", key("run", same, run), partial(archive_pages.run_page, run, tasks, site)
        )
    for task in tasks.values():
        yield shared_piece(f"task:{task.folder}", key("task", same, task), partial(task_page, task, site))
    rows = [row_key(summary) for summary in summaries]

    def lists() -> dict[str, str]:
        first = archive_pages.index_pages(summaries, failures, site)
        return {**first, **archive_pages.run_lists(runs, site), **archive_pages.task_lists(tasks, site)}

    shown = [(run.labels, len(run.uses), run.run[:7], sorted(run.run.items)) for run in runs.values()]
    latest = [(task.task, task.series[0]) for task in tasks.values()]
    yield shared_piece("lists", key("lists", same, rows, failures, shown, latest), lists)
    yield from fixed(summaries, site, same, rows)


def task_page(task: histories.TaskPage, site: Site) -> dict[str, str]:
    """Return the pages of a task; a step in its history is looked for only where they are drawn."""
    from diptych.publish.task_steps import with_steps

    return archive_pages.task_page(with_steps(task), site)


def shared_piece(name: str, key: str, draw: Callable[[], Mapping[str, str]]) -> Piece:
    """Return a piece that is drawn from all artifacts together."""
    return Piece(name, key, draw, shared=True)


def row_key(summary: Summary) -> tuple[object, ...]:
    """Return what the first page, the feed and the site map show of an artifact."""
    return tuple(summary._replace(runs=(), changes=()))


def fixed(summaries: list[Summary], site: Site, same: str, rows: list[tuple[object, ...]]) -> Iterator[Piece]:
    """Yield what every archive has: methods, manual, feed, style, what robots and lost visitors see."""
    yield shared_piece("methods", key("methods", same), partial(methods_page.methods_pages, site))
    yield shared_piece("manual", key("manual", same), partial(manual.manual_pages, site))
    yield shared_piece("static", key("static", same), archive_pages.static_files)
    yield shared_piece("feed", key("feed", same, rows), partial(feed_file, summaries, site))
    yield shared_piece("lost", key("lost", same), lambda: {**archive_pages.not_found(site), "robots.txt": robots(site)})
    if site.base_url:
        yield shared_piece("sitemap", key("sitemap", same, rows), lambda: {"sitemap.xml": sitemap(summaries, site)})


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


def build_archive(
    sources: Iterable[str | Path],
    out: str | Path,
    *,
    title: str = "Evaluation runs",
    description: str = "",
    pages: str | Path | None = None,
    base_url: str | None = None,
    indexable: bool = False,
    prune: bool = False,
) -> str:
    """Build an archive from artifacts and return one line that counts what was done.

    A source is an artifact's file, with its `.json` or without, or a folder of artifacts. `pages` is a folder of
    Markdown files that become the manual. Without `prune` no more than half of what is there is removed.
    """
    entries, failures = read_sources(sources)
    if not entries and not failures:
        raise ArtifactError("nothing to show: no artifact was given", hint="make some with `diptych batch`")
    site = Site(title, description, base_url, indexable, read_pages(pages), source_date())
    return told(build(entries, out, failures, site, prune=prune))


def build(
    entries: Iterable[Entry],
    folder: str | Path,
    failures: Iterable[Failure] = (),
    site: Site | None = None,
    *,
    prune: bool = False,
) -> Built:
    """Plan and write an archive, drawing only what the last build in this folder has not drawn already."""
    site = (site or Site())._replace(maker=maker())
    gathered = Gathered([], {}, list(failures))
    with held(folder):
        known = read_list(folder, site.maker)
        drawn = pieces(entries, gathered, site, known)
        built = write_pieces(drawn, gathered.originals, folder, known, prune=prune)
    return built._replace(failures=tuple(gathered.failures))


def told(built: Built) -> str:
    """Return a build as one line."""
    text = f"{built.artifacts} artifacts: {built.written} files written, {built.unchanged} unchanged"
    text += f", {built.removed} removed" if built.removed else ""
    return text + (f"; {len(built.failures)} could not be shown" if built.failures else "")


@cache
def maker() -> str:
    """Return a digest of everything that draws: templates, static files, and the modules of render."""
    from importlib.resources import files

    texts = []
    for package in ("diptych.templates", "diptych.report", "diptych.publish"):
        found = [files(package)]
        while found:
            place = found.pop()
            for item in place.iterdir():
                if item.is_dir():
                    found.append(item)
                elif not item.name.endswith(".pyc"):
                    texts.append((package, item.name, storage.sha256(item.read_bytes())))
    return key(sorted(texts))


def key(*parts: Any) -> str:
    """Return the digest of everything that a piece is drawn from."""
    return storage.sha256(repr(parts).encode("utf-8", "backslashreplace"))
