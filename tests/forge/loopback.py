"""A forge on 127.0.0.1 in three dialects: it keeps comments, knows who may write, and can be told to misbehave."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from openapi_core import OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIRequest, WerkzeugOpenAPIResponse
from openapi_core.exceptions import OpenAPIError
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Request, Response

HERE = Path(__file__).parent
MOMENT = "2026-01-02T03:04:05Z"
UNDESCRIBED = {401, 403, 404, 413, 422, 429, 500, 502, 503}
"""Answers that a description may leave out for an operation: not held against it where it does."""

TOKENS = {"writer": ("diptych-bot", True), "reader": ("fork-ci", False), "other": ("somebody", True)}
PREFIXES = {"github": "", "gitea": "/api/v1", "gitlab": "/api/v4"}
LISTS = re.compile(r"/repos/o/r/issues/(\d+)/comments|/projects/(?:o/r|o%2Fr|42)/merge_requests/(\d+)/notes")
ITEMS = re.compile(r"/repos/o/r/issues/comments/(\d+)|/projects/(?:o/r|o%2Fr|42)/merge_requests/\d+/notes/(\d+)")


class Answer(NamedTuple):
    """An answer that was ordered in place of the forge's own; `done` carries the request out all the same."""

    status: int
    body: Any
    headers: dict[str, str]
    done: bool
    delay: float
    method: str
    then: Callable[[], object] | None


@cache
def description(kind: str) -> Any:
    return json.loads((HERE / f"{kind}.json").read_text(encoding="utf-8"))


