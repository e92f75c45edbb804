"""What names a score, and what is had of two sides."""

from typing import Generic, Literal, TypeVar

from diptych.nouns import NamedTuple

T = TypeVar("T")

Side = Literal["a", "b"]
SIDES: tuple[Side, ...] = ("a", "b")
Whose = Literal["a", "b", "both"]


class MetricKey(NamedTuple):
    """One metric of one task under one filter.

    As a text (a name in JSON, the key of a seed) it is "task|metric|filter".
    """

    task: str
    metric: str
    filter: str

    def __str__(self) -> str:
        return "|".join(self)

    @classmethod
    def parse(cls, text: str) -> "MetricKey":
        """Return the key that a text names; a task's own name may hold bars. Raises `ValueError`."""
        task, metric, filter_name = text.rsplit("|", 2)
        return cls(task, metric, filter_name)


class Sided(NamedTuple, Generic[T]):
    """The same thing of both sides."""

    a: T
    b: T

    def of(self, side: Side) -> T:
        """Return what one side has."""
        return self.a if side == "a" else self.b


def each_side(a: T, b: T) -> tuple[tuple[Side, T], tuple[Side, T]]:
    """Return what both sides have, each with its side's name."""
    return ("a", a), ("b", b)
