"""The choice of a method: from what is known of two scores to an estimate, by one table and never by hand."""

import math
from collections.abc import Sequence

from diptych.comparison import Estimate
from diptych.stats.multiple import benjamini_hochberg, expected_false_alarms, holm
from diptych.stats.status import word_of
from diptych.stats.test_input import ALIASES, CORPUS, RATIOS, TestInput

__all__ = (
    "TestInput",
    "benjamini_hochberg",
    "estimate",
    "expected_false_alarms",
    "holm",
    "word_of",
)

SHARED_SHARE = 0.9
FEW_SHARED = 30


def estimate(given: TestInput) -> Estimate:
    """Estimate b - a by the best method that what is given allows, and say why a better one was not possible."""
    return _with_rerun_noise(_with_coverage(_chosen(given), given), given)


def _chosen(given: TestInput) -> Estimate:
    given = given._replace(aggregation=ALIASES.get(given.aggregation, given.aggregation))
    if given.aggregation in RATIOS and given.a_lists is None and given.a and given.b:
        # a perplexity over items of equal weight keeps bare log-likelihoods
        given = given._replace(a_lists=[(x,) for x in given.a], b_lists=[(y,) for y in given.b])
    recomputed = given.aggregation in RATIOS or given.aggregation in CORPUS
    if recomputed and given.a_lists is not None and given.b_lists is not None:
        from diptych.stats.corpus_estimates import corpus_estimate

        found = corpus_estimate(given)
        if found.method != "no_test":
            return found
        # what the items do not allow, the file's own standard errors may
        return _aggregates(given._replace(no_pairs=found.why or ""))
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


def _aggregates(given: TestInput) -> Estimate:
    from diptych.stats.unpaired_estimates import aggregate_estimate

    return aggregate_estimate(given)


def _numbers(column: Sequence[float | None]) -> list[float]:
    return [value for value in column if value is not None and math.isfinite(value)]


def _pairs(given: TestInput, a: Sequence[float | None], b: Sequence[float | None]) -> Estimate:
    """Leave out pairs without two numbers, then choose among the paired methods."""
    from diptych.stats.paired_estimates import paired_estimate

    # one pass in C for the usual case: a sum of finite numbers is finite
    if not (None in a or None in b or not math.isfinite(sum(a) + sum(b))):  # type: ignore[arg-type]
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
    return found._replace(
        flags=(*found.flags, "pairs_left_out"), parameters={**found.parameters, "pairs_left_out": len(a) - len(kept)}
    )


def _with_coverage(found: Estimate, given: TestInput) -> Estimate:
    """Flag a pairing that covers only part of the items."""
    if found.pairs is None:
        return found
    flags, why = list(found.flags), found.why
    if given.shared_of is not None and found.pairs < given.shared_of:
        why = why or f"only {found.pairs:,} of {given.shared_of:,} items are shared"
        if found.pairs < SHARED_SHARE * given.shared_of:
            flags.append("partly_shared")
        if found.pairs < FEW_SHARED and "pairs_under_30" not in flags:
            flags.append("pairs_under_30")
    if _negligible(found, given):
        flags.append("negligible")
    return found._replace(flags=tuple(flags), why=why)


def _negligible(found: Estimate, given: TestInput) -> bool:
    """Tell whether a difference is real and yet inside the margin."""
    if found.p_value is None or found.p_value >= given.alpha or found.low_90 is None or found.high_90 is None:
        return False
    return found.margin is not None and -found.margin < found.low_90 and found.high_90 < found.margin


def _with_rerun_noise(found: Estimate, given: TestInput) -> Estimate:
    """Add what a rerun may move: `rerun_bar` is the size that a difference must pass beside its test."""
    if found.difference is None:
        return found
    noise = given.noise
    bar = None
    if noise is not None and noise.sigma_run is not None and found.standard_error:
        from diptych.stats.repeats import total_error

        units = found.clusters or found.pairs
        df = (units or max(given.n_a or 0, given.n_b or 0, 1_000)) - 1
        bar = total_error(
            found.standard_error, max(1, df), noise.sigma_run**2, noise.degrees_of_freedom, given.confidence
        ).half_width
    elif noise is not None and noise.floor is not None:
        bar = noise.floor
    if bar is None:
        return found._replace(flags=(*found.flags, "rerun_noise_unknown"))
    flags = (*found.flags, "within_rerun_noise") if abs(found.difference) <= bar else found.flags
    return found._replace(flags=flags, parameters={**found.parameters, "rerun_bar": bar})
