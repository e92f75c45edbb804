"""The search for a step: its p-value is that of the same draws for every length, whatever was searched before."""

import numpy
import pytest

from diptych.stats.history import DRAWS, ENOUGH, FEWEST_EACH_SIDE, Point, steps_in

BLOCK = 250


def history(n: int, step: float, seed: int = 3) -> list[Point]:
    """Return n scores with errors of their own, higher by `step` from the middle on."""
    chance = numpy.random.RandomState(seed)
    return [
        Point(0.5 + step * (place >= n // 2) + 0.02 * chance.standard_normal(), error)
        for place, error in enumerate(chance.uniform(0.01, 0.03, n).tolist())
    ]


def plain_chance(points: list[Point], statistic: float) -> float:
    """Return the p-value as the method is told: means before and after each split of series drawn one by one."""
    source, n = numpy.random.RandomState(1), len(points)
    errors = numpy.array([point.error for point in points])
    hits = draws = 0
    while hits < ENOUGH and draws < DRAWS:
        for scores in source.standard_normal((min(BLOCK, DRAWS - draws), n)) * errors:
            draws += 1
            hits += largest(scores, errors) >= statistic - 1e-12
    return (1 + hits) / (1 + draws)


def largest(scores: "numpy.ndarray", errors: "numpy.ndarray") -> float:
    """Return the largest statistic of all splits."""
    found = []
    for at in range(FEWEST_EACH_SIDE, len(scores) - FEWEST_EACH_SIDE + 1):
        before, after = errors[:at] ** 2, errors[at:] ** 2
        variance = before.sum() / at**2 + after.sum() / len(after) ** 2
        found.append((scores[at:].mean() - scores[:at].mean()) ** 2 / variance)
    return max(found)


@pytest.mark.parametrize(("n", "step"), [(5, 0.0), (6, 0.05), (23, 0.0), (23, 0.015), (60, 0.01)])
def test_the_p_value_is_the_share_of_drawn_series_with_a_larger_step(n: int, step: float) -> None:
    points = history(n, step)
    (found,) = steps_in([points])
    assert found is not None
    scores, errors = numpy.array([point[:2] for point in points]).T
    assert found.p == plain_chance(points, largest(scores, errors))


def test_what_is_searched_before_moves_nothing() -> None:
    series = [history(n, step) for n, step in ((40, 0.01), (7, 0.0), (90, 0.02), (40, 0.0))]
    alone = [steps_in([points])[0] for points in series]
    together = [steps_in(series), steps_in(series[::-1])[::-1]]
    for found in together:
        assert [step and step.p for step in found] == [step and step.p for step in alone]
