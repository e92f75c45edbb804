"""What a design of many runs changes: every setting that differs; those that always change together are one factor."""

import json
from collections.abc import Mapping, Sequence, Set

from diptych.catalogue.setting_effects import Known
from diptych.catalogue.settings import context_rank, rank_of
from diptych.comparison import Comparison, Json
from diptych.diagnose.compare_repeats import SEEDS
from diptych.diagnose.settings.no_effect_rules import follows, one_place
from diptych.diagnose.settings.suspects import Difference, differences
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run


class Factor(NamedTuple):
    """Settings that change together: the level of each run (the first run's is 0), a run that shows each level."""

    keys: tuple[str, ...]
    levels: tuple[int, ...]
    examples: tuple[int, ...]


class Step(NamedTuple):
    """A factor's change from the first run's level to another one."""

    factor: Factor
    level: int


Settings = Mapping[str, Sequence[Json]]
"""A setting's value in every run."""


def settings_that_differ(firsts: Sequence[Comparison], runs: Sequence[Run]) -> dict[str, tuple[Json, ...]]:
    """Return each setting in which some run differs from the first, with its value in every run, worst first.

    A field of a task that only says what another setting does stands in no row of its own.
    """
    found = [
        [one for one in differing if not one.field or not follows(one, differing, runs[0], run)]
        for differing, run in zip(map(recorded_differences, firsts), runs[1:], strict=True)
    ]
    places = {one.key: (one.place, one.key) for each in found for one in each}
    return values_by_run(sorted(places, key=places.__getitem__), found)


class Moving(NamedTuple):
    """The settings that can have moved a score by themselves, and those of sums that would only where they are broken.

    The latter differ on equal prompts whose answers moved further than batching and precision move them.
    """

    settings: Settings
    sums: Settings
    alike: Mapping[int, tuple[str, ...]] = {}
    """The runs (by place) whose every response and score is the first run's, with what they record otherwise."""


def moving_settings(firsts: Sequence[Comparison], runs: Sequence[Run]) -> Moving:
    """Return the settings that can have moved a score by themselves; a level stays though its outcome did not move."""
    found = [recorded_differences(each) for each in firsts]
    places: dict[str, tuple[int, str]] = {}
    sums: dict[str, tuple[int, str]] = {}
    for each, differing, run in zip(firsts, found, runs[1:], strict=True):
        cleared = cleared_sums(each, differing, runs[0], run)
        for one in acting(each, differing, cleared, runs[0], run):
            places.setdefault(one.key, (one.place, one.key))
        for one in acting(each, differing, frozenset(), runs[0], run):
            if one.key in cleared:
                sums.setdefault(one.key, (one.place, one.key))
    rest = sorted(sums.keys() - places.keys(), key=sums.__getitem__)
    alike = alike_runs(firsts, runs)
    tested = [
        without_server_addresses(without_untested(at, found, alike), runs[0], runs[at + 1]) for at in range(len(found))
    ]
    return Moving(values_by_run(sorted(places, key=places.__getitem__), tested), values_by_run(rest, tested), alike)


def alike_runs(firsts: Sequence[Comparison], runs: Sequence[Run]) -> dict[int, tuple[str, ...]]:
    """Return the runs whose every logged response and score is the first run's, though nothing kept them apart."""
    made = {place: keys_if_alike(each, runs[0], runs[place]) for place, each in enumerate(firsts, 1)}
    return {place: keys for place, keys in made.items() if keys is not None}


def keys_if_alike(each: Comparison, a: Run, b: Run) -> tuple[str, ...] | None:
    """Return what two runs of equal responses and scores record otherwise; None where they are not that."""
    differing = recorded_differences(each)
    logged = bool(a.samples and b.samples)
    if not logged or each.verdict.kind != "identical" or acting(each, differing, frozenset(), a, b):
        return None
    return tuple(
        one.key
        for one in differing
        if one.both_recorded
        and one.key not in SEEDS
        and one.known.acts not in (("items",), ("cache",))
        and not follows(one, differing, a, b)
    )


def without_untested(
    at: int, found: Sequence[Sequence[Difference]], alike: Mapping[int, tuple[str, ...]]
) -> Sequence[Difference]:
    """Return a run's differences from the first; of one that is its double, those that another kind of run shares."""
    if at + 1 not in alike:
        return found[at]
    others: dict[str, list[Json]] = {one.key: [] for one in found[at]}
    for place, each in enumerate(found, 1):
        for one in each:
            if place not in alike and one.key in others:
                others[one.key].append(one.b)
    return [one for one in found[at] if one.b in others[one.key]]


