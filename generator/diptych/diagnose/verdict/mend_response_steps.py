"""What to mend first where a side's responses are not whole, go on, or are no answers."""

from diptych.diagnose.verdict.looping_steps import looping_cause
from diptych.diagnose.verdict.more_items import more_items
from diptych.diagnose.verdict.step_facts import Case, runs_code
from diptych.diagnose.verdict.verdict_kind import is_floored
from diptych.estimates import gap_of
from diptych.numbers import counted
from diptych.sides import Side
from diptych.value_text import quoted_stretch

MUCH = 0.25
"""From this share on, responses that measure nothing are mended before anything else is asked."""

SOME = 0.1
"""From this share on where at most a connection leads, and no such response is of a model that was asked rightly."""

NEVER_WHOLE = ("empty", "thinking_open", "refused", "repeated")


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
        if runs_code(found.task, case):
            return (
                "Send one request to what serves each side and compare the raw responses: in a program white space "
                "counts, and one of the two loses or adds some. Mend that, run that side again, then compare."
            )
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
