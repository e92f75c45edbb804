"""An archive's folder: pieces are written where they changed, and nothing is touched that was not written here.

Names of all files of the last build stand in the list file; the journal has those of a build under way, so that one
which was killed leaves no page that nobody knows.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from diptych import storage
from diptych.errors import DiptychError
from diptych.fast_named_tuple import NamedTuple
from diptych.publish.archive_list import LIST_FILE, is_inside, list_lines
from diptych.publish.archive_stamp import JOURNAL

LOCK = ".diptych-archive.lock"


class Drawing(Protocol):
    """Draws the files of a piece: their texts, or what is UTF-8 already, by path; many of them in parts.

    What is very long comes as an iterator of its parts, and is never held as a whole.
    """

    def __call__(self) -> Mapping[str, str | bytes] | Iterator[Mapping[str, str | bytes | Iterator[str]]]: ...


class Piece(NamedTuple):
    """Some pages of an archive, drawn when they are asked for; `key` changes whenever their text would."""

    name: str
    key: str
    draw: Drawing


class Written(NamedTuple):
    """A piece as it was written: its files with their sizes, and how many of them were new or had changed."""

    name: str
    key: str
    files: Mapping[str, int]
    changed: int


def write_piece(root: str, piece: Piece) -> Written:
    """Draw a piece and write what changed of it; its files are noted down before the first is written.

    Pages wait for no disk: one that a crash of the machine cuts short has not the size that the list file says, and
    is drawn again. In a folder of its own that is new nothing is written twice: no page links there yet.
    """
    drawn = piece.draw()
    files: dict[str, int] = {}
    changed = 0
    for part in (drawn,) if isinstance(drawn, Mapping) else drawn:
        data: dict[str, bytes] = {}
        for path, text in part.items():
            if isinstance(text, str | bytes):
                data[path] = text if isinstance(text, bytes) else page_bytes(path, text)
            else:
                files[path], new = write_long(root, path, text)
                changed += new
        changed += write_files(root, data)
        files |= {path: len(each) for path, each in data.items()}
    return Written(piece.name, piece.key, files, changed)


def write_long(root: str, path: str, parts: Iterator[str]) -> tuple[int, bool]:
    """Write a file part by part; return its size, and whether it is new or has changed."""
    target = place_inside(root, path, {})
    note_down(root, [path])
    changed = storage.replace_file(target, map(storage.utf8, parts), durable=False, keep_same=True)
    return os.path.getsize(target), changed


def write_files(root: str, files: Mapping[str, bytes]) -> int:
    """Write some files of a piece; return how many of them were new or had changed."""
    places: dict[str, str] = {}
    targets = {path: place_inside(root, path, places) for path in files}
    note_down(root, files)
    new = {place for place in places.values() if storage.make_folder(place)}
    changed = 0
    for path, data in files.items():
        if os.path.dirname(targets[path]) in new:
            storage.write_new(targets[path], data)
            changed += 1
        else:
            changed += storage.write_bytes(targets[path], data, durable=False)
    return changed


OPTIONAL = re.compile("</(?:t[dhr]|thead|tbody|li|d[td])>")
"""End tags that HTML lets a page leave out wherever ours stand: a tenth of what an archive's pages weigh."""


def page_bytes(path: str, text: str) -> bytes:
    """Return a file's text as UTF-8, a page without its optional end tags: no text of ours holds one unescaped."""
    if path.endswith(".html"):
        text = OPTIONAL.sub("", text)
    return storage.utf8(text)


def note_down(root: str, paths: Iterable[str]) -> None:
    """Note files down before they are written for the first time."""
    with open(os.path.join(root, JOURNAL), "a", encoding="utf-8") as handle:
        handle.write("".join(f"{path}\n" for path in paths))


@contextmanager
def hold_folder(folder: str | Path) -> Iterator[str]:
    """Hold an archive's folder for one build, rid of what a killed one left; give its real path."""
    root = owned(folder)
    with storage.locked(os.path.join(root, LOCK)):
        if os.path.exists(os.path.join(root, JOURNAL)):  # a build was killed: its drafts may lie anywhere
            storage.remove_drafts(root)
        for name in os.listdir(root):
            if name.startswith(f".{LIST_FILE}.") and name.endswith(storage.DRAFT):
                storage.remove(os.path.join(root, name))
        yield root


def owned(folder: str | Path) -> str:
    """Return the real path of a folder that is empty, new, or an archive of ours; any other is an error."""
    root = os.path.realpath(storage.local_path(folder))
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
        nothing = list_lines({"failures": [], "maker": ""}, (), (), (), "")
        storage.replace_file(os.path.join(root, LIST_FILE), nothing)  # one that is killed must find its folder again
    return root


def place_inside(root: str, path: str, places: dict[str, str]) -> str:
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
