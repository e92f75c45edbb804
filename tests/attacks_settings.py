"""Every known setting with a value that nobody expects there: what reads a setting may take no type for granted."""

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

from diptych.catalogue.setting_effects import Known
from diptych.catalogue.settings import CONTEXT, FIELDS, RANKED, UNRANKED
from mutations import survived
from written_runs import Json, answer_record, choice_record, results, sha, write_run

ITEMS = 12
ODD: tuple[Json, ...] = (
    *(["x"], [], [["x"]], [{"a": 1}], [None, 1], {}, {"a": 1}, {"a": {"b": ["x"]}}, "x", "", " ", "1", "-1", "0.8"),
    *("nan", "1e999", "²", "true", "a" * 300, "a,b=c", "<b>", True, False, None, 0, -1, 1, 10**30, 10**400, -(2**63)),
    *(0.8, -0.5, 1e300, float("nan"), float("inf"), float("-inf")),
)
"""What a setting is set to."""

SHAPES: tuple[Mapping[str, Json], ...] = (
    {},
    {"kwargs": {"temperature": 0.8, "do_sample": True, "seed": 1}},
    {"args": {"peft": "org/adapter", "pretrained": "org/base-1b"}},
    {"args": {"load_in_4bit": True, "pretrained": "org/base-1b"}, "template": "<|user|>{{m}}"},
    {"args": {"model": "m", "base_url": "http://localhost/v1"}, "template": "", "model": "local-chat-completions"},
    {"shots": 3},
)
"""Runs in which other rules are reached: greedy, sampled, an adapter, fewer bits, served as chat, with examples."""


def names(tables: tuple[tuple[Known, ...], ...], family: str = "") -> list[str]:
    """Return the keys that the catalogue knows, of one family without its name; `*` stands for a key nobody knows."""
    keys = {key.replace("*", "unheard") for table in tables for row in table for key in row.keys}
    return sorted(key.removeprefix(family) for key in keys if key.startswith(family))


ARGUMENTS = names((RANKED, UNRANKED), "model_args.")
GENERATION = names((RANKED, UNRANKED), "gen_kwargs.")
ELSEWHERE = [key for key in names((RANKED, UNRANKED)) if not key.startswith(("model_args.", "gen_kwargs."))]
PLACES: tuple[tuple[tuple[str, ...], list[str]], ...] = (
    (("config", "model_args"), ARGUMENTS),
    (("config", "gen_kwargs"), GENERATION),
    (("configs", "words", "generation_kwargs"), GENERATION),
    (("configs", "words"), [*names((FIELDS,)), *results()["configs"]["arith"], "metadata", "filter_list"]),
    (("configs", "arith", "metadata"), ["version", *ARGUMENTS]),
    (("config",), [*results()["config"], *ELSEWHERE]),
    ((), [*results(), *ELSEWHERE, "groups", "model_name", "task_hashes", "max_length", "eot_token_id"]),
    (("n-shot",), ["arith", "words"]),
    (("versions",), ["arith", "words"]),
    (("request",), GENERATION),
    (("context",), [*names((CONTEXT,)), "threads", "note", "seed", "temperature"]),
)
"""Where settings stand in the files of a run, and the keys that are known there."""


def words_of(side: str, arguments: Mapping[str, Json]) -> list[dict[str, Json]]:
    """Return answers in words; each side is wrong in places of its own."""
    wrong = {"a": range(3), "b": range(2, 9), "c": range(8, 9)}[side]
    rows = [answer_record(item, f"{item} {side}", score=float(item not in wrong)) for item in range(ITEMS)]
    for row in rows:
        row["arguments"]["gen_args_0"]["arg_1"] |= arguments
    return rows


