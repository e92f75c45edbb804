"""Fit a body into what a forge takes: parts go in a stated order, whole or from their last row, never cut.

It knows lengths and an order, nothing of what the parts say.
"""

from collections.abc import Callable, Mapping, Sequence

from diptych.fast_named_tuple import NamedTuple

LIMITS: Mapping[str, int] = {
    "github": 60_000,  # characters; the forge refuses 65,537
    "gitlab": 250_000,  # characters; a quarter of what it takes, and more than anyone reads
    "gitea": 60_000,  # it names no limit itself, the proxy before it may
    "summary": 900_000,  # bytes; over 1 MiB a job summary is dropped whole
}

ORDER = (
    "excerpts",
    "unchanged",
    "cannot",
    "unclear",
    "detail",
    "findings",
    "better",
    "worse",
    "section",
    "overview",
    "kept",
)
"""What goes first. The worst changes, the overview of many and the verdict go last, and never below `least`."""

RESERVE = 1_500
"""Room for the closing lines, which say what was left out."""


class Block(NamedTuple):
    """One part of a body. `rows` are ready Markdown, the most important first; `least` of them always stay.

    `title` heads the block, as Markdown where it stands open and as HTML where it is folded. `what` names the rows in
    the sentence that says how many were left out; `total` counts them where some were never here. Rows that stand
    `apart` are paragraphs of their own.
    """

    kind: str
    what: str
    rows: tuple[str, ...]
    title: str = ""
    fold: bool = False
    head: str = ""
    note: str = ""
    least: int = 0
    total: int | None = None
    section: str = ""
    apart: bool = False


def length_for_forge(text: str, forge: str) -> int:
    """Return a text's length as the forge counts it: characters, or bytes in a job summary."""
    return len(text.encode("utf-8")) if forge == "summary" else len(text)


def rows_that_fit(blocks: Sequence[Block], size: Callable[[int, int], int], fixed: int, limit: int) -> list[int]:
    """Return how many rows of each block stay.

    `size(place, rows)` is the length of a block with so many rows, `fixed` that of everything else. A kind is emptied
    as a whole; where that is more than was needed, its rows come back from the first block on as far as they fit.
    """
    counts = [len(block.rows) for block in blocks]
    total = fixed + sum(size(place, count) for place, count in enumerate(counts))
    for kind in ORDER:
        if total <= limit:
            break
        mine = [place for place, block in enumerate(blocks) if block.kind == kind]
        for place in mine:
            least = min(blocks[place].least, counts[place])
            total -= size(place, counts[place]) - size(place, least)
            counts[place] = least
        for place in mine:
            kept = most_rows(blocks[place], counts[place], limit - total, lambda rows, place=place: size(place, rows))  # type: ignore[misc]
            total += size(place, kept) - size(place, counts[place])
            counts[place] = kept
    return counts


def most_rows(block: Block, least: int, room: int, size: Callable[[int], int]) -> int:
    """Return the most rows, from `least` up, that take no more room than there is."""
    low, high = least, len(block.rows)
    spent = size(least)
    while low < high:
        middle = (low + high + 1) // 2
        if size(middle) - spent <= room:
            low = middle
        else:
            high = middle - 1
    return low
