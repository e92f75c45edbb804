"""The docs of changed items, read back from the logs: an artifact holds none, since they may be long."""

from collections.abc import Iterable, Mapping

from diptych.comparison import Flip
from diptych.run import Json, Run
from diptych.sample_log import SampleLog


def docs_of(
    flips: Iterable[Flip], a: Run, b: Run, names_in_b: Mapping[str, str]
) -> dict[tuple[str, str], tuple[Json, Json]]:
    """Return the docs of both sides by task and item, None where a side has logged no such item.

    `names_in_b` says what B calls a task of A.
    """
    items: dict[str, list[str]] = {}
    for flip in flips:
        items.setdefault(flip.task, []).append(flip.item)
    found: dict[tuple[str, str], tuple[Json, Json]] = {}
    for task, wanted in items.items():
        ours = docs_in(a.samples.get(task), wanted)
        theirs = docs_in(b.samples.get(names_in_b.get(task, task)), wanted)
        found |= {(task, item): (ours.get(item), theirs.get(item)) for item in wanted}
    return found


def docs_in(log: SampleLog | None, items: Iterable[str]) -> dict[str, Json]:
    """Return the docs of a log's items by their id."""
    if log is None:
        return {}
    wanted = set(items)
    rows: dict[int, str] = {}
    for row, name in enumerate(log.columns.doc_ids):
        if (item := str(name)) in wanted:
            wanted.discard(item)
            rows[row] = item
    return {item: line.document() for item, line in zip(rows.values(), log.lines(rows), strict=True)}
