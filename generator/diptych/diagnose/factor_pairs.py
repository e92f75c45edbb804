"""What else differs between the two runs of an effect: what can have acted there is named with it."""

from collections.abc import Callable, Sequence

from diptych.comparison import Comparison
from diptych.diagnose.compare_repeats import SEEDS
from diptych.diagnose.odd_runs import differences_between
from diptych.diagnose.settings.no_effect_rules import follows
from diptych.diagnose.varied_settings import (
    Factor,
    acting,
    cleared_sums,
    known_of,
    one_model,
    own_pair,
    recorded_differences,
)
from diptych.run import Run

Compare = Callable[[Run, Run], Comparison]


def seen_between(factor: Factor, factors: Sequence[Factor], runs: Sequence[Run], compare: Compare) -> Factor:
    """Return a factor with the keys that can have acted between the runs by which its effect is told.

    A setting that only comes with another one beside the first run may stand for itself between two others, and one
    that can act there may not have acted here. Runs are compared (`compare`) only where either is in question.
    """
    pairs = [own_pair(factors, factor, level) for level in range(1, len(factor.examples))]
    keys: dict[str, tuple[int, str]] = {}
    for pair in pairs:
        if pair is None or pair[0] == 0 or not in_question(factor, runs[pair[0]], runs[pair[1]]):
            return factor
        a, b = runs[pair[0]], runs[pair[1]]
        made = compare(a, b)
        found = recorded_differences(made)
        for one in acting(made, found, cleared_sums(made, found), a, b):
            keys[one.key] = one.place, one.key
    elsewhere = {key for other in factors if other is not factor for key in other.keys}
    named = [key for key in sorted(keys, key=keys.__getitem__) if key in factor.keys or key not in elsewhere]
    if not any(key in factor.keys for key in named):
        named = [*factor.keys, *named]
    of_model = any(known_of(key).model for key in factor.keys)
    kept = [key for key in named if key in factor.keys or not (of_model and known_of(key).model)]
    return factor._replace(keys=one_model(kept))


def in_question(factor: Factor, a: Run, b: Run) -> bool:
    """Say whether more than one setting may have acted between two runs of a factor."""
    found = differences_between(a, b)
    rest = [
        one
        for one in found
        if one.key not in factor.keys and one.key not in SEEDS and one.both_recorded and not follows(one, found, a, b)
    ]
    return len(factor.keys) > 1 or bool(rest)
