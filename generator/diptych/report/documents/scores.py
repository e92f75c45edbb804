"""The scores of a comparison as blocks: groups and primary metrics first, what lies below them folded."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from diptych import numbers
from diptych.catalogue.row_words import gap_in_words, heads_text, tested_first
from diptych.catalogue.side_labels import with_labels
from diptych.catalogue.words import STATUSES
from diptych.comparison import Comparison
from diptych.estimates import Estimate, MetricComparison, best_estimate, gap_of, says_otherwise
from diptych.fast_named_tuple import NamedTuple
from diptych.report.artifact_cache import of_last
from diptych.report.blocks import Block, Cell, Column, Folded, Heat, Line, Name, Row, Table
from diptych.report.documents.column_labels import column_labels
from diptych.report.documents.score_rows import (
    Shown,
    is_starred,
    reason_of,
    row_word,
    score_columns,
    shared_alone,
    shared_text,
)
from diptych.report.writers.harmless import shorten

SHORT_LABEL = 8
"""Characters of a label that may head a column."""

LONGEST_REASON = 400
"""Characters of a reason that is said once for many rows: an artifact may hold any text."""

ALONE = 3
"""Rows up to which each says its own reason, where another reason is more common."""

FEW = 8
"""Parts of a group that stand below it; more fold into one block."""

PLACES = {status: place for place, status in enumerate(("worse", "better", "unclear", "same", "not_available"))}


class Tree(NamedTuple):
    """What leads in each task as a tree: what stands alone or on top, and the parts of each group."""

    tops: tuple[MetricComparison, ...]
    parts: Mapping[str, tuple[MetricComparison, ...]]
    beside: Mapping[str, tuple[MetricComparison, ...]]
    """Of a task, the metrics and filters that say otherwise than its primary one."""
    others: tuple[MetricComparison, ...]
    """All other metrics and filters."""


@of_last
def tree_of(metrics: Sequence[MetricComparison]) -> Tree:
    """Return the metrics as a tree of groups, the worst significant ones first on each level."""
    primary = primary_rows(metrics)
    parents = {task: row.task for row in primary if row.group for task in row.subtasks if task != row.task}
    tops = ranked(row for row in primary if row.task not in parents)
    parts = {
        top.task: ranked(
            row for row in primary if row.task != top.task and topmost_group(row.task, parents) == top.task
        )
        for top in tops
        if top.group
    }
    of_task: dict[str, list[MetricComparison]] = {}
    for row in metrics:
        of_task.setdefault(row.task, []).append(row)
    denials = {row.task: [other for other in of_task[row.task] if stands_beside(row, other)] for row in primary}
    beside = {task: ranked(others) for task, others in denials.items() if others}
    chosen = {(row.task, row.metric, row.filter) for row in chain(primary, *beside.values())}
    others = (row for row in metrics if (row.task, row.metric, row.filter) not in chosen)
    return Tree(tops, parts, beside, ranked(others))


def stands_beside(lead: MetricComparison, other: MetricComparison) -> bool:
    """Say whether another metric or filter of a task says otherwise than its primary one, over as many items."""
    return not lead.group and says_otherwise(lead, other)


@of_last
def primary_rows(metrics: Sequence[MetricComparison]) -> list[MetricComparison]:
    """Return what leads in each task: what is marked primary, else the first that has a difference, else the first."""
    found: dict[str, list[MetricComparison]] = {}
    usual = Counter((row.metric, row.filter) for row in metrics if row.primary)
    for row in sorted(metrics, key=lambda row: (not row.primary, -usual[row.metric, row.filter], gap_of(row) is None)):
        own = found.setdefault(row.task, [])
        own += [row] if row.primary or not own else []
    return [row for own in found.values() for row in own]


def topmost_group(task: str, parents: Mapping[str, str]) -> str:
    """Return the topmost group of a task; groups that hold each other end the way."""
    seen: set[str] = set()
    while task in parents and task not in seen:
        seen.add(task)
        task = parents[task]
    return task


@of_last
def counted_rows(metrics: Sequence[MetricComparison]) -> tuple[MetricComparison, ...]:
    """Return the rows that "worse on 1 of 3" counts: those that lead the verdict; where none is marked, each task."""
    tree = tree_of(metrics)
    leading = tuple(row for row in metrics if row.headline)
    if leading:
        return tuple({one.key: one for row in leading for one in benchmark_or_tasks(row, tree)}.values())
    rows: list[MetricComparison] = []
    for top in tree.tops:
        parts = [row for row in tree.parts.get(top.task, ()) if not row.group]
        rows += [top] if top.primary or not parts else parts
    return tuple(rows)


@of_last
def ranked_counted(metrics: Sequence[MetricComparison]) -> tuple[MetricComparison, ...]:
    """Return the rows that are counted, the worst significant ones first."""
    return ranked(counted_rows(metrics))


def benchmark_or_tasks(row: MetricComparison, tree: Tree) -> tuple[MetricComparison, ...]:
    """Return a benchmark's own row where it is significant, else its tasks: what the verdict counts."""
    if not row.group or row.is_apart:
        return (row,)
    parts = [one for one in tree.parts.get(row.task, ()) if one.primary and not one.group]
    if sum(top.task == row.task for top in tree.tops) > 1:  # each slice of a benchmark counts its own tasks
        parts = [one for one in parts if (one.metric, one.filter) == (row.metric, row.filter)]
    return tuple(parts) or (row,)


