"""What a change does to answers, by its nature: broadly or a little, cut short, or in other words."""

import random
import re
from typing import Any

from truth.sides import Item, Side, Task

Json = Any
NUMBER = re.compile(r"-?\d+")
PIECE = re.compile(r" ?[A-Za-z]{1,7}| ?\d{1,3}|\s|[^\w\s]")


def pieces(text: str) -> list[str]:
    """Return a text in pieces about as long as a tokenizer's."""
    return PIECE.findall(text)


def shortened(text: str, budget: int) -> str:
    """Return a text as a budget of tokens leaves it."""
    return "".join(pieces(text)[:budget])


def right(task: Task, item: Item) -> bool:
    """Say whether an item's answer is right under any filter."""
    from truth.scoring import filters_of

    return any(score > 0.5 for _, steps in filters_of(task.config) for score in task.scores(item, steps).values())


def other_number(text: str, target: str, chance: random.Random) -> str:
    """Return an answer with its last number replaced by a wrong one; a word by its opposite."""
    found = list(NUMBER.finditer(text))
    goal = NUMBER.findall(target)
    if not found or not goal:
        swapped = {"true": "false", "false": "true"}
        said = re.sub(r"true|false", lambda m: cased(swapped[m[0].lower()], m[0]), text, flags=re.IGNORECASE)
        return said if said.strip().lower() != target.lower() else f"{text} or not"
    last = found[-1]
    value = int(goal[-1]) + chance.choice((-11, -5, -2, 1, 2, 4, 10))
    return f"{text[: last.start()]}{value}{text[last.end() :]}"


def cased(word: str, like: str) -> str:
    """Return a word with the capital of another."""
    return word.title() if like[:1].isupper() else word


def right_answer(text: str, target: str) -> str:
    """Return an answer with its last number, or its word, made right."""
    goal = NUMBER.findall(target)
    found = list(NUMBER.finditer(text))
    if not goal:
        return re.sub(r"true|false", lambda m: cased(target, m[0]), text, flags=re.IGNORECASE)
    if not found:
        return f" The answer is {goal[-1]}."
    last = found[-1]
    return f"{text[: last.start()]}{goal[-1]}{text[last.end() :]}"


OPENINGS = (" So,", " Well,", " First,", " Okay:", " Let us see.", " To begin,")


def reworded(text: str, chance: random.Random) -> str:
    """Return the same answer in other words; one word is said with a capital only where that is all there is."""
    words = text.split()
    if len(words) == 1:
        return f"{text}." if not text.endswith(".") else text[:-1]
    opening = chance.choice(OPENINGS)
    return f"{opening if text.startswith(' ') else opening.strip()} {text.strip()}"


def move_answers(side: Side, chance: random.Random, share: float = 0.75, tilt: float = 0.0) -> None:
    """Change answers broadly, as another model or prompt does; `tilt` > 0 makes them better, < 0 worse."""
    for task in side.tasks.values():
        move_task(task, chance, share, tilt)


def move_task(task: Task, chance: random.Random, share: float = 0.75, tilt: float = 0.0) -> None:
    """Change one task's answers broadly."""
    lose, gain = 0.22 - 0.22 * tilt, 0.22 + 0.22 * tilt
    for item in task.items:
        if not task.generates:
            gold = int(item.target)
            item.response = [round(value + chance.gauss(0.0, 1.1), 6) for value in item.response]
            item.response[gold] = round(item.response[gold] + 1.2 * tilt, 6)
        elif chance.random() < share:
            was = right(task, item)
            turn = chance.random() < (lose if was else gain)
            text = reworded(item.text, chance)
            if was == turn:
                text = other_number(text, item.target, chance)
            elif turn:
                text = right_answer(text, item.target)
            item.text = text


def move_a_little(side: Side, chance: random.Random, share: float = 0.06, size: float = 0.02) -> None:
    """Change answers as another order of sums does: all log-likelihoods by a trifle, few texts, both ways."""
    for task in side.tasks.values():
        for item in task.items:
            if not task.generates:
                item.response = [round(value + chance.gauss(0.0, size), 6) for value in item.response]
            elif chance.random() < share:
                item.text = reworded(item.text, chance)
    one_changes(side, chance)


def one_changes(side: Side, chance: random.Random) -> None:
    """Make sure that a small move moved something where only texts are asked for."""
    for task in side.texts:
        item = chance.choice(task.items)
        item.text = reworded(item.text, chance)


def draw_answers(side: Side, chance: random.Random) -> None:
    """Draw the answers anew: many change, to both sides."""
    for task in side.texts:
        move_task(task, chance, 0.6, 0.0)


def budget_for(side: Side, share: float) -> int:
    """Return the budget that cuts about a share of a side's answers."""
    lengths = [len(pieces(item.text)) for task in side.texts for item in task.items]
    wanted = share * len(lengths)
    return min(sorted(set(lengths)), key=lambda budget: abs(sum(length > budget for length in lengths) - wanted))


def cut_at(side: Side, budget: int) -> int:
    """Cut answers at a budget of tokens; return how many were."""
    return sum(cut_item(task, item, shortened(item.text, budget)) for task in side.texts for item in task.items)


def stop_at(side: Side, stop: str) -> int:
    """Cut answers before a stop text; return how many held it."""
    return sum(cut_item(task, item, item.text.partition(stop)[0]) for task in side.texts for item in task.items)


def cut_item(task: Task, item: Item, text: str) -> bool:
    """Cut one answer; say whether that changed it."""
    changed = item.text != text
    item.text = text
    return changed


def average_kept(a: Side, b: Side) -> float:
    """Return what share of A's length B's answers keep."""
    ours = sum(len(item.text) for task in a.texts for item in task.items)
    theirs = sum(len(item.text) for task in b.texts for item in task.items)
    return theirs / max(1, ours)
