"""Which setting did it: effects as contrasts of runs, and which of them the runs at hand can tell apart."""

import math
from collections.abc import Mapping, Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import mean_and_variance

Matrix = Sequence[Sequence[float]]
TOLERANCE = 1e-9


class Contrast(NamedTuple):
    """A weighted sum of runs' scores (weights add to 0) with its paired standard error over items."""

    estimate: float
    error: float


class Effects(NamedTuple):
    """Least-squares effects, which of them are identified, and each one's weights on the runs."""

    effects: tuple[float, ...]
    rank: int
    identified: tuple[bool, ...]
    weights: tuple[tuple[float, ...], ...]


def contrast(weights: Sequence[float], item_scores: Matrix, variance_run: float = 0.0) -> Contrast:
    """Return a contrast of runs (runs x items) with runs and items that are shared handled exactly."""
    used = [(weight, row) for weight, row in zip(weights, item_scores, strict=True) if weight]
    if not used:
        return Contrast(0.0, 0.0)
    values = [
        math.fsum(weight * score for (weight, _), score in zip(used, column, strict=True))
        for column in zip(*(row for _, row in used), strict=True)
    ]
    mean, variance = mean_and_variance(values)
    return Contrast(mean, math.sqrt(variance / len(values) + variance_run * math.fsum(w * w for w in weights)))


def effects_of(design: Matrix, scores: Sequence[float]) -> Effects:
    """Return least-squares effects from a design (runs x intercept and settings) by the pseudo-inverse."""
    import numpy  # small dense algebra

    x = numpy.asarray(design, dtype=float)
    inverse = numpy.linalg.pinv(x, rcond=TOLERANCE)
    width = x.shape[1]
    unit = [[float(at == other) for other in range(width)] for at in range(width)]
    return Effects(
        tuple(float(value) for value in inverse @ numpy.asarray(scores, dtype=float)),
        int(numpy.linalg.matrix_rank(x, tol=TOLERANCE)),
        tuple(identified(design, row) for row in unit),
        tuple(tuple(float(value) for value in row) for row in inverse),
    )


def lack_of_fit(design: Matrix, item_scores: Matrix) -> float | None:
    """Return the p-value that effects add up to what the runs show, from what a fit leaves over; None: nothing is left.

    Each direction of runs that no effects reach is a contrast with the mean 0 under a fit; their t tests by Holm.
    """
    import numpy

    from diptych.stats.distributions import student_two_sided
    from diptych.stats.multiple import holm

    x = numpy.asarray(design, dtype=float)
    rank = int(numpy.linalg.matrix_rank(x, tol=TOLERANCE))
    if rank >= len(x):
        return None
    left = numpy.linalg.svd(x)[0][:, rank:].T
    tests = []
    for weights in left:
        made = contrast(weights.tolist(), item_scores)
        if made.error > TOLERANCE:
            tests.append(student_two_sided(made.estimate / made.error, len(item_scores[0]) - 1))
    return min((p for p in holm(tests) if p is not None), default=None)


def identified(design: Matrix, combination: Sequence[float]) -> bool:
    """Tell whether the runs determine a combination of effects: it must be a combination of rows."""
    import numpy

    x = numpy.asarray(design, dtype=float)
    more = numpy.vstack([x, numpy.asarray(combination, dtype=float)])
    return bool(numpy.linalg.matrix_rank(more, tol=TOLERANCE) == numpy.linalg.matrix_rank(x, tol=TOLERANCE))


def next_run_gains(
    edges: Matrix, candidates: Mapping[str, Sequence[float]], prior_spread: float, error: float
) -> tuple[Mapping[str, float], float]:
    """Return how much variance of the effects each candidate run would remove, and what variance there is now.

    An edge or a candidate is the difference in settings of a pair of runs; effects are a priori N(0, prior_spread^2).
    """
    import numpy

    x = numpy.asarray(edges, dtype=float)
    width = len(next(iter(candidates.values())))
    precision = numpy.eye(width) / prior_spread**2
    if len(x):
        precision = precision + x.T @ x / error**2
    variance = numpy.linalg.inv(precision)
    gains = {}
    for name, row in candidates.items():
        step = variance @ numpy.asarray(row, dtype=float)
        gains[name] = float(step @ step / (error**2 + numpy.asarray(row, dtype=float) @ step))
    return gains, float(numpy.trace(variance))


def most_telling_run(gains: Mapping[str, float]) -> str | None:
    """Return the run with the largest gain; of equals the first by name."""
    best = max(gains.values(), default=0.0)
    return min((name for name, gain in gains.items() if gain >= best * (1 - TOLERANCE)), default=None)
