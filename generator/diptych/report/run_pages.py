"""A run of an archive: its row in the list of runs, and its page."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from diptych import numbers, value_text
from diptych.catalogue.words import BESIDE
from diptych.fast_named_tuple import NamedTuple
from diptych.report.addresses import relative, root_of
from diptych.report.archive_frames import frame, paged
from diptych.report.documents.summaries import ScoreName, Site
from diptych.report.histories import RunPage, Use, task_folder
from diptych.report.merged_runs import as_scores
from diptych.report.writers.environment import html_page
from diptych.report.writers.harmless import shorten
from diptych.report.writers.lists import ScoredTask, score_table, score_table_parts, setting_rows
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
        uses=numbers.count(item.used),
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
    rows = as_scores(run.scores)
    columns = rows.columns(0, len(rows))
    scores, errors = numbers.scores(columns[0]), numbers.errors(*columns)
    known = frozenset("".join(errors))
    parts, order = score_form(rows.names, tuple(run.items.items()), frozen_groups(run.groups), root_of(page))
    text = html_page(
        "run.html.j2",
        frame=frame(run.label, page, site, (("Runs", "runs/index.html"), (run.label, ""))),
        title=run.label,
        who=" · ".join(who),
        facts=facts,
        ranges="–" in known,
        scores=score_table(parts, [text for place in order for text in (scores[place], errors[place])]),
        ours=numbers.OURS if "*" in known else "",
        settings=setting_rows(run.settings),
        uses=[use_row(use, page) for use in item.uses],
        more=item.used - len(item.uses),
    )
    return {page: text}


Groups = tuple[tuple[str, tuple[str, ...]], ...]
"""The tasks of each group, as what can be remembered."""


def frozen_groups(groups: Mapping[str, Sequence[str]]) -> Groups:
    """Return groups as what can be remembered."""
    return tuple((name, tuple(parts)) for name, parts in groups.items())


@lru_cache(64)
def score_form(
    names: Sequence[ScoreName], items: tuple[tuple[str, int], ...], groups: Groups, up: str
) -> tuple[list[str], list[int]]:
    """Return what runs with scores of these names have alike in their tables, and in which order its numbers come.

    `up` is the way to the archive's first folder.
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name.task, []).append(place)
    counts, tasks_of = dict(items), dict(groups)
    children = {task for parts in tasks_of.values() for task in parts}
    order = groups_first(list(places), tasks_of)
    parts = score_table_parts(
        ScoredTask(
            f"{task} (group)" if task in tasks_of else task,
            f"{up}{task_folder(task)}/index.html",
            items_text(counts, tasks_of.get(task, ()), task),
            [metric_name(names[place].metric, names[place].filter) for place in places[task]],
            task in children,
        )
        for task in order
    )
    return parts, [place for task in order for place in places[task]]


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


def items_text(items: Mapping[str, int], parts: Sequence[str], task: str) -> str:
    """Return over how many items a task's score is; of a group those of its `parts`, where all are known."""
    if task in items:
        return numbers.count(items[task])
    return numbers.count(sum(items[part] for part in parts)) if parts and set(parts) <= items.keys() else ""


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
