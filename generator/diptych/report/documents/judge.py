"""What a judge said of two routes, in words and figures: first how far it may be trusted, then what it preferred."""

from collections.abc import Mapping
from typing import NamedTuple

from diptych import numbers
from diptych.decision import JudgeAudit, JudgeGate, StudentDecision

GATES: Mapping[JudgeGate, str] = {
    "usable": "consistent enough to be used",
    "directional_only": "may say which is preferred, not by how much",
    "unusable": "contradicts itself too often to be used",
    "mostly_ties": "mostly calls ties",
    "too_few": "too few tasks in both orders to be used",
    "one_order": "asked in one order only: decides nothing",
    "order_unknown": "the order shown is not recorded: decides nothing",
    "labels_swapped": "the labels of its second game look swapped: decides nothing",
    "not_readable": "left no counts that can be read: decides nothing",
}

FACT_METHODS: Mapping[str, str] = {
    "flip rate": "wilson",
    "win rate, ties half": "judge_swap_signflip",
    "win rate at equal length": "length_controlled",
    "agreement between orders": "cohens_kappa",
    "corrected win rate": "prediction_powered",
    "win rate by its error rates": "rogan_gladen",
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
        gate=GATES[audit.gate],
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
    if audit.gate == "not_readable":
        return []
    asked = "in both orders" if audit.gate not in ("one_order", "order_unknown") else "judged"
    facts = [
        ("verdicts on", f"{numbers.counted(audit.tasks, 'task')} {asked}, {audit.unreadable} unreadable"),
        ("by order", counted_orders(audit)),
    ]
    if audit.flip_rate is None:
        return [*facts, ("self-preference", audit.family_note or ""), *label_facts(audit)]
    return [
        *facts,
        (
            "flip rate",
            f"{numbers.percent(audit.flip_rate)} ({share_range(audit.flip_low, audit.flip_high)})"
            f"; {numbers.count(audit.half_changes)} more turned between a winner and a tie",
        ),
        (
            "position bias",
            f"of {numbers.counted(audit.flips, 'flip')} {audit.first_place_wins} went to the answer shown first, "
            f"{audit.second_place_wins} to the one shown second ({numbers.p_text(audit.position_p)})"
            if audit.position_p is not None and audit.flips
            else "",
        ),
        (
            "win rate, ties half",
            rates
            + (f" ({audit.second}: {share_range(audit.win_low, audit.win_high)})" if audit.win_low is not None else "")
            + (f", {numbers.p_text(audit.p_value)}" if audit.p_value is not None else ""),
        ),
        *label_facts(audit),
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
        ("self-preference", audit.family_note or ""),
    ]


def counted_orders(audit: JudgeAudit) -> str:
    """Return the verdicts of each order as counts."""
    told = []
    for shown, counts in audit.orders.items():
        place = "order not recorded" if shown == "unknown" else f"{shown} first"
        wins = ", ".join(f"{name} {counts.get(name, 0)}" for name in (audit.first, audit.second, "tie"))
        told.append(f"{place}: {wins}")
    return "; ".join(told)


def label_facts(audit: JudgeAudit) -> list[tuple[str, str]]:
    """Return how a judge stands against people's labels, and its win rate as they correct it."""
    labels = audit.labels
    if labels is None:
        return []
    told = f"{numbers.counted(labels.labelled, 'task')} labelled by people"
    if labels.accuracy is not None:
        told += (
            f"; agrees on {labels.agreed} of {labels.decided} that both decide: accuracy"
            f" {numbers.percent(labels.accuracy)} ({share_range(labels.low, labels.high)})"
        )
    names = {"prediction_powered": "corrected win rate", "rogan_gladen": "win rate by its error rates"}
    return [
        ("against people", told),
        *(
            (
                names[one.method],
                f"{audit.second} {numbers.percent(one.rate)} ({share_range(one.low, one.high)})"
                if one.rate is not None
                else one.note or "",
            )
            for one in labels.corrected
        ),
    ]


def share_range(low: float | None, high: float | None) -> str:
    """Return the range of a share of passed checks."""
    if low is None or high is None:
        return numbers.NOT_AVAILABLE
    return f"{numbers.percent(low)} to {numbers.percent(high)}"
