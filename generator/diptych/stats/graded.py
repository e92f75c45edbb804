"""Two runs that scored the same items on a graded scale: t interval, exact sign flips, ratios of weighted sums."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate

from diptych.fast_named_tuple import NamedTuple
from diptych.stats.distributions import (
    mean_and_variance,
    student_above,
    student_quantile,
    student_two_sided,
)
from diptych.stats.paired import Equivalence


class MeanTest(NamedTuple):
    """A mean difference with its error; `low`, `high` are None where the values leave no error to speak of."""

    mean: float
    error: float
    t: float | None
    df: float
    p: float
    low: float | None
    high: float | None


class RatioTest(NamedTuple):
    """The difference of weighted mean log-likelihoods per unit of weight, and both perplexities."""

    difference: float
    error: float
    perplexity_a: float
    perplexity_b: float
    df: int


def t_test(mean: float, error: float, df: float, level: float) -> MeanTest:
    """Test a mean against 0 from its standard error > 0."""
    t = mean / error
    reach = student_quantile(0.5 + level / 2.0, df) * error
    return MeanTest(mean, error, t, df, student_two_sided(t, df), mean - reach, mean + reach)


def paired_t(differences: Sequence[float], level: float = 0.95) -> MeanTest:
    """Test the mean of n >= 2 paired differences; without any spread the p-value is exact and there is no interval."""
    n = len(differences)
    mean, variance = mean_and_variance(differences)
    # a constant shift in floating point leaves a spread of rounding only
    if variance <= (1e-14 * mean) ** 2:
        return MeanTest(mean, 0.0, None, n - 1, 1.0 if mean == 0 else 2.0 ** (1 - n), None, None)
    return t_test(mean, math.sqrt(variance / n), n - 1, level)


def t_equivalence(mean: float, error: float, df: float, margin: float) -> Equivalence:
    """Test that a true mean lies inside +-`margin` by two one-sided t tests; df = inf for the normal law."""
    from diptych.stats.distributions import normal_above

    up, down = (mean + margin) / error, (margin - mean) / error
    if math.isinf(df):
        lower, upper = normal_above(up), normal_above(down)
    else:
        lower, upper = student_above(up, df), student_above(down, df)
    return Equivalence(max(lower, upper), lower, upper)


def lattice(values: Sequence[float]) -> list[int] | None:
    """Return the values as whole multiples of 1, 1/2, 1/4, 1/8 or 1/3, 1/6, 1/12, or None where they are none."""
    for unit in (1, 2, 4, 8, 3, 6, 12):
        scaled = [value * unit for value in values]
        whole = [round(value) for value in scaled]
        if all(abs(exact - near) <= 1e-9 for exact, near in zip(scaled, whole, strict=True)):
            return whole
    return None


def lattice_signflip(values: Sequence[int]) -> float:
    """Return the exact sign-flip p-value of whole numbers, for any n: values of one size follow a binomial law."""
    observed = abs(sum(values))
    sizes = Counter(abs(value) for value in values if value)
    if not sizes or observed == 0:
        return 1.0
    # the law of all sizes but the most frequent, whose tail is then looked up: a judge's 2,000 tasks have two sizes
    *rare, (size, many) = sorted(sizes.items(), key=lambda item: (item[1], item[0]))
    law = {0: 1.0}
    for step, times in rare:
        coins = coin_law(times)
        wider: dict[int, float] = defaultdict(float)
        for place, chance in law.items():
            for heads, share in enumerate(coins):
                wider[place + (2 * heads - times) * step] += chance * share
        law = wider
    above = [*accumulate(reversed(coin_law(many)))][::-1]
    above.append(0.0)
    # both tails are alike, and the sum reaches `observed` from this many heads on
    first = {place: -((place - observed - many * size) // (2 * size)) for place in law}
    return min(1.0, 2.0 * math.fsum(chance * above[min(max(first[at], 0), many + 1)] for at, chance in law.items()))


def coin_law(times: int) -> list[float]:
    """Return the chances of 0 to `times` heads in as many throws."""
    counts, whole = [1], 1 << times
    for heads in range(times):
        counts.append(counts[-1] * (times - heads) // (heads + 1))
    return [count / whole for count in counts]


def signflip(differences: Sequence[float]) -> tuple[float, int]:
    """Return the exact sign-flip p-value over all patterns of the non-zero differences, and how many there are.

    The first sign is fixed, since the two halves mirror each other. Meant for up to about 20 of them.
    """
    changed = sorted((abs(value) for value in differences if value), reverse=True)
    if not changed:
        return 1.0, 0
    bar = abs(math.fsum(differences)) - 1e-12 * math.fsum(changed)
    # every pattern is one sum of the first half plus one of the second: count them in order, do not list them all
    half = (len(changed) + 1) // 2
    first = [changed[0] + total for total in _signed_sums(changed[1:half])]
    second = sorted(_signed_sums(changed[half:]))
    hits = sum(len(second) - bisect_left(second, bar - total) + bisect_right(second, -bar - total) for total in first)
    patterns = len(first) * len(second)
    return min(hits, patterns) / patterns, len(changed)


def _signed_sums(sizes: Sequence[float]) -> list[float]:
    """Return the sums of all sign patterns."""
    sums = [0.0]
    for size in sizes:
        sums = [total + size for total in sums] + [total - size for total in sums]
    return sums


def signflip_sampled(differences: Sequence[float], seed: int, patterns: int = 9_999) -> float:
    """Return the sign-flip p-value from random patterns, (hits + 1) / (patterns + 1)."""
    import numpy  # only where neither counting nor convolution is possible

    changed = numpy.sort(numpy.abs([value for value in differences if value]))
    bar = abs(math.fsum(differences)) - 1e-12 * float(changed.sum())
    random = numpy.random.RandomState(seed)
    hits, left = 0, patterns
    while left:
        rows = min(left, max(1, 4_000_000 // len(changed)))
        signs = random.randint(0, 2, size=(rows, len(changed))) * 2 - 1
        hits += int((numpy.abs(signs @ changed) >= bar).sum())
        left -= rows
    return (hits + 1) / (patterns + 1)


def paired_ratio(a: Sequence[float], b: Sequence[float], weights: Sequence[float]) -> RatioTest:
    """Compare weighted mean log-likelihoods of the same documents by linearised residuals (df = documents - 1)."""
    n, weight = len(weights), math.fsum(weights)
    total_a, total_b = math.fsum(a), math.fsum(b)
    difference = (total_b - total_a) / weight
    square = math.fsum((y - x - difference * w) ** 2 for x, y, w in zip(a, b, weights, strict=True))
    error = math.sqrt(square / (n * (n - 1.0))) / (weight / n)
    return RatioTest(difference, error, math.exp(-total_a / weight), math.exp(-total_b / weight), n - 1)


def share_bound(comparisons: int, level: float = 0.95) -> float:
    """Return the largest share of changing items that `comparisons` without a change leave possible."""
    return -math.expm1(math.log1p(-level) / comparisons)
