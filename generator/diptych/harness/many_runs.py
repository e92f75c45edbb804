"""Several runs read together: of three and more a damaged one is left out, so that the others can be compared."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from diptych.errors import DiptychError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.locate import portable_path
from diptych.harness.parse_json import DamagedFile
from diptych.harness.reader import split_label
from diptych.run import Run


class Several(NamedTuple):
    """The runs that could be read, and of each that is damaged its name and what is wrong with it."""

    runs: tuple[Run, ...]
    damaged: tuple[tuple[str, DiptychError], ...]


def read_several(locations: Sequence[str], read: Callable[[str], Run]) -> Several:
    """Return the runs at these locations (`label=path`); a damaged one's error is raised where fewer than two are left.

    Only what is damaged is left out: a path that is wrong, or that holds no run, is a mistake to mend first.
    """
    runs: list[Run] = []
    damaged: list[tuple[str, DiptychError]] = []
    for location in locations:
        try:
            runs.append(read(location))
        except DamagedFile as error:
            if len(locations) < 3:
                raise
            label, path = split_label(location)
            damaged.append((label or portable_path(path), error))
    if len(runs) < 2:
        raise damaged[0][1]
    return Several(named_apart(runs), tuple(damaged))


def named_apart(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return runs with names that tell them apart: of one name, the folder or the results file is told as well."""
    counts = Counter(run.label for run in runs)
    alike = {label: [run for run in runs if run.label == label] for label, count in counts.items() if count > 1}
    ways = {label: way_of(sharers) for label, sharers in alike.items()}
    return tuple(run._replace(label=way(run)) if (way := ways.get(run.label)) is not None else run for run in runs)


def way_of(sharers: Sequence[Run]) -> Callable[[Run], str] | None:
    """Return how runs of one name are told apart, None for what is one run twice."""
    by_file = (partial(file_name, digits=digits) for digits in (0, DAY, MINUTE, None))
    ways: tuple[Callable[[Run], str], ...] = (lambda run: run.source or run.label, *by_file)
    return next((way for way in ways if len({way(run) for run in sharers}) == len(sharers)), None)


DAY, MINUTE = len("2026-01-31"), len("2026-01-31T10-00")
RESULTS_FILE = re.compile(r"(?:results_?)?(.*?)_?(\d{4}-\d\d-\d\dT[\d.-]+)?(?:[.]json)?")


def file_name(run: Run, digits: int | None) -> str:
    """Return a name by a run's results file: what it is called, or its folder, and so many characters of its date."""
    found = RESULTS_FILE.fullmatch(run.results_file)
    own, date = found.groups("") if found else (run.results_file, "")
    name = own if re.search("[A-Za-z]", own) else "/".join(filter(None, (run.label, own)))
    return "/".join(filter(None, (name, date[:digits])))
