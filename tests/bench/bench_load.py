"""Measure the memory of large work against its goals, each command in a process of its own.

    python tests/bench/bench_load.py [--megabytes 1000] [--items 100000]

Two logs of a gigabyte (5 kB a line, one answer in ten differs) compared; then a ledger of 100,000 items that all moved
compared and built, and a tenth of it, for how the time grows. Goals: 80 MB, 120 MB and 120 MB, and n log n.
"""

import argparse
import hashlib
import json
import math
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from make_log import STAMP, write_run

GENERATED = 50
"""Megabytes that are made up; a larger log repeats them under other ids and hashes."""


def grown(source: Path, target: Path, times: int) -> Path:
    """Write a run again with its log so many times as long, no two items the same document or question."""
    place = target / "org__model"
    place.mkdir(parents=True)
    name = f"samples_quiz_{STAMP}.jsonl"
    lines = (source / "org__model" / name).read_bytes().splitlines(keepends=True)
    with open(place / name, "wb") as out:
        for turn in range(times):
            for number, line in enumerate(lines):
                at = line.rindex(b'"doc_hash": "') + 13
                hashed = hashlib.sha256(line[at : at + 64] + b"%d" % turn).hexdigest().encode()
                line = line[:at] + hashed + line[at + 64 :]
                line = line.replace(b'"question": "', b'"question": "%d, ' % turn, 1)
                out.write(line.replace(b'{"doc_id": %d,' % number, b'{"doc_id": %d,' % (number + turn * len(lines)), 1))
    name = f"results_{STAMP}.json"
    body = json.loads((source / "org__model" / name).read_text(encoding="utf-8"))
    row, count = body["results"]["quiz"], len(lines) * times
    body["n-samples"]["quiz"], row["sample_len"] = {"original": count, "effective": count}, count
    for key in row:
        row[key] = row[key] / math.sqrt(times) if "_stderr" in key else row[key]
    (place / name).write_text(json.dumps(body), encoding="utf-8")
    return target


MEASURED = """
import atexit, sys
from diptych.cli import main
peak = lambda: next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
atexit.register(lambda: print("peak", peak(), file=sys.stderr))
main()
"""
"""A command that tells its own peak: the system's figure for a child counts what its parent held when it began."""


def measured(*arguments: object) -> tuple[float, float]:
    """Run a command; return its peak of memory in MB and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", MEASURED, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(done.stderr.rpartition("peak ")[2]) * 1024 / 1e6, seconds


def runs(folder: Path, megabytes: float, line: int, times: int, flip: float) -> list[Path]:
    """Write two runs."""
    made = []
    for side in (0, 1):
        first = write_run(folder / f"first{side}", megabytes / times, line, run=side, flip=flip)
        made.append(grown(first, folder / f"run{side}", times))
    return made


def ledger(folder: Path, items: int) -> tuple[float, float]:
    """Print the memory of comparing runs whose items all moved, and of building from it; return both times."""
    folder.mkdir()
    pair = runs(folder, items * 0.00229, 1_500, max(1, items // 20_000), 1.0)
    made = folder / "made.json"
    peak, first = measured("compare", *pair, "--out", made, "--quiet")
    print(f"{f'compare, a ledger of {items:,} items':<44} {peak:6.0f} MB  {first:.1f} s   goal <= 120 MB", flush=True)
    peak, second = measured("build", made, "--out", folder / "site", "--quiet")
    print(f"{f'build, a ledger of {items:,} items':<44} {peak:6.0f} MB  {second:.1f} s   goal <= 120 MB", flush=True)
    return first, second


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=1_000)
    parser.add_argument("--items", type=int, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        pair = runs(Path(name), given.megabytes, 5_000, max(1, given.megabytes // GENERATED), 0.1)
        peak, seconds = measured("compare", *pair, "--out", Path(name, "made.json"), "--quiet")
        print(f"{f'compare, 2 x {given.megabytes} MB':<44} {peak:6.0f} MB  {seconds:.1f} s   goal <= 80 MB", flush=True)
    with tempfile.TemporaryDirectory() as name:
        few, many = ledger(Path(name, "few"), given.items // 10), ledger(Path(name, "many"), given.items)
    order = 10 * math.log(given.items) / math.log(given.items / 10)
    for what, one, ten in zip(("compare", "build"), few, many, strict=True):
        print(f"{f'{what}, ten times the items':<44} {ten / one:6.1f} x the time   goal <= {order:.1f} (n log n)")


if __name__ == "__main__":
    main()
