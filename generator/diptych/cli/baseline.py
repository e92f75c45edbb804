"""`diptych baseline set` and `diptych baseline show`."""

import os

import click

from diptych.cli.output import note, result
from diptych.numbers import score
from diptych.value_text import metric_name

MANIFEST = "diptych.toml"


@click.group("baseline")
def baseline_command() -> None:
    """Set or show the blessed run that others are compared with.

    A comparison of the manifest that names only `b` has it as A, and says how old it is and whether its configuration
    still is the one that was blessed.

    Example: diptych baseline set base=site/runs/smol-3shot --manifest site/diptych.toml
    """


def file_of(manifest: str) -> str:
    """Return where the baseline of a manifest lies: beside it, or where its [baseline] says."""
    from diptych.batch.manifest import baseline_file

    return baseline_file(manifest)


@baseline_command.command("set")
@click.argument("run", metavar="RUN")
@click.option(
    "--manifest",
    default=MANIFEST,
    show_default=True,
    type=click.Path(exists=True, dir_okay=False),
    help="The manifest that the baseline stands beside.",
)
def set_command(run: str, manifest: str) -> None:
    """Bless a run: keep its place, date, configuration and scores beside the manifest.

    Example: diptych baseline set base=site/runs/smol-3shot --manifest site/diptych.toml
    """
    from diptych.batch.baseline import baseline_of, write_baseline
    from diptych.cli.publish import today
    from diptych.harness.reader import read_run, split_label

    folder = os.path.dirname(manifest) or "."
    label, path = split_label(run)
    read = read_run(path, label, root=folder)
    location = f"{label or read.label}={os.path.relpath(path, folder)}"
    write_baseline(file_of(manifest), baseline_of(read, location, today().isoformat()))
    note(f"baseline set: {location}, in {file_of(manifest)}")


@baseline_command.command("show")
@click.option(
    "--manifest",
    default=MANIFEST,
    show_default=True,
    type=click.Path(exists=True, dir_okay=False),
    help="The manifest that the baseline stands beside.",
)
def show_command(manifest: str) -> None:
    """Show the blessed run: where it is, of when, of which configuration.

    Example: diptych baseline show --manifest site/diptych.toml
    """
    from diptych.batch.baseline import read_baseline

    kept = read_baseline(file_of(manifest))
    lines = [
        f"run            {kept.run}",
        f"model          {kept.model or 'not recorded'}",
        f"run of         {kept.run_date or 'not recorded'}",
        f"set on         {kept.set_on}",
        f"configuration  {kept.configuration}",
    ]
    lines += [f"  {kept_score_name(key)}  {score(value)}" for key, value in kept.scores.items()]
    result("\n".join(lines))


def kept_score_name(key: str) -> str:
    """Return a kept score's name as a report has it; one that is no key stays as it stands."""
    from diptych.metric_key import MetricKey

    try:
        known = MetricKey.parse(key)
    except ValueError:
        return key
    return f"{known.task} {metric_name(known.metric, known.filter)}"
