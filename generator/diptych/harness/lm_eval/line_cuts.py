"""One logged line: its parts as raw bytes to compare, cut without parsing where that is safe."""

import json
import re
from collections.abc import Mapping
from itertools import accumulate, pairwise
from typing import Any

from diptych.bounded_json import parse_bounded
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.line_comparison import LoggedLine
from diptych.harness.lm_eval.decode import requests_of, sample_of
from diptych.harness.lm_eval.read_log_index import record_of
from diptych.harness.strict_values import finite, mend_texts
from diptych.sample_log import Json, Request, Sample

START = re.compile(rb'\{"doc_id": (?:-?\d+|"[^"\\]*"), "doc": \{')
PARTS = ("doc", "target", "arguments", "resps", "filtered_resps")
TARGET, ARGUMENTS, RESPONSES = b'}, "target": ', b', "arguments": ', b', "resps": ['
FILTERED, NAMED, HASHED = b'], "filtered_resps": [', b', "filter": ', b', "doc_hash": '
KEY = re.compile(rb'(?<!\\)": ')


class Cut(NamedTuple):
    """The bytes of a line, and where in them its parts stand."""

    raw: bytes
    doc: slice
    target: slice
    arguments: slice
    responses: slice
    filtered: slice


class RecordLine(LoggedLine):
    """A line whose record is in memory."""

    __slots__ = ("_encoded", "_filter", "_record")

    def __init__(self, record: Mapping[str, Any], filter_name: str) -> None:
        self._answers = None
        self._record = record
        self._filter = filter_name
        self._encoded: dict[str, bytes] = {}

    def _part(self, key: str) -> bytes:
        if key not in self._encoded:
            self._encoded[key] = as_logged(self._record.get(key))
        return self._encoded[key]

    @property
    def raw_document(self) -> bytes:
        """Return the document as the harness would write it, as all parts here."""
        return self._part("doc")

    @property
    def raw_target(self) -> bytes:
        return self._part("target")

    @property
    def raw_requests(self) -> bytes:
        return self._part("arguments")

    @property
    def raw_responses(self) -> bytes:
        return self._part("resps")

    @property
    def raw_filtered(self) -> bytes:
        """Return the filtered responses."""
        return self._part("filtered_resps")

    def follow(self, other: LoggedLine) -> LoggedLine:
        """Return this line: there are no bytes to compare or to cut."""
        return self

    def requests(self) -> tuple[Request, ...]:
        """Return what was sent for this row, decoded."""
        return requests_of(mend_texts(finite(self._record.get("arguments"))))

    def sample(self) -> Sample:
        """Return the whole row, decoded."""
        return sample_of(self._record, self._filter)


