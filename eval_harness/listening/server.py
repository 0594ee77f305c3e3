"""The listening page as a web application: it hands out questions and clips, and keeps answers."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from builders.dataset_folder import DatasetFolder
from builders.errors import DatasetFolderError, EvaluationError
from eval_harness import serving
from eval_harness.listening import material
from eval_harness.listening.answers import Answer
from eval_harness.listening.store import AnswerStore, NameTakenError
from eval_harness.report.media import listening

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

_KEPT_CLIPS = 256
"""Clips whose sound is kept to be given again: some 100 KB each."""


class _Name(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    again: bool = False


class _Answers(BaseModel):
    model_config = ConfigDict(extra="forbid")

    key: str = Field(max_length=64)
    answers: tuple[Answer, ...] = Field(max_length=1000)


def listening_app(folder: DatasetFolder, store: AnswerStore, bound: socket.socket, asked_host: str = "") -> Starlette:
    """The application of one study.

    It serves the page, the study, the clips that are in the study and nothing else, and keeps answers in `store`.

    Args:
        folder: the dataset.
        store: of the study.
        bound: where it will be served, as `serving.listen` made it.
        asked_host: the host's name as it was given.
    """
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import JSONResponse, PlainTextResponse, Response
    from starlette.routing import Route

    study = store.study
    known = frozenset(study.clips)
    about = json.dumps(material.for_page(folder, study, serving.is_open_to_others(bound)))
    files = {
        "/": (material.page(), "text/html"),
        "/style.css": (material.page_style(), "text/css"),
        f"/{material.SCRIPT}": (material.page_script(), "text/javascript"),
        "/api/study": (about, "application/json"),
    }
    reading = threading.Lock()  # a dataset folder keeps the row group that it read last

    @lru_cache(maxsize=_KEPT_CLIPS)
    def sound(clip: str) -> tuple[bytes, str]:
        with reading:
            audio = folder.audio(clip)
        return listening(audio)

    async def file(request: Request) -> Response:
        content, kind = files[request.url.path]
        return Response(content, media_type=kind)

    def clip_sound(request: Request) -> Response:
        clip = request.path_params["clip"]
        if clip not in known:
            return PlainTextResponse("no such clip", 404)
        try:
            content, kind = sound(clip)
        except DatasetFolderError as error:  # it is damaged, or was taken away while it is served
            return PlainTextResponse(str(error), 500)
        return Response(content, media_type=kind, headers={"cache-control": "private, max-age=86400"})

    def enter(content: bytes) -> Response:
        asked = _Name.model_validate_json(content)
        try:
            key = store.enter(asked.name, asked.again)
        except NameTakenError as error:
            return JSONResponse({"error": str(error), "answers": error.answers}, 409)
        given = [one.model_dump(mode="json") for one in store.answers(key)]
        return JSONResponse({"key": key, "name": store.name_of(key), "answers": given})

    def save(content: bytes) -> Response:
        asked = _Answers.model_validate_json(content)
        return JSONResponse({"saved": store.save(asked.key, asked.answers)})

    def posted(handle: Callable[[bytes], Response]) -> Callable[[Request], Any]:
        async def handler(request: Request) -> Response:
            if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return JSONResponse({"error": "JSON is wanted"}, 415)
            content = await request.body()
            try:
                return await run_in_threadpool(handle, content)
            except ValidationError as error:
                return JSONResponse({"error": error.errors()[0]["msg"]}, 400)
            except EvaluationError as error:
                return JSONResponse({"error": str(error)}, 400)

        return handler

    routes = [
        *(Route(path, file) for path in files),
        Route("/media/{clip}", clip_sound),
        Route("/api/enter", posted(enter), methods=["POST"]),
        Route("/api/answers", posted(save), methods=["POST"]),
    ]
    return serving.application(routes, bound, asked_host)
