"""Responses whose texts tell more than their scores: phrases around one side's, targets that one side recites."""

from collections.abc import Collection, Sequence

from diptych.diagnose.samples.answer_facts import Recited, SharedPhrases
from diptych.diagnose.samples.evidence import TaskEvidence
from diptych.diagnose.samples.recited_targets import recital_reason
from diptych.diagnose.samples.shared_phrases import phrase_clause
from diptych.diagnose.verdict.run_labels import Labels
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.sides import Side
from diptych.value_text import quoted_stretch


class Phrased(NamedTuple):
    """That a side's responses begin or end with a few phrases, and the metric that leads and reads them."""

    task: str
    metric: str
    found: SharedPhrases


class Memory(NamedTuple):
    """That a side's responses are the targets of a task to the letter."""

    task: str
    found: Recited


def phrased(tasks: Sequence[TaskEvidence], primary: Collection[MetricKey]) -> Phrased | None:
    """Return the task with most responses that a leading metric reads with phrases around them."""
    found = [
        Phrased(task.task, key.metric, task.phrases)
        for task in tasks
        if task.phrases is not None
        for key in primary
        if key.task == task.task and (key.filter, key.metric) in task.phrases.read
    ]
    return max(found, key=lambda one: (one.found.number, one.task), default=None)


def memory(tasks: Sequence[TaskEvidence]) -> Memory | None:
    """Return the task with most recited targets."""
    found = [Memory(task.task, task.recited) for task in tasks if task.recited is not None]
    return max(found, key=lambda one: (one.found.number, one.task), default=None)


def phrased_sentence(found: Phrased | None, labels: Labels) -> str:
    """Return which phrases a side's responses have; "" where none."""
    if found is None:
        return ""
    one = found.found
    whose = f"{one.number} of {one.of} responses of {labels.of(one.side)} in {found.task}"
    beside = others(one.side, one.other, labels, "do")
    return f"{whose} {phrase_clause(one)}, {beside}, and {found.metric} reads them with the rest."


def phrased_step(found: Phrased | None) -> str:
    """Return how to see what the phrases do to the score."""
    if found is None:
        return ""
    more = f" (and {len(found.found.phrases) - 1} more)" if len(found.found.phrases) > 1 else ""
    return (
        f"Score both logs of {found.task} once more by a filter that takes {quoted_stretch(found.found.phrases[0], 0)}"
        f"{more} off, and compare those before accuracy is blamed: no model has to run again."
    )


def memory_sentence(found: Memory | None, labels: Labels) -> str:
    """Return that a side recites the targets; "" where none does."""
    if found is None:
        return ""
    one, who = found.found, labels.of(found.found.side)
    beside = others(one.side, one.other, labels, "are")
    return (
        f"{one.number} of {one.of} responses of {who} in {found.task} are the item's target to the letter, a long "
        f"text, and {beside}: {recital_reason(one, who)}, so its score may be memory."
    )


def memory_step(found: Memory | None, labels: Labels) -> str:
    """Return on what the two can be compared all the same."""
    if found is None:
        return ""
    label, task = labels.of(found.found.side), found.task
    if found.found.in_prompt:
        return f"Take the targets of {task} out of {label}'s prompts, run {label} again, and compare that run."
    return (
        f"Compare both on items of {task} that are rewritten, or newer than the training data of {label}: if it has "
        "learnt these by heart, its score falls there."
    )


def others(side: Side, number: int, labels: Labels, verb: str) -> str:
    """Return how many of the other side's responses are so, too."""
    other = labels.of("b" if side == "a" else "a")
    return f"{number or 'none'} of {other}'s {verb}"
