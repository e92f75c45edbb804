"""Logged JSON values as raw bytes: compared as they stand, decoded where that is not enough."""

import json
import math
from functools import cache
from re import Pattern

from diptych.bounded_json import DEPTH, too_deep
from diptych.logged_values import agree
from diptych.run import Json

LONGEST_SHOWN = 40
"""Characters of a value that a message shows."""


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


def log_likelihoods_in(raw: bytes) -> list[float]:
    """Return the log-likelihood of each request from raw responses: the first number of each entry, NaN for none."""
    found = number_pattern().findall(raw)
    # one number a request, each behind two brackets; anything else is decoded
    if len(found) != raw.count(b"[["):
        return request_loglikelihoods(decoded(raw))
    return list(map(float, found))


@cache
def number_pattern() -> Pattern[bytes]:
    """Return the expression for the first number of each entry of raw responses."""
    import re

    return re.compile(rb'\[\["?(-?(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|inf|nan|Infinity|NaN))"?[,\]]')


def request_loglikelihoods(value: Json) -> list[float]:
    """Return the log-likelihood of each request from decoded responses, NaN for what is no number."""
    numbers = [number_of(first_of(entry)) for entry in (value if isinstance(value, list) else ())]
    return [math.nan if number is None else number for number in numbers]


def loglikelihood_damage(value: Json, requests: int) -> str:
    """Return what stands where decoded responses should hold a log-likelihood a request, "" where they do.

    The harness writes a number or its text, NaN and infinite ones among them.
    """
    if not isinstance(value, list) or not value:
        return "no log-likelihoods"
    for entry in value:
        if number_of(first := first_of(entry)) is None:
            return f"{as_shown(first)} is no log-likelihood"
    return "" if len(value) >= requests else f"{len(value)} log-likelihoods for {requests} requests"


def first_of(entry: Json) -> Json:
    """Return what stands first in the answers to one request: they are a list, and each may be a pair."""
    for _ in range(2):
        if isinstance(entry, list) and entry:
            entry = entry[0]
    return entry


def number_of(value: Json) -> float | None:
    """Return the number that a value is or spells, None where there is none; it may be NaN or infinite."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def as_shown(value: Json) -> str:
    """Return a value as a message shows it."""
    return json.dumps(value, ensure_ascii=False)[:LONGEST_SHOWN]
