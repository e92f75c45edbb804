"""Every score of two runs, side by side: its difference, its estimate, and one word for what that says."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

from diptych.catalogue.metrics import agreed_direction, is_binary_metric, unit_of
from diptych.catalogue.row_words import tested_first
from diptych.comparison import Finding
from diptych.diagnose.options import Options
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.invalid_tasks import missing_reason, reasons
from diptych.diagnose.scores.families import MeasuredRow, rows_with_words
from diptych.diagnose.scores.groups import group_error, group_input, is_wrong
from diptych.diagnose.scores.primary import with_primary
from diptych.diagnose.scores.reported_scales import (
    Columns,
    Sides,
    formulas,
    item_scores,
    unknown_scales,
    values_of_a_unit,
)
from diptych.diagnose.scores.score_findings import score_findings
from diptych.diagnose.scores.sentences import metric_sentence
from diptych.diagnose.scores.test_inputs import scores_side_by_side, test_input_of
from diptych.diagnose.scores.token_units import other_units
from diptych.diagnose.settings.no_effect_rules import draws
from diptych.estimates import Interval, MetricComparison, noun_of
from diptych.metric_key import MetricKey
from diptych.numbers import listed
from diptych.run import Run, Score
from diptych.stats.paired import binary_error, wilson
from diptych.stats.select import measure
from diptych.stats.test_input import TestInput


def metric_comparisons(
    a: Run, b: Run, evidence: Evidence, options: Options
) -> tuple[tuple[MetricComparison, ...], tuple[Finding, ...]]:
    """Return every metric of both runs side by side, and what is to be said of the scores themselves."""
    sides = scores_side_by_side(a, b)
    invalid = reasons(evidence.invalid_tasks)
    made = [measured_row(key, pair, a, b, evidence, options, invalid) for key, pair in sides.items()]
    groups = {**b.groups, **a.groups}
    rows = without_unfounded_words(rows_with_words(with_primary(made, options, evidence, groups), groups), evidence)
    drawn = {task for run in (a, b) for task in run.task_settings if draws(run, task)}
    drawn -= {facts.task for facts in evidence.tasks if facts.kind != "generation"}
    first = tested_first(rows) if noun_of(rows) != "task" else ()
    rows = [
        row._replace(sentence=metric_sentence(row, sampled=bool(drawn & {row.task, *row.subtasks}), first=first))
        for row in rows
    ]
    return tuple(rows), score_findings(rows, sides, a, b)


def measured_row(
    key: MetricKey,
    sides: Sides,
    a: Run,
    b: Run,
    evidence: Evidence,
    options: Options,
    invalid: Mapping[str | None, str],
) -> MeasuredRow:
    """Return one metric side by side, measured, but without its level and its word."""
    row = bare_row(key, sides, a, b, evidence)
    if row.group:
        row = row._replace(subtasks=tuple(a.groups.get(key.task) or b.groups.get(key.task) or ()))
    reason = (
        row.reason
        or other_subtasks(row, a, b)
        or invalid.get(key.task)
        or invalid.get(None)
        or invalid_inside(row.subtasks, invalid)
    )
    if reason or row.a is None or row.b is None:
        return MeasuredRow(row._replace(reason=reason or "a score is not available"), None)
    if row.group:
        given = group_input(key, sides, a, b, evidence.paired, options)
    else:
        given = test_input_of(key, sides, a, b, evidence.paired, options)
    row = row._replace(noise_floor=options.noise.get(key))
    made = measure(given)
    return MeasuredRow(with_paired_means(row, made.found.parameters, given) if made.found.pairs else row, made)


def other_subtasks(row: MetricComparison, a: Run, b: Run) -> str | None:
    """Return why a group's scores are not compared, where it is made of other tasks on the two sides."""
    ours, theirs = (set(run.groups.get(row.task, ())) for run in (a, b))
    odd = sorted(ours ^ theirs) if row.group and ours and theirs else []
    return f"made of other tasks: {', '.join(odd[:3])} on one side only" if odd else None


def invalid_inside(subtasks: Iterable[str], invalid: Mapping[str | None, str]) -> str | None:
    """Return why a group's scores are not compared, where one of its subtasks measures nothing."""
    return next((f"of {task}, {invalid[task]}" for task in subtasks if task in invalid), None)


def bare_row(key: MetricKey, sides: Sides, a: Run, b: Run, evidence: Evidence) -> MetricComparison:
    """Return the scores of one metric as reported, with recomputed errors; `reason` says why there is no difference."""
    task, metric, filter_name = key
    left, right = sides
    either = left or right
    assert either is not None
    value_a, value_b = (score.value if score else None for score in sides)
    own_a, own_b = item_scores(evidence.paired, key)
    reason = why_no_difference(key, sides, (own_a, own_b), a, b)
    return MetricComparison(
        task=task,
        metric=metric,
        filter=filter_name,
        higher_is_better=agreed_direction(metric, (score.higher_is_better for score in sides if score)),
        a=value_a,
        b=value_b,
        difference=None if value_a is None or value_b is None or reason else value_b - value_a,
        status="not_available",
        reason=reason,
        a_stderr=left.stderr if left else None,
        b_stderr=right.stderr if right else None,
        a_recomputed_stderr=recomputed(a, left, own_a, a.items_of(left) if left else None),
        b_recomputed_stderr=recomputed(b, right, own_b, b.items_of(right) if right else None),
        a_interval=wilson_of_score(left, a.items_of(left) if left else None),
        b_interval=wilson_of_score(right, b.items_of(right) if right else None),
        a_items=a.items_of(left) if left else None,
        b_items=b.items_of(right) if right else None,
        a_present=left is not None,
        b_present=right is not None,
        group=either.group,
        unit=unit_of(metric, values_of_a_unit(sides, (own_a, own_b))),
    )


