"""One test over a whole suite of tasks: did any of them get worse, the worst one against what luck makes of all.

The aggregation of Kübler et al. 2026 ("When LLMs get significantly worse", arXiv 2602.10144) by its worst case: signs
of single items are flipped, so that nothing is assumed of how tasks go together.
"""

import math
from collections.abc import Sequence

from diptych.fast_named_tuple import NamedTuple

DRAWS = 9_999
MANY_SIZES = 400
"""From so many different sizes on, a sum of random signs is as good as normal."""


class SuiteTest(NamedTuple):
    """The p-value that no task fell (one-sided), the place of the task that fell most for its size, and its t."""

    p: float
    worst: int
    statistic: float


def suite_test(columns: Sequence[Sequence[float]], seed: int, draws: int = DRAWS) -> SuiteTest | None:
    """Test that the differences of independent units (one column a task; less is worse) fell in no task; None for none.

    Each task's sum over the root of its squares is its statistic, the largest fall is held against the largest of
    each draw of signs (max-T; Westfall and Young 1993): p = (1 + hits) / (1 + draws).
    """
    moved = [(place, [value for value in column if value]) for place, column in enumerate(columns)]
    moved = [(place, column) for place, column in moved if column]
    if not moved:
        return SuiteTest(1.0, 0, 0.0) if columns else None
    import numpy

    random = numpy.random.RandomState(seed)
    falls = [(-math.fsum(column) / math.sqrt(math.fsum(x * x for x in column)), place) for place, column in moved]
    statistic, worst = max(falls)
    largest = numpy.full(draws, -numpy.inf)
    for _, column in moved:
        sizes, counts = numpy.unique(numpy.abs(numpy.asarray(column)), return_counts=True)
        if len(sizes) > MANY_SIZES:
            drawn = random.standard_normal(draws)
        else:
            heads = random.binomial(counts, 0.5, size=(draws, len(counts)))
            drawn = ((2 * heads - counts) @ sizes) / numpy.sqrt(float((counts * sizes**2).sum()))
        numpy.maximum(largest, drawn, out=largest)
    hits = int((largest >= statistic - 1e-9).sum())
    return SuiteTest((1 + hits) / (1 + draws), worst, statistic)
