"""How two prompts for one item differ: their kinds, in one clause each."""

import re
from collections.abc import Callable

from diptych.diagnose.samples.example_edits import (
    examples_changed,
    examples_of_both,
    examples_words,
    last_block,
    layout_of_examples,
    other_examples_words,
    same_examples,
)
from diptych.diagnose.samples.prompt_cache import Edit
from diptych.diagnose.samples.prompt_facts import PROMPT_KINDS
from diptych.diagnose.samples.prompt_parts import Prompt, take_apart
from diptych.diagnose.samples.responses import THOUGHTS
from diptych.diagnose.samples.white_space import squeezed, white_space_apart
from diptych.sample_log import Request

WORDS = re.compile(r"\w+|[^\w\s]")


def edit_key(a: Request, b: Request) -> tuple[str, ...]:
    """Return what makes an edit: what one text puts around the other, or the stretches that are not shared.

    Where the common ends are taken off, the ends' last and first characters stay, since they decide what a
    stretch is.
    """
    form = f"{a.messages is not None:d}{b.messages is not None:d}{roles_of(a)}|{roles_of(b)}"
    left, right = a.context, b.context
    if (place := right.find(left)) >= 0:
        return "in b", form, right[:place], right[place + len(left) :]
    if (place := left.find(right)) >= 0:
        return "in a", form, left[:place], left[place + len(right) :]
    start, end = common_ends(left, right)
    return "changed", form, left[start : len(left) - end], right[start : len(right) - end], left[:start][-40:]


def roles_of(request: Request) -> str:
    """Return the speakers of a list of messages, in order."""
    return " ".join(message.role for message in request.messages or ())


def common_ends(a: str, b: str) -> tuple[int, int]:
    """Return the lengths of the common beginning and, of what remains, the common end (by bisecting slices)."""
    limit = min(len(a), len(b))
    start = bisect_equal(limit, lambda size: a[:size] == b[:size])
    rest = limit - start
    end = bisect_equal(rest, lambda size: a[len(a) - size :] == b[len(b) - size :])
    return start, end


def stretches(a: str, b: str) -> tuple[str, str]:
    """Return what two texts have between their common ends."""
    start, end = common_ends(a, b)
    return a[start : len(a) - end], b[start : len(b) - end]


def bisect_equal(limit: int, equal: Callable[[int], bool]) -> int:
    """Return the largest size up to `limit` for which `equal` holds."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if equal(middle) else (low, middle - 1)
    return low


def edit_size(key: tuple[str, ...]) -> str:
    """Return the size of an edit that many prompts share: "412-character prefix"."""
    if key[0] == "changed":
        return ""
    before, after = len(key[2]), len(key[3])
    if before and after:
        return f"{before}-character prefix and {after}-character suffix"
    return f"{before}-character prefix" if before else f"{after}-character suffix" if after else ""


def classify(a: Request, b: Request, key: tuple[str, ...]) -> Edit:
    """Return the edit between two requests whose contexts or messages are not the same."""
    left, right = take_apart(a), take_apart(b)
    found: dict[str, str] = {}
    found |= start_tokens(left, right) | role_markers(left, right) | thoughts(a, b) | system_text(left, right)
    found |= body(left, right)
    if not found and a.context != b.context and not (left.listed or right.listed):
        found |= more_marks(left, right) or {"white_space": white_space_apart(a.context, b.context)}
    if left.listed != right.listed and "role_markers" not in found:
        side, other = ("A", "B") if left.listed else ("B", "A")
        found["messages" if found else "same_words"] = f"{side} sends a list of messages, {other} one text"
    kinds = tuple(kind for kind in PROMPT_KINDS if kind in found)
    ours, theirs = examples_of_both(left, right) if "examples" in found else ((), ())
    other_number = len(ours) != len(theirs)
    other_order = "examples" in found and not other_number and same_examples(ours, theirs)
    nested = left.nested and not right.nested, right.nested and not left.nested
    return Edit(kinds, tuple(found[kind] for kind in kinds), edit_size(key), other_number, other_order, nested)


def thoughts(a: Request, b: Request) -> dict[str, str]:
    """Return that one side's prompt opens more thoughts than the other's: the switch for thinking puts them there."""
    opened = [sum(request.context.count(opening) for opening, _ in THOUGHTS) for request in (a, b)]
    if opened[0] == opened[1]:
        return {}
    side, other = ("A", "B") if opened[0] > opened[1] else ("B", "A")
    return {"thought": f"{side} has a thought block that {other} has not"}


def start_tokens(a: Prompt, b: Prompt) -> dict[str, str]:
    """Return the start tokens that one side's prompt begins with more often."""
    if len(a.starts) == len(b.starts) or a.listed or b.listed:
        return {}
    token = (a.starts or b.starts)[0]
    return {"start_token": f"{token} stands {len(a.starts)}× at the start in A, {len(b.starts)}× in B"}


