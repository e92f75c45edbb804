"""The long tables of an archive's own pages as HTML: put together in Python, where a row costs a tenth of a template's.

Every text is escaped on its way in. A row's head says no scope: it is the row's where its column holds heads alone.
"""

from collections.abc import Iterable, Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.report.writers.escape import Markup, esc


class ScoredTask(NamedTuple):
    """A run's scores on one task or group, (metric, score, error) a row; `child` says that it is of a group above."""

    task: str
    href: str
    items: str
    rows: Sequence[tuple[str, str, str]]
    child: bool = False


def score_groups(tasks: Iterable[ScoredTask]) -> Markup:
    """Return a run's scores, a group of rows a task."""
    return Markup("".join(map(score_group, tasks)))


def score_group(one: ScoredTask) -> str:
    """Return the scores of one task."""
    span = f" rowspan={len(one.rows)}" if len(one.rows) > 1 else ""
    lead = f'<th scope=rowgroup{span}><a href="{esc(one.href)}">{esc(one.task)}</a><td{span}>{esc(one.items)}'
    cells = [f"<td>{esc(metric)}<td>{esc(score)}<td>{esc(error)}" for metric, score, error in one.rows]
    return f"<tbody><tr{' class=child' if one.child else ''}>{lead}{'<tr>'.join(cells)}\n"


def setting_rows(settings: Iterable[tuple[str, str]]) -> Markup:
    """Return settings with their values, for a table whose style shows both as code."""
    return Markup("".join([f"<tr><th>{esc(name)}<td>{esc(text)}\n" for name, text in settings]))


def history_row(href: str, label: str, more: str, scores: Iterable[tuple[str, str]], line: str, day: str) -> str:
    """Return one run of a task's history: its scores with their errors, its configuration, its date."""
    told = f"<small>{esc(more)}</small>" if more else ""
    cells = "".join([f"<td>{esc(score)}<small>{esc(error)}</small>" for score, error in scores])
    return f'<tr><th><a href="{esc(href)}">{esc(label)}</a>{told}{cells}<td>{esc(line)}<td>{esc(day)}\n'
