"""A step in a task's history, tested: a history spans artifacts, so it is tested where they are gathered."""

import math
from collections.abc import Callable, Sequence

from diptych.report.documents.summaries import ScoreRow
from diptych.report.histories import LevelStep, Point, TaskPage, Tested
from diptych.stats import history
from diptych.stats.distributions import critical, mean_and_variance

Search = Callable[[Sequence[Sequence[history.Point]]], list[history.Step | None]]
"""Finds the likeliest step of each of some series, as `history.steps_in` does."""

MOST = 200
"""Runs of a series that are searched, the youngest: an older step is no news, and each place costs as much again."""


def with_steps(task: TaskPage, search: Search = history.steps_in) -> TaskPage:
    """Return a task with what the search for a step found in each metric of each configuration of two runs or more."""
    lines: dict[tuple[str, int], list[Point]] = {}
    folders = [(line.number, frozenset(line.folders)) for line in task.configurations]
    for name, points in task.series:
        for number, within in folders:
            own = [point for point in points if point.folder in within and point.score.value is not None]
            if len(own) > 1:
                lines[name, number] = own[-MOST:]
    repeats: dict[tuple[str, int], list[Sequence[float]]] = {}
    for name, number, scores in task.repeats:
        repeats.setdefault((name, number), []).append(scores)
    found = search([plain_points(points, repeats.get(key, ())) for key, points in lines.items()])
    searched = sum(step is not None for step in found)
    tested = {
        key: tested_series(points, step, searched) for (key, points), step in zip(lines.items(), found, strict=True)
    }
    return task._replace(tested=tested)


def plain_points(points: Sequence[Point], repeats: Sequence[Sequence[float]]) -> list[history.Point]:
    """Return scores with their errors (NaN where a run gave none), and the spread of repeats where there are any."""
    spread = pooled_deviation(repeats)
    return [history.Point(point.score.value or 0.0, score_error(point.score), spread) for point in points]


def pooled_deviation(repeats: Sequence[Sequence[float]]) -> float:
    """Return the standard deviation of repeats, those of several sets pooled; 0 where there are none."""
    parts = [(len(scores) - 1, mean_and_variance(scores)[1]) for scores in repeats if len(scores) > 1]
    freedom = sum(own for own, _ in parts)
    return math.sqrt(sum(own * variance for own, variance in parts) / freedom) if freedom else 0.0


def score_error(score: ScoreRow) -> float:
    """Return a score's standard error; that of a score of exactly 0 or 1 is read off its range."""
    error = score.stderr if score.stderr is not None else score.ours
    if not error and score.low is not None and score.high is not None:
        return (score.high - score.low) / (2 * critical(0.95))
    return error or math.nan


def tested_series(points: Sequence[Point], step: history.Step | None, searched: int) -> Tested:
    """Return what was found in one series, in the runs' own names."""
    if step is None:
        few = len(points) < history.FEWEST
        why = (
            f"too few, a step is looked for from {history.FEWEST} runs on" if few else "a run without a standard error"
        )
        return Tested(len(points), searched, None, why)
    before, after = points[step.at - 1].folder, points[step.at].folder
    return Tested(
        len(points), searched, LevelStep(before, after, step.size, step.low, step.high, step.p, step.p_adjusted)
    )
