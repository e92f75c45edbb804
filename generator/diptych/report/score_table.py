"""The score table as HTML, a forest plot beside it row by row; put together in Python, where it costs a fifth."""

from collections import Counter
from collections.abc import Sequence

from diptych.comparison import Comparison, MetricComparison
from diptych.numbers import metric_name
from diptych.report import figures
from diptych.report.charts import plots as charts
from diptych.report.charts.plots import ForestRow, Scale
from diptych.report.documents.comparison import CROWD, ScoreView, is_told, score_views
from diptych.report.writers.html import Markup, esc

MANY = 16
"""Rows from which on the plot also stands alone above the table, where a screen holds all of it."""


def forest_row(row: MetricComparison) -> ForestRow | None:
    """Return a metric as a row of the forest plot, or None where it has no range in points."""
    estimate = row.estimate
    if estimate is None or not figures.in_points(row.a, row.b, row.higher_is_better):
        return None
    centre = estimate.difference if estimate.difference is not None else row.difference
    if centre is None or estimate.low is None or estimate.high is None:
        return None
    name = f"{row.task} {metric_name(row.metric, row.filter)}"
    told = f"{figures.points(centre)}, range {figures.between(estimate.low, estimate.high, True)}"
    return ForestRow(
        name,
        centre,
        estimate.low,
        estimate.high,
        estimate.pairs,
        row.status,
        row.status in ("better", "worse"),
        estimate.margin,
        row.noise_floor.floor if row.noise_floor else None,
        told,
    )


def forest_rows(comparison: Comparison) -> list[ForestRow]:
    """Return every metric that can be drawn, in the table's order."""
    rows = (forest_row(row) for row in comparison.metrics)
    return [row for row in rows if row is not None]


def forest_of(drawn: list[ForestRow]) -> Markup:
    """Return the plot of many differences; of a crowd the real and the largest ones, and how many those are."""
    if len(drawn) <= MANY:
        return Markup("")
    ranked = sorted(drawn, key=lambda row: (not row.real, -abs(row.difference), row.name))[:CROWD]
    shown = [row for row in drawn if row in ranked]
    told = "" if len(shown) == len(drawn) else f"<p>The {len(shown)} largest of {len(drawn)} differences.</p>"
    return charts.forest(shown) + Markup(told)


def score_table(comparison: Comparison) -> Markup:
    """Return the score table; each row's "how" leads to its sentence further down the page."""
    drawn = [forest_row(row) for row in comparison.metrics]
    plotted = [row for row in drawn if row is not None] if len(drawn) <= CROWD else []
    scale = charts.forest_scale(plotted)
    largest = max((row.pairs or 1 for row in plotted), default=1)
    views, common = without_common_reason(score_views(comparison))
    texts = ([view.a for view in views], [view.b for view in views], [view.difference for view in views])
    columns = [figures.align(column) for column in texts]
    rows = []
    for number, (view, row) in enumerate(zip(views, drawn, strict=True)):
        first = not number or view.task != views[number - 1].task
        numbers = [column[number] for column in columns]
        rows.append(
            score_row(view, numbers, row, number, first, scale, largest, bool(plotted), is_told(view, len(views)))
        )
    ours = any("*" in view.a_error + view.b_error for view in views)
    return Markup(f"{table_head(scale if plotted else None, ours)}<tbody>{''.join(rows)}</tbody></table></div>{common}")


def without_common_reason(views: Sequence[ScoreView]) -> tuple[list[ScoreView], str]:
    """Return the rows, and in a crowd of them the commonest reason said once below instead of on each of its rows."""
    counts = Counter(view.reason for view in views if view.reason)
    if len(views) <= CROWD or not counts:
        return list(views), ""
    reason, count = counts.most_common(1)[0]
    told = f'<p class="lead">{figures.plural(count, "row")} without a reason beside them: {esc(reason)}.</p>'
    return [view._replace(reason="") if view.reason == reason else view for view in views], told


def table_head(scale: Scale | None, ours: bool) -> str:
    """Return the table's beginning up to its body."""
    plot = (
        f'<th scope="col"><span class="hidden-text">Plot in points</span>{charts.forest_axis(scale)}</th>'
        if scale
        else ""
    )
    told = (
        "B − A in points where both scores are fractions, else in the metric's own unit; with its 95 % range. "
        + (
            "A square is larger for more items and hollow where the difference is not real; "
            "the grey band is the margin within which scores count as the same. "
            if scale
            else ""
        )
        + (figures.OURS if ours else "")
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Table of scores"><table class="scores">'
        f'<caption><span class="fit">{told.strip()}</span></caption>'
        '<thead><tr><th scope="col">Task and metric</th><th scope="col">Verdict</th>'
        '<th scope="col" class="num">A</th>'
        f'<th scope="col" class="num">B</th><th scope="col" class="num">B − A</th>{plot}'
        '<th scope="col">Range, items</th></tr></thead>'
    )


def score_row(
    view: ScoreView,
    numbers: Sequence[str],
    row: ForestRow | None,
    number: int,
    first: bool,
    scale: Scale,
    largest: int,
    plotted: bool,
    told: bool,
) -> str:
    """Return one metric as a row, and a second one for the reason behind a missing or cautious number."""
    task = f'<span class="task">{esc(view.task)}</span><br>' if first else ""
    group = ' <span class="tag">group</span>' if view.place == "group" else ""
    task = task.replace("<br>", f"{group}<br>")
    plot = ""
    if plotted:
        plot = f'<td class="plot">{charts.forest_cell(row, scale, largest) if row else ""}</td>'
    a, b, gap = numbers
    p = "" if view.p == figures.NOT_AVAILABLE else f"p {view.p}" if view.p.startswith("<") else f"p = {view.p}"
    how = f'<a class="how" href="#how-{number + 1}">how</a>' if told else ""
    below = f"<br><small>{esc(p)} {how}</small>" if p or how else ""
    between = "" if view.between == figures.NOT_AVAILABLE else view.between
    kinds = f"{view.tone} {view.place} {'noted' if view.reason else ''}".strip()
    body = (
        f'<tr class="{kinds}" id="score-{number + 1}"><th scope="row">{task}'
        f'<span class="metric">{esc(view.metric)}</span></th>'
        f'<td class="nowrap"><span class="word {view.tone}">{view.sign} {view.word}</span>{below}</td>'
        f'<td class="num">{esc(a)}{small(view.a_error)}</td><td class="num">{esc(b)}{small(view.b_error)}</td>'
        f'<td class="num strong">{esc(gap)}</td>{plot}'
        f'<td class="nowrap">{esc(between)}{small(view.counts, bool(between))}</td></tr>'
    )
    if view.reason:
        body += f'<tr class="note"><td colspan="{7 if plotted else 6}"><small>{esc(view.reason)}</small></td></tr>'
    return body


def small(text: str, below: bool = True) -> str:
    """Return a quieter line below a number, or nothing."""
    return f"{'<br>' if below else ''}<small>{esc(text)}</small>" if text else ""
