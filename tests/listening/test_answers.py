"""Answers in the database and in downloads: nothing is lost, nothing that does not belong is taken."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from eval_harness.listening.answers import FORMAT, Answer, clean_name, latest, read_sessions
from eval_harness.listening.store import AnswerStore, NameTakenError
from eval_harness.listening.study import Study, StudySettings, make_study
from tests.corpus_fixture import ROOT


@pytest.fixture(scope="module")
def study(smoke_corpus: DatasetFolder) -> Study:
    return make_study(smoke_corpus, StudySettings(queries=4))


def answer(study: Study, number: int = 0, clip: int = 0, verdict: str = "fits", at: int = 1) -> Answer:
    trial = study.of_kind("asked")[number]
    return Answer.model_validate(
        {"trial": trial.id, "clip": trial.clips[clip], "verdict": verdict, "ms": 5, "plays": 1, "heard_ms": 3, "at": at}
    )


def download(study: Study, path: Path, name: str = "Ann", key: str = "k1", answers: tuple[Answer, ...] = ()) -> Path:
    content = {
        "format": FORMAT,
        "study": study.model_dump(mode="json"),
        "listener": name,
        "key": key,
        "answers": [one.model_dump(mode="json") for one in answers],
    }
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_answers_come_back_as_they_were_given(study: Study, tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "a.sqlite", study)
    key = store.enter("  Ann\n\tB. ")
    given = [answer(study, 0, clip) for clip in range(4)]
    assert store.save(key, given) == 4
    assert AnswerStore(tmp_path / "a.sqlite", study).answers(key) == given
    (session,) = read_sessions([tmp_path / "a.sqlite"])
    assert (session.listener, session.study, session.answers) == ("Ann B.", study, tuple(given))


def test_the_last_answer_counts_whatever_order_they_come_in(study: Study, tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "a.sqlite", study)
    key = store.enter("Ann")
    for at, verdict in ((5, "fits"), (9, "unsure"), (7, "not")):
        store.save(key, [answer(study, verdict=verdict, at=at)])
    assert [one.verdict for one in store.answers(key)] == ["unsure"]
    assert latest(study, [answer(study, at=9, verdict="unsure"), answer(study, at=7)]) == (answer(study, at=9, verdict="unsure"),)


def test_in_the_mode_best_a_trial_has_one_answer(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    best = make_study(smoke_corpus, StudySettings(queries=4, mode="best"))
    store = AnswerStore(tmp_path / "a.sqlite", best)
    key = store.enter("Ann")
    for clip in range(3):
        store.save(key, [answer(best, clip=clip, verdict="best", at=clip)])
    (kept,) = store.answers(key)
    assert kept.clip == best.of_kind("asked")[0].clips[2]


def test_a_name_is_one_listener_until_they_say_so_again(study: Study, tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "a.sqlite", study)
    key = store.enter("Zoë")
    store.save(key, [answer(study)])
    with pytest.raises(NameTakenError) as error:
        store.enter("ZOË ")
    assert error.value.answers == 1
    assert store.enter("Zoe\u0308", again=True) == key
    with pytest.raises(EvaluationError, match="name is needed"):
        store.enter("\u200b \x00")


def test_several_studies_share_a_database(study: Study, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    other = make_study(smoke_corpus, StudySettings(queries=4, seed=1))
    for one in (study, other):
        store = AnswerStore(tmp_path / "a.sqlite", one)
        store.save(store.enter("Ann"), [answer(one)])
    first, second = read_sessions([tmp_path / "a.sqlite"])
    assert (first.study, second.study) == (study, other)
    assert AnswerStore(tmp_path / "a.sqlite", other).counts() == {"Ann": 1}


def test_many_threads_and_processes_lose_nothing(study: Study, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "a.sqlite", study)
    code = (
        "import sys; from pathlib import Path; from eval_harness.listening.store import AnswerStore;"
        "from eval_harness.listening.study import Study; from eval_harness.listening.answers import Answer;"
        "study = Study.model_validate_json(sys.stdin.read()); store = AnswerStore(Path(sys.argv[1]), study);"
        "key = store.enter('process');"
        "[store.save(key, [Answer(trial=t.id, clip=c, verdict='fits', ms=1, plays=1, heard_ms=1, at=1)])"
        " for t in study.trials for c in t.clips]"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(store.path)], stdin=subprocess.PIPE, text=True, env={"PYTHONPATH": str(ROOT)}
    )
    assert process.stdin is not None
    process.stdin.write(study.model_dump_json())
    process.stdin.close()
    keys = [store.enter(f"thread {number}") for number in range(4)]

    def work(key: str) -> None:
        for trial in study.trials:
            for clip in trial.clips:
                store.save(key, [Answer(trial=trial.id, clip=clip, verdict="not", ms=1, plays=1, heard_ms=1, at=1)])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, keys))
    assert process.wait(60) == 0
    total = sum(len(trial.clips) for trial in study.trials)
    assert list(store.counts().values()) == [total] * 5


def test_a_database_may_be_made_by_several_at_once(study: Study, tmp_path: Path) -> None:
    for number in range(5):
        with ThreadPoolExecutor(8) as pool:
            stores = list(pool.map(lambda _, n=number: AnswerStore(tmp_path / f"{n}.sqlite", study), range(8)))
        key = stores[0].enter("Ann")
        assert stores[7].name_of(key) == "Ann"


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\0" + b"x" * 500, b"{" * 100_000])
def test_a_file_that_is_no_answers_is_refused_in_a_line(study: Study, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "answers"
    file.write_bytes(content)
    with pytest.raises(EvaluationError) as error:
        read_sessions([file])
    assert str(file) in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 400


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for file in (tmp_path / "none", tmp_path):
        with pytest.raises(EvaluationError, match="give a file of answers"):
            read_sessions([file])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "format"),
        ({"listener": ""}, "listener"),
        ({"listener": "x" * 10_000_000}, "listener"),
        ({"listener": "\u200b"}, "name is empty"),
        ({"key": ""}, "key"),
        ({"extra": 1}, "extra"),
        ({"study": {}}, "study"),
        ({"answers": [{"trial": "q1"}]}, "answers.0"),
    ],
)
def test_a_changed_download_is_refused_in_a_line(study: Study, tmp_path: Path, change: dict[str, Any], said: str) -> None:
    file = download(study, tmp_path / "a.json")
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(EvaluationError) as error:
        read_sessions([file])
    assert said in str(error.value)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"clip": "../../etc/passwd"}, "is not in trial"),
        ({"trial": "q9999"}, "is not in the study"),
        ({"verdict": "best"}, "does not belong to the mode"),
    ],
)
def test_answers_to_what_was_not_asked_are_refused(study: Study, tmp_path: Path, change: dict[str, str], said: str) -> None:
    file = download(study, tmp_path / "a.json", answers=(answer(study).model_copy(update=change),))
    with pytest.raises(EvaluationError, match=said):
        read_sessions([file])


def test_downloads_of_one_listener_are_put_together_and_namesakes_kept_apart(study: Study, tmp_path: Path) -> None:
    early = download(study, tmp_path / "early.json", answers=(answer(study, 0), answer(study, 1, verdict="not", at=1)))
    late = download(study, tmp_path / "late.json", answers=(answer(study, 1, verdict="unsure", at=2), answer(study, 2)))
    other = download(study, tmp_path / "other.json", key="k2", answers=(answer(study, 0, verdict="not"),))
    for files in ([early, late, other], [late, early, other]):
        first, second = read_sessions(files)
        assert [one.verdict for one in first.answers] == ["fits", "unsure", "fits"]
        assert (first.listener, second.listener) == ("Ann", "Ann (2)")
        assert [one.verdict for one in second.answers] == ["not"]


def test_a_database_of_something_else_is_left_alone(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "theirs.sqlite"
    with closing(sqlite3.connect(path)) as opened, opened:
        opened.execute("create table theirs (a)")
    before = path.read_bytes()
    with pytest.raises(EvaluationError, match="a database of something else; give another file"):
        AnswerStore(path, study)
    text = tmp_path / "text"
    text.write_text("hello")
    with pytest.raises(EvaluationError, match="not a database"):
        AnswerStore(text, study)
    assert path.read_bytes() == before
    assert text.read_text() == "hello"
    with pytest.raises(EvaluationError, match="no database of `reasonaudio listen`"):
        read_sessions([path])


def test_a_database_of_another_version_is_told(study: Study, tmp_path: Path) -> None:
    AnswerStore(tmp_path / "a.sqlite", study)
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as opened:
        opened.execute("pragma user_version = 7")
    with pytest.raises(EvaluationError, match="another version"):
        AnswerStore(tmp_path / "a.sqlite", study)


def test_names_are_kept_on_one_line() -> None:
    assert clean_name(" a\u0000b\u202e\n c ") == "ab c"
    assert clean_name("é" * 200) == "é" * 80
    assert clean_name("<b>&") == "<b>&"
