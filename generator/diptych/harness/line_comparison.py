"""A logged row by the raw bytes of its parts: the one place that compares what a harness wrote without reading it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from diptych.harness.raw_requests import budget_of, difference_of, exceeds, outline, start_of
from diptych.harness.raw_values import decoded, log_likelihoods_in, loglikelihood_damage, same_json
from diptych.sample_log import Json, Request, RequestDifference, Sample

DIGITS = b"0123456789"


class LoggedLine(ABC):
    """What every row answers by its parts, each as JSON bytes; a kind of line says where they are."""

    __slots__ = ("_answers",)

    _answers: tuple[Json] | None

    @property
    @abstractmethod
    def raw_document(self) -> bytes: ...
    @property
    @abstractmethod
    def raw_target(self) -> bytes: ...
    @property
    @abstractmethod
    def raw_requests(self) -> bytes: ...
    @property
    @abstractmethod
    def raw_responses(self) -> bytes: ...
    @property
    @abstractmethod
    def raw_filtered(self) -> bytes: ...
    @abstractmethod
    def requests(self) -> tuple[Request, ...]: ...
    @abstractmethod
    def sample(self) -> Sample: ...
    @abstractmethod
    def follow(self, other: "LoggedLine") -> "LoggedLine": ...

    def document(self) -> Json:
        """Return the document, decoded; None where it is damaged, as of the other parts."""
        return decoded(self.raw_document)

    def target(self) -> Json:
        """Return the target, decoded."""
        return decoded(self.raw_target)

    def responses(self) -> Json:
        """Return the responses, decoded once."""
        if self._answers is None:
            self._answers = (decoded(self.raw_responses),)
        return self._answers[0]

    def filtered(self) -> Json:
        """Return the filtered responses, decoded."""
        return decoded(self.raw_filtered)

    def log_likelihoods(self) -> Sequence[float]:
        """Return the log-likelihood of each request."""
        return log_likelihoods_in(self.raw_responses)

    def identical_requests(self, other: "LoggedLine") -> bool:
        """Say whether the requests are written with the same bytes."""
        return self is other or self.raw_requests == other.raw_requests

    def identical_responses(self, other: "LoggedLine") -> bool:
        """Say whether the responses are written with the same bytes."""
        return self is other or self.raw_responses == other.raw_responses

    def identical_filtered(self, other: "LoggedLine") -> bool:
        """Say whether the filtered responses are written with the same bytes."""
        return self is other or self.raw_filtered == other.raw_filtered

    def same_document(self, other: "LoggedLine") -> bool:
        """Say whether the documents mean the same."""
        return same_json(self.raw_document, other.raw_document)

    def same_target(self, other: "LoggedLine") -> bool:
        """Say whether the targets mean the same."""
        return same_json(self.raw_target, other.raw_target)

    def same_responses(self, other: "LoggedLine") -> bool:
        """Say whether the responses mean the same."""
        return same_json(self.raw_responses, other.raw_responses)

    def same_filtered(self, other: "LoggedLine") -> bool:
        """Say whether the filtered responses mean the same."""
        return same_json(self.raw_filtered, other.raw_filtered)

    def request_difference(self, other: "LoggedLine") -> RequestDifference | None:
        """Return how the other's requests differ where one prompt is the other with more around it, else None."""
        a, b = outline(self.raw_requests), outline(other.raw_requests)
        return difference_of(a, b) if a and b else None

    def differs_by(self, difference: RequestDifference, other: "LoggedLine") -> bool:
        """Say whether the other's requests differ so, in their prompts alone: half the price of looking how."""
        inner, outer = (other, self) if difference.way else (self, other)
        found = outline(inner.raw_requests)
        if found is None or found.listed != difference.listed[difference.way]:
            return False
        return found.with_prompt(difference.before + found.prompt + difference.behind) == outer.raw_requests

    def request_head(self) -> tuple[str, int]:
        """Return the literal start tokens that the first prompt begins with, and the bytes of the requests."""
        raw = self.raw_requests
        return start_of(raw), len(raw)

    def budget(self) -> int | None:
        """Return the most tokens of an answer by the request."""
        return budget_of(self.raw_requests)

    def prompt_exceeds(self, most: int | None) -> bool:
        """Say whether the first prompt has more words than the model takes tokens."""
        return exceeds(self.raw_requests, most)

    def response_count(self) -> int:
        """Return the number of requests that were answered with log-likelihoods: each stands behind two brackets."""
        return self.raw_responses.count(b"[[")

    def response_form(self) -> bytes:
        """Return the responses without their digits: the same for rows whose log-likelihoods are written alike."""
        return self.raw_responses.translate(None, DIGITS)

    def response_damage(self) -> str:
        """Return what stands there instead of a log-likelihood for each request, "" where none lacks."""
        return loglikelihood_damage(self.responses(), len(self.requests()))

    def response_size(self) -> int:
        """Return the bytes of the responses."""
        return len(self.raw_responses)

    def response_hash(self) -> int:
        """Return a hash of the responses."""
        return hash(self.raw_responses)

    def may_be_nothing(self) -> bool:
        """Say cheaply whether the filtered answer can mean that nothing was found."""
        raw = self.raw_filtered
        return len(raw) < 8 or b"[invalid]" in raw or b"[fallback]" in raw

    def kept_whole(self) -> bool:
        """Say whether the filter kept the first answer to each request: its bytes are the same but for a list."""
        raw = self.raw_responses
        bare = b"[" + raw[2:-2].replace(b"]], [[", b"], [") + b"]"
        return raw.startswith(b"[[[") and self.raw_filtered == bare

    def fingerprint(self) -> int:
        """Return a hash of requests, responses and filtered responses."""
        return hash((self.raw_requests, self.raw_responses, self.raw_filtered))

    def size(self) -> int:
        """Return about how many bytes the row takes."""
        return len(self.raw_requests) + len(self.raw_responses) + len(self.raw_document)
