"""Numbers as options: within a range, and never one that is none (`nan`, `inf`)."""

import math
from typing import Any

import click


class Finite(click.FloatRange):
    """A finite number of a range; anything else is wrong usage."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value!r} is no finite number", param, ctx)
        return found


AMOUNT = Finite(min=0, max=1e15)
"""A price, a worth, a number of seconds."""

POSITIVE = Finite(min=0, min_open=True, max=1e9)
SHARE = Finite(min=0, max=1)
COUNT = click.IntRange(0, 10**9)
AT_LEAST_ONE = click.IntRange(1, 10**6)
