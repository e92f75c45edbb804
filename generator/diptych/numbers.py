"""The one place that words a number: digits, signs, units, intervals, chances and counts. Elsewhere a number stays one.

Page, comment, terminal, index and the sentences of an artifact all take their texts from here, so that one number
reads alike wherever it stands. A minus that a person reads is −.
"""

import math
from collections.abc import Collection, Iterable
from functools import lru_cache

MINUS = "−"
NOT_AVAILABLE = "–"
NO_BREAK = "\u00a0"
UNIT = "pp"
"""Percentage points: the unit of a difference of two fractions."""

UNITS = {
    "prompt_tokens": "prompt tokens",
    "completion_tokens": "completion tokens",
    "seconds": "seconds",
    "watt_hours": "watt-hours",
    "money": "money",
}


def minus(text: str) -> str:
    """Return a number's text with a true minus sign."""
    return text.replace("-", MINUS)


def signed(value: float, digits: int) -> str:
    """Return a number with its sign; what rounds to nothing has none."""
    text = FORMS[digits] % value
    if -1 < value < 1 and not text.strip("+-0."):
        return text[1:]
    return MINUS + text[1:] if text[0] == "-" else text


FORMS = tuple(f"%+.{digits}f" for digits in range(20))
"""How a signed number of so many decimals is written: an f-string takes twice as long for a sign."""

POINTS, POINTS_RANGE = FORMS[1], f"{FORMS[1]} to {FORMS[1]}"
"""How percentage points from 1 on are written, and a range of them."""


def points(value: float | None, unit: bool = True) -> str:
    """Return a difference of two fractions in percentage points: one digit from 1 on, two below ("+8.5 pp")."""
    if value is None:
        return NOT_AVAILABLE
    scaled = 100 * value
    text = signed(scaled, point_digits(scaled))
    return f"{text} {UNIT}" if unit else text


def size(value: float, *, up: bool = False) -> str:
    """Return a fraction's size in percentage points, bare; `up` rounds away from zero (detectable effects, floors)."""
    amount = 100 * abs(value)
    digits = 1 if amount >= 1 - 1e-9 else 2
    if up:
        scale = 10**digits
        amount = math.ceil(amount * scale - 1e-9) / scale
    return f"{amount:.{digits}f}"


def deviation(value: float, in_points: bool) -> str:
    """Return a standard deviation, in points with two decimals: what a floor multiplies it by gives that floor."""
    return f"{100 * value:.2f} {UNIT}" if in_points else f"{value:.{digits_of(value)}f}"


def amount(value: float | None, in_points: bool, unit: bool = True) -> str:
    """Return a signed difference: in percentage points where the metric is a fraction, else in its own unit."""
    if value is None:
        return NOT_AVAILABLE
    return points(value, unit) if in_points else signed(value, digits_of(value))


def amount_beside(
    value: float | None, low: float | None, high: float | None, in_points: bool, unit: bool = True
) -> str:
    """Return a signed difference with as many decimals as the interval that stands beside it.

    With its own ones where it would become a nought, or a whole point, that it is not.
    """
    if value is None or low is None or high is None:
        return amount(value, in_points, unit)
    digits = decimals_between(low, high, in_points)
    scaled = 100 * value if in_points else value
    if -1 < scaled < 1 and becomes_another(scaled, digits, in_points):
        return amount(value, in_points, unit)
    return f"{signed(scaled, digits)}{f' {UNIT}' if in_points and unit else ''}"


def becomes_another(scaled: float, digits: int, in_points: bool) -> bool:
    """Say whether so many decimals make a nought, or a whole point, of a number that is neither."""
    size = abs(scaled)
    near = round(size, digits)
    return (size != 0 and near == 0) or (in_points and size < 1 - 1e-9 and near >= 1)


def bare(value: float | None, in_points: bool) -> str:
    """Return a signed difference without its unit."""
    return amount(value, in_points, unit=False)


