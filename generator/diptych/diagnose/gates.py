"""Rules that may fail a check: what each was asked, and its outcome: pass, fail, or that it cannot be told.

A gate never decides what is real: it reads the words and ranges that the estimates have at their family's level. What
a verdict calls incomparable no rule judges.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from diptych.closed_names import Outcome, VerdictKind
from diptych.comparison import FlipCount, Gate
from diptych.diagnose.options import FAIL_ON, Options
from diptych.diagnose.thresholds import Threshold, gate, held_against, least_fall, metric_place
from diptych.errors import DiptychError
from diptych.estimates import MetricComparison, best_estimate

if TYPE_CHECKING:  # who compares two runs loads no matrix
    from diptych.matrix import Matrix, MatrixCell, MatrixRow

NON_INFERIOR = "non-inferior"
INCOMPARABLE = ("not_a_measurement", "not_comparable")


def worst_outcome(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the outcome of several: one that fails fails all, else one that cannot be told leaves all open."""
    found = set(outcomes)
    return "fail" if "fail" in found else "inconclusive" if "inconclusive" in found else "pass"


def gates(
    options: Options,
    metrics: tuple[MetricComparison, ...],
    flips: tuple[FlipCount, ...],
    kind: VerdictKind = "different",
) -> tuple[Gate, ...]:
    """Return every rule that was asked for with its outcome; an unknown rule is a `DiptychError`."""
    unknown = set(options.fail_on) - set(FAIL_ON)
    if unknown:
        raise DiptychError(f"unknown gate {sorted(unknown)[0]!r}", hint=f"use one of {', '.join(FAIL_ON)}")
    margins = [(rule, required_margin(rule)) for rule in options.require]
    thresholds = [Threshold(text) for text in options.thresholds]
    if kind in INCOMPARABLE:
        why = "the runs are not comparable: nothing can be judged"
        rules = (*options.fail_on, *options.require, *options.thresholds)
        return tuple(gate(rule, "fail" if rule == "missing" else "inconclusive", why) for rule in rules)
    found = [fail_on(rule, metrics, flips) for rule in options.fail_on]
    found += [non_inferior(rule, margin, metrics) for rule, margin in margins]
    for threshold in thresholds:
        meant = [metric for metric in metrics if threshold.meant(metric)]
        if not meant:
            found.append(gate(threshold.text, "fail", f"no metric {threshold.name} is in these runs"))
        found += [threshold.judge(metric) for metric in meant]
    return tuple(found)


def judged_rows(metrics: Sequence[MetricComparison]) -> list[MetricComparison]:
    """Return the rows that a verdict rests on: the primary ones; a group without a value gates nothing."""
    rows = [row for row in metrics if row.primary and not (row.group and best_estimate(row) is None)]
    return rows or [row for row in metrics if not row.group]


def fail_on(rule: str, metrics: tuple[MetricComparison, ...], flips: tuple[FlipCount, ...]) -> Gate:
    """Return the gate of one `--fail-on` rule."""
    if rule == "any":
        parts = [fail_on(each, metrics, flips) for each in FAIL_ON if each != "any"]
        told = [part for part in parts if part.result != "pass"]
        text = "; ".join(f"{part.rule}: {part.text}" for part in told or parts[:1])
        return gate(rule, worst_outcome(part.result for part in parts), text)
    if rule == "flip":
        groups = {row.task for row in metrics if row.group}
        lost = sum(count.count_ for count in flips if count.class_ == "lost" and count.task not in groups)
        return gate(rule, "fail" if lost else "pass", f"{lost} answers were right in A and wrong in B")
    rows = judged_rows(metrics)
    if rule == "missing":
        rows = [row for row in metrics if not row.group]
    wanted = {"regression": ("worse",), "difference": ("better", "worse"), "missing": ("not_available",)}[rule]
    hit = [metric_place(row) for row in rows if row.status in wanted]
    text = f"{len(hit)} of {len(rows)} metrics{': ' + first_places(hit) if hit else ''}"
    if not hit and rule != "missing" and not any(row.status != "not_available" for row in rows):
        return gate(rule, "inconclusive", "no metric has a difference that could be judged")
    return gate(rule, "fail" if hit else "pass", text)


