"""The first prompts of both sides, side by side."""

from collections.abc import Iterable

from diptych.comparison import PromptPair
from diptych.diagnose.samples.changed_texts import middle_folded
from diptych.diagnose.samples.task_walk import Walk
from diptych.sample_log import Message, Sample

LONGEST_PROMPT = 60_000


def prompt_pairs(walk: Walk, number: int) -> tuple[PromptPair, ...]:
    """Return the first prompts side by side, those that differ before those that do not."""
    walked = next(iter(walk.filters.values()), None)
    if walked is None or number < 1:
        return ()
    places = list(range(min(number, len(walked.items))))
    first = walk.first.get("prompts")
    if first in walked.items:
        place = walked.items.index(first)
        places = [place, *(other for other in places if other != place)][:number]
    left = walk.a.lines([walked.pairs.rows_a[place] for place in places])
    right = walk.b.lines([walked.pairs.rows_b[place] for place in places])
    lines = zip(places, left, right, strict=True)
    return tuple(prompt_pair(walk, walked.items[place], one.sample(), two.sample()) for place, one, two in lines)


def prompt_pair(walk: Walk, item: str, left: Sample, right: Sample) -> PromptPair:
    """Return one item's prompts with a clause on how they differ."""
    edit = walk.prompts.edit_of(left.requests, right.requests)
    note = f"{edit.note[:1].upper()}{edit.note[1:]}." if edit.note else "The prompts are the same."
    texts, messages = zip(*(prompt_and_messages(sample) for sample in (left, right)), strict=True)
    return PromptPair(walk.a.task, item, texts[0], texts[1], messages[0], messages[1], note)


def prompt_and_messages(sample: Sample) -> tuple[str | None, tuple[tuple[str, str], ...] | None]:
    """Return a sample's first prompt as text, and its messages where it was sent as such."""
    if not sample.requests:
        return None, None
    request = sample.requests[0]
    messages: Iterable[Message] | None = request.messages
    turns = (
        None
        if messages is None
        else tuple((turn.role, middle_folded(turn.content, LONGEST_PROMPT)) for turn in messages)
    )
    return middle_folded(request.context, LONGEST_PROMPT), turns
