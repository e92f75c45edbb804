"""The doors: every command parses, calls one or two verbs, prints, and exits."""

import click


@click.group()
def main() -> None:
    """Two evaluation runs side by side: why their scores differ."""
