"""The scales that leaderboards and forks put a share of right answers on, each with its formula."""

from collections.abc import Iterator

from diptych.fast_named_tuple import NamedTuple

ROUNDING = 5.1e-5
"""A reported score may be rounded to four digits of a share."""

USUAL_CHOICES = (4, 2, 3, 5, 10)
"""How many choices tasks have, where nothing says it."""


class Scale(NamedTuple):
    """A scale: the choices whose chance it counts from (0: it counts from 0), and what it multiplies by."""

    choices: int
    factor: int

    @property
    def chance(self) -> float:
        """The share of right answers that counts as nothing."""
        return 1 / self.choices if self.choices else 0.0

    def of(self, share: float) -> float:
        """Return a share on this scale."""
        return self.factor * (share - self.chance) / (1 - self.chance)

    def share(self, value: float) -> float:
        """Return the share that a value on this scale stands for."""
        return value / self.factor * (1 - self.chance) + self.chance

    def formula(self, metric: str) -> str:
        """Return the scale in words that a sentence can hold."""
        above = f"({metric} − 1/{self.choices}) / (1 − 1/{self.choices})" if self.choices else metric
        return f"{self.factor} × {above}" if self.factor > 1 else above


def scales(chance: float | None) -> Iterator[Scale]:
    """Yield the scales in use, the plainest first; `chance` is that of a guess, where it is known."""
    yield Scale(0, 100)
    for choices in (round(1 / chance),) if chance else USUAL_CHOICES:
        if choices > 1:
            yield Scale(choices, 1)
            yield Scale(choices, 100)
