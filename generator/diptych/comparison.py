"""The nouns that go out of a comparison: what an artifact holds and every page is drawn from.

Field names are the artifact's names; a trailing underscore is dropped (`class_` is written `class`, `count_` `count`).
They know no run, no file and no wording of numbers: numbers stay numbers, None is "not available".
"""

from collections.abc import Mapping
from typing import Any

from diptych.closed_names import (
    Bearing,
    Certainty,
    FindingKind,
    FlipClass,
    Outcome,
    PartRole,
    Severity,
    Step,
    VerdictKind,
)
from diptych.estimates import MetricComparison
from diptych.fast_named_tuple import NamedTuple
from diptych.provenance import Provenance
from diptych.sides import Whose

Json = Any


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
    """The run that would settle it: A repeated with one setting taken from B; what follows from each outcome.

    `changes` is the setting's key, or that of an object of settings that come together.
    """

    changes: str
    command: str
    python: str
    seconds: float | None
    if_closes: str
    if_stays: str
    if_neither: str = ""

    def takes(self, key: str) -> bool:
        """Say whether a setting is B's in this run."""
        return key == self.changes or key.startswith(f"{self.changes}.")


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
