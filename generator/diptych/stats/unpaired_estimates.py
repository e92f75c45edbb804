"""Without shared items, or with aggregates alone: the most that the scores, their errors and counts allow."""

import math
from collections.abc import Sequence

from diptych.comparison import Estimate
from diptych.stats import power, unpaired
from diptych.stats.graded import MeanTest, t_equivalence
from diptych.stats.test_input import TestInput, blank

FEW_ITEMS = 30
MANY_ITEMS = 200
FEW_COUNTED = 10
WHOLE_COUNT = 1e-6
ZERO_ONE = {0.0, 1.0}


def columns_estimate(given: TestInput, a: Sequence[float], b: Sequence[float]) -> Estimate:
    """Compare two columns of different items."""
    why = given.no_pairs or "the two runs share too few items"
    if set(a) <= ZERO_ONE and set(b) <= ZERO_ONE and given.own_clusters_a is None:
        found = _shares(given, sum(a), len(a), sum(b), len(b))
        return found._replace(why=f"{why}: unpaired, wider than a test on the same items", p_equivalence=_equal(found))
    if min(len(a), len(b)) < FEW_ITEMS:
        difference = math.fsum(b) / len(b) - math.fsum(a) / len(a)
        return no_test(given, difference, f"{why}, and a side has fewer than {FEW_ITEMS} items")
    test = _welch(given, a, b)
    if test is None:
        return no_test(given, math.fsum(b) / len(b) - math.fsum(a) / len(a), "neither side varies")
    found = _with_mean(blank("unpaired_welch", given, test.mean), given, test)
    return found._replace(
        why=f"{why}: unpaired, wider than a test on the same items",
        p_equivalence=t_equivalence(test.mean, test.error, test.df, given.scaled_margin).p,
    )


def _equal(found: Estimate) -> float | None:
    if not found.standard_error or found.difference is None or not found.margin:
        return None
    return t_equivalence(found.difference, found.standard_error, math.inf, found.margin).p


def _welch(given: TestInput, a: Sequence[float], b: Sequence[float]) -> MeanTest | None:
    from diptych.stats.clusters import cluster_error

    if given.own_clusters_a is None or given.own_clusters_b is None:
        return unpaired.welch(a, b, given.confidence)
    one, other = cluster_error(a, given.own_clusters_a), cluster_error(b, given.own_clusters_b)
    if min(one.df, other.df) < 1:
        return None
    return unpaired.welch_from_errors(
        one.mean, one.cr1**2, one.df, other.mean, other.cr1**2, other.df, given.confidence
    )


def aggregate_estimate(given: TestInput) -> Estimate:
    """Compare two scores of which no items are known, by their standard errors and counts."""
    a, b = given.score_a, given.score_b
    if a is None or b is None or not (math.isfinite(a) and math.isfinite(b)):
        because = f"{given.no_pairs}, and " if given.no_pairs else ""
        return no_test(given, None, f"{because}a score is not available")
    why = given.no_pairs or "no samples"
    error_a, error_b = _usable(a, given.stderr_a), _usable(b, given.stderr_b)
    shares = _zero_one(given, a, error_a, given.n_a) and _zero_one(given, b, error_b, given.n_b)
    if shares and not (None in (error_a, error_b) and _plenty(given, a, b)):
        return _counted(given, a, b, error_a, error_b, why)
    flags: list[str] = []
    sides = ((a, error_a, given.n_a), (b, error_b, given.n_b))
    errors = [_error(given, *side, flags) for side in sides]
    if errors[0] is None or errors[1] is None:
        return no_test(given, b - a, f"{why}, and no standard error in the file")
    test = unpaired.unpaired_z(a, errors[0], b, errors[1], given.confidence)
    if test is None:
        return no_test(given, b - a, f"{why}, and both standard errors are 0")
    found = _with_mean(blank("unpaired_z", given, b - a), given, test)
    return _cautious(found, given, why, tuple(dict.fromkeys(flags)))


def _usable(score: float, error: float | None) -> float | None:
    return None if unpaired.impossible_error(score, error) else error


def _zero_one(given: TestInput, score: float, error: float | None, n: int | None) -> bool:
    """Tell whether a score is a share of right answers out of a known (or implied) number."""
    if given.aggregation != "mean" or not 0 <= score <= 1 or given.binary is False:
        return False
    if error is not None and 0 < score < 1:
        return unpaired.is_binary(score, error, n)
    if given.binary or not n:
        return bool(n)
    # a whole number of right answers: graded means hit one by chance alone, and rarely among many items
    return n >= FEW_COUNTED and abs(score * n - round(score * n)) <= WHOLE_COUNT


