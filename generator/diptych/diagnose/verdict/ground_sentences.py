"""A verdict's kind in words: one function a ground on which it rests."""

import math

from diptych.diagnose.samples.evidence import Evidence, Invalid
from diptych.diagnose.samples.invalid_tasks import FAULTS, constant_clause, count_clause, is_too_much, stopped_clause
from diptych.diagnose.samples.sample_counts import sample_counts, still_tasks
from diptych.diagnose.settings.model_parts import names_two_commits
from diptych.diagnose.settings.run_values import run_value
from diptych.diagnose.verdict.other_documents import holds_other_documents, other_documents_clause
from diptych.diagnose.verdict.rescored_sentences import rescored_clause, rescored_tasks
from diptych.diagnose.verdict.rows_apart import TakenBack
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.score_sentences import different, equivalent, same_on, unclear_verdict
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


def no_scores(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return which side holds no score at all, that it was not to be scored, and whether its responses are known."""
    bare = [
        label
        for label, has in zip(labels, ("a_present", "b_present"), strict=True)
        if not any(getattr(row, has) for row in ruling.rows)
    ]
    who = f"Neither {labels.a} nor {labels.b} holds" if len(bare) == 2 else f"{bare[0]} does not hold"
    meant = all(only_predicted(run) for label, run in zip(labels, (a, b), strict=True) if label in bare)
    why = "it was run without scoring (--predict_only)" if meant else "nothing was scored there"
    return f"{who} a score: {why}{same_responses(evidence, labels)}"


def only_predicted(run: Run) -> bool:
    """Say whether a run was told to log responses without scoring them."""
    listed_metrics = [config.get("metric_list") for config in run.configs.values()]
    metrics = [one.get("metric") for each in listed_metrics if isinstance(each, list) for one in each if is_table(one)]
    return run_value(run, "predict_only") is True or (bool(metrics) and all(one == "bypass" for one in metrics))


def is_table(value: object) -> bool:
    """Say whether a value is an entry with names."""
    return isinstance(value, dict)


def same_responses(evidence: Evidence, labels: Labels) -> str:
    """Return as a sentence more how many logged responses are the same on both sides; "" where none can be held."""
    seen = sample_counts(evidence).responses
    if not seen.compared:
        return ""
    whose = f"responses of {labels.b} are those of {labels.a}"
    if seen.all_equal:
        return f". All {seen.compared:,} {whose}"
    return f". {seen.equal:,} of {seen.compared:,} {whose}"


def invalid(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that a side measured nothing."""
    one = next(iter(ruling.invalid.values()))
    rest = len(ruling.invalid) - 1
    more = f" (in {one.task}; so in {counted(rest, 'task')} more)" if rest else ""
    label = labels.a if one.side == "a" else labels.b
    others = [row for row in ruling.rows if not row.group and row.task not in ruling.invalid]
    where = f" in {one.task}" if others and not more else ""
    same = "".join(f". {text}" for text in same_on(others, still_tasks(evidence)))
    if both_invalid(one, evidence):
        said = counts_of_both_sides(one)
        where = f" in {one.task}" if others else ""
        return f"Neither {labels.a} nor {labels.b} is usable as a measurement{where}: {said}{same}"
    ends = stopped_at(one, evidence)
    return f"{label} is not usable as a measurement{where}: {count_clause(one, label)}{more}{ends}{same}"


def counts_of_both_sides(one: Invalid) -> str:
    """Return how many answers of each side have a fault that both sides' have."""
    clause = count_clause(one._replace(side="both"))
    if one.other in (0, one.count_):
        return f"{clause} on each side"
    first, second = (one.count_, one.other) if one.side == "a" else (one.other, one.count_)
    least = "at least " if one.least else ""
    return f"{least}{first} and {second} of {one.of}" + clause.removeprefix(f"{one.number} of {one.of}")


def stopped_at(one: Invalid, evidence: Evidence) -> str:
    """Return as a sentence more where a side's open thoughts end that no budget ended."""
    if one.constant is not None:
        return f" ({constant_clause(one.constant)})"
    found = next((task.stopped for task in evidence.tasks if task.task == one.task), None)
    text = stopped_clause(found.a if one.side == "a" else found.b) if found and one.kind in OPEN_THOUGHTS else ""
    return f". {text}" if text else ""


OPEN_THOUGHTS = ("answers_thinking_open", "answers_broken")
"""What may be wrong with answers that end inside a thought."""


def both_invalid(one: Invalid, evidence: Evidence) -> bool:
    """Say whether as many of the other side's answers have the same fault."""
    task = next((task for task in evidence.tasks if task.task == one.task), None)
    if one.kind == "likelihoods_not_numbers":
        return is_too_much(one.other, one)
    fault = dict(FAULTS).get(one.kind, "")
    shapes = (task.answers_a, task.answers_b) if task and fault else ()
    return bool(shapes) and all(shape and shape._asdict()[fault] >= one.count_ for shape in shapes)


def not_applied(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return that two models on record answered alike to the last digit."""
    one = next(iter(ruling.invalid.values()))
    if one.kind == "adapter_not_applied":
        why = "it was not applied"
        if names_two_commits(a, b):
            why = "both commits hold the same weights (a README, too, makes a new commit)"
        return (
            f"{labels.a} and {labels.b} are not two measurements, since {one.count_} of {one.of} responses in "
            f"{one.task} are the same to the last digit; most likely {why}, or a cache answered"
        )
    cached = run_value(a, "use_cache") or run_value(b, "use_cache")
    known = "most likely from one response cache (use_cache)" if cached else "most likely one model under two names"
    return f"{labels.a} and {labels.b} are not two measurements, since {count_clause(one)} in {one.task}: {known}"


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
