"""A Document as text for a terminal: a short report of 25 lines, or the whole one; at most `width` columns."""

from collections.abc import Iterable, Sequence, Set

from diptych import numbers
from diptych.report.blocks import (
    Bars,
    Block,
    Column,
    Command,
    Diff,
    Document,
    Entry,
    Facts,
    Folded,
    Grid,
    Heat,
    Line,
    Listing,
    Picture,
    Place,
    Row,
    Section,
    Span,
    Strip,
    Table,
    Text,
    Verdict,
    at,
    text_of,
)
from diptych.report.writers.columns import Ink, filled, indented, padded, paragraph, side_by_side, width_of, wrapped
from diptych.report.writers.commands import command_lines
from diptych.report.writers.diffs import Piece, changed_shown, difference, hidden_shown
from diptych.report.writers.harmless import one_line, shorten, visible

FOLD = 160
"""Equal characters kept at each end of a longer equal stretch."""

TEXT_LINES = 40
"""Lines that one side of a text may take."""

TASKS = 20
"""Tasks of a grid that a terminal lists."""

CELL = 44
"""Characters of a name or a value in a table's cell."""

MORE = "More: --full (all), --samples N (prompts and responses), --html (the page)."


class Paper:
    """What a block is written on: its width, its ink, and whether the whole report is asked for."""

    def __init__(self, width: int, colour: bool, full: bool) -> None:
        self.width = width
        self.ink = Ink(colour)
        self.full = full


def document_text(
    document: Document, width: int = 80, colour: bool = False, full: bool = False, more: str = MORE
) -> str:
    """Return a report; no escape code unless `colour`. Short, it says at its end how to see more."""
    place: Place = "full" if full else "brief"
    paper = Paper(width, colour, full)
    parts = [part for section in at(document.sections, place) if (part := section_lines(section, paper))]
    if not full:
        parts.append(paragraph(more, width))
        parts = joined(parts, {paper.ink(section.title, "bold") for section in document.sections if section.title})
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def joined(parts: Sequence[list[str]], titles: Set[str]) -> list[list[str]]:
    """Return the parts of a short report, those of a line or two and no title without a line between them."""
    made: list[list[str]] = []
    for part in parts:
        if len(made) > 1 and len(part) <= 2 and part[0] not in titles:
            made[-1] = [*made[-1], *part]
        else:
            made.append(part)
    return made


def sample_text(blocks: Sequence[Block], width: int = 80, colour: bool = False) -> str:
    """Return items side by side, and nothing else."""
    paper = Paper(width, colour, True)
    lines = [line for block in blocks for line in ("", *block_lines(block, paper))]
    return "\n".join(lines[1:] or ["No item is logged on both sides."]) + "\n"


def section_lines(section: Section, paper: Paper) -> list[str]:
    """Return a section under its title."""
    lines = [line for block in section.blocks for line in block_lines(block, paper)]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        return []
    if not section.title or section.anchor == "verdict":
        return lines
    if not paper.full:
        return [paper.ink(section.title, "bold"), *lines]
    head = [paper.ink(section.title.upper(), "bold")]
    head += paragraph(section.lead, paper.width, "  ") if section.lead else []
    return [*head, *lines]


def block_lines(block: Block, paper: Paper) -> list[str]:
    """Return one block as lines; what is folded stands in the whole report only."""
    match block:
        case Verdict():
            return verdict_lines(block, paper)
        case Table():
            return table_lines(block, paper)
        case Facts():
            return facts_lines(block, paper)
        case Listing():
            return listing_lines(block, paper)
        case Strip():
            return strip_lines(block, paper)
        case Heat():
            return heat_lines(block, paper)
        case Diff():
            return diff_lines(block, paper)
        case Command() if block.language == "python":
            return []  # a call that is broken over lines may not paste
        case Command():
            return ["", *command_lines(block.text, paper.width), ""]
        case Bars():
            return paragraph(said(block.line), paper.width, "  ")
        case Picture():
            return paragraph(said(block.line), paper.width, "  ")
        case Text():
            return text_lines(block, paper)
        case Grid():
            return grid_lines(block, paper)
        case Folded():
            return folded_lines(block, paper)
        case _:
            return paragraph(said(block), paper.width, "  " if paper.full else "")


def said(line: Line) -> str:
    """Return running text on one line, harmless."""
    return one_line(text_of(line)).strip()


def verdict_lines(verdict: Verdict, paper: Paper) -> list[str]:
    """Return the sign, then each line of the verdict; the sign carries the tone."""
    lines: list[str] = []
    for number, line in enumerate(verdict.lines):
        text = visible(text_of(line)).replace("\n", " ")
        lines += paragraph(text, paper.width, f"{verdict.sign} " if not number else "  ")
    if lines:
        lines[0] = lines[0].replace(verdict.sign, paper.ink(verdict.sign, verdict.tone), 1)
    for line in verdict.caveats:
        lines += paragraph(said(line), paper.width, "  ! ", None if paper.full else 3)
    return [*lines, ""]


