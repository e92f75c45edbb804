"""Attacks on the doors: inputs of every kind with something wrong in them, and commands that must survive it.

A door is given a folder and a source of chance. It writes an input with mutations and runs commands on it; what they
must not do is end in anything but an exit code.
"""

import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from diptych import artifact
from diptych.cli import main
from examples_comparison import comparison, matrix
from examples_decision import decision
from written_runs import answer_record, choice_record, results, write_run

SITE = Path(__file__).resolve().parents[1] / "site"

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**63, 10**25, 10**400, 1e300, -1e300, 1e-320, 0.1, -0.0),
    *("", "²", "٣", "-1", "1e999", "NaN", "9" * 5_000, "\ud800", "\u202e\x1b[31m", "<script>", "a|b`c", "x" * 100_000),
    *([], {}, [[]], [{}], {"": ""}, [None], {"a": {"b": {"c": []}}}, ["x"] * 500, {"__class__": "x"}),
)
TEXTS: tuple[Callable[[str, random.Random], str], ...] = (
    lambda text, chance: text[: chance.randrange(len(text) + 1)],
    lambda text, chance: text.replace(":", "", 1),
    lambda text, chance: text.replace("0.", chance.choice(("1e400", "NaN", "Infinity", "-0.", "1" * 400 + ".")), 1),
    lambda text, chance: "[" * 3_000 + text,
    lambda text, chance: text.replace("{", '{"deep":' + "[" * 200 + "]" * 200 + ",", 1),
    lambda text, chance: text.replace('"', '"\\ud83d', 1),
    lambda text, chance: text * 2,
)


def mutated(body: Any, chance: random.Random) -> Any:
    """Return a copy of parsed JSON with one part replaced, removed, doubled or moved."""
    if isinstance(body, dict) and body and chance.random() < 0.85:
        key = chance.choice(sorted(body))
        copy = dict(body)
        match chance.randrange(8):
            case 0:
                del copy[key]
            case 1:
                copy[str(chance.choice(VALUES))[:50]] = copy.pop(key)
            case 2:
                copy[key] = copy[chance.choice(sorted(body))]
            case _:
                copy[key] = mutated(body[key], chance)
        return copy
    if isinstance(body, list) and body and chance.random() < 0.85:
        place = chance.randrange(len(body))
        copy = list(body)
        match chance.randrange(6):
            case 0:
                del copy[place]
            case 1:
                copy.insert(place, copy[place])
            case _:
                copy[place] = mutated(body[place], chance)
        return copy
    return chance.choice(VALUES)


def attacked(body: Any, chance: random.Random) -> bytes:
    """Return a JSON file with one to three mutations, now and then of its text."""
    for _ in range(chance.randint(1, 3)):
        body = mutated(body, chance)
    text = json.dumps(body, ensure_ascii=chance.random() < 0.5)
    if chance.random() < 0.15:
        text = chance.choice(TEXTS)(text, chance)
    data = text.encode("utf-8", "surrogatepass")
    return data[:-1] + b"\xff" if chance.random() < 0.03 else data


def survived(*arguments: str) -> str:
    """Run a command and return what it met that is no exit code, or nothing."""
    ran = CliRunner().invoke(main, arguments)
    if ran.exception is None or isinstance(ran.exception, SystemExit):
        return ""
    return f"{arguments[0]}: {type(ran.exception).__name__}: {str(ran.exception)[:200]}"


def artifact_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads an artifact: every renderer there is."""
    made = chance.choice((comparison, decision, matrix))()
    file = place / "attacked.json"
    file.write_bytes(attacked(json.loads(artifact.dumps(made)), chance))
    lines = (
        ("comment", str(file)),
        ("comment", str(file), "--untrusted"),
        ("export", str(file), "--csv"),
        ("export", str(file), "--junit"),
        ("attach", str(file), "--print"),
        ("build", str(file), "--out", str(place / "site"), "--prune", "--quiet"),
    )
    return [said for line in lines if (said := survived(*line))]


def run_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads a run: its results, its samples, its context."""
    for old in place.rglob("*.json*"):
        old.unlink()
    rows = [choice_record(number, number % 2 == 0) for number in range(4)]
    words = [answer_record(number) for number in range(4)]
    write_run(place / "b", samples={"arith": rows})
    folder = write_run(place / "a", samples={"arith": rows, "words": words})
    context = folder / "run-context.json"
    context.write_text(json.dumps({"quant": "Q8_0", "engine": "x"}))
    match chance.randrange(4):
        case 0:
            context.write_bytes(attacked({"quant": "Q8_0", "engine": {"name": "x"}, "threads": 4}, chance))
        case 1:
            file = next(folder.glob("samples_*"))
            lines = [attacked(row, chance) if chance.random() < 0.5 else json.dumps(row).encode() for row in rows]
            file.write_bytes(b"\n".join(lines))
        case _:
            next(folder.glob("results_*")).write_bytes(attacked(results(), chance))
    form = chance.choice((("--json",), ("--html",), ("--markdown",), ()))
    a, b = str(place / "a"), str(place / "b")
    lines = [("check", a), ("compare", a, b, *form), ("compare", b, a, "--out", str(place / "out.json"))]
    said = [said for line in lines if (said := survived(*line))]
    if (place / "out.json").exists() and chance.random() < 0.3:
        said += [said for line in [("comment", str(place / "out.json"))] if (said := survived(*line))]
    return said


def student_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever decides between students: results, judgements, notebook, prices."""
    results_of = sorted((SITE / "students").glob("results-*.json"))[:2]
    paths = []
    for number, source in enumerate(results_of):
        body = json.loads(source.read_text(encoding="utf-8"))
        path = place / f"results-{number}.json"
        hit = chance.random() < 0.6
        path.write_bytes(attacked(body, chance) if hit else json.dumps(body).encode())
        paths.append(path)
    cost = {"stage": "generate", "run_id": "r1", "cost": {"prompt_tokens": 10, "seconds": 1.5}, "date": "2026-01-01"}
    book, prices = place / "book.md", place / "prices.json"
    book.write_bytes(b"# notes\n" + attacked(cost, chance) + b"\n" + json.dumps(cost).encode())
    prices.write_bytes(attacked({"currency": "EUR", "prompt_per_million": 1.0, "per_hour": 2.0}, chance))
    line = ["decide", "--route", f"a={paths[0]}", "--route", f"b={paths[1]}", "--no-record"]
    line += ["--labbook", str(book)] if chance.random() < 0.5 else []
    line += ["--prices", str(prices)] if chance.random() < 0.4 else []
    return [
        said
        for said in (
            survived(
                *line,
                *chance.choice(((), ("--json",), ("--markdown",))),
            ),
        )
        if said
    ]


DOORS: Mapping[str, Callable[[Path, random.Random], list[str]]] = {
    "artifact": artifact_door,
    "run": run_door,
    "student": student_door,
}
