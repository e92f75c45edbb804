"""What every interval, word, family and gate really does, simulated, in one table with its Monte-Carlo error.

    python tests/bench/coverage.py [--scale 1.0] [--only WORD] [--out tests/bench/coverage.md]

Each row is one design: what was measured, over how many replications, its standard error, its goal, and whether it is
met (a goal is missed where the figure is beyond it by more than two of its own standard errors; a figure beyond it by
less is "open"). `--scale 0.1` is for a first look.
"""

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from estimates import estimate

from diptych.diagnose.gates import non_inferior
from diptych.diagnose.scores.families import MeasuredRow, rows_with_words
from diptych.estimates import Estimate, MetricComparison, NoiseFloor
from diptych.stats.dependence import tied_by
from diptych.stats.distributions import normal_quantile
from diptych.stats.estimate_by_level import Measured, at_levels
from diptych.stats.history import Point, steps_in
from diptych.stats.multiple import Block, fallback, holm_levels
from diptych.stats.paired import wilson
from diptych.stats.rerun_noise import summarize_repeats
from diptych.stats.select import measure
from diptych.stats.status import status_and_reason
from diptych.stats.suite import suite_test
from diptych.stats.test_input import SharePart, TestInput
from diptych.stats.unpaired import newcombe

NOMINAL, MARGIN = 0.95, 0.01
Span = tuple[float | None, float | None]


class Cell(NamedTuple):
    """One design: a draw returns whether the event happened (None: it does not count); `low`, `high` bound its goal."""

    section: str
    design: str
    event: str
    draws: int
    low: float
    high: float
    draw: Callable[[random.Random], bool | None]


def coverage(design: str, truth: float, draws: int, draw: Callable[[random.Random], Span], goal: float = 0.93) -> Cell:
    """Return a cell that counts how often a range holds the truth; one that is not given holds nothing."""

    def held(chance: random.Random) -> bool:
        low, high = draw(chance)
        return low is not None and high is not None and low <= truth + 1e-12 and truth - 1e-12 <= high

    return Cell("95 % range", design, "holds the truth", draws, goal, 1.0, held)


def span(found: Estimate) -> Span:
    """Return the ends of an estimate's range."""
    return found.low, found.high


def binary(chance: random.Random, n: int, gained: float, lost: float, right: float = 0.6) -> TestInput:
    """Draw a pair of right-or-wrong columns."""
    a, b = [], []
    for _ in range(n):
        x = chance.random()
        before = x < lost or (gained + lost <= x and chance.random() < right)
        after = (lost <= x < gained + lost) or (gained + lost <= x and before)
        a.append(float(before))
        b.append(float(after))
    return TestInput(a=a, b=b, key=f"bench|acc|{chance.random()}")


def graded(chance: random.Random, n: int, step: Callable[[random.Random], float], **fields: object) -> TestInput:
    """Draw a pair of graded columns whose differences are drawn by `step`."""
    differences = [step(chance) for _ in range(n)]
    return TestInput(
        a=[0.0] * n,
        b=differences,
        key=f"bench|f1|{chance.random()}",
        **fields,  # type: ignore[arg-type]
    )


