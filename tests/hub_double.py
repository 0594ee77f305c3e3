"""A read-only double of the Hugging Face Hub, for one dataset: the few answers that `datasets` and `huggingface_hub` ask for."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "a1" * 20


@contextmanager
def hub_of(folder: Path, repository: str, revisions: tuple[str, ...] = ("main", "v1")) -> Iterator[str]:
    """Serves `folder` as the dataset `repository`, all of whose revisions are one commit; gives the value of HF_ENDPOINT."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path).strip("/")
            resolve, api = f"datasets/{repository}/resolve/", f"api/datasets/{repository}"
            if path.startswith(resolve):
                revision, _, name = path.removeprefix(resolve).partition("/")
                self._file(revision, folder / name)
            elif path == api:
                self._json(_info())
            elif path.startswith(f"{api}/revision/"):
                revision = path.removeprefix(f"{api}/revision/")
                self._json(_info()) if revision in (COMMIT, *revisions) else self._missing("RevisionNotFound")
            elif path.startswith(f"{api}/tree/"):
                _, _, inside = path.removeprefix(f"{api}/tree/").partition("/")
                recursive = "recursive=true" in self.path.lower()
                self._tree(folder / inside, recursive)
            else:
                self._missing("RepoNotFound")

        def _file(self, revision: str, file: Path) -> None:
            if revision not in (COMMIT, *revisions):
                self._missing("RevisionNotFound")
            elif not file.is_file():
                self._missing("EntryNotFound")
            else:
                data = file.read_bytes()
                self._answer(data, {"X-Repo-Commit": COMMIT, "ETag": f'"{hashlib.sha256(data).hexdigest()}"'})

        def _tree(self, inside: Path, recursive: bool) -> None:
            if not inside.is_dir():
                self._missing("EntryNotFound")
                return
            found = inside.rglob("*") if recursive else inside.iterdir()
            self._json([_entry(path) for path in sorted(found)])

        def _missing(self, code: str) -> None:
            self._answer(b"", {"X-Error-Code": code}, 404)

        def _json(self, content: Any) -> None:
            self._answer(json.dumps(content).encode(), {"Content-Type": "application/json"})

        def _answer(self, data: bytes, headers: dict[str, str], status: int = 200) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    def _info() -> dict[str, Any]:
        files = [{"rfilename": path.relative_to(folder).as_posix()} for path in sorted(folder.rglob("*")) if path.is_file()]
        return {"id": repository, "sha": COMMIT, "siblings": files, "tags": [], "private": False, "disabled": False}

    def _entry(path: Path) -> dict[str, Any]:
        size = path.stat().st_size if path.is_file() else 0
        kind = "file" if path.is_file() else "directory"
        name = path.relative_to(folder).as_posix()
        return {"type": kind, "path": name, "size": size, "oid": hashlib.sha1(name.encode()).hexdigest()}  # noqa: S324  as Git's

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
