"""Each kind of artifact as its summary: the row of an index, with the runs behind it."""

import hashlib
import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any, TypeVar

from diptych import numbers, value_text
from diptych.catalogue.words import REPEATS
from diptych.comparison import Comparison, Gate, RunHeader
from diptych.decision import PairedChecks, StudentDecision
from diptych.estimates import MetricComparison, best_estimate, gap_of
from diptych.matrix import Matrix, MatrixCell, MatrixRow
from diptych.metric_key import MetricKey
from diptych.repeats import Repeats
from diptych.report.addresses import artifact_title, folder_name, folder_of
from diptych.report.documents.decision import decision_word
from diptych.report.documents.decision_tasks import paired_tables
from diptych.report.documents.headline import headline
from diptych.report.documents.matrix import matrix_answer, matrix_sentence
from diptych.report.documents.matrix_scores import counted_rows
from diptych.report.documents.score_rows import is_wordless_at_floor
from diptych.report.documents.scores import ranked_counted, status_rank
from diptych.report.documents.summaries import RunSummary, ScoreName, ScoreRow, Scores, Summary


def summarise(artifact: Any) -> Summary:
    """Return the summary of a comparison, a decision or a matrix."""
    if isinstance(artifact, Comparison):
        return comparison_summary(artifact)
    if isinstance(artifact, StudentDecision):
        return decision_summary(artifact)
    if isinstance(artifact, Matrix):
        return matrix_summary(artifact)
    if isinstance(artifact, Repeats):
        return summary_of_repeats(artifact)
    raise TypeError(type(artifact).__name__)


def comparison_summary(comparison: Comparison) -> Summary:
    """Return the index row of a comparison, with the scores of both its runs."""
    inputs = comparison.provenance.inputs
    order = in_order(comparison.metrics)
    groups = {row.task: row.subtasks for row in order if row.group}
    names = list(map(ScoreName._make, map(NAME, order)))
    sides = (
        run_summary(comparison.a, inputs, scores_in_row(names, [a_numbers(row) for row in order]), groups),
        run_summary(comparison.b, inputs, scores_in_row(names, [b_numbers(row) for row in order]), groups),
    )
    changes = [
        (
            row.key,
            value_text.setting(row.key, row.a, row.a_recorded),
            value_text.setting(row.key, row.b, row.b_recorded),
        )
        for row in comparison.settings
    ]
    changes += [
        (f"context.{row.setting}", value_text.setting("", row.a), value_text.setting("", row.b))
        for row in comparison.context
    ]
    sign, said, tone = headline(comparison)
    row = leading_row(comparison)
    found = best_estimate(row) if row else None
    low, high, level = (found.low, found.high, found.confidence) if found else (None, None, 0.0)
    return Summary(
        kind="comparison",
        id=comparison.id,
        folder=folder_of(comparison),
        title=artifact_title(comparison),
        word=comparison.verdict.kind,
        sentence=comparison.verdict.sentence,
        cause=comparison.verdict.leading_cause,
        date=latest_date(header.date for header in (comparison.a, comparison.b)),
        names=(comparison.a.label, comparison.b.label),
        tasks=tuple(dict.fromkeys(row.task for row in comparison.metrics)),
        runs=sides,
        changes=tuple(changes),
        gate=outcome_of(comparison.gates),
        confounded=comparison.verdict.leading_cause is None and len(comparison.verdict.suspects) > 1,
        said=said,
        sign=sign,
        tone=tone,
        **(
            gap_fields(gap_of(row), low, high, level, row.in_points, named_metric(row, comparison.metrics))
            if row
            else {}
        ),
    )


def leading_row(comparison: Comparison) -> MetricComparison | None:
    """Return the metric that a verdict speaks of: the worst significant one, a benchmark before its tasks.

    Where none is significant, the largest difference of those that lead.
    """
    if comparison.verdict.kind in ("not_a_measurement", "not_comparable"):
        return None
    known = [row for row in ranked_counted(comparison.metrics) if gap_of(row) is not None]
    moved = [row for row in known if row.is_apart]
    if moved:
        return min(moved, key=lambda row: (status_rank(row.status), not row.group))
    leads = [
        row for row in comparison.metrics if row.headline and gap_of(row) is not None and not is_wordless_at_floor(row)
    ]
    if leads:
        return max(leads, key=lambda row: (abs(gap_of(row) or 0.0), row.group, row.task))
    return known[0] if known else None


def outcome_of(gates: Iterable[Gate]) -> str:
    """Return the outcome of all rules that were asked for: the worst of them, "" where none was."""
    found = {gate.result for gate in gates}
    return next((each for each in ("fail", "inconclusive", "pass") if each in found), "")


Rows = TypeVar("Rows", MetricComparison, ScoreRow)


