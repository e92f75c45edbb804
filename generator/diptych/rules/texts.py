"""Rules about texts: no sentence denies what a list holds, and no two findings say the same or the contrary."""

import re
from collections import Counter
from collections.abc import Iterator

from diptych.comparison import Comparison, Finding
from diptych.rules.differences import listed_differences

DENIAL = re.compile(
    r"\bno(?:thing)? (?:(?:that is )?recorded |setting |settings )*differs?\b|\bno recorded difference\b", re.IGNORECASE
)


def denials(made: Comparison) -> Iterator[str]:
    """No text says that nothing differs where a difference is listed."""
    listed = [row.key for row in listed_differences(made)]
    if not listed:
        return
    texts = [made.verdict.sentence, made.verdict.next_step, *(finding.text for finding in made.findings)]
    for text in texts:
        if found := DENIAL.search(text):
            yield f"{found[0]!r} stands beside {', '.join(listed[:3])}"


TASKS_OUT = re.compile(r"((?:[\w,-]|\.(?=\S)| (?!(?:is|are|was|were) left out))+) (?:is|are|was|were) left out")


def left_out(made: Comparison) -> Iterator[str]:
    """What the verdict's sentence leaves out stands in the list of what was left out, and the other way round."""
    sentence = made.verdict.sentence
    if "left out" in sentence and not made.left_out:
        yield "the sentence leaves something out, and the list of what was left out is empty"
    listed = " ".join(f"{each.what} {each.why}" for each in made.left_out)
    tasks = {metric.task for metric in made.metrics}
    clauses = " ".join(TASKS_OUT.findall(sentence))
    for task in sorted(tasks):
        if names_task(task, clauses) and not names_task(task, listed):
            yield f"the sentence leaves {task} out, and the list does not"
    for each in made.left_out:
        for task in sorted(tasks):
            if each.what in (task, f"task {task}", f"scores of {task}") and not names_task(task, clauses):
                yield f"{task} is in the list of what was left out, and the sentence does not say so"
    for each in made.left_out:
        if each.count_ < 1:
            yield f"{each.what} is left out {each.count_} times"


def names_task(task: str, text: str) -> bool:
    """Say whether a text names a task as a whole word."""
    return re.search(rf"(?<![\w.-]){re.escape(task)}(?![\w-])", text) is not None


APART = (
    ("prompt_examples", "prompt_example_layout"),
    ("answers_identical", "answer_format_changed"),
    ("answers_identical", "scorer_changed"),
    ("no_samples", "answers_identical"),
)
"""Kinds that cannot both hold for every item of one task."""


def findings(made: Comparison) -> Iterator[str]:
    """No finding stands twice, and none says the contrary of another or of the steps."""
    texts = Counter(finding.text for finding in made.findings)
    yield from (f"stands {count} times: {text[:80]}" for text, count in texts.items() if count > 1)
    yield from other_examples(made)
    for one, other in APART:
        for task in tasks_with(one, made) & tasks_with(other, made):
            yield f"{one} and {other} are both said of all items of {task}"
    for ladder in made.ladder:
        answered = next((rung for rung in ladder.rungs if rung.rung == "responses"), None)
        if answered and answered.equal < answered.compared and ladder.task in tasks_with("answers_identical", made):
            yield f"answers of {ladder.task} are said to be identical, and {answered.compared - answered.equal} differ"


ALIKE = re.compile(r"\bsame (?:words|examples)\b(?! in another order)|\bdiffer by the layout of examples(?! and\b)")


def other_examples(made: Comparison) -> Iterator[str]:
    """Yield where the verdict or a difference calls examples the same that a finding calls other ones in all prompts.

    Only where that holds of every task whose prompts differ: a sentence may be about another task.
    """
    parted = {each.task for each in made.ladder for rung in each.rungs if rung.rung == "prompts" and rung.first}
    if not parted or parted - tasks_with("prompt_examples", made):
        return
    for text in (made.verdict.sentence, *(row.evidence or "" for row in listed_differences(made))):
        if found := ALIKE.search(text):
            yield f"{found[0]!r} stands beside a finding that other examples are shown"


def tasks_with(kind: str, made: Comparison) -> set[str]:
    """Return the tasks of which a finding says something of every item."""
    return {finding.task for finding in made.findings if finding.kind == kind and finding.task and of_all(finding)}


def of_all(finding: Finding) -> bool:
    """Say whether a finding holds for all the items that it counts."""
    return finding.count_ is None or finding.count_ == finding.of
