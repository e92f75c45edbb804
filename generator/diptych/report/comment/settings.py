"""What differs between two runs, as parts of a comment: settings by what the samples say, and where the runs part."""

from diptych.comparison import STEPS, Comparison, ContextDifference, SettingDifference
from diptych.report import figures
from diptych.report.comment.budget import Block
from diptych.report.comment.scores import running_cell
from diptych.report.comment.words import row, table_head
from diptych.report.documents.causes import RUNG_WORDS
from diptych.report.writers.markdown import cell


def settings_blocks(comparison: Comparison) -> tuple[Block, ...]:
    """Return what differs: settings that may matter, those that cannot, the tasks' definitions, the outside."""
    may = [setting for setting in comparison.settings if setting.standing != "cannot"]
    cannot = [setting for setting in comparison.settings if setting.standing == "cannot"]
    equal = f"{figures.count(comparison.settings_equal)} settings are equal."
    head = table_head("Setting", "A", "B", "What the samples say", "Why it can move a score")
    return (
        Block(
            "detail",
            "settings that may matter",
            tuple(setting_row(setting) for setting in may),
            title=f"Settings that differ and may matter ({len(may)})",
            fold=True,
            head=head,
            note=equal,
        ),
        Block(
            "detail",
            "rows from outside the harness",
            tuple(
                row(
                    cell(entry.setting, 40),
                    outside_cell(entry, "a"),
                    outside_cell(entry, "b"),
                    standing_cell(entry),
                    running_cell(entry.why),
                )
                for entry in comparison.context
            ),
            title=f"Outside the harness ({len(comparison.context)})",
            fold=True,
            head=head,
        ),
        Block(
            "detail",
            "fields of task definitions",
            tuple(
                row(
                    cell(entry.task, 40),
                    cell(entry.field, 60),
                    cell(figures.value(entry.a), 80),
                    cell(figures.value(entry.b), 80),
                )
                for entry in comparison.task_settings
            ),
            title=f"Task definitions ({len(comparison.task_settings)})",
            fold=True,
            head=table_head("Task", "Field", "A", "B"),
        ),
        Block(
            "cannot",
            "settings that cannot matter",
            tuple(setting_row(setting) for setting in cannot),
            title=f"Settings that differ and cannot matter here ({len(cannot)})",
            fold=True,
            head=head,
        ),
    )


def setting_row(setting: SettingDifference) -> str:
    """Return one setting as a table row."""
    where = f" ({', '.join(cell(task, 30) for task in setting.tasks[:3])})" if setting.tasks else ""
    return row(
        cell(setting.key, 60) + where,
        value_cell(setting, "a"),
        value_cell(setting, "b"),
        standing_cell(setting),
        running_cell(setting.why),
    )


def standing_cell(setting: SettingDifference | ContextDifference) -> str:
    """Return what the samples say of a setting: whether it explains, can or cannot, and by what."""
    sign = {"explains": "●", "cannot": "–"}.get(setting.standing, "○")
    evidence = running_cell(setting.evidence) if setting.evidence else "no trace"
    return f"{sign} {setting.standing if setting.standing in ('explains', 'cannot') else 'can'}: {evidence}"


def outside_cell(entry: ContextDifference, side: str) -> str:
    """Return one side of what differs outside the harness."""
    value, recorded = (entry.a, entry.a_recorded) if side == "a" else (entry.b, entry.b_recorded)
    return cell(figures.value(value), 60) if recorded else figures.NOT_RECORDED


def value_cell(setting: SettingDifference, side: str) -> str:
    """Return a setting's value on one side; what is not recorded is not code, so that nobody reads it as a value."""
    value, recorded = (setting.a, setting.a_recorded) if side == "a" else (setting.b, setting.b_recorded)
    if not recorded:
        return figures.NOT_RECORDED
    default = setting.a_default if side == "a" else setting.b_default
    return cell(figures.value(value), 60) + (" (default)" if default else "")


def rung_word(rung: str) -> str:
    """Return a step's name as the page has it."""
    return RUNG_WORDS.get(rung, rung.replace("_", " ")).removeprefix("same ")


def ladder_block(comparison: Comparison) -> tuple[Block, ...]:
    """Return the cause ladder: for each task, how many items are equal on each rung."""
    used = [rung for rung in STEPS if any(step.rung == rung for ladder in comparison.ladder for step in ladder.rungs)]
    rows = []
    for ladder in sorted(comparison.ladder, key=lambda ladder: ladder.first_break is None):
        steps = {step.rung: f"{step.equal}/{step.compared}" for step in ladder.rungs if step.compared}
        first = rung_word(ladder.first_break) if ladder.first_break else "none"
        rows.append(row(cell(ladder.task, 40), running_cell(first), *(steps.get(rung, "–") for rung in used)))
    return (
        Block(
            "detail",
            "rows of the cause ladder",
            tuple(rows),
            title="Where the runs first part: items that are equal, rung by rung",
            fold=True,
            head=table_head("Task", "First break", *(f":{rung_word(rung)}" for rung in used)),
        ),
    )
