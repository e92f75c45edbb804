"""What kind of verdict two runs deserve, and the sentence that says it: from "measured nothing" to "cannot tell".

No cause is named here; that is explain.py's part.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from diptych.comparison import Finding, MetricComparison, VerdictKind, best_estimate
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.invalid_tasks import count_clause, spoilt_tasks
from diptych.diagnose.samples.sample_counts import look
from diptych.diagnose.scores.sentences import is_share
from diptych.diagnose.settings.no_effect_rules import value_of
from diptych.diagnose.verdict.verdict_caveats import notes
from diptych.keys import SIDES
from diptych.numbers import amount, bare, counted, listed, metric_name, size
from diptych.run import Run


class Ruling(NamedTuple):
    """A verdict's kind, and the sentence that says it without its cause."""

    kind: VerdictKind
    sentence: str
    next_step: str = ""


def rule(
    metrics: tuple[MetricComparison, ...], evidence: Evidence, findings: tuple[Finding, ...], a: Run, b: Run
) -> Ruling:
    """Return the kind of verdict: the first that holds, from "measured nothing" to "cannot tell"."""
    shared = [row for row in metrics if row.a_present and row.b_present]
    if not shared:
        return nothing_shared(metrics, a, b)
    spoilt = dict(evidence.spoilt) or spoilt_tasks(findings)
    tasks = sorted({row.task for row in shared if not row.group})
    if spoilt and (None in spoilt or set(tasks) <= set(spoilt)):
        return not_a_measurement(spoilt)
    judged = [row for row in shared if row.task not in spoilt]
    seen = look(evidence)
    if seen.one_sided and not seen.pairs:
        return no_shared_items(a, b)
    other_sets = set_clause(evidence, findings, judged)
    unpaired = uneven_without_samples(judged, a, b)
    if unpaired:
        return unpaired
    worded = any(row.status in ("better", "worse") for row in judged if not row.group and row.estimate)
    if seen.pairs and seen.nothing_moved and all_logged(judged, evidence) and not (worded or evidence.thin):
        apart = None if other_sets else reported_apart(judged, seen.pairs)
        return apart or identical(seen.pairs, other_sets, a, b)
    ruling = no_common_unit(judged) or by_status(primary(judged))
    return ruling._replace(sentence=other_sets + ruling.sentence + notes(ruling.kind, findings, spoilt))


def nothing_shared(metrics: tuple[MetricComparison, ...], a: Run, b: Run) -> Ruling:
    """Return that the runs share no metric: they did not measure the same thing, which is the answer."""
    bare = [side.upper() for side in SIDES if not any(row.sides.of(side).present for row in metrics)]
    if bare:
        who = "Neither A nor B holds" if len(bare) == 2 else f"{bare[0]} does not hold"
        return Ruling(
            "not_comparable",
            f"{who} a score: nothing was scored there",
            "Score the answers first (without --predict_only), then compare.",
        )
    ours, theirs = ({f"{row.task} {row.metric}" for row in metrics if row.sides.of(side).present} for side in SIDES)
    have = f" (A has {listed(sorted(ours))}; B has {listed(sorted(theirs))})" if ours and theirs else ""
    tasks = {row.task for row in metrics if row.a_present} & {row.task for row in metrics if row.b_present}
    what = "The metrics of their shared tasks have other names" if tasks else "A and B share no metric"
    return Ruling(
        "not_comparable",
        f"{what}: they did not measure the same thing{have}",
        "Run the same tasks on both sides, with one version of their definition, and compare those.",
    )


def not_a_measurement(spoilt: Mapping[str | None, Finding]) -> Ruling:
    """Return that a side, or the pair, measured nothing, and what to look at first."""
    finding = next(iter(spoilt.values()))
    more = f" (in {finding.task}; so in {counted(len(spoilt) - 1, 'task')} more)" if len(spoilt) > 1 else ""
    if finding.kind == "answers_identical":
        return Ruling(
            "not_a_measurement",
            f"These are not two measurements: {count_clause(finding)}{more}, as from one response cache",
            "Run B again with its own cache or none (no --use_cache), then compare.",
        )
    side = (finding.side or "a").upper()
    return Ruling(
        "not_a_measurement",
        f"{side} is not usable as a measurement: {count_clause(finding)}{more}",
        f"Read the raw answers of {side} first: text may go into a reasoning channel that the harness does not read, "
        "or the budget (max_gen_toks) may end before the answer. Mend that, run again, then compare.",
    )


