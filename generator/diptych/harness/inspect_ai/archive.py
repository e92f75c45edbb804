"""The members of a log: its head and its samples, out of a zip archive or out of one JSON file."""

import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from diptych.errors import RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.foreign_files import ZIP
from diptych.harness.parse_json import DamagedFile, RecordedFile
from diptych.harness.sample_streams import LONGEST, MOST_TIMES, Allowance, too_long, without_zstandard
from diptych.harness.strict_values import parse_harness_json
from diptych.secrets import mask_text

ENCRYPTED = 0x1
ZSTANDARD = 93
"""How zip names the compression that inspect_ai uses since 0.3.206."""

LOCAL_HEADER = 30
"""Bytes of a member's own header before its name; the lengths of name and extra stand in the last four."""


class Member(NamedTuple):
    """One sample of a log by name, or why it cannot be read."""

    name: str
    sample: Any
    damage: str = ""


def head_of(file: RecordedFile) -> Mapping[str, Any]:
    """Return a log without its samples. Raises `RunError` where it did not end, `DamagedFile` where it is cut."""
    if not file.start.startswith(ZIP):
        document = file.document
        return {key: value for key, value in document.items() if key != "samples"}
    with archive(file.path) as log:
        names = set(log.namelist())
        if "header.json" not in names:
            raise RunError(
                "a log of inspect_ai that did not end: it has no header.json",
                where=mask_text(file.path)[0],
                hint="wait until the run has ended, or finish it with `inspect eval-retry`",
            )
        head = member_json(log, "header.json", file.path)
    if not isinstance(head, dict):
        raise DamagedFile("its header.json is no object", where=mask_text(file.path)[0], hint="write the log again")
    return head


def samples_of(file: RecordedFile) -> Iterator[Member]:
    """Yield the samples of a log in its own order; one that cannot be read is named with its damage."""
    if not file.start.startswith(ZIP):
        samples = file.document.get("samples")
        for place, sample in enumerate(samples if isinstance(samples, list) else ()):
            yield Member(str(place + 1), sample)
        return
    with archive(file.path) as log:
        for name in log.namelist():
            if name.startswith("samples/") and name.endswith(".json"):
                try:
                    yield Member(name, member_json(log, name, file.path))
                except DamagedFile as error:
                    yield Member(name, None, error.message)


@contextmanager
def archive(path: str) -> Iterator[zipfile.ZipFile]:
    """Open an archive; a `DamagedFile` says that it is cut."""
    where = mask_text(path)[0]
    try:
        log = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise DamagedFile(f"the archive is cut or damaged ({error})", where=where, hint="copy the log again") from error
    except OSError as error:
        raise DamagedFile(f"cannot be read ({error.strerror})", where=where, hint="check the path") from error
    with log:
        Allowance(os.path.getsize(path)).take(sum(member.file_size for member in log.infolist()))
        yield log


def member_json(log: zipfile.ZipFile, name: str, path: str) -> Any:
    """Return a member's JSON. Raises `DamagedFile`."""
    where = mask_text(f"{path}:{name}")[0]
    try:
        return parse_harness_json(member_bytes(log, log.getinfo(name), path))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DamagedFile(f"{name} is not JSON", where=where, hint="copy the log again") from error
    except (ValueError, RecursionError, EOFError, OSError, zipfile.BadZipFile, NotImplementedError) as error:
        raise DamagedFile(f"{name} cannot be unpacked ({error})", where=where, hint="copy the log again") from error


def member_bytes(log: zipfile.ZipFile, member: zipfile.ZipInfo, path: str) -> bytes:
    """Return a member's bytes, no more than an honest one holds."""
    import zlib

    if member.file_size > LONGEST:
        raise too_long(member.filename, LONGEST)
    if member.flag_bits & ENCRYPTED:
        raise EOFError("it is encrypted")
    if member.compress_type == ZSTANDARD:
        return unpacked_zstandard(log, member, path)
    try:
        with log.open(member) as stream:
            return stream.read(LONGEST)
    except zlib.error as error:
        raise EOFError(str(error)) from error


def unpacked_zstandard(log: zipfile.ZipFile, member: zipfile.ZipInfo, path: str) -> bytes:
    """Return the bytes of a member that is packed with zstandard, which zipfile reads from Python 3.14 on only."""
    try:
        import zstandard
    except ImportError as error:
        raise without_zstandard(path, "write the log as JSON: `inspect log convert --to json`") from error
    with open(path, "rb") as handle:
        handle.seek(member.header_offset)
        head = handle.read(LOCAL_HEADER)
        handle.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), 1)
        packed = handle.read(member.compress_size)
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as stream:
            return stream.read(min(LONGEST, max(member.file_size, MOST_TIMES * len(packed))))
    except zstandard.ZstdError as error:
        raise EOFError(str(error)) from error
