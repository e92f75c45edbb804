"""A sample log whose lines are kept once they are read: the first of many runs is compared with each of the others."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from diptych.diagnose.samples.logged_values import numbers_in
from diptych.diagnose.samples.paired import Dependence
from diptych.diagnose.samples.wrapped_log import WrappedLog
from diptych.run import Line, Request, Run, Sample, SampleLog

MOST_BYTES = 64_000_000
"""So much of a run's logs is kept at most; a larger one is read again for each comparison."""


class HeldLine:
    """A line that was cut into its parts, and its log-likelihoods into numbers, once."""

    __slots__ = ("_numbers", "_whole", "arguments", "doc", "filtered", "line", "responses", "target")

    def __init__(self, line: Line) -> None:
        self.line = line
        self._numbers: list[float] | None = None
        self._whole: bool | None = None
        self.doc, self.target, self.arguments = line.doc, line.target, line.arguments
        self.responses, self.filtered = line.responses, line.filtered

    def numbers(self) -> list[float]:
        """Return the log-likelihood of each request."""
        if self._numbers is None:
            self._numbers = numbers_in(self.responses)
        return self._numbers

    def whole(self) -> bool:
        """Say whether the filter kept the first answer to each request as it is."""
        if self._whole is None:
            self._whole = kept_whole(self)
        return self._whole

    def follow(self, other: Line) -> None:
        """Do nothing: the line is cut already."""

    def requests(self) -> tuple[Request, ...]:
        """Return what was sent for this row, decoded."""
        return self.line.requests()

    def sample(self) -> Sample:
        """Return the whole row, decoded."""
        return self.line.sample()


def kept_whole(line: Line) -> bool:
    """Say whether the filter kept the first answer to each request as it is: the bytes are the same but for a list."""
    raw = line.responses
    return raw.startswith(b"[[[") and line.filtered == b"[" + raw[2:-2].replace(b"]], [[", b"], [") + b"]"


class HeldLog(WrappedLog):
    """A log that reads each row once, and looks once for what ties its items together."""

    def __init__(self, log: SampleLog) -> None:
        super().__init__(log)
        self.kept: dict[int, HeldLine] = {}
        self.ties: dict[tuple[int, ...], Dependence] = {}

    def lines(self, rows: Iterable[int]) -> Iterator[Line]:
        """Yield rows in the order asked for."""
        wanted = list(rows)
        missing = [row for row in dict.fromkeys(wanted) if row not in self.kept]
        self.kept.update(zip(missing, map(HeldLine, self.log.lines(missing)), strict=True))
        return map(self.kept.__getitem__, wanted)

    def tied(self, rows: Sequence[int], look: Callable[[], Dependence]) -> Dependence:
        """Return what ties these rows together: `look` is called for rows that were not asked for before."""
        key = tuple(rows)
        if key not in self.ties:
            self.ties[key] = look()
        return self.ties[key]


def held(run: Run) -> Run:
    """Return a run whose logs keep their lines, the run itself where they are too large for that."""
    size = sum(weight(log) for log in run.samples.values())
    return run._replace(samples={task: HeldLog(log) for task, log in run.samples.items()}) if size < MOST_BYTES else run


def weight(log: SampleLog) -> int:
    """Return about how many bytes a log's lines take, by its first."""
    first = next(iter(log.lines([0])), None) if len(log) else None
    return 0 if first is None else len(log) * 2 * (len(first.arguments) + len(first.responses) + len(first.doc))
