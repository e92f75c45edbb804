"""A run of an archive: its row in the list of runs, and its page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from diptych import numbers, value_text
from diptych.catalogue.words import BESIDE
from diptych.fast_named_tuple import NamedTuple
from diptych.report.addresses import relative, root_of
from diptych.report.archive_frames import ROWS, frame, paged
from diptych.report.documents.summaries import RunSummary, Site, starred_error
from diptych.report.histories import RunPage, Use, as_scores, task_folder
from diptych.report.writers.environment import html_page
from diptych.report.writers.harmless import shorten
from diptych.report.writers.lists import ScoredTask, score_groups, setting_rows
from diptych.value_text import metric_name


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


def run_row(item: RunPage, page: str) -> RunRow:
    """Return the row of one run in the list at `page`."""
    return RunRow(
        label=" · ".join(shorten(label, 60) for label in item.labels),
        href=relative(f"{item.folder}/index.html", page),
        source=item.run.source,
        model=item.run.model or value_text.NOT_RECORDED,
        harness=f"{item.run.harness} {item.run.version or ''}".strip(),
        day=value_text.date(item.run.date),
        order=item.run.date or "",
        tasks=numbers.count(len(as_scores(item.run.scores).tasks() - item.run.groups.keys())),
        uses=numbers.count(len(item.uses)),
    )


def run_lists(runs: Sequence[RunPage], site: Site) -> Iterator[dict[str, str]]:
    """Yield the pages that list the runs of an archive."""
    for page, part, links in paged(runs, "runs/"):
        text = html_page(
            "archive_runs.html.j2",
            frame=frame("Runs", page, site, (("Runs", ""),)),
            rows=[run_row(run, page) for run in part],
            links=links,
            total=len(runs),
        )
        yield {page: text}


def run_page(item: RunPage, site: Site) -> dict[str, str]:
    """Return the page of one run: who it is, its scores, its settings, and where it is used."""
    page = f"{item.folder}/index.html"
    run = item.run
    who = (
        run.model or value_text.NOT_RECORDED,
        f"{run.harness} {run.version or ''}".strip(),
        value_text.date(run.date),
    )
    facts = [
        *([("called", ", ".join(item.labels))] if set(item.labels) != {run.label} else []),
        ("read from", run.source),
        ("results file", run.results_file),
        *metadata_rows(run.metadata),
    ]
    rows_of: dict[str, list[tuple[str, str, str]]] = {}
    for row in run.scores:
        told = metric_name(row.metric, row.filter), numbers.score(row.value), starred_error(row)
        rows_of.setdefault(row.task, []).append(told)
    up = root_of(page)
    children = {task for parts in run.groups.values() for task in parts}
    scores = [
        ScoredTask(
            f"{task} (group)" if task in run.groups else task,
            f"{up}{task_folder(task)}/index.html",
            items_text(run, task),
            rows_of[task],
            task in children,
        )
        for task in groups_first(list(rows_of), run.groups)
    ]
    uses = [use_row(use, page) for use in sorted(item.uses, key=lambda use: (use.date or "", use.title), reverse=True)]
    text = html_page(
        "run.html.j2",
        frame=frame(run.label, page, site, (("Runs", "runs/index.html"), (run.label, ""))),
        title=run.label,
        who=" · ".join(who),
        facts=facts,
        ranges=any("–" in error for rows in rows_of.values() for _, _, error in rows),
        scores=score_groups(scores),
        ours=numbers.OURS if any("*" in error for rows in rows_of.values() for _, _, error in rows) else "",
        settings=setting_rows((name, value_text.setting(name, value)) for name, value in sorted(run.settings.items())),
        uses=uses[:ROWS],
        more=max(0, len(uses) - ROWS),
    )
    return {page: text}


def groups_first(tasks: Sequence[str], groups: Mapping[str, Sequence[str]]) -> list[str]:
    """Return tasks in their order, those of a group behind it."""
    inside = {task for parts in groups.values() for task in parts}
    order: dict[str, None] = {}

    def place(task: str) -> None:
        if task in order:
            return
        order[task] = None
        for part in tasks if task in groups else ():
            if part in groups[task]:
                place(part)

    for task in [*(task for task in tasks if task not in inside), *tasks]:
        place(task)
    return list(order)


def items_text(run: RunSummary, task: str) -> str:
    """Return over how many items a task's score is; of a group those of its tasks, where all are known."""
    if task in run.items:
        return numbers.count(run.items[task])
    parts = run.groups.get(task, ())
    return numbers.count(sum(run.items[part] for part in parts)) if parts and set(parts) <= run.items.keys() else ""


def metadata_rows(metadata: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a run says of itself beside its settings, one level of it unfolded."""
    rows = []
    for name, value in sorted(metadata.items()):
        word = BESIDE.get(name, name.replace("_", " "))
        if isinstance(value, Mapping):
            rows += [(f"{word}: {key}", value_text.value(one)) for key, one in sorted(value.items())]
        elif name == "seconds" and isinstance(value, int | float):
            rows.append(("took", numbers.duration(value)))
        else:
            rows.append((word, value_text.value(value)))
    return rows


def use_row(use: Use, page: str) -> tuple[str, str, str, str, str, str]:
    """Return an artifact as a line of a list: verdict, sign, tone, title, link, date."""
    return (
        use.said,
        use.sign,
        use.tone,
        use.title,
        relative(f"{use.folder}/index.html", page),
        value_text.date(use.date),
    )
