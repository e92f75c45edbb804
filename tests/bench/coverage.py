"""How often each interval holds the true value, simulated at n = 20, 100 and 1,000, in one table.

A row is named by the method as artifacts name it, and the worst of its designs stands in the table. Rows below their
nominal level by more than two points are marked, and the exit code tells of them.
"""

import math
import random
import sys
from collections.abc import Callable
from typing import NamedTuple

from diptych.comparison import Estimate
from diptych.stats.paired import tango_interval, wilson
from diptych.stats.select import TestInput, estimate

SIZES = (20, 100, 1_000)
DRAWS = {20: 3_000, 100: 1_500, 1_000: 400}
NOMINAL = 0.95
ALLOWED = 0.02

Span = tuple[float | None, float | None]


class Design(NamedTuple):
    """One way data may come about: its name, the true value and a draw of one interval at size n."""

    name: str
    truth: float
    draw: Callable[[random.Random, int], Span]


def span(found: Estimate) -> Span:
    """Return the ends of an estimate's interval."""
    return found.low, found.high


def table(chance: random.Random, n: int, gained: float, lost: float, both: float) -> tuple[int, int, int, int]:
    """Draw a paired table of n items."""
    counts = [0, 0, 0, 0]
    for _ in range(n):
        x = chance.random()
        counts[0 if x < gained else 1 if x < gained + lost else 2 if x < gained + lost + both else 3] += 1
    return counts[0], counts[1], counts[2], counts[3]


def paired_designs() -> dict[str, list[Design]]:
    """Return the designs of right-or-wrong pairs."""
    shares = ((0.15, 0.10, 0.5), (0.05, 0.05, 0.6), (0.02, 0.06, 0.8), (0.25, 0.15, 0.3))
    tango = []
    for gained, lost, both in shares:
        name = f"gained {gained}, lost {lost}"

        def by_tango(chance: random.Random, n: int, s: tuple[float, float, float] = (gained, lost, both)) -> Span:
            up, down, _, _ = table(chance, n, *s)
            return tango_interval(up, down, n, NOMINAL)

        tango.append(Design(name, gained - lost, by_tango))
    return {"mcnemar_midp_tango": tango}


def share_designs() -> dict[str, list[Design]]:
    """Return the designs of single shares and of two independent ones."""
    single, two = [], []
    for share in (0.1, 0.5, 0.8, 0.95):

        def one(chance: random.Random, n: int, share: float = share) -> Span:
            return wilson(sum(chance.random() < share for _ in range(n)), n, NOMINAL)

        def other(chance: random.Random, n: int, share: float = share) -> Span:
            own_a = [float(chance.random() < share) for _ in range(n)]
            own_b = [float(chance.random() < share - 0.05) for _ in range(n)]
            return span(estimate(TestInput(own_a=own_a, own_b=own_b)))

        single.append(Design(f"share {share}", share, one))
        two.append(Design(f"share {share}", -0.05, other))
    return {"wilson": single, "unpaired_newcombe": two}


