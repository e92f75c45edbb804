"""A decision for a terminal and as Markdown: whole, narrow enough, and harmless."""

from typing import get_args

import pytest

from diptych.decision import CostTotal, DecisionKind, DecisionVerdict, StudentDecision, Trade
from diptych.report.writers.columns import width_of
from diptych.report.writers.decision_text import bar, decision_text
from examples_comparison import HOSTILE
from examples_decision import audit, decision, logit_route, paired, sequence_route


def hostile() -> StudentDecision:
    """Return a decision in which every text that a person or a model wrote is hostile."""
    routes = tuple(
        route._replace(name=f"{route.name} {HOSTILE}", model=HOSTILE) for route in (sequence_route(), logit_route())
    )
    verdict = DecisionVerdict("route", routes[1].name, HOSTILE, (HOSTILE,), (HOSTILE,))
    first, second = (route.name for route in routes)
    card = audit(
        judge=HOSTILE,
        first=first,
        second=second,
        wins={first: 9, second: 17},
        once={first: 2, second: 3},
        family_note=HOSTILE,
        length_note=HOSTILE,
    )
    return decision(
        title=HOSTILE,
        routes=routes,
        verdict=verdict,
        judge=card,
        judges=(card,),
        paired=paired(first=first, second=second),
    )


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("made", [decision(), hostile()], ids=["plain", "hostile"])
def test_no_line_is_wider_than_the_terminal(made: StudentDecision, width: int) -> None:
    assert [line for line in decision_text(made, width).splitlines() if width_of(line) > width] == []


def test_no_escape_code_is_written_unless_colour_is_asked_for() -> None:
    assert "\x1b" not in decision_text(hostile())
    assert "\u202e" not in decision_text(hostile())
    coloured = decision_text(decision(), colour=True)
    assert "\x1b[" in coloured
    import re

    assert re.sub(r"\x1b\[\d*m", "", coloured) == decision_text(decision())


def test_the_answer_comes_first_and_the_evidence_after_it() -> None:
    text = decision_text(decision())
    assert text.startswith("≈ keep logit on cost:")
    places = [
        text.index(head)
        for head in ("STUDENTS", "WHAT WOULD CHANGE IT", "CHECKS", "JUDGE", "COST BY STAGE", "THE RULE", "LEFT OUT")
    ]
    assert places == sorted(places)


def test_a_total_with_a_gap_is_never_shown_as_if_whole() -> None:
    text = decision_text(decision())
    assert "≥ 1,014 Wh" in text
    assert "measured in 1 of 2 records (missing:" in text
    assert "a counter that was reset" in " ".join(text.split())


def test_a_cost_that_nobody_measured_is_not_zero() -> None:
    nothing = {name: CostTotal(None, 0, 1) for name in ("prompt_tokens", "completion_tokens", "seconds", "watt_hours")}
    text = decision_text(decision(routes=(sequence_route(cost=nothing), logit_route()), judge=None, judges=()))
    line = next(line for line in text.splitlines() if line.startswith("  sequence") and "not measured" in line)
    assert " 0" not in line


@pytest.mark.parametrize("kind", get_args(DecisionKind))
def test_every_answer_has_a_word_and_a_sign(kind: str) -> None:
    verdict = decision().verdict._replace(kind=kind, route="logit" if kind == "route" else None)
    first = decision_text(decision(verdict=verdict)).splitlines()[0]
    assert first[0] in "✓≈?✗"
    assert first[2:].split(":")[0]


def test_a_decision_without_judge_costs_or_pairs_is_still_told() -> None:
    bare = decision(
        routes=(sequence_route(by_stage=(), checks=(), low=None, high=None),),
        paired=None,
        judge=None,
        judges=(),
        agreement=(),
        trades=(),
        plots=(),
        tasks=(),
        findings=(),
        left_out=(),
    )
    text = decision_text(bare)
    assert "JUDGE" not in text
    assert "LEFT OUT" not in text


@pytest.mark.parametrize(
    "counts", [(1, 0, 0, 0, 0, 1000), (1, 1, 1, 1, 1, 1), (0, 0, 5, 0, 0, 0), (400, 1, 1, 1, 1, 400)]
)
def test_a_bar_is_as_long_as_asked_and_loses_no_part(counts: tuple[int, ...]) -> None:
    drawn = bar([("", count) for count in counts], 40)
    assert len(drawn) == 40
    assert len(set(drawn)) == len({mark for mark, count in zip("█▓░▒▓█", counts, strict=True) if count})


def test_the_verdict_is_said_once_and_the_margin_beside_the_range_it_is_held_against() -> None:
    kept = DecisionVerdict("route", "logit", "Keep logit: it passes more.", (), ())
    text = " ".join(decision_text(decision(verdict=kept, paired=paired(low_90=-0.05, high_90=0.0099))).split())
    assert text.startswith("✓ Keep logit: it passes more.")
    assert "The margin is held against the 90 % CI: −5.00 to +0.99." in text
    assert "(Mid-p McNemar test with Tango's interval)" in text


def test_a_cost_without_a_difference_is_told_as_equal() -> None:
    same = Trade("prompt_tokens", "sequence", "logit", 0.0, 0, None, None, "same")
    assert "costs as much as" in decision_text(decision(trades=(same,)))
