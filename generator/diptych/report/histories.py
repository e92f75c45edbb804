"""What many artifacts say together: a run with all its uses, a task with all its runs and what changed between them."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from diptych import value_text
from diptych.fast_named_tuple import NamedTuple
from diptych.report.addresses import folder_name
from diptych.report.configurations import Configuration, Series, series_of
from diptych.report.documents.summaries import NUMBERS, RunSummary, ScoreName, ScoreRow, Scores, score_rows
from diptych.value_text import metric_name

FIRST = (
    "chat_template",
    "system_instruction",
    "fewshot_as_multiturn",
    "num_fewshot",
    "gen_kwargs",
    "model",
    "model_args",
    "limit",
    "batch_size",
)
"""The settings that a list of changes begins with."""


class Use(NamedTuple):
    """An artifact that a run is part of."""

    title: str
    folder: str
    kind: str
    said: str
    sign: str
    tone: str
    date: str | None


class RunPage(NamedTuple):
    """A run as all artifacts together show it: `used` counts those that it is part of, `uses` are the latest."""

    folder: str
    run: RunSummary
    labels: tuple[str, ...]
    uses: tuple[Use, ...]
    used: int


class Step(NamedTuple):
    """What changed from one run to the next younger one: (setting, before, after); None where nobody recorded it."""

    date: str | None
    run: str
    folder: str
    changes: tuple[tuple[str, str, str], ...] | None


class Point(NamedTuple):
    """One score of one run, placed by the run's date."""

    folder: str
    label: str
    model: str | None
    date: str | None
    source: str
    score: ScoreRow
    items: int | None = None
    version: str | None = None


class LevelStep(NamedTuple):
    """The likeliest step in a series: the run before it and the first run after it, its size, and its p-values.

    `p` counts that every place was looked at, `p_adjusted` that several series were (Holm). `labels` name both runs;
    `changes` are what differs between the second one and the run before it.
    """

    before: str
    after: str
    size: float
    low: float
    high: float
    p: float
    p_adjusted: float
    labels: tuple[str, str]
    changes: tuple[tuple[str, str, str], ...] | None


class Tested(NamedTuple):
    """What the search for a step found in one metric of one configuration; `why` says why there is no step to tell.

    `runs` counts its points, `of` the series that were searched beside it.
    """

    runs: int
    of: int
    step: LevelStep | None
    why: str = ""


Changes = tuple[tuple[str, str, str], ...]


class Kind(NamedTuple):
    """What the scores of many runs on one task have alike: over how many items they are, their names, their metrics."""

    items: int | None
    names: tuple[ScoreName, ...]
    metrics: tuple[str, ...]


class Scored(NamedTuple):
    """What one run scored on a task: the number of the run, what names what it was asked for and what its scores have
    like others, and their values as `Scores` holds them."""

    run: int
    asked: int
    kind: bytes
    date: str | None
    version: str | None
    values: "array[float]"


class Who(NamedTuple):
    """A run as a point in a history names it."""

    folder: str
    label: str
    model: str | None
    date: str | None
    source: str
    version: str | None


class Told(Protocol):
    """What artifacts say together of runs, each of which has a number: the higher, the younger."""

    def scored(self, task: str) -> Iterator[Scored]:
        """Yield the runs that have a score on a task, the youngest first."""

    def who(self, run: int) -> Who:
        """Return a run by its number."""

    def kind(self, name: bytes) -> Kind:
        """Return what some scores have alike."""

    def asked(self, number: int) -> tuple[Configuration, frozenset[str]]:
        """Return what some runs were asked for, and the settings that they recorded as null."""

    def step(self, before: int, after: int) -> Step:
        """Return what changed from one run to another."""

    def repeated(self, task: str) -> Iterator[tuple[str, Configuration, tuple[float, ...]]]:
        """Yield a metric, what was asked for, and what runs that were made as repeats then scored on a task."""


class Recent(NamedTuple):
    """The youngest scores that one metric has in one configuration, youngest first: `places` among a task's runs, and
    the values of each as `Scores` holds them."""

    places: "array[int]"
    values: "array[float]"


MOST = 200
"""Runs of a series that are searched for a step, the youngest: an older one is no news, and each place costs as much
again."""


class Range(NamedTuple):
    """The first metric of a task over all its runs: how many there are, the latest score with its date, the ends."""

    metric: str
    runs: int
    latest: float | None
    date: str | None
    lowest: float | None
    highest: float | None


class TaskPart(NamedTuple):
    """Some runs of a task that follow each other: the points of each metric, oldest run first, and what changed.

    `lines` has the number of each run's configuration, by the run's folder.
    """

    folders: tuple[str, ...]
    series: tuple[tuple[str, tuple[Point, ...]], ...]
    steps: tuple[Step, ...]
    lines: Mapping[str, int]