def graded_designs() -> dict[str, list[Design]]:
    """Return the designs of graded pairs, independent or in groups."""

    def plain(noise: Callable[[random.Random], float]) -> Callable[[random.Random, int], Span]:
        def draw(chance: random.Random, n: int) -> Span:
            a = [chance.random() for _ in range(n)]
            return span(estimate(TestInput(a=a, b=[x + noise(chance) for x in a])))

        return draw

    def grouped(size: int, shared: float) -> Callable[[random.Random, int], Span]:
        def draw(chance: random.Random, n: int) -> Span:
            clusters = [place // size for place in range(n)]
            moods = [chance.gauss(0, shared) for _ in range(n // size + 1)]
            a = [chance.random() for _ in range(n)]
            b = [x + moods[group] + chance.gauss(0, 0.1) for x, group in zip(a, clusters, strict=True)]
            return span(estimate(TestInput(a=a, b=b, clusters=clusters)))

        return draw

    def layered(weighting: str) -> Callable[[random.Random, int], Span]:
        def draw(chance: random.Random, n: int) -> Span:
            strata = [place % 4 for place in range(n)]
            a = [chance.random() for _ in range(n)]
            b = [x + 0.1 * (part - 1.5) + chance.gauss(0, 0.2) for x, part in zip(a, strata, strict=True)]
            return span(estimate(TestInput(a=a, b=b, strata=strata, weighting=weighting)))

        return draw

    def welch(chance: random.Random, n: int) -> Span:
        own_a = [chance.gauss(0, 1) for _ in range(max(n, 30))]
        return span(estimate(TestInput(own_a=own_a, own_b=[chance.gauss(0.2, 2) for _ in range(2 * n + 10)])))

    def perplexity(chance: random.Random, n: int) -> Span:
        weights = [float(chance.randrange(20, 200)) for _ in range(max(n, 30))]
        a = [-w * (2 + 0.2 * chance.random()) for w in weights]
        b = [x + w * chance.gauss(0.05, 0.1) for x, w in zip(a, weights, strict=True)]
        pairs = [list(zip(side, weights, strict=True)) for side in (a, b)]
        found = estimate(TestInput(a_lists=pairs[0], b_lists=pairs[1], aggregation="word_perplexity"))
        return (found.parameters["ratio_low"], found.parameters["ratio_high"])

    return {
        "paired_t": [
            Design("normal", 0.02, plain(lambda chance: chance.gauss(0.02, 0.1))),
            Design("steps of a quarter", 0.0, plain(lambda chance: chance.choice((-0.5, -0.25, 0.0, 0.0, 0.25, 0.5)))),
            Design("uniform", 0.0, plain(lambda chance: chance.uniform(-1, 1))),
        ],
        "paired_cluster_t": [
            Design("groups of 2, alike", 0.0, grouped(2, 0.1)),
            Design("groups of 2, unlike", 0.0, grouped(2, 0.02)),
        ],
        "stratified_paired": [Design("by items", 0.0, layered("items")), Design("equal", 0.0, layered("equal"))],
        "unpaired_welch": [Design("unlike spreads", 0.2, welch)],
        "paired_ratio (ratio)": [Design("documents of many lengths", math.exp(-0.05), perplexity)],
    }


def corpus_designs() -> dict[str, list[Design]]:
    """Return the design of a resampled F1, whose truth is that of one very large draw."""

    def items(chance: random.Random, n: int, right: float) -> list[tuple[int, int]]:
        gold = [int(chance.random() < 0.4) for _ in range(n)]
        return [(g, g if chance.random() < right else 1 - g) for g in gold]

    def draw(chance: random.Random, n: int) -> Span:
        n = max(n, 50)
        sides = items(chance, n, 0.8), items(chance, n, 0.85)
        return span(estimate(TestInput(a_lists=sides[0], b_lists=sides[1], aggregation="f1", key="coverage|f1|none")))

    def f1(right: float) -> float:
        hits, misses, alarms = 0.4 * right, 0.4 * (1 - right), 0.6 * (1 - right)
        return 2 * hits / (2 * hits + misses + alarms)

    return {"paired_bootstrap": [Design("F1 of 0 and 1", f1(0.85) - f1(0.8), draw)]}


def covered(design: Design, n: int, draws: int) -> float:
    """Return the share of draws whose interval holds the truth; an interval that is not given holds nothing."""
    chance = random.Random(f"{design.name}|{n}")
    hits = 0
    for _ in range(draws):
        low, high = design.draw(chance, n)
        hits += low is not None and high is not None and low <= design.truth + 1e-12 and design.truth - 1e-12 <= high
    return hits / draws


def main() -> int:
    """Print the table; the exit code is 1 where a row falls short."""
    print(f"{'interval at 95 %':<24}{'design of the worst':<30}" + "".join(f"n = {n:<8,}" for n in SIZES))
    short = []
    every = {**paired_designs(), **share_designs(), **graded_designs(), **corpus_designs()}
    for method, designs in every.items():
        worst: list[tuple[float, str]] = []
        for n in SIZES:
            draws = DRAWS[n] // (3 if method == "paired_bootstrap" else 1)
            worst.append(min((covered(design, n, draws), design.name) for design in designs))
        cells = "".join(f"{100 * share:6.1f} %    " for share, _ in worst)
        name = min(worst)[1]
        low = [n for n, (share, _) in zip(SIZES, worst, strict=True) if share < NOMINAL - ALLOWED]
        short += [f"{method} at n = {n}" for n in low]
        print(f"{method:<24}{name:<30}{cells}{'  BELOW' if low else ''}", flush=True)
    print("the bootstrap needs 50 items, documents and Welch 30: their first column is at that size")
    print(f"more than 2 points below: {', '.join(short) or 'none'}")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
