"""`reasonaudio listen-results`: what it prints and writes; hostile names; files of something else; its page in a browser."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from builders import card, layout
from builders.check import check
from builders.dataset_folder import DatasetFolder, content_hash
from builders.sounds.excluded import read_exclusions
from eval_harness.listening.answers import read_sessions
from eval_harness.listening.findings import findings
from eval_harness.listening.store import AnswerStore
from eval_harness.listening.study import Trial
from tests.browser import Browser, browser
from tests.cli_fixture import run
from tests.listening.made import by_rule, download, session, study_of
from tests.scored_corpus import smoke_corpus  # noqa: F401  # fixture

HOSTILE = "<img src=x onerror=\"document.title='owned'\"> [bold red]{{ 7 * 7 }} ${x} | \\"


@pytest.fixture(scope="module")
def files(smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:  # noqa: F811
    """Answers of three: one of an evil name, and two who mistake every third clip."""
    place = tmp_path_factory.mktemp("answers")
    study = study_of(smoke_corpus)
    rule = by_rule(smoke_corpus)

    def errs(trial: Trial, clip: str) -> str:
        wrong = trial.kind == "asked" and int(clip, 16) % 3 == 0
        return ("not" if rule(trial, clip) == "fits" else "fits") if wrong else rule(trial, clip)

    found = [session(study, rule, "evil"), session(study, errs, "Bob"), session(study, errs, "Cy")]
    found[0] = replace(found[0], listener=HOSTILE)
    return [download(one, place / f"{number}.json") for number, one in enumerate(found)]


@pytest.fixture(scope="module")
def told(smoke_corpus: DatasetFolder, files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:  # noqa: F811
    """The folder that is written, and what is printed."""
    to = tmp_path_factory.mktemp("out") / "heard"
    done = run("listen-results", *files, "--data", smoke_corpus.path, "--out", to, "--num-proc", "1")
    assert done.exit_code == 0, done.output
    return to, done.stdout


def test_all_of_it_is_printed(told: tuple[Path, str]) -> None:
    _, printed = told
    for said in (
        "3 listeners, 30 queries",
        "order-1",
        "anchor-missing",
        "Krippendorff's alpha",
        "majority contradicts the rule in",
    ):
        assert said in printed
    assert "[bold red]" in "".join(printed.split("\n")).replace("  ", " ")


def test_the_folder_holds_values_a_list_and_a_page(told: tuple[Path, str], smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    to, _ = told
    values = json.loads((to / "results.json").read_text())
    assert values["modes"][0]["listeners"][0] == HOSTILE
    assert values["modes"][0]["mean"]["value"] not in (0, 1)
    assert values["listeners"][0]["accuracy"]["value"] == 1
    wrong = {one["clip"] for one in values["contradictions"]}
    assert wrong == {clip for clip in _heard(smoke_corpus) if int(clip, 16) % 3 == 0}
    assert all(one["verdicts"] in ({"fits": 1, "not": 2}, {"fits": 2, "not": 1}) for one in values["contradictions"])
    exclusions = read_exclusions(to / "exclude.csv")
    proposed = [one for one in values["suspects"] if one["proposed"]]
    assert set(exclusions.recordings) == {one["recording"] for one in proposed if one["kind"] == "recording"}
    assert len(exclusions.pairs) <= sum(one["kind"] == "pair" for one in proposed)
    assert {file.stem for file in (to / "clips").glob("*.webp")} == wrong
    page = (to / "contradictions.html").read_text()
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page
    assert page.count('<li class="clip">') == len(values["contradictions"])
    assert not any(other in page for other in ("http://", "https://"))


def _heard(folder: DatasetFolder) -> set[str]:
    return {clip for trial in study_of(folder).of_kind("asked") for clip in trial.clips}


def test_the_folder_is_replaced_and_nothing_else_is(
    told: tuple[Path, str],
    files: list[Path],
    smoke_corpus: DatasetFolder,  # noqa: F811
    tmp_path: Path,
) -> None:
    to, _ = told
    before = (to / "results.json").read_bytes()
    done = run("listen-results", *files, "--data", smoke_corpus.path, "--out", to, "--num-proc", "1", "-q")
    assert done.exit_code == 0
    assert (to / "results.json").read_bytes() == before
    (tmp_path / "mine.txt").write_text("kept")
    refused = run("listen-results", *files, "--data", smoke_corpus.path, "--out", tmp_path)
    assert refused.exit_code == 2
    assert "no folder of listening results" in refused.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_a_servers_database_is_read_too(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    study = study_of(smoke_corpus, queries=5)
    store = AnswerStore(tmp_path / "a.sqlite", study)
    for name in ("Ann", "Bob"):
        store.save(store.enter(name), session(study, by_rule(smoke_corpus), name).answers)
    store.enter("Cy")
    done = run("listen-results", tmp_path / "a.sqlite", "--data", smoke_corpus.path)
    assert done.exit_code == 0
    assert "2 listeners, 5 queries" in done.stdout
    assert "in 0 of" in done.stdout
    assert "0/5" in done.stdout  # Cy's queries


def test_left_out_listeners_are_named(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    study = study_of(smoke_corpus)
    ann, bob = session(study, by_rule(smoke_corpus)), session(study, lambda trial, clip: "fits", "Bob")
    given = [download(one, tmp_path / f"{one.listener}.json") for one in (ann, bob)]
    done = run("listen-results", *given, "--data", smoke_corpus.path)
    assert "failed catch trials (!): Bob" in done.stderr
    done = run("listen-results", *given, "--data", smoke_corpus.path, "--most-catch-failures", "0")
    assert "left out" in done.stdout
    assert "1 listener, 30 queries" in done.stdout


def test_what_is_no_file_of_answers_is_one_line(smoke_corpus: DatasetFolder, files: list[Path], tmp_path: Path) -> None:  # noqa: F811
    whole = files[0].read_text()
    other = json.loads(whole)
    other["study"]["content_hash"] = "0" * 64
    contents = {
        "cut.json": whole[: len(whole) // 2],
        "empty.json": "",
        "other.json": json.dumps(other),
        "more.json": json.dumps(json.loads(whole) | {"evil": 1}),
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    sqlite3.connect(tmp_path / "db.sqlite").execute("create table x (y)").connection.close()
    (tmp_path / "cut.sqlite").write_bytes(b"SQLite format 3\0" + b"\xff" * 3000)
    for name in (*contents, "db.sqlite", "cut.sqlite", "nothing.json"):
        done = run("listen-results", tmp_path / name, "--data", smoke_corpus.path)
        assert done.exit_code == 2, name
        assert done.stderr.startswith("error: ")
        assert done.stderr.rstrip().count("\n") == 0
        assert name in done.stderr


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.mark.parametrize("width", [1200, 390])
def test_the_page_opens_from_disk_and_fits(page: Browser, told: tuple[Path, str], width: int) -> None:
    page.open(told[0] / "contradictions.html")
    page.resize(width, phone=width < 500)
    assert page.evaluate("[...document.images].every(image => (image.loading = 'eager', true))")
    page.wait("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
    assert page.evaluate("document.title") != "owned"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.querySelectorAll('svg.lanes').length") == page.evaluate(
        "document.querySelectorAll('audio').length"
    )
    assert page.errors == []
    assert set(page.requests) <= {"file", "data"}


def test_the_card_tells_of_people_without_their_names_and_keeps_it(
    smoke_corpus: DatasetFolder,  # noqa: F811
    files: list[Path],
    tmp_path: Path,
) -> None:
    corpus = Path(shutil.copytree(smoke_corpus.path, tmp_path / "corpus"))
    assert "Not asked yet" in (card.section(card.read_card(corpus), card.PEOPLE) or "")
    done = run("listen-results", *files, "--data", corpus, "--card")
    assert done.exit_code == 0, done.output
    text = card.section(card.read_card(corpus), card.PEOPLE) or ""
    assert text.startswith("3 listeners were asked about 30 queries")
    found = findings(DatasetFolder.open(corpus), read_sessions(files))
    (scores,) = found.modes
    for task, one in scores.tasks.items():
        (row,) = (line for line in text.splitlines() if line.startswith(f"| {task} "))
        assert f"{100 * one.interval.value:.1f} [{100 * one.interval.low:.1f}, {100 * one.interval.high:.1f}]" in row
    assert f"in {len(found.contradictions)} of {len(found.pairs)} judged" in " ".join(text.split())
    assert f"{found.agreement['all'].alpha.value:.2f}" in text
    assert not any(name in text for name in ("Bob", "Cy", "img", "owned"))
    assert content_hash(corpus) == content_hash(smoke_corpus.path)
    assert not check(corpus)
    assert run("card", corpus, "--no-audit").exit_code == 0
    assert card.section(card.read_card(corpus), card.PEOPLE) == text
    assert "give one with --data" in run("listen-results", *files, "--card", "--data", "org/name").stderr
    (corpus / layout.CARD).unlink()
    done = run("listen-results", *files, "--data", corpus, "--card", "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert done.stdout == "", "it is said before anything is computed"
    assert len(done.stderr.strip().splitlines()) == 1
    assert "README.md" in done.stderr
    assert not (tmp_path / "out").exists()
