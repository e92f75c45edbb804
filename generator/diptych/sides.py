"""The two sides of a comparison, and what is had of both."""

from typing import Generic, Literal, TypeVar

from diptych.fast_named_tuple import NamedTuple

T = TypeVar("T")

Side = Literal["a", "b"]
SIDES: tuple[Side, ...] = ("a", "b")
Whose = Literal["a", "b", "both"]


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
