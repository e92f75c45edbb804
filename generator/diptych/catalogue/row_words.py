"""What is said of a row of scores: what its p-value is adjusted over, how many items came out worse and better."""

from collections.abc import Iterable, Sequence

from diptych import numbers
from diptych.catalogue.words import CLASSES
from diptych.closed_names import FlipClass
from diptych.estimates import MetricComparison, best_estimate, gap_of, regressed_and_fixed


def adjusted_over(row: MetricComparison, first: Sequence[str] = ()) -> str:
    """Return what a row's p-value and the level of its CI are adjusted over ("Holm over 3 tasks"); "" where nothing is.

    Benchmarks and tasks outside of them stand beside each other: `first`, where they are known. A benchmark's group
    row is tested before its subtasks, at 0.8 of the benchmark's share, so that it has a level of its own even where it
    is the only one.
    """
    if row.family != "primary":
        return f"Holm over {row.family_tests} tests" if row.family_tests > 1 else ""
    if not row.headline:
        return "Holm over its group's tasks"
    if row.family_heads > 1:
        return f"Holm over {heads_text(row, first)}"
    return "adjusted for its tasks" if row.group else ""


MOST_HEADS = 3
"""Tests beside each other that are named; more are counted."""


def heads_text(row: MetricComparison, first: Sequence[str]) -> str:
    """Return what is tested beside each other: so many tasks, or with groups among them which, as far as few."""
    if len(set(first)) < len(first):  # slices of a task lead side by side
        return f"{row.family_heads} tests"
    if row.family_heads == row.family_tests:
        return f"{row.family_heads} tasks"
    if len(first) == row.family_heads <= MOST_HEADS:
        return numbers.listed(list(first))
    return f"{row.family_heads} tests"


def tested_first(rows: Iterable[MetricComparison]) -> tuple[str, ...]:
    """Return the groups, and the tasks outside of them, that are tested beside each other, by name."""
    return tuple(sorted(row.task for row in rows if row.headline and row.family == "primary"))


def gap_in_words(row: MetricComparison) -> str:
    """Return a row's difference with the decimals that the table of scores gives it."""
    found = best_estimate(row)
    low, high = (found.low, found.high) if found else (None, None)
    return numbers.amount_beside(gap_of(row) or 0.0, low, high, row.in_points)


def counts_in_words(row: MetricComparison, joint: str = ", ") -> str:
    """Return how many items came out worse and better ("27 regressed, 4 fixed"); "" where the metric says neither."""
    counts = regressed_and_fixed(row)
    classes: tuple[FlipClass, FlipClass] = ("lost", "gained")
    named = zip(counts or (), classes, strict=False)
    return joint.join([f"{numbers.count(number)} {CLASSES[name].word}" for number, name in named])
