"""A sample log whose lines are kept once they are read: the first of many runs is compared with each of the others."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from diptych.diagnose.samples.paired_scores import Dependence
from diptych.diagnose.samples.wrapped_log import WrappedLog
from diptych.run import Run
from diptych.sample_log import Line, SampleLog

MOST_BYTES = 64_000_000
"""So much of a run's logs is kept at most; a larger one is read again for each comparison."""


class HeldLog(WrappedLog):
    """A log that reads each row once, and looks once for what ties its items together."""

    def __init__(self, log: SampleLog) -> None:
        super().__init__(log)
        self.kept: dict[int, Line] = {}
        self.ties: dict[tuple[int, ...], Dependence] = {}

    def lines(self, rows: Iterable[int]) -> Iterator[Line]:
        """Yield rows in the order asked for."""
        wanted = list(rows)
        missing = [row for row in dict.fromkeys(wanted) if row not in self.kept]
        self.kept.update(zip(missing, self.log.lines(missing), strict=True))
        return map(self.kept.__getitem__, wanted)

    def tied(self, rows: Sequence[int], look: Callable[[], Dependence]) -> Dependence:
        """Return what ties these rows together: `look` is called for rows that were not asked for before."""
        key = tuple(rows)
        if key not in self.ties:
            self.ties[key] = look()
        return self.ties[key]


def with_held_logs(run: Run) -> Run:
    """Return a run whose logs keep their lines, the run itself where they are too large for that."""
    size = sum(weight(log) for log in run.samples.values())
    return run._replace(samples={task: HeldLog(log) for task, log in run.samples.items()}) if size < MOST_BYTES else run


def weight(log: SampleLog) -> int:
    """Return about how many bytes a log's lines take, by its first."""
    first = next(iter(log.lines([0])), None) if len(log) else None
    return 0 if first is None else len(log) * 2 * first.size()
