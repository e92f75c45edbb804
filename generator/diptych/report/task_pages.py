"""A task over time, ready to be placed: points, their plot, and what changed from run to run."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from diptych import numbers, value_text
from diptych.catalogue.settings import rank_of
from diptych.catalogue.words import setting_word
from diptych.fast_named_tuple import NamedTuple
from diptych.report.addresses import relative, root_of, slug
from diptych.report.archive_frames import paged
from diptych.report.charts.timeline import PointWords, TimePoint, timeline
from diptych.report.configurations import Series
from diptych.report.documents.summaries import ScoreRow, starred_error
from diptych.report.documents.suspect_tables import whole_or_hash
from diptych.report.histories import Point, Step, TaskPage, TaskPart
from diptych.report.history_step_words import CHANGES, Sought, is_significant_step, search_words, told_step
from diptych.report.writers.escape import Markup
from diptych.report.writers.harmless import shorten
from diptych.report.writers.lists import HistoryRow, history_rows

APART = 8
"""Settings that tell configurations apart; the rest is named."""

MUCH = 0.05
"""From this difference on the score of another filter stands beside the first one's."""

SHORT = 20
"""Characters of the values of a setting that has a column although others tell the configurations apart."""

VALUE = 40
"""Characters of a setting's value in the table of configurations."""


MOST_COLUMNS = 10
"""Columns that the style of a phone's table knows."""


class SeriesView(NamedTuple):
    """One metric of a task: its plot (where two runs or more have a score), and what steps it has."""

    name: str
    anchor: str
    chart: Markup | None
    caption: str
    sought: tuple[Sought, ...]


class LinesView(NamedTuple):
    """Configurations as rows of a number and values, under what each column holds."""

    settings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    note: str


class Dated(NamedTuple):
    """A run with its page and its date."""

    label: str
    href: str
    day: str


class StepView(NamedTuple):
    """What changed before a run; where the same changed before each of several in a row, the first and the last."""

    first: Dated
    last: Dated | None
    runs: str
    line: str
    changes: tuple[tuple[str, str, str], ...]
    more: str
    note: str


class Part(NamedTuple):
    """One page of a task; `still` counts the runs before which nothing changed, `columns` what follows a run's name."""

    lead: str
    lines: LinesView
    series: tuple[SeriesView, ...]
    metrics: tuple[str, ...]
    columns: int
    rows: "Markup"
    ours: str
    steps: tuple[StepView, ...]
    still: str


def page_parts(task: TaskPage) -> Iterator[tuple[str, Part, list[tuple[str, str, bool]]]]:
    """Yield (page, what it shows, links to the other pages), the youngest runs on the first page."""
    runs = len(task.runs)
    for page, places, links in paged(range(runs)[::-1], f"{task.folder}/"):
        here = task.part(places[-1], places[0] + 1)
        views = [series_view(task, name, points, here) for name, points in here.series]
        captions = {view.caption for view in views[:1]}
        series = tuple(views[:1]) + tuple(
            view._replace(caption="") if view.caption in captions else view for view in views[1:]
        )
        numbers_here = set(here.lines.values())
        lines = lines_view([line for line in task.configurations if line.number in numbers_here], task.metrics[0])
        moved = [step for step in here.steps if step.changes != ()]
        told = tuple(step_view(alike, line, page) for line, alike in runs_of_steps(moved, here.lines))
        rows = run_rows(here, page)
        ours = numbers.OURS if "*</small>" in rows else ""
        still = still_text(len(here.steps) - len(moved))
        yield (
            page,
            Part(
                lead_line(task, runs),
                lines,
                series,
                tuple(name for name, _ in here.series),
                min(len(here.series) + 2, MOST_COLUMNS),
                rows,
                ours,
                told,
                still,
            ),
            links,
        )


def still_text(count: int) -> str:
    """Return how many runs differ in no recorded setting from the one before, "" for none."""
    if not count:
        return ""
    verb = "differs" if count == 1 else "differ"
    return f"{numbers.counted(count, 'run')} {verb} in no recorded setting from the run before of its configuration."


