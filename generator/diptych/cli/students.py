"""`diptych students`, with its single steps `eval` and `judge`."""

import os
import sys
from typing import Any

import click

from diptych.cli import EXIT_MENDABLE
from diptych.cli.decide import decision_output, record
from diptych.cli.output import leave, note, result
from diptych.cli.standard_streams import is_terminal
from diptych.cli.student_options import (
    JUDGE,
    MONEY,
    RULE,
    SERVED,
    SERVER,
    endpoint_from,
    judge_endpoint_from,
    names_and_values,
    prices_from,
    stages_of,
)


@click.group("students", invoke_without_command=True)
@click.option(
    "--harness-dir", type=click.Path(exists=True, file_okay=False), help="Use run-eval.py and judge.py there."
)
@click.option("--tasks", type=click.Path(dir_okay=False), help="The tasks that all students answer.")
@SERVER
@click.option("--sequence-student", metavar="MODEL", help="The student trained on its teacher's text.")
@click.option("--logit-student", metavar="MODEL", help="The student trained against its teacher's logits.")
@click.option("--route", "routes", multiple=True, metavar="NAME=MODEL", help="Any other route.")
@click.option("--judge-model", "judges", multiple=True, metavar="MODEL", help="Who judges; one or several.")
@click.option(
    "--repeats",
    default=1,
    type=click.IntRange(1, 1_000),
    show_default=True,
    help="How often each verdict is asked for.",
)
@JUDGE
@SERVED
@click.option(
    "--out-dir",
    default="compare-out",
    show_default=True,
    type=click.Path(file_okay=False),
    help="Where results and the decision go.",
)
@click.option("--skip-eval", is_flag=True, help="Use the results that are in the out-dir already.")
@click.option("--fresh", is_flag=True, help="Ask every task again, and replace results of another model.")
@click.option(
    "--labbook",
    default="labbook.md",
    show_default=True,
    type=click.Path(dir_okay=False),
    help="The notebook with the stages' costs.",
)
@RULE
@MONEY
@click.option("--no-record", is_flag=True, help="Do not append the decision's record to the notebook.")
@click.option("--full", is_flag=True, help="Print the whole report: every section, nothing cut.")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
@click.pass_context
def students_command(ctx: click.Context, /, **given: Any) -> None:
    """Evaluate, judge and decide between students.

    Example: diptych students --tasks tasks.json --sequence-student small
    --logit-student quant --judge-model judge --base-url http://127.0.0.1:8080/v1
    """
    if ctx.invoked_subcommand is not None:
        return
    from diptych.storage import locked
    from diptych.students.run import students_run

    if not given["tasks"]:
        raise click.UsageError("--tasks is missing")
    routes = {
        name: given[option]
        for name, option in (("sequence", "sequence_student"), ("logit", "logit_student"))
        if given[option]
    } | names_and_values(given["routes"], "--route")
    endpoint = endpoint_from(given)
    with locked(os.path.join(given["out_dir"], ".lock"), wait=5), Bar(given["quiet"]) as bar:
        made = students_run(
            routes,
            given["tasks"],
            given["out_dir"],
            endpoint,
            judge_endpoint=judge_endpoint_from(given, endpoint),
            fresh=given["fresh"],
            labels=given["labels"],
            harness_dir=given["harness_dir"],
            judges=given["judges"],
            repeats=given["repeats"],
            quant=given["quant"],
            engine=given["engine"],
            engine_version=given["engine_version"],
            skip_eval=given["skip_eval"],
            labbook=given["labbook"],
            stages=stages_of(given["stages"]),
            prices=prices_from(given),
            margin=given["margin"],
            attempts=given["attempts"],
            floor=given["floor"],
            title=given["title"],
            progress=bar.progress,
            say=bar.say,
        )
    for warning in made.loaded.warnings:
        note(warning, quiet=given["quiet"])
    artifact = os.path.join(given["out_dir"], "decision.json")
    more = f"More: --full (all); the artifact is {artifact}; diptych decide --html prints the page."
    result(decision_output(made.decision, made.text, "full" if given["full"] else None, more))
    if not given["no_record"]:  # last: a record of what could not be shown would be appended again
        record(given["labbook"], made.decision, made.text, artifact, given["tasks"])
    leave(damaged=bool(made.loaded.damaged))


