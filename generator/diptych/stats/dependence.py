"""Whether items that share something also share their differences: which field of their documents to count them by."""

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.clusters import cluster_sums
from diptych.stats.distributions import normal_above
from diptych.stats.multiple import holm

FEWEST_CLUSTERS = 10
SURE = 0.01
WORTH_A_LOOK = 0.05
SHUFFLES = 1_999


class Tie(NamedTuple):
    """A field whose values tie items together: the intraclass correlation of their differences, and its p-value.

    The p-value is adjusted over the fields that were tried (Holm).
    """

    field: str
    correlation: float
    p: float
    clusters: int


def tied_by(differences: Sequence[float], fields: Mapping[str, Sequence[int]], seed: int) -> Tie | None:
    """Return the field by which the differences depend most, None where no field shows it beyond chance.

    `fields` number the value of each item. A field needs ten values, and p < .01 after Holm over all that are tried.
    """
    usable = {
        name: groups
        for name, groups in fields.items()
        if len(groups) == len(differences) and FEWEST_CLUSTERS <= len(set(groups)) < len(groups)
    }
    if not usable or not any(differences):
        return None
    adjusted = holm([dependence_p(differences, groups, seed) for groups in usable.values()])
    found = [
        Tie(name, correlation(differences, groups), p or 0.0, len(set(groups)))
        for (name, groups), p in zip(usable.items(), adjusted, strict=True)
        if p is not None and p < SURE
    ]
    return max(found, key=lambda tie: (tie.correlation, tie.field), default=None)


def shared_products(centred: Sequence[float], groups: Sequence[int]) -> float:
    """Return the sum over all pairs of items of one group of the product of their differences."""
    return (
        math.fsum(total * total for total in cluster_sums(centred, groups)) - math.fsum(x * x for x in centred)
    ) / 2.0


def pairs_in(groups: Sequence[int]) -> float:
    """Return how many pairs of items share a group."""
    return sum(size * (size - 1.0) / 2.0 for size in Counter(groups).values())


def correlation(differences: Sequence[float], groups: Sequence[int]) -> float:
    """Return the intraclass correlation: the mean product within groups over the variance."""
    centred = centre(differences)
    variance = math.fsum(x * x for x in centred) / len(centred)
    pairs = pairs_in(groups)
    return shared_products(centred, groups) / pairs / variance if pairs and variance else 0.0


def centre(differences: Sequence[float]) -> "array[float]":
    """Return differences less their mean."""
    mean = math.fsum(differences) / len(differences)
    return array("d", (value - mean for value in differences))


def dependence_p(differences: Sequence[float], groups: Sequence[int], seed: int) -> float:
    """Return the one-sided p-value of no dependence: by its normal law, and where that is small by shuffled items.

    Nothing is shuffled where no law at all could lead past the least p-value that shuffles can give.
    """
    centred = centre(differences)
    variance = math.fsum(x * x for x in centred) / len(centred)
    observed = shared_products(centred, groups)
    spread = variance * math.sqrt(pairs_in(groups))
    near = normal_above(observed / spread) if spread else 1.0
    if near >= WORTH_A_LOOK:
        return near
    least = 1 / (1 + SHUFFLES)
    return least if chance_at_most(observed, centred, groups) <= least else shuffled_p(observed, centred, groups, seed)


def chance_at_most(observed: float, centred: Sequence[float], groups: Sequence[int]) -> float:
    """Return what share of all shuffles can reach a sum at most: 1 / (1 + z^2), whatever their law (Cantelli 1928)."""
    mean, variance = moments(centred, groups)
    above = observed - mean
    return 1.0 if above <= 0.0 else variance / (variance + above * above)


def moments(centred: Sequence[float], groups: Sequence[int]) -> tuple[float, float]:
    """Return mean and variance of the sum of shared products over all shuffles of at least four centred differences.

    Exact: the mean products of two, three and four different items follow from the sums of squares and fourth powers.
    """
    n = len(centred)
    squares, fourths = math.fsum(x * x for x in centred), math.fsum(x**4 for x in centred)
    sizes = Counter(groups).values()
    pairs = pairs_in(groups)
    meeting = math.fsum(size * (size - 1) * (size - 2) for size in sizes)  # two pairs with one item in common
    apart = pairs * pairs - pairs - meeting
    two = n * (n - 1.0)
    three, four = two * (n - 2), two * (n - 2) * (n - 3)
    mean = -pairs * squares / two
    second = (
        pairs * (squares**2 - fourths) / two
        + meeting * (2 * fourths - squares**2) / three
        + apart * 3 * (squares**2 - 2 * fourths) / four
    )
    return mean, max(0.0, second - mean * mean)


def shuffled_p(observed: float, centred: Sequence[float], groups: Sequence[int], seed: int) -> float:
    """Return the share of shuffles whose items share as much."""
    import numpy

    values, sizes = numpy.asarray(centred), numpy.bincount(numpy.unique(groups, return_inverse=True)[1])
    starts = numpy.r_[0, numpy.cumsum(sizes)[:-1]]
    random, hits = numpy.random.RandomState(seed), 0
    bar = observed * 2.0 + float((values**2).sum()) - 1e-9
    for _ in range(SHUFFLES):
        sums = numpy.add.reduceat(random.permutation(values), starts)
        hits += float((sums**2).sum()) >= bar
    return (1 + hits) / (1 + SHUFFLES)
