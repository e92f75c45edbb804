"""What one metric says, as one plain sentence: the difference, its range, what moved, and how sure."""

from collections.abc import Sequence

from diptych.catalogue.row_words import adjusted_over, counts_in_words
from diptych.diagnose.scores.floors import stand_of
from diptych.estimates import Estimate, MetricComparison, best_estimate
from diptych.numbers import amount, bare, counted, floor_text, level, odds, p_text, size

PLAIN_REASON = "the CI holds both no difference and differences beyond the margin"
"""The reason that the sentence's own range says already."""

CAUTIOUS = "Per-item answers were not on both sides, so this test is cautious: it may miss a difference."


RERUNS_UNKNOWN = (
    "Answers are sampled, and how far a rerun moves this score is not known: run one side again with other seeds and "
    "give `diptych noise` the repeats."
)


def metric_sentence(row: MetricComparison, *, sampled: bool = False, first: Sequence[str] = ()) -> str:
    """Return a metric's sentence; it never says "no difference" and gives the size beside every word.

    `sampled` says that a side's answers are drawn, so that a rerun would move its score; `first` as in `over_of`.
    """
    found = best_estimate(row)
    if row.status == "not_available" or found is None:
        return f"No difference can be given: {row.reason or 'not available'}."
    lead = {
        "better": better_or_worse,
        "worse": better_or_worse,
        "same": same,
        "unclear": unclear_row,
    }[row.status](row, found, first)
    unknown = RERUNS_UNKNOWN if sampled and "rerun_noise_unknown" in found.flags else ""
    return " ".join(part for part in (lead, *tails(row, found, first), unknown) if part)


def better_or_worse(row: MetricComparison, found: Estimate, first: Sequence[str]) -> str:
    """Return the sentence of a significant difference; one inside the margin is said to be negligible."""
    word = "better" if row.status == "better" else "worse"
    shares = row.in_points
    small = "negligible" in found.flags and found.margin is not None
    within = f"; significant, but within the margin of {size(found.margin or 0)} pp" if small and shares else ""
    within = within or ("; significant, but within the margin" if small else "")
    gap = f"{amount(found.difference or 0.0, shares)}{span(row, found, first)}{changed_items_clause(row, found)}"
    return f"B is {word} than A: {gap}{within}.{luck(found)}"


def luck(found: Estimate) -> str:
    """Return how often luck alone makes such a gap, by the p-value that the word rests on."""
    if found.p_value is None:
        return ""
    if found.p_adjusted is None or found.p_adjusted == found.p_value:
        return f" By luck alone a gap this large would appear {odds(found.p_value)} ({p_text(found.p_value)})."
    return (
        f" By luck alone a gap this large would appear {odds(found.p_adjusted)} among so many tests (Holm-adjusted "
        f"{p_text(found.p_adjusted)}; alone {p_text(found.p_value)})."
    )


def same(row: MetricComparison, found: Estimate, first: Sequence[str]) -> str:
    """Return the sentence of two scores within the margin."""
    shares = row.in_points
    margin = found.margin or 0.0
    within = f"{size(margin)} pp" if shares else f"{margin:.3g}"
    low, high = found.low_90, found.high_90
    reach = "" if low is None or high is None else f": B − A is between {bare(low, shares)} and {bare(high, shares)}"
    unit = " pp" if shares and reach else ""
    told = f" ({level(found.parameters.get('equivalence_level', 0.9))} CI)" if reach else ""
    return f"A and B are equivalent within {within}{reach}{unit}{told}{changed_items_clause(row, found)}."


def unclear_row(row: MetricComparison, found: Estimate, first: Sequence[str]) -> str:
    """Return the sentence of what cannot be told, with what fits the data."""
    shares = row.in_points
    if "identical_scores" in found.flags and found.pairs and found.high_90 is not None:
        most, at = found.high, found.confidence
        if most is None:
            most, at = found.high_90, float(found.parameters["equivalence_level"])
        return (
            f"Inconclusive: all {counted(found.pairs, 'item')} scored the same, yet so few items leave room for a true "
            f"difference of up to {amount(most, shares).lstrip('+')} either way ({level(at)} CI)."
        )
    reason = f" ({row.reason})" if row.reason and row.reason != PLAIN_REASON else ""
    if found.difference is None:
        return f"Inconclusive{reason}."
    if found.low is None or found.high is None:
        return f"Inconclusive{reason}: B scored {amount(found.difference, shares)} against A, without an error bar."
    against = f"{span(row, found, first)}{changed_items_clause(row, found)}"
    return f"Inconclusive{reason}: B scored {amount(found.difference, shares)} against A{against}."


