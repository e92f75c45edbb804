"""Many tests at once: adjusted p-values, what chance alone would give, and many runs side by side."""

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's adjusted p-values (1979): valid under any dependence; None is not a test and is not counted."""
    tested = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(tested):
        largest = max(largest, min(1.0, (len(tested) - rank) * p))
        adjusted[place] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Benjamini and Hochberg's adjusted p-values (1995), for lists of rows; None is not a test."""
    tested = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    smallest = 1.0
    for rank in range(len(tested), 0, -1):
        p, place = tested[rank - 1]
        smallest = min(smallest, max(p, len(tested) * p / rank))
        adjusted[place] = smallest
    return adjusted


def bonferroni(p_values: Sequence[float | None]) -> list[float | None]:
    """Return each p-value times the number of tests, at most 1."""
    tests = sum(p is not None for p in p_values)
    return [None if p is None else min(1.0, tests * p) for p in p_values]


def expected_false_alarms(p_values: Sequence[float | None], alpha: float = 0.05) -> float:
    """Return how many of these tests would fall below `alpha` by chance alone if nothing differed."""
    return alpha * sum(p is not None for p in p_values)


def simultaneous_level(tests: int, level: float = 0.95) -> float:
    """Return the level of each of `tests` intervals so that all of them hold at once at `level` (Bonferroni)."""
    return 1.0 - (1.0 - level) / max(1, tests)


def letters(count: int, apart: Sequence[tuple[int, int]], order: Sequence[int] | None = None) -> tuple[str, ...]:
    """Return each run's letters: two runs share one iff they cannot be told apart (Piepho 2004, insert and absorb).

    `apart` holds the pairs that differ for real; `order` is the order in which letters are given out (best first).
    """
    places = list(order) if order is not None else list(range(count))
    columns = [frozenset(range(count))] if count else []
    for one, other in sorted((min(pair), max(pair)) for pair in apart):
        split = [part for column in columns if {one, other} <= column for part in (column - {one}, column - {other})]
        kept = [column for column in columns if not {one, other} <= column]
        for part in sorted(split, key=lambda part: (-len(part), sorted(part))):
            if not any(part <= column for column in kept):
                kept = [column for column in kept if not column <= part] + [part]
        columns = kept
    columns.sort(key=lambda column: sorted(places.index(run) for run in column))
    return tuple("".join(_letter(at) for at, column in enumerate(columns) if run in column) for run in range(count))


def _letter(place: int) -> str:
    """Return a, b, … z, then a1, b1, …"""
    return chr(ord("a") + place % 26) + (str(place // 26) if place >= 26 else "")
