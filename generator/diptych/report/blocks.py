"""The nouns of a report: a Document of sections, each of typed blocks, which three writers lay out.

What is said, in which order and in which words is decided once, where a Document is made (`documents/`). A writer
(`writers/`) only lays out: terminal, Markdown for a comment, HTML for a page. Every text here is plain: each writer
escapes it in its own way, so that nothing a model or a person wrote acts anywhere. Numbers are worded already
(numbers.py), words are the lexicon's (catalogue/words.py).
"""

from collections.abc import Sequence
from typing import Literal

from diptych.fast_named_tuple import NamedTuple

Tone = str
"""A word of the style: better, worse, same, unclear, void, mixed, accent, quiet, error, warning, or "" for none."""

Place = Literal["brief", "full", "comment", "page"]
"""Where a section stands: a terminal's 25 lines, its whole report (--full), a comment, a page."""


class Code(NamedTuple):
    """A text of an artifact's that is written as code: a setting's key, a value."""

    text: str


class Name(NamedTuple):
    """A name that a person gave (a task, a run): code in a comment, where it could act, and plain elsewhere."""

    text: str


class Link(NamedTuple):
    """A name with the page that it leads to; only pages link."""

    text: str
    href: str
    code: bool = False


class Toned(NamedTuple):
    """Our own word with its tone ("▼ worse"): colour only repeats what the sign says."""

    text: str
    tone: Tone


BESIDE = ("error-of", "level-of")
"""Tones of what stands small beside a number: how far a score is known, at which level a CI is."""

Inline = str | Code | Name | Link | Toned
Line = tuple[Inline, ...]
"""Running text. A bare `str` is a sentence: its words may come from an artifact, and are escaped as such."""


class Span(NamedTuple):
    """A difference on an axis that the whole column shares; hollow where it is not significant."""

    centre: float | None
    low: float | None
    high: float | None
    tone: Tone
    significant: bool
    margin: float | None = None
    floor: float | None = None


Cell = Line | Span


class Column(NamedTuple):
    """A column of a table. `leaves` says where room is short and it goes first: 0 never, the largest first."""

    title: str
    right: bool = False
    leaves: int = 0
    span: bool = False
    full: bool = False
    """Stands only on pages and in whole reports."""
    short: str = ""
    """The title where a line has 80 columns; "" where the title is short itself."""
    line: bool = False
    """Words that a phone sets on a line of their own, below the row's name."""


class Row(NamedTuple):
    """A table's row; `note` is a quieter line of its own below."""

    cells: tuple[Cell, ...]
    note: Line = ()
    child: bool = False
    full: bool = False
    """Stands only on pages and in whole reports: a short one says it elsewhere."""

    @property
    def is_head(self) -> bool:
        """Whether it only names what stands below it."""
        return not any(cell for cell in self.cells[1:] if not isinstance(cell, Span))


class Table(NamedTuple):
    """Rows under columns, the most important row first; `what` names them where some have to be left out."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    what: str = "rows"
    note: str = ""
    least: int = 0
    brief: int = 8
    """Rows that a terminal's short report shows."""
    of_errors: str = ""
    """A note on the errors of numbers, which only pages show."""
    by_run: bool = False
    """Its columns are runs, each cell a word or a value."""
    short_note: str = ""
    """What a terminal's short report says in place of the note: what its cells cannot be read without."""


class Verdict(NamedTuple):
    """The answer, before all else: a sign and a word, then a few lines; `word` is "" where the lines say it.

    `caveats` are what could turn it, the gravest first; `named` says that the word begins with a label, `apart` that
    the lines begin with something else, so that the sign would be read as that one's.
    """

    sign: str
    word: str
    tone: Tone
    lines: tuple[Line, ...]
    caveats: tuple[Line, ...] = ()
    named: bool = False
    apart: bool = False


class Facts(NamedTuple):
    """Names with their values."""

    rows: tuple[tuple[str, Line], ...]
    full: bool = False
    """Stands only on pages and in whole reports: a short one says it elsewhere."""
    brief: Line = ()
    """What a terminal's short report says in their place."""


class Entry(NamedTuple):
    """One entry of a list; `more` are further entries of its kind, folded where there is a fold."""

    line: Line
    sign: str = ""
    word: str = ""
    tone: Tone = ""
    more: tuple[Line, ...] = ()


