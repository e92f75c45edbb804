"""In words: responses that measure nothing, and how much of a difference they carry."""

from diptych.diagnose.samples.invalid_tasks import stopped_clause
from diptych.diagnose.verdict.broken_responses import Broken
from diptych.diagnose.verdict.caveats import Caveats
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.verdict_kind import Ruling
from diptych.numbers import counted
from diptych.value_text import metric_name


def carried_sentence(ruling: Ruling, found: Caveats, labels: Labels) -> str:
    """Return that responses which measure nothing carry most of the difference, which leads; "" where none do."""
    if ruling.ground != "statuses" or found.broken is None or not found.broken.carries:
        return ""
    which, done = CARRIERS[found.broken.fault], found.broken.completed
    share = "all" if done is not None and done.a == done.b else "most"
    return f"The {which} responses carry {share} of that difference: {broken_sentence(found.broken, labels)}"


CARRIERS = {
    "empty": "empty",
    "cut": "truncated",
    "thinking_open": "unfinished",
    "looping": "repeating",
    "refused": "refusing",
    "repeated": "identical",
}


FAULT_WORDS = {
    "empty": "are empty",
    "cut": "appear truncated at max_gen_toks",
    "thinking_open": "open a thought and never close it",
    "looping": "repeat one phrase to the end",
    "refused": "are refusals",
    "repeated": "are one and the same text",
}


def broken_sentence(broken: Broken, labels: Labels) -> str:
    """Return that a part of one side's responses measures nothing, with the scores over the others."""
    beside = f" and {broken.other} of {labels.of('b' if broken.side == 'a' else 'a')}" if broken.other else ""
    whose = f"{labels.of(broken.side)}{beside} in {broken.task}"
    number = f"At least {broken.number}" if broken.least else f"{broken.number}"
    text = f"{number} of {broken.of} responses of {whose} {FAULT_WORDS[broken.fault]}"
    if broken.tail:
        text += f": exactly the last {broken.number} items of the run, so something ended while it ran"
    if broken.fault == "thinking_open" and (ends := stopped_clause(broken.stopped)):
        return f"{text}. {ends}."
    done, ended = broken.completed, "answered" if broken.fault in ("looping", "refused", "repeated") else "completed"
    text += carried_clause(broken, labels)
    if done is None:
        return f"{text}."
    name = metric_name(done.metric, done.filter)
    return (
        f"{text}; {labels.a} scores {done.a:.3g} and {labels.b} {done.b:.3g} in {name} over the "
        f"{counted(done.items, 'item')} that both sides {ended}{selection_clause(broken, done.items, labels)}."
    )


def selection_clause(broken: Broken, kept: int, labels: Labels) -> str:
    """Return that the items left are those that one side got done, no sample of all, where these are not most."""
    if broken.fault not in ("cut", "thinking_open", "looping") or 2 * kept >= broken.of:
        return ""
    return f", a selection: those that {labels.of(broken.side)} got done, most likely the easier ones"


def carried_clause(broken: Broken, labels: Labels) -> str:
    """Return that most of what scores worse on a side is what it left empty; "" where it is not most."""
    if broken.alone or not broken.worse_of or 2 * broken.worse <= broken.worse_of:
        return ""
    worse = f"that score worse in {labels.of(broken.side)} are among them"
    whole = broken.worse == broken.worse_of
    return f". {f'All {broken.worse_of}' if whole else f'{broken.worse} of the {broken.worse_of}'} items {worse}"
