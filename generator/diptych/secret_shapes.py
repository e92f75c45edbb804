"""Which parts of a text look like a secret: behind a name or an option, or by a shape that an issuer gave them."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise

from diptych.secret_names import KEY_WORDS, Json, holds_secret, is_placeholder, looks_chosen, looks_random
from diptych.secret_patterns import NAMED, OPTION, SPANS, UNNAMED

MASK = "***"


@lru_cache(4096)  # the short texts of runs are the same ones again and again
def by_shape(text: str) -> tuple[str, int]:
    """Return a text with everything masked that looks like a secret, and how many there were."""
    found = 0
    lower = text.lower()
    if not (may_hold(lower) and any(map(lower.__contains__, first_words()))):
        for pattern in for_any_text():
            text, count = shaped(pattern, text)
            found += count
        return text, found
    named = [word for word in KEY_WORDS if word in lower]
    for words, pattern in SPANS:  # first: a name before one would mask its first word, and leave the rest
        if any(map(lower.__contains__, words)):
            text, count = shaped(pattern, text)
            found += count
    if any(gives_value(lower, word) for word in named):
        text, count = mask_named(text)
        found += count
    if named and "--" in text:
        text, count = mask_options(text)
        found += count
    for words, pattern in UNNAMED:
        if any(map(lower.__contains__, words)):
            text, count = shaped(pattern, text)
            found += count
    return text, found


def shaped(pattern: str, text: str) -> tuple[str, int]:
    """Return a text with a pattern's matches masked but for what stands before them, and how many there were."""
    return compiled(pattern).subn(lambda match: (match["before"] or "") + MASK, text)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern as it is searched for."""
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


@cache
def first_words() -> tuple[str, ...]:
    """Return the words of which each text that a word tells of holds one."""
    return tuple(sorted({*KEY_WORDS, *(word for words, _ in (*SPANS, *UNNAMED) for word in words)} - {""}))


@cache
def for_any_text() -> tuple[str, ...]:
    """Return the patterns that ask for no word."""
    return tuple(each for words, each in (*SPANS, *UNNAMED) if "" in words)


@cache
def starts() -> tuple[frozenset[str], frozenset[tuple[str, ...]], frozenset[tuple[str, ...]]]:
    """Return how the first words begin: those of one letter, of two, and the first three of all others."""
    words = first_words()
    two, three = (frozenset(tuple(word[:3]) for word in words if min(len(word), 3) == size) for size in (2, 3))
    return frozenset(word for word in words if len(word) == 1), two, three


def may_hold(text: str) -> bool:
    """Say whether a text holds how one of the first words begins: what most texts do not, at a glance."""
    one, two, three = starts()
    threes = zip(text, text[1:], text[2:], strict=False)
    return not (one.isdisjoint(text) and two.isdisjoint(pairwise(text)) and three.isdisjoint(threes))


def gives_value(text: str, word: str) -> bool:
    """Say whether something stands behind a word in a text by which a value may be given to it."""
    place = text.find(word)
    while place >= 0:
        place += len(word)
        between = text[place : place + 40].lstrip("abcdefghijklmnopqrstuvwxyz0123456789_-.")
        if between[:1] not in ("", "/", "?", ")", "}", ".", "!"):
            return True
        place = text.find(word, place)
    return False


def mask_named(text: str) -> tuple[str, int]:
    """Return a text with the values of secret keys in it masked, and how many there were."""
    # in source code and prose a word after `token =` is mostly a name: there a secret must look like one
    prose = any(mark in text for mark in "\n()")

    def names_secret(match: re.Match[str]) -> bool:
        value, between = match["value"], match["between"]
        start = match.start()
        while start and (text[start - 1].isalnum() or text[start - 1] in "_-.%"):
            start -= 1
        name = text[start : match.end("key")]
        key = re.split("%[0-9a-f]{2}", name, flags=re.IGNORECASE)[-1]
        if is_placeholder(value) or not holds_secret(key, value):
            return False
        if "(" in between:  # what a call is given
            return looks_random(value)
        for code, sign in CODED:
            between = between.replace(code, sign)
        before, behind = text[max(0, start - 6) : start], text[match.end("value") :][:4]
        telling = looks_given(value)
        if not re.search("[=:：]", between):
            return (telling and "|" in between) or given_beside(name, between, value, before, behind)
        plain = (between == "=" or (between == ":" and "-" in name)) and not prose
        carried = between.rstrip(" \t").lower().endswith(SCHEMES)
        return plain or carried or telling or (between[-1:] in ("'", '"') and len(value) > 1)

    return mask_values(text, re.compile(NAMED, re.IGNORECASE), names_secret)


def given_beside(name: str, between: str, value: str, before: str, behind: str) -> bool:
    """Say whether a value is given to the name before it without a sign: in an element, a pair, or behind a space."""
    if ">" in between or "&gt;" in between:
        return between[:1] in QUOTES or before.endswith(("<", "&lt;"))
    if "," in between:  # a pair is all there is in its brackets; a list of words is no pair
        opened = before.rstrip("\\\"'`")[-1:]
        closed = behind.lstrip("\\\"'`")[:1]
        if opened + closed in ("()", "{}"):
            return True
        return opened + closed == "[]" and looks_given(value)
    quoted = between[-1:] in QUOTES
    if quoted and name.lower().endswith(SPOKEN):
        return len(value) >= 4 and " " not in value
    return ("_" in name or quoted) and (looks_random(value) or looks_chosen(value))


def looks_given(value: Json) -> bool:
    """Say whether a value is one word with a digit, and long enough for a password."""
    return isinstance(value, str) and len(value) >= 8 and any(sign.isdigit() for sign in value) and " " not in value


QUOTES = ("'", '"', "`")

SPOKEN = ("password", "passwd", "passphrase", "passcode", "pwd")
"""Ends of names behind which a quoted word is the secret."""

CODED = (
    *(("\\u003a", ":"), ("\\u003d", "="), ("\\", ""), ("%22", '"'), ("%27", "'"), ("%3D", "="), ("%3A", ":")),
    *(("&quot;", '"'), ("&#34;", '"'), ("&apos;", "'"), ("&#39;", "'"), ("&#x27;", "'")),
)
"""What stands for a sign between a name and its value, in a text inside a text."""

SCHEMES = ("bearer", "basic", "apikey", "api-key", "digest", "negotiate", "bot", "splunk", "sharedkey", "%20")


def mask_options(text: str) -> tuple[str, int]:
    """Return a text with the words after secret options in it masked, and how many there were."""

    def names_secret(match: re.Match[str]) -> bool:
        return not is_placeholder(match["value"]) and holds_secret(match["key"], match["value"])

    return mask_values(text, re.compile(OPTION, re.IGNORECASE), names_secret)


def mask_values(text: str, pattern: re.Pattern[str], chosen: Callable[[re.Match[str]], bool]) -> tuple[str, int]:
    """Return a text with each chosen match's value masked; in a value that is not chosen another name may stand."""
    parts, done, place, found = [], 0, 0, 0
    while match := pattern.search(text, place):
        place = match.end("key" if match.end() - match.end("key") < LONG_VALUE else "value")
        if chosen(match):
            parts += [text[done : match.start("value")], MASK]
            done = place = match.end("value")
            found += 1
    return "".join(parts) + text[done:], found


LONG_VALUE = 400
"""Signs of a value that is not looked through for another name: each would be read again from every name in it."""
