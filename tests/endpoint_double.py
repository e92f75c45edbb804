"""A small HTTP server on 127.0.0.1 that speaks the chat protocol, and misbehaves where a test asks it to."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


def answer(text: str | None, *, model: str = "m", reason: str = "stop", **usage: int) -> Body:
    """Return a whole answer's body."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}
    return {"model": model, "choices": [choice], "usage": usage or {"prompt_tokens": 5, "completion_tokens": 2}}


class Reply:
    """What the server sends: a status, headers, a body (object or bytes), cut after some bytes, or slowly."""

    def __init__(
        self,
        body: Body | bytes,
        status: int = 200,
        *,
        headers: dict[str, str] | None = None,
        cut: int | None = None,
        drip: float = 0.0,
        wait: float = 0.0,
    ) -> None:
        self.data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status, self.headers, self.cut, self.drip, self.wait = status, headers or {}, cut, drip, wait


class Served:
    """A running double: its base URL, and every request body it got with the headers."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.busy = self.busiest = 0


@contextmanager
def endpoint(reply: Callable[[Body, int], Reply | Body]) -> Iterator[Served]:
    """Run a server whose answers are `reply(request body, how many requests came before)`."""
    lock = threading.Lock()
    stopping = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                number = len(served.requests)
                served.requests.append(body)
                served.headers.append(dict(self.headers))
                served.busy += 1
                served.busiest = max(served.busiest, served.busy)
            try:
                made = reply(body, number)
                self.send(made if isinstance(made, Reply) else Reply(made))
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client gave up, as some tests want
            finally:
                with lock:
                    served.busy -= 1

        def send(self, made: Reply) -> None:
            stopping.wait(made.wait)
            self.send_response(made.status)
            for name, value in {"content-type": "application/json", **made.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(made.data)))
            self.end_headers()
            data = made.data if made.cut is None else made.data[: made.cut]
            if made.drip:
                for byte in data:
                    if stopping.wait(made.drip):
                        return
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
            else:
                self.wfile.write(data)
            if made.cut is not None:
                self.wfile.flush()
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served = Served(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


def soon(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Wait until a condition holds; say whether it came to hold."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()
