"""Summaries as an archive keeps them between two builds: short texts, a tenth of their JSON."""

import json
import zlib
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping
from sys import intern
from typing import Any

from diptych.report.documents.summaries import RunSummary, ScoreRow, Summary

Json = Any


def restored(plain: Mapping[str, Json]) -> Summary:
    """Return the summary that was kept as JSON."""
    fields = dict(plain)
    runs = []
    for run in fields["runs"]:
        scores = tuple(ScoreRow(intern(a), intern(b), intern(c), *rest) for a, b, c, *rest in run["scores"])
        runs.append(RunSummary(**{**run, "scores": scores}))
    fields["runs"] = tuple(runs)
    for name in ("names", "tasks", "models"):
        fields[name] = tuple(fields[name])
    fields["changes"] = tuple((key, a, b) for key, a, b in fields["changes"])
    return Summary(**fields)


def packed(summary: Summary) -> str:
    """Return a summary as a short text: a tenth of its JSON."""
    body = {**summary._asdict(), "runs": [run._asdict() for run in summary.runs]}
    text = json.dumps(body, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    return b2a_base64(zlib.compress(text.encode("ascii"), 1), newline=False).decode("ascii")


def unpacked(text: str) -> Summary:
    """Return the summary that a short text keeps."""
    return restored(json.loads(zlib.decompress(a2b_base64(text))))
