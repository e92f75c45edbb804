"""How the responses of two sides begin and end, counted in bounded memory: what a phrase of one side is found by."""

from heapq import nlargest
from typing import Literal

Place = Literal["begin", "end"]

LENGTHS = 5, 16
"""Characters by which beginnings are told apart: few, for a short phrase; more, for one whose first word is common."""

KEPT = 128
WINDOW = 1024
"""After so many counted ones only the most frequent are kept: what begins one in twenty-five is among them."""

LEAST = 12
"""A shorter response is an answer, with no phrase around it."""

FEWEST = 10
MANY = 0.25
"""From so many, and this share of a side's responses on, a few phrases are worth a word."""

EACH = 0.04
"""A phrase begins at least this share of a side's responses; the other side has it a tenth as often at most."""

RARELY = 10


class Frequent:
    """Counts texts, of which it keeps the frequent ones: what is dropped came so seldom that it tells nothing."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.added = 0

    def add(self, text: str) -> None:
        """Count one text."""
        self.counts[text] = self.counts.get(text, 0) + 1
        self.added += 1
        if not self.added % WINDOW and len(self.counts) > KEPT:
            self.counts = dict(nlargest(KEPT, self.counts.items(), key=lambda one: one[1]))


class PhraseTally:
    """Counts how the changed responses of both sides begin and end, by place and side."""

    def __init__(self) -> None:
        self.of = 0
        self.found: dict[Place, tuple[Frequent, Frequent]] = {
            "begin": (Frequent(), Frequent()),
            "end": (Frequent(), Frequent()),
        }

    def add(self, text_a: str, text_b: str) -> None:
        """Count a changed pair."""
        self.of += 1
        begin, end = self.found["begin"], self.found["end"]
        for side, text in enumerate((text_a, text_b)):
            if len(text) >= LEAST:
                head, tail = text[:64].lstrip(), text[-64:].rstrip()
                for length in LENGTHS:
                    begin[side].add(head[:length])
                    end[side].add(tail[-length:])

    def keys_of(self, side: int, place: Place) -> list[str]:
        """Return how many of a side's responses begin (or end) and hardly any of the other's; none where few do so."""
        own, other = self.found[place][side].counts, self.found[place][1 - side].counts
        least = max(FEWEST, EACH * self.of)
        keys = [key for key, count in own.items() if count >= least and RARELY * other.get(key, 0) <= count]
        covered = max((sum(own[key] for key in keys if len(key) == length) for length in LENGTHS), default=0)
        return sorted(keys) if covered >= max(2 * FEWEST, MANY * self.of) else []
