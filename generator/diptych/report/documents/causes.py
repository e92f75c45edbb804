"""Why scores may differ, as words in the order they are shown: settings, task fields, the world outside, the ladder.

Views hold plain strings only. They are not escaped: each output does that in its own way.
"""

from collections.abc import Sequence
from typing import NamedTuple

from diptych.comparison import Comparison, ContextDifference, Ladder, Rung, SettingDifference
from diptych.report import figures

BLOCKS = (
    ("explains", "Could move a score, and fits what the samples show"),
    ("can", "Could move a score, but left no trace in the samples"),
    ("cannot", "Cannot have moved these scores"),
)


RUNG_WORDS = {
    "documents": "same documents",
    "prompts": "same prompts",
    "choices": "same choices",
    "generation_arguments": "same generation arguments",
    "responses": "same raw answers",
    "filtered": "same extracted answers",
    "scores": "same item scores",
}


class SettingView(NamedTuple):
    """One setting that differs, with its prior place and what the samples say."""

    key: str
    a: str
    b: str
    a_note: str
    b_note: str
    place: str
    tasks: str
    why: str
    evidence: str


class BlockView(NamedTuple):
    """Settings of one standing."""

    standing: str
    title: str
    settings: tuple[SettingView, ...]


class RungView(NamedTuple):
    """One step of a ladder: `state` is held, break or after; `item` names the first item that differs."""

    words: str
    counts: str
    sign: str
    state: str
    item: str


class LadderView(NamedTuple):
    """The cause ladder of one task."""

    task: str
    sentence: str
    rungs: tuple[RungView, ...]


class TaskFieldView(NamedTuple):
    """One changed field of a task's definition; `path` holds its branches."""

    path: tuple[str, ...]
    a: str
    b: str


def setting_blocks(settings: Sequence[SettingDifference]) -> tuple[BlockView, ...]:
    """Return the settings in three blocks by standing, each in the artifact's order; empty blocks are left out."""
    blocks = []
    for standing, title in BLOCKS:
        rows = tuple(setting_view(row) for row in settings if row.standing == standing)
        if rows:
            blocks.append(BlockView(standing, title, rows))
    return tuple(blocks)


def setting_view(row: SettingDifference) -> SettingView:
    """Return one setting that differs."""
    return SettingView(
        key=row.key,
        a=figures.value(row.a, row.a_recorded),
        b=figures.value(row.b, row.b_recorded),
        a_note="default" if row.a_default else value_note(row.key, row.a),
        b_note="default" if row.b_default else value_note(row.key, row.b),
        place=f"prior place {row.rank}" if row.rank is not None else "unranked",
        tasks=", ".join(row.tasks),
        why=row.why,
        evidence=row.evidence or "",
    )


def value_note(key: str, value: object) -> str:
    """Return what a value means that does not say so itself."""
    return "on, applied by the server" if key == "chat_template" and value == "" else ""


def context_views(rows: Sequence[ContextDifference]) -> tuple[SettingView, ...]:
    """Return what differs outside the harness."""
    return tuple(
        SettingView(
            row.setting,
            figures.value(row.a, row.a_recorded),
            figures.value(row.b, row.b_recorded),
            "",
            "",
            "",
            "",
            row.why,
            row.evidence or "",
        )
        for row in rows
    )


def context_note(comparison: Comparison) -> str:
    """Return one sentence on what is known of the world outside the harness."""
    a, b = comparison.context_recorded
    if a and b:
        return "" if comparison.context else "Nothing recorded in run-context.json differs."
    missing = "Neither run has" if not (a or b) else f"{'B' if a else 'A'} has not"
    return f"{missing} a run-context.json: engine, quantisation and endpoint are not known there."


def ladder_views(ladders: Sequence[Ladder]) -> tuple[LadderView, ...]:
    """Return the cause ladders, tasks that break before tasks that hold."""
    views = [ladder_view(ladder) for ladder in ladders]
    broken = [view for view, ladder in zip(views, ladders, strict=True) if ladder.first_break]
    whole = [view for view, ladder in zip(views, ladders, strict=True) if not ladder.first_break]
    return (*broken, *whole)


def ladder_view(ladder: Ladder) -> LadderView:
    """Return one ladder as steps; what comes after the first break follows from it; empty steps are left out."""
    walked = [rung for rung in ladder.rungs if rung.compared]
    if not walked:
        return LadderView(ladder.task, "No item is logged on both sides: nothing could be compared.", ())
    names = [rung.rung for rung in walked]
    breaks = names.index(ladder.first_break) if ladder.first_break in names else len(names)
    rungs = tuple(rung_view(rung, place - breaks, ladder.task) for place, rung in enumerate(walked))
    if breaks == len(names):
        return LadderView(ladder.task, "Every step is equal.", rungs)
    first = walked[breaks]
    what = RUNG_WORDS.get(first.rung, first.rung).removeprefix("same ")
    sentence = f"They part at the {what}: {figures.count_of(first.equal, first.compared)} equal."
    return LadderView(ladder.task, sentence, rungs)


def rung_view(rung: Rung, after_break: int, task: str) -> RungView:
    """Return one step; `after_break` is 0 at the break, negative before it."""
    held = rung.equal == rung.compared
    state = "held" if after_break < 0 else "break" if after_break == 0 else "after"
    counts = f"{figures.count_of(rung.equal, rung.compared)} equal"
    item = f"{task}/{rung.first}" if rung.first is not None and not held else ""
    return RungView(RUNG_WORDS.get(rung.rung, rung.rung), counts, "✓" if held else "✗", state, item)


def task_fields(comparison: Comparison) -> tuple[tuple[str, tuple[TaskFieldView, ...]], ...]:
    """Return the changed fields of each task's definition, the dotted path as branches."""
    tasks: dict[str, list[TaskFieldView]] = {}
    for row in comparison.task_settings:
        view = TaskFieldView(tuple(row.field.split(".")), figures.value(row.a), figures.value(row.b))
        tasks.setdefault(row.task, []).append(view)
    return tuple((task, tuple(fields)) for task, fields in tasks.items())


PLACES = "Prior place: its rank among the settings known to move a score, 1 first."


def settings_line(comparison: Comparison) -> str:
    """Return how many settings differ and how many do not."""
    differ, equal = len(comparison.settings), comparison.settings_equal
    return f"{figures.plural(differ, 'setting')} {'differs' if differ == 1 else 'differ'}, {figures.count(equal)} equal"
