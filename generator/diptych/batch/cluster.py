"""Work on a dask cluster whose workers see the same files: the one room that knows `distributed`.

Workers get absolute places and give texts back; what is written is written here. Whoever waits for a cluster that
cannot work is told so within seconds.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from diptych.errors import DiptychError
from diptych.version import VERSION

Job = TypeVar("Job")
Result = TypeVar("Result")

PATIENCE = 6.0
"""Seconds that a scheduler and a first worker have to show themselves, all in all."""

LONELY = 60.0
"""Seconds that a cluster may be without any worker while jobs wait."""


class Dask:
    """On a dask cluster, by its scheduler's address (`tcp://`, `tls://`) or its scheduler file."""

    elsewhere = True

    def __init__(self, address: str) -> None:
        self.address = address
        self.began = time.monotonic()

    def left(self) -> float:
        """Return the seconds of patience that are left; the last one is always given."""
        return max(1.0, self.began + PATIENCE - time.monotonic())

    def run(
        self, work: Callable[[Job], Result], jobs: Iterable[Job], lost: Callable[[Job, str], Result]
    ) -> Iterator[Result]:
        self.began = time.monotonic()
        with self.client() as client:
            self.look_at_workers(client)
            yield from self.results(client, work, list(jobs), lost)

    def client(self) -> Any:
        """Return a client of the scheduler; a `DiptychError` where none answers in time."""
        try:
            from distributed import Client
        except ImportError as error:
            raise DiptychError("dask is not installed", hint="pip install 'diptych[cluster]'") from error
        if self.address.endswith(".json") and not os.path.isfile(self.address):  # dask would wait for it for ever
            raise DiptychError("there is no such scheduler file", where=self.address, hint="start a scheduler first")
        where = {"scheduler_file": self.address} if self.address.endswith(".json") else {"address": self.address}
        try:
            return Client(**where, timeout=self.left())
        except (OSError, TimeoutError, ValueError, TypeError, KeyError) as error:
            raise DiptychError(
                "no dask scheduler answers", where=self.address, hint="start one, or use --executor processes"
            ) from error

    def look_at_workers(self, client: Any) -> None:
        """See that there is a worker, and that each loads what does the jobs, of this version of diptych."""
        from pkgutil import resolve_name

        try:
            client.wait_for_workers(1, timeout=self.left())
        except TimeoutError as error:
            raise DiptychError(
                "no worker", where=self.address, hint="start one: dask worker ADDRESS, with diptych installed"
            ) from error
        found = client.run(resolve_name, "diptych.batch.runner:VERSION", on_error="return")
        for worker, there in sorted(found.items()):
            if there != VERSION:
                raise DiptychError(
                    f"worker {what_there_is(there)}, and this is {VERSION}",
                    where=str(worker),
                    hint=f"pip install diptych=={VERSION} there",
                )

    def results(
        self,
        client: Any,
        work: Callable[[Job], Result],
        jobs: Sequence[Job],
        lost: Callable[[Job, str], Result],
    ) -> Iterator[Result]:
        """Yield results as they come; a job that has killed every worker it was given to is lost."""
        from distributed import KilledWorker

        futures = {client.submit(work, job, pure=False, retries=2): job for job in jobs}
        try:
            while futures:
                for future in self.finished(client, list(futures)):
                    job = futures.pop(future)
                    error = future.exception()
                    if isinstance(error, KilledWorker):
                        yield lost(job, "every worker that it was given to has ended (out of memory?)")
                    elif error is not None:
                        yield lost(job, f"cannot be done there ({type(error).__name__}: {error})")
                    else:
                        yield future.result()
        finally:
            client.cancel(list(futures))

    def finished(self, client: Any, futures: Sequence[Any]) -> list[Any]:
        """Return what is done, waiting for it; a `DiptychError` where no worker is left to do it."""
        from distributed import wait

        alone = 0.0
        while alone < LONELY:
            try:
                return list(wait(futures, timeout=2, return_when="FIRST_COMPLETED").done)
            except TimeoutError:
                alone = 0.0 if client.scheduler_info(n_workers=1)["workers"] else alone + 2
        raise DiptychError(
            "no worker is left", where=self.address, hint="what was finished is kept; start workers, then run it again"
        )


def what_there_is(found: object) -> str:
    """Return what a worker has, by what it said when it was asked to load diptych: a version, or an error."""
    if isinstance(found, str):
        return f"has diptych {found}"
    missing = isinstance(found, ModuleNotFoundError) and found.name == "diptych"
    return "lacks diptych" if missing else f"cannot load diptych ({type(found).__name__}: {found})"
