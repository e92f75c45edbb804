"""What differs between two runs of many, not the first: what can have acted there is a factor, or named with one."""

from collections.abc import Callable, Sequence

from diptych.comparison import Comparison
from diptych.diagnose.compare_repeats import SEEDS
from diptych.diagnose.odd_runs import differences_between
from diptych.diagnose.settings.no_effect_rules import follows
from diptych.diagnose.varied_settings import (
    Factor,
    Settings,
    acting,
    cleared_sums,
    factors_of,
    known_setting,
    one_model,
    own_pair,
    recorded_differences,
    values_by_run,
)
from diptych.run import Run

Compare = Callable[[Run, Run], Comparison]


def factor_between(factor: Factor, factors: Sequence[Factor], runs: Sequence[Run], compare: Compare) -> Factor:
    """Return a factor with the keys that can have acted between the runs by which its effect is told.

    A setting that only comes with another one beside the first run may stand for itself between two others, and one
    that can act there may not have acted here. Runs are compared (`compare`) only where either is in question.
    """
    pairs = [own_pair(factors, factor, level) for level in range(1, len(factor.examples))]
    keys: dict[str, tuple[int, str]] = {}
    for pair in pairs:
        if pair is None or pair[0] == 0 or not in_question(factor, runs[pair[0]], runs[pair[1]]):
            return factor
        keys |= acting_between(runs[pair[0]], runs[pair[1]], compare)
    elsewhere = {key for other in factors if other is not factor for key in other.keys}
    named = [key for key in sorted(keys, key=keys.__getitem__) if key in factor.keys or key not in elsewhere]
    if not any(key in factor.keys for key in named):
        named = [*factor.keys, *named]
    of_model = any(known_setting(key).model for key in factor.keys)
    kept = [key for key in named if key in factor.keys or not (of_model and known_setting(key).model)]
    return factor._replace(keys=one_model(kept))


def acting_between(a: Run, b: Run, compare: Compare) -> dict[str, tuple[int, str]]:
    """Return the settings that can have acted between two runs, each with its place in the ranking and its key."""
    made = compare(a, b)
    found = recorded_differences(made)
    able = acting(made, found, cleared_sums(made, found, a, b), a, b)
    return {one.key: (one.place, one.key) for one in able}


def in_question(factor: Factor, a: Run, b: Run) -> bool:
    """Say whether more than one setting may have acted between two runs of a factor."""
    return len(factor.keys) > 1 or bool(standing_alone(a, b) - set(factor.keys))


def standing_alone(a: Run, b: Run) -> set[str]:
    """Return the settings in which two runs differ, by what both record, that are no seed and come with no other."""
    found = differences_between(a, b)
    return {one.key for one in found if one.key not in SEEDS and one.both_recorded and not follows(one, found, a, b)}


def set_apart(settings: Settings, firsts: Sequence[Comparison], runs: Sequence[Run], compare: Compare) -> Settings:
    """Return settings with those, too, that can have acted between two runs which are equal in all of them.

    Beside the first run such a setting only comes with another one (the layout of examples with a chat template).
    """
    kinds: dict[tuple[int, ...], int] = {}
    levels = [factor.levels for factor in factors_of(settings)]
    keys: dict[str, tuple[int, str]] = {}
    for place, run in enumerate(runs):
        other = kinds.setdefault(tuple(own[place] for own in levels), place)
        if other != place and standing_alone(runs[other], run) - settings.keys():
            keys |= acting_between(runs[other], run, compare)
    known = [recorded_differences(each) for each in firsts]
    recorded = {one.key for each in known for one in each}
    more = [key for key in sorted(keys, key=keys.__getitem__) if key in recorded and key not in settings]
    return {**settings, **values_by_run(more, known)}
