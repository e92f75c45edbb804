"""Which setting did it: effects as contrasts of runs, and which of them the runs at hand can tell apart."""

import math
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

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


class Shares(NamedTuple):
    """Shapley's shares of a total change over a full table of settings."""

    shares: Mapping[str, float]
    total: float


def contrast(weights: Sequence[float], item_scores: Matrix, variance_run: float = 0.0) -> Contrast:
    """Return a contrast of runs (runs x items) with runs and items that are shared handled exactly."""
    values = [
        math.fsum(w * score for w, score in zip(weights, column, strict=True))
        for column in zip(*item_scores, strict=True)
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


def identified(design: Matrix, combination: Sequence[float]) -> bool:
    """Tell whether the runs determine a combination of effects: it must be a combination of rows."""
    import numpy

    x = numpy.asarray(design, dtype=float)
    more = numpy.vstack([x, numpy.asarray(combination, dtype=float)])
    return bool(numpy.linalg.matrix_rank(more, tol=TOLERANCE) == numpy.linalg.matrix_rank(x, tol=TOLERANCE))


def identified_sums(design: Matrix, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the smallest sets of settings whose effects the runs tell only together."""
    from itertools import combinations

    open_ = [at for at in range(1, len(names)) if not identified(design, [float(at == i) for i in range(len(names))])]
    found: list[tuple[int, ...]] = []
    for size in range(2, len(open_) + 1):
        for group in combinations(open_, size):
            if any(set(known) < set(group) for known in found):
                continue
            if identified(design, [float(at in group) for at in range(len(names))]):
                found.append(group)
    return [tuple(names[at] for at in group) for group in found]


def ridge(design: Matrix, scores: Sequence[float], penalty: float) -> tuple[float, ...]:
    """Return ridge effects, the first column not penalised: only to rank next runs, never to quote."""
    import numpy

    x = numpy.asarray(design, dtype=float)
    shrink = penalty * numpy.eye(x.shape[1])
    shrink[0, 0] = 0.0
    solved = numpy.linalg.solve(x.T @ x + shrink, x.T @ numpy.asarray(scores, dtype=float))
    return tuple(float(value) for value in solved)


def interaction(neither: float, first: float, second: float, both: float) -> float:
    """Return how far two settings together miss the sum of their single effects."""
    return both - first - second + neither


def shapley(scores: Mapping[frozenset[str], float], settings: Sequence[str]) -> Shares | None:
    """Return each setting's change averaged over all orders; None where a cell of the full table is missing."""
    cells = 2 ** len(settings)
    if len(scores) < cells:
        return None
    changes: dict[str, list[float]] = {name: [] for name in settings}
    for order in permutations(settings):
        held: frozenset[str] = frozenset()
        for name in order:
            more = held | {name}
            changes[name].append(scores[more] - scores[held])
            held = more
    shares = {name: math.fsum(values) / len(values) for name, values in changes.items()}
    return Shares(shares, math.fsum(shares.values()))


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


def next_run(
    gains: Mapping[str, float], changes: Mapping[str, int], costs: Mapping[str, float] | None = None
) -> str | None:
    """Return the run with the largest gain for its cost; of equals the one that changes fewest settings."""
    worth = {name: gain / (costs[name] if costs else 1.0) for name, gain in gains.items()}
    best = max(worth.values(), default=0.0)
    near = [name for name, value in worth.items() if value >= best * (1 - TOLERANCE)]
    return min(near, key=lambda name: (changes[name], name)) if near else None


def halves(settings: Sequence[str], sizes: Mapping[str, float]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split differing settings for one bisection step: the likelier half by estimated size goes into the next run."""
    ordered = sorted(settings, key=lambda name: (-abs(sizes.get(name, 0.0)), name))
    cut = (len(ordered) + 1) // 2
    return tuple(ordered[:cut]), tuple(ordered[cut:])


def bisection_runs(settings: int) -> tuple[int, int]:
    """Return the runs that find one culprit among so many settings, and those that measure all of them."""
    return (settings - 1).bit_length() if settings > 1 else 0, max(0, settings - 1)
