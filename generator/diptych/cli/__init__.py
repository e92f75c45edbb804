"""The doors: every command parses, calls one or two verbs, prints, and exits.

`diptych --help` must cost little more than click itself, so a command's module is imported only when it is called;
the table below says where each command lives and what it is for (a test holds it against the commands).
"""
# ruff: noqa: E402 (the imports below are a third of what is saved)

import gc

# imports and commands make many objects and nearly no circles among them, and looking for those takes its time
gc.set_threshold(50_000)

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

COMMANDS: Mapping[str, tuple[str, str]] = {
    "compare": ("compare", "Say why two runs differ, or which of many do."),
    "noise": ("noise", "Tell how much runs of one configuration differ by themselves."),
    "baseline": ("baseline", "Set or show the blessed run that others are compared with."),
    "batch": ("batch", "Make every artifact of a manifest, in parallel."),
    "build": ("batch", "Render artifacts as a browsable archive."),
    "serve": ("batch", "Show a built archive on 127.0.0.1."),
    "comment": ("publish", "Write, and post, a pull request's comment."),
    "attach": ("publish", "Attach a report to a lab notebook."),
    "verify": ("publish", "Verify the checksums of an attachment."),
    "export": ("publish", "Write CSV, JUnit, SVG or PNG from an artifact."),
    "students": ("students", "Evaluate, judge and decide between students."),
    "decide": ("decide", "Decide between students from their results."),
    "check": ("discover", "Say what was read of each input; hold artifacts against their rules."),
    "discover": ("discover", "List the runs in a tree."),
    "init": ("discover", "Write a first manifest from the runs in a tree."),
    "schema": ("discover", "Print the JSON schema of an artifact."),
}

EXIT_MENDABLE, EXIT_USAGE, EXIT_GATE, EXIT_NOT_POSTED, EXIT_DAMAGED, EXIT_UNDECIDED = 1, 2, 3, 4, 5, 6


class Doors(click.Group):
    """One door turns mendable errors into exit codes, for every command at once; bugs keep their traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        from importlib import import_module

        command: click.Command = getattr(import_module(f"diptych.cli.{COMMANDS[name][0]}"), f"{name}_command")
        return with_safe_help(command, ctx)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with_safe_help(self)
        with mendable():
            return super().make_context(*args, **extra)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in COMMANDS.items()])

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command line; every way in which it can end is an exit code here."""
        run: Any = super().main
        if not extra.pop("standalone_mode", True):
            return run(*args, standalone_mode=False, **extra)
        from diptych.cli.standard_streams import EXIT_STOPPED, hold_streams, write_error

        with hold_streams():
            try:
                code = run(*args, standalone_mode=False, **extra)
            except click.ClickException as error:
                write_error(plain_line(shown_error(error)))
                code = error.exit_code
            except (click.Abort, KeyboardInterrupt):
                write_error(STOPPED)
                code = EXIT_STOPPED
            sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> object:
        from diptych.secrets import remember_environment

        remember_environment(os.environ)
        with mendable():
            return super().invoke(ctx)


@contextmanager
def mendable() -> Iterator[None]:
    """Turn a mendable error into one that click ends on, with its hint; so is whatever the system says of a path."""
    from diptych.errors import DiptychError

    try:
        yield
    except DiptychError as error:
        hint = f"\n  hint: {plain_line(error.hint)}" if error.hint else ""
        raise click.ClickException(f"{plain_line(str(error))}{hint}") from error
    except OSError as error:
        if error.filename is None:
            raise
        why = f"{os.fsdecode(error.filename)}: cannot be used ({error.strerror})"
        raise click.ClickException(f"{plain_line(why)}\n  hint: check the path and its permissions") from error


def with_safe_help(command: click.Command, ctx: click.Context | None = None) -> click.Command:
    """Let a command's help, and that of what is below it, go out by the door that knows closed and full streams."""
    option = command.get_help_option(ctx or click.Context(command, **command.context_settings))
    if option is not None:
        option.callback = show(click.Context.get_help)
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        with_safe_help(below, ctx)
    return command


def show(text: Callable[[click.Context], str]) -> Callable[[click.Context, click.Parameter, bool], None]:
    """Return what an option does that prints a text and ends."""

    def print_it(ctx: click.Context, _: click.Parameter, given: bool) -> None:
        if given and not ctx.resilient_parsing:
            from diptych.cli.standard_streams import write_out

            write_out(text(ctx))
            ctx.exit()

    return print_it


def version(_: click.Context) -> str:
    """Return the name and the version."""
    from importlib.metadata import version as version_of

    return f"diptych {version_of('diptych')}"


STOPPED = "stopped: what was written is whole and is kept; the same command goes on from there"


def shown_error(error: click.ClickException) -> str:
    """Return a wrong usage or a mendable error as the terminal shows it."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        help_at = f"Try '{error.ctx.command_path} --help' for help.\n"
        return f"{error.ctx.get_usage()}\n{help_at}\nError: {error.format_message()}"
    return f"Error: {error.format_message()}"


def plain_line(text: str) -> str:
    """Return a text of unknown origin with its control characters made visible: no escape code reaches a terminal."""
    return "".join(char if char.isprintable() or char in "\n\t" else f"<U+{ord(char):04X}>" for char in text)


@click.group(cls=Doors, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=show(version),
    help="Show the version and exit.",
)
def main() -> None:
    """Two evaluation runs side by side, and why their scores differ;
    distilled students side by side, and which one to keep.

    Example: diptych compare before=runs/monday after=runs/tuesday
    """
