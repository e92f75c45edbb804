"""Attack each door with many mutated inputs and count what ends in a traceback.

    python tests/bench/attack_doors.py [--door run] [--count 30000] [--seed 1]

Target: 0 in 30,000 of each door. Ends with a count for each door, and the first seeds of each kind of failure.
"""

import argparse
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
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            for number in range(options.count):
                seed = options.seed * 1_000_000 + number
                for said in DOORS[name](Path(folder), random.Random(seed)):
                    kinds[said] += 1
                    first.setdefault(said, seed)
        took = time.perf_counter() - began
        print(f"{name}: {sum(kinds.values())} tracebacks in {options.count} attacks ({took:.0f} s)")
        for said, count in kinds.most_common(20):
            print(f"  {count:5} {said}  (seed {first[said]})")


if __name__ == "__main__":
    main()
