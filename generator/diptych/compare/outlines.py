"""Requests compared as raw bytes where all prompts of a task differ in one way: known edits need no decoding."""

from functools import cache
from re import Pattern
from typing import NamedTuple

from diptych.compare.edits import Edit

KEPT = 4096
QUOTE, BACKSLASH = b'"', 0x5C


class Outline(NamedTuple):
    """Raw requests of one item: the first prompt, and the rest with that prompt taken out wherever it stands."""

    prompt: bytes
    rest: bytes

    @property
    def listed(self) -> bool:
        """Whether the prompt was sent as a list of messages."""
        return self.prompt.startswith(b"[{")


class Sent(NamedTuple):
    """How the requests of one item differ: their prompts, their continuations (`spaced`: by white space), arguments."""

    edit: Edit
    choices: bool = False
    spaced: bool = False
    arguments: tuple[str, ...] = ()


class KnownEdits:
    """What was found out about differing requests, by their raw difference."""

    def __init__(self) -> None:
        self.found: dict[int, Sent] = {}

    def get(self, key: int | None) -> Sent | None:
        """Return what is known of a raw difference."""
        return None if key is None else self.found.get(key)

    def keep(self, key: int | None, sent: Sent) -> Sent:
        """Remember what was found out."""
        if key is not None:
            if len(self.found) >= KEPT:
                self.found.clear()
            self.found[key] = sent
        return sent


def outline(raw: bytes) -> Outline | None:
    """Return the outline of raw requests, None where their first text is not where it should be."""
    match = head_pattern().match(raw)
    if match is None:
        return None
    start = match.end()
    end = raw.find(QUOTE, start)
    while end > 0 and is_escaped(raw, end):
        end = raw.find(QUOTE, end + 1)
    if end < 0:
        return None
    prompt = raw[start:end]
    return Outline(prompt, raw.replace(QUOTE + prompt + QUOTE, b'"\0"'))


@cache
def head_pattern() -> Pattern[bytes]:
    """Return the expression for all that stands in front of the first text of a JSON value."""
    import re

    return re.compile(rb'[\s\[{]*(?:"\w*":[\s\[{]*)*"')


def is_escaped(raw: bytes, place: int) -> bool:
    """Say whether an odd number of backslashes stands before a place."""
    before = place
    while before > 0 and raw[before - 1] == BACKSLASH:
        before -= 1
    return bool((place - before) % 2)


def raw_key(a: Outline, b: Outline) -> int | None:
    """Return a name for a raw difference that items may share: one prompt is the other with something around it."""
    rests = (True,) if a.rest == b.rest else (a.rest, b.rest)
    for way, inner, outer in ((0, a.prompt, b.prompt), (1, b.prompt, a.prompt)):
        place = outer.find(inner)
        if place >= 0 and not is_escaped(outer, place):
            return hash((way, a.listed, b.listed, outer[:place], outer[place + len(inner) :], rests))
    return None
