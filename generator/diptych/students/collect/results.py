"""Read what a student answered: one results file becomes rows by task, with what could not be used named.

Our own harness writes the same format; other harnesses' files are read as far as they keep to it.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from diptych import storage
from diptych.bounded import FINITE, NotJson, load_json
from diptych.comparison import Finding, Input, LeftOut
from diptych.errors import DiptychError, StudentsError
from diptych.students.decide.words import LARGEST, strict

Json = Any
RESERVED_NAMES = ("tie", "unreadable")


class Row(NamedTuple):
    """One task as a student answered it; `details` holds (kind of check, passed) for each check."""

    id: str
    passed: bool
    details: tuple[tuple[str, bool], ...]
    prompt: str | None
    response: str | None
    prompt_tokens: float | None
    completion_tokens: float | None
    seconds: float | None


class Results(NamedTuple):
    """One route's results file. `failed` names tasks that were asked and never answered."""

    name: str
    model: str | None
    rows: Mapping[str, Row]
    failed: tuple[str, ...]
    tasks_name: str | None
    tasks_sha256: str | None
    metadata: Mapping[str, Json]
    input: Input
    findings: tuple[Finding, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def read_results(path: str | Path, name: str) -> Results:
    """Return a route's results; a file that is no results file is a `StudentsError` that says what to do."""
    if not name or name in RESERVED_NAMES:
        raise StudentsError(
            f"a route cannot be called {name!r}", hint="give it another name: --route NAME=RESULTS.json"
        )
    try:
        data = storage.read_bytes(path)
    except DiptychError as error:
        raise StudentsError(error.message, where=error.where, hint=f"route {name}: {error.hint}") from error
    return parse_results(data, name, source=Path(path).name, where=str(path))


def parse_results(data: bytes, name: str, *, source: str, where: str) -> Results:
    """Return a route's results from a file's bytes."""
    body = parsed(data, where)
    rows = body.get("results") if isinstance(body, dict) else None
    if not isinstance(rows, list):
        raise StudentsError(
            "no list under `results`: this is not a student's results file",
            where=where,
            hint="give the file that the students' evaluation wrote, or make it with `diptych students eval`",
        )
    used, findings, left_out = used_rows(rows, name, source)
    failed = failed_tasks(body, set(used))
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
        body["tasks"] if isinstance(body.get("tasks"), str) else None,
        sha if isinstance(sha, str) else None,
        metadata_of(body),
        Input(source, storage.sha256(data)),
        tuple(findings),
        tuple(left_out),
    )


def parsed(data: bytes, where: str) -> Json:
    """Return a file's JSON; what is wrong with it is named by line."""
    try:
        return load_json(data, digits=300, largest=FINITE, constant=lambda _: None)
    except NotJson as error:
        raise StudentsError(
            str(error),
            where=f"{where}:{error.line}" if error.line else where,
            hint="the file was cut off or is another format; evaluate again, finished tasks are kept",
        ) from error


def used_rows(rows: list[Json], name: str, source: str) -> tuple[dict[str, Row], list[Finding], list[LeftOut]]:
    """Return the usable rows by task id, and in words what was left out."""
    used: dict[str, Row] = {}
    unchecked, doubled, placed = [], [], 0
    for place, entry in enumerate(rows, 1):
        if not isinstance(entry, dict):
            unchecked.append(f"row {place}")
            continue
        given = entry.get("id")
        if isinstance(given, bool) or not isinstance(given, (str, int)) or given == "":
            placed += 1
            given = f"#{place}"
        key = str(given)
        row = row_of(key, entry)
        if row is None:
            unchecked.append(key)
        elif key in used:
            doubled.append(key)
        else:
            used[key] = row
    return used, *words_for(name, source, len(rows), unchecked, doubled, placed)


def words_for(
    name: str, source: str, total: int, unchecked: list[str], doubled: list[str], placed: int
) -> tuple[list[Finding], list[LeftOut]]:
    """Return the findings and gaps of one results file."""
    findings, left_out = [], []
    if unchecked:
        text = f"{name}: {len(unchecked)} of {total} rows have no check that passed or failed; they are left out."
        findings.append(
            Finding("rows_missing", "warning", text, None, None, len(unchecked), total, tuple(unchecked[:10]))
        )
        left_out.append(
            LeftOut(
                f"rows of {source} without checks: {some(unchecked)}",
                len(unchecked),
                "nothing says whether they passed",
            )
        )
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


def row_of(key: str, entry: Mapping[str, Json]) -> Row | None:
    """Return one row, or None where nothing says whether it passed."""
    checks = entry.get("checks")
    checks = checks if isinstance(checks, dict) else {}
    passed = checks.get("passed")
    if passed not in (True, False):  # 0 and 1 are the same answer written by another tool
        return None
    usage = entry.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Row(
        key,
        bool(passed),
        details_of(checks),
        text_of(entry.get("prompt")),
        text_of(entry.get("response")),
        amount(usage.get("prompt_tokens")),
        amount(usage.get("completion_tokens")),
        amount(entry.get("seconds")),
    )


def details_of(checks: Mapping[str, Json]) -> tuple[tuple[str, bool], ...]:
    """Return (kind, passed) for each check that says both."""
    details = checks.get("details")
    return tuple(
        (str(item.get("check") or item.get("type")), bool(item["passed"]))
        for item in (details if isinstance(details, list) else ())
        if isinstance(item, dict) and item.get("passed") in (True, False) and (item.get("check") or item.get("type"))
    )


def text_of(value: Json) -> str | None:
    """Return a prompt or an answer as text; what is not text is shown as JSON."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def amount(value: Json) -> float | None:
    """Return a number that can be an amount (finite, not negative, no boolean), or None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= LARGEST:
        return None
    return value


def failed_tasks(body: Mapping[str, Json], answered: set[str]) -> tuple[str, ...]:
    """Return the tasks that our harness asked without ever getting an answer."""
    failed = body.get("failed")
    names = [
        str(item["id"])
        for item in (failed if isinstance(failed, list) else ())
        if isinstance(item, dict) and "id" in item
    ]
    return tuple(sorted(set(names) - answered))


def metadata_of(body: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a results file says about itself beside its rows: how the student was served and asked."""
    return {
        key: strict(value)
        for key, value in body.items()
        if key not in ("results", "failed", "model", "tasks", "tasks_sha256", "api_key")
        and isinstance(value, (str, int, float, bool, dict))
    }
