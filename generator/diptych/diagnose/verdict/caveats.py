"""What a verdict must say beside its kind, as facts: cut responses, filters apart, what is left out."""

from collections.abc import Collection, Sequence

from diptych.comparison import LeftOut
from diptych.diagnose.samples.answer_facts import Constant, Framed
from diptych.diagnose.samples.evidence import Contradicted, Evidence, TaskEvidence
from diptych.diagnose.samples.framed_responses import framed_in, is_spaced
from diptych.diagnose.samples.misplaced_responses import is_misplaced
from diptych.diagnose.scores.primary import SetAside, set_aside
from diptych.diagnose.settings.no_effect_rules import draws, is_unseeded
from diptych.diagnose.verdict.broken_responses import Broken, broken_part
from diptych.diagnose.verdict.rows_apart import (
    FiltersApart,
    MetricsApart,
    TakenBack,
    filters_apart,
    metrics_apart,
    moves_farther,
    taken_back,
)
from diptych.diagnose.verdict.telling_texts import Memory, Phrased, memory, phrased
from diptych.diagnose.verdict.trace import FEWEST, NEARLY_ALL
from diptych.diagnose.verdict.verdict_kind import Ruling
from diptych.estimates import MetricComparison
from diptych.fast_named_tuple import NamedTuple
from diptych.metric_key import MetricKey
from diptych.run import Run
from diptych.sides import Side, Sided, each_side


class Partial(NamedTuple):
    """That nearly all changed responses of one side are the other's up to a place where one of the two ends."""

    task: str
    side: Side
    number: int
    of: int


class Rewritten(NamedTuple):
    """That nearly all changed responses of a task hold one text: framed on a side, else apart by white space alone."""

    task: str
    number: int
    of: int
    framed: Framed | None = None


class Unmeasured(NamedTuple):
    """That some log-likelihoods of a side in a task are no numbers, and what stands there most often instead."""

    task: str
    side: Side
    number: int
    of: int
    value: str


class Caveats(NamedTuple):
    """Everything that goes with a verdict's sentence.

    `heat`: answers are drawn at this temperature, and no noise floor says how far a rerun moves the scores; the sides
    that are `unseeded` were given no seed to draw by.
    """

    broken: Broken | None = None
    set_aside: tuple[SetAside, ...] = ()
    filters: FiltersApart | None = None
    metrics: MetricsApart | None = None
    scorer: TaskEvidence | None = None
    unscored: tuple[tuple[Side, str, int, int], ...] = ()
    guessing: tuple[Side, str] | None = None
    contradicted: Contradicted | None = None
    heat: float | None = None
    unseeded: tuple[Side, ...] = ()
    farther: MetricsApart | None = None
    ran_on: Partial | None = None
    ended: Partial | None = None
    misplaced: TaskEvidence | None = None
    unthought: Partial | None = None
    rewritten: Rewritten | None = None
    unmeasured: Unmeasured | None = None
    constant: tuple[Side, str, Constant] | None = None
    taken_back: TakenBack = TakenBack()
    phrased: Phrased | None = None
    memory: Memory | None = None


def caveats(
    metrics: Sequence[MetricComparison], evidence: Evidence, ruling: Ruling, a: Run, b: Run, named: Collection[str] = ()
) -> Caveats:
    """Return what must be said beside a verdict's kind; `named` are tasks whose metric was asked for."""
    judged = [row for row in metrics if row.task not in ruling.invalid]
    tasks = [task for task in evidence.tasks if task.task not in ruling.invalid]
    primary = {row.key: row for row in judged if row.primary}
    idle = set_aside([row for row in judged if not row.group], evidence)
    told = {(one.row.task, one.row.metric) for one in idle}
    one_text = rewritten(tasks)
    beyond, short = (None, None) if one_text and one_text.framed else (ran_on(tasks), ended(tasks))
    return Caveats(
        broken_part(tasks, primary) if beyond is None and short is None else None,
        tuple(idle),
        with_ballots(filters_apart([row for row in judged if (row.task, row.metric) not in told]), evidence, a, b),
        metrics_apart(judged),
        scorer_changed(tasks),
        unscored(evidence),
        guessing(tasks),
        contradicted(tasks, primary),
        heat(judged, a, b),
        tuple(side for side, run in each_side(a, b) if is_unseeded(run)),
        moves_farther(judged),
        beyond,
        short,
        max(filter(is_misplaced, tasks), key=lambda task: (task.misplaced, task.task), default=None),
        most_partial([(task, task.one_text.bare) for task in tasks]),
        one_text,
        unmeasured(tasks),
        constant(tasks),
        taken_back([row for row in judged if row.key not in {one.row.key for one in idle}], named),
        phrased(tasks, primary),
        memory(tasks),
    )


def with_ballots(found: FiltersApart | None, evidence: Evidence, a: Run, b: Run) -> FiltersApart | None:
    """Return two filters that disagree with how many responses each side asked for, of which they may read several."""
    if found is None:
        return None
    asked = [run.configs.get(found.low.task, {}).get("repeats") for run in (a, b)]
    ours, theirs = (number if isinstance(number, int) else 1 for number in asked)
    logged = any(task.task == found.low.task and task.pairs for task in evidence.tasks)
    return found._replace(ballots=Sided(ours, theirs), logged=logged)


