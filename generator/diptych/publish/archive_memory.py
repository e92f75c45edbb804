"""What an archive of many thousand artifacts holds of each while its shared pages are drawn: little, and on disk.

Rows of the first page, kept summaries and the scores of runs stand in a file without a name, which goes with the
build; a piece's files are held as one text.
"""

import json
import os
import tempfile
from array import array
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, overload

from diptych.fast_json import dump_many
from diptych.report.documents.summaries import Scores, Summary
from diptych.storage import unwritable


class Rows(Sequence[Summary]):
    """What the first page, the feed and the site map show of each artifact: read one at a time."""

    def __init__(self, spill: "Spill") -> None:
        self.spill = spill
        self.held: list[tuple[Text, tuple[str, ...]]] = []

    def add(self, summary: Summary) -> None:
        """Take one artifact: of its runs only what models they are of, of its tasks those that others have too."""
        models = tuple(dict.fromkeys(run.model for run in summary.runs if run.model))
        row = summary._replace(runs=(), changes=(), tasks=(), models=models or summary.models)
        self.held.append((self.spill.put(dump_many(row._asdict())), summary.tasks))

    def __len__(self) -> int:
        return len(self.held)

    @overload
    def __getitem__(self, place: int) -> Summary: ...
    @overload
    def __getitem__(self, place: slice) -> list[Summary]: ...
    def __getitem__(self, place: int | slice) -> Summary | list[Summary]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        text, tasks = self.held[place]
        fields = json.loads(str(text))
        lists = {name: tuple(fields[name]) for name in ("names", "runs", "changes", "models")}
        return Summary(**{**fields, **lists, "tasks": tasks})


class Text:
    """A text of a spill, read whenever it is asked for."""

    __slots__ = ("place", "size", "spill")

    def __init__(self, spill: "Spill", place: int, size: int) -> None:
        self.spill, self.place, self.size = spill, place, size

    def __str__(self) -> str:
        return os.pread(self.spill.file.fileno(), self.size, self.place).decode("utf-8")


class Spill:
    """Numbers and texts that stand on disk until they are asked for."""

    def __init__(self) -> None:
        self.size = 0
        self.met: dict[bytes, Text] = {}
        try:
            self.file = tempfile.TemporaryFile()  # noqa: SIM115 closed by `__exit__`
        except OSError as error:
            raise unwritable(tempfile.gettempdir(), error) from error

    def __enter__(self) -> "Spill":
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def scores(self, scores: Scores) -> Scores:
        """Return the same scores, their numbers on disk."""
        data = scores.values.tobytes()
        return Scores(scores.names, Spilled(self, self.put(data).place, len(data) // NUMBER))

    def text(self, text: str) -> Text:
        """Return a text that stands on disk, the same for the same text."""
        data = text.encode("utf-8")
        digest = blake2b(data, digest_size=16).digest()
        if digest not in self.met:
            self.met[digest] = self.put(data)
        return self.met[digest]

    def put(self, data: bytes) -> Text:
        """Write bytes behind the others, and return where they stand."""
        try:
            if os.pwrite(self.file.fileno(), data, self.size) < len(data):
                raise OSError(28, "no space left on device")
        except OSError as error:
            raise unwritable(tempfile.gettempdir(), error) from error
        kept = Text(self, self.size, len(data))
        self.size += len(data)
        return kept


class Files(Mapping[str, int]):
    """The files of a piece with their sizes as one text, half of what a dictionary takes: "size path", a line each."""

    __slots__ = ("text",)

    def __init__(self, files: Mapping[str, int]) -> None:
        self.text = "\n".join([f"{size} {path}" for path, size in files.items()])

    def pairs(self) -> Iterator[tuple[str, int]]:
        """Yield each path with its size."""
        for line in self.text.split("\n") if self.text else ():
            size, _, path = line.partition(" ")
            yield path, int(size)

    def __iter__(self) -> Iterator[str]:
        return (path for path, _ in self.pairs())

    def __len__(self) -> int:
        return self.text.count("\n") + 1 if self.text else 0

    def __getitem__(self, path: str) -> int:
        return dict(self.pairs())[path]

    def items(self) -> ItemsView[str, int]:
        return dict(self.pairs()).items()


NUMBER = array("d").itemsize


class Spilled:
    """Some numbers of a spill; to another process they go as an array."""

    __slots__ = ("count", "place", "spill")

    def __init__(self, spill: Spill, place: int, count: int) -> None:
        self.spill, self.place, self.count = spill, place, count

    def __getitem__(self, part: slice) -> "array[float]":
        start, stop, _ = part.indices(self.count)
        data = os.pread(self.spill.file.fileno(), max(0, stop - start) * NUMBER, self.place + start * NUMBER)
        return array("d", data)

    def __iter__(self) -> Iterator[float]:
        return iter(self[:])

    def tobytes(self) -> bytes:
        """Return all of them as they stand on disk."""
        return self[:].tobytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return array, ("d", self.tobytes())
