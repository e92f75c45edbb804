"""Our own small harness: ask a student every task, check the answers, write the results file that decide reads.

Every answer goes to a journal beside the results the moment it is there; a killed evaluation goes on from it by
task id. The results file itself is written whole, at the end.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from diptych import storage
from diptych.bounded_json import load_json
from diptych.errors import DiptychError, StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.students.collect.answer_checks import check_answer
from diptych.students.collect.ask_many import Progress, Say, Sleep, ask_all, quiet
from diptych.students.collect.endpoint import Answer, Endpoint, Unanswered, ask, client_for
from diptych.students.collect.student_tasks import Task, Tasks, read_tasks

Json = Any


class EvalSummary(NamedTuple):
    """What one evaluation did: tasks passed of answered, those that failed, asked now and kept from before."""

    path: str
    passed: int
    answered: int
    asked: int
    reused: int
    failed: tuple[tuple[str, str], ...]
    retries: int
    served_models: Mapping[str, int]


BUSY = 5.0
"""Seconds to wait for another call that writes to the same results."""


def students_eval(
    tasks: str | Path,
    model: str,
    out: str | Path,
    endpoint: Endpoint,
    *,
    quant: str = "unknown",
    engine: str = "unknown",
    engine_version: str = "unknown",
    notes: str | None = None,
    fresh: bool = False,
    progress: Progress = quiet,
    say: Say = quiet,
) -> EvalSummary:
    """Evaluate one student and write its results file; answers that an earlier call kept are not asked again.

    A task is asked again only where what is asked changed; a changed check is held against the answer that is there.
    Raises `StudentsError` for a tasks file that cannot be used and for results of another model that would be
    overwritten, `EndpointError` for an endpoint that gives no answer.
    """
    read = read_tasks(tasks)
    with storage.locked(storage.lock_of(out), wait=BUSY):
        return evaluated(
            read, model, out, endpoint, quant, engine, engine_version, notes, fresh=fresh, progress=progress, say=say
        )


def evaluated(
    read: Tasks,
    model: str,
    out: str | Path,
    endpoint: Endpoint,
    quant: str,
    engine: str,
    engine_version: str,
    notes: str | None,
    *,
    fresh: bool,
    progress: Progress,
    say: Say,
) -> EvalSummary:
    """Evaluate one student while nobody else writes to its results or its journal."""
    settings = answer_settings(model, endpoint)
    if not fresh:
        keep_others_results(out, model)
    journal = journal_path(out, settings)
    kept = {} if fresh else kept_answers(out, journal, settings, read)
    if fresh:
        storage.remove(journal)
    left = [task for task in read.tasks if task.id not in kept]
    if kept:
        say(f"{len(kept)} of {len(read.tasks)} answers are there already; asking for {len(left)}")
    failed = ask_left(left, kept, model, endpoint, journal, progress) if left else []
    rows = [kept[task.id] for task in read.tasks if task.id in kept]
    body = {
        "model": model,
        "quant": quant,
        "engine": engine,
        "engine_version": engine_version,
        "tasks": read.name,
        "tasks_sha256": read.sha256,
        "sampling": settings["sampling"],
        "notes": notes,
        "served_models": answers_by_model(rows),
        "results": rows,
        "failed": failed,
    }
    text = json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    storage.write_bytes(out, text.encode("utf-8", "backslashreplace"))
    if not failed:
        storage.remove(journal)
    return evaluation_summary(str(out), body, len(left) - len(failed), len(rows) - (len(left) - len(failed)))


def keep_others_results(out: str | Path, model: str) -> None:
    """Refuse to overwrite the results of another model."""
    there = model_in(out)
    if there is not None and there != model:
        raise StudentsError(
            f"holds the answers of {there}, not of {model}",
            where=str(out),
            hint="give another --out (or --out-dir), or --fresh to replace it",
        )


def model_in(out: str | Path) -> str | None:
    """Return the model whose answers a results file holds, None where it is not there or does not say."""
    body = results_body(out)
    model = body.get("model") if body else None
    return model if isinstance(model, str) else None


def answer_settings(model: str, endpoint: Endpoint) -> dict[str, Json]:
    """Return what an answer depends on beside its task: answers under other settings are never mixed in."""
    sampling = {
        "temperature": endpoint.temperature,
        "max_tokens": endpoint.max_tokens,
        "seed": endpoint.seed,
        **({"extra": dict(endpoint.extra)} if endpoint.extra else {}),
    }
    return {"model": model, "sampling": sampling}


def question_digest(task: Task) -> str:
    """Return a short digest of what a task asks: as long as it is the same, an answer to it stands."""
    return storage.sha256(json.dumps(list(task.messages), sort_keys=True, ensure_ascii=True).encode())[:12]


def journal_path(out: str | Path, settings: Mapping[str, Json]) -> str:
    """Return the journal's place: beside the results, one for each set of settings."""
    return f"{out}.{storage.sha256(json.dumps(settings, sort_keys=True).encode())[:8]}.journal"


