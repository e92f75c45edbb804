"""Rules about scores: one row speaks of one set of items, and verdict, gates, changed items and steps agree with it."""

import re
from collections import Counter
from collections.abc import Iterator

from diptych.comparison import Comparison, Ladder
from diptych.estimates import Estimate, MetricComparison, best_estimate

ALPHA = 0.05
CLOSE = 1e-6
ROUNDED = 5e-4


def rows(made: Comparison) -> Iterator[str]:
    """A row's difference, range, p-value and word are of one set of items, and agree with one another."""
    for metric in made.metrics:
        name = metric_row_name(metric)
        found = best_estimate(metric)
        if found is None:
            if metric.status != "not_available":
                yield f"{name} is {metric.status} without an estimate"
            continue
        yield from (f"{name}: {text}" for text in of_one_set(metric, found))
        yield from (f"{name}: {text}" for text in unfounded_word(metric, found))


def metric_row_name(metric: MetricComparison) -> str:
    """Return what a row is called here."""
    return f"{metric.task} {metric.metric},{metric.filter}"


def of_one_set(metric: MetricComparison, found: Estimate) -> Iterator[str]:
    """Yield where the numbers of a row are of different items."""
    shown = metric.difference
    if shown is None:
        return
    if found.low is not None and found.high is not None and not found.low - CLOSE <= shown <= found.high + CLOSE:
        yield f"the difference {shown:+.4f} lies outside its range {found.low:+.4f} to {found.high:+.4f}"
    if found.difference is not None and abs(found.difference - shown) > ROUNDED:
        yield f"the difference shown is {shown:+.4f}, that of the estimate {found.difference:+.4f}"
    if metric.a is None or metric.b is None:
        return
    ours = metric.a if metric.a_paired is None else metric.a_paired
    theirs = metric.b if metric.b_paired is None else metric.b_paired
    if abs(theirs - ours - shown) > ROUNDED:
        yield f"{ours:.4f} and {theirs:.4f} stand beside a difference of {shown:+.4f}"


def unfounded_word(metric: MetricComparison, found: Estimate) -> Iterator[str]:
    """Yield where a row's word is not borne by its range and its p-value."""
    low, high = found.low, found.high
    if metric.is_apart:
        if low is not None and high is not None and low < -CLOSE and high > CLOSE:
            yield f"{metric.status}, and the range {low:+.4f} to {high:+.4f} holds 0"
        p = found.p_value if found.p_adjusted is None else found.p_adjusted
        if p is None or p >= ALPHA:
            yield f"{metric.status}, and p is {p}"
        up = metric.higher_is_better is not False
        if metric.difference and metric.status != ("better" if (metric.difference > 0) == up else "worse"):
            yield f"{metric.status}, and the difference is {metric.difference:+.4f}"
    if metric.status == "same" and found.margin is not None and found.low_90 is not None and found.high_90 is not None:
        reach = max(-found.low_90, found.high_90)
        if reach > found.margin + CLOSE:
            yield f"same, and {found.low_90:+.4f} to {found.high_90:+.4f} leaves the margin {found.margin}"


REAL = ("better", "worse")
CALM = ("identical", "equivalent", "unclear", "not_comparable", "not_a_measurement")
SIGNED = re.compile(r"([+−-])\s?(\d+(?:\.\d+)?)\s?(?:pp|points?|pt)\b")
REGRESSION_RULES = ("regression", "difference")


def verdict(made: Comparison) -> Iterator[str]:
    """The verdict says what its rows say, and a gate fires on what the verdict says."""
    kind = made.verdict.kind
    real = [metric for metric in made.metrics if metric.status in REAL]
    first = {(metric.metric, metric.filter) for metric in made.metrics if metric.primary}
    heads = [metric for metric in real if metric.primary or (metric.group and (metric.metric, metric.filter) in first)]
    if kind in CALM and heads:
        yield f"{kind}, and {metric_row_name(heads[0])} is {heads[0].status}"
    if kind == "different" and not real:
        yield "different, and no row is better or worse"
    if kind == "identical":
        moved = [m for m in made.metrics if (found := best_estimate(m)) and abs(found.difference or 0) > CLOSE]
        yield from (f"identical, and {metric_row_name(metric)} differs by {metric.difference}" for metric in moved[:1])
    yield from numbers(made)
    for gate in made.gates:
        asked = gate.rule.partition("=")[0]
        if gate.fired and asked in REGRESSION_RULES and kind != "different":
            yield f"the gate {gate.rule} fires on a verdict of {kind}"


