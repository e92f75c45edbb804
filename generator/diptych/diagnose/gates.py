"""Rules that may fail a check: which were asked for, and which fired.

A gate never decides what is real: it reads the statuses that the estimates gave.
"""

from diptych.comparison import FlipCount, Gate, MetricComparison, best_estimate
from diptych.diagnose.options import Options
from diptych.errors import DiptychError
from diptych.matrix import Matrix, MatrixCell, MatrixRow

FAIL_ON = ("regression", "difference", "flip", "missing", "any")


class Threshold:
    """One `TASK.METRIC=LIMIT` rule. LIMIT: `0.02` (absolute), `2se` (standard errors), or `floor` (the noise floor)."""

    def __init__(self, text: str) -> None:
        name, separator, limit = text.rpartition("=")
        if not separator or not name:
            raise DiptychError(
                f"threshold {text!r} is not TASK.METRIC=LIMIT",
                hint="e.g. --threshold 'gsm8k.exact_match=0.02', '…=2se' or '…=floor'",
            )
        self.text = text
        self.name = name
        self.limit = limit
        self.amount = self.read(limit)

    @staticmethod
    def read(limit: str) -> float | None:
        """Return the number of a limit; None for the noise floor."""
        if limit == "floor":
            return None
        try:
            amount = float(limit.removesuffix("se"))
        except ValueError:
            amount = -1.0
        if not 0 <= amount < float("inf"):
            raise DiptychError(f"threshold limit {limit!r} is no number", hint="use 0.02, 2se or floor")
        return amount

    def meant(self, metric: MetricComparison) -> bool:
        """Say whether this rule speaks of a metric: `task.metric` or `task.metric,filter`; `*` stands for any task."""
        names = {f"{metric.task}.{metric.metric}", f"{metric.task}.{metric.metric},{metric.filter}"}
        names |= {f"*.{metric.metric}", f"*.{metric.metric},{metric.filter}"}
        return self.name in names

    def judge(self, metric: MetricComparison) -> Gate:
        """Return the gate of this rule on one metric: it fires where the score got worse by more than the limit."""
        place = f"{metric.task}.{metric.metric},{metric.filter}"
        worse = worsening(metric)
        if worse is None:
            return Gate(self.text, True, f"{place}: no difference could be taken ({metric.reason or 'missing'})")
        allowed = self.allowed(metric)
        if allowed is None:
            return Gate(self.text, True, f"{place}: the limit {self.limit} is not known for this metric")
        fired = worse > allowed
        word = "worse by" if worse > 0 else "not worse:"
        return Gate(self.text, fired, f"{place}: {word} {abs(worse):.4g}, allowed {allowed:.4g}")

    def allowed(self, metric: MetricComparison) -> float | None:
        """Return the worsening that the rule allows, in the metric's own unit; None where it cannot be known."""
        if self.amount is None:
            return metric.noise_floor.floor if metric.noise_floor else None
        if not self.limit.endswith("se"):
            return self.amount
        estimate = best_estimate(metric)
        if estimate is None or estimate.standard_error is None:
            return None
        return self.amount * estimate.standard_error


def worsening(metric: MetricComparison) -> float | None:
    """Return by how much b is worse than a (negative: better); an unknown direction counts both ways."""
    estimate = best_estimate(metric)
    difference = estimate.difference if estimate and estimate.difference is not None else metric.difference
    if difference is None:
        return None
    if metric.higher_is_better is None:
        return abs(difference)
    return -difference if metric.higher_is_better else difference


def gates(options: Options, metrics: tuple[MetricComparison, ...], flips: tuple[FlipCount, ...]) -> tuple[Gate, ...]:
    """Return every rule that was asked for, fired or not; an unknown rule is a `DiptychError`."""
    unknown = set(options.fail_on) - set(FAIL_ON)
    if unknown:
        raise DiptychError(f"unknown gate {sorted(unknown)[0]!r}", hint=f"use one of {', '.join(FAIL_ON)}")
    found = [fail_on(rule, metrics, flips) for rule in options.fail_on]
    for threshold in map(Threshold, options.thresholds):
        meant = [metric for metric in metrics if threshold.meant(metric)]
        if not meant:
            found.append(Gate(threshold.text, True, f"no metric {threshold.name} is in these runs"))
        found += [threshold.judge(metric) for metric in meant]
    return tuple(found)


def fail_on(rule: str, metrics: tuple[MetricComparison, ...], flips: tuple[FlipCount, ...]) -> Gate:
    """Return the gate of one `--fail-on` rule."""
    if rule == "any":
        parts = [fail_on(each, metrics, flips) for each in FAIL_ON if each != "any"]
        fired = [part for part in parts if part.fired]
        return Gate(rule, bool(fired), "; ".join(f"{part.rule}: {part.text}" for part in fired or parts[:1]))
    if rule == "flip":
        lost = sum(count.count_ for count in flips if count.class_ == "lost")
        return Gate(rule, lost > 0, f"{lost} answers were right in A and wrong in B")
    wanted = {"regression": ("worse",), "difference": ("better", "worse"), "missing": ("not_available",)}[rule]
    hit = [f"{metric.task}.{metric.metric},{metric.filter}" for metric in metrics if metric.status in wanted]
    shown = ", ".join(hit[:3]) + (f" and {len(hit) - 3} more" if len(hit) > 3 else "")
    return Gate(rule, bool(hit), f"{len(hit)} of {len(metrics)} metrics{': ' + shown if hit else ''}")


def matrix_gates(rules: tuple[str, ...], matrix: Matrix) -> tuple[Gate, ...]:
    """Return `--fail-on` rules over many runs, each held against the first.

    A matrix counts no flips: they are among its recorded gates where they were asked for when it was made; "flip" alone
    fires otherwise, since what is not known lets nothing pass.
    """
    found = []
    for place, run in enumerate(matrix.runs[1:], 1):
        rows = tuple(
            as_metric(row, cell) for row in matrix.rows for cell in row.cells if (cell.a, cell.b) == (0, place)
        )
        for rule in rules:
            if rule != "flip":
                gate = fail_on(rule, rows, ())
                found.append(gate._replace(text=f"{run.label}: {gate.text}"))
    recorded = [gate for gate in matrix.gates if gate.rule == "flip"]
    if "flip" in rules:
        unknown = Gate("flip", True, "flips are not counted in this artifact: compare again with --fail-on flip")
        found += recorded or [unknown]
    return tuple(found)


def as_metric(row: MatrixRow, cell: MatrixCell) -> MetricComparison:
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
