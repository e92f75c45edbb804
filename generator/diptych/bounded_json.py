"""JSON that a stranger wrote, read within bounds: what is deeper, longer or larger than any of ours is no input.

Everything behind a reader then walks, counts and reckons without looking: no depth that ends a recursion, no number
that overflows when it is squared, no digits that take minutes.
"""

import json
import math
import sys
from collections.abc import Callable
from typing import Any

Json = Any

DEPTH = 100
"""Lists and objects within one another: no harness and no artifact comes to a third of it."""

DIGITS = 20
"""Digits of a whole number: those of the largest count, time in nanoseconds or seed."""

LONG = 4_300
"""Digits of a whole number that is only shown: as many as Python reads."""

LONGEST = 1_000
"""Signs of a number with a point."""

FINITE = sys.float_info.max
"""The largest number at all: for what is only shown."""

LARGEST = 1e100
"""No number is larger: its square can still be summed."""


class NotJson(ValueError):
    """A text that is no JSON within the bounds; `line` is where it breaks, where that is known."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why)
        self.line = line


def load_json(
    data: str | bytes,
    *,
    digits: int = DIGITS,
    largest: float = LARGEST,
    constant: Callable[[str], Json] | None = None,
) -> Json:
    """Return the value of a JSON text; a `NotJson` says in few words what is wrong with it.

    NaN and the infinities, which JSON does not know, are refused, or become what `constant` returns. Halves of
    surrogate pairs, which no file can carry, become question marks.
    """

    def whole(text: str) -> int:
        if len(text.removeprefix("-")) > digits:
            raise NotJson(f"a whole number of {len(text)} digits")
        return int(text)

    def real(text: str) -> float:
        value = float(text) if len(text) <= LONGEST else math.inf
        if not -largest <= value <= largest:
            raise NotJson("a number beyond all size")
        return value

    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data.removeprefix("\ufeff")
        value = json.loads(text, parse_int=whole, parse_float=real, parse_constant=constant or no_number)
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8 text (byte {error.start})") from error
    except json.JSONDecodeError as error:
        cut = error.pos >= len(error.doc.rstrip()) - 1 or error.msg.startswith("Unterminated string")
        why = "not JSON: it breaks off before its end" if cut else f"not JSON ({error.msg.lower()})"
        raise NotJson(why, error.lineno) from error
    except RecursionError as error:
        raise NotJson("nests too deeply") from error
    if too_deep(value):
        raise NotJson("nests too deeply")
    return mended(value) if "\\ud" in text or "\\uD" in text else value


def load_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; a `NotJson` says in few words what is wrong with it."""
    import tomllib

    try:
        table = tomllib.loads(text)
    except RecursionError as error:
        raise NotJson("nests too deeply") from error
    except ValueError as error:  # also of Python itself: a whole number of very many digits
        raise NotJson(f"not TOML: {error}"[:200]) from error
    if too_deep(table):
        raise NotJson("nests too deeply")
    return table


LONGEST_WHOLE = 40
"""Digits of a whole number in a harness's file that is kept as one: no count, seed or id has more."""


def parse_bounded(text: str) -> Json:
    """Return the value of a text of JSON as a harness writes it: bare NaN and Infinity, and whole numbers that go on.

    A whole number of more digits than any has becomes the nearest fraction. Raises `ValueError` for what is no JSON
    and `RecursionError` for what nests too deeply: a reader tells by them where to look on.
    """
    value = LENIENT.decode(text)
    if text.count("[") + text.count("{") > DEPTH and too_deep(value):
        raise RecursionError("nests too deeply")
    return value


def nearest_number(text: str) -> int | float:
    """Return the whole number that digits stand for, as a fraction where they are many; a `ValueError` without end."""
    if len(text) > LONGEST:
        raise ValueError("a number of too many digits")
    return int(text) if len(text) <= LONGEST_WHOLE else float(text)


LENIENT = json.JSONDecoder(parse_int=nearest_number)


def whole_number(text: str) -> int | None:
    """Return the whole number that a text of plain digits is, or None: `²` is a digit and no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= DIGITS else None


def no_number(text: str) -> Json:
    """Refuse what JSON does not know and Python reads all the same."""
    raise NotJson(f"{text} is no number")


def too_deep(value: Json, most: int = DEPTH) -> bool:
    """Say whether lists and objects stand deeper in one another than any of ours; gone through level by level."""
    level = [value] if isinstance(value, list | dict) else []
    for _ in range(most):
        if not level:
            return False
        below: list[Json] = []
        for each in level:
            below += each.values() if type(each) is dict else each
        level = [part for part in below if type(part) is dict or type(part) is list]
    return bool(level)


def mended(value: Json) -> Json:
    """Return a value whose texts can be written to a file."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
