"""Whole texts are scored in windows: a smaller one makes them less likely, and nothing of them is cut off."""

from pathlib import Path
from typing import Any

from diptych.comparison import Comparison
from diptych.diagnose.pipeline import compare_runs
from diptych.harness.reader import read_run
from written_runs import choice_record, results, sha, write_run

WORDS = 400
"""Of each text: more than the smaller window has tokens, fewer than the larger one."""


def scored(number: int, value: float) -> dict[str, Any]:
    text = f"Text {number}: " + "rain " * WORDS
    return choice_record(
        number, arguments={"gen_args_0": {"arg_0": text}}, resps=[[str(value)]], filtered_resps=[str(value)],
        acc=value, prompt_hash=sha(text),
    )  # fmt: skip


def pair(tmp_path: Path, **changes: str) -> Comparison:
    runs = []
    for name, drop in (("a", 0.0), ("b", 90.0)):
        given = {"pretrained": "org/base-1b", "dtype": "float32", "max_length": "2048", **(changes if drop else {})}
        document = results()
        document["config"]["model_args"] = ",".join(f"{key}={value}" for key, value in given.items())
        document["configs"]["arith"]["output_type"] = "loglikelihood_rolling"
        records = [scored(number, -1000.0 - number - drop) for number in range(30)]
        runs.append(read_run(write_run(tmp_path / name, document, {"arith": records})))
    return compare_runs(*runs)


def test_a_smaller_window_leads_and_counts_each_text_once(tmp_path: Path) -> None:
    made = pair(tmp_path, max_length="256", dtype="bfloat16")
    assert made.verdict.leading_cause == "model_args.max_length"
    assert (
        "All 30 texts moved; at least 30 are longer than the smaller limit and scored in pieces"
        in made.verdict.sentence
    )
    assert "prompts_cut" not in {one.kind for one in made.findings}


def test_a_precision_beside_the_window_is_neither_cleared_nor_left_out_of_the_next_run(tmp_path: Path) -> None:
    made = pair(tmp_path, max_length="256", dtype="bfloat16")
    assert next(row.standing for row in made.settings if row.key == "model_args.dtype") == "can"
    assert made.verdict.next_step.startswith("Repeat a with only model_args.max_length taken from b")


def test_a_precision_alone_is_said_to_move_that_far_only_where_something_is_broken(tmp_path: Path) -> None:
    made = pair(tmp_path, dtype="float16")
    assert "only where something is broken" in made.verdict.sentence
    assert made.verdict.leading_cause is None
