"""Build many results and sample files from the grammar of oddities and read each.

    python tests/bench/fuzz_read.py [--examples 20000] [--seed 1]

Ends with the count of runs and of mendable errors; anything else is shown as the smallest example that raises it.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, seed, settings

sys.path.insert(0, str(Path(__file__).parents[1]))
from read_grammar import built, check_run


def main() -> None:
    """Run the fuzz."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given_options = parser.parse_args()
    ends: Counter[bool] = Counter()
    with tempfile.TemporaryDirectory() as name:

        @seed(given_options.seed)
        @settings(
            max_examples=given_options.examples,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        )
        @given(what=built)
        def every_file(what: tuple[Any, ...]) -> None:
            ends[check_run(Path(name), what)] += 1

        every_file()
    print(f"{sum(ends.values())} examples: {ends[True]} runs, {ends[False]} mendable errors, nothing else")


if __name__ == "__main__":
    main()
