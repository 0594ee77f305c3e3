"""A double of the Hugging Face Hub for datasets that can be written to: commits, LFS, tags, and what can go wrong.

It answers what `huggingface_hub` asks for with `HF_HUB_DISABLE_XET=1`: LFS uploads in one piece, one commit for each call.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "hf_" + "x" * 34
READ_ONLY = "hf_" + "r" * 34
USER = "someone"


@dataclass(frozen=True)
class Commit:
    """One state of a repository: its files, by path."""

    oid: str
    title: str
    files: dict[str, bytes]


@dataclass
class Repository:
    """Commits, oldest first, and the names of some of them."""

    name: str
    private: bool = False
    commits: list[Commit] = field(default_factory=list)
    refs: dict[str, str] = field(default_factory=dict)

    @property
    def head(self) -> Commit:
        return self.at("main")

    def at(self, revision: str) -> Commit:
        """The commit of a branch, tag or id. Raises KeyError."""
        oid = self.refs.get(revision, revision)
        for commit in self.commits:
            if commit.oid == oid:
                return commit
        raise KeyError(revision)

    def add(self, title: str, files: dict[str, bytes]) -> Commit:
        oid = hashlib.sha1(f"{self.name} {len(self.commits)}".encode()).hexdigest()  # noqa: S324  as Git's
        commit = Commit(oid, title, files)
        self.commits.append(commit)
        self.refs["main"] = oid
        return commit


@dataclass(frozen=True)
class Request:
    """What came in."""

    method: str
    path: str
    token: str


Fault = Callable[[Request], int | None]
"""The status to answer with in place of the right answer; 0 cuts the connection; None lets the request pass."""


@dataclass
class Hub:
    """The state of the double.

    Attributes:
        endpoint: value of HF_ENDPOINT.
        repositories: by name.
        objects: LFS objects that were sent, by SHA-256.
        requests: all so far.
        faults: asked in turn before any request is answered.
    """

    endpoint: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    objects: dict[str, bytes] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def sent(self, method: str, pattern: str) -> int:
        """How many requests of a method have come for a path."""
        return sum(one.method == method and bool(re.search(pattern, one.path)) for one in self.requests)


def once(method: str, pattern: str, status: int, after: int = 0) -> Fault:
    """A fault that happens one time, at the request number `after` (from 0) that fits."""
    return _faulty(method, pattern, status, lambda number: number == after)


def always(method: str, pattern: str, status: int, after: int = 0) -> Fault:
    """A fault at every request that fits but the first `after`: such as a connection that breaks and stays broken."""
    return _faulty(method, pattern, status, lambda number: number >= after)


def _faulty(method: str, pattern: str, status: int, at: Callable[[int], bool]) -> Fault:
    numbers = itertools.count()

    def fault(request: Request) -> int | None:
        fits = request.method == method and re.search(pattern, request.path)
        return status if fits and at(next(numbers)) else None

    return fault


@contextmanager
def serving() -> Iterator[Hub]:
    """Serves an empty Hub."""
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub}))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    hub.endpoint = f"http://127.0.0.1:{server.server_port}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def hub_of(folder: Path, repository: str, tag: str = "v1") -> Iterator[tuple[str, str]]:
    """Serves a folder as a dataset of one commit that has a tag; gives (value of HF_ENDPOINT, the commit)."""
    with serving() as hub:
        made = Repository(repository)
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
        commit = made.add("all", files).oid
        made.refs[tag] = commit
        hub.repositories[repository] = made
        yield hub.endpoint, commit


class _RefusedError(Exception):
    def __init__(self, status: int, code: str = "", message: str = "") -> None:
        super().__init__(status)
        self.status, self.code, self.message = status, code, message


class _Handler(BaseHTTPRequestHandler):
    hub: Hub
    protocol_version = "HTTP/1.1"

    def handle_any(self) -> None:
        split = urlsplit(self.path)
        path, query = unquote(split.path), parse_qs(split.query)
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        request = Request(self.command, path, token)
        self.hub.requests.append(request)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        for fault in self.hub.faults:
            status = fault(request)
            if status == 0:
                self.close_connection = True
                self.connection.close()
                return
            if status is not None:
                self._json({"error": "a planned fault"}, status)
                return
        try:
            for method, pattern, action in _ROUTES:
                found = re.fullmatch(pattern, path)
                if found and self.command in method:
                    action(self, *found.groups(), body=body, query=query)
                    return
            raise _RefusedError(404, "RepoNotFound")
        except _RefusedError as failed:
            headers = {"X-Error-Code": failed.code} if failed.code else {}
            if failed.message:
                headers["X-Error-Message"] = failed.message
            self._answer(b"", headers, failed.status)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815  # names that http.server looks for

    # --- who, and what ------------------------------------------------------------------------------------------------

    @property
    def _token(self) -> str:
        return str(self.headers.get("Authorization", "")).removeprefix("Bearer ")

    def _may_write(self) -> None:
        if self._token == READ_ONLY:
            raise _RefusedError(403, message="this token may read only")
        if self._token != TOKEN:
            raise _RefusedError(401, message="Invalid username or password.")

    def _repository(self, name: str) -> Repository:
        found = self.hub.repositories.get(name)
        if found is None or (found.private and self._token not in (TOKEN, READ_ONLY)):
            raise _RefusedError(404 if self._token in (TOKEN, READ_ONLY) else 401, "RepoNotFound")
        return found

    def _commit(self, name: str, revision: str) -> Commit:
        try:
            return self._repository(name).at(revision)
        except KeyError:
            raise _RefusedError(404, "RevisionNotFound") from None

    # --- reading ------------------------------------------------------------------------------------------------------

    def whoami(self, **_: Any) -> None:
        if self._token not in (TOKEN, READ_ONLY):
            raise _RefusedError(401, message="Invalid credentials in Authorization header")
        self._json({"type": "user", "name": USER, "orgs": [{"name": "org"}], "auth": {"type": "access_token"}})

    def info(self, name: str, revision: str | None = None, **_: Any) -> None:
        repository = self._repository(name)
        commit = self._commit(name, revision or "main")
        siblings = [{"rfilename": path} for path in sorted(commit.files)]
        self._json(
            {"id": name, "sha": commit.oid, "siblings": siblings, "tags": [], "private": repository.private, "disabled": False}
        )

    def refs(self, name: str, **_: Any) -> None:
        repository = self._repository(name)
        tags = [
            {"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": oid} for tag, oid in repository.refs.items() if tag != "main"
        ]
        branches = [{"name": "main", "ref": "refs/heads/main", "targetCommit": repository.refs["main"]}]
        self._json({"branches": branches, "tags": tags, "converts": []})

    def commits(self, name: str, revision: str, **_: Any) -> None:
        self._commit(name, revision)
        found = reversed(self._repository(name).commits)
        about = {"message": "", "authors": [], "date": "2026-01-01T00:00:00.000Z"}
        self._json([{"id": one.oid, "title": one.title, **about} for one in found])

    def tree(self, name: str, revision: str, inside: str | None = None, *, query: dict[str, list[str]], **_: Any) -> None:
        files = self._commit(name, revision).files
        recursive = query.get("recursive", ["false"])[0].lower() == "true"
        start = f"{inside.strip('/')}/" if inside and inside.strip("/") else ""
        entries: dict[str, dict[str, Any]] = {}
        for path, content in sorted(files.items()):
            if not path.startswith(start):
                continue
            parts = path.removeprefix(start).split("/")
            for depth in range(1, len(parts)):
                folder = start + "/".join(parts[:depth])
                if recursive or depth == 1:
                    entries[folder] = {"type": "directory", "path": folder, "size": 0, "oid": _git_oid(folder.encode())}
            if recursive or len(parts) == 1:
                entries[path] = _entry(path, content)
        if start and not entries:
            raise _RefusedError(404, "EntryNotFound")
        self._json(list(entries.values()))

    def paths_info(self, name: str, revision: str, *, body: bytes, **_: Any) -> None:
        files = self._commit(name, revision).files
        asked = parse_qs(body.decode()).get("paths", []) if body[:1] != b"{" else json.loads(body)["paths"]
        self._json([_entry(path, files[path]) for path in asked if path in files])

    def resolve(self, name: str, revision: str, path: str, **_: Any) -> None:
        commit = self._commit(name, revision)
        if path not in commit.files:
            raise _RefusedError(404, "EntryNotFound")
        content = commit.files[path]
        digest = hashlib.sha256(content).hexdigest() if _is_lfs(path) else _git_oid(content)
        headers = {"X-Repo-Commit": commit.oid, "ETag": f'"{digest}"', "Accept-Ranges": "bytes"}
        if _is_lfs(path):
            headers |= {"X-Linked-Etag": f'"{digest}"', "X-Linked-Size": str(len(content))}
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if asked:
            first, last = int(asked[1]), min(int(asked[2] or len(content) - 1), len(content) - 1)
            headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
            self._answer(content[first : last + 1], headers, 206)
        else:
            self._answer(content, headers)

    # --- writing ------------------------------------------------------------------------------------------------------

    def create(self, *, body: bytes, **_: Any) -> None:
        self._may_write()
        asked = json.loads(body)
        name = f"{asked.get('organization') or USER}/{asked['name']}"
        if name.split("/")[0] not in (USER, "org"):
            raise _RefusedError(
                403, message=f"You don't have the rights to create a dataset under the namespace {name.split('/')[0]}"
            )
        if name in self.hub.repositories:
            self._json({"error": "You already created this dataset repo", "url": f"{self.hub.endpoint}/datasets/{name}"}, 409)
            return
        private = bool(asked.get("private")) or asked.get("visibility") == "private"
        repository = self.hub.repositories[name] = Repository(name, private)
        repository.add("initial commit", {".gitattributes": b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"})
        self._json({"url": f"{self.hub.endpoint}/datasets/{name}", "name": name})

    def preupload(self, name: str, revision: str, *, body: bytes, **_: Any) -> None:
        self._may_write()
        files = self._commit(name, revision).files
        told = []
        for asked in json.loads(body)["files"]:
            path = asked["path"]
            mode = "lfs" if _is_lfs(path) else "regular"
            oid = _entry(path, files[path])["lfs" if mode == "lfs" else "oid"] if path in files else None
            told.append(
                {
                    "path": path,
                    "uploadMode": mode,
                    "shouldIgnore": False,
                    "oid": oid["oid"] if isinstance(oid, dict) else oid,
                }
            )
        self._json({"files": told})

    def batch(self, name: str, *, body: bytes, **_: Any) -> None:
        self._may_write()
        self._repository(name)
        objects = []
        for asked in json.loads(body)["objects"]:
            one: dict[str, Any] = {"oid": asked["oid"], "size": asked["size"]}
            if asked["oid"] not in self.hub.objects:
                one["actions"] = {
                    "upload": {"href": f"{self.hub.endpoint}/lfs/{asked['oid']}"},
                    "verify": {"href": f"{self.hub.endpoint}/lfs/{asked['oid']}/verify"},
                }
            objects.append(one)
        self._json({"transfer": "basic", "objects": objects})

    def put(self, oid: str, *, body: bytes, **_: Any) -> None:
        if hashlib.sha256(body).hexdigest() != oid:
            raise _RefusedError(422, message="the content has another hash")
        self.hub.objects[oid] = body
        self._answer(b"", {})

    def verified(self, oid: str, **_: Any) -> None:
        if oid not in self.hub.objects:
            raise _RefusedError(404)
        self._answer(b"", {})

    def commit(self, name: str, revision: str, *, body: bytes, **_: Any) -> None:
        self._may_write()
        repository = self._repository(name)
        before = self._commit(name, revision)
        files = dict(before.files)
        title = ""
        for line in body.splitlines():
            item = json.loads(line)
            key, value = item["key"], item["value"]
            if key == "header":
                title = value["summary"]
                if value.get("parentCommit") and value["parentCommit"] != before.oid:
                    raise _RefusedError(412, message="A commit has happened since. Please refresh and try again.")
            elif key == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif key == "lfsFile":
                files[value["path"]] = self.hub.objects[value["oid"]]
            elif key == "deletedFile":
                files.pop(value["path"])
            elif key == "deletedFolder":
                for path in [path for path in files if path.startswith(value["path"])]:
                    del files[path]
        made = repository.add(title, files)
        url = f"{self.hub.endpoint}/datasets/{name}/commit/{made.oid}"
        self._json({"success": True, "commitOid": made.oid, "commitUrl": url})

    def tag(self, name: str, revision: str, *, body: bytes, **_: Any) -> None:
        self._may_write()
        repository, tag = self._repository(name), json.loads(body)["tag"]
        if tag in repository.refs:
            raise _RefusedError(409, message="Tag reference exists already")
        repository.refs[tag] = self._commit(name, revision).oid
        self._json({})

    def untag(self, name: str, tag: str, **_: Any) -> None:
        self._may_write()
        if self._repository(name).refs.pop(tag, None) is None:
            raise _RefusedError(404, "RevisionNotFound")
        self._json({})

    def validate(self, **_: Any) -> None:
        self._json({"errors": [], "warnings": []})

    # --- answers ------------------------------------------------------------------------------------------------------

    def _json(self, content: Any, status: int = 200) -> None:
        self._answer(json.dumps(content).encode(), {"Content-Type": "application/json"}, status)

    def _answer(self, data: bytes, headers: dict[str, str], status: int = 200) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


_NAME = r"([^/]+/[^/]+)"
_ROUTES: tuple[tuple[str, str, Callable[..., None]], ...] = (
    ("GET", r"/api/whoami-v2", _Handler.whoami),
    ("GET", rf"/api/datasets/{_NAME}", _Handler.info),
    ("GET", rf"/api/datasets/{_NAME}/revision/([^/]+)", _Handler.info),
    ("GET", rf"/api/datasets/{_NAME}/refs", _Handler.refs),
    ("GET", rf"/api/datasets/{_NAME}/commits/([^/]+)", _Handler.commits),
    ("GET", rf"/api/datasets/{_NAME}/tree/([^/]+)(/.*)?", _Handler.tree),
    ("POST", rf"/api/datasets/{_NAME}/paths-info/([^/]+)", _Handler.paths_info),
    ("GET HEAD", rf"/datasets/{_NAME}/resolve/([^/]+)/(.+)", _Handler.resolve),
    ("POST", r"/api/repos/create", _Handler.create),
    ("POST", r"/api/validate-yaml", _Handler.validate),
    ("POST", rf"/api/datasets/{_NAME}/preupload/([^/]+)", _Handler.preupload),
    ("POST", rf"/datasets/{_NAME}\.git/info/lfs/objects/batch", _Handler.batch),
    ("PUT", r"/lfs/([0-9a-f]{64})", _Handler.put),
    ("POST", r"/lfs/([0-9a-f]{64})/verify", _Handler.verified),
    ("POST", rf"/api/datasets/{_NAME}/commit/([^/]+)", _Handler.commit),
    ("POST", rf"/api/datasets/{_NAME}/tag/([^/]+)", _Handler.tag),
    ("DELETE", rf"/api/datasets/{_NAME}/tag/([^/]+)", _Handler.untag),
)


def _is_lfs(path: str) -> bool:
    return path.endswith(".parquet")


def _git_oid(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324  as Git's


def _entry(path: str, content: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "file", "path": path, "size": len(content), "oid": _git_oid(content)}
    if _is_lfs(path):
        entry["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 134}
    return entry
