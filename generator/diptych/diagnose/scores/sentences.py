"""What one metric says, as one plain sentence: the difference, its range, what moved, and how sure."""

from diptych.comparison import Estimate, MetricComparison, best_estimate
from diptych.numbers import amount, bare, counted, odds, p_text, size

SHARES_OF_ONE = 1.0
PLAIN_REASON = "the interval holds both no difference and differences beyond the margin"
"""The reason that the sentence's own range says already."""

CAUTIOUS = "Per-item answers were not on both sides, so this test is cautious: a real difference may be missed."


def metric_sentence(row: MetricComparison) -> str:
    """Return a metric's sentence; it never says "no difference" and gives the size beside every word."""
    found = best_estimate(row)
    if row.status == "not_available" or found is None:
        return f"No difference can be given: {row.reason or 'not available'}."
    lead = {
        "better": better_or_worse,
        "worse": better_or_worse,
        "same": same,
        "unclear": unclear,
    }[row.status](row, found)
    return " ".join(part for part in (lead, *tails(row, found)) if part)


def is_share(row: MetricComparison) -> bool:
    """Say whether both scores are shares of 1 and more is better, so that a difference is told in points."""
    return row.higher_is_better is not False and all(
        value is not None and 0 <= value <= SHARES_OF_ONE for value in (row.a, row.b)
    )


def better_or_worse(row: MetricComparison, found: Estimate) -> str:
    """Return the sentence of a real difference."""
    word = "better" if row.status == "better" else "worse"
    chance = found.p_adjusted if found.p_adjusted is not None else found.p_value
    luck = (
        f" By luck alone a gap this large would appear {odds(chance)} ({p_text(chance)})." if chance is not None else ""
    )
    return (
        f"B is {word} than A: {amount(found.difference or 0.0, is_share(row))}{span(row, found)}{moved(found)}.{luck}"
    )


def same(row: MetricComparison, found: Estimate) -> str:
    """Return the sentence of two scores within the margin."""
    shares = is_share(row)
    margin = found.margin or 0.0
    within = f"{size(margin)} points" if shares else f"{margin:.3g}"
    low, high = found.low_90, found.high_90
    reach = "" if low is None or high is None else f": B - A is between {bare(low, shares)} and {bare(high, shares)}"
    unit = " points" if shares and reach else ""
    return f"A and B are the same within {within}{reach}{unit}{' (90% interval)' if reach else ''}{moved(found)}."


def unclear(row: MetricComparison, found: Estimate) -> str:
    """Return the sentence of what cannot be told, with what fits the data."""
    shares = is_share(row)
    if "identical_scores" in found.flags and found.pairs and found.high is not None:
        return (
            f"Cannot tell: all {counted(found.pairs, 'item')} scored the same, yet so few items leave room for a true "
            f"difference of up to {size(found.high, up=True)} points either way."
        )
    reason = f" ({row.reason})" if row.reason and row.reason != PLAIN_REASON else ""
    if found.difference is None:
        return f"Cannot tell{reason}."
    if found.low is None or found.high is None:
        return f"Cannot tell{reason}: B scored {amount(found.difference, shares)} against A, without an error bar."
    unit = " points" if shares else ""
    return (
        f"Cannot tell{reason}: B scored {amount(found.difference, shares)} against A, but anything between "
        f"{bare(found.low, shares)} and {bare(found.high, shares)}{unit} fits the data{moved(found)}."
    )


def span(row: MetricComparison, found: Estimate) -> str:
    """Return the range in brackets."""
    if found.low is None or found.high is None:
        return ""
    return f" (between {bare(found.low, is_share(row))} and {bare(found.high, is_share(row))})"


def moved(found: Estimate) -> str:
    """Return how many items were gained and lost of how many."""
    if found.pairs is None:
        return ""
    if found.only_a is None or found.only_b is None:
        return f"; over {counted(found.pairs, 'item')}"
    return f"; {counted(found.only_b, 'item')} gained and {found.only_a:,} lost out of {found.pairs:,}"


def tails(row: MetricComparison, found: Estimate) -> list[str]:
    """Return what must be said beside the lead: what these items can see, groups, reruns, missing pairs."""
    said = []
    if row.status == "unclear" and found.detectable is not None and is_share(row) and found.pairs and found.difference:
        share = found.parameters.get("changed_share")
        apart = f" (the two runs disagree on {100 * share:.1f}% of items)" if isinstance(share, float) else ""
        said.append(
            f"This benchmark with {counted(found.pairs, 'item')} cannot see differences under "
            f"{size(found.detectable, up=True)} points{apart}; smaller true differences would be missed more than "
            "1 time in 5."
        )
    if found.clusters is not None and found.pairs is not None and found.clusters < found.pairs:
        effective = found.parameters.get("effective_items")
        counts = f"; counted as about {effective:,.0f} independent items" if isinstance(effective, (int, float)) else ""
        said.append(f"Items come in {counted(found.clusters, 'group')} that rise and fall together{counts}.")
    if row.noise_floor is not None:
        said.append(row.noise_floor.sentence)
    if found.pairs is None and found.method != "no_test":
        said += [f"{found.why[0].upper()}{found.why[1:]}."] if found.why else []
        said.append(CAUTIOUS)
    return said


def noise_sentence(runs: int, floor: float | None, changed: int | None, bound: float | None) -> str:
    """Return what k repeats of one configuration say about a rerun (`floor` as a share of 1)."""
    if floor is None:
        return "One run tells nothing about what a rerun may move."
    if floor == 0:
        items = "" if bound is None else f"; at most {100 * bound:.2g}% of answers may still change on a rerun (95%)"
        return f"The score did not vary in {runs} runs of this configuration{items}."
    told = f" {counted(changed, 'item')} changed between them." if changed else ""
    return (
        f"Two runs of the same configuration can differ by up to {size(floor, up=True)} points (95%, from {runs} "
        f"repeated runs); a gap below that is not evidence of a change.{told}"
    )