def text_lines(block: Text, paper: Paper) -> list[str]:
    """Return a text as it was written, its middle left out where it is long."""
    head = paragraph(one_line(block.title), paper.width, "  ") if block.title else []
    return head + indented(wrapped(folded(hidden_shown(block.text)), paper.width - 4, TEXT_LINES), "    ", "    ")


def grid_lines(grid: Grid, paper: Paper) -> list[str]:
    """Return how the tasks fell, and the first of them with a sign a column."""
    columns = (Column("Task"), *(Column(name) for name in grid.columns))
    rows = tuple(Row(((row.name,), *((sign,) for sign, _, _ in row.cells))) for row in grid.rows[:TASKS])
    table = table_lines(Table(columns, rows, "tasks"), paper)
    hidden = len(grid.rows) - len(rows)
    more = [f"  {numbers.counted(hidden, 'more task')} on the page (--html)"] if hidden else []
    return [*paragraph(one_line(grid.note), paper.width, "  "), *table, *more]


def facts_lines(facts: Facts, paper: Paper) -> list[str]:
    """Return names with their values, the values below each other."""
    room = min(24, max((width_of(name) for name, _ in facts.rows), default=0))
    lines = []
    for name, value in facts.rows:
        limit = None if paper.full else 2
        lines += paragraph(said(value), paper.width, padded(shorten(name, 24), room) + "  ", limit)
    return lines


def listing_lines(listing: Listing, paper: Paper) -> list[str]:
    """Return entries; of many of one kind the first, the others counted, unless all is asked for."""
    lines: list[str] = []
    shown = listing.entries if paper.full else listing.entries[: listing.brief]
    for number, entry in enumerate(shown, 1):
        lines += entry_lines(entry, f"{number}. " if listing.numbered else "", paper)
    hidden = len(listing.entries) - len(shown)
    return lines + ([f"  {numbers.more(hidden, listing.what)}"] if hidden else [])


def entry_lines(entry: Entry, mark: str, paper: Paper) -> list[str]:
    """Return one entry behind its sign."""
    sign = f"{entry.sign} " if entry.sign else mark
    first = f"  {sign}"
    text = said(entry.line)
    if entry.more and not paper.full:
        text += f" ({numbers.count(len(entry.more))} more alike)"
    limit = None if paper.full else 2
    lines = paragraph(text, paper.width, first, limit)
    if entry.sign:
        lines[0] = lines[0].replace(entry.sign, paper.ink(entry.sign, entry.tone), 1)
    if paper.full:
        lines += [line for more in entry.more for line in paragraph(said(more), paper.width, "    ")]
    return lines


def strip_lines(strip: Strip, paper: Paper) -> list[str]:
    """Return the first divergence of a task, its steps below in the whole report."""
    lines = paragraph(f"{one_line(strip.name)}: {said(strip.line)}", paper.width, "  ")
    signs = {"held": "✓", "break": "✗", "after": "·"}
    steps = [f"{signs[step.state]} {step.word} {step.counts}" for step in strip.steps]
    return lines + [paper.ink(line, "quiet") for line in filled(steps, paper.width, "      ")]


SHADES = "█▓▒░"