def between(low: float | None, high: float | None, in_points: bool) -> str:
    """Return an interval of differences, without its unit ("−8.0 to −0.7"): both ends with as many decimals.

    As many as the larger end needs; more only where the smaller one would become a nought, or a whole point, that it
    is not: 0.99 is within a margin of 1.
    """
    if low is None or high is None:
        return NOT_AVAILABLE
    digits = decimals_between(low, high, in_points)
    scale = 100 if in_points else 1
    return f"{signed(scale * low, digits)} to {signed(scale * high, digits)}"


def beside_range(value: float | None, low: float | None, high: float | None, in_points: bool) -> tuple[str, str]:
    """Return a signed difference and the interval beside it, both without their unit."""
    if value is None or low is None or high is None or not in_points:
        return amount_beside(value, low, high, in_points, unit=False), between(low, high, in_points)
    if -0.01 < low < 0.01 or -0.01 < value < 0.01 or -0.01 < high < 0.01:
        return amount_beside(value, low, high, True, unit=False), between(low, high, True)
    # what most are
    return (POINTS % (100 * value)).replace("-", MINUS), (POINTS_RANGE % (100 * low, 100 * high)).replace("-", MINUS)


def decimals_between(low: float, high: float, in_points: bool) -> int:
    """Return how many decimals both ends of an interval get."""
    if in_points and not (-0.01 < low < 0.01 or -0.01 < high < 0.01):
        return 1  # what most are
    ends = [100 * low, 100 * high] if in_points else [low, high]
    needs = [point_digits(end) if in_points else digits_of(end) for end in ends if end] or [1 if in_points else 4]
    lost = any(becomes_another(end, min(needs), in_points) for end in ends)
    return max(needs) if lost else min(needs)


def distinct_texts(values: Iterable[float], in_points: bool) -> list[str]:
    """Return differences as bare texts that differ where they do: a limit is not shown equal to what is beyond it."""
    scaled = [100 * value if in_points else value for value in values]
    digits = max(point_digits(value) if in_points else digits_of(value) for value in scaled)
    distinct = len({round(value, 9) for value in scaled})
    while digits < 9 and len({round(value, digits) for value in scaled}) < distinct:
        digits += 1
    return [minus(f"{value:.{digits}f}") for value in scaled]


def point_digits(scaled: float) -> int:
    """Return how many decimals percentage points get: one from 1 on and for nothing at all, two below."""
    return 1 if abs(scaled) >= 1 - 1e-9 or scaled == 0 else 2


@lru_cache(1024)
def level(confidence: float) -> str:
    """Return a confidence level ("95 %", "98.3 %"): as many nines as it takes, and one digit more."""
    percent = 100 * confidence
    digits = 0 if abs(percent - round(percent)) < 1e-6 else 1
    while digits < 6 and round(percent, digits) >= 100:
        digits += 1
    return f"{percent:.{digits}f} %"


def levels(confidences: Collection[float]) -> str:
    """Return the level of several intervals, or the least and the most ("97.5–99.5 %"); "" of none."""
    if not confidences:
        return ""
    least, most = level(min(confidences)), level(max(confidences))
    return most if least == most else f"{least.removesuffix(' %')}–{most}"


def interval(low: float | None, high: float | None, in_points: bool, confidence: float = 0.95, over: str = "") -> str:
    """Return a confidence interval with its level, and over what it was adjusted.

    ("95 % CI −24.5 to −7.2", "98.3 % CI −24.5 to −7.2, Holm over 3 tasks"); "" where there is none.
    """
    if low is None or high is None:
        return ""
    return f"{level(confidence)} CI {between(low, high, in_points)}{f', {over}' if over else ''}"


def floor_text(value: float, in_points: bool) -> str:
    """Return a noise floor, rounded up wherever it stands ("8.8 pp")."""
    return f"{size(value, up=True)} {UNIT}" if in_points else quantity(value)


def detectable(value: float | None, in_points: bool) -> str:
    """Return a minimum detectable effect, rounded up ("minimum detectable effect 21.5 pp"); "" where not known."""
    if value is None:
        return ""
    return f"minimum detectable effect {size(value, up=True) + ' ' + UNIT if in_points else quantity(value)}"


