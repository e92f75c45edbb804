"""From two columns over the same items to an estimate: which paired test, and every number that goes with it."""

from array import array
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from operator import mul, sub

from diptych.stats import power
from diptych.stats.estimate_by_level import Limits, Measured, Span, equivalence_p, hull, inside, mean_limits
from diptych.stats.paired import (
    FEW_CHANGED,
    agreeing_interval,
    mcnemar,
    odds_ratio,
    one_way_bound,
    one_way_p,
    standard_error,
    tango_equivalence,
)
from diptych.stats.test_input import Column, TestInput, least_and_largest, named_estimate, right_of

FEW_PAIRS = 30


def paired_estimate(given: TestInput, a: Sequence[float], b: Sequence[float]) -> Measured:
    """Choose among the paired methods for the mean of a metric; the columns hold numbers only, at least one pair."""
    right_a, right_b = right_of(a), right_of(b)
    groups = given.clusters
    if groups is not None and len(set(groups)) == len(groups):
        groups = None
    if given.reach is None and all(0 <= end <= 1 for column in (a, b) for end in least_and_largest(column)):
        given = given._replace(reach=1.0)
    table = None if right_a is None or right_b is None else _table(a, b, right_a, right_b)
    if given.strata is not None and len(set(given.strata)) > 1:
        from diptych.stats.stratified_estimates import stratified_estimate

        made = stratified_estimate(given, a, b, groups)
    elif groups is not None:
        made = _clustered(given, array("d", map(sub, b, a)), groups)
    elif table is not None:
        made = _binary(given.confidence, given.scaled_margin, table[1], table[2], len(a))
    else:
        made = _graded(given, list(map(sub, b, a)))
    if table is not None:
        both, gained, lost, neither = table
        made = made._replace(found=made.found._replace(both=both, only_a=lost, only_b=gained, neither=neither))
    return made.flagged("pairs_under_30") if len(a) < FEW_PAIRS else made


def _table(a: Sequence[float], b: Sequence[float], right_a: int, right_b: int) -> tuple[int, int, int, int]:
    """Return both, gained, lost, neither of two columns of zeros and ones with so many ones each."""
    if isinstance(a, Column) and isinstance(b, Column):
        both = (a.bits & b.bits).bit_count()
    else:
        both = int(sum(map(mul, a, b)))
    return both, right_b - both, right_a - both, len(a) - right_a - right_b + both


@lru_cache(maxsize=4096)
def _binary(confidence: float, margin: float, gained: int, lost: int, n: int) -> Measured:
    """Many pairs of runs have the same counts: they are measured once."""
    given, changed = TestInput(confidence=confidence, margin=margin, scale=1.0), gained + lost
    test, odds = mcnemar(gained, lost), odds_ratio(gained, lost, confidence)
    found = named_estimate("mcnemar_midp_tango", given, (gained - lost) / n)
    flags, notes = [], {**found.parameters, "changed_share": changed / n}
    if not changed:
        flags.append("identical_scores")
    elif 2.0**-changed >= given.alpha:
        flags.append("too_few_changed")
    if odds:
        notes["odds_ratio_low"], notes["odds_ratio_high"] = odds[1], odds[2]
    p_same = tango_equivalence(gained, lost, n, margin).p if margin > 0 else None
    one_way = not (gained and lost) and changed <= min(FEW_CHANGED, margin * n)
    if p_same is not None and one_way:
        # with few changes, all of them one way, the score test is a little too bold: the exact one is not
        p_same = max(p_same, one_way_p(changed, n, min(1.0, margin)))
    found = found._replace(
        p_value=test.mid,
        p_exact=test.exact,
        p_equivalence=p_same,
        standard_error=standard_error(gained, lost, n),
        pairs=n,
        changed=changed,
        odds_ratio=odds[0] if odds else None,
        flags=tuple(flags),
        parameters=notes,
    )
    return Measured(
        found,
        lambda level: agreeing_interval(gained, lost, n, level),
        hull(
            lambda level: agreeing_interval(gained, lost, n, level),
            one_way_limits(gained, lost, n) if one_way else no_more,
        ),
        lambda alpha: power.detectable_share(changed / n, n, alpha) or power.detectable_share_at_best(n, alpha),
        lambda alpha: power.needed_for_shares(max(changed / n, margin), margin, alpha) if 0 < margin < 1 else None,
    )