def ranges() -> Iterator[Cell]:
    """Yield how often the ranges hold the truth."""
    for gained, lost in ((0.15, 0.10), (0.05, 0.05), (0.02, 0.06)):
        for n in (20, 100, 1_000):
            name = f"right or wrong, gained {gained}, lost {lost}, n = {n}"
            yield coverage(
                name, gained - lost, 2_000, lambda c, n=n, g=gained, m=lost: span(estimate(binary(c, n, g, m)))
            )
    for n in (20, 100, 1_000):
        yield coverage(f"Newcombe, two independent shares, n = {n}", 0.05, 1_500, lambda c, n=n: _newcombe(c, n))
    for n in (10, 20, 34):
        for shares in ((0.95, 0.95), (0.85, 0.97)):
            yield coverage(
                f"scores alone, shares {shares[0]} and {shares[1]}, n = {n}",
                shares[1] - shares[0],
                1_500,
                lambda c, n=n, s=shares: span(estimate(scores_alone(c, n, *s))),
            )
    for n in (20, 100, 1_000):
        yield coverage(
            f"Wilson, share 0.95, n = {n}", 0.95, 3_000, lambda c, n=n: wilson(_hits(c, n, 0.95), n, NOMINAL)
        )
    yield Cell(
        "95 % range",
        "beside a score of exactly 1 (Wilson), share 0.95, n = 20",
        "holds the truth",
        3_000,
        0.93,
        1.0,
        lambda c: _beside_one(c, 20, 0.95),
    )
    yield coverage("group of two reported scores near 1, n = 34 and 30", 0.0, 2_000, _reported_group)
    laws: list[tuple[str, float, Callable[[random.Random], float]]] = [
        ("graded, normal", 0.02, lambda c: c.gauss(0.02, 0.1)),
        ("graded, steps of a quarter", 0.0, lambda c: c.choice((-0.5, -0.25, 0.0, 0.0, 0.25, 0.5))),
        ("graded, log-normal", math.exp(0.5), lambda c: c.lognormvariate(0, 1)),
        ("graded, exponential", 1.0, lambda c: c.expovariate(1)),
        ("graded in 0..1, one in twenty falls by 1", -0.05, lambda c: -float(c.random() < 0.05)),
        ("graded in 0..1, noise and rare falls", -0.02, hidden_falls),
    ]
    for name, truth, step in laws:
        for n in (34, 150, 400):
            fields = {"reach": 1.0} if "0..1" in name else {}
            yield coverage(
                f"{name}, n = {n}",
                truth,
                4_000 if n == 34 else 1_000,
                lambda c, n=n, s=step, f=fields: span(estimate(graded(c, n, s, **f))),
            )
    for groups, size in ((25, 4), (100, 5)):
        yield coverage(
            f"{groups} clusters of {size}, ICC .5",
            0.0,
            1_000,
            lambda c, g=groups, s=size: span(estimate(clustered(c, g, s, 0.0))),
        )
    for parts, size in ((10, 30), (57, 40)):
        yield coverage(
            f"group of {parts} subtasks of {size}",
            -0.02,
            600,
            lambda c, p=parts, s=size: span(estimate(group(c, p, s, 0.04, 0.06))),
        )
    yield coverage(
        "F1 of 0 and 1, n = 200", _f1(0.85) - _f1(0.8), 300, lambda c: span(estimate(_labels(c, 200, 0.8, 0.85)))
    )
    yield coverage(
        "bits per byte of 60 documents", 0.005 / math.log(2), 1_000, lambda c: span(estimate(documents(c, 60, 0.005)))
    )


def documents(chance: random.Random, n: int, gap: float) -> TestInput:
    """Draw the log-likelihoods of n documents of 50 to 400 bytes; B is less likely by `gap` nats a byte."""
    sides: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    for _ in range(n):
        size = float(chance.randrange(50, 400))
        nats = size * max(0.1, chance.gauss(0.7, 0.15))
        sides[0].append((-nats, size))
        sides[1].append((-nats - size * chance.gauss(gap, 0.02), size))
    return TestInput(
        a_lists=sides[0], b_lists=sides[1], aggregation="bits_per_byte", key=f"bench|bits|{chance.random()}"
    )


def hidden_falls(chance: random.Random) -> float:
    """Draw a difference of a little noise; one in fifty falls by the whole scale."""
    return -float(chance.random() < 0.02) + chance.gauss(0, 0.005)


def scores_alone(chance: random.Random, n: int, share_a: float, share_b: float) -> TestInput:
    """Draw two scores of other items, each known by its count."""
    right_a, right_b = _hits(chance, n, share_a), _hits(chance, n, share_b)
    return TestInput(score_a=right_a / n, score_b=right_b / n, n_a=n, n_b=n, binary=True)


def _hits(chance: random.Random, n: int, share: float) -> int:
    return sum(chance.random() < share for _ in range(n))


