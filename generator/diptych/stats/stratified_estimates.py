"""A group of fixed subtasks over the same items: one weighted mean, with the chance of each subtask apart."""

import math
from collections.abc import Sequence
from operator import sub

from diptych.stats import power
from diptych.stats.clusters import Stratified, cluster_sums, stratified
from diptych.stats.estimate_by_level import Limits, Measured, Span, equivalence_p, hull, mean_limits
from diptych.stats.test_input import TestInput, named_estimate

ZERO_ONE = {0.0, 1.0}


class Stratum:
    """The shared items of one subtask: its columns, and the weight of its mean in the group's."""

    def __init__(self, weight: float) -> None:
        self.weight = weight
        self.a: list[float] = []
        self.b: list[float] = []
        self.units: list[int] = []

    @property
    def mean(self) -> float:
        """The mean of B - A over its items, in the metric's own unit; a stratum has one item at least."""
        return (math.fsum(self.b) - math.fsum(self.a)) / len(self.a)

    def limits(self, reach: float | None) -> Limits | None:
        """Return a range that holds for few changed items too: Tango's for zeros and ones, else one for any law."""
        from diptych.stats.bounded_mean import AnyLaw
        from diptych.stats.paired import tango_interval

        differences = list(map(sub, self.b, self.a))
        if len(set(self.units)) < len(self.units):
            sums, sizes = cluster_sums(differences, self.units), cluster_sums([1.0] * len(differences), self.units)
            if reach is None:
                return None
            share = len(sums) / len(differences)
            return AnyLaw([total * share for total in sums], reach * share * max(sizes)).limits
        if set(self.a) <= ZERO_ONE and set(self.b) <= ZERO_ONE:
            gained, lost = differences.count(1.0), differences.count(-1.0)
            return lambda level: tango_interval(gained, lost, len(differences), level)
        return AnyLaw(differences, reach).limits if reach is not None else None


def stratified_estimate(
    given: TestInput, a: Sequence[float], b: Sequence[float], groups: Sequence[int] | None
) -> Measured:
    """Return the weighted mean difference over strata, with both sides' means by the same weights."""
    from diptych.stats import graded

    assert given.strata is not None
    differences, n = list(map(sub, b, a)), len(a)
    result = stratified(differences, given.strata, given.weighting, groups)
    changed = n - differences.count(0.0)
    strata = strata_of(given, a, b, groups)
    found = named_estimate("stratified_paired", given, result.mean)
    notes = {**found.parameters, "weighting": given.weighting, "strata": result.strata, "merged": result.merged}
    notes["difference_by_items"], notes["difference_equally"] = result.by_items, result.equally
    notes["score_a"] = math.fsum(each.weight * math.fsum(each.a) / len(each.a) for each in strata)
    notes["score_b"] = math.fsum(each.weight * math.fsum(each.b) / len(each.b) for each in strata)
    if groups is not None:
        notes["unit"] = "cluster"
    found = found._replace(
        p_value=stratified_p(result, strata, changed, grouped=groups is not None),
        pairs=n,
        clusters=None if groups is None else len(set(groups)),
        changed=changed,
        standard_error=result.error,
        flags=(*(("strata_merged",) if result.merged else ()), *(() if changed else ("identical_scores",))),
        parameters=notes,
    )
    same = summed_limits(strata, given.reach)
    margin = given.scaled_margin
    if result.error > 0:
        plain = mean_limits(result.mean, result.error, result.df)
        same = hull(plain, same) if same else plain
        p_same = graded.t_equivalence(result.mean, result.error, result.df, margin).p if margin > 0 else None
        if p_same is not None and p_same < given.alpha:
            p_same = max(p_same, equivalence_p(same, margin) or 0.0)
        return Measured(
            found._replace(p_equivalence=p_same),
            plain,
            same,
            lambda alpha: power.detectable_t(result.error, result.df, alpha),
            lambda alpha: (
                n * (power.detectable_t(result.error, result.df, alpha) / margin) ** 2 if margin > 0 else None
            ),
        )
    made = Measured(found)
    if same is None or changed:
        return made
    return made._replace(
        found=found._replace(p_equivalence=equivalence_p(same, margin) if margin > 0 else None),
        limits=same,
        same_limits=same,
    )


def strata_of(given: TestInput, a: Sequence[float], b: Sequence[float], groups: Sequence[int] | None) -> list[Stratum]:
    """Return the strata with their columns and weights."""
    assert given.strata is not None
    found: dict[int, Stratum] = {}
    for place, stratum in enumerate(given.strata):
        part = found.setdefault(stratum, Stratum(0.0))
        part.a.append(a[place])
        part.b.append(b[place])
        part.units.append(place if groups is None else groups[place])
    for part in found.values():
        part.weight = len(part.a) / len(a) if given.weighting == "items" else 1.0 / len(found)
    return [found[name] for name in sorted(found)]


def stratified_p(result: Stratified, strata: Sequence[Stratum], changed: int, *, grouped: bool) -> float | None:
    """Return the p-value of no difference: t, and with few changed items all patterns of their weighted signs."""
    from diptych.stats import graded
    from diptych.stats.paired import FEW_CHANGED

    if not changed:
        return 1.0
    if changed <= FEW_CHANGED and not grouped:
        weighted = [
            part.weight * (y - x) / len(part.a)
            for part in strata
            for x, y in zip(part.a, part.b, strict=True)
            if x != y
        ]
        return graded.signflip(weighted)[0]
    return graded.t_test(result.mean, result.error, result.df, 0.95).p if result.error else None


def summed_limits(strata: Sequence[Stratum], reach: float | None) -> Limits | None:
    """Return the range of a weighted sum from those of its parts (MOVER: squared distances add); None if one has none.

    Zou and Donner 2008.
    """
    ways = [each.limits(reach) for each in strata]
    if any(way is None for way in ways):
        return None
    centre = math.fsum(each.weight * each.mean for each in strata)

    def limits(level: float) -> Span:
        down = up = 0.0
        for each, way in zip(strata, ways, strict=True):
            low, high = way(level) if way else (None, None)
            if low is None or high is None:
                return None, None
            down += (each.weight * (each.mean - low)) ** 2
            up += (each.weight * (high - each.mean)) ** 2
        return centre - math.sqrt(down), centre + math.sqrt(up)

    return limits
