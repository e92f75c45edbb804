"""Runs of lm-evaluation-harness: from a results file of any generation, and what lies beside it, to a `Run`."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from diptych.harness.foreign_files import other_tool
from diptych.harness.lm_eval.generations import generation_of
from diptych.harness.lm_eval.item_counts import item_counts, subsets
from diptych.harness.lm_eval.results_document import is_results, plain_form
from diptych.harness.lm_eval.sample_logs import read_logs
from diptych.harness.lm_eval.score_tables import task_groups, task_rows
from diptych.harness.lm_eval.scores import read_scores
from diptych.harness.lm_eval.settings import argument_values, run_settings, task_settings
from diptych.harness.lm_eval.task_configs import task_configs
from diptych.harness.lm_eval.unlisted_settings import unlisted_settings
from diptych.harness.locate import date_of, stamp_of
from diptych.harness.parse_json import Header, RecordedFile, Wanted
from diptych.harness.run_context import read_context, secret_remarks
from diptych.harness.strict_values import finite, score_number, typed
from diptych.run import LM_EVAL, Json, Run, Source
from diptych.secrets import mask, safe
from diptych.storage import sha256_file

if TYPE_CHECKING:
    from diptych.plan import Command, Plan

NAMES_OF_A_MODEL = ("peft", "delta", "pretrained", "model", "path", "engine")
METADATA = ("git_hash", "upper_git_hash", "task_hashes", "chat_template_sha", "system_instruction_sha")


class LmEvalReader:
    """Reads results of lm-evaluation-harness."""

    name = LM_EVAL

    def sniff(self, file: RecordedFile) -> bool:
        """Say whether a file shows that the harness, or a wrapper around it, wrote it."""
        document = file.document
        return isinstance(document, dict) and other_tool(document) is None and is_results(document)

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
    rows = tuple(task_rows(document))
    tasks = tuple(str(task) for task in definitions) if isinstance(definitions, dict) and not wrapped else rows
    logs = read_logs(path, embedded, document, tasks, model_args if isinstance(model_args, str) else "", wanted.strict)
    generation = generation_of({**document, "config": None} if wrapped else document, logs.sign)
    context, context_source, context_secrets = read_context(path, wanted.near)
    broken = {remark.task for remark in logs.remarks if remark.kind == "file_damaged"}
    whole = {task: log for task, log in logs.logs.items() if task not in broken}
    items, expected = item_counts(document, tasks or rows, logs.logs, subsets(document, whole, generation))
    scores = read_scores(document, items, logs.logs)
    items = {task: count for task, count in items.items() if task not in scores.groups}
    settings = run_settings(document, generation, logs.chat_seen)
    rest = unlisted_settings(document, settings, frozenset((*rows, *tasks, *scores.groups)))
    secrets += context_secrets
    remarks = (*scores.remarks, *logs.remarks, *secret_remarks(secrets))
    stamp = stamp_of(path)
    own_tasks = tuple(task for task in (tasks or rows) if task not in scores.groups)
    return Run(
        label=wanted.label,
        harness=LM_EVAL,
        harness_version=generation.known,
        generation=generation.text,
        model=lm_eval_model(document),
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
        inputs=(Source(path, sha256_file(path)), *logs.inputs, *context_source),
        metadata=metadata_of(document, config),
        measurements={**rest.measurements, **(context.measurements if context else {})},
        unused=(*rest.unused, *scores.unread, *logs.unused, *(context.unused if context else ())),
    )


def lm_eval_model(document: Mapping[str, Any]) -> str | None:
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
    document = plain_form({key: value for key, value in given.items() if key not in {"samples", "configs"}})
    rows = task_rows(document)
    groups = task_groups(document, rows)
    version = document.get("lm_eval_version")
    tasks = tuple(safe(task) for task in rows if task not in groups)
    model, date = (text and safe(text) for text in (lm_eval_model(document), started(document)))
    items, _ = item_counts(document, tasks, {}, frozenset())
    return Header(model, safe(version) if isinstance(version, str) else None, tasks, date, items=items)


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
    seconds, _ = score_number(typed(document.get("total_evaluation_time_seconds", document.get("seconds"))))
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
