"""Logged values as they are meant: raw JSON decoded, numbers that were written as texts, arguments under one name."""

import json
import math
from collections.abc import Mapping
from functools import cache
from re import Pattern
from typing import Any

from diptych.bounded import DEPTH, too_deep
from diptych.diagnose.samples.responses import plain_words
from diptych.run import Json, Request

BUDGETS = ("max_gen_toks", "max_tokens", "max_new_tokens", "max_completion_tokens")
"""Names under which back ends keep the most tokens of an answer: one argument, whatever its name."""

NAN = float("nan")


@cache
def budget_pattern() -> Pattern[bytes]:
    """Return the expression for the most tokens of an answer in raw generation arguments."""
    import re

    return re.compile(rb'"(?:' + "|".join(BUDGETS).encode() + rb')":\s*"?(\d{1,15})')


def decoded(raw: bytes) -> Json:
    """Return a JSON value, or None where the bytes are damaged, or nest more deeply than any answer."""
    try:
        value = json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return None if raw.count(b"[") + raw.count(b"{") > DEPTH and too_deep(value) else value


def same_json(a: bytes, b: bytes) -> bool:
    """Say whether two raw JSON values are the same, be they written differently."""
    return a == b or (not numbers_apart(a, b) and agree(decoded(a), decoded(b)))


def numbers_apart(a: bytes, b: bytes) -> bool:
    """Say whether two lists differ for certain, since other numbers stand in them: a third of the price of decoding."""
    if not (a.startswith(b"[") and b.startswith(b"[")) or any(mark in raw for raw in (a, b) for mark in (b"{", b"\\")):
        return False
    try:
        return list(map(float, digits_pattern().findall(a))) != list(map(float, digits_pattern().findall(b)))
    except ValueError:
        return False


@cache
def digits_pattern() -> Pattern[bytes]:
    """Return the expression for what may be a number."""
    import re

    return re.compile(rb"-?\d[\d.]*(?:[eE][-+]?\d+)?")


def agree(a: Json, b: Json) -> bool:
    """Say whether two values are the same, where one side may have written numbers as texts."""
    if type(a) is type(b):
        if isinstance(a, list):
            return len(a) == len(b) and all(map(agree, a, b))
        if isinstance(a, dict):
            return a.keys() == b.keys() and all(agree(value, b[key]) for key, value in a.items())
        return bool(a == b)
    return bool(plain(a) == plain(b))


def plain(value: Json) -> Json:
    """Return a value with numbers and truth values that were written as texts as what they are."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, str):
        return scalar(value)
    return value


def scalar(text: str) -> Json:
    """Return the number or truth value that a text spells, else the text."""
    if text in ("True", "False"):
        return text == "True"
    if not text or text[-1] not in "0123456789.fnyFNY":
        return text
    try:
        number = float(text)
    except ValueError:
        return text
    return text if math.isnan(number) else number


def numbers_in(raw: bytes) -> list[float]:
    """Return the log-likelihood of each request from raw responses: the first number of each entry."""
    found = number_pattern().findall(raw)
    # one number a request, each behind two brackets; anything else is decoded
    if len(found) != raw.count(b"[["):
        return numbers_of(decoded(raw))
    numbers = list(map(float, found))
    # a sum is finite where all of them are
    return numbers if math.isfinite(sum(numbers)) else list(map(usable, numbers))


@cache
def number_pattern() -> Pattern[bytes]:
    """Return the expression for the first number of each entry of raw responses."""
    import re

    return re.compile(rb'\[\["?(-?(?:\d[-+.\deE]*|inf|nan|Infinity|NaN))"?[,\]]')


def usable(number: float) -> float:
    """Return a finite number, the least one for what is none."""
    return number if math.isfinite(number) else NO_NUMBER


def numbers_of(value: Json) -> list[float]:
    """Return the log-likelihood of each request from decoded responses."""
    found = []
    for entry in value if isinstance(value, list) else ():
        while isinstance(entry, list) and entry:
            entry = entry[0]
        number = scalar(entry) if isinstance(entry, str) else entry
        found.append(usable(float(number)) if isinstance(number, (int, float)) else NO_NUMBER)
    return found


NO_NUMBER = -1e300
"""Stands for minus infinity and for what is no number: the least likely answer."""


def choice_of(numbers: list[float]) -> tuple[int, float]:
    """Return the likeliest answer and its lead over the next."""
    if len(numbers) < 2:
        return -1, NAN
    ordered = sorted(numbers)
    best = ordered[-1]
    return numbers.index(best), best - ordered[-2]


def first_text(value: Json) -> str:
    """Return the first answer of an item as text."""
    while isinstance(value, list):
        value = value[0] if value else ""
    return value if isinstance(value, str) else "" if value is None else str(value)


def form_of(value: Json) -> str:
    """Return what is left of a filtered answer without case, spaces, punctuation and markup."""
    return plain_words(first_text(value))


def may_be_nothing(raw: bytes) -> bool:
    """Say cheaply whether a filtered answer can mean that nothing was found."""
    return len(raw) < 8 or b"[invalid]" in raw or b"[fallback]" in raw


def stripped(text: str | None) -> str:
    """Return a continuation without the white space around it."""
    return (text or "").strip()


def differing_arguments(a: Request, b: Request) -> list[str]:
    """Return the generation arguments whose effective values differ."""
    left, right = canonical(a.arguments or {}), canonical(b.arguments or {})
    return [key for key in {**left, **right} if left.get(key) != right.get(key)]


def canonical(arguments: Mapping[str, Json]) -> dict[str, Any]:
    """Return arguments with one name for the budget, numbers as numbers, and lists of one as their item."""
    found = {}
    for key, value in arguments.items():
        if isinstance(value, (list, tuple)):
            value = sorted(map(str, value))
        elif key == "until":
            value = [str(value)]
        found["max_gen_toks" if key in BUDGETS else key] = plain(value)
    return found


def parting(a: str, b: str) -> int:
    """Return how many characters two answers share before they part."""
    limit = min(len(a), len(b))
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[:middle] == b[:middle] else (low, middle - 1)
    return low
