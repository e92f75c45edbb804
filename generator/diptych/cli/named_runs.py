"""The runs that a command was given by name: read, with what is noticed said on stderr."""

from typing import TYPE_CHECKING

from diptych.cli.output import note
from diptych.run import Run

if TYPE_CHECKING:
    from diptych.harness.many_runs import Several


def load_named_run(location: str, quiet: bool, *, strict: bool = False) -> Run:
    """Return the run at `label=path`, saying on stderr what the reader chose by itself."""
    from diptych.harness.reader import read_run, split_label

    label, path = split_label(location)
    run = read_run(path, label, strict=strict)
    for remark in run.remarks:
        if remark.kind in ("results_many", "file_damaged"):
            note(f"{run.label}: {remark.text}", quiet=quiet)
    return run


def load_all(locations: tuple[str, ...], quiet: bool, *, strict: bool = False) -> "Several":
    """Return the runs that can be read, saying on stderr which of three and more are left out."""
    from diptych.harness.many_runs import read_several

    found = read_several(locations, lambda location: load_named_run(location, quiet, strict=strict))
    for name, error in found.damaged:
        note(f"{name} is left out: {error}", quiet=quiet)
    return found
