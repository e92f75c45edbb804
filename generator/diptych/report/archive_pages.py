"""The pages that link an archive together: the first page, the lists, a page a run, a page a task over time."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from diptych import numbers, value_text
from diptych.catalogue.words import DECISIONS, KINDS, REPEATS, VERDICTS, Word, setting_word
from diptych.fast_named_tuple import NamedTuple
from diptych.report.addresses import relative, root_of
from diptych.report.archive_frames import ROWS, frame, paged
from diptych.report.documents.summaries import Failure, Site, Summary
from diptych.report.histories import TaskPage
from diptych.report.writers.environment import PACKAGE, html_page, static_text
from diptych.report.writers.escape import Markup
from diptych.report.writers.harmless import shorten
from diptych.report.writers.html_inline import sentence_html

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
    of: str
    gap: str
    cause: str
    why: str
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
        word=filter_choice(summary.word),
        verdict=shorten(summary.said, 60),
        sign=summary.sign,
        tone=summary.tone,
        delta=summary.delta,
        interval=summary.interval.replace(" ", numbers.NO_BREAK),
        level=summary.level.replace(" ", numbers.NO_BREAK),
        of=shorten(summary.of, 80),
        gap="" if summary.gap is None else f"{summary.gap:.6g}",
        cause=shorten(setting_word(summary.cause or ""), 60) if summary.kind in ("comparison", "matrix") else "",
        why="confounded" if summary.confounded else numbers.NOT_AVAILABLE,
        title=shorten(summary.title, 120),
        href=relative(f"{summary.folder}/index.html", page),
        sentence=shorten(summary.sentence, 400),
        names=sides_text(summary),
        tasks=", ".join(shown) + (f" and {more} more" if more > 0 else ""),
        model=models_of(summary),
        day=value_text.day(summary.date) if summary.date else "",
        order=summary.date or "",
    )


def filter_choice(answer: str) -> str:
    """Return what an answer is asked for by: the first of those that read alike."""
    own = ANSWERS.get(answer)
    return next((key for key, word in ANSWERS.items() if own and word.word == own.word), answer)


def models_of(summary: Summary) -> str:
    """Return the model behind an artifact by the last part of its name, of two how the other one ends, of others how
    many more there are."""
    names = list(dict.fromkeys(short_model(run.model) for run in summary.runs if run.model))
    names = names or list(dict.fromkeys(map(short_model, summary.models)))
    if len(names) < 2:
        return shorten(names[0], 32) if names else ""
    ending = value_text.differing_paths(names[0], names[1], 0)[1]
    told = shorten(ending.removeprefix("…"), 16) if len(names) == 2 and ending.startswith("…") else ""
    return f"{shorten(names[0], 32)}, {told or f'{len(names) - 1} more'}"


def short_model(name: str) -> str:
    """Return the last part of a model's name or path."""
    return name.rstrip("/").rpartition("/")[2] or name


def sides_text(summary: Summary) -> str:
    """Return who stood side by side, with their letters where the sentences speak of A and B."""
    names = [shorten(name, 40) for name in summary.names]
    if summary.kind == "comparison":
        names = [f"{letter} {name}" for letter, name in zip("AB", names, strict=True)]
    elif summary.kind == "matrix":
        names = [f"{number} {name}" for number, name in enumerate(names, 1)]
    return " · ".join(names)


def first_pages(
    summaries: Sequence[Summary],
    found: Iterable[tuple[str, str, int]],
    failures: Sequence[Failure],
    site: Site,
) -> Iterator[dict[str, str | Iterator[str]]]:
    """Yield the first page, its followers and what they are searched by: every artifact, verdict first.

    The artifacts come latest first, and are looked at a page or a row at a time; `found` counts them by kind and word.
    """
    of_kind: Counter[str] = Counter()
    answers = set()
    for kind, word, count in found:
        of_kind[kind] += count
        answers.add(filter_choice(word))
    counts = [numbers.counted(of_kind[kind], *KINDS[kind]) for kind in KINDS if of_kind[kind]]
    words = [(key, word.word) for key, word in ANSWERS.items() if key in answers]
    kinds = [KINDS[kind][0] for kind in KINDS if of_kind[kind]]
    for page, part, links in paged(summaries, ""):
        text = html_page(
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
            empty=not of_kind,
        )
        yield {page: text}
    if len(summaries) > ROWS:
        yield {"index-data.js": search_data(summaries)}


def search_data(rows: Iterable[Summary]) -> Iterator[str]:
    """Yield all rows as a classic script, which works where a page may fetch nothing."""
    before = "window.DIPTYCH_INDEX = ["
    for row in rows:
        yield before + search_row(row)
        before = ", "
    yield "];\n"


def search_row(row: Summary) -> str:
    """Return one row as JSON in which nothing ends or begins a tag."""
    text = json.dumps(index_row(row, "index.html")._asdict(), ensure_ascii=True, sort_keys=True)
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


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
    """Return the pages that list the tasks of an archive."""
    pages = {}
    for page, part, links in paged(tasks, "tasks/"):
        rows = [row._replace(href=relative(row.href, page)) for row in part]
        pages[page] = html_page(
            "archive_tasks.html.j2", frame=frame("Tasks", page, site, (("Tasks", ""),)), rows=rows, links=links
        )
    return pages


def task_row(task: TaskPage) -> TaskRow:
    """Return the row of one task; its address is that of its page in the archive."""
    found = task.span
    return TaskRow(
        task=task.task,
        href=f"{task.folder}/index.html",
        metric=found.metric,
        runs=numbers.count(found.runs),
        latest=numbers.score(found.latest),
        lowest=numbers.score(found.lowest),
        highest=numbers.score(found.highest),
        day=value_text.date(found.date),
    )


def task_pages(task: TaskPage, site: Site) -> Iterator[dict[str, str]]:
    """Yield the pages of one task over time: a plot and a table a metric, and what changed between runs."""
    from diptych.report.task_pages import page_parts

    for page, part, links in page_parts(task):
        text = html_page(
            "task.html.j2",
            frame=frame(task.task, page, site, (("Tasks", "tasks/index.html"), (task.task, ""))),
            title=task.task,
            links=links,
            part=part,
        )
        yield {page: text}


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
    from diptych.report import artifact_pages

    return artifact_pages.pages_of(artifact, summary, digest, site)
