"""Where the files of a run lie: the results file that a location means, and the sample files that belong to it.

Results and samples are tied by the stamp in their names and by nothing else; a file's time on disk says nothing.
"""

import os
import re
from collections.abc import Iterator
from itertools import islice

from diptych.errors import RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.secrets import mask_text

STAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d{1,6})?)")
SAMPLES = re.compile(r"(?:^|.*/)samples_(?P<task>.+)_(?P<stamp>" + STAMP.pattern[1:-1] + r")\.jsonl(?:\.gz|\.zst)?$")
PACKED = r"(?:results.*\.json\.(?:gz|zst|xz|bz2)|\.(?:zip|tar|tgz|tar\.\w+))$"
"""Results that somebody packed."""

SAMPLE_ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst")
CONTEXT_NAME = "run-context.json"
DEPTH = 12
"""How many folders below the one that is named results are looked for: a local model's path may stand between."""

MOST_FOLDERS = 5_000
"""How many folders are looked into before the search is called off."""


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
    """Return the files that may hold results: those in the folder itself, else those in the folders below it.

    Raises `RunError` where more folders lie below than a run's output has.
    """
    own = sorted(path for path in files_in(folder) if may_hold_results(path))
    if any(holds_results_by_name(path) for path in own):
        return own
    found = own
    for place, below in enumerate(folders_below(folder)):
        if place >= MOST_FOLDERS:
            raise RunError(
                f"holds more than {MOST_FOLDERS:,} folders", where=folder, hint="name the directory of one run"
            )
        found += [path for path in files_in(below) if may_hold_results(path)]
    return sorted(found)


def folders_below(folder: str, depth: int = DEPTH) -> Iterator[str]:
    """Yield the folders below a folder, nearest first, hidden ones left out; links are followed, but in no circle."""
    level, seen = [folder], {os.path.realpath(folder)}
    for _ in range(depth):
        below = []
        for place in level:
            for entry in folder_entries(place):
                real = os.path.realpath(entry.path)
                if not is_hidden_folder(entry.name) and is_folder(entry) and real not in seen:
                    seen.add(real)
                    below.append(entry.path)
        yield from below
        level = below


def is_hidden_folder(name: str) -> bool:
    """Say whether a folder is left out of a search: `.git`, but not what the harness makes of a model's relative path.

    It writes `__` for each separator: `.__out__x` of ./out/x, `..__x` of ../x, `.cache__x` of .cache/x.
    """
    return name.startswith(".") and "__" not in name


def hidden_below(folder: str) -> list[str]:
    """Return the folders that a search of a folder leaves out, as seen from it."""
    places = (folder, *islice(folders_below(folder), MOST_FOLDERS))
    entries = (entry for place in places for entry in folder_entries(place) if is_hidden_folder(entry.name))
    return [portable_path(os.path.relpath(entry.path, folder)) for entry in entries if is_folder(entry)]


def files_in(folder: str) -> list[str]:
    """Return the files that lie in a folder, in the order of their names."""
    return [entry.path for entry in folder_entries(folder) if os.path.isfile(entry.path)]


def is_folder(entry: "os.DirEntry[str]") -> bool:
    """Say whether an entry is a folder; one that cannot be asked is none."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def folder_entries(folder: str) -> "list[os.DirEntry[str]]":
    """Return what lies in a folder, in the order of the names."""
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise RunError(
            f"cannot be read ({error.strerror or error})", where=folder, hint="check the path and its permissions"
        ) from error


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
    for entry in folder_entries(folder):  # also what is no file: who reads it says so
        path, name = entry.path, entry.name
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


def unread_logs(results_file: str) -> list[str]:
    """Return the files that look like logs of a results file and are not read as such, seen from its folder.

    Their name is another one, or they lie in a folder below.
    """
    folder, stamp = os.path.dirname(results_file) or ".", stamp_of(results_file)
    named = [path for path in files_in(folder) if path != results_file and is_named_otherwise(os.path.basename(path))]
    below = (path for each in folders_below(folder, 1) for path in files_in(each))
    moved = [path for path in below if stamp is not None and path.endswith(SAMPLE_ENDINGS) and stamp_of(path) == stamp]
    return [portable_path(os.path.relpath(path, folder)) for path in (*named, *moved)]


def is_named_otherwise(name: str) -> bool:
    """Say whether a file may be a log of samples, by another name than the harness gives one."""
    return not SAMPLES.match(name) and (
        name.startswith("samples_") or name.endswith("_eval_samples.json") or name.endswith(SAMPLE_ENDINGS)
    )


def without_results(folder: str) -> str:
    """Return what lies in or below a folder without a results file that shows that there was a run, "" for nothing."""
    places = (folder, *islice(folders_below(folder), MOST_FOLDERS))
    files = [path for place in places for path in files_in(place)]
    for told, found in (
        ("packed, unpack it first", [path for path in files if re.search(PACKED, os.path.basename(path))]),
        ("samples without their results", [path for path in files if SAMPLES.match(path)]),
    ):
        if found:
            return f"{portable_path(os.path.relpath(found[0], folder))} is {told}"
    return ""


def other_samples(results_file: str) -> list[str]:
    """Return the stamps of the sample files beside a results file that belong to other results."""
    stamp = stamp_of(results_file)
    matches = (SAMPLES.match(os.path.basename(path)) for path in files_in(os.path.dirname(results_file) or "."))
    return sorted({match["stamp"] for match in matches if match and match["stamp"] != stamp})


def context_file(results_file: str, near: str = "") -> str | None:
    """Return the nearest run-context.json: in the run's folder, the one that was named, or up to two above either."""
    for start in (os.path.dirname(os.path.abspath(results_file)), os.path.abspath(near) if near else ""):
        folder = start
        for _ in range(3 if start else 0):
            path = os.path.join(folder, CONTEXT_NAME)
            if os.path.isfile(path):
                return path
            folder = os.path.dirname(folder)
    return None


def portable_path(path: str, root: str | None = None) -> str:
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
    return portable_path(os.path.basename(os.path.abspath(path)))
