"""What an estimate costs, as ratios to a plain way of doing the same, measured side by side in this run."""

import math
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

ITEMS, RESAMPLES, CHANGED = 14_000, 10_000, 14_000

SMALL = """
from diptych.stats.test_input import TestInput
from diptych.stats.estimate_by_level import at_levels
from diptych.stats.select import measure
at_levels(measure(TestInput(a=[1.0, 0.0] * 40, b=[0.0, 1.0] * 40)), 0.05, 0.05)
"""

CHILD = """
import random, resource
import numpy
from diptych.stats.resampling import bootstrap_sums
chance = random.Random(1)
column = [float(chance.choice((-1, 0, 0, 0, 0, 0, 0, 0, 0, 1))) for _ in range(14_000)]
found = bootstrap_sums(numpy.array(column)[:, None], lambda sums: sums[:, 0] / 14_000, 1, 0.95, 10_000)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def best_of(work: Callable[[], object], times: int) -> float:
    """Return the shortest of several CPU times."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def process_seconds(program: str, times: int = 7) -> float:
    """Return the least CPU time of a fresh interpreter that runs a program."""
    spent = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-I", "-c", program], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent)


def big_integers(lost: int, changed: int) -> float:
    """Return the exact McNemar p-value by whole numbers alone."""
    return 2 * sum(math.comb(changed, k) for k in range(lost + 1)) / 2**changed


def show(what: str, ratio: float, goal: float | None = None) -> bool:
    """Print one ratio beside its goal; return whether it is met."""
    met = goal is None or ratio <= goal
    print(f"{what:<78} {ratio:9.3g}" + ("" if goal is None else f"   goal {goal:g} {'met' if met else 'MISSED'}"))
    return met


def main() -> int:
    """Print the ratios; the exit code tells whether every goal is met."""
    # before anything large is loaded here: a child's peak starts at what its parent held
    peak = float(subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=True).stdout)

    import numpy
    from estimates import estimate
    from scipy import stats

    from diptych.stats.paired import mcnemar
    from diptych.stats.resampling import bootstrap_sums
    from diptych.stats.test_input import TestInput

    chance = random.Random(1)
    a = [float(chance.random() < 0.6) for _ in range(ITEMS)]
    b = [x if chance.random() < 0.8 else 1.0 - x for x in a]
    differences = [y - x for x, y in zip(a, b, strict=True)]
    column = numpy.array(differences)

    def library() -> object:
        # batches keep the library's index matrix small, which is also its fastest setting
        return stats.bootstrap((column,), numpy.mean, n_resamples=RESAMPLES, method="percentile", batch=250)

    rows = column[:, None]
    ours = best_of(lambda: bootstrap_sums(rows, lambda sums: sums[:, 0] / ITEMS, 1, 0.95, RESAMPLES), 5)
    met = [
        show("bootstrap of 14,000 binary pairs x 10,000 / scipy.stats.bootstrap", ours / best_of(library, 1), 0.02),
        show("its whole process, MB", peak, 100.0),
    ]

    lost = CHANGED * 48 // 100
    series = best_of(lambda: mcnemar(CHANGED - lost, lost), 200)
    whole = best_of(lambda: big_integers(lost, CHANGED), 1)
    binomial = best_of(lambda: stats.binomtest(lost, CHANGED), 20)
    show("exact and mid-p McNemar, 14,000 changed items / whole numbers", series / whole)
    show("exact and mid-p McNemar, 14,000 changed items / scipy binomtest", series / binomial)

    binary = TestInput(a=a, b=b)
    graded = TestInput(a=[x / 3 + y / 7 for x, y in zip(a, b, strict=True)], b=[y / 3 + chance.random() for y in b])
    plain = best_of(lambda: [y - x for x, y in zip(a, b, strict=True)], 20)
    for name, given in (("binary", binary), ("graded", graded)):
        spent = best_of(lambda given=given: estimate(given), 20)  # type: ignore[misc]
        show(f"estimate of 14,000 {name} pairs / subtracting the two columns", spent / plain)

    bare = process_seconds("pass")
    show("a process that makes one binary estimate / python -I -c pass", process_seconds(SMALL) / bare)
    show("a process that imports scipy.special / python -I -c pass", process_seconds("import scipy.special", 3) / bare)
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