def without_server_addresses(found: Sequence[Difference], a: Run, b: Run) -> list[Difference]:
    """Return differences without addresses of one server whose path is another one only as a backend asks for it."""
    return [
        one
        for one in found
        if "server" not in one.known.acts or not one_place(one.a, one.b) or not follows(one, found, a, b)
    ]


def recorded_differences(comparison: Comparison) -> tuple[Difference, ...]:
    """Return all recorded differences of a comparison: settings, task fields, and what stands beside the runs."""
    return differences(comparison.settings, comparison.task_settings, comparison.context)


def values_by_run(keys: Sequence[str], found: Sequence[Sequence[Difference]]) -> dict[str, tuple[Json, ...]]:
    """Return some settings with their value in every run; who does not differ from the first has its value."""
    sides = [{one.key: one for one in each} for each in found]
    values = {}
    for key in keys:
        base = next(each[key].a for each in sides if key in each)
        values[key] = (base, *(each[key].b if key in each else base for each in sides))
    return values


def acting(each: Comparison, found: Sequence[Difference], cleared: Set[str], a: Run, b: Run) -> list[Difference]:
    """Return the differences of two runs that can have moved a score by themselves, without the keys that are cleared.

    Not among them: what the samples say cannot have acted, seeds, caches, what only sets which items are scored (every
    number is of shared ones), what comes with another one, and what one side alone records beside what both do.
    """
    cannot = cleared | {row.key for row in each.settings if row.standing == "cannot"}
    cannot |= {f"context.{row.setting}" for row in each.context if row.standing == "cannot"}
    cannot |= {f"{row.task}.{row.field}" for row in each.task_settings if row.standing == "cannot"}
    able = [
        one
        for one in found
        if one.key not in cannot and one.key not in SEEDS and one.known.acts not in (("items",), ("cache",))
        if not follows(one, found, a, b)
    ]
    known = [one for one in able if one.both_recorded or one.key.startswith("context.")]
    return known or [one for one in able if one.known.kind != "environment"]


def cleared_sums(each: Comparison, found: Sequence[Difference], a: Run, b: Run) -> frozenset[str]:
    """Return what changes sums alone where something else explains more: it has not moved answers, unless broken.

    That is whatever else can have acted where prompts or requests differ, and what leads where they are equal.
    """
    sums = frozenset(one.key for one in found if one.known.acts == ("arithmetic",))
    first = each.verdict.first_divergence
    if first is not None and first.step != "responses" and acting(each, found, sums, a, b):
        return sums - {each.verdict.leading_cause}
    if each.verdict.standing == "possible" or first is None or first.step != "responses":
        return frozenset()
    return sums - {each.verdict.leading_cause, *(one.key for one in each.verdict.suspects)}


def known_setting(key: str) -> Known:
    """Return what is known of a setting, of the run or of what stands beside it."""
    outside = key.removeprefix("context.")
    return context_rank(outside)[1] if outside != key else rank_of(key)[1]


def factors_of(settings: Settings) -> list[Factor]:
    """Return the settings, those that change together in all runs as one, with one key for all that name the model."""
    together: dict[tuple[int, ...], list[str]] = {}
    for key, values in settings.items():
        numbers: dict[str, int] = {}
        levels = tuple(numbers.setdefault(json.dumps(value, sort_keys=True), len(numbers)) for value in values)
        together.setdefault(levels, []).append(key)
    return [
        Factor(one_model(keys), levels, tuple(levels.index(level) for level in range(max(levels) + 1)))
        for levels, keys in together.items()
        if max(levels)  # one level in all runs: null here, not recorded there
    ]


def one_model(keys: Sequence[str]) -> tuple[str, ...]:
    """Return keys of which only the first that names the model is kept."""
    of_model = [key for key in keys if known_setting(key).model]
    return tuple(key for key in keys if key not in of_model[1:])


def factor_steps(factors: Sequence[Factor]) -> list[Step]:
    """Return every change of every factor."""
    return [Step(factor, level) for factor in factors for level in range(1, len(factor.examples))]


def own_pair(factors: Sequence[Factor], factor: Factor, level: int) -> tuple[int, int] | None:
    """Return two runs that differ in this factor alone, at its first level and at another; the first run if it can."""
    others = [other.levels for other in factors if other is not factor]
    rest = [tuple(levels[place] for levels in others) for place in range(len(factor.levels))]
    for one, base in enumerate(factor.levels):
        for other, there in enumerate(factor.levels):
            if base == 0 and there == level and rest[one] == rest[other]:
                return one, other
    return None
