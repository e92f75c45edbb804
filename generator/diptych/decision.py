"""The nouns that go out of a student decision: routes, paired checks, costs, verdict; judges have judge_audit.py.

Field names are the artifact's names. They know no file and no wording of numbers.
"""

from collections.abc import Mapping
from typing import Any, Literal

from diptych.comparison import Finding, LeftOut
from diptych.fast_named_tuple import NamedTuple
from diptych.judge_audit import JudgeAgreement, JudgeAudit
from diptych.provenance import Provenance

Json = Any

COST_UNITS = ("prompt_tokens", "completion_tokens", "seconds", "watt_hours")

DecisionKind = Literal["route", "equal_choose_on_cost", "cannot_tell", "neither"]
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
    names the energy methods as recorded. `spread` is the standard deviation of the total as repeated runs of one
    configuration show it, None where nothing was repeated.
    """

    total: float | None
    measured: int
    records: int
    unusable: tuple[Unusable, ...] = ()
    missing: tuple[str, ...] = ()
    kind: CostKind = "measured"
    sources: tuple[str, ...] = ()
    whole: bool = False
    spread: float | None = None


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


class Money(NamedTuple):
    """A route's cost in money on one basis ("tokens", "seconds", "energy"), or why there is none."""

    basis: str
    amount: float | None
    why: str | None = None


class Route(NamedTuple):
    """One student by the route that made it.

    `total` counts the tasks that it is held to, `passed` those that it is known to pass, `unanswered` those whose
    outcome is not known (no answer came, or nothing says whether it passed); `low`, `high` are the ends of the pass
    rate's 95 % interval with the unanswered counted as failed and as passed. `answering` holds a mean an answer by
    unit, and under `<unit>_measured`, `<unit>_sum` how many answers recorded it and their sum. `other_costs` are
    amounts of the notebook under names that are none of the four units.
    """

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
    unanswered: int = 0
    money_by_basis: tuple[Money, ...] = ()
    other_costs: Mapping[str, CostTotal] = {}


class CheckBound(NamedTuple):
    """The paired table of two routes with every unanswered task decided in favour of one of them."""

    favours: str
    both: int
    only_first: int
    only_second: int
    neither: int
    p_value: float
    low: float
    high: float
    low_90: float
    high_90: float


class PairedChecks(NamedTuple):
    """Checks of two routes over the tasks that both answered. `first`, `second` name the routes.

    `low`, `high` stand at the level `confidence`, which is the adjusted one where many pairs are tested. Where tasks
    are unanswered, `bounds` holds the table with all of them in favour of the first and of the second route, and
    `p_adjusted` rests on the weakest of the three tables.
    """

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
    confidence: float = 0.95
    unanswered_first: int = 0
    unanswered_second: int = 0
    bounds: tuple[CheckBound, ...] = ()


class TaskOutcome(NamedTuple):
    """One task, and by route whether it passed (None: no answer) and what was answered."""

    id: str
    passed: Mapping[str, bool | None]
    prompt: str | None
    responses: Mapping[str, str | None]


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
    ("x" is `cheap`); `per_passed` is None where the checks show no difference. `net_benefit` is what the extra passed
    tasks are worth less the extra cost, with its 95 % interval, where a solved task's worth is known.
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
    net_benefit: float | None = None
    net_low: float | None = None
    net_high: float | None = None


class DecisionVerdict(NamedTuple):
    """Which student to keep, by which steps, what would change it, and the caveats that could turn it.

    `next_step` says what to do where none is kept.
    """

    kind: DecisionKind
    route: str | None
    sentence: str
    rule: tuple[str, ...]
    would_change: tuple[str, ...]
    flags: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    next_step: str = ""


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

    @property
    def currency(self) -> str | None:
        """What its prices are in; None where none is given."""
        return next((route.currency for route in self.routes if route.currency), None)