class TaskPage(NamedTuple):
    """A task over all runs of an archive. Of each run it holds numbers; the rest is looked up a part at a time.

    `runs` are the numbers of the runs, oldest first, `lines` those of their configurations, `before` the places of the
    runs before on the same line (-1: none). `values` are those of all scores: a run's begin at its number in `starts`,
    and are what its number in `forms` says among `kinds`. `repeats` holds the (metric, number of the configuration,
    scores) of runs that were made as repeats, `tested` what the search for a step found, by metric and number.
    """

    task: str
    folder: str
    told: Told
    metrics: tuple[str, ...]
    configurations: tuple[Series, ...]
    span: Range
    runs: "array[int]"
    lines: "array[int]"
    before: "array[int]"
    kinds: tuple[Kind, ...]
    forms: "array[int]"
    starts: "array[int]"
    values: "array[float]"
    recent: Mapping[tuple[str, int], Recent]
    repeats: tuple[tuple[str, int, tuple[float, ...]], ...]
    tested: Mapping[tuple[str, int], Tested] = {}

    def part(self, first: int, end: int) -> TaskPart:
        """Return the runs from one place to before another."""
        points: dict[str, list[Point]] = {name: [] for name in self.metrics}
        folders = []
        for place in range(first, end):
            who = self.told.who(self.runs[place])
            items, names, metrics = self.kinds[self.forms[place]]
            start = self.starts[place]
            rows = score_rows(names, self.values[start : start + NUMBERS * len(names)])
            for name, row in zip(metrics, rows, strict=True):
                own = Point(who.folder, who.label, who.model, who.date, who.source, row, items, who.version)
                points[name].append(own)
            folders.append(who.folder)
        return TaskPart(
            tuple(folders),
            tuple((name, tuple(found)) for name, found in points.items() if found),
            tuple(step for place in range(first, end) if (step := self.step(place))),
            dict(zip(folders, self.lines[first:end], strict=True)),
        )

    def step(self, place: int) -> Step | None:
        """Return what changed before the run at a place, None where it is the first of its configuration."""
        before = self.before[place]
        return self.told.step(self.runs[before], self.runs[place]) if before >= 0 else None


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


def merge_runs(one: RunSummary, other: RunSummary) -> RunSummary:
    """Return what two artifacts know of one run."""
    if one is other or one[2:] == other[2:]:
        return one
    scores = as_scores(one.scores)
    if not scores.knows(other.scores):
        rows = {row.key: row for row in scores}
        for row in other.scores:
            own = rows.setdefault(row.key, row)
            if own != row:
                rows[row.key] = filled_score(own, row)
        scores = Scores.of(rows.values())
    return one._replace(
        scores=scores,
        settings=one.settings or other.settings,
        items={**other.items, **one.items},
        groups={name: one.groups.get(name) or other.groups.get(name, ()) for name in {**one.groups, **other.groups}},
    )


def filled_score(row: ScoreRow, other: ScoreRow) -> ScoreRow:
    """Return a score with what another artifact knows of it: a matrix and a set of repeats know less than others."""
    return row._replace(
        stderr=other.stderr if row.stderr is None else row.stderr,
        ours=other.ours if row.ours is None else row.ours,
        low=other.low if row.low is None else row.low,
        high=other.high if row.high is None else row.high,
    )


@lru_cache(4096)
def task_folder(task: str) -> str:
    """Return where a task's pages stand."""
    return f"tasks/{folder_name(task, short_digest(task))}"


def as_scores(rows: Sequence[ScoreRow]) -> Scores:
    """Return the scores of a run by their tasks."""
    return rows if isinstance(rows, Scores) else Scores.of(rows)


def short_digest(text: str) -> str:
    """Return eight hex digits of a text, so that two tasks whose names fold to one slug stay apart."""
    from hashlib import sha256

    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def step(old: RunSummary, new: RunSummary, known: Changes | None) -> Step:
    """Return what changed between two runs: as a comparison of the two found it, else as they recorded it."""
    found: list[tuple[str, str, str]] = [
        (name, value_text.value(one, one is not None), value_text.value(two, two is not None))
        for name, one, two in (("model name", old.model, new.model), ("harness version", old.version, new.version))
        if one != two
    ]
    if known is None and old.settings and new.settings:
        known = tuple(
            (key, setting_text(old.settings, key), setting_text(new.settings, key))
            for key in sorted({*old.settings, *new.settings}, key=setting_rank)
            if old.settings.get(key) != new.settings.get(key) or (key in old.settings) != (key in new.settings)
        )
    if known is None:
        return Step(new.date, new.label, new.folder, tuple(found) or None)
    named_already = {name for name, _, _ in found} | {"versions.lm_eval"}
    found += [row for row in known if row[0] not in named_already]
    return Step(new.date, new.label, new.folder, tuple(found))


def setting_text(settings: Mapping[str, Any], key: str) -> str:
    """Return a setting's value in words; one that is not there is *not recorded*."""
    return value_text.setting(key, settings.get(key), key in settings)


def setting_rank(key: str) -> tuple[int, str]:
    """Return where a setting stands among those that changed: those that move a score most often come first."""
    heads = (key, key.split(".")[0])
    return next((n for n, head in enumerate(FIRST) if head in heads), len(FIRST)), key
