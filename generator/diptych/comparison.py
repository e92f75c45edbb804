"""The nouns that go out of a comparison: what an artifact holds and every page is drawn from.

Field names are the artifact's names; a trailing underscore is dropped (`class_` is written `class`, `count_` `count`).
They know no run, no file and no wording of numbers: numbers stay numbers, None is "not available".
"""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from diptych.keys import MetricKey, Sided, Whose
from diptych.nouns import NamedTuple

Json = Any

Severity = Literal["error", "warning", "note"]
Status = Literal["better", "worse", "same", "unclear", "not_available"]
Bearing = Literal["explains", "can", "cannot"]
"""What a setting has to do with a difference, strongest first (in artifacts `standing`)."""
Certainty = Literal["proven", "supported", "possible", "none"]
"""How sure a verdict is of its cause (in artifacts `standing`)."""
VerdictKind = Literal["not_a_measurement", "not_comparable", "identical", "equivalent", "different", "unclear"]
FlipClass = Literal["lost", "gained", "both_wrong_changed", "format_only", "extraction_only", "one_side_missing"]
Step = Literal["documents", "prompts", "choices", "generation_arguments", "responses", "filtered", "scores"]
"""A step of the ladder (in artifacts `rung`)."""

Family = Literal["primary", "other", "other_groups"]
"""The rows whose p-values are adjusted together."""

# fmt: off
FindingKind = Literal[
    "answers_empty", "answers_cut", "answers_loop", "answers_thinking_open", "answers_broken", "answers_identical",
    "answers_refused", "answers_fenced", "unanswered", "answer_format_changed", "filter_extracts_nothing",
    "filters_doubled", "filters_disagree",
    "prompt_role_markers", "prompt_examples", "prompt_example_layout", "prompt_white_space", "prompt_system_text",
    "prompt_start_token", "prompt_thought", "prompt_other", "prompts_cut", "choices_differ", "choices_reordered",
    "start_token_doubled", "start_token_setting", "tokens_unseen",
    "items_differ", "ids_disagree", "targets_differ", "rows_doubled", "rows_missing", "ids_missing", "items_depend",
    "repeats_in_log", "no_samples", "no_item_scores", "value_not_a_number", "tasks_renamed", "documents_differ",
    "tasks_differ",
    "numerical_noise", "noise_floor", "near_chance", "score_at_bound", "score_sentinel", "stderr_missing",
    "stderr_impossible", "reported_disagrees", "scale_mixed", "scale_rescaled", "scorer_changed", "group_weighting",
    "group_without_metric", "many_tests", "direction_unknown",
    "models_differ", "adapter_not_applied", "cache_suspected", "settings_contradict", "settings_not_recorded",
    "settings_unknown", "serving_unknown", "not_in_files",
    "results_many", "file_damaged", "baseline", "secret_masked",
    "serving_differs", "model_mismatch", "replies_truncated", "cost_unusable", "cost_mixed",
    "cost_incomplete", "cost_answering", "cost_attempts", "cost_unread", "costs_disagree", "money_not_available",
    "money_bases_differ",
    "judge_one_order", "judge_order_unknown", "judge_unreadable", "judge_labels_swapped", "judge_repeats",
    "judge_drift", "judge_not_read", "judge_flips", "judge_place", "judge_length", "judge_family", "judge_disagrees",
    "judge_against_labels",
]
# fmt: on
"""What `catalogue/findings.py` has a row for."""

Outcome = Literal["pass", "fail", "inconclusive"]
"""What became of a gate."""

STEPS: tuple[Step, ...] = get_args(Step)
"""The ladder in the order it is walked."""
BEARINGS: tuple[Bearing, ...] = get_args(Bearing)
ALPHA = 0.05
"""The two-sided level that every word on a difference rests on."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""Heaviest first."""

FLIP_CLASSES: tuple[FlipClass, ...] = get_args(FlipClass)
"""In the order to look at them."""


class Finding(NamedTuple):
    """What a reader must not miss, in one sentence; `evidence` names the first items that show it."""

    kind: FindingKind
    severity: Severity
    text: str
    side: Whose | None = None
    task: str | None = None
    count_: int | None = None
    of: int | None = None
    evidence: tuple[str, ...] = ()


