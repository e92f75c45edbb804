"""Attacks on what answers over a wire or judges: tasks, checks, verdicts, labels, and the replies of servers."""

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from diptych.errors import DiptychError
from diptych.http_client import Reply
from diptych.publish.forges import Client, Target
from diptych.publish.post import read_marker
from diptych.students.collect import answer_checks, endpoint, student_tasks
from diptych.students.judge.verdict_text import verdict_word
from mutations import attacked, mutated, survived

SITE = Path(__file__).resolve().parents[1] / "site"


def judging_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads tasks, verdicts and labels, and the replies of a student, a judge and a forge."""
    files = [str(path) for path in sorted((SITE / "students").glob("results-*.json"))[:2]]
    line = {"task": "t1", "student_a": "a", "student_b": "b", "shown_first": "a", "winner": "b", "judge": "j"}
    verdicts, labels = place / "judgements.jsonl", place / "labels.csv"
    verdicts.write_bytes(b"\n".join(attacked(line, chance) for _ in range(3)) + b"\n" + json.dumps(line).encode())
    table = chance.random() < 0.5
    labels.write_bytes(
        b"task,prefers\n" + bytes(chance.choices(b'a,"\r\n\0\xff;1', k=chance.choice((30, 200_000))))
        if table
        else attacked({"task": "t1", "preferred": "a"}, chance)
    )
    routes = ("--route", f"a={files[0]}", "--route", f"b={files[1]}")
    said = survived("decide", *routes, "--judgements", str(verdicts), "--labels", str(labels), "--no-record")
    return [each for each in (said, *(refused(call, chance) for call in (tasks_read, checks_run, reply_read))) if each]


def refused(call: Callable[[random.Random], None], chance: random.Random) -> str:
    """Make a call that may refuse what it is given, and return what else it raises."""
    try:
        call(chance)
    except DiptychError:
        return ""
    except Exception as error:
        return f"{call.__name__}: {type(error).__name__}: {str(error)[:200]}"
    return ""


def tasks_read(chance: random.Random) -> None:
    """Read a file of tasks."""
    checks = [{"type": "contains", "value": "x"}, {"type": "json_schema", "value": {"type": "object", "pattern": "^a"}}]
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(
            attacked([{"id": "t1", "prompt": "p", "checks": checks}, {"id": 2, "messages": [], "checks": []}], chance)
        )
        file.flush()
        student_tasks.read_tasks(file.name)


def checks_run(chance: random.Random) -> None:
    """Run a check of any form on an answer."""
    schema = {"type": "object", "properties": {"a": {"pattern": "^a", "minLength": 1}}, "required": ["a"], "items": {}}
    value: Any = chance.choice(("x", ["x", "y"], 5, 0.5, "^a+$", schema))
    check = {"type": chance.choice(sorted(answer_checks.KINDS)), "value": value, "tolerance": 0.5, "which": "last"}
    check = mutated(check, chance) if chance.random() < 0.7 else {**check, "value": mutated(value, chance)}
    answer_checks.validate(check, "tasks.json")
    answer = chance.choice(('{"a": "ab"}', "1,234.5 and 1e999", "```json\n[1]\n```", "x" * 1_000, "²"))
    answer_checks.check_answer([check], answer)


def reply_read(chance: random.Random) -> None:
    """Read a reply of a student's server, a judge's words and a comment of a forge."""
    message = {"role": "assistant", "content": "FIRST"}
    body = {"model": "m", "choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 5}}
    data = attacked(body, chance)
    try:
        verdict_word(endpoint.answer_from(data, "application/json").text)
        endpoint.error_text(data)
    except endpoint.Trouble:
        pass
    note = {"id": 1, "body": "x", "user": {"login": "bot"}, "html_url": "https://forge.example/1"}
    reply = Reply(200, "OK", {}, attacked([note], chance), "https://forge.example", None)
    with Client(Target("github", "https://forge.example", "o/r", 1, "t0ken-1234")) as client:
        body = client.read(reply)
        for item in body if isinstance(body, list) else ():
            read_marker(client.note(item).body)