def in_order(rows: Iterable[Rows]) -> list[Rows]:
    """Return scores in the order in which a run's stand in every artifact: by task, its primary metric first."""
    return sorted(rows, key=lambda row: (row.task, not row.primary, row.metric, row.filter))


NAME = attrgetter(*ScoreName._fields)
"""Takes from a row what names its score."""

OneScore = tuple[float | None, float | None, float | None, float | None, float | None]
"""A score, its error as the run gave it, ours, and the ends of its range."""


def a_numbers(row: MetricComparison) -> OneScore | None:
    """Return A's score of a metric, with its errors and its range, None where A has none."""
    if not row.a_present:
        return None
    found = row.a_interval
    return row.a, row.a_stderr, row.a_recomputed_stderr, found and found.low, found and found.high


def b_numbers(row: MetricComparison) -> OneScore | None:
    """Return B's score of a metric, with its errors and its range, None where B has none."""
    if not row.b_present:
        return None
    found = row.b_interval
    return row.b, row.b_stderr, row.b_recomputed_stderr, found and found.low, found and found.high


def scores_in_row(names: Sequence[ScoreName], found: Sequence[OneScore | None]) -> Scores:
    """Return one side's names and, in their order, its numbers in one flat array: NaN for what is not known."""
    values = [math.nan if one is None else one for numbers in found if numbers for one in numbers]
    return Scores(tuple(compress(names, found)), array("d", values))


def matrix_summary(matrix: Matrix) -> Summary:
    """Return the index row of a matrix, with the scores of all its runs."""
    runs = []
    for place, header in enumerate(matrix.runs):
        rows = [
            ScoreRow(
                row.task, row.metric, row.filter, row.scores[place], row.stderrs[place], row.higher_is_better, True
            )
            for row in matrix.rows
        ]
        groups: dict[str, Sequence[str]] = {row.task: () for row in matrix.rows if row.group}
        runs.append(run_summary(header, matrix.provenance.inputs, Scores.of(in_order(rows)), groups))
    sign, said, tone = matrix_answer(matrix)
    row, first = largest_difference(matrix) or (None, None)
    acted = leading_settings(matrix, row)
    return Summary(
        kind="matrix",
        id=matrix.id,
        folder=folder_of(matrix),
        title=artifact_title(matrix),
        word=matrix.verdict.kind if matrix.verdict else "unclear",
        said=said,
        sign=sign,
        tone=tone,
        sentence=matrix_sentence(matrix),
        cause=acted[0] if len(acted) == 1 else None,
        confounded=len(acted) > 1,
        date=latest_date(header.date for header in matrix.runs),
        names=tuple(header.label for header in matrix.runs),
        tasks=tuple(dict.fromkeys(row.task for row in matrix.rows)),
        runs=tuple(runs),
        changes=(),
        **(
            gap_fields(
                first.difference, first.low, first.high, first.confidence, row.in_points, named_metric(row, matrix.rows)
            )
            if row and first
            else {}
        ),
    )


def leading_settings(matrix: Matrix, row: MatrixRow | None) -> tuple[str, ...]:
    """Return the settings whose joint effect on a metric is the largest significant one, () where none is."""
    moved = [each for each in matrix.effects if row and each.key == row.key and each.status in ("better", "worse")]
    return max(moved, key=lambda each: abs(each.difference or 0.0)).settings if moved else ()


def largest_difference(matrix: Matrix) -> tuple[MatrixRow, MatrixCell] | None:
    """Return the largest difference from the first run, rather one that is significant, and the metric it is of."""
    cells = [
        (row, cell) for row in counted_rows(matrix) for cell in row.cells if cell.a == 0 and cell.difference is not None
    ]
    return max(cells, key=lambda one: (one[1].is_apart, abs(one[1].difference or 0.0)), default=None)


def gap_fields(
    gap: float | None, low: float | None, high: float | None, confidence: float, share: bool, of: str
) -> dict[str, Any]:
    """Return what an index row says of the difference of its headline, with its CI and what it is of."""
    return {
        "delta": numbers.amount_beside(gap, low, high, share) if gap is not None else "",
        "interval": numbers.between(low, high, share) if low is not None else "",
        "level": numbers.level(confidence) if low is not None else "",
        "gap": gap,
        "of": of,
    }


Named = MetricComparison | MatrixRow | MetricKey


def named_metric(row: Named, rows: Iterable[Named]) -> str:
    """Return a metric with its task, and with its filter where the task has several of it."""
    filters = {one.filter for one in rows if (one.task, one.metric) == (row.task, row.metric)}
    return f"{row.task} {value_text.metric_name(row.metric, row.filter) if len(filters) > 1 else row.metric}"


