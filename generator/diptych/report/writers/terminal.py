"""A Document as text for a terminal: a short report of 25 lines, or the whole one; at most `width` columns."""

import re
from collections.abc import Iterable, Sequence, Set

from diptych import numbers
from diptych.report import blocks
from diptych.report.writers.columns import filled_lines, indented, padded, paragraph, side_by_side, width_of, wrapped
from diptych.report.writers.commands import command_lines
from diptych.report.writers.diffs import Piece, changed_shown, difference, hidden_shown
from diptych.report.writers.harmless import one_line, shorten, visible
from diptych.report.writers.terminal_tables import Paper, one_line_text, table_lines

FOLD = 160
"""Equal characters kept at each end of a longer equal stretch."""

TEXT_LINES = 40
"""Lines that one side of a text may take."""

TASKS = 20
"""Tasks of a grid that a terminal lists."""


SCREEN = 25
"""Lines of a short report: what fits a terminal without scrolling."""

PARAGRAPHS = 8
"""Paragraphs of a verdict, its cautions among them, that may stand whole where there is room."""

TIGHTEST = 7
"""Steps by which a short report that is longer is shortened: fewer entries, fewer lines each."""


GATES, ASKED = "gates", 3
"""A rule's answer was asked for: it may take so many lines, however tight the report is."""

UNBROKEN = re.compile(r"(?<=\d) (?=(?:%|pp)(?:\W|$))")
"""The space between a number and its unit."""

MORE = "More: --full (all), --samples N (prompts and responses), --html (the page)."


def document_text(
    document: blocks.Document, width: int = 80, colour: bool = False, full: bool = False, more: str = MORE
) -> str:
    """Return a report; no escape code unless `colour`. Short, it says at its end how to see more."""
    if full:
        return "\n".join(report_lines(document, Paper(width, colour, True), "full")) + "\n"
    return "\n".join(brief_report(document, width, colour, paragraph(more, width))) + "\n"


def brief_report(document: blocks.Document, width: int, colour: bool, end: list[str]) -> list[str]:
    """Return a screen of a report: as tight as it must be, then as whole as there is room for.

    A paragraph of the verdict that was cut comes before another row of a table, the first ones first.
    """
    lines: list[str] = []
    paper = Paper(width, colour, False)
    for tight in range(TIGHTEST + 1):
        paper = Paper(width, colour, False, tight)
        lines = shortened(document, paper, end)
        if len(lines) <= SCREEN:
            break
    for part in range(PARAGRAPHS if paper.tight else 0):
        paper.whole.add(part)
        longer = shortened(document, paper, end)
        if len(longer) > SCREEN:
            paper.whole.remove(part)
        else:
            lines = longer
    for _ in range(paper.tight):
        paper.spare += 1
        longer = shortened(document, paper, end)
        if len(longer) > SCREEN:
            break
        lines = longer
    return lines


def shortened(document: blocks.Document, paper: Paper, end: Sequence[str]) -> list[str]:
    """Return a short report with its end; what it left out is counted before that."""
    paper.hidden.clear()
    lines = report_lines(document, paper, "brief")
    told = "; ".join(dict.fromkeys(paper.hidden))  # two tables may fold the same rows
    return [*lines, *(paragraph(f"Not shown: {told}.", paper.width) if told else []), *end]


def report_lines(document: blocks.Document, paper: Paper, place: blocks.Place) -> list[str]:
    """Return a report's sections below each other, a line between them."""
    parts = [part for section in blocks.at(document.sections, place) if (part := section_lines(section, paper))]
    if not paper.full:
        parts = joined_parts(
            parts, {paper.ink(section.title, "bold") for section in document.sections if section.title}
        )
    return "\n\n".join("\n".join(part) for part in parts).split("\n")


def joined_parts(parts: Sequence[list[str]], titles: Set[str]) -> list[list[str]]:
    """Return the parts of a short report, those of a line or two and no title without a line between them."""
    made: list[list[str]] = []
    for part in parts:
        if len(made) > 1 and len(part) <= 2 and part[0] not in titles:
            made[-1] = [*made[-1], *part]
        else:
            made.append(part)
    return made


def sample_text(blocks: Sequence[blocks.Block], width: int = 80, colour: bool = False) -> str:
    """Return items side by side, and nothing else."""
    paper = Paper(width, colour, True)
    lines = [line for block in blocks for line in ("", *block_lines(block, paper))]
    return "\n".join(lines[1:] or ["No item is logged on both sides."]) + "\n"


def section_lines(section: blocks.Section, paper: Paper) -> list[str]:
    """Return a section under its title; what a comment drops early, a tight report only counts."""
    counted = paper.tight > 0 and section.drop == FIRST
    inside = [only_errors(block) if counted else block for block in section.blocks]
    first = inside[0] if inside and section.title and section.anchor != "scores" and not paper.full else None
    if headed := isinstance(first, blocks.Table):
        inside = [under_title(first, section.title), *inside[1:]]
    lines = [line for block in inside for line in block_lines(block, paper)]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        return []
    if not section.title or section.anchor == "verdict":
        return lines
    if headed:
        return [lines[0].replace(section.title, paper.ink(section.title, "bold"), 1), *lines[1:]]
    if not paper.full:
        return brief_lines(section, lines, paper, bare=any(map(shows_none, inside)))
    head = [paper.ink(section.title.upper(), "bold")]
    head += paragraph(section.lead, paper.width, "  ") if section.lead else []
    return [*head, *lines]


