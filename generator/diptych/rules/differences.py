"""Everything that a comparison lists as different, in one form: settings, task fields, what is written beside a run."""

from collections.abc import Iterator
from typing import Any

from diptych.closed_names import Bearing
from diptych.comparison import Comparison
from diptych.fast_named_tuple import NamedTuple

Json = Any


class Difference(NamedTuple):
    """One listed difference by its key; `tasks` are those whose definition it belongs to (empty: run-wide)."""

    key: str
    a: Json
    b: Json
    a_recorded: bool
    b_recorded: bool
    bearing: Bearing
    evidence: str | None


def listed_differences(made: Comparison) -> tuple[Difference, ...]:
    """Return every listed difference."""
    return tuple(each_difference(made))


def each_difference(made: Comparison) -> Iterator[Difference]:
    """Yield settings, then fields of tasks, then what was written beside the runs."""
    for row in made.settings:
        yield Difference(row.key, row.a, row.b, row.a_recorded, row.b_recorded, row.standing, row.evidence)
    for field in made.task_settings:
        key = f"{field.task}.{field.field}"
        yield Difference(key, field.a, field.b, True, True, field.standing, field.evidence)
    for outside in made.context:
        key = f"context.{outside.setting}"
        recorded = (outside.a_recorded, outside.b_recorded)
        yield Difference(key, outside.a, outside.b, *recorded, outside.standing, outside.evidence)


def named_difference(key: str, made: Comparison) -> Difference | None:
    """Return the listed difference that a key names; a field of a task also by its own name."""
    listed = listed_differences(made)
    found = [each for each in listed if each.key == key]
    fields = {f"{field.task}.{field.field}" for field in made.task_settings}
    found += [each for each in listed if each.key in fields and each.key.endswith(f".{key}")]
    return found[0] if found else None