def _plenty(given: TestInput, a: float, b: float) -> bool:
    """Tell whether a normal law serves two shares as well: many items, and right and wrong ones among them."""
    sides = ((a, given.n_a or 0), (b, given.n_b or 0))
    return all(n >= MANY_ITEMS and min(share, 1 - share) * n >= FEW_COUNTED for share, n in sides)


def _items(score: float, error: float | None, n: int | None) -> int:
    if n is not None:
        return n
    return round(unpaired.implied_items(score, error or 0.0) or 0)


def _counted(given: TestInput, a: float, b: float, error_a: float | None, error_b: float | None, why: str) -> Estimate:
    n_a, n_b = _items(a, error_a, given.n_a), _items(b, error_b, given.n_b)
    right_a, right_b = round(a * n_a), round(b * n_b)
    found = _shares(given, right_a, n_a, right_b, n_b)
    flags = list(found.flags)
    if None in (error_a, error_b):
        flags.append("stderr_inferred")
    if n_a == n_b and given.same_items is not False:
        bounds = unpaired.pairing_bounds(right_a, right_b, n_a)
        notes = {**found.parameters, "changed_min": bounds.changed_min, "changed_max": bounds.changed_max}
        notes["p_best_pairing"], notes["p_worst_pairing"] = bounds.p_best, bounds.p_worst
        found = found._replace(parameters=notes)
        if bounds.p_best >= given.alpha:
            flags.append("no_pairing_would_do")
    return _cautious(found, given, why, tuple(flags))


def _cautious(found: Estimate, given: TestInput, why: str, flags: tuple[str, ...]) -> Estimate:
    """Say that shared items would have allowed more; where the items differ for certain, this is the right test."""
    if given.same_items is False:
        return found._replace(
            why=f"{why}: unpaired; the items differ", flags=(*found.flags, *flags), p_equivalence=_equal(found)
        )
    return found._replace(
        why=f"{why}: unpaired, wider than need be", flags=tuple(dict.fromkeys((*found.flags, *flags, "conservative")))
    )


def _error(given: TestInput, score: float, error: float | None, n: int | None, flags: list[str]) -> float | None:
    """Return a usable standard error, inferred from n where the file has none and the scores allow it."""
    if error is not None:
        return error
    inferred = unpaired.binary_error(score, n) if n and given.aggregation == "mean" else None
    zero_one = _zero_one(given, score, None, n)
    if inferred is None or not (zero_one or given.bounded):
        return None
    flags.append("stderr_inferred" if zero_one else "stderr_upper_bound")
    return inferred


def _shares(given: TestInput, right_a: float, n_a: int, right_b: float, n_b: int) -> Estimate:
    """Compare two shares with known counts: z for the p-value, Newcombe for the range."""
    share_a, share_b = right_a / n_a, right_b / n_b
    error_a, error_b = unpaired.binary_error(share_a, n_a) or 0.0, unpaired.binary_error(share_b, n_b) or 0.0
    test = unpaired.unpaired_z(share_a, error_a, share_b, error_b, given.confidence)
    p_value = test.p if test else unpaired.pooled_z(right_a, n_a, right_b, n_b)
    low, high = unpaired.newcombe(right_a, n_a, right_b, n_b, given.confidence)
    low_90, high_90 = unpaired.newcombe(right_a, n_a, right_b, n_b, given.equivalence_level)
    found = blank("unpaired_newcombe", given, share_b - share_a)
    flags = ("borderline",) if not low <= 0 <= high and p_value >= given.alpha else ()
    if test:
        found = _with_mean(found, given, test)
    return found._replace(
        p_value=p_value,
        low=low,
        high=high,
        low_90=low_90,
        high_90=high_90,
        flags=flags,
        parameters={**found.parameters, "items_a": n_a, "items_b": n_b, "right_a": right_a, "right_b": right_b},
    )


def _with_mean(found: Estimate, given: TestInput, test: MeanTest) -> Estimate:
    from diptych.stats.distributions import critical, student_quantile

    level = given.equivalence_level
    narrow = (critical(level) if math.isinf(test.df) else student_quantile(0.5 + level / 2, test.df)) * test.error
    seen = power.multiplier(given.alpha) * test.error
    sizes = [n for n in (given.n_a, given.n_b) if n]
    margin = given.scaled_margin
    return found._replace(
        p_value=test.p,
        low=test.low,
        high=test.high,
        low_90=test.mean - narrow,
        high_90=test.mean + narrow,
        standard_error=test.error,
        detectable=seen,
        needed=math.ceil(max(sizes) * (seen / margin) ** 2) if sizes and margin > 0 else None,
    )


def no_test(given: TestInput, difference: float | None, why: str) -> Estimate:
    """Return the bare difference, and why nothing can be said about chance."""
    return blank("no_test", given, difference)._replace(why=why)
