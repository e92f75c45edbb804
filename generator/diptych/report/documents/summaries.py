"""What the pages that many artifacts share need of each: the index, a run, a task over time, the feed.

A summary is plain data (texts, numbers, lists), so that an archive can keep it and never load an artifact twice.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from diptych import numbers
from diptych.keys import MetricKey

Json = Any


class Failure(NamedTuple):
    """A job of a batch, or a file, that gave no artifact: what went wrong, where, and what to do.

    `earlier` says that the artifact of an earlier batch is still there and shown.
    """

    label: str
    message: str
    where: str = ""
    hint: str = ""
    earlier: bool = False


class Site(NamedTuple):
    """What an archive is called, where it will stand, and which pages of text go with it.

    `pages` holds (file name, Markdown); `built` is an ISO date that stands in where no run has one; `maker` is a
    digest of all that draws, so that a newer version draws again.
    """

    title: str = "Evaluation runs"
    description: str = ""
    base_url: str | None = None
    indexable: bool = False
    pages: tuple[tuple[str, str], ...] = ()
    built: str | None = None
    maker: str = ""


class ScoreRow(NamedTuple):
    """One score of one run, as reported; `ours` is the error that we found where the run gave none.

    `low` and `high` are the range of a score of exactly 0 or 1, whose error of 0 says nothing.
    """

    task: str
    metric: str
    filter: str
    value: float | None
    stderr: float | None
    higher_is_better: bool | None
    primary: bool
    ours: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def key(self) -> MetricKey:
        """What names the metric."""
        return MetricKey(self.task, self.metric, self.filter)


class RunSummary(NamedTuple):
    """A run as one artifact shows it. Artifacts that used the same results file give the same `folder`."""

    folder: str
    label: str
    model: str | None
    harness: str
    version: str | None
    date: str | None
    source: str
    results_file: str
    items: Mapping[str, int]
    metadata: Mapping[str, Json]
    settings: Mapping[str, Json]
    scores: tuple[ScoreRow, ...]


class Summary(NamedTuple):
    """One artifact as an index row: its kind, its verdict first, and the runs behind it.

    `models` are those of an artifact without runs. `said`, `sign` and `tone` are the verdict in words; `delta` and
    `interval` its headline's difference with its CI, whose confidence is `level`; `gap` that difference as a number to
    sort by; `gate` is the outcome of its rules.
    """

    kind: str
    id: str
    folder: str
    title: str
    word: str
    sentence: str
    cause: str | None
    date: str | None
    names: tuple[str, ...]
    tasks: tuple[str, ...]
    runs: tuple[RunSummary, ...]
    changes: tuple[tuple[str, str, str], ...]
    said: str = ""
    sign: str = ""
    tone: str = ""
    delta: str = ""
    interval: str = ""
    level: str = ""
    gap: float | None = None
    gate: str = ""
    models: tuple[str, ...] = ()


def error_of(row: ScoreRow) -> str:
    """Return how far a run's score is known, a star at what is ours."""
    return numbers.error(row.value, row.stderr, row.ours, row.low, row.high)