class RunHeader(NamedTuple):
    """Who a side is. `items` maps a task to its scored items; `samples` to its logged ones.

    `settings` maps a dotted key to a recorded run-wide setting (secrets masked): what a run's own page and the
    timeline of a task are drawn from.
    """

    label: str
    model: str | None
    harness: str
    harness_version: str | None
    date: str | None
    source: str
    results_file: str
    items: Mapping[str, int]
    samples: Mapping[str, int]
    metadata: Mapping[str, Json]
    settings: Mapping[str, Json] = {}


class Interval(NamedTuple):
    """A range for one score, with the name of its method."""

    low: float
    high: float
    method: str


class Estimate(NamedTuple):
    """A difference b - a with its range and test. Names of methods are keys of `methods.METHODS`.

    `low`, `high` are the range at `confidence`; `low_90`, `high_90` serve the equivalence margin. `only_a` counts
    items right in A alone (lost), `only_b` in B alone (gained). `detectable` is the smallest true difference that
    this many items would show with 80 % power; `needed` the items that would show a difference of `margin`.
    `why` says why a better method was not possible, or None. `clusters` is the number of independent units.
    """

    method: str
    confidence: float
    difference: float | None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    p_exact: float | None = None
    p_equivalence: float | None = None
    low_90: float | None = None
    high_90: float | None = None
    standard_error: float | None = None
    pairs: int | None = None
    both: int | None = None
    only_a: int | None = None
    only_b: int | None = None
    neither: int | None = None
    detectable: float | None = None
    needed: int | None = None
    margin: float | None = None
    clusters: int | None = None
    changed: int | None = None
    odds_ratio: float | None = None
    why: str | None = None
    flags: tuple[str, ...] = ()
    parameters: Mapping[str, Json] = {}


class NoiseFloor(NamedTuple):
    """What two fresh runs of one configuration may differ by, from k repeats of it.

    `spread` is the standard deviation of the k scores (k - 1 degrees of freedom); `residual_error` the part of it that
    is the answers' own luck, where items are logged.
    """

    runs: int
    spread: float
    floor: float | None
    sigma_run: float | None
    degrees_of_freedom: float
    labels: tuple[str, ...]
    sentence: str
    residual_error: float | None = None


class SideScore(NamedTuple):
    """One side's score of a metric: as reported, and what else is known of it."""

    present: bool
    score: float | None
    stderr: float | None
    recomputed_stderr: float | None
    interval: Interval | None
    items: int | None
    paired: float | None


class MetricComparison(NamedTuple):
    """One metric of one task under one filter, side by side. `a`, `b` are the reported scores.

    `difference` is b - a of the estimate's own items, of the reported scores where there is none; `a_paired`,
    `b_paired` are the scores over the paired items. `estimate` is the paired one, None where samples of either side
    are missing; `unpaired` then holds what the reported scores alone allow. `unit` says what a difference of one
    means (a key of catalogue.metrics). `primary` marks the one metric of its task or group that is judged by;
    `headline` those that lead: groups first, and tasks outside of them. `family` says with which rows the p-value is
    adjusted, `family_tests` how many those are, `family_heads` how many of them are tested first (benchmarks by
    their group row, and tasks outside of groups); the estimate's `confidence` is the level that is left for this row.
    """

    task: str
    metric: str
    filter: str
    higher_is_better: bool | None
    a: float | None
    b: float | None
    difference: float | None
    status: Status
    reason: str | None
    a_stderr: float | None = None
    b_stderr: float | None = None
    a_recomputed_stderr: float | None = None
    b_recomputed_stderr: float | None = None
    a_interval: Interval | None = None
    b_interval: Interval | None = None
    a_items: int | None = None
    b_items: int | None = None
    a_paired: float | None = None
    b_paired: float | None = None
    a_present: bool = True
    b_present: bool = True
    group: bool = False
    subtasks: tuple[str, ...] = ()
    primary: bool = False
    sentence: str = ""
    estimate: Estimate | None = None
    unpaired: Estimate | None = None
    noise_floor: NoiseFloor | None = None
    unit: str = ""
    headline: bool = False
    family: Family | None = None
    family_tests: int = 0
    family_heads: int = 0

    @property
    def key(self) -> MetricKey:
        """What names this metric."""
        return MetricKey(self.task, self.metric, self.filter)

    @property
    def sides(self) -> Sided[SideScore]:
        """What is said of each side's score."""
        return Sided(
            SideScore(
                present=self.a_present,
                score=self.a,
                stderr=self.a_stderr,
                recomputed_stderr=self.a_recomputed_stderr,
                interval=self.a_interval,
                items=self.a_items,
                paired=self.a_paired,
            ),
            SideScore(
                present=self.b_present,
                score=self.b,
                stderr=self.b_stderr,
                recomputed_stderr=self.b_recomputed_stderr,
                interval=self.b_interval,
                items=self.b_items,
                paired=self.b_paired,
            ),
        )


