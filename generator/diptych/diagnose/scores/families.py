"""Which rows are tested together, which of them lead, and the level, p-value and word that their family leaves each.

The family of a verdict: each benchmark's group row first (with its subtasks beside it), each task outside of groups.
All further metrics are families of their own; a group is the same items again, so that it stands in no family with
its own subtasks but as their head. A group without a value leads nothing: its subtasks stand for themselves.
"""

from collections.abc import Iterator, Mapping, Sequence

from diptych.closed_names import Family
from diptych.diagnose.benchmarks import Groups, members_of
from diptych.estimates import ALPHA, MetricComparison
from diptych.fast_named_tuple import NamedTuple
from diptych.stats.estimate_by_level import Measured, at_levels, measured_p, p_same_of
from diptych.stats.multiple import Adjusted, Block, fallback, holm_levels
from diptych.stats.status import status_and_reason


class MeasuredRow(NamedTuple):
    """A row whose level is still open; `measured` None where there is no estimate."""

    row: MetricComparison
    measured: Measured | None


class Levels(NamedTuple):
    """What a family left for one row: of its test, and of its test of equivalence; `tests` stand in the family.

    `heads` of them are tested beside each other at first: benchmarks, and tasks outside of them.
    """

    family: Family
    tests: int
    difference: Adjusted
    same: Adjusted
    headline: bool = False
    heads: int = 0


class Benchmark(NamedTuple):
    """A row that leads, and the rows that are tested beside it (all by their places)."""

    head: int
    parts: tuple[int, ...] = ()


def rows_with_words(made: Sequence[MeasuredRow], groups: Groups) -> list[MetricComparison]:
    """Return the rows with the numbers and the word that their families leave them."""
    levels = {**headline_levels(made, groups), **other_levels(made)}
    return [worded_row(each, levels[place]) if place in levels else each.row for place, each in enumerate(made)]


def headline_levels(made: Sequence[MeasuredRow], groups: Groups) -> dict[int, Levels]:
    """Return the levels of the primary metrics: the fallback procedure over benchmarks."""
    marks = benchmarks(made, groups)
    different, alike = [measured_p(each.measured) for each in made], [p_same_of(each.measured) for each in made]
    tests = fallback([benchmark_p_values(mark, different) for mark in marks])
    same = fallback([benchmark_p_values(mark, alike) for mark in marks])
    tested = [sum(measured_p(made[place].measured) is not None for place in (mark.head, *mark.parts)) for mark in marks]
    count, heads = sum(tested), sum(map(bool, tested))
    found: dict[int, Levels] = {}
    for mark, test, equal in zip(marks, tests, same, strict=True):
        found[mark.head] = Levels("primary", count, test.head, equal.head, headline=True, heads=heads)
        for place, one, other in zip(mark.parts, test.parts, equal.parts, strict=True):
            found[place] = Levels("primary", count, one, other, heads=heads)
    return found


def benchmark_p_values(mark: Benchmark, p_values: Sequence[float | None]) -> Block:
    """Return a benchmark's p-values."""
    return Block(p_values[mark.head], tuple(p_values[place] for place in mark.parts))


def other_levels(made: Sequence[MeasuredRow]) -> dict[int, Levels]:
    """Return the levels of all further metrics: Holm over those of tasks, and over those of groups."""
    found: dict[int, Levels] = {}
    families: tuple[tuple[Family, bool], ...] = (("other", False), ("other_groups", True))
    for family, of_groups in families:
        places = [
            place
            for place, each in enumerate(made)
            if each.measured and not each.row.primary and each.row.group == of_groups
        ]
        tests = holm_levels([measured_p(made[place].measured) for place in places])
        same = holm_levels([p_same_of(made[place].measured) for place in places])
        count = sum(measured_p(made[place].measured) is not None for place in places)
        for place, one, other in zip(places, tests, same, strict=True):
            found[place] = Levels(family, count, one, other)
    return found


def benchmarks(made: Sequence[MeasuredRow], groups: Groups) -> list[Benchmark]:
    """Return who leads: each outermost group that has a value, with all below it; then every task outside of them."""
    places: dict[str, list[int]] = {}
    for place, each in enumerate(made):
        if each.row.primary and each.measured:
            places.setdefault(each.row.task, []).append(place)
    inner = {child for children in groups.values() for child in children}
    found, taken = [], set[int]()
    outermost = [name for name, own in places.items() if made[own[0]].row.group and name not in inner]
    found += list(benchmark_rows(outermost, made, places, groups, taken))
    rest = [place for own in places.values() for place in own if place not in taken]
    found += [Benchmark(place) for place in rest if not made[place].row.group]
    return sorted(found)


def benchmark_rows(
    names: Sequence[str],
    made: Sequence[MeasuredRow],
    places: Mapping[str, Sequence[int]],
    groups: Groups,
    taken: set[int],
) -> Iterator[Benchmark]:
    """Yield a group as one benchmark where it has a test, else what it holds; places that are used are `taken`.

    Each group is opened once, however many others hold it. A group in slices is a benchmark for each slice.
    """
    seen, waiting = set[str](), list(reversed(names))
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        own = [place for place in places.get(name, ()) if place not in taken]
        heads = [place for place in own if measured_p(made[place].measured) is not None]
        inside = [place for each in members_of(name, groups) for place in places.get(each, ())] if heads else []
        for head in heads:
            below = [
                place
                for place in inside
                if place not in taken and (len(heads) == 1 or same_metric(made[place], made[head]))
            ]
            taken.update((head, *below))
            yield Benchmark(head, tuple(below))
        if not heads:
            waiting += [child for child in reversed(groups.get(name, ())) if child in groups and child not in seen]


def same_metric(one: MeasuredRow, other: MeasuredRow) -> bool:
    """Say whether two rows are of one metric under one filter."""
    return (one.row.metric, one.row.filter) == (other.row.metric, other.row.filter)


def worded_row(each: MeasuredRow, levels: Levels) -> MetricComparison:
    """Return a row with its estimate at its levels, its adjusted p-value, its word and the reason for it."""
    assert each.measured is not None
    found = at_levels(each.measured, levels.difference.alpha, levels.same.alpha)
    found = found._replace(p_adjusted=levels.difference.p)
    found = found._replace(parameters={**found.parameters, "alpha": ALPHA, "p_equivalence_adjusted": levels.same.p})
    row = each.row._replace(family=levels.family, family_tests=levels.tests, headline=levels.headline)
    row = row._replace(family_heads=levels.heads)
    status, reason = status_and_reason(found, row.higher_is_better, levels.difference.p, levels.same.p)
    if found.difference is not None:
        row = row._replace(difference=found.difference)
    if found.pairs is not None:
        return row._replace(status=status, reason=reason, estimate=found)
    return row._replace(status=status, reason=reason, unpaired=found)
