"""What a comparison's runs are called, at the head of a column and in a sentence."""

from diptych.comparison import Comparison
from diptych.report.writers.harmless import shorten

LONGEST = 24
"""Characters of a label that heads a column."""


def column_labels(comparison: Comparison) -> tuple[str, str]:
    """Return both labels, long ones cut in their middle; letters where the runs are called alike."""
    a, b = (shorten(label, LONGEST) for label in (comparison.a.label, comparison.b.label))
    return (a, b) if a != b else ("A", "B")


def sentence_labels(comparison: Comparison) -> tuple[str, str]:
    """Return what a sentence calls the two runs: their labels, with the side where the runs are called alike."""
    a, b = comparison.a.label, comparison.b.label
    return (a, b) if a != b else (f"{a} (A)", f"{b} (B)")
