"""The sample logs of a run: which belong to it, what they hold, and what was wrong with them."""

from array import array
from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

from diptych.errors import DiptychError, LogChanged
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.lm_eval.samples import Read, read_log, record_log
from diptych.harness.lm_eval.score_columns import read_columns
from diptych.harness.lm_eval.score_tables import task_rows
from diptych.harness.lm_eval.scores import not_run_keys
from diptych.harness.locate import date_of, other_samples, sample_files, shown_name, stamp_of, unread_logs
from diptych.harness.parse_json import changed_meanwhile, stamp_on_disk
from diptych.harness.plausible_scores import SENTINELS, marks_left_out
from diptych.harness.strict_values import score_number
from diptych.metric_slices import metric_slices
from diptych.numbers import listed
from diptych.run import Remark, Source
from diptych.sample_log import SampleLog
from diptych.storage import sha256_file


class Logs(NamedTuple):
    """The sample logs of a run with what was noticed while they were read."""

    logs: Mapping[str, SampleLog]
    remarks: tuple[Remark, ...]
    inputs: tuple[Source, ...]
    sign: str | None
    chat_seen: bool | None
    unused: tuple[str, ...]


def read_logs(
    path: str, embedded: Any, document: Mapping[str, Any], tasks: tuple[str, ...], model_args: str, strict: bool
) -> Logs:
    """Read the samples inside a results file, or the files with its stamp."""
    reads: dict[str, Read] = {}
    inputs: list[Source] = []
    remarks: list[Remark] = []
    if isinstance(embedded, dict):
        for task, records in embedded.items():
            if isinstance(records, list):
                reads[str(task)] = record_log(records, str(task), shown_name(path), filters_of(document, str(task)))
    else:
        for task, file in sorted(sample_files(path, tasks, model_args).items()):
            stamp = stamp_on_disk(file)
            try:
                read, digest = read_log(file, task, filters_of(document, task), strict=strict), sha256_file(file)
            except DiptychError as error:
                remarks.append(unreadable_log(task, file, error))
                continue
            reads[task] = read
            inputs.append(Source(file, digest))
            if stamp_on_disk(file) != stamp:
                remarks.append(changed_meanwhile(file, task))
    marked = [task for task, read in reads.items() if has_marks(read)]
    rows = task_rows(document) if marked else {}  # few logs hold any
    reads |= {task: without_marks(reads[task], rows.get(task, {})) for task in marked}
    remarks += [damage(task, read) for task, read in reads.items() if read.bad_count]
    remarks += [
        not_run(task, metric, count, read) for task, read in reads.items() for metric, count in read.not_run.items()
    ]
    if not reads and not embedded and (others := other_samples(path)):
        dates = ", ".join(map(date_of, others[:3]))
        text = f"No samples belong to this results file; those beside it ({dates}) belong to others and are not used."
        remarks.append(Remark("no_samples", "warning", text))
    elif not reads and not embedded and (unread := unread_logs(path)):
        text = f"No samples belong to this results file; {listed(unread, 3)} {'is' if len(unread) == 1 else 'are'} not "
        text += f"read: a log is named {usual_name(path)}, and lies beside the results."
        remarks.append(Remark("no_samples", "warning", text, evidence=tuple(unread[:3])))
    named = [read.filter_named for read in reads.values() if len(read.log)]
    sign = None if not named else "samples with a filter" if any(named) else "samples without a filter"
    logs = {task: read.log for task, read in reads.items() if len(read.log) or not read.bad_count}
    unused = tuple(dict.fromkeys(f"samples.{key}" for read in reads.values() for key in read.unused))
    return Logs(logs, tuple(remarks), tuple(inputs), sign, chat_seen(logs), unused)


def has_marks(read: Read) -> bool:
    """Say whether an item's value may be a mark for "not run", or was one."""
    return bool(read.not_run) or not all(map(SENTINELS.isdisjoint, read.log.columns.values.values()))


