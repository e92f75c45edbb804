"""Which difference a reader should take for the cause, and how far the files prove it."""

from typing import NamedTuple

from diptych.catalogue.settings import context_rank
from diptych.catalogue.traces import trace_of
from diptych.comparison import BEARINGS, Bearing, Certainty, ContextDifference, SettingDifference, Step, TaskDifference
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.sample_counts import Seen, look
from diptych.diagnose.settings.differences import MODEL_NAMES, only_case_differs
from diptych.diagnose.settings.no_effect_rules import named_by_quant, served
from diptych.run import Json, Run

OUTSIDE = 1_000
"""Where the prior order goes on outside the harness: after every ranked setting."""

UNRANKED = 10_000
DEFINITION = UNRANKED - 1
"""The place of a field of a task's definition."""

FIELDS_OF_STEPS: tuple[tuple[Step, tuple[str, ...]], ...] = (
    (
        "prompts",
        ("doc_to_text", "description", "fewshot_", "gen_prefix", "process_docs", "target_delimiter", "use_prompt"),
    ),
    ("documents", ("dataset_", "process_docs", "test_split", "validation_split", "custom_dataset")),
    ("choices", ("doc_to_choice", "target_delimiter", "doc_to_target")),
    ("generation_arguments", ("generation_kwargs",)),
    ("filtered", ("filter_list",)),
    ("scores", ("metric_list", "process_results", "doc_to_target")),
)
"""Which fields of a task's definition break which rung of the ladder."""


class Cause(NamedTuple):
    """Something that differs and may be the cause: its key, both values, its standing and what the samples say."""

    key: str
    a: Json
    b: Json
    standing: Bearing
    evidence: str | None
    recorded: bool
    place: int

    @property
    def weak(self) -> bool:
        """Whether it can only move the last digits."""
        return trace_of(self.key).answers == "small"

    @property
    def idle(self) -> bool:
        """Whether it is possible only because nothing rules it out: no trace in the table points to it."""
        return self.standing == "can" and trace_of(self.key).answers == "may"


def causes(
    settings: tuple[SettingDifference, ...],
    fields: tuple[TaskDifference, ...],
    context: tuple[ContextDifference, ...],
    evidence: Evidence,
    a: Run,
    b: Run,
) -> tuple[Cause, ...]:
    """Return what may be the cause, first the one to look at first; what cannot have acted is left out.

    Explaining goes before possible, strong before weak, recorded before not recorded; inside that the prior order,
    with what is outside the harness after the ranked settings. A definition counts where nothing else explains.
    """
    found = [of_setting(row, a, b) for row in settings] + [of_context(row) for row in context]
    live = [cause for cause in found if cause.standing != "cannot" and (cause.recorded or cause.standing == "explains")]
    live = [cause for cause in live if not (cause.standing == "can" and cause.place == UNRANKED and consequence(cause))]
    if not any(cause.standing == "explains" for cause in live):
        live = with_fields(live, fields, evidence)
    return tuple(sorted(live, key=order))


def order(cause: Cause) -> tuple[int, bool, bool, int, str]:
    """Return where a cause belongs in the order of looking."""
    unseen = not cause.recorded
    return BEARINGS.index(cause.standing), cause.weak and cause.standing == "explains", unseen, cause.place, cause.key


def consequence(cause: Cause) -> bool:
    """Say whether an unranked key only repeats in other words what another setting says (what was loaded)."""
    return cause.key.startswith(("model_", "tokenizer_", "eot_token", "batch_sizes", "max_length"))


def of_setting(row: SettingDifference, a: Run, b: Run) -> Cause:
    """Return a setting as a cause; a model named only by its quantisation gives way to the quantisation itself."""
    place = UNRANKED if row.rank is None else row.rank
    if row.key in MODEL_NAMES and named_by_quant(a, b):
        place = OUTSIDE + 1
    if row.key in MODEL_NAMES and only_case_differs(row.a, row.b):
        place = UNRANKED
    recorded = row.a_recorded and row.b_recorded
    return Cause(row.key, row.a, row.b, row.standing, row.evidence, recorded, place)


