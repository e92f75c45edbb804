"""What a document asks, whatever else it holds: by this two documents are one question though their hashes differ.

A data set may be published anew with its choices in another order, with a column more, or with other white space.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.sample_log import Json, Line

QUESTION_FIELDS = (
    *("question", "query", "problem", "instruction", "input", "prompt", "goal", "ctx", "sentence", "premise"),
    *("hypothesis", "passage", "context", "article", "text", "story", "dialogue"),
)
"""Fields of documents that hold what is asked, by the names that data sets use."""

CHOICE_FIELDS = ("choices", "options", "endings", "candidates", "answers", "text")
"""Fields that hold what there is to choose from, the likelier first."""

ANSWER_MARK = r"\W*(?:[A-Za-z]|\d{1,2})\W*"
"""The mark of an answer ("B", "2"): it moves with the order of the choices."""


Key = tuple[str | None, ...] | None
"""What two documents share that are one; None: nothing that could tell."""


class Question(NamedTuple):
    """A document as a question: its `texts` (all of them), what it `asks`, and its `choices` in their order.

    `fields` are its own ones by name, each as text.
    """

    texts: tuple[str, ...]
    asks: tuple[str, ...]
    choices: tuple[str, ...]
    fields: Mapping[str, str] = {}

    @property
    def key(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """What makes it this question, whatever the order of its choices; None where no field is known to ask."""
        return (self.asks, tuple(sorted(self.choices))) if self.asks else None


def question_of(line: Line) -> Question:
    """Return the question of a logged row; of a damaged or empty document one that equals nothing."""
    document = line.document()
    if document is None:
        return Question((), (), ())
    fields = document if isinstance(document, dict) else {"text": document}
    asks = tuple(collapsed_spaces(fields[name]) for name in QUESTION_FIELDS if isinstance(fields.get(name), str))
    own = {str(name): collapsed_spaces(json.dumps(value, sort_keys=True)) for name, value in fields.items()}
    return Question(tuple(sorted(document_texts(document))), asks, choices_of(fields), own)


def by_shared_fields(ours: Sequence[Question], theirs: Sequence[Question]) -> tuple[list[Key], list[Key]]:
    """Return what makes each document of two sides the same but for fields that one side alone has.

    None for all where both sides have the same fields, or none in common.
    """
    names = [{name for one in side for name in one.fields} for side in (ours, theirs)]
    shared = sorted(names[0] & names[1])
    if not shared or names[0] == names[1]:
        return [None] * len(ours), [None] * len(theirs)
    keys = [[tuple(one.fields.get(name) for name in shared) for one in side] for side in (ours, theirs)]
    return list(keys[0]), list(keys[1])


def collapsed_spaces(text: str) -> str:
    """Return a text with its white space made alike."""
    return " ".join(text.split())


def document_texts(value: Json, listed: bool = False) -> Iterator[str]:
    """Yield the texts of a document in any order, but for marks of the answer and names of the choices."""
    if isinstance(value, str):
        if listed or not re.fullmatch(ANSWER_MARK, value):
            yield collapsed_spaces(value)
    elif isinstance(value, list):
        for item in value:
            yield from document_texts(item, listed=True)
    elif isinstance(value, dict):
        for item in value.values():
            yield from document_texts(item)


def choices_of(fields: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the choices in their order: the list of texts under a known name, else the only list of texts."""
    lists = dict(lists_of(fields))
    for name in CHOICE_FIELDS:
        for key, found in lists.items():
            if name in key.split("."):
                return found
    return next(iter(lists.values())) if len(lists) == 1 else ()


def lists_of(fields: Mapping[str, Json], under: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the lists of texts by dotted name; those of letters and numbers name the choices and are none."""
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from lists_of(value, f"{under}{name}.")
        if not isinstance(value, list) or len(value) < 2:
            continue
        items = [item.get("text") if isinstance(item, dict) else item for item in value]
        if all(isinstance(item, str) for item in items):
            texts = tuple(collapsed_spaces(str(item)) for item in items)
            if name not in ("label", "labels") or not all(re.fullmatch(ANSWER_MARK, text) for text in texts):
                yield f"{under}{name}", texts


def right_answer(line: Line, choices: tuple[str, ...]) -> str | None:
    """Return the text of the right choice by the row's target: a place, a letter, or the text; None where unknown."""
    target = line.target()
    if target is None:
        return None
    text = collapsed_spaces(str(target))
    mark = text.strip("().: ")
    place = int(mark) if mark.isascii() and mark.isdecimal() and len(mark) <= 2 else "ABCDEFGHIJ".find(mark.upper())
    by_place = choices[place] if len(mark) <= 2 and mark and 0 <= place < len(choices) else None
    if text not in choices or by_place == text:
        return by_place if text not in choices else text
    return text if by_place is None else answer_by_kind(line, text, place, by_place)


def answer_by_kind(line: Line, text: str, place: int, by_place: str) -> str | None:
    """Return the right answer where a target may be a choice's place or its text: the document's own kind decides."""
    document = line.document()
    values = document.values() if isinstance(document, dict) else ()
    if any(type(value) is int and value == place for value in values):
        return by_place
    return text if any(isinstance(value, str) and collapsed_spaces(value) == text for value in values) else None


def in_order_of(left: Line, right: Line, numbers: Sequence[float]) -> Sequence[float]:
    """Return the right row's numbers in the order in which the left one asks for the same choices."""
    ours, theirs = ([collapsed_spaces(each.continuation or "") for each in line.requests()] for line in (left, right))
    if sorted(ours) != sorted(theirs) or len(set(ours)) < len(ours) or len(numbers) != len(theirs):
        return numbers
    return [numbers[theirs.index(choice)] for choice in ours]
