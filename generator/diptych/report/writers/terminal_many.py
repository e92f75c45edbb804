"""Many runs as text for a terminal: who differs from whom, and how much repeats of one configuration differ."""

from collections.abc import Sequence

from diptych.matrix import Matrix, MatrixRow
from diptych.numbers import metric_name
from diptych.repeats import Repeats
from diptych.report import figures
from diptych.report.documents import comparison as views
from diptych.report.documents.effects import effect_lines
from diptych.report.writers.columns import Ink, padded, paragraph, width_of
from diptych.report.writers.harmless import one_line, shorten, visible
from diptych.report.writers.terminal_parts import VALUE_LINES, aligned, finding_lines, left_out_lines, section


def matrix_text(matrix: Matrix, width: int = 80, colour: bool = False) -> str:
    """Return who differs from whom in at most `width` columns; runs that share a letter cannot be told apart."""
    ink = Ink(colour)
    parts = [
        paragraph(visible(matrix.title or "Runs side by side"), width),
        section("RUNS", run_lines([run.label for run in matrix.runs], width), ink),
        section("AGAINST THE FIRST RUN", verdict_lines(matrix, width), ink, f"A is {one_line(matrix.runs[0].label)}"),
        section("SCORES", matrix_lines(matrix, width, ink), ink, "runs that share a letter cannot be told apart"),
        section("WHICH SETTING DID IT", effect_lines(matrix, width), ink),
        section("SETTINGS THAT DIFFER", setting_table(matrix, width), ink),
        section("FINDINGS", finding_lines(matrix.findings, width, ink), ink),
        section("LEFT OUT", left_out_lines(matrix.left_out, width), ink),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def run_lines(labels: Sequence[str], width: int) -> list[str]:
    """Return the runs by number."""
    return [line for n, label in enumerate(labels, 1) for line in paragraph(one_line(label), width, f"  {n:>2}  ")]


def verdict_lines(matrix: Matrix, width: int) -> list[str]:
    """Return the verdict on each run after the first, which is B there."""
    lines = []
    for place, sentence in views.against_first(matrix):
        lines += paragraph(
            f"B is {one_line(matrix.runs[place].label)}. {visible(sentence)}", width, f"  {place + 1:>2}  "
        )
    return lines


def matrix_lines(matrix: Matrix, width: int, ink: Ink) -> list[str]:
    """Return for each metric every run's score with its letters, then the pairs that are really apart."""
    lines: list[str] = []
    for row in matrix.rows:
        name = metric_name(row.metric, row.filter)
        over = f", {figures.plural(row.pairs, 'shared item')}" if row.pairs else ""
        lines += paragraph(f"{one_line(row.task)} {one_line(name)}{over}", width, "  ")
        scores = aligned("", [figures.score(score) for score in row.scores])[1:]
        errors = views.run_errors(row)
        wide = max(map(len, errors))
        room = min(28, max(width_of(shorten(run.label, 28)) for run in matrix.runs))
        for number, run in enumerate(matrix.runs):
            label = padded(shorten(run.label, room), room)
            cells = f"{number + 1:>4}  {label}  {scores[number]}  {padded(errors[number], wide)}  {row.letters[number]}"
            lines.append(cells.rstrip())
        lines += pair_lines(row, width, ink)
    return lines


def pair_lines(row: MatrixRow, width: int, ink: Ink) -> list[str]:
    """Return one line for each pair of runs that is really apart, with its simultaneous range."""
    known = [score for score in row.scores if score is not None]
    as_points = bool(known) and figures.in_points(min(known), max(known), row.higher_is_better)
    lines = []
    for cell in row.cells:
        if cell.status in ("better", "worse"):
            sign, word = views.STATUS_SIGNS[cell.status], views.STATUS_WORDS[cell.status]
            gap = figures.difference(cell.difference, as_points)
            between = figures.between(cell.low, cell.high, as_points)
            text = f"{cell.b + 1} is {word} than {cell.a + 1}: {gap} ({between})"
            lines += [ink(line, cell.status) for line in paragraph(text, width, f"      {sign} ")]
    return lines or paragraph("No two runs can be told apart.", width, "      ")


def setting_table(matrix: Matrix, width: int) -> list[str]:
    """Return each setting that differs with its value in each run."""
    lines = []
    for key, texts in views.setting_texts(matrix):
        lines += paragraph(one_line(key), width, "  ")
        for number, text in enumerate(texts, 1):
            lines += paragraph(one_line(text), width, f"    {number:>2}  ", VALUE_LINES)
    return lines


def repeats_text(repeats: Repeats, width: int = 80, colour: bool = False) -> str:
    """Return the noise floor of one configuration, metric by metric, in at most `width` columns."""
    ink = Ink(colour)
    count = len(repeats.runs)
    parts = [
        paragraph(visible(repeats.title or f"Noise floor from {count} runs of one configuration"), width),
        section("RUNS", run_lines([run.label for run in repeats.runs], width), ink),
        section("NOISE FLOOR", floor_lines(repeats, width), ink, "what two fresh runs may differ by (95 %)"),
        section("FINDINGS", finding_lines(views.not_told_yet(repeats), width, ink), ink),
        section("LEFT OUT", left_out_lines(repeats.left_out, width), ink),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def floor_lines(repeats: Repeats, width: int) -> list[str]:
    """Return the scores of each metric over the runs and the floor they give."""
    lines = []
    for key, scores in repeats.scores.items():
        label = metric_name(key.metric, key.filter)
        lines += paragraph(f"{one_line(key.task)} {one_line(label)}", width, "  ")
        lines += paragraph("scores " + "  ".join(figures.score(score) for score in scores), width, "      ")
        floor = repeats.floors.get(key)
        known = [score for score in scores if score is not None]
        if floor is None or not known:
            lines += paragraph("floor unknown", width, "      ")
            continue
        as_points = figures.in_points(min(known), max(known), True)
        size = figures.difference(floor.floor, as_points).lstrip("+")
        spread = figures.difference(floor.spread, as_points).lstrip("+")
        lines += paragraph(f"floor {size}; standard deviation {spread}", width, "      ")
        lines += paragraph(visible(floor.sentence), width, "      ") if floor.sentence else []
    return lines
