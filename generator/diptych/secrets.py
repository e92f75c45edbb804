"""Keep secrets in: what diptych was given, and what looks like a secret, leaves in no text, no page, no error.

`remember` holds each secret that came by an option, the environment, an address or a header. `masked` takes those out
of any text, whoever wrote it, and stands at every way out: storage, the terminal, errors, artifacts. `mask` and
`mask_text` know shapes as well: for settings, commands and messages, where a changed word changes no measurement.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from diptych.secret_patterns import (
    DATA_KEYS,
    KEY_OWNERS,
    KEY_WORDS,
    NAME_TAILS,
    NAMED,
    OPTION,
    PLACEHOLDERS,
    SECRET_ENDINGS,
    SECRET_PAIRS,
    SECRET_PLURALS,
    SECRET_WORDS,
    SPANS,
    STRONG_WORDS,
    TOKENIZER_WORDS,
    TOLD_WORDS,
    UNNAMED,
    WEAK_WORDS,
)

Json = Any

MASK = "***"
SHORTEST = 6
"""Signs of the shortest secret that is looked for by its value: a shorter one stands in every other word."""


TELLING = re.compile("|".join(KEY_WORDS), re.IGNORECASE)


class Given:
    """The secrets that this process was given, and one pattern of every way in which a text may hold them."""

    def __init__(self) -> None:
        self.values: set[str] = set()
        self.text: re.Pattern[str] | None = None
        self.data: re.Pattern[bytes] | None = None


GIVEN = Given()


def remember(*values: str | None) -> None:
    """Hold secrets, to be masked from here on in whatever leaves the process."""
    new = {value.strip() for value in values if value and len(value.strip()) >= SHORTEST}
    new = {value for value in new if not is_placeholder(value)} - GIVEN.values
    if new:
        GIVEN.values |= new
        ways = sorted({way for value in GIVEN.values for way in written(value)}, key=lambda way: (-len(way), way))
        pattern = "|".join(map(re.escape, ways))
        GIVEN.text = re.compile(pattern)
        GIVEN.data = re.compile(pattern.encode("utf-8", "surrogateescape"))


def remember_environment(environ: Mapping[str, str]) -> None:
    """Hold every secret of the environment: by its name, or as part of an address."""
    for name, value in environ.items():
        if is_secret_key(name) and len(value) >= 8 and not value.startswith(("/", "./", "~")):
            remember(value)
        elif "://" in value:
            remember_address(value)


def remember_address(address: str | None) -> None:
    """Hold the secrets that an address carries: its user's name and password, and secret parts of its query."""
    from urllib.parse import parse_qsl, unquote, urlsplit

    try:
        parts = urlsplit(address or "")
        query = parse_qsl(parts.query)
    except ValueError:
        return
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    remember(*(each for each in (password, unquote(password)) if each))
    if len(user) >= 16 or not password:
        remember(user)
    remember(*(value for name, value in query if mask_text(f"?{name}={value}")[1]))


def remember_headers(headers: Mapping[str, str]) -> None:
    """Hold the secrets that headers carry, without the word for their scheme."""
    for name, value in headers.items():
        if is_secret_key(name) or mask_text(f"{name}: {value}")[1]:
            remember(value, value.rpartition(" ")[2])


