"""Whether anything at all has changed since an archive was built: told by the marks of files, before one is read.

The stamp holds a digest of what the last build was asked for and of the marks of all that it read (size, times, inode;
of the program's own files too), and the marks of the list of all files that it left, with their sizes. Where one is
unlike, or nothing can be told, the build looks at the contents. It tells of this machine alone, and nothing is lost
where it is removed.
"""

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from diptych.fast_named_tuple import NamedTuple
from diptych.publish.archive_list import LIST_FILE, listed, sizes_in

STAMP = ".diptych-archive.stamp"
JOURNAL = ".diptych-archive.journal"
"""There while a build is under way, or where one was killed."""
SETTLED = 2_000_000_000
"""Nanoseconds after which a file's times tell of every change: clocks of file systems are coarse."""


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


class State(NamedTuple):
    """A digest of what is asked for and of the marks of what is read; `newest` is the youngest time of those, in ns."""

    digest: str
    newest: int


def unchanged(asked: Asked) -> Last | None:
    """Return what the last build came to where another would find all as it left it, else None."""
    try:
        with open(os.path.join(asked.out, STAMP), encoding="utf-8") as handle:
            stamp = json.load(handle)
        if os.path.exists(os.path.join(asked.out, JOURNAL)):
            return None
        place = os.path.join(asked.out, LIST_FILE)
        if (
            stamp["list"] == mark_of(place)
            and stamp["state"] == state_of(asked).digest
            and all(all_there(asked.out, files) for files in files_listed(place))
        ):
            return Last(str(stamp["said"]), stamp["failures"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        pass  # no stamp, or none of ours
    return None


def files_listed(place: str) -> Iterator[Mapping[str, int]]:
    """Yield the files of each piece, with their sizes, as a list file tells them."""
    for section, value in listed(place):
        if section not in ("", "pieces"):
            return
        pieces = value if section else value.get("pieces", {})
        yield from (sizes_in(name, files) for name, (_, files) in pieces.items())


def state_of(asked: Asked) -> State:
    """Return the state of what is asked for, where and for which date, of all that is read, and of the program."""
    from hashlib import sha256

    told = [*asked, os.getcwd(), os.environ.get("SOURCE_DATE_EPOCH", ""), program()]
    state, newest = sha256(repr(told).encode("utf-8", "backslashreplace")), 0
    for place in read_places(asked):
        mark = mark_of(place)
        state.update(f"{place} {mark}\n".encode("utf-8", "backslashreplace"))
        newest = max(newest, mark[1] if mark else 0)
    return State(state.hexdigest(), newest)


def read_places(asked: Asked) -> Iterator[str]:
    """Yield all files that a build reads, and the folders that it looks through."""
    for source in (*asked.sources, *([asked.pages] if asked.pages else [])):
        base = source.removesuffix(".json")
        yield from (source, f"{base}.json", f"{base}.failed.json")
        if os.path.isdir(source):
            with os.scandir(source) as files:
                names = sorted(file.name for file in files if file.name.endswith((".json", ".md")))
            yield from (os.path.join(source, name) for name in names)


def mark_of(place: str) -> list[int] | None:
    """Return what tells one state of a file or folder from another, None where it is not there.

    A folder's own times change whenever a file in it comes or goes.
    """
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


def write_stamp(asked: Asked, before: State, said: str, failures: Sequence[Sequence[Any]]) -> None:
    """Note down a build that is done; `before` is the state before it began.

    Where a file was changed so lately that its times may not tell of another change, nothing is noted.
    """
    from diptych import storage

    target = os.path.join(asked.out, STAMP)
    if before.newest > time.time_ns() - SETTLED or before != state_of(asked):
        storage.remove(target)
        return
    place = mark_of(os.path.join(asked.out, LIST_FILE))
    body = {"state": before.digest, "list": place, "said": said, "failures": failures}
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
