"""Artifacts for other programs: CSV, JUnit for CI panels, each plot as SVG or PNG.

What a person wrote stays as it is in CSV, but for cells that a spreadsheet would run as a formula.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from diptych.catalogue.words import CLASSES, GATES, STATUSES, VERDICTS, word_of
from diptych.comparison import Comparison, Gate
from diptych.decision import COST_UNITS, StudentDecision
from diptych.errors import DiptychError
from diptych.estimates import MetricComparison, best_estimate
from diptych.matrix import Matrix, MatrixCell
from diptych.repeats import Repeats
from diptych.report.addresses import artifact_title, slug
from diptych.report.documents.score_rows import row_word
from diptych.report.writers.harmless import visible

Artifact = Comparison | StudentDecision | Matrix | Repeats

FORMULA = ("=", "+", "-", "@")
SCORED = ("task", "metric", "filter", "a", "b", "difference")
ESTIMATE = ("method", "confidence", "low", "high", "p_value", "p_adjusted", "pairs", "only_a", "only_b", "detectable")
estimated = attrgetter(*ESTIMATE)
scored = attrgetter(*SCORED)
NO_ESTIMATE = (None,) * len(ESTIMATE)
SURE = frozenset(("a_stderr", "b_stderr", *ESTIMATE))
"""Columns of how sure a score is: an error, a limit, a p-value need no more than six digits."""

PNG_HINT = "pip install 'diptych[png]'"


def table(artifact: Artifact, form: str) -> tuple[str, str]:
    """Return an artifact as `csv`, `items` or `junit`, and the name of a file for it."""
    if form == "junit":
        return junit_text(artifact), "junit.xml"
    return (items_csv(artifact), "items.csv") if form == "items" else (csv_text(artifact), "scores.csv")


def items_csv(artifact: Artifact) -> str:
    """Return the changed items of a comparison as CSV, a row an item and filter; any other artifact is an error."""
    if not isinstance(artifact, Comparison):
        raise DiptychError("only a comparison of two runs has items", hint="export the comparison of each pair")
    head = ["task", "item", "filter", "metric", "class", "target"]
    head += [f"{name}_{side}" for name in ("response", "filtered", "score", "margin") for side in ("a", "b")]
    rows: list[Sequence[Any]] = [head]
    for flip in artifact.flips:
        sides = (flip.a, flip.b)
        class_ = word_of(CLASSES, flip.class_).word
        row: list[Any] = [flip.task, flip.item, flip.filter, flip.metric, class_, flip.target]
        row += [side.response if side else None for side in sides]
        row += [side.filtered if side else None for side in sides]
        row += [side.score if side else None for side in sides]
        rows.append((*row, flip.margin_a, flip.margin_b))
    return csv_lines(rows)


def csv_text(artifact: Artifact) -> str:
    """Return an artifact's main table as CSV (RFC 4180): metrics, scores of many runs, or routes."""
    if isinstance(artifact, Comparison):
        return metrics_csv(*metric_table(artifact))
    if isinstance(artifact, Matrix):
        head, rows = matrix_table(artifact)
    elif isinstance(artifact, Repeats):
        head, rows = repeats_table(artifact)
    else:
        head, rows = route_table(artifact)
    return csv_lines((head, *rows))


def csv_lines(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as lines of CSV."""
    return "".join([",".join(map(field, row)) + "\r\n" for row in rows])


def field(value: Any) -> str:
    """Return a CSV field: a number to nine digits, nothing for what is not available, a text that no spreadsheet runs.

    Behind them stands what is left from sums (0.07000000000000006); the artifact has all. Spreadsheets skip white space
    before a formula, read full-width signs as plain ones, and in some countries part fields at a semicolon: what holds
    one is quoted as a whole.
    """
    if value is None:
        return ""
    if type(value) is float:
        return f"{value:.9g}"
    if not isinstance(value, str):
        return str(value)
    return text_field(value)


def text_field(value: str) -> str:
    """Return a text as a CSV field; short ones are remembered."""
    return csv_field(value) if len(value) <= WORD else quoted_field(value)


def metrics_csv(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return metrics as CSV, put together by columns: a table of them stands beside each page of an archive."""
    columns = [column_fields(name, values) for name, values in zip(head, zip(*rows, strict=True), strict=False)]
    return csv_lines((head,)) + "".join([",".join(fields) + "\r\n" for fields in zip(*columns, strict=True)])


def column_fields(name: str, values: Sequence[Any]) -> Sequence[str]:
    """Return a column of metrics as CSV fields: numbers to nine digits, to six where they say how sure a score is."""
    form = "%.6g" if name in SURE else "%.9g"
    distinct = set(values)
    if 2 * len(distinct) > len(values) or 0 in distinct:  # a set does not tell which of 0.0 and -0.0 that is
        return [form % value if type(value) is float else field(value) for value in values]
    fields = {value: form % value if type(value) is float else field(value) for value in distinct}
    return [fields[value] for value in values]


WORD = 120
"""Characters of a text that is remembered: tasks, metrics and reasons stand in many rows."""


@lru_cache(1024)
def csv_field(value: str) -> str:
    """Return a short text as a CSV field."""
    return quoted_field(value)


INNER_FORMULA = re.compile(r"([;\t\n]\s*)(?=[=+@\-＝＋＠－]\S)")
"""A formula where a spreadsheet that parts fields otherwise begins one: a quotation mark in mid-field keeps nothing."""


def quoted_field(value: str) -> str:
    """Return a text as a CSV field."""
    text = visible(value)
    if unicodedata.normalize("NFKC", text).strip().startswith(FORMULA):
        text = f"'{text}"
    text = INNER_FORMULA.sub(r"\1'", text)
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',;"\n\t') else text