def best_estimate(metric: MetricComparison) -> Estimate | None:
    """Return the estimate that a metric's status rests on: the paired one, else the unpaired one."""
    return metric.estimate or metric.unpaired


def no_item_changed(metric: MetricComparison) -> bool:
    """Say whether a metric is unclear though no item changed its score: there are too few to call it the same."""
    found = best_estimate(metric)
    return metric.status == "unclear" and found is not None and bool(found.pairs) and found.only_a == found.only_b == 0


class SettingDifference(NamedTuple):
    """One setting that differs, with its prior place (`rank`) and what the samples say (`standing`, `evidence`).

    `standing`: "explains" (the samples show what it would cause), "can" (it could, no trace), "cannot". `follows` is
    the key of another difference that this one comes with or repeats, "" where it stands for itself.
    """

    key: str
    a: Json
    b: Json
    a_recorded: bool
    b_recorded: bool
    rank: int | None
    kind: str
    tasks: tuple[str, ...]
    why: str
    standing: Bearing = "can"
    evidence: str | None = None
    a_default: bool = False
    b_default: bool = False
    follows: str = ""


class TaskDifference(NamedTuple):
    """One field of a task's definition that differs; `standing` and `evidence` are those of a setting."""

    task: str
    field: str
    a: Json
    b: Json
    standing: Bearing = "can"
    evidence: str | None = None


class ContextDifference(NamedTuple):
    """One thing outside the harness that differs, from run-context.json.

    What only one side wrote down is not recorded on the other. `standing` and `evidence` are those of a setting.
    """

    setting: str
    a: Json
    b: Json
    why: str
    a_recorded: bool = True
    b_recorded: bool = True
    standing: Bearing = "can"
    evidence: str | None = None


class Rung(NamedTuple):
    """One step of the ladder: `equal` of `compared` items agree; `first` names the first that does not."""

    rung: Step
    equal: int
    compared: int
    first: str | None


class Ladder(NamedTuple):
    """The cause ladder of one task; `first_break` is the first rung on which an item differs."""

    task: str
    first_break: Step | None
    rungs: tuple[Rung, ...]


class FlipSide(NamedTuple):
    """One side of a flip, as logged; texts are whole unless `left_out` says otherwise.

    `loglikelihoods` has one number a choice (natural log units), None where the log holds none.
    """

    prompt: str | None
    response: str | None
    filtered: str | None
    score: float | None
    choices: tuple[str, ...] = ()
    loglikelihoods: tuple[float | None, ...] = ()


class Flip(NamedTuple):
    """One item whose outcome or answer moved. `margin` is the log-likelihood lead of the chosen answer.

    `metric` says right or wrong here; it is "" where no metric of the task does.
    """

    task: str
    filter: str
    item: str
    class_: FlipClass
    target: str | None
    a: FlipSide | None
    b: FlipSide | None
    margin_a: float | None = None
    margin_b: float | None = None
    metric: str = ""


class FlipCount(NamedTuple):
    """How many flips of one class a task has under one filter, capped or not."""

    task: str
    filter: str
    class_: FlipClass
    count_: int
    metric: str = ""


class PromptPair(NamedTuple):
    """The same item's prompt on both sides, as sent; `note` says in one sentence how they differ."""

    task: str
    item: str
    a: str | None
    b: str | None
    a_messages: tuple[tuple[str, str], ...] | None
    b_messages: tuple[tuple[str, str], ...] | None
    note: str


