"""Tasks that are one under two names: joined when asked, proposed where their documents are the same.

A fork or a new release renames a task; its documents stay. Nothing is joined by itself, since a name may stand for
another prompt, another filter or another way to score.
"""

from collections.abc import Mapping, Sequence

from diptych.comparison import Finding
from diptych.diagnose.samples.evidence import Renamed
from diptych.diagnose.samples.row_pairs import NOT_RECORDED, WIDTH
from diptych.diagnose.samples.wrapped_log import WrappedLog
from diptych.errors import DiptychError
from diptych.numbers import listed
from diptych.run import Run, Setting
from diptych.sample_log import SampleLog

SAME_PART = 0.9
"""The share of the smaller log's documents that the other log must hold before two tasks are said to be one."""

FEWEST = 3
"""So few documents may be shared by chance: two tasks may hold one and the same example."""


MOST_FIELDS = 4
"""Fields of a task that a proposal names."""


class NamedLog(WrappedLog):
    """A sample log under another task's name."""

    def __init__(self, task: str, log: SampleLog) -> None:
        super().__init__(log)
        self.name = task

    @property
    def task(self) -> str:
        """The other task's name."""
        return self.name


def matched(a: Run, b: Run, names: Mapping[str, str]) -> tuple[Run, Run, tuple[Finding, ...]]:
    """Return both runs with B's tasks under A's names as `names` says (A's name -> B's), and what is to be said of it.

    Raises `DiptychError` for a name that a side does not have, or that would stand for two tasks.
    """
    names = {ours: theirs for ours, theirs in names.items() if ours != theirs}
    for ours, theirs in names.items():
        for task, run, other in (
            (ours, a, "--match-tasks A=B names a task of A first"),
            (theirs, b, "--match-tasks A=B names a task of B second"),
        ):
            if task not in all_tasks(run):
                raise DiptychError(
                    f"{run.label} has no task {task}", hint=f"{other}; it has {first_names(all_tasks(run))}"
                )
        if ours in all_tasks(b) and ours not in names.values():
            raise DiptychError(f"{b.label} has a task {ours} of its own", hint="leave it out of --match-tasks")
    notes = tuple(joined_note(ours, theirs) for ours, theirs in names.items())
    return a, with_names(b, {theirs: ours for ours, theirs in names.items()}), notes


def all_tasks(run: Run) -> list[str]:
    """Return the names of a run's tasks, groups included."""
    return list(dict.fromkeys((*(score.task for score in run.scores), *run.samples, *run.task_settings)))


def first_names(names: list[str]) -> str:
    """Return the first names, and that there are more."""
    return ", ".join(names[:6]) + (", …" if len(names) > 6 else "")


def with_names(run: Run, names: Mapping[str, str]) -> Run:
    """Return a run with some tasks under other names (old -> new), in everything that is kept by task."""
    if not names:
        return run

    def new(task: str) -> str:
        return names.get(task, task)

    def settings(task: str, own: Mapping[str, Setting]) -> dict[str, Setting]:
        versions = {f"versions.{task}": f"versions.{new(task)}"}
        return {versions.get(key, key): value for key, value in own.items()}

    return run._replace(
        scores=tuple(score._replace(task=new(score.task)) for score in run.scores),
        task_settings={new(task): settings(task, own) for task, own in run.task_settings.items()},
        configs={new(task): config for task, config in run.configs.items()},
        groups={new(group): tuple(map(new, children)) for group, children in run.groups.items()},
        items={new(task): count for task, count in run.items.items()},
        expected={new(task): count for task, count in run.expected.items()},
        samples={new(task): NamedLog(new(task), log) if task in names else log for task, log in run.samples.items()},
        remarks=tuple(remark._replace(task=new(remark.task)) if remark.task else remark for remark in run.remarks),
    )


def joined_note(ours: str, theirs: str) -> Finding:
    """Return the note that two tasks were compared as one because somebody said so."""
    text = f"B's task {theirs} is compared as A's {ours}, as --match-tasks says; their definitions may differ."
    return Finding("tasks_renamed", "note", text, None, ours, 1, 1)


def under_two_names(a: Run, b: Run) -> tuple[Renamed, ...]:
    """Return for each task of one side alone the tasks of the other side that hold its documents, the best first."""
    ours = {task: log for task, log in a.samples.items() if task not in b.samples}
    theirs = {task: log for task, log in b.samples.items() if task not in a.samples}
    if not ours or not theirs:
        return ()
    documents = {task: documents_of(log) for task, log in theirs.items()}
    found = []
    for task, log in ours.items():
        own = documents_of(log)
        shares = {other: len(own & held) for other, held in documents.items()}
        for other in sorted(shares, key=lambda name: -shares[name]):
            least = min(len(own), len(documents[other]))
            if shares[other] >= max(FEWEST, SAME_PART * least):
                found.append(Renamed(task, other, shares[other], least))
    return tuple(found)


def proposal(one: Renamed, fields: Sequence[str]) -> Finding:
    """Return the proposal to compare two tasks as one, whose configurations differ in some fields."""
    differ = f", and their configurations differ in {listed([*fields], MOST_FIELDS)}" if fields else ""
    text = (
        f"A's task {one.a} and B's task {one.b} hold the same documents ({one.shared} of {one.of}){differ}: they may "
        f"be one task under two names. --match-tasks {one.a}={one.b} compares them."
    )
    return Finding("tasks_renamed", "warning", text, None, min(one.a, one.b), one.shared, one.of)


def documents_of(log: SampleLog) -> set[bytes]:
    """Return the hashes of a log's documents."""
    column = log.columns.doc_hashes
    return {column[place : place + WIDTH] for place in range(0, len(column), WIDTH)} - {NOT_RECORDED}
