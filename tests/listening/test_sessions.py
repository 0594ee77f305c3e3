"""Whole sessions in a browser, on the server and from a file: what listeners answer arrives, and tells how they listened."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

from builders.dataset_folder import DatasetFolder
from eval_harness.listening.answers import Session, read_sessions
from eval_harness.listening.findings import Findings, findings
from eval_harness.listening.material import static_page
from eval_harness.listening.study import StudySettings, Trial, fitting, make_study
from tests.browser import Browser, browser
from tests.listening.listener import Judge, Listener, follows_the_rule, hears_sounds_only, served


def right(folder: DatasetFolder, session: Session) -> list[bool]:
    """Of every answer to what was asked, whether it is as the rule says."""
    trials = session.study.by_id
    return [
        (answer.verdict in ("fits", "best")) == (answer.clip in fitting(folder, trials[answer.trial]))
        for answer in session.answers
        if trials[answer.trial].kind == "asked"
    ]


def heard(page: Browser, folder: DatasetFolder, answers: Path, settings: StudySettings, judge: Judge) -> Findings:
    """What a listener's whole session on the server tells."""
    study = make_study(folder, settings)
    options = [f"--queries={settings.queries}", f"--practice={settings.practice}", f"--clips={settings.clips}"]
    with served(folder.path, answers, *options, *(f"--task={task}" for task in settings.tasks)) as (url, _):
        listener = Listener(page, study, judge)
        listener.begin(url, "Ann")
        listener.all()
        listener.saved()
    return findings(folder, read_sessions([answers]), resamples=2000)


