"""A table as HTML: numbers with their points below each other, differences on one axis, rows that a phone can show."""

from collections.abc import Sequence

from diptych import numbers
from diptych.report import blocks
from diptych.report.alignment import align, has_digit
from diptych.report.charts.blocks import axis_svg, scale_of, span_svg
from diptych.report.charts.plots import Scale
from diptych.report.writers.escape import esc, escape
from diptych.report.writers.html_inline import REGION, line_html, name_html

SHORT = 24
"""Characters of a cell that stay on one line: a range, a p-value."""


def table_html(table: blocks.Table) -> str:
    """Return a table that scrolls by itself where it is wider than the screen."""
    told = " ".join(part for part in (table.note, table.of_errors) if part)
    note = f'<p class="lead">{esc(told)}</p>' if told else ""
    return f"{REGION.format('Table of ' + esc(table.what))}{plain_table_html(table)}</div>{note}"


def plain_table_html(table: blocks.Table) -> str:
    """Return a table; numbers stand with their points below each other, differences on one axis."""
    scale = scale_of([cell for row in table.rows for cell in row.cells if isinstance(cell, blocks.Span)])
    kept = [place for place, column in enumerate(table.columns) if not column.span or scale is not None]
    heads = "".join(head_html(table, place, scale, stand) for stand, place in enumerate(kept, 1))
    columns = [column_html(table, place, scale, stand) for stand, place in enumerate(kept, 1)]
    rows = "".join(row_html(row, "".join(cells), len(kept)) for row, *cells in zip(table.rows, *columns, strict=True))
    return f"<table{table_classes(table, kept)}><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


SPARSE = 5
"""Columns up to which a table without a plot is as wide as its words, not as the page."""


WORDS = 3
"""Columns of words, one a run, that a phone can set side by side."""


def table_classes(table: blocks.Table, kept: Sequence[int]) -> str:
    """Return a table's classes: `t` where it is sparse, and what a phone does with the cells below each row's name.

    `k gN` sets N of them side by side; `many` lets words for more runs than that follow each other.
    """
    narrow = [place for place in kept if not hides(table, place) and not table.columns[place].line]
    sparse = ["t"] if len(kept) < SPARSE and not any(row.note for row in table.rows) else []
    names = sparse
    if table.by_run and len(narrow) - 1 > WORDS:
        names = [*sparse, "many"]
    elif len(narrow) > 3:
        names = [*sparse, "k", f"g{min(len(narrow) - 1, 10)}"]
    names += [f"n{stand}" for stand, place in enumerate(kept, 1) if table.columns[place].right and stand in STYLED]
    return f' class="{" ".join(names)}"' if names else ""


STYLED = range(2, 10)
"""Places of columns of numbers that the style knows by their table, so that no cell has to say it."""


def hides(table: blocks.Table, place: int) -> bool:
    """Say whether a narrow screen leaves out a column."""
    column = table.columns[place]
    return column.leaves > 1 or column.span


def head_html(table: blocks.Table, place: int, scale: Scale | None, stand: int) -> str:
    """Return a column's head; that of differences is their axis."""
    column = table.columns[place]
    if column.span and scale is not None:
        return f'<th scope="col" class="w"><span class="hidden-text">Plot</span>{axis_svg(scale)}</th>'
    if not column.title:
        return '<td class="w"></td>' if column.leaves else "<td></td>"
    return f'<th scope="col"{classes(table, place, stand)}>{name_html(column.title)}</th>'


def classes(table: blocks.Table, place: int, stand: int) -> str:
    """Return the classes of a column's cells: `n` numbers far right, `w` what a phone leaves out, `l` its own lines."""
    far = table.columns[place].right and stand not in STYLED
    names = [
        name for name, there in (("n", far), ("w", hides(table, place)), ("l", table.columns[place].line)) if there
    ]
    return f' class="{" ".join(names)}"' if names else ""


def column_html(table: blocks.Table, place: int, scale: Scale | None, stand: int) -> list[str]:
    """Return the cells of a column, the `stand`-th that is shown, as HTML.

    Numbers are padded to one point, their errors a quieter line below.
    """
    cells = [row.cells[place] for row in table.rows]
    start, end = f"<td{classes(table, place, stand)}>", "</td>"
    if stand == 1:
        start, end = '<th scope="row">', "</th>"
    if table.columns[place].span:
        drawn = [span_svg(cell, scale) if scale and isinstance(cell, blocks.Span) else "" for cell in cells]
        return [f"<td>{svg}</td>" if svg else '<td class="w"></td>' for svg in drawn]
    lines = [cell for cell in cells if not isinstance(cell, blocks.Span)]
    if not table.columns[place].right:
        return [f"{start}{line_html(unbroken(line)) if place else line_html(line)}{end}" for line in lines]
    parted = [number_and_error(line) for line in lines]
    padded = align([text for text, _ in parted])
    return [
        f"{start}{esc(text)}{error}{end}" if has_digit(text) else f"{start}{esc(text.strip())}{end}"
        for text, (_, error) in zip(padded, parted, strict=True)
    ]


def unbroken(cell: blocks.Line) -> blocks.Line:
    """Return a cell whose short texts stay on one line."""
    first = cell[0] if cell else ""
    if len(cell) == 1 and type(first) is not str:
        return cell
    return tuple(
        [part.replace(" ", numbers.NO_BREAK) if type(part) is str and len(part) <= SHORT else part for part in cell]
    )


def number_and_error(line: blocks.Line) -> tuple[str, str]:
    """Return a number's text, and its error as HTML."""
    first = line[0] if line else ""
    if len(line) == 1 and type(first) is str:
        return first, ""
    text = error = ""
    for part in line:
        if isinstance(part, blocks.Toned) and part.tone in blocks.BESIDE:
            error += f"<small>{esc(part.text.strip())}</small>"
        else:
            text += part if isinstance(part, str) else part.text
    return text, error


def row_html(row: blocks.Row, cells: str, wide: int) -> str:
    """Return one row, and a second one for its note."""
    kinds = " ".join(name for name, there in (("child", row.child), ("noted", bool(row.note))) if there)
    marks = (f' class="{kinds}"' if kinds else "") + (f' id="{escape(row.anchor)}"' if row.anchor else "")
    note = f'<tr class="note"><td colspan="{wide}">{line_html(row.note)}</td></tr>' if row.note else ""
    return f"<tr{marks}>{cells}</tr>{note}"
