"""That an older results file lies beside the one that was read, over many more items: it is compared before any run."""

from diptych.diagnose.verdict.run_labels import run_labels
from diptych.numbers import counted
from diptych.run import OlderResults, Run
from diptych.sides import each_side

TIMES = 2
"""So many times the items of the file that was read make an older one the fuller one."""

TO_THE_SECOND = len("2026-01-31T10:00:00")


def fuller_step(a: Run, b: Run) -> str:
    """Return which older files to compare instead, "" where the newest hold as much, or the other side no more."""
    labels = run_labels(a, b)
    found = [
        (labels.of(side), own.fuller, size_of(own))
        for side, (own, other) in each_side((a, b), (b, a))
        if own.fuller is not None and wants_more(own, other, own.fuller)
    ]
    if not found:
        return ""
    named = {label: f"{label}@{older.date[:TO_THE_SECOND]}" for label, older, _ in found}
    pair = " with ".join(named.get(label, label) for label in labels)
    told = [
        f"the older results of {label} are over {counted(older.items, 'item')}, the newest, compared here, over {items}"
        for label, older, items in found
    ]
    return f"Compare {pair}: {'; '.join(told)}."


def wants_more(own: Run, other: Run, older: OlderResults) -> bool:
    """Say whether a side's items are few beside an older file's, and the other side has, or may have, more as well."""
    most = other.fuller.items if other.fuller else size_of(other)
    return older.items >= TIMES * size_of(own) and max(most, size_of(other)) > size_of(own)


def size_of(run: Run) -> int:
    """Return over how many items a run's tasks were scored."""
    return sum(run.items.get(task, 0) for task in run.items if task not in run.groups)
