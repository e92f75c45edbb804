"""A file's JSON, or one error that says where it breaks and what to do; what a reader is given and gives first."""

import json
import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from diptych.errors import DiptychError, RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.locate import shown_name
from diptych.harness.strict_values import parse_harness_json
from diptych.run import Remark
from diptych.secrets import mask_text
from diptych.storage import read_bytes, unreadable


class DamagedFile(RunError):
    """A file that should hold a run, and cannot be read: cut off, torn, no text."""


def parse_file(path: str) -> Any:
    """Parse a results file; a `DamagedFile` names the line where it breaks."""
    where, _ = mask_text(path)
    try:
        data = read_bytes(path)
    except DiptychError as error:
        raise DamagedFile(error.message, where=where, hint=error.hint) from error
    try:
        return parse_harness_json(data)
    except UnicodeDecodeError as error:
        raise DamagedFile(
            "not UTF-8 text", where=f"{where}@{error.start}", hint="write the results again, or convert the file"
        ) from error
    except json.JSONDecodeError as error:
        if (
            (start := error.doc.lstrip()[:40].partition("\n")[0])
            and not start.startswith(("{", "["))
            and start.isprintable()
        ):
            raise RunError(
                f"text, not JSON: it begins with {mask_text(start)[0]!r}", where=where, hint="name a results file"
            ) from error
        cut = error.pos >= len(error.doc.rstrip()) - 1 or error.msg.startswith("Unterminated string")
        message = "the file is cut off: its JSON does not end" if cut else f"not JSON ({error.msg.lower()})"
        raise DamagedFile(
            message, where=f"{where}:{error.lineno}", hint="copy or write the results file again"
        ) from error
    except RecursionError as error:
        raise DamagedFile(
            "nests too deeply to be a results file", where=where, hint="no harness writes such a file"
        ) from error
    except ValueError as error:
        raise DamagedFile("holds a number too long to read", where=where, hint="write the results again") from error


class RecordedFile:
    """A file that may hold a run: its first bytes, and its JSON, read when it is first asked for and kept."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.stamp = stamp_on_disk(path)

    @cached_property
    def start(self) -> bytes:
        """The first bytes. Raises `DamagedFile` where they cannot be read."""
        try:
            with open(self.path, "rb") as handle:
                return handle.read(HEAD)
        except OSError as error:
            raise unreadable_file(self.path, error) from error

    @cached_property
    def document(self) -> Any:
        """The JSON of the whole file. Raises `DamagedFile`."""
        return parse_file(self.path)


def unreadable_file(path: str, error: Exception) -> DamagedFile:
    """Return the error for a file that cannot be read, or cannot any more."""
    plain = unreadable(mask_text(path)[0], error)
    return DamagedFile(plain.message, where=plain.where, hint=plain.hint)


class Header(NamedTuple):
    """What the head of a results file says: enough to tell runs apart, and cheap to read.

    Files of one folder that share a `group` are one run, a file a task; "" where each file is its own. `items` counts
    what was scored by task, as far as the head tells.
    """

    model: str | None
    version: str | None
    tasks: tuple[str, ...]
    started: str | None
    group: str = ""
    items: Mapping[str, int] = {}


class Wanted(NamedTuple):
    """What is to be read: a results file, the label of its run, and the files of the same run `beside` it.

    `near` is the folder that was named, "" where the file was; `strict` parses every sample line whole.
    """

    file: RecordedFile
    label: str
    near: str = ""
    beside: tuple[RecordedFile, ...] = ()
    strict: bool = False


HEAD = 1 << 20
"""Bytes of a file that are looked at before it is parsed; the first line of a log of samples is rarely longer."""

Stamp = tuple[int, int]
"""A file's size in bytes and time of change in nanoseconds."""


def stamp_on_disk(path: str) -> Stamp | None:
    """Return by what a change of a file is seen; None for what is not there, and for what is no file on disk."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_size, status.st_mtime_ns) if os.path.isfile(path) else None


def changed_meanwhile(path: str, task: str | None = None) -> Remark:
    """Remark on a file that was written while it was read."""
    name = shown_name(path)
    text = f"{name} changed while it was read: what is shown may be half of it. Read it again when the run has ended."
    return Remark("file_damaged", "error", text, task, 1, evidence=(name,))
