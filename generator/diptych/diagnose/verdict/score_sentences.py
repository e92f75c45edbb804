"""What the primary scores say together, in words: where B is worse, better, the same, or neither can be told."""

from collections.abc import Sequence

from diptych.catalogue.metrics import at_floor
from diptych.comparison import MetricComparison, best_estimate
from diptych.diagnose.samples.evidence import TaskEvidence
from diptych.diagnose.scores.sentences import is_share, over_of
from diptych.diagnose.verdict.kind import gap_of
from diptych.diagnose.verdict.labels import Labels
from diptych.numbers import amount, counted, listed, metric_name, size
from diptych.numbers import interval as interval_text

MOST_NAMED = 3


def different(
    rows: list[MetricComparison], still: frozenset[str], labels: Labels, logged: Sequence[TaskEvidence] = ()
) -> str:
    """Return where B is worse and where better, the largest first, each number with its interval.

    Of the rest it says which are at the floor, which tasks are `still` (every response is the same), and which are
    inconclusive. `logged` is what their samples show.
    """
    tasks = [row for row in rows if not row.group]
    parts = []
    for word in ("worse", "better"):
        own = sorted((row for row in rows if row.status == word), key=lambda row: -abs(gap_of(row) or 0.0))
        groups, single = [row for row in own if row.group], [row for row in own if not row.group]
        shown = [scored(row) for row in groups]
        if single:
            where = f"{len(single)} of {len(tasks)} tasks: " if len(tasks) > 1 else ""
            rest = f", and {len(single) - MOST_NAMED} more" if len(single) > MOST_NAMED else ""
            shown.append(where + "; ".join(scored(row) for row in single[:MOST_NAMED]) + rest)
        if shown:
            parts.append(f"{word} than {labels.a} (baseline) on {', and on '.join(shown)}")
    inside = {name for row in rows if row.group and row.status in ("better", "worse") for name in row.subtasks}
    low = [row for row in tasks if is_floored(row) and row.task not in still]
    rows = [row for row in tasks if row.task not in inside and row not in low]
    floor = f". {opened(zero_sentence(low, logged, labels))}" if low else ""
    return f"{labels.b} is {' and '.join(parts)}{floor}{inconclusive(rows, len(tasks), still)}{same_on(rows, still)}"


def is_floored(row: MetricComparison) -> bool:
    """Say whether no item is right on either side."""
    return row.status != "not_available" and at_floor(row.metric, row.a, row.b)


def zero_sentence(rows: Sequence[MetricComparison], tasks: Sequence[TaskEvidence], labels: Labels) -> str:
    """Return that metrics are at the floor on both sides, and where its filter finds nothing, that."""
    row = rows[0]
    more = f" and {counted(len(rows) - 1, 'task')} more" if len(rows) > 1 else ""
    name = metric_name(row.metric, row.filter)
    text = f"on {row.task}{more} {name} is at the floor: no item is right on either side"
    found = [one for task in tasks if task.task == row.task for one in task.filters if one.filter == row.filter]
    if found and 2 * min(found[0].nothing) >= found[0].compared:
        nothing, of = found[0].nothing, found[0].compared
        text += f" (the filter finds nothing in {nothing.a} of {of} responses of {labels.a}, {nothing.b} of {labels.b})"
    return text


def inconclusive(rows: Sequence[MetricComparison], of: int, still: frozenset[str]) -> str:
    """Return the sentence about the tasks that may or may not differ, with what they could have shown."""
    left = [row for row in rows if row.status in ("unclear", "not_available") and row.task not in still]
    if not left:
        return ""
    found = [best_estimate(row) for row in left if row.status == "unclear"]
    least = [one.detectable for one in found if one and one.detectable]
    seen = f": minimum detectable effect {size(max(least), up=True)} pp" if least and all(map(is_share, left)) else ""
    return f". Inconclusive on {len(left)} of {counted(of, 'task')} ({listed([row.task for row in left])}){seen}"


def same_on(rows: Sequence[MetricComparison], still: frozenset[str]) -> str:
    """Return the sentence about the tasks in which nothing moved, "" where there is none."""
    names = [row.task for row in rows if row.task in still]
    return f". Every response and score is the same on {listed(names)}" if names else ""


