"""One metric of a comparison as a table's row: scores with their errors, difference, CI, word, changed items."""

from functools import lru_cache

from diptych import numbers
from diptych.catalogue.metrics import at_floor
from diptych.catalogue.row_words import counts_in_words
from diptych.catalogue.words import AT_FLOOR, BORDERLINE, NO_ITEM_CHANGED, STATUSES, Word, word_of
from diptych.estimates import Estimate, Interval, MetricComparison, best_estimate, gap_of, no_item_changed
from diptych.fast_named_tuple import NamedTuple
from diptych.report.blocks import Cell, Line, Name, Row, Span, Toned
from diptych.value_text import metric_name


class Shown(NamedTuple):
    """What a table of scores shows beside the scores: differences, a level a row, counts of changed items."""

    differences: bool
    levels: bool
    counts: bool


def is_starred(cell: Cell) -> bool:
    """Say whether the error in a score's cell is ours."""
    return len(cell) > 1 and isinstance(error := cell[1], Toned) and "*" in error.text


def interval_cell(found: Estimate | None, low: float | None, high: float | None, share: bool, level: bool) -> Line:
    """Return a CI, with its level where the rows of its table have several."""
    text = numbers.between(low, high, share)
    if not level or found is None or low is None:
        return (text,)
    return (text, Toned(f" {numbers.level(found.confidence)}", "level-of"))


def score_row(row: MetricComparison, shown: Shown, child: bool, reason: str, full: bool = False) -> Row:
    """Return one metric as a table's row."""
    found, gap = best_estimate(row), gap_of(row)
    share = row.in_points
    word = row_word(row)
    note = reason
    name = name_cell(row.task, row.metric, row.filter, row.group, row.higher_is_better is False)
    if shown.differences and found is not None and shared_alone(row):
        cells: tuple[Cell, ...] = (name, *shared_cells(row))
        note = "; ".join(filter(None, (shared_text(row, found), reason)))
    else:
        a = score_cell(row.a_present, row.a, row.a_stderr, row.a_recomputed_stderr, row.a_interval)
        b = score_cell(row.b_present, row.b, row.b_stderr, row.b_recomputed_stderr, row.b_interval)
        cells = (name, a, b)
    if shown.differences:
        low, high = (found.low, found.high) if found else (None, None)
        cells += (
            (numbers.amount_beside(gap, low, high, share, unit=False),),
            interval_cell(found, low, high, share, shown.levels),
            span_of(row, found, gap) if share else NO_SPAN,
            (deciding_p(found),),
            word_cell(word),
        )
        if shown.counts:
            cells += ((counts_text(row),),)
    return Row(cells, (note,) if note else (), "", word.tone, child, full)


NO_SPAN = Span(None, None, None, "", False)
"""What stands where a difference has no place on the axis of its column."""


def shared_cells(row: MetricComparison) -> list[Line]:
    """Return both scores over the shared items; of a group those that are not what its run reports are called ours."""
    return [
        (f"{told} (ours)",) if row.group and reported is not None and told != numbers.score(reported) else (told,)
        for told, reported in ((numbers.score(row.a_paired), row.a), (numbers.score(row.b_paired), row.b))
    ]


@lru_cache(256)
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
    if row.status == "unclear":
        if no_item_changed(row):
            return NO_ITEM_CHANGED
        found = best_estimate(row)
        if found is not None and "borderline" in found.flags:
            return BORDERLINE
    return word_of(STATUSES, row.status)


def score_cell(
    present: bool, score: float | None, reported: float | None, ours: float | None, interval: Interval | None
) -> Line:
    """Return one side's score with its standard error or CI; a star says that this is ours, not the run's."""
    if not present:
        return ("none",)
    low, high = (interval.low, interval.high) if interval else (None, None)
    error = numbers.error(score, reported, ours, low, high)
    if error == numbers.NOT_AVAILABLE:
        return (numbers.score(score),)
    return (numbers.score(score), Toned(f" {error}", "error-of"))


def deciding_p(found: Estimate | None) -> str:
    """Return the p-value that the word rests on: the adjusted one where there is a family."""
    if found is None:
        return numbers.NOT_AVAILABLE
    return numbers.p_value(found.p_adjusted if found.p_adjusted is not None else found.p_value)


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


def shared_text(row: MetricComparison, found: Estimate) -> str:
    """Return over how many shared items a row's scores are, with the reported ones, which are over other items."""
    count = f"over {numbers.counted(found.pairs, 'shared item')}; " if found.pairs else ""
    return f"{count}as reported {numbers.score(row.a)} and {numbers.score(row.b)}"


def shared_alone(row: MetricComparison) -> bool:
    """Say whether the scores over the shared items are other numbers than the reported ones."""
    return other_number(row.a, row.a_paired) or other_number(row.b, row.b_paired)


def other_number(score: float | None, paired: float | None) -> bool:
    """Say whether two scores are two numbers."""
    return score is not None and paired is not None and abs(score - paired) > 1e-6
