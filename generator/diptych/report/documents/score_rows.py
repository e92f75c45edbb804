"""Metrics of a comparison as rows of a table: scores with their errors, difference, CI, word, changed items."""

from collections.abc import Sequence
from functools import lru_cache

from diptych import numbers
from diptych.catalogue.metrics import at_floor
from diptych.catalogue.row_words import counts_in_words
from diptych.catalogue.words import AT_FLOOR, BORDERLINE, NO_ITEM_CHANGED, STATUSES, Word, word_of
from diptych.estimates import Estimate, Interval, MetricComparison, best_estimate, gap_of, no_item_changed
from diptych.fast_named_tuple import NamedTuple
from diptych.report.blocks import Cell, Line, Name, Span, Toned
from diptych.value_text import metric_name


class Shown(NamedTuple):
    """What a table of scores shows beside the scores: differences, a level a row, counts of changed items."""

    differences: bool
    levels: bool
    counts: bool


def is_starred(cell: Cell) -> bool:
    """Say whether the error in a score's cell is ours."""
    return len(cell) > 1 and isinstance(error := cell[1], Toned) and "*" in error.text


@lru_cache(64)
def level_of(confidence: float) -> Toned:
    """Return the level of a CI as what stands beside it."""
    return Toned(f" {numbers.level(confidence)}", "level-of")


def score_columns(
    rows: Sequence[MetricComparison], estimates: Sequence[Estimate | None], alone: Sequence[bool], shown: Shown
) -> list[Sequence[Cell]]:
    """Return metrics as columns of cells: names and scores, then their differences, words and counts of items.

    `estimates` are the best ones; `alone` says whose scores are those over the shared items.
    """
    names = [name_cell(row.task, row.metric, row.filter, row.group, row.higher_is_better is False) for row in rows]
    a = [score_cell(row.a_present, row.a, row.a_stderr, row.a_recomputed_stderr, row.a_interval) for row in rows]
    b = [score_cell(row.b_present, row.b, row.b_stderr, row.b_recomputed_stderr, row.b_interval) for row in rows]
    for place in [place for place, one in enumerate(alone) if one]:
        a[place], b[place] = shared_cells(rows[place])
    columns: list[Sequence[Cell]] = [names, a, b]
    if shown.differences:
        columns += difference_columns(rows, estimates, shown.levels)
        columns += [[word_cell(row_word(row)) for row in rows]]
        columns += [[(counts_text(row),) for row in rows]] if shown.counts else []
    return columns


def difference_columns(
    rows: Sequence[MetricComparison], estimates: Sequence[Estimate | None], levels: bool
) -> list[Sequence[Cell]]:
    """Return differences, their CIs, with their `levels` where these differ, their drawings, and their p-values."""
    shares, gaps = [row.in_points for row in rows], [gap_of(row) for row in rows]
    lows = [None if found is None else found.low for found in estimates]
    highs = [None if found is None else found.high for found in estimates]
    texts = list(map(numbers.beside_range, gaps, lows, highs, shares))
    beside = [
        (level_of(found.confidence),) if levels and found and found.low is not None else () for found in estimates
    ]
    return [
        [(difference,) for difference, _ in texts],
        [(interval, *level) for (_, interval), level in zip(texts, beside, strict=True)],
        [
            span_of(row, found, gap) if share else NO_SPAN
            for row, found, gap, share in zip(rows, estimates, gaps, shares, strict=True)
        ],
        [(deciding_p(found),) for found in estimates],
    ]


def deciding_p(found: Estimate | None) -> str:
    """Return the p-value that a word rests on: the adjusted one where there is a family."""
    if found is None:
        return numbers.NOT_AVAILABLE
    return numbers.p_value(found.p_value if found.p_adjusted is None else found.p_adjusted)


NO_SPAN = Span(None, None, None, "", False)
"""What stands where a difference has no place on the axis of its column."""


def shared_cells(row: MetricComparison) -> list[Line]:
    """Return both scores over the shared items; of a group those that are not what its run reports are called ours."""
    return [
        (f"{told} (ours)",) if row.group and reported is not None and told != numbers.score(reported) else (told,)
        for told, reported in ((numbers.score(row.a_paired), row.a), (numbers.score(row.b_paired), row.b))
    ]


