"""Without shared items, or with aggregates alone: the most that the scores, their errors and counts allow."""

import math
from collections.abc import Sequence

from diptych.stats import paired, power, unpaired
from diptych.stats.estimate_by_level import Limits, Measured, Span, mean_limits
from diptych.stats.graded import MeanTest, t_equivalence
from diptych.stats.test_input import SharePart, TestInput, named_estimate

FEW_ITEMS = 30
MANY_ITEMS = 200
FEW_COUNTED = 10
WHOLE_COUNT = 1e-6
ZERO_ONE = {0.0, 1.0}


def columns_estimate(given: TestInput, a: Sequence[float], b: Sequence[float]) -> Measured:
    """Compare two columns of different items."""
    because = given.no_pairs or "the two runs share too few items"
    why = f"{because}: unpaired, wider than a test on the same items"
    if set(a) <= ZERO_ONE and set(b) <= ZERO_ONE and given.own_clusters_a is None:
        return _explained(_with_equivalence(_shares(given, sum(a), len(a), sum(b), len(b))), why)
    difference = math.fsum(b) / len(b) - math.fsum(a) / len(a)
    if min(len(a), len(b)) < FEW_ITEMS:
        return no_test(given, difference, f"{because}, and a side has fewer than {FEW_ITEMS} items")
    test = _welch(given, a, b)
    if test is None:
        return no_test(given, difference, "neither side varies")
    made = _with_mean(Measured(named_estimate("unpaired_welch", given, test.mean)), given, test)
    return _explained(_with_equivalence(made, test.df), why)


def _explained(made: Measured, why: str) -> Measured:
    return made._replace(found=made.found._replace(why=why))


def _with_equivalence(made: Measured, df: float = math.inf) -> Measured:
    found = made.found
    if not found.standard_error or found.difference is None or not found.margin:
        return made
    p_same = t_equivalence(found.difference, found.standard_error, df, found.margin).p
    return made._replace(found=found._replace(p_equivalence=p_same))


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


def aggregate_estimate(given: TestInput) -> Measured:
    """Compare two scores of which no items are known, by their standard errors and counts."""
    a, b = given.score_a, given.score_b
    if a is None or b is None or not (math.isfinite(a) and math.isfinite(b)):
        because = f"{given.no_pairs}, and " if given.no_pairs else ""
        return no_test(given, None, f"{because}a score is not available")
    why = given.no_pairs or "no samples"
    error_a, error_b = _usable(given, a, given.stderr_a, given.n_a), _usable(given, b, given.stderr_b, given.n_b)
    shares = _zero_one(given, a, error_a, given.n_a) and _zero_one(given, b, error_b, given.n_b)
    if shares and not (None in (error_a, error_b) and _plenty(given, a, b)):
        return _counted(given, a, b, error_a, error_b, why)
    flags: list[str] = []
    sides = ((a, error_a, given.n_a), (b, error_b, given.n_b))
    errors = [_error(given, *side, flags) for side in sides]
    if errors[0] is None or errors[1] is None:
        return no_test(given, b - a, f"{why}, and no standard error in the file")
    test = unpaired.unpaired_z(a, errors[0], b, errors[1], given.confidence)
    if test is None and not given.parts:
        return no_test(given, b - a, f"{why}, and both standard errors are 0")
    made = Measured(named_estimate("unpaired_z", given, b - a))
    if test is not None:
        made = _with_mean(made, given, test)
    if given.parts:
        limits = _parts_limits(given.parts, b - a)
        made = made._replace(limits=limits, same_limits=limits)
    if test is None:
        made = made._replace(found=made.found._replace(p_value=_pooled_p(given.parts)))
    return _cautious(made.flagged(*flags), given, why)


def _pooled_p(parts: Sequence[SharePart]) -> float:
    """Return the p-value of all right answers together: of scores of exactly 0 or 1 nothing else is known."""
    right_a, n_a = sum(part.right_a for part in parts), sum(part.n_a for part in parts)
    right_b, n_b = sum(part.right_b for part in parts), sum(part.n_b for part in parts)
    return unpaired.pooled_z(right_a, n_a, right_b, n_b)


def _parts_limits(parts: Sequence[SharePart], centre: float) -> Limits:
    """Return the range of a group from those of its subtasks (MOVER: squared distances add).

    The group's own standard error takes a subtask of all right answers for certain; its range does not.
    """

    def limits(level: float) -> Span:
        down = up = 0.0
        for part in parts:
            gap = part.right_b / part.n_b - part.right_a / part.n_a
            low, high = unpaired.newcombe(part.right_a, part.n_a, part.right_b, part.n_b, level)
            down += (part.weight * (gap - low)) ** 2
            up += (part.weight * (high - gap)) ** 2
        return centre - math.sqrt(down), centre + math.sqrt(up)

    return limits


