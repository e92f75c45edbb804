"""Right answers in prompts: what one side's prompts hold more than the other's gives the answer away.

An item's right answer is looked for in what its own prompt has more, and in what the prompt before has more: text that
is no item's own holds both alike, as examples do.
"""

from collections.abc import Iterator, Sequence

from diptych.diagnose.samples.prompt_edits import stretches
from diptych.diagnose.samples.prompt_facts import HeldAnswers
from diptych.fast_named_tuple import NamedTuple
from diptych.sample_log import Json, Line, Request

FEWEST = 5
SHARE = 0.5
"""From so many, and this share of the differing prompts on, a prompt gives answers away."""

TIMES = 3
"""An answer is given away where it stands so much more often in its own prompt than in another's, or another choice."""

LABEL = 2
"""Characters up to which a choice is a label, so that its text stands in the document."""

CASELESS = 3
"""Characters from which a text is looked for in capitals and small letters alike: "A" is a label, "a" a word."""


class Reading(NamedTuple):
    """One way to read what an item's right answer is, and the wrong ones beside it."""

    way: str
    gold: str
    others: tuple[str, ...] = ()


class Counts:
    """How often a side's prompts hold answers, read in one way.

    `others` adds the share of the wrong choices held; of `turns` the prompt before has another right answer, `own` hold
    theirs there and `before` in the prompt before.
    """

    def __init__(self) -> None:
        self.gold = self.turns = self.own = self.before = 0
        self.others = 0.0
        self.most_choices = 0
        self.last: tuple[str, str, str] | None = None

    def add(self, found: Reading, more: str, less: str) -> None:
        """Count one item: what its prompt has more than the other side's, and what that has instead."""
        held = gives_away(found.gold, more, less)
        self.gold += held
        if found.others:
            self.others += sum(gives_away(other, more, less) for other in found.others) / len(found.others)
            self.most_choices = max(self.most_choices, len(found.others))
        if self.last is not None and self.last[0] != found.gold:
            self.turns += 1
            self.own += held
            self.before += gives_away(found.gold, *self.last[1:])
        self.last = found.gold, more, less

    def facts(self, side: int, of: int) -> HeldAnswers | None:
        """Return the counts where they say that answers were given away in many of so many prompts."""
        enough = self.gold >= max(FEWEST, SHARE * of) and self.gold >= TIMES * self.others
        if not enough or self.own < max(FEWEST, TIMES * self.before):
            return None
        return HeldAnswers("b" if side else "a", self.gold, of, round(self.others), self.most_choices)


class HeldTally:
    """Looks for right answers in prompts that differ, item by item; `of` such prompts were looked at."""

    def __init__(self) -> None:
        self.of = 0
        self.counts: tuple[dict[str, Counts], dict[str, Counts]] = ({}, {})

    def add(self, a: Sequence[Request], b: Sequence[Request], line: Line) -> None:
        """Look at one item whose requests differ; `line` is that of either side, which ask for the same answer."""
        if not a or not b or a[0].context == b[0].context:
            return
        parts = stretches(a[0].context, b[0].context)
        side = int(len(parts[1]) > len(parts[0]))
        for found in readings(line, b):
            counts = self.counts[side].setdefault(found.way, Counts())
            counts.add(found, parts[side], parts[1 - side])

    def facts(self) -> HeldAnswers | None:
        """Return what was given away, on the side and in the reading that show most."""
        found = [counts.facts(side, self.of) for side in (0, 1) for counts in self.counts[side].values()]
        return max((one for one in found if one), key=lambda one: (one.number, one.side), default=None)


def gives_away(answer: str, more: str, less: str) -> bool:
    """Say whether a text holds an answer that another one does not hold."""
    return holds(answer, more) and not holds(answer, less)


def holds(answer: str, text: str) -> bool:
    """Say whether a text holds an answer as words of its own."""
    if len(answer) >= CASELESS:
        answer, text = answer.casefold(), text.casefold()
    place = text.find(answer)
    while place >= 0:
        end = place + len(answer)
        if not (text[max(place - 1, 0) : place].isalnum() and answer[0].isalnum()) and not (
            text[end : end + 1].isalnum() and answer[-1].isalnum()
        ):
            return True
        place = text.find(answer, place + 1)
    return False


def readings(line: Line, requests: Sequence[Request]) -> Iterator[Reading]:
    """Yield the ways in which an item's right answer may be read; none where nothing tells it."""
    target = line.target()
    target = target[0] if isinstance(target, list) and target else target
    bare = str(target).strip() if isinstance(target, (str, int, float)) else ""
    scored = [(request.continuation or "").strip() for request in requests]
    if any(scored):
        place = place_of(bare, scored)
        if place is None or len(set(scored)) < len(scored):
            return
        yield reading("scored", scored, place)
        if all(len(text) <= LABEL for text in scored):
            yield from choice_texts(line.document(), scored, place)
    elif bare:
        yield Reading("target", bare, choices_beside(line.document(), bare))
        words = bare.split()
        if len(words) > 1:
            yield Reading("last word", words[-1].strip(".,;:()[]$") or words[-1])
        label = bare.strip("().")
        if len(label) == 1 and "A" <= label.upper() <= "Z":
            yield from choice_texts(line.document(), [], ord(label.upper()) - ord("A"))


def reading(way: str, choices: Sequence[str], place: int) -> Reading:
    """Return the right one of some choices, with those that are no part of it."""
    gold = choices[place]
    return Reading(way, gold, tuple(other for other in choices if other and other not in gold))


def place_of(target: str, choices: Sequence[str]) -> int | None:
    """Return which choice a target names, by its place or its text; None where it names none."""
    if target in choices:
        return choices.index(target)
    return int(target) if target.isdecimal() and int(target) < len(choices) else None


def choice_texts(document: Json, labels: Sequence[str], place: int) -> Iterator[Reading]:
    """Yield the texts of the choices that a document holds, as many as there are labels."""
    for texts in offered(document):
        if len(texts) == (len(labels) or len(texts)) and len(texts) > place and texts != list(labels):
            yield reading("choice", texts, place)
            return


def choices_beside(document: Json, target: str) -> tuple[str, ...]:
    """Return the other choices where a document offers the target as one."""
    found = next((texts for texts in offered(document) if target in texts), None)
    return reading("target", found, found.index(target)).others if found else ()


def offered(document: Json) -> Iterator[list[str]]:
    """Yield what may be choices of a document: lists of different texts, or fields whose names differ at their end."""
    if not isinstance(document, dict):
        return
    for holder in (document, *(value for value in document.values() if isinstance(value, dict))):
        fields: dict[str, list[Json]] = {}
        for name, value in holder.items():
            if isinstance(value, str):
                fields.setdefault(str(name)[:-1], []).append(value)
        for values in (*(value for value in holder.values() if isinstance(value, list)), *fields.values()):
            texts = [value.strip() for value in values if isinstance(value, str)]
            if 1 < len(texts) == len(values) == len({*texts} - {""}):
                yield texts
