"""Several runs read together: of three and more a damaged one is left out, so that the others can be compared."""

from collections.abc import Callable, Sequence

from diptych.errors import DiptychError
from diptych.harness.locate import shown
from diptych.harness.parse import DamagedFile
from diptych.harness.reader import split_label
from diptych.nouns import NamedTuple
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
            damaged.append((label or shown(path), error))
    if len(runs) < 2:
        raise damaged[0][1]
    return Several(tuple(runs), tuple(damaged))
