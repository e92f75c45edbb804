"""Rows of a sample log as columns: what is kept of each record, 58 bytes and 8 a metric."""

import json
from array import array
from typing import Any

from diptych.errors import RunError
from diptych.fast_named_tuple import NamedTuple
from diptych.harness.strict_values import item_value, mend_text
from diptych.sample_log import HASH_WIDTH

HASHES = ("doc_hash", "prompt_hash", "target_hash")
KEPT = ("doc_hash", "target_hash")
"""The hashes that rows are joined by; prompts are compared themselves."""

SMALL = frozenset({"filter", "metrics", *HASHES})
ORDER = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps")
BODY = frozenset({*ORDER, "scores_per_repeat"})
NO_HASH = bytes(HASH_WIDTH)
BAD_LINES_KEPT = 20
MOST_BAD, MOST_BAD_TIMES = 100_000, 10
"""More lines without a sample than this, and than so many times the samples, make no sample log."""


class BadLine(NamedTuple):
    """A line that holds no record, by its number from 1, and why."""

    line: int
    reason: str


class Index:
    """Columns over the records of a log, in file order; 58 bytes and 8 a metric for each record."""

    def __init__(self) -> None:
        self.offsets = array("Q")
        self.lengths = array("I")
        self.doc_ids: array[int] | list[int | str] = array("q")
        self.hashes: dict[str, bytearray] = {name: bytearray() for name in KEPT}
        self.filters = array("H")
        self.filter_names: list[str] = []
        self.named = False
        self.usual = False
        self.values: dict[str, array[float]] = {}
        self.unused: tuple[str, ...] = ()
        self.bad: list[BadLine] = []
        self.bad_count = 0
        self.lines = 0

    def __len__(self) -> int:
        return len(self.offsets)

    def damaged(self, line: int, reason: str) -> None:
        """Count a line that is left out; the first ones are kept by number. Raises `RunError` where nearly all are."""
        self.bad_count += 1
        if self.bad_count > MOST_BAD and self.bad_count > MOST_BAD_TIMES * len(self):
            raise RunError(
                f"no sample log: {self.bad_count} of its first {line} lines hold no sample (line {self.bad[0].line}:"
                f" {self.bad[0].reason})",
                hint="write the samples again",
            )
        if len(self.bad) < BAD_LINES_KEPT:
            self.bad.append(BadLine(line, reason))

    def place_of_filter(self, name: Any) -> int:
        """Return the place of a filter's name, a new one at the end; what is no name is "none"."""
        name = mend_text(name) if isinstance(name, str) else "none"
        if name not in self.filter_names:
            self.filter_names.append(name)
        return self.filter_names.index(name)

    def add_id(self, doc_id: Any) -> None:
        """Add a document's id: a whole number, or else its text."""
        if isinstance(doc_id, float) and doc_id.is_integer():
            doc_id = int(doc_id)
        if isinstance(doc_id, bool) or not isinstance(doc_id, int):
            doc_id = mend_text(doc_id) if isinstance(doc_id, str) else json.dumps(doc_id)
        if isinstance(self.doc_ids, array):
            if isinstance(doc_id, int) and -(2**63) <= doc_id < 2**63:
                self.doc_ids.append(doc_id)
                return
            self.doc_ids = list(self.doc_ids)
        self.doc_ids.append(doc_id)

    def add_record(self, record: dict[str, Any]) -> None:
        """Add the columns of one whole record (its place in the file is the caller's)."""
        before = len(self.filters)
        if not before:
            self.unused = unused_keys(record)
        self.add_id(record["doc_id"])
        name = record.get("filter")
        self.named = self.named or isinstance(name, str)
        self.filters.append(self.place_of_filter(name))
        given = [record.get(key) for key in KEPT]
        if not any(isinstance(value, str) for value in given):
            given = list(hashes_of(record))
        for key, value in zip(KEPT, given, strict=True):
            self.hashes[key] += hash_bytes(value)
        for metric in metrics_of(record):
            if metric not in self.values:
                self.values[metric] = array("d", [float("nan")]) * before
            self.values[metric].append(item_value(record.get(metric)))
        self.fill_up()

    def fill_up(self) -> None:
        """Give each metric that the last records lack a NaN for each of them."""
        rows = len(self.filters)
        for column in self.values.values():
            if len(column) < rows:
                column.extend([float("nan")] * (rows - len(column)))


def metrics_of(record: dict[str, Any]) -> list[str]:
    """Return the metrics that a record holds: those that it names, else every key that is none of the record's own."""
    named = record.get("metrics")
    own = [key for key in record if key not in SMALL and key not in BODY]
    return [key for key in own if key in named] if isinstance(named, list) and named else own


def unused_keys(record: dict[str, Any]) -> tuple[str, ...]:
    """Return the keys of a record of which nothing is made: neither its own nor a metric's."""
    metrics = metrics_of(record)
    return tuple(mend_text(key) for key in record if key not in SMALL and key not in ORDER and key not in metrics)


def hash_bytes(value: Any) -> bytes:
    """Return the kept bytes of a hash in hex, all zero for what is none."""
    if isinstance(value, str) and len(value) == 64:
        try:
            return bytes.fromhex(value)[:HASH_WIDTH]
        except ValueError:
            pass  # not a hash: as good as none
    return NO_HASH


def hashes_of(record: dict[str, Any]) -> tuple[str, str]:
    """Return the hashes that a record of an early generation lacks, by the formulas of the later ones."""
    from diptych.storage import sha256  # hashlib: paid only by old logs

    def of(text: str) -> str:
        return sha256(text.encode("utf-8", "surrogatepass"))

    doc, target = record.get("doc"), record.get("target")
    return (
        of(json.dumps(doc, indent=2, ensure_ascii=False)) if doc is not None else "",
        of(target if isinstance(target, str) else str(target)) if target is not None else "",
    )
