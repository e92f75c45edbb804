"""An archive's folder: pieces are written where they changed, and nothing is touched that was not written here.

The list file holds the keys of the pieces, the summaries, and the names of all files of the last build; the journal
those of a build under way, so that one which was killed leaves no page that nobody knows.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from diptych import storage
from diptych.bounded_json import load_json
from diptych.errors import DiptychError
from diptych.fast_json import dump_many
from diptych.fast_named_tuple import NamedTuple
from diptych.publish.archive_stamp import JOURNAL, all_there
from diptych.publish.kept_summaries import Kept, is_unbroken
from diptych.report.documents.summaries import Failure

LIST_FILE = ".diptych-archive.json"
LOCK = ".diptych-archive.lock"
LIST_SCHEMA = "diptych/archive/4"
READ_SCHEMAS = (LIST_SCHEMA, "diptych/archive/3")
"""Of the version before its pieces can be read: their paths are whole."""


class Known(NamedTuple):
    """What the last build left: by piece its key and files (path to size), by artifact's digest its summary, packed.

    `maker` is the digest of what made them: another version's summaries are of no use. `whole` is the key of all that
    the archive was made from, `failures` what could not be shown.
    """

    pieces: Mapping[str, tuple[str, Mapping[str, int]]]
    summaries: Mapping[str, Kept]
    maker: str = ""
    whole: str = ""
    failures: tuple[Failure, ...] = ()


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


class Built(NamedTuple):
    """What a build did, as counts of files, the artifacts that could not be used, and all files with their sizes."""

    written: int
    unchanged: int
    removed: int
    artifacts: int
    failures: tuple[Failure, ...]
    files: Mapping[str, int]


NOTHING = Known({}, {})


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


def is_there(root: str, piece: Piece, known: Known) -> bool:
    """Say whether the last build has left a piece as it would be drawn now."""
    last = known.pieces.get(piece.name)
    return last is not None and last[0] == piece.key != "" and all_there(root, last[1])


def artifacts_gone(known: Known, names: set[str]) -> bool:
    """Say whether the last build has left pieces of artifacts that are not among these names."""
    return any(name.partition(":")[0] in ARTIFACT_KINDS for name in known.pieces.keys() - names)


def refuse_large_removal(root: str, gone: int, left: int) -> None:
    """Raise a `DiptychError` where more than half of the files that were left would go."""
    if 2 * gone > left:
        raise DiptychError(
            f"this build would remove {gone} of the {left} files that the last one left",
            where=root,
            hint="check the sources; where they are right, say --prune",
        )


ARTIFACT_KINDS = frozenset(("comparison", "matrix", "repeats", "decision"))
"""The first words of the names of pieces that one artifact is the source of."""


def built_files(known: Known) -> set[str]:
    """Return every file that the last build left."""
    return {path for _, files in known.pieces.values() for path in files}


def journalled(root: str) -> set[str]:
    """Return the files that a build which was killed has begun to write."""
    try:
        text = storage.read_text(os.path.join(root, JOURNAL))
    except DiptychError:
        return set()
    return {line for line in text.split("\n")[:-1] if is_inside(line)}


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
        save_list(root, NOTHING, {})  # a build that is killed half way must find its own folder again
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


def is_inside(path: str) -> bool:
    """Say whether a path names a file inside a folder, whatever stands there."""
    return not any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in path.split("/"))


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
        if body["schema"] not in READ_SCHEMAS:
            return nothing
        pieces = {
            str(name): (str(row[0]), sizes_in(row[1], folder_of_piece(name))) for name, row in body["pieces"].items()
        }
        if body["maker"] != maker:
            return Known(pieces, {}, maker)
        shared = list(map(str, body["shared"]))
        kept = {
            str(digest): (str(text), *(shared[place] for place in own))
            for digest, (text, *own) in body["summaries"].items()
        }
        whole = {text for text in {*shared, *(texts[0] for texts in kept.values())} if is_unbroken(text)}
        summaries = {digest: texts for digest, texts in kept.items() if whole.issuperset(texts)}
        failures = tuple(Failure(*row) for row in body["failures"])
        return Known(pieces, summaries, maker, str(body["whole"]), failures)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, DiptychError):
        return nothing  # then everything is drawn again, and compared with what is there


def sizes_in(files: Any, folder: str) -> dict[str, int]:
    """Return a piece's files with their sizes, from what a list file holds: a path from `/` on is in its own folder."""
    whole = {f"{folder}{path}" if path.startswith("/") else path: size for path, size in files.items()}
    if not all(is_inside(path) and isinstance(size, int) for path, size in whole.items()):
        raise ValueError("a path that leaves the folder")
    return whole


def folder_of_piece(name: str) -> str:
    """Return the folder that a piece's name tells, "" where it tells none."""
    return name.partition(":")[2]


def save_list(root: str, known: Known, summaries: Mapping[str, Sequence[object]]) -> None:
    """Write the list file of an archive, one piece after the other: it holds something of each artifact."""
    storage.replace_file(os.path.join(root, LIST_FILE), list_parts(known, summaries))


def list_parts(known: Known, summaries: Mapping[str, Sequence[object]]) -> Iterator[bytes]:
    """Yield a list file's text: what many artifacts share stands in it once, a piece's folder in its name."""
    order = sorted(summaries)
    shared: dict[object, int] = {}
    for digest in order:
        for each in summaries[digest][1:]:
            shared.setdefault(each, len(shared))
    pieces = (
        b"%b:%b" % (dump_many(name), dump_many(short_piece(name, *known.pieces[name]))) for name in sorted(known.pieces)
    )
    kept = (
        b"%b:%b"
        % (dump_many(digest), dump_many([str(summaries[digest][0]), *map(shared.__getitem__, summaries[digest][1:])]))
        for digest in order
    )
    yield b'{"failures":%b,"maker":%b,"pieces":{' % (dump_many(list(map(list, known.failures))), dump_many(known.maker))
    yield from with_commas(pieces)
    yield b'},"schema":%b,"shared":[' % dump_many(LIST_SCHEMA)
    yield from with_commas(dump_many(str(each)) for each in shared)
    yield b'],"summaries":{'
    yield from with_commas(kept)
    yield b'},"whole":%b}\n' % dump_many(known.whole)


def with_commas(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield parts with a comma between any two."""
    for place, part in enumerate(parts):
        yield b"," + part if place else part


def short_piece(name: str, key: str, files: Mapping[str, int]) -> tuple[str, dict[str, int]]:
    """Return a piece's key and files with their sizes: a path from `/` on is in the piece's own folder."""
    folder = folder_of_piece(name)
    start = f"{folder}/" if folder else "\0"
    return key, {
        f"/{path.removeprefix(start)}" if path.startswith(start) else path: size for path, size in files.items()
    }
