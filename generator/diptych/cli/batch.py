"""`diptych batch`, `diptych build` and `diptych serve`."""

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from diptych.cli import EXIT_MENDABLE
from diptych.cli.output import leave, note, result
from diptych.cli.standard_streams import is_terminal

if TYPE_CHECKING:
    from diptych.batch.runner import Outcome
    from diptych.publish.build import Done

EXECUTORS = "processes, serial, dask://HOST:PORT, tls://HOST:PORT, a scheduler's file"


@click.command("batch")
@click.argument("manifest", type=click.Path(dir_okay=False))
@click.option("--jobs", type=click.IntRange(1), help="Worker processes; as many as there are cores if not given.")
@click.option("--executor", default="processes", show_default=True, metavar="NAME", help=f"One of {EXECUTORS}.")
@click.option("--again", is_flag=True, help="Make everything, up to date or not.")
@click.option("--outside", is_flag=True, help="Let the manifest write outside of its own folder.")
@click.option("--quiet", is_flag=True, help="No progress and no notes on stderr.")
def batch_command(manifest: str, jobs: int | None, executor: str, again: bool, outside: bool, quiet: bool) -> None:
    """Make every artifact of a manifest, in parallel.

    What is up to date is not done again; a batch that was killed goes on where it was.

    Example: diptych batch site/diptych.toml
    """
    from diptych.batch.executor import executor_for
    from diptych.batch.manifest import read_manifest
    from diptych.batch.runner import run_batch, summary

    plan = read_manifest(manifest, outside=outside)
    outcomes = followed(run_batch(plan, executor_for(executor, jobs), again=again), len(plan.entries), quiet)
    place = os.path.normpath(os.path.join(plan.folder, plan.artifacts))
    result(f"{summary(outcomes)}; artifacts in {place}")
    if all(outcome.result == "failed" for outcome in outcomes) or any(outcome.bug for outcome in outcomes):
        raise SystemExit(EXIT_MENDABLE)
    failures = [outcome for outcome in outcomes if outcome.result == "failed"]
    leave(
        damaged=bool(failures) or any(outcome.damaged for outcome in outcomes),
        fired=[f"{outcome.name}: {rule}" for outcome in outcomes for rule in outcome.fired],
        undecided=[f"{outcome.name}: {rule}" for outcome in outcomes for rule in outcome.undecided],
    )


def followed(outcomes: "Iterable[Outcome]", total: int, quiet: bool) -> "list[Outcome]":
    """Return the outcomes, showing a bar where stderr is a terminal, and a line for each failure."""
    done: list[Outcome] = []
    with click.progressbar(
        length=total, label="comparing", file=sys.stderr, hidden=quiet or not is_terminal(sys.stderr)
    ) as bar:
        for outcome in outcomes:
            done.append(outcome)
            bar.update(1)
    for outcome in sorted(done):
        tell(outcome, quiet)
    return done


def tell(outcome: "Outcome", quiet: bool) -> None:
    """Say on stderr what went wrong with a job, or what its reader chose by itself."""
    if outcome.result == "failed":
        place = f"{outcome.where}: " if outcome.where else ""
        note(f"{outcome.name} failed: {place}{outcome.message}")
        if outcome.hint:
            note(f"  hint: {outcome.hint}")
    for text in outcome.notes:
        note(f"{outcome.name}: {text}", quiet=quiet)


@click.command("build")
@click.argument("sources", nargs=-1, required=True, metavar="MANIFEST|ARTIFACTS...")
@click.option(
    "--out", type=click.Path(file_okay=False), help="The archive's folder; a manifest's `build` if not given."
)
@click.option("--jobs", type=click.IntRange(1), help="Worker processes; as many as there are cores if not given.")
@click.option("--base-url", help="Where the archive will be published, for the feed and the site map.")
@click.option("--prune", is_flag=True, help="Remove pages without a source, also where that is most of them.")
@click.option("--quiet", is_flag=True, help="No notes on stderr.")
def build_command(
    sources: tuple[str, ...], out: str | None, jobs: int | None, base_url: str | None, prune: bool, quiet: bool
) -> None:
    """Render artifacts as a browsable archive.

    It opens from disk, reads without script and asks nobody for anything.

    Example: diptych build site/diptych.toml --out site/build
    """
    out = out or build_folder(sources)
    done = built(sources, out, base_url, prune=prune, jobs=jobs)
    note(done.said, quiet=quiet)
    tell_unshown(done)
    result(f"open {os.path.join(out, 'index.html')}")
    leave(damaged=bool(done.failures))


def tell_unshown(done: "Done") -> "Done":
    """Say on stderr what an archive could not show, and where and why."""
    for failure in done.failures:
        place = f"{failure.where}: " if failure.where and failure.where != failure.label else ""
        note(f"{failure.label} could not be shown: {place}{failure.message}")
        if failure.hint:
            note(f"  hint: {failure.hint}")
    return done


def build_folder(sources: Sequence[str]) -> str:
    """Return the folder that a manifest names for its archive; artifacts alone name none."""
    if len(sources) != 1 or not sources[0].endswith(".toml"):
        raise click.UsageError("artifacts need --out: the folder of their archive")
    from diptych.batch.manifest import read_manifest

    plan = read_manifest(sources[0])
    return os.path.join(plan.folder, plan.build)


def built(
    sources: Sequence[str], out: str, base_url: str | None, *, prune: bool = False, jobs: int | None = None
) -> "Done":
    """Render an archive from a manifest or from artifacts."""
    from diptych.batch.executor import executor_for
    from diptych.batch.step_search import Aside
    from diptych.publish.archive_sources import given_sources
    from diptych.publish.build import build_archive

    executor = executor_for("processes", jobs)
    with Aside() as search:
        if len(sources) != 1 or not sources[0].endswith(".toml"):
            given = given_sources(sources)
            return build_archive(given, out, base_url=base_url, prune=prune, executor=executor, search=search)
        from diptych.batch.manifest import read_manifest

        plan = read_manifest(sources[0], outside=True)
        return build_archive(
            [os.path.join(plan.folder, plan.artifacts, f"{entry.name}.json") for entry in plan.entries],
            out,
            title=plan.title,
            description=plan.description,
            pages=os.path.join(plan.folder, plan.pages) if plan.pages else None,
            base_url=base_url or plan.base_url,
            prune=prune,
            executor=executor,
            search=search,
        )


@click.command("serve")
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@click.option("--manifest", type=click.Path(exists=True, dir_okay=False), help="Rebuild when its artifacts change.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
def serve_command(folder: str, manifest: str | None, port: int) -> None:
    """Show a built archive on 127.0.0.1.

    With --manifest it is built again when its artifacts change. Ctrl-C ends it.

    Example: diptych serve site/build --manifest site/diptych.toml
    """
    from diptych.publish.serve import serve

    watched = None
    if manifest:
        from diptych.batch.manifest import read_manifest

        plan = read_manifest(manifest, outside=True)
        watched = os.path.join(plan.folder, plan.artifacts)
    serve(
        folder,
        port,
        watch=watched,
        rebuild=(lambda: tell_unshown(built([manifest], folder, None))) if manifest else None,
        say=lambda text: note(text),
    )
