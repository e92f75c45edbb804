"""What a sentence calls the two runs."""

from diptych.fast_named_tuple import NamedTuple
from diptych.run import Run
from diptych.sides import Side


class Labels(NamedTuple):
    """What the two runs are called; runs of one label are told apart by their side."""

    a: str
    b: str

    def of(self, side: Side) -> str:
        """Return one side's label."""
        return self.a if side == "a" else self.b


def run_labels(a: Run, b: Run) -> Labels:
    """Return the labels of both runs."""
    return Labels(a.label, b.label) if a.label != b.label else Labels(f"{a.label} (A)", f"{b.label} (B)")