def under_title(table: blocks.Table, title: str) -> blocks.Table:
    """Return a table whose first column bears the title of its section, so that no line of its own is needed."""
    first, *rest = table.columns
    return table._replace(columns=(first._replace(title=title, short=title), *rest))


def brief_lines(section: blocks.Section, lines: list[str], paper: Paper, *, bare: bool) -> list[str]:
    """Return a short report's section: a lone line beside its title, a table of scores and what is `bare` without."""
    if bare or section.anchor == "scores":
        return lines
    lists = [block for block in section.blocks if isinstance(block, blocks.Listing)]
    alone = len(section.blocks) == 1 and lists and (len(lists[0].entries) == 1 or paper.tight > 1)
    if not alone:
        return [paper.ink(section.title, "bold"), *lines]
    first, *rest = lists[0].entries
    title = f"{section.title} (1 of {numbers.count(len(rest) + 1)})" if rest else section.title
    made = paragraph(
        f"{title}: {first.sign} {one_line_text(first.line)}".replace(":  ", ": ", 1),
        paper.width - 2,
        "",
        ASKED if lists[0].what == GATES else 1 if paper.tight > 2 else 2,
    )
    return [made[0].replace(title, paper.ink(title, "bold"), 1), *(f"  {line}" for line in made[1:])]


FIRST = "findings"
"""What goes first where a short report is too long."""


def only_errors(block: blocks.Block) -> blocks.Block:
    """Return a block; of a list no more entries than are errors."""
    if not isinstance(block, blocks.Listing):
        return block
    return block._replace(brief=min(block.brief, sum(entry.tone == "error" for entry in block.entries)))


def shows_none(block: blocks.Block) -> bool:
    """Say whether a short report shows no entry of a block, but how many there are."""
    return isinstance(block, blocks.Listing) and not block.brief


def block_lines(block: blocks.Block, paper: Paper) -> list[str]:
    """Return one block as lines; what is folded stands in the whole report only."""
    match block:
        case blocks.Verdict():
            return verdict_lines(block, paper)
        case blocks.Table():
            return table_lines(block, paper)
        case blocks.Facts():
            return facts_lines(block, paper)
        case blocks.Listing():
            return listing_lines(block, paper)
        case blocks.Strip():
            return strip_lines(block, paper)
        case blocks.Heat():
            return heat_lines(block, paper)
        case blocks.Diff():
            return diff_lines(block, paper)
        case blocks.Command() if block.language == "python":
            return []  # a call that is broken over lines may not paste
        case blocks.Command():
            return ["", *command_lines(block.text, paper.width), ""]
        case blocks.Bars():
            return paragraph(one_line_text(block.line), paper.width, "  ")
        case blocks.Picture():
            return paragraph(one_line_text(block.line), paper.width, "  ")
        case blocks.Text():
            return text_lines(block, paper)
        case blocks.Grid():
            return grid_lines(block, paper)
        case blocks.Folded():
            return folded_lines(block, paper)
        case _:
            return paragraph(one_line_text(block), paper.width, "  " if paper.full else "", paper.line_limit(False))


def verdict_lines(verdict: blocks.Verdict, paper: Paper) -> list[str]:
    """Return the sign, then each line of the verdict; the sign carries the tone."""
    lines: list[str] = []
    for number, line in enumerate(verdict.lines):
        text = UNBROKEN.sub(numbers.NO_BREAK, visible(blocks.line_text(line)).replace("\n", " "))
        limit = None if number in paper.whole else paper.line_limit(number == 0)
        wrapped_text = paragraph(text, paper.width, f"{verdict.sign} " if not number else "  ", limit)
        lines += [line.replace(numbers.NO_BREAK, " ") for line in wrapped_text]
    if lines:
        lines[0] = lines[0].replace(verdict.sign, paper.ink(verdict.sign, verdict.tone), 1)
    for number, line in enumerate(verdict.caveats[: None if paper.tight < 5 else 2], len(verdict.lines)):
        limit = None if number in paper.whole else paper.at_most(3)
        lines += paragraph(one_line_text(line), paper.width, "  ! ", limit)
    return [*lines, ""]


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
    signs = {"held": "✓", "break": "✗", "after": "·"}
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
        parts.append(
            middle_left_out(hidden_shown(own)) if piece.equal else middle_left_out(changed_shown(own, other), 4 * FOLD)
        )
    return "".join(parts)


def middle_left_out(text: str, keep: int = FOLD) -> str:
    """Return text with its middle left out and counted where it is long."""
    if len(text) <= 2 * keep + 40:
        return text
    return f"{text[:keep]}\n⋯ {numbers.count(len(text) - 2 * keep)} more characters ⋯\n{text[-keep:]}"
