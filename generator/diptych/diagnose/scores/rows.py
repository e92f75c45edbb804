"""Every score of two runs, side by side: its difference, its estimate, and one word for what that says.

A row's word rests on p-values adjusted over its family: the primary metrics of all tasks are one family, the other
metrics another, group rows a third (they are the same items again, never further evidence).
"""

from collections.abc import Iterable, Mapping

from diptych.comparison import Estimate, Finding, Interval, MetricComparison, best_estimate
from diptych.diagnose.options import Options
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.invalid_tasks import missing_reason, reasons, spoilt_in
from diptych.diagnose.scores.groups import group_error, group_input, is_wrong
from diptych.diagnose.scores.score_findings import scales, score_findings
from diptych.diagnose.scores.sentences import metric_sentence
from diptych.diagnose.scores.test_inputs import Sides, items_of, sides_of, test_input_of
from diptych.diagnose.scores.token_units import other_units
from diptych.keys import MetricKey
from diptych.run import Run, Score
from diptych.stats.paired import wilson
from diptych.stats.select import estimate, holm, word_of
from diptych.stats.unpaired import binary_error

PREFERRED = ("acc_norm", "acc", "exact_match", "pass@1", "f1", "rouge1", "bleu", "word_perplexity", "perplexity")
"""A task's primary metric where nobody named one: the first of these that it has, else its first."""

BINARY_METRICS = {"acc", "acc_norm", "exact_match", "em", "pass@1", "acc_mutual_info", "acc_all"}


def metric_comparisons(
    a: Run, b: Run, evidence: Evidence, options: Options
) -> tuple[tuple[MetricComparison, ...], tuple[Finding, ...]]:
    """Return every metric of both runs side by side, and what is to be said of the scores themselves."""
    sides = sides_of(a, b)
    spoilt = reasons(spoilt_in(evidence))
    rows = [row_of(key, pair, a, b, evidence, options, spoilt) for key, pair in sides.items()]
    rows = withheld(adjusted(with_primary(rows, options)), evidence)
    rows = [row._replace(sentence=metric_sentence(row)) for row in rows]
    return tuple(rows), score_findings(rows, sides, a, b)


def row_of(
    key: MetricKey,
    sides: Sides,
    a: Run,
    b: Run,
    evidence: Evidence,
    options: Options,
    spoilt: Mapping[str | None, str],
) -> MetricComparison:
    """Return one metric side by side, with its estimate but without its word."""
    row = bare_row(key, sides, a, b, evidence)
    subtasks = tuple(a.groups.get(key.task) or b.groups.get(key.task) or ()) if row.group else ()
    reason = row.reason or spoilt.get(key.task) or spoilt.get(None) or spoilt_inside(subtasks, spoilt)
    if reason or row.a is None or row.b is None:
        return row._replace(reason=reason or "a score is not available")
    if row.group:
        found = estimate(group_input(key, sides, a, b, evidence, options))
        row = row._replace(subtasks=subtasks)
    else:
        found = estimate(test_input_of(key, sides, a, b, evidence, options))
    floor = options.noise.get(key)
    paired = found.pairs is not None
    row = row._replace(estimate=found if paired else None, unpaired=None if paired else found, noise_floor=floor)
    return with_paired_means(row, evidence)


def spoilt_inside(subtasks: Iterable[str], spoilt: Mapping[str | None, str]) -> str | None:
    """Return why a group's scores are not compared, where one of its subtasks measures nothing."""
    return next((f"of {task}, {spoilt[task]}" for task in subtasks if task in spoilt), None)


def bare_row(key: MetricKey, sides: Sides, a: Run, b: Run, evidence: Evidence) -> MetricComparison:
    """Return the scores of one metric as reported, with recomputed errors; `reason` says why there is no difference."""
    task, metric, filter_name = key
    left, right = sides
    either = left or right
    assert either is not None
    value_a, value_b = (score.value if score else None for score in sides)
    columns = evidence.paired.get(task)
    own_a, own_b = (
        (columns.all_a.get((filter_name, metric)), columns.all_b.get((filter_name, metric)))
        if columns
        else (None, None)
    )
    reason = why_no_difference(sides) or other_units(metric, a, b)
    directions = [score.higher_is_better for score in sides if score and score.higher_is_better is not None]
    return MetricComparison(
        task=task,
        metric=metric,
        filter=filter_name,
        higher_is_better=directions[0] if len(set(directions)) == 1 else None,
        a=value_a,
        b=value_b,
        difference=None if value_a is None or value_b is None or reason else value_b - value_a,
        status="not_available",
        reason=reason,
        a_stderr=left.stderr if left else None,
        b_stderr=right.stderr if right else None,
        a_recomputed_stderr=recomputed(a, left, own_a, items_of(a, left) if left else None),
        b_recomputed_stderr=recomputed(b, right, own_b, items_of(b, right) if right else None),
        a_interval=interval(left, items_of(a, left) if left else None),
        b_interval=interval(right, items_of(b, right) if right else None),
        a_items=items_of(a, left) if left else None,
        b_items=items_of(b, right) if right else None,
        a_present=left is not None,
        b_present=right is not None,
        group=either.group,
    )


