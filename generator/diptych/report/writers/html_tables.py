"""A table as HTML: numbers with their points below each other, differences on one axis, rows that a phone can show."""

from collections.abc import Sequence
from functools import lru_cache

from diptych import numbers
from diptych.report import blocks
from diptych.report.alignment import align_decimals, has_digit
from diptych.report.charts.block_charts import axis_svg, shared_margin, span_svg, table_scale
from diptych.report.charts.plots import Scale
from diptych.report.writers.escape import esc, esc_all, escape
from diptych.report.writers.html_inline import REGION, SIGNED, line_html, name_html

SHORT = 24
"""Characters of a cell that stay on one line: a range, a p-value."""


def table_html(table: blocks.Table) -> str:
    """Return a table that scrolls by itself where it is wider than the screen."""
    told = " ".join(part for part in (table.note, table.of_errors) if part)
    note = f'<p class="lead">{esc(told)}</p>' if told else ""
    return f"{REGION.format('Table of ' + esc(table.what))}{plain_table_html(table)}</div>{note}"


def plain_table_html(table: blocks.Table) -> str:
    """Return a table; numbers stand with their points below each other, differences on one axis."""
    drawn = [place for place, column in enumerate(table.columns) if column.span]
    spans = [cell for place in drawn for row in table.rows if isinstance(cell := row.cells[place], blocks.Span)]
    scale = table_scale(spans)
    margin = shared_margin(spans, scale)
    kept = [place for place in range(len(table.columns)) if place not in drawn or scale is not None]
    heads = "".join([head_html(table, place, scale, stand) for stand, place in enumerate(kept, 1)])
    columns = [
        spans_html(table, place, scale, not margin) if place in drawn else column_html(table, place, stand)
        for stand, place in enumerate(kept, 1)
    ]
    rows = "".join(
        [
            row_html(row, "".join(cells), len(kept))
            for row, cells in zip(table.rows, zip(*columns, strict=True), strict=True)
        ]
    )
    return f"<table{table_classes(table, kept, margin)}><thead><tr>{heads}<tbody>{rows}</table>"


SIGN = 5
"""Characters of a head that is a sign and its unit, on one line however narrow its column."""

SPARSE = 5
"""Columns up to which a table without a plot is as wide as its words, not as the page."""


WORDS = 3
"""Columns of words, one a run, that a phone can set side by side."""


def table_classes(table: blocks.Table, kept: Sequence[int], margin: int) -> str:
    """Return a table's classes: `t` where it is sparse, and what a phone does with the cells below each row's name.

    `k gN` sets N of them side by side; `many` lets words for more runs than that follow each other. `nN` says that the
    N-th column holds numbers, `wN` that a narrow screen leaves it out, `v` that there is a plot, `mN` how wide its
    margin is.
    """
    narrow = [place for place in kept if not hides(table, place) and not table.columns[place].line]
    names = ["t"] if len(kept) < SPARSE and not any(row.note for row in table.rows) else []
    if table.by_run and len(narrow) - 1 > WORDS:
        names.append("many")
    elif len(narrow) > 3:
        names += ["k", f"g{min(len(narrow) - 1, 10)}"]
    styled = [(stand, place) for stand, place in enumerate(kept, 1) if stand in STYLED]
    names += [f"n{stand}" for stand, place in styled if table.columns[place].right]
    names += [f"w{stand}" for stand, place in styled if table.columns[place].leaves > 1]
    names += ["v"] if any(table.columns[place].span for place in kept) else []
    names += [f"m{margin}"] if margin else []
    return class_attribute(names)


STYLED = range(2, 10)
"""Places of columns that the style knows by their table, so that no cell has to say what it is."""


def hides(table: blocks.Table, place: int) -> bool:
    """Say whether a narrow screen leaves out a column."""
    column = table.columns[place]
    return column.leaves > 1 or column.span


def head_html(table: blocks.Table, place: int, scale: Scale | None, stand: int) -> str:
    """Return a column's head; that of differences is their axis."""
    column = table.columns[place]
    if column.span and scale is not None:
        return f'<th scope="col" class="w"><span class="hidden-text">Plot</span>{axis_svg(scale)}'
    if not column.title:
        return '<td class="w">' if column.leaves else "<td>"
    title = column.title.replace(" ", numbers.NO_BREAK) if len(column.title) <= SIGN else column.title
    return f'<th scope="col"{class_attribute(classes(table, place, stand))}>{name_html(title)}'


def classes(table: blocks.Table, place: int, stand: int) -> list[str]:
    """Return the classes of a column's cells: `n` numbers far right, `w` what a phone leaves out, `l` its own lines."""
    column, far = table.columns[place], stand not in STYLED
    names = (("n", far and column.right), ("w", far and hides(table, place)), ("l", column.line))
    return [name for name, there in names if there]


def class_attribute(names: Sequence[str]) -> str:
    """Return classes as an attribute, nothing for none."""
    return f' class="{" ".join(names)}"' if names else ""


