"""A table in a terminal: numbers aligned on the point, columns leave where room is short."""

from collections.abc import Sequence

from diptych import numbers
from diptych.report import blocks
from diptych.report.alignment import align_decimals
from diptych.report.writers.columns import Ink, padded, paragraph, width_of
from diptych.report.writers.harmless import one_line, shorten

CELL = 44
"""Characters of a name or a value in a table's cell."""


class Paper:
    """What a block is written on: its width, its ink, and whether the whole report is asked for.

    `tight` is how much a short report leaves out: 0 what is usual, each step one line or entry more. `spare` rows
    of a table and the `whole` paragraphs of a verdict, by their number, have room all the same, others for some
    `longer` lines. `hidden` collects what a short report counts in one line at its end.
    """

    def __init__(self, width: int, colour: bool, full: bool, tight: int = 0, spare: int = 0) -> None:
        self.width = width
        self.ink = Ink(colour)
        self.full = full
        self.tight = tight
        self.spare = spare
        self.whole: set[int] = set()
        self.longer: dict[int, int] = {}
        self.hidden: list[str] = []

    def line_limit(self, answer: bool) -> int | None:
        """Return how many lines a paragraph of a verdict may take; its answer keeps most."""
        mine, others = {3: (None, 2), 4: (4, 2), 5: (3, 2), 6: (3, 1), 7: (2, 1)}.get(self.tight, (None, None))
        return mine if answer else others

    def counted(self, text: str) -> list[str]:
        """Return the line that counts what is not shown; none in a short report, which counts all that at its end."""
        if self.full:
            return [f"  {text}"]
        self.hidden.append(text)
        return []

    def at_most(self, usual: int) -> int | None:
        """Return how many lines or entries a short report shows of what has no end; None where all is shown."""
        return None if self.full else max(min(1, usual), usual - self.tight)


def one_line_text(line: blocks.Line) -> str:
    """Return running text on one line, harmless."""
    return one_line(blocks.line_text(line)).strip()


def table_lines(table: blocks.Table, paper: Paper) -> list[str]:
    """Return a table, numbers aligned on the point; columns leave where room is short."""
    wanted = table.rows if paper.full else [row for row in table.rows if not row.full]
    rows = wanted[: paper.at_most(table.brief + paper.spare)]
    while rows and rows[-1].is_head:
        rows = rows[:-1]
    places = [
        place for place, column in enumerate(table.columns) if not column.span and (paper.full or not column.full)
    ]
    lines = laid_out(table, rows, places, paper) if rows else []
    hidden = sum(not row.is_head for row in wanted[len(rows) :])
    if hidden:
        lines += paper.counted(numbers.more(hidden, table.what))
    note = table.note if paper.full else table.short_note
    return lines + (paragraph(one_line(note), paper.width, "  ") if note and lines else [])


def laid_out(table: blocks.Table, rows: Sequence[blocks.Row], places: list[int], paper: Paper) -> list[str]:
    """Return rows in the columns that find room: the first column takes what the others leave."""
    columns = {place: column_texts(table, rows, place) for place in places}
    kept = list(places)
    least = min(18, max((width_of(text) for text in columns[places[0]]), default=0))
    while leaving := [place for place in kept[1:] if table.columns[place].leaves]:
        if room_for_first(kept, columns, paper) >= least:
            break
        kept.remove(max(leaving, key=lambda place: table.columns[place].leaves))
    if room_for_first(kept, columns, paper) < min(8, least):
        return stacked(table, rows, places, paper)
    room = min(max(map(width_of, columns[kept[0]])), max(8, room_for_first(kept, columns, paper)))
    lines = []
    for number in range(len(rows) + 1):
        cells = [columns[place][number] for place in kept]
        row = rows[number - 1] if number else None
        if number or any(cell.strip() for cell in cells):
            lines += row_lines(cells, row, room, paper)
    return lines


def stacked(table: blocks.Table, rows: Sequence[blocks.Row], places: list[int], paper: Paper) -> list[str]:
    """Return rows whose columns do not fit side by side: the first cell, then each other one below it."""
    lines: list[str] = []
    room = min(20, max(width_of(table.columns[place].title) for place in places[1:]))
    for row in rows:
        lines += paragraph(one_line_cell(row, places[0]), paper.width, "  ")
        for place in places[1:]:
            if text := one_line_cell(row, place, 2 * CELL):  # a line of its own leaves room for a sentence
                title = padded(shorten(table.columns[place].title, 20), room)
                lines += [
                    with_toned_word(line, row, paper) for line in paragraph(text, paper.width, f"      {title}  ")
                ]
        if row.note and paper.full:
            lines += [paper.ink(line, "quiet") for line in paragraph(one_line_text(row.note), paper.width, "      ")]
    return lines


def room_for_first(kept: Sequence[int], columns: dict[int, list[str]], paper: Paper) -> int:
    """Return how many columns of the terminal the first column of a table may take."""
    return paper.width - 2 - sum(width_of(columns[place][0]) + 2 for place in kept[1:])


def column_texts(table: blocks.Table, rows: Sequence[blocks.Row], place: int) -> list[str]:
    """Return a column with its title, all of one width but for the first."""
    column = table.columns[place]
    texts = [one_line_cell(row, place) for row in rows]
    title = column.short or column.title
    if place == 0:
        return [title, *texts]
    if column.right:
        texts = align_decimals(texts, pad=" ", point=" ", left=" ")
    width = max(width_of(text) for text in (title, *texts))
    return [padded(text, width, right=column.right) for text in (title, *texts)]


def one_line_cell(row: blocks.Row, place: int, most: int = CELL) -> str:
    """Return a cell on one line; errors of scores leave, and long texts are cut in their middle."""
    cell = row.cells[place]
    if isinstance(cell, blocks.Span):
        return ""
    text = "".join(
        part if isinstance(part, str) else part.text
        for part in cell
        if isinstance(part, str) or getattr(part, "tone", "") not in blocks.BESIDE
    )
    return shorten(text, most if place else 2 * CELL)


def row_lines(cells: Sequence[str], row: blocks.Row | None, room: int, paper: Paper) -> list[str]:
    """Return one row; a name that is too long stands on a line of its own, its note below in the whole report."""
    indent = "    " if row is not None and row.child else "  "
    name = cells[0]
    rest = "  ".join(cells[1:]).rstrip()
    if row is not None:
        rest = with_toned_word(rest, row, paper)
    if width_of(indent + name) > room + 2:
        lines = [*paragraph(name, paper.width, indent), *([f"  {padded('', room)}  {rest}".rstrip()] if rest else [])]
    else:
        lines = [f"{indent}{padded(name, room + 2 - len(indent))}  {rest}".rstrip()]
    if row is not None and row.note and paper.full:
        lines += [paper.ink(line, "quiet") for line in paragraph(one_line_text(row.note), paper.width, "      ")]
    return lines


def with_toned_word(text: str, row: blocks.Row, paper: Paper) -> str:
    """Return a row's text with its toned word in colour."""
    for cell in row.cells:
        for part in cell if not isinstance(cell, blocks.Span) else ():
            tone = getattr(part, "tone", "")
            if tone and tone not in blocks.BESIDE and not isinstance(part, str):
                return text.replace(part.text, paper.ink(part.text, tone), 1)
    return text