def ranked(rows: Iterable[MetricComparison]) -> tuple[MetricComparison, ...]:
    """Return rows, the worst significant ones first, then better ones, then by the size of the difference."""
    return tuple(
        sorted(rows, key=lambda row: (status_rank(row.status), -comparable_size(row), row.task, row.metric, row.filter))
    )


def status_rank(status: str) -> int:
    """Return where a status stands among the rows."""
    return PLACES.get(status, len(PLACES))


def comparable_size(row: MetricComparison) -> float:
    """Return how large a difference is, so that fractions and other units can stand in one order."""
    gap = gap_of(row)
    if gap is None:
        return 0.0
    return abs(gap) if row.in_points else abs(gap) / max(abs(row.a or 0.0), abs(row.b or 0.0), 1e-12)


def score_blocks(comparison: Comparison, comparable: bool) -> tuple[Block, ...]:
    """Return the table of tasks and groups, then what is folded: a large group's parts, other metrics and filters."""
    tree = tree_of(comparison.metrics)
    heads = headings(comparison)
    rows: list[MetricComparison] = []
    folded: list[Block] = []
    children: set[str] = set()
    told: set[str] = set()
    for top in tree.tops:
        parts = tree.parts.get(top.task, ()) if top.task not in told else ()
        rows += [top, *(tree.beside.get(top.task, ()) if top.task not in told else ())]
        told.add(top.task)
        if len(parts) <= FEW:
            rows += {row.key: row for part in parts for row in (part, *tree.beside.get(part.task, ()))}.values()
            children.update(row.task for row in parts)
        else:
            folded.append(parts_block(top, parts, heads, comparable))
    blocks: list[Block] = [table_of(rows, heads, comparable, children)] if rows else []
    blocks += folded
    if tree.others:
        blocks.append(other_fold(len(tree.others), table_of(tree.others, heads, comparable, set())))
    return tuple(blocks)


def other_fold(count: int, table: Table, subtasks: bool = False) -> Folded:
    """Return the table of the metrics and filters that lead nowhere, folded; some may be of `subtasks`."""
    one, many = "other metric or filter", "other metrics and filters"
    one, many = (f"subtask, {one}", f"subtasks, {many}") if subtasks else (one, many)
    told = numbers.counted(count, one, many)
    return Folded((f"{many[0].upper()}{many[1:]} ({count})",), (table,), counted=told)


def headings(comparison: Comparison) -> tuple[Column, Column]:
    """Return the two columns of scores under the labels; in a terminal letters stand for long ones."""
    labels = column_labels(comparison)
    short = ("", "") if max(map(len, labels)) <= SHORT_LABEL else ("A", "B")
    return Column(labels[0], right=True, short=short[0]), Column(labels[1], right=True, short=short[1])


