"""The rows of a results file by task, and the groups among them with the tasks below each."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from diptych.harness.lm_eval.generations import NOT_METRICS
from diptych.run import Json


def task_rows(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the rows by task, those nested below a task and those that stand in `groups` alone included."""
    rows: dict[str, Mapping[str, Any]] = {}
    for part in ("results", "groups"):
        table = document.get(part)
        for task, row in table.items() if isinstance(table, dict) else ():
            if isinstance(row, dict):
                for name, flat in flattened(str(task), row):
                    rows.setdefault(name, flat)
    return rows


def flattened(task: str, row: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield a row, or the rows that a fork of the harness nests below it."""
    nested = {
        name: value
        for name, value in row.items()
        if isinstance(value, dict) and name not in NOT_METRICS and any("," in key or key == "alias" for key in value)
    }
    own = {name: value for name, value in row.items() if name not in nested} if nested else row
    if own or task not in nested:
        yield task, own
    for name, value in nested.items():
        yield from flattened(name, value)


def task_groups(document: Mapping[str, Any], rows: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the groups with the tasks directly below each."""
    groups: dict[str, tuple[str, ...]] = {}
    subtasks = document.get("group_subtasks")
    for group, children in subtasks.items() if isinstance(subtasks, dict) else ():
        if isinstance(children, list) and children:
            groups[str(group)] = tuple(dict.fromkeys(str(child) for child in children))
    for group, children in () if groups else groups_by_indent(rows).items():
        groups[group] = children
    table = document.get("groups")
    for group in table if isinstance(table, dict) else ():
        groups.setdefault(str(group), ())
    results = document.get("results")
    for task, row in results.items() if isinstance(results, dict) else ():
        if isinstance(row, dict) and task in row and isinstance(row[task], dict):
            groups.setdefault(str(task), tuple(name for name, _ in flattened(task, row) if name != task))
    return groups


def groups_by_indent(rows: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the groups that the aliases' indentation shows (up to 0.4.11), for files that name none."""
    groups: dict[str, tuple[str, ...]] = {}
    above: list[str] = []
    for task, row in rows.items():
        alias = row.get("alias")
        plain = alias.lstrip(" ") if isinstance(alias, str) else ""
        depth = len(alias) - len(plain) if isinstance(alias, str) and plain.startswith("- ") else 0
        del above[depth:]
        if depth and len(above) == depth:
            groups[above[-1]] = (*groups.get(above[-1], ()), task)
        above.append(task)
    return groups


def items_of_group(
    group: str, row: Mapping[str, Any], groups: Mapping[str, tuple[str, ...]], items: Mapping[str, int]
) -> int | None:
    """Return over how many items a group is scored: as its row says, else the sum over its tasks, each once."""
    length = row.get("sample_len")
    if is_item_count(length):
        return length
    below, waiting, known = {group}, [group], []
    while waiting:
        children = groups.get(waiting.pop(), ())
        new = [child for child in children if child not in below]
        below.update(new)
        known += [items[child] for child in new if child in items]
        inner = [child for child in new if child not in items]
        if not children or any(child not in groups for child in inner):
            return None
        waiting += inner
    return sum(known) if known else None


def is_item_count(value: Json) -> TypeGuard[int]:
    """Say whether a value is a number of items that a task may have."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53
