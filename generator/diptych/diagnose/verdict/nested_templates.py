"""A chat template that is laid over a chat template: the task writes the tokens, and the harness writes them again."""

from diptych.diagnose.verdict.step_facts import Case
from diptych.diagnose.verdict.trace import FEWEST, NEARLY_ALL
from diptych.numbers import listed
from diptych.sides import each_side


def nested_template(case: Case) -> str:
    """Return that one of two templates is to be taken off, where one side's prompts have both."""
    if case.ruling.ground != "statuses":
        return ""
    found = {
        case.labels.of(side): task.task
        for task in case.evidence.tasks
        if task.prompts and task.task in case.conclusion.tasks
        for side, number in each_side(*task.prompts.nested)
        if number >= max(FEWEST, NEARLY_ALL * (task.prompts.compared - task.prompts.equal))
    }
    if not found:
        return ""
    names, tasks = listed(list(found)), listed(list(dict.fromkeys(found.values())))
    return (
        f"First let one template be enough in {names}: run {tasks} without --apply_chat_template, or without the "
        "chat-template tokens that the task's own doc_to_text writes, and compare that run."
    )