def summary_of_repeats(repeats: Repeats) -> Summary:
    """Return the index row of one configuration's repeats, with their scores."""
    runs = []
    for place, header in enumerate(repeats.runs):
        rows = [
            ScoreRow(key.task, key.metric, key.filter, scores[place], None, None, True)
            for key, scores in repeats.scores.items()
        ]
        runs.append(run_summary(header, repeats.provenance.inputs, Scores.of(in_order(rows))))
    floor, of = widest_floor(repeats)
    return Summary(
        kind="repeats",
        id=repeats.id,
        folder=folder_of(repeats),
        title=artifact_title(repeats),
        word="floor",
        said=f"{REPEATS.word} {floor}".rstrip(),
        sign=REPEATS.sign,
        tone=REPEATS.tone,
        of=of,
        sentence=f"What {len(repeats.runs)} repeats of one configuration differ by.",
        cause=None,
        date=latest_date(header.date for header in repeats.runs),
        names=tuple(header.label for header in repeats.runs),
        tasks=tuple(dict.fromkeys(key.task for key in repeats.scores)),
        runs=tuple(runs),
        changes=(),
    )


def widest_floor(repeats: Repeats) -> tuple[str, str]:
    """Return the largest noise floor in words and the metric it is of, "" where none is known."""
    known = [(floor.floor, key) for key, floor in repeats.floors.items() if floor.floor is not None]
    if not known:
        return "", ""
    floor, key = max(known)
    scores = [score for score in repeats.scores[key] if score is not None]
    return numbers.floor_text(floor, numbers.in_points(min(scores), max(scores), True)), named_metric(
        key, repeats.scores
    )


def decision_summary(decision: StudentDecision) -> Summary:
    """Return the index row of a decision; its date is that of the youngest stage record, where there is one."""
    sign, word, tone = decision_word(decision)
    pair = first_pair(decision)
    moved = (pair.only_second - pair.only_first) / pair.tasks if pair and pair.tasks else None
    stamps = [stamp for route in decision.routes for stage in route.by_stage for stamp in stage.run_ids]
    return Summary(
        kind="decision",
        id=decision.id,
        folder=folder_of(decision),
        title=artifact_title(decision),
        word=decision.verdict.kind,
        said=word,
        sign=sign,
        tone=tone,
        sentence=decision.verdict.sentence,
        cause=decision.verdict.route,
        date=latest_date(date_of_stamp(stamp) for stamp in stamps),
        names=tuple(route.name for route in decision.routes),
        tasks=(),
        runs=(),
        changes=(),
        models=tuple(route.model for route in decision.routes if route.model),
        **(gap_fields(moved, pair.low, pair.high, pair.confidence, True, "pass rate") if pair else {}),
    )


def first_pair(decision: StudentDecision) -> PairedChecks | None:
    """Return the paired checks of a decision between two students; of more there is no one difference."""
    pairs = paired_tables(decision)
    return pairs[0] if len(pairs) == 1 else None


def run_summary(
    header: RunHeader, inputs: Iterable[Any], scores: Scores, groups: Mapping[str, Sequence[str]] | None = None
) -> RunSummary:
    """Return a run's summary under a folder that its own results file gives it."""
    digests = sorted({item.sha256 for item in inputs if is_file_of(item.name, header)})
    # two sides may bear files of one name: then who the run says it is decides
    key = digests[0] if len(digests) == 1 else digest_of(header)
    return RunSummary(
        folder=f"runs/{folder_name(header.model or header.label, key)}",
        label=header.label,
        model=header.model,
        harness=header.harness,
        version=header.harness_version,
        date=header.date,
        source=header.source,
        results_file=header.results_file,
        items=header.items,
        metadata=header.metadata,
        settings=header.settings,
        scores=scores,
        groups=groups or {},
    )


def is_file_of(name: str, header: RunHeader) -> bool:
    """Say whether an input's name is the results file of a run."""
    return name in (header.results_file, f"{header.source}/{header.results_file}") or name.endswith(
        f"/{header.results_file}"
    )


def digest_of(header: RunHeader) -> str:
    """Return a digest of who a run says it is."""
    text = "|".join(str(part) for part in (header.model, header.date, header.source, header.results_file))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def date_of_stamp(stamp: str) -> str | None:
    """Return a notebook's run id (`20260108T091500`) as an ISO date, or None where it is not one."""
    if len(stamp) >= 15 and stamp[:8].isdigit() and stamp[8] == "T" and stamp[9:15].isdigit():
        return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T{stamp[9:11]}:{stamp[11:13]}:{stamp[13:15]}"
    return None


def latest_date(dates: Iterable[str | None]) -> str | None:
    """Return the latest of some ISO dates, None where none is known."""
    return max((date for date in dates if date), default=None)
