"""The numbers of many runs as tables: scores with their groups, each run's difference from the first, other pairs."""

from collections.abc import Sequence
from itertools import chain

from diptych import numbers
from diptych.catalogue.metrics import at_floor
from diptych.catalogue.words import AT_FLOOR, NO_ITEM_CHANGED, STATUSES, Word, word_of
from diptych.matrix import Matrix, MatrixCell, MatrixRow
from diptych.metric_key import MetricKey
from diptych.report.blocks import (
    Block,
    Cell,
    Column,
    Folded,
    Line,
    Name,
    Row,
    Span,
    Table,
    Toned,
)
from diptych.report.documents.score_rows import NO_SPAN
from diptych.report.documents.scores import other_fold, status_rank
from diptych.value_text import metric_name

SHORT = 16
"""Characters of a run's label that may head a column; longer ones are numbered."""


LETTERS = "Runs that share a letter are not significantly different (compact letter display)."
SHARED_LETTER = "Runs that share a letter (a, b) do not differ significantly."


def counted_rows(matrix: Matrix) -> tuple[MatrixRow, ...]:
    """Return the rows that a verdict counts: one primary metric a task; all where none is marked."""
    return tuple(row for row in matrix.rows if row.primary) or matrix.rows


def unfolded_rows(matrix: Matrix) -> tuple[MatrixRow, ...]:
    """Return the rows that no table folds: those that lead, and behind each the filters that say otherwise."""
    return tuple(
        row
        for lead in counted_rows(matrix)
        for row in (lead, *(row for row in matrix.rows if not row.primary and lead.denied_by(row)))
    )


def others(matrix: Matrix) -> tuple[MatrixRow, ...]:
    """Return the other metrics and filters, those left out whose numbers are a shown row's own."""
    first = unfolded_rows(matrix)
    return tuple(row for row in matrix.rows if row not in first and not any(alike_rows(row, one) for one in first))


def alike_rows(row: MatrixRow, other: MatrixRow) -> bool:
    """Say whether two filters of one metric gave every run the same score and every pair the same difference."""
    names = (row.task, row.metric) == (other.task, other.metric)
    return names and row.scores == other.scores and gaps_of(row) == gaps_of(other)


def gaps_of(row: MatrixRow) -> tuple[float | None, ...]:
    """Return the differences of all pairs."""
    return tuple(cell.difference for cell in row.cells)


def same_note(row: MatrixRow, matrix: Matrix) -> Line:
    """Return which other filters of a row's metric have its numbers, in a line; nothing where none has."""
    names = [other.filter for other in matrix.rows if other is not row and alike_rows(other, row)]
    return (f"The same under {numbers.listed(names)}.",) if names else ()


def significant(matrix: Matrix) -> list[tuple[MatrixRow, MatrixCell]]:
    """Return the pairs of runs that are significantly different on a primary metric."""
    return [(row, cell) for row in counted_rows(matrix) for cell in row.cells if cell.is_apart]


def heads_of(matrix: Matrix) -> list[str]:
    """Return what heads a run's column: its label where all are short, else its number."""
    labels = [run.label for run in matrix.runs]
    fits = max(map(len, labels)) <= SHORT and len(set(labels)) == len(labels) and sum(map(len, labels)) <= 48
    return labels if fits else [str(number) for number in range(1, len(labels) + 1)]


def score_blocks(matrix: Matrix) -> tuple[Block, ...]:
    """Return the scores of each task's primary metric, and those of other metrics and filters folded."""
    rows = others(matrix)
    fold = (folded_table(matrix, score_table(matrix, rows)),) if rows else ()
    return (score_table(matrix, unfolded_rows(matrix)), *fold)


def folded_table(matrix: Matrix, table: Table) -> Folded:
    """Return a table of the rows that lead nowhere, folded."""
    rows = others(matrix)
    inside = {row.task for row in rows} - {row.task for row in counted_rows(matrix)}
    return other_fold(len(rows), table, subtasks=bool(inside) and any(row.group for row in matrix.rows))


def score_table(matrix: Matrix, rows: Sequence[MatrixRow]) -> Table:
    """Return a row a metric, a column a run, each score with its groups."""
    columns = (Column("Task, metric"), *(Column(head, right=True) for head in heads_of(matrix)))
    apart = {id(row): sum(cell.is_apart for cell in row.cells) for row in rows}
    ranked = sorted(rows, key=lambda row: -apart[id(row)])
    made = tuple(matrix_score_row(row, matrix) for row in ranked)
    return Table(columns, made, "rows of scores", LETTERS, least=10, brief=8, short_note=SHARED_LETTER)


def matrix_score_row(row: MatrixRow, matrix: Matrix) -> Row:
    """Return one metric's row."""
    name: Line = (Name(row.task), " ", Name(metric_name(row.metric, row.filter)))
    cells: list[Cell] = [name]
    for score, letters, error in zip(row.scores, row.letters, run_errors(row), strict=True):
        shown: Line = (numbers.score(score), *((Toned(f" {letters}", "letters"),) if letters else ()))
        cells.append((*shown, Toned(f" {error}", "error-of")) if error else shown)
    return Row(tuple(cells), same_note(row, matrix))