def test_a_listener_who_follows_the_rule_is_right_throughout(page: Browser, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    study = make_study(smoke_corpus, StudySettings(queries=13))
    answers = tmp_path / "answers.sqlite"
    with served(smoke_corpus.path, answers, "--queries", "13") as (url, _):
        listener = Listener(page, study, follows_the_rule(smoke_corpus, study))
        listener.begin(url, "Ann")
        listener.all()
        listener.saved()
    (session,) = read_sessions([answers])
    assert session.study == study
    assert session.listener == "Ann"
    assert len(session.answers) == sum(len(trial.clips) for trial in study.trials)
    assert all(right(smoke_corpus, session))
    (scores,) = findings(smoke_corpus, [session], resamples=500).modes
    assert scores.mean is not None
    assert scores.mean.interval.value == 1
    assert {one.interval.value for kinds in scores.kinds.values() for one in kinds.values()} == {1}
    assert all(answer.plays >= 1 and answer.ms > 0 for answer in session.answers)
    assert set(page.requests) <= {"http", "blob", "data"}
    assert page.errors == []


def test_a_listener_who_answers_at_random_lies_within_chance(page: Browser, mini_corpus: DatasetFolder, tmp_path: Path) -> None:
    def guess(trial: Trial, clip: str) -> str:  # the same in whatever order it is asked
        return random.Random(f"0 {trial.id} {clip}").choice(["fits", "not"])  # noqa: S311  # a listener, no secret

    settings = StudySettings(queries=40, practice=0)
    found = heard(page, mini_corpus, tmp_path / "a.sqlite", settings, guess)
    (scores,) = found.modes
    assert scores.mean is not None
    assert 0.5 in scores.mean.interval
    assert scores.mean.interval.high < 0.75
    assert found.listeners[0].failed >= 2, "catch trials tell"
    assert found.listeners[0].early > 0.5, "clips were not heard to their end"


def test_a_listener_who_ignores_order_is_found_out_by_the_kinds_of_foil(
    page: Browser, mini_corpus: DatasetFolder, tmp_path: Path
) -> None:
    settings = StudySettings(queries=12, practice=0, tasks=("order",), clips=6)
    judge = hears_sounds_only(mini_corpus, make_study(mini_corpus, settings))
    found = heard(page, mini_corpus, tmp_path / "a.sqlite", settings, judge)
    kinds = {kind: one.interval.value for kind, one in found.modes[0].kinds["order"].items()}
    assert kinds == {"relevant": 1, "anchor-missing": 1, "reversed": 0, "permuted": 0, "simultaneous": 0}
    assert found.listeners[0].failed == 0
    assert found.modes[0].tasks["order"].interval.value < 0.75
    assert len(found.contradictions) > 10


def test_the_best_of_the_clips_can_be_asked_for(page: Browser, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    settings = StudySettings(queries=4, mode="best", catch_every=4, practice=1, clips=3)
    study = make_study(smoke_corpus, settings)
    answers = tmp_path / "answers.sqlite"
    options = ("--queries", "4", "--mode", "best", "--catch-every", "4", "--practice", "1", "--clips", "3")
    with served(smoke_corpus.path, answers, *options) as (url, _):
        listener = Listener(page, study, follows_the_rule(smoke_corpus, study))
        listener.begin(url, "Ann")
        listener.all()
        listener.saved()
    (session,) = read_sessions([answers])
    assert len(session.answers) == len(study.trials), "one of a trial"
    assert all(right(smoke_corpus, session))


def test_a_file_from_disk_gives_its_answers_as_a_download(page: Browser, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    study = make_study(smoke_corpus, StudySettings(queries=3, practice=1))
    file = tmp_path / "listen here.html"
    file.write_text(static_page(smoke_corpus, study), encoding="utf-8")
    page.requests.clear()
    listener = Listener(page, study, follows_the_rule(smoke_corpus, study))
    listener.begin(file, "Bo")
    page.allow_downloads(tmp_path)
    listener.answer_trial()
    listener.go_on()
    listener.answer(0, "unsure")
    listener.begin(file, "bo", again=True)  # closed and opened again, and the name written otherwise
    assert listener.trial.kind != "practice"
    assert page.evaluate("document.querySelector('#clips li input[value=unsure]').checked")
    listener.all()
    page.click("#done .download")
    end = time.monotonic() + 20
    while not (found := list(tmp_path.glob("listening-Bo*.json"))):
        assert time.monotonic() < end
        time.sleep(0.05)
    (session,) = read_sessions(found)
    assert session.listener == "Bo"
    assert session.study == study
    assert len(session.answers) == sum(len(trial.clips) for trial in study.trials)
    assert all(right(smoke_corpus, session))
    assert set(page.requests) <= {"file", "data", "blob"}, "nothing is loaded, nothing is sent"
    assert page.errors == []


def test_closing_the_page_loses_no_answer(page: Browser, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    study = make_study(smoke_corpus, StudySettings(queries=5, practice=1))
    answers = tmp_path / "answers.sqlite"
    with served(smoke_corpus.path, answers, "--queries", "5", "--practice", "1") as (url, _):
        listener = Listener(page, study, follows_the_rule(smoke_corpus, study))
        listener.begin(url, "Ann")
        for _ in range(2):
            listener.answer_trial()
            listener.go_on()
        trial, first = listener.trial, listener.clips[0]
        listener.answer(0, "unsure")
        page.close()  # at once, whatever is still under way
        time.sleep(0.5)
        (session,) = read_sessions([answers])
        assert len(session.answers) == 9
        assert [one.verdict for one in session.answers if (one.trial, one.clip) == (trial.id, first)] == ["unsure"]
        listener.begin(url, "  ann ", again=True)
        assert (listener.trial, listener.clips[0]) == (trial, first), "where it was, in the same order"
        assert page.evaluate("document.querySelectorAll('#clips input:checked').length") == 1
        listener.all()
        listener.saved()
    (session,) = read_sessions([answers])
    assert len(session.answers) == sum(len(one.clips) for one in study.trials)
    assert all(right(smoke_corpus, session)), "the later answer counts"


def test_answers_given_while_the_server_is_away_arrive_when_it_is_back(
    page: Browser, smoke_corpus: DatasetFolder, tmp_path: Path
) -> None:
    study = make_study(smoke_corpus, StudySettings(queries=5, practice=0))
    answers = tmp_path / "answers.sqlite"
    options = ("--queries", "5", "--practice", "0")
    listener = Listener(page, study, follows_the_rule(smoke_corpus, study))
    with served(smoke_corpus.path, answers, *options) as (url, process):
        listener.begin(url, "Ann")
        for number in range(len(listener.clips)):
            listener.play(number)
        listener.answer(0, "fits")
        listener.saved()
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    listener.answer(1, "not")
    listener.answer(2, "not")
    page.wait("document.getElementById('saved').textContent.includes('does not answer')")
    with served(smoke_corpus.path, answers, *options, "--port", url.rstrip("/").rpartition(":")[2]):
        listener.saved()
    (session,) = read_sessions([answers])
    assert len(session.answers) == 3


def test_two_listeners_at_once(page: Browser, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    study = make_study(smoke_corpus, StudySettings(queries=4, practice=0))
    answers = tmp_path / "answers.sqlite"
    options = ("--queries", "4", "--practice", "0")
    with (
        served(smoke_corpus.path, answers, *options) as (url, _),
        browser(tmp_path / "profile") as other,
    ):
        ann = Listener(page, study, follows_the_rule(smoke_corpus, study))
        bo = Listener(other, study, lambda trial, clip: "unsure")
        ann.begin(url, "Ann")
        bo.begin(url, "Bo")
        for listener in (ann, bo) * len(study.trials):
            listener.answer_trial()
            listener.go_on()
        ann.saved()
        bo.saved()
    first, second = read_sessions([answers])
    assert (first.listener, second.listener) == ("Ann", "Bo")
    assert all(right(smoke_corpus, first))
    assert len(first.answers) == len(second.answers)
    assert {answer.verdict for answer in second.answers} == {"unsure"}


def test_feedback_of_practice_tells_what_was_right(page: Browser, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    study = make_study(smoke_corpus, StudySettings(queries=2, practice=2))
    answers = tmp_path / "answers.sqlite"
    with served(smoke_corpus.path, answers, "--queries", "2") as (url, _):
        listener = Listener(page, study, lambda trial, clip: "fits")
        listener.begin(url, "Ann")
        assert listener.trial.kind == "practice"
        listener.answer_trial()
        page.click("#next")
        fit = fitting(smoke_corpus, listener.trial)
        told = page.evaluate("[...document.querySelectorAll('.feedback strong')].map(one => one.textContent)")
        assert told == ["Right. It fits." if clip in fit else "No. It does not fit." for clip in listener.clips]
        assert page.evaluate("document.getElementById('verdict').textContent") == f"{len(fit)} of 4 clips right."
        assert page.evaluate("document.querySelectorAll('.feedback .heard div').length") == sum(
            len(smoke_corpus.clips[clip].timeline) for clip in listener.clips
        )
        assert page.evaluate("[...document.querySelectorAll('#clips fieldset input')].every(one => one.disabled)")
        page.click("#next")
        listener.answer_trial()
        listener.go_on()
        listener.answer_trial()
        page.click("#next")
        assert page.evaluate("document.querySelector('.feedback') == null"), "nothing is told of what is asked"
