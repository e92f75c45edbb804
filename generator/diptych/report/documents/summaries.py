"""What the pages that many artifacts share need of each: the index, a run, a task over time, the feed.

A summary is plain data (texts, numbers, lists), so that an archive can keep it and never load an artifact twice.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from functools import lru_cache
from typing import Any, overload

from diptych import numbers
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey

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


class ScoreName(NamedTuple):
    """What one score of many runs has alike: its metric, which way is better, whether its task is judged by it."""

    task: str
    metric: str
    filter: str
    higher_is_better: bool | None
    primary: bool


NUMBERS = 5
"""Numbers of a score: the score, its error, our error and the range's ends; not a number is none."""


Column = list[float | None]
Columns = tuple[Column, Column, Column, Column, Column]


class Scores(Sequence[ScoreRow]):
    """The scores of one run, held as plain numbers under names that runs share: a fifth of what their rows take.

    `values` has `NUMBERS` for each name.
    """

    __slots__ = ("names", "places", "values")

    def __init__(self, names: tuple[ScoreName, ...], values: "array[float]") -> None:
        self.names, self.places = shared_names(names)
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        return Scores, (self.names, self.values)

    @classmethod
    def of(cls, rows: Iterable[ScoreRow]) -> "Scores":
        """Return rows as scores."""
        rows = list(rows)
        numbers = array(
            "d", [number_or_nan(one) for row in rows for one in (row.value, row.stderr, row.ours, row.low, row.high)]
        )
        names = tuple(ScoreName(row.task, row.metric, row.filter, row.higher_is_better, row.primary) for row in rows)
        return cls(names, numbers)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[ScoreRow]:
        return iter(self.rows(0, len(self.names)))

    def rows(self, first: int, end: int) -> list[ScoreRow]:
        """Return neighbouring scores as rows: their numbers are looked up in one go."""
        return score_rows(self.names[first:end], self.values[NUMBERS * first : NUMBERS * end])

    def columns(self, first: int, end: int) -> Columns:
        """Return neighbouring scores, their errors, our errors, and the lower and upper ends of their ranges."""
        return score_columns(self.values[NUMBERS * first : NUMBERS * end])

    def knows(self, other: Sequence[ScoreRow]) -> bool:
        """Say whether others of the same run tell nothing that these do not."""
        if not isinstance(other, Scores) or self.names != other.names:
            return False
        return all(own == own or theirs != theirs for own, theirs in zip(self.values, other.values, strict=True))

    def of_task(self, task: str) -> list[ScoreRow]:
        """Return the scores of one task."""
        return [row for first, end in self.places.get(task, ()) for row in self.rows(first, end)]

    def tasks(self) -> KeysView[str]:
        """Return the tasks that have a score, each once."""
        return self.places.keys()

    @overload
    def __getitem__(self, place: int) -> ScoreRow: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[ScoreRow, ...]: ...
    def __getitem__(self, place: int | slice) -> ScoreRow | tuple[ScoreRow, ...]:
        return tuple(self)[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        if self.values is other.values:
            return self.names == other.names
        return self.names == other.names and self.values.tobytes() == other.values.tobytes()

    def __hash__(self) -> int:
        return hash((self.names, self.values.tobytes()))


def score_rows(names: Sequence[ScoreName], values: "array[float]") -> list[ScoreRow]:
    """Return scores as rows."""
    return [
        ScoreRow(task, metric, name, value, stderr, higher, primary, ours, low, high)
        for (task, metric, name, higher, primary), value, stderr, ours, low, high in zip(
            names, *score_columns(values), strict=True
        )
    ]


def score_columns(values: "array[float]") -> Columns:
    """Return the values of scores, their errors, our errors, and the lower and upper ends of their ranges."""
    known = [None if value != value else value for value in values]
    return known[::5], known[1::5], known[2::5], known[3::5], known[4::5]


def number_or_nan(value: float | None) -> float:
    """Return a number, not a number where there is none."""
    return math.nan if value is None else value


Places = Mapping[str, Sequence[tuple[int, int]]]
"""Where the scores of each task stand: from where to where, mostly once, since they are in order."""


@lru_cache(256)
def shared_names(names: tuple[ScoreName, ...]) -> tuple[tuple[ScoreName, ...], Places]:
    """Return the names of scores as they were met first, with their places: most runs of an archive have the same."""
    found: dict[str, list[tuple[int, int]]] = {}
    for place, name in enumerate(names):
        own = found.setdefault(name.task, [])
        if own and own[-1][1] == place:
            own[-1] = own[-1][0], place + 1
        else:
            own.append((place, place + 1))
    return names, found


class RunSummary(NamedTuple):
    """A run as one artifact shows it. Artifacts that used the same results file give the same `folder`.

    `groups` holds the tasks of each group that has a score of its own.
    """

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
    scores: Sequence[ScoreRow]
    groups: Mapping[str, Sequence[str]] = {}


class Summary(NamedTuple):
    """One artifact as an index row: its kind, its verdict first, and the runs behind it.

    `models` are those of an artifact without runs. `said`, `sign` and `tone` are the verdict in words; `delta` and
    `interval` its headline's difference with its CI, whose confidence is `level`; `gap` that difference as a number to
    sort by, `of` the task and metric that it is of; `gate` is the outcome of its rules; `confounded` says that several
    differences fit as its cause.
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
    of: str = ""
    gate: str = ""
    models: tuple[str, ...] = ()
    confounded: bool = False


def starred_error(row: ScoreRow) -> str:
    """Return how far a run's score is known, a star at what is ours."""
    return numbers.error(row.value, row.stderr, row.ours, row.low, row.high)