def run_rows(here: TaskPart, page: str) -> "Markup":
    """Return a row a run, oldest first, with its score in each metric; its model, harness and place where needed."""
    found = [{point.folder: point for point in points} for _, points in here.series]
    first_known = {folder: point for points in reversed(found) for folder, point in points.items()}
    firsts = {folder: first_known[folder] for folder in here.folders}
    labels = Counter(point.label for point in firsts.values())
    several = len({point.model for point in firsts.values()}) > 1
    versions = len({point.version for point in firsts.values()})
    up, rows = root_of(page), []
    for folder, point in firsts.items():
        apart = [point.model] if several else []
        apart += [f"harness {point.version or value_text.NOT_RECORDED}"] if versions > 1 else []
        apart += [point.source] if labels[point.label] > 1 else []
        more = " · ".join(filter(None, apart))
        day = value_text.date(point.date)
        rows.append(HistoryRow(f"{up}{folder}/index.html", point.label, more, str(here.lines[folder]), day))
    return history_rows(rows, [scores_and_errors([points.get(folder) for folder in firsts]) for points in found])


def scores_and_errors(points: Sequence[Point | None]) -> list[tuple[str, str]]:
    """Return scores with their errors, both empty for a run that has none."""
    rows = [point.score for point in points if point]
    values = [row.value for row in rows]
    others = (
        [row.stderr for row in rows],
        [row.ours for row in rows],
        [row.low for row in rows],
        [row.high for row in rows],
    )
    told = zip(numbers.scores(values), numbers.errors(values, *others), strict=True)
    return [next(told) if point else ("", "") for point in points]


def lead_line(task: TaskPage, runs: int) -> str:
    """Return the line under the title."""
    kinds = numbers.counted(len(task.configurations), "configuration")
    return (
        f"{numbers.counted(runs, 'run')} of {kinds}, placed by date, with a standard error where one is known. A "
        "line joins runs of one configuration: the same model, prompts, sampling and items; versions, seeds and "
        "machines may differ. Configurations are numbered by their first run."
    )


def lines_view(lines: Sequence[Series], metric: str) -> LinesView:
    """Return configurations by the settings that tell them apart; no row where there is one alone.

    Other settings that differ stand beside those where they are short, and the harness where its version differs.
    The first metric has a column.
    """
    own = [dict(line.apart) for line in lines]
    names = lines[0].order if lines else ()
    least = next(
        (n for n in range(1, APART + 1) if len(set(map(tuple, settings_in_words(own, names[:n])))) == len(own)), APART
    )
    short = [name for name in names[least:] if not names_model(name) and longest(own, name) <= SHORT]
    told = [*names[:least], *short[: APART - least]]
    named = MODEL_NAME in told
    left = [name for name in names if name not in told and not (named and names_model(name))]
    rest = numbers.listed([setting_word(name) for name in left], 8)
    versions = [versions_of(line) for line in lines]
    harness = len(set(versions)) > 1
    rows = tuple(
        (
            str(line.number),
            (
                *latest(line),
                *([version] if harness else []),
                *(value or absent(name, line) for name, value in zip(told, values, strict=True)),
                numbers.count(line.runs),
            ),
        )
        for line, values, version in zip(lines, settings_in_words(own, told), versions, strict=True)
    )
    note = f"These differ between them, too: {rest}." if rest else ""
    heads = (f"latest {metric}", "items", *(["harness"] if harness else []), *map(column_word, told), "runs")
    return LinesView(heads, rows if len(rows) > 1 else (), note)


MODEL_NAME = "model name"
"""What a configuration calls the model, whatever setting named it."""


def column_word(name: str) -> str:
    """Return what heads a setting's column; `model` names the harness's backend, which its name does not say."""
    return "model (backend)" if name == "model" else setting_word(name)


def absent(name: str, line: Series) -> str:
    """Return what stands for a setting that a configuration has no value of: off, or that no run recorded one."""
    if name in line.nulls:
        return value_text.setting(name, None)
    return value_text.NOT_GIVEN if "." in name else value_text.NOT_RECORDED


def versions_of(line: Series) -> str:
    """Return the versions of the harness that made the runs of a configuration, the latest first."""
    found = [version or value_text.NOT_RECORDED for version in line.versions]
    return numbers.listed(list(dict.fromkeys(found)), 3)


def names_model(name: str) -> bool:
    """Say whether a setting only names the model again, which has a column of its own."""
    return rank_of(name)[1].model


def longest(own: Sequence[Mapping[str, str]], name: str) -> int:
    """Return how many characters a column of a setting takes."""
    return max(len(setting_word(name)), *(len(values[0]) for values in settings_in_words(own, [name])))


def latest(line: Series) -> tuple[str, str]:
    """Return the first metric's score of the latest run of a configuration, and over how many items it is.

    Where another filter finds much else in the same responses, its score stands beside it.
    """
    if not line.latest:
        return "", ""
    first, *others = line.latest
    told = [
        f"{one.filter} {numbers.score(one.value)}"
        for one in others
        if one.metric == first.metric and first.value is not None and one.value is not None
        if abs(one.value - first.value) >= MUCH
    ]
    beside = f" ({numbers.listed(told, 2)})" if told else ""
    return f"{numbers.score(first.value)}{beside}", numbers.count(line.items) if line.items is not None else ""


