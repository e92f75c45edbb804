"""The logged samples of a run: rows that stay as their file has them, and what one of them holds, decoded."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol, Self

from diptych.fast_named_tuple import NamedTuple

Json = Any
"""A value as JSON has it: None, bool, int, float, str, list or dict (finite numbers only)."""


class Message(NamedTuple):
    """One turn of a chat prompt."""

    role: str
    content: str


class Request(NamedTuple):
    """One request sent for an item.

    `context` is the text before the answer (for a chat interface the turns' texts joined by newlines, with
    `messages` holding the turns). `continuation` is the choice that was scored, or None;
    `arguments` the generation arguments, or None.
    """

    context: str
    messages: tuple[Message, ...] | None = None
    continuation: str | None = None
    arguments: Mapping[str, Json] | None = None


class Sample(NamedTuple):
    """One logged row, whole: an item under one filter.

    `responses` holds one entry a request: a tuple of texts (generation, one a repeat) or a tuple of
    `(log-likelihood, is_greedy)` pairs. `filtered` is what the filter kept, in the same spirit.
    `scores` maps a metric to the value as logged (number, bool, list ...).
    """

    item: str
    filter: str
    target: Json
    requests: tuple[Request, ...]
    responses: tuple[tuple[Any, ...], ...]
    filtered: tuple[Any, ...]
    scores: Mapping[str, Json]
    doc: Json = None


class RequestDifference(NamedTuple):
    """How the requests of two rows differ where one prompt (B's where `way` is 0) is the other with more around it.

    Rows may share one: prompts of a task mostly differ in one way. `listed` says which sides sent a list of messages.
    `before`, `behind` and `rests` are raw: of use to the lines alone. `rests` is (True,) where only the prompts differ.
    """

    way: int
    listed: tuple[bool, bool]
    before: bytes
    behind: bytes
    rests: tuple[bool | bytes, ...]


class Line(Protocol):
    """One row of a sample log, as its file has it: it is asked, and nobody else knows how it is written.

    `identical_*`: written with the same bytes, the quickest question; `same_*`: of the same meaning.
    """

    def sample(self) -> Sample:
        """Return the whole row, decoded."""

    def requests(self) -> tuple[Request, ...]:
        """Return what was sent, decoded."""

    def document(self) -> Json:
        """Return the document; None where it is damaged, as for all that is decoded here."""

    def target(self) -> Json: ...
    def responses(self) -> Json: ...
    def filtered(self) -> Json: ...
    def log_likelihoods(self) -> Sequence[float]:
        """Return the log-likelihood of each request, in natural log units; NaN for what is no number."""

    def response_form(self) -> bytes:
        """Return cheaply how the log-likelihoods are written: the same for most rows of a log."""

    def response_damage(self) -> str:
        """Return what stands there instead of a log-likelihood for each request, "" where none lacks."""

    def identical_requests(self, other: Self) -> bool: ...
    def identical_responses(self, other: Self) -> bool: ...
    def identical_filtered(self, other: Self) -> bool: ...
    def same_document(self, other: Self) -> bool: ...
    def same_target(self, other: Self) -> bool: ...
    def same_responses(self, other: Self) -> bool: ...
    def same_filtered(self, other: Self) -> bool: ...
    def request_difference(self, other: Self) -> RequestDifference | None:
        """Return how the other's requests differ where one prompt is the other with more around it, else None."""

    def differs_by(self, difference: RequestDifference, other: Self) -> bool:
        """Say whether the other's requests differ in a way that has only the prompts differ."""

    def request_head(self) -> tuple[str, int]:
        """Return the literal start tokens that the first prompt begins with, and the bytes of the requests."""

    def budget(self) -> int | None:
        """Return the most tokens of an answer by the request, None where it does not say."""

    def prompt_exceeds(self, most: int | None) -> bool:
        """Say whether the first prompt has more words than `most`, the tokens that the model takes."""

    def response_count(self) -> int:
        """Return the number of requests that were answered with log-likelihoods."""

    def response_size(self) -> int:
        """Return the bytes of the responses."""

    def response_hash(self) -> int: ...
    def may_be_nothing(self) -> bool:
        """Say cheaply whether the filtered answer can mean that nothing was found."""

    def kept_whole(self) -> bool:
        """Say whether the filter kept the first answer to each request as it is."""

    def fingerprint(self) -> int:
        """Return a hash of requests, responses and filtered responses."""

    def size(self) -> int:
        """Return about how many bytes the row takes."""

    def follow(self, other: Self) -> "Line":
        """Return what stands for this line beside the other side's: that one itself where both are the same bytes."""


HASH_WIDTH = 16
"""Bytes of a hash that are kept of each row: 128 bits of sha256, so that no two documents are ever taken for one."""


class SampleColumns(NamedTuple):
    """The index of a sample log: columns over its rows, in file order.

    Hash columns hold `HASH_WIDTH` bytes a row (all zero: not recorded). `values` holds for each metric a float a
    row, NaN where the logged value is no number. `filters` holds for each row a place in `filter_names`.
    `repeats` counts how often the same (item, filter) has come before in this file (0 for the first).
    """

    doc_ids: Sequence[int | str]
    doc_hashes: bytes
    target_hashes: bytes
    filters: Sequence[int]
    filter_names: tuple[str, ...]
    values: Mapping[str, Sequence[float]]
    repeats: Sequence[int]


def distinct(ids: Sequence[int | str]) -> int:
    """Return how many different ids there are; at the cost of no memory where they rise, as they do in most logs."""
    if isinstance(ids, array):
        steps = [0, 0]
        for one, two in pairwise(ids):
            if one > two:
                break
            steps[one < two] += 1
        else:
            return steps[1] + (len(ids) > 0)
    return len(set(ids))


class SampleLog(Protocol):
    """All logged rows of one task. `lines` reads rows back by offset, in the order asked for."""

    @property
    def task(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def columns(self) -> SampleColumns: ...
    def __len__(self) -> int: ...
    def lines(self, rows: Iterable[int]) -> Iterator[Line]: ...
    def line_number(self, row: int) -> int:
        """Return at which line of its source a row stands, from 1; of records, which record it is."""