def written(secret: str) -> Iterable[str]:
    """Yield every way in which a text may hold a secret: plain, in JSON, HTML, an address, Python or base64."""
    import base64
    import html
    import json
    from urllib.parse import quote, quote_plus

    yield from (secret, html.escape(secret), repr(secret)[1:-1], html.escape(secret, quote=False))
    for ascii_only in (True, False):
        yield json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
    data = secret.encode("utf-8", "surrogateescape")
    yield from (quote(data, safe=""), quote(data), quote_plus(data))
    for before in range(3):  # base64 of a text that holds it somewhere: what does not depend on its neighbours
        coded = base64.b64encode(b"\0" * before + data).decode()
        inner = coded[(0, 2, 3)[before] : len(data + b"\0" * before) // 3 * 4]
        if len(inner) >= 8:
            yield from (inner, inner.translate({ord("+"): "-", ord("/"): "_"}))


def masked(text: str) -> str:
    """Return a text without any secret that diptych was given."""
    return GIVEN.text.sub(MASK, text) if GIVEN.text else text


def masked_bytes(data: bytes) -> bytes:
    """Return bytes without any secret that diptych was given."""
    return GIVEN.data.sub(MASK.encode(), data) if GIVEN.data else data


def safe(text: str) -> str:
    """Return a message without any secret, given or by its shape."""
    return mask_text(text)[0]


def words_of(key: str) -> list[str]:
    """Return the words of a key in small letters; `clientSecret` and `client-secret` are two."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", " ", key)
    return apart.lower().split()


def name_of(key: str) -> list[str]:
    """Return the words of a key without what says nothing of it: a number, or `prod` and its like, at its end.

    What may be no secret keeps it: `pass@1` is a score.
    """
    words = words_of(key)
    bare = list(words)
    while len(bare) > 1 and (bare[-1].isdigit() or bare[-1] in NAME_TAILS):
        bare.pop()
    if bare:
        bare[-1] = bare[-1].rstrip("0123456789") or bare[-1]
    return words if not bare or bare[-1] in WEAK_WORDS else bare


@lru_cache(4096)  # a list of a million numbers asks a million times
def is_secret_key(key: str) -> bool:
    """Say whether a key's name alone says that its value is a secret."""
    if not TELLING.search(key):
        return False
    words = name_of(key)
    if words and words[-1] in ("keys", "tokens") and not (KEY_OWNERS - {"shared", "storage"}).isdisjoint(words[:-1]):
        return True
    if words and words[-1] in SECRET_PLURALS:
        return True
    if not words or (words[-1] == "token" and not TOKENIZER_WORDS.isdisjoint(words[:-1])):
        return False
    if words[-1] in SECRET_WORDS or words[-1].endswith(SECRET_ENDINGS) or " ".join(words[-2:]) in SECRET_PAIRS:
        return True
    return words[-1] == "key" and not KEY_OWNERS.isdisjoint(words[:-1])


def holds_secret(key: str, value: Json) -> bool:
    """Say whether a key's value is a secret, by the key's name and, where that does not tell, the value's looks."""
    if not is_secret_key(key):
        words = words_of(key) if key[-3:].lower() == "key" else [""]
        if TELLING.search(key) and looks_issued(value):
            told = set(words_of(key))
            if not told.isdisjoint(STRONG_WORDS) and told.isdisjoint(TOLD_WORDS | TOKENIZER_WORDS):
                return True  # a name that ends in whose it is: `AWS_BEARER_TOKEN_BEDROCK`
        if words[-1] != "key" or not DATA_KEYS.isdisjoint(words[:-1]):
            return False
        return looks_random(value) or (len(words) == 1 and looks_chosen(value))
    last = name_of(key)[-1]
    if last in ("keys", "tokens"):
        return isinstance(value, str)  # a number is how many there are
    if last not in WEAK_WORDS:
        return True
    return isinstance(value, str) and not value.startswith(("/", ".", "~")) and not value.replace(".", "").isdigit()


def is_placeholder(value: str) -> bool:
    """Say whether a value only stands where a secret would: an unset one, a switch, the name of a variable."""
    return value.lower() in PLACEHOLDERS or value.startswith(("$", "<", "{{"))


def looks_random(value: Json) -> bool:
    """Say whether a value is one long word of letters and digits, as a key to a store is."""
    return (
        isinstance(value, str)
        and len(value) >= 16
        and not any(sign.isspace() for sign in value)
        and any(sign.isdigit() for sign in value)
        and any(sign.isalpha() for sign in value)
        and "/" not in value.strip("/")[:8]
    )


def looks_issued(value: Json) -> bool:
    """Say whether a value is one long word of small letters, capitals and digits: no hash and no name is."""
    return looks_random(value) and len(value) >= 20 and not (value.islower() or value.isupper())


def looks_chosen(value: Json) -> bool:
    """Say whether a value is one short word of small letters, capitals and digits: no name of a field is."""
    return (
        isinstance(value, str)
        and len(value) >= 8
        and value.isascii()
        and value.isalnum()
        and not (value.islower() or value.isupper() or value[:-2].isalpha())
    )


def mask_text(text: str) -> tuple[str, int]:
    """Return a text with every secret in it masked, and how many there were."""
    found = 0
    if GIVEN.text:
        text, found = GIVEN.text.subn(MASK, text)
    if len(text) < SHORTEST:
        return text, found
    text, count = by_shape(text) if len(text) < 200 else by_shape.__wrapped__(text)
    return text, found + count


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


def mask_options(text: str) -> tuple[str, int]:
    """Return a text with the words after secret options in it masked, and how many there were."""

    def names_secret(match: re.Match[str]) -> bool:
        return not is_placeholder(match["value"]) and holds_secret(match["key"], match["value"])

    return mask_values(text, re.compile(OPTION, re.IGNORECASE), names_secret)


LONG_VALUE = 400
"""Signs of a value that is not looked through for another name: each would be read again from every name in it."""


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


SCHEMES = ("bearer", "basic", "apikey", "api-key", "digest", "negotiate", "bot", "splunk", "sharedkey", "%20")


TELLS_NOTHING = frozenset((int, float, bool, type(None)))
"""Types whose values are secrets under the name of one alone."""


def mask(value: Json, key: str = "") -> tuple[Json, int]:
    """Return a JSON value with every secret in it masked, and how many there were."""
    if not isinstance(value, str | list | dict):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return (MASK, 1) if number and is_secret_key(key) and holds_secret(key, value) else (value, 0)
    secret = bool(key) and (holds_secret(key, value) if isinstance(value, str) else is_secret_key(key))
    if isinstance(value, str):
        if not secret:
            return mask_text(value)
        return (value, 0) if is_placeholder(value) else (MASK, 1)
    if isinstance(value, list):
        if not secret and TELLS_NOTHING.issuperset(map(type, value)):
            return value, 0  # there may be millions
        # a list of arguments names a secret one place before it
        flags = ["", *(item.lstrip("-") if isinstance(item, str) and item[:1] == "-" else "" for item in value[:-1])]
        parts = [mask(item, flag or key) for item, flag in zip(value, flags, strict=bool(value))]
        return [part for part, _ in parts], sum(count for _, count in parts)
    hidden: dict[str, Json] = {}
    total = 0
    for name, item in value.items():
        safe_name, in_name = mask_text(name)
        hidden[safe_name], in_value = mask(item, key if secret else name)
        total += in_name + in_value
    return hidden, total