def why_no_difference(sides: Sides) -> str | None:
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
    return "; ".join(reasons) or scales(sides)


def recomputed(run: Run, score: Score | None, own: tuple[float, ...] | None, items: int | None) -> float | None:
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
    if items and is_share(score, items):
        return binary_error(score.value, items)
    return None


def is_share(score: Score, items: int) -> bool:
    """Say whether a score is a share of right items: a 0/1 metric by name, and a whole number of right ones."""
    if score.value is None or score.metric not in BINARY_METRICS or not 0 <= score.value <= 1:
        return False
    return abs(score.value * items - round(score.value * items)) < 1e-6 * max(1, items)


def interval(score: Score | None, items: int | None) -> Interval | None:
    """Return the Wilson interval of a share whose "± 0.0" or missing error would pass for certainty."""
    if score is None or score.value is None or not items or score.group or not is_share(score, items):
        return None
    if score.stderr is not None and 0 < score.value < 1:
        return None
    low, high = wilson(round(score.value * items), items, 0.95)
    return Interval(low, high, "wilson")


def with_paired_means(row: MetricComparison, evidence: Evidence) -> MetricComparison:
    """Return a row with the means over the shared items, where those are not the reported scores."""
    columns = evidence.paired.get(row.task)
    values = columns.values.get((row.filter, row.metric)) if columns else None
    if row.estimate is None:
        return row
    if "score_a" in row.estimate.parameters:
        means = [row.estimate.parameters["score_a"], row.estimate.parameters["score_b"]]
    elif values and values[0]:
        means = [sum(column) / len(column) for column in values]
    else:
        return row
    apart = any(
        reported is not None and abs(mean - reported) > 1e-6
        for mean, reported in zip(means, (row.a, row.b), strict=True)
    )
    return row._replace(a_paired=means[0], b_paired=means[1]) if apart else row


def with_primary(rows: list[MetricComparison], options: Options) -> list[MetricComparison]:
    """Mark the one metric of each task that its verdict rests on."""
    chosen = {}
    for task in dict.fromkeys(row.task for row in rows):
        chosen[task] = primary_of([row for row in rows if row.task == task], options.primary.get(task))
    return [row._replace(primary=(row.metric, row.filter) == chosen[row.task] and not row.group) for row in rows]


def primary_of(rows: list[MetricComparison], wanted: str | None) -> tuple[str, str]:
    """Return (metric, filter) of a task's primary metric: the named one, else the first preferred, else the first."""
    if wanted:
        metric, _, filter_name = wanted.partition(",")
        for row in rows:
            if row.metric == metric and filter_name in ("", row.filter):
                return row.metric, row.filter
    measured = [row for row in rows if best_estimate(row) is not None] or rows
    for name in PREFERRED:
        for row in measured:
            if row.metric == name:
                return row.metric, row.filter
    return measured[0].metric, measured[0].filter


def family_of(row: MetricComparison) -> str:
    """Return the family over which a row's p-value is adjusted."""
    return "group" if row.group else "primary" if row.primary else "other"


def adjusted(rows: list[MetricComparison]) -> list[MetricComparison]:
    """Return the rows with Holm's p-values over their family, and the word that these give."""
    adjusted_p: dict[int, tuple[float | None, float | None]] = {}
    for family in ("primary", "other", "group"):
        places = [place for place, row in enumerate(rows) if family_of(row) == family and best_estimate(row)]
        found = [best_estimate(rows[place]) for place in places]
        tests = holm([each.p_value if each else None for each in found])
        same = holm([each.p_equivalence if each else None for each in found])
        adjusted_p |= dict(zip(places, zip(tests, same, strict=True), strict=True))
    return [worded(row, *adjusted_p[place]) if place in adjusted_p else row for place, row in enumerate(rows)]


def withheld(rows: list[MetricComparison], evidence: Evidence) -> list[MetricComparison]:
    """Return the rows without a word where a log lacks too many rows for the rest to speak for the task."""
    return [
        row._replace(status="unclear", reason=missing_reason(evidence.thin[row.task]))
        if row.task in evidence.thin and row.estimate and row.status in ("better", "worse", "same")
        else row
        for row in rows
    ]


def worded(row: MetricComparison, p_adjusted: float | None, p_same: float | None) -> MetricComparison:
    """Return a row with its adjusted p-value, its word and the reason for it."""
    found = best_estimate(row)
    assert found is not None
    status, reason = word_of(found, row.higher_is_better, p_adjusted, p_same)
    with_p: Estimate = found._replace(p_adjusted=p_adjusted)
    if row.estimate is not None:
        return row._replace(status=status, reason=reason, estimate=with_p)
    return row._replace(status=status, reason=reason, unpaired=with_p)
