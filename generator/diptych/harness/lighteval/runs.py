"""A run out of lighteval's results and details."""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from diptych.bounded_json import whole_number
from diptych.catalogue.measurements import bearing_of
from diptych.errors import RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.dotted_keys import MOST_LEAVES, Recorded, leaves
from diptych.harness.lighteval.details import details_files, parquet_rows
from diptych.harness.lm_eval.samples import Read, record_log
from diptych.harness.locate import date_of, shown_name, stamp_of
from diptych.harness.parse_json import DamagedFile, RecordedFile
from diptych.harness.plausible_scores import plausible_error
from diptych.harness.run_context import read_context, secret_remarks
from diptych.harness.strict_values import as_list, finite, mapping, score_number, typed
from diptych.run import Json, Remark, Run, Score, Setting, Source
from diptych.sample_log import SampleLog
from diptych.secrets import mask
from diptych.storage import sha256_file

MEAN_OF_ALL = "all"
"""The row of the mean over all tasks, whatever each measures: it is compared with nothing."""

AVERAGE = ":_average"
"""Ends the name of a row that is the mean over the subsets of one benchmark."""

FIELDS: Mapping[str, str] = {
    "hf_repo": "dataset_path",
    "hf_subset": "dataset_name",
    "evaluation_splits": "test_split",
    "few_shots_split": "fewshot_split",
    "few_shots_select": "fewshot_config",
    "prompt_function": "doc_to_text",
    "metrics": "metric_list",
}
"""Fields of a task's definition under the names by which every harness's are known."""

BY_NAME = frozenset({"name", "num_fewshots", "stop_sequence", "generation_size", "version", "full_name"})
COUNTED = frozenset({"original_num_docs", "effective_num_docs"})
TABLES = frozenset({"config_general", "config_tasks", "results", "versions"})
GENERAL = frozenset({"model_config", "max_samples", "model_name", "lighteval_sha"})


def lighteval_model(document: Mapping[str, Any]) -> str | None:
    """Return the model's name, of a path its last two parts."""
    general = mapping(document.get("config_general"))
    name = general.get("model_name") or mapping(general.get("model_config")).get("model_name")
    if not isinstance(name, str) or not name:
        return None
    return "/".join(name.strip("/").split("/")[-2:]) if name.startswith(("/", "~")) else name


