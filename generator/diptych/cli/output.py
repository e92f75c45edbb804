"""How the doors speak: results to stdout, notes to stderr, colour only where it may be."""

import os
import sys
from collections.abc import Iterable

from diptych.cli import EXIT_DAMAGED, EXIT_GATE, EXIT_UNDECIDED, plain_line
from diptych.cli.standard_streams import is_terminal, write_error, write_out


def may_colour() -> bool:
    """Say whether stdout takes colour: a terminal, and neither NO_COLOR nor TERM=dumb is set."""
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Return the width to write for: 80 columns, or fewer on a narrower terminal."""
    import shutil

    return max(40, min(80, shutil.get_terminal_size((80, 24)).columns))


def note(text: str, *, quiet: bool = False) -> None:
    """Write one line to stderr."""
    if not quiet:
        write_error(plain_line(text))


def result(text: str) -> None:
    """Write a result to stdout, ending in one line break."""
    write_out(text.rstrip("\n"))


def leave(*, damaged: bool = False, fired: Iterable[str] = (), undecided: Iterable[str] = ()) -> None:
    """Exit with 3 where a gate fired, 6 where one could not tell (each named), 5 where damaged input was left out."""
    failed, open_ = list(fired), list(undecided)
    for rule in failed:
        note(f"gate {rule}")
    for rule in open_:
        note(f"gate inconclusive: {rule}")
    if failed:
        raise SystemExit(EXIT_GATE)
    if open_:
        raise SystemExit(EXIT_UNDECIDED)
    if damaged:
        raise SystemExit(EXIT_DAMAGED)
