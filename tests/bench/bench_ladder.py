"""Measure the whole analysis of two sample logs against indexing them, and same-order pairing against a join.

    python tests/bench/bench_ladder.py [--megabytes 100] [--rounds 3] [--profile]

Prints CPU seconds of both, their ratio and the goal: for equal prompts (one answer in ten differs), for prompts that
all differ by a chat template, for rows in another order; then the memory that the analysis adds, and pairing.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from make_log import write_log

from diptych.diagnose.options import Options
from diptych.diagnose.samples.pairing import align
from diptych.diagnose.samples.row_pairs import WIDTH
from diptych.diagnose.samples.task_evidence import gather
from diptych.harness.lm_eval.samples import read_log
from diptych.run import Run
from diptych.sample_log import SampleLog
from examples_runs import run


def as_run(log: SampleLog) -> Run:
    """Return a run that holds one log."""
    return run(samples={log.task: log}, items={log.task: len(log)})


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def templated(source: Path, target: Path) -> Path:
    """Write a log whose prompts stand in a chat template."""
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        for line in lines:
            record = json.loads(line)
            for request in record["arguments"].values():
                request["arg_0"] = f"<|im_start|>user\n{request['arg_0']}<|im_end|>\n<|im_start|>assistant\n"
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    return target


def strided(source: Path, target: Path) -> Path:
    """Write a log with its rows in the order of four ranks."""
    lines = source.read_bytes().splitlines(keepends=True)
    target.write_bytes(b"".join(line for rank in range(4) for line in lines[rank::4]))
    return target


def against_index(what: str, first: Path, second: Path, rounds: int) -> None:
    """Print the cost of the analysis over the cost of the two indexes."""
    ratios, totals = [], []
    for _ in range(rounds):
        start = time.process_time()
        a, b = (as_run(read_log(str(path), "t", ("none",)).log) for path in (first, second))
        indexed = time.process_time() - start
        whole = cpu(lambda a=a, b=b: gather(a, b, Options()))  # type: ignore[misc]
        ratios.append(whole / indexed)
        totals.append((whole, indexed))
    whole, indexed = (statistics.median(column) for column in zip(*totals, strict=True))
    print(f"{what:<44} {whole:.3f}/{indexed:.3f} s = {statistics.median(ratios):.2f}   goal <= 4", flush=True)


def dict_join(a: SampleLog, b: SampleLog) -> list[tuple[int, int]]:
    """Pair two logs by a dictionary of (document, filter)."""
    rows = {}
    for row, filter_ in enumerate(b.columns.filters):
        rows[b.columns.doc_hashes[row * WIDTH : row * WIDTH + WIDTH], filter_] = row
    return [
        (row, rows[a.columns.doc_hashes[row * WIDTH : row * WIDTH + WIDTH], filter_])
        for row, filter_ in enumerate(a.columns.filters)
    ]


def pairing(first: Path, second: Path) -> None:
    """Print the cost of same-order pairing over that of a join."""
    a, b = (read_log(str(path), "t", ("none",)).log for path in (first, second))
    ours = statistics.median(cpu(lambda: [align(a, b) for _ in range(20)]) for _ in range(5))
    join = statistics.median(cpu(lambda: [dict_join(a, b) for _ in range(20)]) for _ in range(5))
    print(f"{f'pairing {len(a)} rows in the same order / join':<44} {ours / join:.3f}   goal <= 0.25")


def memory(first: Path, second: Path) -> None:
    """Print what the analysis adds to the indexes at its peak."""
    a, b = (as_run(read_log(str(path), "t", ("none",)).log) for path in (first, second))
    tracemalloc.start()
    gather(a, b, Options())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"{'memory of the analysis at its peak':<44} {peak / 1e6:.1f} MB")


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for length in (25_000, 5_000):
            first = write_log(folder / f"a{length}.jsonl", given.megabytes, length)
            second = write_log(folder / f"b{length}.jsonl", given.megabytes, length, run=1)
            against_index(f"{length} B a line, equal prompts", first, second, given.rounds)
        if given.profile:
            profiled(first, second)
        against_index("5000 B a line, another order", first, strided(second, folder / "s.jsonl"), given.rounds)
        against_index("5000 B a line, a template in B", first, templated(second, folder / "c.jsonl"), given.rounds)
        pairing(first, second)
        memory(first, second)


def profiled(first: Path, second: Path) -> None:
    """Print where the time of the analysis goes."""
    import cProfile

    a, b = (as_run(read_log(str(path), "t", ("none",)).log) for path in (first, second))
    cProfile.runctx("gather(a, b, Options())", {"gather": gather, "Options": Options}, {"a": a, "b": b}, sort="tottime")


if __name__ == "__main__":
    main()
