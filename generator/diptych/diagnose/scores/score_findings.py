"""What is to be said of the scores themselves: their errors, their number, their groups' weighting."""

from collections.abc import Mapping, Sequence, Set

from diptych.closed_names import FindingKind, Severity
from diptych.comparison import Finding
from diptych.diagnose.scores.groups import group_error, group_score, is_wrong
from diptych.diagnose.scores.reported_scales import Sides, unlike_scales
from diptych.estimates import ALPHA, MetricComparison, best_estimate
from diptych.metric_key import MetricKey
from diptych.numbers import counted, listed
from diptych.run import Run, Score
from diptych.sides import SIDES, Side, each_side
from diptych.stats.multiple import expected_false_alarms

MANY = 10
IMPOSSIBLE = ("impossible", "0.0 at", "negative")
"""How a reader begins the reason for a standard error that cannot be one."""

RECOMPUTED = 0.001
"""Releases of a metric's own library differ by less than this share."""

NOTABLE = 0.005
"""Half a point: two weightings that are nearer say the same."""


def score_findings(
    rows: Sequence[MetricComparison], sides: Mapping[MetricKey, Sides], a: Run, b: Run
) -> tuple[Finding, ...]:
    """Return findings about standard errors, the number of tests, group weightings and directions."""
    found: list[Finding] = []
    for side, run in each_side(a, b):
        scores = [score for pair in sides.values() if (score := pair.of(side)) is not None]
        found += error_findings(side, scores, rows)
        found += weighting_findings(side, run, scores)
        found += group_errors(side, run, scores)
    found += task_findings(sides)
    found += scale_findings(sides, {row.key for row in rows if row.estimate})
    found += other_weighting(sides, a, b)
    found += test_findings(rows)
    found += tied_findings(rows)
    found += direction_findings(rows)
    found += recomputed_findings(rows)
    return tuple(found)


def scale_findings(sides: Mapping[MetricKey, Sides], estimated: Set[MetricKey]) -> list[Finding]:
    """Return one warning for metrics that the two runs count on different scales, and whose items do not tell which."""
    mixed = {key: why for key, pair in sides.items() if key not in estimated and (why := unlike_scales(pair))}
    if not mixed:
        return []
    (task, metric, filter_name), why = next(iter(mixed.items()))
    text = f"{task} {metric},{filter_name}: {why}, so a difference of the two numbers means nothing."
    return [Finding("scale_mixed", "warning", text, None, task, len(mixed), len(sides))]


def error_findings(side: Side, scores: Sequence[Score], rows: Sequence[MetricComparison]) -> list[Finding]:
    """Return one finding each for errors that are missing and errors that cannot be."""
    with_value = [score for score in scores if score.value is not None]
    without = [score for score in with_value if score.stderr is None]
    impossible = [score for score in without if (score.stderr_reason or "").startswith(IMPOSSIBLE)]
    missing = [score for score in without if score not in impossible]
    ours = {row.key for row in rows if row.sides.of(side).recomputed_stderr is not None}
    kinds: tuple[tuple[FindingKind, Severity, list[Score], str], ...] = (
        ("stderr_missing", "note", missing, "carry no standard error"),
        ("stderr_impossible", "warning", impossible, "carry an impossible standard error"),
    )
    found = []
    for kind, severity, group, what in kinds:
        if not group:
            continue
        again = sum(score.key in ours for score in group)
        tail = f"; {again} recomputed by us" if again else ""
        text = f"{side.upper()}: {len(group)} of {len(with_value)} scores {what}{tail}."
        evidence = tuple(f"{score.task} {score.metric},{score.filter}" for score in group[:3])
        found.append(Finding(kind, severity, text, side, None, len(group), len(with_value), evidence))
    return found


def weighting_findings(side: Side, run: Run, scores: Sequence[Score]) -> list[Finding]:
    """Return a note for each group whose two weightings differ: which one is reported, and the other's value."""
    found = []
    for score in scores:
        made = group_score(run, score) if score.group and score.value is not None else None
        if made is None or abs(made.by_items - made.plain_mean) < NOTABLE:
            continue
        way = {"items": "weighted by items", "equal": "the plain mean of its subtasks"}.get(
            made.weighting or "", "neither of the two weightings"
        )
        text = (
            f"{side.upper()}: group {score.task} reports {score.metric} {score.value:.4f}, {way}; by items it is "
            f"{made.by_items:.4f}, as the plain mean of subtasks {made.plain_mean:.4f} (both ours)."
        )
        severity: Severity = "note" if made.weighting else "warning"
        found.append(Finding("group_weighting", severity, text, side, score.task))
    return found


def other_weighting(sides: Mapping[MetricKey, Sides], a: Run, b: Run) -> list[Finding]:
    """Return a warning for each group that one side weighs by items and the other by subtasks."""
    found = []
    for (group, metric, _), pair in sides.items():
        if pair.a is None or pair.b is None or not pair.a.group:
            continue
        ways = [
            made.weighting if (made := group_score(run, score)) else None for run, score in ((a, pair.a), (b, pair.b))
        ]
        if None not in ways and ways[0] != ways[1]:
            words = [{"items": "by items", "equal": "each subtask alike"}[str(way)] for way in ways]
            text = (
                f"Group {group} weighs its subtasks {words[0]} in A and {words[1]} in B ({metric}): the two reported "
                "scores are not one measure; the estimate here takes the items of both."
            )
            found.append(Finding("group_weighting", "warning", text, "both", group))
    return found


