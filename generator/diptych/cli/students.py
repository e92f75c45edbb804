"""`diptych decide`, and `diptych students` with its single steps `eval` and `judge`."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import click

from diptych.cli import EXIT_MENDABLE
from diptych.cli.shown import leave, may_colour, note, result, width
from diptych.decision import StudentDecision

Function = Callable[..., Any]


def options(*decorators: Function) -> Function:
    """Return several options as one decorator, in the order they are given."""

    def add(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return add


MONEY = options(
    click.option("--prices", type=click.Path(dir_okay=False), help="A TOML or JSON file of prices."),
    click.option("--currency", help="What the prices are in, e.g. EUR."),
    click.option("--prompt-price", type=float, help="For a million prompt tokens."),
    click.option("--completion-price", type=float, help="For a million completion tokens."),
    click.option("--hour-price", type=float, help="For an hour of the machine."),
    click.option("--kwh-price", type=float, help="For a kilowatt-hour."),
    click.option("--worth", type=float, help="What one more solved task is worth."),
)
RULE = options(
    click.option("--stages", multiple=True, metavar="NAME=a,b", help="Which stages of the notebook paid for a route."),
    click.option("--margin", default=0.01, show_default=True, help="A cheaper route may be worse by this share."),
    click.option(
        "--attempts",
        type=click.Choice(["all", "last"]),
        default="all",
        show_default=True,
        help="Whether a stage that ran more than once costs all of its runs, or the last one only.",
    ),
    click.option("--floor", type=float, help="Keep neither where no route passes this share."),
    click.option("--title", default="", help="What the decision is called."),
)
SERVER = options(
    click.option("--base-url", default="http://127.0.0.1:8080/v1", show_default=True, help="The endpoint's address."),
    click.option("--api-key", envvar="OPENAI_API_KEY", help="Its key; OPENAI_API_KEY where not given."),
    click.option("--timeout", default=120.0, show_default=True, help="Seconds for one whole answer."),
    click.option("--retries", default=4, show_default=True, help="How often a request that failed is made again."),
    click.option("--concurrency", default=4, show_default=True, help="Requests under way at once."),
    click.option("--max-tokens", default=512, show_default=True, help="The longest answer."),
    click.option("--extra", metavar="JSON", help="More fields of each request, as the server knows them."),
)
SERVED = options(
    click.option("--quant", default="unknown", show_default=True, help="The quantisation that is served."),
    click.option("--engine", default="llama.cpp", show_default=True, help="What serves it."),
    click.option("--engine-version", default="unknown", show_default=True, help="In which version."),
)


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
    from diptych.students.decide import decide, load

    loaded = load(list(named(routes, "--route").items()), judgements=judgements, labbook=labbook)
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
    )
    text = artifact.dumps(made)
    if out:
        from diptych.storage import write_text

        write_text(out, text)
    if labbook and not no_record:
        record(labbook, made, text, out)
    result(shown(made, text, form))
    leave(damaged=bool(loaded.damaged))


def named(pairs: tuple[str, ...], option: str) -> dict[str, str]:
    """Return NAME=VALUE options as a mapping; a name that comes twice is wrong usage."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or not value or name in found:
            raise click.UsageError(f"{option} {pair!r} is not NAME=VALUE, each name once")
        found[name] = value
    return found


def stages_of(pairs: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return NAME=a,b options as route -> stages."""
    return {
        name: tuple(stage.strip() for stage in value.split(",") if stage.strip())
        for name, value in named(pairs, "--stages").items()
    }


PRICE_KEYS = {
    "currency": "currency",
    "prompt_price": "prompt_per_million",
    "completion_price": "completion_per_million",
    "hour_price": "per_hour",
    "kwh_price": "per_kwh",
    "worth": "worth",
}


def prices_from(money: dict[str, Any]) -> Any:
    """Return the prices of a file with what the command line gives on top."""
    from diptych.students.prices import NO_PRICES, prices_of, read_prices

    given = {PRICE_KEYS[name]: value for name, value in money.items() if name in PRICE_KEYS and value is not None}
    start = read_prices(money["prices"]) if money.get("prices") else NO_PRICES
    checked = prices_of(given, "the command line") if given else NO_PRICES
    return start._replace(**{key: getattr(checked, key) for key in given})


def shown(made: StudentDecision, text: str, form: str | None) -> str:
    """Return what goes to stdout."""
    if form == "json":
        return text
    if form == "html":
        from diptych.artifact import digest
        from diptych.publish.attach import page_of

        return page_of(made, digest(text))
    if form == "markdown":
        from diptych.publish.comment import comment

        return comment([made]).text
    from diptych.render.decision_text import decision_text

    return decision_text(made, width=width(), colour=may_colour())


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
@click.option("--repeats", default=1, show_default=True, help="How often each verdict is asked for.")
@SERVED
@click.option(
    "--out-dir",
    default="compare-out",
    show_default=True,
    type=click.Path(file_okay=False),
    help="Where results and the decision go.",
)
@click.option("--skip-eval", is_flag=True, help="Use the results that are in the out-dir already.")
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
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
@click.pass_context
def students_command(ctx: click.Context, /, **given: Any) -> None:
    """Evaluate, judge and decide between students.

    Example: diptych students --tasks tasks.json --sequence-student small
    --logit-student quant --judge-model judge --base-url http://127.0.0.1:8080/v1
    """
    if ctx.invoked_subcommand is not None:
        return
    from diptych.students.run import students_run

    if not given["tasks"]:
        raise click.UsageError("--tasks is missing")
    routes = {
        name: given[option]
        for name, option in (("sequence", "sequence_student"), ("logit", "logit_student"))
        if given[option]
    } | named(given["routes"], "--route")
    with Bar(given["quiet"]) as bar:
        made = students_run(
            routes,
            given["tasks"],
            given["out_dir"],
            endpoint_from(given),
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
    if not given["no_record"]:
        record(
            given["labbook"], made.decision, made.text, os.path.join(given["out_dir"], "decision.json"), given["tasks"]
        )
    result(shown(made.decision, made.text, None))
    leave(damaged=bool(made.loaded.damaged))


def endpoint_from(given: dict[str, Any]) -> Any:
    """Return the endpoint that the options name."""
    import json

    from diptych.students.endpoint import Endpoint

    names = ("base_url", "api_key", "timeout", "retries", "concurrency", "max_tokens")
    try:
        extra = json.loads(given["extra"] or "{}")
    except ValueError:
        extra = None
    if not isinstance(extra, dict):
        raise click.UsageError('--extra is no JSON object, e.g. {"top_k": 1}')
    return Endpoint(**{name: given[name] for name in names}, extra=extra)


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
        if self.quiet or not sys.stderr.isatty() or not total:
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
    from diptych.students.harness import students_eval

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
@click.option("--repeats", default=1, show_default=True, help="How often each verdict is asked for.")
@SERVER
@click.option("--quiet", is_flag=True, help="No progress on stderr.")
def judge_command(**given: Any) -> None:
    """Ask a judge about every pair of answers, in both orders.

    Example: diptych students judge --route a=results-a.json --route b=results-b.json
    --judge-model judge --out judgements.jsonl
    """
    from diptych.students.judge import students_judge

    with Bar(given["quiet"]) as bar:
        done = students_judge(
            named(given["routes"], "--route"),
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
