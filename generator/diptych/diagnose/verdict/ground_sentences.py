"""A verdict's kind in words: one function a ground on which it rests."""

import math

from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.sample_counts import still_tasks
from diptych.diagnose.verdict.no_measure_sentences import invalid, no_scores, not_applied
from diptych.diagnose.verdict.other_documents import holds_other_documents, other_documents_clause
from diptych.diagnose.verdict.rescored_sentences import rescored_clause, rescored_tasks
from diptych.diagnose.verdict.rows_apart import TakenBack
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.score_sentences import different, equivalent, unclear_verdict
from diptych.diagnose.verdict.verdict_kind import Ruling, outermost, rows_rested_on
from diptych.estimates import MetricComparison
from diptych.numbers import counted, listed
from diptych.run import Run
from diptych.sides import Side, each_side
from diptych.value_text import metric_name


def nothing_shared(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that the runs share no metric: they did not measure the same thing."""
    ours, theirs = (
        sorted({f"{row.task} {metric_name(row.metric, row.filter)}" for row in ruling.rows if getattr(row, side)})
        for side in ("a_present", "b_present")
    )
    tasks = {row.task for row in ruling.rows if row.a_present} & {row.task for row in ruling.rows if row.b_present}
    what = (
        "The metrics or filters of their shared tasks have other names"
        if tasks
        else f"{labels.a} and {labels.b} share no metric"
    )
    have = f" ({labels.a} has {listed(ours)}; {labels.b} has {listed(theirs)})"
    return f"{what}: they did not measure the same thing{have}"


def no_shared_items(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that the two logs hold no item in common, and where the same ids name other documents, that."""
    changed = next((task for task in evidence.tasks if holds_other_documents(task)), None)
    if changed is not None:
        return f"{labels.a} and {labels.b} share no item: {other_documents_clause(changed, labels)}"
    return f"{labels.a} and {labels.b} cover different question sets: they share no item"


def other_items_sentence(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that other items were scored, and that no log tells which are shared."""
    task = next(row.task for row in rows_rested_on(ruling.rows) if a.items.get(row.task) != b.items.get(row.task))
    return (
        f"{labels.a} and {labels.b} cover different question sets ({task}: {counted(a.items[task], 'item')} against "
        f"{b.items[task]}), and without samples of both sides the shared items cannot be told"
    )


def no_common_unit(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that no score is in the other's unit."""
    row = next(row for row in ruling.rows if row.a is not None and row.b is not None and not row.group)
    return f"No score of {labels.a} can be held against one of {labels.b} ({row.task}: {row.reason})"


def items_equal(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that every shared response and score is the same."""
    pairs = sum(task.pairs for task in evidence.tasks)
    where = "the one shared item" if pairs == 1 else f"all {pairs:,} shared items"
    return f"Every response and score of {labels.b} is that of {labels.a} (baseline) on {where}"


def file_twice(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that both sides are one file."""
    return f"{labels.a} and {labels.b} are one and the same results file: every score is the same"


def scores_equal(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that every reported number is the same."""
    return f"Every reported score and error of {labels.b} is that of {labels.a} (baseline); no samples say more"


def reported_apart(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that the reported scores differ though every item is the same."""
    if percent := in_percent(ruling.rows[0]):
        return (
            f"Every response and item score is the same on {shared_count(evidence)}: {labels.of(percent)} reports "
            f"percent where the other reports a fraction ({reported_pair(ruling.rows[0])})"
        )
    for side, run in each_side(a, b):
        scale = next((score.scale for score in run.scores if score.key == ruling.rows[0].key and score.scale), None)
        if scale:
            return (
                f"Every response and item score is the same on {shared_count(evidence)}: {labels.of(side)} reports "
                f"{scale} ({reported_pair(ruling.rows[0])})"
            )
    row = ruling.rows[0]
    if any(row.metric in task.unlogged for task in evidence.tasks if task.task == row.task):
        return (
            f"Every logged response and item score is the same on {shared_count(evidence)}, yet the reported scores "
            f"are not ({reported_pair(row)}): no log holds {row.metric} item by item, so it was scored otherwise, or "
            "added up in another way"
        )
    return (
        f"Every logged response and item score is the same on {shared_count(evidence)}, yet the reported scores "
        f"are not ({reported_pair(ruling.rows[0])}): they were added up in another way, or a "
        "results file does not belong to its log"
    )


def weighed_apart(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that a benchmark is reported otherwise though every item of its tasks is the same: it is added up so."""
    row = ruling.rows[0]
    return (
        f"Every response and item score of {labels.b} is that of {labels.a} (baseline) on {shared_count(evidence)}: "
        f"only the benchmark {row.task} is reported otherwise ({reported_pair(row)}), as its tasks are added up in "
        "another way: the sum changed, not the model"
    )


def in_percent(row: MetricComparison) -> Side | None:
    """Return the side that reports a hundred times what the other does, None where neither does."""
    ours, theirs = row.a or 0.0, row.b or 0.0
    if ours and math.isclose(theirs, 100 * ours, rel_tol=1e-3):
        return "b"
    return "a" if theirs and math.isclose(ours, 100 * theirs, rel_tol=1e-3) else None


def retargeted(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that right answers changed, which sets the reported scores apart while every pair is the same."""
    row = ruling.rows[0]
    return (
        f"{retargeted_clause(row.task, evidence, labels)}; every response and score is the same on the other "
        f"{shared_count(evidence)}, so the reported scores ({reported_pair(row)}) are of two versions of the task"
    )


def retargeted_clause(name: str, evidence: Evidence, labels: Labels) -> str:
    """Return how many items of a task have another right answer in B, and what that says of the model."""
    task = next(task for task in evidence.tasks if task.task == name)
    found, total = task.retargeted, task.pairs + task.retargeted.items
    verb = "has" if found.items == 1 else "have"
    same = ", not the model's responses to them" if found.same_responses == found.items else ""
    changed = f"the docs or targets changed{same}"
    return f"{found.items} of {total:,} items of {name} {verb} another right answer in {labels.b}: {changed}"


def log_cut(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return which log is incomplete, and that what it holds does not show why the reported scores differ."""
    row = ruling.rows[0]
    return (
        f"{listed(incomplete_logs(row.task, evidence, labels))}: what is there is the same on "
        f"{shared_count(evidence)}, and cannot show why the reported scores differ ({reported_pair(row)})"
    )


def incomplete_logs(name: str, evidence: Evidence, labels: Labels) -> list[str]:
    """Return each log that lacks rows of a task, with how many."""
    missing = next(task.missing for task in evidence.tasks if task.task == name)
    return [
        f"The log of {label} is incomplete ({counted(number, 'row')} of {name} missing)"
        for label, number in ((labels.a, missing.a), (labels.b, missing.b))
        if number
    ]


def unpaired_apart(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that only items that are in no pair set the reported scores apart, and which task they are of."""
    row = ruling.rows[0]
    unshared = [
        task.task
        for task in evidence.tasks
        if task.only_a and task.only_b and not task.pairs and task.task in (row.task, *row.subtasks)
    ]
    if unshared:
        inside = f", wholly by {listed(unshared)}" if row.group else ""
        return (
            f"Every response and score is the same on {shared_count(evidence)}; the reported scores differ"
            f"{inside} ({reported_pair(row)}), where no item is shared"
        )
    return (
        f"Every response and score is the same on {shared_count(evidence)}: the reported scores differ "
        f"({reported_pair(ruling.rows[0])}) by items that are in no pair"
    )


def shared_count(evidence: Evidence) -> str:
    """Return how many items are paired, in words."""
    return counted(sum(task.pairs for task in evidence.tasks), "shared item")


def reported_pair(row: MetricComparison) -> str:
    """Return both reported scores of a metric."""
    return f"{row.task} {row.metric} {row.a:.4g} against {row.b:.4g}"


def statuses(ruling: Ruling, evidence: Evidence, labels: Labels, back: TakenBack) -> str:
    """Return what the words of the primary metrics say together, with what takes some back."""
    if rescored := rescored_tasks(ruling, evidence):
        text = scored_apart(ruling, evidence, labels, back)
        first = next((word for word in ("Inconclusive", "No") if text.startswith(f"{word} ")), "")
        return f"{rescored_clause(rescored, labels)}; as scored, {first.lower()}{text[len(first) :]}"
    return scored_apart(ruling, evidence, labels, back)


def scored_apart(ruling: Ruling, evidence: Evidence, labels: Labels, back: TakenBack) -> str:
    """Return what the words of the primary metrics say of the runs."""
    rows = list(ruling.rows)
    if ruling.kind == "different":
        return different(rows, labels, back)
    if ruling.kind == "equivalent":
        return equivalent(outermost(rows), labels, evidence.tasks, back)
    return unclear_verdict(rows, still_tasks(evidence), labels, evidence.tasks, back)


KINDS = {
    "nothing_shared": nothing_shared,
    "no_scores": no_scores,
    "invalid": invalid,
    "not_applied": not_applied,
    "no_shared_items": no_shared_items,
    "other_items": other_items_sentence,
    "no_common_unit": no_common_unit,
    "items_equal": items_equal,
    "file_twice": file_twice,
    "scores_equal": scores_equal,
    "reported_apart": reported_apart,
    "weighed_apart": weighed_apart,
    "retargeted": retargeted,
    "log_cut": log_cut,
    "unpaired_apart": unpaired_apart,
}
"""How each ground is said; what rests on the words of scores is said by `statuses`."""
