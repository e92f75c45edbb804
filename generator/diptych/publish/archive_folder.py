"""An archive's folder: pieces are written where they changed, and nothing is touched that was not written here.

The list file holds the keys of the pieces, the summaries, and the names of all files of the last build; the journal
those of a build under way, so that one which was killed leaves no page that nobody knows.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from diptych import storage
from diptych.bounded import load_json
from diptych.errors import DiptychError
from diptych.report.documents.summaries import Failure, Summary, kept

LIST_FILE = ".diptych-archive.json"
JOURNAL = ".diptych-archive.journal"
LOCK = ".diptych-archive.lock"
LIST_SCHEMA = "diptych/archive/1"


class Known(NamedTuple):
    """What the last build left: by piece its key and files (path to size), by artifact's digest its summary.

    `maker` is the digest of what made them: another version's summaries are of no use.
    """

    pieces: Mapping[str, tuple[str, Mapping[str, int]]]
    summaries: Mapping[str, Mapping[str, Any]]
    maker: str = ""


class Piece(NamedTuple):
    """Some pages of an archive, drawn when they are asked for; `key` changes whenever their text would.

    `shared` pages are drawn from all artifacts together, and come after those of each.
    """

    name: str
    key: str
    draw: Callable[[], Mapping[str, str]]
    shared: bool = False


class Built(NamedTuple):
    """What a build did, as counts of files, and the artifacts that could not be used."""

    written: int
    unchanged: int
    removed: int
    artifacts: int
    failures: tuple[Failure, ...]


NOTHING = Known({}, {})


def write_pieces(
    parts: Iterable[Piece],
    summaries: Mapping[str, Summary],
    folder: str | Path,
    known: Known,
    *,
    prune: bool = False,
) -> Built:
    """Write pieces one after the other, so that only one is held in memory; return what was done.

    One build at a time: for who holds the folder's lock. Where more than half of what the last build left would go,
    nothing shared is written and nothing removed, unless `prune` says that it may.
    """
    root = owned(folder)
    left = files_of(known) | journalled(root)
    listed: dict[str, tuple[str, Mapping[str, int]]] = {}
    places: dict[str, str] = {}
    written = unchanged = 0
    for piece in asked(parts, known, len(left), prune, root):
        last = known.pieces.get(piece.name)
        if last and piece.key and last[0] == piece.key and all_there(root, last[1]):
            listed[piece.name] = last
            unchanged += len(last[1])
            continue
        files = {}
        for path, text in piece.draw().items():
            target = inside(root, path, places)
            if path not in left:
                note_down(root, path)
            changed = storage.write_bytes(target, data := storage.encoded(text))
            written, unchanged = written + changed, unchanged + (not changed)
            files[path] = len(data)
        listed[piece.name] = (piece.key, files)
    now = {path for _, files in listed.values() for path in files}
    for path in sorted(left - now):
        forget(root, inside(root, path, places))
    if listed != known.pieces or summaries.keys() != known.summaries.keys():
        save_list(root, Known(listed, {digest: kept(row) for digest, row in summaries.items()}, known.maker))
    storage.remove(os.path.join(root, JOURNAL))
    return Built(written, unchanged, len(left - now), len(summaries), ())


def files_of(known: Known) -> set[str]:
    """Return every file that the last build left."""
    return {path for _, files in known.pieces.values() for path in files}


def asked(parts: Iterable[Piece], known: Known, count: int, prune: bool, root: str) -> Iterator[Piece]:
    """Yield the pieces; before the first shared one, which shows what there is, ask whether so much may go."""
    names = set()
    rest = iter(parts)
    for piece in rest:
        if piece.shared:
            shared = [piece, *rest]
            names |= {each.name for each in shared}
            gone = sum(len(files) for name, (_, files) in known.pieces.items() if name not in names)
            if 2 * gone > count and not prune:
                raise DiptychError(
                    f"this build would remove {gone} of the {count} files that the last one left",
                    where=root,
                    hint="check the sources; where they are right, say --prune",
                )
            yield from shared
            return
        names.add(piece.name)
        yield piece


def journalled(root: str) -> set[str]:
    """Return the files that a build which was killed has begun to write."""
    try:
        text = storage.read_text(os.path.join(root, JOURNAL))
    except DiptychError:
        return set()
    return {line for line in text.split("\n")[:-1] if is_inside(line)}


def note_down(root: str, path: str) -> None:
    """Note a file down before it is written for the first time."""
    with open(os.path.join(root, JOURNAL), "a", encoding="utf-8") as handle:
        handle.write(f"{path}\n")


@contextmanager
def held(folder: str | Path) -> Iterator[None]:
    """Hold an archive's folder for one build, rid of what a killed one left."""
    root = owned(folder)
    with storage.locked(os.path.join(root, LOCK)):
        storage.remove_drafts(root)
        yield


