"""A run out of the logs that one call of inspect_ai wrote: a task a log."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from diptych.errors import RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.inspect_ai.archive import samples_of
from diptych.harness.inspect_ai.commands import command
from diptych.harness.inspect_ai.samples import ScoreName, sample_rows
from diptych.harness.inspect_ai.settings import Recorded, recorded_settings
from diptych.harness.lm_eval.samples import Read, record_log
from diptych.harness.locate import shown_name
from diptych.harness.parse_json import Header, RecordedFile
from diptych.harness.plausible_scores import plausible_error
from diptych.harness.run_context import read_context, secret_remarks
from diptych.harness.strict_values import finite, mapping, score_number
from diptych.run import Json, Remark, Run, Score, Setting, Source
from diptych.sample_log import SampleLog
from diptych.secrets import mask
from diptych.storage import sha256_file

ERRORS = frozenset({"stderr", "bootstrap_stderr", "std", "var", "bootstrap_std"})
"""Names of metrics that say how far a score scatters; the first two are its standard error."""

HIGHER_IS_BETTER = frozenset({"accuracy"})
MEANS = frozenset({"accuracy", "mean"})
"""Metrics that are the plain mean of the items' values."""


class Logged(NamedTuple):
    """One log of the run, its secrets masked: its task, head, scores, rows and what was noticed."""

    file: RecordedFile
    task: str
    head: Mapping[str, Any]
    scores: tuple[Score, ...]
    read: Read
    recorded: Recorded
    remarks: tuple[Remark, ...]
    secrets: int


def run_of(heads: Sequence[tuple[RecordedFile, Mapping[str, Any]]], header: Header, label: str, near: str) -> Run:
    """Return the run of the logs of one call; settings in which they differ stand with their tasks."""
    logs = [logged(file, head) for file, head in heads]
    main = logs[-1]
    context, context_source, context_secrets = read_context(main.file.path, near)
    wide, by_task = split_settings(logs)
    version = header.version or "of an unknown version"
    return Run(
        label=label,
        harness="inspect_ai",
        harness_version=header.version,
        generation=version,
        model=header.model,
        date=header.started,
        source=os.path.dirname(main.file.path) or ".",
        results_file=os.path.basename(main.file.path),
        settings=wide,
        task_settings=by_task,
        configs={log.task: log.recorded.config for log in logs},
        context=context.settings if context else None,
        scores=tuple(score for log in logs for score in log.scores),
        groups={},
        items={log.task: items for log in logs if (items := answered_items(log.head)) is not None},
        expected={log.task: whole for log in logs if (whole := dataset_size(log.head)) is not None},
        samples={log.task: sample_log(log.read) for log in logs if len(log.read.log)},
        remarks=(
            *(remark for log in logs for remark in log.remarks),
            *secret_remarks(context_secrets + sum(log.secrets for log in logs)),
        ),
        inputs=(*(Source(log.file.path, sha256_file(log.file.path)) for log in logs), *context_source),
        metadata={},
        measurements={
            **{key: value for log in logs for key, value in log.recorded.measurements.items()},
            **(context.measurements if context else {}),
        },
        unused=tuple(
            dict.fromkeys((*(key for log in logs for key in log.recorded.unused), *(context.unused if context else ())))
        ),
        command=partial(
            command, files={log.task: str(mapping(log.head["eval"]).get("task_file") or "") for log in logs}
        ),
    )


def sample_log(read: Read) -> SampleLog:
    """Return the log that was read."""
    return read.log


def logged(file: RecordedFile, head: Mapping[str, Any]) -> Logged:
    """Return one log. Raises `RunError` where it holds no scores."""
    clean, secrets = mask(finite(dict(head)))
    task = str(clean["eval"].get("task", "task"))
    entries = score_entries(clean)
    if not entries:
        status = clean.get("status")
        raise RunError(
            f"a log of inspect_ai without scores (its status: {str(status)[:40]})",
            where=file.path,
            hint="`inspect score` adds scores, `inspect eval-retry` finishes the run",
        )
    names = [ScoreName(each.scorer, each.name, each.means) for each in entries]
    records: list[Json] = []
    damage: list[str] = []
    for member in samples_of(file):
        if member.damage or not isinstance(member.sample, dict):
            damage.append(f"{member.name}: {member.damage or 'not a sample'}")
            continue
        masked, count = mask({key: value for key, value in member.sample.items() if key != "store"})
        secrets += count
        records += sample_rows(masked, names)
    read = record_log(records, task, shown_name(file.path), tuple(each.name for each in names) or ("none",))
    remarks = [damaged(task, file, damage, len(records))] if damage else []
    if not records and not damage:
        text = f"{shown_name(file.path)} holds no samples: they were not logged."
        remarks.append(Remark("no_samples", "warning", text, task))
    return Logged(
        file, task, clean, tuple(scores_of(task, entries)), read, recorded_settings(clean), tuple(remarks), secrets
    )


