"""A built archive shown on this machine alone, and built again when what it is made from changes."""

import http.server
import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from diptych.errors import DiptychError

CLIENT_TIME = 10.0
"""Seconds that a visitor may take to say what he wants."""

MOST_WAITING = 64
"""So many visitors may say nothing at a time: the one who has longest goes for the next."""

POLL = 0.5
"""Seconds between two looks at the files."""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files of one folder, lets nothing be cached, and keeps quiet about what went well."""

    protocol_version = "HTTP/1.1"
    timeout = CLIENT_TIME
    server: "Server"

    def handle_one_request(self) -> None:
        """Answer one request, or hang up on who has not said it whole in time, however steadily it drips."""
        self.server.waits(self.connection, self.timeout)
        try:
            super().handle_one_request()
        finally:
            self.server.heard(self.connection)

    def parse_request(self) -> bool:
        """Read what is asked for; the answer then has its own time."""
        whole = super().parse_request()
        self.server.heard(self.connection)
        return whole

    def do_GET(self) -> None:
        """Answer with a file of the folder, where it may be asked for."""
        if self.refused():
            self.send_error(403)
        else:
            super().do_GET()

    def do_HEAD(self) -> None:
        """Answer as to GET, without the file."""
        if self.refused():
            self.send_error(403)
        else:
            super().do_HEAD()

    def refused(self) -> bool:
        """Say whether a page of somebody else asks: under a name of its own it would lead a browser here."""
        hosts = self.headers.get_all("Host") or []
        return len(hosts) != 1 or hosts[0] not in self.server.hosts

    def translate_path(self, path: str) -> str:
        """Return the file that an address means; one that is hidden, or that a link leads out to, is not there."""
        root = os.path.realpath(self.directory)
        nowhere = os.path.join(root, "none", "such")
        place = super().translate_path(path)
        if "\0" in place:
            return nowhere
        real = os.path.realpath(place)
        if os.path.exists(real) and not (os.path.isfile(real) or os.path.isdir(real)):
            return nowhere  # a pipe has no end
        inside = real == root or real.startswith(root.rstrip(os.sep) + os.sep)
        hidden = has_hidden_part(place, self.directory) or has_hidden_part(real, root)
        return place if inside and not hidden else nowhere

    def list_directory(self, path: object) -> None:
        """List no folder: what an archive shows stands on its pages."""
        self.send_error(404)

    def end_headers(self) -> None:
        """Add what every answer carries."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: a page that is missing shows its own answer."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a page that is not there with the archive's own."""
        page = Path(self.directory) / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        data = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def has_hidden_part(place: str, root: str) -> bool:
    """Say whether a part of the way from a folder to a place in it begins with a dot."""
    return any(part.startswith(".") for part in os.path.relpath(place, root).split(os.sep) if part != ".")


def hang_up(connection: socket.socket) -> None:
    """End a connection for whoever waits on it."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class Server(http.server.ThreadingHTTPServer):
    """A server that ends at once and takes its port again right after."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, *arguments: Any) -> None:
        self.waiting: dict[socket.socket, float] = {}
        self.lock = threading.Lock()
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Listen to a visitor, who waits from the first moment."""
        self.waits(request, CLIENT_TIME)
        super().process_request(request, client_address)

    def waits(self, connection: socket.socket, seconds: float) -> None:
        """Note until when a visitor has to say what he wants; hang up on the one who waits longest of too many."""
        with self.lock:
            self.waiting.pop(connection, None)
            self.waiting[connection] = time.monotonic() + seconds
            gone = list(self.waiting)[:-MOST_WAITING]
            for each in gone:
                del self.waiting[each]
        for each in gone:
            hang_up(each)

    def heard(self, connection: socket.socket) -> None:
        """Note that a visitor has said what he wants, or went away."""
        with self.lock:
            self.waiting.pop(connection, None)

    def service_actions(self) -> None:
        """Hang up, a few times a second, on those whose time is over."""
        now = time.monotonic()
        with self.lock:
            late = [each for each, until in self.waiting.items() if until <= now]
            for each in late:
                del self.waiting[each]
        for each in late:
            hang_up(each)

    def shutdown_request(self, request: Any) -> None:
        """End a connection, which then waits no longer."""
        self.heard(request)
        super().shutdown_request(request)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which this machine alone is meant."""
        port = self.server_address[1]
        return (f"127.0.0.1:{port}", f"localhost:{port}")

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a visitor who went away; show anything else."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def open_server(folder: str | Path, port: int) -> Server:
    """Return a server of a folder on 127.0.0.1; port 0 takes any free one."""
    try:
        return Server(("127.0.0.1", port), partial(Handler, directory=str(folder)))
    except OSError as error:
        raise DiptychError(
            f"port {port} cannot be used ({error.strerror or error})",
            where=f"127.0.0.1:{port}",
            hint="give another one with --port, or --port 0 for any",
        ) from error


def serve(
    folder: str | Path,
    port: int,
    *,
    watch: str | Path | None = None,
    rebuild: Callable[[], object] | None = None,
    poll: float = POLL,
    stop: threading.Event | None = None,
    say: Callable[[str], object] = print,
) -> None:
    """Serve a folder until Ctrl-C (or `stop`), calling `rebuild` whenever the file or folder `watch` changes.

    A rebuild that fails with a mendable error is told and the last good archive stays.
    """
    server = open_server(folder, port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    paths = [Path(watch)] if watch else []
    seen = stamps(paths)  # before anybody is told: what changes from then on is built
    say(f"http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends it)")
    try:
        look(paths, seen, rebuild, poll, stop or threading.Event(), say)
    except KeyboardInterrupt:
        pass  # the usual way to end it
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def look(
    paths: list[Path],
    seen: dict[str, tuple[int, int]],
    rebuild: Callable[[], object] | None,
    poll: float,
    stop: threading.Event,
    say: Callable[[str], object],
) -> None:
    """Look at the files again and again until `stop` is set."""
    while not stop.wait(poll):
        now = stamps(paths)
        if rebuild is None or now == seen:
            continue
        seen = now
        began = time.monotonic()
        try:
            rebuild()
        except DiptychError as error:
            say(f"not built: {error}" + (f" ({error.hint})" if error.hint else ""))
        else:
            say(f"built again in {time.monotonic() - began:.1f} s")


def stamps(paths: list[Path]) -> dict[str, tuple[int, int]]:
    """Return size and time of each file that is named or stands in a named folder."""
    found = {}
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            try:
                state = file.stat()
            except OSError:
                continue  # removed between the listing and the look
            found[str(file)] = (state.st_size, state.st_mtime_ns)
    return found
