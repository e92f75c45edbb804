"""Call an external harness's two scripts as processes: `run-eval.py` for each route, `judge.py compare` for each pair.

They are never imported. What they print is passed on as it comes; a failure names the step, the command and its
exit code, and loses nothing that was finished.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from diptych.decision import ExternalStep
from diptych.errors import LabbookError, StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.labbook import Record, read_labbook
from diptych.secrets import mask, remember, safe
from diptych.shell import shell_line
from diptych.students.collect.ask_many import Say, quiet
from diptych.students.judge.judgements import Judgements, parse_judgements
from diptych.students.number_limits import strict

MOST_OUTPUT = 60_000


class Serving(NamedTuple):
    """How the students are reached and served, as the scripts want it told.

    A key that came by the environment (`key_by_environment`) goes on to the scripts that way and stands in no command.
    """

    base_url: str
    api_key: str | None = None
    quant: str = "unknown"
    engine: str = "llama.cpp"
    engine_version: str = "unknown"
    key_by_environment: bool = False


def external_eval(
    harness_dir: str | Path,
    route: str,
    model: str,
    tasks: str | Path,
    out: str | Path,
    serving: Serving,
    *,
    say: Say = quiet,
) -> ExternalStep:
    """Run the harness's `run-eval.py` for one route; it writes the results file `out`."""
    arguments = [
        *endpoint_arguments(serving),
        *("--model", model, "--quant", serving.quant, "--engine", serving.engine),
        *("--engine-version", serving.engine_version, "--tasks", str(tasks), "--out", str(out)),
        *("--notes", f"diptych student comparison, {route} route"),
    ]
    step = run_step(f"evaluate {route}", script_in(harness_dir, "run-eval.py"), arguments, serving, say=say)
    if not Path(out).is_file():
        raise StudentsError(
            f"step 'evaluate {route}' ended well and wrote no results", where=str(out), hint="does it keep to --out?"
        )
    return step


def external_judge(
    harness_dir: str | Path,
    results: Mapping[str, str | Path],
    judge_model: str,
    labbook: str | Path,
    serving: Serving,
    *,
    say: Say = quiet,
) -> tuple[ExternalStep, ...]:
    """Run the harness's `judge.py compare` for each pair of routes, with the notebook it may append to."""
    script = script_in(harness_dir, "judge.py")
    steps = []
    for one, other in combinations(results, 2):
        before = lines_in(labbook)
        arguments = [
            *("compare", *endpoint_arguments(serving), "--judge-model", judge_model),
            *("--results-a", str(results[one]), "--results-b", str(results[other]), "--labbook", str(labbook)),
        ]
        step = run_step(f"judge {one} and {other}", script, arguments, serving, say=say)
        records = tuple(mask(strict(record.fields))[0] for record in records_after(labbook, before))
        steps.append(step._replace(records=records))
    return tuple(steps)


def script_in(harness_dir: str | Path, name: str) -> Path:
    """Return one of the harness's scripts; a missing one is an error that says where it was looked for."""
    script = Path(harness_dir) / name
    if not script.is_file():
        raise StudentsError(
            "is not there", where=str(script), hint="point --harness-dir at the folder with run-eval.py and judge.py"
        )
    return script


def endpoint_arguments(serving: Serving) -> list[str]:
    """Return the arguments that say where the models are reached."""
    key = ["--api-key", serving.api_key] if serving.api_key and not serving.key_by_environment else []
    return ["--base-url", serving.base_url, *key]


def run_step(step: str, script: Path, arguments: Sequence[str], serving: Serving, *, say: Say) -> ExternalStep:
    """Run one script, passing its lines on; raise `StudentsError` with step, command and exit code where it fails."""
    remember(serving.api_key)  # whatever a script prints or writes down, the key is in none of it
    command = [sys.executable, str(script), *arguments]
    printed = masked_command(command)
    say(f"+ {printed}")
    lines: list[str] = []
    size = 0
    # unbuffered, so that a long evaluation is seen while it runs
    key = {"OPENAI_API_KEY": serving.api_key} if serving.api_key and serving.key_by_environment else {}
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **key}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment
    ) as process:
        assert process.stdout is not None
        try:
            for raw in process.stdout:
                line = safe(raw.decode("utf-8", "replace").rstrip("\r\n"))
                say(line)
                size += len(line) + 1
                if size <= MOST_OUTPUT:
                    lines.append(line)
        except BaseException:
            process.terminate()
            raise
        code = process.wait()
    if code != 0:
        raise StudentsError(
            f"step '{step}' failed with exit code {code}",
            where=printed,
            hint="what was finished is kept in the out-dir; mend the cause and go on with --skip-eval",
        )
    output = "\n".join(lines)
    if size > MOST_OUTPUT:
        output += f"\n[{size - len(output)} more characters were printed]"
    return ExternalStep(step, portable(command), code, output)


def masked_command(command: Sequence[str]) -> str:
    """Return a command as a person can paste it, its key masked."""
    masked = ["***" if before == "--api-key" else part for before, part in zip(["", *command], command, strict=False)]
    return shell_line(masked)


def portable(command: Sequence[str]) -> str:
    """Return a command without this machine's folders, for the artifact."""
    parts = [Path(part).name if os.path.isabs(part) else part for part in command]
    return masked_command(["python", *parts[1:]])


def lines_in(labbook: str | Path) -> int:
    """Return how many lines a notebook has (0 where it is not there yet)."""
    try:
        with open(labbook, "rb") as handle:
            return sum(1 for _ in handle)
    except OSError:
        return 0


def records_after(labbook: str | Path, line: int) -> list[Record]:
    """Return the records that were appended after a line."""
    if not Path(labbook).is_file():
        return []
    try:
        return [record for record in read_labbook(labbook).records if record.line > line]
    except LabbookError:
        return []  # gone or locked since: the decision itself will say so


def judgements_from(steps: Sequence[ExternalStep]) -> Judgements | None:
    """Return the verdicts that an external judge printed one a line, or None where it printed none."""
    lines = [
        line for step in steps for line in step.output.splitlines() if line.startswith('{"') and '"winner"' in line
    ]
    if not lines:
        return None
    return parse_judgements("\n".join(lines).encode(), "external judge", "external judge")
