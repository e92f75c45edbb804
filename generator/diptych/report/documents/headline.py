"""A comparison in a few words: the verdict with the side that is worse, and the worst change of all."""

from collections.abc import Mapping, Sequence

from diptych import numbers
from diptych.catalogue.row_words import gap_in_words
from diptych.catalogue.words import AT_FLOOR, STATUSES, VERDICTS, word_of
from diptych.closed_names import Status, Step
from diptych.comparison import Comparison, Rung
from diptych.estimates import MetricComparison, gap_of, noun_of, takes_back
from diptych.fast_named_tuple import NamedTuple
from diptych.report.artifact_cache import of_last
from diptych.report.blocks import Line, Name, Tone
from diptych.report.documents.score_rows import is_wordless_at_floor
from diptych.report.documents.scores import counted_rows, ranked_counted
from diptych.value_text import metric_name

NAMED = 2
"""Benchmarks that a headline names."""


def worst_line(comparison: Comparison) -> Line:
    """Return the worst significant change in a few words, else the best; nothing where runs cannot be compared."""
    if comparison.verdict.kind in ("not_a_measurement", "not_comparable"):
        return ()
    moved = [row for row in ranked_counted(comparison.metrics) if row.is_apart]
    if not moved:
        return ()
    row = moved[0]
    metric = "" if noun_of(comparison.metrics) == "task" else f" {metric_name(row.metric, row.filter)}"
    return (f"{STATUSES[row.status].sign} ", Name(row.task), f"{metric} {gap_in_words(row)}")


def denial(comparison: Comparison, rows: Sequence[MetricComparison], back: bool) -> str:
    """Return, behind a verdict that calls nothing better or worse, what disagrees with it; `back`: a metric does."""
    if comparison.verdict.kind == "unclear" and filters_disagree(comparison, rows):
        return " (filters disagree)"
    return " (metrics disagree)" if back else ""


@of_last
def headline(comparison: Comparison) -> tuple[str, str, Tone]:
    """Return the verdict as a sign, a few words that say which side is worse, and a tone."""
    word = word_of(VERDICTS, comparison.verdict.kind)
    rows: Sequence[MetricComparison] = counted_rows(comparison.metrics)
    if comparison.verdict.kind in ("unclear", "equivalent") and rows and all(map(is_wordless_at_floor, rows)):
        return AT_FLOOR.sign, AT_FLOOR.word, AT_FLOOR.tone
    back = taken_back(comparison, rows)
    if comparison.verdict.kind != "different":
        return word.sign, f"{word.word}{denial(comparison, rows, bool(back))}", word.tone
    if rescored := rescored_words(comparison, rows):
        return word.sign, rescored, word.tone
    mixed = [(row, other) for row, other in back if row.is_apart]
    if mixed:
        rows = [row for row in rows if row.key not in {lead.key for lead, _ in mixed}]
        if not any(row.is_apart for row in rows):
            return "▼▲", f"mixed on {mixed_words(mixed)}", "mixed"
    worse, better = (status_places(rows, status) for status in ("worse", "better"))
    of = f" of {numbers.counted(len(single_tasks(rows)), noun_of(rows))}"
    apart = " (filters disagree)" if filters_disagree(comparison, rows) else ""
    beside = f", mixed on {numbers.counted(len(mixed), 'task')}" if mixed else ""
    if worse and better:
        both = worse.single and better.single and not (worse.names or better.names)
        first = f"worse on {numbers.count(worse.single)}" if both else f"worse on {places_in_words(worse, of)}"
        return "▼▲", f"{first}, better on {places_in_words(better, of)}{apart}{beside}", "mixed"
    found = worse or better
    if found is None:
        return word.sign, word.word, word.tone
    told = STATUSES["worse" if worse else "better"]
    lone = filter_alone(comparison, rows) if apart else ""
    if apart:
        told = told._replace(sign=word.sign, tone=word.tone)  # the format of answers may be all that changed
    said = "differs" if lone else told.word  # what the other filter denies is no direction
    return (
        told.sign,
        f"{said} on {places_in_words(found, of)}{lone or apart}{broken_share(comparison, rows)}{beside}",
        told.tone,
    )


BROKEN = {
    "answers_empty": "empty",
    "answers_cut": "truncated",
    "answers_thinking_open": "unfinished",
    "answers_recited": "recited",
}
"""What takes the word from a score, as a headline says it."""

LEAST_SHARE = 0.1
"""From this share of a side's responses on."""


def broken_share(comparison: Comparison, rows: Sequence[MetricComparison]) -> str:
    """Return which share of one side's responses is no answer of its own in a task that has a word; "" for none."""
    moved = {row.task for row in rows if row.is_apart}
    shares = {
        (one.kind, one.task, one.side): one.count_ / one.of
        for one in comparison.findings
        if one.kind in BROKEN and one.task in moved and one.count_ is not None and one.of
    }
    more = [
        (share, kind, side)
        for (kind, task, side), share in shares.items()
        if share - shares.get((kind, task, "a" if side == "b" else "b"), 0.0) >= LEAST_SHARE
    ]
    if not more:
        return ""
    share, kind, side = max(more, key=lambda one: (one[0], one[1]))
    whose = "its" if side == "b" else "the baseline's"
    return f", {round(100 * share)} % of {whose} responses {BROKEN[kind]}"