def span(row: MetricComparison, found: Estimate, first: Sequence[str]) -> str:
    """Return the range in brackets, with its level and over what that is adjusted."""
    if found.low is None or found.high is None:
        return ""
    over = f", {said}" if (said := over_of(row, found, first)) else ""
    ends = f"{bare(found.low, row.in_points)} to {bare(found.high, row.in_points)}"
    return f" ({level(found.confidence)} CI {ends}{over})"


def over_of(row: MetricComparison, found: Estimate, first: Sequence[str] = ()) -> str:
    """Return why a range has another level than 95 %: what it was adjusted over, "" where it was not.

    `first` are the tasks and groups that are tested beside each other, where they are known.
    """
    return adjusted_over(row, first) if found.confidence > 0.95 + 1e-9 else ""


def changed_items_clause(row: MetricComparison, found: Estimate) -> str:
    """Return how many items regressed and were fixed, of how many."""
    if found.pairs is None:
        return ""
    changed = counts_in_words(row, " and ")
    return f"; {changed} of {counted(found.pairs, 'item')}" if changed else f"; over {counted(found.pairs, 'item')}"


def tails(row: MetricComparison, found: Estimate, first: Sequence[str]) -> list[str]:
    """Return what must be said beside the lead: what these items can see, groups, reruns, missing pairs."""
    said = []
    if row.status == "unclear" and found.detectable is not None and found.pairs and found.difference:
        shares = row.in_points
        share = found.parameters.get("changed_share")
        apart = f" (the two runs disagree on {100 * share:.1f} % of items)" if isinstance(share, float) else ""
        seen = f"{size(found.detectable, up=True)} pp" if shares else f"{found.detectable:.3g}"
        at = f", tested at the level of this CI ({level(found.confidence)})" if over_of(row, found, first) else ""
        said.append(
            f"Minimum detectable effect with {counted(found.pairs, 'item')}: {seen} at 80 % power{at}{apart}; a "
            "smaller true difference would be missed more than 1 time in 5."
        )
    if found.clusters is not None and found.pairs is not None and found.clusters < found.pairs:
        effective = found.parameters.get("effective_items")
        counts = f"; counted as about {effective:,.0f} independent items" if isinstance(effective, (int, float)) else ""
        said.append(f"Items come in {counted(found.clusters, 'group')} that rise and fall together{counts}.")
    if row.status == "same" and len(row.subtasks) > 1:
        said.append("That is of the mean over its subtasks, not of each of them.")
    if row.noise_floor is not None:
        said.append(row.noise_floor.sentence + beside_floor(row))
    if found.pairs is None and found.method != "no_test":
        said += [f"{found.why[0].upper()}{found.why[1:]}."] if found.why else []
        said.append(CAUTIOUS)
    return said


def beside_floor(row: MetricComparison) -> str:
    """Return where a difference lies beside what reruns of one configuration do."""
    return {
        "beyond": " This gap is beyond what reruns do: a setting changed, recorded or not.",
        "open": " This gap is beyond what reruns alone do, but not once these items are counted with them.",
        "within": " This gap is within what reruns do.",
        "": "",
    }[stand_of(row)]


def noise_sentence(
    runs: int,
    floor: float | None,
    changed: int | None,
    bound: float | None,
    *,
    share: bool = True,
    items: int | None = None,
) -> str:
    """Return what k repeats of one configuration say about a rerun; `share`: the floor is one of 1, told in points.

    `changed` is how many of the `items` that all log did not score the same in all of them.
    """
    if floor is None:
        return "One run tells nothing about what a rerun may move."
    if floor == 0:
        at_most = (
            "" if bound is None else f"; at most {100 * bound:.2g} % of answers may still change on a rerun (95 %)"
        )
        return f"The score did not vary in {runs} runs of this configuration{at_most}."
    what = f"{changed:,} of {counted(items, 'item')}" if changed and items else counted(changed or 0, "item")
    told = f" {what} changed between them." if changed else ""
    return (
        f"Two runs of the same configuration can differ by up to {floor_text(floor, share)} (95 %, from {runs} "
        f"repeated runs); a gap below that is not evidence of a change.{told}"
    )
