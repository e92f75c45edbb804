"""A Document as the parts of a comment: what stands open, then the rest folded, each with its place in the budget.

Bots and forges read the raw body: every name becomes code and every sentence passes `plain`, so that nothing acts.
"""

from collections.abc import Iterable, Sequence

from diptych import numbers
from diptych.fast_named_tuple import NamedTuple
from diptych.numbers import NO_BREAK
from diptych.report import blocks
from diptych.report.comment.budget import Block
from diptych.report.comment.comment_words import axis_reach, cells_row, chart, running_text, table_head, text_beginning
from diptych.report.comment.comment_words import block as code_block
from diptych.report.writers.markdown import cell, code_html, plain_sentence, shorten

OPEN_ROWS = 12
"""Rows of a table that stand open: a screen."""

FOLDED_ROWS = 100
"""Rows of a table that are folded below those; a comment is no place for more."""

OPEN_ENTRIES = 8
"""Entries of a list that stand open; a longer one would hide the rest of the comment."""

COMMAND = 3_000
"""Characters of a command that a comment holds."""


LISTED = blocks.Listing | blocks.Facts | blocks.Strip
"""Blocks whose rows are entries of one list."""


class Parts(NamedTuple):
    """A comment's parts: the lines of the verdict, which always stay, then blocks."""

    intro: tuple[str, ...]
    blocks: tuple[Block, ...]


def comment_parts(document: blocks.Document) -> Parts:
    """Return a report as the parts of a comment."""
    intro = [f"### {document.sign} {running_text(document.headline, 160)}"]
    made: list[Block] = []
    for section in blocks.sections_at(document.sections, "comment"):
        if section.anchor == "verdict":
            intro += verdict_lines(section)
        else:
            made += section_blocks(section)
    return Parts(tuple(intro), tuple(made))


def verdict_lines(section: blocks.Section) -> list[str]:
    """Return the lines of the verdict; only the first may be long. Columns that are numbered are named at the end."""
    boxes = [block for block in section.blocks if isinstance(block, blocks.Verdict)]
    lines = [line for box in boxes for line in box.lines]
    told = [running_line(line, 1_000 if not number else 400) for number, line in enumerate(lines)]
    caveats = [f"- ⚠ {running_line(line, 400)}" for box in boxes for line in box.caveats]
    named = [
        running_line(block.brief, 1_000)
        for block in section.blocks
        if isinstance(block, blocks.Facts) and block.brief and not block.full
    ]
    return [*told, *(["\n".join(caveats)] if caveats else []), *named]


def section_blocks(section: blocks.Section) -> list[Block]:
    """Return one section: each table a part of its own, what is no table as paragraphs."""
    fold = "comment" in section.folded
    title = plain_sentence(section.title) if not fold else heading_html((section.title,))
    head = Block(section.drop, section.title.lower(), (), title=title, fold=fold, apart=True)
    made: list[Block] = []
    for block in section.blocks:
        made = added(made, block, head)
    if made and not fold:
        bare = not section.title or section.anchor == "scores"
        made[0] = made[0]._replace(title="" if bare else f"**{plain_sentence(section.title)}**")
    if made and section.lead:
        made[0] = made[0]._replace(
            note="\n\n".join(part for part in (made[0].note, plain_sentence(section.lead)) if part)
        )
    return made


def added(made: list[Block], block: blocks.Block, head: Block) -> list[Block]:
    """Return a section's parts with one block more."""
    if isinstance(block, blocks.Table):
        return made + table_blocks(block, head if not made else head._replace(title=continued(head)))
    if isinstance(block, blocks.Folded):
        return made + folded_blocks(block, head)
    if isinstance(block, blocks.Heat | blocks.Bars | blocks.Picture | blocks.Text | blocks.Grid):
        return made
    rows = tuple(paragraphs_of(block))
    if head.fold and isinstance(block, blocks.Listing | blocks.Facts):
        rows = ("\n".join(rows),)
    if head.fold and made and not made[-1].head and isinstance(block, LISTED | blocks.Command):
        return [*made[:-1], made[-1]._replace(rows=made[-1].rows + rows, apart=True)]
    what, least = (block.what, block.least) if isinstance(block, blocks.Listing) else (head.what, 0)
    if isinstance(block, blocks.Listing) and not head.fold and len(rows) > OPEN_ENTRIES:
        title = f"More {block.what} ({len(rows) - OPEN_ENTRIES})"
        rest = head._replace(what=what, rows=rows[OPEN_ENTRIES:], title=title, fold=True, apart=False)
        return [*made, head._replace(what=what, rows=rows[:OPEN_ENTRIES], least=least, apart=False), rest]
    if made and made[-1].apart and made[-1].what == what:
        return [*made[:-1], made[-1]._replace(rows=made[-1].rows + rows)]
    if made and not isinstance(block, LISTED | blocks.Diff | blocks.Command | blocks.Verdict):
        return [*made[:-1], made[-1]._replace(note="\n\n".join(part for part in (made[-1].note, *rows) if part))]
    title = block.what.capitalize() if made and head.fold and isinstance(block, blocks.Listing) else head.title
    return [
        *made,
        head._replace(what=what, rows=rows, least=least, apart=not isinstance(block, LISTED), title=title),
    ]


