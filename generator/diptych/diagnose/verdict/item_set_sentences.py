"""Which items and tasks a verdict is of, in words: cut or lacking logs, other items or right answers, lone tasks."""

from collections.abc import Sequence

from diptych.diagnose.samples.evidence import Evidence, TaskEvidence
from diptych.diagnose.settings.drawing_code import seeds_drawn_with
from diptych.diagnose.verdict.conclusion import Conclusion
from diptych.diagnose.verdict.ground_sentences import reported_pair, retargeted_clause
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_over_tasks
from diptych.diagnose.verdict.other_documents import holds_other_documents, other_documents_clause
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.verdict_kind import Ruling, reports_apart
from diptych.estimates import MetricComparison
from diptych.numbers import counted, listed
from diptych.run import Run

NO_LIST = "No recorded setting says why: a list of items (--samples) is not recorded."
UNSAID = "No recorded setting says why."


def set_clause(
    evidence: Evidence, labels: Labels, rows: Sequence[MetricComparison], held: Sequence[Hypothesis], a: Run, b: Run
) -> str:
    """Return the sentences that say where a log is cut or not there, and where the two hold other items."""
    parts = (
        incomplete_clause(evidence, labels, rows),
        unlogged_clause(evidence, labels, rows, a, b),
        uneven_clause(evidence, labels, rows, held, a, b),
        other_answers_clause(evidence, labels),
    )
    return " ".join(part for part in parts if part)


def incomplete_clause(evidence: Evidence, labels: Labels, rows: Sequence[MetricComparison]) -> str:
    """Return which log lacks so many rows that no word rests on it, with the reported scores."""
    if not evidence.incomplete_tasks:
        return ""
    one = next(iter(evidence.incomplete_tasks.values()))
    rest = len(evidence.incomplete_tasks) - 1
    more = f", and too many of {counted(rest, 'task')} more" if rest else ""
    label = labels.a if one.side == "a" else labels.b
    worded = any(row.task == one.task and row.status in ("better", "worse", "same") for row in rows)
    said = reported_scores(one.task, rows)
    rest_on = "its word rests on the reported totals alone" if worded else f"no word is given there{said}"
    return f"The log of {label} lacks {one.count_} of {one.of} items of {one.task}{more}: {rest_on}."


def unlogged_clause(evidence: Evidence, labels: Labels, rows: Sequence[MetricComparison], a: Run, b: Run) -> str:
    """Return which tasks have no log on one side though others have, so that reported scores are all there is."""
    tasks = list(dict.fromkeys(row.task for row in rows if not row.group))
    for label, run, other in ((labels.a, a, b), (labels.b, b, a)):
        lacking = [task for task in tasks if task in other.samples and task not in run.samples]
        if lacking and evidence.tasks:
            verb = "has" if len(lacking) == 1 else "have"
            return f"{listed(lacking)} {verb} no sample log in {label}: only reported scores are held together there."
    return ""


def uneven_clause(
    evidence: Evidence, labels: Labels, rows: Sequence[MetricComparison], held: Sequence[Hypothesis], a: Run, b: Run
) -> str:
    """Return where the two logs hold other items, or lack some, and what the record says of why."""
    first = widest_uneven(evidence)
    if first is None:
        return ""
    uneven = uneven_tasks(evidence)
    more = f" and {counted(len(uneven) - 1, 'task')} more" if len(uneven) > 1 else ""
    if first.only_a + first.only_b <= first.missing.a + first.missing.b:
        total = first.pairs + first.only_a + first.only_b
        return f"Rows are missing from a log ({first.task}: {first.pairs} of {total} items can be paired{more})."
    shared = first.items or first.pairs
    if holds_other_documents(first):
        return changed_data_clause(first, uneven, rows, held, labels)
    also = f"; so in {counted(len(uneven) - 1, 'task')} more" if len(uneven) > 1 else ""
    text = (
        f"The runs cover different question sets ({first.task}: {counted(shared + first.only_a, 'item')} in "
        f"{labels.a}, {shared + first.only_b} in {labels.b}, {shared} shared{also})"
    )
    text += reweighed_clause(rows, uneven)
    copies = copies_clause(first, labels)
    if chosen_by_record(held):
        return f"{text}; only shared ones are compared.{copies}"
    reason = chosen_clause(first.task, a, b)
    unknown = copies or ("" if reason else f" {NO_LIST}")
    reported = reported_scores(first.task, rows, brackets="")
    return f"{text}{reason}.{unknown} Only shared ones are compared; the reported scores are of other items{reported}."


def reweighed_clause(rows: Sequence[MetricComparison], uneven: Sequence[TaskEvidence]) -> str:
    """Return which benchmark's reported scores weigh its tasks otherwise, since other shares of them were asked."""
    shares = {task.task: ratio(task) for task in uneven}
    names = [
        row.task
        for row in rows
        if row.group and reports_apart(row) and len({round(shares.get(name, 1.0), 3) for name in row.subtasks}) > 1
    ]
    return f", so the reported scores of {listed(names)} weigh their tasks otherwise" if names else ""


def ratio(task: TaskEvidence) -> float:
    """Return how many items of a task B has for each one of A."""
    shared = task.items or task.pairs
    return (shared + task.only_b) / max(1, shared + task.only_a)


