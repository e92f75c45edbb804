"""Many tests at once: adjusted p-values, what chance alone would give, and many runs side by side."""

import heapq
from collections import deque
from collections.abc import Sequence

from diptych.estimates import ALPHA
from diptych.fast_named_tuple import NamedTuple

HEAD_SHARE = 0.8
"""A benchmark's group row is tested at this share of the benchmark's alpha, its subtasks at the rest until it falls."""


class Adjusted(NamedTuple):
    """A p-value adjusted over its family (None where there is no test), and the alpha that the family left for it."""

    p: float | None
    alpha: float


class Block(NamedTuple):
    """One benchmark of a family: the p-value of its head (its group row, or its only task) and of its parts."""

    head: float | None
    parts: tuple[float | None, ...] = ()


class AdjustedBlock(NamedTuple):
    """A benchmark's adjusted p-values."""

    head: Adjusted
    parts: tuple[Adjusted, ...]


def fallback(blocks: Sequence[Block], alpha: float = ALPHA) -> list[AdjustedBlock]:
    """Adjust a family of benchmarks: Holm over them, and in each its head first, its parts by Holm beside it.

    A head with parts has .8 of its benchmark's alpha and its parts share .2 of it; once the head is rejected they share
    all of it, and a benchmark with nothing left to test leaves its alpha to the others. What is still open can only
    gain, and the open shares never add to more than alpha, so that any false alarm at all stays below it (fallback
    procedure, Wiens 2003; sequential rejection, Goeman and Solari 2010). With single tasks alone it is Holm's.
    """
    waiting = [_Waiting(block) for block in blocks]
    heap = [(block.ratio(), at) for at, block in enumerate(waiting) if block.tests]
    heapq.heapify(heap)
    benchmarks, largest, rejecting = len(heap), 0.0, True
    while heap:
        ratio, at = heapq.heappop(heap)
        block, share = waiting[at], alpha / benchmarks  # what is open shares alpha alike
        largest = max(largest, ratio * benchmarks)
        if rejecting and largest >= alpha:
            rejecting = False
            for other in waiting:
                other.close(share)
        block.take(min(1.0, largest), share if rejecting else None)
        if block.tests:
            heapq.heappush(heap, (block.ratio(), at))
        else:
            benchmarks -= 1
    return [block.adjusted(alpha) for block in waiting]


class _Waiting:
    """A benchmark while its family is tested: what is still open of it, and what was found.

    Its head and each of its parts have shares of what the benchmark has of alpha.
    """

    def __init__(self, block: Block) -> None:
        self.head = block.head
        self.head_open = block.head is not None
        self.parts = deque(sorted((p, place) for place, p in enumerate(block.parts) if p is not None))
        self.count = len(block.parts)
        self.found: dict[int, float] = {}
        self.levels: dict[int, float] = {}

    @property
    def tests(self) -> int:
        """How many are still open."""
        return self.head_open + len(self.parts)

    def head_share(self) -> float:
        """Return what share of the benchmark's alpha its head is tested at (0..1): all of it where no part is open."""
        return HEAD_SHARE if self.parts else 1.0

    def part_share(self) -> float:
        """Return what share each open part is tested at (0..1): alike, of what an open head leaves, else of all."""
        return (1.0 - HEAD_SHARE if self.head_open else 1.0) / max(1, len(self.parts))

    def ratio(self) -> float:
        """Return the smallest alpha at which another test would be rejected if the benchmark had all of it."""
        head = self.head / self.head_share() if self.head_open and self.head is not None else None
        part = self.parts[0][0] / self.part_share() if self.parts else None
        return min(each for each in (head, part) if each is not None)

    def take(self, adjusted: float, alpha: float | None) -> None:
        """Close the test with the smallest ratio; `alpha` is the benchmark's, None: the family stopped before it."""
        head_first = self.head_open and self.head is not None
        head_first = head_first and (self.head or 0.0) / self.head_share() <= self.ratio()
        place = -1 if head_first else self.parts[0][1]
        if alpha is not None:
            self.levels[place] = alpha * (self.head_share() if head_first else self.part_share())
        self.found[place] = adjusted
        if head_first:
            self.head_open = False
        else:
            self.parts.popleft()

    def close(self, alpha: float) -> None:
        """Keep for all that is open the level that the benchmark's alpha leaves as the family stops."""
        if self.head_open:
            self.levels[-1] = alpha * self.head_share()
        for _, place in self.parts:
            self.levels[place] = alpha * self.part_share()

    def adjusted(self, alpha: float) -> AdjustedBlock:
        """Return what was found; what has no test keeps alpha whole."""
        return AdjustedBlock(
            Adjusted(self.found.get(-1), self.levels.get(-1, alpha)),
            tuple(Adjusted(self.found.get(at), self.levels.get(at, alpha)) for at in range(self.count)),
        )


def holm_levels(p_values: Sequence[float | None]) -> list[Adjusted]:
    """Return Holm's adjusted p-values with the alpha of each's step; after the first non-rejection its alpha stays."""
    adjusted = holm(p_values)
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    level = ALPHA
    found = [Adjusted(p, level) for p in adjusted]
    stopped = False
    for rank, (p, place) in enumerate(order):
        if not stopped:
            level = ALPHA / (len(order) - rank)
            stopped = p >= level
        found[place] = Adjusted(adjusted[place], level)
    return found


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return Holm's adjusted p-values (1979): valid under any dependence; None is not a test and is not counted."""
    tested = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(tested):
        largest = max(largest, min(1.0, (len(tested) - rank) * p))
        adjusted[place] = largest
    return adjusted


def expected_false_alarms(p_values: Sequence[float | None], alpha: float = 0.05) -> float:
    """Return how many of these tests would fall below `alpha` by chance alone if nothing differed."""
    return alpha * sum(p is not None for p in p_values)


def letters(count: int, apart: Sequence[tuple[int, int]], order: Sequence[int] | None = None) -> tuple[str, ...]:
    """Return each run's letters: two runs share one iff they cannot be told apart (Piepho 2004, insert and absorb).

    `apart` holds the pairs that differ for real; `order` is the order in which letters are given out (best first).
    """
    places = list(order) if order is not None else list(range(count))
    columns = [frozenset(range(count))] if count else []
    for one, other in sorted((min(pair), max(pair)) for pair in apart):
        split = [part for column in columns if {one, other} <= column for part in (column - {one}, column - {other})]
        kept = [column for column in columns if not {one, other} <= column]
        for part in sorted(split, key=lambda part: (-len(part), sorted(part))):
            if not any(part <= column for column in kept):
                kept = [column for column in kept if not column <= part] + [part]
        columns = kept
    columns.sort(key=lambda column: sorted(places.index(run) for run in column))
    return tuple("".join(_letter(at) for at, column in enumerate(columns) if run in column) for run in range(count))


def _letter(place: int) -> str:
    """Return a, b, … z, then a1, b1, …"""
    return chr(ord("a") + place % 26) + (str(place // 26) if place >= 26 else "")
