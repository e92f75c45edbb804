"""What an answer says: its first text, whether a filter found anything, whether it holds the right value."""

from functools import cache
from re import Pattern

from diptych.sample_log import Json

NOTHING = ("", "[invalid]", "[fallback]")
"""What a filter leaves where it found no answer."""


def is_nothing(filtered: object) -> bool:
    """Say whether a filter's output says that it found no answer."""
    while isinstance(filtered, (list, tuple)):
        if len(filtered) != 1:
            return not filtered
        filtered = filtered[0]
    return filtered is None or (isinstance(filtered, str) and filtered.strip().lower() in NOTHING)


@cache
def numerals() -> Pattern[str]:
    """Return the expression for a number as people write it."""
    import re

    return re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def holds_target(answer: str, target: object) -> bool:
    """Say whether a raw answer holds the right value: the target's last number, or its words where it has none."""
    if not isinstance(target, str):
        target = "" if isinstance(target, (dict, list)) or target is None else str(target)
    numbers = numerals().findall(target.rpartition("####")[2])
    if numbers:
        return plain_number(numbers[-1]) in map(plain_number, numerals().findall(answer))
    words = plain_words(target)
    return len(words) > 1 and words in plain_words(answer)


def plain_number(text: str) -> str:
    """Return a number without thousands separators and trailing zeros."""
    bare = text.replace(",", "")
    return bare.rstrip("0").rstrip(".") if "." in bare else bare


def plain_words(text: str) -> str:
    """Return the letters and numerals of a text in lower case: what is left when form is taken away."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def first_text(value: Json) -> str:
    """Return the first answer of an item as text."""
    while isinstance(value, list):
        value = value[0] if value else ""
    return value if isinstance(value, str) else "" if value is None else str(value)


def form_of(value: Json) -> str:
    """Return what is left of a filtered answer without case, spaces, punctuation and markup."""
    return plain_words(first_text(value))