def settings_in_words(own: Sequence[Mapping[str, str]], names: Sequence[str]) -> list[list[str]]:
    """Return some settings of each configuration in words, "" where one has none."""
    return [[cell_value(settings[name]) if name in settings else "" for name in names] for settings in own]


def cell_value(text: str) -> str:
    """Return a setting's value as a cell holds it: a long one by its hash."""
    told = whole_or_hash(text, VALUE if " " in text else 2 * VALUE)
    return shorten(told if told == text else told.rpartition(", ")[2], VALUE)


def series_view(task: TaskPage, name: str, points: Sequence[Point], here: TaskPart) -> SeriesView:
    """Return one metric of a task, with the runs of one page."""
    known = [point for point in points if point.score.value is not None]
    chart = metric_plot(task, name, known, here) if len(known) > 1 else None
    own = {here.lines[point.folder] for point in points}
    ranges = any("–" in starred_error(point.score) for point in points if not point.score.stderr)
    caption = (
        "A dot is a run, its bar one standard error to each side; a run without a bar gave none. "
        + ("Of a score of exactly 0 or 1 the bar is the 95 % CI. " if ranges else "")
        + "A line and its number are a configuration. A short upright line stands where a setting differs from the run "
        "before on the same line; the list below names it. A long one stands where a step is significant."
    )
    sought = tuple(
        search_words(line.number, found, points)
        for line in task.configurations
        if (found := task.tested.get((name, line.number))) and line.number in own
    )
    return SeriesView(name, f"metric-{slug(name)}", chart, caption, sought)


def metric_plot(task: TaskPage, name: str, points: Sequence[Point], here: TaskPart) -> Markup:
    """Return the plot of one metric: a point a run with its standard error, a line a configuration."""
    moved = {step.folder: len(step.changes) for step in here.steps if step.changes}
    stepped = {
        found.step.after: told_step(found.step, points)
        for (metric, _), found in task.tested.items()
        if metric == name and found.step and is_significant_step(found.step)
    }
    marks = []
    for point in points:
        low, high = bar_ends(point.score)
        line, step = here.lines[point.folder], stepped.get(point.folder, "")
        marks.append(TimePoint(point, point.score.value or 0.0, low, high, moved.get(point.folder, 0), line, step))
    return timeline(marks, words_of_point, width=min(1100, max(480, 90 * len(marks))))


def words_of_point(point: Point) -> PointWords:
    """Return what a plot says of a run where it names it."""
    return PointWords(shorten(point.label, 40), value_text.date(point.date), starred_error(point.score))


def bar_ends(score: ScoreRow) -> tuple[float, float]:
    """Return the ends of a score's bar: one standard error to each side, or its range where it is exactly 0 or 1."""
    value = score.value or 0.0
    error = score.stderr if score.stderr is not None else score.ours
    if not error and score.low is not None and score.high is not None:
        return score.low, score.high
    return value - (error or 0.0), value + (error or 0.0)


def runs_of_steps(steps: Iterable[Step], lines: Mapping[str, int]) -> list[tuple[int, list[Step]]]:
    """Return steps with the number of their configuration, those in a row that changed the same together."""
    found: list[tuple[int, list[Step]]] = []
    for step in steps:
        line = lines.get(step.folder, 0)
        if found and found[-1][0] == line and found[-1][1][0].changes == step.changes:
            found[-1][1].append(step)
        else:
            found.append((line, [step]))
    return found


def step_view(alike: Sequence[Step], line: int, page: str) -> StepView:
    """Return what changed before one run, or before each of several in a row, in words."""
    step = alike[0]
    first, last = (
        Dated(each.run, relative(f"{each.folder}/index.html", page), value_text.date(each.date))
        for each in (step, alike[-1])
    )
    changes = step.changes or ()
    shown = tuple((name, shorten(before, 80), shorten(after, 80)) for name, before, after in changes[:CHANGES])
    more = len(changes) - len(shown)
    unknown = "Nobody compared it with the run before, and the artifacts do not keep all its settings."
    return StepView(
        first=first,
        last=last if len(alike) > 1 else None,
        runs=numbers.counted(len(alike), "run"),
        line=str(line),
        changes=shown,
        more=f"and {numbers.counted(more, 'further setting')}" if more > 0 else "",
        note=unknown if step.changes is None else "",
    )
