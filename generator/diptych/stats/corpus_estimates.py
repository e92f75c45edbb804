"""From per-item lists to an estimate of a metric that is not a mean: perplexities by ratio, the rest by resampling."""

import math
from operator import sub
from typing import TYPE_CHECKING, Any

from diptych.estimates import Estimate
from diptych.stats import corpus, graded, power, resampling
from diptych.stats.estimate_by_level import Measured, Span, equivalence_p, mean_limits
from diptych.stats.paired import Equivalence
from diptych.stats.test_input import RATIOS, TestInput, named_estimate
from diptych.stats.unpaired_estimates import no_test

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEWEST_DOCUMENTS = 30
FEWEST_ITEMS = 50


def corpus_estimate(given: TestInput) -> Measured:
    """Recompute a corpus metric on both sides; `no_test` with the reason where the items do not allow it."""
    a, b = given.a_lists or (), given.b_lists or ()
    if len(a) != len(b) or not a:
        return no_test(given, _reported(given), "the items' values do not stand side by side")
    if given.aggregation in RATIOS:
        return _ratio(given, a, b)
    return _resampled(given, a, b)


def _reported(given: TestInput) -> float | None:
    if given.score_a is None or given.score_b is None:
        return None
    return given.score_b - given.score_a


def _ratio(given: TestInput, a: corpus.Items, b: corpus.Items) -> Measured:
    columns = corpus.perplexity_columns(a, b)
    if columns is None:
        return no_test(given, _reported(given), "the two sides weigh the documents differently")
    log_a, log_b, weights, left_out = columns
    if len(weights) < FEWEST_DOCUMENTS:
        return no_test(given, _reported(given), f"fewer than {FEWEST_DOCUMENTS} documents")
    result = graded.paired_ratio(log_a, log_b, weights)
    middle = -(math.fsum(log_a) + math.fsum(log_b)) / (2.0 * math.fsum(weights))
    to_unit = _Unit(RATIOS[given.aggregation], middle)
    found = named_estimate("paired_ratio", given, to_unit(result.difference))
    notes = {**found.parameters, "unit": "document", "ratio": math.exp(-result.difference)}
    notes["log_difference"], notes["log_standard_error"] = result.difference, result.error
    if left_out:
        notes["pairs_left_out"] = left_out
    changed = sum(x != y for x, y in zip(log_a, log_b, strict=True))
    found = found._replace(pairs=len(weights), changed=changed, parameters=notes)
    if result.error <= 1e-14 * max(1.0, abs(result.difference)):
        flag = "constant_shift" if changed else "identical_scores"
        p_value = 2.0 ** (1 - len(weights)) if changed else 1.0
        return Measured(found._replace(p_value=p_value, standard_error=0.0, flags=(flag,)))
    by_t = graded.t_test(result.difference, result.error, result.df, given.confidence).p
    return _ratio_measured(found, given, result, to_unit, _swap_p(given, log_a, log_b, changed, by_t))


def _swap_p(given: TestInput, log_a: list[float], log_b: list[float], changed: int, by_t: float) -> float:
    """Return the p-value of swapping the two sides of documents: of equal weights on both sides only signs change.

    Where no swap reaches as far, Student's law goes on from there.
    """
    from diptych.stats.paired import FEW_CHANGED

    moves = list(map(sub, log_b, log_a))
    if changed <= FEW_CHANGED:
        return graded.signflip(moves)[0]
    seed, swaps = resampling.seed_of(given.key, "document", len(moves)), resampling.SWAPS
    drawn = graded.signflip_sampled(moves, seed, swaps)
    return resampling.beyond_draws(round(drawn * (swaps + 1)) - 1, swaps, by_t)


def _ratio_measured(
    found: Estimate, given: TestInput, result: graded.RatioTest, to_unit: "_Unit", p_value: float
) -> Measured:
    """Carry the limits of the log scale over to the metric's own unit (they swap: more likely is lower)."""
    log_limits = mean_limits(result.difference, result.error, result.df)
    low, high = log_limits(given.confidence)
    notes = {**found.parameters, "ratio_low": math.exp(-(high or 0.0)), "ratio_high": math.exp(-(low or 0.0))}
    margin = given.scaled_margin
    far, near = to_unit.back(-margin), to_unit.back(margin)

    def limits(level: float) -> Span:
        log_low, log_high = log_limits(level)
        return to_unit(log_high or 0.0), to_unit(log_low or 0.0)

    def seen(alpha: float) -> float:
        return power.detectable_t(result.error, result.df, alpha)

    return Measured(
        found._replace(
            p_value=p_value,
            p_equivalence=_between(result, near, far).p if margin > 0 else None,
            standard_error=_slope(to_unit, result.difference) * result.error,
            parameters=notes,
        ),
        limits,
        limits,
        lambda alpha: abs(to_unit(-seen(alpha))),
        lambda alpha: items_needed(found.pairs or 0, seen(alpha), abs(near)) if margin > 0 else None,
    )


