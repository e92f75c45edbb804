"""Ask a server within limits: the one place that holds a credential, and lets it go to its own origin alone.

A write follows no redirect (it would arrive as a read, or twice); a read follows a few, without the credential where
they lead elsewhere. The whole call has a deadline, however slowly its bytes drip, and a body has an end, also where
it is packed.
"""

import threading
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from diptych.bounded_json import load_json
from diptych.fast_named_tuple import NamedTuple
from diptych.secrets import remember_address, remember_headers

if TYPE_CHECKING:
    import httpx

Json = Any

HOPS = 5
LARGEST_BODY = 16 << 20
"""Bytes of an answer, unpacked."""

CONNECT = 10.0
"""Seconds in which a server is there, or is not."""

READS = ("GET", "HEAD")
PORTS = {"http": 80, "https": 443}


class WebError(Exception):
    """A server that gives no answer; `kind` is `time_out`, `unreachable`, `cut`, `too_large` or `redirected`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Reply(NamedTuple):
    """An answer: its status, headers with small names, and body; `address` is where it came from."""

    status: int
    reason: str
    headers: Mapping[str, str]
    data: bytes
    address: str
    next_page: str | None

    @property
    def good(self) -> bool:
        """Whether the server did what was asked."""
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The body as text."""
        return self.data.decode("utf-8", "replace")

    def json(self) -> Json:
        """Return the body's JSON; a `ValueError` where it is none within bounds."""
        return load_json(self.data)


class Web:
    """Requests to one origin. Use it in a `with`; `credentials` are headers that only this origin gets.

    `deadline` is in seconds and for one whole call: connecting, every redirect, and the last byte of the body. Calls
    may be made by several threads at once.
    """

    def __init__(
        self,
        origin: str,
        credentials: Mapping[str, str],
        *,
        deadline: float = 30.0,
        largest: int = LARGEST_BODY,
    ) -> None:
        self.origin = origin_of(origin)
        self.credentials = dict(credentials)
        self.deadline = deadline
        self.largest = largest
        self.idle: list[httpx.Client] = []
        remember_headers(credentials)
        remember_address(origin)

    def __enter__(self) -> "Web":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all connections."""
        while self.idle:
            self.idle.pop().close()

    def ask(self, method: str, address: str, body: Json = None) -> Reply:
        """Send a request and return its answer, whatever its status; a `WebError` where there is none."""
        return self.in_time(lambda client: self.followed(client, method, address, body))

    def in_time(self, send: Callable[["httpx.Client"], Reply]) -> Reply:
        """Return what a call returns, or give it up at the deadline: its connections are closed under it.

        Each call has a client to itself, so that giving one up costs no other anything.
        """
        client = self.idle.pop() if self.idle else self.new_client()
        call = Call(send, client)
        call.start()
        call.join(self.deadline)
        if call.reply is not None:
            self.idle.append(client)
            return call.reply
        client.close()
        if call.error is None:
            raise self.late()
        raise self.meaning(call.error) from call.error

    def new_client(self) -> "httpx.Client":
        """Return a client that decides nothing by itself: no redirect, no unpacking."""
        import httpx  # a seventh of a second, and half of all commands ask nobody

        return httpx.Client(
            timeout=httpx.Timeout(self.deadline, connect=min(CONNECT, self.deadline)),
            follow_redirects=False,
            headers={"User-Agent": "diptych", "Accept-Encoding": "identity"},
        )

    def late(self) -> WebError:
        """Return the error of a call that is over its deadline."""
        return WebError("time_out", f"no whole answer within {self.deadline:g} s")

    def meaning(self, error: Exception) -> WebError:
        """Return what an error of a call means to who made it."""
        import httpx

        if isinstance(error, WebError):
            return error
        if isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout):
            return self.late()
        if isinstance(error, httpx.ReadError | httpx.WriteError | httpx.RemoteProtocolError | httpx.CloseError):
            return WebError("cut", "the connection was cut before the answer was whole")
        return WebError("unreachable", f"cannot be reached ({type(error).__name__})")

    def followed(self, client: "httpx.Client", method: str, address: str, body: Json) -> Reply:
        """Return the answer at the end of a read's redirects."""
        for _ in range(HOPS + 1):
            reply = self.sent(client, method, address, body)
            there = reply.headers.get("location")
            if not 300 <= reply.status < 400 or reply.status == 304 or there is None:
                return reply
            if method not in READS:
                raise WebError("redirected", f"answers {reply.status}, and a write follows no redirect")
            before, address = address, urljoin(address, there)
            if urlsplit(address).scheme not in PORTS or (address.startswith("http:") and before.startswith("https:")):
                raise WebError("redirected", "leads from https to an address without it")
        raise WebError("redirected", f"leads on more than {HOPS} times")

    def sent(self, client: "httpx.Client", method: str, address: str, body: Json) -> Reply:
        """Return the answer to one request; the credential goes along to its own origin only."""
        own = origin_of(address) == self.origin
        headers = {"Accept": "application/json", **(self.credentials if own else {})}
        request = client.build_request(method, address, json=body, headers=headers)
        if not own:
            request.headers.pop("Authorization", None)
        with closing(client.send(request, stream=True)) as response:
            data = self.whole_body(response.headers.get("content-encoding", ""), response.iter_raw())
        link = response.links.get("next", {}).get("url")
        named = {name.lower(): value for name, value in response.headers.items()}
        return Reply(response.status_code, response.reason_phrase, named, data, address, link)

    def whole_body(self, packed: str, parts: Iterable[bytes]) -> bytes:
        """Return a body of bounded size; what is packed is unpacked only so far."""
        data = bytearray()
        unpack = unpacker(packed)
        for part in parts:
            data += unpack(part, self.largest + 1 - len(data))
            if len(data) > self.largest:
                raise WebError("too_large", f"an answer of more than {self.largest >> 20} MB")
        return bytes(data)


class Call(threading.Thread):
    """One call in a thread of its own, so that somebody else can look at the clock; it keeps no process alive."""

    def __init__(self, send: Callable[["httpx.Client"], Reply], client: "httpx.Client") -> None:
        super().__init__(daemon=True)
        self.send = send
        self.client = client
        self.reply: Reply | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        """Make the call; a bug among it is shown, and is no answer."""
        import httpx

        try:
            self.reply = self.send(self.client)
        except (WebError, httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ValueError, OSError) as error:
            self.error = error


def unpacker(packed: str) -> Callable[[bytes, int], bytes]:
    """Return what unpacks a part of a body to at most so many bytes, by the body's `Content-Encoding`."""
    match packed.strip().lower():
        case "" | "identity":
            return lambda part, _: part
        case "gzip" | "x-gzip" | "deflate" as name:
            stream = zlib.decompressobj(zlib.MAX_WBITS | (0 if name == "deflate" else 16))

            def unpack(part: bytes, most: int) -> bytes:
                try:
                    return stream.decompress(part, most)
                except zlib.error as error:
                    raise WebError("cut", f"an answer that is packed and damaged ({error})") from error

            return unpack
    raise WebError("cut", "an answer that is packed in a way that nobody asked for")


def origin_of(address: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address: who a credential belongs to."""
    try:
        parts = urlsplit(address)
    except ValueError:  # brackets that close around nothing: the address of nobody
        return "", "", 0
    try:
        port = parts.port
    except ValueError:
        port = -1
    return parts.scheme, (parts.hostname or "").lower(), port or PORTS.get(parts.scheme, 0)
