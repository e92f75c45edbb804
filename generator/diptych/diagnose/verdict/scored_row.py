"""One row of scores in words: its difference with its interval, its counts, and why it has no word."""

from collections.abc import Sequence

from diptych.catalogue.row_words import counts_in_words, gap_in_words, tested_first
from diptych.diagnose.scores.sentences import over_of
from diptych.estimates import ALPHA, MetricComparison, best_estimate, gap_of
from diptych.metric_key import MetricKey
from diptych.numbers import amount, counted, p_text, size
from diptych.numbers import interval as interval_text
from diptych.value_text import metric_name

MOVED = ("better", "worse")


def scored(
    row: MetricComparison, beside: Sequence[MetricComparison] = (), alone: frozenset[MetricKey] = frozenset()
) -> str:
    """Return a row's difference with its interval and counts: `dip_arith: exact_match −15.3 pp (…), 27 regressed`.

    `beside` are the rows that its interval may be adjusted over; of those `alone` no other filter says the same.
    """
    return f"{row.task}: {by_metric_text(row, beside, ' alone' if row.key in alone else '')}"


def by_metric_text(row: MetricComparison, beside: Sequence[MetricComparison] = (), alone: str = "") -> str:
    """Return a metric with its difference, interval and counts, without its task; its filter may stand `alone`."""
    found, share = best_estimate(row), row.in_points
    name, value = metric_name(row.metric, f"{row.filter}{alone}"), gap_of(row)
    if value is None:
        return f"{name} by an unknown amount"
    if found is None:
        return f"{name} {amount(value, share)}"
    return f"{name} {gap_in_words(row)}{bracketed_interval(row, beside)}{flips(row)}{negligible(row)}"


def shown_metric(row: MetricComparison, beside: Sequence[MetricComparison], short: bool) -> str:
    """Return a metric with its difference, and where it is not to be `short` with its CI and counts."""
    if short:
        return f"{metric_name(row.metric, row.filter)} {gap_in_words(row)}"
    return by_metric_text(row, beside)


def negligible(row: MetricComparison) -> str:
    """Return that a significant difference lies within the margin, "" elsewhere."""
    found = best_estimate(row)
    if found is None or found.margin is None or "negligible" not in found.flags or row.status not in MOVED:
        return ""
    return f", within the margin of {f'±{size(found.margin)} pp' if row.in_points else f'{found.margin:.3g}'}"


def bracketed_interval(row: MetricComparison, beside: Sequence[MetricComparison]) -> str:
    """Return the confidence interval in brackets, with its level and what it is adjusted over."""
    found = best_estimate(row)
    if found is None or found.low is None or found.high is None:
        return ""
    over = over_of(row, found, tested_first(beside))
    return f" ({interval_text(found.low, found.high, row.in_points, found.confidence, over)})"


def flips(row: MetricComparison) -> str:
    """Return how many items regressed and were fixed, where the metric says right or wrong."""
    found = best_estimate(row)
    if found is None or not found.pairs:
        return ""
    changed, tied = counts_in_words(row), found.clusters is not None and found.clusters < found.pairs
    units = f" in {found.clusters:,} clusters" if tied else ""
    return f", {changed} of {found.pairs:,}{units}" if changed else f" on {counted(found.pairs, 'item')}{units}"


def borderline(row: MetricComparison) -> str:
    """Return why a row has no word although its range leaves out 0, or its p-value lies below alpha; "" elsewhere."""
    found = best_estimate(row)
    if found is None or row.status != "unclear" or found.low is None or found.high is None:
        return ""
    p = found.p_value if found.p_adjusted is None else found.p_adjusted
    apart, rejected = not found.low <= 0 <= found.high, p is not None and p < ALPHA
    if p is None or not (apart or rejected):
        return ""
    if apart and rejected:
        return f", not judged: {row.reason}" if row.reason else ""
    told = "the CI leaves out 0, the test does not reject" if apart else "the test rejects, the CI holds 0"
    return f", borderline: {told} ({p_text(p)})"
