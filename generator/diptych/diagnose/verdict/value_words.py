"""The two values of a difference, as a sentence says them."""

import json
from collections.abc import Iterator
from itertools import zip_longest

from diptych.diagnose.settings.merged_tasks import is_by_task
from diptych.diagnose.settings.same_values import same_value
from diptych.diagnose.settings.suspects import Difference
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Json
from diptych.value_text import (
    LONGEST_STRETCH,
    NOT_GIVEN,
    TEMPLATES,
    differing_paths,
    is_hash,
    quoted_stretch,
    setting,
    short_hashes,
)

MOST_PARTS = 2


class Part(NamedTuple):
    """A part of two nested values in which they differ."""

    name: str
    a: Json
    b: Json


class Absent(NamedTuple):
    """The value of a part that a side has not."""


ABSENT = Absent()


def both_values(one: Difference) -> str:
    """Return both values of a difference; of nested ones the parts that differ, by their names."""
    if one.parts:
        each = [one._replace(parts=()), *one.parts]
        shown = [f"{part.key.rpartition('.')[2]}: {both_values(part)}" for part in each[:MOST_PARTS]]
        return ", ".join(shown) + (", …" if len(each) > MOST_PARTS else "")
    if has_named_parts(one.a) and has_named_parts(one.b) and not is_by_task(one.a, one.tasks):
        parts = list(parts_apart(one.a, one.b))
        shown = [f"{part.name}: {' → '.join(both_texts(part))}" for part in parts[:MOST_PARTS] if part.name]
        if shown:
            return ", ".join(shown) + (", …" if len(parts) > MOST_PARTS else "")
    if isinstance(one.a, str) and isinstance(one.b, str):
        a, b = differing_paths(one.a, one.b, LONGEST_STRETCH)
        one = one._replace(a=a, b=b)
    ours, theirs = short_hashes(spoken(one, one.a, one.recorded.a), spoken(one, one.b, one.recorded.b))
    return f"{ours} → {theirs}" if ours != theirs else " → ".join(around_difference(one.a, one.b))


def has_named_parts(value: Json) -> bool:
    """Say whether a value has parts with names of their own."""
    rows = value if isinstance(value, (list, tuple)) else [value]
    return bool(rows) and all(isinstance(row, dict) for row in rows)


def parts_apart(a: Json, b: Json, name: str = "") -> Iterator[Part]:
    """Yield the innermost parts in which two nested values differ; a step of another kind is one part."""
    if isinstance(a, dict) and isinstance(b, dict) and a.get("function") == b.get("function"):
        for key in {**a, **b}:
            yield from parts_apart(a.get(key, ABSENT), b.get(key, ABSENT), key)
    elif isinstance(a, dict) and isinstance(b, dict):
        yield Part("function", a.get("function"), b.get("function"))
    elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and (has_named_parts(a) or has_named_parts(b)):
        for one, other in zip_longest(a, b, fillvalue=ABSENT):
            yield from parts_apart(one, other, name or "step")
    elif (a is ABSENT) != (b is ABSENT) or not same_value(a, b):
        yield Part(name, *(value.get("function", value) if isinstance(value, dict) else value for value in (a, b)))


def both_texts(part: Part) -> tuple[str, str]:
    """Return both values of a part; long texts around the place where they differ."""
    ours, theirs = (NOT_GIVEN if value is ABSENT else value_line(value) for value in (part.a, part.b))
    if fit_sentence(ours) != fit_sentence(theirs):
        return fit_sentence(ours), fit_sentence(theirs)
    return around_difference(part.a, part.b)


def value_line(value: Json) -> str:
    """Return a value as one line of text."""
    text = json.dumps(value) if isinstance(value, bool) else str(value)
    return " ".join(text.split()) or "empty"


def around_difference(a: Json, b: Json) -> tuple[str, str]:
    """Return the part of two long values in which they first differ, quoted, so that white space is seen too."""
    ours, theirs = (value if isinstance(value, str) else json.dumps(value, sort_keys=True) for value in (a, b))
    at = next((place for place, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), None)
    start = max(0, (min(len(ours), len(theirs)) if at is None else at) - LONGEST_STRETCH // 3)
    return quoted_stretch(ours, start), quoted_stretch(theirs, start)


def spoken(one: Difference, value: Json, known: bool) -> str:
    """Return a value as a reader says it: templates as on or off, long texts cut."""
    if value is None or (value == "" and one.key in TEMPLATES):
        return setting(one.key, value, known)
    if one.key in TEMPLATES and not isinstance(value, dict):
        return "on"
    return "another value in each task" if isinstance(value, dict) else fit_sentence(value_line(value))


def fit_sentence(text: str) -> str:
    """Return a text that fits a sentence."""
    return text if len(text) <= LONGEST_STRETCH or is_hash(text) else f"{text[: LONGEST_STRETCH - 1]}…"
