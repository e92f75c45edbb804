"""What lies at a location, told before anything is compared: what was read of it, what was skipped and why."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping

from diptych.errors import DiptychError, LogChanged, RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.locate import (
    SAMPLES,
    date_of,
    files_in,
    is_hidden_folder,
    may_hold_results,
    portable_path,
    stamp_of,
)
from diptych.harness.reader import choose, chosen_file, default_label, own_date, read_chosen
from diptych.logged_values import DAMAGED, LoglikelihoodCheck, damage_text
from diptych.run import Remark, Run, Score, Setting
from diptych.sample_log import SampleLog, distinct

DAMAGE = frozenset({"file_damaged"})


class InspectedTask(NamedTuple):
    """One task of a run: what was scored, over how many items, and how many rows its samples hold (None: none).

    `logged` is how many items these rows are of, `answers` how many answers a row has.
    """

    task: str
    metrics: tuple[str, ...]
    filters: tuple[str, ...]
    items: int | None
    expected: int | None
    rows: int | None
    group: bool
    logged: int | None = None
    answers: int = 1


class Skipped(NamedTuple):
    """Something at a location that was not read, and why."""

    what: str
    why: str


class Inspection(NamedTuple):
    """What `diptych check` says of one location.

    `error` is None where it was read; then `damaged` says whether something of it had to be left out.
    `recorded` and `missing` are the keys of settings that the file does and does not say, `defaults` those that
    nobody gave. `measured` are keys that are shown and never compared, `unused` those that nothing is done with.
    """

    location: str
    what: str
    error: DiptychError | None = None
    damaged: bool = False
    generation: str = ""
    model: str | None = None
    date: str | None = None
    results_file: str = ""
    tasks: tuple[InspectedTask, ...] = ()
    recorded: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    defaults: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    measured: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def exit_code(self) -> int:
        """Return 0 for a run that was read, 5 where some of it was damaged and left out, 1 where it cannot be read."""
        return 1 if self.error else 5 if self.damaged else 0


class Found(NamedTuple):
    """A run in a tree: the location that reads it, and what tells it from the others."""

    location: str
    model: str | None
    date: str | None
    tasks: tuple[str, ...]
    harness_version: str | None = None


def inspection_of(location: str, results_file: str, run: Run) -> Inspection:
    """Return what was read of a run and what lies beside its results file and was not."""
    keys = all_settings(run)
    remarks = (*run.remarks, *tasks_without_numbers(run))
    return Inspection(
        location=location,
        what=kind_of_run(run),
        damaged=any(remark.kind in DAMAGE for remark in remarks),
        generation=run.generation,
        model=run.model,
        date=run.date,
        results_file=run.results_file,
        tasks=tuple(inspected_tasks(run)),
        recorded=tuple(sorted(key for key, setting in keys.items() if setting.recorded)),
        missing=tuple(sorted(key for key, setting in keys.items() if not setting.recorded)),
        defaults=tuple(sorted(key for key, setting in keys.items() if setting.recorded and setting.default)),
        context=tuple(sorted(run.context or ())),
        measured=tuple(sorted(run.measurements)),
        unused=tuple(sorted(run.unused)),
        skipped=tuple(skipped_at(results_file, run)),
        remarks=remarks,
    )


def kind_of_run(run: Run) -> str:
    """Return what a run is: of which harness, and whether it scored or logged anything."""
    if run.scores:
        return f"a run of {run.harness}"
    return f"a run of {run.harness} without a score" if run.samples else f"an empty run of {run.harness}"


def all_settings(run: Run) -> Mapping[str, Setting]:
    """Return the run-wide settings, and those kept by task under their key (not recorded where a task lacks one)."""
    keys = dict(run.settings)
    for settings in run.task_settings.values():
        for key, setting in settings.items():
            if key not in keys or not setting.recorded:
                keys[key] = setting
    return keys


def inspected_tasks(run: Run) -> Iterator[InspectedTask]:
    """Yield the tasks and groups of a run, in the order of their scores, those without a score last."""
    names = dict.fromkeys([score.task for score in run.scores] + list(run.task_settings) + list(run.groups))
    rows: dict[str, list[Score]] = {task: [] for task in names}
    for score in run.scores:
        rows[score.task].append(score)
    for task, scores in rows.items():
        log = run.samples.get(task)
        filters = dict.fromkeys([score.filter for score in scores] + list(log.columns.filter_names if log else ()))
        yield InspectedTask(
            task=task,
            metrics=tuple(dict.fromkeys(score.metric for score in scores)),
            filters=tuple(filters),
            items=run.items.get(task, scores[0].items if scores else None),
            expected=run.expected.get(task),
            rows=len(log) if log is not None else None,
            group=task in run.groups,
            logged=distinct(log.columns.doc_ids) if log is not None else None,
            answers=answers_of(log) if log is not None else 1,
        )


def tasks_without_numbers(run: Run) -> Iterator[Remark]:
    """Yield the tasks some of whose items have log-likelihoods that are no numbers, or that cannot be read."""
    for task, log in run.samples.items():
        try:
            counts, damaged = unmeasured_in(log)
            of = distinct(log.columns.doc_ids)
            for row, damage in damaged.items():
                count = counts.pop(DAMAGED)
                text, where = damage_text(log, row, damage, count, of)
                yield Remark("file_damaged", "error", text, task, count, of, (where,))
        except LogChanged:
            continue  # the run says so itself
        number = sum(counts.values())
        if number:
            what = ", ".join(name for name, _ in counts.most_common())
            text = (
                f"{number:,} of {of:,} items of {task} have log-likelihoods that are no numbers ({what}): their scores "
                "are no measurement."
            )
            yield Remark("likelihoods_not_numbers", "warning", text, task)


def unmeasured_in(log: SampleLog) -> tuple[Counter[str], dict[int, str]]:
    """Count a log's items by what stands there instead of log-likelihoods, under its first filter.

    With the first row where none can be read, and what stands in it.
    """
    counts: Counter[str] = Counter()
    damaged: dict[int, str] = {}
    check = LoglikelihoodCheck(lone=False)
    rows = [row for row, name in enumerate(log.columns.filters) if not name]
    for row, line in zip(rows, log.lines(rows), strict=True):
        if row == rows[0]:
            first = line.requests()
            if not first or first[0].arguments is not None:
                break  # written answers
            check = LoglikelihoodCheck(lone=first[0].continuation is None)
        if fault := check.fault(line):
            counts[fault.what] += 1
            if fault.damage and not damaged:
                damaged[row] = fault.damage
    return counts, damaged


def answers_of(log: SampleLog) -> int:
    """Return how many answers the first row of a log has."""
    try:
        for line in log.lines(range(min(1, len(log)))):
            return max((len(answers) for answers in line.sample().responses), default=1)
    except LogChanged:
        pass  # the run says so itself
    return 1


def skipped_at(results_file: str, run: Run) -> Iterator[Skipped]:
    """Yield what lies beside a results file and was not read, and which tasks have no samples."""
    stamp = stamp_of(results_file)
    read = {os.path.basename(source.name) for source in run.inputs}
    for path in files_in(os.path.dirname(results_file) or "."):
        name = os.path.basename(path)
        match = SAMPLES.match(name)
        if match and match["stamp"] != stamp:
            yield Skipped(portable_path(path), f"samples of other results ({date_of(match['stamp'])})")
        elif name not in read and path != results_file and may_hold_results(path) and (other := stamp_of(path)):
            yield Skipped(portable_path(path), f"other results ({date_of(other)}): name the file to read them")
    for task in run.task_settings:
        if task not in run.samples and run.samples:
            yield Skipped(task, "no samples were logged with these results")
    for task, log in run.samples.items():
        lacking = (run.items.get(task) or 0) - distinct(log.columns.doc_ids)
        if lacking > 0:
            yield Skipped(task, f"{lacking:,} of {run.items[task]:,} items are not in its log")


def inspect(location: str, *, strict: bool = False) -> Inspection:
    """Return what lies at a location; what cannot be read is an inspection with its error, never a raise."""
    try:
        chosen = choose(location)
        run = read_chosen(chosen, default_label(location), strict)
        return inspection_of(location, chosen.path, run)
    except DiptychError as error:
        return Inspection(location, error.message, error)


def discover(path: str) -> tuple[Found, ...]:
    """Return the runs in a tree, by location; what is no run is passed over."""
    if not os.path.isdir(path):
        raise RunError("no such directory", where=path, hint="name the directory that holds the runs")
    found: list[Found] = []
    for folder, folders, _ in os.walk(path):
        folders[:] = sorted(name for name in folders if not is_hidden_folder(name))
        files = [file for file in files_in(folder) if may_hold_results(file)]
        runs = [run for file in files if (run := found_in(file)) is not None]
        found += [runs[0]._replace(location=folder)] if len(runs) == 1 else runs
    return tuple(sorted(found, key=lambda run: run.location))


def found_in(path: str) -> Found | None:
    """Return the run of a results file, or None for any other file."""
    try:
        chosen = chosen_file(path)
        header = chosen.header
    except (RunError, RecursionError):
        return None
    return Found(path, header.model, own_date(chosen) or None, header.tasks, header.version)
