"""How the worked examples of two prompts differ: other ones, another number of them, another layout."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, takewhile

from diptych.diagnose.samples.prompt_parts import Prompt
from diptych.diagnose.samples.white_space import squeezed

LONGEST_CUE = 40
"""Characters of a label in front of a colon ("Answer:"); longer ones are sentences."""


def layout_of_examples(a: Prompt, b: Prompt) -> dict[str, str]:
    """Return the layout beside other examples: turns on one side, one text on the other that has examples too."""
    if bool(a.answers) == bool(b.answers) or not (number_of_examples(a) and number_of_examples(b)):
        return {}
    side, other = ("A", "B") if a.answers else ("B", "A")
    return {"example_layout": f"{side} lays examples out as turns, {other} in one piece"}


def examples_words(examples: int) -> str:
    """Return a number of examples in words."""
    return "1 example" if examples == 1 else f"{examples or 'no'} examples"


def number_of_examples(prompt: Prompt) -> int:
    """Return how many worked examples stand before the question."""
    return len(shown_examples(prompt))


@lru_cache(2)  # of both sides' prompts it is asked several times
def shown_examples(prompt: Prompt) -> tuple[str, ...]:
    """Return the worked examples before the question, without white space; what stands before the first is none.

    Found as answers in turns, or by what recurs in the question: the cue at its end ("Answer:") or, without one, its
    first words.
    """
    lines = prompt.body.rstrip().split("\n")
    found = starts_by_cue(lines) or starts_by_first_words(lines)
    if prompt.answers >= max(len(found) - 1, 1):
        return shown_as_turns(prompt)
    texts = ["\n".join(lines[start:end]) for start, end in pairwise(found)]
    return from_question_on(texts, "\n".join(lines[found[-1] :])) if texts else ()


def starts_by_cue(lines: Sequence[str]) -> list[int]:
    """Return the lines at which the examples and the question begin, by the cue that each of them holds.

    What begins alike in front of each cue, as passages do, belongs to it. None where no cue recurs, and none needs to.
    """
    cue, colon, rest = lines[-1].partition(":")
    cues = [place for place, line in enumerate(lines) if line.startswith(cue + ":")]
    if not colon or len(cue) > LONGEST_CUE or (len(cues) < 2 and rest):
        return []
    before = [-1, *cues]
    starts = [block_start(lines, place, last + 1) for last, place in pairwise(before)]
    while len(cues) > 1:
        earlier = [block_start(lines, start - 2, last + 1) for last, start in zip(before, starts, strict=False)]
        inside = all(0 <= place < start - 1 for place, start in zip(earlier, starts, strict=True))
        if not inside or len({first_word(lines[place]) for place in earlier}) > 1:
            break
        starts = earlier
    return starts


def block_start(lines: Sequence[str], place: int, lowest: int) -> int:
    """Return where the block of a line begins: after a blank line, and not before the lowest."""
    while place > lowest and lines[place - 1].strip():
        place -= 1
    return place if place >= lowest else -1


def first_word(text: str) -> str:
    return next(iter(text.split(maxsplit=1)), "")


def starts_by_first_words(lines: Sequence[str]) -> list[int]:
    """Return the lines at which blocks begin with the question's first two words, else the last ones with its first."""
    begins = [place for place in range(len(lines)) if lines[place].strip() and not (place and lines[place - 1].strip())]
    worded = [lines[place].split() for place in begins]
    alike = [place for place, words in zip(begins, worded, strict=True) if words[:2] == worded[-1][:2]]
    if len(alike) < 2:
        run = takewhile(lambda words: words[:1] == worded[-1][:1], reversed(worded))
        alike = begins[len(begins) - sum(1 for _ in run) :]
    return alike


def shown_as_turns(prompt: Prompt) -> tuple[str, ...]:
    """Return the examples whose answers are turns: each turn of the assistant with what stands before it.

    Of what stands before the first, as many blocks as the question has.
    """
    texts, pending = [], ""
    for turn in prompt.turns:
        if turn.role == "system":
            continue
        pending += f"{turn.text}\n\n" if turn.text else ""
        if turn.role == "assistant" and turn.text.strip():
            texts.append(pending)
            pending = ""
    size = len(pending.strip().split("\n\n"))
    asked, gap, answer = texts[0].rstrip().rpartition("\n\n")
    texts[0] = "\n\n".join(asked.split("\n\n")[-size:]) + gap + answer
    return from_question_on(texts, pending)


def from_question_on(texts: Sequence[str], question: str) -> tuple[str, ...]:
    """Return examples without white space, the first of them from where it begins as the question does."""
    place = texts[0].find(first_word(question))
    return tuple(squeezed(text) for text in (texts[0][max(place, 0) :], *texts[1:]))


def examples_of_both(a: Prompt, b: Prompt) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the examples of two prompts; where one ends with the whole other, it shows the other's examples too."""
    ours, theirs = shown_examples(a), shown_examples(b)
    left, right = a.bare_body, b.bare_body
    if len(ours) > len(theirs) and right.endswith(left):
        return ours, ours
    if len(theirs) > len(ours) and left.endswith(right):
        return theirs, theirs
    return ours, theirs


def examples_changed(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Say whether as many examples are other ones; text glued to the front of the first is none of it."""
    left, right = "".join(ours), "".join(theirs)
    return not (left.endswith(right) or right.endswith(left))


def other_examples_words(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """Return how many of as many examples are other ones."""
    apart = (Counter(ours) - Counter(theirs)).total()
    if apart == len(ours):
        return "but not the same ones"
    return f"{apart} of them {'another one' if apart == 1 else 'other ones'}"


def same_examples(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Say whether two prompts show the same examples, in whatever order."""
    return sorted(ours) == sorted(theirs)


def last_block(text: str) -> str:
    """Return what stands after the last blank line: the question itself, as a rule."""
    return text.rstrip().rpartition("\n\n")[2]
