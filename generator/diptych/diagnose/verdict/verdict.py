"""The verdict: one sentence that answers the question, the leading cause, how sure it is, and the next run.

It never takes "not significant" for "no difference", and says nothing about scores that measure nothing.
"""

from diptych.catalogue.traces import trace_of
from diptych.comparison import (
    ContextDifference,
    Finding,
    MetricComparison,
    SettingDifference,
    TaskDifference,
    Verdict,
)
from diptych.diagnose.samples.divergence import first_divergence
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.invalid_tasks import SPOILT
from diptych.diagnose.samples.sample_counts import Seen, look
from diptych.diagnose.settings.differences import same_value
from diptych.diagnose.settings.trace_checks import KIND_WORDS
from diptych.diagnose.verdict.causes import DEFINITION, Cause, causes, standing
from diptych.diagnose.verdict.isolating_run import isolating_run
from diptych.diagnose.verdict.verdict_kind import rule
from diptych.numbers import listed
from diptych.run import Json, Run

LONGEST_VALUE = 40


def verdict(
    metrics: tuple[MetricComparison, ...],
    settings: tuple[SettingDifference, ...],
    task_settings: tuple[TaskDifference, ...],
    context: tuple[ContextDifference, ...],
    evidence: Evidence,
    findings: tuple[Finding, ...],
    a: Run,
    b: Run,
) -> Verdict:
    """Return the one line above everything; `settings` and `context` are sharpened, `metrics` carry their words."""
    ruling = rule(metrics, evidence, findings, a, b)
    found = causes(settings, task_settings, context, evidence, a, b)
    if ruling.kind == "identical" and not look(evidence).one_sided:
        found = ()
    if ruling.kind == "not_a_measurement" and not any(row.kind in BY_SETTINGS for row in findings):
        found = ()  # one cache served both: no setting made the answers what they are
    if ruling.kind == "different" and look(evidence).pairs:
        found = tuple(cause for cause in found if not trace_of(cause.key).items)  # the shared items differ themselves
    sure = standing(found, evidence, a, b)
    leading = found[0] if found else None
    run = isolating_run(leading.key, a, b) if leading else None
    sent = sent_clause(found, look(evidence)) if ruling.kind in LEADING_KINDS else ""
    step = start_token_step(findings) + (REQUESTS_FIRST if sent and sure in ("possible", "none") else "")
    if leading or not sent:
        step += next_step(leading, sure, evidence, run is not None, without_context(a, b))
    return Verdict(
        kind=ruling.kind,
        sentence=ruling.sentence + sent + cause_clause(leading, sure, ruling.kind, bool(sent)) + ".",
        leading_cause=leading.key if leading else None,
        standing=sure,
        isolating_run=run,
        next_step=ruling.next_step or step.rstrip(),
        first_divergence=first_divergence(evidence),
    )


BY_SETTINGS = frozenset(SPOILT) - {"answers_identical"}
"""What spoils answers and may come of a setting."""

LEADING_KINDS = ("different", "unclear", "equivalent")
REQUESTS_FIRST = (
    "First read the requests side by side and make them equal (the task's definition and the harness that ran it build "
    "them), then compare again. "
)


def sent_clause(found: tuple[Cause, ...], seen: Seen) -> str:
    """Return the clause that what was sent differs though no cause on record makes it differ, else ""."""
    acting = [cause for cause in found if cause.standing == "explains"]
    if any(cause.place == DEFINITION for cause in acting):
        return ""
    traces = [trace_of(cause.key) for cause in acting]
    made = {kind for trace in traces for kind in trace.prompts} | {"same_words"}
    kinds = {kind: number for kind, number in seen.kinds.items() if kind not in made}
    if kinds:
        kind = max(kinds, key=lambda name: kinds[name])
        only = "only by " if kind == "white_space" else "by "
        counts = f"{kinds[kind]} of {seen.prompts.compared}"
        return f"; the prompts themselves differ ({counts}, {only}{KIND_WORDS[kind]}){OPEN}"
    if seen.choices.differ and not any(trace.choices for trace in traces):
        counts = f"{seen.choices.differ} of {seen.choices.compared}"
        return f"; the scored continuations themselves differ ({counts}){OPEN}"
    if seen.arguments.differ and not any(trace.arguments for trace in traces):
        names = listed(sorted(seen.argument_names))
        counts = f"{names} in {seen.arguments.differ} of {seen.arguments.compared}"
        return f"; the generation arguments of the requests themselves differ ({counts}){OPEN}"
    return ""


