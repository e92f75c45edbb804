"""The whole way: evaluate every route, ask the judge, decide, and write what the next person needs.

Each step leaves its file in the out-dir; a call that was stopped goes on from there.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from diptych import artifact, storage
from diptych.decision import COST_UNITS, ExternalStep, Route, StudentDecision
from diptych.errors import StudentsError
from diptych.fast_named_tuple import NamedTuple
from diptych.judge_audit import JudgeAudit
from diptych.labbook import append_record
from diptych.students.collect.ask_many import Progress, Say, quiet
from diptych.students.collect.endpoint import Endpoint
from diptych.students.collect.external import Serving, external_eval, external_judge, judgements_from, script_in
from diptych.students.collect.own_harness import keep_others_results, model_in, students_eval
from diptych.students.collect.student_results import Results
from diptych.students.cost.prices import NO_PRICES, Prices
from diptych.students.decide.decide import MARGIN, Loaded, decide, load_inputs
from diptych.students.judge.ask_judge import JUDGE_TOKENS, students_judge
from diptych.students.judge.external_records import Sides, audits_from

Json = Any

UNKNOWN = "unknown"
"""What a setting of the serving is called where nobody gave it."""


SUMMARIES = ("comparison.json", "decision.json")
"""What every run leaves in its out-dir beside results and judgements."""


class RunResult(NamedTuple):
    """What a whole run made: the decision, its inputs as read, and the artifact's text."""

    decision: StudentDecision
    loaded: Loaded
    text: str