def continued(head: Block) -> str:
    """Return the title of a section's further table."""
    return f"{head.title}, continued" if head.fold else ""


def paragraphs_of(block: blocks.Block) -> Iterable[str]:
    """Return what is no table as ready paragraphs or entries of a list."""
    match block:
        case blocks.Listing():
            marks = (f"{number}." if block.numbered else "-" for number in range(1, len(block.entries) + 1))
            return [entry_row(entry, mark) for entry, mark in zip(block.entries, marks, strict=True)]
        case blocks.Strip():
            return [strip_row(block)]
        case blocks.Facts():
            return [f"- {plain_sentence(name)}: {running_line(value)}" for name, value in block.rows]
        case blocks.Diff():
            return [diff_text(block)]
        case blocks.Command():
            return [code_block(command_or_length(block.text), block.language)]
        case (
            blocks.Table()
            | blocks.Folded()
            | blocks.Heat()
            | blocks.Bars()
            | blocks.Picture()
            | blocks.Text()
            | blocks.Grid()
            | blocks.Verdict()
        ):
            return []
        case _:
            return [running_line(block)]


def command_or_length(text: str) -> str:
    """Return a command; of one longer than a screen only its length: the quotes of half a command stay open."""
    return text if len(text) <= COMMAND else f"# a command of {numbers.count(len(text))} characters, on the page"


def running_line(line: blocks.Line, limit: int = 500) -> str:
    """Return running text: names as code, sentences made harmless."""
    told = ""
    for part in line:
        told += running_part(part, limit, begins=not told.strip())
    return told.strip()


def running_part(part: blocks.Inline, limit: int, *, begins: bool) -> str:
    """Return one part of running text, which may begin a line; a pipe needs no backslash here."""
    if isinstance(part, str):
        lead, tail = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
        return f"{lead[:1]}{running_text(part, limit, begins=begins)}{tail[:1]}" if part.strip() else part
    if isinstance(part, blocks.Toned):
        return plain_sentence(part.text)
    return cell(part.text, 80).replace("\\|", "|")


def heading_html(line: blocks.Line) -> str:
    """Return a line for a summary, where Markdown does not act: names as code."""
    return "".join(
        plain_html(part) if isinstance(part, str | blocks.Toned) else code_html(shorten(part.text, 80)) for part in line
    )


def plain_html(part: str | blocks.Toned) -> str:
    """Return our own words for a summary; a word that anything could act on as code."""
    text = part if isinstance(part, str) else part.text
    words = [word if plain_sentence(word) == word else code_html(word) for word in text.split(" ")]
    return " ".join(words)


def entry_row(entry: blocks.Entry, mark: str = "-") -> str:
    """Return an entry of a list behind its mark; others of its kind are counted."""
    sign = f"{entry.sign} " if entry.sign else ""
    more = f" ({numbers.count(len(entry.more))} more alike)" if entry.more else ""
    return f"{mark} {sign}{running_line(entry.line)}{more}"


def strip_row(strip: blocks.Strip) -> str:
    """Return the first divergence of a task with its steps."""
    signs = {"held": "✓", "alike": "≈", "break": "✗", "after": "·"}
    steps = ", ".join(f"{signs[step.state]} {step.word} {step.counts}" for step in strip.steps)
    return f"- {cell(strip.name, 80)}: {running_line(strip.line)}" + (f" ({plain_sentence(steps)})" if steps else "")