def no_more(level: float) -> tuple[None, None]:
    """Return no further range for a hull."""
    return None, None


def one_way_limits(gained: int, lost: int, n: int) -> Limits:
    """Return what few changed items, all moved one way, leave possible on that side (on both where none did)."""

    @cache
    def limits(level: float) -> Span:
        bound = one_way_bound(max(gained, lost), n, (1.0 - level) / 2.0)
        return None if gained else -bound, None if lost else bound

    return limits


def unchanged_limits(units: int, reach: float = 1.0) -> Limits:
    """Return what n equal units leave possible: a share of changed ones, each by `reach` at most."""
    from diptych.stats.graded import share_bound

    def limits(level: float) -> tuple[float, float]:
        bound = reach * share_bound(units, 0.5 + level / 2.0)
        return -bound, bound

    return limits


def _graded(given: TestInput, differences: list[float]) -> Measured:
    from diptych.stats import graded

    n = len(differences)
    changed = n - differences.count(0.0)
    few = changed <= FEW_CHANGED
    test = graded.paired_t(differences, given.confidence)
    found = named_estimate("paired_signflip" if few else "paired_t", given, test.mean)
    found = found._replace(p_value=graded.signflip(differences)[0] if few else test.p, pairs=n, changed=changed)
    made = mean_measured(Measured(found), given, differences, test.mean, test.error, given.reach)
    if few and changed:
        made = made.flagged("few_changed")
    if not changed:
        return made.flagged("identical_scores")
    return made.flagged("constant_shift") if test.error == 0 else made


def mean_measured(
    made: Measured, given: TestInput, values: Sequence[float], mean: float, error: float, reach: float | None
) -> Measured:
    """Return the mean of independent units with its ranges; each unit's difference lies in +-`reach` where it is known.

    Few moved units: the sign-flip test inverted on the side of 0, and what any law of bounded scores allows on the
    other. A leaning column: the hull of the plain and the resampled t range. The same is said only where the bound
    for any law says so too.
    """
    from diptych.stats import graded, skewed
    from diptych.stats.bounded_mean import AnyLaw
    from diptych.stats.resampling import seed_of

    n, margin = len(values), given.scaled_margin
    changed = n - values.count(0.0)
    any_law = AnyLaw(values, reach) if reach is not None else None
    if not changed:
        same = unchanged_limits(n, reach) if reach is not None else no_more
        p_same = equivalence_p(same, margin) if margin > 0 else None
        return made._replace(found=made.found._replace(standard_error=0.0, p_equivalence=p_same), same_limits=same)
    if error <= 0 or n < 2:
        limits = limits_off_zero(any_law.limits) if any_law is not None else no_more
        return made._replace(found=made.found._replace(standard_error=error), limits=limits)
    plain = mean_limits(mean, error, n - 1)
    limits = plain
    if changed <= FEW_CHANGED:
        seed = seed_of(given.key, made.found.parameters["unit"], n)
        limits = sided(
            skewed.subset_mean_limits(values, seed), any_law.limits if any_law else plain, made.found.p_value
        )
    elif skewed.leans(values, mean, error * error * n):
        seed = seed_of(given.key, made.found.parameters["unit"], n)
        limits = hull(plain, skewed.resampled_t_limits(values, mean, error, seed))
    found = made.found._replace(standard_error=error)
    same = no_more
    if any_law is not None or changed > FEW_CHANGED:
        same = harder(plain, hull(limits, any_law.limits) if any_law else limits, margin)
        p_same = graded.t_equivalence(mean, error, n - 1, margin).p if margin > 0 else None
        if p_same is not None and p_same < given.alpha:
            # only where the plain test says it: the harder ones cost more
            p_limits = 0.0 if limits is plain else equivalence_p(limits, margin) or 0.0
            p_same = max(p_same, p_limits, any_law.equivalence_p(margin) if any_law else 0.0)
        found = found._replace(p_equivalence=p_same)
    return made._replace(
        found=found,
        limits=limits,
        same_limits=same,
        detectable=lambda alpha: power.detectable_t(error, n - 1, alpha),
        needed=lambda alpha: n * (power.detectable_t(error, n - 1, alpha) / margin) ** 2 if margin > 0 else None,
    )


