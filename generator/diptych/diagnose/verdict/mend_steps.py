"""What to mend, to find or to read before any other run is worth its time; "" where nothing stands in the way."""

from diptych.catalogue.metrics import scores_by_rule
from diptych.diagnose.samples.evidence import Evidence
from diptych.diagnose.scores.floors import farthest
from diptych.diagnose.settings.run_values import run_value, served
from diptych.diagnose.verdict.conclusion import repeatable
from diptych.diagnose.verdict.dated_prompts import clock_of
from diptych.diagnose.verdict.doubled_starts import doubled_starts
from diptych.diagnose.verdict.ground_steps import BY_GROUND, one_version
from diptych.diagnose.verdict.hypotheses import Hypothesis
from diptych.diagnose.verdict.looping_steps import looping_cause
from diptych.diagnose.verdict.more_items import more_items
from diptych.diagnose.verdict.other_documents import holds_other_documents
from diptych.diagnose.verdict.step_facts import Case
from diptych.diagnose.verdict.value_words import quoted_stretch
from diptych.diagnose.verdict.verdict_kind import is_floored
from diptych.estimates import gap_of
from diptych.numbers import counted, listed
from diptych.run import Run
from diptych.sides import Side

REQUESTS_FIRST = (
    "First read the requests side by side and make them equal (the task's definition and the harness that ran it build "
    "them), then compare again."
)

MUCH = 0.25
"""From this share on, responses that measure nothing are mended before anything else is asked."""

SOME = 0.1
"""From this share on where at most a connection leads, and no such response is of a model that was asked rightly."""

NEVER_WHOLE = ("empty", "thinking_open", "refused", "repeated")


def to_mend(case: Case) -> str:
    """Return the first of all that stands in the way of an answer."""
    asked = (
        doubled_start,
        by_ground,
        requests,
        seeds_step,
        wrong_items,
        stop_strings,
        early_ends,
        rewriting,
        broken_answers,
        missing_scores,
        blind_filter,
        log_wanted,
        lone_scorer,
    )
    return next((text for ask in asked if (text := ask(case))), "")


def doubled_start(case: Case) -> str:
    """Return that a start token may be there twice, where a version is known to add it so."""
    side = next((one.side for one in doubled_starts(case.a, case.b, case.evidence) if one.known), None)
    if side is None or case.ruling.ground != "statuses":
        return ""
    label = case.labels.of(side)
    return f"First look at the start token: it may be there twice in {label}; run it without adding one."


def by_ground(case: Case) -> str:
    """Return what the ground of the verdict says by itself."""
    if case.ruling.ground == "nothing_shared" and case.evidence.renamed:
        from diptych.diagnose.verdict.no_cause_steps import match_step

        return match_step(case)
    if case.ruling.ground == "invalid":
        from diptych.diagnose.verdict.invalid_steps import invalid_step

        return invalid_step(case)
    alone = case.ruling.ground in ("unpaired_apart", "no_shared_items")
    if alone and any(not task.pairs and holds_other_documents(task) for task in case.evidence.tasks):
        from diptych.diagnose.verdict.no_cause_steps import other_sets_step

        return other_sets_step(case)
    fixed = BY_GROUND.get(case.ruling.ground, "")
    return fixed if isinstance(fixed, str) else fixed(case.ruling, case.conclusion, case.labels, case.a, case.b)


def requests(case: Case) -> str:
    """Return that requests come first, where they differ and nothing leads."""
    if not case.sent or case.conclusion.leading:
        return ""
    if clock_of(case.evidence, case.conclusion.tasks, case.a, case.b):
        return "Run both sides on one day, or give the chat template a fixed date, and compare those."
    return REQUESTS_FIRST


