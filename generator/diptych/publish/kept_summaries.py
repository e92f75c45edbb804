"""Summaries as an archive keeps them between two builds: short texts, a tenth of their JSON.

A run has a text of its own: it stands in many artifacts, and is kept once.
"""

import json
import zlib
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from diptych.bounded import dump_many
from diptych.report.documents.summaries import RunSummary, ScoreName, Scores, Summary

Json = Any

Kept = tuple[str, ...]
"""The text of a summary without its runs, then a text a run."""


def packed(summary: Summary) -> Kept:
    """Return a summary as short texts."""
    return short(summary._replace(runs=())._asdict()), *(short(plain_run(run)) for run in summary.runs)


def short(body: Json) -> str:
    """Return JSON as a short text."""
    return b2a_base64(zlib.compress(dump_many(body), 3), newline=False).decode("ascii")


def long(text: str) -> Json:
    """Return the JSON that a short text keeps."""
    return json.loads(zlib.decompress(a2b_base64(text)))


def plain_run(run: RunSummary) -> dict[str, Json]:
    """Return a run as JSON: its scores as names and as numbers, five a name."""
    scores = run.scores if isinstance(run.scores, Scores) else Scores.of(run.scores)
    values = [None if value != value else value for value in scores.values]
    return {**run._asdict(), "scores": [list(map(tuple, scores.names)), values]}


def unpacked(kept: Kept) -> Summary:
    """Return the summary that short texts keep."""
    text, *runs = kept
    fields = dict(long(text))
    fields["runs"] = tuple(map(unpacked_run, runs))
    fields |= {name: shared_words(tuple(fields[name])) for name in ("names", "tasks", "models")}
    fields["changes"] = tuple((key, a, b) for key, a, b in fields["changes"])
    return Summary(**fields)


@lru_cache(64)
def unpacked_run(text: str) -> RunSummary:
    """Return the run that a short text keeps; artifacts that are read one after the other often share theirs."""
    plain: Mapping[str, Json] = long(text)
    names, values = plain["scores"]
    numbers = array("d", [NONE if value is None else value for value in values])
    alike = {name: shared(json.dumps(plain[name])) for name in ("items", "settings", "metadata")}
    scores = Scores(tuple(ScoreName(*name) for name in names), numbers)
    return RunSummary(**{**plain, **alike, "scores": scores})


NONE = float("nan")


@lru_cache(256)
def shared_words(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return words, the same tuple for the same words: many artifacts have the same tasks."""
    return words


@lru_cache(256)
def shared(text: str) -> Json:
    """Return an object of JSON, the same one for the same text: many runs have the same settings and items."""
    return json.loads(text)


def is_whole(text: str) -> bool:
    """Say whether a short text still is as it was packed: its own checksum tells."""
    try:
        zlib.decompress(a2b_base64(text))
    except (ValueError, zlib.error):
        return False
    return True