def limits_off_zero(any_law: Limits) -> Limits:
    """Return what any law allows of units that all moved by as much; none where that would hold 0: the signs decide."""

    def limits(level: float) -> tuple[float | None, float | None]:
        low, high = any_law(level)
        apart = low is not None and high is not None and not low <= 0 <= high
        return (low, high) if apart else (None, None)

    return limits


def harder(plain: Limits, others: Limits, margin: float) -> Limits:
    """Return the plain range, with the others' where it alone would lie inside the margin: they cost more."""
    whole = hull(plain, others)
    return lambda level: whole(level) if inside(*plain(level), margin) else plain(level)


def sided(inverted: Limits, any_law: Limits, p_value: float | None) -> Limits:
    """Return a range that leaves out 0 exactly where the test rejects: its own limit there, the wider one beyond."""

    def limits(level: float) -> tuple[float | None, float | None]:
        (low, high), (far_low, far_high) = inverted(level), any_law(level)
        if low is None or high is None or far_low is None or far_high is None:
            return None, None
        rejects = p_value is not None and p_value < 1.0 - level
        outer = min(low, far_low), max(high, far_high)
        if not rejects:
            return min(outer[0], 0.0), max(outer[1], 0.0)
        return (low, outer[1]) if low > 0 else (outer[0], high) if high < 0 else outer

    return limits


def _clustered(given: TestInput, differences: Sequence[float], groups: Sequence[int]) -> Measured:
    from diptych.stats import clusters, graded

    n, measured = len(differences), clusters.cluster_error(differences, groups)
    sums = clusters.cluster_sums(differences, groups)
    sizes = list(Counter(groups).values())
    # sums of floats that cancel leave dust, which is no difference
    dust = 1e-12 * max(1.0, *map(abs, sums))
    sums = [0.0 if abs(total) <= dust else total for total in sums]
    units = [total * len(sums) / n for total in sums]
    moved = len(units) - units.count(0.0)
    sure = max(measured.cr1, measured.plain)
    flags: list[str] = []
    p_value: float | None
    if measured.clusters < clusters.TOO_FEW_CLUSTERS:
        name, p_value = "cluster_too_few", None
        flags.append("few_clusters")
    elif moved < FEW_CHANGED or min(measured.clusters, measured.effective) < clusters.FEW_CLUSTERS:
        name, p_value = "cluster_signflip", _signs_of_clusters(given, sums)
        if min(measured.clusters, measured.effective) < clusters.FEW_CLUSTERS:
            flags.append("few_clusters")
    else:
        name = "paired_cluster_t"
        test = graded.t_test(measured.mean, sure, measured.df, given.confidence) if sure else None
        p_value = test.p if test else _signs_of_clusters(given, sums)
    changed = n - differences.count(0.0)
    found = named_estimate(name, given, measured.mean)
    notes = {**found.parameters, "unit": "cluster", "design_effect": measured.design_effect}
    notes["effective_items"] = n / measured.design_effect if measured.design_effect else float(n)
    notes["effective_clusters"] = measured.effective
    if not changed:
        flags.append("identical_scores")
    if measured.cr1 < measured.plain:
        flags.append("clusters_spread_less")
    found = found._replace(
        p_value=p_value, pairs=n, clusters=measured.clusters, changed=changed, flags=tuple(flags), parameters=notes
    )
    reach = None if given.reach is None else given.reach * max(sizes) * len(sums) / n
    if changed and not sure:  # every item moved by as much, so every cluster's mean did, whatever its size
        units, reach = [measured.mean] * max(1, int(measured.effective)), given.reach
    made = mean_measured(Measured(found), given, units, measured.mean, sure, reach)
    if name == "cluster_too_few" and sure > 0:
        made = made._replace(limits=mean_limits(measured.mean, sure, measured.df))
    return made._replace(found=made.found._replace(standard_error=measured.cr1))


def _signs_of_clusters(given: TestInput, sums: list[float]) -> float:
    from diptych.stats import graded, resampling

    if sum(total != 0 for total in sums) <= FEW_CHANGED:
        return graded.signflip(sums)[0]
    whole = graded.lattice(sums)
    if whole is not None and sum(map(abs, whole)) <= 20_000:
        return graded.lattice_signflip(whole)
    return graded.signflip_sampled(sums, resampling.seed_of(given.key, "cluster", len(sums)))