class Bar:
    """Progress on stderr where it is a terminal; lines that are said stand above it."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.bar: Any = None

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End a bar that is being drawn."""
        if self.bar is not None:
            self.bar.__exit__(None, None, None)
            self.bar = None

    def progress(self, done: int, total: int) -> None:
        """Draw how many of how many are done; a new step begins a new bar."""
        if self.quiet or not is_terminal(sys.stderr) or not total:
            return
        if self.bar is None:
            self.bar = click.progressbar(length=total, label="asking", file=sys.stderr)
            self.bar.__enter__()
        self.bar.update(done - self.bar.pos)
        if done >= total:
            self.close()

    def say(self, text: str) -> None:
        """Say one line on stderr."""
        self.close()
        note(text, quiet=self.quiet)


@students_command.command("eval")
@click.option("--tasks", required=True, type=click.Path(dir_okay=False), help="The tasks that it answers.")
@click.option("--model", required=True, help="The name that the student is served under.")
@click.option("--out", required=True, type=click.Path(dir_okay=False), help="The results file.")
@SERVER
@SERVED
@click.option("--notes", help="Kept in the results file.")
@click.option("--fresh", is_flag=True, help="Ask every task again.")
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def eval_command(**given: Any) -> None:
    """Ask one student every task and check its answers.

    Example: diptych students eval --tasks tasks.json --model small --out results-small.json
    """
    from diptych.students.collect.own_harness import students_eval

    with Bar(given["quiet"]) as bar:
        done = students_eval(
            given["tasks"],
            given["model"],
            given["out"],
            endpoint_from(given),
            quant=given["quant"],
            engine=given["engine"],
            engine_version=given["engine_version"],
            notes=given["notes"],
            fresh=given["fresh"],
            progress=bar.progress,
            say=bar.say,
        )
    for task, error in done.failed:
        note(f"no answer to {task}: {error}")
    result(
        f"{done.passed} of {done.answered} answered tasks pass; {done.asked} asked now, {done.reused} kept, "
        f"{len(done.failed)} without an answer, {done.retries} retries; written {done.path}"
    )
    if done.failed and not done.answered:
        raise SystemExit(EXIT_MENDABLE)
    leave(damaged=bool(done.failed))


@students_command.command("judge")
@click.option(
    "--route", "routes", multiple=True, required=True, metavar="NAME=RESULTS.json", help="A student and its results."
)
@click.option(
    "--judge-model", "judges", multiple=True, required=True, metavar="MODEL", help="Who judges; one or several."
)
@click.option("--out", required=True, type=click.Path(dir_okay=False), help="A line a verdict is appended here.")
@click.option(
    "--repeats",
    default=1,
    type=click.IntRange(1, 1_000),
    show_default=True,
    help="How often each verdict is asked for.",
)
@SERVER
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def judge_command(**given: Any) -> None:
    """Ask a judge about every pair of answers, in both orders.

    Example: diptych students judge --route a=results-a.json --route b=results-b.json
    --judge-model judge --out judgements.jsonl
    """
    from diptych.students.judge.ask_judge import students_judge

    with Bar(given["quiet"]) as bar:
        done = students_judge(
            names_and_values(given["routes"], "--route"),
            given["judges"],
            given["out"],
            endpoint_from(given),
            repeats=given["repeats"],
            progress=bar.progress,
            say=bar.say,
        )
    result(
        f"{done.asked} verdicts asked now, {done.reused} kept, {done.unreadable} unreadable, {done.failed} without an "
        f"answer, {done.retries} retries; written {done.path}"
    )
    leave(damaged=bool(done.failed))
