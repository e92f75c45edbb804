"""Standard output and standard error as they may be: closed, full, a terminal of another alphabet, one that hangs up.

The one place that writes to them. What cannot be said on standard output is an error; what cannot be said on standard
error is left unsaid. No secret passes.
"""

import errno
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import Any, TextIO

import click

from diptych.errors import DiptychError
from diptych.secrets import masked, safe

EXIT_STOPPED = 130
"""Stopped by Ctrl-C, as shells have it."""


class HungUp(SystemExit):
    """Whoever reads standard output has gone (`| head`): nobody is left to tell anything."""


def write_out(text: str) -> None:
    """Write to standard output, all of it, or raise."""
    if sys.stdout is None:
        raise DiptychError("standard output is closed", hint="open it, or write to a file with --out")
    try:
        click.echo(masked(text))
        sys.stdout.flush()
    except ValueError as error:  # closed by whoever started us
        raise DiptychError("standard output is closed", hint="open it, or write to a file with --out") from error
    except OSError as error:
        silence(sys.stdout, 1)
        if error.errno == errno.EPIPE:
            raise HungUp(1) from error
        why = error.strerror or type(error).__name__
        raise DiptychError(
            f"standard output takes no more ({why})", hint="free some room; what was written to other files is whole"
        ) from error


def write_error(text: str) -> None:
    """Write a line to standard error where that is possible."""
    if sys.stderr is None:
        return
    try:
        click.echo(safe(text), err=True)
    except (OSError, ValueError):
        silence(sys.stderr, 2)


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether a stream is there and is a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def silence(stream: TextIO, number: int) -> None:
    """Let a stream that takes nothing take everything, so that its last flush is no second error."""
    with suppress(OSError, ValueError):
        if stream.fileno() == number:
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)


@contextmanager
def hold_streams() -> Iterator[None]:
    """Hold the streams ready for one command: a sign that a terminal lacks becomes `?`, a bug's traceback is masked.

    The first Ctrl-C is an interruption that a command may end well on; the second ends the process.
    """
    sys.stdout, sys.stderr = buffered(sys.stdout), buffered(sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    before: Any = None
    sys.excepthook, hook = masked_traceback, sys.excepthook
    with suppress(ValueError):  # not in the main thread: then Ctrl-C comes to somebody else
        before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        if before is not None and signal.getsignal(signal.SIGINT) is interrupted:  # else the next one ends all
            signal.signal(signal.SIGINT, before)
        if sys.exc_info()[0] is None or issubclass(sys.exc_info()[0] or BaseException, SystemExit):
            sys.excepthook = hook


def buffered(stream: Any) -> Any:
    """Return a stream that writes all or raises: without a buffer (PYTHONUNBUFFERED) Python drops what is left."""
    if not isinstance(getattr(stream, "buffer", None), io.RawIOBase):
        return stream
    return open(stream.fileno(), "w", encoding=stream.encoding, errors="replace", closefd=False)


def interrupted(number: int, frame: FrameType | None) -> None:
    """Raise an interruption, once: the next one ends the process."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    raise KeyboardInterrupt


def masked_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Show a bug, without any secret."""
    import traceback  # only where there is a bug

    write_error("".join(traceback.format_exception(kind, error, trace)).rstrip("\n"))
