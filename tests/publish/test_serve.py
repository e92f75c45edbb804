"""An archive shown on this machine: its pages, its own 404, built again on change, ended at once."""

import os
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from diptych.errors import DiptychError
from diptych.publish.serve import MOST_WAITING, Handler, open_server, serve


@contextmanager
def served(
    folder: Path, watch: Path | None = None, rebuild: Callable[[], object] | None = None
) -> Iterator[tuple[str, list[str]]]:
    """Serve a folder on a free port in a thread until the test is done; yield its address and what it says."""
    said: list[str] = []
    ready, stop = threading.Event(), threading.Event()

    def say(text: str) -> None:
        said.append(text)
        ready.set()

    thread = threading.Thread(
        target=lambda: serve(folder, 0, watch=watch, rebuild=rebuild, poll=0.02, stop=stop, say=say)
    )
    thread.start()
    try:
        assert ready.wait(60)
        yield said[0].split(" ")[0], said
    finally:
        stop.set()
        thread.join(60)
        assert not thread.is_alive()


def test_pages_are_shown_and_a_missing_one_gets_the_archives_own_answer(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("first page")
    (tmp_path / "404.html").write_text("not here")
    with served(tmp_path) as (address, _):
        with urllib.request.urlopen(address) as answer:
            assert answer.read() == b"first page"
            assert answer.headers["Cache-Control"] == "no-store"
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.urlopen(address + "nothing.html")
        with error.value as answer:
            assert (answer.code, answer.read()) == (404, b"not here")


def test_nothing_outside_the_folder_is_shown(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "site").mkdir()
    with served(tmp_path / "site") as (address, _):
        for path in ("../secret.txt", "%2e%2e/secret.txt"):
            with pytest.raises(urllib.error.HTTPError) as error:
                urllib.request.urlopen(address + path)
            error.value.close()


def test_a_changed_source_is_built_again_and_a_mistake_in_it_is_told(tmp_path: Path) -> None:
    source, site = tmp_path / "artifacts", tmp_path / "site"
    source.mkdir()
    site.mkdir()
    built = threading.Event()

    def rebuild() -> None:
        bad = (source / "bad.json").exists()  # before anybody is told: the test goes on from there
        built.set()
        if bad:
            raise DiptychError("not an artifact", where="bad.json", hint="remove it")

    with served(site, source, rebuild) as (_, said):
        (source / "one.json").write_text("{}")
        assert built.wait(10)
        built.clear()
        (source / "bad.json").write_text("{}")
        assert built.wait(10)
    assert any("built again" in text for text in said)
    assert any("not an artifact" in text and "remove it" in text for text in said)


def test_a_port_that_is_taken_is_a_mistake_that_can_be_mended(tmp_path: Path) -> None:
    server = open_server(tmp_path, 0)
    try:
        with pytest.raises(DiptychError, match="cannot be used") as error:
            open_server(tmp_path, server.server_address[1])
        assert "--port" in error.value.hint
    finally:
        server.server_close()


def test_only_this_machine_is_served(tmp_path: Path) -> None:
    server = open_server(tmp_path, 0)
    try:
        assert server.server_address[0] == "127.0.0.1"
    finally:
        server.server_close()


def asked(address: str, path: str, host: str | None = None) -> int:
    """Return the status of an answer to a request written by hand."""
    where = address.removeprefix("http://").rstrip("/")
    name, _, port = where.partition(":")
    with socket.create_connection((name, int(port)), timeout=30) as connection:
        lines = [f"GET {path} HTTP/1.1", *([f"Host: {host}"] if host != "" else []), "Connection: close", "", ""]
        connection.sendall("\r\n".join(lines).replace("Host: None", f"Host: {where}").encode())
        return int(connection.recv(4096).split(b" ")[1])


def test_only_this_machine_s_own_name_is_answered(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("page")
    with served(tmp_path) as (address, _):
        port = address.rstrip("/").rpartition(":")[2]
        assert asked(address, "/") == 200
        assert asked(address, "/", f"localhost:{port}") == 200
        for host in ("evil.example", f"evil.example:{port}", "", f"127.0.0.1:{port}.evil.example", "127.0.0.1"):
            assert asked(address, "/", host) == 403, host


def test_no_link_leads_out_and_nothing_hidden_or_listed_is_shown(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "folder").mkdir(parents=True)
    (site / "folder" / "page.html").write_text("page")
    (tmp_path / "secret.txt").write_text("secret")
    (site / "out.txt").symlink_to(tmp_path / "secret.txt")
    (site / "up").symlink_to(tmp_path)
    (site / ".diptych-archive.json").write_text("{}")
    (site / ".git").mkdir()
    (site / ".git" / "config").write_text("x")
    (site / "plain.txt").symlink_to(site / ".git" / "config")
    (site / "git").symlink_to(".git")
    (site / "again.html").symlink_to(site / "folder" / "page.html")
    with served(site) as (address, _):
        assert asked(address, "/folder/page.html") == 200
        assert asked(address, "/again.html") == 200
        for path in (
            "/out.txt",
            "/up/secret.txt",
            "/.diptych-archive.json",
            "/.git/config",
            "/%2egit/config",
            "/plain.txt",
            "/git/config",
            "/folder/",
        ):
            assert asked(address, path) == 404, path


def test_an_address_with_a_null_and_a_pipe_are_not_there(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    with served(tmp_path) as (address, _):
        for path in ("%00", "pipe.html"):
            with pytest.raises(urllib.error.HTTPError) as error:
                urllib.request.urlopen(address + path, timeout=30)
            with error.value as answer:
                assert answer.code == 404


def test_a_visitor_who_drips_is_cut_off_and_one_who_stays_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Handler, "timeout", 1.0)
    (tmp_path / "index.html").write_text("first page")
    with served(tmp_path) as (address, _):
        port = int(address.rstrip("/").rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=30) as visitor:
            visitor.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode())
            began = time.monotonic()
            with suppress(OSError):
                while time.monotonic() - began < 25:
                    visitor.sendall(b"X: y\r\n")
                    time.sleep(0.1)
            assert time.monotonic() - began < 25
        with urllib.request.urlopen(address) as answer:
            assert answer.read() == b"first page"


def test_hundreds_of_visitors_who_say_nothing_keep_nobody_waiting(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("first page")
    with served(tmp_path) as (address, _), ExitStack() as open_ones:
        port = int(address.rstrip("/").rpartition(":")[2])
        for _ in range(300):
            open_ones.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
        before = threading.active_count()
        began = time.monotonic()
        for _ in range(5):
            with urllib.request.urlopen(address, timeout=30) as answer:
                assert answer.read() == b"first page"
        assert time.monotonic() - began < 20
        assert before <= MOST_WAITING + 60