def kept_answers(
    out: str | Path, journal: str, settings: Mapping[str, Json], tasks: Tasks
) -> dict[str, dict[str, Json]]:
    """Return the answers of earlier calls under the same settings, checked anew, by task id."""
    rows = rows_of_results(out, settings, tasks.sha256) + rows_of_journal(journal)
    wanted = {task.id: (task, question_digest(task)) for task in tasks.tasks}
    kept = {}
    for row in rows:
        task, digest = wanted.get(str(row.get("id")), (None, ""))
        if task is not None and isinstance(row.get("response"), str) and row.get("asked", digest) == digest:
            kept[task.id] = {**row, "asked": digest, "checks": checks_of(task, row["response"])}
    return kept


def results_body(out: str | Path) -> dict[str, Json] | None:
    """Return what a results file holds, or None where it is not there yet or is another file."""
    try:
        body = load_json(storage.read_bytes(out))
    except (DiptychError, ValueError):
        return None
    return body if isinstance(body, dict) else None


def rows_of_results(out: str | Path, settings: Mapping[str, Json], sha256: str) -> list[dict[str, Json]]:
    """Return the rows of a results file that was made under the same settings.

    A row that does not say what was asked counts only where the whole tasks file is the same.
    """
    body = results_body(out)
    if body is None or any(body.get(key) != value for key, value in settings.items()):
        return []
    rows = body.get("results")
    found = [row for row in (rows if isinstance(rows, list) else ()) if isinstance(row, dict)]
    return [row for row in found if "asked" in row or body.get("tasks_sha256") == sha256]


def rows_of_journal(journal: str) -> list[dict[str, Json]]:
    """Return the rows that a journal holds; a line that was cut off by a kill is passed over, its task asked again."""
    try:
        lines = storage.read_bytes(journal).split(b"\n")
    except DiptychError:
        return []
    rows = []
    for line in lines:
        try:
            row = load_json(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def ask_left(
    left: Sequence[Task],
    kept: dict[str, dict[str, Json]],
    model: str,
    endpoint: Endpoint,
    journal: str,
    progress: Progress,
) -> list[dict[str, Json]]:
    """Ask the tasks that are left into `kept` and the journal; return those that stayed without an answer."""
    with client_for(endpoint) as client:

        def work(task: Task, sleep: Sleep) -> Answer:
            return ask(client, endpoint, model, task.messages, sleep=sleep)

        def keep(task: Task, answer: Answer) -> None:
            row = results_row(task, answer)
            kept[task.id] = row
            storage.append_line(journal, json.dumps(row, ensure_ascii=True))

        failed = ask_all(left, work, keep, concurrency=endpoint.concurrency, progress=progress)
    order = {task.id: place for place, task in enumerate(left)}
    return [failed_row(task, error) for task, error in sorted(failed, key=lambda item: order[item[0].id])]


def results_row(task: Task, answer: Answer) -> dict[str, Json]:
    """Return one row of a results file."""
    return {
        "id": task.id,
        "prompt": task.prompt,
        "response": answer.text,
        "checks": checks_of(task, answer.text),
        "usage": dict(answer.usage),
        "seconds": answer.seconds,
        "finish_reason": answer.finish_reason,
        "served_model": answer.model,
        "attempts": answer.attempts,
        "asked": question_digest(task),
    }


def failed_row(task: Task, error: Unanswered) -> dict[str, Json]:
    """Return the row of a task that stayed without an answer."""
    return {"id": task.id, "error": error.message, "attempts": len(error.retried)}


def checks_of(task: Task, response: str) -> dict[str, Json]:
    """Return the checks of one answer as a results file holds them."""
    passed, outcomes = check_answer(task.checks, response)
    details = []
    for outcome in outcomes:
        detail = {"check": outcome.check, "passed": outcome.passed}
        details.append({**detail, "note": outcome.note} if outcome.note else detail)
    return {"passed": passed, "details": details}


def answers_by_model(rows: Sequence[Mapping[str, Json]]) -> dict[str, int]:
    """Return how many answers came from which model, by the server's word."""
    counts: dict[str, int] = {}
    for row in rows:
        name = row.get("served_model")
        if isinstance(name, str):
            counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


def evaluation_summary(path: str, body: Mapping[str, Json], asked: int, reused: int) -> EvalSummary:
    """Return what an evaluation did, from the body that was written."""
    rows, failed = body["results"], body["failed"]
    tries = [row.get("attempts") or 1 for row in rows] + [row["attempts"] or 1 for row in failed]
    return EvalSummary(
        path,
        sum(row["checks"]["passed"] for row in rows),
        len(rows),
        asked,
        reused,
        tuple((row["id"], row["error"]) for row in failed),
        sum(tries) - len(tries),
        body["served_models"],
    )
