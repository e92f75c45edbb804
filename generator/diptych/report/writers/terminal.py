"""A comparison as text for a terminal, top-down like a good answer: what differs, is it real, why, what to do next."""

from collections.abc import Sequence

from diptych.comparison import Comparison, PromptPair
from diptych.report import figures
from diptych.report.documents import causes as cause_views
from diptych.report.documents import comparison as views
from diptych.report.documents.comparison import ScoreView
from diptych.report.writers.columns import Ink, filled, indented, padded, paragraph, side_by_side, width_of, wrapped
from diptych.report.writers.diffs import Piece, changed_shown, difference, hidden_shown
from diptych.report.writers.harmless import one_line, visible
from diptych.report.writers.terminal_many import matrix_text, repeats_text
from diptych.report.writers.terminal_parts import (
    VALUE_LINES,
    aligned,
    command_lines,
    finding_lines,
    left_out_lines,
    section,
    setting_text,
)

__all__ = ["comparison_text", "matrix_text", "repeats_text"]

FOLD = 160
"""Equal characters kept at each end of a longer equal stretch."""

PROMPT_LINES = 40
"""Lines that one prompt may take."""

TONES = {"better": "better", "worse": "worse", "mixed": "accent", "unclear": "unclear"}


def comparison_text(comparison: Comparison, width: int = 80, colour: bool = False, samples: int = 1) -> str:
    """Return the whole report in at most `width` columns; no escape code unless `colour`.

    `samples` is how many prompts a task to show side by side.
    """
    ink = Ink(colour)
    parts = [
        head_lines(comparison, width, ink),
        section("SCORES", score_lines(comparison, width, ink), ink, scores_note(comparison)),
        section("SETTINGS", setting_lines(comparison, width, ink), ink, cause_views.settings_line(comparison)),
        section("TASK CONFIGURATION", task_lines(comparison, width), ink),
        section("OUTSIDE THE HARNESS", context_lines(comparison, width), ink),
        section("WHERE THE RUNS PART", ladder_lines(comparison, width, ink), ink),
        section("PROMPTS", prompt_lines(comparison, width, samples), ink),
        section("FINDINGS", finding_lines(comparison.findings, width, ink), ink),
        section("GATES", gate_lines(comparison, width), ink),
        section("LEFT OUT", left_out_lines(comparison.left_out, width), ink),
        section("VERDICT", verdict_lines(comparison, width, ink), ink),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def head_lines(comparison: Comparison, width: int, ink: Ink) -> list[str]:
    """Return the verdict line and who stands against whom."""
    verdict = views.verdict_view(comparison)
    sentence = visible(verdict.sentence)
    if verdict.tone == "unclear" and sentence.startswith("Cannot tell"):
        verdict = verdict._replace(word="Cannot tell")
    said = sentence.startswith(verdict.word)
    first = f"{verdict.icon} {verdict.word}" + ("" if said else ":")
    head = paragraph(f"{first}{sentence.removeprefix(verdict.word)}" if said else f"{first} {sentence}", width)
    head[0] = head[0].replace(first, ink(first, TONES.get(verdict.tone, "bold")), 1)
    return [*head, "", *side_lines(comparison, width)]


def side_lines(comparison: Comparison, width: int) -> list[str]:
    """Return one line a side: label, model, harness, date."""
    lines = []
    for letter, side in (("A", comparison.a), ("B", comparison.b)):
        day = figures.date(side.date) if side.date else f"date {figures.NOT_RECORDED}"
        facts = (side.label, side.model or "", f"{side.harness} {side.harness_version or ''}", day)
        lines += paragraph(", ".join(one_line(fact).strip() for fact in facts if fact.strip()), width, f"{letter}  ")
    return lines


def scores_note(comparison: Comparison) -> str:
    """Return what the table of scores shows, and what a star means where there is one."""
    ours = any("*" in row.a_error + row.b_error for row in views.score_views(comparison))
    return "B − A, with the 95 % range" + ("; * ours, not the run's" if ours else "")


def score_lines(comparison: Comparison, width: int, ink: Ink) -> list[str]:
    """Return the score table, columns aligned on the decimal point; a task's name stands above its metrics."""
    rows = views.score_views(comparison)
    if not rows:
        return ["  The runs share no metric: they did not measure the same thing."]
    columns = [
        aligned("A", [row.a for row in rows]),
        aligned("B", [row.b for row in rows]),
        aligned("B − A", [with_unit(row) for row in rows]),
        aligned("range", [row.between for row in rows], flush=False),
        aligned("", [f"{row.sign} {row.word}" for row in rows], flush=False),
    ]
    room = width - 2 - sum(width_of(column[0]) + 2 for column in columns)
    if room < 16:  # the range moves to the line below rather than squeezing the names
        columns.pop(3)
        room = width - 2 - sum(width_of(column[0]) + 2 for column in columns)
    room = min(room, max(width_of(one_line(row.metric)) + 2 for row in rows))
    lines = ["  " + "  ".join([padded("", room), *(column[0] for column in columns)]).rstrip()]
    task = None
    for number, row in enumerate(rows):
        if row.task != task:
            lines += paragraph(one_line(row.task) + task_note(row), width, "  ")
            task = row.task
        cells = [column[number + 1] for column in columns]
        lines += score_row(row, cells, room, width, ink)
        below = [f"range {row.between}"] if len(columns) == 4 and row.between != figures.NOT_AVAILABLE else []
        lines += [ink(line, "quiet") for line in paragraph(details(row, below), width, "      ") if line.strip()]
    return lines


def with_unit(row: ScoreView) -> str:
    """Return a difference with its unit, shortened for a column."""
    return f"{row.difference} pt" if row.unit and row.difference != figures.NOT_AVAILABLE else row.difference


def task_note(row: ScoreView) -> str:
    """Return what a task's row is, where it is not a plain task."""
    return {"group": " (group)", "child": " (part of a group)"}.get(row.place, "")


def score_row(row: ScoreView, cells: list[str], room: int, width: int, ink: Ink) -> list[str]:
    """Return a score's line; a name that is too long stands on a line of its own."""
    name = f"  {one_line(row.metric)}"
    cells = [*cells[:-1], ink(cells[-1].rstrip(), row.tone)]
    numbers = "  ".join(cells).rstrip()
    if width_of(name) > room:
        return [*paragraph(name.strip(), width, "    "), f"  {padded('', room)}  {numbers}"]
    return [f"  {padded(name, room)}  {numbers}"]


def details(row: ScoreView, more: Sequence[str]) -> str:
    """Return what stands below a score: standard errors, items, p, and why a number is missing."""
    known = [(letter, text) for letter, text in (("A", row.a_error), ("B", row.b_error)) if text]
    errors = ", ".join(text if len(known) == 2 else f"{letter} {text}" for letter, text in known)
    p = "" if row.p == figures.NOT_AVAILABLE else f"p {row.p}" if row.p.startswith("<") else f"p = {row.p}"
    return "; ".join(part for part in (*more, errors, row.counts, p, one_line(row.reason)) if part)


def setting_lines(comparison: Comparison, width: int, ink: Ink) -> list[str]:
    """Return the settings that differ, in the order a reader should look at them."""
    if not comparison.settings:
        return ["  No recorded setting differs."]
    lines = paragraph(cause_views.PLACES, width, "  ")
    number = 0
    for block in cause_views.setting_blocks(comparison.settings):
        lines += paragraph(f"{block.title}:", width, "  ")
        for setting in block.settings:
            number += 1
            lines += setting_text(setting, f"{number:>3}  ", width, ink)
    return lines


def task_lines(comparison: Comparison, width: int) -> list[str]:
    """Return the changed fields of each task's definition."""
    lines = []
    for task, fields in cause_views.task_fields(comparison):
        lines += paragraph(one_line(task), width, "  ")
        for field in fields:
            lines += paragraph(one_line(".".join(field.path)), width, "    ")
            for letter, value in (("A", field.a), ("B", field.b)):
                lines += paragraph(one_line(value), width, f"      {letter}  ", VALUE_LINES)
    return lines


def context_lines(comparison: Comparison, width: int) -> list[str]:
    """Return what differs outside the harness, and what nobody wrote down."""
    lines = []
    for row in cause_views.context_views(comparison.context):
        lines += setting_text(row, "  ", width, Ink(False))
    note = cause_views.context_note(comparison)
    return lines + (paragraph(note, width, "  ") if note else [])


def ladder_lines(comparison: Comparison, width: int, ink: Ink) -> list[str]:
    """Return for each task the first step on which the runs part."""
    lines = []
    for ladder in cause_views.ladder_views(comparison.ladder):
        lines += paragraph(f"{one_line(ladder.task)}: {ladder.sentence}", width, "  ")
        steps = [
            f"{rung.sign} {rung.words.removeprefix('same ')} {rung.counts.removesuffix(' equal')}"
            for rung in ladder.rungs
        ]
        lines += [ink(line, "quiet") for line in filled(steps, width, "      ")]
    return lines


def prompt_lines(comparison: Comparison, width: int, samples: int) -> list[str]:
    """Return the first prompts of each task side by side, equal stretches folded."""
    lines: list[str] = []
    shown: dict[str, int] = {}
    for pair in comparison.prompts:
        shown[pair.task] = shown.get(pair.task, 0) + 1
        if shown[pair.task] <= samples:
            lines += prompt_text(pair, width)
    return lines


def prompt_text(pair: PromptPair, width: int) -> list[str]:
    """Return one prompt of both sides in two columns, or once where both are equal."""
    lines = paragraph(f"{one_line(pair.task)}, item {one_line(pair.item)}. {visible(pair.note)}", width, "  ")
    if pair.a is None or pair.b is None:
        missing = "A" if pair.a is None else "B"
        return lines + paragraph(f"The prompt of {missing} is not recorded.", width, "    ")
    if pair.a == pair.b:
        return lines + indented(wrapped(folded(hidden_shown(pair.a)), width - 4, PROMPT_LINES), "    ", "    ")
    pieces = difference(pair.a, pair.b)
    half = (width - 2 - 3) // 2
    columns = [wrapped(side_text(pieces, side), half, PROMPT_LINES) for side in (0, 1)]
    return [*lines, *indented(side_by_side(["A", *columns[0]], ["B", *columns[1]], width - 2), "  ", "  ")]


def side_text(pieces: Sequence[Piece], side: int) -> str:
    """Return one side of a difference, its white space visible where it differs."""
    parts = []
    for piece in pieces:
        own, other = (piece.a, piece.b) if side == 0 else (piece.b, piece.a)
        parts.append(folded(hidden_shown(own)) if piece.equal else folded(changed_shown(own, other), 4 * FOLD))
    return "".join(parts)


def folded(text: str, keep: int = FOLD) -> str:
    """Return text with its middle left out and counted where it is long."""
    if len(text) <= 2 * keep + 40:
        return text
    return f"{text[:keep]}\n⋯ {figures.count(len(text) - 2 * keep)} more characters ⋯\n{text[-keep:]}"


def gate_lines(comparison: Comparison, width: int) -> list[str]:
    """Return each rule that was asked for and whether it fired."""
    lines = []
    for gate in comparison.gates:
        state = "fired" if gate.fired else "held"
        lines += paragraph(f"{one_line(gate.rule)}: {state}. {visible(gate.text)}", width, "  ")
    return lines


def verdict_lines(comparison: Comparison, width: int, ink: Ink) -> list[str]:
    """Return the verdict in full: the sentence, the cause and its standing, the next run and what it would mean."""
    verdict = views.verdict_view(comparison)
    lines = paragraph(visible(verdict.sentence), width, "  ")
    if verdict.cause:
        standing = f" ({verdict.standing})" if verdict.standing else ""
        lines += paragraph(f"Leading cause: {one_line(verdict.cause)}{standing}.", width, "  ")
    lines += paragraph(f"Next: {visible(verdict.next_step)}", width, "  ") if verdict.next_step else []
    run = comparison.verdict.isolating_run
    if run is None:
        return lines
    took = f", about {figures.duration(run.seconds)}" if run.seconds is not None else ""
    lines += ["", *paragraph(f"The run that isolates {one_line(run.changes)}{took}:", width, "  "), ""]
    lines += command_lines(run.command, width)
    lines += ["", *(line for text in (run.if_closes, run.if_stays) for line in paragraph(visible(text), width, "  "))]
    return lines
