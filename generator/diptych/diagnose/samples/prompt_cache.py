"""Requests compared as raw bytes where all prompts of a task differ in one way: known edits need no decoding."""

from functools import cache
from re import Pattern

from diptych.diagnose.samples.prompt_edits import Edit
from diptych.nouns import NamedTuple

KEPT = 4096
QUOTE, BACKSLASH, HERE = b'"', 0x5C, b"\0"


class Outline(NamedTuple):
    """Raw requests of one item, their first prompt, where it begins, and the mark that it stands behind."""

    raw: bytes
    prompt: bytes
    start: int
    mark: bytes

    @property
    def listed(self) -> bool:
        """Whether the prompt was sent as a list of messages."""
        return self.prompt.startswith(b"[{")

    def with_prompt(self, prompt: bytes) -> bytes:
        """Return the requests with another prompt wherever the first one stands behind its mark."""
        raw, mark, quoted = self.raw, self.mark, self.prompt + QUOTE
        parts, place, start = [], 0, self.start
        while True:
            if raw.startswith(quoted, start):
                parts += [raw[place:start], prompt, QUOTE]
                start = place = start + len(quoted)
            start = raw.find(mark, start) + len(mark)
            if start < len(mark):
                return b"".join(parts) + raw[place:]


class Sent(NamedTuple):
    """How the requests of one item differ: their prompts, their continuations, their arguments.

    `spaced`: the continuations differ by white space only; `reordered`: they are the same ones in another order.
    """

    edit: Edit
    choices: bool = False
    spaced: bool = False
    arguments: tuple[str, ...] = ()
    reordered: bool = False


class Around(NamedTuple):
    """A raw difference that items may share: one side's prompt (B's where `way` is 0) is the other's with more around.

    `rests` is (True,) where nothing but the prompts differs.
    """

    way: int
    listed: tuple[bool, bool]
    before: bytes
    behind: bytes
    rests: tuple[bool | bytes, ...]


class KnownEdits:
    """What was found out about differing requests, by their raw difference."""

    def __init__(self) -> None:
        self.found: dict[int, Sent] = {}
        self.last: tuple[Around, Sent] | None = None

    def get(self, around: Around | None) -> Sent | None:
        """Return what is known of a raw difference."""
        return None if around is None else self.found.get(hash(around))

    def keep(self, around: Around | None, sent: Sent) -> Sent:
        """Remember what was found out."""
        if around is not None:
            if len(self.found) >= KEPT:
                self.found.clear()
            self.found[hash(around)] = sent
            if around.rests == (True,):
                self.last = around, sent
        return sent

    def again(self, raw_a: bytes, raw_b: bytes) -> tuple[Around, Sent] | None:
        """Return the last raw difference where this item's is the same: half the price of looking for one."""
        if self.last is None:
            return None
        around = self.last[0]
        inner, outer = (raw_b, raw_a) if around.way else (raw_a, raw_b)
        found = outline(inner)
        if found is None or found.listed != around.listed[around.way]:
            return None
        same = found.with_prompt(around.before + found.prompt + around.behind) == outer
        return self.last if same else None


def outline(raw: bytes) -> Outline | None:
    """Return the outline of raw requests, None where their first text is not where it should be."""
    match = head_pattern().match(raw)
    if match is None:
        return None
    start = match.end()
    end = end_of_text(raw, start)
    if end < 0:
        return None
    mark = raw[max(raw.rfind(b"{", 0, start), raw.rfind(b"[", 0, start), 0) : start]
    return Outline(raw, raw[start:end], start, mark)


def end_of_text(raw: bytes, start: int) -> int:
    """Return the place of the quotation mark that ends the text which begins at `start`, -1 where none does."""
    while (match := end_pattern().search(raw, start)) is not None:
        if not is_escaped(raw, match.start()):
            return match.start()
        start = match.start() + 1
    return -1


@cache
def end_pattern() -> Pattern[bytes]:
    """Return the expression for the end of a text in a list or object; inside a text its marks are escaped."""
    import re

    return re.compile(rb'"(?:, "|, \{|\]|\})')


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


def around_of(a: Outline, b: Outline) -> Around | None:
    """Return the raw difference of two outlines where one prompt is the other with something around it."""
    for way, inner, outer in ((0, a, b), (1, b, a)):
        place = place_of(inner.prompt, outer.prompt)
        if place >= 0 and not is_escaped(outer.prompt, place):
            # nearly always that is all: the requests of one side are those of the other with its prompt
            alike = inner.with_prompt(outer.prompt) == outer.raw
            rests = (True,) if alike else (a.with_prompt(HERE), b.with_prompt(HERE))
            before, behind = outer.prompt[:place], outer.prompt[place + len(inner.prompt) :]
            return Around(way, (a.listed, b.listed), before, behind, rests)
    return None


def place_of(inner: bytes, outer: bytes) -> int:
    """Return where a long text stands in another, -1 where it does not; looks for its beginning, which costs less."""
    beginning = inner[:64]
    place = outer.find(beginning)
    while place >= 0 and not outer.startswith(inner, place):
        place = outer.find(beginning, place + 1)
    return place


def is_too_long(raw: bytes, most: int | None) -> bool:
    """Say whether the first prompt has more words than the model takes tokens: a word is one token at least."""
    if most is None or len(raw) < 2 * most:
        return False
    found = outline(raw)
    return found is not None and found.prompt.count(b" ") >= most
