"""Artifacts become an archive, of which only what changed is drawn and written.

An archive is made of pieces (an artifact's pages, the index, a run, a task). A piece has a key made of all that it is
drawn from: one whose key is that of the last build is neither loaded nor drawn again, and where nothing at all has
changed nothing is looked at but the digests of the artifacts. Pieces are drawn and written by an executor, in this
process or in several; the pages are the same with any number of them.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Protocol

from diptych import storage
from diptych.errors import DiptychError
from diptych.publish.archive_folder import (
    Built,
    Known,
    Piece,
    Written,
    artifacts_gone,
    built_files,
    forget,
    hold_folder,
    is_there,
    journalled,
    place_inside,
    read_list,
    refuse_large_removal,
    save_list,
    write_piece,
)
from diptych.publish.archive_memory import Files, Spill
from diptych.publish.archive_shared import OF_ALL, Gathered, Spilled, shared_pieces
from diptych.publish.archive_sources import Entry
from diptych.publish.archive_stamp import JOURNAL, all_there
from diptych.publish.archive_work import Made, Work, artifact_key, do, key, outcomes_of
from diptych.publish.kept_summaries import kept_summary
from diptych.publish.task_steps import Search
from diptych.report.documents.summaries import Failure, Site, Summary
from diptych.stats.history import steps_in

CHUNK = 16
"""Pieces that a worker is given at a time: long enough to be worth the way, short enough that none waits."""


class Executor(Protocol):
    """Runs work, here or in other processes; a job whose worker was ended becomes `lost(job, why)`."""

    def run(
        self, work: Callable[[Work], Any], jobs: Sequence[Work], lost: Callable[[Work, str], Any]
    ) -> Iterator[Any]: ...


class Here:
    """One piece of work after the other, in this process."""

    def run(self, work: Callable[[Work], Any], jobs: Sequence[Work], lost: Callable[[Work, str], Any]) -> Iterator[Any]:
        yield from map(work, jobs)


class Tally:
    """The pieces of a build, as they are written: what the list file will say."""

    def __init__(self) -> None:
        self.pieces: dict[str, tuple[str, Mapping[str, int]]] = {}
        self.written = self.unchanged = 0

    def take(self, piece: Written) -> None:
        """Count a piece that was drawn."""
        self.pieces[piece.name] = (piece.key, Files(piece.files))
        self.written += piece.changed
        self.unchanged += len(piece.files) - piece.changed

    def keep(self, name: str, known: Known) -> None:
        """Count a piece that the last build has left as it would be drawn now."""
        self.pieces[name] = known.pieces[name]
        self.unchanged += len(known.pieces[name][1])


def build(
    entries: Iterable[Entry],
    folder: str | Path,
    failures: Iterable[Failure] = (),
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
    order = sorted(entries, key=lambda entry: entry.name)
    failed = list(failures)
    whole = key(site, [(entry.name, entry.digest) for entry in order], failed)
    with hold_folder(folder) as root, Spill() as spill:
        known = read_list(root, site.maker)
        if known.whole == whole and all(all_there(root, files) for _, files in known.pieces.values()):
            there = sizes_of(known.pieces)
            return Built(0, len(there), 0, len(known.summaries), known.failures, there)
        left = built_files(known) | journalled(root)
        gathered, tally = Gathered(failed, spill), Tally()
        run = partial(pieces_done, executor or Here())
        add_artifacts(order, root, site, known, gathered, tally, run)
        if not prune and artifacts_gone(known, set(tally.pieces)):
            refuse_large_removal(root, len(built_files(known) - files_to_be(gathered, site, known, tally)), len(left))
        add_shared(root, site, known, gathered, tally, run, search)
        packed = gathered.packed
        del gathered
        for _, files in tally.pieces.values() if left else ():
            left.difference_update(files)
        for path in sorted(left):
            forget(root, place_inside(root, path, {}))
        save_list(root, Known(tally.pieces, {}, site.maker, whole, tuple(failed)), packed)
        storage.remove(f"{root}/{JOURNAL}")
    count = len(packed)
    return Built(tally.written, tally.unchanged, len(left), count, tuple(failed), sizes_of(tally.pieces))


def sizes_of(pieces: Mapping[str, tuple[str, Mapping[str, int]]]) -> dict[str, int]:
    """Return all files of some pieces with their sizes."""
    return {path: size for _, files in pieces.values() for path, size in files.items()}


def pieces_done(executor: Executor, jobs: Sequence[Work]) -> Iterator[Any]:
    """Yield what each piece of each job became, as they are done; what a worker could not do is raised here."""
    for found in executor.run(do, jobs, lost_work):
        if isinstance(found, DiptychError):
            raise found
        yield from found


def lost_work(job: Work, why: str) -> DiptychError:
    """Return the error for work whose process was ended."""
    return DiptychError(why, where=job.root, hint="build again with --jobs 1")


def add_artifacts(
    order: Sequence[Entry],
    root: str,
    site: Site,
    known: Known,
    gathered: Gathered,
    tally: Tally,
    run: Callable[[Sequence[Work]], Iterator[Any]],
) -> None:
    """Draw each artifact's own pages. An artifact is loaded at most once, and let go before the next.

    Two artifacts of one id would share a folder: those are drawn last, here and in the order of names, so that who
    gets the plain name does not hang on who was drawn first. An entry that is no artifact becomes one more failure.
    """
    same = key(site)  # once: a piece's key takes the site's, not its texts
    first: dict[str, Entry] = {}
    for entry in order:
        first.setdefault(entry.digest, entry)
    fresh, later = by_id(list(first.values()), known)
    found: dict[str, tuple[Spilled, str]] = {}
    todo = []
    for entry in fresh:
        packed = known.summaries.get(entry.digest)
        summary = kept_summary(packed) if packed is not None else None
        if packed is not None and summary is not None and kept_whole(summary, entry, same, root, known, tally):
            found[entry.digest] = (gathered.spilled(packed), summary.folder)
        else:
            todo.append(entry)
    for made in run([Work(root, site, same, tuple(part)) for part in chunks(todo)]):
        take_made(made, gathered, tally, found)
    folders = {folder for _, folder in found.values()}
    for entry in later:
        for made in outcomes_of(Work(root, site, same, (entry,), frozenset(folders))):
            take_made(made, gathered, tally, found)
            folders.add(made.folder)
    for entry in first.values():
        if entry.digest in found:
            gathered.add(entry.digest, *found[entry.digest])


def by_id(entries: Sequence[Entry], known: Known) -> tuple[list[Entry], list[Entry]]:
    """Return the entries that are the first of their id, and those that share one or whose id is not known yet."""
    parts: tuple[list[Entry], list[Entry]] = ([], [])
    seen: set[str | None] = {None}
    for entry in entries:
        name = plain_id(entry, known)
        parts[name in seen].append(entry)
        seen.add(name)
    return parts


def take_made(made: Made, gathered: Gathered, tally: Tally, found: dict[str, tuple[Spilled, str]]) -> None:
    """Take what became of one artifact."""
    if made.failure is not None:
        gathered.failures.append(made.failure)
        return
    assert made.written is not None
    tally.take(made.written)
    found[made.digest] = (gathered.spilled(made.packed), made.folder)


def kept_whole(summary: Summary, entry: Entry, same: str, root: str, known: Known, tally: Tally) -> bool:
    """Say whether the last build left an artifact's pages as they would be drawn now, and count them if so."""
    piece = Piece(f"{summary.kind}:{summary.folder}", artifact_key(same, entry.digest, summary.folder), dict)
    there = is_there(root, piece, known)
    if there:
        tally.keep(piece.name, known)
    return there


