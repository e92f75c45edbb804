"""Text in columns of a terminal: how wide it is, wrapped, padded; no colour is written unless it is asked for."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

STYLES = {"bold": "1", "quiet": "2", "better": "32", "worse": "31", "unclear": "33", "accent": "36"}


LONG_WORD = 16
"""Columns that a cut line would leave empty before a word (a path, an address) whose beginning says more."""


def width_of(text: str) -> int:
    """Return how many columns a text takes: wide characters two, marks that sit on others none."""
    if text.isascii():
        return len(text)
    return sum(character_width(character) for character in text)


def character_width(character: str) -> int:
    """Return the columns of one character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int, right: bool = False) -> str:
    """Return a text filled with spaces to a width, flush left or right."""
    fill = " " * max(0, width - width_of(text))
    return fill + text if right else text + fill


def wrapped(text: str, width: int, limit: int | None = None) -> list[str]:
    """Return visible text as lines of at most `width` columns; past `limit` lines it ends in "…"."""
    lines: list[str] = []
    for line in text.split("\n"):
        made = wrapped_line(line.replace("\t", "    "), width)
        if limit is not None and len(lines) + len(made) > limit:
            kept = [*lines, *made[: limit - len(lines)]][:limit]
            more = made[limit - len(lines)] if len(kept) > len(lines) else ""
            return [*kept[:-1], last_line(kept[-1], more, width)]
        lines += made
    return lines


def last_line(line: str, more: str, width: int) -> str:
    """Return a line that ends in "…", with the beginning of a long word after it where that leaves much room."""
    room = width - 2 - width_of(line)
    return clipped(f"{line} {more}" if more and room >= LONG_WORD else line, width - 1) + "…"


def wrapped_line(line: str, width: int) -> list[str]:
    """Return one line as lines of at most `width` columns, broken at spaces where there are any."""
    lines, start, plain = [], 0, line.isascii()
    while (stop := fitting(line, start, width, plain)) < len(line):
        if line[stop] != " ":
            head = line[start:stop]
            place = head.rfind(" ")
            stop = start + place if place > max(len(head) - len(head.lstrip()), width // 3) else stop
        lines.append(line[start:stop].rstrip())
        start = stop
        while line[start : start + 1] == " ":
            start += 1
    lines.append(line[start:])
    return lines


def fitting(text: str, start: int, width: int, plain: bool) -> int:
    """Return where a text must break so that it fits a width from `start` on; at least one character on, so that
    wrapping ends. `plain`: each character takes one column."""
    if plain:
        return min(len(text), start + max(1, width))
    taken = 0
    for place in range(start, len(text)):
        taken += character_width(text[place])
        if taken > width:
            return max(start + 1, place)
    return len(text)


def clipped(text: str, width: int) -> str:
    """Return the beginning of a text that fits a width; at least one character."""
    return text[: fitting(text, 0, width, text.isascii())]


def indented(lines: Iterable[str], first: str, rest: str | None = None) -> list[str]:
    """Return lines behind a first mark, the following ones below its text."""
    rest = " " * width_of(first) if rest is None else rest
    return [(rest if number else first) + line for number, line in enumerate(lines)]


def paragraph(text: str, width: int, first: str = "", limit: int | None = None) -> list[str]:
    """Return text wrapped behind a first mark, `width` columns in all; past `limit` lines it ends in "…"."""
    room = width - width_of(first)
    lines = wrapped(text, room, limit)
    whole = whole_clauses(text, lines) if limit is not None else text
    return indented(lines if whole == text else wrapped(f"{whole} …", room, limit), first)


CLAUSE_END = re.compile(r"(?<=[.;]) ")
LEAST_KEPT = 3
"""A third of what fits must be left where a clause is left out."""


def whole_clauses(text: str, lines: Sequence[str]) -> str:
    """Return the beginning of a text that its cut lines hold without a clause of which they lack a number: one of two
    numbers that are to be compared misleads."""
    shown = sum(len(line) for line in lines) + len(lines) - 1  # the "…" stands for what is left out
    if not lines or not lines[-1].endswith("…") or shown > len(text):
        return text
    ends = [found.start() for found in CLAUSE_END.finditer(text)]
    before = max((end for end in ends if end < shown), default=0)
    opened = text.rfind(" (", 0, shown)
    if opened > max(before, text.rfind(")", 0, shown)):
        before = opened
    after = next((end for end in ends if end >= shown), len(text))
    torn = any(map(str.isdigit, text[shown - 1 : after]))
    return text[:before].rstrip(";") if torn and LEAST_KEPT * before >= shown else text


def filled_lines(parts: Iterable[str], width: int, first: str) -> list[str]:
    """Return short parts on as few lines as hold them, two spaces apart, none broken where it fits on a line."""
    lines: list[str] = []
    for part in parts:
        joined = f"{lines[-1]}  {part}" if lines else ""
        if joined and width_of(first + joined) <= width:
            lines[-1] = joined
        else:
            lines += wrapped(part, width - width_of(first))
    return [first + line for line in lines]


def side_by_side(left: Sequence[str], right: Sequence[str], width: int) -> list[str]:
    """Return two columns of lines, each at most (width - 3) // 2 columns wide."""
    half = (width - 3) // 2
    rows = max(len(left), len(right))
    both = [(left[n] if n < len(left) else "", right[n] if n < len(right) else "") for n in range(rows)]
    return [f"{padded(a, half)} │ {b}".rstrip() for a, b in both]


class Ink:
    """Styles for a terminal, or plain text where colour may not be."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, style: str) -> str:
        """Return text in a style of STYLES; unknown styles and plain output leave it as it is."""
        if not self.colour or style not in STYLES or not text:
            return text
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m"
