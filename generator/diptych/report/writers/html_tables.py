"""A table as HTML: numbers with their points below each other, differences on one axis, rows that a phone can show."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from diptych import numbers
from diptych.report import blocks
from diptych.report.alignment import align_decimals
from diptych.report.charts.block_charts import axis_svg, shared_margin, span_svgs, table_scale
from diptych.report.charts.plots import Scale
from diptych.report.writers.escape import esc, esc_all
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
    cells: list[Any] = list(zip(*[row.cells for row in table.rows], strict=True)) or [()] * len(table.columns)
    drawn = [place for place, column in enumerate(table.columns) if column.span]
    spans = [span for place in drawn for span in cells[place]]
    scale = table_scale(spans)
    margin = shared_margin(spans, scale)
    kept = [place for place in range(len(table.columns)) if place not in drawn or scale is not None]
    heads = "".join([head_html(table.columns[place], scale, stand) for stand, place in enumerate(kept, 1)])
    columns = [
        spans_html(cells[place], scale, not margin)
        if scale is not None and place in drawn
        else column_html(table.columns[place], stand, cells[place])
        for stand, place in enumerate(kept, 1)
    ]
    begins = [row_begin(row) if row.child or row.note else "<tr>" for row in table.rows]
    ends = [note_html(row.note, len(kept)) if row.note else "" for row in table.rows]
    rows = "".join(chain.from_iterable(zip(begins, *columns, ends, strict=True)))
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
    narrow = [place for place in kept if not hides(table.columns[place]) and not table.columns[place].line]
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


def hides(column: blocks.Column) -> bool:
    """Say whether a narrow screen leaves out a column."""
    return column.leaves > 1 or column.span


def head_html(column: blocks.Column, scale: Scale | None, stand: int) -> str:
    """Return a column's head; that of differences is their axis."""
    if column.span and scale is not None:
        return f'<th scope="col" class="w"><span class="hidden-text">Plot</span>{axis_svg(scale)}'
    if not column.title:
        return '<td class="w">' if column.leaves else "<td>"
    title = column.title.replace(" ", numbers.NO_BREAK) if len(column.title) <= SIGN else column.title
    return f'<th scope="col"{class_attribute(classes(column, stand))}>{name_html(title)}'


@lru_cache(256)
def classes(column: blocks.Column, stand: int) -> tuple[str, ...]:
    """Return the classes of a column's cells: `n` numbers far right, `w` what a phone leaves out, `l` its own lines."""
    far = stand not in STYLED
    names = (("n", far and column.right), ("w", far and hides(column)), ("l", column.line))
    return tuple(name for name, there in names if there)


def class_attribute(names: Sequence[str]) -> str:
    """Return classes as an attribute, nothing for none."""
    return f' class="{" ".join(names)}"' if names else ""


def spans_html(spans: Sequence[blocks.Span], scale: Scale, margins: bool) -> list[str]:
    """Return the cells of a column of drawings; `margins` says that each has its own."""
    return [f"<td>{svg}" if svg else '<td class="w">' for svg in span_svgs(spans, scale, margins)]


def column_html(column: blocks.Column, stand: int, lines: Sequence[blocks.Line]) -> list[str]:
    """Return the cells of a column, the `stand`-th that is shown, as HTML."""
    own = classes(column, stand)
    start = "<th scope=row>" if stand == 1 else f"<td{class_attribute(own)}>"
    if column.right:
        return numbers_html(lines, start)
    if stand == 1:
        return [start + name_line_html(line) for line in lines]
    lone = [line[0] for line in lines if len(line) == 1]
    if len(lone) == len(lines) and {*map(type, lone)} == {blocks.Toned}:
        return [word_html(word, own) for word in lone]
    return [start + text for text in texts_html(lines)]


def numbers_html(lines: Sequence[blocks.Line], start: str) -> list[str]:
    """Return cells of numbers, padded to one point."""
    parted = [number_and_small(line) for line in lines]
    shown = esc_all(align_decimals([text for text, _ in parted]))
    return [f"{start}{text}{small}" for text, (_, small) in zip(shown, parted, strict=True)]


@lru_cache(1024)
def name_line_html(line: blocks.Line) -> str:
    """Return what names a row; the runs of an archive mostly share their metrics."""
    return line_html(line)


@lru_cache(256)
def word_html(word: blocks.Toned, own: tuple[str, ...]) -> str:
    """Return a cell that holds one toned word; `own` are the classes of its column."""
    return f"<td{class_attribute([*own, 'word', word.tone])}>{esc(SIGNED.sub(numbers.NO_BREAK, word.text))}"


def texts_html(lines: Sequence[blocks.Line]) -> list[str]:
    """Return cells of words; short texts stay on one line."""
    texts = [line[0] for line in lines if line and type(line[0]) is str]
    smalls = [small_html(line[1:]) for line in lines]
    whole = "".join(texts)
    if len(texts) < len(lines) or None in smalls or "`" in whole or ("-" in whole and any(smalls)):
        return [line_html(unbroken(line)) for line in lines]
    told = esc_all([text.replace(" ", numbers.NO_BREAK) if len(text) <= SHORT else text for text in texts])
    return [text + small for text, small in zip(told, smalls, strict=True) if small is not None]


@lru_cache(256)
def small_html(rest: blocks.Line) -> str | None:
    """Return what stands small beside a cell's text, "" where nothing does, None where it is anything else."""
    if not rest:
        return ""
    note = rest[0]
    if len(rest) > 1 or not isinstance(note, blocks.Toned) or note.tone not in blocks.BESIDE:
        return None
    return f"<small>{esc(text)}</small>" if (text := note.text.strip()) else ""


def unbroken(cell: blocks.Line) -> blocks.Line:
    """Return a cell whose short texts stay on one line."""
    if len(cell) == 1 and type(cell[0]) is not str:
        return cell
    return tuple(
        [part.replace(" ", numbers.NO_BREAK) if type(part) is str and len(part) <= SHORT else part for part in cell]
    )


@lru_cache(1024)
def number_and_small(line: blocks.Line) -> tuple[str, str]:
    """Return a number's text, and as HTML what stands small beside it: the letters of its groups, its error."""
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
    groups = f"<sup>{esc(letters)}</sup>" if letters else ""
    return text.strip(), f"{groups}<small>{esc(error)}</small>" if error else groups


def row_begin(row: blocks.Row) -> str:
    """Return how a row begins that is a part of one above, or has a note below."""
    kinds = [name for name, there in (("child", row.child), ("noted", bool(row.note))) if there]
    return f"<tr{class_attribute(kinds)}>"


def note_html(note: blocks.Line, wide: int) -> str:
    """Return a row's note as a row of its own."""
    return f'<tr class="note"><td colspan="{wide}">{line_html(note)}'
