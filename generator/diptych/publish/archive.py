"""Artifacts become an archive, of which only what changed is drawn and written.

An archive is made of pieces (an artifact's pages, the index, a run, a task). A piece has a key made of all that it is
drawn from: one whose key is that of the last build is neither loaded nor drawn again, and where nothing at all has
changed nothing is looked at but the digests of the artifacts. Artifacts are looked at, drawn and written by an
executor, in this process or in several, which here is only told what to do; the pages are the same with any number.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from diptych import storage
from diptych.errors import DiptychError
from diptych.fast_json import dump_many
from diptych.fast_named_tuple import NamedTuple
from diptych.publish.archive_entries import (
    Folders,
    note_read,
    number_entries,
    numbered,
    settle_turns,
    whole_key,
)
from diptych.publish.archive_folder import Written, forget, hold_folder, place_inside
from diptych.publish.archive_gathered import add_artifact, number_runs
from diptych.publish.archive_last import (
    all_as_left,
    files_going,
    journal_size,
    last_files,
    read_list,
    refuse_large_removal,
    save_list,
)
from diptych.publish.archive_list import LIST_FILE, short_files
from diptych.publish.archive_shared import draw_task_lists, shared_names, shared_work
from diptych.publish.archive_sources import Entry
from diptych.publish.archive_stamp import JOURNAL, all_there
from diptych.publish.archive_tables import Tables, encoded, new_tables, settled_tables
from diptych.publish.archive_work import Made, Work, artifact_key, do, draw, key, look
from diptych.publish.kept_summaries import kept_summary
from diptych.publish.task_steps import Search
from diptych.report.archive_pages import TaskRow
from diptych.report.documents.summaries import Failure, Site
from diptych.stats.history import steps_in

CHUNK = 16
"""Artifacts that a worker is given at a time: long enough to be worth the way, short enough that none waits."""


class Executor(Protocol):
    """Runs work, here or in other processes; a job whose worker was ended becomes `lost(job, why)`."""

    def run(
        self, work: Callable[[Work], Any], jobs: Iterable[Work], lost: Callable[[Work, str], Any]
    ) -> Iterator[Any]: ...


class Here:
    """One piece of work after the other, in this process."""

    def run(self, work: Callable[[Work], Any], jobs: Iterable[Work], lost: Callable[[Work, str], Any]) -> Iterator[Any]:
        yield from map(work, jobs)


class Built(NamedTuple):
    """What a build did, as counts of files and artifacts, and the artifacts that could not be used."""

    written: int
    unchanged: int
    removed: int
    artifacts: int
    failures: tuple[Failure, ...]


class Build:
    """A build under way: what it has come to so far."""

    def __init__(self, tables: Tables, work: Work, executor: Executor) -> None:
        self.tables, self.work, self.executor = tables, work, executor
        self.failures: list[Failure] = []
        self.written = self.unchanged = 0

    def take(self, piece: Written) -> None:
        """Note a piece that was drawn, or left as it was."""
        row = dump_many((piece.key, short_files(piece.name, piece.files)))
        self.tables.do("INSERT INTO piece VALUES (?, ?)", encoded(piece.name), row)
        self.written += piece.changed
        self.unchanged += len(piece.files) - piece.changed

    def done(self, jobs: Iterable[Work]) -> Iterator[Any]:
        """Yield what jobs come to, as they are done; what a worker could not do is raised here."""
        for found in self.executor.run(do, jobs, lost_work):
            if isinstance(found, DiptychError):
                raise found
            yield from found


def lost_work(job: Work, why: str) -> DiptychError:
    """Return the error for work whose process was ended."""
    return DiptychError(why, where=job.root, hint="build again with --jobs 1")


def nothing(_: Work) -> Iterator[Any]:
    """Yield nothing: work that has no step yet."""
    yield from ()


def build(
    found: Iterable[Entry | Failure],
    folder: str | Path,
    site: Site | None = None,
    *,
    prune: bool = False,
    executor: Executor | None = None,
    search: Search = steps_in,
) -> Built:
    """Make an archive in a folder, drawing only what the last build there has not drawn already.

    Where more than half of what the last build left would go, nothing shared is written and nothing removed, unless
    `prune` says that it may.
    """
    site = (site or Site())._replace(maker=maker())
    with hold_folder(folder) as root, new_tables(os.path.join(root, LIST_FILE)) as tables:
        build = Build(tables, Work(root, site, key(site), nothing), executor or Here())
        look_at_all(build, found)
        last = read_list(root, site.maker, tables)
        whole = whole_key(tables, site, build.failures)
        if last.whole == whole and (left := all_as_left(root, tables)) is not None:
            return Built(0, left, 0, tables.value("SELECT count(*) FROM last_summary"), last.failures)
        killed = journal_size(root)
        add_artifacts(build)
        number_runs(tables, build.work.same)
        if not prune:
            refuse_large_removal(root, tables, shared_names(tables, site))
        tables.settle()
        add_shared(build, search)
        removed = 0
        for path in files_going(root, tables, killed):
            forget(root, place_inside(root, path, {}))
            removed += 1
        save_list(root, tables, site.maker, whole, build.failures)
        storage.remove(f"{root}/{JOURNAL}")
        artifacts = tables.value("SELECT count(*) FROM artifact")
    return Built(build.written, build.unchanged, removed, artifacts, tuple(build.failures))


def look_at_all(build: Build, found: Iterable[Entry | Failure]) -> None:
    """Put all artifacts into their table, each with its digest; what cannot be read is one more failure."""
    build.failures += number_entries(build.tables, found)
    jobs = (build.work._replace(step=partial(look, part)) for part in chunks(numbered(build.tables, "TRUE")))
    for each in build.done(jobs):
        if isinstance(each.found, Failure):
            build.failures.append(each.found)
            note_read(build.tables, each.number, "", None)
        else:
            note_read(build.tables, each.number, *each.found)


def chunks(rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield rows in parts that are worth a worker's while."""
    left = iter(rows)
    while part := tuple(islice(left, CHUNK)):
        yield part


