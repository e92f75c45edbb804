"""Two texts side by side as HTML: what differs is marked, white space that differs is visible, equal stretches fold."""

from collections.abc import Sequence

from diptych import numbers
from diptych.report.writers.diffs import Piece, changed_shown, diff_pieces, hidden_shown
from diptych.report.writers.escape import esc, escape

EDGE = 120
"""Equal characters that stay in sight beside a difference."""

LONG = 5_000
"""Characters from which on one side's own text folds."""

BRIEF = 240
"""Characters of the end of an equal prompt that stay in sight: the question, after the examples."""


def pair_html(
    a: str | None,
    b: str | None,
    *,
    whole: bool = True,
    parting: bool = False,
    labels: tuple[str, str] = ("A", "B"),
    brief: bool = False,
) -> str:
    """Return two texts in two columns, or one where they are equal.

    `whole` keeps folded text on the page behind a fold; without it the fold only says how much is there. `parting`
    marks the place where the texts part. `brief` folds all but the end of a text that is equal in both.
    """
    if a == b:
        shown = ending(a, whole) if brief and a else unpaired_text(a, whole)
        return f'<div class="pair one">{column("equal in both", "", shown)}</div>'
    if not a or not b:
        shown = column(labels[0], "a", unpaired_text(a, whole)) + column(labels[1], "b", unpaired_text(b, whole))
        return f'<div class="pair">{shown}</div>'
    pieces = diff_pieces(a, b)
    columns = (column(name, "ab"[place], side(pieces, place, whole, parting)) for place, name in enumerate(labels))
    return f'<div class="pair">{"".join(columns)}</div>'


def column(title: str, letter: str, body: str) -> str:
    """Return one column under its letter."""
    head = f'<span class="letter {letter}">{esc(title)}</span>' if letter else f'<span class="quiet">{title}</span>'
    return f'<div><div class="side">{head}</div><div class="text" tabindex="0">{body}</div></div>'


def unpaired_text(text: str | None, whole: bool) -> str:
    """Return a text that has no counterpart to differ from."""
    if text is None:
        return '<span class="empty">not recorded</span>'
    if not text:
        return '<span class="empty">empty</span>'
    return fold_middle(hidden_shown(text), LONG // 2, LONG // 4, "more characters", whole)


def ending(text: str, whole: bool) -> str:
    """Return the last lines of a text, what stands before them behind a fold."""
    if len(text) <= 2 * BRIEF:
        return unpaired_text(text, whole)
    shown = hidden_shown(text)
    start = shown.find("\n", len(shown) - BRIEF) + 1 or len(shown) - BRIEF
    return fold_middle(shown, 0, len(shown) - start, "characters before this", whole)


def side(pieces: Sequence[Piece], place: int, whole: bool, parting: bool) -> str:
    """Return one side of a difference; `place` is 0 for A, 1 for B."""
    parts = []
    letter = "ab"[place]
    mark = '<span class="parts" title="here the answers part"></span>' if parting else ""
    for number, piece in enumerate(pieces):
        own, other = (piece.a, piece.b) if place == 0 else (piece.b, piece.a)
        if piece.equal:
            head = EDGE if number else EDGE // 2
            tail = EDGE if number < len(pieces) - 1 else EDGE // 2
            parts.append(fold_middle(hidden_shown(own), head, tail, "equal characters", whole))
            continue
        parts.append(mark)
        mark = ""
        if own:
            parts.append(fold_middle(changed_shown(own, other), LONG // 2, LONG // 4, "more characters", whole, letter))
        else:
            parts.append(f'<mark class="{letter} gap" title="nothing here">‸</mark>')
    return "".join(parts)


def fold_middle(text: str, head: int, tail: int, words: str, whole: bool, letter: str = "") -> str:
    """Return text with its middle behind a fold where it is long; the fold says how many characters it holds.

    `letter` marks the text as one side's own.
    """
    if len(text) <= head + tail + 80:
        return marked(text, letter)
    middle = text[head : len(text) - tail]
    told = f"⋯ {numbers.count(len(middle))} {words} ⋯"
    fold = f'<span class="empty">{told}</span>'
    if whole:
        fold = f"<details><summary>{told}</summary>{marked(middle, letter)}</details>"
    return f"{marked(text[:head], letter)}{fold}{marked(text[len(text) - tail :], letter)}"


def marked(text: str, letter: str) -> str:
    """Return text escaped, as one side's own where there is a letter."""
    return f'<mark class="{letter}">{escape(text)}</mark>' if letter else str(escape(text))
