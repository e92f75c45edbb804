"""Numbers of a column, padded so that their points stand below each other."""

from collections.abc import Iterable

FIGURE_SPACE = "\u2007"
POINT_SPACE = "\u2008"


def align_decimals(
    texts: Iterable[str], pad: str = FIGURE_SPACE, point: str = POINT_SPACE, left: str = ""
) -> list[str]:
    """Return numbers padded so that their decimal points stand below each other when set flush right.

    `left` also fills the other side (for a terminal); words without a digit keep the right edge.
    """
    rows = list(texts)
    tails = [len(text) - place if (place := text.find(".")) >= 0 else 0 for text in rows]
    longest = max(tails, default=0)
    if min(tails, default=0) < longest:
        rows = [
            text + missing_decimals(longest, tail, pad, point) if has_digit(text) else text
            for text, tail in zip(rows, tails, strict=True)
        ]
    if not left:
        return rows
    width = max(map(len, rows), default=0)
    return [text.rjust(width, left) for text in rows]


def missing_decimals(longest: int, tail: int, pad: str, point: str) -> str:
    """Return what stands in for the decimals, and the point, that a number lacks of the longest of its column."""
    if tail:
        return pad * (longest - tail)
    return point + pad * (longest - 1)


def has_digit(text: str) -> bool:
    """Say whether a cell holds a number."""
    return text[-1:].isdigit() or any(map(str.isdigit, text))
