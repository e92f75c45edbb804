"""Where work is done: here, in worker processes, or on a cluster.

An executor has one method, `run(work, jobs, lost)`: `work` is a plain function at module level, a job a small picklable
value; results come as they are finished. Only file locations, texts and outcomes cross a process border, never a run.
A job whose worker was ended from outside becomes `lost(job, why)`, and the rest goes on.
"""

import os
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeVar

from diptych.errors import DiptychError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Job = TypeVar("Job")
Result = TypeVar("Result")

AHEAD = 4
"""Jobs for each worker that are handed out before the first is done: none waits for the next."""

ENDED = "its worker process was ended from outside (out of memory?)"


class Executor(Protocol):
    """What the runner asks of an executor; `elsewhere` says that its workers may start in another folder."""

    elsewhere: bool

    def run(
        self, work: Callable[[Job], Result], jobs: Iterable[Job], lost: Callable[[Job, str], Result]
    ) -> Iterator[Result]: ...


class Serial:
    """One after the other, in this process."""

    elsewhere = False

    def run(
        self, work: Callable[[Job], Result], jobs: Iterable[Job], lost: Callable[[Job, str], Result]
    ) -> Iterator[Result]:
        yield from map(work, jobs)


class Processes:
    """In `workers` processes of this machine, started afresh (a fork would copy locked threads of numpy).

    They stay for the next jobs: to start one costs as much as a dozen pages.
    """

    elsewhere = False

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.pools: dict[int, ProcessPoolExecutor] = {}
        # not left to the end of the interpreter, which would wake a pool that is half gone
        weakref.finalize(self, shut_down, self.pools)

    def run(
        self, work: Callable[[Job], Result], jobs: Iterable[Job], lost: Callable[[Job, str], Result]
    ) -> Iterator[Result]:
        import multiprocessing

        left, workers = iter(jobs), self.workers
        waiting: list[Job] = []
        try:
            while waiting or (waiting := list(islice(left, workers * AHEAD))):
                yield from self.round(work, waiting, left, workers)
                if waiting and workers == 1:
                    yield lost(waiting.pop(0), ENDED)  # alone, the first that is left ended its worker
                if waiting:
                    workers = 1
        except BaseException:  # Ctrl-C among them: nobody waits for a job that is under way
            for child in multiprocessing.active_children():
                child.terminate()
            shut_down(self.pools)  # at once, with no worker left; else the interpreter's end wakes a pool half gone
            self.pools.clear()
            raise

    def round(
        self, work: Callable[[Job], Result], waiting: list[Job], left: Iterator[Job], workers: int
    ) -> Iterator[Result]:
        """Yield results until all are there or a worker is ended; what is not done stays in `waiting`, in its order.

        Of what is `left` no more is asked for than keeps the workers busy.
        """
        from concurrent.futures import FIRST_COMPLETED, wait
        from concurrent.futures.process import BrokenProcessPool

        pool = self.pool_of(workers)
        futures: dict[Future[Result], Job] = {}
        whole = hand_out(pool, work, waiting, futures)
        while futures:
            for future in wait(futures, return_when=FIRST_COMPLETED).done:
                job = futures.pop(future)
                try:
                    result = future.result()
                except BrokenProcessPool:
                    whole = False
                    continue
                waiting.remove(job)
                yield result
                more = list(islice(left, 1)) if whole else []
                waiting += more
                whole = hand_out(pool, work, more, futures) and whole
        if not whole:
            self.pools.pop(workers, None)

    def pool_of(self, workers: int) -> "ProcessPoolExecutor":
        """Return so many processes, those of the last jobs where they are still there."""
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        if workers not in self.pools:
            context = multiprocessing.get_context("spawn")
            self.pools[workers] = ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent)
        return self.pools[workers]


def hand_out(
    pool: "ProcessPoolExecutor",
    work: Callable[[Job], Result],
    jobs: Iterable[Job],
    futures: "dict[Future[Result], Job]",
) -> bool:
    """Give jobs to a pool, and note what will come of each; return whether it took all."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        with held_back():
            for job in jobs:
                futures[pool.submit(work, job)] = job
    except BrokenProcessPool:
        return False  # a worker was ended
    return True


def shut_down(pools: "dict[int, ProcessPoolExecutor]") -> None:
    """End workers that are idle or ended, and wait until nothing is left of them."""
    for pool in pools.values():
        pool.shutdown()


@contextmanager
def held_back() -> Iterator[None]:
    """Let Ctrl-C come a moment later, and never to the workers that are started meanwhile: the parent ends them."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Let a worker end when its parent does, however that ends."""
    import multiprocessing
    import threading
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def executor_for(name: str, jobs: int | None) -> Executor:
    """Return the executor of a name: `processes`, `serial`, a dask scheduler's address, or its file."""
    workers = jobs or os.cpu_count() or 1
    if name.startswith(("dask://", "tcp://", "tls://")) or name.endswith(".json"):
        from diptych.batch.cluster import Dask

        return Dask(name.replace("dask://", "tcp://", 1))
    if name == "serial" or (name == "processes" and workers == 1):
        return Serial()
    if name == "processes":
        return Processes(workers)
    raise DiptychError(f"unknown executor {name!r}", hint=f"use {NAMES}")


NAMES = "processes, serial, dask://HOST:PORT, tls://HOST:PORT or a dask scheduler's file (.json)"
