"""The words and signs of a comment, and a chart that is text: shared by comparison, matrix and decision."""

import datetime
import math
from collections.abc import Sequence

from diptych import numbers, value_text
from diptych.comparison import RunHeader
from diptych.fast_named_tuple import NamedTuple
from diptych.report.comment.budget import Block
from diptych.report.writers.harmless import shorten, visible
from diptych.report.writers.markdown import cell, code_html, fence, plain_sentence

WIDTH = 17
"""Signs of a difference's chart: an odd number, so that nought has a sign of its own."""
EXCERPT = 600


class Section(NamedTuple):
    """What one artifact has to say: `intro` paragraphs, then blocks; the rest serves the overview of many."""

    sign: str
    word: str
    name: str
    title: str
    cause: str
    worst: str
    changed: bool
    intro: tuple[str, ...]
    blocks: tuple[Block, ...]
    closing: tuple[str, ...]
    left_out: tuple[str, ...]
    gate: str = ""
    """The outcome of its rules, as a sign and a word; "" where none was asked for."""
    summary: str = ""
    """What heads its fold among many, as HTML; "" where title and word do."""


def running_text(text: str, limit: int = 500, *, begins: bool = True) -> str:
    """Return a sentence for running text, where a pipe needs no backslash; a very long one is cut in its middle.

    `begins` says that it may stand at a line's beginning.
    """
    # at the beginning of a line, spaces would make it a block of code
    return plain_sentence(shorten(text.strip(), limit).strip(), begins=begins).replace("\\|", "|")


def code_name(text: str, limit: int = 60) -> str:
    """Return a name of the artifact's for running text: code, where a pipe needs no backslash."""
    return cell(text, limit).replace("\\|", "|")


def cells_row(*cells: str) -> str:
    """Return a table row of ready cells."""
    return f"| {' | '.join(cells)} |"


def table_head(*titles: str) -> str:
    """Return a table's head and its rule; a title that begins with `:` sets its column flush right."""
    rules = ["---:" if title.startswith(":") else "---" for title in titles]
    return f"{cells_row(*(title.removeprefix(':') for title in titles))}\n{cells_row(*rules)}"


def chart(difference: float | None, low: float | None, high: float | None, reach: float) -> str:
    """Return a difference and its range on an axis from -reach to +reach: `····├──●──┤·│····`."""
    if difference is None or reach <= 0:
        return ""
    signs = ["·"] * WIDTH
    signs[WIDTH // 2] = "│"
    if low is not None and high is not None:
        left, right = axis_place(low, reach), axis_place(high, reach)
        for spot in range(left, right + 1):
            signs[spot] = "┼" if spot == WIDTH // 2 else "─"
        signs[left], signs[right] = ("◂" if low < -reach else "├"), ("▸" if high > reach else "┤")
    signs[axis_place(difference, reach)] = "●"
    return f"`{''.join(signs)}`"


def axis_place(value: float, reach: float) -> int:
    """Return a value's place on the axis, held to its ends."""
    return max(0, min(WIDTH - 1, round((value / reach + 1) / 2 * (WIDTH - 1))))


def axis_reach(values: Sequence[float | None]) -> float:
    """Return how far an axis must reach for these values: the largest, up to a round number."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    if largest <= 0 or not math.isfinite(largest):
        return 0.0
    power = 10.0 ** math.floor(math.log10(largest))
    return float(next(step * power for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * power >= largest * (1 - 1e-9)))


def age(date: str | None, today: datetime.date | None) -> str:
    """Return how old a run is on a day, in words, or nothing where either is not known."""
    if date is None or today is None:
        return ""
    try:
        day = datetime.date.fromisoformat(date[:10])
    except ValueError:
        return ""
    days = (today - day).days
    if days < 0:
        return "dated in the future"
    return "made today" if days == 0 else f"{numbers.counted(days, 'day')} old"


def run_line(side: str, header: RunHeader, today: datetime.date | None) -> str:
    """Return who a side is: label, model, harness, when it ran and how old that is."""
    harness = " ".join(part for part in (header.harness, header.harness_version) if part)
    parts = [code_name(header.model, 80) if header.model else "", running_text(harness, 80)]
    parts += [running_text(value_text.date(header.date), 40), age(header.date, today)]
    commit = header.metadata.get("git_hash")
    parts.append(f"git {code_name(commit, 16)}" if isinstance(commit, str) and commit else "")
    return f"{side} {code_name(header.label)}: {', '.join(part for part in parts if part)}"


def text_beginning(text: str) -> str:
    """Return the beginning of a text as a block, and how much of it is not here."""
    if not text:
        return "(an empty text)"
    whole = visible(text)
    if len(whole) <= EXCERPT:
        return block(whole)
    return block(f"{whole[:EXCERPT]}\n… {numbers.count(len(whole) - EXCERPT)} more characters")


def block(text: str, info: str = "text") -> str:
    """Return a text as a block of its own: a fence, or raw HTML where the text holds what a bot may look for.

    Bots and mail see the raw body, where a fence protects nobody: a tag or a mention is never written out there.
    """
    if "<" not in text and "@" not in text:
        return fence(text, info).strip("\n")
    # the space keeps commands such as `/close` from the line's beginning, as in a fence
    lines = "\n".join(f" {line}" if line.lstrip().startswith("/") else line for line in visible(text).split("\n"))
    return f"<pre>{lines.translate(ENTITIES)}</pre>"


ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in "&<>@#`"}


def unread(names: Sequence[str]) -> str:
    """Return the line that names the files from which no artifact can be read."""
    listed = ", ".join(code_html(shorten(name, 60)) for name in names[:MOST_NAMES])
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"⚠ Left out, since no artifact can be read from it: {listed}{more}."


MOST_NAMES = 8
"""So many files are named in one line."""
