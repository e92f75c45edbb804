"""What the primary scores say together, in words: where B is worse, better, the same, or neither can be told."""

from collections.abc import Sequence

from diptych.catalogue.side_labels import with_labels
from diptych.catalogue.words import STATUSES
from diptych.diagnose.benchmarks import members_of
from diptych.diagnose.samples.evidence import TaskEvidence
from diptych.diagnose.verdict.rows_apart import TakenBack
from diptych.diagnose.verdict.run_labels import Labels
from diptych.diagnose.verdict.scored_row import MOVED, borderline, by_metric_text, scored, shown_metric
from diptych.diagnose.verdict.verdict_kind import in_still, is_floored, leading
from diptych.estimates import MetricComparison, best_estimate, gap_of, no_item_changed, noun_of
from diptych.fast_named_tuple import NamedTuple
from diptych.numbers import amount, counted, listed, size
from diptych.value_text import metric_name

MOST_NAMED = 3


NONE_BACK = TakenBack()


class Moved(NamedTuple):
    """Rows that moved one way, in words: the groups, which share of the tasks, those, and all of it in a few words."""

    groups: tuple[str, ...]
    share: str
    tasks: str
    place: str

    @property
    def whole(self) -> str:
        """All of it, numbers too."""
        tasks = f"{self.share}: {self.tasks}" if self.share else self.tasks
        return ", and on ".join(filter(None, (*self.groups, tasks)))


def different(rows: Sequence[MetricComparison], labels: Labels, back: TakenBack = NONE_BACK) -> str:
    """Return where B is worse and where better, the largest first, each number with its interval.

    Where it is both, that comes before any number. A task whose other metric or filter takes the word `back` is mixed,
    with both.
    """
    found = {word: part for word in reversed(MOVED) if (part := moved(word, rows, back))}
    both = mixed(rows, back, short=bool(found))
    than = f"than {labels.a} (baseline)"
    if not found:
        return f"{labels.b} is mixed against {labels.a} (baseline) on {both}"
    also = f"; it is mixed on {both}" if both else ""
    if len(found) == 1:
        ((word, part),) = found.items()
        return f"{labels.b} is {word} {than} on {part.whole}{also}"
    (one, first), (other, second) = found.items()
    numbers = "; ".join(
        f"{word}: {'; '.join(filter(None, (*part.groups, part.tasks)))}" for word, part in found.items()
    )
    return f"{labels.b} is {one} {than} on {first.place} and {other} on {second.place}: {numbers}{also}"


def moved(word: str, rows: Sequence[MetricComparison], back: TakenBack) -> Moved | None:
    """Return the rows of a word that nothing takes back; None where there are none."""
    own = sorted(
        (row for row in rows if row.status == word and row.key not in back.by),
        key=lambda row: -abs(gap_of(row) or 0.0),
    )
    inside = below(own, rows)
    groups = [row for row in own if row.group and row.task not in inside]
    single, tasks = [row for row in own if not row.group], sum(not row.group for row in rows)
    if not groups and not single:
        return None
    noun = noun_of(rows)
    share = f"{len(single)} of {counted(tasks, noun)}" if single and tasks > 1 else ""
    rest = f", and {len(single) - MOST_NAMED} more" if len(single) > MOST_NAMED else ""
    named = "; ".join(scored(row, rows, back.alone) for row in single[:MOST_NAMED]) + rest
    place = listed([*(place_of(row, noun) for row in groups), *([share or single[0].task] if single else [])])
    return Moved(tuple(scored(row, rows, back.alone) for row in groups), share, named, place)


