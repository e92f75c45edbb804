"""The two values of a difference, as a sentence says them."""

import json

from diptych.diagnose.settings.suspects import Difference
from diptych.run import Json

LONGEST_VALUE = 40


def both_values(one: Difference) -> str:
    """Return both values of a difference."""
    ours, theirs = spoken(one, one.a, one.recorded.a), spoken(one, one.b, one.recorded.b)
    return f"{ours} → {theirs}" if ours != theirs else " → ".join(around_difference(one.a, one.b))


def around_difference(a: Json, b: Json) -> tuple[str, str]:
    """Return the part of two long values in which they first differ, quoted, so that white space is seen too."""
    ours, theirs = (value if isinstance(value, str) else json.dumps(value, sort_keys=True) for value in (a, b))
    at = next((place for place, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), None)
    start = max(0, (min(len(ours), len(theirs)) if at is None else at) - LONGEST_VALUE // 3)
    return quoted(ours, start), quoted(theirs, start)


def quoted(text: str, start: int) -> str:
    """Return a stretch of a text from a place on, as JSON writes it."""
    part = json.dumps(text[start : start + LONGEST_VALUE], ensure_ascii=False)
    return f"{'…' if start else ''}{part}{'…' if len(text) > start + LONGEST_VALUE else ''}"


def spoken(one: Difference, value: Json, known: bool) -> str:
    """Return a value as a reader says it: templates as on or off, long texts cut."""
    if value is None and not known:
        return "not recorded"
    if one.key in ("chat_template", "apply_chat_template") and not isinstance(value, dict):
        return {None: "off", "": "on, by the server"}.get(value, "on")
    if value is None:
        return "not given"
    return "another value in each task" if isinstance(value, dict) else cut(" ".join(str(value).split())) or "empty"


def cut(text: str) -> str:
    """Return a text that fits a sentence."""
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
