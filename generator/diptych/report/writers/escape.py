"""Text as HTML, where a page's rows are put together in Python because a template would cost five times as much."""

import re
from functools import lru_cache

from markupsafe import Markup, escape

from diptych.report.writers.harmless import visible

__all__ = ["Markup", "esc", "esc_all", "escape", "fragment_of", "id_of"]


PLAIN = re.compile(r"[ !#-%(-;=?-~−±Δ→…·–▲▼\u00a0\u2007\u2008]*")
"""What most cells hold: no character that HTML acts on, none that is hidden."""


def esc(text: str) -> str:
    """Return text with hidden characters shown and everything that HTML acts on escaped."""
    return esc_short(text) if type(text) is str and len(text) <= SHORT else str(escape(visible(text)))


def esc_all(texts: list[str]) -> list[str]:
    """Return texts escaped: of a column of numbers one look tells that HTML acts on nothing in it."""
    return texts if PLAIN.fullmatch("".join(texts)) else [esc(text) for text in texts]


SHORT = 80
"""Characters of a text that is remembered: names and words stand in every row, and the same ones on every page."""


@lru_cache(4096)
def esc_short(text: str) -> str:
    """Return a name or a word escaped."""
    return text if PLAIN.fullmatch(text) else str(escape(visible(text)))


def id_of(text: str) -> str:
    """Return an element's id for a name, the same for good: white space, which an id may not hold, as its number."""
    shown = visible(text)
    if shown.split(None, 1)[:1] == [shown]:
        return shown
    return "".join(character if not character.isspace() else f"U+{ord(character):04X}" for character in shown)


def fragment_of(text: str) -> str:
    """Return an id as the fragment of a link, percent-encoded."""
    from urllib.parse import quote

    return quote(id_of(text), safe="/=:@!$&'()*+,;~-._?")
