"""What a comparison says, as words and figures in the order they are shown: terminal and page both place these.

Views hold plain strings only. They are not escaped: each output does that in its own way.
"""

from collections.abc import Iterable
from typing import NamedTuple

from diptych.comparison import Comparison, Estimate, Finding, Interval, LeftOut, MetricComparison, RunHeader, Verdict
from diptych.matrix import Matrix, MatrixRow
from diptych.numbers import metric_name
from diptych.repeats import Repeats
from diptych.report import figures
from diptych.report.documents.causes import value_note

STATUS_WORDS = {
    "better": "better",
    "worse": "worse",
    "same": "same",
    "unclear": "cannot tell",
    "not_available": "not available",
}
STATUS_SIGNS = {"better": "▲", "worse": "▼", "same": "=", "unclear": "?", "not_available": "–"}

KINDS = {
    "not_a_measurement": ("✗", "Not a measurement", "void"),
    "not_comparable": ("✗", "Not comparable", "void"),
    "identical": ("=", "Identical", "same"),
    "equivalent": ("≈", "The same within the margin", "same"),
    "different": ("≠", "A real difference", "mixed"),
    "unclear": ("?", "Cannot tell at this size", "unclear"),
}

STANDING_WORDS = {
    "proven": "proven by the files",
    "supported": "supported by the samples",
    "possible": "possible, not shown",
    "none": "",
}


CLASS_WORDS = {
    "lost": "lost",
    "gained": "gained",
    "both_wrong_changed": "wrong in both, changed",
    "format_only": "format only",
    "extraction_only": "extraction only",
    "one_side_missing": "one side missing",
}

SEVERITY_WORDS = {"error": "Error", "warning": "Warning", "note": "Note"}
SEVERITY_ORDER = ("error", "warning", "note")


class VerdictView(NamedTuple):
    """The one line above everything, and what to do next."""

    icon: str
    word: str
    tone: str
    sentence: str
    cause: str
    standing: str
    next_step: str


class ScoreView(NamedTuple):
    """One row of the score table; `details` are short sentences for below it or beside it."""

    task: str
    metric: str
    a: str
    a_error: str
    b: str
    b_error: str
    difference: str
    unit: str
    between: str
    p: str
    sign: str
    word: str
    tone: str
    counts: str
    reason: str
    sentence: str
    method: str
    place: str


class FindingView(NamedTuple):
    """One finding, its side and the items that show it ("task/item")."""

    severity: str
    word: str
    kind: str
    text: str
    evidence: tuple[str, ...]


class SideView(NamedTuple):
    """Who a side is, as (name, value) pairs."""

    letter: str
    label: str
    facts: tuple[tuple[str, str], ...]


def title_of(comparison: Comparison) -> str:
    """Return what a comparison is called: its own title, else who stands against whom."""
    return comparison.title or f"{comparison.a.label} against {comparison.b.label}"


def verdict_view(comparison: Comparison) -> VerdictView:
    """Return the verdict with its icon and word; a difference that goes one way only says which way."""
    verdict = comparison.verdict
    icon, word, tone = KINDS[verdict.kind]
    if verdict.kind == "different":
        moved = {row.status for row in comparison.metrics if row.headline} & {"better", "worse"}
        if len(moved) == 1:
            tone = moved.pop()
            icon, word = STATUS_SIGNS[tone], f"B is {tone}"
    return VerdictView(
        icon, word, tone, verdict.sentence, cause_text(verdict), STANDING_WORDS[verdict.standing], verdict.next_step
    )


def cause_text(verdict: Verdict) -> str:
    """Return the leading cause as words, or nothing."""
    return verdict.leading_cause or ""


def side_view(letter: str, side: RunHeader) -> SideView:
    """Return one run's card."""
    version = f"{side.harness} {side.harness_version or figures.NOT_RECORDED}"
    items = figures.plural(sum(side.items.values()), "item")
    facts = (
        ("Model", side.model or figures.NOT_RECORDED),
        ("Harness", version),
        ("Date", figures.date(side.date)),
        ("Scored", f"{items} in {figures.plural(len(side.items), 'task')}"),
    )
    return SideView(letter, side.label, facts)


def against_first(matrix: Matrix) -> tuple[tuple[int, str], ...]:
    """Return for each run after the first its place and the verdict on it, where the first is A and it is B."""
    return tuple(
        (place, sentence.removeprefix(f"{matrix.runs[place].label}: "))
        for place, sentence in enumerate(matrix.sentences[: len(matrix.runs) - 1], 1)
    )


def setting_texts(matrix: Matrix) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each setting that differs with its value in each run; *not recorded* is no null."""
    rows = []
    for key, values in matrix.settings:
        texts = []
        for run, value in zip(matrix.runs, values, strict=True):
            text = figures.value(value, value is not None or key in run.settings or not run.settings)
            note = value_note(key, value)
            texts.append(f"{text} ({note})" if note else text)
        rows.append((key, tuple(texts)))
    return tuple(rows)


def not_told_yet(repeats: Repeats) -> tuple[Finding, ...]:
    """Return the findings that no floor's own sentence has told."""
    said = [floor.sentence for floor in repeats.floors.values() if floor.sentence]
    return tuple(row for row in repeats.findings if not any(sentence in row.text for sentence in said))


def score_views(comparison: Comparison) -> tuple[ScoreView, ...]:
    """Return the score table's rows, in the artifact's order."""
    children = {task for row in comparison.metrics if row.group for task in row.subtasks}
    return tuple(score_view(row, row.task in children and not row.group) for row in comparison.metrics)