class EncodedLine(LoggedLine):
    """A line as it stands in the file; it is cut into parts when one is first asked for.

    `usual` says that the log's first line has its keys in the usual order, so that cutting is worth a try.
    """

    __slots__ = ("_cut", "_filter", "_known", "_raw", "_sent", "_usual")

    def __init__(self, raw: bytes, filter_name: str, usual: bool = True) -> None:
        self._answers = None
        self._raw = raw
        self._filter = filter_name
        self._usual = usual
        self._cut: Cut | None = None
        self._known: Cut | None = None
        self._sent: bytes | None = None

    def follow(self, other: LoggedLine) -> LoggedLine:
        """Return the other line where both are the same bytes, else this one, to be cut where the other one was."""
        if isinstance(other, EncodedLine):
            if self._raw == other._raw:
                return other
            self._known = other._cut or other._parts()
        return self

    def _parts(self) -> Cut:
        raw, known = self._raw, self._known
        cut = cut_like(raw, known) if known is not None else None
        cut = self._cut = cut or (cut_of(raw) if self._usual else None) or cut_of_record(raw)
        return cut

    @property
    def raw_document(self) -> bytes:
        """Return the document as it is written, as all parts here."""
        cut = self._cut or self._parts()
        return cut.raw[cut.doc]

    @property
    def raw_target(self) -> bytes:
        cut = self._cut or self._parts()
        return cut.raw[cut.target]

    @property
    def raw_requests(self) -> bytes:
        """Return the requests, the largest part of most lines: copied once."""
        if self._sent is None:
            cut = self._cut or self._parts()
            self._sent = cut.raw[cut.arguments]
        return self._sent

    @property
    def raw_responses(self) -> bytes:
        cut = self._cut or self._parts()
        return cut.raw[cut.responses]

    @property
    def raw_filtered(self) -> bytes:
        """Return the filtered responses."""
        cut = self._cut or self._parts()
        return cut.raw[cut.filtered]

    def requests(self) -> tuple[Request, ...]:
        """Return what was sent for this row, decoded; a fifth of the price of the whole row."""
        raw = self.raw_requests
        try:
            arguments = parse_bounded(raw.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return ()
        arguments = finite(arguments)
        return requests_of(mend_texts(arguments) if b"\\ud" in raw or b"\\uD" in raw else arguments)

    def sample(self) -> Sample:
        """Return the whole row, decoded."""
        return sample_of(record_of(self._raw, strict=False)[0] or {"doc_id": ""}, self._filter)


def as_logged(value: Json) -> bytes:
    """Return a value as the harness writes it in a line."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def cut_of_record(raw: bytes) -> Cut:
    """Return the parts of a line that is parsed whole."""
    record = record_of(raw, strict=False)[0] or {}
    parts = [as_logged(record.get(key)) for key in PARTS]
    ends = accumulate(map(len, parts), initial=0)
    return Cut(b"".join(parts), *(slice(start, end) for start, end in pairwise(ends)))


def cut_of(raw: bytes) -> Cut | None:
    """Return the parts of a line cut at its keys, from the tail up, or None where anything looks odd.

    Bare marks are keys, but perhaps of something inside a part: so each part must begin and end as its kind does,
    answers must hold no key, and the target, the one part of any kind, must be one JSON value.
    """
    head = START.match(raw)
    if head is None:
        return None
    doc = head.end() - 1
    tail = raw.rfind(HASHED, doc)
    filtered = raw.rfind(FILTERED, doc, tail) + 1
    responses = raw.rfind(RESPONSES, doc, filtered)
    arguments = raw.rfind(ARGUMENTS, doc, responses)
    target = raw.rfind(TARGET, doc, arguments) + 1
    # an end of -1 is one before the last byte: so all are looked at together
    if tail < 0 or filtered < 1 or responses < 0 or arguments < 0 or target < 1:
        return None
    before = slice(doc, target), slice(target + len(TARGET) - 1, arguments)
    cut = parts_at(raw, before, (arguments + len(ARGUMENTS), responses, filtered, tail))
    return cut if looks_whole(cut) and is_value(raw[cut.target]) else None


def cut_like(raw: bytes, known: Cut) -> Cut | None:
    """Return the parts of a line that is the same as a line that was cut at its keys, up to its requests; else None.

    Where the requests are the same as well, the answers begin where those of the other line do.
    """
    arguments, begins = known.arguments.start, known.responses.start - len(RESPONSES) + 1
    # a line that was parsed whole has its parts alone: its document begins at 0
    if not known.doc.start or not raw.startswith(known.raw[:arguments]):
        return None
    tail = raw.rfind(HASHED, arguments)
    filtered = raw.rfind(FILTERED, arguments, tail) + 1
    # the key is looked at before a copy
    same = raw.startswith(RESPONSES, begins) and raw.startswith(known.raw[arguments:begins], arguments)
    responses = begins if same else raw.rfind(RESPONSES, arguments, filtered)
    if tail < 0 or filtered < 1 or responses < 0:
        return None
    cut = parts_at(raw, (known.doc, known.target), (arguments, responses, filtered, tail))
    return cut if looks_whole(cut) else None


def parts_at(raw: bytes, before: tuple[slice, slice], marks: tuple[int, int, int, int]) -> Cut:
    """Return the parts of a line: those before its requests, and those that begin or end at its marks."""
    arguments, responses, filtered, tail = marks
    named = raw.find(NAMED, filtered, tail)
    kept = slice(filtered + len(FILTERED) - 2, tail if named < 0 else named)
    return Cut(raw, *before, slice(arguments, responses), slice(responses + len(RESPONSES) - 1, filtered), kept)


def looks_whole(cut: Cut) -> bool:
    """Say whether requests and answers, of which the marks have shown some ends, look like whole ones."""
    raw, _, _, arguments, responses, filtered = cut
    return (
        raw[arguments.start] in b"{["
        and raw[arguments.stop - 1] in b"}]"
        and raw[filtered.stop - 1] in b"]"
        and not holds_key(raw, responses)
        and not holds_key(raw, filtered)
    )


def holds_key(raw: bytes, part: slice) -> bool:
    """Say whether a part holds the key of an object, or what looks like one."""
    return raw.find(b'": ', part.start, part.stop) >= 0 and KEY.search(raw, part.start, part.stop) is not None


def is_value(part: bytes) -> bool:
    """Say whether a part is one JSON value."""
    if part.startswith(b'"') and part.endswith(b'"') and part.count(b'"') == 2 and b"\\" not in part:
        return True
    try:
        json.loads(part.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return False
    return True
