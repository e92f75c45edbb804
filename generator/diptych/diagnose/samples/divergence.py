"""The first step at which two runs part, over all tasks that both logged."""

from collections.abc import Container

from diptych.closed_names import STEPS
from diptych.comparison import Divergence, Ladder
from diptych.diagnose.samples.evidence import Evidence


def first_divergence(evidence: Evidence, names: Container[str] | None = None) -> Divergence | None:
    """Return the earliest step that breaks in any task (of some), where the most items part; None where none does."""
    tasks = [task for task in evidence.tasks if names is None or task.task in names]
    broken = [task.ladder for task in tasks if task.ladder.first_break is not None]
    if not broken:
        return None
    first = min(broken, key=lambda ladder: (step_place(ladder), -share_apart(ladder), ladder.task))
    place = step_place(first)
    return Divergence(first.task, STEPS[place], sum(step_place(ladder) == place for ladder in broken) - 1)


def step_place(ladder: Ladder) -> int:
    """Return the place of the step that breaks first."""
    return STEPS.index(ladder.first_break or STEPS[-1])


def share_apart(ladder: Ladder) -> float:
    """Return the share of items that part at the step that breaks first."""
    rung = next(rung for rung in ladder.rungs if rung.rung == ladder.first_break)
    return (rung.compared - rung.equal) / rung.compared
