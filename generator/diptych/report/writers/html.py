"""A Document as the body of a page: put together in Python, where it costs a fifth of what a template would.

Every text is escaped on its way in; styles go by class, so that a row weighs little more than its words.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from diptych import numbers
from diptych.report import blocks
from diptych.report.charts.block_charts import bars_svg, heat_svg
from diptych.report.writers.escape import Markup, esc, escape, id_of
from diptych.report.writers.html_inline import REGION, line_html
from diptych.report.writers.html_tables import table_html
from diptych.report.writers.sides import pair_html


def document_body(document: blocks.Document) -> Markup:
    """Return what stands between a page's head and its foot."""
    sections = blocks.sections_at(document.sections, "page")
    first, *rest = sections if sections and sections[0].anchor == "verdict" else (None, *sections)
    parts = [f"<h1>{esc(document.title)}</h1>"]
    if first is not None:
        parts.append("".join(block_html(block) for block in first.blocks))
    parts.append(jump_html(rest))
    parts += [section_html(section) for section in rest if section is not None]
    parts.append(downloads_html(document.downloads))
    return Markup("".join(parts))


def jump_html(sections: Sequence[blocks.Section | None]) -> str:
    """Return the links to the sections of a page."""
    inside = "".join(
        f'<li><a href="#{section.anchor}">{esc(section.title)}</a>'
        for section in sections
        if section is not None and section.title
    )
    return f'<nav aria-label="On this page"><ul class="jump">{inside}</ul></nav>'


def downloads_html(downloads: Sequence[tuple[str, str]]) -> str:
    """Return what can be taken from a page, at its foot."""
    files = "".join(f'<li><a href="{escape(href)}" download>{esc(text)}</a>' for text, href in downloads)
    return f'<ul class="jump downloads" aria-label="Downloads">{files}</ul>' if files else ""


def section_html(section: blocks.Section) -> str:
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


def block_html(block: blocks.Block) -> str:
    """Return one block; running text is a paragraph."""
    write = WRITERS.get(type(block))
    return f"<p>{line_html(block)}</p>" if write is None else write(block)  # type: ignore[arg-type]


def heat_html(heat: blocks.Heat) -> str:
    """Return a figure of shades."""
    return f"<figure>{heat_svg(heat)}<figcaption>{esc(heat.title)}</figcaption></figure>"


def bars_html(bars: blocks.Bars) -> str:
    """Return a figure of bars."""
    return f'<figure class="bars">{bars_svg(bars)}<figcaption>{line_html(bars.line)}</figcaption></figure>'


def picture_html(picture: blocks.Picture) -> str:
    """Return a plot that may be moved sideways."""
    caption = f"<figcaption>{line_html(picture.line)}</figcaption>" if picture.line else ""
    return f"<figure>{REGION.format('Plot')}{picture.svg}</div>{caption}</figure>"


def folded_html(folded: blocks.Folded) -> str:
    """Return blocks behind their title."""
    inner = "".join(map(block_html, folded.blocks))
    return f"<details{' open' if folded.open else ''}><summary>{line_html(folded.title)}</summary>{inner}</details>"


def verdict_html(verdict: blocks.Verdict) -> str:
    """Return the verdict as a box: its sign and word, then its lines."""
    word = verdict.word if verdict.named else verdict.word[:1].upper() + verdict.word[1:]
    lines = "".join(f"<p>{line_html(without_heading(word, line))}</p>" for line in verdict.lines)
    if verdict.caveats:
        caveats = "".join(f"<li>{line_html(line)}" for line in verdict.caveats)
        lines += f'<p class="caveats-head">Read with care</p><ul class="caveats">{caveats}</ul>'
    return (
        f'<section class="strip {verdict.tone}" aria-label="Verdict"><p class="answer">'
        f'<span class="icon" aria-hidden="true">{esc(verdict.sign)}</span> <span>{esc(word)}</span></p>'
        f"{lines}</section>"
    )


def without_heading(word: str, line: blocks.Line) -> blocks.Line:
    """Return a line without the word that stands above it as a heading ("Inconclusive: no …")."""
    first = line[0] if line else ""
    if not isinstance(first, str) or not first.startswith(f"{word}: "):
        return line
    rest = first.removeprefix(f"{word}: ")
    return (rest[:1].upper() + rest[1:], *line[1:])


def facts_html(facts: blocks.Facts) -> str:
    """Return names with their values."""
    rows = "".join(f"<dt>{esc(name)}<dd>{line_html(value)}" for name, value in facts.rows)
    return f'<dl class="facts">{rows}</dl>'


def listing_html(listing: blocks.Listing) -> str:
    """Return entries as a list."""
    tag = "ol" if listing.numbered else "ul"
    toned = any(entry.sign for entry in listing.entries)
    rows = "".join(map(entry_html, listing.entries))
    return f"<{tag}{' class=findings' if toned else ''}>{rows}</{tag}>"


