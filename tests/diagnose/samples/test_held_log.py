"""The first of many runs, whose lines are kept: nothing that it is compared with may see a difference."""

import random
from pathlib import Path
from typing import Any

import pytest

from diptych.diagnose.pipeline import compare_runs
from diptych.diagnose.samples.held_log import with_held_logs
from diptych.harness.reader import read_run
from diptych.run import Run
from written_runs import answer_record, choice_record, results, write_run

ITEMS = 40


def written(folder: Path, seed: int, kind: str) -> Run:
    """Write and read a run of one task whose answers and log-likelihoods a seed draws."""
    draw = random.Random(seed)
    records = []
    for number in range(ITEMS):
        right = draw.random() < 0.6
        if kind == "text":
            records.append(answer_record(number, "4" if right else str(draw.randrange(9)), score=float(right)))
            continue
        record: dict[str, Any] = choice_record(number, right)
        told = [[str(-draw.randrange(4) / 2), "True"] for _ in record["resps"]]
        kept = told if kind == "plain" or draw.random() < 0.5 else told[:1]
        records.append(record | {"resps": [[each] for each in told], "filtered_resps": kept})
    return read_run(write_run(folder, results(), {"arith": records}))


@pytest.mark.parametrize("kind", ["plain", "cut by a filter", "text"])
@pytest.mark.parametrize("seed", range(5))
def test_a_run_whose_lines_are_kept_compares_as_one_that_is_read_each_time(
    tmp_path: Path, seed: int, kind: str
) -> None:
    first, others = written(tmp_path / "a", seed, kind), [written(tmp_path / f"b{n}", seed + n, kind) for n in (0, 9)]
    kept = with_held_logs(first)
    assert all(compare_runs(kept, other) == compare_runs(first, other) for other in (*others, *others))
