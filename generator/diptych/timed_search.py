"""Searches for patterns that a file holds, within a time: one may backtrack without end."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imported by who has a pattern to search for
    import regex


class SearchTime:
    """The seconds that many searches share whose patterns a file holds: one may backtrack without end, or all be slow.

    `each` is the most that one search may take.
    """

    def __init__(self, seconds: float, each: float) -> None:
        self.left, self.each = seconds, each

    def matches(self, pattern: "regex.Pattern[str]", text: str) -> list[Any]:
        """Return all matches of a pattern in a text; raise `TimeoutError` where the time is spent."""
        return list(self.timed(lambda limit: pattern.findall(text, timeout=limit)))

    def without(self, pattern: "regex.Pattern[str]", text: str) -> str:
        """Return a text without all matches of a pattern; raise `TimeoutError` where the time is spent."""
        return str(self.timed(lambda limit: pattern.sub("", text, timeout=limit)))

    def timed(self, search: Callable[[float], Any]) -> Any:
        """Return what a search finds in the seconds that it may take."""
        if self.left <= 0:
            raise TimeoutError
        start = time.perf_counter()
        try:
            return search(min(self.left, self.each))
        finally:
            self.left -= time.perf_counter() - start
