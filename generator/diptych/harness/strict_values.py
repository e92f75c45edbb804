"""Values as people's files hold them, made strict: finite JSON, numbers that are numbers, texts that can be written."""

import math
from collections.abc import Callable, Mapping
from operator import is_
from typing import Any

from diptych.bounded_json import LARGEST, LONGEST_WHOLE, parse_bounded
from diptych.run import Json


def parse_harness_json(data: bytes) -> Any:
    """Parse JSON bytes as the harness writes them (bare NaN and Infinity allowed).

    Raises `ValueError` (with `pos` where known) for what is no JSON, and for bytes that are no UTF-8.
    """
    text = data.decode("utf-8-sig")
    value = parse_bounded(text)
    return mend_texts(value) if "\\ud" in text or "\\uD" in text else value


def mend_texts(value: Json) -> Any:
    """Return a value whose texts can be written as UTF-8: a lone surrogate becomes U+FFFD."""
    if isinstance(value, str):
        return mend_text(value)
    if isinstance(value, list):
        return [mend_texts(item) for item in value]
    if isinstance(value, dict):
        return {mend_text(key): mend_texts(item) for key, item in value.items()}
    return value


def mend_text(text: str) -> str:
    """Return a text with each lone surrogate replaced."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def finite(value: Json) -> Any:
    """Return a JSON value with NaN and the infinities as None, at any depth; itself where it holds none."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return changed_within(value, finite)


def changed_within(value: Json, change: Callable[[Json], Json]) -> Json:
    """Return a list or an object with each part changed; itself, without a copy, where no part is."""
    if isinstance(value, list):
        parts = [change(item) for item in value]
        return value if all(map(is_, parts, value)) else parts
    if isinstance(value, dict):
        named = {str(key): change(item) for key, item in value.items()}
        return value if all(map(is_, named.values(), value.values())) and all(map(is_, named, value)) else named
    return value


def score_number(value: Any) -> tuple[float | None, str | None]:
    """Return a score as a float, or None with the reason why it is none."""
    if isinstance(value, bool):
        return None, f"a truth value ({str(value).lower()}), not a number"
    if isinstance(value, int | float):
        try:
            as_float = float(value)
        except OverflowError:
            return None, "larger than a number can be"
        if math.isnan(as_float):
            return None, "NaN"
        if math.isinf(as_float):
            return None, "Infinity" if as_float > 0 else "-Infinity"
        return (as_float, None) if abs(as_float) <= LARGEST else (None, "larger than any score")
    if value is None:
        return None, "null"
    if isinstance(value, str):
        return None, f'the text "{value[:40]}", not a number'
    return None, "a list, not a number" if isinstance(value, list) else "an object, not a number"


def item_value(value: Any) -> float:
    """Return an item's logged metric as a float, NaN where it is no finite number; a truth value is 1 or 0.

    A number may be written as a text: a float of another width than Python's is.
    """
    value = typed_text(value) if isinstance(value, str) else value
    if isinstance(value, int | float):
        try:
            as_float = float(value)
        except OverflowError:
            return math.nan
        return as_float if abs(as_float) <= LARGEST else math.nan
    return math.nan


def typed(value: Json) -> Json:
    """Return an argument in one form, whether it came as text or as JSON: "50" and 50.0 are 50, "True" is true."""
    if isinstance(value, str):
        return typed_text(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, list):
        return [typed(item) for item in value]
    if isinstance(value, dict):
        return {str(key): typed(item) for key, item in value.items()}
    return finite(value)


def version_number(value: int | float | str) -> Json:
    """Return a version as a number where it is one: 1.0 and "1.0" are 1, and "1.10" is not "1.1"."""
    number = typed(value)
    return number if not isinstance(value, str) or value.strip() in (str(number), f"{number}.0") else value


WORDS: dict[str, Json] = {"true": True, "false": False, "none": None, "null": None}


def typed_text(text: str) -> Json:
    """Return the value that an argument's text stands for."""
    word = text.strip()
    if word.lower() in WORDS:
        return WORDS[word.lower()]
    if not word or "_" in word or not (word[0].isdigit() or word[0] in "+-."):
        return text
    try:
        return int(word) if len(word) <= LONGEST_WHOLE else typed(float(word))
    except ValueError:
        pass  # not a whole number: perhaps a fraction, perhaps a text such as a date
    try:
        value = float(word)
    except ValueError:
        return text
    return typed(value) if math.isfinite(value) else text


BRACKETS = (("{", "}"), ("[", "]"), ("(", ")"))


def split_arguments(text: str) -> dict[str, Json]:
    """Return `a=b,c=d` as typed values by key; a piece without a key continues the value before it."""
    stripped = text.strip()
    if stripped.startswith("{"):
        try:
            value = parse_bounded(stripped)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return {str(key): typed(item) for key, item in value.items()}
    pieces: list[list[str]] = []
    for piece in text.split(","):
        key, equals, rest = piece.partition("=")
        if pieces and is_open(pieces[-1][1]):
            pieces[-1][1] += "," + piece
        elif equals and key.strip().replace(".", "_").replace("-", "_").isidentifier():
            pieces.append([key.strip(), rest])
        elif pieces:
            pieces[-1][1] += "," + piece
        elif piece.strip():
            pieces.append([piece.strip(), ""])
    return {key: typed(bare(rest.strip())) for key, rest in pieces}


def is_open(value: str) -> bool:
    """Say whether a value goes on behind a comma: a bracket or its first quotation mark is not closed yet."""
    text = value.strip()
    quoted = text[:1] in ("'", '"') and (len(text) == 1 or text[-1] != text[0])
    return quoted or any(text[0] == left and text.count(left) > text.count(right) for left, right in BRACKETS if text)


def bare(text: str) -> str:
    """Return a value without the quotation marks that a shell left around it."""
    return text[1:-1] if len(text) > 1 and text[0] in ("'", '"') and text[-1] == text[0] else text


def mapping(value: Json) -> Mapping[str, Json]:
    """Return a value that is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Json) -> list[Json]:
    """Return a value that is a list, else an empty one."""
    return value if isinstance(value, list) else []
