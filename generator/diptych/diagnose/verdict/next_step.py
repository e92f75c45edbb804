"""What to do next: one thing that can change what is known; whether the run that would settle it is there already."""

from collections.abc import Sequence
from typing import NamedTuple

from diptych.comparison import IsolatingRun
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.samples.sample_counts import still_tasks
from diptych.diagnose.scores.floors import farthest
from diptych.diagnose.settings.differences import MODEL_NAMES
from diptych.diagnose.settings.lookup import of_interface, served, takes_messages, value_of
from diptych.diagnose.settings.no_effect_rules import draws
from diptych.diagnose.verdict.cause_sentences import replayed, served_sentence, words_prompts
from diptych.diagnose.verdict.caveat_sentences import sent_sentence
from diptych.diagnose.verdict.caveats import Broken, Caveats
from diptych.diagnose.verdict.conclusion import Conclusion, repeatable
from diptych.diagnose.verdict.doubled_starts import doubled_starts
from diptych.diagnose.verdict.floor_sentences import floor_step
from diptych.diagnose.verdict.ground_steps import BY_GROUND, one_version
from diptych.diagnose.verdict.hypotheses import Hypothesis, bearing_of
from diptych.diagnose.verdict.kind import Ruling, set_differs
from diptych.diagnose.verdict.labels import Labels, labels_of
from diptych.diagnose.verdict.more_items import can_score_more, more_items
from diptych.numbers import counted, listed
from diptych.run import Run

REQUESTS_FIRST = (
    "First read the requests side by side and make them equal (the task's definition and the harness that ran it build "
    "them), then compare again."
)


MUCH = 0.25
"""From this share on, responses that measure nothing are mended before anything else is asked."""


SOME = 0.1
"""From this share on where nothing leads, and no such response can be one of a model that was asked rightly."""

NEVER_WHOLE = ("empty", "thinking_open", "refused")

NO_RUN = frozenset({"items", "seed", "transport", "nothing"})
"""Ways of acting that no further run has to settle: the files answer already, or a repeat does."""


class NextStep(NamedTuple):
    """The text of the next step, the run that it asks for (None: none), and whether that run is B."""

    text: str
    run: IsolatingRun | None = None
    exists: bool = False


