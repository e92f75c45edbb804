"""What a reported number can be: marks for "not run", errors that a score cannot have, scores on another scale."""

from array import array
from collections.abc import Mapping, Sequence
from math import fsum, inf, nan
from typing import Any

from diptych.catalogue.metrics import metric_of
from diptych.catalogue.scales import ROUNDING, Scale, scales
from diptych.harness.strict_values import score_number

NOT_RUN = "not run"
"""How the reason of a score begins that is a mark for "not run", not a measurement."""

SENTINELS = frozenset({-1.0, -100.0, -999.0, -9999.0, 999.0, 9999.0, 99999.0})
"""Numbers that people write where there is none."""

SLACK = 1.05
"""A standard error may be rounded to a few digits, or come of a bootstrap."""

MEAN_ROUNDING = 5.1e-5
"""A reported mean may be rounded to four digits."""

NEAR = 0.004
"""By how much, in parts, an error may miss the one that a formula gives: it may be rounded to three digits."""


def plausible_error(
    value: Any, score: float | None, present: bool, items: int | None, most: float | None = None
) -> tuple[float | None, str | None]:
    """Return a reported standard error, or None with the reason why it cannot be one.

    `score` is the score that it belongs to: 0.0 beside a score strictly between 0 and 1 is impossible, and so is more
    than `most`, what a mean over `items` in the metric's range can have.
    """
    if not present:
        return None, "missing"
    if value is None or (isinstance(value, str) and value.strip().lower() in {"n/a", "na", "none", ""}):
        return None, "N/A" if isinstance(value, str) else "missing"
    error, reason = score_number(value)
    if error is None:
        return None, reason
    if error < 0:
        return None, f"negative ({error:g})"
    if error == 0 and score is not None and 0 < score < 1 and (items is None or items > 1):
        return None, f"0.0 at {score:.4g}"
    if most is not None and score is not None and error > most * SLACK + 5e-5 and error > 0:
        return None, f"impossible: {error:.4g} at {score:.4g} over {items} items, where at most {most:.4g} can be"
    return error, None


def is_absent(value: Any) -> bool:
    """Say whether a value is the words for none."""
    return isinstance(value, str) and value.strip().lower() in {"n/a", "na", "not run", "skipped"}


def is_sentinel(metric: str, value: float | None) -> bool:
    """Say whether a number stands for "not run": one of the usual ones, where the metric cannot have it."""
    low, high = metric_range(metric)
    return value is not None and value in SENTINELS and not low <= value <= high


def metric_range(metric: str) -> tuple[float, float]:
    """Return between which numbers a metric lies, be it stated as a share or from 0 to 100."""
    known = metric_of(metric.removesuffix("_avg"))
    low = -inf if known.low is None or (known.low == 0 and known.unit == "") else known.low
    if known.low is None or known.high is None:
        return low, inf
    return low, known.high * (100.0 if known.unit == "fraction" else 1.0)


def out_of_range(metric: str, value: float) -> str | None:
    """Return what is wrong with a score that its metric cannot have: it is on a scale that the file does not tell."""
    low, high = metric_range(metric)
    if low <= value <= high:
        return None
    return f"{value:.4g} is {'less' if value < low else 'more'} than {metric} can be: on a scale that is not known"


def without_sentinels(metric: str, column: "array[float]") -> int:
    """Put NaN in the place of each item's mark for "not run", and return how many there were."""
    low, high = metric_range(metric)
    if (low == -inf and high == inf) or not column:
        return 0
    least, most = min(column), max(column)
    if least == least and most == most and low <= least and most <= high:
        return 0
    marks = [place for place, value in enumerate(column) if value in SENTINELS and not low <= value <= high]
    for place in marks:
        column[place] = nan
    return len(marks)


