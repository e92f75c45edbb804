"""Which changed responses are the other side's, cut at a budget or at a stop string; and which are cut at all."""

from array import array
from collections.abc import Mapping

from diptych.diagnose.samples.answer_facts import CutFacts, StoppedThoughts
from diptych.diagnose.samples.responses import BUDGET_SHARE, ENDINGS, THOUGHTS, is_empty, is_open_thought, pieces
from diptych.sample_log import Json, Line
from diptych.sides import Sided

OPEN_SENTENCE = 4
"""So many words behind the last end of a sentence are a sentence that is still open."""

SHORT_BUDGET = 4
"""Up to so many tokens an answer of one word is a whole one."""


class CutLedger:
    """Collects, for each changed pair of responses, whether the shorter is the longer one, cut, and by what."""

    def __init__(self) -> None:
        self.changed = 0
        self.at_budget, self.at_stop, self.beyond, self.reaching = [0, 0], [0, 0], [0, 0], [0, 0]
        self.ran_on, self.ended = [0, 0], [0, 0]

    def add_equal(self, text: str, budgets: tuple[int | None, int | None]) -> None:
        """Count an equal pair of responses."""
        self.count_lengths((text, text), budgets)

    def add(
        self, texts: tuple[str, str], budgets: tuple[int | None, int | None], lines: tuple[Line, Line]
    ) -> int | None:
        """Count one changed pair of responses; return the side whose response was cut at its budget, if any."""
        self.changed += 1
        self.count_lengths(texts, budgets)
        # equal but for the white space around them: the whole texts tell which is the shorter, whichever side it is
        sizes = [(len(text.strip()), len(text)) for text in texts]
        short = 0 if sizes[0] <= sizes[1] else 1
        shorter, longer = texts[short].strip(), texts[1 - short].lstrip()
        if not longer.startswith(shorter):
            return None
        rest = longer[len(shorter) :]
        ours, theirs = until_of(lines[short]), until_of(lines[1 - short])
        if any(stops(rest, stop) for stop in ours - theirs):
            self.at_stop[short] += 1
        elif any(stops(rest, stop) and rest.strip() != stop.strip() for stop in ours & theirs):
            self.ran_on[1 - short] += 1
        elif is_smaller(budgets[short], budgets[1 - short]) and spends(shorter, budgets[short] or 0):
            self.at_budget[short] += 1
            return short
        elif shorter and rest.strip():
            self.ended[short] += 1
        return None

    def count_lengths(self, texts: tuple[str, str], budgets: tuple[int | None, int | None]) -> None:
        """Count responses that are longer than their own budget, and those that may reach the smaller one."""
        known = [budget for budget in budgets if budget is not None]
        if not known:
            return
        least = min(known)
        for side, text in enumerate(texts):
            own = budgets[side]
            if own is not None and len(text) > own / BUDGET_SHARE:
                self.beyond[side] += pieces_of(text) > own / BUDGET_SHARE
            self.reaching[side] += len(text) >= BUDGET_SHARE * least

    def facts(self) -> CutFacts:
        """Return the counts by the side whose response is the shorter."""
        return CutFacts(
            self.changed,
            Sided(*self.at_budget),
            Sided(*self.at_stop),
            Sided(*self.beyond),
            Sided(*self.reaching),
            Sided(*self.ran_on),
            Sided(*self.ended),
        )


class LengthLedger:
    """Collects how long one side's responses are, and which are cut: no log tells whether the others ended themselves.

    Lengths are in characters, negative for a cut response and 0 for one that is surely whole, or empty.
    """

    def __init__(self) -> None:
        self.places, self.lengths = array("q"), array("q")
        self.cut: set[int] = set()

    def add(self, place: int, text: str, is_cut: bool, is_whole: bool) -> None:
        """Note the response at a place."""
        if is_cut:
            self.cut.add(place)
        self.places.append(place)
        self.lengths.append(-len(text) if is_cut else 0 if is_whole else len(text))

    def doubtful(self) -> set[int]:
        """Return the places of responses that may be cut: where most are, what is about as long as the shortest."""
        if 2 * len(self.cut) <= len(self.lengths):
            return set()
        least = BUDGET_SHARE * min(-length for length in self.lengths if length < 0)
        return {
            place for place, length in zip(self.places, self.lengths, strict=True) if length > 0 and length >= least
        }


class StopLedger:
    """Collects one side's open thoughts that end long before their budget, with the stop strings of their requests."""

    def __init__(self) -> None:
        self.number = 0
        self.stops: set[str] | None = None

    def add(self, text: str, budget: int | None, line: Line) -> None:
        """Count an open thought, unless its budget may be spent or it goes on behind a stop string of its request."""
        stops = until_of(line)
        # a token is seldom shorter than one character
        if budget is None or len(text) >= BUDGET_SHARE * budget or any(stop in text for stop in stops):
            return
        self.number += 1
        self.stops = stops if self.stops is None else self.stops & stops

    def facts(self) -> StoppedThoughts:
        """Return the count, and the stop strings that all of them share."""
        return StoppedThoughts(self.number, tuple(sorted(self.stops or ())))


def is_smaller(own: int | None, other: int | None) -> bool:
    """Say whether a side's budget is the smaller one."""
    return own is not None and (other is None or own < other)


def spends(text: str, budget: int) -> bool:
    """Say whether a text is as long as its budget of tokens allows, and not longer."""
    return len(text) >= BUDGET_SHARE * budget and pieces_of(text) <= budget / BUDGET_SHARE


def pieces_of(text: str) -> int:
    """Return the number of words, numerals and signs: a token or more each."""
    return sum(1 for _ in pieces().finditer(text))


def stops(rest: str, stop: str) -> bool:
    """Say whether what follows a cut response begins with a stop string, but for white space in front of it."""
    return rest.startswith(stop) or (bool(stop.strip()) and rest.lstrip().startswith(stop.strip()))


def until_of(line: Line) -> set[str]:
    """Return the stop strings of a line's request."""
    requests = line.requests()
    arguments: Mapping[str, Json] = (requests[0].arguments if requests else None) or {}
    found: set[str] = set()
    for name in ("until", "stop", "stop_sequences"):
        value = arguments.get(name)
        several = value if isinstance(value, list) else [value] if isinstance(value, str) else ()
        found |= set(map(str, several))
    return found - {""}


def cut_is_shown(text: str, other: str, target: str, budget: int | None, nothing: bool) -> bool:
    """Say whether a text that spent its budget without an end shows that it was cut.

    The other side's answer or the target is longer, something in it is still open, or no filter finds anything.
    """
    if is_whole_word(text, target, budget):
        return False
    size = pieces_of(text)
    longer = pieces_of(other) > size and other.startswith(text.rstrip()[: len(text) // 2])
    return longer or pieces_of(target) > size or nothing or ends_open(text)


def is_whole_word(text: str, target: str, budget: int | None) -> bool:
    """Say whether one word was asked for, and a budget of about a word gave one."""
    return budget is not None and budget <= SHORT_BUDGET and len(target.split()) <= 1 and not is_empty(text)


def ends_open(text: str) -> bool:
    """Say whether a thought, a fence or a sentence is still open at the end of a text."""
    if is_open_thought(text) or text.count("```") % 2:
        return True
    if any(closing in text for _, closing in THOUGHTS):
        text = max((text.rpartition(closing)[2] for _, closing in THOUGHTS if closing in text), key=len)
    end = max(text.rfind(sign) for sign in (*ENDINGS, "\n"))
    return len(text[end + 1 :].split()) >= OPEN_SENTENCE
