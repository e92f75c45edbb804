"""The search for steps in a process of its own: what it takes of memory goes with it, and is not the build's."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from diptych.stats import history

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Series = Sequence[Sequence[history.Point]]


class Aside:
    """A search whose process is started for the first series that is long enough, and ends with the `with` block.

    In a worker, which is a process of its own already, it is the search itself.
    """

    def __init__(self) -> None:
        self.pipe: Connection | None = None

    def __enter__(self) -> "Aside":
        return self

    def __exit__(self, *error: object) -> None:
        if self.pipe is not None:
            self.pipe.close()  # it waits for no more, and ends

    def __reduce__(self) -> tuple[object, ...]:
        return plain, ()

    def __call__(self, series: Series) -> list[history.Step | None]:
        if all(len(points) < history.FEWEST for points in series):
            return history.steps_in(series)
        try:
            self.pipe = self.pipe or started()
            self.pipe.send(series)
            return self.pipe.recv()  # type: ignore[no-any-return]
        except (OSError, EOFError):  # no process may be started here, or it was ended: then it is done here
            self.pipe = None
            return history.steps_in(series)


def plain() -> Callable[[Series], list[history.Step | None]]:
    """Return the search itself."""
    return history.steps_in


def started() -> "Connection":
    """Return the pipe to a new process that searches what is sent."""
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    ours, its = context.Pipe()
    context.Process(target=serve, args=(its,), daemon=True).start()
    its.close()
    return ours


def serve(pipe: "Connection") -> None:
    """Search what comes until nobody sends any more."""
    while True:
        try:
            pipe.send(history.steps_in(pipe.recv()))
        except (EOFError, OSError):
            return
