"""Markdown both ways: hostile text into Markdown that no forge can be tricked by, and our own manual into HTML.

A forge looks for mentions and references in what it has rendered, so neither a backslash nor an entity stops them:
only text inside code does. Every helper here therefore puts text into code, of the kind its place allows.
"""

import re
from typing import TYPE_CHECKING

from diptych.report.writers.harmless import one_line, shorten, visible

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["cell", "code", "code_html", "fence", "plain_sentence", "rendered", "shorten", "visible"]

# what a forge turns into a link even behind an entity: a mention, an address, a scheme, a file's ending
LINKING = {"@": "&#64;<wbr>", ":": "&#58;<wbr>", ".": "<wbr>&#46;"}


def code(text: str) -> str:
    """Return text as a code span on one line, fit for a table cell and for running text."""
    line = one_line(text)
    if not line:
        return "<code></code>"
    if "\\|" in line or line.endswith("\\") or "<" in line or "@" in line:
        # in a table a backslash before a pipe cannot be carried by a span: the cell would split;
        # a tag or a mention is not written out, since bots and mail read the raw text
        return code_html(line)
    ticks = "`" * (longest_run(line, "`") + 1)
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{ticks}{pad}{line}{pad}{ticks}".replace("|", "\\|")


def code_html(text: str) -> str:
    """Return text as an HTML code element on one line, fit for a summary and other raw HTML."""
    return f"<code>{''.join(map(entity, one_line(text)))}</code>"


def entity(character: str) -> str:
    """Return a character of text as it may stand in raw HTML inside Markdown."""
    if character in LINKING:
        return LINKING[character]
    if character.isascii() and not character.isalnum() and character != " ":
        return f"&#{ord(character)};"
    return character


def cell(text: str, limit: int = 120) -> str:
    """Return text as a table cell: a code span, cut in its middle where it is longer than `limit`."""
    return code(shorten(text, limit))


def fence(text: str, info: str = "text") -> str:
    """Return text as a fenced block between blank lines.

    A line that begins with a slash is moved by a space: some forges read commands such as `/close` from the raw text,
    fences or not.
    """
    body = visible(text)
    ticks = "`" * max(3, longest_run(body, "`") + 1)
    lines = "\n".join(f" {line}" if line.lstrip().startswith("/") else line for line in body.split("\n"))
    return f"\n{ticks}{info}\n{lines}\n{ticks}\n"


def plain_sentence(text: str, *, begins: bool = True) -> str:
    """Return our own sentence for running text: what Markdown or a forge would act on is put into code spans.

    Words that hold such a character become code; the other words stay as they are. `begins` says that it may stand at
    a line's beginning; a table's cell never does.
    """
    words = re.split(r"( +)", one_line(text))
    acting = [
        ACTING.search(word) or (begins and place == 0 and BEGINNING.search(word)) for place, word in enumerate(words)
    ]
    return "".join(code_word(word) if acts else word for word, acts in zip(words, acting, strict=True))


def code_word(word: str) -> str:
    """Return a word as code, brackets and stops around it left outside."""
    core = word.lstrip("(\"'")
    head = word[: len(word) - len(core)]
    core = core.rstrip(",.;:)\"'") or core
    return f"{head}{code(core)}{word[len(head) + len(core) :]}"


# what Markdown, a forge or a browser would act on; a lone '*' or '-' inside a word does nothing
ACTING = re.compile(
    r"[`<>\[\]|\\@#*~$!&{}]|(?<![^\W_])_|_(?![^\W_])|://|www\.|:\w+:|\w\.\w*[a-z]{2}|%[\w\"]|GH-\d|\b[0-9a-f]{7,40}\b"
)
# what begins a list, a rule or a command, at the beginning of a line only
BEGINNING = re.compile(r"^[-+=/]|^\d+[.)]$")


def longest_run(text: str, character: str) -> int:
    """Return the length of the longest run of a character."""
    return max((len(run) for run in re.findall(re.escape(character) + "+", text)), default=0)


def rendered(text: str) -> "Markup":
    """Return a manual page's Markdown as HTML; raw HTML in it is shown, not obeyed."""
    from markdown_it import MarkdownIt  # costs as much as an interpreter's start, and only the manual needs it
    from markupsafe import Markup

    # js-default keeps raw HTML off; the commonmark preset has it on
    made = MarkdownIt("js-default", {"linkify": False, "typographer": False}).render(text)
    return Markup(OPTION.sub('<code class="nowrap">', made))


OPTION = re.compile(r"<code>(?=--[\w-]{2,24}</code>)")
"""Where an option begins: a browser would break it behind its dashes."""
