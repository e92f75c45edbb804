"""The nouns that come in: a run, its settings and its scores.

They know no harness by name, no file and no statistics. They are named tuples rather than
frozen dataclasses because defining thirty of those costs twice an interpreter's start.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from diptych.bounded_json import whole_number
from diptych.closed_names import FindingKind, Severity
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.sample_log import SampleLog

if TYPE_CHECKING:  # a command is written for few of the runs that are read
    from diptych.plan import CommandWriter

Json = object
"""A value as JSON has it: None, bool, int, float, str, list or dict (finite numbers only).

Whatever a file says may stand there, so that who uses one has to ask first of what type it is.
"""


LM_EVAL = "lm-evaluation-harness"
"""The harness whose commands changed with its versions."""


class Setting(NamedTuple):
    """One setting of a run.

    `recorded` is False where the file does not say: such a value equals nothing, not even null.
    `default` is True where nobody gave the value and the harness filled it in.
    """

    value: Json
    recorded: bool = True
    default: bool = False


NOT_RECORDED = Setting(None, recorded=False)


class Score(NamedTuple):
    """One score as the results file reports it; `value` is None, with a `reason`, where it is no number.

    `stderr` is None where it was not given, with `stderr_reason` ("N/A", "missing", "0.0 at 0.4 ...").
    `group` marks a row that aggregates other tasks. `items` is the count that the score is over. `scale` is the formula
    that put a share of right answers on another scale, "" where it is none or none is known.
    """

    task: str
    metric: str
    filter: str
    value: float | None
    stderr: float | None = None
    higher_is_better: bool | None = None
    reason: str | None = None
    stderr_reason: str | None = None
    group: bool = False
    items: int | None = None
    scale: str = ""

    @property
    def key(self) -> MetricKey:
        """What names this score."""
        return MetricKey(self.task, self.metric, self.filter)


class Remark(NamedTuple):
    """What a reader noticed; it becomes a finding with a side. `kind` is a finding kind."""

    kind: FindingKind
    severity: Severity
    text: str
    task: str | None = None
    count_: int | None = None
    of: int | None = None
    evidence: tuple[str, ...] = ()


class Source(NamedTuple):
    """An input file by name (relative) and sha256."""

    name: str
    sha256: str


class OlderResults(NamedTuple):
    """A results file of the same model and tasks that lies beside the one that was read: its date, and its items."""

    date: str
    items: int


class Run(NamedTuple):
    """One evaluation run, as far as its files tell.

    `settings` maps a dotted key to a run-wide setting; `task_settings` maps a task to the settings that are
    kept task by task (num_fewshot, gen_kwargs.<key>, versions.<task> under its own key). `configs` maps a
    task to its definition, field by field, with what is noise already folded away. `context` is
    run-context.json. `items` maps a task to the number of scored items; `expected` to what the full task holds.
    `metadata` keeps what is worth showing and never compared (git hash, seconds, environment). `measurements` holds by
    dotted key what a clock, a meter or a counter read: no setting, never a cause. `unused` names what nobody reads.
    `command` writes a plan in the words of the run's harness; None where it has none that we know. `fuller` is an older
    results file beside the one that was read, over more items of its tasks; None where none is.
    """

    label: str
    harness: str
    harness_version: str | None
    generation: str
    model: str | None
    date: str | None
    source: str
    results_file: str
    settings: Mapping[str, Setting]
    task_settings: Mapping[str, Mapping[str, Setting]]
    configs: Mapping[str, Mapping[str, Json]]
    context: Mapping[str, Json] | None
    scores: tuple[Score, ...]
    groups: Mapping[str, tuple[str, ...]]
    items: Mapping[str, int]
    expected: Mapping[str, int]
    samples: Mapping[str, SampleLog]
    remarks: tuple[Remark, ...]
    inputs: tuple[Source, ...]
    metadata: Mapping[str, Json]
    measurements: Mapping[str, Json] = {}
    unused: tuple[str, ...] = ()
    command: "CommandWriter | None" = None
    fuller: OlderResults | None = None

    def recorded(self, key: str) -> Json:
        """Return a run-wide setting's value, None where it is not recorded."""
        found = self.settings.get(key, NOT_RECORDED)
        return found.value if found.recorded else None

    def items_of(self, score: Score) -> int | None:
        """Return over how many items a score is, as far as the files tell."""
        return score.items if score.items is not None else self.items.get(score.task)


def version_of(text: str | None) -> tuple[int, ...] | None:
    """Return a version as numbers, of a span of versions the first; None where there is none."""
    first = (text or "").partition("–")[0].partition("-")[0].strip()
    parts = first.split(".")
    numbers = [number for part in parts if (number := whole_number(part)) is not None]
    return tuple(numbers) if len(numbers) >= 2 else None
