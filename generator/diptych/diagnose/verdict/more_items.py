"""How many more items would tell what these do not."""

import math

from diptych.diagnose.verdict.step_facts import Case
from diptych.diagnose.verdict.verdict_kind import is_floored, leading, outermost
from diptych.estimates import MetricComparison, best_estimate, no_item_changed
from diptych.numbers import counted, size


def more_items(case: Case) -> str:
    """Return how many items would tell, with the limit that scores them, "" where that is not known.

    Where another filter has a word, what is open is what the filters find: no number of items settles that.
    """
    ruling, a, b = case.ruling, case.a, case.b
    proven = case.conclusion.certainty == "proven"
    apart = {case.beside.filters.low.task} if case.beside.filters else set()
    named = leading(ruling.rows, frozenset()) if ruling.kind == "unclear" else None
    rows = [
        (found.needed - found.pairs, row, found.pairs, found.needed)
        for row in ([named] if named else outermost(ruling.rows))  # what the verdict speaks of is what is settled
        if row.status == "unclear"
        and row.task not in apart
        and not (proven and no_item_changed(row))  # what acts is known, and that it moves no score here
        and not is_floored(row)  # more items of what is never right show nothing
        and (found := best_estimate(row))
        and found.needed
        and found.pairs
        and found.needed > found.pairs
    ]
    if not rows:
        return ""
    _, row, pairs, needed = min(rows, key=lambda one: (one[0], one[1].task))
    whole = max(run.expected.get(row.task, 0) for run in (a, b))
    scored = max(run.items.get(row.task, 0) for run in (a, b))
    if pairs < scored:
        return ""  # what is in no pair was scored already: more of it is no answer
    if ruling.kind == "different" and not pairs < whole:
        return ""  # what was asked is settled; a larger benchmark for the rest is no next step
    return items_words(row.task, pairs, needed, whole, margin_of(row), "both")


def items_words(task: str, pairs: int, needed: int, whole: int, margin: str, who: str) -> str:
    """Return how many more items of a task would tell, as far as it has them (`whole`; 0: not known).

    `needed` items show a difference of the margin with 80 % power; `who` is to be repeated ("both", "all").
    """
    least = ", ".join([*([margin] if margin else []), "the equivalence margin"])
    total = -(-needed // 10 ** (len(str(needed)) - 2)) * 10 ** (len(str(needed)) - 2) if needed > 99 else needed
    if pairs < whole:
        limit = min(total, whole)
        enough = f", all that it has; about {total:,} would be needed to see a difference of {least}"
        enough = "" if limit >= needed else enough
        items = counted(limit - pairs, "more item")
        return f"About {items} of {task} would tell more: repeat {who} with --limit {limit}{enough}."
    return (
        f"{task} has no more items, and about {total:,} would be needed to see a difference of {least}: "
        f"{math.ceil(needed / pairs)} times as many, from a larger benchmark; repeats of these do not replace them."
    )


def margin_of(row: MetricComparison) -> str:
    found = best_estimate(row)
    return f"±{size(found.margin)} pp" if found and found.margin is not None and row.in_points else ""


def can_score_more(case: Case) -> bool:
    """Say whether a limit left items of an inconclusive task out."""
    rows = [row for row in outermost(case.ruling.rows) if row.status == "unclear" and not is_floored(row)]
    return any(
        (found := best_estimate(row))
        and found.pairs
        and found.pairs < max(run.expected.get(row.task, 0) for run in (case.a, case.b))
        for row in rows
    )
