"""Long responses that are their item's target, counted by side while a task is walked."""

from array import array

from diptych.sample_log import Line

FEWEST = 5
RARELY = 10
"""From so many on; the other side has a tenth as many at most."""

LONG = 60
WORDS = 6
"""Characters and words from which a text is in free words: a letter, a number or a short answer is no recital."""

SENTENCE_ENDS = (". ", ".\n", "! ", "? ", "。")
"""Signs of sentences, which programs and filled-in forms seldom have."""


class RecitalTally:
    """Holds the places of pairs in which a side's response is the target to the letter; `of` pairs were looked at."""

    def __init__(self) -> None:
        self.of = 0
        self.places = array("q"), array("q")

    def add(self, place: int, text_a: str, text_b: str, line: Line) -> None:
        """Look at one pair; both sides have one target."""
        self.of += 1
        if len(text_a) < LONG and len(text_b) < LONG:
            return
        target = line.target()
        bare = target.strip() if isinstance(target, str) else ""
        if len(bare) < LONG:
            return
        for side, text in enumerate((text_a, text_b)):
            if len(text) >= len(bare) and text.strip() == bare and is_prose(bare):
                self.places[side].append(place)


def is_prose(text: str) -> bool:
    """Say whether a text is sentences of so many words of letters alone."""
    words = sum(len(word) > 1 and word.strip(".,;:!?()\"'").isalpha() for word in text.split())
    ends = text.endswith(".") or any(end in text for end in SENTENCE_ENDS)
    return ends and (words >= WORDS or not text.isascii())
