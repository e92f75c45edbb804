"""The long tables of an archive's own pages as HTML: put together in Python, where a row costs a tenth of a template's.

Every text is escaped on its way in. A row's head says no scope: it is the row's where its column holds heads alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from diptych import value_text
from diptych.fast_named_tuple import NamedTuple
from diptych.report.writers.escape import Markup, esc, esc_all


class ScoredTask(NamedTuple):
    """A task or group that runs have scores on, by metric; `child` says that it is of a group above."""

    task: str
    href: str
    items: str
    metrics: Sequence[str]
    child: bool = False


def score_table_parts(tasks: Iterable[ScoredTask]) -> list[str]:
    """Return what stands before each number in a table of scores: a score and its error a metric, a group a task."""
    parts: list[str] = []
    for one in tasks:
        span = f" rowspan={len(one.metrics)}" if len(one.metrics) > 1 else ""
        lead = f'<th scope=rowgroup{span}><a href="{esc(one.href)}">{esc(one.task)}</a><td{span}>{esc(one.items)}'
        before = ("\n" if parts else "") + f"<tbody><tr{' class=child' if one.child else ''}>{lead}"
        for metric in one.metrics:
            parts += [f"{before}<td>{esc(metric)}<td>", "<td>"]
            before = "<tr>"
    return parts


def score_table(parts: Iterable[str], numbers: Iterable[str]) -> Markup:
    """Return a table of scores: numbers, which hold nothing that HTML acts on, each behind its part."""
    return Markup("".join([text for pair in zip(parts, numbers, strict=True) for text in pair]) + "\n")


def setting_rows(settings: Mapping[str, Any]) -> Markup:
    """Return settings with their values, for a table whose style shows both as code."""
    return Markup(
        "".join(
            [
                remembered_setting(name, value) if type(value) in REMEMBERED else setting_row(name, value)
                for name, value in sorted(settings.items())
            ]
        )
    )


def setting_row(name: str, value: Any) -> str:
    """Return a setting with its value."""
    return f"<tr><th>{esc(name)}<td>{esc(value_text.setting(name, value))}\n"


REMEMBERED = (int, bool, type(None))
"""Kinds of values that settings mostly have, the same ones on every run's page: equal ones of a kind read alike."""

remembered_setting = lru_cache(1024, typed=True)(setting_row)


class HistoryRow(NamedTuple):
    """A run in a task's history: its page, its label with what tells it from others, its configuration, its date."""

    href: str
    label: str
    more: str
    line: str
    day: str


def history_rows(runs: Sequence[HistoryRow], metrics: Iterable[Iterable[tuple[str, str]]]) -> Markup:
    """Return a row a run; `metrics` are columns of scores with their errors, which hold nothing that HTML acts on."""
    hrefs, labels, notes, lines, days = (esc_all(list(texts)) for texts in zip(*runs, strict=True))
    columns = [[f"<td>{score}<small>{error}</small>" for score, error in column] for column in metrics]
    small = [f"<small>{note}</small>" if note else "" for note in notes]
    return Markup(
        "".join(
            [
                f'<tr><th><a href="{href}">{label}</a>{told}{"".join(cells)}<td>{line}<td>{day}\n'
                for href, label, told, cells, line, day in zip(
                    hrefs, labels, small, zip(*columns, strict=True), lines, days, strict=True
                )
            ]
        )
    )
