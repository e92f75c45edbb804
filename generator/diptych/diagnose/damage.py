"""Damage that leaves something to compare: what it takes away is left out and named, and the rest is compared."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from diptych.comparison import Comparison, Finding, LeftOut
from diptych.errors import DiptychError, LogChanged
from diptych.run import Remark, Run

if TYPE_CHECKING:
    from diptych.matrix import Matrix
    from diptych.repeats import Repeats

Made = TypeVar("Made")
Artifact = TypeVar("Artifact", "Comparison", "Matrix", "Repeats", "Comparison | Matrix")


def without_changed_logs(make: Callable[[Sequence[Run]], Made], runs: Sequence[Run]) -> Made:
    """Return what is made of the runs, made again without each log that turns out to have changed meanwhile."""
    while True:
        try:
            return make(runs)
        except LogChanged as error:
            left = [without_log(run, error) for run in runs]
            if all(run is before for run, before in zip(left, runs, strict=True)):
                raise
            runs = left


def without_log(run: Run, error: LogChanged) -> Run:
    """Return a run without the log that changed, with a remark on it; the run itself where the log is not its own."""
    tasks = [task for task, log in run.samples.items() if log is error.log]
    if not tasks:
        return run
    name = error.where.rpartition("/")[2]
    told = f"{name} changed while it was read: its samples are left out. {error.hint.capitalize()}."
    remarks = tuple(Remark("file_damaged", "error", told, task, 1, evidence=(name,)) for task in tasks)
    kept = {task: log for task, log in run.samples.items() if task not in tasks}
    return run._replace(samples=kept, remarks=(*run.remarks, *remarks))


def with_damage(made: Artifact, damaged: Sequence[tuple[str, DiptychError]]) -> Artifact:
    """Return what was made with the runs named that were left out of it, each with file and line."""
    findings, left_out = list(made.findings), list(made.left_out)
    for name, error in damaged:
        place = error.where.rpartition("/")[2]
        text = f"The run {name} is left out: {error.message} ({place})."
        findings.insert(0, Finding("file_damaged", "error", text, None, None, 1, None, (place,)))
        left_out.append(LeftOut(f"the run {name}", 1, f"{error.message} ({place})"))
    return made._replace(findings=tuple(findings), left_out=tuple(left_out))


def damage_in(runs: Sequence[Run]) -> tuple[Finding, ...]:
    """Return a finding for each remark on damage, said of its run by name."""
    return tuple(
        Finding("file_damaged", each.severity, f"{run.label}: {each.text}", None, each.task, each.count_, each.of)
        for run in runs
        for each in run.remarks
        if each.kind == "file_damaged"
    )
