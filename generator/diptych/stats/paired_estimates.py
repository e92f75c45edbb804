"""From two columns over the same items to an estimate: which paired test, and every number that goes with it."""

import math
from collections.abc import Sequence
from operator import mul, sub

from diptych.comparison import Estimate
from diptych.stats import power
from diptych.stats.paired import mcnemar, odds_ratio, standard_error, tango_equivalence, tango_interval
from diptych.stats.test_input import TestInput, blank

FEW_PAIRS = 30
ZERO_ONE = {0.0, 1.0}


def paired_estimate(given: TestInput, a: Sequence[float], b: Sequence[float]) -> Estimate:
    """Choose among the paired methods for the mean of a metric; the columns hold numbers only, at least one pair."""
    zero_one = set(a) <= ZERO_ONE and set(b) <= ZERO_ONE
    groups = given.clusters
    if groups is not None and len(set(groups)) == len(groups):
        groups = None
    if given.strata is not None and len(set(given.strata)) > 1:
        found = _stratified(given, list(map(sub, b, a)), given.strata, groups)
    elif groups is not None:
        found = _clustered(given, list(map(sub, b, a)), groups)
    elif zero_one:
        found = _binary(given, *_table(a, b))
    else:
        found = _graded(given, list(map(sub, b, a)))
    if zero_one:
        both, gained, lost, neither = _table(a, b)
        found = found._replace(both=both, only_a=lost, only_b=gained, neither=neither)
    return _small(_bordered(_bounded(found, given, a), given))


def _table(a: Sequence[float], b: Sequence[float]) -> tuple[int, int, int, int]:
    """Return both, gained, lost, neither of two columns of zeros and ones."""
    both, right_a, right_b = int(sum(map(mul, a, b))), int(sum(a)), int(sum(b))
    return both, right_b - both, right_a - both, len(a) - right_a - right_b + both


def _bounded(found: Estimate, given: TestInput, a: Sequence[float]) -> Estimate:
    """Bound a mean of equal columns without an error: scores in 0..1 move a unit by 1 at most."""
    if found.changed or found.low_90 is not None or not all(0 <= value <= 1 for value in a):
        return found
    from diptych.stats.graded import share_bound

    units = found.clusters or len(a)
    bound = share_bound(units, given.confidence)
    p_equivalence = (1.0 - min(1.0, given.scaled_margin)) ** units
    return found._replace(low_90=-bound, high_90=bound, p_equivalence=p_equivalence)


def _small(found: Estimate) -> Estimate:
    if found.pairs is not None and found.pairs < FEW_PAIRS:
        return found._replace(flags=(*found.flags, "pairs_under_30"))
    return found


def _binary(given: TestInput, both: int, gained: int, lost: int, neither: int) -> Estimate:
    n, changed = both + gained + lost + neither, gained + lost
    test, margin = mcnemar(gained, lost), given.scaled_margin
    low, high = tango_interval(gained, lost, n, given.confidence)
    low_90, high_90 = tango_interval(gained, lost, n, given.equivalence_level)
    odds = odds_ratio(gained, lost, given.confidence)
    found = blank("mcnemar_midp_tango", given, (gained - lost) / n)
    flags, notes = [], dict(found.parameters)
    if not changed:
        flags.append("identical_scores")
    elif 2.0**-changed >= given.alpha:
        flags.append("too_few_changed")
    detectable = power.detectable_share(changed / n, n, given.alpha)
    if detectable is None:
        detectable = power.detectable_share_at_best(n, given.alpha)
        notes["detectable_assumes"] = "every changed item moves the same way"
    needed = power.needed_for_shares(max(changed / n, margin), margin, given.alpha) if 0 < margin < 1 else None
    notes["changed_share"] = changed / n
    if odds:
        notes["odds_ratio_low"], notes["odds_ratio_high"] = odds[1], odds[2]
    return found._replace(
        low=low,
        high=high,
        p_value=test.mid,
        p_exact=test.exact,
        p_equivalence=tango_equivalence(gained, lost, n, margin).p if margin > 0 else None,
        low_90=low_90,
        high_90=high_90,
        standard_error=standard_error(gained, lost, n),
        pairs=n,
        detectable=detectable,
        needed=None if needed is None else math.ceil(needed),
        changed=changed,
        odds_ratio=odds[0] if odds else None,
        flags=tuple(flags),
        parameters=notes,
    )


def _graded(given: TestInput, differences: list[float]) -> Estimate:
    from diptych.stats import graded

    n = len(differences)
    changed = n - differences.count(0.0)
    few = changed <= graded.FEW_CHANGED
    test = graded.paired_t(differences, given.confidence)
    found = blank("paired_signflip" if few else "paired_t", given, test.mean)
    flags = []
    if few and changed:
        flags.append("few_changed")
    if not changed:
        flags.append("identical_scores")
    elif test.error == 0:
        flags.append("constant_shift")
    found = found._replace(
        p_value=graded.signflip(differences)[0] if few else test.p, pairs=n, changed=changed, flags=tuple(flags)
    )
    return mean_fields(found, given, test.mean, test.error, n - 1, n)


