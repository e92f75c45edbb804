"""The drawings of a Document's blocks as SVG that weighs little: styles by class, one scale a table, no text twice.

The table beside a drawing holds each of its numbers, so a screen reader passes it over.
"""

from collections.abc import Sequence
from functools import lru_cache

from diptych import numbers
from diptych.report.blocks import Bars, Heat, Span
from diptych.report.charts.plots import Scale, nice
from diptych.report.writers.escape import esc

WIDE, TALL = 200, 18
"""The size of a drawing in a cell in pixels, as the style has it too."""


def table_scale(spans: Sequence[Span]) -> Scale | None:
    """Return one scale for all differences of a table, as far below zero as above it; None where there is none."""
    ends = [end for span in spans for end in (span.low, span.high, span.centre) if end is not None]
    bound = max(max(ends, default=0.0), -min(ends, default=0.0))
    if not bound or all(span.low is None for span in spans):
        return None
    step = nice(bound / 4)
    bound = step * -(-bound // step)
    return Scale(-bound, bound, 4, WIDE - 4)


BANDS = 24
"""Pixels to each side of zero up to which the style knows a margin that all rows of a table share."""


def shared_margin(spans: Sequence[Span], scale: Scale | None) -> int:
    """Return how many pixels to each side of zero the margin of all rows reaches, 0 where each row draws its own."""
    margins = {span.margin for span in spans if span.low is not None}
    if scale is None or len(margins) != 1 or not (margin := margins.pop()):
        return 0
    reach = round(scale.at(margin) - scale.at(0))
    return reach if reach <= BANDS else 0


def span_svgs(spans: Sequence[Span], scale: Scale, margins: bool = True) -> list[str]:
    """Return each difference with its interval, "" for one that has none: the zero line is the style's.

    `margins` says that each draws its own margin: one that all rows share is the style's, too.
    """
    lows = scale.pixels([span.low or 0.0 for span in spans])
    centres = scale.pixels([span.centre or 0.0 for span in spans])
    highs = scale.pixels([span.high or 0.0 for span in spans])
    return [
        f"<svg role=none>{bands(span, scale, margins) if span.floor or margins else ''}"
        f'<path{mark_class(span)} d="{mark(left, centre, right)}"/></svg>'
        if span.low is not None and span.centre is not None and span.high is not None
        else ""
        for span, left, centre, right in zip(spans, lows, centres, highs, strict=True)
    ]


def bands(span: Span, scale: Scale, margin: bool) -> str:
    """Return what is shaded around zero behind a difference: its noise floor, its margin."""
    noise = band(scale, span.floor, "noise") if span.floor else ""
    return noise + band(scale, span.margin, "margin") if span.margin and margin else noise


PIXELS = tuple(map(str, range(WIDE + 1)))
"""The places in a drawing as texts: five stand in each."""


def mark(left: int, centre: int, right: int) -> str:
    """Return the path of a square on its interval."""
    start, end = centre - 4, centre + 4
    square = PIXELS[start]
    before = f"M{PIXELS[left]} 9H{square}" if left < start else ""
    behind = f"M{PIXELS[end]} 9H{PIXELS[right]}" if end < right else ""
    return f"{before}{behind}M{square} 5h8v8h-8z"


def mark_class(span: Span) -> str:
    """Return the class of a significant difference's mark; any other one is hollow."""
    if not span.significant:
        return ""
    return f' class="{span.tone}"' if span.tone in ("better", "worse") else ' class="dot"'


@lru_cache(64)
def band(scale: Scale, half: float, kind: str) -> str:
    """Return a shaded band around zero."""
    left, right = scale.at(-half), scale.at(half)
    return f'<path class="{kind}" d="M{left:.0f} 0H{right:.0f}V{TALL}H{left:.0f}z"/>'


def axis_svg(scale: Scale) -> str:
    """Return the ends of the axis and its zero, in percentage points."""
    parts = []
    for value, anchor in ((scale.low, "start"), (0.0, "middle"), (scale.high, "end")):
        text = numbers.points(value, unit=False).removesuffix(".0")
        parts.append(f'<text x="{scale.at(value):.0f}" y="13" text-anchor="{anchor}">{text}</text>')
    return f"<svg class=axis aria-hidden=true>{''.join(parts)}</svg>"


def heat_svg(heat: Heat) -> str:
    """Return many differences as one strip of squares, darker for larger ones, each with its name and number."""
    side = max(6, min(22, 900 // max(1, len(heat.cells))))
    cells = "".join(
        f'<rect x="{place * side}" width="{side - 1}" height="22" class="{shade(share)}">'
        f"<title>{esc(name)} {esc(text)}</title></rect>"
        for place, (name, text, share, _) in enumerate(heat.cells)
    )
    wide = side * len(heat.cells)
    ends = (
        f'<text y="38">{esc(heat.ends[0])}</text><text x="{wide}" y="38" text-anchor="end">{esc(heat.ends[1])}</text>'
    )
    return (
        f'<svg class="heat" viewBox="0 0 {wide} 42" width="{wide}" role="img" aria-label="{esc(heat.title)}">'
        f"{cells}{ends}</svg>"
    )


def shade(share: float) -> str:
    """Return the class of a difference's shade: `d` for a fall, `u` for a rise, 1 to 4 by size."""
    return f"{'d' if share < 0 else 'u'}{min(4, 1 + int(abs(share) * 4))}" if share else "u0"


def bars_svg(bars: Bars) -> str:
    """Return a histogram with its title and its axis named."""
    width, height = 64, 80
    parts = [f'<text class="label" x="0" y="12">{esc(bars.title)}</text>']
    for place, (name, count, share) in enumerate(bars.bars):
        tall, x = height * share, place * width
        top = 36 + height - tall
        parts.append(
            f'<rect class="bar" x="{x + 4}" y="{top:.0f}" width="{width - 8}" height="{tall:.0f}"/>'
            f'<text x="{x + width // 2}" y="{top - 4:.0f}" text-anchor="middle">{esc(count)}</text>'
            f'<text x="{x + width // 2}" y="{height + 52}" text-anchor="middle">{esc(name)}</text>'
        )
    wide = max(width * len(bars.bars), 7 * len(bars.title), 7 * len(bars.axis))
    parts.append(f'<path class="axis" d="M0 {height + 36.5}H{width * len(bars.bars)}"/>')
    parts.append(f'<text x="0" y="{height + 70}">{esc(bars.axis)}</text>')
    return (
        f'<svg viewBox="0 0 {wide} {height + 76}" width="{wide}" role="img" aria-label="{esc(bars.title)}">'
        f"{''.join(parts)}</svg>"
    )
