"""The tasks of a student decision: each pair's paired checks, the grid of tasks and students, the checks by kind."""

from collections.abc import Mapping, Sequence

from diptych import numbers
from diptych.decision import PairedChecks, StudentDecision, TaskOutcome
from diptych.report.blocks import (
    IN_COMMENT,
    IN_FULL,
    ON_PAGES,
    Block,
    Column,
    Diff,
    Grid,
    GridRow,
    Line,
    Name,
    Row,
    Section,
    Table,
)
from diptych.report.writers.harmless import visible

TASKS, ANSWERS = 1_000, 200
"""Tasks in the grid, and how many of them open to prompt and answers; artifact.json holds all."""
QUESTION = 110
"""Characters of a question in its line of the grid."""
EXCERPTS = 4

OUTCOMES: Mapping[bool | None, tuple[str, str, str]] = {
    True: ("✓", "passed", "better"),
    False: ("✗", "failed", "worse"),
    None: ("–", "unanswered", "unclear"),
}

GROUPS = {
    "split": "some pass, some fail",
    "unanswered": "unanswered by some",
    "none": "failed by all",
    "all": "passed by all",
}
"""What can be said of a task over all students, in the order in which a reader looks at it."""


# Paired checks.


def paired_tables(decision: StudentDecision) -> tuple[PairedChecks, ...]:
    """Return the paired tables as a tuple, whatever the number of students."""
    if decision.paired is None:
        return ()
    return (decision.paired,) if isinstance(decision.paired, PairedChecks) else decision.paired


def checks_section(decision: StudentDecision) -> Section:
    """Return each two students over the same tasks: the difference with its interval, and who alone passes what."""
    pairs = paired_tables(decision)
    levels = {numbers.level(pair.confidence) for pair in pairs}
    adjusted = len(pairs) > 1 and any(pair.p_adjusted is not None for pair in pairs)
    columns = (
        Column("Pair"),
        Column("Difference", right=True),
        Column(f"{min(levels)} CI" if len(levels) == 1 else "CI"),
        Column("p (Holm)" if adjusted else "p", right=True, leaves=1),
        Column("Both pass", right=True, leaves=3),
        *(Column(f"Only {name}", right=True, leaves=2) for name in only_heads(pairs)),
        Column("Neither", right=True, leaves=3),
    )
    rows = tuple(pair_row(pair, len(levels) > 1) for pair in pairs)
    lines = tuple(line for pair in pairs if (line := pair_line(pair)))
    blocks: tuple[Block, ...] = (Table(columns, rows, "pairs", least=3), *lines) if rows else ()
    return Section("checks", "Paired checks", blocks, places=IN_FULL, folded=IN_COMMENT)


def only_heads(pairs: Sequence[PairedChecks]) -> tuple[str, str]:
    """Return the heads of the two columns of tasks that one of a pair alone passes."""
    return (pairs[0].first, pairs[0].second) if len(pairs) == 1 else ("the first", "the second")


def pair_row(pair: PairedChecks, leveled: bool) -> Row:
    """Return one pair: second minus first; each CI with its level where those differ."""
    moved = (pair.only_second - pair.only_first) / pair.tasks if pair.tasks else None
    p = pair.p_value if pair.p_adjusted is None else pair.p_adjusted
    ends = numbers.between(pair.low, pair.high, True)
    told = numbers.interval(pair.low, pair.high, True, pair.confidence) if leveled else ends
    return Row(
        (
            (Name(pair.second), " − ", Name(pair.first)),
            (numbers.amount_beside(moved, pair.low, pair.high, True),),
            (told or numbers.NOT_AVAILABLE,),
            (numbers.p_value(p),),
            *((numbers.count(count),) for count in (pair.both, pair.only_first, pair.only_second, pair.neither)),
        )
    )


def pair_line(pair: PairedChecks) -> Line:
    """Return what so many tasks can show, how much worse each may be, and what the unanswered leave open."""
    told = [numbers.detectable(pair.detectable, True), margin_words(pair), bounds_words(pair)]
    said = "; ".join(part for part in told if part)
    return (f"{pair.second} − {pair.first} over {numbers.counted(pair.tasks, 'task')}: {said}.",) if said else ()


def margin_words(pair: PairedChecks) -> str:
    """Return by how much each student may be worse: the limits that the margin is held against."""
    if pair.low_90 is None or pair.high_90 is None:
        return ""
    worse = [(pair.second, pair.low_90), (pair.first, -pair.high_90)]
    told = [f"{name} up to {numbers.size(low)} pp worse" for name, low in worse if low < 0]
    return f"{' and '.join(told)} (one-sided 95 % limit, held against the margin)" if told else ""


def bounds_words(pair: PairedChecks) -> str:
    """Return between which differences the unanswered tasks leave the truth."""
    ends = []
    for bound in pair.bounds:
        if n := bound.both + bound.only_first + bound.only_second + bound.neither:
            ends.append((bound.only_second - bound.only_first) / n)
    if not ends:
        return ""
    open_ = f"{pair.first} {pair.unanswered_first}, {pair.second} {pair.unanswered_second}"
    span = numbers.between(min(ends), max(ends), in_points=True)
    return f"unanswered {open_}, which counted as failed or passed leave the difference at {span} pp"


