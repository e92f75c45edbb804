"""A decision for a terminal: the answer first, short or whole, narrow enough, and harmless."""

import re
from typing import get_args

import pytest

from diptych.decision import CostTotal, DecisionKind, DecisionVerdict, Money, StageCost, StudentDecision, Trade
from diptych.judge_audit import JudgeGate
from diptych.report.blocks import Table
from diptych.report.documents.decision import decision_document, students_section
from diptych.report.writers.columns import width_of
from diptych.report.writers.terminal import document_text
from examples_comparison import HOSTILE
from examples_decision import audit, decision, logit_route, paired, sequence_route


def text_of(made: StudentDecision, width: int = 80, colour: bool = False, full: bool = True) -> str:
    return document_text(decision_document(made), width, colour, full)


def words_of(made: StudentDecision) -> str:
    return " ".join(text_of(made).split())


def hostile() -> StudentDecision:
    """Return a decision in which every text that a person or a model wrote is hostile."""
    routes = tuple(
        route._replace(name=f"{route.name} {HOSTILE}", model=HOSTILE) for route in (sequence_route(), logit_route())
    )
    verdict = DecisionVerdict("route", routes[1].name, HOSTILE, (HOSTILE,), (HOSTILE,), (), (HOSTILE,))
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
@pytest.mark.parametrize("full", [False, True], ids=["short", "whole"])
@pytest.mark.parametrize("made", [decision(), hostile()], ids=["plain", "hostile"])
def test_no_line_is_wider_than_the_terminal(made: StudentDecision, full: bool, width: int) -> None:
    assert [line for line in text_of(made, width, full=full).splitlines() if width_of(line) > width] == []


def test_no_escape_code_is_written_unless_colour_is_asked_for() -> None:
    assert "\x1b" not in text_of(hostile())
    assert "\u202e" not in text_of(hostile())
    coloured = text_of(decision(), colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[\d*m", "", coloured) == text_of(decision())


def test_the_answer_comes_first_with_every_caveat_and_the_evidence_after_it() -> None:
    made = decision()
    made = made._replace(verdict=made.verdict._replace(caveats=("The judge is of the family.",)))
    text = text_of(made)
    assert text.startswith(f"≈ {made.verdict.sentence[:40]}")
    heads = (
        "! The judge is of the family.",
        "STUDENTS",
        "WHAT WOULD CHANGE IT",
        "PAIRED CHECKS",
        "TASK BY TASK",
        "JUDGE",
        "COST BY STAGE",
        "COST AND QUALITY",
        "THE RULE, STEP BY STEP",
        "LEFT OUT",
    )
    places = [text.index(head) for head in heads]
    assert places == sorted(places)


def test_the_short_report_is_a_screen_and_says_how_to_see_the_rest() -> None:
    text = text_of(decision(), full=False)
    assert len(text.splitlines()) <= 25
    assert "36 of 48" in text
    assert "--full" in text.splitlines()[-1]


def test_a_total_with_a_gap_is_never_shown_as_if_whole() -> None:
    text = text_of(decision())
    assert "≥ 1,014 Wh" in text
    assert "measured in 1 of 2 records (missing:" in words_of(decision())
    assert "a counter that was reset" in words_of(decision())


def test_no_total_is_called_a_lower_bound_where_all_of_it_was_measured() -> None:
    everything = {
        unit: CostTotal(10, 1, 1, whole=True) for unit in ("prompt_tokens", "completion_tokens", "seconds")
    } | {"watt_hours": CostTotal(None, 0, 1)}
    text = text_of(decision(routes=tuple(one(cost=everything, by_stage=()) for one in (sequence_route, logit_route))))
    assert "10 s" in text
    assert "≥" not in text


def test_a_cost_that_nobody_measured_is_not_zero() -> None:
    nothing = {name: CostTotal(None, 0, 1) for name in ("prompt_tokens", "completion_tokens", "seconds", "watt_hours")}
    text = text_of(decision(routes=(sequence_route(cost=nothing), logit_route()), judge=None, judges=()), 120)
    line = next(line for line in text.splitlines() if line.startswith("  sequence") and "not measured" in line)
    assert " 0 " not in line


@pytest.mark.parametrize("kind", get_args(DecisionKind))
def test_every_answer_has_a_word_and_a_sign(kind: DecisionKind) -> None:
    verdict = decision().verdict._replace(kind=kind, route="logit" if kind == "route" else None)
    made = decision_document(decision(verdict=verdict))
    assert made.sign in "✓≈?✗"
    assert made.word
    assert "cannot tell" not in made.word


def test_a_trade_off_is_called_one() -> None:
    verdict = decision().verdict._replace(kind="cannot_tell", route=None, flags=("trade_off",))
    assert decision_document(decision(verdict=verdict)).word == "trade-off, no pick"


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
    text = text_of(bare)
    assert "JUDGE" not in text
    assert "LEFT OUT" not in text


def test_the_limit_that_the_margin_is_held_against_is_told_as_what_it_is() -> None:
    text = words_of(decision(paired=paired(low_90=-0.05, high_90=0.0099)))
    assert "logit up to 5.0 pp worse and sequence up to 0.99 pp worse (one-sided 95 % limit" in text
    assert "90 %" not in text
    ahead = words_of(decision(paired=paired(low_90=0.01, high_90=0.2)))
    assert "logit up to" not in ahead


def test_a_cost_without_a_difference_is_told_as_equal() -> None:
    same = Trade("prompt_tokens", "sequence", "logit", 0.0, 0, None, None, "same")
    assert "costs as much as" in words_of(decision(trades=(same,)))


def test_a_trade_in_money_names_its_currency() -> None:
    step = Trade("money", "sequence", "logit", 3.5, 2, 1.75, None, "dearer_better")
    routes = (sequence_route(currency="EUR"), logit_route(currency="EUR"))
    assert "logit costs 3.50 EUR more than sequence and passes 2 more: 1.75 EUR for one more." in words_of(
        decision(routes=routes, trades=(step,))
    )


def test_a_unit_that_nobody_measured_is_said_once() -> None:
    cost = {unit: CostTotal(5, 1, 1, whole=True) for unit in ("prompt_tokens", "completion_tokens", "seconds")}
    cost["watt_hours"] = CostTotal(None, 0, 1, (), ("line 1",))
    routes = tuple(
        one(cost=cost, by_stage=(StageCost("make", ("r",), 1, cost),)) for one in (sequence_route, logit_route)
    )
    text = words_of(decision(routes=routes))
    assert text.count("Energy: not measured in any record.") == 1
    assert "measured in 0 of" not in text


def test_money_names_its_basis_and_currency_in_the_first_table() -> None:
    routes = tuple(
        one(money=2.5, money_basis="seconds", currency="EUR", money_by_basis=(Money("seconds", 2.5),))
        for one in (sequence_route, logit_route)
    )
    text = text_of(decision(routes=routes), 140, full=False)
    assert "Money by seconds" in text
    assert "2.50 EUR" in text
    (table,) = students_section(decision(routes=routes)).blocks
    assert isinstance(table, Table)
    assert all(column.right for column in table.columns[2:] if column.title != "95 % CI"), "numbers stand flush right"


@pytest.mark.parametrize(("gate", "told"), [("mostly_ties", True), ("too_few", True), ("unusable", False)])
def test_a_judge_that_no_caveat_tells_of_stands_in_the_short_report(gate: JudgeGate, told: bool) -> None:
    card = audit(gate=gate)
    text = " ".join(text_of(decision(judge=card, judges=(card,)), full=False).split())
    assert ("win rate of logit" in text) == told
