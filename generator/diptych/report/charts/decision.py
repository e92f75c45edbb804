"""The charts of a student decision: what quality costs, and what the judge said in both orders."""

from collections.abc import Mapping

from diptych import numbers
from diptych.decision import CostPlot, PlotPoint
from diptych.judge_audit import JudgeAudit
from diptych.report.charts.plots import Scale, nice, svg
from diptych.report.writers.escape import Markup, esc

WIDTH, HEIGHT = 560, 260
LEFT, BOTTOM = 52, 222


def cost_quality(plot: CostPlot, ranges: Mapping[str, tuple[float, float]] | None = None, label: str = "") -> Markup:
    """Return the pass rate against cost, the Pareto line drawn, students whose cost is estimated left hollow.

    `ranges` maps a student to the CI of its pass rate; `label` names the axis where the unit alone does not.
    """
    if not plot.points:
        return Markup("")
    dearest = max(point.cost for point in plot.points) or 1.0
    step = nice(dearest * 1.1 / 4)
    across = Scale(0.0, step * -(-dearest * 1.08 // step), LEFT, WIDTH - 16)
    upward = Scale(0.0, 1.0, BOTTOM, 12)
    unit = label or numbers.UNITS.get(plot.unit, plot.unit)
    parts = [f'<path class="axis" d="M{LEFT} 12V{BOTTOM}H{WIDTH - 16}"/>']
    for share in (0.0, 0.5, 1.0):
        parts.append(f'<text x="46" y="{upward.at(share) + 4:.1f}" text-anchor="end">{numbers.percent(share)}</text>')
    ticks = round(across.high / step)
    for number in range(ticks + 1):
        value = number * step
        anchor = "end" if number == ticks else "middle"
        x = across.at(value)
        parts.append(f'<text x="{x:.1f}" y="{BOTTOM + 15}" text-anchor="{anchor}">{numbers.quantity(value)}</text>')
    parts.append(f'<text x="{WIDTH - 16}" y="{BOTTOM + 32}" text-anchor="end">{esc(unit)}</text>')
    parts.append(f'<text x="{LEFT + 6}" y="20">pass rate</text>')
    frontier = sorted((point for point in plot.points if point.on_frontier), key=lambda point: point.cost)
    if len(frontier) > 1:
        line = "L".join(f"{across.at(point.cost):.1f} {upward.at(share_of(point)):.1f}" for point in frontier)
        parts.append(f'<path class="frontier" d="M{line}"/>')
    for point in plot.points:
        parts.append(placed(point, across, upward, (ranges or {}).get(point.route)))
    described = "; ".join(
        f"{point.route}: {numbers.count_of(point.passed, point.total)} passed for {numbers.quantity(point.cost)} {unit}"
        for point in plot.points
    )
    return svg(WIDTH, HEIGHT, f"Pass rate against {unit}", described, "".join(parts))


def placed(point: PlotPoint, across: Scale, upward: Scale, between: tuple[float, float] | None) -> str:
    """Return one route on the plot with its name; the name stands left of a point that is far to the right."""
    x, y = across.at(point.cost), upward.at(share_of(point))
    late = x > across.right - 120
    line = ""
    if between:
        line = f'<path class="range" d="M{x:.1f} {upward.at(between[0]):.1f}V{upward.at(between[1]):.1f}"/>'
    return (
        f'<g>{line}<circle class="{"dot" if point.measured else "open"}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
        f'<text class="label" x="{x - 9 if late else x + 9:.1f}" y="{y + 4:.1f}" '
        f'text-anchor="{"end" if late else "start"}">{esc(point.route)}</text></g>'
    )


def share_of(point: PlotPoint) -> float:
    """Return the share of tasks that a student passed."""
    return point.passed / point.total if point.total else 0.0


def hatch(key: str, kind: str) -> str:
    """Return a hatched fill of one side's colour, or of neither's."""
    ink = f"ink-{kind}" if kind != "tie" else "axis"
    return (
        f'<pattern id="hatch-{key}-{kind}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect class="bar-{kind}" stroke="none" width="6" height="6"/>'
        f'<path class="{ink}" d="M0 0V6"/></pattern>'
    )


def judge_bar(audit: JudgeAudit, key: str = "judge", width: int = 640) -> Markup:
    """Return what a judge said as one bar: won in both orders, won once, tied, contradicted, won once, won in both.

    The hatched parts are where the order mattered: their width is how far the judge followed it. `key` keeps the
    patterns of several bars on one page apart.
    """
    first, second = audit.first, audit.second
    parts = [
        (audit.wins.get(first, 0), 'class="bar-a"', f"{first} in both orders"),
        (audit.once.get(first, 0), f'fill="url(#hatch-{key}-a)"', f"{first} in one order, tied in the other"),
        (audit.ties, 'class="bar-tie"', "tied in both orders"),
        (audit.flips, f'fill="url(#hatch-{key}-tie)"', "contradicted when the order was swapped"),
        (audit.once.get(second, 0), f'fill="url(#hatch-{key}-b)"', f"{second} in one order, tied in the other"),
        (audit.wins.get(second, 0), 'class="bar-b"', f"{second} in both orders"),
    ]
    total = sum(count for count, _, _ in parts)
    if not total:
        return Markup("")
    drawn = [f"<defs>{''.join(hatch(key, kind) for kind in ('a', 'b', 'tie'))}</defs>"]
    x = 0.0
    for count, fill, told in parts:
        wide = width * count / total
        drawn.append(part_of_bar(count, fill, told, x, wide) if count else "")
        x += wide
    drawn.append(f'<text class="label" x="0" y="42">{esc(first)}</text>')
    drawn.append(f'<text class="label" x="{width}" y="42" text-anchor="end">{esc(second)}</text>')
    described = "; ".join(f"{told}: {count}" for count, _, told in parts)
    return svg(width, 48, f"What {audit.judge} preferred, asked in both orders", described, "".join(drawn))


def part_of_bar(count: int, fill: str, told: str, x: float, wide: float) -> str:
    """Return one part of a judge's bar with its count, where there is room for it."""
    number = f'<text class="label" x="{x + wide / 2:.1f}" y="18" text-anchor="middle">{numbers.count(count)}</text>'
    return (
        f"<g><title>{esc(f'{told}: {count}')}</title>"
        f'<rect {fill} x="{x:.1f}" y="1" width="{wide:.1f}" height="26"/>{number if wide > 18 else ""}</g>'
    )