def in_points(a: float | None, b: float | None, higher_is_better: bool | None) -> bool:
    """Say whether a metric is a fraction, so that its differences are told in points."""
    if higher_is_better is False or (a is None and b is None):
        return False
    return (a is None or 0 <= a <= 1) and (b is None or 0 <= b <= 1)


def all_in_points(scores: Iterable[float | None]) -> bool:
    """Say whether one metric's scores are all fractions, so that their differences are told in points."""
    known = [score for score in scores if score is not None]
    return in_points(min(known, default=None), max(known, default=None), True)


def digits_of(value: float) -> int:
    """Return how many decimals a score of this size gets."""
    size = abs(value)
    return 4 if size < 10 else 3 if size < 100 else 2


def score(value: float | None) -> str:
    """Return a score as the harness prints it: four decimals, fewer where it is large."""
    if value is None:
        return NOT_AVAILABLE
    if 0 <= value < 10:
        return f"{value or 0.0:.4f}"  # -0.0 is no other score than 0.0
    if abs(value) >= 1e7:
        return minus(f"{value:.4g}")
    return minus(f"{value:.{digits_of(value)}f}")


def scores(values: Iterable[float | None]) -> list[str]:
    """Return a column of scores; most are fractions."""
    return [f"{value:.4f}" if value and 0 < value < 10 else score(value) for value in values]


def tick(value: float, gap: float) -> str:
    """Return a number on an axis whose ticks stand `gap` apart, with the decimals that tell them apart."""
    decimals = max(0, -math.floor(math.log10(gap) + 1e-9))
    return minus(f"{value:.{decimals}f}") if round(value, decimals) else f"{0:.{decimals}f}"


def item_score(value: float | None) -> str:
    """Return one item's score: right and wrong as 1 and 0, others with four decimals."""
    return score(value) if value is None or value != int(value) else minus(str(int(value)))


def loglikelihood(value: float | None) -> str:
    """Return a log-likelihood or one divided by a length: two decimals, four where it is small."""
    if value is None:
        return NOT_AVAILABLE
    return minus(f"{value:.{2 if abs(value) >= 1 else 4}f}")


def stderr(value: float | None) -> str:
    """Return a standard error ("± 0.0122")."""
    return NOT_AVAILABLE if value is None else f"± {score(value)}"


OURS = (
    "* worked out by diptych, not reported by the run: a standard error, or the 95 % CI of a score of exactly 0 or 1."
)


def error(
    value: float | None,
    reported: float | None,
    ours: float | None = None,
    low: float | None = None,
    high: float | None = None,
) -> str:
    """Return how far a score is known: its standard error, or the range that stands in where that is 0 at a bound.

    Nothing is certain about a score of exactly 0 or 1: its error of 0 only says that all items came out alike. A star
    marks what is ours, not the run's.
    """
    known = reported if reported is not None else ours
    if known:
        return f"± {score(known)}" if reported is not None else f"± {score(known)}*"
    if low is not None and high is not None and low < high:
        return f"{bound(low)}–{bound(high)}*"
    if known is None or value in (0, 1):
        return NOT_AVAILABLE
    return stderr(known) + ("*" if reported is None else "")


Column = Iterable[float | None]


def errors(values: Column, reported: Column, ours: Column, low: Column, high: Column) -> list[str]:
    """Return how far each of a column of scores is known; most runs have given a standard error."""
    return [
        f"± {known:.4f}" if known and 0 < known < 10 else error(value, known, own, least, most)
        for value, known, own, least, most in zip(values, reported, ours, low, high, strict=True)
    ]


def bound(value: float) -> str:
    """Return an end of a score's range, without noughts that say nothing ("0.886", "1")."""
    return minus(f"{value:.3f}".rstrip("0").rstrip("."))


