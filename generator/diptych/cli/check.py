"""What `diptych check` prints of one input: what it is, what was read, what was skipped and why."""

import textwrap
from collections.abc import Iterable, Iterator

from diptych.harness.inspection import InspectedTask, Inspection

WIDTH = 80
MOST_TASKS = 12


def inspection_text(found: Inspection) -> str:
    """Return an input's inspection for a terminal of 80 columns."""
    if found.error is not None:
        hint = f"\n  hint: {found.error.hint}" if found.error.hint else ""
        return f"{found.location}\n  cannot be read: {found.error}{hint}"
    return "\n".join((found.location, *lines_of(found)))


def lines_of(found: Inspection) -> Iterator[str]:
    """Yield the lines about an input that was read."""
    yield from wrapped("is", f"{found.what}, {found.generation}".rstrip(", "))
    yield from wrapped("model", found.model or "no name recorded")
    yield from wrapped("date", found.date or "not recorded")
    yield from wrapped("results", found.results_file)
    for task in found.tasks[:MOST_TASKS]:
        yield from wrapped("task", task_line(task))
    if len(found.tasks) > MOST_TASKS:
        yield from wrapped("task", f"and {len(found.tasks) - MOST_TASKS} more")
    given = [key for key in found.recorded if key not in found.defaults]
    yield from wrapped("settings", names(given, "given"))
    yield from wrapped("", names(found.defaults, "left at their default"))
    yield from wrapped("", names(found.missing, "not recorded"))
    yield from wrapped("", names(found.measured, "measured, never a cause"))
    yield from wrapped("not used", names(found.unused, "that repeat another key, or are neither settings nor scores"))
    yield from wrapped("outside", names(found.context, "in run-context.json") or "no run-context.json")
    for skipped in found.skipped:
        yield from wrapped("skipped", f"{skipped.what}: {skipped.why}")
    for remark in found.remarks:
        yield from wrapped(remark.severity, remark.text)


def task_line(task: InspectedTask) -> str:
    """Return one task: its metrics and filters, items, and logged rows."""
    metrics = ", ".join(task.metrics) or "no metric"
    filters = f" ({', '.join(task.filters)})" if task.filters and task.filters != ("none",) else ""
    items = "items not recorded" if task.items is None else f"{task.items:,} items"
    whole = f" of {task.expected:,}" if task.expected and task.items and task.expected != task.items else ""
    rows = "a group" if task.group else "no samples" if task.rows is None else f"{task.rows:,} logged rows"
    return f"{task.task}: {metrics}{filters}; {items}{whole}, {rows}"


def names(keys: Iterable[str], what: str) -> str:
    """Return how many keys there are, and which; nothing for none."""
    keys = list(keys)
    return f"{len(keys)} {what}: {', '.join(keys)}" if keys else ""


def wrapped(name: str, text: str) -> list[str]:
    """Return a named line, folded below its own beginning; nothing for an empty text."""
    if not text:
        return []
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"  {name:<9} ",
        subsequent_indent=" " * 12,
        break_long_words=True,
        break_on_hyphens=False,
    )