def without_marks(read: Read, row: Mapping[str, Any]) -> Read:
    """Return a log without the marks for "not run" that its reported scores leave out.

    What a task writes in the place of all slices but an item's own is no mark of an item that was not run.
    """
    log, not_run = read.log, dict(read.not_run)
    values = log.columns.values
    columns = read_columns(row)
    never = not_run_keys(row, columns)
    for key, (metric, name) in columns.metrics.items():
        column, names = values.get(metric), log.columns.filter_names
        if not isinstance(column, array) or name not in names or SENTINELS.isdisjoint(column):
            continue
        reported, place = score_number(row[key])[0], names.index(name)
        own = [at for at, filter_ in enumerate(log.columns.filters) if filter_ == place]
        marks = marks_left_out(column, own, reported, never=key in never) if reported is not None else []
        for at in marks:
            column[at] = nan
        not_run |= {metric: not_run.get(metric, 0) + len(marks)} if marks and key not in never else {}
    return read._replace(not_run=without_slices(not_run, values))


def without_slices(not_run: Mapping[str, int], values: Mapping[str, Sequence[float]]) -> dict[str, int]:
    """Return how many items of which metric have a mark for "not run", but for those of other slices of a task."""
    slices = metric_slices({metric: (column, column) for metric, column in values.items()}) if not_run else ()
    sliced = {metric for one in slices for metric in one.metrics}
    return {metric: count for metric, count in not_run.items() if metric not in sliced}


def usual_name(results_file: str) -> str:
    """Return how the harness names a log of these results: before 0.4.3 nothing had a date."""
    stamp = stamp_of(results_file)
    return f"samples_TASK_{stamp}.jsonl" if stamp else "samples_TASK_DATE.jsonl, up to 0.4.2 MODEL_ARGS_TASK.jsonl"


def filters_of(document: Mapping[str, Any], task: str) -> tuple[str, ...]:
    """Return the names of a task's filters, in the order of its definition."""
    definitions = document.get("configs")
    definition = definitions.get(task) if isinstance(definitions, dict) else None
    entries = definition.get("filter_list") if isinstance(definition, dict) else None
    names = (
        [entry.get("name") for entry in entries or () if isinstance(entry, dict)] if isinstance(entries, list) else []
    )
    return tuple(name for name in names if isinstance(name, str)) or ("none",)


def chat_seen(logs: Mapping[str, SampleLog]) -> bool | None:
    """Say whether the first prompts are lists of messages; None where there is no sample."""
    for log in logs.values():
        try:
            for line in log.lines(range(min(1, len(log)))):
                return any(request.messages is not None for request in line.sample().requests)
        except LogChanged:
            continue  # who compares the run leaves this log out and says so
    return None


def damage(task: str, read: Read) -> Remark:
    """Remark on the lines of a log that were left out."""
    first = read.bad[0]
    text = (
        f"{read.bad_count} of {max(read.lines, read.bad_count)} lines of the samples of {task} cannot be read "
        f"and are left out (line {first.line} of {read.log.source}: {first.reason})."
    )
    places = tuple(f"{read.log.source}:{bad.line}" for bad in read.bad)
    return Remark("file_damaged", "error", text, task=task, count_=read.bad_count, of=read.lines, evidence=places)


def not_run(task: str, metric: str, count: int, read: Read) -> Remark:
    """Remark on items whose value is a mark for "not run"."""
    text = f"{count} of {len(read.log)} item values of {metric} in {task} are marks for *not run*; they are left out."
    return Remark("score_sentinel", "warning", text, task, count, len(read.log))


def unreadable_log(task: str, path: str, error: DiptychError) -> Remark:
    """Remark on a sample file that cannot be read at all."""
    place = shown_name(error.where or path)
    text = f"The samples of {task} are left out: {place}: {error.message}."
    hint = f" ({error.hint})" if error.hint else ""
    return Remark("file_damaged", "error", text + hint, task=task, count_=1, evidence=(place,))
