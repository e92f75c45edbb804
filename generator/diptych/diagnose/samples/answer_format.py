"""Whether answers failed by their form: filters that find nothing, and a form that one side lost."""

from diptych.closed_names import Severity
from diptych.comparison import Finding
from diptych.diagnose.samples.filter_tally import FilterTally
from diptych.diagnose.samples.paired_scores import PairedScores
from diptych.diagnose.samples.task_walk import Walk
from diptych.sides import SIDES, Side, each_side

LEAST_SHARE = 0.05
LEAST_COUNT = 3
"""A filter that finds nothing in fewer answers is not worth a word."""

LOST_SHARE = 0.2
"""A side lost the form where its filter finds nothing in at least this share more answers than on the other side."""

STILL_RIGHT = 0.1
"""Ability held where another filter, or the raw answers, are right at most this much less often than the other side."""


def extraction_findings(walk: Walk) -> list[Finding]:
    """Return for each side and filter in how many answers nothing was found."""
    found = []
    for name, walked in walk.filters.items():
        total = len(walked.items)
        for side, (items, held) in each_side((walked.nothing_a, walked.held_a), (walked.nothing_b, walked.held_b)):
            count = len(items)
            if count < LEAST_COUNT or count < LEAST_SHARE * total:
                continue
            severity: Severity = "warning" if 2 * count >= total else "note"
            right = f"; {held} of these answers hold the right value all the same" if held else ""
            text = (
                f"Filter {name} finds nothing in {count} of {total} answers of {side.upper()} in {walk.a.task}, though "
                f"they are not empty{right}."
            )
            named = tuple(items[:3])
            found.append(Finding("filter_extracts_nothing", severity, text, side, walk.a.task, count, total, named))
    return found


def format_findings(walk: Walk, paired: PairedScores) -> list[Finding]:
    """Return that one side lost the form a filter looks for while its answers are right as often as before."""
    found = []
    for name, walked in walk.filters.items():
        for side in SIDES:
            finding = lost_form(walk, walked, name, side, paired)
            if finding:
                found.append(finding)
    return found


def lost_form(walk: Walk, walked: FilterTally, name: str, side: Side, paired: PairedScores) -> Finding | None:
    """Return the finding for one side and filter, None where the form held or the ability went too."""
    total = len(walked.items)
    nothing, other = (walked.nothing_a, walked.nothing_b) if side == "a" else (walked.nothing_b, walked.nothing_a)
    lost = walked.lost_a if side == "a" else walked.lost_b
    if not total or len(nothing) - len(other) < LOST_SHARE * total or lost < LEAST_COUNT:
        return None
    cut = {walked.items[place] for place in walk.texts.lengths[side == "b"].cut}
    if 2 * len(cut.intersection(nothing)) >= len(nothing):
        return None  # the end was cut off, and what the filter looks for with it
    proof = still_right(walk, walked, name, side, paired)
    if not proof:
        return None
    text = (
        f"{side.upper()} does not write its answers in {walk.a.task} in the form that filter {name} looks for "
        f"({len(nothing)} of {total} give nothing, {len(other)} on the other side), but {proof}: under this filter the "
        "answer format changed, not accuracy."
    )
    items = tuple(nothing[:3])
    return Finding("answer_format_changed", "warning", text, side, walk.a.task, len(nothing), total, items)


def still_right(walk: Walk, walked: FilterTally, name: str, side: Side, paired: PairedScores) -> str:
    """Return what shows that a side's answers are right as often as the other's, "" where nothing does."""
    before = max(means(paired, name, other_side(side)), default=0.0)
    for other in walk.filters:
        if other == name:
            continue
        here, there = (
            max(means(paired, other, side), default=0.0),
            max(means(paired, other, other_side(side)), default=0.0),
        )
        if here and here >= there - STILL_RIGHT and here >= before - STILL_RIGHT:
            return f"filter {other} gives {here:.4f} vs {there:.4f}"
    held = walked.held_a if side == "a" else walked.held_b
    if held and held >= (before - STILL_RIGHT) * len(walked.items):
        return f"{held} of those answers hold the right value"
    return ""


def other_side(side: Side) -> Side:
    return "b" if side == "a" else "a"


def means(paired: PairedScores, name: str, side: Side) -> list[float]:
    """Return one side's means of the metrics under a filter over the shared items."""
    columns = [found[side == "b"] for (filter_, _), found in paired.values.items() if filter_ == name]
    return [sum(values) / len(values) for values in columns if values and all(0 <= value <= 1 for value in values)]
