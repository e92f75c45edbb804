"""Where two runs first diverge: a strip a task, those that diverge alike together, choices as picks."""

from collections.abc import Collection, Mapping, Sequence

from diptych import numbers
from diptych.catalogue.words import PICKED_CHOICE, SAME_WORDS, STEPS, word_of
from diptych.comparison import AnswerChange, Comparison, Ladder
from diptych.fast_named_tuple import NamedTuple
from diptych.report.blocks import Bars, Block, Folded, Line, Name, Step, Strip

HISTOGRAMS = 3
"""Tasks whose moves of log-likelihoods are drawn."""

TOGETHER = 4
"""Tasks from which on those that diverge alike stand in one strip."""


class Walk(NamedTuple):
    """One task's steps in words: (step, word, equal, compared, first item), and at which the runs diverge."""

    task: str
    steps: tuple[tuple[str, int, int, str], ...]
    at: int | None
    moved: str = ""
    """How far log-likelihoods moved, where choices were scored: a number beside the steps, not a break."""


def walks_of(comparison: Comparison) -> tuple[Walk, ...]:
    """Return the walk of each task that has any step compared."""
    changes = {change.task: change for change in comparison.answer_changes}
    return tuple(
        walk_of(ladder, picks_changed(comparison, ladder.task), changes.get(ladder.task))
        for ladder in comparison.ladder
        if any(rung.compared for rung in ladder.rungs)
    )


def walk_of(ladder: Ladder, changed: int, change: AnswerChange | None) -> Walk:
    """Return one ladder in words; of scored choices the step is which one was picked, not each log-likelihood."""
    chosen = any(rung.rung == "choices" and rung.compared for rung in ladder.rungs)
    steps: list[tuple[str, int, int, str]] = []
    at: int | None = None
    for rung in ladder.rungs:
        if not rung.compared or (chosen and rung.rung == "filtered"):
            continue
        word, equal = word_of(STEPS, rung.rung).word, rung.equal
        if chosen and rung.rung == "responses":
            word, equal = PICKED_CHOICE.word, rung.compared - min(changed, rung.compared)
        if at is None and equal < rung.compared:
            at = len(steps)
        steps.append(
            (word, equal, rung.compared, rung.first if rung.first is not None and equal < rung.compared else "")
        )
    return Walk(ladder.task, tuple(steps), at, moved_text(change) if chosen else "")


def picks_changed(comparison: Comparison, task: str) -> int:
    """Return on how many items of a task another answer was picked."""
    counts: dict[tuple[str, str], int] = {}
    for row in comparison.flip_counts:
        if row.task == task and row.class_ in ("lost", "gained", "both_wrong_changed"):
            counts[row.filter, row.metric] = counts.get((row.filter, row.metric), 0) + row.count_
    return max(counts.values(), default=0)


def moved_text(change: AnswerChange | None) -> str:
    """Return how far log-likelihoods moved while prompts were equal."""
    if change is None or not change.changed:
        return ""
    moved = numbers.count_of(change.changed, change.items)
    return f"log-likelihoods moved on {moved} items, by {numbers.quantity(change.median)} nats in the median"


def divergence_blocks(comparison: Comparison, hrefs: Mapping[tuple[str, str], str]) -> tuple[Block, ...]:
    """Return a strip a task that diverges, the equal ones in a line; `hrefs` leads from (task, item) to its page."""
    walks = walks_of(comparison)
    differ = [walk for walk in walks if walk.at is not None]
    equal = [walk for walk in walks if walk.at is None]
    formed = tasks_of_two_forms(comparison)
    alone = len(differ) <= TOGETHER
    strips = [strip_of(walk, hrefs, walk.task in formed) for walk in differ] if alone else together(differ, formed)
    bars = tuple(histograms(comparison))
    fold = (Folded(("How far log-likelihoods moved on equal prompts",), bars),) if bars else ()
    return (*strips, *([equal_line(equal)] if equal else []), *fold)


def tasks_of_two_forms(comparison: Comparison) -> set[str]:
    """Return the tasks whose prompts are the same words, sent as messages on one side."""
    return {
        pair.task
        for pair in comparison.prompts
        if (pair.a_messages is None) != (pair.b_messages is None) and pair.a == pair.b is not None
    }


def strip_of(walk: Walk, hrefs: Mapping[tuple[str, str], str], formed: bool = False) -> Strip:
    """Return one task's strip; `formed`: its prompts differ in their form alone."""
    at = len(walk.steps) if walk.at is None else walk.at

    def alike(word: str, place: int) -> bool:
        return formed and place < at and word == STEPS["prompts"].word

    steps = tuple(
        Step(
            word,
            f"{numbers.count_of(equal, compared)}{f' {SAME_WORDS.word}' if alike(word, place) else ''}",
            "alike" if alike(word, place) else "held" if place < at else "break" if place == at else "after",
            hrefs.get((walk.task, first), "") if first else "",
        )
        for place, (word, equal, compared, first) in enumerate(walk.steps)
    )
    return Strip(walk.task, (said_of(walk),), steps)


SAME_PICKED = "the same choices are picked"


def said_of(walk: Walk) -> str:
    """Return at which step a task diverges, in words."""
    moved = f"; {walk.moved}" if walk.moved else ""
    if walk.at is None:
        return f"{SAME_PICKED}{moved}" if moved else "equal on every step"
    word, equal, compared, _ = walk.steps[walk.at]
    return f"{word}: {numbers.count_of(equal, compared)} equal{moved}"


