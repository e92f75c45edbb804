"""The nouns of more than two runs: who differs from whom, and which setting did it.

Field names are the artifact's names. They know no file and no wording of numbers.
"""

from typing import Any

from diptych import numbers
from diptych.closed_names import Status, VerdictKind
from diptych.comparison import Finding, Gate, IsolatingRun, LeftOut, RunHeader
from diptych.estimates import TOO_FEW_UNCHANGED, Interval
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.provenance import Provenance

Json = Any


class MatrixCell(NamedTuple):
    """Two of many runs on one metric: its range has the level that Holm leaves it over all pairs and primary metrics.

    `reason` says why there is no word or no number.
    """

    a: int
    b: int
    difference: float | None
    low: float | None
    high: float | None
    p_adjusted: float | None
    status: Status
    reason: str | None = None
    confidence: float = 0.95

    @property
    def is_apart(self) -> bool:
        """Whether the two runs differ significantly, to the better or the worse."""
        return self.status in ("better", "worse")

    @property
    def is_unchanged(self) -> bool:
        """Whether no item changed its score, and they are too few to call that equivalent."""
        return self.status == "unclear" and not self.difference and self.reason == TOO_FEW_UNCHANGED

    def is_denied_by(self, other: "MatrixCell") -> bool:
        """Whether another filter of the same runs has a word where this has none, or goes the other way."""
        if not self.is_apart:
            return other.is_apart
        return (self.difference or 0.0) * (other.difference or 0.0) < 0


class MatrixRow(NamedTuple):
    """One metric over many runs. Runs that share a letter cannot be told apart.

    `primary` says that a verdict rests on it, `group` that it is a benchmark's own row. `intervals` holds for each run
    a range of its own score where the reported error would pass for certainty.
    """

    task: str
    metric: str
    filter: str
    higher_is_better: bool | None
    scores: tuple[float | None, ...]
    stderrs: tuple[float | None, ...]
    letters: tuple[str, ...]
    pairs: int | None
    cells: tuple[MatrixCell, ...]
    method: str
    intervals: tuple[Interval | None, ...] = ()
    primary: bool = True
    group: bool = False

    @property
    def key(self) -> MetricKey:
        """What names this metric."""
        return MetricKey(self.task, self.metric, self.filter)

    def denied_by(self, other: "MatrixRow") -> list[tuple[MatrixCell, MatrixCell]]:
        """Return the pairs of runs of which another filter of the metric says otherwise, over as many items.

        Otherwise: a word where the other has none or its opposite, and no word with a difference the other way.
        """
        ours, others = ((row.task, row.metric, row.pairs) for row in (self, other))
        if ours != others or self.filter == other.filter:
            return []
        theirs = {(cell.a, cell.b): cell for cell in other.cells}
        both = [(cell, theirs[cell.a, cell.b]) for cell in self.cells if (cell.a, cell.b) in theirs]
        return [pair for pair in both if pair[0].is_denied_by(pair[1])]

    @property
    def in_points(self) -> bool:
        """Whether its differences are told in percentage points."""
        known = [score for score in self.scores if score is not None]
        return bool(known) and numbers.in_points(min(known), max(known), self.higher_is_better)


class SettingEffect(NamedTuple):
    """What settings that changed together do to one metric, from many runs: their step from run `a` to run `b`.

    `settings` are dotted keys; `difference` is None where the runs do not tell it apart; `note` says on what it rests.
    `p_adjusted` is over all effects (Holm), the range at the level that this leaves, `status` the word for both.
    """

    task: str
    metric: str
    filter: str
    settings: tuple[str, ...]
    a: int
    b: int
    note: str
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    status: Status = "unclear"
    confidence: float = 0.95

    @property
    def key(self) -> MetricKey:
        """What names the metric."""
        return MetricKey(self.task, self.metric, self.filter)


class MatrixVerdict(NamedTuple):
    """What many runs say together: which settings moved a score and which did not, how many pairs differ, who leads.

    `parts` are the sentence's parts in the order of looking, `next_step` what to do next.
    """

    kind: VerdictKind
    sentence: str
    parts: tuple[str, ...] = ()
    next_step: str = ""


class Matrix(NamedTuple):
    """More than two runs: who differs from whom, and the comparison of each with the first.

    `comparisons` holds the ids of those comparisons, `sentences` their verdicts, one a run after the first (B there).
    `settings` holds for each setting that differs its value in every run. `gates` are the fired rules of all of them.
    `effects` say which setting did it, `next_run` which run would tell `next_settings` apart.
    """

    id: str
    title: str
    runs: tuple[RunHeader, ...]
    rows: tuple[MatrixRow, ...]
    comparisons: tuple[str, ...]
    sentences: tuple[str, ...]
    settings: tuple[tuple[str, tuple[Json, ...]], ...]
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...]
    provenance: Provenance
    gates: tuple[Gate, ...] = ()
    effects: tuple[SettingEffect, ...] = ()
    next_run: IsolatingRun | None = None
    next_settings: tuple[str, ...] = ()
    verdict: MatrixVerdict | None = None