def spans_html(table: blocks.Table, place: int, scale: Scale | None, margins: bool) -> list[str]:
    """Return the cells of a column of drawings; `margins` says that each has its own."""
    cells = [row.cells[place] for row in table.rows]
    drawn = [span_svg(cell, scale, margins) if scale and isinstance(cell, blocks.Span) else "" for cell in cells]
    return [f"<td>{svg}" if svg else '<td class="w">' for svg in drawn]


def column_html(table: blocks.Table, place: int, stand: int) -> list[str]:
    """Return the cells of a column, the `stand`-th that is shown, as HTML.

    Numbers are padded to one point, their errors a quieter line below.
    """
    lines = [cell for row in table.rows if not isinstance(cell := row.cells[place], blocks.Span)]
    own = classes(table, place, stand)
    start = "<th scope=row>" if stand == 1 else f"<td{class_attribute(own)}>"
    if not table.columns[place].right:
        words = [line[0] for line in lines if len(line) == 1 and isinstance(line[0], blocks.Toned)]
        if stand > 1 and len(words) == len(lines):
            return [word_html(word, tuple(own)) for word in words]
        return [f"{start}{text}" for text in texts_html(lines, place == 0)]
    parted = [number_and_error(line) for line in lines]
    padded = align_decimals([text for text, _, _ in parted])
    shown = esc_all([text if has_digit(text) else text.strip() for text in padded])
    errors = esc_all([error for _, error, _ in parted])
    groups = [f"<sup>{esc(letters)}</sup>" if letters else "" for _, _, letters in parted]
    return [
        f"{start}{text}{letters}<small>{error}</small>" if error else f"{start}{text}{letters}"
        for text, error, letters in zip(shown, errors, groups, strict=True)
    ]


@lru_cache(256)
def word_html(word: blocks.Toned, own: tuple[str, ...]) -> str:
    """Return a cell that holds one toned word; `own` are the classes of its column."""
    return f"<td{class_attribute([*own, 'word', word.tone])}>{esc(SIGNED.sub(numbers.NO_BREAK, word.text))}"


def texts_html(lines: Sequence[blocks.Line], names: bool) -> list[str]:
    """Return cells of words; but for names, which may be long, short texts stay on one line."""
    if names:
        return [line_html(line) for line in lines]
    parted = [parts for line in lines if (parts := text_and_note(line))]
    if len(parted) < len(lines):
        return [line_html(unbroken(line)) for line in lines]
    told = esc_all([text.replace(" ", numbers.NO_BREAK) if len(text) <= SHORT else text for text, _ in parted])
    notes = esc_all([note for _, note in parted])
    return [f"{text}<small>{note}</small>" if note else text for text, note in zip(told, notes, strict=True)]


def text_and_note(line: blocks.Line) -> tuple[str, str] | None:
    """Return a cell's text and what stands small beside it, None where it holds anything else."""
    first = line[0] if line else None
    if type(first) is not str or "`" in first:
        return None
    if len(line) == 1:
        return first, ""
    note = line[1]
    small = len(line) == 2 and isinstance(note, blocks.Toned) and note.tone in blocks.BESIDE and "-" not in first
    return (first, note.text.strip()) if small else None  # type: ignore[union-attr]  # a `Toned`, as just told


def unbroken(cell: blocks.Line) -> blocks.Line:
    """Return a cell whose short texts stay on one line."""
    if len(cell) == 1 and type(cell[0]) is not str:
        return cell
    return tuple(
        [part.replace(" ", numbers.NO_BREAK) if type(part) is str and len(part) <= SHORT else part for part in cell]
    )


def number_and_error(line: blocks.Line) -> tuple[str, str, str]:
    """Return a number's text, that of its error, and the letters of its groups."""
    first = line[0] if line else ""
    if len(line) == 1 and type(first) is str:
        return first, "", ""
    text = error = letters = ""
    for part in line:
        if type(part) is str:
            text += part
        elif isinstance(part, blocks.Toned) and part.tone in blocks.BESIDE:
            error += part.text.strip()
        elif isinstance(part, blocks.Toned) and part.tone == "letters":
            letters = part.text.strip()
        else:
            text += part.text  # type: ignore[union-attr]  # a str is told above
    return text, error, letters


def row_html(row: blocks.Row, cells: str, wide: int) -> str:
    """Return one row, and a second one for its note."""
    if not (row.note or row.child or row.anchor):
        return f"<tr>{cells}"  # what most are
    kinds = " ".join([name for name, there in (("child", row.child), ("noted", bool(row.note))) if there])
    marks = (f' class="{kinds}"' if kinds else "") + (f' id="{escape(row.anchor)}"' if row.anchor else "")
    note = f'<tr class="note"><td colspan="{wide}">{line_html(row.note)}' if row.note else ""
    return f"<tr{marks}>{cells}{note}"
