"""The nouns of a judge's audit: what it said in both orders, how far it may be trusted, what people's labels say of it.

Field names are the artifact's names; an audit is a part of a student decision.
"""

from collections.abc import Mapping
from typing import Literal

from diptych.fast_named_tuple import NamedTuple

JudgeGate = Literal[
    "usable",
    "directional_only",
    "unusable",
    "mostly_ties",
    "too_few",
    "one_order",
    "order_unknown",
    "labels_swapped",
    "not_readable",
]


class Disagreement(NamedTuple):
    """One task on which the judge contradicted itself when the order was swapped."""

    task: str
    judge: str
    first_order: str | None
    second_order: str | None
    raw_first: str | None
    raw_second: str | None


class LengthBin(NamedTuple):
    """Tasks by how many characters longer the second route's answer is, and whom the judge preferred there."""

    low: float
    high: float
    first: int
    neither: int
    second: int


class Corrected(NamedTuple):
    """A win rate corrected by human labels, by "rogan_gladen" or "prediction_powered"; None with the reason."""

    method: str
    rate: float | None
    low: float | None
    high: float | None
    note: str | None = None


class LabelAudit(NamedTuple):
    """One judge held against human labels of the same tasks.

    `labelled` tasks have a label and a judgement in both orders, `decided` of them are decided by both (no tie,
    no contradiction), on `agreed` of those judge and human prefer the same route: `accuracy` with its range. The
    corrected win rates are those of the second route.
    """

    labelled: int
    decided: int
    agreed: int
    accuracy: float | None
    low: float | None
    high: float | None
    human_rate: float | None
    corrected: tuple[Corrected, ...] = ()


class JudgeAudit(NamedTuple):
    """What one judge said of one pair of routes, in both orders.

    `wins` counts tasks won in both orders; `once` tasks won in one order and tied in the other. `win_low`,
    `win_high` and `length_controlled` (the win rate with length held equal) are those of `second`. `orders` maps the
    route shown first (or "unknown") to its wins, "tie" and "unreadable". `gate` is "usable", "directional_only",
    "unusable", "mostly_ties", "too_few", "one_order", "order_unknown", "labels_swapped" or "not_readable"; only the
    first two let the judge speak. `one_order` counts tasks that were judged in one order alone.
    """

    judge: str
    first: str
    second: str
    tasks: int
    unreadable: int
    wins: Mapping[str, int]
    once: Mapping[str, int]
    ties: int
    flips: int
    half_changes: int
    flip_rate: float | None
    flip_low: float | None
    flip_high: float | None
    first_place_wins: int
    second_place_wins: int
    position_p: float | None
    win_rate: Mapping[str, float | None]
    win_low: float | None
    win_high: float | None
    p_value: float | None
    gate: JudgeGate
    kappa: float | None = None
    length_controlled: float | None = None
    length_note: str | None = None
    longer_wins: int | None = None
    longer_of: int | None = None
    family_note: str | None = None
    orders: Mapping[str, Mapping[str, int]] = {}
    repeats: int = 1
    self_agreement: float | None = None
    disagreements: tuple[Disagreement, ...] = ()
    length_bins: tuple[LengthBin, ...] = ()
    one_order: int = 0
    served_as: Mapping[str, int] = {}
    labels: LabelAudit | None = None


class JudgeAgreement(NamedTuple):
    """Agreement between several judges over the tasks they share."""

    judges: tuple[str, ...]
    tasks: int
    method: str
    value: float | None
    routes: tuple[str, ...] = ()
