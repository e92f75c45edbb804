"""Read the tasks that students are asked: `[{id, prompt | messages, system?, checks: [{type, value, ...}]}]`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diptych import storage
from diptych.bounded_json import NotJson, load_json
from diptych.errors import DiptychError, StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.students.collect.answer_checks import validate

Json = Any


class Task(NamedTuple):
    """One task: the conversation that is sent, its text as it is shown, and its checks."""

    id: str
    messages: tuple[Mapping[str, Json], ...]
    prompt: str
    checks: tuple[Mapping[str, Json], ...]


class Tasks(NamedTuple):
    """A tasks file: its name, its sha256 and its tasks in file order."""

    name: str
    sha256: str
    tasks: tuple[Task, ...]


HINT = 'a list of {"id", "prompt" or "messages", "system" (optional), "checks": [{"type", "value"}]}'


def read_tasks(path: str | Path) -> Tasks:
    """Return the tasks of a JSON file, each checked before anything is asked."""
    try:
        data = storage.read_bytes(path)
    except DiptychError as error:
        raise StudentsError(error.message, where=error.where, hint=error.hint) from error
    where = str(path)
    try:
        body = load_json(data)
    except NotJson as error:
        raise StudentsError(str(error), where=f"{where}:{error.line}" if error.line else where, hint=HINT) from error
    entries = body.get("tasks") if isinstance(body, dict) else body
    if not isinstance(entries, list) or not entries:
        raise StudentsError("holds no list of tasks", where=where, hint=HINT)
    tasks = tuple(parsed_task(entry, place, where) for place, entry in enumerate(entries, 1))
    ids = [task.id for task in tasks]
    twice = next((id_ for id_ in ids if ids.count(id_) > 1), None) if len(set(ids)) < len(ids) else None
    if twice is not None:
        raise StudentsError(f"two tasks have the id {twice!r}", where=where, hint="give each task its own id")
    return Tasks(Path(path).name, storage.sha256(data), tasks)


def parsed_task(entry: Json, place: int, where: str) -> Task:
    """Return one task, or say what is wrong with it."""
    here = f"{where}: task {place}"
    if not isinstance(entry, dict):
        raise StudentsError("is no object", where=here, hint=HINT)
    given = entry.get("id", place)
    if isinstance(given, bool) or not isinstance(given, (str, int)) or given == "":
        raise StudentsError("its id is no text", where=here, hint=HINT)
    here = f"{where}: task {given}"
    checks = entry.get("checks")
    if not isinstance(checks, list) or not checks:
        raise StudentsError("has no checks", where=here, hint="a task without a check can decide nothing")
    for check in checks:
        validate(check, here)
    messages, prompt = conversation(entry, here)
    return Task(str(given), messages, prompt, tuple(checks))


def conversation(entry: Mapping[str, Json], here: str) -> tuple[tuple[Mapping[str, Json], ...], str]:
    """Return the messages that are sent, and the prompt as one text."""
    system = entry.get("system")
    opening = [{"role": "system", "content": system}] if isinstance(system, str) and system else []
    prompt, messages = entry.get("prompt"), entry.get("messages")
    if isinstance(prompt, str) and messages is None:
        return (*opening, {"role": "user", "content": prompt}), prompt
    turns: list[Json] = messages if isinstance(messages, list) and prompt is None else []
    if not turns or not all(
        isinstance(turn, dict) and isinstance(turn.get("role"), str) and isinstance(turn.get("content"), str)
        for turn in turns
    ):
        raise StudentsError("needs either a prompt (a text) or messages (role and content)", where=here, hint=HINT)
    text = "\n\n".join(f"{turn['role']}: {turn['content']}" for turn in turns)
    return (*opening, *turns), text
