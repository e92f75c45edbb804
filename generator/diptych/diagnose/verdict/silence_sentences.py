"""That a side lost answers rather than gave others: what moved in words, and what a server has to do with it."""

from collections.abc import Sequence

from diptych.catalogue.model_settings import AT_ONCE
from diptych.diagnose.samples.answer_facts import BrokenFacts
from diptych.diagnose.samples.evidence import Evidence, TaskEvidence
from diptych.diagnose.verdict.hypotheses import Hypothesis
from diptych.diagnose.verdict.response_traces import NO_ANSWERS, fell_silent, lost_alone
from diptych.diagnose.verdict.run_labels import Labels
from diptych.numbers import counted


def silence_sentence(evidence: Evidence, tasks: Sequence[str], labels: Labels) -> str:
    """Return that what is no answer of one side is (nearly) all that moved, "" where much else moved, too."""
    task = next(iter(fallen_silent(evidence, tasks)), None)
    if task is None:
        return ""
    lost = [found for found in task.broken if found.fault in NO_ANSWERS]
    one = max(lost, key=lambda found: (found.items, found.lower))
    who = labels.of(one.side)
    what = (
        f"{counted(one.items, 'empty response')} of {who}"
        if one.fault == "empty"
        else f"one text in the place of {counted(one.items, 'response')} of {who}"
    )
    carried = one.lower > 0 and one.lower_among == one.lower and not one.higher
    fell = f": all {counted(one.lower, 'item')} that score worse there are among them" if carried else ""
    rest = task.responses - one.items
    more = f"{',' if fell else ''} and {counted(rest, 'other')}{moved_outcomes(one, rest)}" if rest else ""
    return (
        f"What moved in {task.task} is {what}{fell}{more}; "
        f"the other {task.responses_compared - task.responses} of {task.responses_compared} are equal."
    )


def moved_outcomes(one: BrokenFacts, rest: int) -> str:
    """Return how the responses that changed beside those score on the side of these, in brackets."""
    up, down = one.higher - one.higher_among, one.lower - one.lower_among
    if up + down > rest:
        return ""  # equal responses score otherwise, too
    ways = ((up, "higher there"), (down, "lower there"), (rest - up - down, "the same"))
    return f" ({', '.join(f'{number} scored {way}' for number, way in ways if number)})"


def silent_server_sentence(one: Hypothesis, named: str, evidence: Evidence, tasks: Sequence[str]) -> str:
    """Return what another way to ask a server may do to answers, where a side lost some; "" elsewhere."""
    silent = fallen_silent(evidence, tasks)
    if "transport" not in one.difference.known.acts or not silent:
        return ""
    rest = sum(task.responses - lost_alone(task) for task in silent)
    text = f"{named} differs: a server asked otherwise may leave requests unanswered"
    if rest and one.key == AT_ONCE:
        text += ", and batches the others otherwise, which moves few of them"
    elif rest:
        text += f"; what moved {counted(rest, 'other response')} is not shown"
    return f"{text}."


def fallen_silent(evidence: Evidence, tasks: Sequence[str]) -> list[TaskEvidence]:
    """Return those of some tasks in which a side lost answers and (nearly) all else is equal."""
    return [
        task for task in evidence.tasks if task.task in tasks and task.responses and fell_silent(task, task.responses)
    ]
