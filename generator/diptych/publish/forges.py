"""Three forges over HTTP: list, write, change and remove the comments of one pull request; what a refusal means.

It knows requests and answers, never what a comment says. How each is spoken to stands in forge_apis.py.
"""

import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from diptych.bounded_json import whole_number
from diptych.errors import ForgeError
from diptych.fast_named_tuple import NamedTuple
from diptych.http_client import Reply, Web, WebError, origin_of
from diptych.publish.forge_apis import DIALECTS, HINTS
from diptych.secrets import remember

TRIES = 3
LONGEST_WAIT = 120.0
"""Seconds that a forge may ask us to wait before we give up and say so."""
TIME_OUT = 30.0
"""Seconds for one whole call."""
WHOLE_TIME = 300.0
"""Seconds for one posting: all its calls, over all pages, and what a forge asks us to wait."""
MOST_PAGES = 100
MOST_TEXT = 1_000_000

Json = Any


class Target(NamedTuple):
    """Where a comment goes: `api` is the forge's API address, `author` whose comments are ours (None: ask)."""

    forge: str
    api: str
    repo: str
    number: int
    token: str
    author: str | None = None


class Note(NamedTuple):
    """One comment as the forge keeps it."""

    id: int
    author: str
    body: str
    url: str


class Client:
    """One pull request's comments. Use it in a `with`; `sleep` is asked to wait where the forge says so.

    `time_out` is for one call, `whole_time` for all of them together, both in seconds.
    """

    def __init__(
        self,
        target: Target,
        *,
        sleep: Callable[[float], None] = time.sleep,
        time_out: float = TIME_OUT,
        whole_time: float = WHOLE_TIME,
    ) -> None:
        if not re.fullmatch(r"\w[\w.~-]*(/\w[\w.~-]*)+|\d+", target.repo):
            raise ForgeError("this is no repository", where=repr(target.repo), hint="write OWNER/NAME", kind="no_place")
        self.target = target
        self.dialect = DIALECTS[target.forge]
        self.sleep = sleep
        self.time_out, self.whole_time = time_out, whole_time
        self.ends = time.monotonic() + whole_time
        name, value = self.dialect.header
        remember(target.token)
        self.web = Web(target.api, {name: value.format(token=target.token)}, deadline=time_out)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *exception: object) -> None:
        self.web.close()

    def authors(self) -> tuple[str, ...]:
        """Return the logins whose comments are ours: as given, as the forge says, or the forge's own CI."""
        if self.target.author:
            return (self.target.author,)
        try:
            body = self.send("GET", self.address("/user"))
        except ForgeError as error:
            if error.kind in ("no_right", "not_found") and self.dialect.bots:
                return self.dialect.bots  # a CI token may not ask who it is
            raise
        login = body.get(self.dialect.login) if isinstance(body, dict) else None
        if not isinstance(login, str) or not login:
            raise self.failure("no_forge", "does not say whose token this is")
        return (login,)

    def list(self) -> tuple[Note, ...]:
        """Return every comment, over all pages, oldest first."""
        notes: list[Note] = []
        address: str | None = self.address(self.dialect.comments)
        if self.dialect.page_size:
            address = f"{address}?per_page={self.dialect.page_size}"
        pages = 0
        while address:
            pages += 1
            if pages > MOST_PAGES:
                raise self.failure("no_forge", f"lists more than {MOST_PAGES} pages of comments")
            response = self.request("GET", address)
            body = self.read(response)
            if not isinstance(body, list):
                raise self.refusal("no_forge", response, "a list of comments was expected")
            notes += map(self.note, body)
            address = self.following(response)
        return tuple(sorted(notes, key=lambda note: note.id))

    def create(self, body: str) -> Note:
        """Write a new comment."""
        return self.note(self.send("POST", self.address(self.dialect.comments), {"body": body}))

    def change(self, note: Note, body: str) -> Note:
        """Give a comment another body."""
        return self.note(self.send(self.dialect.change, self.address(self.dialect.comment, note), {"body": body}))

    def remove(self, note: Note) -> None:
        """Remove a comment; one that is gone already is no mistake."""
        try:
            self.send("DELETE", self.address(self.dialect.comment, note))
        except ForgeError as error:
            if error.kind != "not_found":
                raise

    def address(self, path: str, note: Note | None = None) -> str:
        """Return the full address of a path of this pull request."""
        repo = quote(self.target.repo, safe="" if self.target.forge == "gitlab" else "/")
        filled = path.format(repo=repo, number=self.target.number, id=note.id if note else "")
        return self.target.api.rstrip("/") + filled

    def following(self, reply: Reply) -> str | None:
        """Return the address of the next page; a link to another host is not followed."""
        link = reply.next_page
        if not link or not self.dialect.page_size:
            return None
        if origin_of(link) != origin_of(self.target.api):
            raise self.refusal("no_forge", reply, f"the next page lies on another host ({origin_of(link)[1]})")
        return link

    def note(self, item: Json) -> Note:
        """Return a comment from the forge's JSON; what is none is not a forge's answer."""
        fields = item if isinstance(item, dict) else {}
        number, body, url = fields.get("id"), fields.get("body") or "", fields.get("html_url") or ""
        who = fields.get("user") or fields.get("author") or {}
        login = who.get(self.dialect.login) if isinstance(who, dict) else None
        if not (isinstance(number, int) and isinstance(body, str) and isinstance(url, str)) or len(body) > MOST_TEXT:
            raise self.failure("no_forge", "a comment was expected, and this is none")
        return Note(number, login if isinstance(login, str) else "", body, url[:2_000])

    def send(self, method: str, address: str, body: Json = None) -> Json:
        """Send a request and return the JSON of its answer."""
        return self.read(self.request(method, address, body))

    def request(self, method: str, address: str, body: Json = None) -> Reply:
        """Send a request, waiting where the forge asks for it; a refusal is a `ForgeError` with its kind.

        A write that may have been carried out (time-out, 5xx on POST) is not sent twice: the caller looks first.
        """
        for left in reversed(range(TRIES)):
            self.web.deadline = min(self.time_out, self.left())
            try:
                reply = self.web.ask(method, address, body)
            except WebError as error:
                if left and error.kind == "time_out" and method != "POST":
                    continue
                raise self.failure(error.kind, str(error)) from error
            wait = wait_of(reply, method)
            if reply.good or wait is None or not left or wait > min(LONGEST_WAIT, self.left()):
                break
            self.sleep(wait)
        if reply.good:
            return reply
        raise self.refusal(refusal_of(reply), reply)

    def left(self) -> float:
        """Return the seconds that are left for the whole posting; a `ForgeError` where there are none."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise self.failure("time_out", f"not done within {self.whole_time:g} s")
        return left

    def read(self, reply: Reply) -> Json:
        """Return an answer's JSON; anything else is not a forge's answer."""
        if reply.status == 204 or not reply.data:
            return {}
        try:
            return reply.json()
        except ValueError as error:
            raise self.refusal("no_forge", reply, "the answer is not JSON") from error

    def refusal(self, kind: str, reply: Reply, message: str = "") -> ForgeError:
        """Return the error for an answer: the forge's own words, and what to do."""
        return self.failure(kind, f"{self.dialect.title} answers {reply.status}: {message or words_of_forge(reply)}")

    def failure(self, kind: str, message: str) -> ForgeError:
        """Return an error that names the pull request and never the token."""
        hint = HINTS.get(kind) or f"the token lacks a right: it needs {self.dialect.scope}"
        where = f"{self.dialect.title} {self.target.repo} #{self.target.number}"
        return ForgeError(message, where=where, hint=hint, kind=kind)