def scored(row: MetricComparison) -> str:
    """Return a row's difference with its interval and counts: `dip_arith: exact_match −15.3 pp (…), 27 regressed`."""
    found, share = best_estimate(row), is_share(row)
    name = f"{row.task}: {metric_name(row.metric, row.filter)}"
    value = gap_of(row)
    if value is None:
        return f"{name} by an unknown amount"
    return f"{name} {amount(value, share)}{interval(row)}{flips(row)}" if found else f"{name} {amount(value, share)}"


def interval(row: MetricComparison) -> str:
    """Return the confidence interval in brackets, with its level and what it is adjusted over."""
    found = best_estimate(row)
    if found is None or found.low is None or found.high is None:
        return ""
    return f" ({interval_text(found.low, found.high, is_share(row), found.confidence, over_of(row, found))})"


def flips(row: MetricComparison) -> str:
    """Return how many items regressed and were fixed, where the metric says right or wrong."""
    found = best_estimate(row)
    if found is None or found.only_a is None or found.only_b is None or not found.pairs:
        return "" if found is None or not found.pairs else f" on {counted(found.pairs, 'item')}"
    lost, won = (found.only_a, found.only_b) if row.higher_is_better is not False else (found.only_b, found.only_a)
    return f", {lost} regressed, {won} fixed of {found.pairs:,}"


def equivalent(rows: list[MetricComparison], labels: Labels, tasks: Sequence[TaskEvidence] = ()) -> str:
    """Return that all primary scores lie within the margin; of those at the floor that they tell nothing."""
    low = [row for row in rows if is_floored(row) and not row.group]
    floor = opened(zero_sentence(low, tasks, labels)) if low else ""
    rows = [row for row in rows if not is_floored(row)] if low else rows
    if not rows:
        return floor
    margins = [found.margin for row in rows if (found := best_estimate(row)) and found.margin is not None]
    within = f" ±{size(max(margins))} pp" if margins and all(map(is_share, rows)) else " the margin"
    where = (
        f"{rows[0].task} ({metric_name(rows[0].metric, rows[0].filter)})"
        if len(rows) == 1
        else f"all {len(rows)} tasks"
    )
    text = f"{labels.b} and {labels.a} (baseline) are equivalent within{within} on {where}"
    return f"{text}. {floor}" if floor else text


def opened(text: str) -> str:
    """Return a clause as a sentence begins."""
    return text[:1].upper() + text[1:]


def unclear(
    rows: list[MetricComparison], still: frozenset[str], labels: Labels, tasks: Sequence[TaskEvidence] = ()
) -> str:
    """Return that it is inconclusive, with the largest difference and what the items could show.

    Tasks that are `still` (every response is the same) are told apart from those that may differ.
    """
    rest = same_on(rows, still)
    rows = [row for row in rows if not in_still(row, still)] or rows
    lead = f"Inconclusive whether {labels.b} differs from {labels.a} (baseline)"
    low = [row for row in rows if is_floored(row) and not row.group and not in_still(row, still)]
    if low:
        rows = [row for row in rows if not is_floored(row)]
        floor = zero_sentence(low, tasks, labels)
        if not rows:
            return f"{lead}: {floor}{rest}"
        lead = f"{opened(floor)}. {lead}"
    known = [row for row in rows if gap_of(row) is not None]
    if not known:
        reason = next((row.reason for row in rows if row.reason), None)
        return f"{lead}: no score can be compared{f' ({reason})' if reason else ''}"
    row = max(known, key=lambda row: (has_interval(row), abs(gap_of(row) or 0.0), row.group, row.task))
    found, share = best_estimate(row), is_share(row)
    if found is None or found.low is None or found.high is None:
        shown = f"{row.task}: {metric_name(row.metric, row.filter)} {amount(gap_of(row) or 0.0, share)}"
        return f"{lead}: {shown}, without an error bar{rest}"
    most = f"the largest over {len(known)} tasks is " if len(known) > 1 else ""
    least = f"; minimum detectable effect {size(found.detectable, up=True)} pp" if found.detectable and share else ""
    return f"{lead}: {most}{scored(row)}{least}{rest}"


def in_still(row: MetricComparison, still: frozenset[str]) -> bool:
    """Say whether nothing moved in a task, or in any task of a benchmark."""
    return row.task in still or (bool(row.subtasks) and still.issuperset(row.subtasks))


def has_interval(row: MetricComparison) -> bool:
    """Say whether a row's difference has a confidence interval."""
    found = best_estimate(row)
    return found is not None and found.low is not None and found.high is not None