@lru_cache(1024)
def name_cell(task: str, metric: str, filter_name: str, group: bool, lower: bool) -> Line:
    """Return what names a metric; the runs of an archive mostly share theirs."""
    name: Line = (Name(task), " ", Name(metric_name(metric, filter_name)))
    name += (" (group)",) if group else ()
    return (*name, ", lower is better") if lower else name


@lru_cache(64)
def word_cell(word: Word) -> Line:
    """Return a word of the lexicon with its sign."""
    return (Toned(f"{word.sign} {word.word}", word.tone),)


def is_wordless_at_floor(row: MetricComparison) -> bool:
    """Say whether no item is right on either side: no word on a difference says anything then."""
    return row.a == 0 and row.status in ("unclear", "same") and at_floor(row.metric, row.a, row.b)


def row_word(row: MetricComparison) -> Word:
    """Return what a metric's status is called; where no item is right or none changed, that is said."""
    if is_wordless_at_floor(row):
        return AT_FLOOR
    if row.status == "unclear" and (found := best_estimate(row)) is not None:
        if found.pairs and no_item_changed(row):
            return NO_ITEM_CHANGED
        if "borderline" in found.flags:
            return BORDERLINE
    return word_of(STATUSES, row.status)


@lru_cache(1024)
def score_cell(
    present: bool, score: float | None, reported: float | None, ours: float | None, interval: Interval | None
) -> Line:
    """Return one side's score with its standard error or CI; a star says that this is ours, not the run's.

    A run stands in several comparisons, with the same scores.
    """
    if not present:
        return ("none",)
    low, high = (interval.low, interval.high) if interval else (None, None)
    error = numbers.error(score, reported, ours, low, high)
    if error == numbers.NOT_AVAILABLE:
        return (numbers.score(score),)
    return (numbers.score(score), Toned(f" {error}", "error-of"))


def span_of(row: MetricComparison, found: Estimate | None, gap: float | None) -> Span:
    """Return a difference for the axis of its column."""
    if found is None or gap is None or found.low is None or found.high is None:
        return Span(gap, None, None, "", False)
    floor = row.noise_floor.floor if row.noise_floor else None
    return Span(gap, found.low, found.high, row.status, row.is_apart, found.margin, floor)


def counts_text(row: MetricComparison) -> str:
    """Return how many items changed, of how many."""
    found = best_estimate(row)
    if found is None or found.pairs is None:
        return ""
    changed = counts_in_words(row)
    return f"{changed} of {numbers.count(found.pairs)}" if changed else numbers.counted(found.pairs, "item")


def reason_of(row: MetricComparison) -> str:
    """Return why a number is missing, wider than need be, or inside the noise of repeats."""
    parts = ["no item is right on either side" if is_wordless_at_floor(row) else row.reason or ""]
    if row.estimate is not None and row.estimate.why:
        parts.append(row.estimate.why)
    if row.noise_floor and row.noise_floor.floor is not None and (gap := gap_of(row)) is not None:
        where = "inside" if abs(gap) <= row.noise_floor.floor else "beyond"
        floor = numbers.floor_text(row.noise_floor.floor, row.in_points)
        parts.append(f"{where} the noise floor of {floor}, from {numbers.counted(row.noise_floor.runs, 'repeat')}")
    return "; ".join(filter(None, parts))


def shared_text(row: MetricComparison) -> str:
    """Return over how many shared items a row's scores are, with the reported ones, which are over other items."""
    count = f"over {numbers.counted(row.pairs, 'shared item')}; " if row.pairs else ""
    return f"{count}as reported {numbers.score(row.a)} and {numbers.score(row.b)}"


def shared_alone(row: MetricComparison) -> bool:
    """Say whether the scores over the shared items are other numbers than the reported ones."""
    if row.a_paired is None and row.b_paired is None:
        return False
    return other_number(row.a, row.a_paired) or other_number(row.b, row.b_paired)


def other_number(score: float | None, paired: float | None) -> bool:
    """Say whether two scores are two numbers."""
    return score is not None and paired is not None and abs(score - paired) > 1e-6
