"""Every kind of artifact as pages under its own folder: comparisons, decisions, matrices, repeats."""

from typing import Any, NamedTuple

from diptych.comparison import Comparison
from diptych.decision import StudentDecision
from diptych.matrix import Matrix, MatrixRow
from diptych.numbers import metric_name
from diptych.repeats import Repeats
from diptych.report import figures
from diptych.report.addresses import relative
from diptych.report.archive_frames import frame
from diptych.report.artifact_parts import Place, finding_rows, left_out_rows, provenance_rows
from diptych.report.documents.comparison import against_first, not_told_yet, run_errors, setting_texts
from diptych.report.documents.effects import effect_rows, mixed_words, next_words
from diptych.report.documents.summaries import WORDS, Site, Summary
from diptych.report.writers.environment import html_page
from diptych.report.writers.harmless import shorten

SIGNS = {"better": ("▲", "better"), "worse": ("▼", "worse"), "same": ("=", "same"), "unclear": ("·", "unclear")}


def pages_of(artifact: Any, summary: Summary, digest: str, site: Site) -> dict[str, str]:
    """Return the pages of one artifact, by their address in the archive."""
    page = f"{summary.folder}/index.html"
    place = Place(
        frame(summary.title, page, site, (("Overview", "index.html"), (shorten(summary.title, 60), ""))),
        digest,
        tuple((run.label, relative(f"{run.folder}/index.html", page)) for run in summary.runs),
    )
    if isinstance(artifact, Comparison):
        return comparison_in(artifact, summary, place, site)
    if isinstance(artifact, StudentDecision):
        from diptych.report.decision_pages import decision_page

        return {page: decision_page(artifact, place)}
    if isinstance(artifact, Matrix):
        return {page: matrix_page(artifact, place, summary)}
    assert isinstance(artifact, Repeats)
    return {page: repeats_page(artifact, place)}


def comparison_in(comparison: Comparison, summary: Summary, place: Place, site: Site) -> dict[str, str]:
    """Return the pages of a comparison, placed into the archive."""
    from diptych.report.pages import comparison_pages

    pages = comparison_pages(comparison, place)
    return {f"{summary.folder}/{name}": text for name, text in pages.items()}


class MatrixView(NamedTuple):
    """One metric over many runs: a score and its letters for each, and who differs from whom."""

    name: str
    scores: tuple[tuple[str, str, str, str], ...]
    heads: tuple[str, ...]
    cells: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
    method: str
    note: str
    reasons: tuple[str, ...]


def matrix_page(matrix: Matrix, place: Place, summary: Summary) -> str:
    """Return the page of more than two runs."""
    word, sign, tone = WORDS[summary.word]
    return html_page(
        "matrix.html.j2",
        frame=place.frame,
        title=summary.title,
        word=word,
        sign=sign,
        tone="unclear" if tone == "open" else "",
        sentence=summary.sentence,
        runs=[
            (str(number), header.label, href, header.model or figures.NOT_RECORDED, figures.date(header.date))
            for number, (header, (_, href)) in enumerate(zip(matrix.runs, place.runs, strict=True), 1)
        ],
        rows=[matrix_view(row, matrix) for row in matrix.rows],
        first=matrix.runs[0].label,
        verdicts=[(str(number + 1), *place.runs[number], sentence) for number, sentence in against_first(matrix)],
        gates=[(gate.rule, gate.text) for gate in matrix.gates if gate.fired],
        settings=setting_texts(matrix),
        effects=effect_rows(matrix),
        mixed=mixed_words(matrix),
        next_run=matrix.next_run,
        next_words=next_words(matrix),
        findings=finding_rows(matrix.findings),
        left_out=left_out_rows(matrix.left_out),
        provenance=provenance_rows(matrix, place.digest),
    )


def matrix_view(row: MatrixRow, matrix: Matrix) -> MatrixView:
    """Return one metric over all runs; runs that share a letter cannot be told apart."""
    labels = [run.label for run in matrix.runs]
    known = {(cell.a, cell.b): cell for cell in row.cells}
    as_points = all(value is None or 0 <= value <= 1 for value in row.scores) and row.higher_is_better is not False
    cells = []
    for a, label in enumerate(labels):
        line = []
        for b in range(len(labels)):
            cell = known.get((a, b))
            if cell is None:
                line.append(("", "", ""))
                continue
            sign, word = SIGNS.get(cell.status, ("", cell.status.replace("_", " ")))
            between = figures.between(cell.low, cell.high, as_points)
            line.append((f"{sign} {figures.difference(cell.difference, as_points, unit=False)}", word, between))
        cells.append((label, tuple(line)))
    return MatrixView(
        name=f"{row.task} · {metric_name(row.metric, row.filter)}",
        scores=tuple(
            (label, figures.score(score), error, letters)
            for label, score, error, letters in zip(labels, row.scores, run_errors(row), row.letters, strict=True)
        ),
        heads=tuple(str(number) for number in range(1, len(labels) + 1)),
        cells=tuple(cells) if row.cells else (),
        method=row.method,
        reasons=pair_reasons(row),
        note="Runs that share a letter cannot be told apart"
        + (f", over {figures.plural(row.pairs, 'shared item')}." if row.pairs is not None else "."),
    )


def pair_reasons(row: MatrixRow) -> tuple[str, ...]:
    """Return why some pairs have no number or no word, a sentence a reason with the pairs it holds for."""
    pairs: dict[str, list[str]] = {}
    for cell in row.cells:
        if cell.reason:
            pairs.setdefault(cell.reason, []).append(f"{cell.a + 1} and {cell.b + 1}")
    return tuple(f"{', '.join(names)}: {reason}." for reason, names in pairs.items())


def repeats_page(repeats: Repeats, place: Place) -> str:
    """Return the page of one configuration's noise floor."""
    rows = []
    for key, floor in repeats.floors.items():
        values = repeats.scores.get(key, ())
        known = [value for value in values if value is not None]
        as_points = figures.in_points(min(known, default=None), max(known, default=None), True)
        rows.append(
            (
                key.task,
                metric_name(key.metric, key.filter),
                [figures.score(value) for value in values],
                figures.difference(floor.floor, as_points).lstrip("+"),
                floor.sentence,
            )
        )
    return html_page(
        "repeats.html.j2",
        frame=place.frame,
        title=repeats.title,
        runs=[
            (header.label, href, header.model or figures.NOT_RECORDED, figures.date(header.date))
            for header, (_, href) in zip(repeats.runs, place.runs, strict=True)
        ],
        rows=rows,
        findings=finding_rows(not_told_yet(repeats)),
        left_out=left_out_rows(repeats.left_out),
        provenance=provenance_rows(repeats, place.digest),
    )
