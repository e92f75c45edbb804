"""Logged values as they are meant: numbers that were written as texts, generation arguments under one name."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from diptych.fast_named_tuple import NamedTuple
from diptych.sample_log import Json, Line, Request, SampleLog

DAMAGED = "damaged"
MOST_FORMS = 1_000

BUDGETS = ("max_gen_toks", "max_tokens", "max_new_tokens", "max_completion_tokens")
"""Names under which back ends keep the most tokens of an answer: one argument, whatever its name."""


class Fault(NamedTuple):
    """What makes a row's log-likelihoods no measurement; `damage`: what stands there where none can be read."""

    what: str
    damage: str = ""


def agree(a: Json, b: Json) -> bool:
    """Say whether two values are the same, where one side may have written numbers as texts."""
    if type(a) is type(b):
        if isinstance(a, list):
            return len(a) == len(b) and all(map(agree, a, b))
        if isinstance(a, dict):
            return a.keys() == b.keys() and all(agree(value, b[key]) for key, value in a.items())
        return bool(a == b)
    return bool(plain_value(a) == plain_value(b))


def plain_value(value: Json) -> Json:
    """Return a value with numbers and truth values that were written as texts as what they are."""
    if isinstance(value, list):
        return [plain_value(item) for item in value]
    if isinstance(value, dict):
        return {key: plain_value(item) for key, item in value.items()}
    if isinstance(value, str):
        return scalar(value)
    return value


def scalar(text: str) -> Json:
    """Return the number or truth value that a text spells, else the text."""
    if text in ("True", "False"):
        return text == "True"
    if not text or text[-1] not in "0123456789.fnyFNY":
        return text
    try:
        number = float(text)
    except ValueError:
        return text
    return text if math.isnan(number) else number


def why_unmeasured(numbers: Sequence[float], lone: bool) -> str:
    """Return what makes an item's log-likelihoods no measurement, "" where they are one.

    One that is minus infinity is a choice that cannot be; where all are, nothing was told apart. `lone`: so for one.
    """
    if any(number != number for number in numbers):
        return "NaN"
    if math.inf in numbers:
        return "infinity"
    least = all(number == -math.inf for number in numbers)
    return "minus infinity for every choice" if least and len(numbers) > (0 if lone else 1) else ""


class LoglikelihoodCheck:
    """Says of rows of a task what makes their log-likelihoods no measurement; `lone` as of `unmeasured`.

    How a row writes them is looked at once: a thousand ways are known at most, and a few are all that a log has.
    """

    def __init__(self, lone: bool) -> None:
        self.lone = lone
        self.sound: set[bytes] = set()
        self.counts: set[int] = set()

    def fault(self, line: Line) -> Fault | None:
        """Return the fault of a row, None where it has none."""
        form = line.response_form()
        if form in self.sound:
            return None
        found = self.looked_at(line, line.log_likelihoods())
        if found is None and len(self.sound) < MOST_FORMS:
            self.sound.add(form)
        return found

    def fault_of_numbers(self, line: Line, numbers: Sequence[float]) -> Fault | None:
        """Return the fault of a row with these log-likelihoods: cheap where all are finite and as many as usual."""
        if len(numbers) in self.counts and math.isfinite(sum(numbers)):
            return None
        return self.looked_at(line, numbers)

    def looked_at(self, line: Line, numbers: Sequence[float]) -> Fault | None:
        """Return the fault of a row that is decoded to see it."""
        if damage := line.response_damage():
            return Fault(DAMAGED, damage)
        self.counts.add(len(numbers))
        what = why_unmeasured(numbers, self.lone)
        return Fault(what) if what else None


def damage_text(log: SampleLog, row: int, damage: str, count: int, of: int) -> tuple[str, str]:
    """Return a sentence on log-likelihoods that cannot be read, and the place of the first by file and line."""
    number = log.line_number(row)
    text = (
        f"The log-likelihoods of {count:,} of {of:,} items of {log.task} cannot be read and are not used "
        f"(line {number} of {log.source}: {damage})."
    )
    return text, f"{log.source}:{number}"


def differing_arguments(a: Request, b: Request) -> list[str]:
    """Return the generation arguments whose effective values differ."""
    left, right = canonical(a.arguments or {}), canonical(b.arguments or {})
    return [key for key in {**left, **right} if left.get(key) != right.get(key)]


def canonical(arguments: Mapping[str, Json]) -> dict[str, Any]:
    """Return arguments with one name for the budget, numbers as numbers, and lists of one as their item."""
    found = {}
    for key, value in arguments.items():
        if isinstance(value, (list, tuple)):
            value = sorted(map(str, value))
        elif key == "until":
            value = [str(value)]
        found["max_gen_toks" if key in BUDGETS else key] = plain_value(value)
    return found
