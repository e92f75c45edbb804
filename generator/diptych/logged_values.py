"""Logged values as they are meant: numbers that were written as texts, generation arguments under one name."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from diptych.sample_log import Json, Request

BUDGETS = ("max_gen_toks", "max_tokens", "max_new_tokens", "max_completion_tokens")
"""Names under which back ends keep the most tokens of an answer: one argument, whatever its name."""


def agree(a: Json, b: Json) -> bool:
    """Say whether two values are the same, where one side may have written numbers as texts."""
    if type(a) is type(b):
        if isinstance(a, list):
            return len(a) == len(b) and all(map(agree, a, b))
        if isinstance(a, dict):
            return a.keys() == b.keys() and all(agree(value, b[key]) for key, value in a.items())
        return bool(a == b)
    return bool(plain_value(a) == plain_value(b))


def plain_value(value: Json) -> Json:
    """Return a value with numbers and truth values that were written as texts as what they are."""
    if isinstance(value, list):
        return [plain_value(item) for item in value]
    if isinstance(value, dict):
        return {key: plain_value(item) for key, item in value.items()}
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


def unmeasured(numbers: Sequence[float], lone: bool) -> str:
    """Return what makes an item's log-likelihoods no measurement, "" where they are one.

    One that is minus infinity is a choice that cannot be; where all are, nothing was told apart. `lone`: so for one.
    """
    if any(number != number for number in numbers):
        return "NaN"
    if math.inf in numbers:
        return "infinity"
    least = all(number == -math.inf for number in numbers)
    return "minus infinity for every choice" if least and len(numbers) > (0 if lone else 1) else ""


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
        found["max_gen_toks" if key in BUDGETS else key] = plain_value(value)
    return found
