"""Two small runs written as files and compared: what the tests of a verdict start from."""

import json
from collections.abc import Callable
from pathlib import Path

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from written_runs import Json, answer_record, results, sha, write_run

ITEMS = 60
Records = list[dict[str, Json]]


def answers(wrong: range = range(0), text: Callable[[int], str] | None = None) -> Records:
    """Return written answers, right but for the items named."""
    write = text or (lambda number: f"The answer is {4 + (number in wrong)}.")
    return [answer_record(number, write(number), score=float(number not in wrong)) for number in range(ITEMS)]


def document(records: Records, metric: str = "exact_match", **changes: Json) -> dict[str, Json]:
    """Return the results of one task."""
    score = sum(record[metric] for record in records) / len(records)
    row = {"alias": "arith", f"{metric},none": score, f"{metric}_stderr,none": 0.05}
    changes.setdefault("config__limit", None)
    made = results(results={"arith": row}, higher_is_better={"arith": {metric: True}}, **changes)
    made["n-samples"] = {"arith": {"original": len(records), "effective": len(records)}}
    if metric == "exact_match":
        kwargs = dict(records[0]["arguments"]["gen_args_0"]["arg_1"])
        made["configs"]["arith"] |= {"output_type": "generate_until", "metric_list": [{"metric": metric}]}
        made["configs"]["arith"] |= {"generation_kwargs": kwargs}
    return made


def prompted(records: Records, change: Callable[[str], str]) -> Records:
    """Return records with other prompts."""
    for record in records:
        for request in record["arguments"].values():
            request["arg_0"] = change(request["arg_0"])
        record["prompt_hash"] = sha(record["arguments"]["gen_args_0"]["arg_0"])
    return records


def asking(records: Records, **arguments: Json) -> Records:
    """Return records with other generation arguments."""
    for record in records:
        record["arguments"]["gen_args_0"]["arg_1"] |= arguments
    return records


def compared(
    folder: Path, a: Records, b: Records, logged: bool = True, metric: str = "exact_match",
    before: dict[str, Json] | None = None, contexts: tuple[Json, Json] = (None, None), **changes: Json,
) -> Comparison:  # fmt: skip
    """Return the comparison of two runs, of which B (and, with `before`, A) has other settings."""
    found = []
    for name, records, changed, context in (("a", a, before or {}, contexts[0]), ("b", b, changes, contexts[1])):
        path = write_run(folder / name, document(records, metric, **changed), {"arith": records} if logged else None)
        if context is not None:
            (path / "run-context.json").write_text(json.dumps(context), encoding="utf-8")
        found.append(read_run(str(path)))
    made, mirrored = compare_runs(*found), compare_runs(*found[::-1])
    assert mirrored.verdict.kind == made.verdict.kind
    assert (mirrored.verdict.leading_cause, mirrored.verdict.standing) == (
        made.verdict.leading_cause,
        made.verdict.standing,
    )
    assert [one.key for one in mirrored.verdict.suspects] == [one.key for one in made.verdict.suspects]
    if made.verdict.leading_cause:
        assert "Nothing recorded differs" not in made.verdict.sentence
        assert made.verdict.leading_cause in made.ranking
    assert made.verdict.next_step
    return made