def mixed(rows: Sequence[MetricComparison], back: TakenBack, *, short: bool) -> str:
    """Return where one metric or filter is better and another worse, the largest first; `short` leaves CIs out."""
    own = [row for row in rows if row.is_apart and row.key in back.by]
    inside = below(own, rows)
    own = sorted((row for row in own if row.task not in inside), key=lambda row: -abs(gap_of(row) or 0.0))
    if not own:
        return ""
    pairs = [(row, back.by[row.key]) for row in own[:MOST_NAMED]]
    shown = [
        f"{pair[0].task}: {', '.join(f'{one.status} by {shown_metric(one, rows, short)}' for one in pair)}"
        for pair in pairs
    ]
    rest = f", and {counted(len(own) - MOST_NAMED, 'task')} more" if len(own) > MOST_NAMED else ""
    tasks, single = (len([row for row in some if not row.group]) for some in (rows, own))
    where = f"{single} of {tasks} tasks: " if tasks > 1 and single else ""
    return f"{where}{', and on '.join(shown)}{rest}"


def rest_of(
    rows: Sequence[MetricComparison],
    still: frozenset[str],
    labels: Labels,
    logged: Sequence[TaskEvidence],
    *,
    some: bool,
) -> str:
    """Return what is to be said of the other tasks: those at the floor, inconclusive ones, and those that are `still`.

    `some`: others have a word, so that the rest is told apart from them. `logged` is what their samples show.
    """
    spoken_for = below([row for row in rows if row.status in MOVED], rows)
    low = floored(rows, still)
    tasks = [row for row in rows if not row.group]
    left = [row for row in tasks if row.task not in spoken_for and row not in low]
    told = low and (some or leading(rows, still) is not None)
    parts = [capitalized(zero_sentence(low, logged, labels))] if told else []
    of = len(tasks) if len(left) + len(low) == len(tasks) else 0  # what a group speaks for is in no count
    noun = noun_of(rows)
    parts += [inconclusive([row for row in left if not no_item_changed(row)], of, still, noun)] if some else []
    parts += uncompared(left, labels) if any(row.status != "not_available" for row in rows) else []
    parts[:0] = [whole for row in rows if some and (whole := as_a_whole(row, rows))]
    parts.append(slices_sentence(tasks))
    return " ".join(f"{text}." for text in [*parts, *same_on(left, still, some=some)] if text)


def slices_sentence(rows: Sequence[MetricComparison]) -> str:
    """Return of which tasks each metric is over items of its own, "" where one metric leads in each."""
    found = [row.task for row in rows]
    sliced = [task for task in dict.fromkeys(found) if found.count(task) > 1]
    return f"Each metric of {listed(sliced)} is over items of its own" if sliced else ""


def place_of(row: MetricComparison, noun: str) -> str:
    """Return what names a row: its task, and where several of one lead its metric."""
    return row.task if noun == "task" else f"{row.task} {metric_name(row.metric, row.filter)}"


def as_a_whole(row: MetricComparison, rows: Sequence[MetricComparison]) -> str:
    """Return what a benchmark's own row says where some of its tasks have a word and it has none; "" elsewhere."""
    inside = below([row], rows)
    if not row.group or row.status not in ("unclear", "same") or gap_of(row) is None:
        return ""
    if not any(each.status in MOVED and each.task in inside for each in rows):
        return ""
    return f"As a whole {scored(row, rows)}, {STATUSES[row.status].word}"


def floored(rows: Sequence[MetricComparison], still: frozenset[str]) -> list[MetricComparison]:
    """Return the tasks in which no item is right on either side."""
    return [row for row in rows if is_floored(row) and not row.group and not in_still(row, still)]


def below(heads: Sequence[MetricComparison], rows: Sequence[MetricComparison]) -> frozenset[str]:
    """Return the names of all that is below some groups, inner groups opened."""
    groups = {row.task: row.subtasks for row in rows if row.group}
    return frozenset(name for row in heads if row.group for name in members_of(row.task, groups))


