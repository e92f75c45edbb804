"""Which responses of one side measure nothing, and how much of a difference they carry."""

from collections.abc import Mapping, Sequence

from diptych.diagnose.samples.answer_facts import AnswerShape, CompletedFacts, StoppedThoughts
from diptych.diagnose.samples.evidence import TaskEvidence
from diptych.diagnose.samples.fault_findings import is_tail
from diptych.diagnose.samples.misplaced_responses import is_canned
from diptych.diagnose.verdict.response_traces import NO_ANSWERS, fell_silent
from diptych.diagnose.verdict.rows_apart import margin_of
from diptych.diagnose.verdict.trace import FEWEST
from diptych.estimates import MetricComparison, gap_of
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.sides import Side

CUT_SHARE = 0.1
"""From this share on, responses that measure nothing are said in the verdict's sentence; fewer where most of what
scores worse is among them."""

FAULTS = ("empty", "cut", "thinking_open", "looping", "refused", "repeated")


class Broken(NamedTuple):
    """That a part of one side's responses in a task measures nothing, with the scores over those of neither side.

    `other` counts the responses of the other side with the same fault; `tail`: they are the last ones of the run;
    `worse` of the `worse_of` items that score worse on the side are among them; `alone`: nothing else moved, and where
    they carry most of the difference (`carries`), the rest does not show it. `least`: there may be more of them.
    """

    task: str
    side: Side
    fault: str
    number: int
    of: int
    completed: CompletedFacts | None
    other: int = 0
    stopped: StoppedThoughts = StoppedThoughts()
    tail: bool = False
    worse: int = 0
    worse_of: int = 0
    alone: bool = False
    carries: bool = False
    least: bool = False


def broken_part(tasks: Sequence[TaskEvidence], primary: Mapping[MetricKey, MetricComparison]) -> Broken | None:
    """Return the largest part of one side's responses that measures nothing, where it is larger than on the other.

    The scores over the others are those of the metric that leads (`primary`), where it has any.
    """
    found = [
        Broken(
            *(task.task, side, fault, number, own.of, completed_of(task, primary), getattr(other, fault)),
            task.stopped.of(side),
            fault == "empty" and is_tail(number, own.last_empty, own.of),
            *carried(task, side, fault, primary),
            fault in NO_ANSWERS and fell_silent(task, task.responses),
            least=fault == "cut" and own.doubtful > 0,
        )
        for task in tasks
        for side, own, other in shapes_by_side(task)
        for fault in FAULTS
        if (number := fault_count(task, side, own, fault)) > getattr(other, fault)
        and (number >= CUT_SHARE * own.of or tells_most(number, *carried(task, side, fault, primary)))
        and (fault != "repeated" or is_canned(own.repeated, own.of, other.repeated))
    ]
    # that they are one text tells less than what else is wrong with as many
    worst = max(
        found, key=lambda one: (one.number / one.of, one.fault != "repeated", one.task, one.fault), default=None
    )
    return worst and worst._replace(carries=carries_most(worst, primary))


def tells_most(number: int, worse: int, worse_of: int) -> bool:
    """Say whether most of many items that score worse on a side are among some that measure nothing."""
    return number >= FEWEST and worse >= FEWEST and 2 * worse > worse_of


def carries_most(broken: Broken, primary: Mapping[MetricKey, MetricComparison]) -> bool:
    """Say whether less than half of a difference is left where both sides completed their responses.

    One that is not significant counts where it is beyond the margin: it is what a reader sees.
    """
    done = broken.completed
    row = primary.get(MetricKey(broken.task, done.metric, done.filter)) if done else None
    whole = gap_of(row) if row and row.status in ("better", "worse", "unclear") else None
    if done is None or row is None or not whole or (row.status == "unclear" and abs(whole) <= margin_of(row)):
        return False
    return 2 * (done.b - done.a) / whole < 1


def fault_count(task: TaskEvidence, side: Side, own: AnswerShape, fault: str) -> int:
    """Return how many responses have a fault; as cut count those, too, that the other side's show to be."""
    number: int = getattr(own, fault)
    return own.truncated if fault == "cut" else number


def carried(
    task: TaskEvidence, side: Side, fault: str, primary: Mapping[MetricKey, MetricComparison]
) -> tuple[int, int]:
    """Return how many of the items that score worse on a side have a fault there alone, by the metric that leads."""
    for one in task.broken:
        row = primary.get(MetricKey(task.task, one.metric, one.filter))
        if (one.side, one.fault) == (side, fault) and row is not None:
            falls = row.higher_is_better is not False
            return (one.lower_among, one.lower) if falls else (one.higher_among, one.higher)
    return 0, 0


def completed_of(task: TaskEvidence, primary: Mapping[MetricKey, MetricComparison]) -> CompletedFacts | None:
    """Return the scores over a task's whole responses by the metric that leads, else by the first that has any."""
    own = [one for one in task.completed if MetricKey(task.task, one.metric, one.filter) in primary]
    return next(iter([*own, *task.completed]), None)


def shapes_by_side(task: TaskEvidence) -> tuple[tuple[Side, AnswerShape, AnswerShape], ...]:
    """Return each side of a task with its responses' shape and the other's."""
    a, b = task.answers_a, task.answers_b
    return (("a", a, b), ("b", b, a)) if a and b else ()
