"""Responses that stand under other items on the two sides: found by their texts, kept as a number each."""

from array import array
from collections import Counter
from collections.abc import Sequence

FEWEST_MISPLACED = 5
MISPLACED_SHARE = 0.5
"""From so many, and this share of the changed responses on, answers stand under wrong items: no two models write long
texts, each once in its log, that are the other's to another question."""


class MovedTexts:
    """The hashes of changed responses of both sides that are too long to agree by chance, with their places."""

    def __init__(self) -> None:
        self.places = array("q")
        self.hashes = array("q"), array("q")

    def add(self, place: int, text_a: str, text_b: str) -> None:
        """Keep a pair of changed responses."""
        self.places.append(place)
        self.hashes[0].append(hash(text_a))
        self.hashes[1].append(hash(text_b))

    def misplaced(self, items: Sequence[str]) -> int:
        """Return how many responses of one side are one of the other side's to another item, each once on its side."""
        ours, theirs = (self.once(hashes) for hashes in self.hashes)
        return sum(items[place] != items[theirs[text]] for text, place in ours.items() if text in theirs)

    def once(self, hashes: Sequence[int]) -> dict[int, int]:
        """Return the place of each text that occurs once."""
        counts = Counter(hashes)
        return {text: place for text, place in zip(hashes, self.places, strict=True) if counts[text] == 1}