def first_places(places: Sequence[str]) -> str:
    """Return a few names, and how many more there are."""
    return ", ".join(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")


def required_margin(rule: str) -> float | None:
    """Return the margin of `non-inferior[:MARGIN]` as a share of a metric's scale; None: the comparison's own."""
    name, _, margin = rule.partition(":")
    try:
        amount = float(margin) if margin else None
    except ValueError:
        amount = -1.0
    if name != NON_INFERIOR or (amount is not None and not 0 < amount < float("inf")):
        raise DiptychError(f"{rule!r} cannot be required", hint="use non-inferior or non-inferior:0.02")
    return amount


def non_inferior(rule: str, margin: float | None, metrics: Sequence[MetricComparison]) -> Gate:
    """Return whether every headline of B is shown to be no worse than A by the margin."""
    rows = [row for row in judged_rows(metrics) if row.headline] or judged_rows(metrics)
    found = [(row, *no_worse_than(row, margin)) for row in rows]
    if not found:
        return gate(rule, "inconclusive", "no metric is in both runs")
    outcome = worst_outcome(each for _, each, _ in found)
    told = [f"{metric_place(row)}: {text}" for row, each, text in found if each == outcome]
    return gate(rule, outcome, f"{len(told)} of {len(found)}: {'; '.join(told[:3])}{' …' if len(told) > 3 else ''}")


def no_worse_than(row: MetricComparison, margin: float | None) -> tuple[Outcome, str]:
    """Return whether a metric's one-sided limit lies above -margin; fail where its whole range lies below."""
    found = best_estimate(row)
    if row.higher_is_better is None:
        return "inconclusive", "whether higher is better is not known"
    if found is None or found.low_90 is None or found.high_90 is None or found.margin is None:
        return "inconclusive", row.reason or (found.why if found and found.why else "no range")
    allowed = found.margin if margin is None else margin * (100.0 if row.unit == "percent" else 1.0)
    fall = -found.low_90 if row.higher_is_better else found.high_90
    text = held_against(row, (fall,), "at most", allowed)
    if fall < allowed and row.status != "not_available" and not word_withheld(row):
        return "pass", text
    least = least_fall(row)
    if least is not None and least > allowed:
        return "fail", held_against(row, (least,), "at least", allowed)
    return "inconclusive", text


def word_withheld(row: MetricComparison) -> bool:
    """Say whether no word is given on a row though its range would allow one: reruns, or too much of it missing."""
    found = best_estimate(row)
    return bool(found and ({"floor_above_margin", "few_clusters"} & set(found.flags) or found.method == "no_test"))


def matrix_gates(rules: tuple[str, ...], matrix: "Matrix") -> tuple[Gate, ...]:
    """Return `--fail-on` rules over many runs, each held against the first.

    A matrix counts no flips: they are among its recorded gates where they were asked for when it was made; "flip" alone
    cannot be told otherwise.
    """
    found = []
    for place, run in enumerate(matrix.runs[1:], 1):
        rows = tuple(
            as_metric(row, cell) for row in matrix.rows for cell in row.cells if (cell.a, cell.b) == (0, place)
        )
        for rule in rules:
            if rule != "flip":
                each = fail_on(rule, rows, ())
                found.append(each._replace(text=f"{run.label}: {each.text}"))
    recorded = [each for each in matrix.gates if each.rule == "flip"]
    if "flip" in rules:
        unknown = gate(
            "flip", "inconclusive", "flips are not counted in this artifact: compare again with --fail-on flip"
        )
        found += recorded or [unknown]
    return tuple(found)


def as_metric(row: "MatrixRow", cell: "MatrixCell") -> MetricComparison:
    """Return one run against the first on one metric, as a comparison of two would hold it."""
    return MetricComparison(
        row.task,
        row.metric,
        row.filter,
        row.higher_is_better,
        row.scores[cell.a],
        row.scores[cell.b],
        cell.difference,
        cell.status,
        cell.reason,
    )