class Forge:
    """The state of one forge, and what was asked of it."""

    def __init__(self, kind: str, bot_may_ask_who: bool = True) -> None:
        self.kind = kind
        self.bot_may_ask_who = bot_may_ask_who
        self.base = ""
        self.comments: list[dict[str, Any]] = []
        self.asked: list[tuple[str, str]] = []
        self.violations: list[str] = []
        self.ordered: list[Answer] = []
        self.number = 100
        self.after: Callable[[], None] | None = None
        self.api: OpenAPI | None = None

    @property
    def address(self) -> str:
        return self.base + PREFIXES[self.kind]

    def start_at(self, base: str) -> None:
        self.base = base
        if self.kind != "gitlab":
            self.api = OpenAPI.from_dict({**description(self.kind), "servers": [{"url": self.address}]})

    def order(
        self,
        status: int,
        body: Any = None,
        *,
        method: str = "",
        done: bool = False,
        delay: float = 0,
        then: Callable[[], object] | None = None,
        **headers: str,
    ) -> None:
        """Answer the next request (of a method) like this, and do something before the answer goes out."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.ordered.append(Answer(status, body, named, done, delay, method, then))

    def write(self, body: str, who: str = "diptych-bot", number: int = 7) -> int:
        """Put a comment there as if its author had written it."""
        self.number += 1
        self.comments.append({"id": self.number, "body": body, "who": who, "on": number})
        return self.number

    def bodies(self) -> list[str]:
        return [comment["body"] for comment in self.comments]

    def __call__(self, environ: Any, start: Any) -> Iterable[bytes]:
        request = Request(environ)
        self.asked.append((request.method, request.path))
        response = self.answer(request)
        if self.api is not None:
            self.hold(request, response)
        return response(environ, start)

    def hold(self, request: Request, response: Response) -> None:
        """Hold a request and its answer against the published description."""
        assert self.api is not None
        asked = WerkzeugOpenAPIRequest(request)
        try:
            self.api.validate_request(asked)
        except OpenAPIError as error:
            self.violations.append(f"request {request.method} {request.path}: {error} {error.__cause__ or ''}")
        described = description(self.kind)["paths"]
        known = any(
            str(response.status_code) in one.get(request.method.lower(), {}).get("responses", {})
            for path, one in described.items()
            if matches(path, request.path, PREFIXES[self.kind])
        )
        if not known and response.status_code in UNDESCRIBED:
            return
        try:
            self.api.validate_response(asked, WerkzeugOpenAPIResponse(response))
        except OpenAPIError as error:
            self.violations.append(f"{response.status_code} to {request.method} {request.path}: {error!r}")

    def answer(self, request: Request) -> Response:
        """Return the forge's answer, or the one that was ordered."""
        place = next((n for n, one in enumerate(self.ordered) if one.method in ("", request.method)), None)
        if place is None:
            return self.own_answer(request)
        ordered = self.ordered.pop(place)
        if ordered.done:
            self.own_answer(request)
        if ordered.then is not None:
            ordered.then()
        time.sleep(ordered.delay)
        if isinstance(ordered.body, str):
            return Response(ordered.body, ordered.status, ordered.headers, content_type="text/html")
        body = {"message": "out of order"} if ordered.body is None else ordered.body
        return self.json(ordered.status, body, ordered.headers)

    def own_answer(self, request: Request) -> Response:
        token = request.headers.get("PRIVATE-TOKEN") or request.headers.get("Authorization", "").rpartition(" ")[2]
        if token not in TOKENS:
            return self.refuse(401, {"github": "Bad credentials"}.get(self.kind, "401 Unauthorized"))
        who, may_write = TOKENS[token]
        path = request.environ.get("RAW_URI", request.path).split("?")[0].removeprefix(PREFIXES[self.kind])
        if path == "/user":
            return self.user(who)
        if found := LISTS.fullmatch(path):
            number = int(found[1] or found[2])
            if number != 7:
                return self.refuse(404, "Not Found")
            return self.listed(request) if request.method == "GET" else self.created(request, who, may_write)
        if found := ITEMS.fullmatch(path):
            return self.one(request, int(found[1] or found[2]), who, may_write)
        return self.refuse(404, "Not Found")

    def user(self, who: str) -> Response:
        if not self.bot_may_ask_who:
            return self.refuse(403, "Resource not accessible by integration")
        if self.kind == "github":
            return self.json(
                200,
                {
                    **person(self.base, who),
                    "name": who,
                    "company": None,
                    "blog": "",
                    "location": None,
                    "email": None,
                    "hireable": None,
                    "bio": None,
                    "public_repos": 0,
                    "public_gists": 0,
                    "followers": 0,
                    "following": 0,
                    "created_at": MOMENT,
                    "updated_at": MOMENT,
                },
            )
        return self.json(200, {"id": 7, "login": who, "username": who, "name": who, "state": "active"})

    def listed(self, request: Request) -> Response:
        """Answer a list: GitHub and GitLab page it, GitLab newest first; Gitea gives all of it at once."""
        mine = [comment for comment in self.comments if comment["on"] == 7]
        if self.kind == "gitea":
            return self.json(200, [self.shown(one) for one in mine])
        if self.kind == "gitlab" and request.args.get("sort", "desc") == "desc":
            mine = mine[::-1]
        size = min(int(request.args.get("per_page", 20 if self.kind == "gitlab" else 30)), 100)
        page = int(request.args.get("page", 1))
        part = mine[(page - 1) * size : page * size]
        more = page * size < len(mine)
        raw = request.environ.get("RAW_URI", request.path).split("?")[0]
        headers = {"Link": f'<{self.base}{raw}?per_page={size}&page={page + 1}>; rel="next"'} if more else {}
        if self.kind == "gitlab":
            headers |= {
                "X-Next-Page": str(page + 1) if more else "",
                "X-Page": str(page),
                "X-Per-Page": str(size),
                "X-Total": str(len(mine)),
                "X-Total-Pages": str(-(-len(mine) // size)),
            }
        return self.json(200, [self.shown(one) for one in part], headers)

    def created(self, request: Request, who: str, may_write: bool) -> Response:
        if not may_write:
            said = {"github": "Resource not accessible by integration", "gitlab": "403 Forbidden"}
            return self.refuse(403, said.get(self.kind, "token does not have at least one of required scope(s)"))
        body = self.body_of(request)
        if isinstance(body, Response):
            return body
        self.write(body, who)
        if self.after is not None:
            after, self.after = self.after, None
            after()
        return self.json(201, self.shown(next(one for one in self.comments if one["body"] == body)))

    def one(self, request: Request, number: int, who: str, may_write: bool) -> Response:
        found = next((comment for comment in self.comments if comment["id"] == number), None)
        if found is None:
            return self.refuse(404, "Not Found")
        if request.method == "GET":
            return self.json(200, self.shown(found))
        if not may_write or found["who"] != who:
            return self.refuse(403, "Must have admin rights to Repository.")
        if request.method == "DELETE":
            self.comments.remove(found)
            return Response(b"", 204)
        if request.method != ("PUT" if self.kind == "gitlab" else "PATCH"):
            return self.refuse(404, "Not Found")
        body = self.body_of(request)
        if isinstance(body, Response):
            return body
        found["body"] = body
        return self.json(200, self.shown(found))

    def body_of(self, request: Request) -> "str | Response":
        """Return the body that was sent, or the refusal of one that is missing or too long."""
        sent = request.get_json(silent=True) or request.form
        body = sent.get("body")
        limit = {"github": 65_536, "gitlab": 1_000_000, "gitea": 10_000_000}[self.kind]
        if not body:
            return self.refuse(400 if self.kind == "gitlab" else 422, "body is missing")
        if len(body) <= limit:
            return str(body)
        if self.kind == "gitlab":
            return self.refuse(400, '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}')
        entry = {
            "resource": "IssueComment",
            "code": "unprocessable",
            "field": "data",
            "message": f"Body is too long (maximum is {limit} characters)",
        }
        return self.json(
            422, {"message": "Validation Failed", "errors": [entry], "documentation_url": "https://docs.github.com"}
        )

    def shown(self, comment: dict[str, Any]) -> dict[str, Any]:
        """Return a comment as this forge shows it."""
        number, who, body = comment["id"], comment["who"], comment["body"]
        if self.kind == "gitlab":
            author = {"id": 7, "username": who, "name": who, "state": "active"}
            return {
                "id": number,
                "type": None,
                "body": body,
                "author": author,
                "created_at": MOMENT,
                "updated_at": MOMENT,
                "system": False,
                "noteable_id": 1,
                "noteable_type": "MergeRequest",
                "noteable_iid": 7,
                "resolvable": False,
                "confidential": False,
                "internal": False,
            }
        page = f"{self.base}/o/r/pulls/7#issuecomment-{number}"
        if self.kind == "gitea":
            return {
                "id": number,
                "html_url": page,
                "pull_request_url": f"{self.base}/o/r/pulls/7",
                "issue_url": "",
                "body": body,
                "user": {"id": 7, "login": who},
                "created_at": MOMENT,
                "updated_at": MOMENT,
            }
        return {
            "id": number,
            "node_id": f"IC_{number}",
            "url": f"{self.base}/repos/o/r/issues/comments/{number}",
            "html_url": page,
            "issue_url": f"{self.base}/repos/o/r/issues/7",
            "body": body,
            "user": person(self.base, who),
            "created_at": MOMENT,
            "updated_at": MOMENT,
            "author_association": "NONE",
            "performed_via_github_app": None,
        }

    def refuse(self, status: int, said: str) -> Response:
        body = {"message": said}
        if self.kind == "github":
            body |= {"documentation_url": "https://docs.github.com/rest", "status": str(status)}
        return self.json(status, body, {"message": said, "url": self.address} if self.kind == "gitea" else None)

    def json(self, status: int, body: Any, headers: dict[str, str] | None = None) -> Response:
        return Response(json.dumps(body), status, headers or {}, content_type="application/json")


def person(base: str, login: str) -> dict[str, Any]:
    """Return a user as GitHub shows one."""
    links = ("followers", "following", "gists", "starred", "subscriptions", "organizations", "repos", "events")
    urls = {f"{name}_url": f"{base}/users/{login}/{name}" for name in (*links, "received_events")}
    return {
        "login": login,
        "id": 7,
        "node_id": "U_7",
        "avatar_url": f"{base}/avatar",
        "gravatar_id": "",
        "url": f"{base}/users/{login}",
        "html_url": f"{base}/{login}",
        "type": "Bot",
        "site_admin": False,
        "user_view_type": "public",
        **urls,
    }


def matches(path: str, asked: str, prefix: str) -> bool:
    """Say whether an asked path is one of a description's path."""
    return re.fullmatch(re.sub(r"\{\w+\}", r"[^/]+", path), asked.removeprefix(prefix)) is not None


class Quiet(WSGIRequestHandler):
    def log_request(self, *args: Any) -> None:
        """Keep the test's output clean."""


@contextmanager
def serving(forge: Forge) -> Iterator[Forge]:
    """Serve a forge on a free port of 127.0.0.1 while the block runs; the description must have been kept."""
    server = make_server("127.0.0.1", 0, forge, threaded=True, request_handler=Quiet)
    forge.start_at(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield forge
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert forge.violations == [], "\n".join(forge.violations)
