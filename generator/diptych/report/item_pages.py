"""The changed items, each whole: what happened under each filter, its choices, both prompts and responses.

Counts and classes are those of each task's primary metric and filter; what changed under another filter alone stands
last. Pages of fifty.
"""

from collections.abc import Sequence

from diptych import numbers, value_text
from diptych.catalogue.words import CLASSES, OTHER_FILTER, word_of
from diptych.closed_names import FlipClass
from diptych.comparison import Comparison, Flip
from diptych.fast_named_tuple import NamedTuple
from diptych.report.blocks import Code, Column, Line, Row, Table, Toned
from diptych.report.documents.changes import ORDER, changed_counts, counted_under, is_primary, kept_answer
from diptych.report.documents.choices import choice_table
from diptych.report.documents.column_labels import column_labels
from diptych.report.writers.escape import Markup, esc, escape, fragment_of, id_of
from diptych.report.writers.harmless import shorten
from diptych.report.writers.html_inline import line_html
from diptych.report.writers.html_tables import plain_table_html
from diptych.report.writers.sides import pair_html

MOST_CHOICES = 12
"""Choices that stand in sight; more are folded."""

PAGE = 50
"""Items a page."""

UNFILTERED = "no filter"

ASIDE = "other-filter"
"""The mark of items that changed under another filter than the primary one alone."""


class Item(NamedTuple):
    """One item of one task with all its flips, the primary filter's first; `page` is the number of its page, from 1.

    `aside` says that it changed under another filter than the primary one alone.
    """

    task: str
    item: str
    class_: FlipClass
    flips: tuple[Flip, ...]
    page: int
    aside: bool = False

    @property
    def mark(self) -> str:
        """What the item is listed under."""
        return ASIDE if self.aside else self.class_


class Chip(NamedTuple):
    """One choice among the changed items: how many, and the anchor of its first item."""

    text: str
    count_: str
    href: str
    title: str


class Choices(NamedTuple):
    """The choices by class, task or filter; `folded` is what they are folded under, "" where all stand in sight."""

    name: str
    chips: tuple[Chip, ...]
    folded: str = ""


class ItemPage(NamedTuple):
    """One page of items: its name, its number of all, its articles as HTML."""

    name: str
    number: int
    pages: int
    body: Markup


