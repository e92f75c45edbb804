"""The step where something leads: the run that would settle it, or that this run exists, or that none is needed."""

from collections.abc import Sequence

from diptych.catalogue.words import setting_word
from diptych.comparison import IsolatingRun
from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.diagnose.settings.model_parts import is_other_change
from diptych.diagnose.settings.no_effect_rules import draws
from diptych.diagnose.settings.run_values import of_interface, takes_messages
from diptych.diagnose.verdict.cause_sentences import replayed
from diptych.diagnose.verdict.conclusion import Conclusion, repeatable
from diptych.diagnose.verdict.ground_steps import one_version
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_over_tasks
from diptych.diagnose.verdict.mend_steps import REQUESTS_FIRST, other_targets, unknown_server, unsure_scorer
from diptych.diagnose.verdict.more_items import can_score_more, more_items
from diptych.diagnose.verdict.no_cause_sentences import strained
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.step_facts import NO_RUN, Case, NextStep
from diptych.numbers import listed


def run_step(case: Case, first: Hypothesis) -> NextStep:
    """Return the step for what leads; `first` is the one of the leading that a run can settle."""
    if interface_alone(first, case):
        return NextStep(with_items_needed(interface_text(case), case), exists=True)
    if interface_leads(case):
        rest = [one for one in case.acting if not (of_interface(one.key) or NO_RUN & set(one.difference.known.acts))]
        beside = next((one for one in rest if can_be_run(one, case)), None)
        return (
            NextStep(with_items_needed(interface_text(case), case)) if beside is None else separating_run(beside, case)
        )
    if text := unsure_scorer(case) or unknown_server(case, first):
        return NextStep(text)
    if is_whole_difference(first, case.acting):
        return isolated_step(first, case)
    leading = case.conclusion.leading
    if case.conclusion.by_task and {one.key for one in case.acting} <= {one.key for one in leading}:
        return NextStep(with_items_needed(by_task_text(case.conclusion, case.labels), case), exists=True)
    if all(repeatable(one, case.conclusion.tasks) for one in leading):
        return NextStep(with_items_needed(repeat_text(leading, case.labels), case))
    if is_hidden_by_draws(case):
        return NextStep(draws_text(case))
    if case.conclusion.certainty == "proven" and case.conclusion.mechanism != "filter_replayed":
        return NextStep(proven_text(first))
    if replayed(first, case.conclusion, case.evidence) is not None:
        beside = next((one for one in leading if can_be_run(one, case)), None)
        return NextStep(replayed_text(first, case)) if beside is None else separating_run(beside, case)
    return separating_run(first, case)


def is_hidden_by_draws(case: Case) -> bool:
    """Say whether both sides draw their answers and no difference is shown: then one run more separates nothing."""
    conclusion = case.conclusion
    return (
        conclusion.certainty == "possible" and case.ruling.kind == "unclear" and bool(draws(case.a) and draws(case.b))
    )


def draws_text(case: Case) -> str:
    """Return how to tell what differs from what drawing alone does."""
    names = listed([one.name for one in case.conclusion.leading])
    seed = "give both runs one seed and compare those, or " if case.beside.unseeded else ""
    how = f"run {case.labels.a} as it was three times and take its noise floor (diptych noise)"
    text = f"{seed}{how}: one draw more with {names} of {case.labels.b} separates nothing."
    return text[:1].upper() + text[1:]


def can_be_run(one: Hypothesis, case: Case) -> bool:
    """Say whether a command can take what may have made the rest, which no file that is there tells."""
    from diptych.diagnose.verdict.isolating_run import isolating_run

    again = replayed(one, case.conclusion, case.evidence)
    return again is None and isolating_run(one.key, case.a, case.b) is not None


def with_items_needed(text: str, case: Case) -> str:
    """Return a step with how many more items would tell."""
    return f"{text} {more_items(case)}".rstrip()


def separating_run(first: Hypothesis, case: Case) -> NextStep:
    """Return the run that repeats A with one setting of B, or what stands in its way."""
    from diptych.diagnose.verdict.isolating_run import DRAWING, isolating_run  # who isolates nothing needs no command

    run = isolating_run(first.key, case.a, case.b)
    if run is not None and case.conclusion.other_examples:
        drawn = f"If its prompts show B's examples, {first.name} chooses them, too; if A's, something else does."
        run = run._replace(if_neither=drawn)
    before = f"{REQUESTS_FIRST} " if case.sent and case.conclusion.certainty == "possible" else ""
    mates = [one.name for one in case.held if {one.key, first.key} <= {*DRAWING} and one.key != first.key]
    text = before + run_text(first, mates, rival_of(first, run, case), run, case)
    able = case.ruling.kind == "unclear" and can_score_more(case)
    return NextStep(with_items_needed(text, case) if able else text, run)


