"""What a comment says of more than two runs: who can be told from whom, metric by metric."""

import datetime

from diptych.matrix import Matrix, MatrixRow
from diptych.report import figures
from diptych.report.addresses import title_of
from diptych.report.comment.budget import Block
from diptych.report.comment.words import Section, findings_blocks, named, row, run_line, running, table_head
from diptych.report.documents.comparison import setting_texts
from diptych.report.documents.effects import effect_rows, next_words, told
from diptych.report.writers.markdown import cell, code_html, shorten

EFFECTS_SHOWN = 3


def section(matrix: Matrix, today: datetime.date | None) -> Section:
    """Return what a matrix has to say, as parts of a comment."""
    apart = [cell_ for line in matrix.rows for cell_ in line.cells if cell_.status in ("better", "worse")]
    pairs = sum(len(line.cells) for line in matrix.rows)
    sign, word = ("≠", "some runs differ") if apart else ("?", "no runs can be told apart")
    heading = f"### {sign} {word[0].upper()}{word[1:]}: {running(title_of(matrix), 120)}"
    of = figures.plural(pairs, "difference")
    said = f"{figures.count(len(apart))} of {of} between {len(matrix.runs)} runs are real."
    return Section(
        sign=sign,
        word=word,
        name=cell(title_of(matrix), 80),
        title=code_html(shorten(title_of(matrix), 80)),
        cause="–",
        worst="–",
        changed=bool(apart),
        intro=(heading, said, *verdicts(matrix), *doers(matrix)),
        blocks=(
            *score_block(matrix),
            *findings_blocks(matrix.findings),
            *setting_block(matrix),
            runs_block(matrix, today),
        ),
        closing=(),
        left_out=tuple(f"{entry.what} ({figures.count(entry.count_)})" for entry in matrix.left_out),
    )


def verdicts(matrix: Matrix) -> tuple[str, ...]:
    """Return the verdict of each run against the first, and the gates that fired."""
    pairs = zip(matrix.runs[1:], matrix.sentences, strict=False)
    lines = [f"- {named(run.label)}: {running(sentence.removeprefix(f'{run.label}: '))}" for run, sentence in pairs]
    gates = [f"**Gate** ✕ {named(gate.rule, 80)}: {running(gate.text)}" for gate in matrix.gates if gate.fired]
    first = f"Each run (B) against {named(matrix.runs[0].label)} (A):" if lines else ""
    return (*([first, "\n".join(lines)] if lines else []), *gates)


def doers(matrix: Matrix) -> tuple[str, ...]:
    """Return the settings that moved a score for real, and the run that would tell more apart."""
    real = [line for line in effect_rows(matrix) if line.word in ("better", "worse")]
    lines = [
        f"- {cell(line.metric, 80)}: {running(' and '.join(line.steps), 200)}: {line.sign} {running(told(line), 160)}"
        for line in real[:EFFECTS_SHOWN]
    ]
    if len(real) > EFFECTS_SHOWN:
        lines.append(f"- {figures.plural(len(real) - EFFECTS_SHOWN, 'more effect')} in the archive")
    then = running(next_words(matrix), 300) if matrix.next_run is not None else ""
    return (*(["Which setting did it:", "\n".join(lines)] if lines else []), *([then] if then else []))


def score_block(matrix: Matrix) -> tuple[Block, ...]:
    """Return the table of scores: a row a metric, a column a run, with the letters that runs share."""
    ranked = sorted(matrix.rows, key=lambda line: -sum(entry.status in ("better", "worse") for entry in line.cells))
    head = table_head("Task", "Metric", *(f":{cell(run.label, 40)}" for run in matrix.runs))
    return (
        Block(
            "worse",
            "rows of scores",
            tuple(score_row(line) for line in ranked),
            head=head,
            note="Runs that share a letter in a row cannot be told apart.",
            least=10,
        ),
    )


def score_row(line: MatrixRow) -> str:
    """Return one metric's row: each score with its letters."""
    name = cell(line.metric, 40) + ("" if line.filter in ("", "none") else f" {cell(line.filter, 40)}")
    letters = [*line.letters, *[""] * len(line.scores)]
    scores = (
        f"{figures.score(score)} {running(letters[place], 20)}".strip() for place, score in enumerate(line.scores)
    )
    return row(cell(line.task, 60), name, *scores)


def setting_block(matrix: Matrix) -> tuple[Block, ...]:
    """Return the settings that differ between the runs, folded."""
    rows = tuple(row(cell(key, 60), *(cell(text, 40) for text in texts)) for key, texts in setting_texts(matrix))
    head = table_head("Setting", *(cell(run.label, 40) for run in matrix.runs))
    return (Block("detail", "settings", rows, title=f"Settings that differ ({len(rows)})", fold=True, head=head),)


def runs_block(matrix: Matrix, today: datetime.date | None) -> Block:
    """Return who the runs are, folded."""
    lines = tuple(f"- {run_line(str(number), run, today)}" for number, run in enumerate(matrix.runs, 1))
    return Block("detail", "runs", lines, title=f"Runs ({len(lines)})", fold=True)
