"""The rule about many runs: what two of them differ by, its range and its word are of one and the same set of items."""

from collections.abc import Iterator

from diptych.matrix import Matrix, MatrixCell, MatrixRow
from diptych.rules.scores import ALPHA, CLOSE


def cells(made: Matrix) -> Iterator[str]:
    """Two runs' difference, range, p-value and word agree, and a difference of 0 has no word."""
    for row in made.rows:
        for cell in row.cells:
            name = f"{row.task} {row.metric},{row.filter}, {made.runs[cell.a].label} and {made.runs[cell.b].label}"
            yield from (f"{name}: {text}" for text in of_cell(cell, row))


def of_cell(cell: MatrixCell, row: MatrixRow) -> Iterator[str]:
    """Yield where the numbers of two runs, or the word on them, disagree."""
    low, high, shown = cell.low, cell.high, cell.difference
    if shown is not None and low is not None and high is not None and not low - CLOSE <= shown <= high + CLOSE:
        yield f"the difference {shown:+.4f} lies outside its range {low:+.4f} to {high:+.4f}"
    if not cell.is_apart:
        return
    if shown is None or abs(shown) <= CLOSE:
        yield f"{cell.status}, and the difference is {shown}"
        return
    if low is not None and high is not None and low < -CLOSE and high > CLOSE:
        yield f"{cell.status}, and the range {low:+.4f} to {high:+.4f} holds 0"
    if cell.p_adjusted is None or cell.p_adjusted >= ALPHA:
        yield f"{cell.status}, and p is {cell.p_adjusted}"
    if cell.status != ("better" if (shown > 0) == (row.higher_is_better is not False) else "worse"):
        yield f"{cell.status}, and the difference is {shown:+.4f}"
