"""What heads the two columns of a comparison's tables and texts: the runs' labels."""

from diptych.comparison import Comparison
from diptych.report.writers.harmless import shorten

LONGEST = 24
"""Characters of a label that heads a column."""


def column_labels(comparison: Comparison) -> tuple[str, str]:
    """Return both labels, long ones cut in their middle; letters where the runs are called alike."""
    a, b = (shorten(label, LONGEST) for label in (comparison.a.label, comparison.b.label))
    return (a, b) if a != b else ("A", "B")
