"""On which scale each side reports a score: shares from 0 to 1, from 0 to 100, or counted from chance."""

from collections.abc import Mapping, Sequence

from diptych.catalogue.metrics import metric_of
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.rescaled_scores import is_explained
from diptych.metric_key import MetricKey
from diptych.run import Score
from diptych.sides import Sided
from diptych.stats.test_input import least_and_largest

Sides = Sided[Score | None]
"""The two scores of one metric; None where a side does not have it."""

Columns = tuple[Sequence[float] | None, Sequence[float] | None]
"""The item scores of both sides, None where none are logged."""


def item_scores(paired: Mapping[str, PairedScores], key: MetricKey) -> Columns:
    """Return the item scores of both sides of a metric."""
    scores, column = paired.get(key.task), (key.filter, key.metric)
    return (scores.all_a.get(column), scores.all_b.get(column)) if scores else (None, None)


def unlike_scales(sides: Sides) -> str | None:
    """Return that one side counts a share from 0 to 1 and the other from 0 to 100, or None."""
    values = [score.value for score in sides if score is not None and score.value is not None]
    if len(values) < 2 or sides.a is None or metric_of(sides.a.metric).unit != "fraction":
        return None
    low, high = min(values), max(values)
    if not (0 < low <= 1 < high <= 100) or high < low * 10:
        return None
    first = sides.a.value is not None and sides.a.value <= 1
    return f"{'A' if first else 'B'} is on a scale of 0 to 1, {'B' if first else 'A'} on one of 0 to 100"


def unknown_scales(sides: Sides, items: Columns) -> str | None:
    """Return that the two sides are on different scales, or None where they are not, or where their items tell which.

    Items tell where they are shares on both sides and each reported score is their mean, plainly or by a formula.
    """
    apart = unlike_scales(sides)
    return None if apart and all(map(is_explained, sides, items)) else apart


def formulas(sides: Sides) -> str | None:
    """Return that a formula put one side's share of right answers on a scale that the other is not on, or None."""
    if sides.a is None or sides.b is None or sides.a.scale == sides.b.scale:
        return None
    metric = sides.a.metric
    return f"A reports {sides.a.scale or metric}, B {sides.b.scale or metric}"


def values_of_a_unit(sides: Sides, items: Columns) -> tuple[float | None, ...]:
    """Return the numbers that tell a metric's unit: the reported scores, but where only the items are of one scale."""
    settled = unlike_scales(sides) and not unknown_scales(sides, items)
    reported = () if settled else (score.value if score else None for score in sides)
    return (*reported, *(end for column in items if column for end in least_and_largest(column)))
