"""What a comment says of repeated runs: by how much one configuration differs from itself."""

import datetime

from diptych.keys import MetricKey
from diptych.repeats import Repeats
from diptych.report import figures
from diptych.report.addresses import title_of
from diptych.report.comment.budget import Block
from diptych.report.comment.words import Section, findings_blocks, row, run_line, running, table_head
from diptych.report.documents.comparison import not_told_yet
from diptych.report.writers.markdown import cell, code_html, plain, shorten


def section(repeats: Repeats, today: datetime.date | None) -> Section:
    """Return what repeats have to say, as parts of a comment."""
    word = f"noise floor of {figures.plural(len(repeats.runs), 'run')}"
    lines = tuple(f"- {run_line(str(number), run, today)}" for number, run in enumerate(repeats.runs, 1))
    rows = tuple(floor_row(repeats, key) for key in repeats.floors)
    head = table_head("Task", "Metric", *(f":{cell(run.label, 40)}" for run in repeats.runs), ":Floor", "What it means")
    return Section(
        sign="±",
        word=word,
        name=cell(title_of(repeats), 80),
        title=code_html(shorten(title_of(repeats), 80)),
        cause="–",
        worst="–",
        changed=False,
        intro=(f"### ± {word[0].upper()}{word[1:]}: {running(title_of(repeats), 120)}",),
        blocks=(
            Block("worse", "noise floors", rows, head=head, least=10),
            *findings_blocks(not_told_yet(repeats)),
            Block("detail", "runs", lines, title=f"Runs ({len(lines)})", fold=True),
        ),
        closing=(),
        left_out=tuple(f"{entry.what} ({figures.count(entry.count_)})" for entry in repeats.left_out),
    )


def floor_row(repeats: Repeats, key: MetricKey) -> str:
    """Return one metric's row: each run's score, and what two fresh runs may differ by."""
    floor, scores = repeats.floors[key], repeats.scores.get(key, ())
    known = [score for score in scores if score is not None]
    points = figures.in_points(min(known, default=None), max(known, default=None), True)
    shown = [figures.score(score) for score in [*scores, *[None] * len(repeats.runs)][: len(repeats.runs)]]
    return row(
        cell(key.task, 60),
        cell(key.metric, 40) if key.filter in ("", "none") else f"{cell(key.metric, 40)} {cell(key.filter, 40)}",
        *shown,
        figures.difference(floor.floor, points).lstrip("+"),
        plain(shorten(floor.sentence, 240)),
    )
