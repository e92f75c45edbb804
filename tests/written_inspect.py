"""Logs of inspect_ai written by hand, as an archive or as JSON: what the tests of its reader start from."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Json = Any


def log(task: str = "sums", **changes: Json) -> dict[str, Json]:
    """Return the head of a log of one task over four items with two scorers; `a__b` names a key inside another."""
    head: dict[str, Json] = {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": f"id-{task}",
            "run_id": "call-1",
            "created": "2026-01-02T03:04:05+00:00",
            "task": task,
            "task_id": "x",
            "task_version": 1,
            "task_file": "tasks.py",
            "task_args": {"hint": True},
            "dataset": {"name": "numbers", "samples": 8, "shuffled": False},
            "model": "maker/small-1b",
            "model_args": {},
            "config": {"epochs": 1, "limit": 4, "log_samples": True},
            "revision": {"type": "git", "commit": "abc1234"},
            "packages": {"inspect_ai": "0.3.285"},
            "scorers": [{"name": "match", "options": {"numeric": True}}, {"name": "includes", "options": {}}],
        },
        "plan": {
            "steps": [
                {"solver": "system_message", "params": {"template": "Be brief."}},
                {"solver": "generate", "params": {}},
            ],
            "config": {"temperature": 0.0, "max_tokens": 64, "stop_seqs": ["###"]},
        },
        "results": {
            "total_samples": 4,
            "completed_samples": 4,
            "scores": [scored("match", 0.5, 0.28868), scored("includes", 0.75, 0.25)],
        },
        "stats": {"started_at": "2026-01-02T03:04:05+00:00", "model_usage": {"maker/small-1b": {"total_tokens": 90}}},
    }
    for name, value in changes.items():
        *steps, last = name.split("__")
        place = head
        for step in steps:
            place = place[step]
        place[last] = value
    return head


def scored(name: str, accuracy: Json, error: Json, **more: Json) -> dict[str, Json]:
    """Return one entry of a log's scores."""
    metrics = {"accuracy": {"name": "accuracy", "value": accuracy}, "stderr": {"name": "stderr", "value": error}}
    return {"name": name, "scorer": name, "params": {}, "metrics": metrics, **more}


def sample(item: int, answer: str = "4", epoch: int = 1, **scores: Json) -> dict[str, Json]:
    """Return one sample; its scores are those of `match` and `includes` unless others are given."""
    question = f"What is {item} + 1?"
    given = scores or {"match": "C" if item < 2 else "I", "includes": "I" if item == 3 else "C"}
    return {
        "id": item,
        "epoch": epoch,
        "input": question,
        "target": str(item + 1),
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": question}], "source": "input"},
            {"role": "assistant", "content": answer, "source": "generate"},
        ],
        "output": {"model": "maker/small-1b", "completion": answer, "choices": []},
        "scores": {name: {"value": value, "answer": answer} for name, value in given.items()},
        "events": [{"event": "model", "config": {"temperature": 0.0, "max_tokens": 64}}],
        "attachments": {},
    }


def samples(**scores: Json) -> list[dict[str, Json]]:
    """Return the four samples of a log."""
    return [sample(item, **scores) for item in range(4)]


def write_eval(
    folder: Path,
    head: Mapping[str, Json],
    rows: Sequence[Json],
    name: str = "log.eval",
    pack: int = zipfile.ZIP_DEFLATED,
) -> Path:
    """Write a log as an archive; packed with zstandard where `pack` is 93, as newer versions do."""
    folder.mkdir(parents=True, exist_ok=True)
    members = {f"samples/{each['id']}_epoch_{each['epoch']}.json": each for each in rows} | {"header.json": head}
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_STORED if pack == 93 else pack) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": head["eval"]}))
        for member, value in members.items():
            data = json.dumps(value).encode()
            archive.writestr(member, zstandard_of(data) if pack == 93 else data)
    if pack == 93:
        mark_as_zstandard(folder / name)
    return folder / name


def zstandard_of(data: bytes) -> bytes:
    """Return packed bytes."""
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


def mark_as_zstandard(path: Path) -> None:
    """Set the method of each member of an archive but the first to 93: what stands in them is packed already."""
    data = bytearray(path.read_bytes())
    for signature, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        start = data.find(signature, 1 if signature == b"PK\x03\x04" else data.find(signature) + 1)
        while start >= 0:
            data[start + place : start + place + 2] = (93).to_bytes(2, "little")
            start = data.find(signature, start + 1)
    path.write_bytes(data)


def write_json(folder: Path, head: Mapping[str, Json], rows: Sequence[Json], name: str = "log.json") -> Path:
    """Write a log as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps({**head, "samples": list(rows)}))
    return folder / name
