"""The listening page for every listener: by keyboard, by screen reader, on a phone, under a name full of mark-up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.dataset_folder import DatasetFolder
from eval_harness.listening.answers import read_sessions
from eval_harness.listening.material import static_page
from eval_harness.listening.study import Study, StudySettings, make_study
from tests.browser import Browser
from tests.listening.listener import Listener, follows_the_rule, served

HOSTILE = '<img src=x onerror="hacked=1"><script>hacked=1</script>&amp;\u202e"\''
_ANSWERS = "[...document.querySelectorAll('#clips input:checked')].map(one => one.value)"


@pytest.fixture(scope="module")
def study(smoke_corpus: DatasetFolder) -> Study:
    return make_study(smoke_corpus, StudySettings(queries=4, practice=1))


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page") / "answers.sqlite"


@pytest.fixture(scope="module")
def url(smoke_corpus: DatasetFolder, answers: Path) -> Iterator[str]:
    with served(smoke_corpus.path, answers, "--queries", "4", "--practice", "1") as (found, _):
        yield found


@pytest.fixture
def listener(page: Browser, smoke_corpus: DatasetFolder, study: Study, url: str, request: pytest.FixtureRequest) -> Listener:
    """Somebody new, at the first question."""
    found = Listener(page, study, follows_the_rule(smoke_corpus, study))
    found.begin(url, request.node.name)
    return found


def test_all_of_a_question_can_be_done_by_keyboard(listener: Listener) -> None:
    page = listener.page
    page.press("f")
    assert page.evaluate("document.getElementById('verdict').textContent") == "Play clip 1 first."
    assert page.evaluate(_ANSWERS) == []
    page.press(" ")
    page.wait("document.querySelector('#clips .player button').textContent != '▶ Play'")
    page.press("f")
    page.press("2")
    page.wait("document.querySelectorAll('#clips .player button')[1].textContent != '▶ Play'")
    page.press("n")
    page.press("Enter")
    assert "Clip 3 has no answer yet" in page.evaluate("document.getElementById('verdict').textContent")
    for key, answer in (("3", "c"), ("4", "F")):
        page.press(key)
        page.wait(f"document.querySelectorAll('#clips .player button')[{int(key) - 1}].textContent != '▶ Play'")
        page.press(answer)
    assert page.evaluate(_ANSWERS) == ["fits", "not", "unsure", "fits"]
    page.evaluate("document.getElementById('text').focus()")
    page.press("Enter")
    page.wait("document.querySelector('.feedback') != null")
    page.press("Enter")
    page.wait("document.querySelector('.feedback') == null")
    assert page.evaluate("document.activeElement.id") == "text", "a screen reader begins with the sentence"
    assert page.errors == []


def test_one_clip_plays_at_a_time_and_playing_again_is_counted(listener: Listener) -> None:
    page = listener.page
    page.evaluate("window.sounding = 0; addEventListener('x', () => {})")
    listener.play(0)
    listener.play(1)
    assert page.evaluate("document.querySelectorAll('#clips .player button')[0].textContent") == "▶ Play again"
    page.wait("document.querySelectorAll('#clips .player button')[1].textContent == '▶ Play again'")  # it has ended
    assert float(page.evaluate("document.querySelectorAll('#clips .player input')[1].value")) > 0.5


def test_everything_that_can_be_used_has_a_name(listener: Listener) -> None:
    listener.answer_trial()
    listener.page.click("#next")
    names = listener.page.names()
    assert len(names) > 4 * 5
    assert [role for role, name in names if not name.strip()] == []
    assert ("button", "Play again clip 3") in names
    assert ("slider", "Position in clip 2") in names
    assert ("radio", "Does not fit") in names
    legends = listener.page.evaluate("[...document.querySelectorAll('#clips legend')].map(one => one.textContent)")
    assert legends == [f"Your answer for clip {number}" for number in (1, 2, 3, 4)]


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_wider_than_the_screen_and_fingers_find_the_buttons(listener: Listener, width: int) -> None:
    page = listener.page
    page.resize(width, 800, phone=width < 1000)
    try:
        listener.answer_trial()
        page.click("#next")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        small = (
            "[...document.querySelectorAll('button, #clips label, .player input')].filter(one => one.offsetParent && "
            "one.getBoundingClientRect().height < 43.5).map(one => one.textContent)"
        )
        assert page.evaluate(small) == []
    finally:
        page.resize(1280)


def test_going_back_shows_and_changes_an_answer(listener: Listener, answers: Path) -> None:
    listener.answer_trial()
    listener.go_on()
    trial, clips = listener.trial, listener.clips
    for number in range(4):
        listener.answer(number, "unsure")
    listener.go_on()
    listener.page.click("#back")
    assert (listener.trial, listener.clips) == (trial, clips)
    assert listener.page.evaluate(_ANSWERS) == ["unsure"] * 4
    listener.page.click("#clips li:nth-child(2) input[value=fits]")  # heard before: it need not be played again
    listener.saved()
    (session,) = (one for one in read_sessions([answers]) if one.listener.startswith("test_going_back"))
    assert [one.verdict for one in session.answers if (one.trial, one.clip) == (trial.id, clips[1])] == ["fits"]


def test_a_pause_stops_the_sound_and_the_clock(listener: Listener, answers: Path) -> None:
    page = listener.page
    listener.play(0)
    page.click("#pause")
    listener.shown("paused")
    assert page.evaluate("new Promise(go => setTimeout(() => go(true), 1500))")
    page.click("#resume")
    listener.shown("trial")
    listener.answer(0, "not")
    listener.saved()
    (session,) = (one for one in read_sessions([answers]) if one.listener.startswith("test_a_pause"))
    assert session.answers[0].ms < 1400


def test_a_hostile_name_is_text(page: Browser, smoke_corpus: DatasetFolder, study: Study, url: str, answers: Path) -> None:
    listener = Listener(page, study, follows_the_rule(smoke_corpus, study))
    listener.begin(url, HOSTILE)
    listener.answer(0, "fits")
    listener.saved()
    page.click("#pause")
    kept = HOSTILE.replace("\u202e", "")[:80]
    assert f"“{kept}”" in page.evaluate("document.getElementById('paused-text').textContent")
    listener.begin(url, HOSTILE, again=True)
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.evaluate("document.querySelectorAll('img').length") == 0
    assert kept in [session.listener for session in read_sessions([answers])]
    assert page.errors == []


def test_a_name_is_needed(page: Browser, url: str) -> None:
    page.open(url)
    page.wait("document.getElementById('welcome') && !document.getElementById('welcome').hidden")
    page.evaluate("document.getElementById('name').value = ' \\u200b '")
    page.click("#enter button")
    page.wait("document.getElementById('refused').textContent != ''")
    assert "name is needed" in page.evaluate("document.getElementById('refused').textContent")


def test_texts_of_a_study_cannot_break_out_of_a_file(
    page: Browser, smoke_corpus: DatasetFolder, study: Study, tmp_path: Path
) -> None:
    evil = "</script><script>hacked=1</script><!-- <b>bold</b> -->"
    changed = study.model_copy(update={"trials": tuple(one.model_copy(update={"text": evil}) for one in study.trials)})
    file = tmp_path / "evil.html"
    file.write_text(static_page(smoke_corpus, changed), encoding="utf-8")
    listener = Listener(page, changed, follows_the_rule(smoke_corpus, changed))
    listener.begin(file, HOSTILE)
    assert page.evaluate("document.getElementById('text').textContent") == evil
    assert page.evaluate("typeof hacked") == "undefined"
    listener.answer_trial()
    assert page.errors == []


def test_every_listener_has_an_order_of_their_own_with_catch_trials_spread(
    page: Browser, mini_corpus: DatasetFolder, tmp_path: Path
) -> None:
    study = make_study(mini_corpus, StudySettings(queries=40, practice=2, catch_every=10, clips=2))
    file = tmp_path / "listen.html"
    file.write_text(static_page(mini_corpus, study), encoding="utf-8")
    orders = []
    for name in ("Ann", "Bo"):
        listener = Listener(page, study, lambda trial, clip: "fits")
        listener.begin(file, name)
        kinds, order = [], []
        while page.evaluate("document.getElementById('done').hidden"):
            kinds.append(listener.trial.kind)
            order.append((listener.trial.id, *listener.clips))
            listener.answer_trial()
            listener.go_on()
        assert kinds[:2] == ["practice"] * 2
        for part in range(4):
            assert kinds[2 + 11 * part : 13 + 11 * part].count("catch") == 1
        orders.append(order)
    assert sorted(one[0] for one in orders[0]) == sorted(one[0] for one in orders[1])
    assert [one[0] for one in orders[0]] != [one[0] for one in orders[1]]
    clips = [{one[0]: one[1:] for one in order} for order in orders]
    assert any(clips[0][trial] != clips[1][trial] for trial in clips[0])
