"""On what an effect rests, in words: which two runs show it, with which seeds, or that effects are taken to add."""

from collections.abc import Sequence

from diptych.catalogue.words import setting_word
from diptych.diagnose.compare_repeats import SEEDS
from diptych.diagnose.odd_runs import differences_between
from diptych.diagnose.settings.no_effect_rules import draws, follows
from diptych.diagnose.varied_settings import Factor
from diptych.diagnose.verdict.value_words import both_values
from diptych.estimates import ALPHA
from diptych.numbers import listed
from diptych.run import Run

ALONE, IN_THESE = ", which differ in this alone", ", which differ in these together"
"""How two runs differ that show one factor's effect."""


Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The runs (by place) before and after a step."""


def seed_repeats(place: int, factors: Sequence[Factor], runs: Sequence[Run]) -> tuple[int, ...]:
    """Return a run that draws with all that repeat it with another seed, and differ in nothing else; else itself."""
    levels = list(zip(*(factor.levels for factor in factors), strict=True))
    if not draws(runs[place]):
        return (place,)
    return tuple(
        other
        for other, run in enumerate(runs)
        if other == place or (levels[other] == levels[place] and differ_in_seeds(runs[place], run))
    )


def differ_in_seeds(a: Run, b: Run) -> bool:
    """Say whether two runs differ in seeds, and in nothing else that is recorded of both."""
    found = differences_between(a, b)
    return bool(found) and all(one.key in SEEDS or follows(one, found, a, b) for one in found)


def mean_weights(before: Sequence[int], after: Sequence[int], runs: int) -> list[float]:
    """Return the weights of the mean of some runs less that of others."""
    return [(at in after) / len(after) - (at in before) / len(before) for at in range(runs)]


def seeds_between(a: Run, b: Run) -> list[str]:
    """Return the seeds that come with drawing and differ between two runs, each with its values."""
    if not (draws(a) or draws(b)):
        return []
    return [f"{setting_word(one.key)} ({both_values(one)})" for one in differences_between(a, b) if one.key in SEEDS]


def side_words(places: Sequence[int], runs: Sequence[Run]) -> str:
    """Return one run, or the mean of several, in words."""
    labels = [runs[place].label for place in places]
    return labels[0] if len(labels) == 1 else f"the mean of {listed(labels, 3)}"


def note_of(
    factor: Factor,
    pair: tuple[int, int] | None,
    runs: Sequence[Run],
    bent: bool,
    misfit: float | None,
    sides: Sides | None = None,
) -> str:
    """Return on what an effect rests: which two runs, where the first is none of them; "" where it is."""
    if bent:
        where = "the first run's" if pair is None or pair[0] == 0 else "these two runs'"
        return f"at {where} other settings: this effect is not the same at others"
    if pair is not None:
        before, after = sides or ((pair[0],), (pair[1],))
        seeds = seeds_between(runs[pair[0]], runs[pair[1]])
        repeated = len(before) + len(after) > 2
        if pair[0] == 0 and not seeds and not repeated:
            return ""
        apart = ALONE if len(factor.keys) == 1 else IN_THESE
        if seeds:
            also = "seeds" if repeated else listed(seeds)
            apart = f", which differ in {'this' if len(factor.keys) == 1 else 'these'} and in {also}"
        return f"by {side_words(before, runs)} → {side_words(after, runs)}{apart}"
    if misfit is not None and misfit < ALPHA:
        return "assuming additive effects, which these runs contradict (lack of fit)"
    return "assuming additive effects"
