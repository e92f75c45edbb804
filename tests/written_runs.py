"""Results and samples written by hand in the shape of each generation: what the readers' tests start from."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Json = Any

STAMP = "2025-11-01T10-00-00.000001"
LATER = "2025-11-02T09-30-00"


def sha(text: str) -> str:
    """Return the hex sha256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def results(**changes: Json) -> dict[str, Json]:
    """Return a results document of 0.4.9.2 with one task of four choices; a change of None takes a key away."""
    document: dict[str, Json] = {
        "results": {"arith": {"alias": "arith", "acc,none": 0.5, "acc_stderr,none": 0.25}},
        "group_subtasks": {"arith": []},
        "configs": {
            "arith": {
                "task": "arith",
                "doc_to_text": "{{question}}",
                "num_fewshot": 0,
                "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
                "output_type": "multiple_choice",
                "repeats": 1,
                "metadata": {"version": 1.0},
            }
        },
        "versions": {"arith": 1.0},
        "n-shot": {"arith": 0},
        "higher_is_better": {"arith": {"acc": True}},
        "n-samples": {"arith": {"original": 40, "effective": 4}},
        "config": {
            "model": "hf",
            "model_args": "pretrained=org/base-1b,dtype=float32",
            "batch_size": "8",
            "batch_sizes": [],
            "device": None,
            "use_cache": None,
            "limit": 4.0,
            "bootstrap_iters": 100000,
            "gen_kwargs": None,
            "random_seed": 0,
            "numpy_seed": 1234,
            "torch_seed": 1234,
            "fewshot_seed": 1234,
        },
        "git_hash": "abc1234",
        "date": 1761991200.5,
        "pretty_env_info": "PyTorch version: 2.5.0\nOS: Linux",
        "transformers_version": "4.57.1",
        "lm_eval_version": "0.4.9.2",
        "tokenizer_eos_token": ["</s>", "1"],
        "system_instruction": None,
        "system_instruction_sha": None,
        "fewshot_as_multiturn": False,
        "chat_template": None,
        "chat_template_sha": None,
        "total_evaluation_time_seconds": "12.5",
    }
    return with_changes(document, changes)


def with_changes(document: dict[str, Json], changes: Mapping[str, Json]) -> dict[str, Json]:
    """Return a document with keys replaced; `__` in a name stands for a step down, ABSENT takes a key away."""
    for name, value in changes.items():
        *steps, last = name.replace("n_shot", "n-shot").replace("n_samples", "n-samples").split("__")
        place = document
        for step in steps:
            place = place.setdefault(step, {})
        if value is ABSENT:
            place.pop(last, None)
        else:
            place[last] = value
    return document


ABSENT = object()


def choice_record(number: int, right: bool = True, **changes: Json) -> dict[str, Json]:
    """Return one logged row of a task with two choices, as 0.4.7 and later write it."""
    doc = {"question": f"What is {number} + {number}?", "answer": number % 2}
    prompt = f"Question: {number} + {number}\nAnswer:"
    record: dict[str, Json] = {
        "doc_id": number,
        "doc": doc,
        "target": str(number % 2),
        "arguments": {
            "gen_args_0": {"arg_0": prompt, "arg_1": " odd"},
            "gen_args_1": {"arg_0": prompt, "arg_1": " even"},
        },
        "resps": [[["-0.5", "True"]], [["-1.25", "False"]]],
        "filtered_resps": [["-0.5", "True"], ["-1.25", "False"]],
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": sha(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": sha(prompt),
        "target_hash": sha(str(number % 2)),
        "acc": 1.0 if right else 0.0,
    }
    return with_changes(record, changes)


def answer_record(number: int, answer: str = "4", name: str = "none", score: Json = 1.0) -> dict[str, Json]:
    """Return one logged row of a task that is answered in words."""
    record = choice_record(number)
    record |= {
        "arguments": {"gen_args_0": {"arg_0": f"Q{number}\nA:", "arg_1": {"until": ["\n"], "temperature": 0.0}}},
        "resps": [[answer]],
        "filtered_resps": [answer],
        "filter": name,
        "metrics": ["exact_match"],
        "prompt_hash": sha(f"Q{number}\nA:"),
        "exact_match": score,
    }
    del record["acc"]
    return record


def line(record: Mapping[str, Json]) -> bytes:
    """Return a row as the harness writes it."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def write_samples(path: Path, records: Sequence[Mapping[str, Json]]) -> Path:
    """Write rows as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(map(line, records)))
    return path


def write_run(
    folder: Path,
    document: Mapping[str, Json] | None = None,
    samples: Mapping[str, Sequence[Mapping[str, Json]]] | None = None,
    stamp: str = STAMP,
) -> Path:
    """Write a results file with its samples into a folder, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    written = results() if document is None else document
    (folder / f"results_{stamp}.json").write_text(json.dumps(written, indent=2, ensure_ascii=False), encoding="utf-8")
    for task, records in (samples or {}).items():
        write_samples(folder / f"samples_{task}_{stamp}.jsonl", records)
    return folder


def choices(count: int = 4) -> list[dict[str, Json]]:
    """Return some rows of a task of choices, every other one right."""
    return [choice_record(number, number % 2 == 0) for number in range(count)]
