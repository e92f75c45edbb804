"""The score tables of a comment: real changes open on one axis, the rest folded, every row with its word and sign."""

from collections.abc import Sequence

from diptych.comparison import Comparison, MetricComparison, best_estimate
from diptych.report import figures
from diptych.report.comment.budget import Block
from diptych.report.comment.words import NO_BREAK, chart, reach_of, row, table_head
from diptych.report.documents.comparison import STATUS_WORDS
from diptych.report.writers.markdown import cell, plain, shorten

STATUS_SIGNS = {"worse": "▼", "better": "▲", "same": "≈", "unclear": "?", "not_available": "–"}


def ranked(comparison: Comparison, *statuses: str) -> list[MetricComparison]:
    """Return the metrics of some statuses: tasks before groups, the main metric first, the largest change first."""
    rows = [metric for metric in comparison.metrics if metric.status in statuses]
    return sorted(rows, key=lambda metric: (metric.group, not metric.primary, -size_of(metric), metric.task))


def size_of(metric: MetricComparison) -> float:
    """Return how large a change is, so that points and other units can stand in one order."""
    if metric.difference is None:
        return 0.0
    if figures.in_points(metric.a, metric.b, metric.higher_is_better):
        return abs(metric.difference)
    return abs(metric.difference) / max(abs(metric.a or 0.0), abs(metric.b or 0.0), 1e-12)


def worst_of(metric: MetricComparison) -> str:
    """Return one change in a few words for the overview."""
    said = figures.difference(metric.difference, in_points(metric))
    return f"{STATUS_SIGNS[metric.status]} {cell(metric.task, 40)} {said}"


def in_points(metric: MetricComparison) -> bool:
    """Say whether a metric's differences are told in points."""
    return figures.in_points(metric.a, metric.b, metric.higher_is_better)


def changes(comparison: Comparison) -> tuple[Block, ...]:
    """Return the real changes: the worse ones, then the better ones, on one axis."""
    worse, better = ranked(comparison, "worse"), ranked(comparison, "better")
    reach = reach_in(worse + better)
    head = score_head(reach)
    return (
        Block("worse", "worse rows", rows_of(worse, reach), title="**Worse**", head=head, least=10),
        Block("better", "better rows", rows_of(better, reach), title="**Better**", head=head),
    )


def scores(comparison: Comparison) -> tuple[Block, ...]:
    """Return the scores that did not move for real, folded."""
    unclear, same = ranked(comparison, "unclear"), ranked(comparison, "same")
    absent = ranked(comparison, "not_available")
    return (
        Block(
            "unclear",
            "unclear rows",
            rows_of(unclear, reach_in(unclear)),
            title=f"Cannot tell ({len(unclear)})",
            fold=True,
            head=score_head(reach_in(unclear)),
        ),
        Block(
            "unchanged",
            "unchanged rows",
            rows_of(same, reach_in(same)),
            title=f"The same within the margin ({len(same)})",
            fold=True,
            head=score_head(reach_in(same)),
        ),
        Block(
            "unclear",
            "rows without a value",
            tuple(reported_row(metric) for metric in absent),
            title=f"Not available ({len(absent)})",
            fold=True,
            head=table_head("Task", "Metric", ":A", ":B", "Why"),
        ),
    )


def as_reported(comparison: Comparison) -> tuple[Block, ...]:
    """Return the scores of runs that may not be compared: as they were reported, without a difference."""
    rows = sorted(comparison.metrics, key=lambda metric: (metric.group, not metric.primary, metric.task))
    return (
        Block(
            "unclear",
            "reported scores",
            tuple(reported_row(metric) for metric in rows),
            title=f"Scores as reported, not to be compared ({len(rows)})",
            fold=True,
            head=table_head("Task", "Metric", ":A", ":B", "Why"),
        ),
    )


def reported_row(metric: MetricComparison) -> str:
    """Return a row of both scores without a difference."""
    a = figures.score(metric.a) if metric.a_present else "not scored"
    b = figures.score(metric.b) if metric.b_present else "not scored"
    return row(cell(metric.task, 60), metric_cell(metric), a, b, running_cell(metric.reason or ""))


def running_cell(text: str) -> str:
    """Return a sentence for a table cell."""
    return plain(shorten(text, 240))


def score_head(reach: float) -> str:
    """Return the head of a table of differences; the chart's column names the ends of its axis."""
    end = figures.points(reach, unit=False).lstrip("+").removesuffix(".0")
    axis = f"{figures.MINUS}{end} … +{end}" if reach else " "
    return table_head("Task", "Metric", ":A", ":B", ":Difference, 95 % range", axis, ":p")


def reach_in(rows: Sequence[MetricComparison]) -> float:
    """Return how far the axis of these rows reaches; other units than points have no chart."""
    bounds: list[float | None] = []
    for metric in rows:
        if in_points(metric):
            estimate = best_estimate(metric)
            bounds += [metric.difference, *((estimate.low, estimate.high) if estimate else ())]
    return reach_of(bounds)


def rows_of(metrics: Sequence[MetricComparison], reach: float) -> tuple[str, ...]:
    """Return table rows of differences."""
    return tuple(score_row(metric, reach) for metric in metrics)


def score_row(metric: MetricComparison, reach: float) -> str:
    """Return one difference as a table row: sign and word, scores, range, chart, p."""
    estimate, points = best_estimate(metric), in_points(metric)
    low, high = (estimate.low, estimate.high) if estimate else (None, None)
    p = (estimate.p_adjusted if estimate.p_adjusted is not None else estimate.p_value) if estimate else None
    sign = f"{STATUS_SIGNS.get(metric.status, '?')} {word_of(metric)}"
    moved = [figures.difference(metric.difference, points)]
    moved += [figures.between(low, high, points)] if low is not None and high is not None else []
    return row(
        f"{sign}<br>{cell(metric.task, 60)}{' (group)' if metric.group else ''}",
        metric_cell(metric),
        figures.score(metric.a),
        figures.score(metric.b),
        "<br>".join(moved).replace(" ", NO_BREAK),
        chart(metric.difference, low, high, reach) if points else "",
        figures.p_value(p).replace(" ", NO_BREAK),
    )


def word_of(metric: MetricComparison) -> str:
    """Return a row's word; where it cannot be told, also which way the reported scores point."""
    if metric.status != "unclear" or not metric.difference or metric.higher_is_better is None:
        return STATUS_WORDS.get(metric.status, "no known status")
    return f"cannot tell, points to {'better' if (metric.difference > 0) == metric.higher_is_better else 'worse'}"


def metric_cell(metric: MetricComparison) -> str:
    """Return a metric's name, with its filter where there is one."""
    name = cell(metric.metric, 40)
    return name if metric.filter in ("", "none") else f"{name} {cell(metric.filter, 40)}"