def no_shared_items(a: Run, b: Run) -> Ruling:
    """Return that the two logs hold no item in common."""
    return Ruling(
        "not_comparable",
        "The runs cover different question sets: they share no item",
        "Score the same items on both sides (the same limit, the same version of the data), and compare those.",
    )


def set_clause(evidence: Evidence, findings: tuple[Finding, ...], judged: Iterable[MetricComparison]) -> str:
    """Return the sentence that says where the two logs hold other items, "" where they hold the same."""
    if evidence.thin:
        task, finding = next(iter(evidence.thin.items()))
        worded = any(row.task == task and row.status in ("better", "worse", "same") for row in judged)
        more = f", and too many of {counted(len(evidence.thin) - 1, 'task')} more" if len(evidence.thin) > 1 else ""
        return (
            f"The log of {(finding.side or 'a').upper()} lacks {finding.count_} of {finding.of} items of {task}{more}: "
            f"{'its word rests on the reported totals alone' if worded else 'no word is given there'}. "
        )
    uneven = [task for task in evidence.tasks if task.only_a or task.only_b]
    if not uneven:
        return ""
    first = max(uneven, key=lambda task: task.only_a + task.only_b)
    more = f" and {counted(len(uneven) - 1, 'task')} more" if len(uneven) > 1 else ""
    if not any(finding.kind == "items_differ" for finding in findings):
        total = first.pairs + first.only_a + first.only_b
        return f"Rows are missing from a log ({first.task}: {first.pairs} of {total} items can be paired{more}). "
    return (
        f"The runs cover different question sets ({first.task}: {counted(first.pairs + first.only_a, 'item')} in A, "
        f"{first.pairs + first.only_b} in B, {first.pairs} shared{more}). "
    )


def uneven_without_samples(rows: list[MetricComparison], a: Run, b: Run) -> Ruling | None:
    """Return that other items were scored and no samples allow to compare the shared ones; None where they do."""
    bare_rows = [row for row in primary(rows) if row.estimate is None]
    known = [row.task for row in bare_rows if row.task in a.items and row.task in b.items]
    uneven = [task for task in known if a.items[task] != b.items[task]]
    if not uneven or len(uneven) < len(primary(rows)):
        return None
    task = uneven[0]
    return Ruling(
        "not_comparable",
        f"The runs cover different question sets ({task}: {counted(a.items[task], 'item')} in A, {b.items[task]} in "
        "B), and without samples of both sides the shared items cannot be told",
        "Run both with --log_samples; then the shared items can be compared.",
    )


def no_common_unit(rows: list[MetricComparison]) -> Ruling | None:
    """Return that both sides have numbers, but none in the other's unit; None where any metric has a difference."""
    numbers = [row for row in rows if row.a is not None and row.b is not None and not row.group]
    if not numbers or any(row.difference is not None for row in numbers):
        return None
    row = numbers[0]
    return Ruling(
        "not_comparable",
        f"No score of A can be held against one of B ({row.task}: {row.reason})",
        "Bring both runs to one scale and one unit first: the same metric definition on both sides.",
    )


def all_logged(rows: list[MetricComparison], evidence: Evidence) -> bool:
    """Say whether every task that both sides scored has samples of both sides."""
    logged = {task.task for task in evidence.tasks if task.pairs}
    return {row.task for row in rows if not row.group} <= logged


def identical(pairs: int, other_sets: str, a: Run, b: Run) -> Ruling:
    """Return that every shared answer and score is the same."""
    step = "There is no gap to explain on these items."
    if other_sets:
        step = "Compare the scores over the shared items only: the reported ones are over others too."
    elif value_of(a, "use_cache") or value_of(b, "use_cache"):
        step = "A response cache was in use (use_cache): run both without it before taking this for a repeat."
    where = "the one shared item" if pairs == 1 else f"all {pairs:,} shared items"
    return Ruling("identical", f"{other_sets}Every answer and score is the same on {where}", step)


ROUNDING = 5.1e-5
"""A reported score may be rounded to four digits."""


