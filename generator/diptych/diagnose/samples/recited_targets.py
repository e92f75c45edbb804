"""Responses that are an item's own target to the letter, where that is a long text in free words."""

from collections.abc import Sequence
from itertools import pairwise

from diptych.comparison import Finding
from diptych.diagnose.samples.answer_facts import Recited
from diptych.diagnose.samples.answer_texts import first_text
from diptych.diagnose.samples.numerical_noise import middle
from diptych.diagnose.samples.recital_tally import FEWEST, RARELY, RecitalTally
from diptych.diagnose.samples.shared_phrases import likeness
from diptych.diagnose.samples.task_walk import Walk
from diptych.fast_named_tuple import NamedTuple
from diptych.sample_log import Sample
from diptych.sides import SIDES

SHARE = 0.2
"""From this share of a side's responses on recitals are worth a word: two writers seldom find one long text."""

LOOKED_AT = 40
FORM = 0.6
"""Targets that are so like one another are one form that is filled in, which a model may have learnt without them."""

CLOSE = 0.75
"""Where the other side's responses are so like the targets, the item leaves little to choose."""

MOST_OF = 0.5


class Recital(NamedTuple):
    """A target that one side gives to the letter, that side's prompt, the other's, and the other's response."""

    target: str
    prompt: str
    other_prompt: str
    other: str


def recited_targets(walk: Walk) -> Recited | None:
    """Return that one side's responses are the targets to the letter, and hardly any of the other's."""
    tally = walk.texts.recited
    for side in (0, 1):
        own, other = len(tally.places[side]), len(tally.places[1 - side])
        if own < max(FEWEST, SHARE * tally.of) or RARELY * other > own:
            continue
        tally = whole_tally(walk)
        own, other = len(tally.places[side]), len(tally.places[1 - side])
        looked = looked_at(walk, side, tally.places[side])
        least = MOST_OF * len(looked)
        held, held_other = (
            sum(one.target in prompt for one, prompt in zip(looked, prompts, strict=True))
            for prompts in ([one.prompt for one in looked], [one.other_prompt for one in looked])
        )
        if min(held, held_other) >= least or is_bound(looked):
            return None
        return Recited(SIDES[side], own, tally.of, other, held >= least, all(one.prompt for one in looked))
    return None


def whole_tally(walk: Walk) -> RecitalTally:
    """Return the tally over all items: a long task was looked at in part."""
    pairs = walk.first_pairs
    if walk.texts.recited.of == len(pairs.rows_a):
        return walk.texts.recited
    tally = RecitalTally()
    lines = zip(walk.a.lines(pairs.rows_a), walk.b.lines(pairs.rows_b), strict=True)
    for place, (left, right) in enumerate(lines):
        tally.add(place, first_text(left.responses()), first_text(right.responses()), left)
    return tally


def looked_at(walk: Walk, side: int, places: Sequence[int]) -> list[Recital]:
    """Return some of the items that a side recites, spread over the task."""
    pairs = walk.first_pairs
    shown = places[:: max(1, len(places) // LOOKED_AT)]
    logs = (walk.a, pairs.rows_a), (walk.b, pairs.rows_b)
    own, other = (log.lines([rows[place] for place in shown]) for log, rows in (logs[side], logs[1 - side]))
    return [recital(line.sample(), beside.sample()) for line, beside in zip(own, other, strict=True)]


def recital(own: Sample, other: Sample) -> Recital:
    """Return an item's target with what was asked, and what the other side answered."""
    asked, asked_other = (one.requests[0].context if one.requests else "" for one in (own, other))
    return Recital(str(own.target).strip(), asked, asked_other, first_text([list(one) for one in other.responses]))


def is_bound(looked: Sequence[Recital]) -> bool:
    """Say whether the item binds the text of an answer: targets fill in one form, or the other side comes close."""
    forms = [likeness(one.target, other.target) for one, other in pairwise(looked)]
    close = [likeness(one.target, one.other) for one in looked]
    return not forms or middle(sorted(forms)) >= FORM or middle(sorted(close)) >= CLOSE


def recital_findings(task: str, one: Recited | None) -> list[Finding]:
    """Return that one side recites the targets."""
    if one is None:
        return []
    other = "none of the other side's is" if not one.other else f"{one.other} of the other side's are"
    text = (
        f"{one.number} of {one.of} responses of {one.side.upper()} in {task} are the item's target to the letter, a "
        f"long text, and {other}: {recital_reason(one, one.side.upper())}."
    )
    return [Finding("answers_recited", "warning", text, one.side, task, one.number, one.of)]


def recital_reason(one: Recited, who: str) -> str:
    """Return how a model most likely came by such texts."""
    if one.in_prompt:
        return f"the target stands in the prompts of {who}"
    where = "no prompt holds the target" if one.prompts else "or its prompts, which are not logged, held the target"
    return f"most likely {who} has seen these items in training ({where})"