OPEN = ", and no recorded setting explains that"


def cause_clause(leading: Cause | None, sure: str, kind: str, sent_first: bool = False) -> str:
    """Return the clause that names the leading cause with both its values and how sure it is."""
    if leading is None:
        return "" if sent_first else NOTHING_DIFFERS.get(kind, "")
    if sent_first and sure == "possible":
        return f"; {leading.key} differs as well: {both_spoken(leading)} (not proven)"
    lead = LEADS.get((kind, sure)) or LEADS.get((kind, "")) or "the first difference to look at is"
    if trace_of(leading.key).items and sure != "possible":
        lead = "what sets the reported scores apart is"
    proof = {"proven": ", as the logged samples prove", "supported": "", "possible": " (not proven)"}[sure]
    values = both_spoken(leading)
    return f"; {lead} {leading.key}: {values}{proof}"


NOTHING_DIFFERS = {
    "different": "; nothing recorded differs that could be the cause",
    "unclear": "; no recorded setting differs that could matter",
}
"""What is said where there is no cause to name."""

LEADS = {
    ("different", "proven"): "the cause is",
    ("different", "supported"): "the leading cause is",
    ("different", "possible"): "the first cause to try is",
    ("unclear", "possible"): "what may have changed the answers is",
    ("unclear", ""): "what changed the answers is",
    ("equivalent", "possible"): "what may have changed the answers is",
    ("equivalent", ""): "what changed the answers is",
}
"""How a leading cause is called, by the verdict's kind and how sure it is."""


def both_spoken(cause: Cause) -> str:
    """Return both values of a cause, or what is odd about them where a reader would hear the same twice."""
    ours, theirs = spoken(cause, cause.a), spoken(cause, cause.b)
    if same_value(cause.a, cause.b):
        silent = "the same on record" if cause.recorded else "not recorded"
        return f"{silent}, but not alike in the prompts"
    return f"{ours} against {theirs}" if ours != theirs else "two different texts"


def spoken(cause: Cause, value: Json) -> str:
    """Return a value as a reader says it: templates as on or off, long texts cut."""
    if value is None and not cause.recorded:
        return "not recorded"
    if cause.key in ("chat_template", "apply_chat_template") and not isinstance(value, dict):
        return {None: "off", "": "on (applied by the server)"}.get(value, "on")
    if value is None:
        return "not given"
    if isinstance(value, dict):
        return "another value in each task"
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def start_token_step(findings: tuple[Finding, ...]) -> str:
    """Return the step that goes first where one side is known to send its start token twice."""
    suspects = [
        finding for finding in findings if finding.kind == "start_token_doubled" and finding.severity == "warning"
    ]
    if not suspects:
        return ""
    side = str(suspects[0].side).upper()
    return f"First look at the start token: it may be there twice in {side}; run {side} without adding it. "


def without_context(a: Run, b: Run) -> str:
    """Return which sides have no run-context.json yet, as a phrase."""
    sides = [side for side, run in (("A", a), ("B", b)) if not run.context]
    return sides[0] if len(sides) == 1 else "each run"


def next_step(leading: Cause | None, sure: str, evidence: Evidence, runnable: bool, silent: str) -> str:
    """Return what to do next, one thing; `silent` names the sides about whose serving nothing is written down."""
    if leading is None:
        return (
            f"Write a run-context.json beside {silent} (quant, engine, engine_version, endpoint, alias), and run one "
            "configuration three times: what those three differ by is the noise floor."
        )
    if same_value(leading.a, leading.b):
        return (
            f"The record of {leading.key} is not what was sent: read the first prompts side by side, then run both "
            f"sides with {leading.key} set alike."
        )
    change = f"Repeat A with only {leading.key} taken from B, and change nothing else"
    if not runnable:
        return f"{change}; no command can do that by itself."
    if not evidence.tasks:
        return f"{change}; log the samples (--log_samples), so that the next comparison can be a paired one."
    if sure == "proven":
        return f"{change}, to confirm it: its scores should come out as B's."
    return f"{change}: if the gap closes, that was it; if it stays, go on to the next setting in the list."
