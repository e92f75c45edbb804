"""Answers that a prompt gives away: by examples out of the split that is scored, or in a text of the item's own."""

from collections.abc import Collection, Sequence

from diptych.diagnose.samples.evidence import Evidence, TaskEvidence
from diptych.diagnose.samples.prompt_facts import HeldAnswers
from diptych.diagnose.samples.sample_counts import count_at_step
from diptych.diagnose.settings.no_effect_rules import most_shots
from diptych.diagnose.verdict.run_labels import Labels
from diptych.numbers import counted
from diptych.run import Run
from diptych.sides import Side, Sided


def leaked_sentence(tasks: Sequence[str], labels: Labels, a: Run, b: Run) -> str:
    """Return that one side alone draws its examples from the split that it scores, with its name; "" elsewhere."""
    found = Sided(*({task for task in tasks if leaks(task, run)} for run in (a, b)))
    alone = Sided(sorted(found.a - found.b), sorted(found.b - found.a))
    side: Side = "a" if len(alone.a) > len(alone.b) else "b"
    own = alone.of(side)
    if not own:
        return ""
    task, run = own[0], a if side == "a" else b
    more = f" (so in {counted(len(own) - 1, 'task')} more)" if len(own) > 1 else ""
    return (
        f"{labels.of(side)} takes its examples for {task} from the split that it scores "
        f"({run.configs[task]['fewshot_split']}){more}: answers may leak into its prompts."
    )


def given_away(evidence: Evidence, tasks: Collection[str]) -> tuple[TaskEvidence, HeldAnswers] | None:
    """Return which of these tasks has most prompts that hold the right answer on one side."""
    found = [(task, task.held) for task in evidence.tasks if task.task in tasks and task.held]
    return max(found, key=lambda one: (one[1].number, one[0].task), default=None)


def given_away_clause(evidence: Evidence, tasks: Collection[str], labels: Labels) -> str:
    """Return that one side's prompts hold the right answers, a clause of the first sentence; "" where none do."""
    found = given_away(evidence, tasks)
    if found is None:
        return ""
    task, one = found
    part = " looked at" if one.of < count_at_step([task], "prompts").differ else ""
    return (
        f"; {labels.of(one.side)}'s prompts of {task.task} hold the right answer in what was added to them "
        f"({one.number:,} of {one.of:,}{part}), so its score is no measure of what the model knows"
    )


def given_away_step(evidence: Evidence, tasks: Collection[str], labels: Labels) -> str:
    """Return how to tell such a text from one that the questions are about, before anything else is asked."""
    found = given_away(evidence, tasks)
    if found is None:
        return ""
    task, side = found[0].task, found[1].side
    label, other = labels.of(side), labels.of("b" if side == "a" else "a")
    return (
        f"First read what {label}'s prompts of {task} have more than {other}'s (--samples 3 shows them): where the "
        f"questions are about that text, {other} needs it, too; else it gives the answers away and has to go. Run that "
        "side again, then compare."
    )


def leaks(task: str, run: Run) -> bool:
    """Say whether a task shows examples, and takes them from the split of which its items are."""
    config = run.configs.get(task, {})
    scored = config.get("test_split") or config.get("validation_split")
    return bool(scored) and config.get("fewshot_split") == scored and bool(most_shots(run, (task,)))
