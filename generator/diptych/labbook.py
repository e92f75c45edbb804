"""The lab notebook: read the records a person's file holds, append one, never lose or move a line.

It does not know who writes to the notebook or why.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from diptych import storage
from diptych.bounded_json import too_deep
from diptych.errors import DiptychError, LabbookError
from diptych.fast_named_tuple import NamedTuple

Json = Any


class Record(NamedTuple):
    """One JSON record and the number of the line on which it starts."""

    line: int
    fields: Mapping[str, Json]


class BrokenLine(NamedTuple):
    """A line that begins like a record and is none (a write that was cut off)."""

    line: int
    why: str


class Labbook(NamedTuple):
    """What a notebook holds for a program; its prose is passed over."""

    source: str
    records: tuple[Record, ...]
    broken: tuple[BrokenLine, ...] = ()


def read_labbook(path: str | Path) -> Labbook:
    """Return the records of a notebook; broken lines are named and skipped, a file that cannot be read is an error."""
    try:
        data = storage.read_bytes(path)
    except DiptychError as error:
        raise LabbookError(error.message, where=error.where, hint=error.hint) from error
    # one bad byte must cost its own line, not the whole notebook
    return parse_labbook(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape"), Path(path).name)


def parse_labbook(text: str, source: str = "labbook.md") -> Labbook:
    """Return the records of a notebook's text: one a line, or in a fenced block over several lines."""
    records: list[Record] = []
    broken: list[BrokenLine] = []
    for block in blocks_of(text.split("\n")):
        for found in records_of(block):
            if isinstance(found, Record):
                records.append(found)
            elif block.named:
                broken.append(found)
    return Labbook(source, tuple(records), tuple(broken))


class Block(NamedTuple):
    """Lines that belong together: a fence's content, or a line outside; `named`: its broken lines are worth naming."""

    first: int
    lines: list[str]
    named: bool


FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})\s*(\S*)")
RECORD = re.compile(r"\s*\{\s*([\"'}]|$)")
DATA_FENCES = {"", "json", "jsonl", "ndjson", "json5", "jsonc"}


def blocks_of(lines: list[str]) -> Iterator[Block]:
    """Yield the fenced blocks, and each line outside them that looks like a record, in file order."""
    fence: str | None = None
    block = Block(0, [], True)
    for number, line in enumerate(lines, 1):
        mark = FENCE.match(line) if line.lstrip()[:3] in ("```", "~~~") else None
        if fence is not None:
            if mark and mark[1].startswith(fence) and not mark[2]:
                yield block
                fence = None
            else:
                block.lines.append(line)
        elif mark:
            fence, block = mark[1], Block(number + 1, [], mark[2].strip("{}.").lower() in DATA_FENCES)
        elif RECORD.match(line):
            yield Block(number, [line], True)
    if fence is not None:
        yield block


def records_of(block: Block) -> Iterator[Record | BrokenLine]:
    """Yield the records of a block; a record that does not end on its line is read on to the end of the block."""
    place = failed = 0
    while place < len(block.lines):
        line = block.lines[place]
        number = block.first + place
        if not RECORD.match(line):
            place += 1
            continue
        found = whole_line(line, number)
        if isinstance(found, BrokenLine) and place + 1 < len(block.lines) and failed < MOST_FAILED:
            over, used = many_lines(block.lines[place : place + MOST_LINES], number)
            if over is not None:
                yield over
                place += used
                continue
            failed += 1
        if isinstance(found, BrokenLine):
            yield found
        else:
            yield from found
        place += 1


MOST_LINES, MOST_FAILED = 500, 2_000
"""Lines of one record: each line that begins one and breaks off is read on only so far, and in a block so often."""

DECODER = json.JSONDecoder()


def whole_line(line: str, number: int) -> list[Record] | BrokenLine:
    """Return the records that stand on one line (two where a line break was lost), or what is wrong with it."""
    text = line.strip()
    records = []
    place = 0
    if holds_bytes(text):
        return BrokenLine(number, "it holds bytes that are no UTF-8")
    try:
        while place < len(text):
            value, place = DECODER.raw_decode(text, place)
            if too_deep(value):
                return BrokenLine(number, "it is not whole JSON (nested too deeply)")
            if not isinstance(value, dict):
                return BrokenLine(number, "it is no JSON object")
            records.append(Record(number, value))
            while place < len(text) and text[place].isspace():
                place += 1
    except (ValueError, RecursionError) as error:
        return BrokenLine(number, f"it is not whole JSON ({reason(error)})")
    return records


def many_lines(lines: list[str], number: int) -> tuple[Record | None, int]:
    """Return a record that spans lines and how many it takes, or None."""
    text = "\n".join(lines)
    start = len(text) - len(text.lstrip())
    try:
        value, end = DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, 0
    if not isinstance(value, dict) or not value or too_deep(value) or holds_bytes(text[:end]):
        return None, 0
    return Record(number, value), text.count("\n", 0, end) + 1


def holds_bytes(text: str) -> bool:
    """Say whether a text holds bytes that were no UTF-8 (kept as half surrogates while reading)."""
    return not text.isascii() and any("\udc80" <= letter <= "\udcff" for letter in text)


def reason(error: Exception) -> str:
    """Return in few words why a line is no JSON, without quoting it."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.lower()} at character {error.pos + 1}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number with too many digits"


def append_record(path: str | Path, record: Mapping[str, Json]) -> None:
    """Append one record as one line; the file may be appended to by others meanwhile and is never rewritten."""
    try:
        storage.append_line(path, harmless_line(record))
    except DiptychError as error:
        raise LabbookError(error.message, where=error.where, hint=error.hint) from error


ACTING = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&@#`*[]~|$!"}
"""Signs that act where a notebook is shown as Markdown: tags, mentions, references, code, emphasis, links, tables."""


def harmless_line(record: Mapping[str, Json]) -> str:
    """Return a record as one line of JSON in which no text acts when the notebook is shown as Markdown.

    A sign that acts, that is hidden or that turns the direction of writing is written by its number: it stands in a
    text of the JSON and means the same.
    """
    line = json.dumps(record, ensure_ascii=False, allow_nan=False)
    return re.sub(r'"(?:[^"\\]|\\.)*"', lambda text: harmless(text[0]), line)


def harmless(text: str) -> str:
    """Return a JSON text with every sign written by its number that would act."""
    text = text.translate(ACTING).replace("://", ":\\u002f\\u002f").replace("www.", "www\\u002e")
    if text.isascii():
        return text
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in text)
