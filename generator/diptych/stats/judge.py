"""A judge who was asked in both orders: how often it contradicts itself, whom it prefers, and whether it may speak."""

import math
from collections import Counter
from collections.abc import Hashable, Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.judge_audit import JudgeGate
from diptych.stats.distributions import mean_and_variance, student_quantile
from diptych.stats.graded import lattice_signflip
from diptych.stats.paired import mcnemar, wilson

FEWEST_ITEMS = 20
FEW_FOR_T = 30
USABLE = 0.20
DIRECTIONAL = 0.40
FEWEST_DECISIVE = 10
INVALID_SHARE = 0.05


Verdicts = tuple[int | None, int | None]


class Audit(NamedTuple):
    """One judge on one pair of students; +1 is a preference for B, -1 for A, 0 a tie, each item asked in both orders.

    `both_b`, `both_a`, `both_tie` count items of one mind; `half_b`, `half_a` those tied in one order; `flips` those
    that prefer each side once. `first_slot`, `second_slot` count the flips that follow the place shown. `win_rate` is
    B's, ties and contradictions as halves; `bound_low`, `bound_high` are its ends if every contradiction went one way.
    """

    items: int
    invalid: int
    both_b: int
    both_a: int
    both_tie: int
    half_b: int
    half_a: int
    flips: int
    flip_rate: float | None
    flip_low: float | None
    flip_high: float | None
    inconsistent_rate: float | None
    first_slot: int
    second_slot: int
    p_position: float
    win_rate: float | None
    error: float | None
    low: float | None
    high: float | None
    p_value: float | None
    kappa: float | None
    bound_low: float | None
    bound_high: float | None
    gate: JudgeGate


class LengthControl(NamedTuple):
    """B's win rate at equal length; None with a note where length and preference cannot be told apart."""

    raw: float
    rate: float | None
    intercept: float | None
    slope: float | None
    note: str | None


def audit(verdicts: Sequence[Verdicts], level: float = 0.95) -> Audit:
    """Audit the verdicts (call with A shown first, call with B shown first), both already turned back to A and B."""
    valid = [(first, second) for first, second in verdicts if first is not None and second is not None]
    seen, n = Counter(valid), len(valid)
    both_b, both_a, both_tie = seen[1, 1], seen[-1, -1], seen[0, 0]
    half_b, half_a = seen[1, 0] + seen[0, 1], seen[-1, 0] + seen[0, -1]
    first_slot, second_slot = seen[-1, 1], seen[1, -1]
    flips = first_slot + second_slot
    bare = Audit(
        items=n,
        invalid=len(verdicts) - n,
        both_b=both_b,
        both_a=both_a,
        both_tie=both_tie,
        half_b=half_b,
        half_a=half_a,
        flips=flips,
        flip_rate=None,
        flip_low=None,
        flip_high=None,
        inconsistent_rate=None,
        first_slot=first_slot,
        second_slot=second_slot,
        p_position=mcnemar(first_slot, second_slot).exact,
        win_rate=None,
        error=None,
        low=None,
        high=None,
        p_value=None,
        kappa=None,
        bound_low=None,
        bound_high=None,
        gate="too_few",
    )
    return _rated(bare, valid, level) if n else bare


def _rated(bare: Audit, valid: Sequence[tuple[int, int]], level: float) -> Audit:
    n = len(valid)
    win_rate, error, low, high = _win_rate([0.5 + (first + second) / 4.0 for first, second in valid], level)
    flip_low, flip_high = wilson(bare.flips, n, level)
    inconsistent = (bare.flips + bare.half_a + bare.half_b) / n
    least = (bare.both_b + 0.5 * bare.both_tie) / n
    rated = bare._replace(
        flip_rate=bare.flips / n,
        flip_low=flip_low,
        flip_high=flip_high,
        inconsistent_rate=inconsistent,
        win_rate=win_rate,
        error=error,
        low=low,
        high=high,
        p_value=lattice_signflip([first + second for first, second in valid]),
        kappa=cohens_kappa(valid),
        bound_low=least,
        bound_high=least + inconsistent,
    )
    return rated._replace(gate=_gate(rated))


def _win_rate(scores: Sequence[float], level: float) -> tuple[float, float, float, float]:
    """Return B's win rate with a t interval over items; Wilson's where items are few or hardly vary."""
    n = len(scores)
    mean, variance = mean_and_variance(scores)
    error = math.sqrt(variance / n)
    if n < FEW_FOR_T or error < 1e-9:
        return mean, error, *wilson(math.fsum(scores), n, level)
    reach = student_quantile(0.5 + level / 2.0, n - 1) * error
    return mean, error, max(0.0, mean - reach), min(1.0, mean + reach)