def metric_table(comparison: Comparison) -> tuple[Sequence[str], list[Sequence[Any]]]:
    """Return a row a metric: both scores, the difference, its estimate and its word."""
    head = [*SCORED, "status", "reason", "a_stderr", "b_stderr", *ESTIMATE]
    rows: list[Sequence[Any]] = []
    for row in comparison.metrics:
        found = best_estimate(row)
        word, estimate = row_word(row).word, estimated(found) if found else NO_ESTIMATE
        rows.append((*scored(row), word, row.reason, row.a_stderr, row.b_stderr, *estimate))
    return head, rows


def matrix_table(matrix: Matrix) -> tuple[Sequence[str], list[list[Any]]]:
    """Return a row a metric: each run's score and its groups, of each but the first also how it differs from that."""
    head = ["task", "metric", "filter"]
    for place, run in enumerate(matrix.runs):
        head += [run.label, f"{run.label} groups", *(f"{run.label} {name}" for name in (FROM_FIRST if place else ()))]
    rows = []
    for row in matrix.rows:
        values: list[Any] = [row.task, row.metric, row.filter]
        from_first = {cell.b: cell for cell in row.cells if cell.a == 0}
        for place, (score, letters) in enumerate(zip(row.scores, row.letters, strict=True)):
            values += [score, letters, *(difference_fields(from_first.get(place)) if place else ())]
        rows.append(values)
    return head, rows


FROM_FIRST = ("difference", "low", "high", "confidence", "p_adjusted", "status")


def difference_fields(cell: MatrixCell | None) -> tuple[Any, ...]:
    """Return how a run differs from the first, nothing where they were not compared."""
    if cell is None:
        return (None,) * len(FROM_FIRST)
    word = word_of(STATUSES, cell.status).word
    return cell.difference, cell.low, cell.high, cell.confidence, cell.p_adjusted, word


def repeats_table(repeats: Repeats) -> tuple[Sequence[str], list[list[Any]]]:
    """Return a row a metric: each run's score, and the noise floor."""
    head = ["task", "metric", "filter", *(run.label for run in repeats.runs), "floor", "spread", "sigma_run"]
    rows = []
    for key, floor in repeats.floors.items():
        scores = [*repeats.scores.get(key, ()), *[None] * len(repeats.runs)][: len(repeats.runs)]
        rows.append([*key, *scores, floor.floor, floor.spread, floor.sigma_run])
    return head, rows


def route_table(decision: StudentDecision) -> tuple[Sequence[str], list[list[Any]]]:
    """Return a row a route: checks passed, and each cost with how many records it is over."""
    head = ["student", "model", "passed", "total"]
    for unit in COST_UNITS:
        head += [unit, f"{unit} measured", f"{unit} records"]
    rows = []
    for route in decision.routes:
        values: list[Any] = [route.name, route.model, route.passed, route.total]
        for unit in COST_UNITS:
            cost = route.cost.get(unit)
            values += [cost.total, cost.measured, cost.records] if cost else [None, None, None]
        rows.append(values)
    return head, rows