class Listing(NamedTuple):
    """Entries, the most important first."""

    entries: tuple[Entry, ...]
    what: str = "entries"
    least: int = 0
    numbered: bool = False
    brief: int = 3
    """Entries that a terminal's short report shows."""


class Step(NamedTuple):
    """One step of a strip: what was compared, how much was equal, and the first that was not.

    `alike` is equal but for its form: the same words, sent as messages on one side.
    """

    word: str
    counts: str
    state: Literal["held", "alike", "break", "after"]
    href: str = ""


class Strip(NamedTuple):
    """The first divergence of one task, or of several that diverge alike; `line` says it in words."""

    name: str
    line: Line
    steps: tuple[Step, ...] = ()
    open: bool = True


class Heat(NamedTuple):
    """Many differences as one strip, sorted: (name, difference as text, share of the largest from -1 to 1, tone)."""

    title: str
    cells: tuple[tuple[str, str, float, Tone], ...]
    ends: tuple[str, str]


class Diff(NamedTuple):
    """Two texts side by side under their labels; `None` was not recorded. `whole` keeps folded text on the page."""

    title: str
    note: Line
    a: str | None
    b: str | None
    labels: tuple[str, str]
    whole: bool = True


class Command(NamedTuple):
    """A command to copy, with what it is for."""

    text: str
    language: str = "sh"
    title: str = ""


class Bars(NamedTuple):
    """A histogram: (upper edge or name, count as text, share of the tallest from 0 to 1), with its axis named."""

    title: str
    axis: str
    bars: tuple[tuple[str, str, float], ...]
    line: Line


class Picture(NamedTuple):
    """A drawing that only pages hold, as SVG that `charts/` made; `line` says what it shows."""

    svg: str
    line: Line


class Text(NamedTuple):
    """A text as a model or a program wrote it, line for line."""

    title: str
    text: str


class GridRow(NamedTuple):
    """One task in a grid: its id, a line of its question, and of each column a sign with its word and tone.

    `word` is what the grid can be filtered by; `texts` are what the row opens to.
    """

    name: str
    line: str
    cells: tuple[tuple[str, str, Tone], ...]
    word: str
    texts: tuple[tuple[str, str], ...] = ()


class Grid(NamedTuple):
    """Many tasks under columns, to be searched, filtered and sorted; `words` are the filters (value, text)."""

    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    words: tuple[tuple[str, str], ...]
    note: str
    hint: str


class Folded(NamedTuple):
    """Blocks behind one summary; a terminal shows them in its whole report alone.

    `counted` tells how many there are where there is no room for the summary.
    """

    title: Line
    blocks: tuple["Block", ...]
    open: bool = False
    counted: str = ""


Block = Line | Verdict | Table | Facts | Listing | Strip | Heat | Diff | Command | Bars | Picture | Text | Grid | Folded


class Section(NamedTuple):
    """A part of a report under one title.

    `places` says which writers show it, `folded` where it stands behind its title; `drop` is when it goes where a
    comment has no room (an entry of `budget.ORDER`).
    """

    anchor: str
    title: str
    blocks: tuple[Block, ...]
    lead: str = ""
    places: frozenset[Place] = frozenset(("full", "comment", "page"))
    folded: frozenset[Place] = frozenset()
    drop: str = "detail"


class Document(NamedTuple):
    """All that a report says. `title` is what was compared; `sign`, `word` and `tone` are the answer in a few words.

    `cause` and `worst` serve an overview of many reports; `changed` says that a reader must hear of it. `downloads`
    are (text, address) of what a page offers to take away.
    """

    kind: str
    title: str
    sign: str
    word: str
    tone: Tone
    sections: tuple[Section, ...]
    headline: str = ""
    cause: str = ""
    worst: Line = ()
    changed: bool = False
    downloads: tuple[tuple[str, str], ...] = ()


EVERYWHERE: frozenset[Place] = frozenset(("brief", "full", "comment", "page"))
IN_FULL: frozenset[Place] = frozenset(("full", "comment", "page"))
IN_COMMENT: frozenset[Place] = frozenset(("comment",))
ON_PAGES: frozenset[Place] = frozenset(("full", "page"))


def sections_at(sections: Sequence[Section], place: Place) -> tuple[Section, ...]:
    """Return the sections that one place shows, empty ones left out."""
    return tuple(section for section in sections if place in section.places and section.blocks)


def line_text(line: Line) -> str:
    """Return a line without what sets its parts apart."""
    return "".join(part if isinstance(part, str) else part.text for part in line)
