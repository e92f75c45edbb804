"""The list of an archive's files, as it stands in the archive's folder: JSON, a line for each thing, read line by line.

It holds the keys of the pieces, the names and sizes of all files, and the summaries of the last build.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from diptych.fast_json import dump_many

LIST_FILE = ".diptych-archive.json"
SCHEMA = "diptych/archive/4"
READ_SCHEMAS = (SCHEMA, "diptych/archive/3")
"""Of the version before its pieces can be read: their paths are whole."""

Json = Any

LONGEST = 256_000_000
"""Bytes of a line: the version before wrote one line alone."""

SECTIONS = (b'"pieces":{', b'"shared":[', b'"summaries":{')
"""What the lines before each section end with: then comes a line for each thing in it."""


def listed(path: str) -> Iterator[tuple[str, Json]]:
    """Yield (section, value) for each line of a list file: of "" what stands between the sections.

    What is in a section comes as a text, or as an object with one name. A `ValueError` where it is not ours.
    """
    section = ""
    if not os.path.isfile(path):
        raise ValueError("is no file")
    with open(path, "rb") as handle:
        while line := handle.readline(LONGEST):
            body = line.rstrip(b",\n")
            if not section or line[:1] in (b"}", b"]"):
                head = b"{" + body.lstrip(b"{}],")
                begun = next((mark for mark in SECTIONS if body.endswith(mark)), b"")
                section = begun.decode().strip('":[{')
                ends = {b"{": b"}}", b"[": b"]}"}.get(begun[-1:], b"")
                yield "", json.loads(head + ends)
            elif section == "shared":
                yield section, json.loads(body)
            else:
                yield section, json.loads(b"{" + body + b"}")
    if section:
        raise ValueError("breaks off before its end")


def list_lines(
    about: Json, pieces: Iterable[bytes], shared: Iterable[bytes], summaries: Iterable[bytes], whole: str
) -> Iterator[bytes]:
    """Yield the text of a list file, given the lines of its sections as JSON; `about` is what stands before them."""
    yield dump_many(about)[:-1] + b',"pieces":{\n'
    yield from with_commas(pieces)
    yield b'},"schema":%b,"shared":[\n' % dump_many(SCHEMA)
    yield from with_commas(shared)
    yield b'],"summaries":{\n'
    yield from with_commas(summaries)
    yield b'},"whole":%b}\n' % dump_many(whole)


def with_commas(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines with a comma between any two."""
    before = b""
    for line in lines:
        yield before + line
        before = b",\n"
    if before:
        yield b"\n"


def is_inside(path: str) -> bool:
    """Say whether a path names a file inside a folder, whatever stands there."""
    return not any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in path.split("/"))


def sizes_in(name: str, files: Json) -> dict[str, int]:
    """Return a piece's files with their sizes, from what a list file holds: a path from `/` on is in its own folder.

    A `ValueError` where a path would leave the archive's folder: such a list is not ours.
    """
    folder = name.partition(":")[2]
    whole = {f"{folder}{path}" if path.startswith("/") else path: size for path, size in files.items()}
    if not all(is_inside(path) and isinstance(size, int) for path, size in whole.items()):
        raise ValueError("a path that leaves the folder")
    return whole


def short_files(name: str, files: Mapping[str, int]) -> dict[str, int]:
    """Return a piece's files as a list file holds them."""
    folder = name.partition(":")[2]
    start = f"{folder}/" if folder else "\0"
    return {f"/{path.removeprefix(start)}" if path.startswith(start) else path: size for path, size in files.items()}