def own_task_names(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the rows of tasks by their own names: without the number of shots, where that tells no two apart."""
    rows = [str(row) for row in mapping(document.get("results")) if row != MEAN_OF_ALL]
    plain = [row.rpartition("|")[0] if whole_number(row.rpartition("|")[2]) is not None else row for row in rows]
    return {row: name if name and plain.count(name) == 1 else row for row, name in zip(rows, plain, strict=True)}


def subset_groups(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the rows that are a mean over the subsets of a benchmark, each with these."""
    found = {}
    for name in names:
        if name.endswith(AVERAGE):
            benchmark = name.removesuffix(AVERAGE) + ":"
            found[name] = tuple(other for other in names if other.startswith(benchmark) and other != name)
    return found


class Details(NamedTuple):
    """The logged rows of the run's tasks, what was noticed, the files, and how many secrets were masked."""

    logs: Mapping[str, SampleLog]
    remarks: tuple[Remark, ...]
    inputs: tuple[Source, ...]
    secrets: int


def run_of(file: RecordedFile, label: str, near: str) -> Run:
    """Return the run of a results file. Raises `RunError` where it holds no scores."""
    document, secrets = mask(finite(file.document))
    names = own_task_names(document)
    groups = subset_groups(tuple(names.values()))
    if not names:
        raise RunError("results of lighteval without a task", where=file.path, hint="write the results again")
    details = read_details(file.path, names)
    items = {task: len(set(log.columns.doc_ids)) for task, log in details.logs.items()}
    context, context_source, context_secrets = read_context(file.path, near)
    own = {row: task for row, task in names.items() if task not in groups}
    general = mapping(document.get("config_general"))
    wide, measured, unused = general_settings(document)
    stamp = stamp_of(file.path)
    return Run(
        label=label,
        harness="lighteval",
        harness_version=None,
        generation="",
        model=lighteval_model(document),
        date=date_of(stamp) if stamp else None,
        source=os.path.dirname(file.path) or ".",
        results_file=os.path.basename(file.path),
        settings=wide,
        task_settings={task: task_settings(document, row, general) for row, task in own.items()},
        configs={task: task_config(document, row) for row, task in own.items()},
        context=context.settings if context else None,
        scores=tuple(score for row, task in names.items() for score in scores_of(document, row, task, items, groups)),
        groups=groups,
        items=items,
        expected={},
        samples=details.logs,
        remarks=(*details.remarks, *secret_remarks(secrets + context_secrets + details.secrets)),
        inputs=(Source(file.path, sha256_file(file.path)), *details.inputs, *context_source),
        metadata={},
        measurements={**measured, **(context.measurements if context else {})},
        unused=(*unused, *(context.unused if context else ())),
    )


def read_details(path: str, names: Mapping[str, str]) -> Details:
    """Return the details of a results file; what of them cannot be read is named."""
    logs: dict[str, SampleLog] = {}
    remarks: list[Remark] = []
    inputs: list[Source] = []
    secrets = 0
    files = details_files(path)
    for row, task in names.items():
        place = files.get(row)
        if place is None:
            continue
        try:
            records, count = mask(list(parquet_rows(place)))
        except RunError as error:
            remarks.append(unreadable_details(task, place, error))
            continue
        secrets += count
        read: Read = record_log(records, task, shown_name(place), ("none",))
        logs[task] = read.log
        inputs.append(Source(place, sha256_file(place)))
    if not files:
        text = (
            "No details lie beside these results (`details/` beside `results/`): run with --save-details for samples."
        )
        remarks.append(Remark("no_samples", "warning", text))
    return Details(logs, tuple(remarks), tuple(inputs), secrets)


def unreadable_details(task: str, place: str, error: RunError) -> Remark:
    """Remark on details that are damaged, or that the library which reads them is missing for."""
    name = shown_name(place)
    text = f"The details of {task} cannot be read: {error.message} ({name}). {error.hint}."
    if isinstance(error, DamagedFile):
        return Remark("file_damaged", "error", text, task, 1, evidence=(name,))
    return Remark("no_samples", "warning", text, task, 1, evidence=(name,))


def scores_of(
    document: Mapping[str, Any], row: str, task: str, items: Mapping[str, int], groups: Mapping[str, Any]
) -> Iterator[Score]:
    """Yield the scores of one row, each with its standard error."""
    values = mapping(mapping(document.get("results")).get(row))
    directions = {
        str(each.get("metric_name")): each.get("higher_is_better")
        for each in map(mapping, as_list(mapping(mapping(document.get("config_tasks")).get(row)).get("metrics")))
    }
    for metric, given in values.items():
        if metric.endswith("_stderr"):
            continue
        value, reason = score_number(given)
        key = f"{metric}_stderr"
        error, error_reason = plausible_error(values.get(key), value, key in values, items.get(task))
        direction = directions.get(metric)
        yield Score(
            task,
            str(metric),
            "none",
            value,
            error,
            direction if isinstance(direction, bool) else None,
            reason,
            error_reason,
            group=task in groups,
            items=items.get(task),
        )


def general_settings(document: Mapping[str, Any]) -> tuple[dict[str, Setting], dict[str, Json], tuple[str, ...]]:
    """Return the settings of the whole run, what was measured, and the keys that nothing is done with."""
    general = mapping(document.get("config_general"))
    found = model_settings(general)
    measured: dict[str, Json] = {}
    unused = [f"results.{MEAN_OF_ALL}"] if MEAN_OF_ALL in mapping(document.get("results")) else []
    rest = {key: value for key, value in general.items() if key not in GENERAL}
    others = {key: value for key, value in document.items() if key not in TABLES and not key.startswith("summary_")}
    unused += [key for key in document if key.startswith("summary_")]
    for leaf in bounded_leaves("", {**rest, **others}):
        bearing = bearing_of(leaf.key, leaf.value)
        if bearing == "measurement":
            measured[leaf.key] = leaf.value
        elif bearing == "label" or leaf.key in ("start_time", "end_time"):
            unused.append(leaf.key)
        else:
            found[leaf.key] = leaf.value
    return {key: Setting(value, default=value is None) for key, value in found.items()}, measured, tuple(unused)


def model_settings(general: Mapping[str, Any]) -> dict[str, Json]:
    """Return what the general configuration says of the model, of how it is asked, and of how much."""
    model = dict(mapping(general.get("model_config")))
    found: dict[str, Json] = {"model_args.pretrained": model.pop("model_name", None) or general.get("model_name")}
    found["limit"] = typed(general.get("max_samples"))
    if general.get("lighteval_sha") not in (None, "?", ""):
        found["git_hash"] = general["lighteval_sha"]
    if "system_prompt" in model:
        found["system_instruction"] = model.pop("system_prompt")
    if "override_chat_template" in model:
        on = model.pop("override_chat_template")
        if isinstance(on, bool):
            found["chat_template"] = "" if on else None
    for name in ("batch_size", "device"):
        if name in model:
            found[name] = typed(model.pop(name))
    for family, values in (("gen_kwargs", mapping(model.pop("generation_parameters", None))), ("model_args", model)):
        found |= {leaf.key: leaf.value for leaf in bounded_leaves(family, values)}
    return found


def bounded_leaves(key: str, values: Mapping[str, Any]) -> Iterator[Recorded]:
    """Yield what an object holds, each value under its dotted key, up to a bound."""
    return islice(leaves(key, dict(values)), MOST_LEAVES if values else 0)


def task_settings(document: Mapping[str, Any], row: str, general: Mapping[str, Json]) -> dict[str, Setting]:
    """Return what is kept task by task: examples, stop strings and budget of an answer, the task's version."""
    config = mapping(mapping(document.get("config_tasks")).get(row))
    shots = row.rpartition("|")[2]
    found = {"num_fewshot": Setting(config.get("num_fewshots", whole_number(shots)))}
    budget = config.get("generation_size")
    if isinstance(budget, int) and budget > 0:
        given = mapping(mapping(general.get("model_config")).get("generation_parameters")).get("max_new_tokens")
        found["gen_kwargs.max_new_tokens"] = Setting(budget if given is None else given, default=given is None)
        found["gen_kwargs.until"] = Setting(config.get("stop_sequence"), default=True)
    if config.get("version") is not None:
        found[f"versions.{own_task_names(document)[row]}"] = Setting(config["version"])
    return found


def task_config(document: Mapping[str, Any], row: str) -> dict[str, Json]:
    """Return the definition of a task, its fields under the names that every harness's are known by."""
    config = mapping(mapping(document.get("config_tasks")).get(row))
    kept = {key: value for key, value in config.items() if key not in BY_NAME | COUNTED and value is not None}
    return {FIELDS.get(key, key): value for key, value in kept.items()}
