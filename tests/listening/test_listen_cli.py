"""`reasonaudio listen` as a command: what it prints, writes and refuses."""

from __future__ import annotations

import html
import signal
import socket
from pathlib import Path

import pytest

from builders.dataset_folder import DatasetFolder
from tests.cli_fixture import run
from tests.listening.listener import served


def test_the_server_ends_in_order_and_says_what_it_has(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    with served(smoke_corpus.path, tmp_path / "new" / "a.sqlite", "--queries", "4") as (_, process):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert out == ""
    assert "0 answers of 0 listeners in" in err
    assert "reasonaudio listen-results" in err
    assert "Traceback" not in err


def test_a_file_is_written_whole(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    found = run("listen", smoke_corpus.path, "--queries", 3, "--static", tmp_path / "x.html")
    assert found.exit_code == 0, found.stderr
    assert found.stdout.strip() == str(tmp_path / "x.html")
    assert "MB" in found.stderr
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "connect-src 'none'" in html.unescape(page)
    assert [path.name for path in tmp_path.iterdir()] == ["x.html"]


@pytest.mark.parametrize(
    ("options", "said", "code"),
    [
        (["--task", "oder"], "--task oder: no such task or form", 2),
        (["--queries", "0"], "--queries 0: not from 1", 2),
        (["--clips", "99"], "--clips 99: not from 2 to 20", 2),
        (["--host", "no.such.host.invalid"], "no such address", 2),
        (["--host", "192.0.2.1"], "not an address of this machine", 2),
        (["--static", "none/x.html"], "none", 1),
        (["--static", "x.html", "--answers", "a"], "--answers is for the page that is served", 2),
        (["--static", "x.html", "--port", "1"], "--port is for", 2),
        (["--mode", "guess"], "guess", 2),
    ],
)
def test_what_cannot_be_is_said_in_a_line(
    smoke_corpus: DatasetFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], said: str, code: int
) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("listen", smoke_corpus.path, *options)
    assert found.exit_code == code, found.stderr
    assert said in found.stderr
    assert "Traceback" not in found.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_taken_port_and_a_wrong_file_are_told(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        found = run("listen", smoke_corpus.path, "--port", taken.getsockname()[1], "--answers", tmp_path / "a.sqlite")
    assert found.exit_code == 2
    assert "taken by another program; give another, or 0" in found.stderr
    (tmp_path / "text").write_text("mine")
    found = run("listen", smoke_corpus.path, "--port", 0, "--answers", tmp_path / "text")
    assert found.exit_code == 2
    assert "not a database; give another file" in found.stderr
    assert (tmp_path / "text").read_text() == "mine"


def test_fewer_queries_than_asked_for_are_said(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    found = run("listen", smoke_corpus.path, "--queries", 1000, "--static", tmp_path / "x.html", "--clips", 2)
    assert "26 queries are asked; there are no more besides those practised on" in found.stderr
