"""What a recorded cost cannot be: a value of the wrong kind, an impossible time, the power of no machine at work."""

import math
from collections.abc import Mapping
from typing import Any

from diptych.students.number_limits import LARGEST

Json = Any

LOWEST_WATTS, HIGHEST_WATTS = 1.0, 15_000.0
"""Mean power outside this range is a wrong unit or a counter that stood still, not a machine at work."""
TEN_YEARS = 3.2e8


def fault(unit: str, value: Json, cost: Mapping[str, Json]) -> str | None:
    """Return why a recorded value cannot be an amount of its unit, or None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return f"{'a boolean' if isinstance(value, bool) else value_word(value)}, not a number"
    if isinstance(value, float) and not math.isfinite(value):
        return "not a finite number"
    if value > LARGEST:
        return "larger than any amount"
    if value < 0:
        return "negative: a counter was reset"
    if unit.endswith("tokens"):
        return None if value == int(value) else "a count of tokens is a whole number"
    if unit == "seconds":
        return seconds_fault(value, cost)
    return energy_fault(value, cost) if unit == "watt_hours" else None


def value_word(value: Json) -> str:
    """Return a word for a JSON value that is no number."""
    return "text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"


def seconds_fault(value: float, cost: Mapping[str, Json]) -> str | None:
    """Return why a time cannot be right, or None."""
    if value > TEN_YEARS:
        return "more than ten years: a date or another unit"
    tokens = cost.get("completion_tokens")
    if value == 0 and isinstance(tokens, int) and tokens > 0:
        return f"0 s for {tokens} tokens"
    return None


def energy_fault(value: float, cost: Mapping[str, Json]) -> str | None:
    """Return why an energy cannot be right (mean power of no machine at work), or None."""
    seconds = cost.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < TEN_YEARS:
        return "0 Wh, and no time recorded to judge it by" if value == 0 else None
    watts = value * 3600 / seconds
    if value == 0:
        return f"0 Wh for {seconds:g} s of work" if seconds >= 10 else None
    if watts > HIGHEST_WATTS:
        return f"{watts:,.0f} W over {seconds:g} s: another unit than watt-hours"
    if watts < LOWEST_WATTS and seconds >= 60:
        return f"{watts:.2g} W over {seconds:g} s: another unit than watt-hours"
    return None