def _gate(rated: Audit) -> JudgeGate:
    """Judge the judge before its interval: one that always picks the first place looks exactly undecided."""
    inconsistent = rated.inconsistent_rate or 0.0
    if rated.items < FEWEST_ITEMS:
        return "too_few"
    if inconsistent > DIRECTIONAL:
        return "unusable"
    if rated.both_a + rated.both_b < FEWEST_DECISIVE:
        return "mostly_ties"
    return "usable" if inconsistent <= USABLE else "directional_only"


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Return Cohen's kappa of two raters; None where only one category occurs."""
    n = len(pairs)
    if not n:
        return None
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(first[name] * second[name] for name in first) / (n * n)
    if expected >= 1.0:
        return None
    return (sum(one == other for one, other in pairs) / n - expected) / (1.0 - expected)


def fleiss_kappa(table: Sequence[Sequence[int]]) -> float | None:
    """Return Fleiss' kappa of a table items x categories, every row with the same number (>= 2) of ratings."""
    items, raters = len(table), sum(table[0]) if table else 0
    if not items or raters < 2 or any(sum(row) != raters for row in table):
        return None
    agreed = sum(count * (count - 1) for row in table for count in row) / (items * raters * (raters - 1.0))
    expected = sum((sum(column) / (items * raters)) ** 2 for column in zip(*table, strict=True))
    return (agreed - expected) / (1.0 - expected) if expected < 1.0 else None


def krippendorff_alpha(ratings: Sequence[Sequence[Hashable | None]]) -> float | None:
    """Return Krippendorff's alpha (nominal) of raters x items with gaps (None); None where one category occurs."""
    values: Counter[Hashable] = Counter()
    disagreed = 0.0
    for item in zip(*ratings, strict=True):
        known = Counter(value for value in item if value is not None)
        count = known.total()
        if count < 2:
            continue  # a single rating can be paired with none
        values.update(known)
        disagreed += (count * count - sum(times * times for times in known.values())) / (count - 1.0)
    total = values.total()
    expected = total * total - sum(times * times for times in values.values())
    return 1.0 - (total - 1.0) * disagreed / expected if expected else None


def length_controlled(scores: Sequence[float], longer: Sequence[float]) -> LengthControl:
    """Return B's win rate at equal length: a fractional logit of the item scores on tanh(length B - A in spreads)."""
    n = len(scores)
    raw = math.fsum(scores) / n
    spread = math.sqrt(mean_and_variance(longer)[1]) if n > 1 else 0.0
    if spread == 0:
        return LengthControl(raw, None, None, None, "the answers are all equally longer or shorter")
    # sorted, so that the order of items does not reach the last digit
    rows = sorted((math.tanh(length / spread), score) for length, score in zip(longer, scores, strict=True))
    lengths, scores = [length for length, _ in rows], [score for _, score in rows]
    if _separated(scores, lengths):
        return LengthControl(raw, None, None, None, "length and preference cannot be separated")
    intercept = slope = 0.0
    for _ in range(100):
        step = _newton_step(scores, lengths, intercept, slope)
        if step is None:
            return LengthControl(raw, None, None, None, "length and preference cannot be separated")
        intercept, slope = intercept + step[0], slope + step[1]
        if abs(step[0]) + abs(step[1]) < 1e-14:
            break
    return LengthControl(raw, _logistic(intercept), intercept, slope, None)


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))


def _separated(scores: Sequence[float], lengths: Sequence[float]) -> bool:
    """Tell whether one cut of the lengths parts all wins from all losses: then no finite curve fits best."""
    winning = [length for score, length in zip(scores, lengths, strict=True) if score > 0]
    losing = [length for score, length in zip(scores, lengths, strict=True) if score < 1]
    if not winning or not losing:
        return True
    return min(winning) >= max(losing) or max(winning) <= min(losing)


def _newton_step(
    scores: Sequence[float], lengths: Sequence[float], intercept: float, slope: float
) -> tuple[float, float] | None:
    """Return one step of Newton's method for the two coefficients; None where the curve has become a step."""
    g0 = g1 = h00 = h01 = h11 = 0.0
    for score, length in zip(scores, lengths, strict=True):
        chance = _logistic(intercept + slope * length)
        weight = chance * (1.0 - chance)
        g0 += score - chance
        g1 += (score - chance) * length
        h00 += weight
        h01 += weight * length
        h11 += weight * length * length
    determinant = h00 * h11 - h01 * h01
    if determinant <= 1e-12:
        return None
    return (h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant
