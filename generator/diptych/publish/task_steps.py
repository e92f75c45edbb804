"""A step in a task's history, tested: a history spans artifacts, so it is tested where they are gathered."""

import math
from collections.abc import Callable, Sequence

from diptych.report.histories import LevelStep, Recent, TaskPage, Tested
from diptych.stats import history
from diptych.stats.distributions import critical, mean_and_variance

Search = Callable[[Sequence[Sequence[history.Point]]], list[history.Step | None]]
"""Finds the likeliest step of each of some series, as `history.steps_in` does."""


def with_steps(task: TaskPage, search: Search = history.steps_in) -> TaskPage:
    """Return a task with what the search for a step found in each metric of each configuration of two runs or more."""
    series = {key: recent for key, recent in task.recent.items() if len(recent.places) > 1}
    repeats: dict[tuple[str, int], list[Sequence[float]]] = {}
    for name, number, scores in task.repeats:
        repeats.setdefault((name, number), []).append(scores)
    found = search([plain_points(recent, repeats.get(key, ())) for key, recent in series.items()])
    searched = sum(step is not None for step in found)
    tested = {
        key: tested_series(task, recent, step, searched)
        for (key, recent), step in zip(series.items(), found, strict=True)
    }
    return task._replace(tested=tested)


def plain_points(recent: Recent, repeats: Sequence[Sequence[float]]) -> list[history.Point]:
    """Return scores with their errors (NaN where a run gave none), oldest first, and the spread of repeats if any."""
    spread, values = pooled_deviation(repeats), recent.values
    fives = zip(values[::5], values[1::5], values[2::5], values[3::5], values[4::5], strict=True)
    return [history.Point(score, score_error(*errors), spread) for score, *errors in fives][::-1]


def pooled_deviation(repeats: Sequence[Sequence[float]]) -> float:
    """Return the standard deviation of repeats, those of several sets pooled; 0 where there are none."""
    parts = [(len(scores) - 1, mean_and_variance(scores)[1]) for scores in repeats if len(scores) > 1]
    freedom = sum(own for own, _ in parts)
    return math.sqrt(sum(own * variance for own, variance in parts) / freedom) if freedom else 0.0


def score_error(given: float, ours: float, low: float, high: float) -> float:
    """Return a score's standard error, NaN where none is known; that of exactly 0 or 1 is read off its range."""
    error = ours if math.isnan(given) else given
    if (math.isnan(error) or not error) and not math.isnan(low + high):
        return (high - low) / (2 * critical(0.95))
    return error or math.nan


def tested_series(task: TaskPage, recent: Recent, step: history.Step | None, searched: int) -> Tested:
    """Return what was found in one series, in the runs' own names."""
    count = len(recent.places)
    if step is None:
        few = count < history.FEWEST
        why = (
            f"too few, a step is looked for from {history.FEWEST} runs on" if few else "a run without a standard error"
        )
        return Tested(count, searched, None, why)
    places = [len(task.runs) - 1 - recent.places[count - 1 - at] for at in (step.at - 1, step.at)]
    before, after = (task.told.who(task.runs[at]) for at in places)
    changed = task.step(places[1])
    level = LevelStep(
        before.folder,
        after.folder,
        step.size,
        step.low,
        step.high,
        step.p,
        step.p_adjusted,
        (before.label, after.label),
        changed and changed.changes,
    )
    return Tested(count, searched, level)
