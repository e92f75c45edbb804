"""Which setting did it, among many runs, in words: one row a setting and metric, and the run that would tell more."""

from typing import NamedTuple

from diptych.matrix import Matrix, SettingEffect
from diptych.numbers import metric_name
from diptych.report import figures
from diptych.report.documents import comparison as views
from diptych.report.writers.columns import paragraph
from diptych.report.writers.harmless import one_line, shorten
from diptych.report.writers.terminal_parts import command_lines

ALPHA = 0.05
SHOWN_KEYS = 4
LONGEST_VALUE = 40


class EffectRow(NamedTuple):
    """One setting's effect on one metric, ready to show; `word` is better, worse or unclear."""

    metric: str
    steps: tuple[str, ...]
    effect: str
    between: str
    sign: str
    word: str
    note: str


def effect_rows(matrix: Matrix) -> tuple[EffectRow, ...]:
    """Return the effects of a matrix that have a number, as it lists them."""
    return tuple(effect_row(effect, matrix) for effect in matrix.effects if effect.difference is not None)


def mixed_words(matrix: Matrix) -> str:
    """Return which settings the runs do not tell apart, each once; "" where there are none."""
    mixed = dict.fromkeys(effect.settings for effect in matrix.effects if effect.difference is None)
    if not mixed:
        return ""
    groups = [one_line(keys[0]) + (f" (with {len(keys) - 1} more)" if len(keys) > 1 else "") for keys in mixed]
    return f"These runs do not tell apart what each of these does: {', '.join(groups)}."


def effect_row(effect: SettingEffect, matrix: Matrix) -> EffectRow:
    """Return one effect in words."""
    row = next((row for row in matrix.rows if row.key == effect.key), None)
    higher = row.higher_is_better if row else None
    known = [score for score in row.scores if score is not None] if row else []
    as_points = bool(known) and figures.in_points(min(known), max(known), higher)
    word = word_of(effect, higher)
    name = metric_name(effect.metric, effect.filter)
    return EffectRow(
        metric=f"{effect.task} {name}",
        steps=steps_of(effect, matrix),
        effect=figures.difference(effect.difference, as_points),
        between=figures.between(effect.low, effect.high, as_points) if effect.low is not None else "",
        sign={"better": "▲", "worse": "▼"}.get(word, "·"),
        word=word,
        note=effect.note,
    )


def word_of(effect: SettingEffect, higher_is_better: bool | None) -> str:
    """Return better or worse where an adjusted p-value says so and the direction is known, else unclear."""
    small = effect.p_adjusted is None or effect.p_adjusted >= ALPHA
    if small or not effect.difference or higher_is_better is None:
        return "unclear"
    return "better" if (effect.difference > 0) == higher_is_better else "worse"


def steps_of(effect: SettingEffect, matrix: Matrix) -> tuple[str, ...]:
    """Return each setting of an effect with its value before and after; the first few where many changed together."""
    values = dict(views.setting_texts(matrix))
    shown = [
        f"{one_line(key)}: {value(values[key][effect.a])} → {value(values[key][effect.b])}"
        for key in effect.settings[:SHOWN_KEYS]
        if key in values
    ]
    more = len(effect.settings) - SHOWN_KEYS
    return (*shown, f"and {more} more that changed with these") if more > 0 else tuple(shown)


def value(text: str) -> str:
    """Return a setting's value on one short line."""
    return one_line(shorten(text, LONGEST_VALUE))


def next_words(matrix: Matrix) -> str:
    """Return what the next run would tell, "" where the runs leave nothing together."""
    if matrix.next_run is None:
        return ""
    others = [key for key in matrix.next_settings if key != matrix.next_run.changes]
    if not others:
        return f"The run to make next changes {one_line(matrix.next_run.changes)} alone."
    shown = ", ".join(one_line(key) for key in others[:SHOWN_KEYS])
    more = f" and {len(others) - SHOWN_KEYS} more" if len(others) > SHOWN_KEYS else ""
    return (
        f"The run to make next changes {one_line(matrix.next_run.changes)} alone: here it changed with {shown}{more}."
    )


def effect_lines(matrix: Matrix, width: int) -> list[str]:
    """Return the effects and the next run as lines of a terminal."""
    lines: list[str] = []
    before = ""
    for row in effect_rows(matrix):
        if row.metric != before:
            lines += paragraph(one_line(row.metric), width, "  ")
            before = row.metric
        for step in row.steps:
            lines += paragraph(step, width, "    ")
        lines += paragraph(told(row), width, f"      {row.sign} ")
    lines += paragraph(mixed_words(matrix), width, "  ") if mixed_words(matrix) else []
    if matrix.next_run is not None:
        lines += ["", *paragraph(next_words(matrix), width, "  "), "", *command_lines(matrix.next_run.command, width)]
    return lines


def told(row: EffectRow) -> str:
    """Return an effect's number, range, word and ground in one line."""
    parts = [
        row.effect + (f" ({row.between})" if row.between else ""),
        {"unclear": "cannot tell"}.get(row.word, row.word),
    ]
    return ", ".join([*parts, *([row.note] if row.note else [])])
