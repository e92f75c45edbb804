"""`diptych compare`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from diptych.cli.compare_options import floors, known_rules, known_tasks, needs_a_floor, pairs, policy_at
from diptych.cli.named_runs import load_all
from diptych.cli.numbers import AMOUNT, COUNT
from diptych.cli.output import leave, may_colour, note, result, width
from diptych.comparison import Comparison
from diptych.diagnose.options import FAIL_ON, Options
from diptych.run import Run

if TYPE_CHECKING:
    from diptych.matrix import Matrix
    from diptych.report.documents.changes import Docs


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, metavar="A B [C ...]")
@click.option("--full", is_flag=True, help="Print the whole report instead of its 25 lines.")
@click.option(
    "--samples", default=0, type=COUNT, metavar="N", help="Print N items a task side by side: prompts, responses, docs."
)
@click.option("--prompts", default=0, type=COUNT, metavar="N", help="Print N prompts a task side by side.")
@click.option(
    "--flips", default=500, type=COUNT, show_default=True, help="How many changed items are kept with their texts."
)
@click.option(
    "--margin",
    default=0.01,
    type=AMOUNT,
    show_default=True,
    help="How far apart two scores may be and still count as equivalent; 0.01 is 1 pp.",
)
@click.option("--primary", multiple=True, metavar="TASK=METRIC[,FILTER]", help="The metric a task is judged by.")
@click.option(
    "--cluster",
    multiple=True,
    metavar="TASK=FIELD",
    help="Items that share this field of their document are counted as one unit.",
)
@click.option(
    "--match-tasks",
    multiple=True,
    metavar="A=B",
    help="Compare A's task with B's task of another name.",
)
@click.option(
    "--noise",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A noise floor, as diptych noise --out wrote it.",
)
@click.option("--out", type=click.Path(dir_okay=False), help="Write the artifact here.")
@click.option("--html", "form", flag_value="html", help="Print a self-contained page instead of the report.")
@click.option("--markdown", "form", flag_value="markdown", help="Print a pull request's comment instead.")
@click.option("--json", "form", flag_value="json", help="Print the artifact instead.")
@click.option("--labbook", type=click.Path(dir_okay=False), help="Append the comparison's record to this notebook.")
@click.option("--fail-on", multiple=True, type=click.Choice(FAIL_ON), help="Exit 3 where this is found.")
@click.option(
    "--require",
    multiple=True,
    metavar="non-inferior[:MARGIN]",
    help="Exit 0 only where B is shown to be no worse than A by the margin; 3 where it is worse, 6 where open.",
)
@click.option(
    "--threshold",
    multiple=True,
    metavar="TASK.METRIC=LIMIT",
    help="Exit 3 where B is worse by more: 0.02 (all of the CI is; 6 where part of it), 2se (standard errors) "
    "or floor (the noise floor; both by the observed difference).",
)
@click.option(
    "--policy",
    type=click.Path(exists=True, dir_okay=False),
    metavar="MANIFEST",
    help="Judge by the [gate] of this manifest: exit 0 GO, 3 NO-GO, 6 undecided.",
)
@click.option("--strict", is_flag=True, help="Parse every line of every sample log whole: slower, finds more damage.")
@click.option("--quiet", is_flag=True, help="No notes on stderr.")
def compare_command(
    runs: tuple[str, ...],
    full: bool,
    samples: int,
    prompts: int,
    flips: int,
    margin: float,
    primary: tuple[str, ...],
    cluster: tuple[str, ...],
    match_tasks: tuple[str, ...],
    noise: tuple[str, ...],
    out: str | None,
    form: str | None,
    labbook: str | None,
    fail_on: tuple[str, ...],
    require: tuple[str, ...],
    threshold: tuple[str, ...],
    policy: str | None,
    strict: bool,
    quiet: bool,
) -> None:
    """Say why two runs differ, or which of many do.

    A run is a directory of a harness or one results file; label=path names it.

    Example: diptych compare base=site/runs/smol-3shot q4_0=site/runs/smol-3shot-q4_0
    """
    if len(runs) < 2:
        raise click.UsageError("two runs are needed: diptych compare A B")
    if labbook and len(runs) > 2:
        raise click.UsageError("--labbook records a comparison of two runs")
    options = Options(
        samples=max(1, samples, prompts),
        flips=flips,
        texts=shows_texts(full, samples, out or labbook or form),
        margin=margin,
        primary=pairs(primary, "--primary"),
        clusters=pairs(cluster, "--cluster"),
        match_tasks=pairs(match_tasks, "--match-tasks"),
        fail_on=fail_on,
        require=require,
        thresholds=threshold,
        policy=policy_at(policy),
    )
    known_rules(require, threshold)
    loaded, damaged = load_all(runs, quiet, strict=strict)
    known_tasks(loaded, options)
    if noise:
        options = options._replace(noise=floors(loaded, noise, quiet))
    needs_a_floor(options)
    from diptych.diagnose.damage import with_damage

    made = with_damage(comparison_or_matrix(loaded, options), damaged)
    text = None
    if out or labbook or form in ("json", "html"):
        from diptych import artifact

        text = artifact.dumps(made)
    if out and text:
        from diptych.storage import write_text

        write_text(out, text)
        note(f"written to {out}", quiet=quiet)
    docs = docs_for(made, loaded, samples, options.match_tasks)
    result(comparison_output(made, text, form, full, samples, prompts, docs))
    if labbook and text:  # last: a record of what could not be shown would be appended again
        record(made, text, labbook, out)
        note(f"recorded in {labbook}", quiet=quiet)
    leave(
        damaged=any(finding.kind == "file_damaged" for finding in made.findings),
        fired=[f"{gate.rule}: {gate.text}" for gate in made.gates if gate.result == "fail"],
        undecided=[f"{gate.rule}: {gate.text}" for gate in made.gates if gate.result == "inconclusive"],
    )


def shows_texts(full: bool, samples: int, kept: str | None) -> bool:
    """Say whether texts of changed items, or what was left out of them, are shown or kept: a short report has none."""
    return full or samples > 0 or bool(kept)


def comparison_or_matrix(runs: tuple[Run, ...], options: Options) -> "Comparison | Matrix":
    """Return the comparison of two runs, or the matrix of more."""
    if len(runs) == 2:
        from diptych.diagnose.pipeline import compare_runs

        return compare_runs(*runs, options)
    from diptych.diagnose.compare_many import compare_many

    return compare_many(runs, options)


def docs_for(made: "Comparison | Matrix", runs: tuple[Run, ...], samples: int, names_in_b: Mapping[str, str]) -> "Docs":
    """Return the docs of the items that are to be printed."""
    if not samples or not isinstance(made, Comparison):
        return {}
    from diptych.diagnose.samples.changed_docs import docs_of
    from diptych.report.documents.changes import sampled_items

    return docs_of(sampled_items(made, samples), runs[0], runs[1], names_in_b)


def comparison_output(
    made: "Comparison | Matrix",
    text: str | None,
    form: str | None,
    full: bool,
    samples: int,
    prompts: int,
    docs: "Docs",
) -> str:
    """Return what goes to stdout."""
    if form == "json" and text:
        return text
    if form == "html" and isinstance(made, Comparison):
        from diptych.report.comparison_pages import single_page

        return single_page(made)
    if form == "html" and text:
        from diptych.artifact import digest
        from diptych.publish.notebook import one_file_page

        return one_file_page(made, digest(text))
    if form == "markdown":
        from diptych.publish.comment import comment

        return comment([made]).text
    from diptych.report.writers.terminal import MORE, document_text, sample_text

    if not isinstance(made, Comparison):
        from diptych.report.documents.matrix import matrix_document

        return document_text(matrix_document(made), width(), may_colour(), full, MORE_OF_MANY)
    from diptych.report.documents.changes import sample_blocks
    from diptych.report.documents.comparison import comparison_document

    if samples or prompts:
        blocks = sample_blocks(made, samples or prompts, responses=bool(samples), docs=docs)
        return sample_text(blocks, width(), may_colour())
    more = MORE if made.ladder else MORE_OF_SCORES if made.verdict.isolating_run else MORE_OF_PAIR
    return document_text(comparison_document(made), width(), may_colour(), full, more)


MORE_OF_SCORES = "More: --full (all, with the next run's command), --html (the page)."
"""What follows a comparison without samples: there are none to print."""

MORE_OF_PAIR = "More: --full (all), --html (the page)."

MORE_OF_MANY = "More: --full (all), --html (the page), --out FILE (to keep it)."


def record(made: "Comparison | Matrix", text: str, labbook: str, out: str | None) -> None:
    """Append the record of a comparison to a notebook."""
    import os
    import platform
    import time

    from diptych.artifact import digest
    from diptych.labbook import append_record
    from diptych.publish.labbook_record import comparison_record

    assert isinstance(made, Comparison)
    link = os.path.relpath(out, os.path.dirname(os.path.abspath(labbook))) if out else None
    now = time.localtime()
    append_record(
        labbook,
        comparison_record(
            made,
            digest=digest(text),
            link=link,
            host=platform.platform(),
            run_id=time.strftime("%Y%m%dT%H%M%S", now),
            date=time.strftime("%Y-%m-%d", now),
        ),
    )
