"""The ledger of flips: every item that moved, with both prompts, both answers and where they part; pages of fifty."""

from collections.abc import Sequence
from typing import NamedTuple

from diptych import numbers
from diptych.bounded import whole_number
from diptych.catalogue.words import CLASSES
from diptych.comparison import FLIP_CLASSES, Comparison, Flip, FlipClass, FlipCount, FlipSide
from diptych.report.writers.escape import Markup, address, esc, escape, id_of
from diptych.report.writers.harmless import shorten
from diptych.report.writers.sides import pair_html

PAGE = 50
"""Items a page."""

LEDGER = 20
"""Items that the comparison's own page lists."""

ORDER = tuple(FLIP_CLASSES)


class Item(NamedTuple):
    """One item of one task with all its flips, one a filter; `page` is the number of its page, from 1."""

    task: str
    item: str
    class_: FlipClass
    flips: tuple[Flip, ...]
    page: int


class Chip(NamedTuple):
    """One choice among the flips: a class, a task or a filter, how many, and the anchor of its first item."""

    text: str
    count_: str
    href: str
    title: str


class ItemPage(NamedTuple):
    """One page of items: its name, its number of all, its articles as HTML."""

    name: str
    number: int
    pages: int
    body: Markup


def items_of(comparison: Comparison) -> tuple[Item, ...]:
    """Return the flips by item: lost first, then gained and the rest, in the artifact's order within a class."""
    grouped: dict[tuple[str, str], list[Flip]] = {}
    for flip in comparison.flips:
        grouped.setdefault((flip.task, flip.item), []).append(flip)
    rows = [
        (min(ORDER.index(flip.class_) for flip in flips), task, item, tuple(flips))
        for (task, item), flips in grouped.items()
    ]
    rows.sort(key=lambda row: row[0])  # stable: what was first stays first within its class
    return tuple(
        Item(task, item, ORDER[place], flips, number // PAGE + 1)
        for number, (place, task, item, flips) in enumerate(rows)
    )


def page_name(number: int) -> str:
    """Return the name of a page of items."""
    return f"items-{number}.html"


def anchor(task: str, item: str) -> str:
    """Return the fragment that leads to an item, the same for good."""
    return f"#{address(f'{task}/{item}')}"


def chips(comparison: Comparison, items: Sequence[Item], inside: bool) -> tuple[tuple[str, tuple[Chip, ...]], ...]:
    """Return the choices by class, task and filter; `inside` says that all items stand on the page itself."""
    rows = []
    for name in ("class", "task", "filter"):
        counts: dict[str, int] = {}
        for row in of_tasks(comparison):
            key = {"class": row.class_, "task": row.task, "filter": row.filter}[name]
            counts[key] = counts.get(key, 0) + row.count_
        keys = [key for key in ORDER if key in counts] if name == "class" else list(counts)
        made = tuple(chip(name, key, counts[key], items, inside) for key in keys)
        if name == "class" or len(made) > 1:
            rows.append((name, made))
    return tuple(rows)


def of_tasks(comparison: Comparison) -> list[FlipCount]:
    """Return the counts of changed items task by task, without the sums of benchmarks."""
    groups = {row.task for row in comparison.metrics if row.group}
    return [row for row in comparison.flip_counts if row.task not in groups]


def chip(name: str, key: str, count: int, items: Sequence[Item], inside: bool) -> Chip:
    """Return one choice with a link to the first item it holds."""
    found = next((item for item in items if key in keys_of(item, name)), None)
    href = ""  # nothing of it is kept: there is no place to lead to
    if found is not None:
        href = f"{'' if inside else page_name(found.page)}#{address(f'{name}={key}')}"
    class_ = next((each for each in ORDER if each == key), None) if name == "class" else None
    text = CLASSES[class_].word if class_ else key
    title = CLASSES[class_].meaning if class_ else f"flips of {name} {key}"
    return Chip(text, numbers.count(count), href, title)


def keys_of(item: Item, name: str) -> tuple[str, ...]:
    """Return the classes, the task or the filters of an item."""
    if name == "class":
        return (item.class_,)
    return (item.task,) if name == "task" else tuple(flip.filter for flip in item.flips)


def item_pages(comparison: Comparison, items: Sequence[Item]) -> tuple[ItemPage, ...]:
    """Return all items in pages of fifty."""
    pages = max((item.page for item in items), default=0)
    seen: set[str] = set()
    made = []
    for number in range(1, pages + 1):
        mine = [item for item in items if item.page == number]
        made.append(ItemPage(page_name(number), number, pages, Markup(articles(mine, seen))))
    return tuple(made)


def articles(items: Sequence[Item], seen: set[str]) -> str:
    """Return items as articles under their class; `seen` keeps each anchor to the first item it names."""
    parts = []
    last = ""
    for item in items:
        if item.class_ != last:
            last = item.class_
            words = f"{CLASSES[item.class_].word.capitalize()}: {CLASSES[item.class_].meaning}"
            mark = f"class={last}"
            parts.append(f'<h2{once(mark, seen)} class="flip-class">{esc(words)}</h2>')
        parts.append(article(item, seen))
    return "".join(parts)


def once(name: str, seen: set[str]) -> str:
    """Return an id attribute the first time it is asked for."""
    if name in seen:
        return ""
    seen.add(name)
    return f' id="{escape(id_of(name))}"'


def article(item: Item, seen: set[str]) -> str:
    """Return one item whole: what happened under each filter, its prompts, its answers."""
    first = item.flips[0]
    name = f"{item.task}/{item.item}"
    marks = [f"task={item.task}", *(f"filter={flip.filter}" for flip in item.flips)]
    spans = "".join(f"<span{attribute}></span>" for mark in marks if (attribute := once(mark, seen)))
    margins = [abs(margin) for flip in item.flips for margin in (flip.margin_a, flip.margin_b) if margin is not None]
    filters = " ".join(dict.fromkeys(id_of(flip.filter) for flip in item.flips))
    data = (
        f'data-class="{item.class_}" data-task="{escape(id_of(item.task))}" data-filter="{escape(filters)}"'
        f"{f' data-margin={min(margins):.6g}' if margins else ''}"
    )
    return (
        f'<article class="item" id="{escape(id_of(name))}" {data}>{spans}'
        f'<h3><a href="{escape(anchor(item.task, item.item))}">{esc(shorten(item.task, 80))}, item '
        f"{esc(shorten(item.item, 80))}</a></h3>{outcomes(item)}{prompts(first)}{answers(first)}</article>"
    )


def outcomes(item: Item) -> str:
    """Return what happened to an item under each filter, with the target."""
    target = item.flips[0].target
    rows = "".join(outcome(flip) for flip in item.flips)
    shown = (
        f"<code>{esc(shorten(target, 400))}</code>" if target is not None else '<span class="quiet">not recorded</span>'
    )
    return (
        f'<p>Target: {shown}</p><div class="scroll"><table><thead><tr><th scope="col">Filter</th>'
        '<th scope="col">What happened</th><th scope="col">Extracted in A</th><th scope="col">Extracted in B</th>'
        '<th scope="col" class="num">Score A</th><th scope="col" class="num">Score B</th>'
        f'<th scope="col" class="num">Margin A</th><th scope="col" class="num">Margin B</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def outcome(flip: Flip) -> str:
    """Return one filter's row."""
    shown = [numbers.item_score(side.score if side else None) for side in (flip.a, flip.b)]
    shown += [numbers.score(margin) for margin in (flip.margin_a, flip.margin_b)]
    cells = "".join(f'<td class="num">{number}</td>' for number in shown)
    return (
        f'<tr><th scope="row">{esc(shorten(flip.filter, 60))}</th><td>{CLASSES[flip.class_].word}</td>'
        f"<td>{extracted(flip.a)}</td><td>{extracted(flip.b)}</td>{cells}</tr>"
    )


def extracted(side: FlipSide | None) -> str:
    """Return the answer that a filter kept; for a choice its text too."""
    if side is None:
        return '<span class="empty">no row</span>'
    if side.filtered is None:
        return '<span class="empty">nothing</span>'
    text = side.filtered
    place = whole_number(text)
    if side.choices and place is not None and place < len(side.choices):
        return f"<code>{esc(text)}</code> {esc(shorten(side.choices[place].strip(), 80))}"
    return f"<code>{esc(shorten(text, 160))}</code>"


def choice_text(text: str, choices: Sequence[str]) -> str:
    """Return a filtered response; of a choice, which is logged by its number, its text too."""
    place = whole_number(text)
    if choices and place is not None and place < len(choices):
        return f"{text} {shorten(choices[place].strip(), 80)}"
    return text


def prompts(flip: Flip) -> str:
    """Return both prompts of an item."""
    a, b = (side.prompt if side else None for side in (flip.a, flip.b))
    return "" if a is None and b is None else f"<h4>Prompt</h4>{pair_html(a, b)}"


def answers(flip: Flip) -> str:
    """Return both raw answers, or the choices where the model only scored them."""
    a, b = (side.response if side else None for side in (flip.a, flip.b))
    if a is None and b is None:
        return choices(flip)
    return f"<h4>Raw answer</h4>{pair_html(a, b, parting=True)}"


def choices(flip: Flip) -> str:
    """Return the choices of each side, once where they are the same."""
    a, b = (side.choices if side else () for side in (flip.a, flip.b))
    if not a and not b:
        return ""
    lists = [("", a)] if a == b else [("A: ", a), ("B: ", b)]
    rows = "".join(f"<p>{name}{numbered(row)}</p>" for name, row in lists)
    return f"<h4>Choices</h4>{rows}"


def numbered(texts: Sequence[str]) -> str:
    """Return choices with their numbers, as a model's answer names them."""
    return ", ".join(f"{number} <code>{esc(shorten(text, 120))}</code>" for number, text in enumerate(texts))


def ledger(items: Sequence[Item], inside: bool) -> Markup:
    """Return the first items as a table's rows, each a link to the whole item."""
    rows = []
    for item in items[:LEDGER]:
        flip = item.flips[0]
        page = "" if inside else page_name(item.page)
        name = f"{shorten(item.task, 40)}/{shorten(item.item, 40)}"
        margins = "".join(f'<td class="num">{numbers.score(number)}</td>' for number in (flip.margin_a, flip.margin_b))
        target = esc(shorten(flip.target, 60)) if flip.target is not None else numbers.NOT_AVAILABLE
        rows.append(
            f'<tr><th scope="row"><a href="{escape(page + anchor(item.task, item.item))}">{esc(name)}</a></th>'
            f"<td>{CLASSES[item.class_].word}</td><td>{extracted(flip.a)}</td><td>{extracted(flip.b)}</td>"
            f"<td><code>{target}</code></td>{margins}</tr>"
        )
    return Markup("".join(rows))
