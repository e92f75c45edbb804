"""What changed item by item, as blocks: how many of each class, the first of them, and the prompts side by side."""

from collections.abc import Mapping, Sequence

from diptych import numbers, value_text
from diptych.catalogue.side_labels import with_labels
from diptych.catalogue.words import CLASSES, OTHER_FILTER, SAME_WORDS, word_of
from diptych.closed_names import FlipClass
from diptych.comparison import Comparison, Flip, FlipCount, FlipSide, Json, PromptPair
from diptych.report.artifact_cache import of_last
from diptych.report.blocks import Block, Cell, Code, Column, Diff, Folded, Line, Link, Name, Row, Table, Text, Toned
from diptych.report.documents.choices import choice_lines, choice_table, side_answer
from diptych.report.documents.column_labels import column_labels
from diptych.report.documents.findings import Hrefs
from diptych.report.documents.scores import primary_rows
from diptych.report.writers.harmless import shorten

Docs = Mapping[tuple[str, str], tuple[Json, Json]]
"""The doc of each side by task and item; None where a side has logged none."""

FIRST = 12
"""Changed items that a comparison's own page lists."""

EXCERPTS = 4
PROMPTS = 4

ORDER: tuple[FlipClass, ...] = tuple(CLASSES)


Counted = Mapping[str, frozenset[tuple[str, str]]]
"""By task the filter and metric that its changed items are counted under; of a task in slices those of each."""


@of_last
def counted_under(comparison: Comparison) -> Counted:
    """Return the filters and metrics that each task's changed items are counted under: its primary one, or ones.

    Where no item changed under those, the first that items changed under.
    """
    primary: dict[str, set[tuple[str, str]]] = {}
    for lead in primary_rows(comparison.metrics):
        primary.setdefault(lead.task, set()).update([(lead.filter, lead.metric), (lead.filter, "")])
    groups = {row.task for row in comparison.metrics if row.group}
    found: dict[str, list[tuple[str, str]]] = {}
    counted = [(row.task, row.filter, row.metric) for row in comparison.flip_counts]
    for task, filter_, metric in (*counted, *((flip.task, flip.filter, flip.metric) for flip in comparison.flips)):
        if task not in groups:
            found.setdefault(task, []).append((filter_, metric))
    kept = {}
    for task, mine in found.items():
        wanted = [one for one in mine if one in primary.get(task, ())]
        first = (wanted or mine)[0]
        kept[task] = frozenset(one for one in wanted if one[1] and first[1]) or frozenset([first])
    return kept


def is_primary(row: Flip | FlipCount, primary: Counted) -> bool:
    """Say whether a changed item, or a count of them, is of its task's primary filter and metric.

    An item that one side lacks has no metric of its own.
    """
    kept = primary.get(row.task, frozenset())
    if (row.filter, row.metric) in kept:
        return True
    return row.class_ == "one_side_missing" and not row.metric and any(name == row.filter for name, _ in kept)


def changed_counts(comparison: Comparison) -> dict[str, dict[FlipClass, int]]:
    """Return for each task how many items changed in which way, under the task's primary metric and filter."""
    primary = counted_under(comparison)
    counts: dict[str, dict[FlipClass, int]] = {}
    for row in comparison.flip_counts:
        if is_primary(row, primary):
            own = counts.setdefault(row.task, {})
            own[row.class_] = own.get(row.class_, 0) + row.count_
    return counts


def counts_blocks(comparison: Comparison) -> tuple[Block, ...]:
    """Return how many items of each task changed in which way."""
    counts = changed_counts(comparison)
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
    return sum(sum(row.values()) for row in changed_counts(comparison).values())


def parts_of_changed(comparison: Comparison) -> str:
    """Return the parts of how many items changed ("12 by score, 17 by answer alone, 2 under another filter only."), ""
    where there is one alone."""
    counted, total = total_changed(comparison), kept_and_changed(comparison)[1]
    counts = changed_counts(comparison).values()
    scored = sum(row.get(name, 0) for row in counts for name in ("lost", "gained"))
    lone = sum(row.get("one_side_missing", 0) for row in counts)
    parts = (
        (scored, "by score"),
        (counted - scored - lone, "by answer alone"),
        (lone, CLASSES["one_side_missing"].word),
        (total - counted, OTHER_FILTER.word),
    )
    told = [f"{numbers.count(n)} {word}" for n, word in parts if n]
    return f"{', '.join(told)}." if len(told) > 1 else ""