def of_context(row: ContextDifference) -> Cause:
    """Return something outside the harness as a cause."""
    place = OUTSIDE + context_rank(row.setting)[0] - 1
    recorded = row.a_recorded and row.b_recorded
    return Cause(f"context.{row.setting}", row.a, row.b, row.standing, row.evidence, recorded, place)


def with_fields(live: list[Cause], fields: tuple[TaskDifference, ...], evidence: Evidence) -> list[Cause]:
    """Return the causes with the task definitions that break just the rung which breaks first in their task.

    A definition speaks through its task's version where that differs too.
    """
    breaks = {task.task: task.ladder.first_break for task in evidence.tasks}
    for field in fields:
        broken = breaks.get(field.task)
        named = next((names for rung, names in FIELDS_OF_STEPS if rung == broken), ())
        if not named or not field.field.startswith(named):
            continue
        version = f"versions.{field.task}"
        text = f"The ladder of {field.task} breaks at {str(broken).replace('_', ' ')}, where {field.field} acts."
        if any(cause.key == version for cause in live):
            live = [raised(cause, text) if cause.key == version else cause for cause in live]
        else:
            live.append(Cause(f"{field.task}.{field.field}", field.a, field.b, "explains", text, True, DEFINITION))
    return live


def raised(cause: Cause, text: str) -> Cause:
    """Return a cause that its task's definition shows to have acted."""
    return cause._replace(standing="explains", evidence=text)


def standing(found: tuple[Cause, ...], evidence: Evidence, a: Run, b: Run) -> Certainty:
    """Return how sure the first cause is: proven, supported, possible, or none where there is no cause.

    Proven: the log shows its trace on every item of the tasks it concerns and shows no other kind of trace, and
    nothing else on record could have acted. Supported: its trace is there. Possible: it could have acted.
    """
    if not found:
        return "none"
    first, *others = found
    if first.standing != "explains":
        return "possible"
    if not first.recorded or any(rival(first, other) for other in others):
        return "supported"
    whole = trace_is_whole(first, look(evidence, tasks_of(first, evidence)))
    blind = (served(a) or served(b)) and not (a.context and b.context)
    return "proven" if whole and not blind else "supported"


def rival(first: Cause, other: Cause) -> bool:
    """Say whether another cause could have made the difference as well."""
    if other.standing == "explains":
        return not other.weak
    return not (other.weak or other.idle or other.place >= UNRANKED)


def tasks_of(cause: Cause, evidence: Evidence) -> tuple[str, ...]:
    """Return the tasks in which anything moved: there the trace must be whole."""
    return tuple(task.task for task in evidence.tasks if moved(task.ladder.first_break))


def moved(first_break: str | None) -> bool:
    """Say whether a ladder breaks at all."""
    return first_break is not None


DRAWING = frozenset({"seed", "temperature", "top_p", "top_k", "min_p", "typical_p", "do_sample"})
"""Arguments of drawing: where answers are drawn, another run parts from the first without any of them."""


def trace_is_whole(cause: Cause, seen: Seen) -> bool:
    """Say whether the log itself shows a cause's trace on every item, and no other kind of trace."""
    trace = trace_of(cause.key)
    if trace.items:
        return seen.one_sided > 0 and seen.nothing_moved
    if trace.arguments and seen.arguments.compared:
        name = cause.key.partition(".")[2]
        return (
            set(seen.argument_names) == {name} - DRAWING
            and seen.argument_names[name] == seen.arguments.compared
            and not (seen.prompts.differ or seen.choices.differ)
        )
    if trace.prompts and seen.prompts.compared:
        only = all(kind in trace.prompts for kind in seen.kinds)
        hits = max((seen.kinds.get(kind, 0) for kind in trace.prompts), default=0)
        return only and hits >= seen.prompts.compared
    return False
