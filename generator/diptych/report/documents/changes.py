"""What changed item by item, as blocks: how many of each class, the first of them, and the prompts side by side."""

from collections.abc import Sequence

from diptych import numbers
from diptych.catalogue.words import CLASSES, word_of
from diptych.comparison import Comparison, Flip, FlipClass, FlipSide, PromptPair
from diptych.report.blocks import Block, Cell, Code, Column, Diff, Folded, Line, Link, Name, Row, Table, Toned
from diptych.report.documents.findings import Hrefs
from diptych.report.documents.scores import primary_rows
from diptych.report.documents.suspects import labels_of
from diptych.report.items import choice_text

FIRST = 12
"""Changed items that a comparison's own page lists."""

EXCERPTS = 4
PROMPTS = 4

ORDER: tuple[FlipClass, ...] = tuple(CLASSES)


def counts_of(comparison: Comparison) -> dict[str, dict[FlipClass, int]]:
    """Return for each task how many items changed in which way, under the task's primary metric and filter."""
    primary = {row.task: row for row in primary_rows(comparison.metrics)}
    counts: dict[str, dict[FlipClass, int]] = {}
    kept: dict[str, tuple[str, str]] = {}
    groups = {row.task for row in comparison.metrics if row.group}
    for task in dict.fromkeys(row.task for row in comparison.flip_counts if row.task not in groups):
        mine = [row for row in comparison.flip_counts if row.task == task]
        row = primary.get(task)
        wanted = [one for one in mine if row and one.filter == row.filter and one.metric in ("", row.metric)]
        first = (wanted or mine)[0]
        kept[task] = first.filter, first.metric
        counts[task] = {one.class_: one.count_ for one in mine if (one.filter, one.metric) == kept[task]}
    return counts


def counts_blocks(comparison: Comparison) -> tuple[Block, ...]:
    """Return how many items of each task changed in which way."""
    counts = counts_of(comparison)
    used = [name for name in ORDER if any(row.get(name) for row in counts.values())]
    if not used:
        return ()
    columns = (Column("Task"), *(Column(CLASSES[name].word, right=True) for name in used))
    order = sorted(counts, key=lambda task: (-sum(counts[task].values()), task))
    rows = tuple(
        Row(((Name(task),), *((numbers.count(counts[task].get(name, 0)),) for name in used))) for task in order
    )
    table = Table(columns, rows, "tasks with changed items")
    if len(rows) <= 8:
        return (table,)
    total: tuple[Cell, ...] = tuple((numbers.count(sum(row.get(name, 0) for row in counts.values())),) for name in used)
    whole = Table(columns, (Row((("all tasks",), *total)),))
    return whole, Folded((f"By task ({len(rows)})",), (table,))


def total_changed(comparison: Comparison) -> int:
    """Return how many items changed, over one metric a task."""
    return sum(sum(row.values()) for row in counts_of(comparison).values())


def first_items(comparison: Comparison, flips: Sequence[Flip], hrefs: Hrefs) -> Table:
    """Return the first changed items as a table, each a link to its page."""
    labels = labels_of(comparison)
    columns = (
        Column("Item"),
        Column("Class"),
        Column("Target"),
        Column(labels[0]),
        Column(labels[1]),
        Column("Logprob margin", right=True, leaves=1),
    )
    return Table(columns, tuple(item_row(flip, hrefs) for flip in flips[:FIRST]), "changed items")


def item_row(flip: Flip, hrefs: Hrefs) -> Row:
    """Return one changed item as a row."""
    name = f"{flip.task}/{flip.item}"
    href = hrefs.get((flip.task, flip.item))
    word = word_of(CLASSES, flip.class_)
    margins = [numbers.score(margin) for margin in (flip.margin_a, flip.margin_b) if margin is not None]
    target: Line = (Code(flip.target),) if flip.target is not None else (numbers.NOT_AVAILABLE,)
    return Row(
        (
            (Link(name, href),) if href else (Name(name),),
            (Toned(word.word, word.tone),),
            target,
            answer(flip.a),
            answer(flip.b),
            (" → ".join(margins) or numbers.NOT_AVAILABLE,),
        )
    )


def answer(side: FlipSide | None) -> Line:
    """Return what a filter kept of an answer, with the text of a choice."""
    if side is None:
        return ("no row",)
    if side.filtered is None:
        return ("nothing",)
    return (Code(choice_text(side.filtered, side.choices)),)