def numbers(made: Comparison) -> Iterator[str]:
    """Yield signed points of the verdict's sentence that are no number of any row."""
    known = [value for metric in made.metrics for value in signed_numbers(metric)]
    for sign, text in SIGNED.findall(made.verdict.sentence):
        value = float(text) * (1 if sign == "+" else -1)
        digits = len(text.partition(".")[2])
        if not any(abs(value - each * scale) <= 0.51 * 10**-digits for each in known for scale in (100, 1)):
            yield f"the sentence says {sign}{text}, which is no number of any row"


def signed_numbers(metric: MetricComparison) -> Iterator[float]:
    """Yield the signed numbers of a row."""
    found = best_estimate(metric)
    values = [metric.difference]
    if found is not None:
        values += [found.difference, found.low, found.high, found.low_90, found.high_90, found.margin, found.detectable]
        values += [-(found.margin or 0.0)]
    yield from (value for value in values if value is not None)


def changed_items(made: Comparison) -> Iterator[str]:
    """The changed items hold those behind each primary number: same task, metric and filter, same counts."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for each in made.flip_counts:
        counts[each.task, each.metric, each.filter, each.class_] += each.count_
    for metric in made.metrics:
        found = metric.estimate
        if not metric.primary or metric.group or found is None or found.only_a is None or found.only_b is None:
            continue
        up = metric.higher_is_better is not False
        lost, gained = (found.only_a, found.only_b) if up else (found.only_b, found.only_a)
        of = {name: counts[metric.task, metric.metric, metric.filter, name] for name in CHANGES}
        if of["lost"] > lost or of["gained"] > gained or sum(of.values()) < lost + gained:
            said = f"{of['lost']} lost, {of['gained']} gained"
            name = metric_row_name(metric)
            yield f"{name}: {lost} lost, {gained} gained behind its number, {said} among the changed items"


CHANGES = ("lost", "gained", "extraction_only", "format_only")
"""Classes of changed items that may stand behind a number: a changed reading of one answer has a class of its own."""


def steps(made: Comparison) -> Iterator[str]:
    """A step counts as equal only what was compared, and the first divergence is the first that is not whole."""
    for ladder in made.ladder:
        yield from (f"{ladder.task}: {text}" for text in ladder_contradictions(ladder, made))
    first = made.verdict.first_divergence
    breaks = {(each.task, each.first_break) for each in made.ladder}
    if first is not None and (first.task, first.step) not in breaks:
        yield f"the verdict's first divergence is {first.step} of {first.task}, where the steps say otherwise"


def ladder_contradictions(ladder: Ladder, made: Comparison) -> Iterator[str]:
    """Yield where the steps of one task contradict themselves or its scores."""
    broken = [rung.rung for rung in ladder.rungs if rung.equal < rung.compared]
    if ladder.first_break != (broken[0] if broken else None):
        yield f"first divergence {ladder.first_break}, and the first step that is not whole is {broken[:1]}"
    for rung in ladder.rungs:
        if rung.equal > rung.compared:
            yield f"{rung.rung}: {rung.equal} equal of {rung.compared} compared"
        if (rung.first is None) != (rung.equal == rung.compared):
            yield f"{rung.rung}: {rung.equal} of {rung.compared} equal, and the first that differs is {rung.first}"
    scores = next((rung for rung in ladder.rungs if rung.rung == "scores"), None)
    for metric in made.metrics:
        found = metric.estimate
        if metric.task != ladder.task or found is None or not found.pairs or scores is None:
            continue
        if not scores.compared:
            yield f"{found.pairs} items are paired in {metric_row_name(metric)}, and no item score was compared"
        elif scores.equal == scores.compared >= found.pairs and abs(found.difference or 0.0) > CLOSE:
            name = metric_row_name(metric)
            yield f"all {scores.compared} item scores are equal, and {name} {found.difference:+.4f} apart"
