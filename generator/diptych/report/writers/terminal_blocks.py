"""One block as lines of a terminal: how each kind is written, in the whole report and in the short one."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from diptych import numbers
from diptych.report import blocks
from diptych.report.writers.columns import filled_lines, indented, padded, paragraph, side_by_side, width_of, wrapped
from diptych.report.writers.commands import command_lines
from diptych.report.writers.diffs import Piece, changed_shown, diff_pieces, hidden_shown
from diptych.report.writers.harmless import one_line, shorten, visible
from diptych.report.writers.terminal_tables import Paper, one_line_text, table_lines

FOLD = 160
"""Equal characters kept at each end of a longer equal stretch."""

TEXT_LINES = 40
"""Lines that one side of a text may take."""

MOST_SAID = 5
"""Lines of a verdict that a tight report keeps, the last one, the next step, among them."""

TASKS = 20
"""Tasks of a grid that a terminal lists."""

GATES, ASKED = "gates", 3
"""A rule's answer was asked for: it may take so many lines, however tight the report is."""

UNBROKEN = re.compile(r"(?<=\d) (?=(?:%|pp)(?:\W|$))")
"""The space between a number and its unit."""


def block_lines(block: blocks.Block, paper: Paper) -> list[str]:
    """Return one block as lines, running text as a paragraph; what is folded stands in the whole report only."""
    write = WRITERS.get(type(block))
    if write is None:
        margin = "  " if paper.full else ""
        return paragraph(one_line_text(block), paper.width, margin, paper.line_limit(False))  # type: ignore[arg-type]
    lines: list[str] = write(block, paper)
    return lines


def call_lines(command: blocks.Command, paper: Paper) -> list[str]:
    """Return a command for the shell; a call in Python that is broken over lines may not paste."""
    return [] if command.language == "python" else ["", *command_lines(command.text, paper.width), ""]


def caption_lines(drawing: blocks.Bars | blocks.Picture, paper: Paper) -> list[str]:
    """Return what stands below a drawing on a page: a terminal has no room for more of it."""
    return paragraph(one_line_text(drawing.line), paper.width, "  ")


def verdict_lines(verdict: blocks.Verdict, paper: Paper) -> list[str]:
    """Return the sign, with its word where the lines begin with something else, then each line of the verdict."""
    lines = [f"{verdict.sign} {visible(verdict.word)}"] if verdict.apart else []
    for number, line in said_lines(verdict, paper):
        text = UNBROKEN.sub(numbers.NO_BREAK, visible(blocks.line_text(line)).replace("\n", " "))
        limit = None if number in paper.whole else paper.line_limit(number == 0)
        limit = limit and limit + paper.longer.get(number, 0)
        wrapped_text = paragraph(text, paper.width, "  " if lines else f"{verdict.sign} ", limit)
        lines += [line.replace(numbers.NO_BREAK, " ") for line in wrapped_text]
    if lines:
        lines[0] = lines[0].replace(verdict.sign, paper.ink(verdict.sign, verdict.tone), 1)
    for number, line in enumerate(verdict.caveats[: None if paper.tight < 5 else 2], len(verdict.lines)):
        limit = None if number in paper.whole else paper.at_most(3)
        lines += paragraph(one_line_text(line), paper.width, "  ! ", limit)
    return [*lines, ""]


def said_lines(verdict: blocks.Verdict, paper: Paper) -> list[tuple[int, blocks.Line]]:
    """Return the lines of a verdict by number; of many, a tight report only counts those before the last one."""
    told = list(enumerate(verdict.lines))
    if paper.tight < 5 or len(told) <= MOST_SAID:
        return told
    kept = [(number, line) for number, line in told[:-1] if number < MOST_SAID - 1 or number in paper.whole]
    if hidden := len(told) - 1 - len(kept):
        paper.counted(numbers.more(hidden, "sentences of the verdict"))
    return [*kept, told[-1]]


def text_lines(block: blocks.Text, paper: Paper) -> list[str]:
    """Return a text as it was written, its middle left out where it is long."""
    head = paragraph(one_line(block.title), paper.width, "  ") if block.title else []
    return head + indented(
        wrapped(middle_left_out(hidden_shown(block.text)), paper.width - 4, TEXT_LINES), "    ", "    "
    )


def grid_lines(grid: blocks.Grid, paper: Paper) -> list[str]:
    """Return how the tasks fell, and the first of them with a sign a column."""
    columns = (blocks.Column("Task"), *(blocks.Column(name) for name in grid.columns))
    rows = tuple(blocks.Row(((row.name,), *((sign,) for sign, _, _ in row.cells))) for row in grid.rows[:TASKS])
    table = table_lines(blocks.Table(columns, rows, "tasks"), paper)
    hidden = len(grid.rows) - len(rows)
    more = [f"  {numbers.counted(hidden, 'more task')} on the page (--html)"] if hidden else []
    return [*paragraph(one_line(grid.note), paper.width, "  "), *table, *more]


def facts_lines(facts: blocks.Facts, paper: Paper) -> list[str]:
    """Return names with their values, the values below each other."""
    if facts.full and not paper.full:
        return []
    if facts.brief and not paper.full:
        return paragraph(one_line_text(facts.brief), paper.width)
    room = min(24, max((width_of(name) for name, _ in facts.rows), default=0))
    lines = []
    for name, value in facts.rows:
        first = padded(shorten(name, 24), room) + "  "
        limit = None if paper.full else 2
        if not paper.full and any(isinstance(part, blocks.Code) for part in value):
            value, limit = first_file(value, paper.width - width_of(first)), 1
        lines += paragraph(one_line_text(value), paper.width, first, limit)
    return lines