def rival_of(one: Hypothesis, run: IsolatingRun | None, case: Case) -> Hypothesis | None:
    """Return another suspect beside one, rather one that a run can separate from it; None where it leads alone.

    What the run takes from B with it is no rival.
    """
    rest = [other for other in case.conclusion.leading if other is not one and not (run and run.takes(other.key))]
    if takes_messages(case.a) != takes_messages(case.b) and of_interface(one.key):
        rest = [other for other in rest if not of_interface(other.key)] or rest
    return next(iter(rest), None)


def is_whole_difference(one: Hypothesis, acting: Sequence[Hypothesis]) -> bool:
    """Say whether a cause is all that can have acted between the runs, so that A with it changed is B."""
    of_model = one.difference.known.model
    doubted = strained(acting)  # another model moves answers that far by itself
    return all(
        other.key == one.key or (of_model and (is_one_model(other, one) or other in doubted)) for other in acting
    )


def is_one_model(other: Hypothesis, one: Hypothesis) -> bool:
    """Say whether two differences tell of one change to a model."""
    both = other.difference.known.model and one.difference.known.model
    return both and not is_other_change(other.difference, one.difference)


def interface_alone(one: Hypothesis, case: Case) -> bool:
    """Say whether the runs differ in nothing that can act but their interface, which no command takes apart."""
    if takes_messages(case.a) == takes_messages(case.b) or not of_interface(one.key):
        return False
    return all(of_interface(other.key) for other in case.acting)


def interface_leads(case: Case) -> bool:
    """Say whether all that leads is the interface of runs that differ in something else, too."""
    return takes_messages(case.a) != takes_messages(case.b) and all(
        of_interface(one.key) for one in case.conclusion.leading
    )


def interface_text(case: Case) -> str:
    """Return that the interface comes as a whole."""
    open_ = "; more items can show whether they differ, not why" if case.ruling.kind == "unclear" else ""
    return (
        f"{case.labels.a} and {case.labels.b} differ in the interface (one is sent messages, the other a text): "
        f"template, backend and arguments come together, so no run separates them{open_}."
    )


def isolated_step(one: Hypothesis, case: Case) -> NextStep:
    """Return that this pair isolates the cause; and where right answers changed too, to make them the same."""
    changed = other_targets(case.evidence)
    if changed is not None and "target" in {trace.act for trace in one.traces.values()}:
        return NextStep(one_version(changed))
    step = exists_step(one, case)
    return step if changed is None else step._replace(text=f"{step.text} {one_version(changed)}")


def exists_step(one: Hypothesis, case: Case) -> NextStep:
    """Return that the isolating run is there, what else differs and cannot have acted, and what would tell more."""
    known = f"The two runs differ in {changed_words(one, case)}"
    if not case.evidence.tasks:
        text = f"{known}. Repeat both runs with --log_samples: then items are paired and show what acted."
        return NextStep(text, exists=True)
    if repeatable(one, one.traces):
        return NextStep(f"{known}. {repeat_text([one], case.labels)}", exists=True)
    if case.conclusion.certainty == "possible":
        return unshown_step(one, known, case)
    text = f"{known}: no further run is needed to isolate it."
    if not one.difference.known.model:  # who compares models wants them to differ
        text += f" To compare anything else, give both runs the same {one.name}."
    return NextStep(with_items_needed(text, case), exists=True)


def unshown_step(one: Hypothesis, known: str, case: Case) -> NextStep:
    """Return what tells whether the only difference on record acted, since nothing shows that it did."""
    if case.sent:
        return NextStep(REQUESTS_FIRST, exists=True)
    if draws(case.a) and draws(case.b):
        drawn = "" if case.said_drawn else ", and both draw their answers"
        step = f"run {case.labels.a} as it was three times, and take its noise floor (diptych noise)."
        return NextStep(f"{known}{drawn}: {step}", exists=True)
    text = (
        f"{known}, and nothing shows that it acted. Repeat {case.labels.a} as it was: where its scores stay, {one.name}"
    )
    return NextStep(f"{text} made the difference.", exists=True)