def seeds_step(case: Case) -> str:
    """Return that both sides are to be asked the same, where a seed by which a task draws what it asks leads."""
    leading, labels, tasks = case.conclusion.leading, case.labels, case.conclusion.tasks
    marks = [[trace.act for trace in one.over(one.marked(tasks))] for one in leading]
    if not marks or not all(acts and set(acts) == {"shuffle"} for acts in marks):
        return ""
    given = [run_value(case.a, key) for key in ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")]
    told = "" if None in given else f" (--seed {','.join(map(str, given))})"
    return (
        f"Repeat {labels.b} with the seeds of {labels.a}{told}: then both are asked the same in the same order. "
        f"Compare that run."
    )


def wrong_items(case: Case) -> str:
    """Return how to see in which run answers stand under the wrong items."""
    if case.beside.misplaced is None or not case.unexplained:
        return ""
    return (
        "Run one side again with one request at a time (batch_size 1, num_concurrent 1), and compare again: where "
        "answers are matched to items in the order in which they come back, they then stand where they belong."
    )


def stop_strings(case: Case) -> str:
    """Return how to see whether what serves a side applies stop strings, where its answers go on behind them."""
    if case.beside.ran_on is None or not case.unexplained:
        return ""
    label = case.labels.of(case.beside.ran_on.side)
    return (
        f"Send one request with a stop string to what serves {label} and see that the response ends there: its "
        f"stop handling, or a proxy in between, drops until. Mend that, run {label} again, then compare."
    )


def early_ends(case: Case) -> str:
    """Return where to look for a limit that no file records, where a side's answers end early."""
    if case.beside.ended is None or not case.unexplained:
        return ""
    label = case.labels.of(case.beside.ended.side)
    return (
        f"Look what limits the tokens of an answer in what serves {label} (its own maximum, its window, an end "
        f"token, a proxy in between): its responses end before their end. Mend that, run {label} again, then compare."
    )


def rewriting(case: Case) -> str:
    """Return what to look at where responses hold one text: what writes it out; nothing where a blank moved nothing."""
    found = case.beside.rewritten
    if found is None or not case.unexplained:
        return ""
    if (one := found.framed) is not None:
        label, words = case.labels.of(one.side), quoted_stretch(one.before or one.behind, 0)
        return (
            f"Send one request to what serves {label} and read its response in full: its chat template, stop tokens or "
            f"the reading of its role header left {words} there. Mend that, run {label} again, then compare."
        )
    if any(gap_of(row) for row in case.ruling.rows if row.task == found.task):
        return f"Score both logs of {found.task} once more by a filter that strips white space, and compare those."
    if found.number < found.of or case.conclusion.certainty not in ("none", "possible"):
        return ""
    return "There is no gap to explain on these items: nothing but white space around the responses changed."


def broken_answers(case: Case) -> str:
    """Return what to read and mend where a part of a side's responses measures nothing and no setting explains it.

    Where such responses carry most of the difference they are mended first, whatever else changed but what ends them.
    """
    broken = case.beside.broken
    if broken is None or not (case.unexplained or (broken.carries and not ends_answers(case))):
        return ""
    bare = broken.fault in NEVER_WHOLE and all(
        "transport" in one.difference.known.acts for one in case.conclusion.leading
    )
    more = broken.number - broken.other
    if more < (SOME if bare else MUCH) * broken.of and not (broken.carries and more > broken.other):
        return ""
    if looping_cause(case) is not None:
        return ""
    label = case.labels.of(broken.side)
    first = f"First read the {counted(broken.number, 'response')} of {label} that {BROKEN_WORDS[broken.fault]}"
    mend = MENDS[broken.fault]
    if broken.fault == "looping" and case.conclusion.model is not None and not case.sent:
        mend = "that model may loop by itself, or want a stop string or a chat template of its own; find out which"
    if broken.tail:
        mend = "the server's log says what ended there (a crash, a limit of requests, a full queue); mend that"
    if broken.fault == "thinking_open" and broken.stopped.stops:
        mend = "give stop strings (until) that no thought holds, or switch thinking off"
    other: Side = "b" if broken.side == "a" else "a"
    if broken.fault == "thinking_open" and not broken.stopped.stops and thinks_not(case, other):
        mend = f"give a larger max_gen_toks ({case.labels.of(other)} is that run without thinking)"
    step = f"{first}: {mend}, run {label} again, then compare."
    return f"{step} {more_items(case)}".rstrip() if broken.carries else step


def thinks_not(case: Case, side: Side) -> bool:
    """Say whether a switch of thinking is all that leads, and a side writes no thoughts: that run is there already."""
    shapes = [task.answers_a if side == "a" else task.answers_b for task in case.evidence.tasks]
    leads = case.conclusion.alone
    switched = leads is not None and "thought" in leads.difference.known.acts
    return switched and all(shape is None or not (shape.thinking or shape.thinking_open) for shape in shapes)


def missing_scores(case: Case) -> str:
    """Return where to look for a score, where no task has one on both sides and one is no number."""
    rows = [row for row in case.ruling.rows if row.a_present and row.b_present]
    lacking = [row for row in rows if not row.group and None in (row.a, row.b)]
    if case.ruling.ground != "statuses" or not lacking or any(gap_of(row) is not None for row in rows):
        return ""
    row, label = lacking[0], case.labels.of("b" if lacking[0].b is None else "a")
    if not any(task.task == row.task and task.pairs for task in case.evidence.tasks):
        return (
            f"Look why {label} has no usable score of {row.task}: run it again with --log_samples and read which items "
            "have none (one is enough to leave a mean without)."
        )
    return (
        f"Read the items of {row.task} without a score in {label}: an empty reference, a division by zero or a scorer "
        f"that failed leaves none. Mend that, score {label} again, then compare."
    )


def blind_filter(case: Case) -> str:
    """Return that another filter is wanted, where all scores are at the floor and it finds next to nothing."""
    rows = [row for row in case.ruling.rows if not row.group]
    if case.ruling.ground != "statuses" or not rows or not all(map(is_floored, rows)):
        return ""
    facts = [
        (row, one)
        for row in rows
        for task in case.evidence.tasks
        if task.task == row.task
        for one in task.filters
        if one.filter == row.filter
    ]
    if not facts or not all(2 * min(one.nothing) >= one.compared > 0 for _, one in facts):
        return ""
    return (
        f"Read some responses of {facts[0][0].task} and score both logs by a filter that finds the answers in them "
        "(filter_list, or what the prompt asks for): as it is, no difference can show."
    )


def ends_answers(case: Case) -> bool:
    """Say whether what leads is a budget or a stop string."""
    return any({"budget", "stop"} & set(one.difference.known.acts) for one in case.conclusion.leading)


BROKEN_WORDS = {
    "empty": "are empty",
    "cut": "appear truncated",
    "thinking_open": "open a thought and never close it",
    "looping": "repeat one phrase",
    "refused": "refuse to answer",
    "repeated": "are one and the same text",
}

MENDS = {
    "empty": "the server's log says whether it refused, timed out or wrote into a reasoning channel; mend that",
    "cut": "give a larger max_gen_toks",
    "thinking_open": "give a larger max_gen_toks, or switch thinking off",
    "looping": "a stop string or a chat template is most likely missing; mend that",
    "refused": "a system prompt, or what serves the model, may ask for that; mend it",
    "repeated": "most likely a message of the server or a proxy stands there instead of an answer; mend that",
}


def log_wanted(case: Case) -> str:
    """Return which log is wanted where nothing is settled without it."""
    settled = case.conclusion.certainty not in ("none", "possible") and case.ruling.kind != "unclear"
    return "" if settled else log_first(case)


def log_first(case: Case) -> str:
    """Return which log is wanted before anything else: one that is cut, or that of a task which one side lacks."""
    evidence, labels = case.evidence, case.labels
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
    open_tasks = [row.task for row in case.ruling.rows if not row.group]
    for label, run, other in ((labels.a, case.a, case.b), (labels.b, case.b, case.a)):
        lacking = [task for task in open_tasks if task in other.samples and task not in run.samples]
        if lacking:
            names = listed(list(dict.fromkeys(lacking)))
            return (
                f"Get the sample log of {names} in {label} (copy it beside its results file, or run that side with "
                "--log_samples): without it no item can be paired there."
            )
    return ""


def other_targets(evidence: Evidence) -> str | None:
    """Return a task whose right answers changed, which no recorded setting need have done; None where none did."""
    return next((task.task for task in evidence.tasks if task.retargeted.items), None)


def lone_scorer(case: Case) -> str:
    """Return how to look at a scorer that changed, where nothing leads and no noise floor says more."""
    scorer = case.beside.scorer
    if scorer is None or case.conclusion.leading or farthest(case.ruling.rows):
        return ""
    return scorer_step(scorer.task, case)


def unsure_scorer(case: Case) -> str:
    """Return how to look at a scorer that changed, where what leads is not proven to have done it."""
    scorer, conclusion = case.beside.scorer, case.conclusion
    if scorer is None or scorer.task not in conclusion.tasks or conclusion.certainty == "proven":
        return ""
    return scorer_step(scorer.task, case)


def scorer_step(task: str, case: Case) -> str:
    """Return how to tell another scorer from one that is not deterministic, which a metric that counts alone is not."""
    names = [row.metric for row in case.ruling.rows if row.task == task]
    judged = any("judging" in one.difference.known.acts for one in case.held)
    if runs_code(task, case) and not judged:
        return (
            f"Run the tests of the logged programs of {task} of both sides on one machine that is idle (a time-out, "
            f"load or another version of a library fails some), and those of {case.labels.a} twice: what these two "
            "differ by is the tests' own noise."
        )
    if case.conclusion.leading and names and all(map(scores_by_rule, names)) and not judged:
        return (
            f"Score the logged responses of {task} of both sides once more with one version of the harness (one "
            "metric, one filter, one list of what it ignores): no model has to run again."
        )
    return (
        f"Score the logged responses of {task} of both sides with one scorer (one judge, one version of it), and those "
        f"of {case.labels.a} twice: what these two differ by is the scorer's own noise."
    )


def runs_code(task: str, case: Case) -> bool:
    """Say whether the responses of a task are programs, which are scored by being run."""
    unsafe = any(run.configs.get(task, {}).get("unsafe_code") is True for run in (case.a, case.b))
    return unsafe or any(row.task == task and row.metric.startswith("pass@") for row in case.ruling.rows)


def unknown_server(case: Case, one: Hypothesis) -> str:
    """Return that what a server loaded must be found out first, where an address or a backend leads."""
    if not serves_unknown(one, case.a, case.b) or repeatable(one, case.conclusion.tasks):
        return ""
    labels = case.labels
    both_served = served(case.a) and served(case.b)
    who = "each server" if both_served else f"the server of {labels.a if served(case.a) else labels.b}"
    names = listed([one.name, *(other.name for other in case.conclusion.leading if other is not one)])
    return (
        f"Find out what {who} loaded (file, quantization, engine, template) and write it into a run-context.json "
        f"beside its run: {names} alone does not tell, and no command isolates it. With the same weights on both "
        "sides, compare again."
    )


def serves_unknown(one: Hypothesis, a: Run, b: Run) -> bool:
    """Say whether a cause is an address, or a backend of which one alone asks a server: what it loaded is unknown."""
    return (one.difference.known.acts == ("server",) and one.difference.both_recorded) or (
        one.key == "model" and served(a) != served(b)
    )
