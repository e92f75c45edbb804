"""Small SVG badges that say a verdict beside a README's title: a word on a colour, never a colour alone."""

from html import escape

from diptych.catalogue.words import GATES, word_of
from diptych.report.documents.summaries import Summary
from diptych.report.writers.harmless import shorten

COLOURS = {
    "worse": "#a33327",
    "better": "#2c6e49",
    "void": "#7a2f25",
    "same": "#3f6b3f",
    "mixed": "#2f5d8c",
    "unclear": "#5b6470",
}
WIDE, NARROW = "mwMWGOQ@%", "ijl.,:;|!'frtI1 ()[]"


def badge(summary: Summary) -> str:
    """Return the badge of one artifact: its title on the left, its verdict on the right."""
    sign, said, tone = summary.sign, summary.said, summary.tone
    if summary.gate in GATES:
        told = word_of(GATES, summary.gate)
        sign, said, tone = told.sign, f"{said}; gate {told.word}", told.tone
    return draw_badge(shorten(summary.title, 40), shorten(f"{sign} {said}", 66), COLOURS[tone])


def draw_badge(left: str, right: str, colour: str) -> str:
    """Return an SVG of two fields of text."""
    first, second = text_width(left) + 14, text_width(right) + 14
    whole = first + second
    left, right = escape(left, quote=False), escape(right, quote=False)
    name = f"{left}: {right}".replace('"', "&quot;")
    font = 'font-family="system-ui,\'DejaVu Sans\',Verdana,sans-serif" font-size="11"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="{name}">'
        f"<title>{name}</title>"
        f'<rect width="{whole}" height="20" rx="3" fill="#30363d"/>'
        f'<path d="M{first} 0h{second - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{first}z" fill="{colour}"/>'
        f'<g fill="#ffffff" {font}>'
        f'<text x="7" y="14" textLength="{first - 14}">{left}</text>'
        f'<text x="{first + 7}" y="14" textLength="{second - 14}">{right}</text>'
        "</g></svg>\n"
    )


def text_width(text: str) -> int:
    """Return about how many pixels a text takes in an 11 pixel font."""
    size = sum(4 if mark in NARROW else 10 if mark in WIDE else 14 if ord(mark) > 0x2E80 else 7 for mark in text)
    return max(size, 7)
