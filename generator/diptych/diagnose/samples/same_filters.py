"""Filters that are one and the same under two names, so that no item is counted twice.

A task may list two filters with the same steps. Their scores are one measurement: the pair enters as one filter,
called "none" where all it does is to take the first answer, which is what the harness calls so.
"""

import json
from collections.abc import Iterable, Iterator, Mapping

from diptych.comparison import Finding
from diptych.diagnose.samples.wrapped_log import WrappedLog
from diptych.run import Json, Run
from diptych.sample_log import HASH_WIDTH, Line, SampleColumns, SampleLog

TAKE_FIRST: Json = [{"function": "take_first"}]
"""What the harness does where a task names no filter, under the name "none"."""


class OneFilter(WrappedLog):
    """A sample log as if its doubled filters had never been logged: fewer rows, other filter names."""

    def __init__(self, log: SampleLog, names: Mapping[str, str | None]) -> None:
        super().__init__(log)
        columns = log.columns
        old = columns.filter_names
        kept_names = tuple(str(names.get(name, name)) for name in old if names.get(name, name) is not None)
        places = [
            None if names.get(name, name) is None else kept_names.index(str(names.get(name, name))) for name in old
        ]
        self.rows = [row for row, filter_ in enumerate(columns.filters) if places[filter_] is not None]
        self.kept = SampleColumns(
            doc_ids=[columns.doc_ids[row] for row in self.rows],
            doc_hashes=picked_hashes(columns.doc_hashes, self.rows),
            target_hashes=picked_hashes(columns.target_hashes, self.rows),
            filters=[places[columns.filters[row]] or 0 for row in self.rows],
            filter_names=kept_names,
            values={metric: [values[row] for row in self.rows] for metric, values in columns.values.items()},
            repeats=[columns.repeats[row] for row in self.rows],
        )

    @property
    def columns(self) -> SampleColumns:
        """The index of the rows that are left."""
        return self.kept

    def __len__(self) -> int:
        return len(self.rows)

    def lines(self, rows: Iterable[int]) -> Iterator[Line]:
        """Yield rows in the order asked for."""
        return self.log.lines(self.rows[row] for row in rows)

    def line_number(self, row: int) -> int:
        """Return at which line of its source a row stands."""
        return self.log.line_number(self.rows[row])


def picked_hashes(hashes: bytes, rows: list[int]) -> bytes:
    """Return the hashes of the rows; nothing where none is recorded."""
    return b"".join(hashes[row * HASH_WIDTH : row * HASH_WIDTH + HASH_WIDTH] for row in rows)


def one_filter_each(a: Run, b: Run) -> tuple[Run, Run, tuple[Finding, ...]]:
    """Return both runs without doubled filters, and a note for each task where there were some."""
    names = {task: found for task in a.configs if (found := doubled_filters(task, a, b))}
    if not names:
        return a, b, ()
    findings = tuple(same_filters_note(task, renamed) for task, renamed in names.items())
    return without_doubled(a, names), without_doubled(b, names), findings


def doubled_filters(task: str, a: Run, b: Run) -> dict[str, str | None]:
    """Return old name -> new name (None: left out) for filters of a task with equal steps and scores on both sides."""
    steps = filter_steps_text(a, task)
    if len(steps) < 2 or steps != filter_steps_text(b, task):
        return {}
    renamed: dict[str, str | None] = {}
    groups: dict[str, list[str]] = {}
    for name, step in steps.items():
        groups.setdefault(step, []).append(name)
    for step, members in groups.items():
        if len(members) > 1 and all(filters_score_alike(run, task, members) for run in (a, b)):
            kept = "none" if step == json.dumps(TAKE_FIRST, sort_keys=True) else members[0]
            renamed |= {members[0]: kept} | dict.fromkeys(members[1:], None)
    return renamed


def filter_steps_text(run: Run, task: str) -> dict[str, str]:
    """Return filter name -> its steps as one text, from the task's definition."""
    return {name: json.dumps(steps, sort_keys=True) for name, steps in steps_by_name(run, task).items()}


def steps_by_name(run: Run, task: str) -> dict[str, Json]:
    """Return filter name -> its steps, from the task's definition; none where that names no filter."""
    rows = run.configs.get(task, {}).get("filter_list")
    named = [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, (list, tuple)) else []
    return {row["name"]: row.get("filter") for row in named if isinstance(row.get("name"), str)}


def filters_score_alike(run: Run, task: str, names: list[str]) -> bool:
    """Say whether all these filters have the same scores: where they have not, the definition does not tell all."""
    by_filter = {name: {s.metric: s.value for s in run.scores if (s.task, s.filter) == (task, name)} for name in names}
    first, *others = by_filter.values()
    return bool(first) and all(other == first for other in others)


def without_doubled(run: Run, names: Mapping[str, Mapping[str, str | None]]) -> Run:
    """Return a run whose doubled filters are gone from its scores and its samples."""
    scores = []
    for score in run.scores:
        new = names.get(score.task, {}).get(score.filter, score.filter)
        if new is not None:
            scores.append(score._replace(filter=new))
    samples = {task: OneFilter(log, names[task]) if task in names else log for task, log in run.samples.items()}
    return run._replace(scores=tuple(scores), samples=samples)


def same_filters_note(task: str, renamed: Mapping[str, str | None]) -> Finding:
    """Return the note that says which filters were taken as one."""
    text = f"Filters {' and '.join(renamed)} of {task} are the same steps and gave the same scores: counted once."
    return Finding("filters_doubled", "note", text, None, task, len(renamed))
