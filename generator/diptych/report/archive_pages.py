"""The pages that link an archive together: the first page, the lists, a page a run, a page a task over time."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from diptych import numbers
from diptych.catalogue.words import BESIDE, DECISIONS, KINDS, REPEATS, VERDICTS, Word, setting_word
from diptych.nouns import NamedTuple
from diptych.numbers import metric_name
from diptych.report.addresses import relative, root_of
from diptych.report.archive_frames import ROWS, frame, paged
from diptych.report.documents.summaries import Failure, Site, Summary, error_of
from diptych.report.histories import RunPage, TaskPage, Use, as_scores, task_folder
from diptych.report.writers.environment import PACKAGE, html_page, static_text
from diptych.report.writers.escape import Markup
from diptych.report.writers.harmless import shorten
from diptych.report.writers.html_inline import sentence_html
from diptych.report.writers.lists import score_groups, setting_rows

ANSWERS: dict[str, Word] = {
    **dict[str, Word](VERDICTS.items()),
    **dict[str, Word](DECISIONS.items()),
    "floor": REPEATS,
}
"""Every answer that the list can be asked for."""


class IndexRow(NamedTuple):
    """One artifact in the list on the first page."""

    kind: str
    word: str
    verdict: str
    sign: str
    tone: str
    delta: str
    interval: str
    level: str
    gap: str
    cause: str
    title: str
    href: str
    sentence: str
    names: str
    tasks: str
    model: str
    day: str
    order: str


def index_row(summary: Summary, page: str) -> IndexRow:
    """Return the row of one artifact."""
    shown = [shorten(task, 40) for task in summary.tasks[:4]]
    more = len(summary.tasks) - len(shown)
    return IndexRow(
        kind=KINDS[summary.kind][0],
        word=summary.word,
        verdict=shorten(summary.said, 60),
        sign=summary.sign,
        tone=summary.tone,
        delta=summary.delta,
        interval=summary.interval.replace(" ", numbers.NO_BREAK),
        level=summary.level.replace(" ", numbers.NO_BREAK),
        gap="" if summary.gap is None else f"{summary.gap:.6g}",
        cause=shorten(setting_word(summary.cause or ""), 60) if summary.kind == "comparison" else "",
        title=shorten(summary.title, 120),
        href=relative(f"{summary.folder}/index.html", page),
        sentence=shorten(summary.sentence, 400),
        names=sides_of(summary),
        tasks=", ".join(shown) + (f" and {more} more" if more > 0 else ""),
        model=models_of(summary),
        day=numbers.day(summary.date) if summary.date else "",
        order=summary.date or "",
    )


def models_of(summary: Summary) -> str:
    """Return the model behind an artifact by the last part of its name, of several the first and how many more."""
    names = list(dict.fromkeys(short_model(run.model) for run in summary.runs if run.model))
    names = names or list(dict.fromkeys(map(short_model, summary.models)))
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{shorten(names[0], 32)}{more}" if names else ""


def short_model(name: str) -> str:
    """Return the last part of a model's name or path."""
    return name.rstrip("/").rpartition("/")[2] or name


def sides_of(summary: Summary) -> str:
    """Return who stood side by side, with their letters where the sentences speak of A and B."""
    names = [shorten(name, 40) for name in summary.names]
    if summary.kind == "comparison":
        names = [f"{letter} {name}" for letter, name in zip("AB", names, strict=True)]
    elif summary.kind == "matrix":
        names = [f"{number} {name}" for number, name in enumerate(names, 1)]
    return " · ".join(names)


def index_pages(summaries: Sequence[Summary], failures: Sequence[Failure], site: Site) -> dict[str, str]:
    """Return the first page (and its followers): every artifact, its verdict first, latest first."""
    rows = sorted(summaries, key=lambda row: (row.date or "", row.title, row.id), reverse=True)
    counts = [
        numbers.counted(number, *KINDS[kind]) for kind in KINDS if (number := sum(row.kind == kind for row in rows))
    ]
    words = [(key, word.word) for key, word in ANSWERS.items() if any(row.word == key for row in rows)]
    kinds = [KINDS[kind][0] for kind in KINDS if any(row.kind == kind for row in rows)]
    pages = {}
    for page, part, links in paged(rows, ""):
        pages[page] = html_page(
            "archive.html.j2",
            frame=frame(site.title, page, site),
            title=site.title,
            description=site.description,
            counts=", ".join(counts) or "Nothing yet",
            failures=[(failure, Markup(sentence_html(failure.hint))) for failure in failures if page == "index.html"],
            rows=[index_row(row, page) for row in part],
            words=words,
            kinds=kinds,
            links=links,
            data=relative("index-data.js", page) if links else "",
            root=root_of(page),
            empty=not rows,
        )
    if len(pages) > 1:
        pages["index-data.js"] = search_data(rows)
    return pages


def search_data(rows: Iterable[Summary]) -> str:
    """Return all rows as a classic script, which works where a page may fetch nothing."""
    found = [index_row(row, "index.html")._asdict() for row in rows]
    text = json.dumps(found, ensure_ascii=True, sort_keys=True)
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return f"window.DIPTYCH_INDEX = {text};\n"


class RunRow(NamedTuple):
    """One run in the list of runs."""

    label: str
    href: str
    source: str
    model: str
    harness: str
    day: str
    order: str
    tasks: str
    uses: str


def run_row(item: RunPage) -> RunRow:
    """Return the row of one run; its address is that of its page in the archive."""
    return RunRow(
        label=" · ".join(shorten(label, 60) for label in item.labels),
        href=f"{item.folder}/index.html",
        source=item.run.source,
        model=item.run.model or numbers.NOT_RECORDED,
        harness=f"{item.run.harness} {item.run.version or ''}".strip(),
        day=numbers.date(item.run.date),
        order=item.run.date or "",
        tasks=numbers.count(len(as_scores(item.run.scores).tasks())),
        uses=numbers.count(len(item.uses)),
    )


