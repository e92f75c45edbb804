"""Ask an OpenAI-compatible endpoint: one question, one answer, with counted retries and hard limits.

Nothing is retried in silence, nothing waits for ever, and `max_tokens` is always sent (a server without it may
generate until its context is full).
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from diptych.bounded_json import load_json
from diptych.errors import EndpointError
from diptych.fast_named_tuple import NamedTuple
from diptych.http_client import Reply, Web, WebError

Json = Any

LONGEST_WAIT = 60.0
UNREACHABLE = "cannot be reached"
RETRIED = {408, 409, 425, 429, 500, 502, 503, 504, 529}
REFUSED = {401, 403, 404, 405}


class Endpoint(NamedTuple):
    """Where to ask and how. `timeout` is for a whole answer in seconds; `extra` goes into each request as it is.

    `key_by_environment` says that the key was not given by hand, so that it is handed on the same way.
    """

    base_url: str
    api_key: str | None = None
    timeout: float = 120.0
    retries: int = 4
    concurrency: int = 4
    max_tokens: int = 512
    temperature: float = 0.0
    seed: int | None = 0
    pause: float = 0.5
    extra: Mapping[str, Json] = {}
    key_by_environment: bool = False


class Answer(NamedTuple):
    """One answer: its text, what it took, which model the server says it was, and how often it was asked."""

    text: str
    usage: Mapping[str, int]
    seconds: float
    model: str | None
    finish_reason: str | None
    attempts: int
    retried: tuple[str, ...]


class Refused(EndpointError):
    """The endpoint will not answer any request like this one: going on makes no sense."""


class Unanswered(EndpointError):
    """One request stayed without a usable answer after all retries; `retried` says what happened each time.

    `status` is the HTTP status of the last attempt, where there was one.
    """

    def __init__(
        self,
        message: str,
        *,
        where: str = "",
        hint: str = "",
        retried: tuple[str, ...] = (),
        status: int | None = None,
    ) -> None:
        super().__init__(message, where=where, hint=hint)
        self.retried = retried
        self.status = status


class Trouble(Exception):
    """One attempt that did not give an answer; `again` where a retry can help, `wait` as the server asks."""

    def __init__(
        self,
        text: str,
        *,
        again: bool = True,
        wait: float | None = None,
        refused: bool = False,
        status: int | None = None,
    ) -> None:
        super().__init__(text)
        self.status = status
        self.again = again
        self.wait = wait
        self.refused = refused


def client_for(endpoint: Endpoint) -> Web:
    """Return what asks an endpoint; its address is checked first."""
    try:
        parts = urlsplit(endpoint.base_url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except (ValueError, AttributeError):
        good = False
    if not good:
        raise EndpointError("not an address", where=endpoint.base_url, hint="give --base-url http://HOST:PORT/v1")
    headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    return Web(endpoint.base_url, headers, deadline=endpoint.timeout)


def ask(
    client: Web,
    endpoint: Endpoint,
    model: str,
    messages: Sequence[Mapping[str, Json]],
    *,
    sleep: Callable[[float], None] = time.sleep,
) -> Answer:
    """Return the model's answer to one conversation; `Unanswered` after all retries, `Refused` where none can help."""
    body = {
        **endpoint.extra,
        "model": model,
        "messages": list(messages),
        "max_tokens": endpoint.max_tokens,
        "temperature": endpoint.temperature,
        "stream": False,
    }
    if endpoint.seed is not None:
        body["seed"] = endpoint.seed
    retried: list[str] = []
    while True:
        began = time.monotonic()
        try:
            answer = one_attempt(client, endpoint, body)
            return answer._replace(
                seconds=round(time.monotonic() - began, 3), attempts=len(retried) + 1, retried=tuple(retried)
            )
        except Trouble as trouble:
            retried.append(str(trouble))
            if trouble.refused:
                raise Refused(str(trouble), where=endpoint.base_url, hint=hint_for(str(trouble))) from trouble
            if not trouble.again or len(retried) > endpoint.retries:
                times = f" (asked {len(retried)} times)" if len(retried) > 1 else ""
                raise Unanswered(
                    f"{trouble}{times}",
                    where=endpoint.base_url,
                    hint=hint_for(str(trouble)),
                    retried=tuple(retried),
                    status=trouble.status,
                ) from trouble
            wait = endpoint.pause * 2 ** (len(retried) - 1) if trouble.wait is None else trouble.wait
            sleep(min(wait, LONGEST_WAIT))


