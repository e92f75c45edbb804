"""A task over time, ready to be placed: points, their plot, and what changed from run to run."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from diptych import numbers
from diptych.report.addresses import relative, slug
from diptych.report.archive_frames import paged
from diptych.report.charts import plots as charts
from diptych.report.documents.summaries import ScoreRow, error_of
from diptych.report.histories import Point, Step, TaskPage
from diptych.report.writers.harmless import shorten

if TYPE_CHECKING:
    from markupsafe import Markup

CHANGES = 12
"""Settings that one step lists; the rest is counted."""


class PointRow(NamedTuple):
    """One run's score in the table below a plot."""

    label: str
    href: str
    source: str
    model: str
    day: str
    score: str
    stderr: str


class SeriesView(NamedTuple):
    """One metric of a task: its plot (where two runs or more have a score) and its table."""

    name: str
    anchor: str
    chart: "Markup | None"
    caption: str
    rows: tuple[PointRow, ...]
    ours: str


class StepView(NamedTuple):
    """What changed before a run."""

    label: str
    href: str
    day: str
    changes: tuple[tuple[str, str, str], ...]
    more: str
    note: str


class Part(NamedTuple):
    """One page of a task."""

    lead: str
    series: tuple[SeriesView, ...]
    steps: tuple[StepView, ...]


def parts_of(task: TaskPage) -> Iterator[tuple[str, Part, list[tuple[str, str, bool]]]]:
    """Yield (page, what it shows, links to the other pages), the youngest runs on the first page."""
    order: dict[str, None] = {}
    for _, points in task.series:
        order |= dict.fromkeys(point.folder for point in points)
    dates = {point.folder: point.date or "" for _, points in task.series for point in points}
    runs = sorted(order, key=lambda folder: (dates[folder], folder), reverse=True)
    for page, folders, links in paged(runs, f"{task.folder}/"):
        here = set(folders)
        steps = [step for step in task.steps if step.folder in here]
        moved = {step.folder: len(step.changes) for step in steps if step.changes}
        series = tuple(
            view
            for name, points in task.series
            if (view := series_view(name, [point for point in points if point.folder in here], moved, page)).rows
        )
        yield page, Part(lead(task, len(runs)), series, tuple(step_view(step, page) for step in steps)), links


def lead(task: TaskPage, runs: int) -> str:
    """Return the line under the title."""
    return (
        f"{numbers.counted(runs, 'run')}, placed by date, each with its own standard error. "
        "Runs of other settings stand beside each other here: a step is not yet a cause."
    )


def series_view(name: str, points: Sequence[Point], moved: Mapping[str, int], page: str) -> SeriesView:
    """Return one metric of a task."""
    rows = tuple(
        PointRow(
            label=point.label,
            href=relative(f"{point.folder}/index.html", page),
            source=point.source,
            model=point.model or numbers.NOT_RECORDED,
            day=numbers.date(point.date),
            score=numbers.score(point.score.value),
            stderr=error_of(point.score),
        )
        for point in points
    )
    placed = [point for point in points if point.score.value is not None]
    chart = drawn(placed, moved, page) if len(placed) > 1 else None
    ranges = any("*" in row.stderr and "–" in row.stderr for row in rows)
    caption = (
        "A dot is a run, its bar one standard error to each side; a run without a bar gave none. "
        + ("Of a score of exactly 0 or 1 the bar is the 95 % range. " if ranges else "")
        + "An upright line stands where a setting differs from the run before; the list below names it."
    )
    ours = numbers.OURS if any("*" in row.stderr for row in rows) else ""
    return SeriesView(name, f"metric-{slug(name)}", chart, caption, rows, ours)


def drawn(points: Sequence[Point], moved: Mapping[str, int], page: str) -> "Markup":
    """Return the plot of one metric: a point a run with its standard error, an upright line where settings changed."""
    marks = [
        charts.TimePoint(
            label=shorten(point.label, 40),
            date=numbers.date(point.date),
            value=point.score.value or 0.0,
            low=ends_of(point.score)[0],
            high=ends_of(point.score)[1],
            error=error_of(point.score),
            href=relative(f"{point.folder}/index.html", page),
            changes=moved.get(point.folder, 0),
        )
        for point in points
    ]
    return charts.timeline(marks, width=min(1100, max(480, 90 * len(marks))))


def ends_of(score: ScoreRow) -> tuple[float, float]:
    """Return the ends of a score's bar: one standard error to each side, or its range where it is exactly 0 or 1."""
    value = score.value or 0.0
    error = score.stderr if score.stderr is not None else score.ours
    if not error and score.low is not None and score.high is not None:
        return score.low, score.high
    return value - (error or 0.0), value + (error or 0.0)


def step_view(step: Step, page: str) -> StepView:
    """Return what changed before one run, in words."""
    changes = step.changes or ()
    shown = tuple((name, shorten(before, 80), shorten(after, 80)) for name, before, after in changes[:CHANGES])
    more = len(changes) - len(shown)
    unknown = "Nobody compared it with the run before, and the artifacts do not keep all its settings."
    return StepView(
        label=step.run,
        href=relative(f"{step.folder}/index.html", page),
        day=numbers.date(step.date),
        changes=shown,
        more=f"and {numbers.counted(more, 'further setting')}" if more > 0 else "",
        note=unknown if step.changes is None else "No recorded setting differs from the run before.",
    )
