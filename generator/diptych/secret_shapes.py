"""Which parts of a text look like a secret: behind a name or an option, or by a shape that an issuer gave them."""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from diptych.secret_names import KEY_WORDS, holds_secret, is_placeholder, looks_random
from diptych.secret_patterns import NAMED, OPTION, SPANS, UNNAMED

MASK = "***"


@lru_cache(4096)  # the short texts of runs are the same ones again and again
def by_shape(text: str) -> tuple[str, int]:
    """Return a text with everything masked that looks like a secret, and how many there were."""
    found = 0
    lower = text.lower()
    telling, always = first_words()
    if not telling.search(lower):
        for pattern in always:
            text, count = shaped(pattern, text)
            found += count
        return text, found
    named = [word for word in KEY_WORDS if word in lower]
    for words, pattern in SPANS:  # first: a name before one would mask its first word, and leave the rest
        if any(word in lower for word in words):
            text, count = shaped(pattern, text)
            found += count
    if any(gives_value(lower, word) for word in named):
        text, count = mask_named(text)
        found += count
    if named and "--" in text:
        text, count = mask_options(text)
        found += count
    for words, pattern in UNNAMED:
        if any(word in lower for word in words):
            text, count = shaped(pattern, text)
            found += count
    return text, found


def shaped(pattern: str, text: str) -> tuple[str, int]:
    """Return a text with a pattern's matches masked but for what stands before them, and how many there were."""
    return re.subn(pattern, rf"\g<before>{MASK}", text, flags=re.IGNORECASE | re.DOTALL)


@cache
def first_words() -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return what stands in every text that a word tells of, in one pattern, and the patterns that ask for no word."""
    rules = (*SPANS, *UNNAMED)
    told = {*KEY_WORDS, *(word for words, _ in rules for word in words)} - {""}
    return re.compile("|".join(map(re.escape, sorted(told)))), tuple(each for words, each in rules if "" in words)


def gives_value(text: str, word: str) -> bool:
    """Say whether `=` or `:` follows a word in a text, so that a value may stand there."""
    place = text.find(word)
    while place >= 0:
        place += len(word)
        if text[place : place + 16].lstrip("abcdefghijklmnopqrstuvwxyz0123456789\\\"' _-")[:1] in ("=", ":", "%"):
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
        while start and (text[start - 1].isalnum() or text[start - 1] in "_-."):
            start -= 1
        if is_placeholder(value) or not holds_secret(text[start : match.end("key")], value):
            return False
        if "(" in between:  # what a call is given
            return looks_random(value)
        for code, sign in CODED:
            between = between.replace(code, sign)
        plain = between == "=" and not prose
        carried = between.rstrip(" \t").lower().endswith(SCHEMES)
        literal = between[:1] in ("'", '"') and between[-1:] == between[:1]
        return plain or carried or literal or (len(value) >= 8 and any(letter.isdigit() for letter in value))

    return mask_values(text, re.compile(NAMED, re.IGNORECASE), names_secret)


CODED = (("\\", ""), ("%22", '"'), ("%27", "'"), ("%3D", "="), ("%3A", ":"))
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
