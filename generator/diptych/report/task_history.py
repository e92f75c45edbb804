"""A task over all runs of an archive: its runs are gone through once, youngest first, and none is held."""

from array import array
from collections.abc import Mapping, Sequence

from diptych.report.configurations import Configuration, Series, series_of
from diptych.report.documents.summaries import NUMBERS, ScoreRow, score_rows
from diptych.report.histories import Kind, Range, Recent, TaskPage, Told, task_folder
from diptych.value_text import metric_name

MOST = 200
"""Runs of a series that are searched for a step, the youngest: an older one is no news, and each place costs as much
again."""


class Line:
    """What is gathered of the runs of one configuration, youngest first; `place` is its own among others."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.runs = 0
        self.latest: tuple[ScoreRow, ...] = ()
        self.items: int | None = None
        self.versions: dict[str | None, None] = {}
        self.nulls: frozenset[str] = frozenset()
        self.recent: dict[str, Recent] = {}

    def add(self, metrics: Sequence[str], place: int, values: "array[float]") -> None:
        """Take the scores of one more run."""
        self.runs += 1
        for start, name in zip(range(0, len(values), NUMBERS), metrics, strict=True):
            if values[start] == values[start]:  # not a number is none
                places, known = self.recent.get(name) or self.recent.setdefault(name, Recent(array("q"), array("d")))
                if len(places) < MOST:
                    places.append(place)
                    known.extend(values[start : start + NUMBERS])


def task_page(task: str, told: Told) -> TaskPage:
    """Return a task over all runs of an archive: they are gone through once, youngest first, and none is held."""
    lines: dict[Configuration, Line] = {}
    asked: dict[int, Line] = {}
    forms_of: dict[bytes, int] = {}
    kinds: list[Kind] = []
    metrics: dict[str, None] = {}
    leading, youngest = array("d"), None
    runs, own, forms, starts, values = array("q"), array("q"), array("q"), array("q"), array("d")
    for one in told.scored(task):
        if one.asked not in asked:
            key, nulls = told.asked(one.asked)
            asked[one.asked] = line = lines.setdefault(key, Line(len(lines)))
            line.nulls |= nulls
        if one.kind not in forms_of:
            forms_of[one.kind] = len(kinds)
            kinds.append(told.kind(one.kind))
            metrics |= dict.fromkeys(kinds[-1].metrics)
        line, form = asked[one.asked], forms_of[one.kind]
        line.add(kinds[form].metrics, len(runs), one.values)
        first = next(iter(metrics))
        if first in kinds[form].metrics:
            leading.append(one.values[NUMBERS * kinds[form].metrics.index(first)])
            youngest = youngest or one
            line.versions[one.version] = None
            if not line.latest:
                line.latest, line.items = tuple(score_rows(kinds[form].names, one.values)), kinds[form].items
        runs.append(one.run)
        own.append(line.place)
        forms.append(form)
        starts.append(len(values))
        values.extend(one.values)
    for each in (runs, own, forms, starts):
        each.reverse()
    span = range_of(next(iter(metrics)), leading, youngest.date if youngest else None)
    return numbered_page(task, told, tuple(metrics), lines, span, runs, own, (tuple(kinds), forms, starts, values))


def range_of(metric: str, values: "array[float]", date: str | None) -> Range:
    """Return the range of a metric's scores, which come youngest first (not a number is none)."""
    known = array("d", (value for value in values if value == value))
    latest = values[0] if values[0] == values[0] else None
    return Range(metric, len(values), latest, date, min(known, default=None), max(known, default=None))


def numbered_page(
    task: str,
    told: Told,
    metrics: tuple[str, ...],
    lines: Mapping[Configuration, Line],
    span: Range,
    runs: "array[int]",
    own: "array[int]",
    scores: "tuple[tuple[Kind, ...], array[int], array[int], array[float]]",
) -> TaskPage:
    """Return a task with its configurations numbered, the one that began first as number 1; runs come oldest first.

    `own` has the place of each run's configuration among `lines`.
    """
    keys = list(lines)
    order = [keys[place] for place in dict.fromkeys(own)]
    number = {key: place for place, key in enumerate(order, 1)}
    numbers = array("q", (number[keys[place]] for place in own))
    before, last = array("q"), dict.fromkeys(number.values(), -1)
    for place, each in enumerate(numbers):
        before.append(last[each])
        last[each] = place
    recent = {(name, number[key]): found for name in metrics for key in order if (found := lines[key].recent.get(name))}
    repeats = tuple(
        (name, number[key], scores) for name, key, scores in told.repeated(task) if key in number and name in metrics
    )
    configurations = tuple(known_series(series, lines[series.key], metrics) for series in series_of(order))
    return TaskPage(
        task, task_folder(task), told, metrics, configurations, span, runs, numbers, before, *scores, recent, repeats
    )


def known_series(series: Series, line: Line, metrics: Sequence[str]) -> Series:
    """Return a configuration with what was gathered of its runs."""
    scores = {metric_name(row.metric, row.filter): row for row in line.latest}
    return series._replace(
        nulls=line.nulls.intersection(series.order),
        runs=line.runs,
        versions=tuple(line.versions),
        latest=tuple(scores[name] for name in metrics if name in scores),
        items=line.items,
    )
