"""Runs of lm-evaluation-harness: from a results file of any generation, and what lies beside it, to a `Run`."""

import os
from collections.abc import Mapping, Sequence
from math import fsum, isfinite
from typing import TYPE_CHECKING, Any, TypeGuard

from diptych.harness.context import read_context, secret_remarks
from diptych.harness.foreign import signed
from diptych.harness.lm_eval.complement import complement, with_settings_in_place
from diptych.harness.lm_eval.formats import generation_of
from diptych.harness.lm_eval.logs import read_logs
from diptych.harness.lm_eval.scores import read_scores
from diptych.harness.lm_eval.settings import argument_values, run_settings, task_settings
from diptych.harness.lm_eval.tables import groups_of, rows_of
from diptych.harness.lm_eval.task_configs import task_configs
from diptych.harness.locate import date_of, stamp_of
from diptych.harness.parse import Header, RecordedFile, Wanted
from diptych.harness.values import finite, number, typed
from diptych.run import LM_EVAL, Json, Run, Source
from diptych.sample_log import SampleLog, distinct
from diptych.secrets import mask
from diptych.storage import read_bytes, sha256

if TYPE_CHECKING:
    from diptych.plan import Command, Plan

NAMES_OF_A_MODEL = ("peft", "delta", "pretrained", "model", "path", "engine")
# what wrappers and forks call the parts of a results file
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "config": ("params",),
    "configs": ("tasks",),
    "n-samples": ("n_samples",),
    "n-shot": ("n_shot",),
}
IN_PARAMS = ("system_instruction", "chat_template", "fewshot_as_multiturn")
IN_WRAPPERS = ("model", "limit", "num_fewshot", "batch_size", "gen_kwargs", "model_args", "device")
HARNESS_CONFIG = frozenset(
    {"model_args", "num_fewshot", "batch_size", "device", "limit", "bootstrap_iters", "no_cache"}
)
METADATA = ("git_hash", "upper_git_hash", "task_hashes", "chat_template_sha", "system_instruction_sha")


class LmEvalReader:
    """Reads results of lm-evaluation-harness."""

    name = LM_EVAL

    def sniff(self, file: RecordedFile) -> bool:
        """Say whether a file shows that the harness, or a wrapper around it, wrote it."""
        document = file.document
        return isinstance(document, dict) and signed(document) is None and is_results(document)

    def header(self, file: RecordedFile) -> Header:
        """Return what the head of a results file says."""
        return header_of(file.document)

    def read(self, wanted: Wanted) -> Run:
        """Return the run of a results file."""
        return read_document(wanted)

    def command(self, plan: "Plan", folder: str) -> "Command":
        """Return how the harness is told a plan, in the words of its version."""
        from diptych.harness.lm_eval.commands import command

        return command(plan, folder)


def is_results(document: Mapping[str, Any]) -> bool:
    """Say whether a document holds rows of scores as the harness writes them.

    Rows with `metric,filter` keys are the harness' own. Bare rows, as 0.3 has them, are anybody's: there the file
    must show more of the harness, and hold nothing but rows. Some wrappers keep the rows alone, at the top.
    """
    table = document.get("results")
    if not isinstance(table, dict):
        rows = document.values()
        return "results" not in document and any(map(is_row, rows)) and all(is_row(row) or is_head(row) for row in rows)
    if any(is_row(row) for row in table.values()):
        return True
    return is_of_harness(document, table) and all(is_bare(row) for row in table.values())


def is_row(row: Any) -> bool:
    """Say whether a value is a row with `metric,filter` keys, or holds such rows."""
    if not isinstance(row, dict):
        return False
    return any(map(is_score_key, row)) or (bool(row) and all(map(is_row, row.values())))


def is_head(row: Any) -> bool:
    """Say whether a value is the row of a group without scores: its name alone."""
    return isinstance(row, dict) and "alias" in row


def is_score_key(key: str) -> bool:
    """Say whether a key is `metric,filter`: a comma in running text has a blank beside it."""
    metric, comma, name = key.partition(",")
    return bool(comma and metric and name) and metric == metric.strip() and name == name.strip()


def is_of_harness(document: Mapping[str, Any], table: Mapping[str, Any]) -> bool:
    """Say whether a document's other keys are the harness': its config, its tasks' definitions or versions."""
    config, versions = document.get("config"), document.get("versions")
    if isinstance(config, dict) and "model" in config and len(HARNESS_CONFIG & config.keys()) >= 2:
        return True
    if isinstance(versions, dict) and (not table.keys().isdisjoint(versions) or "lm_eval" in versions):
        return True
    if isinstance(config, dict) and isinstance(versions, dict) and any(map(has_errors, table.values())):
        return True
    return "lm_eval_version" in document or {"configs", "n-shot"} <= document.keys()


