"""Reported scores that are their items' mean put on another scale: named with the formula that fits, never guessed."""

from collections.abc import Sequence

from diptych.catalogue.scales import ROUNDING, Scale, scales
from diptych.comparison import Finding
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.task_walk import Walk
from diptych.run import Run, Score
from diptych.sides import Side, each_side

FEWEST = 10
"""Over fewer items some formula fits by chance."""


def fitting_scale(score: Score, values: Sequence[float], chance: float | None) -> Scale | None:
    """Return the scale on which a reported score is its items' mean; None where it is that mean, or no scale fits."""
    if score.value is None or len(values) < FEWEST or not all(0 <= value <= 1 for value in values):
        return None
    mean = sum(values) / len(values)
    if abs(score.value - mean) <= ROUNDING or mean in (0.0, 1.0):
        return None
    for scale in scales(chance):
        made = scale.of(mean)
        if abs(score.value - made) <= ROUNDING * scale.factor or (made < 0 and score.value == 0 and scale.choices):
            return scale
    return None


def is_explained(score: Score | None, values: Sequence[float] | None) -> bool:
    """Say whether a reported score is the mean of its items, which are shares, plainly or by the formula of a scale."""
    if score is None or score.value is None or not values or not all(0 <= value <= 1 for value in values):
        return False
    mean = sum(values) / len(values)
    return (
        abs(score.value - mean) <= ROUNDING
        or (mean in (0.0, 1.0) and score.value == 100 * mean)
        or fitting_scale(score, values, None) is not None
    )


def rescaled(a: Run, b: Run, walk: Walk, paired: PairedScores) -> list[Finding]:
    """Return the metrics whose reported score is on another scale than its items, with the formula, once a metric."""
    compared = walk.compared["responses"]
    chance = walk.numbers.chance / compared if walk.kind == "choices" and compared and walk.numbers.chance else None
    found: dict[tuple[str, str], dict[Side, Scale]] = {}
    for side, (run, columns) in each_side((a, paired.all_a), (b, paired.all_b)):
        for score in run.scores:
            column = (score.filter, score.metric)
            own = score.task == walk.a.task and not score.group
            if own and (scale := fitting_scale(score, columns.get(column, ()), chance)):
                found.setdefault(column, {})[side] = scale
    return [finding(walk.a.task, metric, sides) for (_, metric), sides in found.items()]


def finding(task: str, metric: str, sides: dict[Side, Scale]) -> Finding:
    """Return what is to be said of one metric: the formula, and whether the two reported numbers share a scale."""
    named = [f"{side.upper()} reports {scale.formula(metric)}" for side, scale in sides.items()]
    same = len(sides) == 2 and len(set(sides.values())) == 1
    text = (
        f"{task} {metric} is on another scale than its items: {' and '.join(named)}. "
        + ("Both sides use it." if same else "The two reported numbers are not of one scale.")
        + " Differences are taken over the items, not over the reported numbers."
    )
    side = None if len(sides) == 2 else next(iter(sides))
    return Finding("scale_rescaled", "note" if same else "warning", text, side, task, len(sides), 2)
