"""Responses that stand under other items on the two sides, or under many: found by their texts, a number each."""

from array import array
from collections import Counter
from collections.abc import Sequence

from diptych.diagnose.samples.evidence import TaskEvidence

TELLING = 40
"""Characters from which an answer that two models share to the letter is no chance; shorter ones may both be right."""

FEWEST_MISPLACED = 5
MISPLACED_SHARE = 0.5
"""From so many, and this share of the changed responses on, answers stand under wrong items: no two models write long
texts, each once in its log, that are the other's to another question."""


FEWEST_CANNED, CANNED_SHARE = 3, 0.1
"""From so many, and this share of a side's responses on, one text that the other side never gives is no answer."""


class MovedTexts:
    """The hashes of changed responses of both sides, with their places; 0 for one short enough to agree by chance."""

    def __init__(self) -> None:
        self.places = array("q")
        self.hashes = array("q"), array("q")

    def add_texts(self, place: int, text_a: str, text_b: str) -> None:
        """Keep a pair of changed answers."""
        self.add(place, *(hash(text) if len(text) >= TELLING else 0 for text in (text_a, text_b)))

    def add(self, place: int, hash_a: int, hash_b: int) -> None:
        """Keep a pair of changed responses by their hashes."""
        self.places.append(place)
        self.hashes[0].append(hash_a)
        self.hashes[1].append(hash_b)

    def misplaced(self, items: Sequence[str]) -> int:
        """Return how many responses of one side are one of the other side's to another item, each once on its side."""
        ours, theirs = (self.once(hashes) for hashes in self.hashes)
        return sum(items[place] != items[theirs[text]] for text, place in ours.items() if text in theirs)

    def once(self, hashes: Sequence[int]) -> dict[int, int]:
        """Return the place of each text that occurs once."""
        counts = Counter(hashes)
        return {text: place for text, place in zip(hashes, self.places, strict=True) if text and counts[text] == 1}

    def repeated(self, side: int) -> set[int]:
        """Return the places of the changed responses of a side that are its most frequent one."""
        counts = Counter(text for text in self.hashes[side] if text)
        most = max((text for text in counts if counts[text] > 1), key=lambda text: (counts[text], text), default=0)
        return {place for place, text in zip(self.places, self.hashes[side], strict=True) if text == most and most}


def is_canned(own: int, of: int, other: int) -> bool:
    """Say whether many different items got one text on a side alone: an error's message, say, or a canned answer.

    `own` of a side's `of` responses are one text, and `other` of the other side's: a form in which both sides answer,
    as where a letter is asked for, is none.
    """
    return own >= max(FEWEST_CANNED, CANNED_SHARE * of) and other < FEWEST_CANNED


def is_misplaced(task: TaskEvidence) -> bool:
    """Say whether responses to equal requests stand under other items on one side than on the other."""
    least = max(FEWEST_MISPLACED, MISPLACED_SHARE * task.responses)
    return task.misplaced >= least and task.requests_equal
