"""The text of what is no number: a date, a setting's value, a hash, a metric's name."""

import json
import re
from functools import lru_cache
from typing import Any

NOT_RECORDED = "not recorded"
NOT_GIVEN = "not given"

HASH = frozenset("0123456789abcdef")
SHORT_HASH = 7
"""Digits by which git tells a commit, where these are enough."""


@lru_cache(4096)
def date(text: str | None) -> str:
    """Return a date to the minute, from ISO form or from a results file's name; other text stays as it is."""
    if text is None:
        return NOT_RECORDED
    day, mark, clock = text.partition("T")
    clock = clock.replace("-", ":")
    if mark and len(day) == 10 and clock[:2].isdigit() and clock[3:5].isdigit():
        return f"{day} {clock[:5]}"
    return text


def day(text: str | None) -> str:
    """Return the day of a date, in ISO form."""
    found = date(text)
    return found[:10] if found[4:5] == found[7:8] == "-" else found


def value(item: Any, recorded: bool = True) -> str:
    """Return a setting's value as JSON has it, texts bare where that cannot be misread; *not recorded* is its own."""
    if not recorded:
        return NOT_RECORDED
    if isinstance(item, str) and item and item == item.strip() and item not in ("null", "true", "false", NOT_RECORDED):
        return item
    return str(item) if type(item) is int else PLAIN.encode(item)


LONGEST_STRETCH = 40
"""Characters of a text that a sentence quotes."""


def quoted_stretch(text: str, start: int) -> str:
    """Return a stretch of a text from a place on, as JSON writes it."""
    part = json.dumps(text[start : start + LONGEST_STRETCH], ensure_ascii=False)
    return f"{'…' if start else ''}{part}{'…' if len(text) > start + LONGEST_STRETCH else ''}"


TEMPLATES = frozenset(("chat_template", "apply_chat_template"))


def setting(key: str, item: Any, recorded: bool = True) -> str:
    """Return a setting's value as a reader says it: a chat template as off or on, null as what nobody gave."""
    if recorded and key in TEMPLATES and item in (None, ""):
        return "off" if item is None else "on, by the server"
    if recorded and item is None:
        return NOT_RECORDED if key.startswith("versions.") else NOT_GIVEN
    return value(item, recorded)


PLAIN = json.JSONEncoder(ensure_ascii=False, sort_keys=True)
"""Made once: a run has a hundred values, and to make it costs more than to write one."""


def differing_paths(a: str, b: str, room: int) -> tuple[str, str]:
    """Return two paths or names without the folders, then the first words, that both begin with, as far as they are
    longer than `room` together; other texts as they are."""
    if len(a) + len(b) <= room or not (PATH.fullmatch(a) and PATH.fullmatch(b)):
        return a, b
    for mark, sign in (("/", ""), ("-", "…")):
        at = a.rfind(mark, 0, shared_start(a, b)) + 1
        if at and a[at:] and b[at:] and len(a) + len(b) > room:
            a, b = sign + a[at:], sign + b[at:]
    return a, b


PATH = re.compile(r"[\w./@:+~\\-]+")
"""A path, an address or a model's name: one word."""


def shared_start(a: str, b: str) -> int:
    """Return how many characters two texts begin with alike."""
    return next(
        (place for place, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), min(len(a), len(b))
    )


def short_hashes(a: str, b: str) -> tuple[str, str]:
    """Return two texts of which those that are hashes are told by as many first digits as tell them apart."""
    size = max(SHORT_HASH, shared_start(a, b) + 1)
    return (a[:size] if is_hash(a) else a, b[:size] if is_hash(b) else b)


def is_hash(text: str) -> bool:
    """Say whether a text is a hash of 20 bytes or more in hexadecimal digits."""
    return len(text) >= 40 and HASH.issuperset(text)


def metric_name(metric: str, filter_: str) -> str:
    """Return a metric with the filter that its answers went through: `exact_match (strict-match)`, or just `acc`.

    A bare number, as metrics of some length are called, would read as an amount.
    """
    metric = f"metric {metric}" if metric.isdecimal() else metric
    return metric if filter_ in ("", "none") else f"{metric} ({filter_})"


def rule_name(task: str, metric: str, filter_: str) -> str:
    """Return a metric as a gate's rule names it: `gsm8k.exact_match,strict-match`, or just `arc.acc`."""
    return f"{task}.{metric}" + ("" if filter_ in ("", "none") else f",{filter_}")