def rescored_words(comparison: Comparison, rows: Sequence[MetricComparison]) -> str:
    """Return that what has a word was scored otherwise on equal responses alone; "" where any response changed."""
    moved = [row for row in rows if row.is_apart]
    groups = {row.task: row.subtasks for row in comparison.metrics if row.group}
    steps = {ladder.task: {rung.rung: rung for rung in ladder.rungs} for ladder in comparison.ladder}
    names = {name for row in moved for name in (row.subtasks if row.group else (row.task,)) if name not in groups}
    asked: tuple[Step, ...] = ("prompts", "choices", "responses")
    if not names or not all(is_equal_at(steps.get(name, {}), asked) for name in names):
        return ""
    what = "scored" if all(is_equal_at(steps[name], ("filtered",)) for name in names) else "filtered"
    return f"{what} otherwise on {numbers.listed(sorted(names), NAMED)}, every response the same"


def is_equal_at(steps: Mapping[Step, Rung], asked: Sequence[Step]) -> bool:
    """Say whether all items agree at some steps, of which the last must be there."""
    found = {step: steps[step] for step in asked if step in steps and steps[step].compared}
    return asked[-1] in found and all(one.equal == one.compared for one in found.values())


def taken_back(
    comparison: Comparison, rows: Sequence[MetricComparison]
) -> list[tuple[MetricComparison, MetricComparison]]:
    """Return the metrics that lead with another one of their task that has the opposite word, or the only one."""
    named = comparison.provenance.options.get("primary", {})
    moved: dict[str, list[MetricComparison]] = {}
    for other in comparison.metrics:
        if other.is_apart:
            moved.setdefault(other.task, []).append(other)
    found = [(row, [other for other in moved[row.task] if takes_back(row, other)]) for row in rows if row.task in moved]
    return [
        (row, max(others, key=lambda other: abs(gap_of(other) or 0.0)))
        for row, others in found
        if others and row.task not in named
    ]


def mixed_words(mixed: Sequence[tuple[MetricComparison, MetricComparison]]) -> str:
    """Return where one metric is better and another worse, with both where that is one task alone."""
    if len(mixed) > 1:
        return numbers.counted(len(mixed), "task")
    both = ", ".join(f"{word.status} by {metric_name(word.metric, word.filter)}" for word in mixed[0])
    return f"{mixed[0][0].task}: {both}"


def filters_disagree(comparison: Comparison, rows: Sequence[MetricComparison]) -> bool:
    """Say whether another filter than the one that leads finds a task better, worse or neither, against its word.

    What changed may then be the form of the answers. Where no task has a word, one that has none counts, too.
    """
    told = {row.task for row in rows if row.is_apart} or {row.task for row in rows}
    return any(finding.kind == "filters_disagree" and finding.task in told for finding in comparison.findings)


def filter_alone(comparison: Comparison, rows: Sequence[MetricComparison]) -> str:
    """Return under which filter alone the one task that moved did; "" where another filter says the same."""
    moved = [row for row in rows if row.is_apart]
    if len(moved) != 1 or not moved[0].filter:
        return ""
    first = moved[0]
    others = [row for row in comparison.metrics if (row.task, row.metric) == (first.task, first.metric)]
    agree = any(row.status == first.status for row in others if row.filter != first.filter)
    return "" if agree else f" under {first.filter} alone"


class Places(NamedTuple):
    """Where a status is found: benchmarks (and a lone task) by name, and in how many single tasks."""

    names: tuple[str, ...]
    single: int


def single_tasks(rows: Sequence[MetricComparison]) -> list[MetricComparison]:
    """Return the rows that count as single tasks: measured ones, without the benchmarks that are told by name."""
    return [row for row in rows if row.status != "not_available" and not leads_as_group(row)]


def leads_as_group(row: MetricComparison) -> bool:
    """Say whether a row is a benchmark's own and significant."""
    return row.group and row.is_apart


def status_places(rows: Sequence[MetricComparison], status: Status) -> Places | None:
    """Return where a status is found, None where it is nowhere."""
    names = tuple(dict.fromkeys(row.task for row in rows if leads_as_group(row) and row.status == status))
    tasks = single_tasks(rows)
    found = [row.task for row in tasks if row.status == status]
    if len(tasks) == len(found) == 1:
        return Places((*names, *found), 0)
    return Places(names, len(found)) if names or found else None


def places_in_words(found: Places, of: str) -> str:
    """Return places in words ("mmlu and 2 of 5 tasks")."""
    names = [*found.names] if len(found.names) <= NAMED else [numbers.counted(len(found.names), "benchmark")]
    return numbers.listed([*names, *([f"{numbers.count(found.single)}{of}"] if found.single else [])])
