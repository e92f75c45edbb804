"""What to do next: one thing that can change what is known; whether the run that would settle it is there already."""

from collections.abc import Sequence

from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.sample_counts import still_tasks
from diptych.diagnose.verdict.caveats import Caveats
from diptych.diagnose.verdict.conclusion import Conclusion
from diptych.diagnose.verdict.fuller_results import fuller_step
from diptych.diagnose.verdict.hypotheses import Hypothesis
from diptych.diagnose.verdict.looping_steps import about_loops
from diptych.diagnose.verdict.mend_steps import to_mend
from diptych.diagnose.verdict.prompt_sentences import sent_sentence
from diptych.diagnose.verdict.step_facts import NO_RUN, Case, NextStep
from diptych.diagnose.verdict.verdict_kind import Ruling
from diptych.run import Run


def next_step(
    ruling: Ruling, conclusion: Conclusion, held: Sequence[Hypothesis], beside: Caveats, evidence: Evidence,
    a: Run, b: Run,
) -> NextStep:  # fmt: skip
    """Return what to do next: to mend what stands in the way, else the run that settles what leads, else what tells.

    `held` are all recorded differences with what they left behind, `beside` is what is said beside the verdict.
    """
    sent = bool(sent_sentence(ruling, conclusion, evidence, held, a, b))
    if ruling.ground == "statuses":
        still = still_tasks(evidence)
        ruling = ruling._replace(rows=tuple(row for row in ruling.rows if row.task not in still) or ruling.rows)
    case = Case(ruling, conclusion, held, beside, evidence, sent, a, b)
    fuller = fuller_step(a, b)
    if fuller and ruling.kind in OPEN:
        return NextStep(fuller)
    step = step_of(case)
    return step._replace(text=f"{step.text} {fuller}".rstrip())


OPEN = ("unclear", "not_comparable")
"""Kinds of verdict that more items can settle."""


def step_of(case: Case) -> NextStep:
    """Return the step of two runs as they were read."""
    if text := to_mend(case):
        return mended_first(text, case)
    # of the steps below one is told, and only that one's words are imported
    if any(row.group for row in case.ruling.rows) and (text := lacking_members(case)):
        if case.ruling.kind != "different":
            return NextStep(text)
        step = cause_step(case)
        return step._replace(text=f"{text} {step.text}")
    return cause_step(case)


def lacking_members(case: Case) -> str:
    """Return which tasks of a group one side lacks, "" where none does."""
    from diptych.diagnose.verdict.no_cause_steps import members_first

    return members_first(case)


def cause_step(case: Case) -> NextStep:
    """Return the step that settles what leads, or that tells more where nothing does."""
    conclusion = case.conclusion
    if not conclusion.leading:
        from diptych.diagnose.verdict.no_cause_steps import no_cause_step

        return NextStep(no_cause_step(case))
    first = next((one for one in conclusion.leading if not NO_RUN & set(one.difference.known.acts)), None)
    if first is None:
        from diptych.diagnose.verdict.no_cause_steps import no_run_step

        return NextStep(no_run_step(case))
    from diptych.diagnose.verdict.run_steps import run_step

    step = run_step(case, first)
    return step._replace(text=f"{step.text} {about_loops(case)}".rstrip())


def mended_first(text: str, case: Case) -> NextStep:
    """Return what is to be mended; where that carries an open difference of two interfaces, that these are the pair."""
    broken, leading = case.beside.broken, case.conclusion.leading
    if broken is None or not broken.carries or case.ruling.kind != "unclear" or not leading:
        return NextStep(text)
    from diptych.diagnose.verdict.run_steps import interface_alone, interface_text

    if not interface_alone(leading[0], case):
        return NextStep(text)
    return NextStep(f"{text} {interface_text(case)}", exists=True)