def run_errors(row: MatrixRow) -> list[str]:
    """Return how far each run's score of one metric is known: its standard error, or the CI in its place."""
    ranges = row.intervals or (None,) * len(row.scores)
    texts = [
        "" if score is None else numbers.error(score, reported, None, *((reach.low, reach.high) if reach else ()))
        for score, reported, reach in zip(row.scores, row.stderrs, ranges, strict=True)
    ]
    return ["" if text == numbers.NOT_AVAILABLE else text for text in texts]


MOST_PAIRS = 200
"""So many differences from the first run are laid out at most."""


def difference_blocks(matrix: Matrix) -> tuple[Block, ...]:
    """Return each run's difference from the first on the primary metrics, on the others folded."""
    rows = others(matrix)
    fold = (folded_table(matrix, difference_table(matrix, rows)),) if rows else ()
    return (difference_table(matrix, unfolded_rows(matrix)), *fold)


def difference_table(matrix: Matrix, rows: Sequence[MatrixRow]) -> Table:
    """Return each run's difference from the first on one axis, metric by metric, those with the worst first.

    A metric is named once: one alone by the column, each of several by a row of its own.
    """
    pairs = [(row, cell) for row in rows for cell in row.cells if cell.a == 0 and cell.difference is not None]
    if len(pairs) > MOST_PAIRS:
        # a screen of many: significant ones first; the artifact holds all of them
        pairs = sorted(pairs, key=lambda pair: not pair[1].is_apart)[:MOST_PAIRS]
    pairs.sort(key=lambda pair: place_among_worst(pair[1]))
    alone = len(rows) == 1
    by_metric: dict[MetricKey, list[Row]] = {}
    for row, cell in pairs:
        named = by_metric.setdefault(row.key, [] if alone else [metric_head(row)])
        named.append(pair_row((Name(matrix.runs[cell.b].label),), row, cell, child=not alone))
    columns = pair_columns(f"Run, {metric_words(rows[0])}" if alone else "Task, metric: run", "Run" if alone else "")
    return Table(columns, tuple(chain.from_iterable(by_metric.values())), "differences", least=5, brief=8)


def metric_head(row: MatrixRow) -> Row:
    """Return the row that names a metric above the runs that it is of."""
    return Row(((Name(row.task), " ", Name(metric_name(row.metric, row.filter))), (), (), NO_SPAN, ()))


def place_among_worst(cell: MatrixCell) -> tuple[int, float]:
    """Return the place of a difference among others: worse ones lead, larger ones before smaller."""
    return status_rank(cell.status), -abs(cell.difference or 0.0)


def pair_columns(title: str, short: str = "") -> tuple[Column, ...]:
    """Return the columns of a table of pairs of runs; the first is called `short` where room is."""
    return (
        Column(title, short=short),
        Column("Δ", right=True),
        Column("CI, all pairs at once"),
        Column("", span=True),
        Column(""),
    )


def metric_words(row: MatrixRow) -> str:
    """Return a row's task and metric."""
    return f"{row.task} {metric_name(row.metric, row.filter)}"


def pair_word(row: MatrixRow, cell: MatrixCell) -> Word:
    """Return what two runs' status is called; where no item is right or none changed, that is said."""
    if cell.status in ("unclear", "same") and at_floor(row.metric, row.scores[cell.a], row.scores[cell.b]):
        return AT_FLOOR
    return NO_ITEM_CHANGED if cell.is_unchanged else word_of(STATUSES, cell.status)


def pair_row(name: Line, row: MatrixRow, cell: MatrixCell, *, child: bool = False) -> Row:
    """Return the difference of two runs."""
    share = row.in_points
    word = pair_word(row, cell)
    found = cell.is_apart
    span = Span(cell.difference if share else None, cell.low, cell.high, cell.status, found)
    return Row(
        (
            name,
            (numbers.amount_beside(cell.difference, cell.low, cell.high, share),),
            (numbers.between(cell.low, cell.high, share),),
            span if share else NO_SPAN,
            (Toned(f"{word.sign} {word.word}", word.tone),),
        ),
        child=child,
    )


def pair_reasons(row: MatrixRow, labels: Sequence[str]) -> tuple[str, ...]:
    """Return why some pairs have no number or no word, a sentence a reason with the pairs it holds for."""
    pairs: dict[str, list[str]] = {}
    for cell in row.cells:
        if cell.reason:
            pairs.setdefault(cell.reason, []).append(f"{labels[cell.a]} and {labels[cell.b]}")
    return tuple(f"{'; '.join(names[:MOST_NAMED])}{more_pairs(names)}: {reason}." for reason, names in pairs.items())


def more_pairs(names: Sequence[str]) -> str:
    """Return how many pairs are not named."""
    return f" and {numbers.more(len(names) - MOST_NAMED, 'pairs')}" if len(names) > MOST_NAMED else ""


MOST_NAMED = 3
"""Pairs of runs that a reason names."""
