"""The door of the command, and of `python -m diptych`: until it stands, Ctrl-C ends the process without a word."""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where the shell has it ignored
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import atexit
import os
import sys
import threading
from contextlib import suppress

from diptych import cli


def main() -> None:
    """Run the command line, and end the process.

    Once all is written the system takes the memory back at once; Python would take some three hundred modules apart
    first, for a tenth of what a comparison costs.
    """
    try:
        cli.main()
    except SystemExit as end:
        if isinstance(end.code, int) and threading.active_count() == 1:
            with suppress(OSError, ValueError):  # a stream that takes no more: Python's own end knows what to do
                atexit._run_exitfuncs()
                for stream in filter(None, (sys.stdout, sys.stderr)):
                    stream.flush()
                os._exit(end.code)
        raise


if __name__ == "__main__":
    main()