def zero_sentence(rows: Sequence[MetricComparison], tasks: Sequence[TaskEvidence], labels: Labels) -> str:
    """Return that metrics are at the floor on both sides, and where its filter finds nothing, that."""
    row = rows[0]
    more = f" and {counted(len(rows) - 1, 'task')} more" if len(rows) > 1 else ""
    name = metric_name(row.metric, row.filter)
    text = f"on {row.task}{more} {name} is at the floor: no item is right on either side"
    found = [one for task in tasks if task.task == row.task for one in task.filters if one.filter == row.filter]
    if found and 2 * min(found[0].nothing) >= found[0].compared:
        nothing, of = found[0].nothing, found[0].compared
        text += f" (the filter finds nothing in {nothing.a} of {of} responses of {labels.a}, {nothing.b} of {labels.b})"
    return text


def inconclusive(rows: Sequence[MetricComparison], of: int, still: frozenset[str], noun: str = "task") -> str:
    """Return the sentence about the tasks that may or may not differ, with what they could have shown; 0: no count."""
    left = [row for row in rows if row.status == "unclear" and row.task not in still]
    if not left:
        return ""
    found = [best_estimate(row) for row in left]
    least = [one.detectable for one in found if one and one.detectable]
    seen = (
        f": minimum detectable effect {size(max(least), up=True)} pp"
        if least and all(each.in_points for each in left)
        else ""
    )
    names = listed([place_of(row, noun) for row in left])
    return (
        f"Inconclusive on {len(left)} of {counted(of, noun)} ({names}){seen}"
        if of
        else f"Inconclusive on {names}{seen}"
    )


def uncompared(rows: Sequence[MetricComparison], labels: Labels) -> list[str]:
    """Return the sentences about the tasks that have no difference: a mark for not run, say, is no score."""
    why = {
        (True, False): f"without a score in {labels.a}",
        (False, True): f"without a score in {labels.b}",
        (True, True): "without a score on either side",
        (False, False): "whose two scores are on different scales or of different units",
    }
    found: dict[tuple[bool, bool], list[str]] = {}
    for row in rows:
        if row.status == "not_available":
            found.setdefault((row.a is None, row.b is None), []).append(row.task)
    return [
        f"Not compared: {counted(len(tasks), 'task')} {why[gone]} ({listed(tasks)})" for gone, tasks in found.items()
    ]


def same_on(rows: Sequence[MetricComparison], still: frozenset[str], *, some: bool = False) -> list[str]:
    """Return the sentences about the tasks in which nothing moved, and beside `some` others those that score alike."""
    names = list(dict.fromkeys(row.task for row in rows if row.task in still))
    alike = by_metric([row for row in rows if some and row.task not in still and no_item_changed(row)])
    return [
        *([f"Every response and score is the same on {listed(names)}"] if names else []),
        *(
            f"No item changed its {text} on {listed(tasks)}: too few items to call that equivalent"
            for text, tasks in alike
        ),
    ]


def equivalent(
    rows: list[MetricComparison], labels: Labels, tasks: Sequence[TaskEvidence] = (), back: TakenBack = NONE_BACK
) -> str:
    """Return that all primary scores lie within the margin; of those at the floor that they tell nothing."""
    low = [row for row in rows if is_floored(row) and not row.group]
    floor = capitalized(zero_sentence(low, tasks, labels)) if low else ""
    rows = [row for row in rows if not is_floored(row)] if low else rows
    if not rows:
        return floor
    margins = [found.margin for row in rows if (found := best_estimate(row)) and found.margin is not None]
    within = f" ±{size(max(margins))} pp" if margins and all(each.in_points for each in rows) else " the margin"
    where = f"{rows[0].task} ({metric_in_words(rows[0])})" if len(rows) == 1 else f"all {len(rows)} {noun_of(rows)}s"
    text = f"{labels.b} and {labels.a} (baseline) are equivalent within{within} on {where}"
    text += "".join(f", {only_word(row, back, rows)}" for row in rows if row.key in back.by)
    return f"{text}. {floor}" if floor else text


