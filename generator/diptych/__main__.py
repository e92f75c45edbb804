"""The door of the command, and of `python -m diptych`: until it stands, Ctrl-C ends the process without a word."""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where the shell has it ignored
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from diptych.cli import main

if __name__ == "__main__":
    main()