def words_of_forge(reply: Reply) -> str:
    """Return what a forge said in its own words, on one line and short."""
    reason = reply.reason or "no reason given"
    try:
        body = reply.json()
    except ValueError:
        return reason
    if not isinstance(body, dict):
        return reason
    errors = body.get("errors")
    words = [body.get("message"), body.get("error")]
    words += [entry.get("message") for entry in (errors if isinstance(errors, list) else ()) if isinstance(entry, dict)]
    return " · ".join(" ".join(str(word).split()) for word in words if word)[:300] or reason


def limited(reply: Reply) -> bool:
    """Say whether an answer means "too many requests": 429, or GitHub's 403 for its secondary limit."""
    if reply.status == 429:
        return True
    spent = reply.headers.get("x-ratelimit-remaining") == "0" or "retry-after" in reply.headers
    return reply.status == 403 and (spent or "rate limit" in reply.text.lower())


def refusal_of(reply: Reply) -> str:
    """Return why a request was refused, in one word of `HINTS` (or `no_right`)."""
    if limited(reply):
        return "rate_limited"
    if reply.status in (400, 413, 422) and "too long" in reply.text.lower():
        return "too_long"
    kinds = {401: "no_token", 403: "no_right", 404: "not_found", 410: "not_found", 413: "too_long"}
    return kinds.get(reply.status) or ("server" if reply.status >= 500 else "invalid")


def wait_of(reply: Reply, method: str) -> float | None:
    """Return the seconds to wait before the same request may be sent again, or None where it may not be."""
    if reply.status >= 500:
        return None if method == "POST" else 1.0
    if not limited(reply):
        return None
    asked = reply.headers.get("retry-after", "")
    if (seconds := whole_number(asked)) is not None:
        return float(seconds)
    until = reply.headers.get("x-ratelimit-reset") or reply.headers.get("ratelimit-reset") or ""
    if (moment := whole_number(until)) is not None:
        return max(0.0, moment - time.time())
    return 60.0  # what GitHub asks for where it names no time