def run_lists(runs: Sequence[RunRow], site: Site) -> dict[str, str]:
    """Return the list of runs."""
    pages = {}
    for page, part, links in paged(runs, "runs/"):
        rows = [row._replace(href=relative(row.href, page)) for row in part]
        pages[page] = html_page(
            "archive_runs.html.j2",
            frame=frame("Runs", page, site, (("Runs", ""),)),
            rows=rows,
            links=links,
            total=len(runs),
        )
    return pages


class TaskRow(NamedTuple):
    """One task in the list of tasks, by its first metric."""

    task: str
    href: str
    metric: str
    runs: str
    latest: str
    lowest: str
    highest: str
    day: str


def task_lists(tasks: Sequence[TaskRow], site: Site) -> dict[str, str]:
    """Return the list of tasks."""
    pages = {}
    for page, part, links in paged(tasks, "tasks/"):
        rows = [row._replace(href=relative(row.href, page)) for row in part]
        pages[page] = html_page(
            "archive_tasks.html.j2", frame=frame("Tasks", page, site, (("Tasks", ""),)), rows=rows, links=links
        )
    return pages


def task_row(task: TaskPage) -> TaskRow:
    """Return the row of one task; its address is that of its page in the archive."""
    name, points = task.series[0]
    values = [point.score.value for point in points if point.score.value is not None]
    return TaskRow(
        task=task.task,
        href=f"{task.folder}/index.html",
        metric=name,
        runs=numbers.count(len(points)),
        latest=numbers.score(points[-1].score.value),
        lowest=numbers.score(min(values, default=None)),
        highest=numbers.score(max(values, default=None)),
        day=numbers.date(points[-1].date),
    )


def run_page(item: RunPage, site: Site) -> dict[str, str]:
    """Return the page of one run: who it is, its scores, its settings, and where it is used."""
    page = f"{item.folder}/index.html"
    run = item.run
    facts = [
        ("model", run.model or numbers.NOT_RECORDED),
        *([("called", ", ".join(item.labels))] if set(item.labels) != {run.label} else []),
        ("harness", f"{run.harness} {run.version or numbers.NOT_RECORDED}"),
        ("date", numbers.date(run.date)),
        ("read from", run.source),
        ("results file", run.results_file),
        *metadata_rows(run.metadata),
    ]
    rows_of: dict[str, list[tuple[str, str, str]]] = {}
    for row in run.scores:
        told = metric_name(row.metric, row.filter), numbers.score(row.value), error_of(row)
        rows_of.setdefault(row.task, []).append(told)
    scores = [
        (task, relative(f"{task_folder(task)}/index.html", page), numbers.count(run.items.get(task)), rows)
        for task, rows in rows_of.items()
    ]
    uses = [use_row(use, page) for use in sorted(item.uses, key=lambda use: (use.date or "", use.title), reverse=True)]
    text = html_page(
        "run.html.j2",
        frame=frame(run.label, page, site, (("Runs", "runs/index.html"), (run.label, ""))),
        title=run.label,
        facts=facts,
        scores=score_groups(scores),
        ours=numbers.OURS if any("*" in error_of(row) for row in run.scores) else "",
        settings=setting_rows((name, numbers.value(value)) for name, value in sorted(run.settings.items())),
        uses=uses[:ROWS],
        more=max(0, len(uses) - ROWS),
    )
    return {page: text}


def metadata_rows(metadata: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a run says of itself beside its settings, one level of it unfolded."""
    rows = []
    for name, value in sorted(metadata.items()):
        word = BESIDE.get(name, name.replace("_", " "))
        if isinstance(value, Mapping):
            rows += [(f"{word}: {key}", numbers.value(one)) for key, one in sorted(value.items())]
        elif name == "seconds" and isinstance(value, int | float):
            rows.append(("took", numbers.duration(value)))
        else:
            rows.append((word, numbers.value(value)))
    return rows


def use_row(use: Use, page: str) -> tuple[str, str, str, str, str, str]:
    """Return an artifact as a line of a list: verdict, sign, tone, title, link, date."""
    return use.said, use.sign, use.tone, use.title, relative(f"{use.folder}/index.html", page), numbers.date(use.date)


def task_page(task: TaskPage, site: Site) -> dict[str, str]:
    """Return the pages of one task over time: a plot and a table a metric, and what changed between runs."""
    from diptych.report.task_views import parts_of

    pages = {}
    for page, part, links in parts_of(task):
        pages[page] = html_page(
            "task.html.j2",
            frame=frame(task.task, page, site, (("Tasks", "tasks/index.html"), (task.task, ""))),
            title=task.task,
            links=links,
            part=part,
        )
    return pages


def not_found(site: Site) -> dict[str, str]:
    """Return the page for an address that leads nowhere; it stands in the first folder and links from there."""
    page = "404.html"
    return {page: html_page("notfound.html.j2", frame=frame("Not here", page, site), root=root_of(page))}


def static_files() -> dict[str, str]:
    """Return every style and script that pages link to."""
    from importlib.resources import files

    names = sorted(item.name for item in (files(PACKAGE) / "static").iterdir())
    return {f"static/{name}": static_text(name) for name in names}


def artifact_pages(artifact: Any, summary: Summary, digest: str, site: Site) -> dict[str, str]:
    """Return the pages of one artifact under its folder."""
    from diptych.report import artifact_views

    return artifact_views.pages_of(artifact, summary, digest, site)