def why_no_difference(key: MetricKey, sides: Sides, items: Columns, a: Run, b: Run) -> str | None:
    """Return why two scores have no difference, or None where they have one."""
    if sides.a is None:
        return "only in B"
    if sides.b is None:
        return "only in A"
    reasons = [
        f"{name}: {score.reason or 'not available'}"
        for name, score in (("A", sides.a), ("B", sides.b))
        if score.value is None
    ]
    return (
        "; ".join(reasons)
        or unknown_scales(sides, items)
        or other_units(key, a, b)
        or (None if all(items) else formulas(sides))
    )


def recomputed(run: Run, score: Score | None, own: Sequence[float] | None, items: int | None) -> float | None:
    """Return our own standard error where the file gives none or an impossible one; None where it stands as reported.

    A group's comes of its subtasks; older harness versions state it wrongly. Another's comes of the items' own values
    where they are logged, else of the share and n of a 0/1 score.
    """
    if score is None or score.value is None or (score.stderr is not None and not score.group):
        return None
    if score.group:
        ours = group_error(run, score)
        return ours if score.stderr is None or is_wrong(score.stderr, ours) else None
    if own and len(own) > 1:
        mean = sum(own) / len(own)
        return float((sum((value - mean) ** 2 for value in own) / (len(own) - 1) / len(own)) ** 0.5)
    if items and is_share_of_right(score, items):
        return binary_error(score.value, items)
    return None


def is_share_of_right(score: Score, items: int) -> bool:
    """Say whether a score is a share of right items: a 0/1 metric by name, and a whole number of right ones."""
    if score.value is None or not is_binary_metric(score.metric) or not 0 <= score.value <= 1:
        return False
    return abs(score.value * items - round(score.value * items)) < 1e-6 * max(1, items)


def wilson_of_score(score: Score | None, items: int | None) -> Interval | None:
    """Return the Wilson interval of a share whose "± 0.0" or missing error would pass for certainty."""
    if score is None or score.value is None or not items or score.group or not is_share_of_right(score, items):
        return None
    if score.stderr is not None and 0 < score.value < 1:
        return None
    low, high = wilson(round(score.value * items), items, 0.95)
    return Interval(low, high, "wilson")


def with_paired_means(row: MetricComparison, notes: Mapping[str, object], given: TestInput) -> MetricComparison:
    """Return a row with both sides' scores over the shared items: those that its difference is of."""
    score_a, score_b = notes.get("score_a"), notes.get("score_b")
    if isinstance(score_a, float) and isinstance(score_b, float):
        return row._replace(a_paired=score_a, b_paired=score_b)
    if given.a is None or given.b is None:
        return row
    both = bytes(x is not None and y is not None for x, y in zip(given.a, given.b, strict=True))
    count = sum(both)
    mean_a, mean_b = (math.fsum(x or 0.0 for x in compress(side, both)) / count for side in (given.a, given.b))
    if row.unit == "perplexity":  # its items are log-likelihoods
        mean_a, mean_b = math.exp(-mean_a), math.exp(-mean_b)
    return row._replace(a_paired=mean_a, b_paired=mean_b)


def without_unfounded_words(rows: list[MetricComparison], evidence: Evidence) -> list[MetricComparison]:
    """Return the rows without a word where it would not be of the same items: an incomplete log, or unpaired ones."""
    uneven = {row.task for row in rows if unpaired_of_other_items(row)}
    apart = {task.task for task in evidence.tasks if not task.pairs and (task.only_a or task.only_b)}
    held = []
    for row in rows:
        incomplete = evidence.incomplete_tasks.get(row.task) if row.estimate else None
        reason = missing_reason(incomplete) if incomplete else ""
        if not row.estimate and uneven & {row.task, *row.subtasks}:
            reason = "other items were scored on the two sides, and no samples pair the shared ones"
        if apart & {row.task, *row.subtasks}:
            bare = [name for name in row.subtasks if name in apart]
            reason = "the two sides share no item" + (f" of {listed(bare)}" if bare else "")
        if reason and row.status in ("better", "worse", "same"):
            row = row._replace(status="unclear", reason=reason)
        held.append(row)
    return held


def unpaired_of_other_items(row: MetricComparison) -> bool:
    """Say whether the two scores of a row are over unlike numbers of items and no pair is known."""
    known = row.a_items is not None and row.b_items is not None
    return not row.group and row.estimate is None and known and row.a_items != row.b_items