def _beside_one(chance: random.Random, n: int, share: float) -> bool | None:
    return wilson(n, n, NOMINAL)[0] <= share if _hits(chance, n, share) == n else None


def _reported_group(chance: random.Random) -> Span:
    counts = [(_hits(chance, n, share), n, _hits(chance, n, share), n) for n, share in ((34, 0.96), (30, 0.98))]
    whole = sum(n for _, n, _, _ in counts)
    errors = [
        math.sqrt(sum((n / whole) ** 2 * right[side] / n * (1 - right[side] / n) / (n - 1) for *right, n in counts))
        for side in (0, 2)
    ]
    return span(
        estimate(
            TestInput(
                score_a=sum(count[0] for count in counts) / whole,
                score_b=sum(count[2] for count in counts) / whole,
                stderr_a=errors[0],
                stderr_b=errors[1],
                parts=[SharePart(n / whole, *counts_of) for counts_of in counts for n in counts_of[1:2]],
            )
        )
    )


def _newcombe(chance: random.Random, n: int) -> Span:
    return newcombe(_hits(chance, n, 0.6), n, _hits(chance, n, 0.65), n, NOMINAL)


LABELS_PER_F1 = 0.1 / (2 * 0.4 * 0.85 / (2 * 0.4 * 0.85 + 0.15) - 2 * 0.4 * 0.75 / (2 * 0.4 * 0.75 + 0.25))
"""By how much more often labels must be right for one more of F1, from three in four right on."""


def _labels(chance: random.Random, n: int, right_a: float, right_b: float, metric: str = "f1") -> TestInput:
    gold = [int(chance.random() < 0.4) for _ in range(n)]
    sides = [[(g, g if chance.random() < right else 1 - g) for g in gold] for right in (right_a, right_b)]
    return TestInput(a_lists=sides[0], b_lists=sides[1], aggregation=metric, key=f"bench|{metric}|{chance.random()}")


def _f1(right: float) -> float:
    hits, misses, alarms = 0.4 * right, 0.4 * (1 - right), 0.6 * (1 - right)
    return 2 * hits / (2 * hits + misses + alarms)


def clustered(chance: random.Random, groups: int, size: int, gap: float, correlation: float = 0.5) -> TestInput:
    """Draw right-or-wrong pairs in clusters whose differences go together."""
    a, b, units = [], [], []
    for unit in range(groups):
        mood = chance.gauss(0, math.sqrt(correlation))
        for _ in range(size):
            z = mood + chance.gauss(0, math.sqrt(1 - correlation))
            up, down = z > normal_quantile(1 - 0.1 - gap / 2), z < normal_quantile(0.1 - gap / 2)
            right = chance.random() < 0.5
            a.append(float(down or (right and not up)))
            b.append(float(up or (right and not down)))
            units.append(unit)
    return TestInput(a=a, b=b, clusters=units, key=f"bench|acc|{chance.random()}")


