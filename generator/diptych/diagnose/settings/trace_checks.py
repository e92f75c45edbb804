"""How one kind of trace is read from the counts: does it show, is it silent, or does the log leave it open."""

from enum import Enum
from typing import NamedTuple

from diptych.catalogue.traces import Trace
from diptych.diagnose.samples.sample_counts import Seen

KIND_WORDS = {
    "role_markers": "role markers",
    "examples": "a block of examples",
    "example_layout": "the layout of the same examples",
    "system_text": "a system text",
    "white_space": "white space",
    "start_token": "a start token",
    "same_words": "being a list of messages instead of a text of the same words",
    "other": "other words",
}


class Reading(Enum):
    """What a kind of trace says: it shows, it is silent, or nothing can be told."""

    SHOWS = "shows"
    SILENT = "silent"
    OPEN = "open"


class Channel(NamedTuple):
    """One way in which a setting could have acted, and what is seen of it. `logged`: the log itself shows the act."""

    reading: Reading
    text: str
    logged: bool


def readings(trace: Trace, key: str, seen: Seen, sent_as_messages: bool = False) -> tuple[Channel, ...]:
    """Return every way in which a setting could have acted, as the samples show it.

    `sent_as_messages`: a side's server applies the template itself, so that equal messages may be other prompts.
    """
    if trace.text_only and seen.pairs and not seen.text:
        return (Channel(Reading.SILENT, "No compared task asks for text.", True),)
    found = []
    if trace.prompts:
        found.append(prompts(trace.prompts, seen))
    if trace.choices:
        found.append(choices(seen))
    if trace.arguments:
        found.append(arguments(key, seen))
    if trace.scores:
        found.append(scores(seen))
    answers_as = "any" if sent_as_messages else trace.answers
    if answers_as:
        found.append(answers(answers_as, seen))
    return tuple(found)


def prompts(kinds: tuple[str, ...], seen: Seen) -> Channel:
    """Read the prompts: do they differ in one of the ways this setting makes them differ?"""
    here = [(kind, seen.kinds[kind]) for kind in kinds if seen.kinds.get(kind)]
    compared = seen.prompts.compared
    if here:
        kind, number = max(here, key=lambda pair: pair[1])
        return Channel(Reading.SHOWS, f"{number} of {compared} prompts differ by {KIND_WORDS[kind]}.", True)
    if not compared:
        return Channel(Reading.OPEN, "No prompt was logged on both sides.", True)
    if seen.prompts.all_equal:
        return Channel(Reading.SILENT, f"All {compared} prompts are equal.", True)
    return Channel(Reading.OPEN, f"{seen.prompts.differ} of {compared} prompts differ, but not in its way.", True)


def choices(seen: Seen) -> Channel:
    """Read the scored continuations."""
    if seen.choices.differ:
        text = f"The scored continuations of {seen.choices.differ} of {seen.choices.compared} items differ."
        return Channel(Reading.SHOWS if seen.prompts.differ == 0 else Reading.OPEN, text, True)
    return Channel(Reading.SILENT, "", True)


def arguments(key: str, seen: Seen) -> Channel:
    """Read the generation arguments: the one that is named, or any where the setting is no argument itself."""
    family, _, name = key.partition(".")
    differing = seen.argument_names.get(name, 0) if family == "gen_kwargs" else seen.arguments.differ
    compared = seen.arguments.compared
    if differing:
        what = name if family == "gen_kwargs" else "generation arguments"
        parted = f"; {seen.responses.differ} of {seen.responses.compared} answers differ"
        return Channel(Reading.SHOWS, f"{differing} of {compared} requests differ in {what}{parted}.", True)
    if compared:
        return Channel(Reading.SILENT, f"All {compared} requests carry the same generation arguments.", True)
    return Channel(Reading.OPEN, "No generation argument was logged on both sides.", True)


def scores(seen: Seen) -> Channel:
    """Read what was made of the answers: another extraction or score of the same text."""
    if seen.responses.all_equal and (seen.filtered.differ or seen.scores.differ):
        number = max(seen.filtered.differ, seen.scores.differ)
        text = f"All {seen.responses.compared} raw answers are the same, {number} are extracted or scored otherwise."
        return Channel(Reading.SHOWS, text, True)
    return Channel(Reading.SILENT, "", True)


def answers(how: str, seen: Seen) -> Channel:
    """Read answers to equal requests: what parted them is in no log."""
    quiet = seen.quiet
    if not quiet.compared:
        differ = f"{seen.prompts.differ} of {seen.prompts.compared} prompts" if seen.prompts.differ else "The requests"
        text = f"{differ} differ already, so nothing can be told apart here." if seen.pairs else ""
        return Channel(Reading.OPEN, text, False)
    if not quiet.differ:
        return Channel(Reading.SILENT, f"All {quiet.compared} answers to equal requests are the same.", False)
    text = f"{quiet.differ} of {quiet.compared} answers differ though the requests are equal"
    if how == "may":
        return Channel(Reading.OPEN, f"{text}; nothing points to this one.", False)
    if how == "small" and not seen.small:
        return Channel(Reading.OPEN, f"{text}, and by more than batching and precision make.", False)
    note = ", all as closely as batching and precision make" if how == "small" else ""
    return Channel(Reading.SHOWS, f"{text}{note}.", False)
