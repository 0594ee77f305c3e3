"""Where a report goes, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from builders.errors import EvaluationError
from eval_harness.cli import app
from eval_harness.report.place import MARKER, check_place, mark, written_aside


def write(path: Path, *names: str) -> None:
    with written_aside(path) as aside:
        for name in names:
            (aside / name).parent.mkdir(parents=True, exist_ok=True)
            (aside / name).write_text(name)
        mark(aside, {})


def names(path: Path) -> set[str]:
    return {file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file()}


def test_an_earlier_report_is_replaced_whole(tmp_path: Path) -> None:
    to = tmp_path / "deep" / "report"
    write(to, "index.html", "clips/old.mp3")
    write(to, "index.html", "clips/new.mp3")
    assert names(to) == {"index.html", "clips/new.mp3", MARKER}
    assert list(to.parent.iterdir()) == [to]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    write(tmp_path / "report", "index.html")
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty", "index.html")
    assert names(tmp_path / "empty") == {"index.html", MARKER}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"kind": "other", "files": []}', '{"kind": "reasonaudio report"}'])
def test_a_folder_that_is_no_report_is_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    if content:
        (tmp_path / MARKER).write_text(content)
    before = names(tmp_path)
    with pytest.raises(EvaluationError, match="is not empty, and no report; nothing in it is changed"):
        write(tmp_path, "index.html")
    assert names(tmp_path) == before


def test_a_report_with_files_of_others_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "report", "index.html")
    (tmp_path / "report" / "notes.txt").write_text("mine")
    with pytest.raises(EvaluationError, match=r"holds other files too, as notes\.txt; move them away"):
        check_place(tmp_path / "report")
    assert (tmp_path / "report" / "notes.txt").read_text() == "mine"


def test_files_and_links_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path)
    for name, what in (("file", "a file"), ("link", "a link")):
        with pytest.raises(EvaluationError, match=f"{name} is {what}; give another folder with --to"):
            check_place(tmp_path / name)


def test_a_report_that_fails_leaves_the_earlier_one_and_nothing_else(tmp_path: Path) -> None:
    to = tmp_path / "report"
    write(to, "index.html")

    def fail() -> None:
        with written_aside(to) as aside:
            (aside / "half").write_text("")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert names(to) == {"index.html", MARKER}
    assert list(tmp_path.iterdir()) == [to]


# --- the command ------------------------------------------------------------------------------------------------------


def call(*args: object) -> Result:
    return CliRunner().invoke(app, ["report", *(str(arg) for arg in args)])


def test_the_command_says_where_the_report_is_and_one_task_is_enough(little: Path, tmp_path: Path) -> None:
    to = tmp_path / "here"
    result = call(little, "--to", to, "--title", "Mine", "--examples", 0, "-q")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{to / 'index.html'}\n"
    assert result.stderr == ""
    assert "<h1>Mine</h1>" in (to / "index.html").read_text()
    assert json.loads((to / MARKER).read_text())["title"] == "Mine"
    assert {file.name for file in to.glob("*.html")} == {"index.html", "order.html"}
    assert "lab/one" in (to / "leaderboard.csv").read_text()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nowhere"], "nowhere does not exist; give the folder that `reasonaudio run --out` wrote"),
        (["{scored}", "--to", "{scored}"], "is not empty, and no report"),
        (["{scored}", "--data", "{scored}"], "is not a dataset folder"),
        (["{scored}", "--examples", "-1"], "--examples"),
    ],
)
def test_bad_input_is_one_line(scored: Path, args: list[str], said: str) -> None:
    result = call(*(arg.format(scored=scored) for arg in args))
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert len(result.stderr.strip().splitlines()) == 1
