"""What was sent, in words, where it differs and nothing that leads makes it differ."""

from collections import Counter
from collections.abc import Sequence

from diptych.catalogue.setting_effects import ACTS
from diptych.diagnose.samples.evidence import Evidence, Place
from diptych.diagnose.samples.prompt_findings import space_words
from diptych.diagnose.samples.sample_counts import SampleCounts, sample_counts
from diptych.diagnose.verdict.conclusion import Conclusion
from diptych.diagnose.verdict.dated_prompts import clock_of
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_over_tasks
from diptych.diagnose.verdict.no_cause_sentences import builds_requests
from diptych.diagnose.verdict.value_words import around_difference, both_values
from diptych.diagnose.verdict.verdict_kind import Ruling
from diptych.numbers import listed
from diptych.run import Run


def sent_sentence(
    ruling: Ruling, conclusion: Conclusion, evidence: Evidence, others: Sequence[Hypothesis], a: Run, b: Run
) -> str:
    """Return that what was sent differs though nothing that leads makes it differ, else ""."""
    if ruling.ground not in ("statuses", "invalid"):
        return ""
    seen = sample_counts(evidence, conclusion.tasks)
    acts = {trace.act for one in conclusion.leading for trace in one.over(conclusion.tasks)}
    drawn = "shuffle" in acts
    acts |= {act for one in conclusion.leading for act in one.difference.known.acts if act != "shuffle"}
    made = {ACTS[act].step for act in acts} | ({"prompts", "choices"} if drawn else set())
    if conclusion.certainty == "possible" and "none" in made:
        made = set()
    what = ""
    kinds = {kind: number for kind, number in seen.kinds.items() if kind != "same_words"}
    if kinds and "prompts" not in made:
        kind = max(kinds, key=lambda name: kinds[name])
        only = "only by" if kind == "white_space" else "by"
        shuffled = kind == "order" and is_shuffled(evidence, conclusion.tasks)
        words = "the order of the same choices" if shuffled else KIND_WORDS[kind]
        what = f"The prompts themselves differ ({kinds[kind]} of {seen.prompts.compared}, {only} {words})"
    elif seen.choices.differ and not {"prompts", "choices"} & made:
        spaces = spaced(evidence, conclusion.tasks)
        only = f", only by {space_words(spaces)}" if spaces else ""
        what = f"The scored continuations themselves differ ({seen.choices.differ} of {seen.choices.compared}{only})"
    elif seen.arguments.differ and not seen.prompts.differ and not conclusion.leading and not only_seeds(seen):
        names = listed(sorted(seen.argument_names))
        what = (
            f"The gen_kwargs of the requests differ ({names} in {seen.arguments.differ} of {seen.arguments.compared})"
        )
        return f"{what}, and nothing shows that this acted."
    shown = parting_words(evidence, conclusion.tasks) if kinds and what else ""
    if what and (clock := clock_of(evidence, conclusion.tasks, a, b)):
        return f"{what}: the recorded chat template writes the day of the run into them ({clock}).{shown}"
    if what and (built := builders(others)):
        may = "may have" if len(built) == 1 else "may each have"
        named = listed([f"{one.name} ({both_values(one.difference)})" for one in built])
        return f"{what}; {named} {may} made that.{shown}"
    return f"{what}, and no recorded setting explains that.{shown}{builder_clause(a, b)}" if what else ""


def builders(others: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return the versions that differ on record of what builds a task's requests: the harness, the task itself."""
    return [
        one
        for one in others
        if bearing_over_tasks(one)[0] != "cannot"
        and not one.follows
        and (one.difference.task_version or builds_requests(one))
    ]


def is_shuffled(evidence: Evidence, tasks: Sequence[str]) -> bool:
    """Say whether items hold the same choices in another order."""
    return any(task.reordered for task in evidence.tasks if not tasks or task.task in tasks)


def builder_clause(a: Run, b: Run) -> str:
    """Return that the harness writes prompts and continuations, where its version is not the same or not recorded."""
    ours, theirs = a.harness_version, b.harness_version
    if ours == theirs and ours is not None:
        return ""
    shown = " → ".join(version or "not recorded" for version in (ours, theirs))
    shown = "not recorded on either side" if ours is theirs is None else shown
    return f" The harness builds them from the task, and its version is not known to be the same ({shown})."


def spaced(evidence: Evidence, tasks: Sequence[str]) -> Counter[Place]:
    """Return where scored continuations have other white space, where they differ by nothing else; else nothing."""
    found = [task for task in evidence.tasks if task.choices and (not tasks or task.task in tasks)]
    if any(sum(task.spaced_choices.values()) < task.choices for task in found):
        return Counter()
    return Counter({place: number for task in found for place, number in task.spaced_choices.items()})


def parting_words(evidence: Evidence, tasks: Sequence[str]) -> str:
    """Return the stretch in which the first two prompts that differ part, "" where no text is at hand."""
    for pair in evidence.prompts:
        if (not tasks or pair.task in tasks) and pair.a and pair.b and pair.a != pair.b:
            return f" In the first of {pair.task}: {' → '.join(around_difference(pair.a, pair.b))}."
    return ""


def only_seeds(seen: SampleCounts) -> bool:
    """Say whether the requests differ in their seeds alone: another draw, not another request."""
    return set(seen.argument_names) <= {"seed"}


KIND_WORDS = {
    "role_markers": "chat-template tokens",
    "examples": "a block of examples",
    "example_layout": "the layout of the examples",
    "system_text": "a system text",
    "white_space": "white space",
    "start_token": "a start token",
    "thought": "a thought block",
    "order": "the order of the same words",
    "other": "other words",
}
"""How prompts can differ, as a reader says it."""