def entry_html(entry: blocks.Entry) -> str:
    """Return one entry: its word, its text, others of its kind behind a fold."""
    word = f'<span class="severity">{esc(entry.sign)} {esc(entry.word)}:</span> ' if entry.word else ""
    more = ""
    if entry.more:
        rows = "".join(f"<li>{line_html(line)}" for line in entry.more)
        told = f"{numbers.count(len(entry.more))} more of this kind"
        more = f'<details><summary class="quiet">{told}</summary><ul>{rows}</ul></details>'
    kind = f' class="{entry.tone}"' if entry.tone else ""
    return f"<li{kind}>{word}{line_html(entry.line)}{more}"


def strip_html(strip: blocks.Strip) -> str:
    """Return the first divergence of a task as steps; each broken one leads to its first item."""
    signs = {"held": "✓", "alike": "≈", "break": "✗", "after": "·"}
    steps = "".join(
        f'<li class="{step.state}"><span class="step">{signs[step.state]} {esc(step.word)}</span> {esc(step.counts)}'
        f"{first_html(step.href)}"
        for step in strip.steps
    )
    head = f'<h3>{esc(strip.name)} <span class="quiet">{line_html(strip.line)}</span></h3>'
    return f'{head}<ol class="ladder">{steps}</ol>' if steps else head


def first_html(href: str) -> str:
    """Return the link to the first item that differs, or nothing."""
    return f' <a href="{escape(href)}">first</a>' if href else ""


def diff_html(diff: blocks.Diff) -> str:
    """Return two texts side by side under their labels; equal ones once."""
    head = f'<h3>{esc(diff.title)} <span class="quiet">{line_html(diff.note)}</span></h3>' if diff.title else ""
    return head + str(pair_html(diff.a, diff.b, whole=diff.whole, labels=diff.labels))


def command_html(command: blocks.Command) -> str:
    """Return a command to copy."""
    title = f"<p>{esc(command.title)}</p>" if command.title else ""
    return f'{title}<div class="command"><pre tabindex="0">{esc(command.text)}</pre></div>'


def text_html(title: str, text: str) -> str:
    """Return a text as it was written."""
    head = f'<p class="side">{esc(title)}</p>' if title else ""
    return f'{head}<div class="text" tabindex="0">{esc(text)}</div>'


def grid_html(grid: blocks.Grid) -> str:
    """Return many tasks as a table that a script lets a reader search, filter and sort; without it all stand there."""
    heads = "".join(f'<th scope="col" data-sort="text">{esc(name)}' for name in ("Task", "Question", *grid.columns))
    words = "".join(f'<option value="{escape(word)}">{esc(text)}</option>' for word, text in grid.words)
    narrow = f"g{min(len(grid.columns) + 1, 10)}"
    return (
        f'<p class="quiet">{esc(grid.note)}</p><form class="finder" role="search" hidden>'
        f'<label>Find <input type="search" name="text" autocomplete="off" placeholder="{escape(grid.hint)}"></label>'
        f'<label>Outcome <select name="word"><option value="">any</option>{words}</select></label>'
        '<input type="hidden" name="kind" value=""><output aria-live="polite"></output></form>'
        f'{REGION.format("Tasks by student")}<table class="grid k {narrow}" data-finder><thead><tr>{heads}'
        f"<tbody>{''.join(map(grid_row_html, grid.rows))}</table></div>"
    )


def grid_row_html(row: blocks.GridRow) -> str:
    """Return one task; its question opens to the texts."""
    cells = "".join(
        f'<td class="nowrap"><span class="word {tone}">{sign} {esc(word)}</span>' for sign, word, tone in row.cells
    )
    question = esc(row.line)
    if row.texts:
        inner = "".join(f"<div>{text_html(title, text)}</div>" for title, text in row.texts)
        opens = f'<div class="answers">{inner}</div>'
        question = f'<details class="branch"><summary>{question or "answers"}</summary>{opens}</details>'
    name = f'<th scope="row" id="task-{escape(id_of(row.name))}">{esc(row.name)}'
    return f'<tr data-word="{escape(row.word)}" data-kind="">{name}<td>{question}{cells}'


WRITERS: Mapping[type, Callable[[Any], str]] = {
    blocks.Verdict: verdict_html,
    blocks.Table: table_html,
    blocks.Facts: facts_html,
    blocks.Listing: listing_html,
    blocks.Strip: strip_html,
    blocks.Heat: heat_html,
    blocks.Diff: diff_html,
    blocks.Command: command_html,
    blocks.Bars: bars_html,
    blocks.Picture: picture_html,
    blocks.Text: lambda block: text_html(block.title, block.text),
    blocks.Grid: grid_html,
    blocks.Folded: folded_html,
}
"""How each kind of block is written; every other one is running text."""
