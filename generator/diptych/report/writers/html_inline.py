"""Running text as HTML: names that may break at their joints, code, links, toned words."""

import re
from functools import lru_cache

from diptych.numbers import NO_BREAK
from diptych.report import blocks
from diptych.report.writers.diffs import hidden_shown
from diptych.report.writers.escape import SHORT, esc, escape
from diptych.report.writers.sides import fold_middle

REGION = '<div class="scroll" tabindex="0" role="region" aria-label="{}">'
"""What may be wider than the screen: it scrolls by itself, also by keyboard."""


SIGNED = re.compile(r"(?<=^\W) ")
"""The space between a sign and its word: no line ends there."""

LONG_CODE = 240
"""Characters from which on a value folds."""


BREAKS = re.compile(r"(?<=\w)([_/=:]|\.(?!\d{1,2}(?!\w)))(?=\w)")
"""Places where a long name may break; a version does not."""


def name_html(text: str) -> str:
    """Return a name that may break at its joints where a column is narrow."""
    return breaking(text) if len(text) <= SHORT else BREAKS.sub(r"\1<wbr>", esc(text))


@lru_cache(4096)
def breaking(text: str) -> str:
    """Return a name of usual length; the same ones stand on every page."""
    return BREAKS.sub(r"\1<wbr>", esc(text)) if len(text) > 14 else esc(text)


QUOTED = re.compile(r"`([^`\n]{1,200})`")
"""A command or a field inside a sentence."""


WHOLE = re.compile(r"(?<![\w-])--[a-z][\w-]*(?: \d+)?|\b\d{4}-\d\d-\d\d(?: \d\d:\d\d)?")
"""An option with its number, a date with its time: a browser would break them behind a hyphen."""


HYPHENS = re.compile(r"-(?:-|\d\d-)")
"""What every option and every date holds, found in a tenth of the time."""


REMEMBERED = 400
"""Characters of a sentence that is remembered: how a method works, and most notes, stand on many pages."""


def sentence_html(text: str) -> str:
    """Return a sentence; what stands in back quotes is code, and no line ends inside an option or a date."""
    return short_sentence(text) if len(text) <= REMEMBERED else written_sentence(text)


@lru_cache(1024)
def short_sentence(text: str) -> str:
    """Return a sentence of usual length."""
    return written_sentence(text)


def written_sentence(text: str) -> str:
    """Return a sentence, worked out."""
    told = QUOTED.sub(r"<code>\1</code>", esc(text)) if "`" in text else esc(text)
    return WHOLE.sub(r'<span class="nowrap">\g<0></span>', told) if HYPHENS.search(told) else told


def line_html(line: blocks.Line) -> str:
    """Return running text."""
    return inline_html(line[0]) if len(line) == 1 else "".join(map(inline_html, line))


def inline_html(part: blocks.Inline) -> str:
    """Return one part of running text; long code folds."""
    if isinstance(part, str):
        return sentence_html(part)
    if isinstance(part, blocks.Name):
        return name_html(part.text)
    if isinstance(part, blocks.Code):
        text = part.text
        if len(text) > LONG_CODE:
            shown = fold_middle(hidden_shown(text), LONG_CODE // 2, LONG_CODE // 4, "more characters", True)
            return f'<div class="value">{shown}</div>'
        return f"<code>{name_html(text)}</code>"
    if isinstance(part, blocks.Link):
        shown = f"<code>{name_html(part.text)}</code>" if part.code else name_html(part.text)
        return f'<a href="{escape(part.href)}">{shown}</a>'
    if part.tone in blocks.BESIDE:
        return f"<small>{esc(part.text.strip())}</small>"
    return f'<span class="word {part.tone}">{esc(SIGNED.sub(NO_BREAK, part.text))}</span>'