def excerpts(comparison: Comparison) -> tuple[Block, ...]:
    """Return a few changed items with their responses: of each class and task in turn, the regressed ones first."""
    seen: dict[tuple[str, str], int] = {}
    keyed = []
    for flip in comparison.flips:
        nth = seen[flip.task, flip.class_] = seen.get((flip.task, flip.class_), -1) + 1
        keyed.append((nth, ORDER.index(flip.class_) if flip.class_ in ORDER else len(ORDER), flip))
    chosen = [flip for _, _, flip in sorted(keyed, key=lambda entry: entry[:2])[:EXCERPTS]]
    return tuple(excerpt(flip, labels_of(comparison)) for flip in chosen)


def excerpt(flip: Flip, labels: tuple[str, str]) -> Diff:
    """Return one changed item: its class, its target, and what each side answered."""
    target: Line = (", target ", Code(flip.target)) if flip.target is not None else ()
    a, b = (
        None if side is None else side.response if side.response is not None else side.filtered
        for side in (flip.a, flip.b)
    )
    return Diff(f"{flip.task} item {flip.item}", (word_of(CLASSES, flip.class_).word, *target), a, b, labels)


def sample_blocks(comparison: Comparison, most: int, *, responses: bool) -> tuple[Block, ...]:
    """Return so many items a task side by side: prompts, and on request responses, filtered responses and targets.

    Equal prompts are said, not printed.
    """
    labels = labels_of(comparison)
    blocks: list[Block] = []
    flips: dict[str, list[Flip]] = {}
    for flip in comparison.flips:
        flips.setdefault(flip.task, []).append(flip)
    seen: dict[str, int] = {}
    for pair in comparison.prompts:
        seen[pair.task] = seen.get(pair.task, 0) + 1
        if seen[pair.task] <= most and not (responses and flips.get(pair.task)):
            blocks.append(prompt_diff(pair, labels, None))
    for flip in (flip for mine in flips.values() for flip in mine[:most]) if responses else ():
        blocks += sample_of(flip, labels)
    return tuple(blocks)


def sample_of(flip: Flip, labels: tuple[str, str]) -> list[Block]:
    """Return one changed item whole: its class and target, its prompts, responses and filtered responses."""
    word = word_of(CLASSES, flip.class_)
    target: Line = (", target ", Code(flip.target)) if flip.target is not None else ()
    sides = (flip.a, flip.b)
    texts = {
        "prompt": [side.prompt if side else None for side in sides],
        "response": [side.response if side else None for side in sides],
        "filtered response": [
            choice_text(side.filtered, side.choices) if side and side.filtered is not None else None for side in sides
        ],
    }
    head: Line = (Name(f"{flip.task}, item {flip.item}"), f": {word.word}", *target)
    kept = [(name, pair) for name, pair in texts.items() if pair[0] is not None or pair[1] is not None]
    return [head, *(Diff(name, (), pair[0], pair[1], labels) for name, pair in kept)]


def prompt_blocks(comparison: Comparison, limit: int | None = None) -> tuple[Block, ...]:
    """Return the first prompt of each task side by side; equal ones are said, not shown, in one line."""
    first: dict[str, PromptPair] = {}
    for pair in comparison.prompts:
        first.setdefault(pair.task, pair)
    equal = [pair.task for pair in first.values() if pair.a == pair.b and pair.a is not None]
    differ = [pair for pair in first.values() if pair.task not in equal]
    labels = labels_of(comparison)
    blocks: list[Block] = [prompt_diff(pair, labels, limit) for pair in differ[:PROMPTS]]
    if len(differ) > PROMPTS:
        blocks.append((f"{numbers.counted(len(differ) - PROMPTS, 'more task')} with prompts that differ.",))
    if equal:
        names = numbers.listed(equal, 4)
        blocks.append(("The first prompts are equal in ", Name(names), "."))
    return tuple(blocks)


def prompt_diff(pair: PromptPair, labels: tuple[str, str], limit: int | None = None) -> Diff:
    """Return one item's prompts side by side; where a side sent turns, their roles are named."""
    turns = [
        f"{label} sends {numbers.counted(len(messages), 'turn')}: {', '.join(role for role, _ in messages[:8])}."
        for label, messages in zip(labels, (pair.a_messages, pair.b_messages), strict=True)
        if messages is not None
    ]
    short = len(pair.a or "") + len(pair.b or "") <= (12_000 if limit is None else limit)
    return Diff(f"{pair.task}, item {pair.item}", (" ".join((pair.note, *turns)),), pair.a, pair.b, labels, short)
