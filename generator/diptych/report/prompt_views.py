"""The prompts of both sides as a page shows them: the first of each task, whole where they are short."""

from typing import NamedTuple

from diptych.comparison import Comparison, PromptPair
from diptych.report import figures
from diptych.report.writers.html import Markup
from diptych.report.writers.sides import pair_html

PROMPTS = 6
"""Prompts that the comparison's own page shows; all stand on the page of prompts."""


SHORT_PROMPT = 12_000
"""Characters of a prompt pair up to which folded text stays on the comparison's own page."""


class PromptView(NamedTuple):
    """The prompts of one item side by side."""

    name: str
    note: str
    pair: Markup


def shown_prompts(comparison: Comparison) -> tuple[PromptPair, ...]:
    """Return the prompts for the comparison's own page: the first of each task, as many as it shows."""
    first: dict[str, PromptPair] = {}
    for pair in comparison.prompts:
        first.setdefault(pair.task, pair)
    return tuple(first.values())[:PROMPTS]


def is_long(comparison: Comparison) -> bool:
    """Say whether a prompt is too long to be whole on the comparison's own page."""
    return any(not is_short(pair, None) for pair in shown_prompts(comparison))


def is_short(pair: PromptPair, limit: int | None) -> bool:
    """Say whether a prompt pair may be whole on a page."""
    return len(pair.a or "") + len(pair.b or "") <= (SHORT_PROMPT if limit is None else limit // 8)


def prompt_view(pair: PromptPair, whole: bool) -> PromptView:
    """Return the prompts of one item side by side; where a side sent turns, their roles are named."""
    turns = [
        f"{letter} sends {figures.plural(len(messages), 'turn')}: {', '.join(role for role, _ in messages[:8])}."
        for letter, messages in (("A", pair.a_messages), ("B", pair.b_messages))
        if messages is not None
    ]
    note = " ".join((pair.note, *turns))
    return PromptView(f"{pair.task}, item {pair.item}", note, Markup(pair_html(pair.a, pair.b, whole=whole)))
