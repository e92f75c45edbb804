"""Measure a matrix of many runs of twenty tasks with 300 items: CPU seconds to read, to compare, and the page's size.

    python tests/bench/bench_matrix.py [--runs 5 10 20 40] [--tasks 20] [--items 300] [--profile]

Half the tasks ask for text, half score choices; each run answers one item in ten otherwise than the first, and changes
one argument of its own. A doubling of the runs makes four times the pairs: the growth tells what a pair costs.
"""

import argparse
import cProfile
import pstats
import random
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from diptych.diagnose.compare_many import compare_many
from diptych.harness.reader import read_run
from diptych.report.comparison_pages import document_page
from diptych.report.documents.matrix import matrix_document
from diptych.report.page_frames import whole_frame
from written_runs import answer_record, choice_record, results, write_run

SECONDS, KILOBYTES = 10.0, 400
"""The goals for forty runs."""


def write(place: Path, number: int, tasks: int, items: int) -> Path:
    """Write one run."""
    chance = random.Random(number)
    samples, scores, configs = {}, {}, {}
    for task in (f"task{at:02d}" for at in range(tasks)):
        easy = random.Random(task)
        right = [easy.random() < 0.6 for _ in range(items)]
        right = [not one if number and chance.random() < 0.1 else one for one in right]
        asks = int(task[4:]) % 2
        metric = "exact_match" if asks else "acc"
        samples[task] = [
            answer_record(item, f"It is {item}, {good}.", score=float(good)) if asks else choice_record(item, good)
            for item, good in enumerate(right)
        ]
        scores[task] = {"alias": task, f"{metric},none": sum(right) / items, f"{metric}_stderr,none": 0.03}
        configs[task] = {
            "task": task,
            "num_fewshot": 0,
            "metric_list": [{"metric": metric, "aggregation": "mean", "higher_is_better": True}],
            "output_type": "generate_until" if asks else "multiple_choice",
            "metadata": {"version": 1.0},
        }
    document = results(
        results=scores,
        configs=configs,
        group_subtasks={task: [] for task in scores},
        versions=dict.fromkeys(scores, 1.0),
        n_shot=dict.fromkeys(scores, 0),
        higher_is_better={
            task: {name.split(",")[0]: True for name in row if "," in name} for task, row in scores.items()
        },
        n_samples={task: {"original": items, "effective": items} for task in scores},
        config__model_args=f"pretrained=org/base-1b,revision=step{number}",
        config__limit=None,
        date=1761991200.5 + number,
    )
    return write_run(place / f"run{number:02d}", document, samples)


def measured(places: list[Path]) -> tuple[float, float, float, float]:
    """Return the CPU seconds of reading, comparing and drawing, and the page's kilobytes."""
    marks = [time.process_time()]
    runs = [read_run(str(place)) for place in places]
    marks.append(time.process_time())
    made = compare_many(runs)
    marks.append(time.process_time())
    page = document_page(matrix_document(made), whole_frame("Runs"))
    marks.append(time.process_time())
    read, compare, draw = (after - before for before, after in pairwise(marks))
    return read, compare, draw, len(page.encode()) / 1000


def main() -> int:
    """Print a row a number of runs; exit 1 where forty miss a goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[5, 10, 20, 40])
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--profile", action="store_true", help="print where the largest one spends its time")
    given = parser.parse_args()
    missed = False
    with tempfile.TemporaryDirectory() as name:
        places = [write(Path(name), number, given.tasks, given.items) for number in range(max(given.runs))]
        measured(places[:3])
        print("runs  read s  compare s  page s  all s  growth  page KB")
        before = 0.0
        for count in given.runs:
            profile = cProfile.Profile() if given.profile and count == max(given.runs) else None
            if profile:
                profile.enable()
            read, compare, draw, size = measured(places[:count])
            if profile:
                profile.disable()
                pstats.Stats(profile).sort_stats("tottime").print_stats(45)
            whole = read + compare + draw
            growth = f"{whole / before:6.1f}" if before else "     -"
            print(f"{count:4}  {read:6.2f}  {compare:9.2f}  {draw:6.2f}  {whole:5.1f}  {growth}  {size:7.0f}")
            before = whole
            missed = missed or (count >= 40 and (whole > SECONDS or size > KILOBYTES))
    print(f"goal for 40 runs: {SECONDS:g} s, {KILOBYTES} KB")
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
