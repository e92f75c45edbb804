"""Which changed responses hold one text all the same: but for white space, a thought, or what stands around each."""

from collections import Counter
from collections.abc import Iterable

from diptych.diagnose.samples.answer_facts import Framed, OneText
from diptych.diagnose.samples.evidence import TaskEvidence
from diptych.diagnose.samples.misplaced_responses import TELLING
from diptych.diagnose.samples.responses import MOST_TEXTS, NEARLY_ALL, THOUGHTS
from diptych.sides import Side, Sided

FEWEST = 3
"""So many pairs show what is done to nearly all."""

SURE = 16
"""Characters by which a text that its budget cuts earlier, since something stands before it, is found again."""

Frame = tuple[Side, str, str]
"""The side whose response holds the other's, and what stands before and behind it there."""


class FramedTexts:
    """Collects changed pairs of responses that hold one text; `telling` texts are too long to agree by chance."""

    def __init__(self) -> None:
        self.white_space = 0
        self.bare: Counter[Side] = Counter()
        self.frames: Counter[Frame] = Counter()
        self.telling: Counter[Frame] = Counter()

    def add(self, text_a: str, text_b: str) -> bool:
        """Count a changed pair; say whether the two are one text but for white space, or for a side's thought."""
        if text_a == text_b:
            return True  # of several answers to an item the first ones are equal
        if text_a.split() == text_b.split():
            self.white_space += 1
            return True
        side = bare_side(text_a, text_b)
        if side is not None:
            self.bare[side] += 1
            return True
        frame = frame_of("a", text_a, text_b) or frame_of("b", text_b, text_a)
        if frame is not None and (frame in self.frames or len(self.frames) < MOST_TEXTS):
            self.frames[frame] += 1
            self.telling[frame] += min(len(text_a), len(text_b)) >= TELLING
        return False

    def explains(self, changed: int) -> bool:
        """Say whether nearly all changed pairs hold one text, with the same words around it or a thought on a side."""
        return max((*self.frames.values(), *self.bare.values()), default=0) >= NEARLY_ALL * changed

    def facts(self) -> OneText:
        """Return the counts, with the frame that most of the pairs have."""
        most = max(self.frames, key=lambda frame: (self.frames[frame], frame), default=None)
        framed = None if most is None else Framed(*most, self.frames[most], self.telling[most])
        return OneText(self.white_space, Sided(self.bare["a"], self.bare["b"]), framed)


def framed_in(task: TaskEvidence) -> Framed | None:
    """Return what stands around nearly all changed responses of a side, where equal requests were answered.

    None where they go on behind a stop string: that says why.
    """
    found = task.one_text.framed
    if found is None or not task.requests_equal or is_nearly_all(task.cuts.ran_on.of(found.side), task):
        return None
    return found if is_nearly_all(found.number, task) else None


def is_spaced(task: TaskEvidence) -> bool:
    """Say whether nearly all changed responses to equal requests differ by white space alone."""
    return task.requests_equal and is_nearly_all(task.one_text.white_space, task)


def all_spaced(tasks: Iterable[TaskEvidence]) -> bool:
    """Say whether responses to equal requests changed in some tasks, and everywhere by white space alone."""
    changed = [task for task in tasks if task.responses]
    return bool(changed) and all(
        task.requests_equal and task.one_text.white_space == task.responses for task in changed
    )


def is_nearly_all(number: int, task: TaskEvidence) -> bool:
    """Say whether a number is that of nearly all changed responses of a task."""
    return number >= max(FEWEST, NEARLY_ALL * task.cuts.changed)


def bare_side(text_a: str, text_b: str) -> Side | None:
    """Return the side whose answer is the other's without its thought, None where neither is."""
    bare_a, bare_b = text_a.strip(), text_b.strip()
    if bare_a and bare_a != bare_b and behind_thought(bare_b) == bare_a:
        return "a"
    return "b" if bare_b and bare_a != bare_b and behind_thought(bare_a) == bare_b else None


def behind_thought(text: str) -> str:
    """Return what stands behind an answer's last thought."""
    for _, closing in THOUGHTS:
        text = text.rpartition(closing)[2]
    return text.strip().removeprefix("<|message|>").removesuffix("<|return|>").strip()


def frame_of(side: Side, text: str, other: str) -> Frame | None:
    """Return what stands in a side's response around the other's, which its budget may cut where something is before.

    None where the one does not hold the other.
    """
    held = other.strip()
    if not held:
        return None
    place = text.find(held)
    if place >= 0:
        before, behind = text[:place].strip(), text[place + len(held) :].strip()
    else:
        place = text.find(held[:SURE])
        if place <= 0 or not held.startswith(text[place:].rstrip()):
            return None
        before, behind = text[:place].strip(), ""
    return (side, before, behind) if before or behind else None
