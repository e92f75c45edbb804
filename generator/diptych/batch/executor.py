"""Where work is done: here, in worker processes, or on a cluster.

The one room that knows `concurrent.futures` and `distributed`. An executor has one method,
`run(work, jobs)`: `work` is a plain function at module level, a job a small picklable value; results come
as they are finished. Only file locations and outcomes cross a process border, never a run.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from diptych.errors import DiptychError

Job = TypeVar("Job")
Result = TypeVar("Result")


class Executor(Protocol):
    """What the runner asks of an executor."""

    def run(self, work: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]: ...


class Serial:
    """One after the other, in this process."""

    def run(self, work: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        yield from map(work, jobs)


class Processes:
    """In `workers` processes of this machine, started afresh (a fork would copy locked threads of numpy)."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, work: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool

        context = multiprocessing.get_context("spawn")
        try:
            with ProcessPoolExecutor(min(self.workers, len(jobs)), mp_context=context) as pool:
                yield from finished(pool, work, jobs)
        except BrokenProcessPool as error:
            raise DiptychError(
                "a worker process was ended from outside (out of memory?)",
                hint="start the same batch again: what was finished is kept; fewer --jobs need less memory",
            ) from error


class Dask:
    """On a dask cluster whose workers see the same files."""

    def __init__(self, address: str) -> None:
        self.address = address

    def run(self, work: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        try:
            from distributed import Client
        except ImportError as error:
            raise DiptychError("dask is not installed", hint="pip install 'diptych[cluster]'") from error
        try:
            client = Client(self.address, timeout="10s")
        except (OSError, TimeoutError) as error:
            raise DiptychError(
                "no dask scheduler answers", where=self.address, hint="start one, or use --executor processes"
            ) from error
        with client, client.get_executor(retries=2, pure=False) as pool:
            yield from finished(pool, work, jobs)


def finished(pool: Any, work: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
    """Yield results as they come; where one is a bug, what has not begun is called off and the bug is shown."""
    from concurrent.futures import as_completed

    futures = [pool.submit(work, job) for job in jobs]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def executor_for(name: str, jobs: int | None) -> Executor:
    """Return the executor of a name: `processes`, `serial` or `dask://host:port`."""
    workers = jobs or os.cpu_count() or 1
    if name.startswith("dask://"):
        return Dask("tcp://" + name.removeprefix("dask://"))
    if name == "serial" or (name == "processes" and workers == 1):
        return Serial()
    if name == "processes":
        return Processes(workers)
    raise DiptychError(f"unknown executor {name!r}", hint="use processes, serial or dask://host:port")
