"""Where a difference stands beside the noise floor of repeats: within what a rerun does, beyond it, or open."""

from collections.abc import Sequence
from typing import Literal

from diptych.estimates import MetricComparison, best_estimate

Stand = Literal["beyond", "open", "within", ""]
"""`open`: further apart than repeats are, but not significant once these items are counted with them; "": no floor."""

ORDER: tuple[Stand, ...] = ("beyond", "open", "within")


def stand_of(row: MetricComparison) -> Stand:
    """Return where a metric's difference stands beside its noise floor."""
    found = best_estimate(row)
    floor = row.noise_floor.floor if row.noise_floor else None
    if floor is None or found is None or found.difference is None:
        return ""
    if abs(found.difference) <= floor:
        return "within"
    return "beyond" if row.is_apart else "open"


def farthest(rows: Sequence[MetricComparison]) -> Stand:
    """Return the stand of the metric that lies farthest beyond its floor."""
    found = {stand_of(row) for row in rows}
    return next((stand for stand in ORDER if stand in found), "")
