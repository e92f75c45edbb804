"""Attack each door with many mutated inputs and count what ends in a traceback.

    python tests/bench/attack_doors.py [--door run] [--count 30000] [--seed 1]

Target: 0 in 30,000 of each door. Tells each thousand, and ends with a count for each door, the slowest attack and the
first seeds of each kind of failure.
"""

import argparse
import gc
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from attacks import DOORS


def main() -> None:
    """Run the attack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--door", choices=sorted(DOORS))
    parser.add_argument("--count", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in [options.door] if options.door else DOORS:
        kinds: Counter[str] = Counter()
        first: dict[str, int] = {}
        began, slowest = time.perf_counter(), (0.0, 0)
        with tempfile.TemporaryDirectory() as folder:
            for number in range(options.count):
                seed, since = options.seed * 1_000_000 + number, time.process_time()
                for said in DOORS[name](Path(folder), random.Random(seed)):
                    kinds[said] += 1
                    first.setdefault(said, seed)
                slowest = max(slowest, (time.process_time() - since, seed))
                if number % 100 == 99:
                    gc.collect()  # each command freezes what it leaves, so nothing else looks for circles
                if number % 1_000 == 999 and number + 1 < options.count:
                    print(f"  {name}: {sum(kinds.values())} in {number + 1}", file=sys.stderr, flush=True)
        took = time.perf_counter() - began
        told = f"{sum(kinds.values())} tracebacks in {options.count} attacks"
        print(f"{name}: {told} ({took:.0f} s; slowest {slowest[0]:.1f} s of CPU, seed {slowest[1]})", flush=True)
        for said, count in kinds.most_common(20):
            print(f"  {count:5} {said}  (seed {first[said]})")


if __name__ == "__main__":
    main()
