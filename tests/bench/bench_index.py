"""Measure the index of a sample log against reading the same file line by line, side by side in one run.

    python tests/bench/bench_index.py [--megabytes 100] [--rounds 5] [--large 0]

Prints for each line length the CPU time of both, their ratio and the goal; then the peak of memory over start-up, the
cost of going through two logs part by part, and, with `--large 1000`, the memory of a log of that many megabytes.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from make_log import write_log

from diptych.harness.lm_eval.samples import read_log


def plain_loop(path: Path) -> None:
    """Read a file line by line."""
    with open(path, "rb") as handle:
        for _ in handle:
            pass


def json_loop(path: Path) -> None:
    """Parse every line whole."""
    with open(path, "rb") as handle:
        for line in handle:
            json.loads(line)


def our_index(path: Path) -> None:
    """Index a log as a reader does."""
    read_log(str(path), "t", ("none",))


def ladder(first: Path, second: Path) -> int:
    """Compare two logs part by part, as a ladder of causes does."""
    a, b = (read_log(str(path), "t", ("none",)).log for path in (first, second))
    equal = 0
    for left, right in zip(a.lines(range(len(a))), b.lines(range(len(b))), strict=True):
        equal += left.same_document(right)
        equal += left.same_target(right)
        equal += left.identical_requests(right)
        equal += left.same_responses(right)
        equal += left.same_filtered(right)
    return equal


def cpu(work: Callable[..., object], *paths: Path) -> float:
    """Return the CPU seconds that some work on files takes."""
    start = time.process_time()
    work(*paths)
    return time.process_time() - start


def peak_over_start(path: Path) -> float:
    """Return by how many megabytes indexing a file raises the peak of a fresh process."""
    code = (
        "import re, sys\n"
        "from diptych.harness.lm_eval.samples import read_log\n"
        "peak = lambda: int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "before = peak(); log = read_log(sys.argv[1], 't', ('none',)).log\n"
        "print((peak() - before) / 1024, len(log))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def line(what: str, figure: str, goal: str) -> None:
    """Print one figure beside its goal."""
    print(f"{what:<46} {figure:>22}   goal {goal}", flush=True)


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--large", type=float, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for length, goal in ((25_000, 1.5), (10_000, 1.5), (5_000, 2.2)):
            path = write_log(Path(folder) / f"{length}.jsonl", given.megabytes, length)
            rounds = [(cpu(plain_loop, path), cpu(our_index, path)) for _ in range(given.rounds)]
            plain, ours = (statistics.median(column) for column in zip(*rounds, strict=True))
            ratio = statistics.median(mine / base for base, mine in rounds)
            line(f"{length} B a line: index / plain loop", f"{ours:.3f}/{plain:.3f} s = {ratio:.2f}", f"<= {goal}")
            parsed = cpu(json_loop, path)
            line(f"{length} B a line: index / json.loads", f"{ours / parsed:.2f}", "<= 0.7")
            line(f"{length} B a line: peak over start-up", f"{peak_over_start(path):.1f} MB", "<= 40 MB")
        first = Path(folder) / "25000.jsonl"
        second = write_log(Path(folder) / "second.jsonl", given.megabytes, 25_000, run=1)
        both = cpu(our_index, first) + cpu(our_index, second)
        whole = cpu(ladder, first, second)
        line("two logs part by part / indexing them", f"{whole:.3f}/{both:.3f} s = {whole / both:.2f}", "<= 4")
        if given.large:
            path = write_log(Path(folder) / "large.jsonl", given.large, 25_000)
            line(f"{given.large:.0f} MB: peak over start-up", f"{peak_over_start(path):.1f} MB", "<= 40 MB")
            rounds = [(cpu(plain_loop, path), cpu(our_index, path)) for _ in range(2)]
            ratio = min(mine / base for base, mine in rounds)
            line(f"{given.large:.0f} MB: index / plain loop", f"{ratio:.2f}", "<= 1.5")
    print(f"peak of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
