"""Items that come or go together (clusters) and fixed subtasks of a group (strata): errors that respect both."""

import math
from array import array
from collections import Counter
from collections.abc import Collection, Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import mean_and_variance

FEW_CLUSTERS = 10
TOO_FEW_CLUSTERS = 6


class ClusterError(NamedTuple):
    """The error of a mean over clustered items; `effective` is the number of equal clusters that would say as much."""

    mean: float
    clusters: int
    effective: float
    plain: float
    cr0: float
    cr1: float
    df: int

    @property
    def design_effect(self) -> float:
        """How many times the squared error exceeds that of independent items; 1 where nothing varies."""
        return (self.cr1 / self.plain) ** 2 if self.plain else 1.0


class Stratified(NamedTuple):
    """A weighted mean over strata with its error, and how many single-item strata were joined to a neighbour.

    `df` is Satterthwaite's (1946): the normal law alone leaves out too much where each stratum has few items.
    """

    mean: float
    error: float
    df: float
    strata: int
    merged: int
    by_items: float
    equally: float


def cluster_sums(values: Sequence[float], clusters: Sequence[int]) -> list[float]:
    """Return the sum of each cluster's values, in the order in which clusters first appear."""
    members: dict[int, array[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        if cluster not in members:
            members[cluster] = array("d")
        members[cluster].append(value)
    # exact sums do not depend on the order of rows
    return [math.fsum(part) for part in members.values()]


def cluster_error(values: Sequence[float], clusters: Sequence[int]) -> ClusterError:
    """Return the cluster-robust errors of a mean: CR0 (Miller 2024, Eq. 8) and CR1 with G / (G - 1) under the root."""
    n = len(values)
    mean, variance = mean_and_variance(values)
    sums = cluster_sums(array("d", (value - mean for value in values)), clusters)
    count = len(sums)
    cr0 = math.sqrt(math.fsum(total * total for total in sums)) / n
    cr1 = cr0 * math.sqrt(count / (count - 1.0)) if count > 1 else 0.0
    sizes = Counter(clusters).values()
    return ClusterError(mean, count, effective_clusters(sizes), math.sqrt(variance / n), cr0, cr1, count - 1)


def effective_clusters(sizes: Collection[float]) -> float:
    """Return how many clusters of equal size would weigh as much as these."""
    return sum(sizes) ** 2 / sum(size * size for size in sizes)


def stratified(
    values: Sequence[float], strata: Sequence[int], weighting: str = "items", clusters: Sequence[int] | None = None
) -> Stratified:
    """Return the mean over fixed strata: `weighting` "items" (n_h / N) or "equal" (1 / H).

    A stratum of one unit (item, or cluster where given) has no spread of its own and is joined to the one before it.
    """
    parts: dict[int, tuple[list[float], list[int]]] = {}
    for place, (value, stratum) in enumerate(zip(values, strata, strict=True)):
        part = parts.setdefault(stratum, ([], []))
        part[0].append(value)
        part[1].append(clusters[place] if clusters is not None else place)
    joined, merged = _join_single([parts[name] for name in sorted(parts)])
    count, total = len(parts), len(values)
    squares, spread = 0.0, 0.0
    for part_values, part_units, members in joined:
        weight = len(part_values) / total if weighting == "items" else members / count
        part_error = cluster_error(part_values, part_units)
        square = (weight * part_error.cr1) ** 2
        squares += square
        spread += square * square / max(1, part_error.df)
    by_items = math.fsum(values) / total
    equally = math.fsum(math.fsum(part[0]) / len(part[0]) for part in parts.values()) / count
    mean = by_items if weighting == "items" else equally
    df = squares * squares / spread if spread else math.inf
    return Stratified(mean, math.sqrt(squares), df, count, merged, by_items, equally)


def _join_single(parts: list[tuple[list[float], list[int]]]) -> tuple[list[tuple[list[float], list[int], int]], int]:
    """Join strata of a single unit to a neighbour; return (values, units, strata in it) and how many were joined."""
    joined: list[tuple[list[float], list[int], int]] = []
    merged = 0
    for values, units in parts:
        if joined and (len(set(units)) < 2 or len(set(joined[-1][1])) < 2):
            last = joined.pop()
            joined.append((last[0] + values, last[1] + units, last[2] + 1))
            merged += 1
        else:
            joined.append((values, units, 1))
    if len(joined) > 1 and len(set(joined[-1][1])) < 2:
        last = joined.pop()
        before = joined.pop()
        joined.append((before[0] + last[0], before[1] + last[1], before[2] + last[2]))
        merged += 1
    return joined, merged
