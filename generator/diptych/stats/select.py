"""The choice of a method: from what is known of two scores to an estimate, by one table and never by hand."""

import math
from collections.abc import Sequence

from diptych.stats.estimate_by_level import Measured, equivalence_p, widened
from diptych.stats.test_input import ALIASES, CORPUS, RATIOS, Column, TestInput

SHARED_SHARE = 0.9
FEW_SHARED = 30


def measure(given: TestInput) -> Measured:
    """Return b - a by the best method that what is given allows, its levels still open, and why no better one was."""
    made = _with_rerun_noise(_with_coverage(_chosen(given), given), given)
    if given.tie is None:
        return made
    return made.noted(cluster_field=given.tie.field, cluster_correlation=given.tie.correlation, p_clusters=given.tie.p)


def _chosen(given: TestInput) -> Measured:
    given = given._replace(aggregation=ALIASES.get(given.aggregation, given.aggregation))
    if given.aggregation in RATIOS and given.a_lists is None and given.a and given.b:
        # a perplexity over items of equal weight keeps bare log-likelihoods
        given = given._replace(a_lists=[(x,) for x in given.a], b_lists=[(y,) for y in given.b])
    recomputed = given.aggregation in RATIOS or given.aggregation in CORPUS
    if recomputed and given.a_lists is not None and given.b_lists is not None:
        from diptych.stats.corpus_estimates import corpus_estimate

        found = corpus_estimate(given)
        if found.found.method != "no_test":
            return found
        # what the items do not allow, the file's own standard errors may
        return _aggregates(given._replace(no_pairs=found.found.why or ""))
    if given.aggregation != "mean":
        return _aggregates(given._replace(no_pairs=given.no_pairs or _not_recomputed(given)))
    if given.a is not None and given.b is not None and len(given.a):
        return _pairs(given, given.a, given.b)
    if given.own_a and given.own_b:
        from diptych.stats.unpaired_estimates import columns_estimate

        own_a, own_b = _numbers(given.own_a), _numbers(given.own_b)
        if own_a and own_b:
            return columns_estimate(given._replace(n_a=len(own_a), n_b=len(own_b)), own_a, own_b)
    return _aggregates(given)


def _not_recomputed(given: TestInput) -> str:
    if given.aggregation in RATIOS or given.aggregation in CORPUS:
        return f"no per-item values to recompute {given.aggregation} from"
    return f"{given.aggregation} is not recomputed from items"


def _aggregates(given: TestInput) -> Measured:
    from diptych.stats.unpaired_estimates import aggregate_estimate

    return aggregate_estimate(given)


def _numbers(column: Sequence[float | None]) -> list[float]:
    return [value for value in column if value is not None and math.isfinite(value)]


def _pairs(given: TestInput, a: Sequence[float | None], b: Sequence[float | None]) -> Measured:
    """Leave out pairs without two numbers, then choose among the paired methods."""
    from diptych.stats.paired_estimates import paired_estimate

    # one pass in C for the usual case: a sum of finite numbers is finite
    known = isinstance(a, Column) and isinstance(b, Column)
    if known or not (None in a or None in b or not math.isfinite(sum(a) + sum(b))):  # type: ignore[arg-type]
        return paired_estimate(given, a, b)  # type: ignore[arg-type]
    kept = [
        place
        for place, (x, y) in enumerate(zip(a, b, strict=True))
        if x is not None and y is not None and math.isfinite(x) and math.isfinite(y)
    ]
    if not kept:
        return _aggregates(given._replace(no_pairs="no item has a number on both sides"))
    whole = given._replace(
        clusters=None if given.clusters is None else [given.clusters[place] for place in kept],
        strata=None if given.strata is None else [given.strata[place] for place in kept],
    )
    found = paired_estimate(whole, [a[place] for place in kept], [b[place] for place in kept])  # type: ignore[misc]
    return found.flagged("pairs_left_out").noted(pairs_left_out=len(a) - len(kept))


def _with_coverage(made: Measured, given: TestInput) -> Measured:
    """Flag a pairing that covers only part of the items."""
    pairs = made.found.pairs
    if pairs is None or given.shared_of is None or pairs >= given.shared_of:
        return made
    made = made._replace(
        found=made.found._replace(why=made.found.why or f"only {pairs:,} of {given.shared_of:,} items are shared")
    )
    if pairs < SHARED_SHARE * given.shared_of:
        made = made.flagged("partly_shared")
    return made.flagged("pairs_under_30") if pairs < FEW_SHARED else made


def _with_rerun_noise(made: Measured, given: TestInput) -> Measured:
    """Add what a rerun may move: a bar that a difference must pass, and an error that equivalence must bear."""
    found, noise = made.found, given.noise
    if found.difference is None:
        return made
    if noise is None or noise.floor is None:
        return made.flagged("rerun_noise_unknown")
    from diptych.stats.rerun_noise import rerun_bar

    bar = noise.floor
    if noise.residual_error is not None and found.standard_error is not None:
        bar = rerun_bar(found.standard_error, noise, given.confidence)
    made = made.noted(rerun_bar=bar, floor=noise.floor)
    if abs(found.difference) <= bar:
        made = made.flagged("within_rerun_noise")
    if found.margin and noise.floor > found.margin:
        return made.flagged("floor_above_margin")
    if not noise.spread or not found.margin or found.p_equivalence is None:
        return made
    same = widened(made.same_limits, found.difference, math.sqrt(2.0) * noise.spread, noise.degrees_of_freedom)
    p_same = max(found.p_equivalence, equivalence_p(same, found.margin) or 0.0)
    return made._replace(found=made.found._replace(p_equivalence=p_same), same_limits=same)
