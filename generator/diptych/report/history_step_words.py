"""What the search for a step in a task's history says, in words: how large, how sure, and what changed there."""

from collections.abc import Sequence

from diptych import numbers
from diptych.fast_named_tuple import NamedTuple
from diptych.report.histories import LevelStep, Point, Tested
from diptych.report.writers.harmless import shorten

CHANGES = 12
"""Settings that one step lists; the rest is counted."""

ALPHA = 0.05


class Sought(NamedTuple):
    """What the search for a step says of one configuration, and what changed there: (setting, before, after)."""

    sentence: str
    changes: tuple[tuple[str, str, str], ...] = ()
    more: str = ""


def search_words(number: int, found: Tested, points: Sequence[Point]) -> Sought:
    """Return what the search for a step says of the configuration of a number."""
    who, runs = f"Configuration {number}", numbers.counted(found.runs, "run")
    step = found.step
    if step is None:
        return Sought(f"{who}, {runs}: {found.why}.")
    chance = chance_of(step, found.of)
    if not is_significant_step(step):
        return Sought(f"{who}, {runs}: no significant step ({chance}).")
    before, after = step.labels
    changes = step.changes
    shown = tuple((name, shorten(a, 80), shorten(b, 80)) for name, a, b in (changes or ())[:CHANGES])
    more = len(changes or ()) - len(shown)
    return Sought(
        f"{who}, {runs}: {told_step(step, points)} from {before} to {after} ({chance}). {lead_to(changes)}",
        shown,
        f"and {numbers.counted(more, 'further setting')}" if more > 0 else "",
    )


def is_fraction_history(points: Sequence[Point]) -> bool:
    """Say whether a metric is a fraction, so that its steps are told in points."""
    return all(
        numbers.in_points(point.score.value, None, point.score.higher_is_better)
        for point in points
        if point.score.value is not None
    )


def is_significant_step(step: LevelStep) -> bool:
    """Say whether a step is more than what the search finds where there is none."""
    return step.p_adjusted < ALPHA


def chance_of(step: LevelStep, of: int) -> str:
    """Return how sure a step is."""
    told = numbers.p_text(step.p_adjusted, "Holm" if of > 1 else "")
    over = f" over {of} series" if of > 1 else ""
    return f"{told}{over}, every place searched"


def lead_to(changes: Sequence[tuple[str, str, str]] | None) -> str:
    """Return the words before the list of what changed at a step."""
    if changes is None:
        return "What changed there was not recorded."
    return "What changed there, and so may be the cause:" if changes else "No recorded setting changed there."


def told_step(step: LevelStep, points: Sequence[Point]) -> str:
    """Return the size of a step with its range."""
    share = is_fraction_history(points)
    gap = numbers.amount_beside(step.size, step.low, step.high, share)
    return f"a step of {gap} ({numbers.interval(step.low, step.high, share)})"
