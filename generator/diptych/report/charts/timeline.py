"""A score over time as an SVG text: a line a configuration, an axis with ticks, marks where something changed."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil, floor
from typing import Any

from diptych import numbers
from diptych.fast_named_tuple import NamedTuple
from diptych.report.charts.plots import Scale, nice, svg
from diptych.report.writers.escape import Markup, esc

AXIS = 56
"""Room for the numbers of the upright axis."""

KINDS = 6
"""Colours and marks that lines take turns with; each line bears its number as well."""


class PointWords(NamedTuple):
    """What a plot says of a run where it names it: its label, its date, how far its score is known."""

    label: str
    date: str
    error: str


class TimePoint(NamedTuple):
    """One `run` in a task's history, as whoever draws it knows it; `low` and `high` end its bar.

    `changes` counts settings unlike those of the run before on the same `line`, the number of its configuration;
    `step` says that the level of its line differs from here on.
    """

    run: Any
    value: float
    low: float
    high: float
    changes: int
    line: int = 1
    step: str = ""


Words = Callable[[Any], PointWords]
"""What a run is called: asked only of those that are named, since a history of thousands names few."""

FEW = 60
"""Points of a line that are marked and linked one by one."""


def timeline(points: Sequence[TimePoint], words: Words, width: int = 640, height: int = 200) -> Markup:
    """Return a score from run to run, oldest first: a line a configuration, points with bars, a mark at each change."""
    if not points:
        return Markup("")
    ticks = ticks_of(min(point.low for point in points), max(point.high for point in points))
    bottom = height - 22
    scale = Scale(ticks[0], ticks[-1], bottom, 10)
    step = (width - AXIS - 24) / len(points)
    places = [AXIS + 4 + step * (place + 0.5) for place in range(len(points))]
    parts = [f'<path class="axis" d="M{AXIS} 6V{bottom}H{width}"/>', *tick_marks(ticks, scale, width)]
    for line in dict.fromkeys(point.line for point in points):
        own = [(x, point) for x, point in zip(places, points, strict=True) if point.line == line]
        parts += line_marks(line, own, words, scale, step, bottom)
    for place, anchor, x in ((0, "start", AXIS + 4), (-1, "end", width)):
        parts.append(
            f'<text x="{x}" y="{height - 6}" text-anchor="{anchor}">{esc(words(points[place].run).date)}</text>'
        )
    described = "; ".join(f"{words(point.run).label} {numbers.score(point.value)}" for point in points[:FEW])
    described += f"; and {len(points) - FEW} more, in the table below" if len(points) > FEW else ""
    return svg(width, height, "From run to run", described, "".join(parts))


def ticks_of(low: float, high: float) -> list[float]:
    """Return the ticks of an axis that holds two values: multiples of a round step, three to seven of them."""
    step = nice((high - low) / 4 if high > low else max(abs(high), 1.0) / 10)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [place * step for place in range(first, max(last, first + 1) + 1)]


def tick_marks(ticks: Sequence[float], scale: Scale, width: int) -> Iterator[str]:
    """Yield a number and a faint line for each tick."""
    gap = ticks[1] - ticks[0]
    for tick in ticks:
        y = scale.at(tick)
        yield (
            f'<path class="tick" d="M{AXIS} {y:.1f}H{width}"/>'
            f'<text x="{AXIS - 6}" y="{y + 4:.1f}" text-anchor="end">{numbers.tick(tick, gap)}</text>'
        )


def line_marks(
    line: int, points: Sequence[tuple[float, TimePoint]], words: Words, scale: Scale, step: float, bottom: float
) -> Iterator[str]:
    """Yield one configuration: its line, its number at the end, its points, and what changed on it."""
    heights = scale.all_at([point.value for _, point in points])
    drawn = [f"{round(x)} {y}" for (x, _), y in zip(points, map(round, heights), strict=True)]
    yield f'<g class="line line-{(line - 1) % KINDS + 1}"><path class="series" d="M{"L".join(drawn)}"/>'
    single = len(points) <= FEW
    if not single:
        yield many_marks(points, drawn, heights, scale, step)
    for (x, point), y in zip(points, heights, strict=True) if single or any(point.step for _, point in points) else ():
        edge = x - step / 2
        if point.step:
            yield f'<path class="step" d="M{edge:.1f} 6V{bottom:g}"><title>{esc(point.step)}</title></path>'
        if point.changes and single:
            told = numbers.counted(point.changes, "changed setting")
            yield f'<path class="zero" d="M{edge:.1f} {y - 14:.1f}V{y + 14:.1f}"><title>{told}</title></path>'
        if single:
            yield time_mark(point, words(point.run), x, scale)
    yield f'<text class="label" x="{points[-1][0] + 7:.1f}" y="{heights[-1] + 4:.1f}">{line}</text></g>'


def many_marks(
    points: Sequence[tuple[float, TimePoint]],
    drawn: Sequence[str],
    heights: Sequence[float],
    scale: Scale,
    step: float,
) -> str:
    """Return many runs as three paths, their bars, marks and changes: table and list below name and link each.

    A mark is a line without length: its style draws it as a square. `drawn` are the places of the points as text.
    """
    barred = [(x, point) for x, point in points if point.low < point.high]
    lows, highs = scale.all_at([point.low for _, point in barred]), scale.all_at([point.high for _, point in barred])
    ends = zip(barred, map(round, lows), map(round, highs), strict=True)
    bars = [f"M{round(x)} {low}V{high}" for (x, _), low, high in ends]
    changes = [
        f"M{x - step / 2:.0f} {y - 14:.0f}v28" for (x, point), y in zip(points, heights, strict=True) if point.changes
    ]
    moved = f'<path class="zero" d="{"".join(changes)}"/>' if changes else ""
    return f'<path class="range" d="{"".join(bars)}"/><path class="dots" d="M{"h0M".join(drawn)}h0"/>{moved}'


def time_mark(point: TimePoint, words: PointWords, x: float, scale: Scale) -> str:
    """Return one run as a mark of its line with its bar; the table below links it, so that a reader passes it once."""
    y, low, high = scale.at(point.value), scale.at(point.low), scale.at(point.high)
    bar = f'<path class="range" d="M{x:.1f} {low:.1f}V{high:.1f}"/>' if point.low < point.high else ""
    told = esc(f"{words.label}: {numbers.score(point.value)} {words.error}")
    return f"<g>{bar}{mark(point.line, x, y, told)}</g>"


def mark(line: int, x: float, y: float, told: str) -> str:
    """Return the mark of a line: dots, squares and diamonds take turns, so that no line is told by colour alone.

    Where the colours begin anew, so that two lines share one, the marks move on by one.
    """
    shape = (line - 1 + (line - 1) // KINDS) % 3
    if shape == 0:
        return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{told}</title></circle>'
    side, turned = (6, "") if shape == 1 else (5.5, f' transform="rotate(45 {x:.1f} {y:.1f})"')
    corner = f'x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:g}" height="{side:g}"'
    return f'<rect class="dot" {corner}{turned}><title>{told}</title></rect>'