def table_of(
    rows: Sequence[MetricComparison], heads: tuple[Column, Column], comparable: bool, children: set[str]
) -> Table:
    """Return rows of scores as a table; of runs that cannot be compared without differences."""
    estimates = list(map(best_estimate, rows))
    levels = {found.confidence for found in estimates if found is not None}
    counts = any(found is not None and found.pairs is not None for found in estimates)
    shown = Shown(comparable, len(levels) > 1, counts)
    alone = [comparable and found is not None and shared_alone(row) for row, found in zip(rows, estimates, strict=True)]
    cells = score_columns(rows, estimates, alone, shown)
    why = reasons_of(rows, heads)
    shared = shared_reasons(why)
    told = " ".join(reason_words(reason, rows, why, first=reason == shared[0]) for reason in shared)
    adjusted = adjusted_note(rows, estimates) if comparable else ""
    return Table(
        (
            Column("Task, metric"),
            *heads,
            *(difference_heads(rows, shown, levels, bool(adjusted)) if comparable else ()),
        ),
        laid_out(rows, cells, ["" if reason in shared else reason for reason in why], alone, children),
        "rows of scores",
        " ".join(filter(None, (told, adjusted))),
        least=1,
        brief=8,
        of_errors=numbers.OURS if has_stars(rows, cells) else "",
        short_note=shared_note(rows, alone),
    )


def reasons_of(rows: Sequence[MetricComparison], heads: tuple[Column, Column]) -> list[str]:
    """Return each row's reason, which speaks of the runs by the labels that head their columns."""
    why = list(map(reason_of, rows))
    labelled = {text: with_labels(text, heads[0].title, heads[1].title) for text in set(why)}
    return [labelled[text] for text in why]


def laid_out(
    rows: Sequence[MetricComparison],
    columns: Sequence[Sequence[Cell]],
    reasons: Sequence[str],
    alone: Sequence[bool],
    children: set[str],
) -> tuple[Row, ...]:
    """Return columns of cells as rows with their notes: over which items a score is, and what its row alone has."""
    both = {row.task for row in rows if row.a_present and row.b_present}
    told = [shared_text(row) if one else "" for row, one in zip(rows, alone, strict=True)] if any(alone) else reasons
    notes = reasons if told is reasons else ["; ".join(filter(None, pair)) for pair in zip(told, reasons, strict=True)]
    return tuple(
        Row(
            cells,
            (note,) if note else (),
            row.task in children,
            bool(both) and row.task not in both,  # the verdict names the tasks of one side
        )
        for row, cells, note in zip(rows, zip(*columns, strict=True), notes, strict=True)
    )


def difference_heads(
    rows: Sequence[MetricComparison], shown: Shown, levels: set[float], adjusted: bool
) -> tuple[Column, ...]:
    """Return the heads of differences and of all that stands beside them."""
    percent = all(row.in_points or gap_of(row) is None for row in rows)
    level = f"{numbers.levels(levels)} CI".strip()
    return (
        Column("Δ, pp" if percent else "Δ", right=True),
        Column("CI", short=level) if shown.levels else Column(level),
        Column("", span=True),
        Column("p (Holm)" if adjusted else "p", leaves=2, full=True),
        Column(""),
        *((Column("Items", leaves=3, full=True),) if shown.counts else ()),
    )


def has_stars(rows: Sequence[MetricComparison], columns: Sequence[Sequence[Cell]]) -> bool:
    """Say whether an error beside a score is ours: only where the run reports none, or one of 0."""
    doubtful = [place for place, row in enumerate(rows) if not (row.a_stderr and row.b_stderr)]
    return any(is_starred(cells[place]) for cells in columns[1:3] for place in doubtful)


def shared_note(rows: Sequence[MetricComparison], alone: Sequence[bool]) -> str:
    """Return that scores are over the shared items alone, "" where they are as reported."""
    found = [row for row, one in zip(rows, alone, strict=True) if one]
    if not found:
        return ""
    more = f"; so are those of {numbers.counted(len(found) - 1, 'row')} more" if len(found) > 1 else ""
    return f"Scores of {found[0].task} are {shared_text(found[0])}{more}."


def adjusted_note(rows: Sequence[MetricComparison], estimates: Sequence[Estimate | None]) -> str:
    """Return what p-values and intervals were adjusted over, where they were."""
    found = [(row, best) for row, best in zip(rows, estimates, strict=True) if best and best.p_adjusted is not None]
    over = family_text([row for row, _ in found])
    if not over:
        return ""
    raised = any(best.confidence > 0.95 for _, best in found)
    if not raised:
        return f"p-values are Holm-adjusted{over}."
    return f"CIs and p-values are Holm-adjusted{over}; each CI has the level that this leaves its row."


