"""What a judge said of two routes, in words and figures: first how far it may be trusted, then what it preferred."""

from collections.abc import Mapping
from typing import NamedTuple

from diptych import numbers
from diptych.decision import JudgeAudit, StudentDecision

GATES = {
    "usable": "consistent enough to be used",
    "directional_only": "may say which is preferred, not by how much",
    "unusable": "contradicts itself too often to be used",
    "too_few": "too few tasks to be used",
}

FACT_METHODS: Mapping[str, str] = {
    "flip rate": "wilson",
    "win rate, ties half": "judge_swap_signflip",
    "win rate at equal length": "length_controlled",
    "agreement between orders": "cohens_kappa",
}
"""The method behind each fact that is worked out."""


class OrderRow(NamedTuple):
    """What a judge said in one order of showing."""

    order: str
    cells: tuple[str, ...]


class JudgeCard(NamedTuple):
    """What one judge said of one pair, and how far it may be trusted."""

    judge: str
    first: str
    second: str
    gate: str
    usable: bool
    facts: tuple[tuple[str, str], ...]
    order_heads: tuple[str, ...]
    orders: tuple[OrderRow, ...]
    parts: tuple[tuple[str, int], ...]
    tasks: int


def judge_cards(decision: StudentDecision) -> tuple[JudgeCard, ...]:
    """Return a card for each judge and pair of routes."""
    audits = decision.judges or ((decision.judge,) if decision.judge else ())
    return tuple(judge_card(audit) for audit in audits)


def judge_card(audit: JudgeAudit) -> JudgeCard:
    """Return what one judge said, first how far it may be trusted."""
    heads = (audit.first, "tie", audit.second, "unreadable")
    return JudgeCard(
        judge=audit.judge,
        first=audit.first,
        second=audit.second,
        gate=GATES.get(audit.gate, audit.gate),
        usable=audit.gate == "usable",
        facts=tuple((name, text) for name, text in judge_facts(audit) if text),
        order_heads=heads,
        orders=tuple(
            OrderRow(order, tuple(numbers.count(counts.get(head, 0)) for head in heads))
            for order, counts in audit.orders.items()
        ),
        parts=judge_parts(audit),
        tasks=audit.tasks,
    )


def judge_parts(audit: JudgeAudit) -> tuple[tuple[str, int], ...]:
    """Return the parts of the head-to-head bar, left to right."""
    return (
        (f"{audit.first} in both orders", audit.wins.get(audit.first, 0)),
        (f"{audit.first} in one order, a tie in the other", audit.once.get(audit.first, 0)),
        ("tie in both orders", audit.ties),
        ("another winner in each order", audit.flips),
        (f"{audit.second} in one order, a tie in the other", audit.once.get(audit.second, 0)),
        (f"{audit.second} in both orders", audit.wins.get(audit.second, 0)),
    )


def judge_facts(audit: JudgeAudit) -> list[tuple[str, str]]:
    """Return what is known of a judge as pairs of a name and a text; an empty text is not shown."""
    first, second = audit.win_rate.get(audit.first), audit.win_rate.get(audit.second)
    rates = f"{audit.first} {numbers.percent(first)}, {audit.second} {numbers.percent(second)}"
    return [
        ("verdicts on", f"{numbers.counted(audit.tasks, 'task')} in both orders, {audit.unreadable} unreadable"),
        (
            "flip rate",
            f"{numbers.percent(audit.flip_rate)} ({share_range(audit.flip_low, audit.flip_high)})"
            f"; {numbers.count(audit.half_changes)} more turned between a winner and a tie",
        ),
        (
            "place",
            f"of {numbers.counted(audit.flips, 'flip')} {audit.first_place_wins} went to the answer shown first, "
            f"{audit.second_place_wins} to the one shown second"
            + (f" ({numbers.p_text(audit.position_p)})" if audit.position_p is not None else ""),
        ),
        (
            "win rate, ties half",
            rates
            + (f" ({audit.second}: {share_range(audit.win_low, audit.win_high)})" if audit.win_low is not None else "")
            + (f", {numbers.p_text(audit.p_value)}" if audit.p_value is not None else ""),
        ),
        (
            "length",
            f"the longer answer won {audit.longer_wins} of {audit.longer_of} times"
            if audit.longer_wins is not None and audit.longer_of
            else "",
        ),
        (
            "win rate at equal length",
            f"{audit.second} {numbers.percent(audit.length_controlled)}" if audit.length_controlled is not None else "",
        ),
        ("on length", audit.length_note or ""),
        ("agreement between orders", f"κ = {audit.kappa:.2f}" if audit.kappa is not None else ""),
        (
            "agreement with itself",
            f"{numbers.percent(audit.self_agreement)} over {numbers.counted(audit.repeats, 'repeat')}"
            if audit.self_agreement is not None
            else "",
        ),
        ("family", audit.family_note or ""),
    ]


def share_range(low: float | None, high: float | None) -> str:
    """Return the range of a share of passed checks."""
    if low is None or high is None:
        return numbers.NOT_AVAILABLE
    return f"{numbers.percent(low)} to {numbers.percent(high)}"
