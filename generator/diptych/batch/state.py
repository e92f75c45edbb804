"""Is an artifact up to date? Told by what went in: sizes and times first, contents only where those moved.

One small state file an artifact, written after it, so that a batch that was killed, or two batches
at once, never believe in something that is not there.
"""

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from diptych.bounded_json import load_json
from diptych.errors import DiptychError
from diptych.fast_named_tuple import NamedTuple
from diptych.storage import LARGEST, read_text, sha256, sha256_file, write_text


class Fingerprint(NamedTuple):
    """One input file: its path from the manifest, size in bytes, time of change in nanoseconds, and sha256."""

    path: str
    size: int
    changed: int
    sha256: str


READ = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".json.zst", ".jsonl.zst", ".eval")
"""How files end that a run is read from: a checkpoint beside them is none of it, and may have gigabytes."""

WHOLE = (".json",)
"""How files end that are read whole or not at all."""


def run_files(location: str) -> list[str]:
    """Return every file that can matter for a run: it and its like beside it or all below, and the context above."""
    if os.path.isfile(location):
        folder = os.path.dirname(location)
        found = [os.path.join(folder, name) for name in sorted(os.listdir(folder or "."))]
    else:
        found = sorted(files_below(location))
    found = [path for path in found if path == location or (path.endswith(READ) and os.path.isfile(path))]
    above = os.path.abspath(location)
    for _ in range(3):
        above = os.path.dirname(above)
        context = os.path.join(above, "run-context.json")
        if os.path.isfile(context):
            found.append(os.path.relpath(context))
    return found


def files_below(folder: str) -> list[str]:
    """Return the files below a folder, links followed; a folder that links lead to again is gone through once."""
    found: list[str] = []
    seen: set[str] = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders.sort()
        found += [os.path.join(place, name) for name in names]
    return found


def fingerprints(paths: Iterable[str], known: Mapping[str, Fingerprint], folder: str) -> tuple[Fingerprint, ...]:
    """Return the files as they are now; a digest is taken over from `known` where size and time are unmoved."""
    found = []
    for path in dict.fromkeys(paths):
        try:
            status = os.stat(path)
        except OSError:
            continue  # gone between the listing and now: the reader will say so
        name = os.path.relpath(path, folder)
        old = known.get(name)
        if old and (old.size, old.changed) == (status.st_size, status.st_mtime_ns):
            found.append(old)
        else:
            digest = f"{status.st_size} bytes" if is_beyond_size(path, status.st_size) else sha256_file(path)
            found.append(Fingerprint(name, status.st_size, status.st_mtime_ns, digest))
    return tuple(found)


def is_beyond_size(path: str, size: int) -> bool:
    """Say whether nobody reads a file's contents: results are read whole, and refused where they are too large."""
    return size > LARGEST and path.endswith(WHOLE)


def job_key(spec: Mapping[str, Any], version: str, files: Iterable[Fingerprint]) -> str:
    """Return the key of a job: the same spec, version and contents give the same key."""
    body = json.dumps([spec, version, [[file.path, file.sha256] for file in files]], sort_keys=True)
    return sha256(body.encode("utf-8"))


def read_state(path: str) -> tuple[str, str, dict[str, Fingerprint]]:
    """Return (key, digest of the artifact, files) of a state file; empty ones where there is none or it is damaged."""
    try:
        body = load_json(read_text(path))
        files = {row[0]: Fingerprint(*row) for row in body["files"]}
        return str(body["key"]), str(body["artifact"]), files
    except (DiptychError, ValueError, KeyError, TypeError):
        return "", "", {}  # no state is a reason to do the work again, never a failure


def write_state(path: str, key: str, artifact: str, files: Iterable[Fingerprint]) -> None:
    """Write the state of an artifact, after the artifact itself."""
    body = {"key": key, "artifact": artifact, "files": [list(file) for file in files]}
    write_text(path, json.dumps(body, indent=1) + "\n")