def p_value(value: float | None) -> str:
    """Return a p-value: never 0, two digits that count, four decimals where it is close to the line."""
    if value is None:
        return NOT_AVAILABLE
    if value < 0.001:
        return "< 0.001"
    if 0.045 <= value <= 0.055:
        return f"{value:.4f}"
    return f"{value:.2g}"


def p_text(value: float | None, adjusted: str = "") -> str:
    """Return a p-value with its letter and sign ("p < 0.001", "Holm-adjusted p = 0.032"), or nothing.

    `adjusted` names the correction that the value went through.
    """
    if value is None:
        return ""
    text = p_value(value)
    return (f"{adjusted}-adjusted " if adjusted else "") + (f"p {text}" if text.startswith("<") else f"p = {text}")


def odds(p: float) -> str:
    """Return how often luck alone does this: "about 1 time in 30"."""
    if p < 0.001:
        return "less than 1 time in 1,000"
    if p > 0.5:
        return "more often than not"
    times = 1 / p
    rounded = round(times, -math.floor(math.log10(times))) if times >= 10 else round(times)
    return f"about 1 time in {int(rounded):,}"


def count(value: int | None) -> str:
    """Return a count with its thousands apart ("14,042")."""
    return NOT_AVAILABLE if value is None else minus(f"{value:,}")


def count_of(value: int | None, total: int | None) -> str:
    """Return a count of a total ("12 of 40")."""
    return count(value) if total is None else f"{count(value)} of {count(total)}"


def counted(value: int, one: str, many: str = "") -> str:
    """Return a count with its noun ("1 item", "12 items")."""
    return f"{count(value)} {one if value == 1 else many or one + 's'}"


def more(value: int, what: str) -> str:
    """Return how many more there are of something named in the plural ("1 more warning", "2 more rows of scores")."""
    if value != 1:
        return f"{count(value)} more {what}"
    first, *rest = what.split(" ")
    one = f"{first.removesuffix('ies')}y" if first.endswith("ies") else first.removesuffix("s")
    return " ".join(("1 more", one, *rest))


def percent(value: float | None, of: int = 0) -> str:
    """Return a share in whole or tenths of a per cent ("46 %", "0.4 %"); in tenths where it is one `of` many."""
    if value is None:
        return NOT_AVAILABLE
    share = 100 * value
    return f"{share:.0f} %" if (share >= 10 and of < 200) or share in (0, 100) else f"{share:.1f} %"


def duration(seconds: float | None) -> str:
    """Return a time a person can plan with ("45 s", "8 min 20 s", "2 h 05 min")."""
    if seconds is None:
        return NOT_AVAILABLE
    if 0 < seconds < 1:
        return f"{seconds:.2g} s"
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60:02d} min"


def quantity(value: float | None, unit: str = "") -> str:
    """Return a cost or another plain quantity: whole from 100 on, else three digits that count."""
    if value is None:
        return NOT_AVAILABLE
    text = minus(f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}")
    return f"{text} {unit}" if unit else text


def cost(value: float | None, unit: str) -> str:
    """Return an amount of one of the units that costs are recorded in; of another name with that name."""
    if unit == "seconds":
        return duration(value)
    if unit.endswith("tokens"):
        return quantity(value)
    return quantity(value, "Wh" if unit == "watt_hours" else unit)


def money(value: float | None, currency: str | None = None) -> str:
    """Return an amount of money with its currency: cents up to a thousand, two digits that count below ten cents."""
    if value is None:
        return NOT_AVAILABLE
    size = abs(value)
    text = f"{value:,.0f}" if size >= 1000 or not size else f"{value:.2f}" if size >= 0.1 else f"{value:.2g}"
    return minus(f"{text} {currency or ''}".strip())


def listed(names: list[str] | tuple[str, ...], most: int = 3) -> str:
    """Return names as a phrase, at most so many of them: `a`, `a and b`, `a, b, c and 4 more`."""
    shown = list(names[:most])
    rest = len(names) - len(shown)
    if rest:
        return f"{', '.join(shown)} and {rest} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""