def first_file(value: blocks.Line, room: int) -> blocks.Line:
    """Return a line up to its first code, a file's path, whose folders are cut where the line would wrap."""
    place = next(place for place, part in enumerate(value) if isinstance(part, blocks.Code))
    lead = one_line_text(value[:place])
    path = blocks.line_text(value[place : place + 1])
    room = max(16, room - width_of(lead) - 1)
    folders, mark, name = path.rpartition("/")
    left = room - len(mark + name)
    shown = f"{shorten(folders, left)}{mark}{name}" if len(path) > room and left > 8 else shorten(path, room)
    return (lead, " ", shown)


def listing_lines(listing: blocks.Listing, paper: Paper) -> list[str]:
    """Return entries; of many of one kind the first, the others counted, unless all is asked for."""
    lines: list[str] = []
    shown, room = listing.entries[: paper.at_most(listing.brief)], ASKED if listing.what == GATES else 1
    for number, entry in enumerate(shown, 1):
        lines += entry_lines(entry, f"{number}. " if listing.numbered else "", paper, room)
    hidden = len(listing.entries) - len(shown)
    return lines + (paper.counted(numbers.more(hidden, listing.what)) if hidden else [])


def entry_lines(entry: blocks.Entry, mark: str, paper: Paper, brief: int) -> list[str]:
    """Return one entry behind its sign; a short report gives it so many lines."""
    sign = f"{entry.sign} " if entry.sign else mark
    first = f"  {sign}"
    text = one_line_text(entry.line)
    if entry.more and not paper.full:
        text += f" ({numbers.count(len(entry.more))} more alike)"
    lines = paragraph(text, paper.width, first, None if paper.full else brief)
    if entry.sign:
        lines[0] = lines[0].replace(entry.sign, paper.ink(entry.sign, entry.tone), 1)
    if paper.full:
        lines += [line for more in entry.more for line in paragraph(one_line_text(more), paper.width, "    ")]
    return lines


def strip_lines(strip: blocks.Strip, paper: Paper) -> list[str]:
    """Return the first divergence of a task, its steps below in the whole report."""
    lines = paragraph(f"{one_line(strip.name)}: {one_line_text(strip.line)}", paper.width, "  ")
    signs = {"held": "✓", "alike": "≈", "break": "✗", "after": "·"}
    steps = [f"{signs[step.state]} {step.word} {step.counts}" for step in strip.steps]
    return lines + [paper.ink(line, "quiet") for line in filled_lines(steps, paper.width, "      ")]


SHADES = "█▓▒░"


def heat_lines(heat: blocks.Heat, paper: Paper) -> list[str]:
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


def folded_lines(block: blocks.Folded, paper: Paper) -> list[str]:
    """Return what is folded: its title alone in the short report."""
    if not paper.full and block.counted:
        return paper.counted(block.counted)
    if not paper.full:
        return paragraph(one_line_text(block.title), paper.width, "  ", 3)
    inside = [line for inner in block.blocks for line in block_lines(inner, paper)]
    return ["", *paragraph(one_line_text(block.title), paper.width, "  "), *inside] if inside else []


def diff_lines(diff: blocks.Diff, paper: Paper) -> list[str]:
    """Return two texts in two columns; equal ones are said, not printed."""
    head = ". ".join(text for text in (one_line(diff.title), one_line_text(diff.note)) if text)
    lines = paragraph(head, paper.width, "  ") if head else []
    if diff.a == diff.b:
        return [*lines, "    " + ("equal" if diff.a is not None else "not recorded in either")]
    if diff.a is None or diff.b is None:
        missing = diff.labels[0] if diff.a is None else diff.labels[1]
        lines += paragraph(f"not recorded in {one_line(missing)}", paper.width, "    ")
        return lines + indented(
            wrapped(middle_left_out(hidden_shown(diff.a or diff.b or "")), paper.width - 4, TEXT_LINES), "    ", "    "
        )
    pieces = diff_pieces(diff.a, diff.b)
    half = (paper.width - 2 - 3) // 2
    columns = [wrapped(side_text(pieces, side), half, TEXT_LINES) for side in (0, 1)]
    left, right = (shorten(label, half) for label in diff.labels)
    return [*lines, *indented(side_by_side([left, *columns[0]], [right, *columns[1]], paper.width - 2), "  ", "  ")]


def side_text(pieces: Iterable[Piece], side: int) -> str:
    """Return one side of a difference, its white space visible where it differs."""
    parts = []
    for piece in pieces:
        own, other = (piece.a, piece.b) if side == 0 else (piece.b, piece.a)
        parts.append(
            middle_left_out(hidden_shown(own)) if piece.equal else middle_left_out(changed_shown(own, other), 4 * FOLD)
        )
    return "".join(parts)


def middle_left_out(text: str, keep: int = FOLD) -> str:
    """Return text with its middle left out and counted where it is long."""
    if len(text) <= 2 * keep + 40:
        return text
    return f"{text[:keep]}\n⋯ {numbers.count(len(text) - 2 * keep)} more characters ⋯\n{text[-keep:]}"


WRITERS: Mapping[type, Callable[[Any, Paper], list[str]]] = {
    blocks.Verdict: verdict_lines,
    blocks.Table: table_lines,
    blocks.Facts: facts_lines,
    blocks.Listing: listing_lines,
    blocks.Strip: strip_lines,
    blocks.Heat: heat_lines,
    blocks.Diff: diff_lines,
    blocks.Command: call_lines,
    blocks.Bars: caption_lines,
    blocks.Picture: caption_lines,
    blocks.Text: text_lines,
    blocks.Grid: grid_lines,
    blocks.Folded: folded_lines,
}
"""How each kind of block is written; every other one is running text."""