def reported_apart(rows: list[MetricComparison], pairs: int) -> Ruling | None:
    """Return that the reported scores differ though every item is the same; None where they do not."""
    apart = [
        row for row in rows if not row.group and abs(row.difference or 0.0) > ROUNDING * max(1.0, abs(row.a or 0.0))
    ]
    if not apart:
        return None
    row = apart[0]
    return Ruling(
        "unclear",
        f"Every logged answer and item score is the same on {counted(pairs, 'shared item')}, yet the reported scores "
        f"are not ({row.task} {row.metric} {row.a:.4g} against {row.b:.4g}): they were added up in another way, or a "
        "results file does not belong to its log",
        "Score both logs once more with one version of the harness.",
    )


def primary(rows: Iterable[MetricComparison]) -> list[MetricComparison]:
    """Return the metrics that a verdict rests on: one a task, no group."""
    rows = [row for row in rows if not row.group]
    return [row for row in rows if row.primary] or rows


def by_status(rows: list[MetricComparison]) -> Ruling:
    """Return the kind that the words of the primary metrics give together."""
    better = [row for row in rows if row.status == "better"]
    worse = [row for row in rows if row.status == "worse"]
    if better or worse:
        return Ruling("different", different(better, worse, len(rows)))
    if rows and all(row.status == "same" for row in rows):
        return Ruling("equivalent", same(rows))
    return Ruling("unclear", unclear(rows))


def different(better: list[MetricComparison], worse: list[MetricComparison], total: int) -> str:
    """Return where B is really better and where it is worse, the largest first."""
    parts = []
    for word, rows in (("worse", worse), ("better", better)):
        if rows:
            shown = [f"{row.task} {gap(row)}" for row in sorted(rows, key=lambda row: -abs(gap_of(row) or 0.0))]
            where = shown[0].replace(" ", " (", 1) + ")" if total == 1 else ""
            parts.append(f"{word} than A on {where or f'{len(rows)} of {total} tasks ({listed(shown)})'}")
    return f"B is {' and '.join(parts)}"


def gap_of(row: MetricComparison) -> float | None:
    """Return b - a over the items that the verdict rests on."""
    found = best_estimate(row)
    return found.difference if found is not None and found.difference is not None else row.difference


def gap(row: MetricComparison) -> str:
    """Return b - a in words."""
    value = gap_of(row)
    return "by an unknown amount" if value is None else amount(value, is_share(row))


def same(rows: list[MetricComparison]) -> str:
    """Return that all primary scores lie within the margin."""
    margins = [found.margin for row in rows if (found := best_estimate(row)) and found.margin is not None]
    all_shares = all(is_share(row) for row in rows)
    within = f" ±{size(max(margins))} pp" if margins and all_shares else " the margin"
    return f"A and B are the same within{within} on {'the one task' if len(rows) == 1 else f'all {len(rows)} tasks'}"


def unclear(rows: list[MetricComparison]) -> str:
    """Return that it cannot be told, with the largest gap and what else fits the data."""
    known = [row for row in rows if gap_of(row) is not None]
    if not known:
        reason = next((row.reason for row in rows if row.reason), None)
        return f"Cannot tell whether B differs from A: no score can be compared{f' ({reason})' if reason else ''}"
    row = max(known, key=lambda row: (abs(gap_of(row) or 0.0), width(row), row.task))
    found = best_estimate(row)
    if found is None or found.low is None or found.high is None:
        return f"Cannot tell whether B differs from A: {row.task} {gap(row)}, without an error bar"
    share = is_share(row)
    unit = " pp" if share else ""
    over = f" on {found.pairs} items" if found.pairs else ""
    fits = f"anything from {bare(found.low, share)} to {bare(found.high, share)}{unit} fits the data"
    lead = f"the largest of {len(known)} gaps is {row.task}" if len(known) > 1 else row.task
    told = f"{lead} {gap(row)}{over}, and {fits}"
    if gap_of(row) == 0:
        told = f"{row.task} {metric_name(row.metric, row.filter)} is equal{over}, but {fits}"
    return f"Cannot tell whether B differs from A at this size: {told}"


def width(row: MetricComparison) -> float:
    """Return how wide the range of a difference is; 0 where there is none."""
    found = best_estimate(row)
    return 0.0 if found is None or found.low is None or found.high is None else found.high - found.low
