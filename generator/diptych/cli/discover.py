"""`diptych check`, `discover`, `init` and `schema`: what is there, before anything is compared."""

import os
from typing import Any

import click

from diptych.cli import EXIT_MENDABLE, plain_line
from diptych.cli.output import leave, note, result


@click.command("check")
@click.argument("paths", nargs=-1, required=True)
@click.option("--strict", is_flag=True, help="Parse every line of every sample log whole: slower, finds more damage.")
@click.option("--full", is_flag=True, help="Name every task and every key, used or not.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def check_command(paths: tuple[str, ...], strict: bool, full: bool, as_json: bool) -> None:
    """Say what was read of each input; hold artifacts against their rules.

    Exit 0: all read, all rules hold; 1: an input cannot be read, or a rule does not hold (each is named);
    5: some of an input is damaged and was left out.

    Example: diptych check site/runs/smol-3shot
    """
    from diptych.artifact import json_text, object_of

    artifacts = {path: made for path in paths if (made := artifact_at(path)) is not None}
    runs = [path for path in paths if path not in artifacts]
    texts: list[str] = []
    bodies: list[Any] = []
    found: list[Any] = []
    broken = False
    if runs:
        from diptych.cli.check import inspection_text
        from diptych.harness.inspection import inspect

        found = [with_paths_masked(inspect(path, strict=strict)) for path in runs]
        texts += [inspection_text(each, full) for each in found]
        bodies += [object_of(each) | {"error": str(each.error) if each.error else None} for each in found]
    if artifacts:
        from diptych.cli.check_artifact import checked, checked_text

        held = checked(artifacts)
        broken = any(each.breaches for each in held)
        texts += [checked_text(held)]
        bodies += held
    if as_json:
        result(json_text(bodies))
    else:
        result("\n\n".join(map(plain_line, texts)))
    if broken or any(each.error for each in found):
        raise SystemExit(EXIT_MENDABLE)
    leave(damaged=any(each.damaged for each in found))


def artifact_at(path: str) -> Any:
    """Return the artifact that a file holds; None where it is something else."""
    from diptych.artifact import loads
    from diptych.storage import read_text

    if not path.endswith(".json") or not os.path.isfile(path):
        return None
    text = read_text(path)
    return loads(text, where=path) if '"schema": "diptych/' in text else None


@click.command("discover")
@click.argument("path", type=click.Path(exists=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def discover_command(path: str, as_json: bool) -> None:
    """List the runs in a tree.

    For each its place, date, model and tasks.

    Example: diptych discover site/runs
    """
    from diptych.artifact import json_text
    from diptych.harness.inspection import discover

    found = [with_paths_masked(each) for each in discover(path)]
    if as_json:
        result(json_text(found))
        return
    if not found:
        note(f"no run below {path}")
        raise SystemExit(EXIT_MENDABLE)
    result("\n".join(plain_line(found_text(each)) for each in found))


def with_paths_masked(found: Any) -> Any:
    """Return what was found with a secret in its path masked."""
    from diptych.secrets import mask_text

    return found._replace(location=mask_text(found.location)[0])


def found_text(found: Any) -> str:
    """Return two lines about one run of a tree."""
    tasks = ", ".join(found.tasks[:4]) + (f" and {len(found.tasks) - 4} more" if len(found.tasks) > 4 else "")
    return f"{found.location}\n  {found.date or 'no date'}  {found.model or 'no model name'}  {tasks or 'no task'}"


@click.command("init")
@click.argument("path", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--out", default="diptych.toml", show_default=True, type=click.Path(dir_okay=False), help="Write the manifest here."
)
def init_command(path: str, out: str) -> None:
    """Write a first manifest from the runs in a tree.

    Runs of one model that share tasks are set against a baseline; runs of one configuration become repeats. What is
    left out is named with its reason, and each option has a comment.

    Example: diptych init site/runs --out first.toml
    """
    from diptych.batch.draft import draft_manifest
    from diptych.errors import ManifestError
    from diptych.shell import shell_word
    from diptych.storage import write_text

    if os.path.exists(out):
        raise ManifestError("is there already", where=out, hint="name another file with --out")
    candidates, left_out = candidates_in(path)
    folder = os.path.dirname(os.path.abspath(out))
    text, told = draft_manifest(candidates, left_out, os.path.abspath(path), folder, os.path.basename(out))
    write_text(out, text)
    result(f"written {out}: {told}\nnext: diptych batch {shell_word(out)}")


def candidates_in(path: str) -> tuple[list[Any], dict[str, str]]:
    """Return the runs in a tree by which a manifest is drafted, and by location why a run could not be read."""
    from diptych.batch.groups import candidate
    from diptych.errors import DiptychError
    from diptych.harness.inspection import discover
    from diptych.harness.reader import read_run

    found = [os.path.abspath(each.location) for each in discover(path)]
    candidates, left_out = [], {}
    for place in found:
        try:
            run = read_run(place)
            inner = any(other != place and other.startswith(place + os.sep) for other in found)
            candidates.append(candidate(os.path.join(place, run.results_file) if inner else place, run))
        except DiptychError as error:
            left_out[place] = error.message
    return candidates, left_out


@click.command("schema")
@click.argument("kind", default="comparison", type=click.Choice(["comparison", "decision", "matrix", "repeats"]))
def schema_command(kind: str) -> None:
    """Print the JSON schema of an artifact.

    Example: diptych schema comparison
    """
    import json

    from diptych.schema import schema

    result(json.dumps(schema(kind), indent=1, sort_keys=True))
