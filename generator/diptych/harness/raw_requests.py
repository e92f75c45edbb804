"""Requests as raw bytes: how those of two rows differ where one prompt is the other with something around it."""

from functools import cache
from re import Pattern

from diptych.catalogue.chat_templates import START_TOKENS
from diptych.fast_named_tuple import NamedTuple
from diptych.logged_values import BUDGETS
from diptych.sample_log import RequestDifference

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


def outline(raw: bytes) -> Outline | None:
    """Return the outline of raw requests, None where their first text is not where it should be."""
    start = first_text(raw)
    end = end_of_text(raw, start) if start > 0 else -1
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


USUAL = b'{"gen_args_0": {"arg_0": "'
"""How the harness begins requests."""


def first_text(raw: bytes) -> int:
    """Return where the first text of a JSON value begins, -1 where it holds something else first."""
    if raw.startswith(USUAL):
        return len(USUAL)
    match = head_pattern().match(raw)
    return match.end() if match else -1


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


def difference_of(a: Outline, b: Outline) -> RequestDifference | None:
    """Return the raw difference of two outlines where one prompt is the other with something around it."""
    for way, inner, outer in ((0, a, b), (1, b, a)):
        place = find_inner(inner.prompt, outer.prompt)
        if place >= 0 and not is_escaped(outer.prompt, place):
            # nearly always that is all: the requests of one side are those of the other with its prompt
            alike = inner.with_prompt(outer.prompt) == outer.raw
            rests = (True,) if alike else (a.with_prompt(HERE), b.with_prompt(HERE))
            before, behind = outer.prompt[:place], outer.prompt[place + len(inner.prompt) :]
            return RequestDifference(way, (a.listed, b.listed), before, behind, rests)
    return None


def find_inner(inner: bytes, outer: bytes) -> int:
    """Return where a long text stands in another, -1 where it does not; looks for its beginning, which costs less."""
    beginning = inner[:64]
    place = outer.find(beginning)
    while place >= 0 and not outer.startswith(inner, place):
        place = outer.find(beginning, place + 1)
    return place


def exceeds(raw: bytes, most: int | None) -> bool:
    """Say whether the first prompt has more words than the model takes tokens: a word is one token at least."""
    if most is None or len(raw) < 2 * most:
        return False
    found = outline(raw)
    return found is not None and found.prompt.count(b" ") >= most


def start_of(raw: bytes) -> str:
    """Return the start tokens at the beginning of the first text in a raw JSON value."""
    start = place = first_text(raw)
    if start < 0 or not raw.startswith(RAW_STARTS, start):
        return ""
    while token := next((token for token in RAW_STARTS if raw.startswith(token, place)), b""):
        place += len(token)
    return raw[start:place].decode("utf-8", "replace")


RAW_STARTS = tuple(token.encode("utf-8") for token in START_TOKENS)


def budget_of(raw: bytes) -> int | None:
    """Return the most tokens of an answer; the arguments stand behind the prompt, which may be long."""
    match = budget_pattern().search(raw[-800:])
    return int(match[1]) if match else None


@cache
def budget_pattern() -> Pattern[bytes]:
    """Return the expression for the most tokens of an answer in raw generation arguments."""
    import re

    return re.compile(rb'"(?:' + "|".join(BUDGETS).encode() + rb')":\s*"?(\d{1,15})')
