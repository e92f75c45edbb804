"""Small sample logs written by hand, as the harness writes them: what tests of the ladder and its rooms start from."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from diptych.comparison import Finding
from diptych.diagnose.options import Options
from diptych.diagnose.samples.evidence import Evidence, TaskEvidence
from diptych.diagnose.samples.task_evidence import gather
from diptych.harness.lm_eval.samples import record_log
from diptych.run import Run, Score
from diptych.sample_log import SampleLog
from examples_runs import run

Json = Any
Record = dict[str, Json]

GREEDY = {"until": ["\n"], "do_sample": False, "temperature": 0.0, "max_gen_toks": 64}


def sha(value: str) -> str:
    """Return the hex sha256 of a text."""
    return hashlib.sha256(value.encode()).hexdigest()


def hashed(record: Record) -> Record:
    """Return a record with its hashes."""
    return {
        **record,
        "doc_hash": sha(json.dumps(record["doc"], indent=2, ensure_ascii=False)),
        "prompt_hash": sha(json.dumps(record["arguments"])),
        "target_hash": sha(str(record["target"])),
    }


def answer(
    item: int | str,
    text: str = "4",
    *,
    prompt: Json = None,
    right: Json = 1.0,
    filtered: Json = None,
    target: str = "4",
    filter: str = "none",
    arguments: Mapping[str, Json] = GREEDY,
    doc: Json = None,
    metric: str = "exact_match",
) -> Record:
    """Return the record of one generated answer."""
    question = f"Question: What is item {item}?\nAnswer:"
    return hashed(
        {
            "doc_id": item,
            "doc": {"question": f"item {item}"} if doc is None else doc,
            "target": target,
            "arguments": {"gen_args_0": {"arg_0": question if prompt is None else prompt, "arg_1": dict(arguments)}},
            "resps": [[text]],
            "filtered_resps": [text if filtered is None else filtered],
            "filter": filter,
            "metrics": [metric],
            metric: right,
        }
    )


def choice(
    item: int | str,
    likelihoods: Sequence[float],
    gold: int = 0,
    *,
    prompt: str | None = None,
    choices: Sequence[str] = (" red", " green", " blue", " grey"),
    doc: Json = None,
) -> Record:
    """Return the record of one item with scored choices."""
    context = f"Question: Which colour has item {item}?\nAnswer:" if prompt is None else prompt
    scored = list(zip(choices, likelihoods, strict=False))
    best = max(range(len(scored)), key=lambda place: scored[place][1])
    pairs = [[str(value), str(place == best)] for place, (_, value) in enumerate(scored)]
    return hashed(
        {
            "doc_id": item,
            "doc": {"question": f"item {item}"} if doc is None else doc,
            "target": str(gold),
            "arguments": {
                f"gen_args_{place}": {"arg_0": context, "arg_1": text} for place, (text, _) in enumerate(scored)
            },
            "resps": [[pair] for pair in pairs],
            "filtered_resps": pairs,
            "filter": "none",
            "metrics": ["acc"],
            "acc": float(best == gold),
        }
    )


def log(records: Sequence[Record], task: str = "arith", filters: Sequence[str] = ("none",)) -> SampleLog:
    """Return a log that holds records."""
    return record_log(list(records), task, "samples.jsonl", filters).log


def run_of(records: Sequence[Record], task: str = "arith", **fields: Json) -> Run:
    """Return a run that logged records of one task; its scores and items say what the records do, unless given."""
    metrics = {metric for record in records for metric in record["metrics"]}
    scores = []
    for name in dict.fromkeys(record["filter"] for record in records):
        for metric in sorted(metrics):
            values = [record[metric] for record in records if record["filter"] == name and metric in record]
            numbers = [value for value in values if isinstance(value, (int, float))]
            if numbers:
                scores.append(Score(task, metric, name, sum(numbers) / len(numbers), items=len(numbers)))
    items = len({record["doc_id"] for record in records})
    given = {"scores": tuple(scores), "items": {task: items}, "samples": {task: log(records, task)}}
    return run(tasks={task: {}}, **{**given, **fields})


def evidence(a: Sequence[Record], b: Sequence[Record], options: Options | None = None) -> Evidence:
    """Return what two lists of records of one task show."""
    return gather(run_of(a), run_of(b), options or Options())


def task(a: Sequence[Record], b: Sequence[Record]) -> TaskEvidence:
    """Return what two lists of records show about their one task."""
    return evidence(a, b).tasks[0]


def rungs(found: TaskEvidence) -> dict[str, tuple[int, int]]:
    """Return (equal, compared) by rung."""
    return {rung.rung: (rung.equal, rung.compared) for rung in found.ladder.rungs}


def kinds(found: Evidence) -> list[str]:
    """Return the kinds of all findings."""
    return [finding.kind for finding in found.findings]


def finding(found: Evidence, kind: str, side: str | None = None) -> Finding:
    """Return the one finding of a kind (and side)."""
    wanted = [one for one in found.findings if one.kind == kind and (side is None or one.side == side)]
    assert len(wanted) == 1, kinds(found)
    return wanted[0]
