"""A grammar of results and sample files with the oddities that real ones have, for hypothesis to build from.

`check_run` writes what was built and reads it: every one must end in a run or in a mendable error, and a run must be
one that can be written down.
"""

import functools
import gzip
import json
import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from diptych import artifact
from diptych.diagnose.pipeline import compare_runs
from diptych.errors import DiptychError
from diptych.harness.reader import read_run
from diptych.run import Run, Setting
from diptych.sample_log import HASH_WIDTH

Json = Any
STAMP = "2025-11-01T10-00-00.000001"

texts = st.one_of(
    st.sampled_from(
        [
            *("", "acc", "none", "N/A", "arith", " - arith", "strict,match", "\u2028", "\ud800", "<b>|`@x`", "50"),
            *("²", "٣", "9" * 5000, "1e999", "0.4.²", "Yaml", "run.id", "total_energy_joules", '{"a": {"b": 1}}'),
        ]
    ),
    st.text(max_size=12),
)
numbers = st.one_of(
    st.integers(-3, 3),
    st.sampled_from(
        [0.0, 0.5, 1.0, 62.5, math.nan, math.inf, -math.inf, 10**30, 10**400, 1e308, -0.0, -1, -100, 999, 10**4200]
    ),
    st.floats(),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
nested = st.integers(1, 300).map(lambda depth: functools.reduce(lambda inner, _: {"a": [inner]}, range(depth), 1))
rarely_nested = st.integers(0, 9).flatmap(lambda number: nested if number == 9 else anything)
tasks = st.sampled_from(["arith", "facts", "grp", "a_b-c.d", "ü"])
metric_keys = st.one_of(
    st.sampled_from(
        [
            "acc,none",
            "acc_stderr,none",
            "acc",
            "acc_stderr",
            "exact_match,strict-match",
            "exact_match_stderr,strict-match",
            "f1,a,b",
            "acc_avg,none",
            "acc_std_err,none",
            "acc_stderr_clustered,none",
            "acc_stderr_clt",
            "acc_bootstrap_stderr,none",
            "acc_se_clustered,none",
            "stderr_acc,none",
            "acc,none_stderr",
            "acc_95ci_lower,none",
            "acc_n_samples,none",
            "acc_ci95,none",
            "acc_std,none",
            "mcc,none",
            "perplexity,none",
            "_stderr,none",
            "bypass,none",
            "alias",
            " ",
            "name",
            "sample_len",
            "details",
            ",",
        ]
    ),
    texts,
)
rows = st.dictionaries(metric_keys, scalars | anything, max_size=5)
by_task = lambda values: st.one_of(st.dictionaries(tasks, values | anything, max_size=4), anything)  # noqa: E731
arguments = st.one_of(
    st.sampled_from(["", "pretrained=org/m,dtype=auto", "a,b=,=c", '{"x": 1}', "token=abcdef", "=", ","]),
    st.dictionaries(texts, anything, max_size=4),
    anything,
)
configs = st.fixed_dictionaries(
    {},
    optional={
        "task": texts,
        "num_fewshot": scalars,
        "generation_kwargs": st.dictionaries(texts, anything, max_size=3) | anything,
        "filter_list": st.lists(st.fixed_dictionaries({"name": texts}) | anything, max_size=3) | anything,
        "metric_list": st.lists(st.fixed_dictionaries({"metric": texts}) | anything, max_size=2) | anything,
        "fewshot_config": anything,
        "metadata": anything,
        "process_docs": st.just("<function f at 0x7fa1>") | texts,
    },
)
above_chance = st.builds(
    lambda right, choices, factor: {
        "acc,none": factor * (right / 40 - 1 / choices) / (1 - 1 / choices),
        "acc_stderr,none": factor / (1 - 1 / choices) * (right / 40 * (1 - right / 40) / 39) ** 0.5,
        "sample_len": 40,
    },
    st.integers(0, 40),
    st.sampled_from([2, 4, 5]),
    st.sampled_from([1, 100]),
)
seeds = st.one_of(
    st.sampled_from(["1,2,3,4", "0,1234,,", "1", [1, 2, 3, 4], {"random": 1, "numpy_seed": [2], "few_shot": "3"}]),
    anything,
)
good_rows = above_chance | st.builds(lambda row, value: {"acc,none": value, **row}, rows, scalars)
good_results = st.dictionaries(tasks, good_rows, min_size=1, max_size=4)
wild_results = by_task(rows | st.dictionaries(tasks, rows, max_size=2))
documents = st.fixed_dictionaries(
    {"results": st.integers(0, 7).flatmap(lambda number: wild_results if number == 7 else good_results)},
    optional={
        "groups": by_task(rows),
        "group_subtasks": by_task(st.lists(tasks, max_size=3)),
        "configs": by_task(configs),
        "versions": by_task(scalars),
        "n-shot": by_task(scalars),
        "higher_is_better": by_task(st.dictionaries(texts, st.booleans() | st.none(), max_size=2)),
        "n-samples": by_task(st.fixed_dictionaries({"original": scalars, "effective": scalars})),
        "config": st.fixed_dictionaries(
            {},
            optional={
                "model": scalars,
                "model_args": arguments,
                "gen_kwargs": arguments,
                "limit": scalars,
                "batch_size": scalars,
                "device": scalars,
                "random_seed": scalars,
                "other": anything,
            },
        )
        | anything,
        "date": scalars,
        "lm_eval_version": st.sampled_from(["0.4.13", "0.4.9.2", "0.4.5", "0.4.13.dev0", "?"]) | scalars,
        "transformers_version": scalars,
        "chat_template": st.sampled_from([None, "", "<|x|>"]) | anything,
        "system_instruction": scalars,
        "fewshot_as_multiturn": scalars,
        "tokenizer_eos_token": anything,
        "max_length": scalars,
        "pretty_env_info": scalars,
        "total_evaluation_time_seconds": scalars,
        "model_name": scalars,
        "task_hashes": anything,
        "samples": by_task(st.lists(anything, max_size=2)),
        "params": anything,
        "path": scalars,
        "resolved_cli_args": st.dictionaries(
            st.sampled_from(["limit", "seed", "gen_kwargs", "model"]), anything | seeds
        ),
        "experiment": rarely_nested,
        "seed": seeds,
        "seeds": seeds,
        "command": st.sampled_from(["lm_eval --seed 1,2,3,4 --limit=5", "lm_eval '--model", []]) | anything,
        "usage": anything,
        "git_hash": scalars,
    },
)
requests = st.one_of(
    st.dictionaries(st.sampled_from(["gen_args_0", "gen_args_1", "gen_args_10", "x"]), anything, max_size=3),
    st.lists(st.lists(anything, max_size=2), max_size=2),
    st.just({"gen_args_0": {"arg_0": ['[{"role": "user", "content": "Hi"}]'], "arg_1": {"until": []}}}),
    anything,
)
hashes = st.sampled_from(["0" * 64, "f" * 64, "x" * 64, "", "a" * 63, None, 7])
samples = st.fixed_dictionaries(
    {"doc_id": st.one_of(st.integers(-2, 5), scalars)},
    optional={
        "doc": rarely_nested
        | st.fixed_dictionaries({"question": texts, "choices": st.lists(texts, max_size=3), "x": anything}),
        "target": anything,
        "arguments": requests,
        "resps": anything | st.just([[["-0.5", "True"]]]) | st.just([["4", "5", "5"]]),
        "filtered_resps": anything | st.just([["-0.5", "True"]]) | st.sampled_from([["4"], ["5"], [["4", "5"]]]),
        "filter": st.sampled_from(["none", "strict"]) | scalars | anything,
        "metrics": st.just(["acc"]) | anything,
        "doc_hash": hashes,
        "prompt_hash": hashes,
        "target_hash": hashes,
        "acc": scalars | anything | st.lists(anything, max_size=2) | st.dictionaries(texts, numbers, max_size=2),
        "mae": scalars,
    },
)
damage = st.sampled_from(["none"] * 24 + ["cut", "bytes", "crlf", "bom", "glue", "blank", "array", "shuffle", "text"])
contexts = st.none() | st.fixed_dictionaries(
    {}, optional={"quant": scalars, "server": rarely_nested, "notes": anything}
)
logs = st.tuples(st.lists(samples, max_size=5), damage, st.sampled_from(["", "", "", ".gz"]))
built = st.tuples(documents, st.dictionaries(tasks, logs, max_size=2), damage, st.integers(0, 10**6), contexts)


def encoded(value: Json, indent: int | None = None) -> bytes:
    """Return a value as the harness writes it."""
    return json.dumps(value, ensure_ascii=False, indent=indent).encode("utf-8", "backslashreplace")


def damaged(data: bytes, kind: str, chance: random.Random) -> bytes:
    """Return bytes with one kind of damage done to them."""
    place = chance.randrange(len(data) + 1)
    if kind == "cut":
        return data[:place]
    if kind == "bytes":
        return data[:place] + bytes([chance.randrange(256)]) + data[place:]
    if kind == "crlf":
        return data.replace(b"\n", b"\r\n")
    if kind == "bom":
        return b"\xef\xbb\xbf" + data
    if kind == "text":
        return chance.choice([b"version https://git-lfs.github.com/spec/v1\n", b"<!doctype html>", b"\0" * 50, b"{,}"])
    if kind == "glue":
        return data.replace(b"\n", b"", 1)
    return b"\n" + data if kind == "blank" else data


def log_bytes(records: list[Mapping[str, Json]], kind: str, chance: random.Random) -> bytes:
    """Return a log of some records, damaged in one way."""
    if kind == "array":
        return encoded(records, 2)
    if kind == "shuffle":
        records = [dict(chance.sample(list(record.items()), len(record))) for record in records]
    return damaged(b"".join(encoded(record) + b"\n" for record in records), kind, chance)


def write_built(folder: Path, what: tuple[Any, ...]) -> Path:
    """Write what was built into a folder and return its results file."""
    document, task_logs, kind, seed, context = what
    chance = random.Random(seed)
    for old in folder.iterdir():
        old.unlink()
    path = folder / f"results_{STAMP}.json"
    path.write_bytes(damaged(encoded(document), kind, chance))
    if context is not None:
        (folder / "run-context.json").write_bytes(encoded(context))
    for task, (records, log_kind, ending) in task_logs.items():
        data = log_bytes(records, log_kind, chance)
        name = f"samples_{task}_{STAMP}.jsonl{ending}"
        (folder / name).write_bytes(gzip.compress(data) if ending else data)
    return path


def check_run(folder: Path, what: tuple[Any, ...]) -> bool:
    """Read what was built; return whether it ended in a run. Anything but a run or a mendable error raises."""
    path = write_built(folder, what)
    try:
        run = read_run(str(path))
    except DiptychError as error:
        mended = error
    else:
        check_shape(run)
        check_comparison(run)
        return True
    assert mended.message
    assert mended.where
    str(mended).encode("utf-8")
    return False


def check_shape(run: Run) -> None:
    """Hold a run against what every run must be: strict JSON throughout, and samples that can be opened."""
    plain = run._replace(samples={}, settings=values(run.settings), command=None)
    plain = plain._replace(task_settings={task: values(found) for task, found in run.task_settings.items()})
    json.dumps(plain, allow_nan=False, ensure_ascii=False).encode("utf-8")
    for log in run.samples.values():
        columns = log.columns
        rows = len(log)
        assert len(columns.doc_ids) == len(columns.filters) == len(columns.repeats) == rows
        assert len(columns.doc_hashes) == len(columns.target_hashes) == HASH_WIDTH * rows
        assert all(len(column) == rows for column in columns.values.values())
        assert all(place < len(columns.filter_names) for place in columns.filters)
        for line in log.lines(range(rows)):
            assert line.size()
            assert line.same_document(line)
            json.dumps(line.sample(), allow_nan=False, ensure_ascii=False).encode("utf-8")


def check_comparison(run: Run) -> None:
    """Compare a run with itself: what was read must be what every step behind can work with."""
    try:
        made = compare_runs(run, run._replace(label="again"))
    except DiptychError:
        return
    artifact.dumps(made).encode("utf-8")


def values(settings: Mapping[str, Setting]) -> Any:
    """Return settings as plain values."""
    return {key: setting.value for key, setting in settings.items()}
