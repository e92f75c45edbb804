"""Text that a model or a person wrote, made harmless: no control, hidden or reordering character acts.

Every output (terminal, page, comment) goes through `visible` first and then through its own escaping.
"""

import re
import unicodedata

BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u3164\uffa0\u2800")
PRINTED_BLANKS = re.compile(f"[{''.join(sorted(BLANK_LETTERS))}\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""What counts as printable and shows nothing all the same."""

HIDDEN_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def is_hidden_character(character: str) -> bool:
    """Say whether a character shows nothing, acts on its neighbours, or cannot be written to a file."""
    code = ord(character)
    if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:  # variation selectors
        return True
    return character in BLANK_LETTERS or unicodedata.category(character) in HIDDEN_CATEGORIES


def character_number(character: str) -> str:
    """Return a character as its number in angle brackets ("⟨U+202E⟩")."""
    return f"⟨U+{ord(character):04X}⟩"


def visible(text: str) -> str:
    """Return text with line ends made \\n and every hidden or acting character replaced by its number."""
    if text.isprintable() and (text.isascii() or not PRINTED_BLANKS.search(text)):
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = {character for character in set(text) if character not in "\n\t" and is_hidden_character(character)}
    return text.translate({ord(character): character_number(character) for character in found}) if found else text


def one_line(text: str) -> str:
    """Return visible text on one line: a line end becomes ↵, a tab →."""
    return visible(text).replace("\n", "↵").replace("\t", "→")


def shorten(text: str, limit: int) -> str:
    """Return visible text on one line, cut in its middle where it is longer than `limit`."""
    if len(text) > 4 * limit:  # no need to look at what will be cut
        text = text[: 2 * limit] + text[-2 * limit :]
    line = one_line(text)
    if len(line) <= limit:
        return line
    head = (limit - 1) * 2 // 3
    return f"{line[:head]}…{line[head + 1 - limit :]}"