def mean_fields(
    found: Estimate, given: TestInput, mean: float, error: float, df: float, n: int, tested: float | None = None
) -> Estimate:
    """Fill intervals, equivalence and power of a mean with a standard error; `df` inf means the normal law.

    `tested` is the error that the verdict's numbers rest on where it is larger than the reported one.
    """
    from diptych.stats import graded

    sure = error if tested is None else tested
    if error <= 0 or df < 1:
        return found._replace(standard_error=error)

    def reach(level: float) -> float:
        from diptych.stats.distributions import critical, student_quantile

        return critical(level) if math.isinf(df) else student_quantile(0.5 + level / 2.0, df)

    wide, narrow = reach(given.confidence) * error, reach(given.equivalence_level) * sure
    margin, factor = given.scaled_margin, power.multiplier(given.alpha)
    return found._replace(
        low=mean - wide,
        high=mean + wide,
        low_90=mean - narrow,
        high_90=mean + narrow,
        p_equivalence=graded.t_equivalence(mean, sure, df, margin).p if margin > 0 else None,
        standard_error=error,
        detectable=factor * sure,
        needed=math.ceil(n * (factor * sure / margin) ** 2) if margin > 0 else None,
    )


def _clustered(given: TestInput, differences: list[float], groups: Sequence[int]) -> Estimate:
    from diptych.stats import clusters, graded

    n, measured = len(differences), clusters.cluster_error(differences, groups)
    sure = max(measured.cr1, measured.plain)
    weakest = min(float(measured.clusters), measured.effective)
    flags: list[str] = []
    p_value: float | None
    if measured.clusters < clusters.TOO_FEW_CLUSTERS:
        name, p_value = "cluster_too_few", None
        flags.append("few_clusters")
    elif weakest < clusters.FEW_CLUSTERS:
        name, p_value = "cluster_signflip", _signs_of_clusters(given, differences, groups)
        flags.append("few_clusters")
    else:
        name = "paired_cluster_t"
        p_value = graded.t_test(measured.mean, sure, measured.df, given.confidence).p if sure else 1.0
    changed = n - differences.count(0.0)
    found = blank(name, given, measured.mean)
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
    return mean_fields(found, given, measured.mean, measured.cr1, measured.df, n, sure)


def _bordered(found: Estimate, given: TestInput) -> Estimate:
    """Flag an interval that leaves out 0 beside a test that does not reject."""
    apart = found.low is not None and found.high is not None and not found.low <= 0 <= found.high
    if apart and found.p_value is not None and found.p_value >= given.alpha:
        return found._replace(flags=(*found.flags, "borderline"))
    return found


def _signs_of_clusters(given: TestInput, differences: list[float], groups: Sequence[int]) -> float:
    from diptych.stats import clusters, graded, resampling

    sums = clusters.cluster_sums(differences, groups)
    # sums of floats that cancel leave dust, which is no difference
    largest = max(map(abs, sums))
    sums = [0.0 if abs(total) <= 1e-12 * max(1.0, largest) else total for total in sums]
    changed = sum(total != 0 for total in sums)
    if changed <= graded.FEW_CHANGED:
        return graded.signflip(sums)[0]
    whole = graded.lattice(sums)
    if whole is not None and sum(map(abs, whole)) <= 20_000:
        return graded.lattice_signflip(whole)
    return graded.signflip_sampled(sums, resampling.seed_of(given.key, "cluster", len(sums)))


def _stratified(
    given: TestInput, differences: list[float], strata: Sequence[int], groups: Sequence[int] | None
) -> Estimate:
    from diptych.stats import clusters, graded

    n = len(differences)
    result = clusters.stratified(differences, strata, given.weighting, groups)
    changed = n - differences.count(0.0)
    found = blank("stratified_paired", given, result.mean)
    notes = {**found.parameters, "weighting": given.weighting, "strata": result.strata, "merged": result.merged}
    notes["difference_by_items"], notes["difference_equally"] = result.by_items, result.equally
    if groups is not None:
        notes["unit"] = "cluster"
    flags = (*(("strata_merged",) if result.merged else ()), *(() if changed else ("identical_scores",)))
    p_value = graded.t_test(result.mean, result.error, result.df, given.confidence).p if result.error else None
    found = found._replace(
        p_value=p_value if changed else 1.0,
        pairs=n,
        clusters=None if groups is None else len(set(groups)),
        changed=changed,
        flags=flags,
        parameters=notes,
    )
    return mean_fields(found, given, result.mean, result.error, result.df, n)
