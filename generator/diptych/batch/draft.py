"""A first manifest from the runs in a tree: each run against the one before it that shares a task."""

import json
import os
import re
from collections.abc import Sequence
from typing import Protocol

from diptych.errors import ManifestError


class Found(Protocol):
    """What is known of a run without reading it whole."""

    @property
    def location(self) -> str: ...
    @property
    def date(self) -> str | None: ...
    @property
    def model(self) -> str | None: ...
    @property
    def tasks(self) -> tuple[str, ...]: ...


def draft_manifest(runs: Sequence[Found], folder: str) -> str:
    """Return the TOML text of a manifest that lies in `folder`; fewer than two runs are a `ManifestError`."""
    dated = sorted(runs, key=lambda run: (run.date or "", run.location))
    pairs = [(before, run) for run in dated if (before := last_before(run, dated))]
    if not pairs:
        raise ManifestError(
            "no two runs here share a task", hint="give a folder that holds at least two runs of the same task"
        )
    labels = labels_for([run.location for run in dated])
    parts = ['title = "Evaluation runs, side by side"\nartifacts = "artifacts"\nbuild = "build"\n']
    names: set[str] = set()
    for a, b in pairs:
        name = free_name(f"{labels[a.location]}-to-{labels[b.location]}", names)
        sides = [f"{key} = {quoted(labels[run.location], run.location, folder)}" for key, run in (("a", a), ("b", b))]
        parts.append("\n".join(["[[comparisons]]", f"name = {json.dumps(name)}", *sides]) + "\n")
    return "\n".join(parts)


def last_before(run: Found, dated: Sequence[Found]) -> Found | None:
    """Return the newest run before this one that shares a task with it."""
    earlier = dated[: dated.index(run)]
    return next((other for other in reversed(earlier) if set(other.tasks) & set(run.tasks)), None)


def labels_for(locations: Sequence[str]) -> dict[str, str]:
    """Return a short label for each location: the parts of its path that not all share, fit for a name."""
    common = os.path.commonpath([os.path.dirname(location) or "." for location in locations])
    labels = {}
    for location in locations:
        tail = os.path.relpath(location, common).removesuffix(".json")
        first = tail if tail.count(os.sep) == 0 else tail.split(os.sep)[0]
        labels[location] = re.sub(r"[^A-Za-z0-9._-]+", "-", first).strip("-._") or "run"
    doubled = [label for label in labels.values() if list(labels.values()).count(label) > 1]
    return {
        location: f"{label}-{number}" if label in doubled else label
        for number, (location, label) in enumerate(labels.items(), 1)
    }


def free_name(wanted: str, taken: set[str]) -> str:
    """Return a name that no other entry has."""
    name, number = wanted[:90], 2
    while name.lower() in taken:
        name, number = f"{wanted[:90]}-{number}", number + 1
    taken.add(name.lower())
    return name


def quoted(label: str, location: str, folder: str) -> str:
    """Return `label=path` as a TOML string, the path relative to the manifest's folder."""
    return json.dumps(f"{label}={os.path.relpath(location, folder)}", ensure_ascii=False)
