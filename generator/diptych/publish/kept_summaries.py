"""Summaries as an archive keeps them between two builds: short texts, a tenth of their JSON."""

import json
import zlib
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from diptych.report.documents.summaries import RunSummary, ScoreName, Scores, Summary

Json = Any


def packed(summary: Summary) -> str:
    """Return a summary as a short text: a tenth of its JSON."""
    body = {**summary._asdict(), "runs": [plain_run(run) for run in summary.runs]}
    text = json.dumps(body, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return b2a_base64(zlib.compress(text.encode("ascii"), 1), newline=False).decode("ascii")


def plain_run(run: RunSummary) -> dict[str, Json]:
    """Return a run as JSON: its scores as names and as numbers, five a name."""
    scores = run.scores if isinstance(run.scores, Scores) else Scores.of(run.scores)
    values = [None if value != value else value for value in scores.values]
    return {**run._asdict(), "scores": [scores.names, values]}


def unpacked(text: str) -> Summary:
    """Return the summary that a short text keeps."""
    return restored(json.loads(zlib.decompress(a2b_base64(text))))


def restored(plain: Mapping[str, Json]) -> Summary:
    """Return the summary that was kept as JSON."""
    fields = dict(plain)
    fields["runs"] = tuple(map(restored_run, fields["runs"]))
    fields |= {name: shared_words(tuple(fields[name])) for name in ("names", "tasks", "models")}
    fields["changes"] = tuple((key, a, b) for key, a, b in fields["changes"])
    return Summary(**fields)


def restored_run(plain: Mapping[str, Json]) -> RunSummary:
    """Return the run that was kept as JSON."""
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