def items_of(comparison: Comparison) -> tuple[Item, ...]:
    """Return the changed items: regressed first, then fixed and the rest, in the artifact's order within a class."""
    primary = counted_under(comparison)
    grouped: dict[tuple[str, str], list[Flip]] = {}
    for flip in comparison.flips:
        grouped.setdefault((flip.task, flip.item), []).append(flip)
    rows = []
    for (task, item), flips in grouped.items():
        flips.sort(key=lambda flip: not is_primary(flip, primary))
        rows.append((not is_primary(flips[0], primary), ORDER.index(flips[0].class_), task, item, tuple(flips)))
    rows.sort(key=lambda row: row[:2])  # stable: what was first stays first within its class
    return tuple(
        Item(task, item, ORDER[place], flips, number // PAGE + 1, aside)
        for number, (aside, place, task, item, flips) in enumerate(rows)
    )


def page_name(number: int) -> str:
    """Return the name of a page of items."""
    return f"items-{number}.html"


def anchor(task: str, item: str) -> str:
    """Return the fragment that leads to an item, the same for good."""
    return f"#{fragment_of(f'{task}/{item}')}"


def choices(comparison: Comparison, items: Sequence[Item], page: int) -> tuple[Choices, ...]:
    """Return the choices of a page by class, task and filter: how many stand there, and of how many in all."""
    counts = changed_counts(comparison)
    classes: dict[str, int] = {
        name: total for name in ORDER if (total := sum(row.get(name, 0) for row in counts.values()))
    }
    if aside := sum(item.aside for item in items):
        classes |= {ASIDE: aside}
    rows = [("class", classes)]
    rows.append(("task", {task: sum(row.values()) for task, row in counts.items() if sum(row.values())}))
    filters: dict[str, int] = {}
    for row in comparison.flip_counts:
        if row.task in counts:
            filters[row.filter] = filters.get(row.filter, 0) + row.count_
    rows.append(("filter", filters))
    return tuple(
        Choices(
            name,
            tuple(chip(name, key, total, items, page) for key, total in found.items()),
            f"By {name} ({numbers.count(len(found))})" if len(found) > MOST_CHOICES else "",
        )
        for name, found in rows
        if found and (name == "class" or len(found) > 1)
    )


def chip(name: str, key: str, count: int, items: Sequence[Item], page: int) -> Chip:
    """Return one choice with a link to the first item it holds."""
    mine = [item for item in items if key in item_keys(item, name)]
    here = sum(item.page == page for item in mine)
    found = next((item for item in mine if item.page == page), mine[0] if mine else None)
    href = ""  # nothing of it is kept: there is no place to lead to
    if found is not None:
        href = f"{page_name(found.page)}#{fragment_of(f'{name}={key}')}"
    text, title = class_words(key) if name == "class" else (key, f"changed items of {name} {key}")
    if name == "filter" and key in ("", "none"):
        text, title = UNFILTERED, "changed items of tasks without a named filter"
    told = numbers.count(count) if here == count else f"{numbers.count(here)} here, {numbers.count(count)} in all"
    return Chip(text, told, href, title)


def class_words(mark: str) -> tuple[str, str]:
    """Return a class in a word and a sentence."""
    word = OTHER_FILTER if mark == ASIDE else word_of(CLASSES, mark)
    return word.word, word.meaning


def item_keys(item: Item, name: str) -> tuple[str, ...]:
    """Return the classes, the task or the filters of an item."""
    if name == "class":
        return (item.mark,)
    return (item.task,) if name == "task" else tuple(flip.filter for flip in item.flips)


def item_pages(comparison: Comparison, items: Sequence[Item]) -> tuple[ItemPage, ...]:
    """Return all items in pages of fifty."""
    pages = max((item.page for item in items), default=0)
    made = []
    for number in range(1, pages + 1):
        seen: set[str] = set()  # each page has its own anchors, since its choices lead to what stands on it
        mine = [item for item in items if item.page == number]
        body = Markup(articles(mine, seen, column_labels(comparison)))
        made.append(ItemPage(page_name(number), number, pages, body))
    return tuple(made)


def articles(items: Sequence[Item], seen: set[str], labels: tuple[str, str]) -> str:
    """Return items as articles under their class; `seen` keeps each anchor to the first item it names."""
    parts = []
    last = ""
    for item in items:
        if item.mark != last:
            last = item.mark
            word, meaning = class_words(last)
            parts.append(
                f'<h2{once(f"class={last}", seen)} class="flip-class">{esc(word.capitalize())} '
                f'<span class="quiet">{esc(meaning)}</span></h2>'
            )
        parts.append(article(item, seen, labels))
    return "".join(parts)


def once(name: str, seen: set[str]) -> str:
    """Return an id attribute the first time it is asked for."""
    if name in seen:
        return ""
    seen.add(name)
    return f' id="{escape(id_of(name))}"'


def article(item: Item, seen: set[str], labels: tuple[str, str]) -> str:
    """Return one item whole: what happened under each filter, its responses, its prompts."""
    first = item.flips[0]
    name = f"{item.task}/{item.item}"
    marks = [f"task={item.task}", *(f"filter={flip.filter}" for flip in item.flips)]
    spans = "".join(f"<span{attribute}></span>" for mark in marks if (attribute := once(mark, seen)))
    margins = [abs(margin) for flip in item.flips for margin in (flip.margin_a, flip.margin_b) if margin is not None]
    filters = " ".join(dict.fromkeys(id_of(flip.filter) for flip in item.flips))
    data = (
        f'data-class="{item.mark}" data-task="{escape(id_of(item.task))}" data-filter="{escape(filters)}"'
        f"{f' data-margin={min(margins):.6g}' if margins else ''}"
    )
    return (
        f'<article class="item" id="{escape(id_of(name))}" {data}>{spans}'
        f'<h3><a href="{escape(anchor(item.task, item.item))}">{esc(shorten(item.task, 80))}, item '
        f"{esc(shorten(item.item, 80))}</a></h3>{item_outcomes(item, labels)}{responses(first, labels)}"
        f"{prompts(first, labels)}</article>"
    )


def item_outcomes(item: Item, labels: tuple[str, str]) -> str:
    """Return what happened to an item: its target, and a row a filter."""
    target = item.flips[0].target
    shown = f"<code>{esc(shorten(target, 400))}</code>" if target is not None else value_text.NOT_RECORDED
    return f"<p>Target: {shown}</p>{plain_table_html(outcome_table(item.flips, labels))}"


def outcome_table(flips: Sequence[Flip], labels: tuple[str, str]) -> Table:
    """Return a row a filter: metric, class, both answers, both scores, both logprob margins where there are any."""
    margins = any(margin is not None for flip in flips for margin in (flip.margin_a, flip.margin_b))
    columns = [Column("Metric"), Column("Class"), *(Column(label) for label in labels), Column("Score")]
    columns += [Column("Logprob margin")] if margins else []
    return Table(tuple(columns), tuple(outcome_row(flip, margins) for flip in flips), "filters")


def outcome_row(flip: Flip, margins: bool) -> Row:
    """Return one filter's row."""
    word = word_of(CLASSES, flip.class_)
    scores = [numbers.item_score(side.score if side else None) for side in (flip.a, flip.b)]
    cells: list[Line] = [
        (Code(value_text.metric_name(flip.metric or "answer", flip.filter)),),
        (Toned(word.word, word.tone),),
        *(kept_answer(side, flip.metric) for side in (flip.a, flip.b)),
        (" → ".join(scores),),
    ]
    found = [numbers.score(margin) for margin in (flip.margin_a, flip.margin_b)]
    return Row((*cells, *([(" → ".join(found),)] if margins else [])))


def prompts(flip: Flip, labels: tuple[str, str]) -> str:
    """Return both prompts of an item; equal ones are closed, and the examples that they begin with folded."""
    a, b = (side.prompt if side else None for side in (flip.a, flip.b))
    if a is None and b is None:
        return ""
    shown = pair_html(a, b, labels=labels, brief=True)
    return (
        f"<h4>Prompt</h4>{shown}" if a != b else f"<details><summary>Prompt, equal in both</summary>{shown}</details>"
    )


def responses(flip: Flip, labels: tuple[str, str]) -> str:
    """Return both responses, or the choices with their log-likelihoods where the model only scored them."""
    if any(side and side.choices for side in (flip.a, flip.b)):
        return f"<h4>Choices</h4>{plain_table_html(choice_table(flip, labels))}"
    a, b = (side.response if side else None for side in (flip.a, flip.b))
    return "" if a is None and b is None else f"<h4>Response</h4>{pair_html(a, b, parting=True, labels=labels)}"


def lead_of(comparison: Comparison) -> Line:
    """Return which items stand on the pages, in a sentence."""
    a, b = comparison.a.label, comparison.b.label
    return (f"Items whose outcome or answer changed from {a} (baseline) to {b}.",)


def lead_html(comparison: Comparison) -> Markup:
    """Return the sentence above the items."""
    return Markup(line_html(lead_of(comparison)))
