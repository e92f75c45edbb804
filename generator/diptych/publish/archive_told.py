"""What the pages that many artifacts share show, read from a build's tables in the order in which it is shown."""

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from typing import overload

from diptych.fast_json import load_own
from diptych.publish.archive_tables import Tables, decoded, encoded
from diptych.publish.kept_summaries import long_alike, long_run, unpacked_run
from diptych.report import histories, merged_runs
from diptych.report.archive_frames import ROWS
from diptych.report.configurations import Configuration
from diptych.report.documents.summaries import NUMBERS, RunSummary, ScoreName, Summary
from diptych.report.histories import Kind, RunPage, Scored, Step, Use, Who
from diptych.value_text import metric_name


class Rows(Sequence[Summary]):
    """What the first page shows of each artifact, latest first: a part is read whenever it is asked for."""

    def __init__(self, tables: Tables, order: str = "date DESC, title DESC, id DESC, number") -> None:
        self.tables, self.order = tables, order

    def __len__(self) -> int:
        return int(self.tables.value("SELECT count(*) FROM artifact"))

    def __iter__(self) -> Iterator[Summary]:
        return self.part(0, -1)

    @overload
    def __getitem__(self, place: int) -> Summary: ...
    @overload
    def __getitem__(self, place: slice) -> list[Summary]: ...
    def __getitem__(self, place: int | slice) -> Summary | list[Summary]:
        if isinstance(place, slice):
            first, end, _ = place.indices(len(self))
            return list(self.part(first, end - first))
        return next(self.part(place, 1))

    def part(self, first: int, count: int) -> Iterator[Summary]:
        """Yield some artifacts in a row; of their runs only what models they are of."""
        rows = self.tables.rows(f"SELECT row, texts FROM artifact ORDER BY {self.order} LIMIT ? OFFSET ?", count, first)
        for row, texts in rows:
            fields = load_own(row)
            lists = {name: tuple(fields[name]) for name in ("names", "models", "runs", "changes")}
            tasks = long_alike(*self.tables.texts(self.tables.numbers(texts)[1:2]))
            yield Summary(**{**fields, **lists, "tasks": tuple(tasks)})


