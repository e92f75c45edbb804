"""What the options of a comparison mean, checked before any work: names of tasks, rules, floors, policies."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from diptych.cli.output import note
from diptych.diagnose.options import Options, Policy
from diptych.estimates import NoiseFloor
from diptych.metric_key import MetricKey
from diptych.run import Run

if TYPE_CHECKING:
    pass


def pairs(options: tuple[str, ...], name: str) -> dict[str, str]:
    """Return KEY=VALUE options as a mapping."""
    found = {}
    for option in options:
        key, separator, value = option.partition("=")
        if not separator or not key or not value:
            form = "A=B" if name == "--match-tasks" else "KEY=VALUE"
            raise click.UsageError(f"{name} {option!r} is not {form}")
        found[key] = value
    return found


def known_tasks(runs: tuple[Run, ...], options: Options) -> None:
    """Refuse an option for a task or metric that none of the runs has: it would be passed over without a word."""
    from diptych.diagnose.known_names import unknown_metric, unknown_task

    for option, given in (("--primary", options.primary), ("--cluster", options.clusters)):
        if unknown := unknown_task(runs, given):
            raise click.UsageError(f"{option} {unknown.name}: no such task; {unknown.known}")
    if unknown := unknown_metric(runs, options.primary):
        raise click.UsageError(f"--primary {unknown.name}: no such metric; {unknown.known}")


def policy_at(path: str | None) -> Policy | None:
    """Return the [gate] of a manifest; wrong usage where it has none."""
    if path is None:
        return None
    from diptych.batch.policy import read_policy

    found = read_policy(path)
    if found is None:
        raise click.UsageError(f"--policy {path}: no [gate] in this manifest")
    return found


def known_rules(require: tuple[str, ...], thresholds: tuple[str, ...]) -> None:
    """Refuse a rule that cannot be read, before any run is read."""
    if not require and not thresholds:
        return
    from diptych.diagnose.gates import required_margin
    from diptych.diagnose.thresholds import Threshold
    from diptych.errors import DiptychError

    try:
        for text in require:
            required_margin(text)
        for text in thresholds:
            Threshold(text)
    except DiptychError as error:
        raise click.UsageError(f"{error.message}; {error.hint}") from error


def needs_a_floor(options: Options) -> None:
    """Refuse a threshold of a noise floor where no floor of these runs' configuration was given."""
    if not options.thresholds:
        return
    from diptych.diagnose.thresholds import floors_wanted

    for text in floors_wanted(options):
        raise click.UsageError(
            f"--threshold {text} needs a noise floor of these runs' configuration: give --noise FILE (diptych noise)"
        )


def floors(runs: tuple[Run, ...], paths: tuple[str, ...], quiet: bool) -> Mapping[MetricKey, NoiseFloor]:
    """Return the noise floors that are of a run's own configuration, saying on stderr which are of another."""
    from diptych.batch.jobs import floors_for

    found = {path: floors_for(runs, (path,)) for path in paths}
    for path, floors_there in found.items():
        if not floors_there:
            note(f"{path}: repeats of another configuration than these runs: not used", quiet=quiet)
    return {name: floor for floors_there in found.values() for name, floor in floors_there.items()}