def students_run(
    routes: Mapping[str, str],
    tasks: str | Path,
    out_dir: str | Path,
    endpoint: Endpoint,
    *,
    harness_dir: str | Path | None = None,
    judges: Sequence[str] = (),
    repeats: int = 1,
    quant: str = "unknown",
    engine: str = "llama.cpp",
    engine_version: str = "unknown",
    skip_eval: bool = False,
    fresh: bool = False,
    judge_endpoint: Endpoint | None = None,
    labels: str | Path | None = None,
    labbook: str | Path | None = None,
    stages: Mapping[str, Sequence[str]] | None = None,
    prices: Prices = NO_PRICES,
    margin: float = MARGIN,
    attempts: str = "all",
    floor: float | None = None,
    title: str = "",
    progress: Progress = quiet,
    say: Say = quiet,
) -> RunResult:
    """Evaluate, judge and decide; `routes` maps a route's name to the model it is served as.

    The out-dir gets `results-ROUTE.json`, `judgements.jsonl`, `comparison.json` (a summary a route) and
    `decision.json` (the artifact). With `skip_eval` results files that are there are used as they are; with `fresh`
    every task is asked again, and results of another model are replaced. `judge_endpoint` is how the judge is asked,
    where not as the students are (its own extra fields and budget).
    """
    if len(routes) < 2:
        raise StudentsError("a comparison needs two students or more", hint="give --route NAME=MODEL twice")
    files = {name: Path(out_dir) / f"results-{file_name(name)}.json" for name in routes}
    serving = Serving(endpoint.base_url, endpoint.api_key, quant, engine, engine_version, endpoint.key_by_environment)
    if harness_dir is not None and judges:
        script_in(harness_dir, "judge.py")  # before hours of evaluation, not after them
    external: list[ExternalStep] = []
    asked_now: set[str] = set()
    for name, model in routes.items():
        if skip_eval and files[name].is_file():
            there = model_in(files[name])
            other = f", the answers of {there} (not of {model})" if there not in (None, model) else ""
            say(f"reusing {files[name]}{other}")
            continue
        asked_now.add(name)
        files[name].parent.mkdir(parents=True, exist_ok=True)
        if harness_dir is not None:
            if not fresh:
                keep_others_results(files[name], model)
            external.append(external_eval(harness_dir, name, model, tasks, files[name], serving, say=say))
            continue
        say(f"asking {model} for student {name}")
        done = students_eval(
            tasks, model, files[name], endpoint,
            quant=quant, engine=engine, engine_version=engine_version, fresh=fresh, progress=progress, say=say,
        )  # fmt: skip
        for task, error in done.failed:
            say(f"{name}: no answer to {task}: {error}")
    verdicts = Path(out_dir) / "judgements.jsonl"
    audits: tuple[JudgeAudit, ...] = ()
    outside = None
    if judges and harness_dir is not None:
        book = labbook if labbook is not None else Path(out_dir) / "labbook.md"
        steps, audits = judged_outside(harness_dir, judges, files, routes, book, serving, say)
        external += steps
        outside = judgements_from(external)
    elif judges:
        asking = judge_endpoint or endpoint._replace(extra={}, max_tokens=JUDGE_TOKENS)
        students_judge(files, judges, verdicts, asking, repeats=repeats, progress=progress, say=say)
    read = load_inputs(
        list(files.items()),
        judgements=[verdicts] if verdicts.is_file() and harness_dir is None else [],
        labbook=labbook if labbook is not None and Path(labbook).is_file() else None,
        labels=labels,
    )
    sha256 = hashed(tasks) if asked_now and harness_dir is not None else None
    decision = decide(
        [
            as_asked(each, routes[each.name], serving, sha256 if each.name in asked_now else None)
            for each in read.routes
        ],
        (*read.judgements, *([outside] if outside else [])),
        read.labbook,
        stages,
        prices,
        margin,
        attempts,
        floor,
        title,
        external,
        audits,
        read.labels,
    )
    text = artifact.dumps(decision)
    storage.write_text(Path(out_dir) / "decision.json", text)
    summary = json.dumps(routes_summary(decision.routes), ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    storage.write_text(Path(out_dir) / "comparison.json", summary + "\n")
    written = [path.name for path in (*files.values(), verdicts) if path.is_file()]
    say(f"written in {out_dir}: {', '.join((*written, *SUMMARIES))}")
    return RunResult(decision, read, text)


def judged_outside(
    harness_dir: str | Path, judges: Sequence[str], files: Mapping[str, Path], routes: Mapping[str, str],
    labbook: str | Path, serving: Serving, say: Say,
) -> tuple[list[ExternalStep], tuple[JudgeAudit, ...]]:  # fmt: skip
    """Let an external harness judge every pair; its audits where it printed no judgements, from its records."""
    done: list[ExternalStep] = []
    audits: tuple[JudgeAudit, ...] = ()
    sides = [Sides(one, other, routes[one], routes[other]) for one, other in combinations(routes, 2)]
    for judge in judges:
        steps = external_judge(harness_dir, files, judge, labbook, serving, say=say)
        done += steps
        audits += () if judgements_from(steps) else audits_from(steps, sides, judge)
    return done, audits


def as_asked(read: Results, model: str, serving: Serving, tasks_sha256: str | None) -> Results:
    """Return a route's results with what an external harness did not write down and was called with."""
    asked = {"quant": serving.quant, "engine": serving.engine, "engine_version": serving.engine_version}
    told = {key: value for key, value in asked.items() if value != UNKNOWN}
    return read._replace(
        model=read.model or model,
        tasks_sha256=read.tasks_sha256 or tasks_sha256,
        metadata={**told, **read.metadata},
    )


def hashed(path: str | Path) -> str:
    """Return the sha256 of a file."""
    import hashlib  # only for who runs an external harness

    return hashlib.sha256(storage.read_bytes(path)).hexdigest()


def judges_of(decision: StudentDecision) -> list[str]:
    """Return the judges by the audits, else as an external harness was told."""
    named = sorted({audit.judge for audit in decision.judges})
    words = [step.command.split() for step in decision.external]
    told = [word[at + 1] for word in words for at, name in enumerate(word[:-1]) if name == "--judge-model"]
    return named or list(dict.fromkeys(told))


def file_name(route: str) -> str:
    """Return a route's name as part of a file name."""
    if not route or any(letter in '/\\:*?"<>|' or ord(letter) < 32 for letter in route) or route.startswith("."):
        raise StudentsError(f"a student cannot be called {route!r}", hint="use letters, digits, - and _")
    return route


def routes_summary(routes: Sequence[Route]) -> dict[str, Json]:
    """Return the short summary by route: model, checks passed of total, cost with what is incomplete."""
    return {
        route.name: {
            "model": route.model,
            "checks_passed": route.passed,
            "checks_total": route.total,
            "cost": {
                "stages": [stage.stage for stage in route.by_stage for _ in range(stage.cost["seconds"].records)],
                "totals": {unit: route.cost[unit].total for unit in COST_UNITS},
                "incomplete": [unit for unit in COST_UNITS if not route.cost[unit].whole],
            },
        }
        for route in routes
    }


def decision_record(
    decision: StudentDecision,
    *,
    run_id: str,
    date: str,
    tasks: str | None = None,
    judges: Sequence[str] = (),
    digest: str | None = None,
    link: str | None = None,
    lab: str = "diptych/students",
) -> dict[str, Json]:
    """Return the notebook's `compare` record of a decision.

    `run_id` is `%Y%m%dT%H%M%S`, `date` `%Y-%m-%d`; both come from the caller, who has a clock. `tasks` names the
    tasks file, `digest` and `link` the artifact.
    """
    serving = {
        key: {route.name: route.metadata.get(key) for route in decision.routes}
        for key in ("engine", "engine_version", "quant")
    }
    alike = {
        key: next(iter(values.values())) if len(set(map(str, values.values()))) == 1 else values
        for key, values in serving.items()
    }
    asked = list(judges) or judges_of(decision)
    return {
        "lab": lab,
        "run_id": run_id,
        "stage": "compare",
        "teacher": None,
        "student": {route.name: route.model for route in decision.routes},
        "dataset": {"tasks": tasks, "tasks_sha256": decision.tasks_sha256},
        "hyperparameters": {**alike, "judge_model": asked[0] if len(asked) == 1 else asked or None},
        "seed": None,
        "scores": routes_summary(decision.routes),
        "cost": None,
        "config_path": None,
        "notes": None,
        "date": date,
        "artifact": {"digest": digest, "link": link},
        "verdict": {
            "kind": decision.verdict.kind,
            "route": decision.verdict.route,
            "sentence": decision.verdict.sentence,
        },
    }


def record_decision(labbook: str | Path, decision: StudentDecision, **fields: Any) -> None:
    """Append the `compare` record to a notebook; see `decision_record` for the fields."""
    append_record(labbook, decision_record(decision, **fields))
