"""What is said where one id names two documents: the data changed, or was put in another order; nobody chose items."""

from diptych.diagnose.samples.evidence import TaskEvidence
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.trace import FEWEST, NEARLY_ALL

MOST = 0.5
"""From this share of the items of one side alone on, ids that name another document are why they are alone."""

REORDERED = 0.1
"""From this share of the items on, documents that are shared under other ids show another order."""


def holds_other_documents(task: TaskEvidence) -> bool:
    """Say whether items are of one side alone because their ids name other documents there."""
    return 0 < MOST * min(task.only_a, task.only_b) <= task.ids.other


def is_reordered(task: TaskEvidence) -> bool:
    """Say whether documents stand under other ids in B than in A."""
    return task.ids.elsewhere >= max(1, REORDERED * task.ids.both)


def is_reworded(task: TaskEvidence) -> bool:
    """Say whether the documents of one id have the same right answer: one item, in another text."""
    ids = task.ids
    return ids.other >= FEWEST and ids.same_target >= NEARLY_ALL * ids.other and not is_reordered(task)


def other_documents_clause(task: TaskEvidence, labels: Labels) -> str:
    """Return that ids name other documents in B, and what that says of how they came about."""
    ids = task.ids
    which = f"{ids.other} of {ids.both} ids of {task.task} name another document in {labels.b}"
    if is_reordered(task):
        return f"{which}, {ids.elsewhere} documents stand under other ids: the items were shuffled or drawn otherwise"
    if is_reworded(task):
        return f"{which}, with the same right answers: the text of the data changed"
    return f"{which}: another version of the data, or other items drawn under the same ids"


def other_documents_step(task: TaskEvidence) -> str:
    """Return how to see what changed in the data, and how to ask both sides the same."""
    if is_reordered(task):
        return (
            f"Give both sides the items of {task.task} in one order (no shuffle, or one seed for it), or run both "
            "without --limit; then compare."
        )
    return (
        f"Read one document of {task.task} on both sides under one id and see what changed in it (a revision, an "
        "encoding, a field), then run both on one version of the data and compare."
    )
