"""What the tails of a sample log look like, learnt from its first line: so that nobody parses prompts."""

import json
import re
from operator import itemgetter
from typing import Any

from diptych.fast_named_tuple import NamedTuple
from diptych.harness.lm_eval.log_index import HASHES, KEPT, ORDER, SMALL, metrics_of, unused_keys

HEAD = re.compile(rb'\{"doc_id": (-?\d{1,18}), "doc": ')


NUMBER = rb"(-?(?:0|[1-9]\d{0,25})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?)"


class Shape(NamedTuple):
    """What the tails of a log look like, learnt from its first line: where they start, their keys, their metrics.

    `flat` is a pattern for a whole tail where all that it holds are texts and numbers, and `place` puts its groups in
    the order of the columns.
    """

    mark: bytes
    pick: "itemgetter[Any]"
    flat: "re.Pattern[bytes] | None"
    place: "itemgetter[Any]"
    keys: int
    named: bool
    metrics: tuple[str, ...]
    usual: bool
    unused: tuple[str, ...]


def line_shape(line: bytes) -> Shape | None:
    """Return the shape that a log's first line shows, or None where there is no tail to trust."""
    record = parse_line(line)
    if not isinstance(record, dict) or not HEAD.match(line):
        return None
    keys = list(record)
    metrics = tuple(key for key in metrics_of(record))
    small = SMALL | set(metrics)
    start = len(keys)
    while start and keys[start - 1] in small:
        start -= 1
    tail = keys[start:]
    if not start or len(tail) < 2 or not small.issuperset(tail) or any(key not in tail for key in (*HASHES, *metrics)):
        return None
    named = "filter" in tail
    wanted = (*KEPT, *(("filter",) if named else ()), *metrics)
    mark = b", " + json.dumps(tail[0]).encode() + b": "
    usual = tuple(keys[: len(ORDER) + 1]) == (*ORDER, "filter" if named else "doc_hash")
    groups = [key for key in tail if key not in ("metrics", "prompt_hash")]
    place = itemgetter(*map(groups.index, wanted))
    unused = unused_keys(record)
    return Shape(mark, itemgetter(*wanted), flat_of(record, tail), place, len(tail), named, metrics, usual, unused)


def flat_of(record: dict[str, Any], tail: list[str]) -> "re.Pattern[bytes] | None":
    """Return the pattern of a tail like this record's, or None where it holds more than texts and numbers."""
    parts = []
    for key in tail:
        value = record[key]
        if key in HASHES:
            part = rb'"(.{64})"' if key in KEPT else rb'".{64}"'
        elif key == "filter":
            part = rb'"([^"\\]*)"'
        elif key == "metrics":
            part = re.escape(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            part = NUMBER
        else:
            return None
        parts.append(b", " + re.escape(json.dumps(key, ensure_ascii=False).encode("utf-8", "replace")) + b": " + part)
    return re.compile(b"".join(parts) + rb"\}\s*", re.DOTALL)


def parse_line(line: bytes) -> Any:
    """Parse one line whole; None for what is no JSON. Bytes that are no UTF-8 (inside a text) become U+FFFD."""
    try:
        return json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