def metric_in_words(row: MetricComparison) -> str:
    """Return a row's metric, of a group that it is a mean: equality of it is none of each task."""
    name = metric_name(row.metric, row.filter)
    return f"{name}, the mean over its subtasks" if len(row.subtasks) > 1 else name


def capitalized(text: str) -> str:
    """Return a clause as a sentence begins."""
    return text[:1].upper() + text[1:]


def unclear_verdict(
    rows: Sequence[MetricComparison],
    still: frozenset[str],
    labels: Labels,
    logged: Sequence[TaskEvidence] = (),
    back: TakenBack = NONE_BACK,
) -> str:
    """Return that it is inconclusive, with the largest difference and what the items could show.

    Tasks that are `still` (every response is the same) are told apart from those that may differ.
    """
    low = floored(rows, still)
    tasks = [row for row in rows if not row.group and row.task not in still and row not in low]
    tasks = [row for row in tasks if gap_of(row) is not None]
    row = leading(rows, still)
    by = f" by {metric_name(row.metric, row.filter)}" if row is not None and row.key in back.by else ""
    lead = f"Inconclusive{by} whether {labels.b} differs from {labels.a} (baseline)"
    if row is not None and len(tasks) == 1 and not row.group and no_item_changed(row):
        what = metric_name(row.metric, row.filter)
        lead = f"No item changed its {what}, too few to call {labels.b} the same as {labels.a} (baseline)"
    if row is None and low:
        return f"{lead}: {zero_sentence(low, logged, labels)}"
    if row is None:
        reason = next((row.reason for row in rows if row.reason), "")
        why = f" ({with_labels(reason, *labels)})" if reason else ""
        return f"{lead}: no score can be compared{why}"
    found, share = best_estimate(row), row.in_points
    if found is None or found.low is None or found.high is None:
        shown = f"{row.task}: {metric_name(row.metric, row.filter)} {amount(gap_of(row) or 0.0, share)}"
        return f"{lead}: {shown}, without an error bar{only_clause(row, tasks, back, rows)}"
    least = f"; minimum detectable effect {size(found.detectable, up=True)} pp" if found.detectable and share else ""
    if len(tasks) > 1 and not any(gap_of(each) for each in tasks):
        return f"{lead}: {unmoved(tasks)}{least}{only_clause(row, tasks, back, rows)}"
    most = f"the largest over {len(tasks)} {noun_of(tasks)}s is " if len(tasks) > 1 and not row.group else ""
    only = f"; {only_word(row, back, rows)}" if row.key in back.by else ""
    return f"{lead}: {most}{scored(row, rows)}{borderline(row)}{least}{only}"


def only_clause(
    row: MetricComparison,
    tasks: Sequence[MetricComparison],
    back: TakenBack,
    beside: Sequence[MetricComparison],
) -> str:
    """Return the word that another metric of the named task has, or of another one; "" where none has any."""
    if row.key in back.by:
        return f"; {only_word(row, back, beside)}"
    rest = [each for each in tasks if each.key in back.by]
    if not rest:
        return ""
    most = max(rest, key=lambda each: (abs(gap_of(back.by[each.key]) or 0.0), each.key))
    return f"; on {most.task} {only_word(most, back, beside)}"


def only_word(row: MetricComparison, back: TakenBack, beside: Sequence[MetricComparison]) -> str:
    """Return which other metric or filter of a task has a word where the one that leads has none."""
    other = back.by[row.key]
    return f"{other.status} by {by_metric_text(other, beside)}"


def unmoved(rows: Sequence[MetricComparison]) -> str:
    """Return which scores did not move: those that lead; another metric of a task may have."""
    return "; ".join(f"no {metric} moved in {listed(tasks)}" for metric, tasks in by_metric(rows))


def by_metric(rows: Sequence[MetricComparison]) -> list[tuple[str, list[str]]]:
    """Return each metric under its filter with the tasks that it leads in."""
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(metric_name(row.metric, row.filter), []).append(row.task)
    return list(found.items())