def has_errors(row: Any) -> bool:
    """Say whether a bare row names a standard error as the harness does, beside its metric."""
    return isinstance(row, dict) and any(key.endswith("_stderr") and key.removesuffix("_stderr") in row for key in row)


def is_bare(row: Any) -> bool:
    """Say whether a value is a row of 0.3: bare metrics, a number among them; a task that failed has an empty one."""
    return isinstance(row, dict) and (
        not row or is_head(row) or any(isinstance(value, int | float) for value in row.values())
    )


def plain_form(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with its parts under the harness's own names."""
    if "results" not in document:
        return {"results": dict(document)}
    plain = with_own_names(document)
    params = document.get("params")
    if isinstance(params, dict):
        plain |= {key: params[key] for key in IN_PARAMS if key in params and key not in plain}
    kept = {key: document[key] for key in IN_WRAPPERS if key in document}
    if kept and not isinstance(plain.get("config"), dict):
        plain["config"] = kept
    packages = document.get("versions")
    if isinstance(packages, dict) and "lm_eval" in packages and "lm_eval_version" not in plain:
        plain["lm_eval_version"] = packages["lm_eval"]
        plain.setdefault("transformers_version", packages.get("transformers"))
    for name in ("n-samples", "versions", "n-shot"):
        if isinstance(plain.get(name), dict):
            plain[name] = flat_table(plain[name])
    return with_settings_in_place(plain)


def with_own_names(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the parts that a wrapper named otherwise under the harness's names."""
    plain = dict(document)
    for name, others in OTHER_NAMES.items():
        for other in others:
            if name not in plain and isinstance(plain.get(other), dict):
                plain[name] = plain.pop(other)
    return plain


def flat_table(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table by task with what a fork nests below a task brought up."""
    flat: dict[str, Any] = {}
    for task, value in table.items():
        if isinstance(value, dict) and not {"original", "effective"} & value.keys():
            flat.update(flat_table(value))
        else:
            flat[str(task)] = value
    return flat


def read_document(wanted: Wanted) -> Run:
    """Return the run of a parsed results file, with its samples and its context."""
    path, given = wanted.file.path, wanted.file.document
    embedded = given.get("samples")
    document, secrets = mask({key: value for key, value in given.items() if key != "samples"})
    wrapped = not isinstance(given.get("config"), dict)
    document = plain_form(document)
    definitions = document.get("configs")
    config = document.get("config") or {}
    given_config = given.get("config")
    model_args = given_config.get("model_args") if isinstance(given_config, dict) else ""
    rows = tuple(rows_of(document))
    tasks = tuple(str(task) for task in definitions) if isinstance(definitions, dict) and not wrapped else rows
    logs = read_logs(path, embedded, document, tasks, model_args if isinstance(model_args, str) else "", wanted.strict)
    generation = generation_of({**document, "config": None} if wrapped else document, logs.sign)
    context, context_source, context_secrets = read_context(path, wanted.near)
    items, expected = counts(document, tasks or rows, logs.logs)
    scores = read_scores(document, items)
    items = {task: count for task, count in items.items() if task not in scores.groups}
    settings = run_settings(document, generation, logs.chat_seen)
    rest = complement(document, settings, frozenset((*rows, *tasks, *scores.groups)))
    secrets += context_secrets
    remarks = (*scores.remarks, *logs.remarks, *secret_remarks(secrets))
    stamp = stamp_of(path)
    own_tasks = tuple(task for task in (tasks or rows) if task not in scores.groups)
    return Run(
        label=wanted.label,
        harness=LM_EVAL,
        harness_version=generation.known,
        generation=generation.text,
        model=model_of(document),
        date=date_of(stamp) if stamp else started(document),
        source=os.path.dirname(path) or ".",
        results_file=os.path.basename(path),
        settings={**settings, **rest.settings},
        task_settings=task_settings(document, own_tasks),
        configs=task_configs(document),
        context=context.settings if context else None,
        scores=scores.rows,
        groups=scores.groups,
        items=items,
        expected=expected,
        samples=logs.logs,
        remarks=remarks,
        inputs=(Source(path, sha256(read_bytes(path))), *logs.inputs, *context_source),
        metadata=metadata_of(document, config),
        measurements={**rest.measurements, **(context.measurements if context else {})},
        unused=(*rest.unused, *scores.unread, *(context.unused if context else ())),
    )


def counts(
    document: Mapping[str, Any], tasks: tuple[str, ...], logs: Mapping[str, SampleLog]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return by task how many items were scored, and how many the whole task holds.

    Up to 0.4.11 a run over a list of samples leaves the full count in the file: where the reported scores are those of
    fewer logged items, these were scored.
    """
    items: dict[str, int] = {}
    expected: dict[str, int] = {}
    table = document.get("n-samples")
    rows = rows_of(document)
    for task in dict.fromkeys((*tasks, *rows)):
        entry = table.get(task) if isinstance(table, dict) else None
        scored, whole = (entry.get("effective"), entry.get("original")) if isinstance(entry, dict) else (entry, None)
        length = rows.get(task, {}).get("sample_len")
        logged = distinct(logs[task].columns.doc_ids) if task in logs else None
        said = next((value for value in (length, scored, logged) if is_count(value)), None)
        if said is not None:
            fewer = logged is not None and 0 < logged < said and explains_scores(logs[task], rows.get(task, {}))
            items[task] = logged if fewer and logged is not None else said
        if is_count(whole):
            expected[task] = whole
    return items, expected


def explains_scores(log: SampleLog, row: Mapping[str, Any]) -> bool:
    """Say whether a log's own items give the reported scores, to the digits of a mean that no part of them would give.

    Where all items score alike any part of them gives the mean: then the log must not look like one that was cut.
    """
    shown = False
    for key, value in row.items():
        metric, _, name = key.partition(",")
        column, names = log.columns.values.get(metric), log.columns.filter_names
        reported, _ = number(value)
        if column is None or reported is None or (name or "none") not in names:
            continue
        place = names.index(name or "none")
        own = [one for one, at in zip(column, log.columns.filters, strict=True) if at == place and isfinite(one)]
        if not own or abs(fsum(own) / len(own) - reported) > 1e-9 * max(1.0, abs(reported)):
            return False
        shown = shown or min(own) != max(own) or not starts_at_first(log.columns.doc_ids)
    return shown


def starts_at_first(doc_ids: Sequence[int | str]) -> bool:
    """Say whether ids are 0, 1, 2, …, as a log that broke off has them."""
    return set(doc_ids) == set(range(len(set(doc_ids))))


def is_count(value: Json) -> TypeGuard[int]:
    """Say whether a value is a number of items that a task may have."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53


def model_of(document: Mapping[str, Any]) -> str | None:
    """Return the model's name: as its arguments give it, since a nameless one is recorded under random letters."""
    config = document.get("config")
    config = config if isinstance(config, dict) else {}
    given = argument_values(config.get("model_args"))
    names = [given.get(key) for key in NAMES_OF_A_MODEL]
    backend = config.get("model")
    recorded = document.get("model_name")
    looks_random = isinstance(recorded, str) and len(recorded) == 8 and recorded.isalnum()
    for name in (*names, None if looks_random else recorded, document.get("path"), backend):
        if isinstance(name, str) and name:
            return "/".join(name.strip("/").split("/")[-2:]) if name.startswith(("/", "~")) else name
    return None


def header_of(given: Mapping[str, Any]) -> Header:
    """Return the head of a parsed results file, and nothing else of it."""
    document, _ = mask({key: value for key, value in given.items() if key not in {"samples", "configs"}})
    document = plain_form(document)
    rows = rows_of(document)
    groups = groups_of(document, rows)
    version = document.get("lm_eval_version")
    tasks = tuple(task for task in rows if task not in groups)
    return Header(model_of(document), version if isinstance(version, str) else None, tasks, started(document))


def started(document: Mapping[str, Any]) -> str | None:
    """Return when the run started by the file's own date, in UTC."""
    value = document.get("date")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value[:40] if isinstance(value, str) else None
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(value, UTC).replace(tzinfo=None, microsecond=0).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def metadata_of(document: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Json]:
    """Return what is worth showing and never compared."""
    metadata = {key: finite(document[key]) for key in METADATA if document.get(key) not in (None, {}, "")}
    if (date := started(document)) is not None:
        metadata["started"] = date
    seconds, _ = number(typed(document.get("total_evaluation_time_seconds", document.get("seconds"))))
    if seconds is not None:
        metadata["seconds"] = seconds
    environment = document.get("pretty_env_info")
    if isinstance(environment, str):
        wanted = ("PyTorch version", "OS", "Python version", "GPU models and configuration", "Model name")
        lines = [line.strip() for line in environment.splitlines()]
        picked = [line for line in lines if line.startswith(wanted) and "Could not collect" not in line]
        if picked:
            metadata["environment"] = "; ".join(picked)[:300]
    return metadata