def marks_left_out(column: "array[float]", rows: Sequence[int], reported: float, *, never: bool = False) -> list[int]:
    """Return the rows whose value is a mark for "not run", as the reported score shows: it is the mean without them.

    The name of a metric need not tell its range. `never`: the score is a mark itself, as is each item's value.
    """
    values = [column[row] for row in rows]
    marks = SENTINELS.intersection(values)
    for mark in marks:
        rest = [value for value in values if value != mark and value == value]
        plain = [value for value in values if value == value]
        told = rest and is_near(fsum(rest) / len(rest), reported) and not is_near(fsum(plain) / len(plain), reported)
        if told or (never and not rest):
            return [row for row, value in zip(rows, values, strict=True) if value == mark]
    return []


def is_near(mean: float, reported: float) -> bool:
    """Say whether a score is a mean, to the digits that it may have been rounded to."""
    return abs(mean - reported) <= MEAN_ROUNDING * max(1.0, abs(reported))


def is_mark_beside(metric: str, value: float | None, others: Mapping[str, float | None]) -> bool:
    """Say whether a score is a mark for "not run" by those beside it: of metrics as unknown all are shares or marks."""
    if value not in SENTINELS or metric_range(metric) != (-inf, inf):
        return False
    beside = [other for name, other in others.items() if name != metric and metric_range(name) == (-inf, inf)]
    shares = [other for other in beside if other is not None and 0 <= other <= 1]
    return bool(shares) and len(shares) + beside.count(value) == len(beside) - beside.count(None)


def most_error(metric: str, score: float | None, items: int | None) -> float | None:
    """Return the largest standard error that a mean over so many items can have; None where nothing bounds it."""
    known = metric_of(metric.removesuffix("_avg"))
    if score is None or items is None or items < 2 or known.low != 0 or not known.high or known.aggregation != "mean":
        return None
    whole = known.high if score <= known.high else 100.0
    return float((score * (whole - score) / (items - 1)) ** 0.5) if 0 <= score <= whole else None


def implied_count(metric: str, score: float | None, error: Any, items: int | None) -> int | None:
    """Return over how many items a share of right answers is by its own standard error, where that is fewer than said.

    The error of k right of n is sqrt(p(1 - p)/(n - 1)): from p and the error n comes out whole, and so does k.
    """
    if not metric_of(metric).binary or score is None or not 0 < score < 1:
        return None
    if not isinstance(error, float) or not 1e-6 < error < 1:
        return None
    count = score * (1 - score) / error**2 + 1
    whole = round(count)
    fits = abs(count - whole) < 0.01 and abs(score * whole - round(score * whole)) < 1e-3
    return whole if fits and items is not None and 2 <= whole < items else None


def no_share(metric: str, score: float | None, error: Any, items: int | None) -> str | None:
    """Return what is wrong with a share of right answers that no whole number of so many items gives, to its digits.

    Items that an error shows to be graded (it is smaller than that of right and wrong ones) give any mean.
    """
    if not metric_of(metric).binary or score is None or not 0 < score < 1 or items is None or items < 2:
        return None
    decimals = len(repr(score).partition(".")[2]) if "e" not in repr(score) else 16
    rounding = max(0.5 * 10.0**-decimals, 1e-6) * items
    if abs(score * items - round(score * items)) <= rounding:
        return None
    if isinstance(error, float) and 0 < error < (1 - NEAR) * (score * (1 - score) / (items - 1)) ** 0.5:
        return None
    return f"{score:.4g} is no share of {items:,} items that are right or wrong"


def scale_shown(metric: str, score: float | None, error: Any, items: int | None) -> Scale | None:
    """Return the scale, above chance, that a share of right answers is on by its own standard error.

    An error tells a scale where it is none that the plain share could have: it is that of a share of whole items, and
    stretched as the formula stretches the share. None where the share is plain, or where no formula fits.
    """
    if not metric_of(metric).binary or score is None or items is None or items < 10:
        return None
    if isinstance(error, bool) or not isinstance(error, int | float) or not 0 < error < 100:
        return None
    for scale in (Scale(0, 1), *scales(None)):
        share, stretch = scale.share(score), scale.factor / (1 - scale.chance)
        right = share * items
        if 0 < share < 1 and abs(right - round(right)) <= ROUNDING * items:
            fits = abs(error / (stretch * (share * (1 - share) / (items - 1)) ** 0.5) - 1) < NEAR
            if fits:
                return scale if scale.choices else None
    return None
