"""What several tasks record of one setting, put together as the run's: one value, or a value a task."""

from collections.abc import Collection, Iterable

from diptych.diagnose.settings.same_values import same_value
from diptych.run import Json


def merge_tasks(values: Iterable[tuple[str | None, Json]]) -> Json:
    """Return the one value that all tasks share, or a mapping of task to value where they vary."""
    pairs = list(values)
    first = pairs[0][1]
    if all(same_value(first, value) for _, value in pairs):
        return first
    return {str(task): value for task, value in pairs}


def is_by_task(value: Json, tasks: Collection[str]) -> bool:
    """Say whether a value holds one of its own for each of some tasks."""
    return isinstance(value, dict) and bool(tasks) and set(value) <= set(tasks)


def text_value(value: Json, task: str) -> str | None:
    """Return a value (of a task, where each has its own) that is a text, as a prompt may hold it."""
    value = value.get(task) if isinstance(value, dict) else value
    return value if isinstance(value, str) and value else None
