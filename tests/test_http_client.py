"""A credential goes to its own origin alone, a write follows no redirect, and no server can hold a call for ever."""

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from diptych.http_client import HOPS, Web, WebError, origin_of

Serve = Callable[[socket.socket, bytes], None]


@contextmanager
def server(serve: Serve) -> Iterator[tuple[str, list[bytes]]]:
    """Serve each connection's first request by hand; yield the address and the requests as they came."""
    listening = socket.create_server(("127.0.0.1", 0))
    asked: list[bytes] = []

    def one(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request and (part := connection.recv(65536)):
                request += part
            asked.append(request)
            serve(connection, request)

    def work() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=one, args=(listening.accept()[0],), daemon=True).start()

    threading.Thread(target=work, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", asked
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def answering(head: str, body: bytes = b"{}") -> Serve:
    text = f"HTTP/1.1 {head}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return lambda connection, _: connection.sendall(text.encode() + body)


CREDENTIALS = ({"PRIVATE-TOKEN": "sesame-99"}, {"Authorization": "Bearer sesame-99"}, {"X-Api-Key": "sesame-99"})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("credential", CREDENTIALS)
def test_a_redirect_to_another_origin_gets_no_credential(status: int, credential: dict[str, str]) -> None:
    with (
        server(answering("200 OK")) as (other, heard),
        server(answering(f"{status} Moved\r\nLocation: {other}/there")) as (own, asked),
        Web(own, credential) as web,
    ):
        assert web.ask("GET", f"{own}/here").good
        assert b"sesame-99" in asked[0]
        assert len(heard) == 1
        assert b"sesame-99" not in heard[0]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_write_follows_no_redirect(status: int, method: str) -> None:
    with server(answering(f"{status} Moved\r\nLocation: /there")) as (own, asked), Web(own, {}) as web:
        with pytest.raises(WebError) as caught:
            web.ask(method, f"{own}/here", {"body": "x"})
        assert (caught.value.kind, len(asked)) == ("redirected", 1)


def test_a_read_follows_a_few_redirects_and_no_circle() -> None:
    with server(answering("302 Found\r\nLocation: /again")) as (own, asked), Web(own, {}) as web:
        with pytest.raises(WebError, match="leads on more than"):
            web.ask("GET", f"{own}/here")
        assert len(asked) == HOPS + 1


@pytest.mark.parametrize("where", ["file:///etc/passwd", "ftp://127.0.0.1/x", "javascript:alert(1)"])
def test_a_redirect_leads_to_the_web_alone(where: str) -> None:
    with (
        server(answering(f"302 Found\r\nLocation: {where}")) as (own, _),
        Web(own, {}) as web,
        pytest.raises(WebError) as caught,
    ):
        web.ask("GET", f"{own}/here")
    assert caught.value.kind in ("redirected", "unreachable")


def dripping(first: bytes, drop: bytes) -> Serve:
    def serve(connection: socket.socket, _: bytes) -> None:
        connection.sendall(first)
        while True:
            connection.sendall(drop)
            time.sleep(0.02)

    return serve


HANGS: dict[str, Serve] = {
    "silence": lambda connection, _: time.sleep(30),
    "a header a byte at a time": dripping(b"HTTP/1.1 200 OK\r\nX-A: ", b"a"),
    "headers without end": dripping(b"HTTP/1.1 200 OK\r\n", b"X-A: 1\r\n"),
    "early answers without end": dripping(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "a body a byte at a time": dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b" "),
    "chunks without end": dripping(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
}


@pytest.mark.parametrize("kind", HANGS)
def test_a_call_ends_at_its_deadline(kind: str) -> None:
    with server(HANGS[kind]) as (own, _), Web(own, {}, deadline=0.5) as web:
        began = time.monotonic()
        with pytest.raises(WebError) as caught:
            web.ask("GET", f"{own}/here")
        assert caught.value.kind in ("time_out", "unreachable")
        assert time.monotonic() - began < 20


def test_giving_one_call_up_costs_no_other_its_answer() -> None:
    over = threading.Event()

    def serve(connection: socket.socket, request: bytes) -> None:
        if b"/slow" in request:
            over.wait(60)
        answering("200 OK")(connection, request)

    given_up: list[object] = []
    answered: list[object] = []

    def ask(path: str, said: list[object]) -> None:
        try:
            said.append(web.ask("GET", own + path).status)
        except WebError as error:
            said.append(error.kind)

    def ask_while_others_hang() -> None:
        while any(thread.is_alive() for thread in hanging):
            ask("/quick", answered)

    with server(serve) as (own, _), Web(own, {}, deadline=3) as web:
        hanging = [threading.Thread(target=ask, args=("/slow", given_up)) for _ in range(3)]
        quick = [threading.Thread(target=ask_while_others_hang) for _ in range(2)]
        for thread in (*hanging, *quick):
            thread.start()
        for thread in (*hanging, *quick):
            thread.join()
        over.set()
    assert given_up == ["time_out"] * 3
    assert set(answered) == {200}
    assert len(answered) > 2


def test_a_body_has_an_end_also_where_it_is_packed() -> None:
    packed = gzip.compress(b"\0" * (64 << 20), mtime=0)
    for serve in (answering("200 OK\r\nContent-Encoding: gzip", packed), answering("200 OK", b"x" * (2 << 20))):
        with server(serve) as (own, _), Web(own, {}, largest=1 << 20) as web:
            with pytest.raises(WebError) as caught:
                web.ask("GET", f"{own}/here")
            assert caught.value.kind == "too_large"


@pytest.mark.parametrize("packed", [b"x" * 50, gzip.compress(b"{}", mtime=0)[:-12] + b"\xff" * 12])
@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "gzip, gzip", "\xb2"])
def test_a_body_that_is_packed_and_damaged_is_no_answer(packed: bytes, name: str) -> None:
    with server(answering(f"200 OK\r\nContent-Encoding: {name}", packed)) as (own, _), Web(own, {}) as web:
        with pytest.raises(WebError) as caught:
            web.ask("GET", f"{own}/here")
        assert caught.value.kind == "cut"


def test_a_body_that_is_packed_is_unpacked() -> None:
    body = gzip.compress(b'{"a": 1}', mtime=0)
    with server(answering("200 OK\r\nContent-Encoding: gzip", body)) as (own, _), Web(own, {}) as web:
        assert web.ask("GET", f"{own}/here").json() == {"a": 1}


@pytest.mark.parametrize("head", ["nonsense", "999 OK", "200 OK\r\nLocation", "200 OK\r\nContent-Encoding: gzip"])
def test_what_is_no_answer_is_named(head: str) -> None:
    with server(answering(head)) as (own, _), Web(own, {}, deadline=60) as web:
        try:
            said = str(web.ask("GET", f"{own}/here").status)
        except WebError as error:
            said = error.kind
        assert said in ("999", "unreachable", "cut")


def test_an_origin_is_scheme_host_and_port() -> None:
    assert origin_of("https://Host/a") == origin_of("https://host:443/b")
    others = ("http://host", "https://host:444", "https://host.example", "https://host@evil", "https://host:port")
    assert origin_of("https://host") not in map(origin_of, others)


def test_an_address_that_is_none_belongs_to_nobody() -> None:
    assert origin_of("http://[bad") == ("", "", 0)