def _usable(given: TestInput, score: float, error: float | None, n: int | None) -> float | None:
    """Return a reported standard error, None where it cannot be one: it is then worked out from the score and n."""
    if unpaired.impossible_error(score, error):
        return None
    if error is not None and given.binary and n and 0 < score < 1 and not paired.may_be_binary(score, error, n):
        # right or wrong by its definition, and a whole number of right ones: the error is not of these items
        whole = abs(score * n - round(score * n)) <= WHOLE_COUNT * n
        return None if whole else error
    return error


def _zero_one(given: TestInput, score: float, error: float | None, n: int | None) -> bool:
    """Tell whether a score is a share of right answers out of a known (or implied) number."""
    if given.aggregation != "mean" or not 0 <= score <= 1 or given.binary is False:
        return False
    if error is not None and 0 < score < 1:
        return paired.may_be_binary(score, error, n)
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
    return round(paired.implied_items(score, error or 0.0) or 0)


def _counted(given: TestInput, a: float, b: float, error_a: float | None, error_b: float | None, why: str) -> Measured:
    n_a, n_b = _items(a, error_a, given.n_a), _items(b, error_b, given.n_b)
    right_a, right_b = round(a * n_a), round(b * n_b)
    made = _shares(given, right_a, n_a, right_b, n_b)
    if None in (error_a, error_b):
        made = made.flagged("stderr_inferred")
    if n_a == n_b and given.same_items is not False:
        bounds = unpaired.pairing_bounds(right_a, right_b, n_a)
        made = made.noted(
            changed_min=bounds.changed_min,
            changed_max=bounds.changed_max,
            p_best_pairing=bounds.p_best,
            p_worst_pairing=bounds.p_worst,
        )
        # no word that not even the luckiest pairing of these counts could bear
        made = made._replace(found=made.found._replace(p_value=max(made.found.p_value or 0.0, bounds.p_best)))
        if bounds.p_best >= given.alpha:
            made = made.flagged("no_pairing_would_do")
    return _cautious(made, given, why)


def _cautious(made: Measured, given: TestInput, why: str) -> Measured:
    """Say that shared items would have allowed more; where the items differ for certain, this is the right test."""
    if given.same_items is False:
        return _with_equivalence(_explained(made, f"{why}: unpaired; the items differ"))
    return _explained(made.flagged("conservative"), f"{why}: unpaired, wider than need be")


def _error(given: TestInput, score: float, error: float | None, n: int | None, flags: list[str]) -> float | None:
    """Return a usable standard error, inferred from n where the file has none and the scores allow it."""
    if error is not None:
        return error
    inferred = paired.binary_error(score, n) if n and given.aggregation == "mean" else None
    zero_one = _zero_one(given, score, None, n)
    if inferred is None or not (zero_one or given.bounded):
        return None
    flags.append("stderr_inferred" if zero_one else "stderr_upper_bound")
    return inferred


def _shares(given: TestInput, right_a: float, n_a: int, right_b: float, n_b: int) -> Measured:
    """Compare two shares with known counts: z for the p-value, Newcombe for the range."""
    share_a, share_b = right_a / n_a, right_b / n_b
    error_a, error_b = paired.binary_error(share_a, n_a) or 0.0, paired.binary_error(share_b, n_b) or 0.0
    test = unpaired.unpaired_z(share_a, error_a, share_b, error_b, given.confidence)
    p_value = test.p if test else unpaired.pooled_z(right_a, n_a, right_b, n_b)
    found = named_estimate("unpaired_newcombe", given, share_b - share_a)
    found = found._replace(
        parameters={**found.parameters, "items_a": n_a, "items_b": n_b, "right_a": right_a, "right_b": right_b}
    )
    made = Measured(found)
    if test:
        made = _with_mean(made, given, test)

    def limits(level: float) -> Span:
        return unpaired.newcombe(right_a, n_a, right_b, n_b, level)

    return made._replace(found=made.found._replace(p_value=p_value), limits=limits, same_limits=limits)


def _with_mean(made: Measured, given: TestInput, test: MeanTest) -> Measured:
    limits = mean_limits(test.mean, test.error, test.df)
    sizes = [n for n in (given.n_a, given.n_b) if n]
    margin = given.scaled_margin
    return made._replace(
        found=made.found._replace(p_value=test.p, standard_error=test.error),
        limits=limits,
        same_limits=limits,
        detectable=lambda alpha: power.detectable_t(test.error, test.df, alpha),
        needed=lambda alpha: (
            max(sizes) * (power.detectable_t(test.error, test.df, alpha) / margin) ** 2
            if sizes and margin > 0
            else None
        ),
    )


def no_test(given: TestInput, difference: float | None, why: str) -> Measured:
    """Return the bare difference, and why nothing can be said about chance."""
    return _explained(Measured(named_estimate("no_test", given, difference)), why)