def group_errors(side: Side, run: Run, scores: Sequence[Score]) -> list[Finding]:
    """Return a warning for each group whose reported error cannot come of its subtasks' errors."""
    found = []
    for score in scores:
        ours = group_error(run, score) if score.group and score.stderr else None
        if is_wrong(score.stderr, ours):
            text = (
                f"{side.upper()}: group {score.task} reports {score.metric} ± {score.stderr:.4f}, but its subtasks "
                f"give ± {ours:.4f} (ours). Older harness versions are known to state a group's error wrongly: do not "
                "compare it with the other side's."
            )
            found.append(Finding("stderr_impossible", "warning", text, side, score.task, 1, 1))
    return found


def tied_findings(rows: Sequence[MetricComparison]) -> list[Finding]:
    """Return a note for each task whose items were found to go together, by which field, and that it is counted."""
    found: dict[str, Finding] = {}
    for row in rows:
        notes = row.estimate.parameters if row.estimate else {}
        field, share = notes.get("cluster_field"), notes.get("cluster_correlation")
        if field is None or share is None or row.estimate is None:
            continue
        units, pairs = row.estimate.clusters, row.estimate.pairs
        text = (
            f"{row.task}: items of equal {field} rise and fall together (intraclass correlation {share:.2f}): the "
            f"{pairs} items are counted as {units} clusters. --cluster {row.task}=none takes them for independent."
        )
        found.setdefault(row.task, Finding("items_depend", "note", text, "both", row.task, units, pairs))
    return list(found.values())


def test_findings(rows: Sequence[MetricComparison]) -> list[Finding]:
    """Return how many false alarms chance alone would give, where many metrics are tested at once."""
    tested = [found.p_value for row in rows if (found := best_estimate(row)) and found.p_value is not None]
    if len(tested) < MANY:
        return []
    below = sum(p < ALPHA for p in tested)
    alarms = expected_false_alarms(tested, ALPHA)
    text = (
        f"{len(tested)} metrics are tested at once: at p < {ALPHA} chance alone would make about {alarms:.3g} of them "
        f"look different ({below} do). Every word here rests on p-values adjusted for that (Holm)."
    )
    return [Finding("many_tests", "note", text, None, None, len(tested), len(rows))]


def task_findings(sides: Mapping[MetricKey, Sides]) -> list[Finding]:
    """Return one warning for tasks that one run alone measured, where the runs share others."""
    tasks_a, tasks_b = ({key.task for key, pair in sides.items() if pair.of(side)} for side in SIDES)
    alone = sorted(tasks_a - tasks_b), sorted(tasks_b - tasks_a)
    if not tasks_a & tasks_b or not any(alone):
        return []
    parts = [
        f"{counted(len(names), 'task')} only in {side} ({listed(names)})"
        for side, names in zip("AB", alone, strict=True)
        if names
    ]
    text = f"The runs did not measure the same tasks: {' and '.join(parts)}. Only what both measured is compared."
    count = len(alone[0]) + len(alone[1])
    return [Finding("tasks_differ", "warning", text, None, None, count, len(tasks_a | tasks_b))]


def direction_findings(rows: Sequence[MetricComparison]) -> list[Finding]:
    """Return a note for metrics of which the files do not say whether higher is better."""
    unknown = [row for row in rows if row.higher_is_better is None and row.difference]
    if not unknown:
        return []
    names = tuple(f"{row.task} {row.metric},{row.filter}" for row in unknown[:3])
    counts = f"{len(unknown)} of {len(rows)} metrics"
    text = f"For {counts} the files do not say, or not alike, whether higher is better: no word is given."
    return [Finding("direction_unknown", "note", text, None, None, len(unknown), len(rows), names)]


def recomputed_findings(rows: Sequence[MetricComparison]) -> list[Finding]:
    """Return the metrics of a whole set whose reported score is not what all its items give by the definition."""
    found = []
    for row in rows:
        given = row.estimate.parameters if row.estimate else {}
        for side, (value, items) in each_side((row.a, row.a_items), (row.b, row.b_items)):
            ours = given.get(f"score_{side}")
            whole = row.estimate is not None and items == row.estimate.pairs
            if (
                row.group
                or ours is None
                or value is None
                or not whole
                or abs(ours - value) <= RECOMPUTED * max(1.0, abs(value))
            ):
                continue
            text = (
                f"{side.upper()} reports {row.metric} {value:.4f} in {row.task} over {items} items, but by the "
                f"metric's definition its samples give {ours:.4f}: the reported score and the log do not agree."
            )
            found.append(Finding("reported_disagrees", "warning", text, side, row.task, items, items))
    return found