def family_text(rows: Sequence[MetricComparison]) -> str:
    """Return over what the rows of a table are tested together, "" where each stands for itself."""
    primary = [row for row in rows if row.family == "primary"]
    if not primary:
        tests = max((row.family_tests for row in rows), default=0)
        return f" over the {tests} metrics and filters that do not lead" if tests > 1 else ""
    most = max(primary, key=lambda row: (row.family_heads, row.family_tests))
    over = f" over {heads_text(most, tested_first(primary))}" if most.family_heads > 1 else ""
    return over + (", and a group is tested before its tasks" if most.family_heads < most.family_tests else "")


def shared_reasons(reasons: Iterable[str]) -> tuple[str, ...]:
    """Return the reasons that are said once for many rows: the most common one, and others of more than a few rows."""
    counts = Counter(reason for reason in reasons if reason).most_common()
    return tuple(reason for place, (reason, count) in enumerate(counts) if count > (1 if place == 0 else ALONE))


def reason_words(reason: str, rows: Sequence[MetricComparison], why: Sequence[str], *, first: bool) -> str:
    """Return a reason with how many rows share it; of another one than the first which these are, too."""
    names = [row.task for row, each in zip(rows, why, strict=True) if each == reason]
    which = "" if first else f" ({numbers.listed(names, FEW)})"
    return f"{len(names)} of {numbers.counted(len(rows), 'row')}{which}: {shorten(reason, LONGEST_REASON)}."


def parts_block(
    top: MetricComparison, parts: Sequence[MetricComparison], heads: tuple[Column, Column], comparable: bool
) -> Folded:
    """Return the parts of a large group as one fold: a strip of all, the significant ones named, then a line each."""
    leaves, groups = [row for row in parts if not row.group], [row for row in parts if row.group]
    counts = numbers.counted(len(leaves), "task")
    title: Line = (f"{counts} of ", Name(top.task), f": {significant_words(leaves)}")
    if groups:
        said = f": {significant_words(groups)}; {counts}: {significant_words(leaves)}"
        title = (f"{numbers.counted(len(groups), 'group')} of ", Name(top.task), said)
    # the group's own row stands above: rows below need no level of their own
    blocks: list[Block] = [heat_of(leaves)] if comparable and len(leaves) > FEW else []
    inside = {task: row for row in parts if row.group for task in row.subtasks if task != row.task}
    direct = [row for row in parts if row.task not in inside]
    blocks.append(table_of(direct or parts, heads, comparable, set()))
    for row in direct:
        below = [part for part in parts if part is not row and belongs(part.task, row.task, inside)]
        if below:
            blocks.append(parts_block(row, below, heads, comparable))
    return Folded(title, tuple(blocks))


def significant_words(rows: Sequence[MetricComparison]) -> str:
    """Return which rows are significant, the worse first, or that none is."""
    told = [
        (STATUSES[status].word, found)
        for status in ("worse", "better")
        if (found := [row for row in rows if row.status == status])
    ]
    return "; ".join(f"{word}: {named_gaps(found)}" for word, found in told) or "none significant on its own after Holm"


def belongs(task: str, group: str, parents: Mapping[str, MetricComparison]) -> bool:
    """Say whether a task is part of a group, by way of others too; groups that hold each other end the way."""
    seen: set[str] = set()
    while task in parents and task not in seen:
        seen.add(task)
        task = parents[task].task
        if task == group:
            return True
    return False


def named_gaps(rows: Sequence[MetricComparison], most: int = 4) -> str:
    """Return tasks with their differences, at most so many."""
    return numbers.listed([f"{row.task} {gap_in_words(row)}" for row in rows], most)


def heat_of(rows: Sequence[MetricComparison]) -> Heat:
    """Return many differences as one strip, from the largest fall to the largest rise."""
    known = sorted(
        ((gap, row) for row in rows if (gap := gap_of(row)) is not None), key=lambda pair: (pair[0], pair[1].task)
    )
    largest = max((abs(gap) for gap, _ in known), default=0.0) or 1.0
    cells = tuple(
        (row.task, numbers.amount(gap, row.in_points), gap / largest, row_word(row).tone) for gap, row in known
    )
    ends = (cells[0][1], cells[-1][1]) if cells else ("", "")
    return Heat(f"Δ by task, {len(cells)} tasks, sorted", cells, ends)
