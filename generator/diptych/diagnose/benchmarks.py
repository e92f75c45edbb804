"""What is inside a benchmark: its tasks, and the benchmarks within it."""

from collections.abc import Mapping

Groups = Mapping[str, tuple[str, ...]]


def within(name: str, groups: Groups) -> list[str]:
    """Return all that a group holds, inner groups and tasks; a group that holds itself is not walked twice."""
    found: dict[str, None] = {}
    waiting = list(groups.get(name, ()))
    while waiting:
        child = waiting.pop(0)
        if child not in found and child != name:
            found[child] = None
            waiting += groups.get(child, ())
    return list(found)