def group(chance: random.Random, parts: int, size: int, gained: float, lost: float) -> TestInput:
    """Draw the items of a group's subtasks."""
    given = binary(chance, parts * size, gained, lost)
    return given._replace(strata=[place // size for place in range(parts * size)])


def same_wrong() -> Iterator[Cell]:
    """Yield how often "the same" is said at a true gap of exactly the margin."""

    def cell(design: str, draws: int, draw: Callable[[random.Random], TestInput]) -> Cell:
        def said(chance: random.Random) -> bool:
            return status_and_reason(estimate(draw(chance)), True)[0] == "same"

        return Cell("the same, wrongly", design, "said at a gap of the margin", draws, 0.0, 0.06, said)

    for n in (10, 34, 150, 268, 300, 450, 1_000, 3_000):
        for gained in (0.0, 0.005):
            yield cell(
                f"right or wrong, gained {gained}, n = {n}",
                2_000 if n < 1_000 else 700,
                lambda c, n=n, g=gained: binary(c, n, g, g + MARGIN),
            )
    for n in (10, 34, 150, 400, 1_000):
        yield cell(
            f"graded, falls by 1 alone, n = {n}",
            1_000,
            lambda c, n=n: graded(c, n, lambda c: -float(c.random() < MARGIN), reach=1.0),
        )
        yield cell(
            f"graded, noise and falls by 1, n = {n}",
            700,
            lambda c, n=n: graded(c, n, lambda c: -float(c.random() < MARGIN) + c.gauss(0, 0.004), reach=1.0),
        )
        yield cell(
            f"graded, rises and falls by a half, n = {n}",
            700,
            lambda c, n=n: graded(c, n, lambda c: c.choice((-0.5,) * 3 + (0.5,) + (0.0,) * 96), reach=1.0),
        )
    for parts, size in ((4, 100), (10, 150), (57, 40)):
        yield cell(
            f"group of {parts} subtasks of {size}",
            500,
            lambda c, p=parts, s=size: group(c, p, s, 0.002, 0.002 + MARGIN),
        )
    for groups, size in ((60, 10), (200, 5), (400, 5)):
        yield cell(
            f"{groups} clusters of {size} that fall together",
            500,
            lambda c, g=groups, s=size: falling_clusters(c, g, s),
        )

    for sigma in (0.0005, 0.0015):
        yield cell(
            f"right or wrong, n = 12000, a run moves by {100 * sigma:g} pp, floor of 5 repeats",
            300,
            lambda c, s=sigma: moving_runs(c, 5, s, 12_000, MARGIN),
        )


def moving_runs(chance: random.Random, k: int, sigma: float, n: int, gap: float) -> TestInput:
    """Draw two runs of which each moves as a whole, and the floor of k repeats; the second is better by `gap`."""
    easy = [0.01 if chance.random() < 0.4 else 0.97 for _ in range(n)]

    def run(more: float = 0.0) -> list[float]:
        shift = chance.gauss(0, sigma) + more
        return [float(chance.random() < share + shift) for share in easy]

    return TestInput(a=run(), b=run(gap), noise=floor_from([run() for _ in range(k)]))


def floor_from(repeats: list[list[float]]) -> NoiseFloor:
    """Return the noise floor of repeats."""
    made = summarize_repeats([sum(each) / len(each) for each in repeats], repeats)
    return NoiseFloor(
        len(repeats),
        made.spread or 0.0,
        made.floor,
        made.sigma_run,
        len(repeats) - 1.0,
        (),
        "",
        made.residual_error,
    )


def falling_clusters(chance: random.Random, groups: int, size: int) -> TestInput:
    """Draw clusters of which one in a hundred falls as a whole: a true gap of the margin."""
    a, b, units = [], [], []
    for unit in range(groups):
        falls = chance.random() < MARGIN
        for _ in range(size):
            right = falls or chance.random() < 0.5
            a.append(float(right))
            b.append(float(right and not falls))
            units.append(unit)
    return TestInput(a=a, b=b, clusters=units, key=f"bench|acc|{chance.random()}")


def headline(
    chance: random.Random, parts: int, size: int, gained: float, lost: float
) -> tuple[Estimate, str, list[str]]:
    """Return a group's headline with its word, and the words of its subtasks, as their family leaves them."""
    given = group(chance, parts, size, gained, lost)
    assert given.a is not None and given.b is not None
    pieces = [
        measure(TestInput(a=given.a[at : at + size], b=given.b[at : at + size])) for at in range(0, parts * size, size)
    ]
    whole = measure(given)
    (test,) = fallback([Block(whole.found.p_value, tuple(each.found.p_value for each in pieces))])
    (same,) = fallback([Block(whole.found.p_equivalence, tuple(each.found.p_equivalence for each in pieces))])
    head = at_levels(whole, test.head.alpha, same.head.alpha)
    words = [
        status_and_reason(at_levels(each, one.alpha, other.alpha), True, one.p, other.p)[0]
        for each, one, other in zip(pieces, test.parts, same.parts, strict=True)
    ]
    return head, status_and_reason(head, True, test.head.p, same.head.p)[0], words


def families() -> Iterator[Cell]:
    """Yield false alarms of whole families, and what a headline says."""
    moved = {"better", "worse"}

    def any_alarm(chance: random.Random) -> bool:
        _, word, words = headline(chance, 57, 60, 0.08, 0.08)
        return word in moved or bool(moved & set(words))

    def any_of_tasks(chance: random.Random) -> bool:
        made = [measure(binary(chance, 80, 0.08, 0.08)) for _ in range(57)]
        return bool(moved & set(words_of(made)))

    def any_of_corpus(chance: random.Random) -> bool:
        return bool(moved & set(words_of([measure(_labels(chance, 120, 0.8, 0.8, "mcc")) for _ in range(20)])))

    def any_of_matrix(chance: random.Random) -> bool:
        made: list[Measured] = []
        for _ in range(10):
            easy = [chance.random() for _ in range(100)]
            runs = [[float(chance.random() < share) for share in easy] for _ in range(5)]
            made += [measure(TestInput(a=runs[i], b=runs[j])) for i in range(5) for j in range(i + 1, 5)]
        return bool(moved & set(words_of(made)))

    def any_of_documents(chance: random.Random) -> bool:
        return bool(moved & set(words_of([measure(documents(chance, 40, 0.0)) for _ in range(20)])))

    alarm = "any false alarm"
    yield Cell("family", "57 tasks, no group, nothing differs", alarm, 400, 0, 0.05, any_of_tasks)
    yield Cell("family", "group of 57 subjects, nothing differs", alarm, 300, 0, 0.05, any_alarm)
    yield Cell("family", "20 MCC tasks, nothing differs", alarm, 200, 0, 0.05, any_of_corpus)
    yield Cell("family", "20 tasks of bits per byte, nothing differs", alarm, 200, 0, 0.05, any_of_documents)
    yield Cell("family", "matrix, 5 runs x 10 metrics, nothing differs", alarm, 300, 0, 0.05, any_of_matrix)
    yield Cell(
        "headline",
        "57 subjects x 246 items, true -1.5 pp",
        "is worse",
        60,
        0.9,
        1.0,
        lambda c: headline(c, 57, 246, 0.05, 0.065)[1] == "worse",
    )

    def contradicts(chance: random.Random, lost: float) -> bool | None:
        head, word, _ = headline(chance, 57, 60, 0.08, lost)
        if word != "unclear" or head.low is None or head.high is None:
            return None
        return not head.low <= 0 <= head.high

    for lost in (0.08, 0.095):
        yield Cell(
            "headline",
            f"group, true {100 * (0.08 - lost):+.1f} pp, inconclusive",
            "range leaves out 0",
            200,
            0.0,
            0.0,
            lambda c, m=lost: contradicts(c, m),
        )


def words_of(made: list[Measured]) -> list[str]:
    """Return the words of a flat family."""
    tests = holm_levels([each.found.p_value for each in made])
    same = holm_levels([each.found.p_equivalence for each in made])
    return [
        status_and_reason(at_levels(each, one.alpha, other.alpha), True, one.p, other.p)[0]
        for each, one, other in zip(made, tests, same, strict=True)
    ]


def reruns() -> Iterator[Cell]:
    """Yield false alarms where each run moves as a whole, with a floor from k repeats."""
    for k in (2, 3, 5, 10):
        for sigma in (0.0, 0.02):
            yield Cell(
                "reruns",
                f"k = {k} repeats, spread of a run {100 * sigma:g} pp",
                "false alarm",
                1_000,
                0,
                0.06,
                lambda c, k=k, s=sigma: rerun_alarm(c, k, s),
            )


def rerun_alarm(chance: random.Random, k: int, sigma: float, n: int = 200) -> bool:
    """Draw two runs and k repeats of one configuration, and say whether the two are told apart."""
    easy = [chance.uniform(0.2, 0.8) for _ in range(n)]

    def run() -> list[float]:
        shift = chance.gauss(0, sigma)
        return [float(chance.random() < share + shift) for share in easy]

    floor = floor_from([run() for _ in range(k)])
    return status_and_reason(estimate(TestInput(a=run(), b=run(), noise=floor)), True)[0] in ("better", "worse")


def detectable() -> Iterator[Cell]:
    """Yield the power at the printed minimum detectable effect, at its own level."""
    for alpha, level in ((0.05, "alone"), (0.05 / 57, "as one of 57")):
        for n, changed in ((164, 0.2), (1_000, 0.1), (1_000, 0.04)):
            yield Cell(
                "detectable",
                f"right or wrong, n = {n}, {changed:.0%} changed, {level}",
                "power",
                700,
                0.78,
                0.88,
                lambda c, n=n, m=changed, a=alpha: _power_binary(c, n, m, a),
            )
        for n in (34, 300):
            yield Cell(
                "detectable",
                f"graded, n = {n}, {level}",
                "power",
                6_000 if n == 34 else 700,
                0.78,
                0.88,
                lambda c, n=n, a=alpha: _power_graded(c, n, a),
            )

        for name, gap, drawn in AT_A_GAP:
            yield Cell(
                "detectable",
                f"{name}, {level}",
                "power",
                250 if name.startswith("F1") else 700,
                0.78,
                0.88,
                lambda c, g=gap, d=drawn, a=alpha: _power_at(c, d, g, a),
            )


def _power_at(
    chance: random.Random, draw: Callable[[random.Random, float], TestInput], near: float, alpha: float
) -> bool:
    """Draw at the difference that data of that size are said to show (the mean of four prints), and test."""
    printed = [at_levels(measure(draw(chance, near)), alpha, 0.05).detectable or near for _ in range(4)]
    made = measure(draw(chance, math.fsum(printed) / len(printed)))
    found = at_levels(made, alpha, 0.05)._replace(p_adjusted=(made.found.p_value or 0) * 0.05 / alpha)
    return status_and_reason(found, True)[0] == "better"


AT_A_GAP: list[tuple[str, float, Callable[[random.Random, float], TestInput]]] = [
    ("100 clusters of 3, ICC .5", 0.08, lambda c, gap: clustered(c, 100, 3, gap)),
    ("200 clusters of 5, ICC .5", 0.05, lambda c, gap: clustered(c, 200, 5, gap)),
    ("group of 10 subtasks of 30", 0.05, lambda c, gap: group(c, 10, 30, 0.1 + gap / 2, 0.1 - gap / 2)),
    ("two reported shares, n = 400", 0.1, lambda c, gap: scores_alone(c, 400, 0.6, 0.6 + gap)),
    ("F1 of 0 and 1, n = 300", 0.1, lambda c, gap: _labels(c, 300, 0.75, 0.75 + gap * LABELS_PER_F1)),
    ("bits per byte of 60 documents", 0.01, lambda c, gap: documents(c, 60, gap * math.log(2))),
]
"""Designs drawn at a true difference, with one near what they can show."""


def _power_binary(chance: random.Random, n: int, changed: float, alpha: float) -> bool:
    from diptych.stats.power import detectable_share

    gap = detectable_share(changed, n, alpha) or changed
    made = measure(binary(chance, n, (changed + gap) / 2, (changed - gap) / 2))
    return (
        status_and_reason(
            at_levels(made, alpha, 0.05)._replace(p_adjusted=(made.found.p_value or 0) * 0.05 / alpha), True
        )[0]
        == "better"
    )


def _power_graded(chance: random.Random, n: int, alpha: float) -> bool:
    from diptych.stats.power import detectable_t

    gap = detectable_t(0.1 / math.sqrt(n), n - 1, alpha)
    made = measure(graded(chance, n, lambda c: c.gauss(gap, 0.1)))
    return (
        status_and_reason(
            at_levels(made, alpha, 0.05)._replace(p_adjusted=(made.found.p_value or 0) * 0.05 / alpha), True
        )[0]
        == "better"
    )


def dependence() -> Iterator[Cell]:
    """Yield how often shared fields are found to tie items together, and what their tests do then."""

    def found(chance: random.Random, correlation: float) -> bool:
        given = clustered(chance, 100, 5, 0.0, correlation)
        differences = [y - x for x, y in zip(given.a or (), given.b or (), strict=True)]  # type: ignore[operator]
        fields = {"passage": list(given.clusters or ()), "seat": [chance.randrange(100) for _ in differences]}
        tie = tied_by(differences, fields, chance.randrange(1 << 30))
        return tie is not None and (correlation == 0 or tie.field == "passage")

    yield Cell("dependence", "100 clusters x 5, ICC .5", "found and named", 200, 0.95, 1, lambda c: found(c, 0.5))
    yield Cell("dependence", "100 clusters x 5, no dependence", "found", 400, 0, 0.05, lambda c: found(c, 0.0))
    for groups, size in ((12, 10), (100, 5)):
        yield Cell(
            "dependence",
            f"{groups} clusters x {size}, ICC .5, counted as clusters",
            "false alarm",
            1_000,
            0,
            0.06,
            lambda c, g=groups, s=size: (
                status_and_reason(estimate(clustered(c, g, s, 0.0)), True)[0] in ("better", "worse")
            ),
        )


def the_rest() -> Iterator[Cell]:
    """Yield the suite test, steps in a history, and scores without items."""

    def suite(chance: random.Random, lost: float) -> bool:
        columns = [
            [
                float(x < 0.06) - float(x > 1 - (lost if not task else 0.06))
                for x in (chance.random() for _ in range(150))
            ]
            for task in range(20)
        ]
        found = suite_test(columns, chance.randrange(1 << 30), 999)
        return found is not None and found.p < 0.05

    def step(chance: random.Random, size: float) -> bool:
        points = [Point(chance.gauss(0.5 + (size if at >= 5 else 0), 0.01), 0.01) for at in range(10)]
        (found,) = steps_in([points], seed=chance.randrange(1 << 30))
        return found is not None and found.p < 0.05

    def step_held(chance: random.Random) -> Span:
        points = [Point(chance.gauss(0.5 + (0.06 if at >= 5 else 0), 0.01), 0.01) for at in range(10)]
        (found,) = steps_in([points], seed=chance.randrange(1 << 30))
        return (None, None) if found is None else (found.low, found.high)

    yield Cell("suite", "20 tasks, nothing differs", "false alarm", 8_000, 0, 0.05, lambda c: suite(c, 0.06))
    yield Cell("suite", "20 tasks, one falls by 19 pp", "found", 200, 0.8, 1, lambda c: suite(c, 0.25))
    yield Cell("history", "10 points, no step", "false alarm", 300, 0, 0.05, lambda c: step(c, 0.0))
    yield Cell("history", "10 points, a step of 6 standard errors", "found", 150, 0.9, 1, lambda c: step(c, 0.06))
    yield coverage("a step of 6 standard errors, its size", 0.06, 300, step_held)

    def bare(chance: random.Random) -> bool:
        right = [_hits(chance, 10, 0.2), _hits(chance, 10, 0.2)]
        given = TestInput(score_a=right[0] / 10, score_b=right[1] / 10, n_a=10, n_b=10, binary=True)
        found = estimate(given)
        lead = abs(right[0] - right[1])
        return status_and_reason(found, True)[0] in ("better", "worse") and 2.0**-lead >= 0.05

    yield Cell("scores only", "ten items a side", "a word that no pairing could bear", 1_500, 0.0, 0.0, bare)


def gates_wrong() -> Iterator[Cell]:
    """Yield how often `--require non-inferior` passes, or fails, wrongly at a fall of exactly the margin."""

    def result(chance: random.Random, tasks: int) -> str:
        drawn = [binary(chance, 1_500, 0.01, 0.01 + MARGIN)]
        drawn += [binary(chance, 1_500, 0.05, 0.01) for _ in range(tasks - 1)]
        rows = [
            MetricComparison(f"task{place}", "acc", "none", True, 0.5, 0.5, None, "unclear", None, primary=True)
            for place in range(tasks)
        ]
        made = rows_with_words([MeasuredRow(row, measure(each)) for row, each in zip(rows, drawn, strict=True)], {})
        return non_inferior("non-inferior", MARGIN, made).result

    for tasks in (1, 5):
        for outcome in ("pass", "fail"):
            yield Cell(
                "gate",
                f"non-inferior, {tasks} {'task' if tasks == 1 else 'tasks'} x 1500, one falls by the margin",
                f"{outcome}, wrongly",
                1_000,
                0,
                0.06,
                lambda c, t=tasks, o=outcome: result(c, t) == o,
            )


SECTIONS = (ranges, same_wrong, families, reruns, detectable, dependence, the_rest, gates_wrong)


class Row(NamedTuple):
    """A measured cell."""

    cell: Cell
    share: float
    error: float
    counted: int

    @property
    def met(self) -> str:
        """Whether the goal is met, missed, or neither for certain."""
        low, high = self.cell.low, self.cell.high
        if low <= self.share <= high:
            return "met"
        beyond = max(low - self.share, self.share - high)
        return "open" if beyond <= 2 * self.error else "MISSED"


def measured(cell: Cell, scale: float) -> Row:
    """Draw a cell so many times; the seed is its name."""
    chance = random.Random(f"{cell.section}|{cell.design}|{cell.event}")
    drawn = [cell.draw(chance) for _ in range(max(20, round(cell.draws * scale)))]
    known = [each for each in drawn if each is not None]
    share = sum(known) / len(known) if known else 0.0
    # of a share of 0 or 1 the error is that of half an event more
    near = min(max(share, 0.5 / max(1, len(known))), 1 - 0.5 / max(1, len(known)))
    return Row(cell, share, math.sqrt(near * (1 - near) / max(1, len(known))), len(known))


def goal_text(cell: Cell) -> str:
    """Return a goal in words."""
    if cell.high >= 1:
        return f">= {cell.low:.2f}"
    return f"<= {cell.high:.2f}" if cell.low <= 0 else f"{cell.low:.2f} to {cell.high:.2f}"


def line(row: Row) -> str:
    """Return a row of the table."""
    cell = row.cell
    shown = f"{row.share:.3f} | {row.error:.3f} | {row.counted:,} | {goal_text(cell)} | {row.met}"
    return f"| {cell.section} | {cell.design} | {cell.event} | {shown} |"


COMMAND = "python tests/bench/coverage.py"
REASONS = """An open cell lies beyond its goal by less than two Monte-Carlo errors. What is missed, and why:

- Wilson's interval of a single share near 1 holds it less often than 95 % at some sizes (92.5 % at 0.95 and n = 20,
  by the binomial law; 95 % in the mean over shares). The field quotes it for shares, and so do judges' and students'
  shares here. Beside a score of a run it stands at 0 and 1, where it holds, or where no error was reported; no word of
  a comparison rests on it.
- Where one item in fifty falls by all of its score, half of all draws of 34 items hold no such item. No range made of
  the others can know of it but one that allows any law, as wide as 11 points for every metric of 34 items. "The same"
  is never said there: it asks for that range.
"""
HEAD = "| | design | event | share | MC error | replications | goal | |\n|---|---|---|---|---|---|---|---|"


def main() -> int:
    """Print the table; the exit code is 1 where a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--out", default="")
    asked = parser.parse_args()
    print(HEAD)
    rows = []
    for section in SECTIONS:
        for cell in section():
            if asked.only in f"{cell.section} {cell.design}":
                rows.append(measured(cell, asked.scale))
                print(line(rows[-1]), flush=True)
    told = {
        word: [f"{row.cell.section}: {row.cell.design}" for row in rows if row.met == word]
        for word in ("MISSED", "open")
    }
    opening = [f"{word}: {'; '.join(told[key]) or 'none'}." for word, key in (("Missed", "MISSED"), ("Open", "open"))]
    print("\n".join(["", *opening]))
    if asked.out:
        text = f"# Measured coverage, errors and power\n\nPrinted by `{COMMAND} --scale {asked.scale:g}`.\n\n"
        with open(asked.out, "w", encoding="utf-8") as handle:
            handle.write(text + "\n".join([*opening, "", REASONS, HEAD, *map(line, rows)]) + "\n")
    return 1 if told["MISSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
