"""The names of paired items, made when asked for: a text for each of a million rows is more than its scores."""

from array import array
from collections.abc import Iterator, Sequence
from typing import overload

from diptych.sample_log import distinct


class ItemNames(Sequence[str]):
    """The ids of some rows of a log as texts, in the order of the rows."""

    def __init__(self, ids: Sequence[int | str], rows: Sequence[int]) -> None:
        self.ids, self.rows = ids, rows
        self._distinct: int | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[str]:
        return map(str, map(self.ids.__getitem__, self.rows))

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return ItemNames(self.ids, self.rows[place])
        return str(self.ids[self.rows[place]])

    def distinct(self) -> int:
        """Return how many different names there are, counted once."""
        if self._distinct is None:
            if isinstance(self.ids, array):
                self._distinct = distinct(array(self.ids.typecode, map(self.ids.__getitem__, self.rows)))
            else:
                self._distinct = len(set(self))
        return self._distinct

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ItemNames):
            return NotImplemented
        if self.ids is other.ids and self.rows == other.rows:
            return True
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]
