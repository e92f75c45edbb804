"""One logged line: its parts as raw bytes to compare, cut without parsing where that is safe."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from diptych.read.decode import requests_of, sample_of
from diptych.read.index import record_of
from diptych.read.values import finite, mend_texts
from diptych.runs import Json, Request, Sample

START = re.compile(rb'\{"doc_id": (?:-?\d+|"[^"\\]*"), "doc": ')
MARKS = (b', "target": ', b', "arguments": ', b', "resps": ', b', "filtered_resps": ')
PARTS = ("doc", "target", "arguments", "resps", "filtered_resps")
BRACKETS = (b"{}", b"", b"{[]}", b"[]", b"[]")
KEY = re.compile(rb'(?<!\\)": ')


class RecordLine:
    """A line whose record is in memory."""

    def __init__(self, record: Mapping[str, Any], filter_name: str) -> None:
        self._record = record
        self._filter = filter_name

    def _part(self, key: str) -> bytes:
        return encoded(self._record.get(key))

    @property
    def doc(self) -> bytes:
        """Return the document as JSON bytes."""
        return self._part("doc")

    @property
    def target(self) -> bytes:
        """Return the target as JSON bytes."""
        return self._part("target")

    @property
    def arguments(self) -> bytes:
        """Return the requests as JSON bytes."""
        return self._part("arguments")

    @property
    def responses(self) -> bytes:
        """Return the raw responses as JSON bytes."""
        return self._part("resps")

    @property
    def filtered(self) -> bytes:
        """Return the filtered responses as JSON bytes."""
        return self._part("filtered_resps")

    def requests(self) -> tuple[Request, ...]:
        """Return what was sent for this row, decoded."""
        return requests_of(mend_texts(finite(self._record.get("arguments"))))

    def sample(self) -> Sample:
        """Return the whole row, decoded."""
        return sample_of(self._record, self._filter)


class EncodedLine:
    """A line as it stands in the file; it is cut into parts when one is first asked for.

    `usual` says that the log's first line has its keys in the usual order, so that cutting is worth a try.
    """

    __slots__ = ("_cut", "_filter", "_raw", "_usual")

    def __init__(self, raw: bytes, filter_name: str, usual: bool = True) -> None:
        self._raw = raw
        self._filter = filter_name
        self._usual = usual
        self._cut: Sequence[bytes] | None = None

    def _part(self, place: int) -> bytes:
        if self._cut is None:
            self._cut = (parts_of(self._raw) if self._usual else None) or parts_of_record(self._raw)
        return self._cut[place]

    @property
    def doc(self) -> bytes:
        """Return the document as JSON bytes."""
        return self._part(0)

    @property
    def target(self) -> bytes:
        """Return the target as JSON bytes."""
        return self._part(1)

    @property
    def arguments(self) -> bytes:
        """Return the requests as JSON bytes."""
        return self._part(2)

    @property
    def responses(self) -> bytes:
        """Return the raw responses as JSON bytes."""
        return self._part(3)

    @property
    def filtered(self) -> bytes:
        """Return the filtered responses as JSON bytes."""
        return self._part(4)

    def requests(self) -> tuple[Request, ...]:
        """Return what was sent for this row, decoded; a fifth of the price of the whole row."""
        raw = self._part(2)
        try:
            arguments = json.loads(raw.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return ()
        arguments = finite(arguments)
        return requests_of(mend_texts(arguments) if b"\\ud" in raw or b"\\uD" in raw else arguments)

    def sample(self) -> Sample:
        """Return the whole row, decoded."""
        return sample_of(record_of(self._raw, strict=False)[0] or {"doc_id": ""}, self._filter)


def encoded(value: Json) -> bytes:
    """Return a value as the harness writes it in a line."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def parts_of_record(raw: bytes) -> list[bytes]:
    """Return the parts of a line that is parsed whole."""
    record = record_of(raw, strict=False)[0] or {}
    return [encoded(record.get(key)) for key in PARTS]


def parts_of(raw: bytes) -> list[bytes] | None:
    """Return the parts of a line cut at its keys, from the tail up, or None where anything looks odd.

    Bare marks are keys, but perhaps of something inside a part: so each part must begin and end as its kind does,
    answers must hold no key, and the target, the one part of any kind, must be one JSON value.
    """
    head = START.match(raw)
    tail = raw.rfind(b', "doc_hash": ') if head else -1
    if head is None or tail < 0:
        return None
    named = raw.rfind(b', "filter": ', max(raw.rfind(MARKS[-1], 0, tail), 0), tail)
    tail = named if named > 0 else tail
    ends = [0] * 5
    starts = [head.end(), 0, 0, 0, 0]
    stop = tail
    for place in (3, 2, 1, 0):
        ends[place + 1] = stop
        found = raw.rfind(MARKS[place], head.end(), stop)
        if found < 0:
            return None
        starts[place + 1] = found + len(MARKS[place])
        stop = found
    ends[0] = stop
    parts = [raw[start:end] for start, end in zip(starts, ends, strict=True)]
    without_keys = not any(b'": ' in part and KEY.search(part) for part in parts[3:])
    return parts if without_keys and all(map(looks_whole, parts, BRACKETS)) else None


def looks_whole(part: bytes, brackets: bytes) -> bool:
    """Say whether a part begins and ends as its kind does; without brackets, whether it is one JSON value."""
    if brackets:
        return part[:1] in brackets and part[-1:] in brackets and len(part) > 1
    if part[:1] == b'"' and part[-1:] == b'"' and b'"' not in part[1:-1] and b"\\" not in part:
        return len(part) > 1
    try:
        json.loads(part.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return False
    return True
