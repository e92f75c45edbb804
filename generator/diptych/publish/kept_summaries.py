"""Summaries as an archive keeps them between two builds: short texts, a tenth of their JSON.

What many artifacts have alike stands in a text of its own, and is kept once: their tasks, a run that several show, and
what runs of one configuration share (settings, items, the names of their scores).
"""

import sys
import zlib
from array import array
from binascii import a2b_base64, b2a_base64
from functools import lru_cache
from typing import Any

from diptych.fast_json import dump_many, load_own
from diptych.report.documents.summaries import RunSummary, ScoreName, Scores, Summary

Json = Any

Kept = tuple[str, ...]
"""The text of a summary without its runs, that of its tasks, then two a run: its own, and what it has like others."""

ALIKE = ("model", "harness", "version", "items", "settings", "groups")
"""What runs of one configuration have alike, beside the names of their scores."""


def packed(summary: Summary) -> Kept:
    """Return a summary as short texts."""
    own = summary._replace(runs=(), tasks=())._asdict()
    return short_json(own), short_json(summary.tasks), *(text for run in summary.runs for text in packed_run(run))


def short_json(body: Json) -> str:
    """Return JSON as a short text."""
    return short(dump_many(body))


@lru_cache(64)
def short(data: bytes) -> str:
    """Return bytes as a short text; a run often stands in the artifact before, too, and what runs share in all."""
    return b2a_base64(zlib.compress(data, FAST), newline=False).decode("ascii")


FAST = 1
"""How hard texts are made short: for a tenth more of them in half the time."""


def plain(text: str) -> bytes:
    """Return the bytes that a short text keeps."""
    return zlib.decompress(a2b_base64(text))


def long(text: str) -> Json:
    """Return the JSON that a short text keeps."""
    return load_own(plain(text))


def packed_run(run: RunSummary) -> tuple[str, str]:
    """Return a run as two texts: its own, with its scores as numbers, five a name; and what it has like others."""
    scores = run.scores if isinstance(run.scores, Scores) else Scores.of(run.scores)
    own = run._asdict()
    del own["scores"]
    alike = {name: own.pop(name) for name in ALIKE}
    numbers = scores.values.tobytes()
    return short(dump_many(own) + LINE + numbers), short_json({**alike, "names": scores.names})


LINE = b"\n"
"""What stands between JSON, which has none, and numbers."""


def kept_summary(kept: Kept) -> Summary:
    """Return the summary that short texts keep."""
    text, tasks, *runs = kept
    fields = dict(long(text))
    fields["runs"] = tuple(map(unpacked_run, runs[::2], runs[1::2]))
    fields["tasks"] = long_alike(tasks)
    fields |= {name: shared_words(tuple(fields[name])) for name in ("names", "models", "tasks")}
    fields |= {name: sys.intern(fields[name]) for name in ("kind", "word", "said", "sign", "tone")}
    fields["changes"] = shared_changes(tuple((key, a, b) for key, a, b in fields["changes"]))
    return Summary(**fields)


@lru_cache(64)
def unpacked_run(text: str, others: str) -> RunSummary:
    """Return the run that two short texts keep; artifacts that are read one after the other often share theirs."""
    told, _, data = plain(text).partition(LINE)
    own = load_own(told)
    alike, names = long_run(others)
    numbers = array("d")
    numbers.frombytes(data)
    metadata = shared_object(dump_many(own["metadata"]))
    return RunSummary(**{**own, **alike, "metadata": metadata, "scores": Scores(names, numbers)})


@lru_cache(256)
def long_alike(text: str) -> Json:
    """Return the JSON that a short text keeps, the same object for the same text."""
    return long(text)


@lru_cache(256)
def long_run(text: str) -> tuple[Json, tuple[ScoreName, ...]]:
    """Return what runs have alike, and the names of their scores, the same objects for the same text."""
    alike = dict(long(text))
    return alike, tuple(ScoreName(*name) for name in alike.pop("names"))


@lru_cache(256)
def shared_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words, the same tuple for the same words: many artifacts have the same tasks."""
    return words


@lru_cache(256)
def shared_changes(changes: tuple[tuple[str, str, str], ...]) -> tuple[tuple[str, str, str], ...]:
    """Return what changed, the same tuple for the same changes."""
    return changes


@lru_cache(256)
def shared_object(data: bytes) -> Json:
    """Return an object of JSON, the same one for the same text: many runs have the same settings and items."""
    return load_own(data)


def is_unbroken(text: str) -> bool:
    """Say whether a short text still is as it was packed: its own checksum tells."""
    try:
        zlib.decompress(a2b_base64(text))
    except (ValueError, zlib.error):
        return False
    return True
