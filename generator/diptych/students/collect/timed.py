"""Run a search or a schema's check within a time: here where that is certain to be quick, else in a process of its own.

A pattern, or a schema, that a stranger wrote can search for ever, and nothing stops a search in its own process.
"""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

Json = Any

SECONDS = 5.0
"""How long a search or a check may compute in its own process, whose start is not counted."""

LONGEST = 120.0
"""Seconds after which that process is ended in any case: on a busy machine it computes only now and then."""

TIMED = hasattr(signal, "setitimer")
"""Whether a process can count its own computing: not on Windows, where the whole time counts."""

STEPS = 20_000_000
"""Steps that are quick: a second of them."""

REFERENCES = 16
"""References of a schema that can only lead so far: each may lead to two others."""


class TooSlow(Exception):
    """It took longer than it may."""


def found(pattern: str, text: str, flags: int) -> bool:
    """Say whether a pattern is found in a text; `TooSlow` where that takes too long."""
    if is_quick(pattern, text):
        return re.search(pattern, text, flags) is not None
    return bool(in_own_process("found", pattern, text, flags))


def broken_rule(schema: Json, value: Json) -> str | None:
    """Return where a value breaks a schema, None where nowhere; `TooSlow` where that takes too long."""
    text = json.dumps(value)
    if schema_is_quick(schema, text):
        return first_error(schema, value)
    said = in_own_process("broken_rule", schema, value)
    return said if isinstance(said, str) else None


def is_quick(pattern: str, text: str) -> bool:
    """Say whether a pattern cannot take long on a text: few choices, none of a group repeated, no back reference."""
    if re.search(r"\)\s*[*+{]|\\[1-9]|\(\?P=|\(\?\(|\(\?[aiLmsu]*x", pattern):
        return False
    repeats = len(re.findall(r"(?<!\\)[*+]|\{\d*,\d*\}", pattern))
    choices = len(re.findall(r"(?<![\\(])\?|\|", pattern))
    times = [int(count) for count in re.findall(r"\{(\d{1,9})\}", pattern)]
    size = max(2, len(text))
    steps = float(size)
    for factor in (*[size] * repeats, *[2] * choices, *times):
        steps *= max(1, factor)
        if steps > STEPS:
            return False
    return True


def schema_is_quick(schema: Json, text: str) -> bool:
    """Say whether a schema cannot take long on a value of this text."""
    if len(text) > 20_000:
        return False
    references = sum(key in ("$ref", "$dynamicRef", "$recursiveRef") for key, _ in every_key(schema))
    return references <= REFERENCES and all(
        isinstance(each, str) and is_quick(each, text) for each in patterns_of(schema)
    )


def patterns_of(schema: Json) -> list[Json]:
    """Return the regular expressions of a schema; also what merely stands where one would."""
    patterns: list[Json] = []
    for key, value in every_key(schema):
        if key == "pattern" and not isinstance(value, dict):  # else a property of that name
            patterns.append(value)
        elif key == "patternProperties" and isinstance(value, dict):
            patterns += value
    return patterns


def every_key(value: Json) -> Iterator[tuple[str, Json]]:
    """Yield every key of a JSON value with what it holds."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield from each.items()
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each


def first_error(schema: Json, value: Json) -> str | None:
    """Return where a value breaks a schema; nothing is fetched."""
    from jsonschema.validators import validator_for
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    try:
        error = next(iter(validator_for(schema)(schema, registry=Registry()).iter_errors(value)), None)
    except Unresolvable as missing:
        return f"the schema refers to {missing.ref!r}, which is not in it"
    except (re.error, RecursionError, OverflowError) as wrong:
        return f"the schema cannot be applied ({type(wrong).__name__})"
    if error is None:
        return None
    place = "/".join(map(str, error.absolute_path)) or "the value"
    return f"{place}: breaks {error.validator!r}"


WORK: dict[str, Callable[..., Json]] = {
    "found": lambda pattern, text, flags: re.search(pattern, text, flags) is not None,
    "broken_rule": first_error,
}


def in_own_process(name: str, *arguments: Json) -> Json:
    """Return what one of `WORK` says, asked in a process that can be stopped."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "diptych.students.collect.timed"],
            input=json.dumps([SECONDS, name, *arguments]),
            capture_output=True,
            text=True,
            timeout=LONGEST if TIMED else SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise TooSlow from error
    if TIMED and done.returncode == -signal.SIGPROF:
        raise TooSlow
    done.check_returncode()
    return json.loads(done.stdout)


def main() -> None:
    """Answer one question of `elsewhere`."""
    seconds, name, *arguments = json.load(sys.stdin)
    if TIMED:
        signal.setitimer(signal.ITIMER_PROF, seconds)  # ends this process, whatever it is in the midst of
    json.dump(WORK[name](*arguments), sys.stdout)


if __name__ == "__main__":
    main()
