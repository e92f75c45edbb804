"""A sample log that stands for another one: what wraps a log says only what differs."""

from collections.abc import Iterable, Iterator

from diptych.sample_log import Line, SampleColumns, SampleLog


class WrappedLog:
    """A `SampleLog` that passes everything on to the log inside."""

    def __init__(self, log: SampleLog) -> None:
        self.log = log

    @property
    def task(self) -> str:
        return self.log.task

    @property
    def source(self) -> str:
        """Where the rows were read from."""
        return self.log.source

    @property
    def columns(self) -> SampleColumns:
        """The index of the rows."""
        return self.log.columns

    def __len__(self) -> int:
        return len(self.log)

    def lines(self, rows: Iterable[int]) -> Iterator[Line]:
        """Yield rows in the order asked for."""
        return self.log.lines(rows)

    def line_number(self, row: int) -> int:
        """Return at which line of its source a row stands."""
        return self.log.line_number(row)
