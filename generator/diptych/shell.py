"""Words become a line for the shell, values become Python: the one place where foreign text enters what people run.

A command is a list of words until here. Whatever stands in a word, the line's only effect is that word; a note is one
line in which nothing acts, also in a shell that does not know `#`.
"""

import json
import re
import shlex
from collections.abc import Iterable, Sequence

from diptych.bounded_json import Json

SECRET = "\ue000"
"""Stands in a word where a secret was; no foreign text holds it, see `cleaned`."""

VERSION = r"\d{1,9}(?:\.\d{1,9}){0,5}(?:(?:a|b|rc|\.post|\.dev)\d{1,9}){0,3}(?:\+[a-z0-9.]{1,40})?"
NOTE = 160
"""Signs of a foreign value that a note holds."""


def cleaned(value: Json) -> Json:
    """Return a value without the signs that no word of a command can hold, or that stand for a secret."""
    if isinstance(value, str):
        return value.replace("\0", "").replace(SECRET, "")
    if isinstance(value, tuple):
        return tuple(map(cleaned, value))
    if isinstance(value, list):
        return [cleaned(part) for part in value]
    if isinstance(value, dict):
        return {cleaned(name): cleaned(part) for name, part in value.items()}
    return value


def shell_line(words: Iterable[str]) -> str:
    """Return words as one command; the shell fills in a secret from $API_KEY."""
    return " ".join(map(shell_word, words))


def shell_word(word: str) -> str:
    """Return one word as a shell takes it back."""
    return '"$API_KEY"'.join(shlex.quote(part) if part else "" for part in word.split(SECRET)) or "''"


def option(name: str, value: str) -> list[str]:
    """Return an option with its value; a value that looks like an option itself stays behind an `=`."""
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def argument_text(value: Json) -> str:
    """Return a value as the command line takes it: whole numbers without a point."""
    if isinstance(value, float) and value.is_integer() and not isinstance(value, bool):
        return str(int(value)) if abs(value) >= 1 else str(value)
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def note_line(text: str) -> str:
    """Return a note as one line of comment; a quote in it would begin a word in a shell that does not know `#`."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text).translate(QUOTES)
    return "# " + " ".join(plain.split())


QUOTES = {ord("'"): "’", ord('"'): "”", ord("`"): "’"}


def shell_note(value: Json) -> str:
    """Return a foreign value as a note may say it: a sign that acts in any shell is a dot."""
    text = re.sub(r"[^\w .,:=+/%@-]", "·", str(value))
    return text if len(text) <= NOTE else f"{text[:NOTE]}…"


def is_version(text: str) -> bool:
    """Say whether a text is a version, and nothing else."""
    return re.fullmatch(VERSION, text) is not None


def python_value(value: Json) -> str:
    """Return a value as Python writes it; a secret is looked up in the environment."""
    if isinstance(value, str) and SECRET in value:
        parts = [repr(part) if part else "" for part in value.split(SECRET)]
        joined: Sequence[str] = [part for pair in zip(parts, [ENVIRONMENT] * len(parts), strict=True) for part in pair]
        return " + ".join(part for part in joined[:-1] if part)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name!r}: {python_value(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(python_value, value)) + "]"
    if isinstance(value, float) and value.is_integer() and abs(value) >= 1:
        return str(int(value))
    return repr(value)


ENVIRONMENT = 'os.environ["API_KEY"]'