class Runs(Sequence[RunPage]):
    """Every run of an archive, youngest first, without what it is used in."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def __len__(self) -> int:
        return int(self.tables.value("SELECT count(*) FROM run"))

    @overload
    def __getitem__(self, place: int) -> RunPage: ...
    @overload
    def __getitem__(self, place: slice) -> list[RunPage]: ...
    def __getitem__(self, place: int | slice) -> RunPage | list[RunPage]:
        count = len(self)
        if isinstance(place, slice):
            return [run_page(self.tables, count - one, 0) for one in range(*place.indices(count))]
        return run_page(self.tables, count - place, 0)


def run_page(tables: Tables, number: int, uses: int = ROWS) -> RunPage:
    """Return a run as all artifacts together show it, with so many of the latest that it is part of."""
    folder, version, versions = tables.row("SELECT folder, version, versions FROM run WHERE number = ?", number)
    labels = (label_of(tables, each) for each in tables.numbers(versions))
    used = tables.value("SELECT count(DISTINCT artifact) FROM use WHERE folder = ?", folder)
    shown = tables.rows(
        "SELECT folder, kind, said, sign, tone, title, date FROM artifact "
        "WHERE number IN (SELECT artifact FROM use WHERE folder = ?) ORDER BY date DESC, title DESC, number LIMIT ?",
        *(folder, uses),
    )
    found = tuple(
        Use(decoded(title), place, kind, decoded(said), decoded(sign), decoded(tone), decoded(date) or None)
        for place, kind, said, sign, tone, title, date in shown
    )
    texts = tables.row("SELECT own, alike FROM version WHERE number = ?", version)
    return RunPage(folder, unpacked_run(*tables.texts(texts)), tuple(dict.fromkeys(labels)), found, used)


def label_of(tables: Tables, version: int) -> str:
    """Return what an artifact calls a run."""
    return decoded(tables.value("SELECT label FROM version WHERE number = ?", version))


SCORED = (
    f"SELECT run.number, asked, told, date, release, substr(scores, 1 + first * {8 * NUMBERS}, count * {8 * NUMBERS}) "
    "FROM run JOIN version ON version.number = version "
    "CROSS JOIN holds ON task = ? AND holds.alike = version.alike ORDER BY run.number DESC"
)
"""What runs scored on a task."""


class TaskRuns:
    """The runs of an archive as the histories of its tasks show them."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.asked = lru_cache(1024)(self.read_asked)
        self.step = lru_cache(2048)(self.read_step)
        self.who = lru_cache(2048)(self.read_who)

    def tasks(self) -> Iterator[str]:
        """Yield every task that has a score, in the order of names."""
        return (decoded(task) for (task,) in self.tables.rows("SELECT DISTINCT task FROM holds ORDER BY task"))

    def key(self, task: str) -> str:
        """Return the key of all runs that have a score on a task."""
        keys = sha256()
        for (own,) in self.tables.rows(
            "SELECT key FROM run JOIN version ON version.number = version "
            "CROSS JOIN holds ON task = ? AND holds.alike = version.alike ORDER BY run.number",
            encoded(task),
        ):
            keys.update(own.encode())
        return keys.hexdigest()

    def scored(self, task: str) -> Iterator[Scored]:
        """Yield the runs that have a score on a task, the youngest first."""
        for number, asked, kind, date, release, told in self.tables.rows(SCORED, encoded(task)):
            values = array("d", told)
            if (picked := kind_in(kind)[1]) is not None:  # others stand between them
                parts = (values[NUMBERS * place : NUMBERS * (place + 1)] for place in picked)
                values = array("d", chain.from_iterable(parts))
            yield Scored(number, asked, kind, text_or_none(date), text_or_none(release), values)

    def kind(self, name: bytes) -> Kind:
        """Return what some scores have alike."""
        return kind_in(name)[0]

    def read_who(self, number: int) -> Who:
        """Return a run by its number."""
        folder, label, *told, source = self.tables.row(
            "SELECT run.folder, label, model, date, release, source FROM run JOIN version ON version.number = version "
            "WHERE run.number = ?",
            number,
        )
        model, date, release = map(text_or_none, told)
        return Who(folder, decoded(label), model, date, decoded(source), release)

    def read_asked(self, number: int) -> tuple[Configuration, frozenset[str]]:
        """Return what some runs were asked for, and the settings that they recorded as null."""
        asked, nulls = load_own(self.tables.value("SELECT told FROM asked WHERE number = ?", number))
        return tuple((name, value) for name, value in asked), frozenset(nulls)

    def read_step(self, before: int, after: int) -> Step:
        """Return what changed from one run to another."""
        return merged_runs.step(self.run(before), self.run(after), self.changed(before, after))

    def run(self, number: int) -> RunSummary:
        """Return a run with its settings, without its scores."""
        folder, label, model, date, source, release = self.who(number)
        alike = self.tables.value(
            "SELECT alike FROM version WHERE number = (SELECT version FROM run WHERE number = ?)", number
        )
        settings = long_run(*self.tables.texts([alike]))[0]["settings"]
        return RunSummary(folder, label, model, "", release, date, source, "", {}, {}, settings, ())

    def changed(self, before: int, after: int) -> histories.Changes | None:
        """Return what a comparison says differs from one run to another; the last one where there are several."""
        a, b = (self.who(run).folder for run in (before, after))
        found = self.tables.row(
            "SELECT a, changes FROM change WHERE (a = ? AND b = ?) OR (a = ? AND b = ?) ORDER BY artifact DESC LIMIT 1",
            *(a, b, b, a),
        )
        if found is None:
            return None
        changes = tuple((key, old, new) for key, old, new in load_own(found[1]))
        return changes if found[0] == a else tuple((key, new, old) for key, old, new in changes)

    def repeated(self, task: str) -> Iterator[tuple[str, Configuration, tuple[float, ...]]]:
        """Yield a metric, what was asked for, and what runs that were made as repeats then scored on a task."""
        rows = self.tables.rows(
            "SELECT metric, asked, scores FROM repeated WHERE task = ? ORDER BY artifact", encoded(task)
        )
        for metric, asked, scores in rows:
            key = tuple((name, value) for name, value in load_own(asked))
            yield decoded(metric), key, tuple(array("d", scores))


def text_or_none(data: bytes | None) -> str | None:
    """Return a text where there is one."""
    return None if data is None else decoded(data)


@lru_cache(256)
def kind_in(told: bytes) -> tuple[Kind, list[int] | None]:
    """Return what the scores of runs on a task have alike, and which these are of those that are read, None for all."""
    items, names, picked = load_own(told)
    scores = tuple(ScoreName(*name) for name in names)
    return Kind(items, scores, tuple(metric_name(name.metric, name.filter) for name in scores)), picked