def kept_and_changed(comparison: Comparison) -> tuple[int, int]:
    """Return how many of the changed items are kept with their texts, and how many there are."""
    kept = len({(flip.task, flip.item) for flip in comparison.flips})
    return kept, max(total_changed(comparison), kept)


def first_items(comparison: Comparison, flips: Sequence[Flip], hrefs: Hrefs) -> Table:
    """Return the first changed items as a table, each a link to its page."""
    labels = column_labels(comparison)
    primary = counted_under(comparison)
    first = sorted(flips, key=lambda flip: not is_primary(flip, primary))[:FIRST]
    margins = any(margin is not None for flip in first for margin in (flip.margin_a, flip.margin_b))
    columns = [Column("Item"), Column("Class"), Column("Target"), Column(labels[0]), Column(labels[1])]
    columns += [Column("Logprob margin", right=True, leaves=1)] if margins else []
    return Table(tuple(columns), tuple(item_row(flip, hrefs, margins) for flip in first), "changed items")


def item_row(flip: Flip, hrefs: Hrefs, with_margins: bool) -> Row:
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
            kept_answer(flip.a, flip.metric),
            kept_answer(flip.b, flip.metric),
            *([(" → ".join(margins) or numbers.NOT_AVAILABLE,)] if with_margins else []),
        )
    )


def kept_answer(side: FlipSide | None, metric: str) -> Line:
    """Return what a filter kept of a response, or the choice that was picked under a metric."""
    if side is None:
        return ("no row",)
    text = side_answer(side, metric)
    return ("nothing",) if text is None else (Code(shorten(text, 160)),)


def excerpts(comparison: Comparison) -> tuple[Block, ...]:
    """Return a few changed items with their responses: of each class and task in turn, the regressed ones first."""
    seen: dict[tuple[str, str], int] = {}
    keyed = []
    primary = counted_under(comparison)
    for flip in [flip for flip in comparison.flips if is_primary(flip, primary)] or comparison.flips:
        nth = seen[flip.task, flip.class_] = seen.get((flip.task, flip.class_), -1) + 1
        keyed.append((nth, ORDER.index(flip.class_) if flip.class_ in ORDER else len(ORDER), flip))
    chosen = [flip for _, _, flip in sorted(keyed, key=lambda entry: entry[:2])[:EXCERPTS]]
    return tuple(item_excerpt(flip, column_labels(comparison)) for flip in chosen)


def item_excerpt(flip: Flip, labels: tuple[str, str]) -> Diff:
    """Return one changed item: its class, its target, and what each side answered; of choices all of them."""
    target: Line = (", target ", Code(flip.target)) if flip.target is not None else ()
    if any(side and side.choices for side in (flip.a, flip.b)):
        note: Line = (word_of(CLASSES, flip.class_).word, *target)
        return Diff(f"{flip.task} item {flip.item}", note, *choice_lines(flip), labels)
    a, b = (
        None if side is None else side.response if side.response is not None else side.filtered
        for side in (flip.a, flip.b)
    )
    return Diff(f"{flip.task} item {flip.item}", (word_of(CLASSES, flip.class_).word, *target), a, b, labels)


def sampled_items(comparison: Comparison, most: int) -> tuple[Flip, ...]:
    """Return the first changed items of each task."""
    flips: dict[str, list[Flip]] = {}
    for flip in comparison.flips:
        flips.setdefault(flip.task, []).append(flip)
    return tuple(flip for mine in flips.values() for flip in mine[:most])


def sample_blocks(comparison: Comparison, most: int, *, responses: bool, docs: Docs | None = None) -> tuple[Block, ...]:
    """Return so many items a task side by side: prompts, and on request docs, responses, filtered ones and targets.

    Equal prompts are said, not printed.
    """
    labels = column_labels(comparison)
    blocks: list[Block] = []
    flips = sampled_items(comparison, most) if responses else ()
    shown = {flip.task for flip in flips}
    seen: dict[str, int] = {}
    for pair in comparison.prompts:
        seen[pair.task] = seen.get(pair.task, 0) + 1
        if seen[pair.task] <= most and pair.task not in shown:
            blocks.append(prompt_diff(pair, labels, None))
    for flip in flips:
        blocks += whole_item(flip, labels, (docs or {}).get((flip.task, flip.item), (None, None)))
    return tuple(blocks)