def next_step(
    ruling: Ruling, conclusion: Conclusion, held: Sequence[Hypothesis], beside: Caveats, evidence: Evidence,
    a: Run, b: Run,
) -> NextStep:  # fmt: skip
    """Return what to do next; `held` are all recorded differences with what they left behind.

    What is said `beside` the verdict may come first: stop strings not applied, responses that measure nothing.
    """
    sent = sent_sentence(ruling, conclusion, evidence, a, b)
    labels, acting = labels_of(a, b), acting_of(held)
    if ruling.ground == "statuses":
        still = still_tasks(evidence)
        ruling = ruling._replace(rows=tuple(row for row in ruling.rows if row.task not in still) or ruling.rows)
    doubled = next((one.side for one in doubled_starts(a, b, evidence) if one.known), None)
    if doubled is not None and ruling.ground == "statuses":
        label = labels.of(doubled)
        return NextStep(f"First look at the start token: it may be there twice in {label}; run it without adding one.")
    fixed = BY_GROUND.get(ruling.ground)
    if fixed is not None:
        return NextStep(fixed(ruling, conclusion, labels, a, b))
    if sent and not conclusion.leading:
        return NextStep(REQUESTS_FIRST)
    unexplained = conclusion.certainty in ("none", "possible") and ruling.ground == "statuses"
    if beside.ran_on is not None and unexplained:
        label = labels.of(beside.ran_on.side)
        return NextStep(
            f"Send one request with a stop string to what serves {label} and see that the response ends there: its "
            f"stop handling, or a proxy in between, drops until. Mend that, run {label} again, then compare."
        )
    if beside.ended is not None and unexplained:
        label = labels.of(beside.ended.side)
        return NextStep(
            f"Look what limits the tokens of an answer in what serves {label} (its own maximum, its window, an end "
            f"token, a proxy in between): its responses end before their end. Mend that, run {label} again, then "
            "compare."
        )
    broken = beside.broken
    least = SOME if broken is not None and broken.fault in NEVER_WHOLE and conclusion.certainty == "none" else MUCH
    if broken is not None and broken.number - broken.other >= least * broken.of and unexplained:
        return NextStep(broken_step(broken, labels))
    log = log_first(ruling, evidence, labels, a, b)
    if log and (conclusion.certainty in ("none", "possible") or ruling.kind == "unclear"):
        return NextStep(log)
    if beside.scorer is not None and not conclusion.leading and not farthest(ruling.rows):
        return NextStep(scorer_step(beside.scorer.task, labels))
    if not conclusion.leading:
        return NextStep(no_cause_step(ruling, conclusion, held, evidence, labels, a, b))
    first = next((one for one in conclusion.leading if not NO_RUN & set(one.difference.known.acts)), None)
    if first is None:
        return NextStep(no_run_step(ruling, conclusion, a, b, shared=any(task.pairs for task in evidence.tasks)))
    if interface_alone(first, acting, a, b):
        return NextStep(
            f"{labels.b} already is {labels.a} with another interface (a list of messages against a text): template, "
            f"backend and arguments come together, so no run separates them. {more_items(ruling, a, b)}".rstrip(),
            exists=True,
        )
    if beside.scorer is not None and beside.scorer.task in conclusion.tasks and conclusion.certainty != "proven":
        return NextStep(scorer_step(beside.scorer.task, labels))
    if serves_unknown(first, a, b) and not repeatable(first, conclusion.tasks):
        return NextStep(served_step(first, conclusion, labels, a, b))
    if is_whole_difference(first, acting, conclusion):
        changed = other_targets(evidence)
        if changed is not None and "target" in {reading.act for reading in first.readings.values()}:
            return NextStep(one_version(changed))
        step = exists_step(first, held, ruling, evidence, labels, a, b)
        return step if changed is None else step._replace(text=f"{step.text} {one_version(changed)}")
    if conclusion.by_task and {one.key for one in acting} <= {one.key for one in conclusion.leading}:
        return NextStep(f"{by_task_text(conclusion, labels)} {more_items(ruling, a, b)}".rstrip(), exists=True)
    if all(repeatable(one, conclusion.tasks) for one in conclusion.leading):
        return NextStep(f"{repeat_text(conclusion.leading, labels)} {more_items(ruling, a, b)}".rstrip())
    if replayed(first, conclusion, evidence) is not None:
        return NextStep(replayed_text(first, labels))
    from diptych.diagnose.verdict.isolating_run import isolating_run  # who has no cause to isolate needs no command

    run = isolating_run(first.key, a, b)
    before = f"{REQUESTS_FIRST} " if sent and conclusion.certainty == "possible" else ""
    rival = rival_of(first, conclusion, a, b)
    text = before + run_text(first, rival, run, evidence, labels)
    more = more_items(ruling, a, b) if ruling.kind == "unclear" and can_score_more(ruling, a, b) else ""
    return NextStep(f"{text} {more}".rstrip(), run)


def scorer_step(task: str, labels: Labels) -> str:
    """Return how to tell another scorer from one that is not deterministic."""
    return (
        f"Score the logged responses of {task} of both sides with one scorer (one judge, one version of it), and those "
        f"of {labels.a} twice: what these two differ by is the scorer's own noise."
    )


def serves_unknown(one: Hypothesis, a: Run, b: Run) -> bool:
    """Say whether a cause is an address, or a backend of which one alone asks a server: what it loaded is unknown."""
    return (one.difference.known.acts == ("server",) and one.difference.both_recorded) or (
        one.key == "model" and served(a) != served(b)
    )


def served_step(one: Hypothesis, conclusion: Conclusion, labels: Labels, a: Run, b: Run) -> str:
    """Return that what a server loaded must be found out first, since no command isolates it."""
    who = "each server" if served(a) and served(b) else f"the server of {labels.a if served(a) else labels.b}"
    both = [one.name, *(other.name for other in conclusion.leading if other is not one)]
    return (
        f"Find out what {who} loaded (file, quantization, engine, template) and write it into a run-context.json "
        f"beside its run: {listed(both)} alone does not tell, and no command isolates it. With the same weights on "
        "both sides, compare again."
    )


def broken_step(broken: Broken, labels: Labels) -> str:
    """Return what to read and mend where a part of a side's responses measures nothing and no setting explains it."""
    label = labels.of(broken.side)
    first = f"First read the {counted(broken.number, 'response')} of {label} that {BROKEN_WORDS[broken.fault]}"
    return f"{first}: {MENDS[broken.fault]}, run {label} again, then compare."


BROKEN_WORDS = {
    "empty": "are empty",
    "cut": "are truncated",
    "thinking_open": "open a thought and never close it",
    "looping": "repeat one phrase",
    "refused": "refuse to answer",
}


MENDS = {
    "empty": "the server's log says whether it refused, timed out or wrote into a reasoning channel; mend that",
    "cut": "give a larger max_gen_toks",
    "thinking_open": "give a larger max_gen_toks, or switch thinking off",
    "looping": "a stop string or a chat template is most likely missing; mend that",
    "refused": "a system prompt, or what serves the model, may ask for that; mend it",
}