def document(shape: Mapping[str, Json]) -> dict[str, Json]:
    """Return the results of a run of two tasks in the given shape."""
    made = results(config__gen_kwargs=dict(shape.get("kwargs", {})), chat_template=shape.get("template"))
    made["config"] |= {"model_args": dict(shape.get("args", {"pretrained": "org/base-1b", "dtype": "float32"}))}
    made["config"] |= {"model": shape.get("model", "hf"), "limit": None}
    words = {**made["configs"]["arith"], "task": "words", "output_type": "generate_until", "repeats": 1}
    kwargs = {"until": ["\n"], "temperature": 0.0, "do_sample": False, **shape.get("kwargs", {})}
    words |= {"generation_kwargs": kwargs, "metric_list": [{"metric": "exact_match", "higher_is_better": True}]}
    made["configs"]["words"] = words
    made["higher_is_better"]["words"] = {"exact_match": True}
    made["n-shot"] = dict.fromkeys(("arith", "words"), shape.get("shots", 0))
    made["versions"]["words"] = 1.0
    made["n-samples"] = {task: {"original": 40, "effective": ITEMS} for task in ("arith", "words")}
    return made


def written(place: Path, side: str, body: dict[str, Json], logged: bool, prompt: str) -> str:
    """Write one run of three and return its folder's name; `context` and `request` of its body are files beside."""
    folder = place / side
    for old in folder.glob("*.json*"):
        old.unlink()
    rows = [choice_record(item, (item + len(prompt)) % 3 > 0) for item in range(ITEMS)]
    context, request = body.pop("context"), body.pop("request")
    words = words_of(side, request)
    for row in (*rows, *words):
        for request in row["arguments"].values():
            request["arg_0"] = prompt + request["arg_0"]
        row["prompt_hash"] = sha(row["arguments"]["gen_args_0"]["arg_0"])
    scores = {
        "arith": {"alias": "arith", "acc,none": sum(row["acc"] for row in rows) / ITEMS, "acc_stderr,none": 0.1},
        "words": {
            "alias": "words",
            "exact_match,none": sum(row["exact_match"] for row in words) / ITEMS,
            "exact_match_stderr,none": 0.1,
        },
    }
    results_of = {**body, "results": scores}
    write_run(folder, results_of, {"arith": rows, "words": words} if logged else None)
    (folder / "run-context.json").write_text(json.dumps(context), encoding="utf-8")
    return str(folder)


def set_oddly(body: dict[str, Json], path: tuple[str, ...], key: str, value: Json) -> None:
    """Set a key of a document, whatever stands above it."""
    for step in path:
        inner = body.get(step)
        body[step] = dict(inner) if isinstance(inner, dict) else {}
        body = body[step]
    body[key] = value


def every_setting() -> Iterator[tuple[tuple[str, ...], str, Json]]:
    """Yield each place and key with each odd value."""
    return ((path, key, value) for path, keys in PLACES for key in dict.fromkeys(keys) for value in ODD)


def settings_door(place: Path, chance: random.Random) -> list[str]:
    """Attack whoever reads a setting: one known setting is odd, on one side or on all, in runs of every shape."""
    path, keys = chance.choice(PLACES)
    settings = [(path, chance.choice(keys), chance.choice(ODD))]
    if chance.random() < 0.2:
        path, keys = chance.choice(PLACES)
        settings.append((path, chance.choice(keys), chance.choice(ODD)))
    return with_settings(place, chance, settings)


def with_settings(place: Path, chance: random.Random, settings: list[tuple[tuple[str, ...], str, Json]]) -> list[str]:
    """Run the comparing commands on runs in which some settings are odd."""
    shape = chance.choice(SHAPES)
    other = shape if chance.random() < 0.6 else chance.choice(SHAPES)
    odd = chance.choice(("a", "b", "ab", "abc", "bc"))
    prompt = chance.choice(("", "", "<s>", "Think. "))
    logged = chance.random() < 0.8
    folders = []
    for side in "abc":
        own = shape if side == "a" else other
        beside = {"context": {"quant": "Q8_0", "engine": "x"}, "request": dict(own.get("kwargs", {"temperature": 0.0}))}
        body = {**document(own), **beside}
        for path, key, value in settings if side in odd else ():
            set_oddly(body, path, key, value)
        folders.append(written(place, side, body, logged, prompt if side != "a" else ""))
    form = chance.choice(((), (), ("--json",), ("--markdown",), ("--html",)))
    lines: list[tuple[str, ...]] = [("compare", *folders[:2], *form)]
    lines += chance.choice(([("compare", *folders, *form)], [("noise", *folders)], [("check", folders[1])], []))
    return [said for line in lines if (said := survived(*line))]