def diff_text(diff: blocks.Diff) -> str:
    """Return two texts one below the other, each in a block of its own."""
    parts = [f"{cell(diff.title, 80)}: {running_line(diff.note)}"]
    for label, text in zip(diff.labels, (diff.a, diff.b), strict=True):
        shown = "not recorded" if text is None else text_beginning(text)
        parts.append(f"{cell(label, 40)}\n\n{shown}")
    return "\n\n".join(parts)


def folded_blocks(block: blocks.Folded, head: Block) -> list[Block]:
    """Return the tables behind a summary, each as a fold; texts side by side have no place in a comment."""
    tables = [inner for inner in block.blocks if isinstance(inner, blocks.Table)]
    title = heading_html(block.title)
    return [
        part
        for table in tables
        for part in table_blocks(table, head._replace(title=title, fold=True, kind=quieter(head.kind)))
    ]


def quieter(kind: str) -> str:
    """Return when a fold goes: before what stands open above it."""
    return "unclear" if kind == "worse" else kind


def table_blocks(table: blocks.Table, head: Block) -> list[Block]:
    """Return a table as Markdown; of an open one what is more than a screen is folded."""
    # a forge's page is narrow: where it cuts a table, the plot goes and the word stays
    places = sorted(
        (place for place, column in enumerate(table.columns) if not column.full),
        key=lambda place: table.columns[place].span,
    )
    reach = reach_in(table)
    titles = [column_title(table, place, reach) for place in places]
    rows = tuple(table_row(line, table, places, reach) for line in table.rows)
    made = head._replace(
        what=table.what,
        rows=rows,
        head=table_head(*titles),
        note=plain_sentence(table.note),
        least=table.least,
        apart=False,
    )
    if head.fold or len(rows) <= OPEN_ROWS:
        return [made._replace(least=min(len(rows), max(table.least, 0 if head.fold else 10)))]
    rest = made._replace(
        rows=rows[OPEN_ROWS : OPEN_ROWS + FOLDED_ROWS],
        title=numbers.more(min(len(rows) - OPEN_ROWS, FOLDED_ROWS), "rows"),
        fold=True,
        note="",
        total=len(rows) - OPEN_ROWS,
        least=0,
        kind=quieter(head.kind),
    )
    return [made._replace(rows=rows[:OPEN_ROWS], least=10), rest]


def column_title(table: blocks.Table, place: int, reach: float) -> str:
    """Return a column's title: flush right for numbers, the ends of the axis for differences."""
    column = table.columns[place]
    if column.span:
        end = numbers.points(reach, unit=False).lstrip("+").removesuffix(".0")
        return f"{numbers.MINUS}{end} … +{end}" if reach else " "
    title = plain_sentence(column.title) if column.title else " "
    return f":{title}" if column.right else title


def reach_in(table: blocks.Table) -> float:
    """Return how far the axis of a table reaches."""
    spans = [cell_ for line in table.rows for cell_ in line.cells if isinstance(cell_, blocks.Span)]
    return axis_reach([end for span in spans for end in (span.centre, span.low, span.high) if span.low is not None])


def table_row(line: blocks.Row, table: blocks.Table, places: Sequence[int], reach: float) -> str:
    """Return a row; its note, where the table is no table of scores, stands in a cell of its own."""
    cells = []
    for place in places:
        one = line.cells[place]
        if isinstance(one, blocks.Span):
            cells.append(chart(one.centre, one.low, one.high, reach) if one.low is not None else "")
        else:
            cells.append(cell_text(one, place == 0, line.child))
    return cells_row(*cells)


def cell_text(line: blocks.Line, first: bool, child: bool) -> str:
    """Return a cell: names and values as code, numbers unbroken, errors left out, a level in brackets.

    A line may end before the level and inside a word's name, so that a narrow forge cuts no column.
    """
    parts = []
    for part in line:
        if isinstance(part, blocks.Toned) and part.tone in blocks.BESIDE:
            parts += (
                [" ", f"({plain_sentence(part.text.strip())})".replace(" ", NO_BREAK)]
                if part.tone == "level-of"
                else []
            )
            continue
        if isinstance(part, blocks.Code | blocks.Name | blocks.Link):
            parts.append(cell(part.text, 60))
        elif isinstance(part, blocks.Toned):
            parts.append(plain_sentence(part.text, begins=False).replace(" ", NO_BREAK, 1))
        else:
            text = plain_sentence(shorten(part, 240), begins=False) if part.strip() else part
            parts.append(text if first or len(text) > 24 else text.replace(" ", NO_BREAK))
    return (f"↳{NO_BREAK}" if child and first else "") + "".join(parts)
