"""Read what a student answered: one results file becomes rows by task, with what could not be used named.

Our own harness writes the same format; other harnesses' files are read as far as they keep to it.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diptych import storage
from diptych.bounded_json import FINITE, NotJson, load_json
from diptych.comparison import Finding, LeftOut
from diptych.errors import DiptychError, StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.provenance import Input
from diptych.students.number_limits import LARGEST, strict

Json = Any
RESERVED_NAMES = ("tie", "unreadable")


class Row(NamedTuple):
    """One task as a student answered it; `details` holds (kind of check, passed) for each check.

    `empty` says that the student answered with nothing, which is a failed task whatever its checks say;
    `unextracted` that some check found nothing in the answer to look at.
    """

    id: str
    passed: bool
    details: tuple[tuple[str, bool], ...]
    prompt: str | None
    response: str | None
    prompt_tokens: float | None
    completion_tokens: float | None
    seconds: float | None
    finish_reason: str | None = None
    empty: bool = False
    unextracted: bool = False


class Results(NamedTuple):
    """One route's results file. `failed` names tasks asked without an answer, `unchecked` those without a check."""

    name: str
    model: str | None
    rows: Mapping[str, Row]
    failed: tuple[str, ...]
    tasks_sha256: str | None
    metadata: Mapping[str, Json]
    input: Input
    findings: tuple[Finding, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    unchecked: tuple[str, ...] = ()


def read_results(path: str | Path, name: str) -> Results:
    """Return a route's results; a file that is no results file is a `StudentsError` that says what to do."""
    if not name or name in RESERVED_NAMES:
        raise StudentsError(
            f"a student cannot be called {name!r}", hint="give it another name: --route NAME=RESULTS.json"
        )
    try:
        data = storage.read_bytes(path)
    except DiptychError as error:
        raise StudentsError(error.message, where=error.where, hint=f"student {name}: {error.hint}") from error
    return parse_results(data, name, source=Path(path).name, where=str(path))


def parse_results(data: bytes, name: str, *, source: str, where: str) -> Results:
    """Return a route's results from a file's bytes."""
    body = results_json(data, where)
    rows = body.get("results") if isinstance(body, dict) else None
    if not isinstance(rows, list):
        raise StudentsError(
            "no list under `results`: this is not a student's results file",
            where=where,
            hint="give the file that the students' evaluation wrote, or make it with `diptych students eval`",
        )
    used, unanswered, unchecked, findings, left_out = used_rows(rows, name, source)
    failed = tuple(sorted({*failed_tasks(body), *unanswered} - used.keys()))
    if not used:
        raise StudentsError(
            f"none of its {len(rows)} rows has a check that passed or failed (`checks.passed`)",
            where=where,
            hint="evaluate the student with tasks that have checks",
        )
    sha = body.get("tasks_sha256")
    return Results(
        name,
        body["model"] if isinstance(body.get("model"), str) else None,
        used,
        failed,
        sha if isinstance(sha, str) else None,
        results_metadata(body),
        Input(source, storage.sha256(data)),
        tuple(findings),
        tuple(left_out),
        tuple(task for task in unchecked if task not in failed),
    )


def results_json(data: bytes, where: str) -> Json:
    """Return a file's JSON; what is wrong with it is named by line."""
    try:
        return load_json(data, digits=300, largest=FINITE, constant=lambda _: None)
    except NotJson as error:
        raise StudentsError(
            str(error),
            where=f"{where}:{error.line}" if error.line else where,
            hint="the file was cut off or is another format; evaluate again, finished tasks are kept",
        ) from error


def used_rows(
    rows: list[Json], name: str, source: str
) -> tuple[dict[str, Row], list[str], list[str], list[Finding], list[LeftOut]]:
    """Return the usable rows by task id, the tasks without an answer and without a check, and what was left out."""
    used: dict[str, Row] = {}
    unanswered: dict[str, None] = {}
    unchecked: dict[str, None] = {}
    doubled: list[str] = []
    nameless, placed = set(), 0
    for place, entry in enumerate(rows, 1):
        if not isinstance(entry, dict):
            nameless.add(f"row {place}")
            unchecked[f"row {place}"] = None
            continue
        given = entry.get("id")
        if isinstance(given, bool) or not isinstance(given, (str, int)) or given == "":
            placed += 1
            given = f"#{place}"
        key = str(given)
        row = usable_row(key, entry)
        if key in used:
            doubled.append(key)
        elif row is not None:
            used[key] = row
        else:
            (unanswered if entry.get("error") else unchecked)[key] = None
    open_ = [key for key in unchecked if key not in used]
    failed = [key for key in unanswered if key not in used]
    tasks = [key for key in open_ if key not in nameless]
    return used, failed, tasks, *words_for(name, source, len(rows), open_, doubled, placed)


def words_for(
    name: str, source: str, total: int, unchecked: list[str], doubled: list[str], placed: int
) -> tuple[list[Finding], list[LeftOut]]:
    """Return the findings and gaps of one results file."""
    findings, left_out = [], []
    if unchecked:
        text = (
            f"{name}: {len(unchecked)} of {total} rows have no check that passed or failed; they are left out,"
            " and count as unanswered where another student has that check."
        )
        findings.append(
            Finding("rows_missing", "warning", text, None, None, len(unchecked), total, tuple(unchecked[:10]))
        )
        what = f"rows of {source} without checks: {some(unchecked)}"
        left_out.append(LeftOut(what, len(unchecked), "nothing says whether they passed"))
    if doubled:
        text = f"{name}: {len(doubled)} rows repeat a task; the first answer to each is used."
        findings.append(Finding("rows_doubled", "warning", text, None, None, len(doubled), total, tuple(doubled[:10])))
        left_out.append(
            LeftOut(f"repeated rows of {source}: {some(doubled)}", len(doubled), "the first answer is used")
        )
    if placed:
        text = f"{name}: {placed} rows have no `id`; they are matched by their place in the file."
        findings.append(Finding("ids_missing", "warning", text, None, None, placed, total))
    return findings, left_out


def some(names: list[str] | tuple[str, ...], most: int = 10) -> str:
    """Return the first names of a list, and how many more there are."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def usable_row(key: str, entry: Mapping[str, Json]) -> Row | None:
    """Return one row, or None where its outcome is not known: nothing says whether it passed, or no answer came."""
    checks = entry.get("checks")
    checks = checks if isinstance(checks, dict) else {}
    passed = checks.get("passed")
    if passed not in (True, False):  # 0 and 1 are the same answer written by another tool
        return None
    response = answer_text(entry.get("response"))
    if entry.get("error") and not (response or "").strip():
        return None  # a time-out or a server's error is no wrong answer
    empty = response is not None and not response.strip()
    usage = entry.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    reason = entry.get("finish_reason")
    return Row(
        key,
        bool(passed) and not empty,
        details_of(checks),
        answer_text(entry.get("prompt")),
        response,
        usable_amount(usage.get("prompt_tokens")),
        usable_amount(usage.get("completion_tokens")),
        usable_amount(entry.get("seconds")),
        reason if isinstance(reason, str) else None,
        empty,
        nothing_found(checks),
    )


NOTHING_FOUND = ("no number", "not JSON")
"""What our checks note where an answer holds nothing that they could look at."""


def nothing_found(checks: Mapping[str, Json]) -> bool:
    """Say whether some check found nothing in the answer to look at."""
    details = checks.get("details")
    if checks.get("passed") or not isinstance(details, list):
        return False
    return any(isinstance(item, dict) and item.get("note") in NOTHING_FOUND for item in details)


def details_of(checks: Mapping[str, Json]) -> tuple[tuple[str, bool], ...]:
    """Return (kind, passed) for each check that says both."""
    details = checks.get("details")
    if not isinstance(details, list):
        return ()
    found = []
    for item in details:
        if isinstance(item, dict):
            kind, passed = item.get("check") or item.get("type"), item.get("passed")
            if kind and passed in (True, False):
                found.append((str(kind), bool(passed)))
    return tuple(found)


def answer_text(value: Json) -> str | None:
    """Return a prompt or an answer as text; what is not text is shown as JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def usable_amount(value: Json) -> float | None:
    """Return a number that can be an amount (finite, not negative, no boolean), or None."""
    kind = type(value)
    return value if (kind is float or kind is int) and 0 <= value <= LARGEST else None


def failed_tasks(body: Mapping[str, Json]) -> list[str]:
    """Return the tasks that were asked without ever getting an answer, as a harness lists them under `failed`."""
    failed = body.get("failed")
    return [
        str(item["id"])
        for item in (failed if isinstance(failed, list) else ())
        if isinstance(item, dict) and "id" in item
    ]


def results_metadata(body: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a results file says about itself beside its rows: how the student was served and asked."""
    return {
        key: strict(value)
        for key, value in body.items()
        if key not in ("results", "failed", "model", "tasks", "tasks_sha256", "api_key")
        and isinstance(value, (str, int, float, bool, dict))
    }
