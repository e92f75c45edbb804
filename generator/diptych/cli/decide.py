"""`diptych decide`: from results, judgements and a notebook to a decision; what both commands print and note down."""

import os
import time
from typing import Any

import click

from diptych.cli.output import leave, may_colour, note, result, width
from diptych.cli.student_options import MONEY, RULE, names_and_values, prices_from, stages_of
from diptych.decision import StudentDecision


@click.command("decide")
@click.option(
    "--route", "routes", multiple=True, required=True, metavar="NAME=RESULTS.json", help="A student and its results."
)
@click.option("--judgements", multiple=True, type=click.Path(dir_okay=False), help="Verdicts as JSON lines.")
@click.option("--labbook", type=click.Path(dir_okay=False), help="The notebook with the stages' costs.")
@RULE
@MONEY
@click.option("--no-record", is_flag=True, help="Do not append the decision's record to the notebook.")
@click.option("--out", type=click.Path(dir_okay=False), help="Write the artifact here.")
@click.option("--full", "form", flag_value="full", help="Print the whole report: every section, nothing cut.")
@click.option("--html", "form", flag_value="html", help="Print a self-contained page instead of the report.")
@click.option("--markdown", "form", flag_value="markdown", help="Print a comment instead of the report.")
@click.option("--json", "form", flag_value="json", help="Print the artifact instead of the report.")
def decide_command(
    routes: tuple[str, ...],
    judgements: tuple[str, ...],
    labbook: str | None,
    stages: tuple[str, ...],
    margin: float,
    attempts: str,
    floor: float | None,
    labels: str | None,
    title: str,
    no_record: bool,
    out: str | None,
    form: str | None,
    **money: Any,
) -> None:
    """Decide between students from their results.

    Example: diptych decide --route q4_1=site/students/results-q4_1.json
    --route q4_0=site/students/results-q4_0.json --no-record
    """
    from diptych import artifact
    from diptych.students.decide.decide import decide, load_inputs

    there = labbook if labbook and os.path.exists(labbook) else None
    loaded = load_inputs(
        list(names_and_values(routes, "--route").items()), judgements=judgements, labbook=there, labels=labels
    )
    for warning in loaded.warnings:
        note(warning)
    made = decide(
        loaded.routes,
        loaded.judgements,
        loaded.labbook,
        stages_of(stages),
        prices_from(money),
        margin,
        attempts,
        floor,
        title,
        labels=loaded.labels,
    )
    text = artifact.dumps(made)
    if out:
        from diptych.storage import write_text

        write_text(out, text)
        note(f"written: {out} (the decision)")
    result(decision_output(made, text, form))
    if labbook and not no_record:  # last: a record of what could not be shown would be appended again
        record(labbook, made, text, out)
    elif labbook and there is None:
        note(f"{labbook} is not there; without a notebook no stage cost is known")
    leave(damaged=bool(loaded.damaged))


def decision_output(made: StudentDecision, text: str, form: str | None, more: str = "") -> str:
    """Return what goes to stdout; `more` says at the end of the short report how to see the rest."""
    if form == "json":
        return text
    if form == "html":
        from diptych.artifact import digest
        from diptych.publish.notebook import one_file_page

        return one_file_page(made, digest(text))
    if form == "markdown":
        from diptych.publish.comment import comment

        return comment([made]).text
    from diptych.report.documents.decision import decision_document
    from diptych.report.writers.terminal import document_text

    return document_text(decision_document(made), width(), may_colour(), form == "full", more or MORE)


MORE = "More: --full (all), --html (the page), --json (the artifact)."


def record(labbook: str, made: StudentDecision, text: str, out: str | None, tasks: str | None = None) -> None:
    """Append the decision's record to the notebook."""
    from diptych.artifact import digest
    from diptych.students.run import record_decision

    now = time.localtime()
    record_decision(
        labbook,
        made,
        run_id=time.strftime("%Y%m%dT%H%M%S", now),
        date=time.strftime("%Y-%m-%d", now),
        digest=digest(text),
        tasks=tasks,
        link=os.path.relpath(out, os.path.dirname(os.path.abspath(labbook))) if out else None,
    )
    note(f"appended to {labbook}: a record of the stage `compare`")
