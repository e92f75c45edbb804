"""Ask many questions at once, keep every answer the moment it is there, and stop early where going on is useless.

Shared by the students' evaluation and the judge.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from diptych.errors import EndpointError
from diptych.numbers import counted
from diptych.students.collect.endpoint import UNREACHABLE, Refused, Unanswered

if TYPE_CHECKING:
    from concurrent.futures import Future

Q = TypeVar("Q")
A = TypeVar("A")

Progress = Callable[[int, int], None]
"""Called with (done, of) after each answer."""
Say = Callable[[str], None]
"""Called with one line that a person should see while it runs."""
Sleep = Callable[[float], None]
"""Waits some seconds."""

BEHIND = (502, 503, 504)
"""What a router answers for a server that is not there."""
HOPELESS = 3
"""After so many questions without one answer the endpoint is given up."""


def quiet(*_: object) -> None:
    """Take a line or a count of progress and show nothing."""


def ask_all(
    questions: Sequence[Q],
    work: Callable[[Q, Sleep], A],
    keep: Callable[[Q, A], None],
    *,
    concurrency: int,
    progress: Progress = quiet,
) -> list[tuple[Q, Unanswered]]:
    """Run `work` on every question and `keep` each result in this thread; return the questions without an answer.

    `work` gets a question and the sleep to use between attempts, which ends at once when everything is called off.
    Raises `EndpointError` where the endpoint refuses, where the first questions all stay without an answer, or where it
    can no longer be reached; what was kept before stays kept. Nothing new is started then.
    """
    import threading
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    called_off = threading.Event()

    def sleep(seconds: float) -> None:
        if called_off.wait(seconds):
            raise Refused("called off")

    failed: list[tuple[Q, Unanswered]] = []
    answered = away = 0
    waiting = iter(questions)
    running: dict[Future[A], Q] = {}
    with ThreadPoolExecutor(max(1, concurrency)) as pool:
        try:
            while start_more(pool.submit, running, waiting, lambda q: work(q, sleep), max(1, concurrency)):
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    question = running.pop(future)
                    try:
                        answer = future.result()
                    except Unanswered as error:
                        failed.append((question, error))
                        away = away + 1 if is_away(error) else 0
                        if answered and away >= max(HOPELESS, concurrency):
                            raise gone(error, len(questions) - answered) from error
                        if not answered and len(failed) >= min(HOPELESS, len(questions)):
                            raise hopeless(failed) from error
                    else:
                        keep(question, answer)
                        answered, away = answered + 1, 0
                    progress(answered + len(failed), len(questions))
        except BaseException:
            called_off.set()
            keep_finished(running, keep)
            raise
    return failed


def is_away(error: Unanswered) -> bool:
    """Say whether nobody is there to answer: no connection, or a router that finds no server behind it."""
    return error.message.startswith(UNREACHABLE) or error.status in BEHIND


def start_more(
    submit: Callable[..., "Future[A]"],
    running: "dict[Future[A], Q]",
    waiting: Iterable[Q],
    work: Callable[[Q], A],
    most: int,
) -> bool:
    """Start questions until `most` are running; say whether any are."""
    for question in waiting:
        running[submit(work, question)] = question
        if len(running) >= most:
            break
    return bool(running)


def keep_finished(running: "dict[Future[A], Q]", keep: Callable[[Q, A], None]) -> None:
    """Keep the answers that are on their way while everything else is called off: they were paid for."""
    for future, question in running.items():
        if future.cancel():
            continue
        try:
            answer = future.result()
        except EndpointError:
            continue
        keep(question, answer)


def gone(error: Unanswered, left: int) -> EndpointError:
    """Return the error for an endpoint that answered and then could not be reached any more."""
    return Refused(
        f"the endpoint cannot be reached any more; {counted(left, 'question')} left", where=error.where, hint=error.hint
    )


def hopeless(failed: Sequence[tuple[Q, Unanswered]]) -> EndpointError:
    """Return the error for an endpoint that gave no answer at all."""
    last = failed[-1][1]
    return Refused(f"no question got an answer: {last.message}", where=last.where, hint=last.hint)