def heat_lines(heat: Heat, paper: Paper) -> list[str]:
    """Return many differences as one strip of shades, falls before rises."""
    if not heat.cells:
        return []
    room = paper.width - 4
    step = max(1, -(-len(heat.cells) // room))
    marks = "".join(shade(heat.cells[place][2]) for place in range(0, len(heat.cells), step))
    ends = f"{heat.ends[0]} … {heat.ends[1]}"
    return [f"  {marks}", *paragraph(f"{heat.title}: {ends}", paper.width, "  ")]


def shade(share: float) -> str:
    """Return a sign that is darker for a larger difference; a rise is a plus, nothing a dot."""
    if share == 0:
        return "·"
    return SHADES[3 - min(3, int(abs(share) * 3.999))] if share < 0 else "+"


def folded_lines(block: Folded, paper: Paper) -> list[str]:
    """Return what is folded: its title alone in the short report."""
    if not paper.full:
        return paragraph(said(block.title), paper.width, "  ", 3)
    inside = [line for inner in block.blocks for line in block_lines(inner, paper)]
    return ["", *paragraph(said(block.title), paper.width, "  "), *inside] if inside else []


def table_lines(table: Table, paper: Paper) -> list[str]:
    """Return a table, numbers aligned on the point; columns leave where room is short."""
    rows = table.rows if paper.full else table.rows[: table.brief]
    places = [
        place for place, column in enumerate(table.columns) if not column.span and (paper.full or not column.full)
    ]
    lines = laid_out(table, rows, places, paper)
    hidden = len(table.rows) - len(rows)
    if hidden:
        lines += [f"  {numbers.more(hidden, table.what)}"]
    return lines + (paragraph(table.note, paper.width, "  ") if table.note and paper.full else [])


def laid_out(table: Table, rows: Sequence[Row], places: list[int], paper: Paper) -> list[str]:
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


def stacked(table: Table, rows: Sequence[Row], places: list[int], paper: Paper) -> list[str]:
    """Return rows whose columns do not fit side by side: the first cell, then each other one below it."""
    lines: list[str] = []
    room = min(20, max(width_of(table.columns[place].title) for place in places[1:]))
    for row in rows:
        lines += paragraph(cell_text(row, places[0]), paper.width, "  ")
        for place in places[1:]:
            if text := cell_text(row, place):
                title = padded(shorten(table.columns[place].title, 20), room)
                lines += [toned(line, row, paper) for line in paragraph(text, paper.width, f"      {title}  ")]
        if row.note and paper.full:
            lines += [paper.ink(line, "quiet") for line in paragraph(said(row.note), paper.width, "      ")]
    return lines


def room_for_first(kept: Sequence[int], columns: dict[int, list[str]], paper: Paper) -> int:
    """Return how many columns of the terminal the first column of a table may take."""
    return paper.width - 2 - sum(width_of(columns[place][0]) + 2 for place in kept[1:])


def column_texts(table: Table, rows: Sequence[Row], place: int) -> list[str]:
    """Return a column with its title, all of one width but for the first."""
    column = table.columns[place]
    texts = [cell_text(row, place) for row in rows]
    title = column.short or column.title
    if place == 0:
        return [title, *texts]
    if column.right:
        texts = numbers.align(texts, pad=" ", point=" ", left=" ")
    width = max(width_of(text) for text in (title, *texts))
    return [padded(text, width, right=column.right) for text in (title, *texts)]


def cell_text(row: Row, place: int) -> str:
    """Return a cell on one line; errors of scores leave, and long texts are cut in their middle."""
    cell = row.cells[place]
    if isinstance(cell, Span):
        return ""
    text = "".join(
        part if isinstance(part, str) else part.text
        for part in cell
        if isinstance(part, str) or getattr(part, "tone", "") != "error-of"
    )
    return shorten(text, CELL if place else 2 * CELL)


def row_lines(cells: Sequence[str], row: Row | None, room: int, paper: Paper) -> list[str]:
    """Return one row; a name that is too long stands on a line of its own, its note below in the whole report."""
    indent = "    " if row is not None and row.child else "  "
    name = cells[0]
    rest = "  ".join(cells[1:]).rstrip()
    if row is not None:
        rest = toned(rest, row, paper)
    if width_of(indent + name) > room + 2:
        lines = [*paragraph(name, paper.width, indent), f"  {padded('', room)}  {rest}".rstrip()]
    else:
        lines = [f"{indent}{padded(name, room + 2 - len(indent))}  {rest}".rstrip()]
    if row is not None and row.note and paper.full:
        lines += [paper.ink(line, "quiet") for line in paragraph(said(row.note), paper.width, "      ")]
    return lines


def toned(text: str, row: Row, paper: Paper) -> str:
    """Return a row's text with its toned word in colour."""
    for cell in row.cells:
        for part in cell if not isinstance(cell, Span) else ():
            tone = getattr(part, "tone", "")
            if tone and tone != "error-of" and not isinstance(part, str):
                return text.replace(part.text, paper.ink(part.text, tone), 1)
    return text


def diff_lines(diff: Diff, paper: Paper) -> list[str]:
    """Return two texts in two columns; equal ones are said, not printed."""
    head = ". ".join(text for text in (one_line(diff.title), said(diff.note)) if text)
    lines = paragraph(head, paper.width, "  ") if head else []
    if diff.a == diff.b:
        return [*lines, "    " + ("equal" if diff.a is not None else "not recorded in either")]
    if diff.a is None or diff.b is None:
        missing = diff.labels[0] if diff.a is None else diff.labels[1]
        lines += paragraph(f"not recorded in {one_line(missing)}", paper.width, "    ")
        return lines + indented(
            wrapped(folded(hidden_shown(diff.a or diff.b or "")), paper.width - 4, TEXT_LINES), "    ", "    "
        )
    pieces = difference(diff.a, diff.b)
    half = (paper.width - 2 - 3) // 2
    columns = [wrapped(side_text(pieces, side), half, TEXT_LINES) for side in (0, 1)]
    left, right = (shorten(label, half) for label in diff.labels)
    return [*lines, *indented(side_by_side([left, *columns[0]], [right, *columns[1]], paper.width - 2), "  ", "  ")]


def side_text(pieces: Iterable[Piece], side: int) -> str:
    """Return one side of a difference, its white space visible where it differs."""
    parts = []
    for piece in pieces:
        own, other = (piece.a, piece.b) if side == 0 else (piece.b, piece.a)
        parts.append(folded(hidden_shown(own)) if piece.equal else folded(changed_shown(own, other), 4 * FOLD))
    return "".join(parts)


def folded(text: str, keep: int = FOLD) -> str:
    """Return text with its middle left out and counted where it is long."""
    if len(text) <= 2 * keep + 40:
        return text
    return f"{text[:keep]}\n⋯ {numbers.count(len(text) - 2 * keep)} more characters ⋯\n{text[-keep:]}"
