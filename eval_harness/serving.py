"""A web application for the browsers of this machine: where it listens, whom it answers, what every answer carries.

Starlette and uvicorn serve; this module adds what a page on a loopback address needs to be left alone by the rest of the web.
"""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from builders.errors import EvaluationError

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from eval_harness.ui import Screen

LOOPBACK = "127.0.0.1"
MOST_BYTES = 1 << 20
"""Of the body of a request."""
_PATIENCE_S = 2
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""What a page may load: nothing from elsewhere, no script or style that stands in the page."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Of every answer; a handler may set its own."""


def listen(host: str = LOOPBACK, port: int = 0) -> socket.socket:
    """A socket that listens on one address; port 0 is any that is free.

    Raises:
        EvaluationError: the address is not this machine's, or the port is taken.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError):
        raise EvaluationError(f"--host {host}: no such address; {LOOPBACK} is this machine alone") from None
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen()  # at once: nobody else takes the port in between, and a browser that comes early waits
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRINUSE:
            raise EvaluationError(f"--port {port}: taken by another program; give another, or 0 for any that is free") from None
        if error.errno == errno.EACCES:
            raise EvaluationError(f"--port {port}: not for users of this machine; give one from 1024 on, or 0") from None
        raise EvaluationError(f"--host {host}: not an address of this machine ({error.strerror})") from None
    return made


def url_of(bound: socket.socket) -> str:
    """What a browser opens."""
    host, port = bound.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_open_to_others(bound: socket.socket) -> bool:
    """Whether other machines can reach it."""
    return not ipaddress.ip_address(bound.getsockname()[0]).is_loopback


def application(routes: Iterable[BaseRoute], bound: socket.socket, asked_host: str = "") -> Starlette:
    """An application that answers for the address of `bound` only.

    A request is refused if its Host is another (so that no page elsewhere reaches it through a name of its own), if it changes
    something and comes from a page of another origin, or if its body is longer than `MOST_BYTES`.

    Args:
        routes: Starlette's.
        bound: as `listen` made it.
        asked_host: the name that it was asked for by, which it then answers to as well.
    """
    from starlette.applications import Starlette
    from starlette.middleware import Middleware

    return Starlette(routes=list(routes), middleware=[Middleware(_Guard, hosts=_hosts(bound, asked_host))])


def serve(app: ASGIApp, bound: socket.socket) -> None:
    """Answers requests until the process is asked to stop (Ctrl-C, SIGTERM); then returns."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        lifespan="off",
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=_PATIENCE_S,
    )
    with suppress(KeyboardInterrupt):  # uvicorn ends in order, then raises the signal once more
        uvicorn.Server(config).run(sockets=[bound])


def serve_pages(screen: Screen, app: ASGIApp, bound: socket.socket, open_browser: bool = False) -> None:
    """`serve` for a person: prints the address, opens it in the browser if wanted, and says who can reach it."""
    url = url_of(bound)
    if is_open_to_others(bound):
        screen.note("note: other machines that can reach this one can open it too")
    with suppress(KeyboardInterrupt):  # also before the server has its own way to stop
        screen.result(url)
        screen.note("Ctrl-C stops it")
        if open_browser:
            import webbrowser

            webbrowser.open(url)
        serve(app, bound)


def _hosts(bound: socket.socket, asked_host: str) -> Callable[[str], bool]:
    """Whether a Host header (without its port) is one of this server's."""
    own = ipaddress.ip_address(bound.getsockname()[0])
    names = {asked_host.lower()} - {""}
    if own.is_loopback:
        names |= {"localhost"}
    elif own.is_unspecified:
        names |= {"localhost", socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}

    def known(host: str) -> bool:
        host = host.strip("[]").lower()
        if host in names:
            return True
        try:
            given = ipaddress.ip_address(host)
        except ValueError:
            return False
        return own.is_unspecified or given == own

    return known


class _Guard:
    """ASGI middleware: refuses what does not come from a page of this server, and adds `HEADERS`."""

    def __init__(self, app: ASGIApp, hosts: Callable[[str], bool]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.responses import PlainTextResponse

        if scope["type"] != "http":
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] += [
                    (name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in own
                ]
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refused(scope["method"], headers)
        if refusal:
            await PlainTextResponse(refusal[1], refusal[0])(scope, receive, sent)
            return
        received = 0

        async def counted() -> Any:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MOST_BYTES:
                raise _TooLongError
            return message

        try:
            await self._app(scope, counted, sent)
        except _TooLongError:
            await PlainTextResponse("too long", 413)(scope, receive, sent)

    def _refused(self, method: str, headers: Mapping[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._hosts(_without_port(host)):
            return 421, "this server does not answer for that host"
        if method not in ("GET", "HEAD"):
            origin = headers.get("origin")
            foreign = origin is not None and origin.partition("://")[2].lower() != host.lower()
            if foreign or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return 403, "only pages of this server may do that"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return 413, "too long"
        return None


class _TooLongError(Exception):
    """A body is longer than `MOST_BYTES`."""


def _without_port(host: str) -> str:
    """ "[::1]:80" -> "[::1]", "localhost:80" -> "localhost"."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]
