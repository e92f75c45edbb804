"""What the verdict found that a reader must not miss: two models, a scorer that changed, filters that disagree."""

from diptych.catalogue.row_words import gap_in_words
from diptych.comparison import Finding
from diptych.diagnose.samples.evidence import Evidence, Renamed
from diptych.diagnose.samples.joined_findings import join_findings
from diptych.diagnose.samples.renamed_tasks import proposal, with_names
from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.diagnose.settings.model_parts import one_name
from diptych.diagnose.settings.run_values import run_value
from diptych.diagnose.settings.task_fields import task_differences
from diptych.diagnose.verdict.caveats import scorer_changed
from diptych.diagnose.verdict.model_clause import in_two_forms, one_quantized
from diptych.diagnose.verdict.rows_apart import FiltersApart
from diptych.diagnose.verdict.verdict import Judgement
from diptych.run import Run
from diptych.sides import each_side


def verdict_findings(evidence: Evidence, judged: Judgement, a: Run, b: Run) -> list[Finding]:
    """Return the findings that stand behind the verdict's own sentence."""
    return [
        *join_findings([proposal(one, fields_apart(one, a, b)) for one in evidence.renamed]),
        *models(judged, a, b),
        *scorer(evidence),
        *filters(judged.beside.filters),
        *(cached(a, b) if any(one.side == "both" for one in evidence.invalid_tasks.values()) else ()),
    ]


def fields_apart(one: Renamed, a: Run, b: Run) -> list[str]:
    """Return the fields in which the configurations of a task under two names differ."""
    return [row.field for row in task_differences(a, with_names(b, {one.b: one.a})) if row.task == one.a]


def models(judged: Judgement, a: Run, b: Run) -> list[Finding]:
    """Return that the record names two models, or one in two quantizations, with all keys that say so."""
    if not judged.verdict.models_differ:
        return []
    named = [one.difference for one in judged.hypotheses if one.difference.known.model and one.difference.both_recorded]
    shown = "; ".join(f"{one.key} {one.a} and {one.b}" for one in named)
    what = "two models"
    if judged.model is not None and one_quantized(judged.model, a, b):
        what = "one model in two quantizations"
    elif judged.model is not None and judged.model.key in MODEL_NAMES and one_name(a, b):
        what = "one model under two names"
    elif judged.model is not None and in_two_forms(judged.model, a, b):
        what = "one model in two forms"
    text = f"The record names {what}: {shown}." if shown else f"The record names {what}."
    return [Finding("models_differ", "note", text, count_=len(named), evidence=tuple(one.key for one in named))]


def scorer(evidence: Evidence) -> list[Finding]:
    """Return that the same responses were scored otherwise."""
    task = scorer_changed(evidence.tasks)
    if task is None:
        return []
    number = max(one.scoring_only for one in task.filters)
    text = (
        f"All {task.pairs} responses of {task.task} are the same and so is what the filters kept, yet {number} items "
        "score otherwise: the scorer changed, or it is not deterministic."
    )
    return [Finding("scorer_changed", "warning", text, None, task.task, number, task.pairs)]


def filters(found: FiltersApart | None) -> list[Finding]:
    """Return that two filters of one metric disagree."""
    if found is None:
        return []
    shown = " and ".join(f"{row.filter} {gap_in_words(row)}" for row in (found.low, found.high))
    text = f"The filters of {found.low.task} disagree on {found.low.metric}: {shown}"
    if found.ballots.a != found.ballots.b:
        text += f", and read {found.ballots.a} responses an item in A, {found.ballots.b} in B."
    else:
        text += ". What a filter finds in a response changed, so one filter alone does not tell of accuracy."
    return [Finding("filters_disagree", "warning", text, None, found.low.task)]


def cached(a: Run, b: Run) -> list[Finding]:
    """Return the sides whose responses may come from a cache."""
    return [
        Finding(
            "cache_suspected",
            "warning",
            f"{side.upper()} ran with a response cache (use_cache): its responses may be of an earlier run.",
            side,
        )
        for side, run in each_side(a, b)
        if run_value(run, "use_cache")
    ]