def junit_text(artifact: Artifact) -> str:
    """Return JUnit XML: a test a metric, failed where it is worse for real, skipped where it cannot be told."""
    if isinstance(artifact, Comparison):
        useless = artifact.verdict.kind in ("not_a_measurement", "not_comparable")
        word = word_of(VERDICTS, artifact.verdict.kind).word
        cases = [test_case("verdict", word, "failure" if useless else "", artifact.verdict.sentence)]
        cases += [metric_case(row) for row in artifact.metrics]
        cases += [gate_case(gate) for gate in artifact.gates]
    elif isinstance(artifact, Repeats):
        cases = [test_case("noise floor", str(key), "", "") for key in artifact.floors]
    elif isinstance(artifact, Matrix):
        cases = [test_case(row.task, row.metric, "", "") for row in artifact.rows]
        cases += [gate_case(gate) for gate in artifact.gates]
    else:
        cases = [test_case("student", route.name, "", "") for route in artifact.routes]
    failures = sum(kind == "failure" for kind, _ in cases)
    skipped = sum(kind == "skipped" for kind, _ in cases)
    head = (
        f"<testsuite name={xml_attribute(artifact_title(artifact))} "
        f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{skipped}">'
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", head]
    return "\n".join([*lines, *(text for _, text in cases), "</testsuite>", "</testsuites>"]) + "\n"


def gate_case(gate: Gate) -> tuple[str, str]:
    """Return the test case of a rule: one that cannot be told is skipped, and says so."""
    kind = {"pass": "", "fail": "failure", "inconclusive": "skipped"}[gate.result]
    return test_case(
        "gate", gate.rule, kind, f"{GATES[gate.result].word}: {gate.text}" if kind == "skipped" else gate.text
    )


def metric_case(row: MetricComparison) -> tuple[str, str]:
    """Return the test case of one metric."""
    kind = {"worse": "failure", "unclear": "skipped", "not_available": "skipped"}.get(row.status, "")
    name = row.metric if row.filter in ("", "none") else f"{row.metric},{row.filter}"
    return test_case(row.task, name, kind, row.sentence or row.reason or row_word(row).word)


def test_case(group: str, name: str, kind: str, said: str) -> tuple[str, str]:
    """Return a test case's kind and its XML."""
    inside = f"<{kind} message={xml_attribute(said)}/>" if kind else ""
    return kind, f"<testcase classname={xml_attribute(group)} name={xml_attribute(name)}>{inside}</testcase>"


def xml_attribute(text: str) -> str:
    """Return text as an XML attribute; what XML cannot carry is shown by its number."""
    from xml.sax.saxutils import quoteattr

    return quoteattr(visible(text))


def plots(artifact: Artifact) -> dict[str, str]:
    """Return each plot of an artifact as an SVG file of its own, by file name."""
    from diptych.report.charts import decision as decision_charts
    from diptych.report.charts import plots as charts

    drawn: dict[str, str] = {}
    if isinstance(artifact, Comparison):
        drawn["differences"] = charts.forest(charts.forest_rows(artifact))
        for change in artifact.answer_changes:
            drawn[f"noise-{slug(change.task) or len(drawn)}"] = charts.noise_histogram(change)
    elif isinstance(artifact, StudentDecision):
        ranges = {
            route.name: (route.low, route.high)
            for route in artifact.routes
            if route.low is not None and route.high is not None
        }
        for plot in artifact.plots:
            drawn[f"cost-{slug(plot.unit)}"] = decision_charts.cost_quality(plot, ranges)
        for number, audit in enumerate(artifact.judges or ((artifact.judge,) if artifact.judge else ()), 1):
            drawn[f"judge-{number}"] = decision_charts.judge_bar(audit)
    return {f"{name}.svg": charts.standalone(str(chart)) for name, chart in drawn.items() if chart}


def files_beside(artifact: Artifact) -> dict[str, str]:
    """Return the files that stand beside an artifact's page in an archive, by name: scores, changed items, the plot."""
    from diptych.report.charts import plots as charts

    files = {"scores.csv": csv_text(artifact)}
    if isinstance(artifact, Comparison):
        if artifact.flips:
            files["items.csv"] = items_csv(artifact)
        if chart := charts.forest(charts.forest_rows(artifact)):
            files["differences.svg"] = charts.standalone(str(chart))
    # lines end as those of every other file of an archive do, so that they are found unchanged
    return {name: text.replace("\r\n", "\n") for name, text in files.items()}


def png_bytes(svg: str, scale: float = 2.0) -> bytes:
    """Return an SVG as PNG, `scale` times as large; a `DiptychError` says what to install where it cannot be drawn."""
    try:
        import resvg_py  # an extra: most people want the SVG
    except ImportError as error:
        raise DiptychError("PNG needs the library resvg_py", hint=PNG_HINT) from error
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=scale, sans_serif_family=font(), background="#fdfdfc"))


@cache
def font() -> str:
    """Return a sans-serif font that this machine has: the drawing library leaves a text out where it has none."""
    import resvg_py

    empty = bytes(resvg_py.svg_to_bytes(svg_string=PROBE.format("")))
    for name in FONTS:
        if bytes(resvg_py.svg_to_bytes(svg_string=PROBE.format("x"), sans_serif_family=name)) != empty:
            return name
    raise DiptychError("no sans-serif font was found", hint=f"install one of {', '.join(FONTS)}, or take --svg")


FONTS = ("DejaVu Sans", "Arial", "Helvetica", "Liberation Sans", "Noto Sans", "Segoe UI", "Verdana")
PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
    '<style>text{{font:12px system-ui,sans-serif}}</style><text y="12">{}</text></svg>'
)
