"""What many artifacts say together: a run with all its uses, a task with all its runs and what changed between them."""

from array import array
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Protocol

from diptych.fast_named_tuple import NamedTuple
from diptych.report.addresses import folder_name
from diptych.report.configurations import Configuration, Series
from diptych.report.documents.summaries import NUMBERS, RunSummary, ScoreName, ScoreRow, score_rows


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


@lru_cache(4096)
def task_folder(task: str) -> str:
    """Return where a task's pages stand."""
    return f"tasks/{folder_name(task, short_digest(task))}"


def short_digest(text: str) -> str:
    """Return eight hex digits of a text, so that two tasks whose names fold to one slug stay apart."""
    from hashlib import sha256

    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
