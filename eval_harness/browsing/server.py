"""The browser of a corpus as a web application."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from builders.dataset_folder import Audio
from builders.errors import ReasonAudioError, UnknownIdError
from eval_harness import serving
from eval_harness.browsing.pages import Pages
from eval_harness.report.media import listening, spectrogram

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

_KEPT_SOUNDS, _KEPT_PICTURES = 200, 2000
"""Clips whose sound (some 50 KB) and spectrogram (some 3 KB) are kept to be given again."""
_MOST_TEXT = 200


def browsing_app(pages: Pages, bound: socket.socket, asked_host: str = "") -> Starlette:
    """The application: pages, sounds and spectrograms of one corpus, and nothing else.

    Args:
        pages: of the corpus.
        bound: where it will be served, as `serving.listen` made it.
        asked_host: the host's name as it was given.
    """
    from starlette.responses import HTMLResponse, Response
    from starlette.routing import Route

    one_at_a_time = threading.Lock()  # dataset folders and results keep what they read last

    def audio(clip: str) -> Audio:
        with one_at_a_time:
            return pages.folder.audio(clip)

    sound = lru_cache(_KEPT_SOUNDS)(lambda clip: listening(audio(clip)))
    picture = lru_cache(_KEPT_PICTURES)(lambda clip: spectrogram(audio(clip)))

    def page(make: Callable[[Request], str]) -> Callable[[Request], Response]:
        def handler(request: Request) -> Response:
            try:
                with one_at_a_time:
                    return HTMLResponse(make(request))
            except UnknownIdError as error:
                return HTMLResponse(pages.missing(f"{error}."), 404)
            except ReasonAudioError as error:  # a file is damaged, or was taken away while it is served
                return HTMLResponse(pages.failed(str(error)), 500)

        return handler

    def queries(request: Request) -> str:
        return pages.queries(_text(request, "text"), _text(request, "task"), _text(request, "form"), _number(request))

    def part(make: Callable[[str], tuple[bytes, str]]) -> Callable[[Request], Response]:
        def handler(request: Request) -> Response:
            try:
                content, kind = make(request.path_params["clip"])
            except UnknownIdError:
                return Response("no such clip", 404, media_type="text/plain")
            except ReasonAudioError as error:
                return Response(str(error), 500, media_type="text/plain")
            return _ranged(content, kind, request.headers.get("range", ""))

        return handler

    def style(request: Request) -> Response:
        return Response(pages.style(), media_type="text/css")

    def nowhere(request: Request, error: Exception) -> Response:
        return HTMLResponse(pages.missing(f"Nothing is at {request.url.path[:_MOST_TEXT]}."), 404)

    routes = [
        Route("/", page(lambda request: pages.overview())),
        Route("/style.css", style),
        Route("/queries", page(queries)),
        Route("/query/{id}", page(lambda request: pages.query(request.path_params["id"]))),
        Route("/clip/{id}", page(lambda request: pages.clip(request.path_params["id"]))),
        Route("/sounds", page(lambda request: pages.sounds(_text(request, "text")))),
        Route("/sound", page(lambda request: pages.sound(request.query_params.get("label", ""), _number(request)))),
        Route("/sound-of/{clip}", part(sound)),
        Route("/spectrogram/{clip}", part(lambda clip: (picture(clip), "image/webp"))),
    ]
    app = serving.application(routes, bound, asked_host)
    app.add_exception_handler(404, nowhere)
    return app


def _text(request: Request, name: str) -> str:
    return " ".join(request.query_params.get(name, "").split())[:_MOST_TEXT]


def _number(request: Request) -> int:
    given = request.query_params.get("page", "1")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 9 else 1


def _ranged(content: bytes, kind: str, asked: str) -> Response:
    """All of it, or the range that a player asks for (RFC 9110, section 14), without which browsers cannot seek."""
    from starlette.responses import Response

    headers: dict[str, Any] = {"accept-ranges": "bytes", "cache-control": "private, max-age=86400"}
    found = re.fullmatch(r"bytes=(\d{1,12})-(\d{0,12})", asked)
    if not found:
        return Response(content, media_type=kind, headers=headers)
    first, last = int(found[1]), min(int(found[2] or len(content)), len(content) - 1)
    if first > last:
        return Response(status_code=416, headers={"content-range": f"bytes */{len(content)}"})
    headers["content-range"] = f"bytes {first}-{last}/{len(content)}"
    return Response(content[first : last + 1], 206, media_type=kind, headers=headers)
