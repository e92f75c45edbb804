"""That scores moved although every response is the same: what is made of responses changed, not the model."""

from collections.abc import Sequence

from diptych.diagnose.benchmarks import members_of
from diptych.diagnose.samples.evidence import Evidence, TaskEvidence
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.verdict_kind import Ruling
from diptych.estimates import MetricComparison
from diptych.numbers import counted, listed

MOST_NAMED = 3


def rescored_tasks(ruling: Ruling, evidence: Evidence) -> tuple[TaskEvidence, ...]:
    """Return the tasks behind a verdict whose scores moved, where every response behind it is the same; else none.

    Behind a difference are the tasks that have a word, behind any other verdict all of them.
    """
    if ruling.ground != "statuses":
        return ()
    rows = [row for row in ruling.rows if row.is_apart or ruling.kind != "different"]
    names = tasks_behind(rows, ruling.rows)
    found = [task for task in evidence.tasks if task.task in names]
    if len(found) < len(names) or not all(map(same_responses, found)):
        return ()
    return tuple(task for task in found if rescored_items(task))


def tasks_behind(rows: Sequence[MetricComparison], beside: Sequence[MetricComparison]) -> frozenset[str]:
    """Return the tasks that some rows are of, those of a benchmark in its place."""
    groups = {row.task: row.subtasks for row in beside if row.group}
    names = {name for row in rows for name in (members_of(row.task, groups) if row.group else [row.task])}
    return frozenset(names - groups.keys())


def same_responses(task: TaskEvidence) -> bool:
    """Say whether every pair of a task has one response to one request."""
    return task.requests_equal and task.responses == 0 and task.responses_compared == task.pairs > 0


def rescored_items(task: TaskEvidence) -> int:
    """Return how many items of a task have another score, by the filter that shows most of them."""
    return max((one.scores_apart for one in task.filters), default=0)


def rescored_clause(tasks: Sequence[TaskEvidence], labels: Labels) -> str:
    """Return that every response is the same, how many were scored otherwise, and that it is not the model's doing."""
    pairs, number = sum(task.pairs for task in tasks), sum(map(rescored_items, tasks))
    names = listed([task.task for task in tasks], MOST_NAMED)
    read = any(one.filtered_apart for task in tasks for one in task.filters)
    what = "what the filters find in them changed" if read else "the scoring changed"
    return (
        f"Every response of {labels.b} and {labels.a} (baseline) is the same on {counted(pairs, 'shared item')} of "
        f"{names}, and {number:,} of them {'is' if number == 1 else 'are'} scored otherwise: {what}, not the model"
    )
