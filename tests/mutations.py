"""Inputs with something wrong in them, and commands that must survive them."""

import gc
import io
import json
import random
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from diptych.cli import main

EXIT_CODES = range(7)
BUG = "a bug in diptych"  # so a batch tells of a job's traceback, which ends that job alone
SAYS = tuple(io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))  # kept: click keeps them

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
    """Run a command and return what it met that is no exit code, or a bug that it told of; else nothing."""
    said = ""
    with redirect_stdout(SAYS[0]), redirect_stderr(SAYS[1]):
        try:
            main.main(arguments, prog_name="diptych")
        except SystemExit as end:
            said = "" if end.code in EXIT_CODES else f"exit code {end.code!r}"
        except BaseException as error:
            said = f"{type(error).__name__}: {str(error)[:200]}"
        gc.unfreeze()  # a command freezes what it leaves, since its process ends; here the next one follows
        for stream in SAYS:
            stream.flush()
            stream.seek(0)
        told = [line for line in SAYS[1] if BUG in line] if not said else []
        for stream in SAYS:
            stream.seek(0)
            stream.truncate()
    said = said or "".join(told[:1]).strip()[:200]
    return f"{arguments[0]}: {said}" if said else ""


def damage(path: Path, chance: random.Random) -> None:
    """Change some bytes of a file, or cut it."""
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data[: chance.randrange(len(data))] if chance.random() < 0.3 else data)
