"""What is inside a benchmark: its tasks, and the benchmarks within it."""

from collections import deque
from collections.abc import Mapping

Groups = Mapping[str, tuple[str, ...]]


def members_of(name: str, groups: Groups) -> list[str]:
    """Return all that a group holds, inner groups and tasks; a group that holds itself is not walked twice."""
    found = {name: None}
    waiting = deque((name,))
    while waiting:
        new = [child for child in dict.fromkeys(groups.get(waiting.popleft(), ())) if child not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    del found[name]
    return list(found)