def role_markers(a: Prompt, b: Prompt) -> dict[str, str]:
    """Return the marks of a chat template that one side has and the other has not."""
    if a.nested != b.nested:
        side = "A" if a.nested else "B"
        return {"role_markers": f"they stand twice in {side}, one turn of the user right inside another"}
    ours, theirs = (frozenset(mark for mark in side.marks if "think" not in mark) for side in (a, b))
    if bool(ours) == bool(theirs) and (not ours or ours & theirs):
        return {}
    if ours and theirs:
        return {"role_markers": f"A uses {marks_text(ours)}, B {marks_text(theirs)}"}
    side, marks, name, other = ("A", ours, "B", b) if ours else ("B", theirs, "A", a)
    bare = "a list of messages" if other.listed else "plain text"
    return {"role_markers": f"{side} has {marks_text(marks)}; {name} is {bare}"}


def more_marks(a: Prompt, b: Prompt) -> dict[str, str]:
    """Return that prompts of the same words hold the same marks, and not as many of them."""
    ours, theirs = (sum("think" not in mark for mark in side.used) for side in (a, b))
    return {} if ours == theirs else {"role_markers": f"A has {ours} of them, B {theirs}"}


def marks_text(marks: frozenset[str]) -> str:
    """Return up to three marks as text."""
    names = sorted(" ".join(mark.split()) for mark in marks)
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def system_text(a: Prompt, b: Prompt) -> dict[str, str]:
    """Return the system text that differs; instructions that one side merely moves into a system turn do not."""
    left, right = a.system.strip(), b.system.strip()
    if squeezed(left) == squeezed(right) or system_turn_moved(a, b):
        return {}
    if left and right:
        return {"system_text": "the system text is another one"}
    side, other, text = ("A", "B", left) if left else ("B", "A", right)
    return {"system_text": f"{side} has a system text of {len(text)} characters, {other} none"}


def system_turn_moved(a: Prompt, b: Prompt) -> bool:
    """Say whether both prompts have the same words, some of which are a system turn on one side only."""
    moved = bool(a.system) != bool(b.system)
    return moved and squeezed(a.system) + a.bare_body == squeezed(b.system) + b.bare_body


def body(a: Prompt, b: Prompt) -> dict[str, str]:
    """Return how the words outside marks and system text differ."""
    left, right = a.bare_body, b.bare_body
    if left == right or system_turn_moved(a, b):
        return layout(a, b)
    tail = squeezed(last_block(min(a.body, b.body, key=len)))
    if not (left.endswith(tail) and right.endswith(tail)):
        return reworded(a.body, b.body, "the words are not the same")
    ours, theirs = examples_of_both(a, b)
    if len(ours) != len(theirs):
        found = {"examples": f"{examples_words(len(ours))} in A, {examples_words(len(theirs))} in B"}
        return found | layout_of_examples(a, b)
    if examples_changed(ours, theirs):
        what = "in another order" if same_examples(ours, theirs) else other_examples_words(ours, theirs)
        return {"examples": f"{examples_words(len(ours))} on both sides, {what}"} | layout_of_examples(a, b)
    if left.endswith(right) or right.endswith(left):
        side, more = ("A" if len(left) > len(right) else "B"), abs(len(left) - len(right))
        return {"system_text": f"{side} has {more} more characters of instructions in front"} | layout(a, b)
    return reworded(a.body, b.body, "the words before the question are not the same")


def reworded(a: str, b: str, note: str) -> dict[str, str]:
    """Return that two texts hold the same words in another order, as shuffled choices do, else that they do not."""
    same = sorted(WORDS.findall(a)) == sorted(WORDS.findall(b))
    return {"order": "the same words stand in another order"} if same else {"other": note}


def layout(a: Prompt, b: Prompt) -> dict[str, str]:
    """Return that the same examples are laid out as turns on one side only."""
    if a.answers == b.answers:
        return {}
    side, other, turns = ("A", "B", a.answers) if a.answers > b.answers else ("B", "A", b.answers)
    return {"example_layout": f"{side} lays {examples_words(turns)} out as turns, {other} in one piece"}
