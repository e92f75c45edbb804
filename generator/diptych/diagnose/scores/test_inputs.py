"""What is known of one metric on both sides, as the plain columns that a method is chosen by."""

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from diptych.catalogue.metrics import is_binary_metric, metric_of, most_difference, unit_of, unit_scale
from diptych.diagnose.options import Options
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.scores.reported_scales import Sides, item_scores, values_of_a_unit
from diptych.metric_key import MetricKey
from diptych.run import Run
from diptych.stats.test_input import TestInput, least_and_largest

if TYPE_CHECKING:
    from diptych.stats.dependence import Tie


def scores_side_by_side(a: Run, b: Run) -> dict[MetricKey, Sides]:
    """Return the scores of both runs by (task, metric, filter), in the order of A, then what only B has."""
    left = {score.key: score for score in a.scores}
    right = {score.key: score for score in b.scores}
    return {key: Sides(left.get(key), right.get(key)) for key in (*left, *(key for key in right if key not in left))}


def aggregation_of(run: Run, key: MetricKey) -> str:
    """Return how the metric makes one score of its items: from the task's definition, else by its name."""
    task, metric, _ = key
    rows = run.configs.get(task, {}).get("metric_list")
    for row in rows if isinstance(rows, (list, tuple)) else ():
        if isinstance(row, Mapping) and row.get("metric") == metric and isinstance(row.get("aggregation"), str):
            return own_function(str(row["aggregation"]))
    return metric_of(metric).aggregation


def own_function(aggregation: str) -> str:
    """Return an aggregation's name; of a function whose source the harness wrote down, what a sentence can hold.

    A task's own function may bear a known name ("f1") and do another thing: it is never taken for the known one.
    """
    lines = aggregation.strip().splitlines()
    if len(lines) < 2 and not aggregation.startswith(("def ", "<function")):
        return aggregation
    head = next((line for line in lines if line.startswith("def ")), "")
    name = head.removeprefix("def ").partition("(")[0].strip()
    return f"the task's own function {name}" if name.isidentifier() else "a function of the task's own"


def test_input_of(
    key: MetricKey, sides: Sides, a: Run, b: Run, paired: Mapping[str, PairedScores], options: Options
) -> TestInput:
    """Return what is known of a leaf metric that both sides have as a number."""
    assert sides.a is not None and sides.b is not None
    task, metric, filter_name = key
    scores = paired.get(task)
    column = (filter_name, metric)
    known = reported_input(key, sides, a, b, options)
    if scores is None:
        return known._replace(no_pairs=why_unpaired(task, a, b))
    if (aggregation := aggregation_for(known, scores, column)) != known.aggregation:
        known = known._replace(aggregation=aggregation)
    if column in scores.lists:
        left, right = scores.lists[column]
        return known._replace(a_lists=as_tuples(left), b_lists=as_tuples(right))
    if column not in scores.values or not scores.values[column][0]:
        return known._replace(
            no_pairs="no item is logged on both sides", own_a=scores.all_a.get(column), own_b=scores.all_b.get(column)
        )
    left_values, right_values = scores.values[column]
    extremes = [*least_and_largest(left_values), *least_and_largest(right_values)]
    unit = unit_of(metric, values_of_a_unit(sides, item_scores(paired, key)))
    reach = most_difference(metric, unit)
    units, tie = units_of(key, scores, left_values, right_values)
    return known._replace(
        scale=unit_scale(unit),
        # a name is no proof: items that lie further apart than it allows have no known bound
        reach=None if reach is None or max(extremes) - min(extremes) > reach else reach,
        a=left_values,
        b=right_values,
        clusters=units,
        tie=tie,
        shared_of=max(len(scores.all_a.get(column, ())), len(scores.all_b.get(column, ()))) or None,
    )


def units_of(
    key: MetricKey, scores: PairedScores, a: Sequence[float], b: Sequence[float]
) -> tuple[Sequence[int] | None, "Tie | None"]:
    """Return the independent units of a metric's items: the known ones, else those of a field that ties them."""
    known = scores.clusters.get((key.filter, key.metric))
    facts = scores.dependence.get(key.filter)
    if known is not None or facts is None or not facts.fields:
        return known, None
    from diptych.stats.dependence import tied_by  # few tasks share a passage
    from diptych.stats.resampling import seed_of

    differences = array("d", (y - x for x, y in zip(a, b, strict=True)))
    tie = tied_by(differences, facts.fields, seed_of(str(key), "tie", len(differences)))
    return (facts.fields[tie.field], tie) if tie else (None, None)


def reported_input(key: MetricKey, sides: Sides, a: Run, b: Run, options: Options) -> TestInput:
    """Return what the reported scores alone say."""
    assert sides.a is not None and sides.b is not None
    unit = unit_of(key.metric, (sides.a.value, sides.b.value))
    return TestInput(
        aggregation=aggregation_of(a, key),
        score_a=sides.a.value,
        score_b=sides.b.value,
        stderr_a=sides.a.stderr,
        stderr_b=sides.b.stderr,
        n_a=a.items_of(sides.a),
        n_b=b.items_of(sides.b),
        binary=True if is_binary_metric(key.metric) else None,
        bounded=unit == "fraction",
        margin=options.margin,
        scale=unit_scale(unit),
        key=str(key),
        noise=options.noise.get(key),
    )


def aggregation_for(known: TestInput, scores: PairedScores, column: tuple[str, str]) -> str:
    """Return the aggregation; "mean" where the items hold plain numbers though the name is one of a corpus metric.

    A task's own `f1` is most often the mean of its items' f1: the items tell, not the name.
    """
    if known.aggregation == "mean" or column not in scores.values:
        return known.aggregation
    own = scores.all_a.get(column)
    if (
        own
        and known.score_a is not None
        and abs(sum(own) / len(own) - known.score_a) <= 1e-6 * max(1.0, abs(known.score_a))
    ):
        return "mean"
    return known.aggregation


def as_tuples(values: tuple[object, ...]) -> tuple[tuple[object, ...], ...]:
    """Return per-item values of a corpus metric as tuples; a bare value stands alone."""
    return tuple(tuple(value) if isinstance(value, (list, tuple)) else (value,) for value in values)


def why_unpaired(task: str, a: Run, b: Run) -> str:
    """Return in a few words why the items of a task could not be paired."""
    missing = [name for name, run in (("A", a), ("B", b)) if task not in run.samples]
    return f"no samples in {' and '.join(missing)}" if missing else "no item is logged on both sides"
