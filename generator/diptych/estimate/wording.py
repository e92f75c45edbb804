"""Numbers in sentences: points, p-values and chances as they are read aloud, and the sentences that are fixed."""

import math


def points(share: float, signed: bool = True) -> str:
    """Return a share in points: one decimal from one point up, else two; never minus zero."""
    value = 100.0 * share
    digits = 1 if abs(value) >= 1 else 2
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    return f"{0:.{digits}f}" if float(text) == 0 else text


def points_up(share: float) -> str:
    """Return a size in points rounded up to one decimal: what cannot be seen must not look smaller than it is."""
    return f"{math.ceil(1000.0 * share - 1e-9) / 10.0:.1f}"


def p_text(p: float) -> str:
    """Return a p-value: never 0, and with more digits where rounding could move it over 0.05."""
    if p < 0.001:
        return "p < 0.001"
    if 0.045 <= p < 0.055:
        return f"p = {p:.4f}"
    return f"p = {p:.2g}" if p < 0.1 else f"p = {p:.2f}"


def one_in(p: float) -> str:
    """Return how often luck alone would give as much, in round numbers."""
    if p > 0.5:
        return "more often than not"
    times = 1.0 / p if p else math.inf
    if times > 1_000:
        return "less than 1 time in 1,000"
    unit = 1 if times < 20 else 5 if times < 100 else 50
    return f"about 1 time in {max(2, round(times / unit) * unit):,}"


def detectable_sentence(items: int, detectable: float | None, changed_share: float | None = None) -> str:
    """Say what a benchmark of this size cannot see."""
    if detectable is None:
        return f"With {items:,} items and so few that differ between the runs, no difference could have been seen."
    among = "" if changed_share is None else f" (the two runs disagree on {100.0 * changed_share:.1f}% of items)"
    return (
        f"This benchmark with {items:,} items cannot see differences under {points_up(detectable)} points{among}; "
        "smaller true differences would be missed more than 1 time in 5."
    )


def noise_sentence(runs: int, floor: float) -> str:
    """Say what two fresh runs of one configuration may differ by."""
    return (
        f"Two runs of the same configuration can differ by up to {points_up(floor)} points "
        f"(95%, from {runs} repeated runs); a gap below that is not evidence of a change."
    )


def steady_sentence(runs: int, comparisons: int | None, bound: float | None) -> str:
    """Say that repeats did not vary, and what that leaves possible; not that they never will."""
    if comparisons is None or bound is None:
        return f"The score did not vary in {runs} runs."
    return (
        f"The score did not vary in {runs} runs, and no answer's score did in {comparisons:,} comparisons: "
        f"at most {100.0 * bound:.2g}% of items would change on a rerun (95%)."
    )


def paired_sentence(
    status: str,
    difference: float,
    low: float,
    high: float,
    pairs: int,
    gained: int | None = None,
    lost: int | None = None,
    p: float | None = None,
    margin: float = 0.01,
    detectable: float | None = None,
    changed_share: float | None = None,
) -> str:
    """Say a paired result in one or two sentences; for `same`, low and high are the ends of the 90 % interval."""
    moved = f"{pairs:,} items" if gained is None else f"{gained:,} items gained and {lost:,} lost out of {pairs:,}"
    span = f"between {points(low)} and {points(high)}"
    if status in ("better", "worse"):
        chance = "" if p is None else f" By luck alone a gap this large would appear {one_in(p)} ({p_text(p)})."
        return f"B is {status} than A: {points(difference)} points ({span}); {moved}.{chance}"
    if status == "same":
        return (
            f"A and B are the same within {points(margin, signed=False)} points: "
            f"B - A is {span} points (90% interval); {moved}."
        )
    scored = f"Cannot tell: B scored {points(difference)} points against A"
    text = f"{scored}, but anything {span} points fits the data; {moved}."
    return text if detectable is None else f"{text} {detectable_sentence(pairs, detectable, changed_share)}"


def unpaired_note() -> str:
    """Say what a test without pairs may miss."""
    return "Per-item answers were not available, so this test is cautious: a real difference may be missed."


def clusters_note(clusters: int, effective_items: float) -> str:
    """Say that items come in groups, and how many independent ones they amount to."""
    return (
        f"Items come in {clusters:,} groups that rise and fall together; "
        f"counted as about {round(effective_items):,} independent items."
    )


def judge_note(inconsistent_rate: float) -> str:
    """Say that a judge contradicts itself too often to be heard."""
    return (
        f"The judge contradicted itself on {100.0 * inconsistent_rate:.0f}% of items when the order was swapped; "
        "its preference is not used."
    )
