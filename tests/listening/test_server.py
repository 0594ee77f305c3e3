"""The server of the listening page: whom it answers, what it hands out, what it refuses."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from builders.dataset_folder import DatasetFolder
from eval_harness.listening.answers import read_sessions
from eval_harness.listening.study import Study, StudySettings, make_study
from tests.listening.listener import served

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "answers.sqlite"


@pytest.fixture(scope="module")
def study(smoke_corpus: DatasetFolder) -> Study:
    return make_study(smoke_corpus, StudySettings(queries=4))


@pytest.fixture(scope="module")
def port(smoke_corpus: DatasetFolder, answers: Path) -> Iterator[int]:
    with served(smoke_corpus.path, answers, "--queries", "4") as (url, _):
        yield int(url.rstrip("/").rpartition(":")[2])


def ask(
    port: int,
    method: str,
    path: str,
    body: bytes | str | None = None,
    headers: dict[str, str] | None = None,
    to: str = "127.0.0.1",
) -> tuple[int, dict[str, str], bytes]:
    """One request, its path as it stands: (status, headers, body)."""
    with closing(http.client.HTTPConnection(to, port, timeout=20)) as connection:
        connection.putrequest(method, path, skip_host="host" in (headers or {}), skip_accept_encoding=True)
        content = body.encode() if isinstance(body, str) else body
        for name, value in {**({"content-length": str(len(content))} if content is not None else {}), **(headers or {})}.items():
            connection.putheader(name, value)
        connection.endheaders()
        if content is not None:
            with suppress(BrokenPipeError, ConnectionResetError):  # it may be refused before all of it is sent
                connection.send(content)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def posted(port: int, path: str, content: Any, **headers: str) -> tuple[int, Any]:
    status, _, body = ask(port, "POST", path, json.dumps(content), {**JSON, **headers})
    try:
        return status, json.loads(body)
    except ValueError:
        return status, body.decode()


def test_it_answers_on_the_address_it_was_given_alone(port: int) -> None:
    assert ask(port, "GET", "/")[0] == 200
    for other in ("127.0.0.2", socket.gethostbyname(socket.gethostname())):
        if other != "127.0.0.1":
            with pytest.raises(OSError):  # noqa: PT011  # which one is the system's choice
                ask(port, "GET", "/", to=other)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.2", "127.0.0.1.evil.example", "", "[::1]"])
def test_a_host_of_another_name_is_refused(port: int, host: str) -> None:
    status, _, body = ask(port, "GET", "/api/study", headers={"host": host})
    assert status == 421
    assert b"trial" not in body


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1"])
def test_its_own_names_are_known(port: int, host: str) -> None:
    assert ask(port, "GET", "/", headers={"host": host})[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/media/../README.md", "/media/..%2f..%2fREADME.md", "/media/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/README.md",
        "/manifest.json", "/page.html.jinja", "/../cli.py", "/app.py", "/media/", "/media", "/media/0000000000000000",
        "/media/" + "a" * 5000, "/api/answers", "/api/enter", "/listening.css", "/answers.sqlite", "/media/\x7f",
    ],
)  # fmt: skip
def test_nothing_but_the_study_is_served(port: int, path: str) -> None:
    if path == "/media/\x7f":
        path = "/media/%7f%00"
    assert ask(port, "GET", path)[0] in (404, 405)


def test_clips_of_the_study_are_served_and_others_of_the_corpus_are_not(
    port: int, smoke_corpus: DatasetFolder, study: Study
) -> None:
    for clip in study.clips[:3]:
        status, headers, body = ask(port, "GET", f"/media/{clip}")
        assert status == 200
        assert headers["content-type"] in ("audio/mpeg", "audio/ogg")
        assert len(body) > 500
    others = sorted(set(smoke_corpus.clips) - set(study.clips))
    assert others
    assert {ask(port, "GET", f"/media/{clip}")[0] for clip in others[:5]} == {404}


def test_the_page_may_load_nothing_from_elsewhere_and_be_framed_by_nobody(port: int) -> None:
    for path in ("/", "/app.js", "/style.css", "/api/study", "/nothing"):
        headers = ask(port, "GET", path)[1]
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers


def test_the_page_does_not_know_which_clips_fit(port: int, study: Study) -> None:
    told = json.loads(ask(port, "GET", "/api/study")[2])
    assert set(told["feedback"]) == {trial.id for trial in study.of_kind("practice")}
    assert Study.model_validate(told["study"]) == study


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1:1"},
    ],
)  # fmt: skip
def test_pages_of_other_origins_can_enter_nothing(port: int, headers: dict[str, str], answers: Path) -> None:
    assert posted(port, "/api/enter", {"name": "intruder"}, **headers)[0] == 403
    assert "intruder" not in {session.listener for session in read_sessions([answers])}


def test_a_form_of_another_page_is_no_json(port: int) -> None:
    assert ask(port, "POST", "/api/enter", '{"name": "x"}', {"content-type": "text/plain"})[0] == 415


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/api/enter", {"name": ""}),
        ("/api/enter", {"name": "\u200b\u0000 "}),
        ("/api/enter", {"name": 5}),
        ("/api/enter", {}),
        ("/api/enter", []),
        ("/api/enter", {"name": "x", "admin": True}),
        ("/api/answers", {"key": "x", "answers": []}),
        ("/api/answers", {"key": "' or 1=1 --", "answers": []}),
        ("/api/answers", {"key": "x" * 5000, "answers": []}),
        ("/api/answers", {"key": "x", "answers": [{}] * 2000}),
    ],
)
def test_what_is_not_understood_gets_a_line(port: int, path: str, content: Any) -> None:
    status, told = posted(port, path, content)
    assert status == 400
    assert 0 < len(told["error"]) < 200


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"null", b"[" * 100_000])
def test_what_is_no_json_gets_a_line(port: int, body: bytes) -> None:
    assert ask(port, "POST", "/api/enter", body, JSON)[0] == 400


def test_ten_megabytes_are_refused_however_they_come(port: int, answers: Path) -> None:
    name = json.dumps({"name": "x" * 10_000_000})
    assert ask(port, "POST", "/api/enter", name, JSON)[0] == 413
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        parts = (name[start : start + 65536].encode() for start in range(0, len(name), 65536))
        try:
            connection.request("POST", "/api/enter", parts, JSON, encode_chunked=True)
            assert connection.getresponse().status == 413
        except (BrokenPipeError, ConnectionResetError):
            pass  # it hung up on the sender
    assert ask(port, "GET", "/")[0] == 200
    assert answers.stat().st_size < 1_000_000
    status, told = posted(port, "/api/enter", {"name": "x" * 900_000})
    assert status == 200
    assert len(told["name"]) == 80


def test_answers_are_those_of_the_study_alone(port: int, study: Study) -> None:
    key = posted(port, "/api/enter", {"name": "Cy"})[1]["key"]
    trial = study.of_kind("asked")[0]
    other = next(clip for clip in study.clips if clip not in trial.clips)
    good = {"trial": trial.id, "clip": trial.clips[0], "verdict": "fits", "ms": 10, "plays": 1, "heard_ms": 5, "at": 1}
    for change, said in (
        ({"trial": "q9999"}, "not in the study"),
        ({"clip": other}, "not in trial"),
        ({"verdict": "best"}, "mode"),
        ({"verdict": "maybe"}, "Input"),
        ({"ms": -1}, "greater"),
        ({"ms": 1e308}, "integer"),
        ({"clip": "../../x"}, "not in trial"),
    ):
        status, told = posted(port, "/api/answers", {"key": key, "answers": [good, good | change]})
        assert status == 400, change
        assert said in told["error"]
    assert posted(port, "/api/enter", {"name": "cy", "again": True})[1]["answers"] == [], "all or none are kept"
    assert posted(port, "/api/answers", {"key": key, "answers": [good]}) == (200, {"saved": 1})
    status, told = posted(port, "/api/enter", {"name": "CY"})
    assert (status, told["answers"]) == (409, 1)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_refused(port: int, method: str) -> None:
    assert ask(port, method, "/api/answers", headers=JSON)[0] == 405
