"""Which of many runs is best on a metric, by the differences of pairs, and which others cannot be told from it."""

from collections.abc import Sequence

from diptych.fast_named_tuple import NamedTuple
from diptych.matrix import MatrixCell, MatrixRow
from diptych.numbers import counted, listed
from diptych.run import Run
from diptych.value_text import metric_name

METRICS, NAMED = 3, 3
"""Metrics, and runs, that the sentence names."""


class Best(NamedTuple):
    """The runs (by place) that no other is ahead of on a metric, several of one score, and who is not separable."""

    row: MatrixRow
    runs: tuple[int, ...]
    rivals: tuple[int, ...]
    whole: bool
    """Whether every run that has a score can be compared."""


def best_of(row: MatrixRow) -> Best | None:
    """Return who is best on a metric, by differences over shared items; None where no file tells or all score alike.

    Scores of other items are no match, so each two runs are held against each other.
    """
    gaps = {(cell.a, cell.b): cell for cell in row.cells if cell.difference is not None}
    there = sorted({place for pair in gaps for place in pair})
    if row.higher_is_better is None:
        return None
    best = [place for place in there if all(is_ahead(row, gaps, place, other) for other in there if other != place)]
    if not best or len(best) == len(there):
        return None
    rivals = [other for other in there if other not in best and not all(is_apart(gaps, place, other) for place in best)]
    whole = len(there) == sum(score is not None for score in row.scores)
    return Best(row, tuple(best), tuple(rivals), whole)


def is_ahead(row: MatrixRow, gaps: dict[tuple[int, int], MatrixCell], place: int, other: int) -> bool:
    """Say whether a run scores no worse than another one on the items that both have; not where no number says so."""
    cell = gaps.get((min(place, other), max(place, other)))
    if cell is None or cell.difference is None:
        return False
    gain = cell.difference if cell.b == place else -cell.difference
    return gain >= 0 if row.higher_is_better else gain <= 0


def is_apart(gaps: dict[tuple[int, int], MatrixCell], place: int, other: int) -> bool:
    """Say whether two runs differ significantly."""
    return gaps[min(place, other), max(place, other)].is_apart


def best_sentence(rows: Sequence[MatrixRow], runs: Sequence[Run]) -> str:
    """Return which run is best on each of the first metrics, by estimate alone where others are not separable."""
    found = [best for row in rows if (best := best_of(row))]
    if not found:
        return ""
    several = len({row.task for row in rows}) < len(rows)
    told = [best_words(best, runs, several) for best in found[:METRICS]]
    more = f"; {counted(len(found) - METRICS, 'more metric')} in the table" if len(found) > METRICS else ""
    return f"Best {'; '.join(told)}{more}."


def best_words(best: Best, runs: Sequence[Run], several: bool) -> str:
    """Return who is best on a metric: ahead of all others, or by estimate."""
    who = listed([runs[place].label for place in best.runs], NAMED)
    name = f" {metric_name(best.row.metric, best.row.filter)}" if several else ""
    where = f"on {best.row.task}{name}"
    if not best.rivals:
        return f"{where}: {who}, significantly ahead of every other{'' if best.whole else ' that can be compared'}"
    return f"{where} by estimate: {who}, not separable from {listed([runs[at].label for at in best.rivals], NAMED)}"
