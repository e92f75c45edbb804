"""The search for steps in a process of its own: what it takes of memory goes with it, and is not the build's."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen

    from diptych.stats import history

    Series = Sequence[Sequence[history.Point]]
    Found = list[history.Step | None]


class Aside:
    """A search whose process is started for the first series that is long enough, and ends with the `with` block.

    In a worker, which is a process of its own already, it is the search itself.
    """

    def __init__(self) -> None:
        self.process: Popen[bytes] | None = None

    def __enter__(self) -> "Aside":
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def __reduce__(self) -> tuple[object, ...]:
        return plain, ()

    def __call__(self, series: "Series") -> "Found":
        from diptych.stats import history

        if all(len(points) < history.FEWEST for points in series):
            return history.steps_in(series)
        try:
            self.process = self.process or started()
            return asked(self.process, series)
        except (OSError, EOFError):  # no process may be started here, or it was ended: then it is done here
            self.end()
            return history.steps_in(series)

    def end(self) -> None:
        """Let the process end, where there is one: it waits for what is sent, and nothing more will be."""
        process, self.process = self.process, None
        if process is not None:
            process.communicate()


def plain() -> "Callable[[Series], Found]":
    """Return the search itself."""
    from diptych.stats import history

    return history.steps_in


def started() -> "Popen[bytes]":
    """Return a new process that searches what it is sent: a bare one, for which nothing of the build is imported."""
    from subprocess import PIPE, Popen

    code = f"import sys; sys.path[:] = {sys.path!r}; from diptych.batch.step_search import serve; serve()"
    one_thread = {"OPENBLAS_NUM_THREADS": "1", **os.environ}  # more of them would only wait
    return Popen([sys.executable, "-c", code], stdin=PIPE, stdout=PIPE, env=one_thread)


def asked(process: "Popen[bytes]", series: "Series") -> "Found":
    """Return what a process finds in some series."""
    import pickle

    assert process.stdin is not None and process.stdout is not None
    pickle.dump(series, process.stdin)
    process.stdin.flush()
    try:
        return pickle.load(process.stdout)  # type: ignore[no-any-return]
    except pickle.UnpicklingError as error:
        raise EOFError("it was ended in the middle of its answer") from error


def serve() -> None:
    """Search what comes until nobody sends any more; Ctrl-C ends it without a word."""
    import pickle
    import signal

    from diptych.stats import history

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    while True:
        try:
            series = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(history.steps_in(series), sys.stdout.buffer)
        sys.stdout.buffer.flush()
