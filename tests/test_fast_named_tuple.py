"""Our named tuple against the one of `typing`: whatever one of them does, the other does."""

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from diptych import fast_named_tuple


class Ours(fast_named_tuple.NamedTuple):
    """A point."""

    x: int
    y: "float | None" = None
    z: tuple[str, ...] = ()

    @property
    def sum(self) -> float:
        """Return all added up."""
        return self.x + (self.y or 0)

    def moved(self) -> "Ours":
        """Return it one further."""
        return self._replace(x=self.x + 1)


class Theirs(typing.NamedTuple):
    """A point."""

    x: int
    y: "float | None" = None
    z: tuple[str, ...] = ()

    @property
    def sum(self) -> float:
        """Return all added up."""
        return self.x + (self.y or 0)

    def moved(self) -> "Theirs":
        """Return it one further."""
        return self._replace(x=self.x + 1)


class Longer(Ours):
    """One that inherits."""

    @property
    def length(self) -> int:
        """Return how many fields there are."""
        return len(self)


DONE: dict[str, Callable[[Any], Any]] = {
    "by place": lambda kind: kind(1, 2.0, ("a",)),
    "by name": lambda kind: kind(z=("a",), x=1),
    "defaults": lambda kind: kind(1),
    "nothing": lambda kind: kind(),
    "too many": lambda kind: kind(1, 2, (), 4),
    "unknown name": lambda kind: kind(1, other=2),
    "twice": lambda kind: kind(1, x=2),
    "replaced": lambda kind: kind(1)._replace(y=3.0),
    "replaced by an unknown name": lambda kind: kind(1)._replace(other=3.0),
    "made": lambda kind: kind._make([1, 2, 3]),
    "made of too few": lambda kind: kind._make([1]),
    "as a dict": lambda kind: kind(1)._asdict(),
    "text": lambda kind: repr(kind(1, 2.5, ("a", "b"))).partition("(")[2],
    "equality": lambda kind: (kind(1) == (1, None, ()), hash(kind(1)) == hash((1, None, ())), kind(1) < kind(2)),
    "a property": lambda kind: kind(1, 2.0).sum,
    "a method": lambda kind: kind(1).moved(),
    "a field is set": lambda kind: setattr(kind(1), "x", 2),
    "another is set": lambda kind: setattr(kind(1), "other", 2),
    "fields": lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__, kind.__module__),
    "types": lambda kind: typing.get_type_hints(kind),
    "pickled": lambda kind: pickle.loads(pickle.dumps(kind(1, 2.0))),
    "copied": lambda kind: copy.deepcopy(kind(1, 2.0, ("a",))),
    "its type": lambda kind: type(kind(1)._replace(x=2)) is kind and type(copy.copy(kind(1))) is kind,
    "taken apart": lambda kind: [*kind(1, 2.0)],
}


def outcome(kind: Any, do: Callable[[Any], Any]) -> tuple[str, Any]:
    try:
        return "made", do(kind)
    except (TypeError, ValueError, AttributeError):  # which of them changes with Python
        return "raised", None


@pytest.mark.parametrize("name", DONE)
def test_a_noun_does_what_a_named_tuple_does(name: str) -> None:
    assert outcome(Ours, DONE[name]) == outcome(Theirs, DONE[name])


def test_a_noun_is_matched_by_its_fields() -> None:
    match Ours(1, 2.0):
        case Ours(x, y=2.0):
            assert x == 1
        case _:
            raise AssertionError


def test_a_class_may_inherit_from_a_noun() -> None:
    assert Longer(1).length == 3
    assert type(Longer(1)._replace(x=2)) is Longer
    assert Longer(1) == Ours(1)


def test_fields_of_one_class_are_not_those_of_another_with_as_many() -> None:
    class Other(fast_named_tuple.NamedTuple):
        a: int
        b: int = 5
        c: int = 6

    assert Other(1) == (1, 5, 6)
    assert Other(a=1, c=2).c == 2
    assert not hasattr(Other(1), "x")
    with pytest.raises(TypeError, match="x"):
        Other(1, x=2)  # type: ignore[call-arg]