def _slope(to_unit: "_Unit", difference: float) -> float:
    """Return by how much the metric moves for a small step of the mean log-likelihood."""
    return 1.0 / math.log(2.0) if to_unit.bits else to_unit.middle * math.cosh(difference / 2.0)


def items_needed(n: int, seen: float, wanted: float) -> float:
    """Return the items that would show `wanted` where n of them show `seen`."""
    return n * (seen / wanted) ** 2


def _between(result: graded.RatioTest, low: float, high: float) -> Equivalence:
    """Test that the true log difference lies between two limits of unlike size."""
    from diptych.stats.distributions import student_above

    lower = student_above((result.difference - low) / result.error, result.df)
    upper = student_above((high - result.difference) / result.error, result.df)
    return Equivalence(max(lower, upper), lower, upper)


def _resampled(given: TestInput, a: corpus.Items, b: corpus.Items) -> Measured:
    if len(a) < FEWEST_ITEMS:
        return no_test(given, _reported(given), f"fewer than {FEWEST_ITEMS} items for a resampled interval")
    sides = corpus.both_counts(given.aggregation, a, b)
    if sides is None:
        reason = f"the items do not hold what {given.aggregation} is made of"
        return no_test(given, _reported(given), reason)
    import numpy

    score_a, score_b = (corpus.corpus_score(side) for side in sides)
    # draws depend on the order of the rows: the same side leads whichever is called A, so that swapping mirrors
    leads = 0 if _leading(sides[0].rows) <= _leading(sides[1].rows) else 1
    first, second, sign = sides[leads], sides[1 - leads], 1.0 if leads == 0 else -1.0
    rows, unit = numpy.hstack([first.rows, second.rows]), "item"
    width = first.rows.shape[1]
    if given.clusters is not None:
        names, place = numpy.unique(numpy.asarray(given.clusters), return_inverse=True)
        summed = numpy.zeros((len(names), rows.shape[1]))
        numpy.add.at(summed, place, rows)
        rows, unit = summed, "cluster"

    def difference(sums: "NDArray[Any]") -> "NDArray[Any]":
        apart: NDArray[Any] = second.score(sums[:, width:]) - first.score(sums[:, :width])
        return apart

    seed = resampling.seed_of(given.key, unit, len(rows))
    drawn = resampling.bootstrap_sums(rows, difference, seed, given.confidence, resampling.RESAMPLES)
    values, error = sign * drawn.values, float(numpy.std(drawn.values, ddof=1))
    changed = int((first.rows != second.rows).any(axis=1).sum())
    found = named_estimate("paired_bootstrap", given, score_b - score_a)
    notes = {**found.parameters, "unit": unit, "seed": seed, "resamples": drawn.resamples}
    notes |= {"generator": resampling.GENERATOR, "score_a": score_a, "score_b": score_b}
    notes["swaps"] = resampling.SWAPS if changed else 0
    made = Measured(
        found._replace(
            p_value=resampling.swap_test(rows, difference, seed) if changed else 1.0,
            standard_error=error,
            pairs=len(a),
            clusters=len(rows) if unit == "cluster" else None,
            changed=changed,
            parameters=notes,
        )
    )
    if drawn.resamples != resampling.RESAMPLES:
        made = made.flagged("resamples_left_out")
    if not changed or not error:
        return made.flagged("identical_scores") if not changed else made
    ordered, margin = sorted(values.tolist()), given.scaled_margin

    def limits(level: float) -> Span:
        return resampling.tail_interval(ordered, score_b - score_a, level)

    made = made._replace(
        limits=limits,
        same_limits=limits,
        detectable=lambda alpha: power.multiplier(alpha) * error,
        needed=lambda alpha: items_needed(len(a), power.multiplier(alpha) * error, margin) if margin > 0 else None,
    )
    p_same = equivalence_p(limits, margin) if margin > 0 else None
    return made._replace(found=made.found._replace(p_equivalence=p_same))


def _leading(rows: "NDArray[Any]") -> list[list[float]]:
    """Return what orders two sides: their sums, then all rows sorted."""
    return [rows.sum(axis=0).tolist(), *sorted(rows.tolist())]


class _Unit:
    """Turns a difference of mean log-likelihoods into one of the metric's own unit, and back.

    Perplexities spread to both sides of their geometric middle, so that swapping the runs mirrors the limits.
    """

    def __init__(self, scale: str, log_middle: float) -> None:
        self.bits, self.middle = scale == "bits", math.exp(log_middle)

    def __call__(self, difference: float) -> float:
        if self.bits:
            return -difference / math.log(2.0)
        return 2.0 * self.middle * math.sinh(-difference / 2.0)

    def back(self, value: float) -> float:
        """Return the difference of mean log-likelihoods that moves the metric by `value`."""
        if self.bits:
            return -value * math.log(2.0)
        return -2.0 * math.asinh(value / (2.0 * self.middle))