def unmeasured(tasks: Sequence[TaskEvidence]) -> Unmeasured | None:
    """Return the task and side with the most log-likelihoods that are no numbers, None where all are."""
    found = [
        Unmeasured(task.task, side, sum(counts.values()), task.responses_compared, max(counts, key=counts.__getitem__))
        for task in tasks
        for side, counts in each_side(*task.unmeasured)
        if counts
    ]
    return max(found, key=lambda one: one.number, default=None)


def constant(tasks: Sequence[TaskEvidence]) -> tuple[Side, str, Constant] | None:
    """Return the side and the task in which nearly all answers are the same few texts, though they may be answers."""
    found = [(side, task.task, one) for task in tasks for side, one in each_side(*task.constant) if one is not None]
    return max(found, key=lambda one: (one[2].number, one[1]), default=None)


def rewritten(tasks: Sequence[TaskEvidence]) -> Rewritten | None:
    """Return the task with most changed responses that hold one text; what stands around it is told before a blank."""
    framed = [
        Rewritten(task.task, found.number, task.cuts.changed, found)
        for task in tasks
        if (found := framed_in(task)) is not None
    ]
    spaced = [Rewritten(task.task, task.one_text.white_space, task.cuts.changed) for task in tasks if is_spaced(task)]
    return max(framed or spaced, key=lambda one: (one.number, one.task), default=None)


def ran_on(tasks: Sequence[TaskEvidence]) -> Partial | None:
    """Return where equal requests were answered alike, but one side did not stop where they say."""
    return most_partial([(task, task.cuts.ran_on) for task in tasks])


def ended(tasks: Sequence[TaskEvidence]) -> Partial | None:
    """Return where equal requests were answered alike, but one side stopped before its answer's end."""
    return most_partial([(task, task.cuts.ended) for task in tasks])


def most_partial(counts: Sequence[tuple[TaskEvidence, Sided[int]]]) -> Partial | None:
    """Return the task and side whose count is (nearly) all of its changed responses; the largest of several."""
    found = [
        Partial(task.task, side, number, task.cuts.changed)
        for task, sides in counts
        for side, number in each_side(*sides)
        if number >= max(FEWEST, NEARLY_ALL * task.cuts.changed) and task.requests_equal
    ]
    return max(found, key=lambda one: (one.number, one.task), default=None)


def contradicted(tasks: Sequence[TaskEvidence], primary: Collection[MetricKey]) -> Contradicted | None:
    """Return a whole log that gives another score than its results file reports, of a metric that leads first."""
    leads = {(key.task, key.metric) for key in primary}
    found = [one for task in tasks for one in task.contradicted if not getattr(task.missing, one.side)]
    return max(
        found,
        key=lambda one: ((one.task, one.metric) in leads, abs(one.reported - one.logged), one.task),
        default=None,
    )


def heat(rows: Sequence[MetricComparison], a: Run, b: Run) -> float | None:
    """Return the temperature at which both sides draw the answers behind a verdict; None where a floor is known."""
    tasks = [row.task for row in rows if row.primary and not row.group and row.noise_floor is None]
    if not (draws(a) and draws(b)):
        return None
    found = [run.task_settings.get(task, {}).get("gen_kwargs.temperature") for run in (a, b) for task in tasks]
    values = [one.value for one in found if one and one.recorded]
    return next((value for value in values if isinstance(value, (int, float)) and value), None)


def guessing(tasks: Sequence[TaskEvidence]) -> tuple[Side, str] | None:
    """Return the one side that guesses in a task where the other does not."""
    return next(((task.guessing[0], task.task) for task in tasks if len(task.guessing) == 1), None)


def scorer_changed(tasks: Sequence[TaskEvidence]) -> TaskEvidence | None:
    """Return the task whose responses and filtered responses are all equal while item scores are not."""
    found = [
        task
        for task in tasks
        if task.filters
        and any(one.scoring_only for one in task.filters)
        and not any(one.raw_apart or one.filtered_apart for one in task.filters)
    ]
    return max(found, key=lambda task: (max(one.scoring_only for one in task.filters), task.task), default=None)


def unscored(evidence: Evidence) -> tuple[tuple[Side, str, int, int], ...]:
    """Return how many items of which task, of how many, have no score on a side, so that they are in no pair."""
    found: list[tuple[Side, str, int, int]] = []
    retargeted = {task.task: task.retargeted.items for task in evidence.tasks}
    for task, paired in evidence.paired.items():
        for (name, metric), in_no_pair in paired.dropped.items():
            dropped = in_no_pair - retargeted.get(task, 0)  # those have a score, for another right answer
            size = len(paired.items.get(name, ()))
            if dropped <= 0 or dropped >= size:
                continue
            counts = [len(columns.get((name, metric), ())) for columns in (paired.all_a, paired.all_b)]
            side: Side = "a" if counts[0] < counts[1] else "b"
            found.append((side, task, dropped, size))
    return tuple(dict.fromkeys(found))


def left_out_of_verdict(ruling: Ruling, found: Caveats, labels: tuple[str, str]) -> tuple[LeftOut, ...]:
    """Return what the verdict leaves out, as the list of what was left out has it."""
    kept = []
    if ruling.kind != "not_a_measurement":
        for task, one in ruling.invalid.items():
            kept.append(
                LeftOut(f"the scores of {task}", one.count_, "they measure nothing there, so they are in no verdict")
            )
    for side, task, number, _ in found.unscored:
        label = labels[side == "b"]
        kept.append(LeftOut(f"items of {task} without a score in {label}", number, "no score to pair"))
    return tuple(kept)
