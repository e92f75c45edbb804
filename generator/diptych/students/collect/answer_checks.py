"""Deterministic checks of one answer: equals, contains, not_contains, regex, number, json_schema, max_words, one_of.

A check says what it looked for and what it found; the same answer gives the same result anywhere.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from diptych.bounded_json import load_json
from diptych.errors import StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.students.collect import timed
from diptych.students.number_limits import LARGEST

Json = Any

PATTERN_TEXT = 20_000
"""In how many characters of an answer a pattern is looked for."""


class Outcome(NamedTuple):
    """What one check found; `note` says why it did not pass, or what it left out."""

    check: str
    passed: bool
    value: Json
    note: str | None = None


def check_answer(checks: Sequence[Mapping[str, Json]], answer: str) -> tuple[bool, tuple[Outcome, ...]]:
    """Return whether an answer passes all its checks, and each check's outcome."""
    outcomes = tuple(one_check(check, answer) for check in checks)
    return all(outcome.passed for outcome in outcomes), outcomes


def one_check(check: Mapping[str, Json], answer: str) -> Outcome:
    """Return the outcome of one check."""
    note = KINDS[check["type"]].run(check, answer)
    return Outcome(check["type"], note is None, check.get("value"), note)


def validate(check: Json, where: str) -> None:
    """Refuse a check that cannot be run: an unknown type, a value of the wrong kind, a pattern that is none."""
    given = check.get("type") if isinstance(check, dict) else check
    kind = KINDS.get(given) if isinstance(given, str) and isinstance(check, dict) else None
    if kind is None:
        raise StudentsError(f"no check is called {given!r}", where=where, hint=f"checks are {', '.join(KINDS)}")
    wrong = kind.wrong(check)
    if wrong:
        raise StudentsError(f"check {check['type']}: {wrong}", where=where, hint="mend the tasks file")


# What an answer is compared as.


def normalized_answer(text: str, check: Mapping[str, Json]) -> str:
    """Return a text with white space collapsed, and in one case where the check says so."""
    text = " ".join(text.split())
    return text.casefold() if check.get("ignore_case") else text


def as_texts(value: Json) -> list[str]:
    """Return one text or a list of texts as a list."""
    return [value] if isinstance(value, str) else list(value)


def equals(check: Mapping[str, Json], answer: str) -> str | None:
    """Pass where the answer is the value, white space aside."""
    return None if normalized_answer(answer, check) == normalized_answer(check["value"], check) else "another text"


def contains(check: Mapping[str, Json], answer: str) -> str | None:
    """Pass where every wanted text stands in the answer."""
    held = normalized_answer(answer, check)
    missing = [text for text in as_texts(check["value"]) if normalized_answer(text, check) not in held]
    return f"lacks {missing[0]!r}" if missing else None


def not_contains(check: Mapping[str, Json], answer: str) -> str | None:
    """Pass where no unwanted text stands in the answer."""
    held = normalized_answer(answer, check)
    found = [text for text in as_texts(check["value"]) if normalized_answer(text, check) in held]
    return f"holds {found[0]!r}" if found else None


def one_of(check: Mapping[str, Json], answer: str) -> str | None:
    """Pass where the answer is one of the values, white space and a closing full stop aside."""
    held = normalized_answer(answer, check).rstrip(".")
    return (
        None
        if held in [normalized_answer(text, check).rstrip(".") for text in check["value"]]
        else "none of the values"
    )


def max_words(check: Mapping[str, Json], answer: str) -> str | None:
    """Pass where the answer has no more words than allowed."""
    words = len(answer.split())
    return None if words <= check["value"] else f"{words} words"


NUMBER = re.compile(r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d+)?")


def number_check(check: Mapping[str, Json], answer: str) -> str | None:
    """Pass where the last number of the answer (or the first, or any) is the value within the tolerance."""
    found = numbers_in(answer)
    if not found:
        return "no number"
    which = check.get("which", "last")
    looked_at = found if which == "any" else [found[0] if which == "first" else found[-1]]
    tolerance = check.get("tolerance", 0)
    # a hair for decimal values that have no exact binary form
    hair = 1e-12 * abs(check["value"])
    near = any(abs(value - check["value"]) <= tolerance + hair for value in looked_at)
    return None if near else f"found {', '.join(f'{value:g}' for value in looked_at[:5])}"


def numbers_in(answer: str) -> list[float]:
    """Return the finite numbers of a text in order; a comma between thousands is passed over."""
    found = []
    for match in NUMBER.finditer(answer):
        text = match[0].replace(",", "").replace("−", "-")
        if text[:1] in ("+", "-") and answer[match.start() - 1 : match.start()].isalnum():
            text = text[1:]  # a hyphen between two words or numbers is no sign
        if any(letter.isdigit() for letter in text) and not belongs_to_word(answer, match):
            value = float(text)
            if abs(value) != float("inf"):
                found.append(value)
    return found


