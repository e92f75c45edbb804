"""What many artifacts say together: a run with all its uses, a task with all its runs and what changed between them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from diptych import value_text
from diptych.fast_named_tuple import NamedTuple
from diptych.report.addresses import folder_name
from diptych.report.configurations import Configuration, Series, configuration_of, series_of
from diptych.report.documents.summaries import RunSummary, ScoreRow, Scores, Summary
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
    """A run as all artifacts together show it."""

    folder: str
    run: RunSummary
    labels: tuple[str, ...]
    uses: tuple[Use, ...]


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

    `p` counts that every place was looked at, `p_adjusted` that several series were (Holm).
    """

    before: str
    after: str
    size: float
    low: float
    high: float
    p: float
    p_adjusted: float


class Tested(NamedTuple):
    """What the search for a step found in one metric of one configuration; `why` says why there is no step to tell.

    `runs` counts its points, `of` the series that were searched beside it.
    """

    runs: int
    of: int
    step: LevelStep | None
    why: str = ""


class TaskPage(NamedTuple):
    """A task over all runs of an archive: the points of each metric and filter, oldest run first.

    `configurations` are the series that the runs belong to, `steps` what changed inside each. `repeats` holds the
    (metric, number of the configuration, scores) of runs that were made as repeats, `tested` what the search for a
    step found, by metric and number.
    """

    task: str
    folder: str
    series: tuple[tuple[str, tuple[Point, ...]], ...]
    steps: tuple[Step, ...]
    configurations: tuple[Series, ...] = ()
    repeats: tuple[tuple[str, int, tuple[float, ...]], ...] = ()
    tested: Mapping[tuple[str, int], Tested] = {}


Changes = tuple[tuple[str, str, str], ...]


class Histories:
    """What artifacts say together, told one after the other: none of them has to be held for it.

    `changes` are what comparisons say differs from one run to another, `repeated` the scores of runs that were made as
    repeats, a tuple a set.
    """

    def __init__(self, summaries: Iterable[Summary] = ()) -> None:
        self.found: dict[str, RunPage] = {}
        self.changes: dict[tuple[str, str], Changes] = {}
        self.repeated: dict[tuple[Configuration, str, str], list[tuple[float, ...]]] = {}
        for summary in summaries:
            self.add(summary)

    def add(self, summary: Summary) -> None:
        """Take what one more artifact says."""
        use = Use(summary.title, summary.folder, summary.kind, summary.said, summary.sign, summary.tone, summary.date)
        for run in summary.runs:
            page = self.found.get(run.folder) or RunPage(run.folder, run, (), ())
            self.found[run.folder] = RunPage(
                page.folder,
                merge_runs(page.run, run),
                tuple(dict.fromkeys((*page.labels, run.label))),
                tuple(dict.fromkeys((*page.uses, use))),
            )
        if summary.kind == "comparison":
            a, b = (self.found[run.folder].folder for run in summary.runs)
            self.changes.pop((b, a), None)  # who compared them last is asked, in both directions
            self.changes[a, b] = summary.changes
        elif summary.kind == "repeats":
            self.add_repeats(summary)

    def add_repeats(self, summary: Summary) -> None:
        """Take the scores of runs that were made as repeats."""
        scores: dict[tuple[str, str], list[float]] = {}
        for run in summary.runs:
            for row in run.scores:
                if row.value is not None:
                    scores.setdefault((row.task, metric_name(row.metric, row.filter)), []).append(row.value)
        key = configuration_of(summary.runs[0])
        for (task, name), values in scores.items():
            self.repeated.setdefault((key, task, name), []).append(tuple(values))

    def runs(self) -> dict[str, RunPage]:
        """Return every run by its folder, youngest first."""
        order = sorted(self.found.items(), key=lambda item: (item[1].run.date or "", item[0]), reverse=True)
        return dict(order)

    def changed(self, before: str, after: str) -> Changes | None:
        """Return what a comparison says differs from one run to another, None where there is none of the two."""
        if (before, after) in self.changes:
            return self.changes[before, after]
        other = self.changes.get((after, before))
        return None if other is None else tuple((key, new, old) for key, old, new in other)


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


