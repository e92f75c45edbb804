"""How the worked examples of two prompts differ: other ones, another number of them, another layout."""

from diptych.diagnose.samples.prompt_parts import Prompt

ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"


LONGEST_CUE = 40
"""Characters of a label in front of a colon ("Answer:"); longer ones are sentences."""


def layout_of_examples(a: Prompt, b: Prompt) -> dict[str, str]:
    """Return the layout beside other examples: turns on one side, one text on the other that has examples too."""
    if bool(a.answers) == bool(b.answers) or not (examples(a) and examples(b)):
        return {}
    side, other = ("A", "B") if a.answers else ("B", "A")
    return {"example_layout": f"{side} lays examples out as turns, {other} in one piece"}


def examples_words(examples: int) -> str:
    """Return a number of examples in words."""
    return "1 example" if examples == 1 else f"{examples or 'no'} examples"


def examples(prompt: Prompt) -> int:
    """Return how many worked examples stand before the question.

    Counted as answers in turns, or by what each block shares with the question: the cue at its end ("Answer:") or,
    without one, its first words.
    """
    text = prompt.body.rstrip()
    lines = text.split("\n")
    cue, colon, rest = lines[-1].partition(":")
    if colon and len(cue) <= LONGEST_CUE:
        alike = sum(line.startswith(cue + ":") for line in lines) - 1
        if alike or not rest:
            return max(prompt.answers, alike)
    worded = [block.split() for block in text.split("\n\n")]
    alike = sum(block[:2] == worded[-1][:2] for block in worded) - 1
    if not alike and all(block[:1] == worded[-1][:1] for block in worded[1:]):
        alike = sum(block[:1] == worded[-1][:1] for block in worded) - 1
    return max(prompt.answers, alike)


def examples_changed(a: str, b: str) -> bool:
    """Say whether a block that only one text holds is an example and not the instructions in front."""
    blocks_a, blocks_b = blocks(a), blocks(b)
    if set(blocks_a[1:]) ^ set(blocks_b[1:]) or blocks_a[:1] == blocks_b[:1] or len(blocks_a) != len(blocks_b):
        return True
    return first_example(a) != first_example(b)


def blocks(text: str) -> list[str]:
    """Return the stretches between blank lines without white space."""
    return [squeezed(part) for part in text.split("\n\n")]


def first_example(text: str) -> str:
    """Return the first block from where it begins as the question's does; "" where it does not: instructions alone."""
    first, last = text.split("\n\n")[0], last_block(text).split()
    place = first.find(last[0]) if last else -1
    return squeezed(first[place:]) if place >= 0 else ""


def other_examples(a: str, b: str, count: int) -> str:
    """Return how many of some examples are other ones, where each is one block."""
    ours, theirs = blocks(a), blocks(b)
    apart = len(set(ours) - set(theirs))
    if not count <= len(ours) - 1 <= count + 1 or not apart < count:
        return "but not the same ones"
    return f"{apart} of them {'another one' if apart == 1 else 'other ones'}"


def same_examples(a: str, b: str) -> bool:
    """Say whether two texts hold the same blocks, in whatever order."""
    return sorted(blocks(a)) == sorted(blocks(b))


def last_block(text: str) -> str:
    """Return what stands after the last blank line: the question itself, as a rule."""
    return text.rstrip().rpartition("\n\n")[2]


def squeezed(text: str) -> str:
    """Return a text without any white space, seen or unseen."""
    if not text.isascii():
        for sign in ZERO_WIDTH:
            text = text.replace(sign, "")
    return "".join(text.split())