def belongs_to_word(answer: str, match: re.Match[str]) -> bool:
    """Say whether digits belong to a word (as in `Q4`), so that they are no number."""
    before = answer[match.start() - 1] if match.start() else " "
    return (before.isalpha() or before == "_") and match[0][0] not in "+-−"


def regex(check: Mapping[str, Json], answer: str) -> str | None:
    """Pass where the pattern is found; one that could search for ever is given some seconds."""
    flags = re.IGNORECASE if check.get("ignore_case") else 0
    try:
        return None if timed.found(check["value"], answer[:PATTERN_TEXT], flags) else "not found"
    except timed.TooSlow:
        return f"the pattern took longer than {timed.SECONDS:g} s"


def json_schema(check: Mapping[str, Json], answer: str) -> str | None:
    """Pass where the answer (or the one fenced block in it) is JSON that keeps to the schema; nothing is fetched."""
    try:
        value = load_json(unfenced(answer))
    except ValueError:
        return "not JSON"
    try:
        return timed.broken_rule(check["value"], value)
    except timed.TooSlow:
        return f"the schema took longer than {timed.SECONDS:g} s"


def unfenced(answer: str) -> str:
    """Return the content of an answer's only fenced block, or the answer itself."""
    blocks: list[str] = []
    block: list[str] | None = None
    for line in answer.split("\n"):
        if block is not None and line.startswith("```") and not line[3:].strip():
            blocks.append("".join(block))
            block = None
        elif block is not None:
            block.append(line + "\n")
        elif line.startswith("```") and "`" not in line[3:]:
            block = []
    return blocks[0] if len(blocks) == 1 else answer


# What a check's value may be.


def want_text(check: Mapping[str, Json]) -> str | None:
    """Return what is wrong with a check whose value must be a text."""
    return None if isinstance(check.get("value"), str) else "its value must be a text"


def want_texts(check: Mapping[str, Json]) -> str | None:
    """Return what is wrong with a check whose value must be a text or a list of texts."""
    value = check.get("value")
    good = isinstance(value, str) or (isinstance(value, list) and value and all(isinstance(v, str) for v in value))
    return None if good and value else "its value must be a text or a list of texts, not empty"


def want_list(check: Mapping[str, Json]) -> str | None:
    """Return what is wrong with a check whose value must be a list of texts."""
    return want_texts(check) if isinstance(check.get("value"), list) else "its value must be a list of texts"


def want_count(check: Mapping[str, Json]) -> str | None:
    """Return what is wrong with a check whose value must be a count."""
    value = check.get("value")
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return None if good else "its value must be a whole number of 0 or more"


def want_number(check: Mapping[str, Json]) -> str | None:
    """Return what is wrong with a check whose value must be a number with a tolerance."""
    for key, least in (("value", -LARGEST), ("tolerance", 0.0)):
        value = check.get(key, 0 if key == "tolerance" else None)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not least <= value <= LARGEST:
            return f"its {key} must be a number of ordinary size"
    return None if check.get("which", "last") in ("last", "first", "any") else "which is 'last', 'first' or 'any'"


def want_pattern(check: Mapping[str, Json]) -> str | None:
    """Return what is wrong with a check whose value must be a regular expression."""
    if want_text(check):
        return want_text(check)
    return None if is_pattern(check["value"]) else "its value is no regular expression"


def is_pattern(value: Json) -> bool:
    """Say whether a value is a regular expression."""
    try:
        re.compile(value)
    except (re.error, TypeError, OverflowError, RecursionError):
        return False
    return True


def want_schema(check: Mapping[str, Json]) -> str | None:
    """Return what is wrong with a check whose value must be a JSON schema."""
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for

    schema = check.get("value")
    if not isinstance(schema, dict):
        return "its value must be a JSON schema (an object)"
    try:
        validator_for(schema).check_schema(schema)
    except SchemaError as error:
        return f"its value is no JSON schema ({error.message[:200]})"
    except (TypeError, ValueError, RecursionError) as error:
        return f"its value is no JSON schema ({type(error).__name__})"
    wrong = [pattern for pattern in timed.patterns_of(schema) if not is_pattern(pattern)]
    return f"its value holds {wrong[0]!r:.80}, which is no regular expression" if wrong else None


class Kind(NamedTuple):
    """One kind of check: how it runs (None: passed, else why not) and what is wrong with its own form."""

    run: Callable[[Mapping[str, Json], str], str | None]
    wrong: Callable[[Mapping[str, Json]], str | None]


KINDS: Mapping[str, Kind] = {
    "equals": Kind(equals, want_text),
    "contains": Kind(contains, want_texts),
    "not_contains": Kind(not_contains, want_texts),
    "regex": Kind(regex, want_pattern),
    "number": Kind(number_check, want_number),
    "json_schema": Kind(json_schema, want_schema),
    "max_words": Kind(max_words, want_count),
    "one_of": Kind(one_of, want_list),
}