def changed_words(one: Hypothesis, case: Case) -> str:
    """Return that one setting changed, and what differs beside it without counting."""
    doubted = strained(case.acting)
    acting = [other for other in case.acting if other not in doubted]
    head = next((other for other in case.held if one.difference.part_of == other.key), None)
    beside = [other for other in case.held if other not in acting and not other.follows and other not in (one, head)]
    parts = (
        differ_words([other.name for other in beside if other.idle is not None], "cannot have acted"),
        differ_words(
            [other.name for other in beside if other.idle is None and other not in doubted], "cannot explain it"
        ),
        differ_words(
            [other.name for other in doubted],
            "moves answers that far only if broken",
            "move answers that far only if broken",
        ),
        differ_words(
            [*(mates_of(head, one) if head else ()), *(other.name for other in case.held if comes_with(other, one))],
            "is part of the same change",
            "are part of it",
        ),
    )
    rest = "; ".join(part for part in parts if part)
    return f"{one.name} ({rest})" if rest else f"{one.name} alone"


def mates_of(head: Hypothesis, one: Hypothesis) -> list[str]:
    """Return the names of a difference and of its other parts, one of which leads in its place."""
    parts = [part for part in head.difference.parts if part.key != one.key]
    return [head.difference._replace(parts=()).name, *(part.key.rpartition(".")[2] for part in parts)]


def repeat_text(leading: Sequence[Hypothesis], labels: Labels) -> str:
    """Return that a repeat tells whether those that lead need have acted: few answers moved, and no further."""
    names = listed([one.name for one in leading])
    return f"Repeat {labels.a} as it was: where that moves as many responses, {names} need not have acted."


def comes_with(other: Hypothesis, one: Hypothesis) -> bool:
    """Say whether an argument is given together with one that leads, or is laid over the same model."""
    given = other.key.startswith(("gen_kwargs.", "model_args.")) and other.key not in MODEL_NAMES
    if other is one or other.idle is not None or not given:
        return False
    mates = is_one_model(other, one) and bearing_over_tasks(other)[0] != "cannot"
    return mates or (other.follows == one.key and other.difference.part_of != one.key)


def differ_words(names: Sequence[str], what: str, several: str = "") -> str:
    """Return that some settings differ beside the one that leads, and what that means; "" of none."""
    if not names:
        return ""
    verb, then = ("differs", what) if len(names) == 1 else ("differ", several or what)
    return f"{listed(list(names))} {verb}, too, and {then}"


def replayed_text(one: Hypothesis, case: Case) -> str:
    """Return that a changed filter needs no run, since it was run over the logged responses."""
    labels, found = case.labels, replayed(one, case.conclusion, case.evidence)
    whose, of = (labels.a, labels.b) if found is not None and found.more == "b" else (labels.b, labels.a)
    return (
        f"No run is needed for {one.name}: the filter of {whose} was run over the logged responses of {of}. "
        "Choose one filter for both and score both logs by it."
    )


def proven_text(one: Hypothesis) -> str:
    """Return that a proven cause needs no run to be known, and what makes the two comparable."""
    return f"Give both runs the same {one.name}, then compare again; no run is needed to know that it acted."


def by_task_text(conclusion: Conclusion, labels: Labels) -> str:
    """Return that the isolating run of each task's own cause is there."""
    names = listed([one.name for one in conclusion.leading])
    return f"In each task the two runs differ in one of {names} alone: no further run is needed to isolate them."


def run_text(
    one: Hypothesis, mates: Sequence[str], rival: Hypothesis | None, run: IsolatingRun | None, case: Case
) -> str:
    """Return the step that repeats A with one setting of B, or that says what stands in its way.

    `mates` are taken together with it, `rival` is another suspect, which the run separates from it.
    """
    labels = case.labels
    name = one.name if run is None or run.changes == one.key else setting_word(run.changes)
    change = f"Repeat {labels.a} with only {listed([name, *mates])} taken from {labels.b}"
    if run is None:
        return f"{change}: {by_hand(one)}."
    if not case.evidence.tasks:
        return (
            f"{change}, with --log_samples. Where both sides log samples, items are paired, and prompts and responses "
            "show what acted."
        )
    if rival is not None:
        chosen = "; its prompts show which of them chose other examples" if case.conclusion.other_examples else ""
        return f"{change}: that separates it from {rival.name}{chosen}."
    return (
        f"{change}: scores as {labels.b}'s confirm it, scores as {labels.a}'s clear it, anything else means that "
        "another difference acts too."
    )


def by_hand(one: Hypothesis) -> str:
    """Return how a change is made that no command line can make."""
    if one.difference.field:
        return "no command can do that, so set it in a copy of the task's file and run that (--include_path)"
    if one.key.startswith("environment."):
        return "no command can do that, so run it on the other machine"
    if one.key.endswith("_sha"):
        return "no command takes a hash, so give the commit that it is of as revision"
    return "no command can do that by itself"
