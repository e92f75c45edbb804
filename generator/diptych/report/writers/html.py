"""A Document as the body of a page: put together in Python, where it costs a fifth of what a template would.

Every text is escaped on its way in; styles go by class, so that a row weighs little more than its words.
"""

import re
from collections.abc import Sequence

from diptych import numbers
from diptych.report.blocks import (
    Bars,
    Block,
    Code,
    Command,
    Diff,
    Document,
    Entry,
    Facts,
    Folded,
    Grid,
    GridRow,
    Heat,
    Inline,
    Line,
    Link,
    Listing,
    Picture,
    Row,
    Section,
    Span,
    Strip,
    Table,
    Text,
    Toned,
    Verdict,
    at,
)
from diptych.report.charts.blocks import axis_svg, bars_svg, heat_svg, scale_of, span_svg
from diptych.report.charts.plots import Scale
from diptych.report.writers.diffs import hidden_shown
from diptych.report.writers.escape import Markup, esc, escape, id_of
from diptych.report.writers.sides import folded, pair_html

REGION = '<div class="scroll" tabindex="0" role="region" aria-label="{}">'
"""What may be wider than the screen: it scrolls by itself, also by keyboard."""

LONG_CODE = 240
"""Characters from which on a value folds."""


def document_body(document: Document) -> Markup:
    """Return what stands between a page's head and its foot."""
    sections = at(document.sections, "page")
    first, *rest = sections if sections and sections[0].anchor == "verdict" else (None, *sections)
    parts = [f"<h1>{esc(document.title)}</h1>"]
    if first is not None:
        parts.append("".join(block_html(block) for block in first.blocks))
    parts.append(jump_html(rest, document.downloads))
    parts += [section_html(section) for section in rest if section is not None]
    return Markup("".join(parts))


def jump_html(sections: Sequence[Section | None], downloads: Sequence[tuple[str, str]]) -> str:
    """Return the links to the sections of a page, and what can be taken from it."""
    inside = "".join(
        f'<li><a href="#{section.anchor}">{esc(section.title)}</a></li>'
        for section in sections
        if section is not None and section.title
    )
    files = "".join(f'<li><a href="{escape(href)}" download>{esc(text)}</a></li>' for text, href in downloads)
    taken = f'<ul class="jump downloads" aria-label="Downloads">{files}</ul>' if files else ""
    return f'<nav aria-label="On this page"><ul class="jump">{inside}</ul></nav>{taken}'


def section_html(section: Section) -> str:
    """Return one section under its heading, or behind it where it is folded."""
    lead = f'<p class="lead">{esc(section.lead)}</p>' if section.lead else ""
    body = lead + "".join(block_html(block) for block in section.blocks)
    if "page" in section.folded:
        return (
            f'<details class="section" id="{section.anchor}"><summary><h2>{esc(section.title)}</h2></summary>'
            f"{body}</details>"
        )
    if not section.title:
        return body
    kind = ' class="left-out"' if section.anchor == "left-out" else ""
    return (
        f'<section{kind} aria-labelledby="{section.anchor}"><h2 id="{section.anchor}">{esc(section.title)}</h2>'
        f"{body}</section>"
    )


def block_html(block: Block) -> str:
    """Return one block."""
    match block:
        case Verdict():
            return verdict_html(block)
        case Table():
            return table_html(block)
        case Facts():
            return facts_html(block)
        case Listing():
            return listing_html(block)
        case Strip():
            return strip_html(block)
        case Heat():
            return f"<figure>{heat_svg(block)}<figcaption>{esc(block.title)}</figcaption></figure>"
        case Diff():
            return diff_html(block)
        case Command():
            return command_html(block)
        case Bars():
            return f'<figure class="bars">{bars_svg(block)}<figcaption>{line_html(block.line)}</figcaption></figure>'
        case Picture():
            caption = f"<figcaption>{line_html(block.line)}</figcaption>" if block.line else ""
            return f"<figure>{REGION.format('Plot')}{block.svg}</div>{caption}</figure>"
        case Text():
            return text_html(block.title, block.text)
        case Grid():
            return grid_html(block)
        case Folded():
            inner = "".join(block_html(one) for one in block.blocks)
            return (
                f"<details{' open' if block.open else ''}><summary>{line_html(block.title)}</summary>{inner}</details>"
            )
        case _:
            return f"<p>{line_html(block)}</p>"