def whole_item(flip: Flip, labels: tuple[str, str], docs: tuple[Json, Json]) -> list[Block]:
    """Return one changed item whole: its class and target, its doc, prompts, responses and filtered responses."""
    word = word_of(CLASSES, flip.class_)
    target: Line = (", target ", Code(flip.target)) if flip.target is not None else ()
    sides = (flip.a, flip.b)
    texts = {
        "prompt": [side.prompt if side else None for side in sides],
        "response": [side.response if side else None for side in sides],
        "filtered response": [side.filtered if side else None for side in sides],
    }
    chosen = any(side and side.choices for side in sides)
    if chosen:
        texts = {"prompt": texts["prompt"]}
    head: Line = (Name(f"{flip.task}, item {flip.item}"), f": {word.word}", *target)
    kept = [(name, pair) for name, pair in texts.items() if pair[0] is not None or pair[1] is not None]
    blocks: list[Block] = [
        head,
        *doc_blocks(docs, labels),
        *(Diff(name, (), pair[0], pair[1], labels) for name, pair in kept),
    ]
    return [*blocks, choice_table(flip, labels)] if chosen else blocks


def doc_blocks(docs: tuple[Json, Json], labels: tuple[str, str]) -> list[Block]:
    """Return an item's doc, a line a field; where the sides' differ, side by side."""
    a, b = (None if doc is None else doc_text(doc) for doc in docs)
    if a is not None and b is not None and a != b:
        return [Diff("doc", (), a, b, labels)]
    known = b if a is None else a
    return [Text("doc", known)] if known is not None else []


def doc_text(doc: Json) -> str:
    """Return a doc as lines of its fields."""
    if not isinstance(doc, dict):
        return doc if isinstance(doc, str) else value_text.value(doc)
    return "\n".join(
        f"{name}: {value if isinstance(value, str) else value_text.value(value)}" for name, value in doc.items()
    )


def prompt_blocks(comparison: Comparison, limit: int | None = None) -> tuple[Block, ...]:
    """Return the first prompt of each task side by side; equal ones are said, not shown, in one line."""
    first: dict[str, PromptPair] = {}
    for pair in comparison.prompts:
        first.setdefault(pair.task, pair)
    equal = [pair.task for pair in first.values() if pair.a == pair.b and pair.a is not None]
    differ = [pair for pair in first.values() if pair.task not in equal]
    labels = column_labels(comparison)
    blocks: list[Block] = [prompt_diff(pair, labels, limit) for pair in differ[:PROMPTS]]
    if len(differ) > PROMPTS:
        blocks.append((f"{numbers.counted(len(differ) - PROMPTS, 'more task')} with prompts that differ.",))
    formed = [task for task in equal if (first[task].a_messages is None) != (first[task].b_messages is None)]
    whole = [task for task in equal if task not in formed]
    if formed:
        told = f"{SAME_WORDS.sign} The first prompts: {SAME_WORDS.word}, in "
        blocks.append((told, Name(numbers.listed(formed, 4)), "."))
    if whole:
        blocks.append(("The first prompts are equal in ", Name(numbers.listed(whole, 4)), "."))
    return tuple(blocks)


def prompt_diff(pair: PromptPair, labels: tuple[str, str], limit: int | None = None) -> Diff:
    """Return one item's prompts side by side; where a side sent turns, their roles are named."""
    turns = [
        f"{label} sends {numbers.counted(len(messages), 'turn')}: {', '.join(role for role, _ in messages[:8])}."
        for label, messages in zip(labels, (pair.a_messages, pair.b_messages), strict=True)
        if messages is not None
    ]
    short = len(pair.a or "") + len(pair.b or "") <= (12_000 if limit is None else limit)
    return Diff(
        f"{pair.task}, item {pair.item}",
        (" ".join((*([with_labels(pair.note, *labels)] if pair.a != pair.b else []), *turns)),),
        pair.a,
        pair.b,
        labels,
        short,
    )
