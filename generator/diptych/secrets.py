"""Keep secrets in: what diptych was given, and what looks like a secret, leaves in no text, no page, no error.

`remember` holds each secret that came by an option, the environment, an address or a header. `masked` takes those out
of any text, whoever wrote it, and stands at every way out: storage, the terminal, errors, artifacts. `mask` and
`mask_text` know shapes as well: for settings, commands and messages, where a changed word changes no measurement.
"""

import re
from collections.abc import Iterable, Mapping

from diptych.secret_names import Json, holds_secret, is_placeholder, is_secret_key
from diptych.secret_shapes import MASK as MASK
from diptych.secret_shapes import by_shape, looks_given

SHORTEST = 6
"""Signs of the shortest secret that is looked for by its value: a shorter one stands in every other word."""


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
        ways = sorted({way for value in GIVEN.values for way in spellings(value)}, key=lambda way: (-len(way), way))
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


def spellings(secret: str) -> Iterable[str]:
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


def mask_text(text: str) -> tuple[str, int]:
    """Return a text with every secret in it masked, and how many there were."""
    found = 0
    if GIVEN.text:
        text, found = GIVEN.text.subn(MASK, text)
    if len(text) < SHORTEST:
        return text, found
    text, count = by_shape(text) if len(text) < 200 else by_shape.__wrapped__(text)
    return text, found + count


TELLS_NOTHING = frozenset((int, float, bool, type(None)))
"""Types whose values are secrets under the name of one alone."""


def mask(value: Json, key: str = "") -> tuple[Json, int]:
    """Return a JSON value with every secret in it masked, and how many there were; itself where it holds none."""
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
        # a list of arguments names a secret one place before it, and so does a pair
        pair = len(value) == 2 and looks_given(value[1])
        naming = (isinstance(item, str) and (pair or item[:1] == "-") for item in value[:-1])
        flags = ["", *(item.lstrip("-") if names else "" for names, item in zip(naming, value, strict=False))]
        parts = [mask(item, flag or key) for item, flag in zip(value, flags, strict=bool(value))]
        count = sum(count for _, count in parts)
        return ([part for part, _ in parts], count) if count else (value, 0)
    hidden: dict[str, Json] = {}
    total = 0
    named = value.get("name", value.get("key"))  # {"name": "TOKEN", "value": …}
    told = isinstance(named, str) and holds_secret(named, value.get("value"))
    for name, item in value.items():
        safe_name, in_name = mask_text(name)
        holder = key if secret else str(named) if told and name == "value" else name
        hidden[safe_name], in_value = mask(item, holder)
        total += in_name + in_value
    return (hidden, total) if total else (value, 0)  # without a copy: a results file may be large
