"""Each recorded difference as a hypothesis: what it left behind in each task, and its bearing on the gap."""

from collections.abc import Iterable, Mapping

from diptych.catalogue.setting_effects import ACTS
from diptych.closed_names import Bearing
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.settings.drawing_code import seeds_drawn_with
from diptych.diagnose.settings.no_effect_rules import draws, follows, idle
from diptych.diagnose.settings.suspects import Difference
from diptych.diagnose.verdict.request_traces import seed_name, shuffle_trace
from diptych.diagnose.verdict.trace import MARKS, Mark, Task, Trace, facts_with_counts
from diptych.diagnose.verdict.trace_checks import trace_of
from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run
from diptych.sides import Sided

BEARING: Mapping[Mark, Bearing] = {
    "proof": "explains",
    "own": "explains",
    "broad": "explains",
    "open": "can",
    "later": "can",
    "silent": "cannot",
}


def unlogged(one: Difference, task: str, items: Sided[Mapping[str, int]], drawn_with: frozenset[str]) -> Trace:
    """Return the trace of a task without samples on both sides: nothing tells but the number of scored items.

    `drawn_with` are the seeds by which the task's own code draws what it asks.
    """
    act = "shuffle" if seed_name(one.key) in drawn_with else one.known.acts[0]
    counts = items.a.get(task), items.b.get(task)
    if one.known.acts == ("items",) and None not in counts:
        more, less = max(counts, key=int_of), min(counts, key=int_of)
        if more == less:
            return Trace("silent", "items", int_of(more), int_of(more), "items were scored on both sides")
        return Trace("own", "items", int_of(more) - int_of(less), int_of(more), "items were scored on one side only")
    return Trace("later" if act == "seed" else "open", act, weak=ACTS[act].weak)


class Hypothesis(NamedTuple):
    """A difference with its trace in each task where it differs; `idle` says why it cannot act at all.

    `follows` is the key of another difference of which it is a consequence or a copy.
    """

    difference: Difference
    traces: Mapping[str, Trace]
    idle: str | None = None
    follows: str = ""

    @property
    def key(self) -> str:
        """The key of the difference."""
        return self.difference.key

    @property
    def name(self) -> str:
        """What a sentence calls the difference."""
        return self.difference.name

    @property
    def comes_later(self) -> bool:
        """Whether it can have acted only behind what has changed already."""
        return bool(self.traces) and all(trace.mark == "later" for trace in self.traces.values())

    def marked(self, tasks: Iterable[str]) -> tuple[str, ...]:
        """Return those of some tasks in which it left what it would leave."""
        return tuple(task for task in tasks if task in self.traces and BEARING[self.traces[task].mark] == "explains")

    def over(self, tasks: Iterable[str]) -> list[Trace]:
        """Return the traces in some tasks, where it differs there."""
        return [self.traces[task] for task in tasks if task in self.traces]


def hypotheses(
    found: tuple[Difference, ...], evidence: Evidence, tasks: tuple[str, ...], a: Run, b: Run
) -> tuple[Hypothesis, ...]:
    """Return every recorded difference, read in every task that both sides ran (`tasks`)."""
    drawn = Sided(draws(a), draws(b))
    coded = {task: seeds_drawn_with(a.configs.get(task, {}), b.configs.get(task, {})) for task in tasks}
    logged = {
        facts.task: facts_with_counts(facts, drawn, coded.get(facts.task, frozenset())) for facts in evidence.tasks
    }
    return tuple(
        Hypothesis(
            one,
            readings_of(one, logged, tasks, Sided(a.items, b.items), coded),
            None if draws_itself(one, logged, coded) else idle(one, drawn, asks_text(one, evidence, tasks, a, b), a, b),
            follows(one, found, a, b),
        )
        for one in found
    )


def draws_itself(one: Difference, logged: Mapping[str, Task], coded: Mapping[str, frozenset[str]]) -> bool:
    """Say whether a difference is a seed by which a task may have drawn what it asks, whatever answers are drawn."""
    if "shuffle" not in one.known.acts:
        return False
    concerned = [task for task in coded if not one.tasks or task in one.tasks]
    seen = [shuffle_trace(one, logged[task]) for task in concerned if task in logged]
    unseen = any(seed_name(one.key) in coded[task] for task in concerned if task not in logged)
    return unseen or any(trace.mark != "silent" for trace in seen)


def int_of(value: int | None) -> int:
    """Return a number of items."""
    return value or 0


def readings_of(
    one: Difference,
    logged: Mapping[str, Task],
    tasks: tuple[str, ...],
    items: Sided[Mapping[str, int]],
    coded: Mapping[str, frozenset[str]],
) -> dict[str, Trace]:
    """Return the traces of a difference by task, over the tasks in which it differs."""
    concerned = [task for task in tasks if not one.tasks or task in one.tasks]
    traces = {
        task: trace_of(one, logged[task])
        if task in logged
        else unlogged(one, task, items, coded.get(task, frozenset()))
        for task in concerned
    }
    return {task: unproven(one, trace) for task, trace in traces.items()}


def unproven(one: Difference, trace: Trace) -> Trace:
    """Return a trace of what one side does not record: only what the log itself shows counts for it."""
    if one.both_recorded or trace.mark not in ("proof", "broad"):
        return trace
    return trace._replace(mark="own" if trace.mark == "proof" else "open", proof="")


def asks_text(one: Difference, evidence: Evidence, tasks: tuple[str, ...], a: Run, b: Run) -> bool | None:
    """Say whether any task that a difference concerns asks for text; None where nothing tells."""
    concerned = [task for task in tasks if not one.tasks or task in one.tasks]
    logged = {facts.task: facts.kind == "generation" for facts in evidence.tasks if facts.pairs}
    known = [logged.get(task, asked_by_record(task, a, b)) for task in concerned]
    if any(known):
        return True
    return False if known and None not in known else None


def asked_by_record(task: str, a: Run, b: Run) -> bool | None:
    """Say by a task's definition whether it asks for text; None where no definition tells."""
    kinds = [run.configs.get(task, {}).get("output_type") for run in (a, b)]
    given = [kind for kind in kinds if kind is not None]
    return any(kind == "generate_until" for kind in given) if given else None


def bearing_over_tasks(hypothesis: Hypothesis) -> tuple[Bearing, str | None]:
    """Return the bearing of a difference on the gap, over all tasks, and the sentence with its counts."""
    if hypothesis.idle is not None:
        return "cannot", hypothesis.idle
    traces = list(hypothesis.traces.values())
    if not traces:
        return "can", None
    best = min(traces, key=lambda trace: MARKS.index(trace.mark))
    if hypothesis.follows and BEARING[best.mark] == "explains":
        return "can", f"It comes with {hypothesis.follows}, or says the same."
    return BEARING[best.mark], evidence_text([trace for trace in traces if same_kind(trace, best)])


def same_kind(trace: Trace, best: Trace) -> bool:
    """Say whether two traces tell the same, so that their counts add up."""
    return trace.mark == best.mark and trace.clause == best.clause


def evidence_text(traces: list[Trace]) -> str | None:
    """Return the sentence that a trace's counts make, summed over tasks."""
    clause = traces[0].clause
    if not clause:
        return None
    number, of = sum(one.number for one in traces), sum(one.of for one in traces)
    if not of:
        return None
    counted = f"All {of:,}" if number == of and of > 1 else f"{number:,} of {of:,}"
    total = sum(one.sampled_from for one in traces)
    if total:
        clause = f"differing prompts{f' looked at, of {total:,},' if total > of else ''} {clause}"
    return f"{counted} {clause}."
