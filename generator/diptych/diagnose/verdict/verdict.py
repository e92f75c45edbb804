"""The verdict: facts and recorded differences in, one conclusion with its sentence and its next step out."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from diptych.closed_names import BEARINGS, Bearing, Step
from diptych.comparison import ContextDifference, LeftOut, SettingDifference, Suspect, TaskDifference, Verdict
from diptych.diagnose.benchmarks import members_of
from diptych.diagnose.samples.divergence import first_divergence
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.sample_counts import sample_counts
from diptych.diagnose.settings.suspects import Difference, telling_model
from diptych.diagnose.verdict.caveats import Caveats, caveats, left_out_of_verdict
from diptych.diagnose.verdict.conclusion import Conclusion, conclude
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_over_tasks, hypotheses
from diptych.diagnose.verdict.next_step import next_step
from diptych.diagnose.verdict.request_traces import other_examples
from diptych.diagnose.verdict.run_labels import run_labels
from diptych.diagnose.verdict.sentences import verdict_parts, verdict_text
from diptych.diagnose.verdict.step_facts import acting_of
from diptych.diagnose.verdict.trace import FEW, FEWEST
from diptych.diagnose.verdict.trace_checks import acts_behind_responses
from diptych.diagnose.verdict.verdict_kind import Ruling, rows_rested_on, rule, set_differs
from diptych.estimates import MetricComparison
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run


class Judgement(NamedTuple):
    """The verdict, the differences with their bearing on the gap, their order, what is left out, what is beside.

    `model` is the most telling key of two models.
    """

    verdict: Verdict
    settings: tuple[SettingDifference, ...]
    task_settings: tuple[TaskDifference, ...]
    context: tuple[ContextDifference, ...]
    ranking: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    hypotheses: tuple[Hypothesis, ...]
    beside: Caveats
    model: Difference | None = None


def judge(
    metrics: tuple[MetricComparison, ...],
    settings: tuple[SettingDifference, ...],
    fields: tuple[TaskDifference, ...],
    context: tuple[ContextDifference, ...],
    found: tuple[Difference, ...],
    evidence: Evidence,
    a: Run,
    b: Run,
    named: Collection[str] = (),
) -> Judgement:
    """Return the verdict on two runs; `found` are all recorded differences, `named` tasks with a metric asked for."""
    tasks = tasks_scored_or_logged(metrics, evidence)
    held = hypotheses(found, evidence, tasks, a, b)
    ruling = rule(metrics, evidence, bool(acting_of(held)), a, b)
    conclusion = concluded(held, ruling, evidence, tasks, telling_model(found, a, b))
    beside = caveats(metrics, evidence, ruling, a, b, named)
    first = first_divergence(evidence)
    step = next_step(ruling, conclusion, held, beside, evidence, a, b)
    alone = conclusion.alone
    parts = verdict_parts(ruling, conclusion, beside, evidence, held, first, a, b)
    made = Verdict(
        kind=ruling.kind,
        sentence=verdict_text(parts),
        leading_cause=alone.key if alone else None,
        standing=conclusion.certainty,
        isolating_run=step.run,
        next_step=step.text,
        suspects=() if alone else tuple(map(suspect, conclusion.leading)),
        mechanism=conclusion.mechanism or None,
        first_divergence=first,
        next_run_exists=step.exists,
        models_differ=conclusion.model is not None,
        parts=parts,
    )
    ranking = keys_in_order(held, conclusion)
    parents = {one.key: unfollowed(one, conclusion).follows for one in held}
    bearings = {one.key: beside_proof(bearing_over_tasks(unfollowed(one, conclusion)), one, conclusion) for one in held}
    return Judgement(
        made,
        in_ranking([(row.key, row._replace(follows=parents[row.key])) for row in settings], ranking, bearings),
        tuple(with_bearing(row, held, bearings) for row in fields),
        in_ranking([(f"context.{row.setting}", row) for row in context], ranking, bearings),
        tuple(ranking),
        left_out_of_verdict(ruling, beside, run_labels(a, b)),
        held,
        beside,
        conclusion.model,
    )


Row = TypeVar("Row", SettingDifference, ContextDifference)


def in_ranking(
    rows: Sequence[tuple[str, Row]], ranking: Sequence[str], bearings: Mapping[str, tuple[Bearing, str | None]]
) -> tuple[Row, ...]:
    """Return rows with their bearing and evidence, in the order of looking."""
    held = [(key, row._replace(standing=bearings[key][0], evidence=bearings[key][1])) for key, row in rows]
    return tuple(row for _, row in sorted(held, key=lambda pair: ranking.index(pair[0])))


def tasks_scored_or_logged(metrics: Sequence[MetricComparison], evidence: Evidence) -> tuple[str, ...]:
    """Return the tasks that both sides scored or logged."""
    scored = [row.task for row in metrics if row.a_present and row.b_present and not row.group]
    return tuple(dict.fromkeys([*scored, *(task.task for task in evidence.tasks)]))


def concluded(
    held: Sequence[Hypothesis], ruling: Ruling, evidence: Evidence, tasks: tuple[str, ...], model: Difference | None
) -> Conclusion:
    """Return who is the cause, over the tasks that the verdict rests on and that moved."""
    if ruling.ground in ("not_applied", "file_twice", "scores_equal", "no_scores", "nothing_shared"):
        return Conclusion(model=model)
    focus = focus_of(ruling, evidence, tasks)
    if ruling.kind == "identical" and not set_differs(evidence):
        return Conclusion(tasks=focus, model=model)
    candidates = [one for one in held if not of_items(one)] if rests_on_shared(ruling, evidence) else list(held)
    if ruling.ground == "no_shared_items":
        candidates = [one for one in candidates if SETS_APART & set(one.difference.known.acts)]
        candidates = [one for one in candidates if acts_behind_responses(one.difference)]
    first = first_divergence(evidence, focus)
    anew = parted_anew(evidence, focus)
    made = conclude(candidates, focus, model, first.step if first else None, anew, shows_others(evidence, focus))
    if made.mechanism not in ("", "item_sets") and (set_differs(evidence) or left_unscored(evidence, focus)):
        return made._replace(certainty="supported", mechanism="")  # other items are scored, too, or some are not
    return made


def left_unscored(evidence: Evidence, tasks: Sequence[str]) -> bool:
    """Say whether items of equal responses have no score on a side alone, which no cause of other responses does."""
    return any(found.unscored_only for task in evidence.tasks if task.task in tasks for found in task.filters)


SETS_APART = frozenset({"items", "documents", "target", "version", "any"})
"""Ways of acting that may leave two runs without a shared item; what acts on answers does not."""


def parted_anew(evidence: Evidence, tasks: Sequence[str]) -> frozenset[Step]:
    """Return the last steps at which many items part that are equal before: what acts earlier did not do that."""
    facts = [found for task in evidence.tasks if task.task in tasks for found in task.filters]
    counts: tuple[tuple[Step, int, int], ...] = (
        ("filtered", sum(one.extraction_only for one in facts), sum(one.filtered_apart for one in facts)),
        ("scores", sum(one.scoring_only for one in facts), sum(one.scores_apart for one in facts)),
    )
    return frozenset(step for step, number, of in counts if number >= max(FEWEST, FEW * of))


def shows_others(evidence: Evidence, tasks: Sequence[str]) -> bool:
    """Say whether most differing prompts of some task show as many examples as on the other side, and other ones."""
    counts = [(other_examples(task), task.prompts) for task in evidence.tasks if task.task in tasks]
    return any(facts and number > (facts.compared - facts.equal) / 2 for number, facts in counts)


def of_items(one: Hypothesis) -> bool:
    """Say whether a difference acts on the set of items alone."""
    return one.difference.known.acts == ("items",)


def rests_on_shared(ruling: Ruling, evidence: Evidence) -> bool:
    """Say whether the shared items themselves moved, which no set of items makes them do."""
    seen = sample_counts(evidence)
    return bool(seen.pairs) and (ruling.kind == "different" or seen.scores.differ > 0)


def focus_of(ruling: Ruling, evidence: Evidence, tasks: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tasks to conclude over: those with a word, else those that moved, else all."""
    if ruling.ground == "invalid":
        return tuple(task for task in tasks if task in ruling.invalid) or tasks
    moved = {
        task.task for task in evidence.tasks if task.ladder.first_break or task.only_a or task.only_b or task.unlogged
    }
    logged = {task.task for task in evidence.tasks if task.pairs}
    able = [task for task in tasks if task in moved or task not in logged]
    rows = rows_rested_on(ruling.rows)
    groups = {row.task: row.subtasks for row in rows if row.group}
    worded = {name for row in rows if row.is_apart for name in (row.task, *members_of(row.task, groups))}
    return tuple([task for task in able if task in worded] or able)


