"""One logged line: its parts as raw bytes to compare, and the sample that it means, whichever generation wrote it."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from diptych.read.index import record_of
from diptych.read.rows import BODY, SMALL
from diptych.read.values import finite, mend_texts
from diptych.runs import Json, Message, Request, Sample

START = re.compile(rb'\{"doc_id": (?:-?\d+|"[^"\\]*"), "doc": ')
MARKS = (b', "target": ', b', "arguments": ', b', "resps": ', b', "filtered_resps": ')
PARTS = ("doc", "target", "arguments", "resps", "filtered_resps")
BRACKETS = (b"{}", b"", b"{[]}", b"[]", b"[]")
KEY = re.compile(rb'(?<!\\)": ')
NUMBER_AT_END = re.compile(r"(\d+)$")


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
        odd = b"\\u" in raw or b"NaN" in raw or b"Infinity" in raw
        return requests_of(mend_texts(finite(arguments)) if odd else arguments)

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


def sample_of(record: Mapping[str, Any], filter_name: str) -> Sample:
    """Return the sample of a record of any generation."""
    clean = mend_texts(finite(dict(record)))
    requests = requests_of(clean.get("arguments"))
    target = clean.get("target")
    item = clean.get("doc_id")
    named = clean.get("metrics")
    keys = [key for key in clean if key not in SMALL and key not in BODY]
    return Sample(
        item=item if isinstance(item, str) else json.dumps(item),
        filter=filter_name,
        target=target if isinstance(target, str) or target is None else str(target),
        requests=requests,
        responses=responses_of(clean.get("resps"), requests),
        filtered=filtered_of(clean.get("filtered_resps"), requests),
        scores={key: clean[key] for key in keys if not (isinstance(named, list) and named) or key in named},
        doc=clean.get("doc"),
    )


def requests_of(arguments: Json) -> tuple[Request, ...]:
    """Return the requests of an item, given as a list of lists or as an object of named ones."""
    if isinstance(arguments, dict):
        arguments = [arguments[key] for key in sorted(arguments, key=numbered)]
    if not isinstance(arguments, list):
        return ()
    return tuple(request_of(given) for given in arguments)


def numbered(key: str) -> tuple[int, str]:
    """Order gen_args_2 before gen_args_10."""
    match = NUMBER_AT_END.search(key)
    return (int(match[1]) if match else -1, key)


def request_of(given: Json) -> Request:
    """Return one request from its arguments."""
    if isinstance(given, dict):
        given = [given[key] for key in sorted(given, key=numbered)]
    values = given if isinstance(given, list) else [given]
    first = values[0] if values else ""
    second = values[1] if len(values) > 1 else None
    messages = messages_of(first)
    if messages is None:
        context = first if isinstance(first, str) else json.dumps(first, ensure_ascii=False)
    else:
        context = "\n".join(message.content for message in messages)
    return Request(
        context=context,
        messages=messages,
        continuation=second if isinstance(second, str) else None,
        arguments=second if isinstance(second, dict) else None,
    )


def messages_of(context: Json) -> tuple[Message, ...] | None:
    """Return the turns of a chat prompt, or None for a plain text.

    A chat interface's prompt is logged as a list with one JSON text in it.
    """
    if isinstance(context, list) and len(context) == 1 and isinstance(context[0], str):
        context = context[0]
    if isinstance(context, str):
        if not context.startswith("[{"):
            return None
        try:
            context = json.loads(context)
        except (ValueError, RecursionError):
            return None
        context = mend_texts(finite(context))
    if not isinstance(context, list) or not context:
        return None
    if not all(isinstance(turn, dict) and "role" in turn and "content" in turn for turn in context):
        return None
    return tuple(Message(str(turn["role"]), content_of(turn["content"])) for turn in context)


def content_of(content: Json) -> str:
    """Return the text of a turn; of a turn in parts, the parts' texts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(
            str(part.get("text", f"[{part.get('type', 'part')}]")) if isinstance(part, dict) else str(part)
            for part in content
        )
    return "" if content is None else json.dumps(content, ensure_ascii=False)


def responses_of(given: Json, requests: tuple[Request, ...]) -> tuple[tuple[Any, ...], ...]:
    """Return for each request a tuple of its answers, one a repeat."""
    if not isinstance(given, list):
        return ()
    answers = []
    for place, answer in enumerate(given):
        scored = is_scored(requests, place)
        repeats = answer if isinstance(answer, list) and not (scored and is_pair(answer)) else [answer]
        answers.append(tuple(answer_of(one, scored) for one in repeats))
    return tuple(answers)


def filtered_of(given: Json, requests: tuple[Request, ...]) -> tuple[Any, ...]:
    """Return what the filter kept of each request."""
    if not isinstance(given, list):
        return () if given is None else (given,)
    return tuple(answer_of(one, is_scored(requests, place)) for place, one in enumerate(given))


def is_scored(requests: tuple[Request, ...], place: int) -> bool:
    """Say whether a request asks for a log-likelihood, not for a text."""
    return place < len(requests) and requests[place].arguments is None


def is_pair(value: Json) -> bool:
    """Say whether a value is a log-likelihood with whether it was the most likely."""
    return isinstance(value, list) and len(value) == 2 and not isinstance(value[0], list | dict)


def answer_of(value: Json, scored: bool) -> Any:
    """Return one answer: a pair of log-likelihood and whether it was greedy, or a text as it stands."""
    if not scored:
        return tuple(value) if isinstance(value, list) else value
    if is_pair(value) and (number := log_likelihood(value[0])) is not None:
        return number, value[1] is True or value[1] == "True"
    number = log_likelihood(value)
    return (number, False) if number is not None else tuple(value) if isinstance(value, list) else value


def log_likelihood(value: Json) -> float | None:
    """Return a log-likelihood that was written as a number or as its text, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return finite(number)  # type: ignore[no-any-return]