CROWD = 80
"""Rows from which on a page stays light: one plot for all, sentences for real differences only."""


def is_told(row: ScoreView, total: int) -> bool:
    """Say whether a score's sentence stands on the page among `total` rows."""
    return bool(row.sentence or row.method) and (total <= CROWD or row.tone in ("better", "worse"))


def score_view(row: MetricComparison, child: bool) -> ScoreView:
    """Return one row of the score table."""
    as_points = figures.in_points(row.a, row.b, row.higher_is_better)
    estimate = row.estimate
    low, high = (estimate.low, estimate.high) if estimate else (None, None)
    return ScoreView(
        task=row.task,
        metric=metric_name(row.metric, row.filter) + ("" if row.higher_is_better is not False else ", lower is better"),
        a=side_score(row.a, row.a_present),
        a_error=error_text(row.a, row.a_stderr, row.a_recomputed_stderr, row.a_interval),
        b=side_score(row.b, row.b_present),
        b_error=error_text(row.b, row.b_stderr, row.b_recomputed_stderr, row.b_interval),
        difference=figures.difference(row.difference, as_points, unit=False),
        unit="points" if as_points else "",
        between=figures.between(low, high, as_points),
        p=p_text(estimate),
        sign=STATUS_SIGNS[row.status],
        word=STATUS_WORDS[row.status],
        tone=row.status,
        counts=counts_text(estimate),
        reason=reason_text(row, as_points),
        sentence=row.sentence,
        method=estimate.method if estimate else "",
        place="group" if row.group else "child" if child else "",
    )


def side_score(value: float | None, present: bool) -> str:
    """Return one side's score, or that it was not measured there."""
    return figures.score(value) if present else "none"


def error_text(value: float | None, reported: float | None, recomputed: float | None, interval: Interval | None) -> str:
    """Return a score's standard error or range; a star says that it is ours, not the run's."""
    low, high = (interval.low, interval.high) if interval else (None, None)
    text = figures.error(value, reported, recomputed, low, high)
    return "" if text == figures.NOT_AVAILABLE else text


def p_text(estimate: Estimate | None) -> str:
    """Return the p-value that the verdict rests on: the adjusted one where there is a family."""
    if estimate is None:
        return figures.NOT_AVAILABLE
    return figures.p_value(estimate.p_adjusted if estimate.p_adjusted is not None else estimate.p_value)


def counts_text(estimate: Estimate | None) -> str:
    """Return how many items moved, of how many."""
    if estimate is None or estimate.pairs is None:
        return ""
    if estimate.only_a is not None and estimate.only_b is not None:
        lost, gained = figures.count(estimate.only_a), figures.count(estimate.only_b)
        return f"{lost} lost, {gained} gained of {figures.count(estimate.pairs)}"
    return figures.plural(estimate.pairs, "shared item")


def reason_text(row: MetricComparison, as_points: bool) -> str:
    """Return why a number is missing, wider than need be, or inside the noise of repeats."""
    parts = [row.reason or ""]
    if row.estimate and row.estimate.why:
        parts.append(row.estimate.why)
    if row.a_paired is not None and row.b_paired is not None and shared_alone(row):
        parts.append(f"over the shared items {figures.score(row.a_paired)} and {figures.score(row.b_paired)}")
    if row.noise_floor and row.noise_floor.floor is not None and row.difference is not None:
        side = "inside" if abs(row.difference) <= row.noise_floor.floor else "beyond"
        floor = figures.difference(row.noise_floor.floor, as_points).lstrip("+")
        parts.append(f"{side} the noise floor of {floor}, from {figures.plural(row.noise_floor.runs, 'repeat')}")
    return "; ".join(part for part in parts if part)


def shared_alone(row: MetricComparison) -> bool:
    """Say whether the scores over the shared items are other numbers than the reported ones."""
    return any(
        reported is not None and paired is not None and abs(reported - paired) > 1e-6
        for reported, paired in ((row.a, row.a_paired), (row.b, row.b_paired))
    )


def finding_views(findings: Iterable[Finding]) -> tuple[FindingView, ...]:
    """Return findings, the worst first, in the artifact's order within a severity."""
    ordered = sorted(findings, key=lambda finding: SEVERITY_ORDER.index(finding.severity))
    return tuple(
        FindingView(
            finding.severity, SEVERITY_WORDS[finding.severity], finding.kind, finding.text, evidence_names(finding)
        )
        for finding in ordered
    )


def evidence_names(finding: Finding) -> tuple[str, ...]:
    """Return the first items that show a finding, each with its task ("task/item")."""
    start = f"{finding.task}/" if finding.task else ""
    return tuple(name if name.startswith(start) else start + name for name in finding.evidence[:3])


def left_out_lines(rows: Iterable[LeftOut]) -> tuple[str, ...]:
    """Return what is left out, one sentence each."""
    return tuple(f"{row.what}: {figures.count(row.count_)} left out ({row.why})." for row in rows)


def run_errors(row: MatrixRow) -> list[str]:
    """Return how far each run's score of one metric is known: its standard error, or the range in its place."""
    ranges = row.intervals or (None,) * len(row.scores)
    return [
        "" if score is None else figures.error(score, reported, None, *((reach.low, reach.high) if reach else ()))
        for score, reported, reach in zip(row.scores, row.stderrs, ranges, strict=True)
    ]