def tasks_in(told: Histories) -> Iterator[TaskPage]:
    """Yield every task of an archive, in the order of names; one at a time, since each holds a point a run."""
    runs = told.runs()
    scores = {folder: as_scores(page.run.scores) for folder, page in runs.items()}
    lines_of = Lines(told, runs)
    for task in sorted({task for found in scores.values() for task in found.tasks()}):
        points: dict[str, list[Point]] = {}
        for folder, page in runs.items():
            run = page.run
            for row in scores[folder].of_task(task):
                point = Point(
                    page.folder, run.label, run.model, run.date, run.source, row, run.items.get(task), run.version
                )
                points.setdefault(metric_name(row.metric, row.filter), []).append(point)
        series_of_task = tuple(
            (name, tuple(sorted(found, key=lambda point: (point.date or "", point.folder))))
            for name, found in points.items()
        )
        lines, steps = lines_of({point.folder for found in points.values() for point in found})
        repeats = tuple(
            (name, line.number, scores)
            for line in lines
            for name, _ in series_of_task
            for scores in told.repeated.get((line.key, task, name), ())
        )
        yield TaskPage(task, task_folder(task), series_of_task, steps, lines, repeats)


class Lines:
    """Tells the configurations of some runs, and what changed inside each; tasks mostly have the same runs."""

    def __init__(self, told: Histories, runs: dict[str, RunPage]) -> None:
        met: dict[Configuration, Configuration] = {}
        self.told, self.runs = told, runs
        self.oldest_first = list(reversed(runs))
        self.keys = {folder: met.setdefault(key := configuration_of(page.run), key) for folder, page in runs.items()}
        self.made: dict[tuple[str, str], Step] = {}
        self.folders: set[str] = set()
        self.lines: tuple[Series, ...] = ()
        self.steps: tuple[Step, ...] = ()

    def __call__(self, folders: set[str]) -> tuple[tuple[Series, ...], tuple[Step, ...]]:
        """Return the configurations of some runs and the steps inside them, both oldest first."""
        if folders != self.folders:
            self.folders = folders
            order = [folder for folder in self.oldest_first if folder in folders]
            self.lines = tuple(
                line._replace(nulls=nulls_of(line.order, [self.runs[folder].run.settings for folder in line.folders]))
                for line in series_of((folder, self.keys[folder]) for folder in order)
            )
            steps = [self.between(before, after) for line in self.lines for before, after in pairwise(line.folders)]
            place = {folder: number for number, folder in enumerate(order)}
            self.steps = tuple(sorted(steps, key=lambda each: place[each.folder]))
        return self.lines, self.steps

    def between(self, before: str, after: str) -> Step:
        """Return what changed from one run to the next of its configuration."""
        if (before, after) not in self.made:
            self.made[before, after] = step(self.runs[before], self.runs[after], self.told.changed(before, after))
        return self.made[before, after]


def nulls_of(names: Sequence[str], recorded: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Return the settings that a run recorded as null."""
    return frozenset(name for name in names if any(name in own and own[name] is None for own in recorded))


def as_scores(rows: Sequence[ScoreRow]) -> Scores:
    """Return the scores of a run by their tasks."""
    return rows if isinstance(rows, Scores) else Scores.of(rows)


def short_digest(text: str) -> str:
    """Return eight hex digits of a text, so that two tasks whose names fold to one slug stay apart."""
    from hashlib import sha256

    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def step(before: RunPage, after: RunPage, known: Changes | None) -> Step:
    """Return what changed between two runs: as a comparison of the two found it, else as they recorded it."""
    old, new = before.run, after.run
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
        return Step(new.date, new.label, after.folder, tuple(found) or None)
    named_already = {name for name, _, _ in found} | {"versions.lm_eval"}
    found += [row for row in known if row[0] not in named_already]
    return Step(new.date, new.label, after.folder, tuple(found))


def setting_text(settings: Mapping[str, Any], key: str) -> str:
    """Return a setting's value in words; one that is not there is *not recorded*."""
    return value_text.setting(key, settings.get(key), key in settings)


def setting_rank(key: str) -> tuple[int, str]:
    """Return where a setting stands among those that changed: those that move a score most often come first."""
    heads = (key, key.split(".")[0])
    return next((n for n, head in enumerate(FIRST) if head in heads), len(FIRST)), key