BREAKS = re.compile(r"(?<=\w)([_./=:])(?=\w)")
"""Places where a long name may break."""

SHORT = 24
"""Characters of a cell that stay on one line: a range, a p-value."""


def name_html(text: str) -> str:
    """Return a name that may break at its joints where a column is narrow."""
    return BREAKS.sub(r"\1<wbr>", esc(text)) if len(text) > 10 else esc(text)


def line_html(line: Line) -> str:
    """Return running text."""
    return "".join(map(inline_html, line))


def inline_html(part: Inline) -> str:
    """Return one part of running text; long code folds."""
    if isinstance(part, str):
        return esc(part)
    if isinstance(part, Code):
        text = part.text
        if len(text) > LONG_CODE:
            shown = folded(hidden_shown(text), LONG_CODE // 2, LONG_CODE // 4, "more characters", True)
            return f'<div class="value">{shown}</div>'
        return f"<code>{name_html(text)}</code>"
    if isinstance(part, Link):
        shown = f"<code>{name_html(part.text)}</code>" if part.code else name_html(part.text)
        return f'<a href="{escape(part.href)}">{shown}</a>'
    if isinstance(part, Toned):
        if part.tone == "error-of":
            return f"<small>{esc(part.text.strip())}</small>"
        return f'<span class="word {part.tone}">{esc(part.text)}</span>'
    return name_html(part.text)


def verdict_html(verdict: Verdict) -> str:
    """Return the verdict as a box: its sign and word, then its lines."""
    lines = "".join(f"<p>{line_html(line)}</p>" for line in verdict.lines)
    if verdict.caveats:
        caveats = "".join(f"<li>{line_html(line)}</li>" for line in verdict.caveats)
        lines += f'<p class="caveats-head">What could turn it</p><ul class="caveats">{caveats}</ul>'
    word = verdict.word[:1].upper() + verdict.word[1:]
    return (
        f'<section class="strip {verdict.tone}" aria-label="Verdict"><p class="answer">'
        f'<span class="icon" aria-hidden="true">{esc(verdict.sign)}</span> <span>{esc(word)}</span></p>'
        f"{lines}</section>"
    )


def facts_html(facts: Facts) -> str:
    """Return names with their values."""
    rows = "".join(f"<dt>{esc(name)}</dt><dd>{line_html(value)}</dd>" for name, value in facts.rows)
    return f'<dl class="facts">{rows}</dl>'


def listing_html(listing: Listing) -> str:
    """Return entries as a list."""
    tag = "ol" if listing.numbered else "ul"
    toned = any(entry.sign for entry in listing.entries)
    rows = "".join(map(entry_html, listing.entries))
    return f"<{tag}{' class=findings' if toned else ''}>{rows}</{tag}>"


def entry_html(entry: Entry) -> str:
    """Return one entry: its word, its text, others of its kind behind a fold."""
    word = f'<span class="severity">{esc(entry.sign)} {esc(entry.word)}:</span> ' if entry.word else ""
    more = ""
    if entry.more:
        rows = "".join(f"<li>{line_html(line)}</li>" for line in entry.more)
        told = f"{numbers.count(len(entry.more))} more of this kind"
        more = f'<details><summary class="quiet">{told}</summary><ul>{rows}</ul></details>'
    kind = f' class="{entry.tone}"' if entry.tone else ""
    return f"<li{kind}>{word}{line_html(entry.line)}{more}</li>"


def strip_html(strip: Strip) -> str:
    """Return the first divergence of a task as steps; each broken one leads to its first item."""
    signs = {"held": "✓", "break": "✗", "after": "·"}
    steps = "".join(
        f'<li class="{step.state}"><span class="step">{signs[step.state]} {esc(step.word)}</span> {esc(step.counts)}'
        f"{first_html(step.href)}</li>"
        for step in strip.steps
    )
    head = f'<h3>{esc(strip.name)} <span class="quiet">{line_html(strip.line)}</span></h3>'
    return f'{head}<ol class="ladder">{steps}</ol>' if steps else head


def first_html(href: str) -> str:
    """Return the link to the first item that differs, or nothing."""
    return f' <a href="{escape(href)}">first</a>' if href else ""


def diff_html(diff: Diff) -> str:
    """Return two texts side by side under their labels; equal ones once."""
    head = f'<h3>{esc(diff.title)} <span class="quiet">{line_html(diff.note)}</span></h3>' if diff.title else ""
    return head + str(pair_html(diff.a, diff.b, whole=diff.whole, labels=diff.labels))


def command_html(command: Command) -> str:
    """Return a command to copy."""
    title = f"<p>{esc(command.title)}</p>" if command.title else ""
    return f'{title}<div class="command"><pre tabindex="0">{esc(command.text)}</pre></div>'


def text_html(title: str, text: str) -> str:
    """Return a text as it was written."""
    head = f'<p class="side">{esc(title)}</p>' if title else ""
    return f'{head}<div class="text" tabindex="0">{esc(text)}</div>'


def grid_html(grid: Grid) -> str:
    """Return many tasks as a table that a script lets a reader search, filter and sort; without it all stand there."""
    heads = "".join(
        f'<th scope="col" data-sort="text">{esc(name)}</th>' for name in ("Task", "Question", *grid.columns)
    )
    words = "".join(f'<option value="{escape(word)}">{esc(text)}</option>' for word, text in grid.words)
    return (
        f'<p class="quiet">{esc(grid.note)}</p><form class="finder" role="search" hidden>'
        f'<label>Find <input type="search" name="text" autocomplete="off" placeholder="{escape(grid.hint)}"></label>'
        f'<label>Outcome <select name="word"><option value="">any</option>{words}</select></label>'
        '<input type="hidden" name="kind" value=""><output aria-live="polite"></output></form>'
        f'{REGION.format("Tasks by student")}<table class="grid" data-finder><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(map(grid_row_html, grid.rows))}</tbody></table></div>"
    )


def grid_row_html(row: GridRow) -> str:
    """Return one task; its question opens to the texts."""
    cells = "".join(
        f'<td class="nowrap"><span class="word {tone}">{sign} {esc(word)}</span></td>' for sign, word, tone in row.cells
    )
    question = esc(row.line)
    if row.texts:
        inner = "".join(f"<div>{text_html(title, text)}</div>" for title, text in row.texts)
        opens = f'<div class="answers">{inner}</div>'
        question = f'<details class="branch"><summary>{question or "answers"}</summary>{opens}</details>'
    name = f'<th scope="row" id="task-{escape(id_of(row.name))}">{esc(row.name)}</th>'
    return f'<tr data-word="{escape(row.word)}" data-kind="">{name}<td>{question}</td>{cells}</tr>'


def table_html(table: Table) -> str:
    """Return a table that scrolls by itself where it is wider than the screen."""
    told = " ".join(part for part in (table.note, table.of_errors) if part)
    note = f'<p class="lead">{esc(told)}</p>' if told else ""
    return f"{REGION.format('Table of ' + esc(table.what))}{plain_table_html(table)}</div>{note}"


def plain_table_html(table: Table) -> str:
    """Return a table; numbers stand with their points below each other, differences on one axis."""
    scale = scale_of([cell for row in table.rows for cell in row.cells if isinstance(cell, Span)])
    kept = [place for place, column in enumerate(table.columns) if not column.span or scale is not None]
    heads = "".join(head_html(table, place, scale) for place in kept)
    columns = [column_html(table, place, scale, first=place == kept[0]) for place in kept]
    rows = "".join(row_html(row, "".join(cells), len(kept)) for row, *cells in zip(table.rows, *columns, strict=True))
    return f"<table{table_classes(table, kept)}><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


SPARSE = 5
"""Columns up to which a table without a plot is as wide as its words, not as the page."""


def table_classes(table: Table, kept: Sequence[int]) -> str:
    """Return a table's classes: `t` where it is sparse; `k gN` where a phone sets N cells below each row's name."""
    narrow = [place for place in kept if not hides(table, place)]
    sparse = ["t"] if len(kept) < SPARSE and not any(row.note for row in table.rows) else []
    names = [*sparse, "k", f"g{min(len(narrow) - 1, 10)}"] if len(narrow) > 3 else sparse
    return f' class="{" ".join(names)}"' if names else ""


def hides(table: Table, place: int) -> bool:
    """Say whether a narrow screen leaves out a column."""
    column = table.columns[place]
    return column.leaves > 1 or column.span


def head_html(table: Table, place: int, scale: Scale | None) -> str:
    """Return a column's head; that of differences is their axis."""
    column = table.columns[place]
    if column.span and scale is not None:
        return f'<th scope="col" class="w"><span class="hidden-text">Plot</span>{axis_svg(scale)}</th>'
    if not column.title:
        return '<td class="w"></td>' if column.leaves else "<td></td>"
    return f'<th scope="col"{classes(table, place)}>{esc(column.title)}</th>'


def classes(table: Table, place: int) -> str:
    """Return the classes of a column's cells: `n` for numbers, `w` for what a narrow screen leaves out."""
    column = table.columns[place]
    names = [name for name, there in (("n", column.right), ("w", hides(table, place))) if there]
    return f' class="{" ".join(names)}"' if names else ""


def column_html(table: Table, place: int, scale: Scale | None, *, first: bool) -> list[str]:
    """Return the cells of a column as HTML; numbers padded to one point, their errors as a quieter line below."""
    cells = [row.cells[place] for row in table.rows]
    start, end = '<th scope="row">' if first else f"<td{classes(table, place)}>", "</th>" if first else "</td>"
    if table.columns[place].span:
        spans = [cell for cell in cells if isinstance(cell, Span)]
        return [f'<td class="plot w">{span_svg(span, scale) if scale else ""}</td>' for span in spans]
    lines = [cell for cell in cells if not isinstance(cell, Span)]
    if not table.columns[place].right:
        return [f"{start}{line_html(unbroken(line) if place else line)}{end}" for line in lines]
    parted = [number_and_error(line) for line in lines]
    padded = numbers.align([text for text, _ in parted])
    return [
        f"{start}{esc(text).lstrip(numbers.FIGURE_SPACE)}{error}{end}"
        if any(map(str.isdigit, text))
        else f"{start}{esc(text.strip())}{end}"
        for text, (_, error) in zip(padded, parted, strict=True)
    ]


def unbroken(cell: Line) -> Line:
    """Return a cell whose short texts stay on one line."""
    return tuple(
        part.replace(" ", numbers.NO_BREAK) if isinstance(part, str) and len(part) <= SHORT else part for part in cell
    )


def number_and_error(line: Line) -> tuple[str, str]:
    """Return a number's text, and its error as HTML."""
    text = error = ""
    for part in line:
        if isinstance(part, Toned) and part.tone == "error-of":
            error += f"<small>{esc(part.text.strip())}</small>"
        else:
            text += part if isinstance(part, str) else part.text
    return text, error


def row_html(row: Row, cells: str, wide: int) -> str:
    """Return one row, and a second one for its note."""
    kinds = " ".join(name for name, there in (("child", row.child), ("noted", bool(row.note))) if there)
    marks = (f' class="{kinds}"' if kinds else "") + (f' id="{escape(row.anchor)}"' if row.anchor else "")
    note = f'<tr class="note"><td colspan="{wide}">{line_html(row.note)}</td></tr>' if row.note else ""
    return f"<tr{marks}>{cells}</tr>{note}"
