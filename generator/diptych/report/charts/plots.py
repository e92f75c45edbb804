"""Charts as SVG text: no library, no script, colours from the page's style or, alone, from the file itself.

Each chart has a title and a description for those who cannot see it; every number in it stands in a table as well.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import floor, log10, sqrt

from diptych import numbers
from diptych.comparison import AnswerChange, Comparison
from diptych.estimates import MetricComparison, best_estimate
from diptych.fast_named_tuple import NamedTuple
from diptych.report.writers.escape import Markup, esc
from diptych.value_text import metric_name

ROW = 18
"""Height of one row, so that sixty tasks fit one screen."""

PLOT = 260
"""Width of the part of a chart that has a scale."""

ALONE = (
    ("", "svg{background:#fdfdfc}text{font:11px system-ui,sans-serif;fill:#59636e}"),
    ("label", ".label,.label text{fill:#1d2126}"),
    ("axis", ".axis{stroke:#b9c1c8;fill:none}"),
    ("zero", ".zero{stroke:#59636e;stroke-dasharray:3 2;fill:none}"),
    ("margin", ".margin{fill:#dfe3e6;opacity:.8}"),
    ("noise", ".noise{fill:#f4efdd;stroke:#6b5a1e;stroke-opacity:.35}"),
    ("range", ".range{stroke:#1d2126;stroke-width:1.4;fill:none}"),
    ("dot", ".dot{fill:#1d2126;stroke:#1d2126;stroke-width:1.4}"),
    ("open", ".open{fill:#fdfdfc;stroke:#1d2126;stroke-width:1.4}"),
    ("better", ".better .range,.better .dot{stroke:#14664b}.better .dot{fill:#14664b}"),
    ("worse", ".worse .range,.worse .dot{stroke:#a0331d}.worse .dot{fill:#a0331d}"),
    ("bar", ".bar{fill:#1f5fa8}.bar-a{fill:#f6ead0;stroke:#6d4a05}.bar-b{fill:#dceafa;stroke:#174a85}"),
    ("bar-tie", ".bar-tie{fill:#f5f6f6;stroke:#b9c1c8}"),
    ("ink", ".ink-a{stroke:#6d4a05;stroke-width:1.2}.ink-b{stroke:#174a85;stroke-width:1.2}"),
    ("frontier", ".frontier{stroke:#1f5fa8;stroke-width:1.4;fill:none}"),
)
"""The style of a drawing that stands alone, by the class that it is for; each takes what it needs."""


class ForestRow(NamedTuple):
    """One difference with its range; `real` says that it holds after adjustment, `floor` is its noise floor."""

    name: str
    difference: float
    low: float
    high: float
    pairs: int | None
    tone: str
    real: bool
    margin: float | None
    floor: float | None


class Scale(NamedTuple):
    """A line of numbers from `low` to `high` drawn between `left` and `right`."""

    low: float
    high: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Return where a value stands; what lies outside stands at the edge."""
        low, high = self.low, self.high
        inside = low if value < low else high if value > high else value
        return self.left + (inside - low) / (high - low) * (self.right - self.left)

    def all_at(self, values: Iterable[float]) -> list[float]:
        """Return where each of some values stands, as `at` does."""
        low, high, left = self.low, self.high, self.left
        span, room = high - low, self.right - left
        return [left + ((low if v < low else high if v > high else v) - low) / span * room for v in values]

    def pixels(self, values: Iterable[float]) -> list[int]:
        """Return the whole pixels where some values stand."""
        return [round(place) for place in self.all_at(values)]


def svg(width: float, height: float, title: str, description: str, body: str) -> Markup:
    """Return an SVG element that a screen reader reads by its title and description."""
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img">'
        f"<title>{esc(title)}</title><desc>{esc(description)}</desc>{body}</svg>"
    )


def standalone(chart: str) -> str:
    """Return a chart as a file of its own, its colours inside."""
    place = chart.index("<title>")
    style = "\n".join(rules for name, rules in ALONE if not name or f'class="{name}' in chart)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{chart[:place]}<style>{style}</style>{chart[place:]}\n'


def nice(value: float) -> float:
    """Return the next of 1, 2, 5 times a power of ten that is not below a value."""
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    return next((step * power for step in (1, 2, 5) if step * power >= value * (1 - 1e-9)), 10 * power)


def forest_row(row: MetricComparison) -> ForestRow | None:
    """Return a metric as a row of the forest plot, or None where it has no range in points."""
    estimate = best_estimate(row)
    if estimate is None or not numbers.in_points(row.a, row.b, row.higher_is_better):
        return None
    centre = estimate.difference if estimate.difference is not None else row.difference
    if centre is None or estimate.low is None or estimate.high is None:
        return None
    return ForestRow(
        forest_name(row.task, row.metric, row.filter),
        centre,
        estimate.low,
        estimate.high,
        estimate.pairs,
        row.status,
        row.is_apart,
        estimate.margin,
        row.noise_floor.floor if row.noise_floor else None,
    )


@lru_cache(1024)
def forest_name(task: str, metric: str, filter_: str) -> str:
    """Return what a row of the plot is called."""
    return f"{task} {metric_name(metric, filter_)}"


def forest_rows(comparison: Comparison) -> list[ForestRow]:
    """Return every metric that can be drawn, in the table's order."""
    rows = (forest_row(row) for row in comparison.metrics)
    return [row for row in rows if row is not None]


