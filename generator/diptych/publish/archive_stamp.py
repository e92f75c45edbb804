"""Whether anything at all has changed since an archive was built: told by the marks of files, before one is read.

The stamp holds a digest of what the last build was asked for and of the marks of all that it read (size, times, inode;
of the program's own files too), and the sizes of all that it left. Where one is unlike, or nothing can be told, the
build looks at the contents. It tells of this machine alone, and nothing is lost where it is removed.
"""

import json
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from diptych.fast_named_tuple import NamedTuple

STAMP = ".diptych-archive.stamp"
JOURNAL = ".diptych-archive.journal"
"""There while a build is under way, or where one was killed."""
SETTLED = 2_000_000_000
"""Nanoseconds after which a file's times tell of every change: clocks of file systems are coarse."""

Marks = Mapping[str, Sequence[int] | None]
"""What tells one state of a file from another, by its path; None where it is not there."""


class Asked(NamedTuple):
    """What a build was asked for, `sources` and folders as they were given."""

    sources: tuple[str, ...]
    out: str
    title: str
    description: str
    pages: str | None
    base_url: str | None


class Last(NamedTuple):
    """What the last build said, and the rows of what it could not show."""

    said: str
    failures: Sequence[Sequence[Any]]


def unchanged(asked: Asked) -> Last | None:
    """Return what the last build came to where another would find all as it left it, else None."""
    try:
        with open(os.path.join(asked.out, STAMP), encoding="utf-8") as handle:
            stamp = json.load(handle)
        if os.path.exists(os.path.join(asked.out, JOURNAL)):
            return None
        if stamp["state"] == state_of(asked, file_marks(asked)) and all(
            all_there(os.path.join(asked.out, folder), files) for folder, files in stamp["left"].items()
        ):
            return Last(str(stamp["said"]), stamp["failures"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # no stamp, or none of ours
    return None


def state_of(asked: Asked, read: Marks) -> str:
    """Return a digest of what is asked for, where and for which date, of all that is read, and of the program."""
    from hashlib import sha256

    told = [*asked, os.getcwd(), os.environ.get("SOURCE_DATE_EPOCH", ""), sorted(read.items()), program()]
    return sha256(repr(told).encode("utf-8", "backslashreplace")).hexdigest()


def file_marks(asked: Asked) -> Marks:
    """Return the marks of all files that a build reads, and of the folders that it looks through."""
    places: list[str] = []
    for source in (*asked.sources, *([asked.pages] if asked.pages else [])):
        base = source.removesuffix(".json")
        places += [source, f"{base}.json", f"{base}.failed.json"]
        if os.path.isdir(source):
            places += [entry.path for entry in os.scandir(source) if entry.name.endswith((".json", ".md"))]
    return {place: mark_of(place) for place in places}


def mark_of(place: str) -> list[int] | None:
    """Return the marks of one file or folder; a folder's own times change whenever a file in it comes or goes."""
    try:
        found = os.stat(place)
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


def program() -> list[list[Any]]:
    """Return the marks of the files that draw: code, templates, styles."""
    from importlib.util import find_spec

    found: list[list[Any]] = []
    for name in ("diptych", "diptych.templates"):
        spec = find_spec(name)
        for root in (spec.submodule_search_locations or ()) if spec else ():
            for folder, names, files in os.walk(root):
                names[:] = sorted(each for each in names if each != "__pycache__")
                found += [[place, mark_of(place)] for place in (os.path.join(folder, file) for file in sorted(files))]
    return found or [[os.urandom(8).hex()]]  # not in files of its own: nothing can be told


def write_stamp(
    asked: Asked, read: Marks, left: Mapping[str, int], said: str, failures: Sequence[Sequence[Any]]
) -> None:
    """Note down a build that is done; `read` are the marks from before it began.

    Where a file was changed so lately that its times may not tell of another change, nothing is noted.
    """
    from diptych import storage

    newest = max((mark[1] for mark in read.values() if mark), default=0)
    target = os.path.join(asked.out, STAMP)
    if newest > time.time_ns() - SETTLED or read != file_marks(asked):
        storage.remove(target)
        return
    folders: dict[str, dict[str, int]] = {}
    for path, size in left.items():
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, {})[name] = size
    body = {"state": state_of(asked, read), "left": folders, "said": said, "failures": failures}
    storage.write_text(target, json.dumps(body, ensure_ascii=True, sort_keys=True, separators=(",", ":")) + "\n")


def all_there(root: str, files: Mapping[str, int]) -> bool:
    """Say whether every file is still there with the size it was written with."""
    try:
        return all(os.stat(f"{root}/{path}").st_size == size for path, size in files.items())
    except OSError:
        return False


def asked_of(
    sources: Iterable[str | Path],
    out: str | Path,
    title: str,
    description: str,
    pages: str | Path | None,
    base_url: str | None,
) -> Asked:
    """Return what a build is asked for."""
    given = tuple(os.fspath(source) for source in sources)
    return Asked(given, os.fspath(out), title, description, os.fspath(pages) if pages else None, base_url)