def changed_data_clause(
    first: TaskEvidence, uneven: Sequence[TaskEvidence], rows: Sequence[MetricComparison],
    held: Sequence[Hypothesis], labels: Labels,
) -> str:  # fmt: skip
    """Return that ids name other documents, what is compared all the same, and whether the record tells why."""
    shared = first.items or first.pairs
    more = f" (so in {counted(len(uneven) - 1, 'task')} more)" if len(uneven) > 1 else ""
    text = f"{other_documents_clause(first, labels)}{more}"
    kept = f"only the {counted(shared, 'shared item')} {'is' if shared == 1 else 'are'} compared"
    kept = kept if shared else "no item of it is compared"
    unknown = "" if chosen_by_record(held) else f" {UNSAID}"
    return f"{text}; {kept}{reported_scores(first.task, rows)}.{unknown}"


def uneven_tasks(evidence: Evidence) -> list[TaskEvidence]:
    """Return the tasks with items of one side alone, but for those whose log lacks too many."""
    return [
        task for task in evidence.tasks if (task.only_a or task.only_b) and task.task not in evidence.incomplete_tasks
    ]


def widest_uneven(evidence: Evidence) -> TaskEvidence | None:
    """Return the task with most items of one side alone, None where there is none."""
    return max(uneven_tasks(evidence), key=lambda task: task.only_a + task.only_b, default=None)


def chosen_clause(task: str, a: Run, b: Run) -> str:
    """Return what chose other items on each side: other data, or a draw of the task's own code; "" where none says."""
    if resized(task, a, b):
        return f": the data set itself holds {a.expected[task]} and {b.expected[task]}"
    if fields := drawing_fields(task, a, b):
        return f": its recorded code ({listed(fields)}) draws them"
    return ""


def resized(task: str, a: Run, b: Run) -> bool:
    """Say whether the data set of a task holds another number of items in each run, by the record of both."""
    return None not in (a.expected.get(task), b.expected.get(task)) and a.expected[task] != b.expected[task]


def drawing_fields(task: str, a: Run, b: Run) -> list[str]:
    """Return the fields of a task, the same on both sides, by which its own code draws what it asks."""
    ours, theirs = a.configs.get(task, {}), b.configs.get(task, {})
    return [
        name
        for name in ("custom_dataset", "process_docs")
        if name in ours and ours[name] == theirs.get(name) and seeds_drawn_with({name: ours[name]})
    ]


def copies_clause(task: TaskEvidence, labels: Labels) -> str:
    """Return that items in no pair are second copies of documents that are in one, "" where none is."""
    parts = [
        f"{number} of {of} items of {label} in no pair "
        + ("is a second copy of a shared document" if number == 1 else "are second copies of shared documents")
        for label, number, of in ((labels.a, task.copies.a, task.only_a), (labels.b, task.copies.b, task.only_b))
        if number
    ]
    return f" {' and '.join(parts)}." if parts else ""


def unchosen_clause(ruling: Ruling, conclusion: Conclusion, evidence: Evidence) -> str:
    """Return that no setting says why no item is shared, "" where one may have done that."""
    if ruling.ground != "no_shared_items" or conclusion.leading:
        return ""
    return UNSAID if any(map(holds_other_documents, evidence.tasks)) else NO_LIST


def chosen_by_record(held: Sequence[Hypothesis]) -> bool:
    """Say whether a recorded difference chooses the items or the documents, and can have chosen these."""
    able = [one for one in held if bearing_over_tasks(one)[0] != "cannot"]
    return any({"items", "documents"} & set(one.difference.known.acts) for one in able)


def other_answers_clause(evidence: Evidence, labels: Labels) -> str:
    """Return where right answers changed, so that items are in no pair."""
    other = max(evidence.tasks, key=lambda task: task.retargeted.items, default=None)
    if other is None or not other.retargeted.items:
        return ""
    if not other.pairs:
        return f"{retargeted_clause(other.task, evidence, labels)}; none can be paired: reported scores are compared."
    return f"{retargeted_clause(other.task, evidence, labels)}; these items are left out."


def one_sided_tasks(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return which tasks one side alone scored, and which benchmark is therefore made of other tasks, "" where none."""
    if ruling.ground in ("nothing_shared", "no_scores", "file_twice"):
        return ""
    scored = [{score.task for score in run.scores if not score.group} for run in (a, b)]
    sides = ((labels.a, sorted(scored[0] - scored[1])), (labels.b, sorted(scored[1] - scored[0])))
    parts = [
        f"{listed(tasks)} {'is' if len(tasks) == 1 else 'are'} in {label} alone" for label, tasks in sides if tasks
    ]
    if not parts:
        return ""
    one = next(iter(evidence.renamed), None)
    if one is not None:
        parts[-1] += f" ({one.a} and {one.b} hold the same documents: most likely one task under two names)"
    groups = sorted(row for row in {*a.groups} & {*b.groups} if set(a.groups[row]) != set(b.groups[row]))
    rest = f", so {listed(groups)} cannot be compared as a whole" if groups else ""
    return f"{' and '.join(parts)}{rest}."


def reported_scores(task: str | None, rows: Sequence[MetricComparison], brackets: str = "reported: ") -> str:
    """Return both reported scores of a task by the metric that leads, as an addition in brackets."""
    own = [row for row in rows if row.task == task and row.a is not None and row.b is not None]
    row = next((row for row in own if row.primary), next(iter(own), None))
    return f" ({brackets}{reported_pair(row)})" if row else ""