def forest_scale(rows: Sequence[ForestRow], left: float = 0.0) -> Scale:
    """Return one scale for all rows, as far below zero as above it."""
    bound = max([abs(end) for row in rows for end in (row.low, row.high, row.difference)], default=0.01)
    step = nice(bound / 4)
    bound = step * -(-bound // step)
    return Scale(-bound, bound, left + 6, left + PLOT - 6)


def forest_marks(rows: Sequence[ForestRow], scale: Scale) -> str:
    """Return the ranges and squares of all rows, those that look alike as one path; a side goes with the root of n."""
    largest = max((row.pairs or 1 for row in rows), default=1)
    halves = {pairs: 2 + 2.5 * sqrt((pairs or 1) / largest) for pairs in {row.pairs for row in rows}}
    lows, highs = (map(round, scale.all_at(ends)) for ends in ([row.low for row in rows], [row.high for row in rows]))
    centres = scale.all_at([row.difference for row in rows])
    drawn: dict[tuple[str, bool], tuple[list[str], list[str]]] = {}
    for place, (row, low, high, centre) in enumerate(zip(rows, lows, highs, centres, strict=True)):
        kind = row.tone if row.real and row.tone in ("better", "worse") else "", row.real
        ranges, squares = drawn.get(kind) or drawn.setdefault(kind, ([], []))
        half = halves[row.pairs]
        ranges.append(f"M{low} {place * ROW + ROW // 2}H{high}")
        squares.append(f"M{round(centre - half)} {square_from(place, half)}")
    parts = []
    for (tone, real), (ranges, squares) in drawn.items():
        marks = f'<path class="range" d="{"".join(ranges)}"/>'
        marks += f'<path class="{"dot" if real else "open"}" d="{"".join(squares)}"/>'
        parts.append(f'<g class="{tone}">{marks}</g>' if tone else marks)
    return "".join(parts)


@lru_cache(1024)
def square_from(place: int, half: float) -> str:
    """Return where a row's square begins from above, and its sides: of one size in most plots."""
    side = coordinate(2 * half)
    return f"{coordinate(place * ROW + ROW // 2 - half)}h{side}v{side}h-{side}z"


def coordinate(value: float) -> str:
    """Return a coordinate to the tenth of a pixel."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def bands(halves: Sequence[float | None], scale: Scale, kind: str) -> str:
    """Return shaded bands around zero, one over all neighbouring rows that share it."""
    parts = []
    start = 0
    for place in range(1, len(halves) + 1):
        if place < len(halves) and halves[place] == halves[start]:
            continue
        if half := halves[start]:
            left, right = scale.at(-half), scale.at(half)
            parts.append(
                f'<rect class="{kind}" x="{coordinate(left)}" y="{start * ROW}" width="{coordinate(right - left)}" '
                f'height="{(place - start) * ROW}"/>'
            )
        start = place
    return "".join(parts)


def forest_ticks(scale: Scale, y: float) -> str:
    """Return numbers in points below or above a plot."""
    parts = []
    for place in (-1.0, -0.5, 0.0, 0.5, 1.0):
        value = scale.high * place
        anchor = "start" if place == -1 else "end" if place == 1 else "middle"
        text = numbers.points(value, unit=False).removesuffix(".0")
        parts.append(f'<text x="{scale.at(value):.1f}" y="{y:g}" text-anchor="{anchor}">{text}</text>')
    return "".join(parts)


def forest(rows: Sequence[ForestRow], title: str = "Δ in pp, with CI") -> Markup:
    """Return the whole forest plot: names, one row each, a scale below."""
    if not rows:
        return Markup("")
    room = 7 * max(len(row.name) for row in rows) + 12
    scale = forest_scale(rows, room)
    parts = [bands([row.floor for row in rows], scale, "noise"), bands([row.margin for row in rows], scale, "margin")]
    parts.append(f'<path class="zero" d="M{coordinate(scale.at(0))} 0v{len(rows) * ROW}"/>')
    parts += [forest_names(tuple([row.name for row in rows])), forest_marks(rows, scale)]
    height = len(rows) * ROW
    parts.append(f'<path class="axis" d="M{scale.left:.1f} {height + 2}H{scale.right:.1f}"/>')
    parts.append(forest_ticks(scale, height + 15))
    described = f"{numbers.counted(len(rows), 'difference')}; the table holds each number."
    return svg(room + PLOT, height + 20, title, described, "".join(parts))


@lru_cache(64)
def forest_names(names: tuple[str, ...]) -> str:
    """Return the names of a plot's rows: many comparisons of an archive have the same ones."""
    texts = (f'<text y="{place * ROW + ROW // 2 + 4}">{esc(name)}</text>' for place, name in enumerate(names))
    return f'<g class="label">{"".join(texts)}</g>'


def noise_histogram(change: AnswerChange) -> Markup:
    """Return how far log-likelihoods moved, as bars of items by the size of their largest change."""
    if not change.bins:
        return Markup("")
    filled = [place for place, (_, items) in enumerate(change.bins) if items]
    bins = change.bins[filled[0] : filled[-1] + 1] if filled else change.bins
    highest = max(items for _, items in bins) or 1
    width, height = 54, 80
    parts = []
    for place, (edge, items) in enumerate(bins):
        tall = height * items / highest
        x = place * width
        top = height - tall
        parts.append(
            f'<rect class="bar" x="{x + 4}" y="{top + 14:.1f}" width="{width - 8}" height="{tall:.1f}"/>'
            f'<text x="{x + width / 2:g}" y="{top + 10:.1f}" text-anchor="middle">{numbers.count(items)}</text>'
            f'<text x="{x + width / 2:g}" y="{height + 28}" text-anchor="middle">≤ {edge:.3g}</text>'
        )
    total = width * len(bins)
    parts.append(f'<path class="axis" d="M0 {height + 14.5}H{total}"/>')
    described = ", ".join(f"{items} items at most {edge:.3g}" for edge, items in bins)
    return svg(total, height + 34, f"{change.task}: change of log-likelihood by items", described, "".join(parts))