def keys_in_order(held: Sequence[Hypothesis], conclusion: Conclusion) -> list[str]:
    """Return the keys of all differences in the order of looking: who leads, then what explains, can, cannot."""
    leading = [one.key for one in conclusion.leading]

    def place(one: Hypothesis) -> tuple[int, int, bool, bool, int, str]:
        first = leading.index(one.key) if one.key in leading else len(leading)
        difference = one.difference
        bearing = BEARINGS.index(bearing_over_tasks(one)[0])
        return first, bearing, one.comes_later, not difference.both_recorded, difference.place, one.key

    return [one.key for one in sorted(held, key=place)]


def unfollowed(one: Hypothesis, conclusion: Conclusion) -> Hypothesis:
    """Return what leads as standing for itself: what it would come with did not act."""
    return one._replace(follows="") if one in conclusion.leading else one


def beside_proof(
    found: tuple[Bearing, str | None], one: Hypothesis, conclusion: Conclusion
) -> tuple[Bearing, str | None]:
    """Return the bearing of a difference as the conclusion has it.

    Beside a proven cause another one can have acted, and explains nothing; what leads as possible explains nothing on
    the tasks that count.
    """
    other = conclusion.certainty == "proven" and one is not conclusion.alone
    if found[0] == "explains" and (other or (conclusion.certainty == "possible" and one in conclusion.leading)):
        return "can", found[1]
    return found


def with_bearing(
    row: TaskDifference, held: Sequence[Hypothesis], bearings: Mapping[str, tuple[Bearing, str | None]]
) -> TaskDifference:
    """Return a task's field with what it has to do with the gap."""
    for one in held:
        if one.difference.field == row.field and row.task in one.difference.tasks:
            bearing, evidence = bearings[one.key]
            return row._replace(standing=bearing, evidence=evidence)
    return row


def suspect(one: Hypothesis) -> Suspect:
    """Return a hypothesis as it is named together with others."""
    difference = one.difference
    return Suspect(difference.key, difference.a, difference.b, bearing_over_tasks(one)[1])
