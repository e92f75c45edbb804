"""The nouns that go out of a student decision: routes, paired checks, judge, costs, verdict.

Field names are the artifact's names. They know no file and no wording of numbers.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from diptych.comparison import Finding, LeftOut, Provenance

Json = Any

COST_UNITS = ("prompt_tokens", "completion_tokens", "seconds", "watt_hours")

DecisionKind = Literal["route", "equal_choose_on_cost", "cannot_tell", "neither"]
JudgeGate = Literal["usable", "directional_only", "unusable", "mostly_ties", "too_few", "order_unknown"]
CostKind = Literal["measured", "estimated", "mixed"]


class Unusable(NamedTuple):
    """A recorded cost that cannot be used: which record, the value, and why."""

    record: str
    value: Json
    why: str


class CostTotal(NamedTuple):
    """A sum over `records` stage records, of which `measured` gave a usable value.

    `total` is None where nothing was measured. `whole` says that every stage has a record and every record a usable
    value: only then may it be compared. `kind` is "measured", "estimated" or "mixed" (both: not added); `sources`
    names the energy methods as recorded.
    """

    total: float | None
    measured: int
    records: int
    unusable: tuple[Unusable, ...] = ()
    missing: tuple[str, ...] = ()
    kind: CostKind = "measured"
    sources: tuple[str, ...] = ()
    whole: bool = False


class StageCost(NamedTuple):
    """The cost of one stage of a route, over its attempts (`run_ids`, oldest first)."""

    stage: str
    run_ids: tuple[str, ...]
    attempts: int
    cost: Mapping[str, CostTotal]


class Check(NamedTuple):
    """Checks of one kind on one route: passed of total."""

    kind: str
    passed: int
    total: int


class Route(NamedTuple):
    """One student by the route that made it."""

    name: str
    model: str | None
    passed: int
    total: int
    stages: tuple[str, ...]
    cost: Mapping[str, CostTotal]
    cost_per_passed: Mapping[str, float | None]
    by_stage: tuple[StageCost, ...] = ()
    checks: tuple[Check, ...] = ()
    money: float | None = None
    money_basis: str | None = None
    currency: str | None = None
    low: float | None = None
    high: float | None = None
    answering: Mapping[str, float | None] = {}
    metadata: Mapping[str, Json] = {}
    dominated_by: str | None = None


class PairedChecks(NamedTuple):
    """Checks of two routes over the tasks that both answered. `first`, `second` name the routes."""

    first: str
    second: str
    tasks: int
    both: int
    only_first: int
    only_second: int
    neither: int
    p_value: float | None
    p_exact: float | None
    low: float | None
    high: float | None
    method: str
    p_adjusted: float | None = None
    low_90: float | None = None
    high_90: float | None = None
    margin: float | None = None
    detectable: float | None = None
    needed: int | None = None


class TaskOutcome(NamedTuple):
    """One task, and by route whether it passed and what was answered."""

    id: str
    passed: Mapping[str, bool]
    prompt: str | None
    responses: Mapping[str, str | None]


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


class JudgeAudit(NamedTuple):
    """What one judge said of one pair of routes, in both orders.

    `wins` counts tasks won in both orders; `once` tasks won in one order and tied in the other. `win_low`,
    `win_high` and `length_controlled` (the win rate with length held equal) are those of `second`. `orders` maps the
    route shown first (or "unknown") to its wins, "tie" and "unreadable". `gate` is "usable", "directional_only",
    "unusable", "mostly_ties", "too_few" or "order_unknown"; only the first two let the judge speak.
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


class JudgeAgreement(NamedTuple):
    """Agreement between several judges over the tasks they share."""

    judges: tuple[str, ...]
    tasks: int
    method: str
    value: float | None
    routes: tuple[str, ...] = ()


class PlotPoint(NamedTuple):
    """One route on the cost-quality plot of one unit; hollow where the cost is estimated or incomplete."""

    route: str
    cost: float
    passed: int
    total: int
    measured: bool
    on_frontier: bool


class CostPlot(NamedTuple):
    """Cost against quality in one unit; routes that are not placed are named with the reason."""

    unit: str
    points: tuple[PlotPoint, ...]
    not_placed: tuple[tuple[str, str], ...] = ()


class Trade(NamedTuple):
    """What one more solved task costs when going from `cheap` to `dear`, and the break-even in uses.

    `case` says how cost and quality stand, `break_even_case` which of the two is cheaper on which side of it
    ("x" is `cheap`); `per_passed` is None where the checks show no difference.
    """

    unit: str
    cheap: str
    dear: str
    extra_cost: float | None
    extra_passed: int | None
    per_passed: float | None
    break_even: float | None
    case: str
    break_even_case: str = "missing"


class DecisionVerdict(NamedTuple):
    """Which student to keep, by which steps, and what would change it."""

    kind: DecisionKind
    route: str | None
    sentence: str
    rule: tuple[str, ...]
    would_change: tuple[str, ...]
    flags: tuple[str, ...] = ()


class ExternalStep(NamedTuple):
    """One call of an external harness: what ran, how it ended, what it printed and what it wrote to the notebook.

    `output` is as printed, capped; `records` are the notebook records that were appended during the call.
    """

    step: str
    command: str
    exit_code: int | None
    output: str
    records: tuple[Mapping[str, Json], ...] = ()


class StudentDecision(NamedTuple):
    """Students side by side: everything a decision page shows."""

    id: str
    title: str
    routes: tuple[Route, ...]
    paired: PairedChecks | tuple[PairedChecks, ...] | None
    judge: JudgeAudit | None
    judges: tuple[JudgeAudit, ...]
    agreement: tuple[JudgeAgreement, ...]
    trades: tuple[Trade, ...]
    plots: tuple[CostPlot, ...]
    tasks: tuple[TaskOutcome, ...]
    tasks_sha256: str | None
    verdict: DecisionVerdict
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]
    provenance: Provenance
    external: tuple[ExternalStep, ...] = ()
