"""What a row may lose under a gate: thresholds in scores, errors or floors, and how far a range allows a fall."""

from collections.abc import Sequence

from diptych import numbers, value_text
from diptych.closed_names import Outcome
from diptych.comparison import Gate
from diptych.diagnose.options import Options
from diptych.errors import DiptychError
from diptych.estimates import MetricComparison, best_estimate


def gate(rule: str, outcome: Outcome, text: str) -> Gate:
    """Return a judged rule."""
    return Gate(rule, outcome == "fail", text, outcome)


def metric_place(row: MetricComparison) -> str:
    """Return a metric as rules name it; a filter that has no name is not named."""
    return value_text.rule_name(*row.key)


def held_against(row: MetricComparison, falls: Sequence[float], how: str, allowed: float) -> str:
    """Return by how much B is worse and how much is allowed, in points where the metric is a fraction."""
    share = numbers.in_points(row.a, row.b, row.higher_is_better)
    *told, limit = numbers.distinct_texts((*falls, allowed), share)
    unit = f" {numbers.UNIT}" if share else ""
    return f"worse by {' to '.join(told)}{unit} {how}, allowed {limit}{unit}"


def least_fall(row: MetricComparison) -> float | None:
    """Return by how much B is worse at least (negative: it may be better), from the range at its level."""
    found = best_estimate(row)
    if found is None or found.low is None or found.high is None:
        return None
    if row.higher_is_better is None:
        return max(found.low, -found.high)
    return -found.high if row.higher_is_better else found.low


def most_fall(row: MetricComparison) -> float | None:
    """Return by how much B is worse at most, from the range at its level."""
    found = best_estimate(row)
    if found is None or found.low is None or found.high is None:
        return None
    if row.higher_is_better is None:
        return max(-found.low, found.high)
    return -found.low if row.higher_is_better else found.high


class Threshold:
    """One `TASK.METRIC=LIMIT` rule. LIMIT: `0.02` (absolute), `2se` (standard errors), or `floor` (the noise floor).

    A number is held against the range: it fails where all of it is worse by more, passes where none of it is. `2se` and
    `floor` are bands already and are held against the observed difference.
    """

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
        """Return the gate of this rule on one metric."""
        lead = self.lead(metric)
        worse = worsening(metric)
        if worse is None:
            return gate(self.text, "fail", f"{lead}no difference could be taken ({metric.reason or 'missing'})")
        if self.amount is None or self.limit.endswith("se"):
            return self.judge_observed(metric, worse)
        least, most = least_fall(metric), most_fall(metric)
        if least is None or most is None:
            return gate(self.text, "inconclusive", f"{lead}no range to hold against {self.amount:.4g}")
        outcome: Outcome = "fail" if least > self.amount else "pass" if most <= self.amount else "inconclusive"
        return gate(self.text, outcome, f"{lead}{held_against(metric, (least, most), '(range)', self.amount)}")

    def lead(self, metric: MetricComparison) -> str:
        """Return the metric that is judged, "" where the rule names it already."""
        place = metric_place(metric)
        return "" if self.name == place else f"{place}: "

    def judge_observed(self, metric: MetricComparison, worse: float) -> Gate:
        """Return the gate of a limit that is a band already, on the observed difference."""
        lead, allowed = self.lead(metric), self.allowed(metric)
        if allowed is None:
            return gate(self.text, "inconclusive", f"{lead}the limit {self.limit} is not known for this metric")
        outcome: Outcome = "fail" if worse > allowed else "pass"
        return gate(self.text, outcome, f"{lead}{held_against(metric, (worse,), '(observed)', allowed)}")

    def allowed(self, metric: MetricComparison) -> float | None:
        """Return the worsening that a band allows, in the metric's own unit; None where it cannot be known."""
        if self.amount is None:
            return metric.noise_floor.floor if metric.noise_floor else None
        estimate = best_estimate(metric)
        if estimate is None or estimate.standard_error is None:
            return None
        return self.amount * estimate.standard_error


def worsening(metric: MetricComparison) -> float | None:
    """Return by how much b is worse than a (negative: better); an unknown direction counts both ways."""
    if metric.difference is None:
        return None
    if metric.higher_is_better is None:
        return abs(metric.difference)
    return -metric.difference if metric.higher_is_better else metric.difference


def floors_wanted(options: Options) -> list[str]:
    """Return the thresholds that need a noise floor where no usable one of their metric was given: a wrong usage."""
    known = {key for key, floor in options.noise.items() if floor.floor is not None}
    missing = []
    for threshold in map(Threshold, options.thresholds):
        names = [
            {f"{task}.{key.metric}", f"{task}.{key.metric},{key.filter}"} for key in known for task in (key.task, "*")
        ]
        if threshold.amount is None and not any(threshold.name in each for each in names):
            missing.append(threshold.text)
    return missing
