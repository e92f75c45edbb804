"""Where the files of a run lie: the results file that a location means, and the sample files that belong to it.

Results and samples are tied by the stamp in their names and by nothing else; a file's time on disk says nothing.
"""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from diptych.errors import RunError
from diptych.harness.secrets import mask_text

STAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d{1,6})?)")
SAMPLES = re.compile(r"(?:^|.*/)samples_(?P<task>.+)_(?P<stamp>" + STAMP.pattern[1:-1] + r")\.jsonl(?:\.gz|\.zst)?$")
SAMPLE_ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst")
CONTEXT_NAME = "run-context.json"
DEPTH = 4


class Place(NamedTuple):
    """A location split into what is on disk and the date that was asked for."""

    path: str
    date: str | None


def split_location(location: str) -> Place:
    """Return path and date of `path@DATE`; a path that exists as it stands has no date."""
    if os.path.exists(location) or "@" not in location:
        return Place(location, None)
    path, _, date = location.rpartition("@")
    return Place(path, date) if path and os.path.exists(path) else Place(location, None)


def stamp_of(name: str) -> str | None:
    """Return the stamp in a file's name, the last where there are several."""
    found = STAMP.findall(os.path.basename(name))
    return found[-1] if found else None


def date_of(stamp: str) -> str:
    """Return a stamp as an ISO date and time."""
    day, _, clock = stamp.partition("T")
    return f"{day}T{clock.replace('-', ':')}"


def candidates(folder: str) -> list[str]:
    """Return the files that may hold results: those in the folder itself, else those in the folders below it."""
    own = [path for path in files_at(folder, 0) if may_hold_results(path)]
    below = (path for depth in range(1, DEPTH + 1) for path in files_at(folder, depth) if may_hold_results(path))
    return sorted(own) if any(holds_results_by_name(path) for path in own) else sorted([*own, *below])


def files_at(folder: str, depth: int) -> Iterator[str]:
    """Yield the files that lie `depth` folders below a folder, in the order of their names."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise RunError(
            f"cannot be read ({error.strerror or error})", where=folder, hint="check the path and its permissions"
        ) from error
    for entry in entries:
        if depth == 0 and entry.is_file():
            yield entry.path
        elif depth and entry.is_dir() and not entry.name.startswith("."):
            yield from files_at(entry.path, depth - 1)


def may_hold_results(path: str) -> bool:
    """Say whether a file's name allows that it holds results (its content decides)."""
    name = os.path.basename(path)
    if name == CONTEXT_NAME or name.startswith((".", "samples_")) or name.endswith("_eval_samples.json"):
        return False
    return name.endswith(".json") or (name.endswith((".jsonl", ".eval")) and not SAMPLES.match(name))


def holds_results_by_name(path: str) -> bool:
    """Say whether a file is named as the harness names results."""
    return os.path.basename(path).startswith("results") or stamp_of(path) is not None


def sample_files(results_file: str, tasks: tuple[str, ...], model_args: str) -> dict[str, str]:
    """Return the sample file of each task: with the results' stamp, or, if it has none, under the run's arguments."""
    folder = os.path.dirname(results_file) or "."
    stamp = stamp_of(results_file)
    found: dict[str, str] = {}
    for path in files_at(folder, 0):
        name = os.path.basename(path)
        if not name.endswith(SAMPLE_ENDINGS) or path == results_file:
            continue
        match = SAMPLES.match(name)
        if stamp is not None:
            if match and match["stamp"] == stamp:
                found.setdefault(match["task"], path)
        elif match is None and name.endswith(".jsonl"):
            task = name.removesuffix(".jsonl").removeprefix(re.sub(r"/|=", "__", model_args) + "_")
            if task in tasks:
                found.setdefault(task, path)
    return found


def other_samples(results_file: str) -> list[str]:
    """Return the stamps of the sample files beside a results file that belong to other results."""
    stamp = stamp_of(results_file)
    matches = (SAMPLES.match(os.path.basename(path)) for path in files_at(os.path.dirname(results_file) or ".", 0))
    return sorted({match["stamp"] for match in matches if match and match["stamp"] != stamp})


def context_file(results_file: str) -> str | None:
    """Return the nearest run-context.json: in the run's folder or up to two above."""
    folder = os.path.dirname(os.path.abspath(results_file))
    for _ in range(3):
        path = os.path.join(folder, CONTEXT_NAME)
        if os.path.isfile(path):
            return path
        folder = os.path.dirname(folder)
    return None


def shown(path: str, root: str | None = None) -> str:
    """Return a path as an artifact may show it: below `root` as seen from there, so that it is the same from anywhere.

    Any other relative path stays as it was given; of an absolute one, or one that leads up, the last three parts stay.
    """
    if root is not None:
        path = os.path.abspath(path)
        below = os.path.relpath(path, os.path.abspath(root))
        path = path if below.split(os.sep)[0] == ".." else below
    plain = os.path.normpath(mask_text(path)[0]).replace(os.sep, "/")
    parts = plain.split("/")
    if os.path.isabs(path) or parts[0] == "..":
        return "/".join([part for part in parts if part not in ("", "..")][-3:])
    return plain


def shown_name(path: str) -> str:
    """Return the name of a file or a directory alone, as an artifact may show it."""
    return shown(os.path.basename(os.path.abspath(path)))
