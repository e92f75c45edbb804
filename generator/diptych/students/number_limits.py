"""How large a number of a students' file may be, and how an artifact carries one that is larger, or none."""

import math
from typing import Any

HUGE = 10**300
LARGEST = 1e15
"""No amount, price or count of ours is larger; a whole number of JSON may have thousands of digits."""


def strict(value: Any) -> Any:
    """Return a JSON value as an artifact can carry it: a number that is not finite, or beyond all size, as a text."""
    if isinstance(value, int) and abs(value) > HUGE:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [strict(item) for item in value]
    if isinstance(value, dict):
        return {key: strict(item) for key, item in value.items()}
    return value