def add_artifacts(build: Build) -> None:
    """Draw each artifact's own pages. An artifact is loaded at most once, and let go before the next.

    An entry that is no artifact becomes one more failure.
    """
    settle_turns(build.tables)
    todo = (each for each in numbered(build.tables, "NOT later") if not kept_whole(build, *each))
    for made in build.done(build.work._replace(step=partial(draw, part, ())) for part in chunks(todo)):
        take_made(build, made)
    later = list(numbered(build.tables, "later"))
    for made in draw(later, Folders(build.tables), build.work) if later else ():
        take_made(build, made)


def kept_whole(build: Build, number: int, _: Entry, digest: str) -> bool:
    """Say whether the last build left an artifact's pages as they would be drawn now, and take them if so."""
    tables, work = build.tables, build.work
    texts = tables.value("SELECT texts FROM last_summary WHERE digest = ?", digest)
    if texts is None:
        return False
    numbers = tables.numbers(texts)
    summary = kept_summary(tables.texts(numbers[:2]))
    name, own = f"{summary.kind}:{summary.folder}", artifact_key(work.same, digest, summary.folder)
    last, files = last_files(tables, name)
    if last != own or not all_there(work.root, files):
        return False
    build.take(Written(name, own, files, 0))
    add_artifact(tables, number, digest, numbers, summary.folder)
    return True


def take_made(build: Build, made: Made) -> None:
    """Take what became of one artifact."""
    if made.failure is not None:
        build.failures.append(made.failure)
        return
    assert made.written is not None
    build.take(made.written)
    numbers = [build.tables.text(text) for text in made.packed]
    add_artifact(build.tables, made.number, made.digest, numbers, made.folder)


def add_shared(build: Build, search: Search) -> None:
    """Draw the pages that are drawn from all artifacts together."""
    rows: list[TaskRow] = []
    failures = tuple(sorted(build.failures))
    for each in build.done(shared_work(build.tables, build.work, failures, search)):
        if isinstance(each, TaskRow):
            rows.append(each)
        else:
            build.take(each)
    rows.sort(key=lambda row: row.task)
    build.take(draw_task_lists(settled_tables(build.tables.path), rows, build.work))


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
    return key(sorted(texts), sys.byteorder)  # kept scores stand as numbers