def owned(folder: str | Path) -> str:
    """Return the real path of a folder that is empty, new, or an archive of ours; any other is an error."""
    root = os.path.realpath(storage.local(folder))
    try:
        names = os.listdir(root)
    except FileNotFoundError:
        names = []
    except OSError as error:
        raise storage.unreadable(folder, error) from error
    foreign = [name for name in names if name != LOCK and not name.endswith(storage.DRAFT)]
    if foreign and LIST_FILE not in names:
        raise DiptychError(
            f"this folder holds other files and no {LIST_FILE}: it was not made by `diptych build`",
            where=str(folder),
            hint="choose a new or empty folder with --out, or empty this one first",
        )
    if LIST_FILE not in names:
        save_list(root, NOTHING)  # a build that is killed half way must find its own folder again
    return root


def inside(root: str, path: str, places: dict[str, str]) -> str:
    """Return where a page's file stands; a path that would leave the archive's folder is an error."""
    parts = path.split("/")
    if not is_inside(path):
        raise DiptychError(f"{path!r} is not a path inside an archive", where=root, hint="report this as a bug")
    parent = "/".join(parts[:-1])
    if parent not in places:
        real = os.path.realpath(os.path.join(root, parent))
        if real != root and not real.startswith(root.rstrip(os.sep) + os.sep):
            raise DiptychError(
                "a link leads out of the archive", where=os.path.join(root, parent), hint="remove the link"
            )
        places[parent] = real
    return os.path.join(places[parent], parts[-1])


def is_inside(path: str) -> bool:
    """Say whether a path names a file inside a folder, whatever stands there."""
    return not any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in path.split("/"))


def all_there(root: str, files: Mapping[str, int]) -> bool:
    """Say whether every file of a piece is still there with the size it was written with."""
    try:
        return all(os.stat(f"{root}/{path}").st_size == size for path, size in files.items())
    except OSError:
        return False


def forget(root: str, target: str) -> None:
    """Remove a page that has no source any more, and the folders that are empty without it."""
    storage.remove(target)
    parent = os.path.dirname(target)
    while parent != root and parent.startswith(root):
        try:
            os.rmdir(parent)
        except OSError:
            return  # not empty, or gone already
        parent = os.path.dirname(parent)


def read_list(folder: str | Path, maker: str = "") -> Known:
    """Return what the last build left in a folder; a list that is not readable counts as none.

    Summaries that another `maker` has made are passed over: what a summary holds may have changed since. A path that
    would leave the folder is none of a build's: such a list is not ours.
    """
    path = Path(folder) / LIST_FILE
    nothing = Known({}, {}, maker)
    if not path.is_file():
        return nothing
    try:
        body = load_json(storage.read_text(path))
        if body["schema"] != LIST_SCHEMA:
            return nothing
        summaries = dict(body["summaries"]) if body["maker"] == maker else {}
        pieces = {str(name): (str(row[0]), sizes_in(row[1])) for name, row in body["pieces"].items()}
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, DiptychError):
        return nothing  # then everything is drawn again, and compared with what is there
    return Known(pieces, summaries, maker)


def sizes_in(files: Any) -> dict[str, int]:
    """Return a piece's files with their sizes, as a list file holds them."""
    if not all(is_inside(path) and isinstance(size, int) for path, size in files.items()):
        raise ValueError("a path that leaves the folder")
    return dict(files)


def save_list(root: str, known: Known) -> None:
    """Write the list file of an archive."""
    body = {"schema": LIST_SCHEMA, "maker": known.maker, "pieces": known.pieces, "summaries": known.summaries}
    storage.write_text(os.path.join(root, LIST_FILE), json.dumps(body, ensure_ascii=False, sort_keys=True) + "\n")