def one_attempt(client: Web, endpoint: Endpoint, body: Mapping[str, Json]) -> Answer:
    """Return the answer to one request, or raise the `Trouble` it met."""
    try:
        reply = client.ask("POST", f"{endpoint.base_url.rstrip('/')}/chat/completions", body)
    except WebError as error:
        text = UNREACHABLE if error.kind == "unreachable" else str(error)
        moved = error.kind == "redirected"
        raise Trouble(text, again=not moved and error.kind != "too_large", refused=moved) from error
    if reply.status != 200:
        raise status_trouble(reply)
    return answer_from(reply.data, reply.headers.get("content-type", ""))


def status_trouble(reply: Reply) -> Trouble:
    """Return what an HTTP status means for the next attempt."""
    said = error_text(reply.data)
    text = f"HTTP {reply.status}{f': {said}' if said else ''}"
    if reply.status in REFUSED:
        return Trouble(text, again=False, refused=True)
    wait = retry_after(reply.headers.get("retry-after"))
    return Trouble(text, again=reply.status in RETRIED, wait=wait, status=reply.status)


def retry_after(value: str | None) -> float | None:
    """Return the seconds that a server asks to wait for, where it says so in seconds."""
    try:
        seconds = float(value or "")
    except ValueError:
        return None
    return max(0.0, seconds) if seconds < float("inf") else None


def error_text(data: bytes) -> str:
    """Return the message of an error body in one short line, or nothing where it is a page."""
    try:
        body = load_json(data)
    except ValueError:
        return ""
    error = body.get("error", body) if isinstance(body, dict) else ""
    message = error.get("message", "") if isinstance(error, dict) else error
    return " ".join(str(message).split())[:200]


def answer_from(data: bytes, content_type: str) -> Answer:
    """Return the answer that a response's body holds, or raise what is wrong with it."""
    try:
        body = load_json(data, constant=lambda _: None)  # a server's log-probabilities may be infinite
    except ValueError as error:
        page = "html" in content_type.lower() or data.lstrip()[:1] == b"<"
        raise Trouble("a page of HTML instead of JSON" if page else "no whole JSON in the answer") from error
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise Trouble("an answer without a choice")
    reason, model = choice.get("finish_reason"), body.get("model")
    return Answer(
        content_text(message.get("content")),
        usage_of(body.get("usage")),
        0.0,
        model if isinstance(model, str) else None,
        reason if isinstance(reason, str) else None,
        1,
        (),
    )


def content_text(content: Json) -> str:
    """Return an answer's text: a text, or the texts of its parts; null is an empty answer."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def usage_of(usage: Json) -> dict[str, int]:
    """Return the token counts that the server gives, where they are counts."""
    if not isinstance(usage, dict):
        return {}
    return {
        key: value
        for key in ("prompt_tokens", "completion_tokens")
        if isinstance(value := usage.get(key), int) and not isinstance(value, bool) and value >= 0
    }


def hint_for(text: str) -> str:
    """Return what to do about a trouble."""
    if "redirect" in text:
        return "give the address that it leads to as --base-url"
    if "HTML" in text or "404" in text or "405" in text:
        return "check --base-url: it usually ends in /v1"
    if "401" in text or "403" in text:
        return "check --api-key"
    if "reached" in text:
        return "start the server, or check --base-url; what was finished is kept, run the same command again"
    if "within" in text:
        return "raise --timeout or lower --concurrency; what was finished is kept, run the same command again"
    return "what was finished is kept; run the same command again to go on"