class Entry(NamedTuple):
    """One entry of a log's scores: its scorer, the name it goes by, its metrics, and over how many items they are.

    `means` are those of its metrics that are the mean of the items.
    """

    scorer: str
    name: str
    metrics: Mapping[str, Json]
    items: int | None
    means: tuple[str, ...]


def score_entries(head: Mapping[str, Any]) -> list[Entry]:
    """Return the entries of a log's scores; one that is reduced in another way than by a mean is named by that way."""
    results = mapping(head.get("results"))
    given = results.get("scores")
    found = []
    for each in map(mapping, given if isinstance(given, list) else ()):
        metrics = {
            str(key): mapping(value).get("value")
            for key, value in mapping(each.get("metrics")).items()
            if mapping(value)
        }
        reducer = each.get("reducer")
        plain = reducer in (None, "mean")
        name = str(each.get("name") or each.get("scorer") or "score")
        scored = each.get("scored_samples")
        items = scored if isinstance(scored, int) and not isinstance(scored, bool) else answered_items(head)
        means = tuple(key for key in metrics if key in MEANS) if plain else ()
        found.append(
            Entry(str(each.get("scorer") or name), name if plain else f"{name}/{reducer}", metrics, items, means)
        )
    return found


def scores_of(task: str, entries: Sequence[Entry]) -> Iterator[Score]:
    """Yield the reported scores, each once."""
    for entry in entries:
        key = next((name for name in ("stderr", "bootstrap_stderr") if name in entry.metrics), None)
        for metric, given in entry.metrics.items():
            if metric in ERRORS:
                continue
            value, reason = score_number(given)
            error, error_reason = plausible_error(
                entry.metrics.get(key or ""), value, key is not None and metric in MEANS, entry.items
            )
            yield Score(
                task,
                metric,
                entry.name,
                value,
                error,
                True if metric in HIGHER_IS_BETTER else None,
                reason,
                error_reason,
                items=entry.items,
            )


def answered_items(head: Mapping[str, Any]) -> int | None:
    """Return how many items were answered: samples over all epochs, divided by the epochs."""
    done = mapping(head.get("results")).get("completed_samples")
    epochs = mapping(mapping(head.get("eval")).get("config")).get("epochs")
    if not isinstance(done, int) or isinstance(done, bool) or done < 0:
        return None
    return done // epochs if isinstance(epochs, int) and epochs > 1 else done


def dataset_size(head: Mapping[str, Any]) -> int | None:
    """Return how many items the whole data set holds."""
    size = mapping(mapping(head.get("eval")).get("dataset")).get("samples")
    return size if isinstance(size, int) and not isinstance(size, bool) and size >= 0 else None


def damaged(task: str, file: RecordedFile, damage: Sequence[str], rows: int) -> Remark:
    """Remark on the samples that cannot be read."""
    name = shown_name(file.path)
    text = f"{len(damage)} samples of {task} in {name} cannot be read and are left out ({damage[0]})."
    places = tuple(f"{name}: {each}" for each in damage[:20])
    return Remark("file_damaged", "error", text, task, len(damage), rows + len(damage), places)


def split_settings(logs: Sequence[Logged]) -> tuple[dict[str, Setting], dict[str, dict[str, Setting]]]:
    """Return the settings that all logs share, and by task those in which they differ."""
    keys = dict.fromkeys(key for log in logs for key in log.recorded.settings)
    wide: dict[str, Setting] = {}
    by_task: dict[str, dict[str, Setting]] = {log.task: {} for log in logs}
    for key in keys:
        values = [log.recorded.settings.get(key) for log in logs]
        first = values[0]
        if first is not None and all(value == first for value in values):
            wide[key] = first
            continue
        for log, value in zip(logs, values, strict=True):
            if value is not None:
                by_task[log.task][key] = value
    for log in logs:
        version = mapping(log.head["eval"]).get("task_version")
        if version is not None:
            by_task[log.task][f"versions.{log.task}"] = Setting(version)
    return wide, by_task
