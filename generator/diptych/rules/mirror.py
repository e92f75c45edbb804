"""The rule about two comparisons of the same runs, one with its sides swapped: each is the other's mirror image."""

from collections import Counter
from collections.abc import Iterator, Mapping

from diptych.comparison import Comparison
from diptych.estimates import MetricComparison, best_estimate
from diptych.fast_named_tuple import NamedTuple
from diptych.rules.differences import listed_differences
from diptych.rules.scores import CLOSE, metric_row_name

PAIRS = (("better", "worse"), ("lost", "gained"), ("a", "b"))
TURNED: Mapping[str, str] = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}


def mirrored(there: Comparison, back: Comparison) -> Iterator[str]:
    """Swapped sides give the mirror image: kind, cause, certainty, each row, each difference, each step."""
    one, other = there.verdict._asdict(), back.verdict._asdict()
    for name in ("kind", "leading_cause", "standing", "mechanism", "first_divergence", "models_differ"):
        if one[name] != other[name]:
            yield f"{name} is {one[name]}, and {other[name]} with the sides swapped"
    suspects = [[suspect.key for suspect in made.verdict.suspects] for made in (there, back)]
    if suspects[0] != suspects[1]:
        yield f"the suspects are {', '.join(suspects[0]) or 'none'}, and {', '.join(suspects[1]) or 'none'} swapped"
    yield from unmirrored_rows(there, back)
    yield from unmirrored_differences(there, back)
    yield from unmirrored_counts(there, back)


def unmirrored_rows(there: Comparison, back: Comparison) -> Iterator[str]:
    """Yield the rows that are not mirrored."""
    others = {metric.key: metric for metric in back.metrics}
    if set(others) != {metric.key for metric in there.metrics}:
        yield "not the same scores with the sides swapped"
    for metric in there.metrics:
        other = others.get(metric.key)
        if other is not None:
            yield from (f"{metric_row_name(metric)}: {text}" for text in unmirrored_row(metric, other))


def unmirrored_row(ours: MetricComparison, theirs: MetricComparison) -> Iterator[str]:
    """Yield where one row is not the other's mirror image."""
    if ours.status != TURNED.get(theirs.status, theirs.status):
        yield f"{ours.status}, and {theirs.status} swapped"
    if (ours.primary, ours.headline) != (theirs.primary, theirs.headline):
        yield "leads the verdict one way round only"
    if not opposite(ours.difference, theirs.difference):
        yield f"{ours.difference}, and {theirs.difference} swapped"
    one, other = best_estimate(ours), best_estimate(theirs)
    if (one is None) != (other is None):
        yield "an estimate one way round only"
    if one is None or other is None:
        return
    if not (opposite(one.low, other.high) and opposite(one.high, other.low)):
        yield f"{one.low} to {one.high}, and {other.low} to {other.high} swapped"
    if not nearly_equal(one.p_value, other.p_value) or not nearly_equal(one.p_adjusted, other.p_adjusted):
        yield f"p {one.p_value} ({one.p_adjusted}), and {other.p_value} ({other.p_adjusted}) swapped"
    if (one.only_a, one.only_b) != (other.only_b, other.only_a):
        yield f"{one.only_a} and {one.only_b} changed, and {other.only_a} and {other.only_b} swapped"


def opposite(one: float | None, other: float | None) -> bool:
    """Say whether a number is another's negative, as far as arithmetic keeps it."""
    return one is other is None or (one is not None and other is not None and abs(one + other) <= CLOSE)


def nearly_equal(one: float | None, other: float | None) -> bool:
    """Say whether two numbers are the same, as far as arithmetic keeps them."""
    return one is other is None or (one is not None and other is not None and abs(one - other) <= CLOSE)


def unmirrored_differences(there: Comparison, back: Comparison) -> Iterator[str]:
    """Yield listed differences that are not mirrored, in their order."""
    ours = [(row.key, row.bearing) for row in listed_differences(there)]
    theirs = [(row.key, row.bearing) for row in listed_differences(back)]
    if sorted(ours) != sorted(theirs):
        odd = sorted(set(ours) ^ set(theirs))
        yield f"listed otherwise with the sides swapped: {odd[0][0]} ({odd[0][1]})"
    elif ours != theirs:
        yield "the differences stand in another order with the sides swapped"


def unmirrored_counts(there: Comparison, back: Comparison) -> Iterator[str]:
    """Yield counts of steps, changed items and findings that are not mirrored."""
    steps = [
        {(each.task, rung.rung): (rung.equal, rung.compared) for each in made.ladder for rung in each.rungs}
        for made in (there, back)
    ]
    for key in sorted(set(steps[0]) | set(steps[1])):
        if steps[0].get(key) != steps[1].get(key):
            yield f"{key[1]} of {key[0]}: {steps[0].get(key)} equal and compared, and {steps[1].get(key)} swapped"
    if item_change_counts(there) != item_change_counts(back, swap=True):
        yield "not the same changed items with the sides swapped"
    ours, theirs = finding_counts(there), finding_counts(back, swap=True)
    for what in sorted((ours - theirs) + (theirs - ours), key=str):
        yield f"the finding {what.kind} of {what.task or 'the runs'} stands one way round only"


def item_change_counts(made: Comparison, swap: bool = False) -> Counter[tuple[str, str, str, str]]:
    """Return how many items changed in which way."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for each in made.flip_counts:
        counts[each.task, each.metric, each.filter, turn(each.class_, swap)] += each.count_
    return counts


class Said(NamedTuple):
    """What a finding says, but for its words."""

    kind: str
    severity: str
    side: str
    task: str | None
    count_: int | None
    of: int | None


def finding_counts(made: Comparison, swap: bool = False) -> Counter[Said]:
    """Return what the findings say, and how often."""
    return Counter(
        Said(each.kind, each.severity, turn(each.side or "", swap), each.task, each.count_, each.of)
        for each in made.findings
    )


def turn(word: str, swap: bool) -> str:
    """Return a word of one side as the other's where the sides are swapped."""
    return TURNED.get(word, word) if swap else word