class AnswerChange(NamedTuple):
    """How far log-likelihoods moved in one task while prompts were equal (natural log units).

    `bins` counts items by the size of their largest change: (upper edge, items).
    """

    task: str
    items: int
    changed: int
    median: float
    largest: float
    flips: int
    largest_flip_margin: float | None
    bins: tuple[tuple[float, int], ...]


class IsolatingRun(NamedTuple):
    """The run that would settle it: A repeated with one setting taken from B; what follows from each outcome."""

    changes: str
    command: str
    python: str
    seconds: float | None
    if_closes: str
    if_stays: str
    if_neither: str = ""


class Suspect(NamedTuple):
    """A recorded difference that is named together with others, since the facts fit all of them."""

    key: str
    a: Json
    b: Json
    evidence: str | None = None


class Divergence(NamedTuple):
    """The first step at which two runs diverge, the task where most items do, and how many `others` diverge there."""

    task: str
    step: Step
    others: int = 0


PartRole = Literal["answer", "disagreement", "open", "coverage", "caveat", "cause"]
"""What a part of a verdict says: how the runs differ; which filters and metrics say otherwise; which tasks are open
or still; which tasks one side alone has; what could turn the answer; why they differ."""


class VerdictPart(NamedTuple):
    """One part of a verdict's sentence, a text of its own."""

    role: PartRole
    text: str


class Verdict(NamedTuple):
    """The one line above everything; `parts` say the same as its sentence, each thing apart.

    `standing` is the certainty about the gap. Where several differences fit equally, `leading_cause` is None and
    `suspects` names them. `mechanism` names the check that proves a cause. `next_run_exists`: the run that would
    isolate the cause is B. `models_differ`: the record names two models.
    """

    kind: VerdictKind
    sentence: str
    leading_cause: str | None
    standing: Certainty
    isolating_run: IsolatingRun | None
    next_step: str
    suspects: tuple[Suspect, ...] = ()
    mechanism: str | None = None
    first_divergence: Divergence | None = None
    next_run_exists: bool = False
    models_differ: bool = False
    parts: tuple[VerdictPart, ...] = ()


class LeftOut(NamedTuple):
    """What a reader does not see here, how many, and why."""

    what: str
    count_: int
    why: str


class Gate(NamedTuple):
    """A rule that was asked for and its outcome; `fired` where that is "fail"."""

    rule: str
    fired: bool
    text: str
    outcome: Outcome | None = None

    @property
    def result(self) -> Outcome:
        """The outcome; artifacts of before know only whether a rule fired."""
        return self.outcome or ("fail" if self.fired else "pass")


class Input(NamedTuple):
    """A file that was read, by name and sha256."""

    name: str
    sha256: str


class Provenance(NamedTuple):
    """What made this artifact, from what, by which methods."""

    diptych_version: str
    methods: tuple[str, ...]
    inputs: tuple[Input, ...]
    options: Mapping[str, Json] = {}


class Comparison(NamedTuple):
    """Two runs side by side: everything a page shows.

    `ranking` holds the keys of all differences in the order of looking: a setting's key, `context.<setting>`,
    `<task>.<field>`. `configs_recorded` says which sides recorded any task's definition.
    """

    id: str
    a: RunHeader
    b: RunHeader
    verdict: Verdict
    metrics: tuple[MetricComparison, ...]
    settings: tuple[SettingDifference, ...]
    settings_equal: int
    task_settings: tuple[TaskDifference, ...]
    context: tuple[ContextDifference, ...]
    context_recorded: tuple[bool, bool]
    ladder: tuple[Ladder, ...]
    findings: tuple[Finding, ...]
    flips: tuple[Flip, ...]
    flip_counts: tuple[FlipCount, ...]
    prompts: tuple[PromptPair, ...]
    answer_changes: tuple[AnswerChange, ...]
    left_out: tuple[LeftOut, ...]
    gates: tuple[Gate, ...]
    provenance: Provenance
    title: str = ""
    ranking: tuple[str, ...] = ()
    configs_recorded: tuple[bool, bool] = (True, True)
