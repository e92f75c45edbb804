"""How far answers moved while everything that was sent is the same: arithmetic, or something else.

Arithmetic moves answers a little, both ways, and turns an outcome only where two choices are nearly equally likely.
"""

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from diptych.closed_names import Step
from diptych.comparison import AnswerChange, Finding
from diptych.diagnose.samples.answer_facts import AnswersParted
from diptych.diagnose.samples.evidence import TaskEvidence
from diptych.diagnose.samples.task_walk import Walk

EDGES = (0.0, 0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Upper edges of the bins by which changes of log-likelihoods are counted (natural log units)."""

SMALL_MEDIAN = 0.1, 0.02
SMALL_LARGEST = 0.5, 0.04
"""Changes look like arithmetic where half of them, and all of them, stay below the first plus the second times the
log-likelihood itself: half-precision numbers are coarser the larger they are.

Measured (tests/bench/arithmetic.md) on a model of 30 layers, in units of ulp x |log-likelihood| x sqrt(tokens): texts
of up to 14 tokens move between bfloat16 and float32 by 0.8 (half) and 5.1 (99.9 %), between batches of 1 and 32 by
0.1 and 3.8 in bfloat16 (ulp 2**-8), by 3 and 35 in float32 (ulp 2**-24). At a log-likelihood of -50 the furthest is
0.75, where these limits allow 2.5: room for deeper models and longer texts. Answers of a few tokens, whose
log-likelihood may be near 0, move by more units (34), yet by 0.26 at most: hence a constant.
"""

SUMMED = 10
"""The log-likelihood of a whole text sums many words, whose errors cancel: its share is so many times smaller."""

SAME_SHARE = 0.85
MOVED_SHARE = 0.05
"""Generated answers look like arithmetic where this share is the same to the letter and few outcomes moved."""

SMALL_MARGIN = 0.5
"""The largest lead (natural log) of a decision that batching and precision are known to turn."""

SMALL_SHARE = 0.25
"""The share of written answers that may part by batching and precision alone: one close word turns all that follow."""


def answer_change(walk: Walk, flips: Sequence[float]) -> AnswerChange | None:
    """Return how far log-likelihoods moved; `flips` holds the smaller lead of each item whose outcome moved."""
    if not walk.numbers.changes:
        return None
    moved = sorted(filter(None, walk.numbers.changes))
    ordered = array("d", bytes(8 * (len(walk.numbers.changes) - len(moved))))  # most are nought, and none is less
    ordered.extend(moved)
    return AnswerChange(
        walk.a.task,
        len(ordered),
        len(moved),
        middle(ordered),
        ordered[-1],
        len(flips),
        max(flips, default=None),
        tuple(bins(ordered)),
    )


def middle(ordered: Sequence[float]) -> float:
    """Return the median of sorted numbers."""
    size = len(ordered)
    return (ordered[(size - 1) // 2] + ordered[size // 2]) / 2


def bins(ordered: Sequence[float]) -> list[tuple[float, int]]:
    """Return (upper edge, items) with the last edge at the largest change."""
    edges = [edge for edge in EDGES if edge < ordered[-1]] + [ordered[-1]]
    found, before = [], 0
    for edge in edges:
        upto = bisect_right(ordered, edge)
        found.append((edge, upto - before))
        before = upto
    return found


def answers_parted(walk: Walk) -> AnswersParted | None:
    """Return where generated answers part, None for other tasks."""
    compared = walk.compared["responses"]
    if walk.kind != "generation" or not compared:
        return None
    ordered = sorted(walk.texts.parted)
    median = int(middle(ordered)) if ordered else 0
    return AnswersParted(compared, compared - walk.different["responses"], median, walk.texts.at_once)


def noise_findings(walk: Walk, task: TaskEvidence) -> list[Finding]:
    """Return that answers moved as arithmetic moves them, where what was sent is the same on both sides."""
    sent: tuple[Step, ...] = ("documents", "prompts", "choices", "generation_arguments")
    if any(walk.different[rung] for rung in sent) or not walk.different["responses"] or not moved_little(task):
        return []
    if task.change is not None:
        return [likelihood_noise(task.change)]
    return generation_noise(walk, task.parted, task.lost + task.gained) if task.parted and not walk.drawn else []


def likelihood_noise(change: AnswerChange) -> Finding:
    """Return the finding where all changes are small and outcomes moved only where the lead was small."""
    moved = (
        "no outcome moved"
        if not change.flips
        else f"{change.flips} outcomes moved, all where the lead was at most {change.largest_flip_margin or 0:.3f}"
    )
    text = (
        f"The prompts of {change.task} are the same and {change.changed} of {change.items} items have slightly other "
        f"log-likelihoods (median change {change.median:.4f}, largest {change.largest:.4f}); {moved}: this is what "
        "numerical noise (batching, precision, another kernel) looks like."
    )
    return Finding("numerical_noise", "note", text, None, change.task, change.changed, change.items)


def above(walk: Walk, limit: tuple[float, float]) -> int:
    """Return how many changes are larger than a limit allows."""
    least, share = limit
    if walk.kind == "likelihood":
        share /= SUMMED
    return sum(
        moved > least + share * size for moved, size in zip(walk.numbers.changes, walk.numbers.sizes, strict=True)
    )


def generation_noise(walk: Walk, parted: AnswersParted, moved: int) -> list[Finding]:
    """Return the finding where most answers are the same to the letter and the rest part somewhere inside."""
    if not parted.median or parted.are_other_texts:
        return []
    if parted.equal < SAME_SHARE * parted.of or moved > MOVED_SHARE * parted.of or parted.of < 10:
        return []
    count = parted.of - parted.equal
    text = (
        f"The prompts of {walk.a.task} are the same, and so are {parted.equal} of {parted.of} answers; the other "
        f"{count} part after {parted.median} characters (median) and {moved} outcomes moved: this is what numerical "
        "noise (batching, precision, another kernel) looks like."
    )
    return [Finding("numerical_noise", "note", text, None, walk.a.task, count, parted.of)]


def moved_little(task: TaskEvidence) -> bool:
    """Say whether the responses of a task moved no further than batching and precision move them, and both ways."""
    if one_way(task):
        return False
    moves, change = task.moves, task.change
    if moves is not None and change is not None:
        close = change.largest_flip_margin is None or change.largest_flip_margin <= SMALL_MARGIN
        return not moves.beyond and 2 * moves.wide <= moves.items and close
    return task.responses - task.one_text.white_space <= SMALL_SHARE * task.responses_compared


def one_way(task: TaskEvidence) -> bool:
    """Say whether outcomes moved so much to one side that arithmetic, which knows no side, did not move them."""
    return is_one_way(task.lost, task.gained)


def is_one_way(worse: int, better: int) -> bool:
    """Say whether so many more items went one way than the other as chance seldom makes."""
    return (worse - better) ** 2 > 4 * max(worse + better, 4)
