"""`diptych noise`."""

import click

from diptych.cli.named_runs import load_all
from diptych.cli.output import leave, may_colour, note, result, width


@click.command("noise")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN [RUN ...]")
@click.option("--out", type=click.Path(dir_okay=False), help="Write the artifact here.")
@click.option("--json", "as_json", is_flag=True, help="Print the artifact instead of the report.")
@click.option("--full", is_flag=True, help="Print the whole report: notes, files and their sums.")
@click.option("--quiet", is_flag=True, help="No notes on stderr.")
def noise_command(runs: tuple[str, ...], out: str | None, as_json: bool, full: bool, quiet: bool) -> None:
    """Tell how much runs of one configuration differ by themselves.

    \b
    Example: diptych noise site/runs/api-temp0.8-seed1
      site/runs/api-temp0.8-seed2 site/runs/api-temp0.8-seed3
    """
    from diptych import artifact
    from diptych.diagnose.compare_repeats import proposed_thresholds, repeats_of
    from diptych.diagnose.damage import with_damage
    from diptych.report.documents.repeats import repeats_document
    from diptych.report.writers.terminal import document_text

    if len(runs) < 2:
        raise click.UsageError("at least two runs of one configuration are needed")
    found = load_all(runs, quiet)
    made = with_damage(repeats_of(found.runs, ""), found.damaged)
    text = artifact.dumps(made)
    if out:
        from diptych.storage import write_text

        write_text(out, text)
        note(f"written to {out}", quiet=quiet)
    if as_json:
        result(text)
    else:
        more = "More: --full (all), --out FILE (for compare --noise FILE)."
        result(document_text(repeats_document(made), width(), may_colour(), full, more))
    for proposal in () if as_json else proposed_thresholds(made):
        note(f"a threshold from this floor: --threshold '{proposal}'", quiet=quiet)
    leave(damaged=any(finding.kind == "file_damaged" for finding in made.findings))
