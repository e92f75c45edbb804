"""What several parts of a report ask of one artifact, worked out once."""

from collections.abc import Callable
from typing import Any, TypeVar

Found = TypeVar("Found")


def of_last(function: Callable[[Any], Found]) -> Callable[[Any], Found]:
    """Let a function of one tuple, named or not, give its last result again while it is asked for the same one.

    A report asks for an artifact's headline and the order of its rows in five places, one after the other, and then
    never again.
    """
    last: tuple[Any, Any] = (None, None)

    def found(value: Any) -> Found:
        nonlocal last
        asked, result = last
        if asked is value:  # the tuple itself: no other is equal to it for good
            return result  # type: ignore[no-any-return]
        result = function(value)
        if isinstance(value, tuple):
            last = value, result
        return result

    return found
