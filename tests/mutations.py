"""Inputs with something wrong in them, and commands that must survive them."""

import gc
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from diptych.cli import main

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
    gc.unfreeze()  # a command freezes what it leaves, since its process ends; here the next one follows
    if ran.exception is None or isinstance(ran.exception, SystemExit):
        return ""
    return f"{arguments[0]}: {type(ran.exception).__name__}: {str(ran.exception)[:200]}"


def damage(path: Path, chance: random.Random) -> None:
    """Change some bytes of a file, or cut it."""
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data[: chance.randrange(len(data))] if chance.random() < 0.3 else data)