def rival_of(one: Hypothesis, conclusion: Conclusion, a: Run, b: Run) -> Hypothesis | None:
    """Return another suspect beside one, rather one that a run can separate from it; None where it leads alone."""
    rest = [other for other in conclusion.leading if other is not one]
    if takes_messages(a) != takes_messages(b) and of_interface(one.key):
        rest = [other for other in rest if not of_interface(other.key)] or rest
    return next(iter(rest), None)


def acting_of(held: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return the differences that can have acted and are no copies of others."""
    return [one for one in held if bearing_of(one)[0] != "cannot" and not one.follows]


def is_whole_difference(one: Hypothesis, acting: Sequence[Hypothesis], conclusion: Conclusion) -> bool:
    """Say whether a cause is all that can have acted between the runs, so that A with it changed is B."""
    of_model = one.difference.known.model
    rest = [other for other in acting if other.key != one.key and not (of_model and other.difference.known.model)]
    return not rest


def other_targets(evidence: Evidence) -> str | None:
    """Return a task whose right answers changed, which no recorded setting need have done; None where none did."""
    return next((task.task for task in evidence.tasks if task.retargeted.items), None)


def interface_alone(one: Hypothesis, acting: Sequence[Hypothesis], a: Run, b: Run) -> bool:
    """Say whether the runs differ in nothing that can act but their interface, which no command takes apart."""
    if takes_messages(a) == takes_messages(b) or not of_interface(one.key):
        return False
    return all(of_interface(other.key) for other in acting)


def exists_step(
    one: Hypothesis, held: Sequence[Hypothesis], ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run
) -> NextStep:
    """Return that the isolating run is there, what else differs and cannot have acted, and what would tell more."""
    acting = acting_of(held)
    beside = [other for other in held if other not in acting and not other.follows and other is not one]
    parts = [
        differ_words([other.name for other in beside if other.idle is not None], "cannot have acted"),
        differ_words([other.name for other in beside if other.idle is None], "cannot explain it"),
        differ_words([other.name for other in held if comes_with(other, one)], "comes with it", "come with it"),
    ]
    rest = "; ".join(part for part in parts if part)
    changed = f"{one.name} changed ({rest})" if rest else f"only {one.name} changed"
    known = f"{labels.b} already is {labels.a} with {changed}"
    if not evidence.tasks:
        text = f"{known}: run it once more with --log_samples on both sides; then items are paired and show what acted."
        return NextStep(text, exists=True)
    if repeatable(one, one.readings):
        return NextStep(f"{known}. {repeat_text([one], labels)}", exists=True)
    return NextStep(
        f"{known}: this pair isolates it, and no further run is needed for that. {more_items(ruling, a, b)}".rstrip(),
        exists=True,
    )


def repeat_text(leading: Sequence[Hypothesis], labels: Labels) -> str:
    """Return that a repeat tells whether those that lead need have acted: few answers moved, and no further."""
    names = listed([one.name for one in leading])
    return f"Repeat {labels.a} as it was: where that moves as many responses, {names} need not have acted."


def comes_with(other: Hypothesis, one: Hypothesis) -> bool:
    """Say whether an argument is given together with one that leads, or is laid over the same model."""
    given = other.key.startswith(("gen_kwargs.", "model_args.")) and other.key not in MODEL_NAMES
    if other is one or other.idle is not None or not given:
        return False
    mates = other.difference.known.model and one.difference.known.model and bearing_of(other)[0] != "cannot"
    return mates or (other.follows == one.key and other.difference.part_of != one.key)


def differ_words(names: Sequence[str], what: str, several: str = "") -> str:
    """Return that some settings differ beside the one that leads, and what that means; "" of none."""
    if not names:
        return ""
    verb, then = ("differs", what) if len(names) == 1 else ("differ", several or what)
    return f"{listed(list(names))} {verb}, too, and {then}"


def replayed_text(one: Hypothesis, labels: Labels) -> str:
    """Return that a changed filter needs no run, since it was run over the logged responses."""
    return (
        f"No run is needed for {one.name}: the filter of {labels.b} was run over the logged responses of {labels.a}. "
        "Choose one filter for both and score both logs by it."
    )


def by_task_text(conclusion: Conclusion, labels: Labels) -> str:
    """Return that the isolating run of each task's own cause is there."""
    names = listed([one.name for one in conclusion.leading])
    return f"In each task {labels.b} already is {labels.a} with one of {names} changed: this pair isolates them."


def run_text(
    one: Hypothesis, rival: Hypothesis | None, run: IsolatingRun | None, evidence: Evidence, labels: Labels
) -> str:
    """Return the step that repeats A with one setting of B, or that says what stands in its way.

    `rival` is another suspect, which the run separates from it.
    """
    change = f"Repeat {labels.a} with only {one.name} taken from {labels.b}"
    if run is None:
        return f"{change}: {by_hand(one)}."
    if not evidence.tasks:
        return f"{change}, with --log_samples, so that the next comparison is a paired one."
    if rival is not None:
        return f"{change}: that separates it from {rival.name}."
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


def log_first(ruling: Ruling, evidence: Evidence, labels: Labels, a: Run, b: Run) -> str:
    """Return which log is wanted before anything else: one that is cut, or that of a task which one side lacks."""
    short = [one for one in evidence.incomplete_tasks.values() if one.task]
    if short:
        return f"Get the whole log of {short[0].task} (copy it again, or run with --log_samples), then compare."
    changed = other_targets(evidence)
    if changed is not None:
        return one_version(changed)
    odd = next((one for task in evidence.tasks for one in task.contradicted), None)
    if odd is not None:
        label = labels.of(odd.side)
        return f"Find the sample log of {odd.task} that belongs to the results file of {label}, or run {label} again."
    open_tasks = [row.task for row in ruling.rows if not row.group]
    for label, run, other in ((labels.a, a, b), (labels.b, b, a)):
        lacking = [task for task in open_tasks if task in other.samples and task not in run.samples]
        if lacking:
            names = listed(list(dict.fromkeys(lacking)))
            return (
                f"Get the sample log of {names} in {label} (copy it beside its results file, or run that side with "
                "--log_samples): without it no item can be paired there."
            )
    return ""


def no_run_step(ruling: Ruling, conclusion: Conclusion, a: Run, b: Run, *, shared: bool) -> str:
    """Return the step where the cause needs no run: a set of items, a seed, a connection.

    `shared`: logs of both sides hold items in common, which tell without a run.
    """
    acts = set(conclusion.leading[0].difference.known.acts)
    if "items" in acts and not shared:
        return "Score the same items on both sides with --log_samples (one --limit, or none), then compare."
    if "items" in acts:
        return "No run is needed: the shared items already answer. Compare the scores over those only."
    if farthest(ruling.rows):
        return floor_step(ruling.rows, more_items(ruling, a, b))
    return "Run one configuration three times and take the noise floor of it: `diptych noise RUN RUN RUN`."


def no_cause_step(
    ruling: Ruling, conclusion: Conclusion, held: Sequence[Hypothesis], evidence: Evidence, labels: Labels,
    a: Run, b: Run,
) -> str:  # fmt: skip
    """Return the step where nothing that differs can have acted."""
    if evidence.renamed:
        names = evidence.renamed[0]
        return f"Compare again with --match-tasks {names.a}={names.b}: their documents are the same."
    if set_differs(evidence):
        return (
            "Score the same items on both sides (one --limit and one list of --samples for both, or none, and the same "
            "version of the data), and compare those."
        )
    if ruling.kind in ("identical", "equivalent") and conclusion.model is None:
        if value_of(a, "use_cache") or value_of(b, "use_cache"):
            return "A response cache was in use (use_cache): run both without it before taking this for a repeat."
        if ruling.ground == "items_equal" and any(one.idle is None and words_prompts(one) for one in held):
            return (
                f"Run {labels.b} again without a cache of requests (no --cache_requests, or with refresh): if the "
                "logged prompts change then, this run asked the old ones."
            )
        return "There is no gap to explain on these items."
    if conclusion.model is not None and ruling.kind == "identical":
        return (
            f"Look whether {conclusion.model.name} was applied: send one request of which the two models' answers are "
            "known to differ, and read the server's log."
        )
    if farthest(ruling.rows):
        return floor_step(ruling.rows, more_items(ruling, a, b))
    if draws(a) and draws(b):
        return (
            "Both sides draw their answers: run one configuration three times and take its noise floor (diptych noise)."
        )
    if not (a.samples or b.samples):
        return (
            "Run both once more with --log_samples: then items can be paired, and prompts and responses show at which "
            "step the runs part."
        )
    more = more_items(ruling, a, b)
    if more and ruling.kind == "unclear" and not served_sentence(evidence, conclusion.tasks):
        return more
    silent = [label for label, run in zip(labels, (a, b), strict=True) if not run.context]
    beside = silent[0] if len(silent) == 1 else "each run"
    context = f"Write a run-context.json beside {beside} (quant, engine, engine_version, endpoint, alias), and run "
    written = context if silent else "Run "
    return f"{written}one configuration three times: what those differ by is the noise floor (`diptych noise`)."
