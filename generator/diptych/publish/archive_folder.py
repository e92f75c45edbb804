"""An archive's folder: pieces are written where they changed, and nothing is touched that was not written here.

The list file holds the keys of the pieces, the summaries, and the names of all files of the last build.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from diptych import storage
from diptych.errors import DiptychError
from diptych.report.documents.summaries import Failure, Summary, kept

LIST_FILE = ".diptych-archive.json"
LIST_SCHEMA = "diptych/archive/1"


class Known(NamedTuple):
    """What the last build left: by piece its key and files (path to size), by artifact's digest its summary.

    `maker` is the digest of what made them: another version's summaries are of no use.
    """

    pieces: Mapping[str, tuple[str, Mapping[str, int]]]
    summaries: Mapping[str, Mapping[str, Any]]
    maker: str = ""


class Piece(NamedTuple):
    """Some pages of an archive, drawn when they are asked for; `key` changes whenever their text would."""

    name: str
    key: str
    draw: Callable[[], Mapping[str, str]]


class Built(NamedTuple):
    """What a build did, as counts of files, and the artifacts that could not be used."""

    written: int
    unchanged: int
    removed: int
    artifacts: int
    failures: tuple[Failure, ...]


NOTHING = Known({}, {})


def write_pieces(parts: Iterable[Piece], summaries: Mapping[str, Summary], folder: str | Path, known: Known) -> Built:
    """Write pieces one after the other, so that only one is held in memory; return what was done."""
    root = owned(folder)
    listed: dict[str, tuple[str, Mapping[str, int]]] = {}
    places: dict[str, str] = {}
    written = unchanged = 0
    for piece in parts:
        last = known.pieces.get(piece.name)
        if last and piece.key and last[0] == piece.key and all_there(root, last[1]):
            listed[piece.name] = last
            unchanged += len(last[1])
            continue
        files = {}
        for path, text in piece.draw().items():
            changed = storage.write_bytes(inside(root, path, places), data := text.encode("utf-8"))
            written, unchanged = written + changed, unchanged + (not changed)
            files[path] = len(data)
        listed[piece.name] = (piece.key, files)
    now = {path for _, files in listed.values() for path in files}
    old = {path for _, files in known.pieces.values() for path in files}
    for path in sorted(old - now):
        forget(root, inside(root, path, places))
    if listed != known.pieces or summaries.keys() != known.summaries.keys():
        save_list(root, Known(listed, {digest: kept(row) for digest, row in summaries.items()}, known.maker))
    return Built(written, unchanged, len(old - now), len(summaries), ())


def owned(folder: str | Path) -> str:
    """Return the real path of a folder that is empty, new, or an archive of ours; any other is an error."""
    root = os.path.realpath(folder)
    try:
        names = os.listdir(root)
    except FileNotFoundError:
        names = []
    except OSError as error:
        raise storage.unreadable(folder, error) from error
    if names and LIST_FILE not in names:
        raise DiptychError(
            f"this folder holds other files and no {LIST_FILE}: it was not made by `diptych build`",
            where=str(folder),
            hint="choose a new or empty folder with --out, or empty this one first",
        )
    if not names:
        save_list(root, NOTHING)  # a build that is killed half way must find its own folder again
    return root


def inside(root: str, path: str, places: dict[str, str]) -> str:
    """Return where a page's file stands; a path that would leave the archive's folder is an error."""
    parts = path.split("/")
    if any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
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

    Summaries that another `maker` has made are passed over: what a summary holds may have changed since.
    """
    path = Path(folder) / LIST_FILE
    if not path.is_file():
        return Known({}, {}, maker)
    try:
        body = json.loads(storage.read_text(path))
        if body["schema"] != LIST_SCHEMA:
            return Known({}, {}, maker)
        summaries = body["summaries"] if body["maker"] == maker else {}
        return Known({name: (row[0], row[1]) for name, row in body["pieces"].items()}, summaries, maker)
    except (ValueError, KeyError, TypeError, DiptychError):
        return Known({}, {}, maker)  # then everything is drawn again, and compared with what is there


def save_list(root: str, known: Known) -> None:
    """Write the list file of an archive."""
    body = {"schema": LIST_SCHEMA, "maker": known.maker, "pieces": known.pieces, "summaries": known.summaries}
    storage.write_text(os.path.join(root, LIST_FILE), json.dumps(body, ensure_ascii=False, sort_keys=True) + "\n")