# Checks by kind.


def kinds_section(decision: StudentDecision) -> Section:
    """Return the checks by kind, a column a student."""
    kinds = dict.fromkeys(check.kind for route in decision.routes for check in route.checks)
    rows = []
    for kind in kinds:
        found = [next((check for check in route.checks if check.kind == kind), None) for route in decision.routes]
        cells = (numbers.count_of(one.passed, one.total) if one else numbers.NOT_AVAILABLE for one in found)
        rows.append(Row(((Name(kind),), *((cell,) for cell in cells))))
    columns = (Column("Check"), *(Column(route.name, right=True) for route in decision.routes))
    blocks = (Table(columns, tuple(rows), "kinds of check"),) if rows else ()
    return Section("kinds", f"Checks by kind ({len(rows)})", blocks, places=IN_FULL, folded=IN_COMMENT)


# The grid of tasks and students.


def tasks_section(decision: StudentDecision) -> Section:
    """Return every task with what each student made of it: split tasks first, then unanswered, failed and passed."""
    order = {route.name: place for place, route in enumerate(decision.routes)}
    rank = {name: place for place, name in enumerate(GROUPS)}
    groups = [(group_of(task), task) for task in decision.tasks]
    groups.sort(key=lambda pair: rank[pair[0].partition(":")[0].replace("only", "split")])
    rows = tuple(grid_row(task, group, order, place < ANSWERS) for place, (group, task) in enumerate(groups[:TASKS]))
    words = tuple((group, group_words(group)) for group in dict.fromkeys(group for group, _ in groups))
    grid = Grid(tuple(order), rows, words, groups_note([group for group, _ in groups]), "task, question, answer")
    return Section("tasks", "Task by task", (grid,) if rows else (), places=ON_PAGES)


def grid_row(task: TaskOutcome, group: str, order: Mapping[str, int], opens: bool) -> GridRow:
    """Return one task of the grid, its students in their order (an artifact's own keys are sorted)."""
    prompt = task.prompt or ""
    question = visible(" ".join(prompt.split()))
    passed = sorted(task.passed.items(), key=lambda item: order.get(item[0], len(order)))
    texts = [("", prompt)] if prompt else []
    texts += [
        (f"{name} {OUTCOMES[ok][0]} {OUTCOMES[ok][1]}", task.responses.get(name) or "no answer kept")
        for name, ok in passed
    ]
    return GridRow(
        task.id,
        question if len(question) <= QUESTION else f"{question[:QUESTION].rstrip()} …",
        tuple(OUTCOMES[ok] for _, ok in passed),
        group,
        tuple(texts) if opens else (),
    )


def group_of(task: TaskOutcome) -> str:
    """Return what can be said of a task over all students, or "only:NAME" where one of two alone passed it."""
    passed = [route for route, ok in task.passed.items() if ok]
    if None in task.passed.values():
        return "unanswered"
    if len(passed) in (0, len(task.passed)):
        return "all" if passed else "none"
    return f"only:{passed[0]}" if len(task.passed) == 2 else "split"


def group_words(group: str) -> str:
    """Return what can be said of a task in words."""
    return f"passed by {group[5:]} only" if group.startswith("only:") else GROUPS[group]


def groups_note(groups: Sequence[str]) -> str:
    """Return how many tasks there are of each group, and how many are shown."""
    counts: dict[str, int] = {}
    for group in groups:
        counts[group] = counts.get(group, 0) + 1
    told = [f"{numbers.count(number)} {group_words(group)}" for group, number in counts.items()]
    text = f"{numbers.counted(len(groups), 'task')}: {', '.join(told)}."
    if len(groups) > TASKS:
        text += f" The first {TASKS:,} are listed; artifact.json holds all."
    return text + (f" The first {ANSWERS} open to their answers." if len(groups) > ANSWERS else "")


def excerpts_section(decision: StudentDecision) -> Section:
    """Return a few tasks that not all students pass, one that passed beside one that failed."""
    split = [task for task in decision.tasks if {True, False} <= set(task.passed.values())]
    title = f"Tasks that not all students pass ({min(EXCERPTS, len(split))} of {len(split)} shown)"
    blocks = tuple(map(task_excerpt, split[:EXCERPTS]))
    return Section("excerpts", title, blocks, places=IN_COMMENT, folded=IN_COMMENT, drop="excerpts")


def task_excerpt(task: TaskOutcome) -> Diff:
    """Return a task's question with an answer that passed and one that failed."""
    good = next(name for name, ok in task.passed.items() if ok)
    bad = next(name for name, ok in task.passed.items() if ok is False)
    question = " ".join((task.prompt or "").split())
    return Diff(
        task.id,
        (question,) if question else (),
        task.responses.get(good),
        task.responses.get(bad),
        (f"{good} ✓ passed", f"{bad} ✗ failed"),
    )