def plain_id(entry: Entry, known: Known) -> str | None:
    """Return an artifact's id without loading it, None where that is not plain."""
    if entry.id is None and entry.digest in known.summaries:
        return kept_summary(known.summaries[entry.digest]).id
    return entry.id


def chunks(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield rows in parts that are worth a worker's while."""
    for start in range(0, len(rows), CHUNK):
        yield rows[start : start + CHUNK]


def files_to_be(gathered: Gathered, site: Site, known: Known, tally: Tally) -> set[str]:
    """Return the files that an archive will have, as far as the last build's pieces tell: nothing is drawn for it."""
    names = {*tally.pieces, *(piece.name for piece in shared_pieces(gathered, tuple(sorted(gathered.failures)), site))}
    drawn = {path for _, files in tally.pieces.values() for path in files}
    return drawn | {path for name in names & known.pieces.keys() for path in known.pieces[name][1]}


def add_shared(
    root: str,
    site: Site,
    known: Known,
    gathered: Gathered,
    tally: Tally,
    run: Callable[[Sequence[Work]], Iterator[Any]],
    search: Search,
) -> None:
    """Draw the pages that are drawn from all artifacts together."""
    todo: list[Piece] = []

    def draw() -> None:
        size = max(1, len(todo) // PARTS)
        parts = [tuple(todo[start : start + size]) for start in range(0, len(todo), size)]
        for written in run([Work(root, site, "", pieces=part) for part in parts]):
            tally.take(written)
        todo.clear()

    few = min(MANY, max(FEWEST, SCORES // max(1, len(gathered.told.found))))
    for piece in shared_pieces(gathered, tuple(sorted(gathered.failures)), site, search):
        if is_there(root, piece, known):
            tally.keep(piece.name, known)
            continue
        if piece.name in OF_ALL:
            draw()
            tally.take(write_piece(root, piece))
            continue
        todo.append(piece)
        if len(todo) >= (few if piece.name.startswith("task:") else MANY):
            draw()
    draw()


MANY = 128
"""Pieces that are held until they are drawn."""

FEWEST, SCORES = 2, 4_000
"""Tasks that are held at least, and the runs in all of those that are held: each has a score of each."""

PARTS = 8
"""Parts that the pieces held are drawn in."""


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
