"""What `diptych check` prints of one input: what it is, what was read, what was skipped and why."""

import textwrap
from collections.abc import Collection, Iterable, Iterator

from diptych.errors import DiptychError
from diptych.harness.inspection import InspectedTask, Inspection
from diptych.numbers import count, counted

WIDTH = 80
MOST_TASKS = 8
FEW_VERSIONS = 3


def inspection_text(found: Inspection, full: bool = False) -> str:
    """Return an input's inspection for a terminal of 80 columns: a screen of it, or all tasks and every key's name."""
    lines = inspection_lines(found, full) if found.error is None else refusal_lines(found, found.error)
    return "\n".join((found.location, *lines))


def refusal_lines(found: Inspection, error: DiptychError) -> Iterator[str]:
    """Yield why an input cannot be read, which of its files tells so, and what to do."""
    where = (error.where or "").removeprefix(f"{found.location.rstrip('/')}/")
    yield from named_line("not read", error.message if where == found.location else f"{where}: {error.message}")
    yield from named_line("hint", error.hint or "")


def inspection_lines(found: Inspection, full: bool) -> Iterator[str]:
    """Yield the lines about an input that was read: what was, what was not, then its tasks and settings."""
    yield from named_line("is", f"{found.what}, {found.generation}".rstrip(", "))
    yield from named_line("model", found.model or "no name recorded")
    yield from named_line("date", found.date or "not recorded")
    yield from named_line("read", what_was_read(found))
    for skipped in found.skipped:
        yield from named_line("not read", f"{skipped.what}: {skipped.why}")
    errors = [remark for remark in found.remarks if remark.severity == "error"]
    for remark in errors:
        yield from named_line(remark.severity, remark.text)
    if not found.skipped and not errors:
        yield from named_line("not read", "nothing")
    most = len(found.tasks) if full else MOST_TASKS
    for task in sorted(found.tasks, key=lambda task: not task.group)[:most]:
        yield from named_line("task", task_line(task))
    if len(found.tasks) > most:
        yield from named_line("task", f"and {count(len(found.tasks) - most)} more (--full)")
    yield from settings_lines(found, full)
    for remark in found.remarks:
        if remark not in errors:
            yield from named_line(remark.severity, remark.text)


def what_was_read(found: Inspection) -> str:
    """Return what was read: the results file, and how much of tasks, samples and settings."""
    rows = sum(task.rows or 0 for task in found.tasks)
    return ", ".join(
        (
            found.results_file,
            counted(len(found.tasks), "task"),
            counted(rows, "logged row") if rows else "no samples",
            counted(len(found.recorded), "setting"),
            f"{count(len(found.context))} in run-context.json" if found.context else "no run-context.json",
        )
    )


def settings_lines(found: Inspection, full: bool) -> Iterator[str]:
    """Yield which settings were given, and how many keys are none of these; in full by name."""
    tasks = frozenset(task.task for task in found.tasks)
    given = [key for key in found.recorded if key not in found.defaults]
    yield from named_line("settings", count_and_names(given, "given", tasks) or "none given")
    others = (
        ("", found.defaults, "left at a default"),
        ("", found.missing, "not recorded"),
        ("", found.measured, "measured, never a cause"),
        ("not used", found.unused, "(each a copy of another key, or neither setting nor score)"),
        ("beside", found.context, "in run-context.json"),
    )
    if full:
        for name, keys, what in others:
            yield from named_line(name, count_and_names(keys, what, tasks))
        return
    counts = [f"{count(len(keys))} {what}" for _, keys, what in others[:3] if keys]
    counts += [f"{count(len(found.unused))} not used"] if found.unused else []
    yield from named_line("", f"{'; '.join(counts)} (--full names them)" if counts else "")


def task_line(task: InspectedTask) -> str:
    """Return one task: its metrics and filters, items, and logged rows."""
    metrics = ", ".join(task.metrics) or "no metric"
    filters = f" ({', '.join(task.filters)})" if task.filters and task.filters != ("none",) else ""
    items = "items not recorded" if task.items is None else counted(task.items, "item")
    whole = f" of {task.expected:,}" if task.expected and task.items and task.expected != task.items else ""
    rows = "a group" if task.group else "no samples" if task.rows is None else counted(task.rows, "logged row")
    each = f" of {task.answers} answers each" if task.answers > 1 else ""
    return f"{task.task}: {metrics}{filters}; {items}{whole}, {rows}{each}{row_shares(task)}"


def row_shares(task: InspectedTask) -> str:
    """Return what the rows of a task are, where they are more than its items: filters, repeats."""
    shares = len(task.filters) * (task.logged or 0)
    if not task.rows or not shares or task.rows == task.logged:
        return ""
    filters = f" × {len(task.filters)} filters" if len(task.filters) > 1 else ""
    repeats = f" × {task.rows // shares} repeats" if task.rows > shares else ""
    whole = filters + repeats if task.rows % shares == 0 else ""
    return f" ({counted(task.logged or 0, 'item')}{whole})" if whole else ""


def count_and_names(keys: Iterable[str], what: str, tasks: Collection[str]) -> str:
    """Return how many keys there are, and which; nothing for none. The versions of several tasks are told together."""
    keys = list(keys)
    told = [key for key in keys if key.removeprefix("versions.") not in tasks]
    versions = len(keys) - len(told)
    told = [*told, f"versions of {count(versions)} tasks"] if versions > FEW_VERSIONS else keys
    return f"{count(len(keys))} {what}: {', '.join(told)}" if keys else ""


def named_line(name: str, text: str) -> list[str]:
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
