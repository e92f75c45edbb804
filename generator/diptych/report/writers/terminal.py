"""A Document as text for a terminal: a short report of 25 lines, or the whole one; at most `width` columns."""

from collections.abc import Sequence, Set

from diptych import numbers
from diptych.report import blocks
from diptych.report.writers.columns import paragraph
from diptych.report.writers.terminal_blocks import ASKED, GATES, block_lines
from diptych.report.writers.terminal_tables import Paper, one_line_text

SCREEN = 25
"""Lines of a short report: what fits a terminal without scrolling."""

PARAGRAPHS = 8
"""Paragraphs of a verdict, its cautions among them, that may stand whole where there is room."""

FIRST_WHOLE = 5
"""Paragraphs that come before another row of a table."""

TIGHTEST = 7
"""Steps by which a short report that is longer is shortened: fewer entries, fewer lines each."""

TELLING = 3
"""The answer, the next step and the cause: those of which a cut one gets a few lines more."""

MORE_LINES = 3
"""Lines that a paragraph which is wanted most gets more where it has no room as a whole."""

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

    The paragraphs of the verdict that are wanted most come before another row of a table, the others after it.
    """
    lines: list[str] = []
    paper = Paper(width, colour, False)
    for tight in range(TIGHTEST + 1):
        paper = Paper(width, colour, False, tight)
        lines = shortened(document, paper, end)
        if len(lines) <= SCREEN:
            break
    wanted = most_wanted(document) if paper.tight else []
    lines = with_whole(wanted[:TELLING], document, paper, end, lines)
    lines = with_longer([part for part in wanted[:TELLING] if part not in paper.whole], document, paper, end, lines)
    lines = with_whole(wanted[TELLING:FIRST_WHOLE], document, paper, end, lines)
    for _ in range(paper.tight):
        paper.spare += 1
        longer = shortened(document, paper, end)
        if len(longer) > SCREEN:
            paper.spare -= 1
            break
        lines = longer
    return with_whole(wanted[FIRST_WHOLE:], document, paper, end, lines)


def with_longer(
    parts: Sequence[int], document: blocks.Document, paper: Paper, end: list[str], lines: list[str]
) -> list[str]:
    """Return the report with a few more lines of some paragraphs that are cut: their first sentence at least."""
    for part in parts:
        for more in range(1, MORE_LINES + 1):
            paper.longer[part] = more
            longer = shortened(document, paper, end)
            if len(longer) > SCREEN or longer == lines:
                paper.longer[part] = more - 1
                break
            lines = longer
    return lines


def with_whole(
    parts: Sequence[int], document: blocks.Document, paper: Paper, end: list[str], lines: list[str]
) -> list[str]:
    """Return the report with those of some paragraphs whole for which there is room."""
    for part in parts:
        paper.whole.add(part)
        longer = shortened(document, paper, end)
        if len(longer) > SCREEN:
            paper.whole.remove(part)
        else:
            lines = longer
    return lines


def most_wanted(document: blocks.Document) -> list[int]:
    """Return the paragraphs of the verdict by number, the most wanted first: the answer, the next step, the cause."""
    verdicts = [block for section in document.sections for block in section.blocks if isinstance(block, blocks.Verdict)]
    told = len(verdicts[0].lines) if verdicts else 0
    last = range(told - 1, max(0, told - 3), -1)
    return list(dict.fromkeys([0, *last, *range(PARAGRAPHS)]))[:PARAGRAPHS]


def shortened(document: blocks.Document, paper: Paper, end: Sequence[str]) -> list[str]:
    """Return a short report with its end; what it left out is counted before that."""
    paper.hidden.clear()
    lines = report_lines(document, paper, "brief")
    told = "; ".join(dict.fromkeys(paper.hidden))  # two tables may fold the same rows
    return [*lines, *(paragraph(f"Not shown: {told}.", paper.width) if told else []), *end]


def report_lines(document: blocks.Document, paper: Paper, place: blocks.Place) -> list[str]:
    """Return a report's sections below each other, a line between them."""
    parts = [
        part for section in blocks.sections_at(document.sections, place) if (part := section_lines(section, paper))
    ]
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
