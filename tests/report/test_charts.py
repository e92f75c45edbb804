"""Charts are well-formed SVG that a screen reader can read, and nothing in a name gets out of its text."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from diptych.comparison import AnswerChange
from diptych.decision import CostPlot, PlotPoint
from diptych.judge_audit import JudgeAudit
from diptych.report.charts import plots as charts
from diptych.report.charts.decision import cost_quality, judge_bar
from diptych.report.charts.plots import ForestRow
from diptych.report.charts.timeline import PointWords, TimePoint, timeline
from examples_comparison import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"


def parsed(chart: str) -> ElementTree.Element:
    root = ElementTree.fromstring(chart)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title")
    assert root.find(f"{SVG}script") is None
    return root


def row(name: str = "arith", difference: float = -0.1, half: float = 0.05, **changes: object) -> ForestRow:
    made = ForestRow(name, difference, difference - half, difference + half, 150, "worse", True, 0.01, None)
    return made._replace(**changes)


def audit(**changes: object) -> JudgeAudit:
    made = JudgeAudit(
        judge="judge-1",
        first="sequence",
        second="logit",
        tasks=20,
        unreadable=1,
        wins={"sequence": 8, "logit": 3},
        once={"sequence": 2, "logit": 1},
        ties=2,
        flips=4,
        half_changes=3,
        flip_rate=0.2,
        flip_low=0.1,
        flip_high=0.4,
        first_place_wins=3,
        second_place_wins=1,
        position_p=0.6,
        win_rate={"sequence": 0.65, "logit": 0.35},
        win_low=0.5,
        win_high=0.8,
        p_value=0.1,
        gate="usable",
    )
    return made._replace(**changes)


def test_a_difference_below_zero_stands_left_of_the_zero_line() -> None:
    scale = charts.forest_scale([row(), row(difference=0.2)])
    assert scale.left < scale.at(-0.1) < scale.at(0) < scale.at(0.2) < scale.right
    assert scale.at(0) == pytest.approx((scale.left + scale.right) / 2)


def test_a_square_is_open_where_the_difference_does_not_hold_after_adjustment() -> None:
    assert 'class="dot"' in charts.forest([row()])
    assert 'class="open"' in charts.forest([row(real=False)])


def test_a_square_grows_with_the_root_of_its_items() -> None:
    drawn = parsed(charts.forest([row(pairs=pairs, margin=None) for pairs in (25, 100, 400)]))
    squares = next(path.get("d") for path in drawn.iter(f"{SVG}path") if path.get("class") == "dot")
    assert re.findall(r"h([0-9.]+)v", squares) == ["5.2", "6.5", "9"]


def test_margin_and_noise_floor_are_shaded_where_there_are_any() -> None:
    assert 'class="noise"' in charts.forest([row(floor=0.02)])
    assert 'class="margin"' not in charts.forest([row(margin=None)])


@pytest.mark.parametrize(
    "chart",
    [
        charts.forest([row(HOSTILE), row(difference=0.0, half=0.0)]),
        charts.noise_histogram(AnswerChange(HOSTILE, 3, 3, 0.1, 0.2, 1, 0.1, ((0.1, 2), (0.3, 1)))),
        timeline(
            [
                TimePoint(PointWords(HOSTILE, HOSTILE, HOSTILE), 0.2, 0.1, 0.3, 2),
                TimePoint(PointWords("b", "", ""), 0.2, 0.2, 0.2, 0),
            ],
            words=lambda run: run,
        ),
        cost_quality(CostPlot("watt_hours", (PlotPoint(HOSTILE, 3.0, 5, 10, True, True),))),
        judge_bar(audit(judge=HOSTILE)),
    ],
    ids=["forest", "histogram", "timeline", "cost", "judge"],
)
def test_a_hostile_name_stays_text(chart: str) -> None:
    root = parsed(chart)
    assert not any(element.tag.endswith(("script", "img")) for element in root.iter())
    assert "\u202e" not in chart


def test_a_chart_alone_carries_its_own_colours() -> None:
    alone = charts.standalone(charts.forest([row()]))
    root = ElementTree.fromstring(alone.split("\n", 1)[1])
    assert "fill" in root.findtext(f"{SVG}style")
    assert "var(" not in alone


def test_a_route_with_incomplete_cost_is_hollow_and_the_frontier_is_a_line() -> None:
    points = (
        PlotPoint("a", 1.0, 5, 10, True, True),
        PlotPoint("b", 2.0, 8, 10, False, True),
        PlotPoint("c", 3.0, 4, 10, True, False),
    )
    chart = cost_quality(CostPlot("seconds", points), {"a": (0.3, 0.7)})
    assert chart.count('class="open"') == 1
    assert chart.count('class="frontier"') == 1
    assert chart.count('class="range"') == 1


def test_the_parts_of_a_judges_bar_fill_it_and_the_hatched_ones_are_where_the_order_mattered() -> None:
    root = parsed(judge_bar(audit(), width=600))
    parts = [rect for group in root.iter(f"{SVG}g") for rect in group.findall(f"{SVG}rect")]
    widths = [float(part.get("width")) for part in parts]
    assert sum(widths) == pytest.approx(600, abs=1)
    hatched = sum(float(part.get("width")) for part in parts if "hatch" in (part.get("fill") or ""))
    assert hatched == pytest.approx(600 * (2 + 1 + 4) / 20, abs=1)


def test_nothing_to_draw_is_nothing() -> None:
    assert charts.forest([]) == ""
    assert timeline([], words=lambda run: run) == ""
    assert judge_bar(audit(wins={}, once={}, ties=0, flips=0)) == ""