def together(walks: Sequence[Walk], formed: Collection[str]) -> list[Strip]:
    """Return one strip for all tasks that diverge at the same step, their counts added."""
    alike: dict[tuple[str, ...], list[Walk]] = {}
    for walk in walks:
        words = tuple(step[0] for step in walk.steps)
        alike.setdefault((*words, str(walk.at)), []).append(walk)
    strips = []
    for group in alike.values():
        first = group[0]
        summed = tuple(
            (word, sum(walk.steps[place][1] for walk in group), sum(walk.steps[place][2] for walk in group), "")
            for place, (word, *_) in enumerate(first.steps)
        )
        strip = strip_of(Walk("", summed, first.at), {}, all(walk.task in formed for walk in group))
        name = numbers.listed([walk.task for walk in group], 2)
        title = name if len(group) == 1 else f"{numbers.counted(len(group), 'task')} ({name})"
        strips.append(strip._replace(name=title))
    return strips


def equal_line(walks: Sequence[Walk]) -> Line:
    """Return the tasks that are equal on every step, and those in which only log-likelihoods moved below that."""
    still = numbers.listed([walk.task for walk in walks if not walk.moved], 6)
    moved = [walk for walk in walks if walk.moved]
    line: Line = ("Equal on every step: ", Name(still), ". ") if still else ()
    if moved:
        said = "; ".join(f"{walk.task}: {walk.moved}" for walk in moved[:3])
        more = f"; so in {numbers.counted(len(moved) - 3, 'task')} more" if len(moved) > 3 else ""
        line = (*line, f"The same choices are picked; {said}{more}.")
    return line


def divergence_line(comparison: Comparison) -> Line:
    """Return the first divergence of all tasks in one sentence."""
    walks = walks_of(comparison)
    if not walks:
        return ()
    found: dict[str, list[Walk]] = {}
    for walk in walks:
        if walk.at is not None:
            found.setdefault(walk.steps[walk.at][0], []).append(walk)
    if not found:
        shifted = [walk.task for walk in walks if walk.moved]
        if shifted:
            return (
                "First divergence: none up to the picked choices; log-likelihoods moved in ",
                Name(numbers.listed(shifted)),
                ".",
            )
        return (f"First divergence: none; {numbers.counted(len(walks), 'task')} equal on every step.",)
    order = [*(STEPS[name].word for name in STEPS), PICKED_CHOICE.word]
    parts = []
    for word in sorted(found, key=lambda word: order.index(word) if word in order else len(order)):
        group = found[word]
        counts = [walk.steps[walk.at] for walk in group if walk.at is not None]
        equal, compared = sum(step[1] for step in counts), sum(step[2] for step in counts)
        names = [walk.task for walk in group]
        where = numbers.listed(names) if len(names) <= 2 else numbers.counted(len(names), "task")
        moved = moved_among(comparison, names) if word == PICKED_CHOICE.word else ""
        parts.append(f"{word} in {where} ({numbers.count_of(equal, compared)} equal{moved})")
    same = len(walks) - sum(map(len, found.values()))
    tail = f"; {numbers.counted(same, 'task')} equal" if same else ""
    return (f"First divergence: {'; '.join(parts)}{tail}.",)


def moved_among(comparison: Comparison, tasks: Sequence[str]) -> str:
    """Return on how many items of some tasks the log-likelihoods are equal, "" where none moved."""
    found = [change for change in comparison.answer_changes if change.task in tasks]
    items, changed = sum(change.items for change in found), sum(change.changed for change in found)
    return f"; log-likelihoods: {numbers.count_of(items - changed, items)} equal" if changed else ""


def histograms(comparison: Comparison) -> list[Bars]:
    """Return how far log-likelihoods moved where prompts are equal, as bars: of many tasks the largest moves."""
    found = [change for change in comparison.answer_changes if change.bins and is_noise(comparison, change)]
    largest = sorted(found, key=lambda change: (-change.median, change.task))[:HISTOGRAMS]
    return [bars_of(change) for change in found if change in largest]


def is_noise(comparison: Comparison, change: AnswerChange) -> bool:
    """Say whether likelihoods moved in a task whose prompts are all equal: otherwise it is no numerical noise."""
    if not change.changed:
        return False
    rungs = [rung for ladder in comparison.ladder if ladder.task == change.task for rung in ladder.rungs]
    return any(rung.rung == "prompts" and 0 < rung.compared == rung.equal for rung in rungs)


def bars_of(change: AnswerChange) -> Bars:
    """Return one task's moves of log-likelihoods, the empty ends left out."""
    filled = [place for place, (_, items) in enumerate(change.bins) if items]
    bins = change.bins[filled[0] : filled[-1] + 1] if filled else change.bins
    tallest = max((items for _, items in bins), default=1) or 1
    said = f"At most {numbers.quantity(change.largest)} nats"
    if change.flips:
        said += f"; the outcome of {numbers.counted(change.flips, 'item')} changed"
        if change.largest_flip_margin is not None:
            said += f", none at a logprob margin above {numbers.quantity(change.largest_flip_margin)}"
    return Bars(
        f"{change.task}: items by their largest change of log-likelihood",
        "largest change of log-likelihood, nats",
        tuple((f"≤ {numbers.quantity(edge)}", numbers.count(items), items / tallest) for edge, items in bins),
        (f"{said}.",),
    )
