"""The page to listen to a library: what is in it, and what a browser makes of it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from PIL import Image

from builders.errors import SoundLibraryError
from builders.logic import Relations
from builders.sounds import page as module
from builders.sounds.library import AtomicSound, Recording, SoundLibrary
from builders.sounds.ontology import Ontology
from builders.sounds.page import make_page, media_of
from builders.sounds.spectrogram import BANDS, COLUMNS, log_mel, picture
from builders.sounds.synth import SOUNDS
from tests.browser import Browser, browser

RATE = 32_000


def tone(hertz: float, seconds: float, level: float = 0.3) -> np.ndarray:
    return np.asarray(level * np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE), dtype=np.float32)


def library(name: str = "folder:mine") -> SoundLibrary:
    sounds = (
        AtomicSound("bell", "a bell <i>ringing</i>", "a bell rings", False, "/m/bell"),
        AtomicSound("hum & buzz", "a hum", "something hums", True),
        AtomicSound("whistle", "a whistle", "a whistle blows", False),
    )
    recordings = []
    for k, sound in enumerate(sounds):
        for n, seconds in enumerate((0.6, 0.8)):
            samples = tone(300 * (k + 1) + 50 * n, seconds)
            recordings.append(Recording(f"{sound.label}/{n}", sound.label, samples, int(1000 * seconds), True, "CC-BY 3.0"))
    near = {"bell": frozenset({"whistle"}), "whistle": frozenset({"bell"})}
    return SoundLibrary(name, RATE, sounds, tuple(recordings), Relations({}, near))


ONTOLOGY = Ontology({"/m/bell": "Bell", "top": "Sounds of things"}, {"top": ("/m/bell",), "/m/bell": ()})


# --- spectrograms -----------------------------------------------------------------------------------------------------


def test_a_tone_stands_where_its_pitch_is() -> None:
    low, high = log_mel(tone(200, 1), RATE), log_mel(tone(6000, 1), RATE)
    assert low.shape == high.shape == (BANDS, COLUMNS)
    assert low.max() == high.max() == 0
    assert low.min() >= -70
    middle = COLUMNS // 2
    edges = np.linspace(2595 * np.log10(1 + 50 / 700), 2595 * np.log10(1 + 16_000 / 700), BANDS + 2)
    for found, hertz in ((low, 200), (high, 6000)):
        centre = 700 * (10 ** (edges[1 + found[:, middle].argmax()] / 2595) - 1)
        assert centre == pytest.approx(hertz, rel=0.12)
        assert (found[:, middle] > -20).sum() <= 6


def test_time_runs_to_the_right_and_the_picture_has_high_sounds_above() -> None:
    both = np.concatenate([tone(200, 1), tone(6000, 1)])
    pixels = np.asarray(Image.open(io.BytesIO(picture(both, RATE))).convert("L"), dtype=float)
    assert pixels.shape == (BANDS, COLUMNS)
    left, right = pixels[:, 20:60].mean(axis=1), pixels[:, 100:140].mean(axis=1)
    assert left.argmax() > BANDS * 0.8
    assert right.argmax() < BANDS * 0.4


@pytest.mark.parametrize("samples", [np.zeros(8000, np.float32), np.ones(1, np.float32), tone(440, 0.02)])
def test_odd_audio_has_a_picture_too(samples: np.ndarray) -> None:
    assert np.isfinite(log_mel(samples, RATE)).all()
    assert Image.open(io.BytesIO(picture(samples, RATE))).size == (COLUMNS, BANDS)


# --- audio ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mp3", [True, False])
def test_audio_is_small_and_equally_loud(monkeypatch: pytest.MonkeyPatch, mp3: bool) -> None:
    monkeypatch.setattr(module, "_writes_mp3", lambda: mp3)
    rng = np.random.default_rng(0)
    for level in (0.001, 0.9):
        noise = np.asarray(level * rng.standard_normal(3 * RATE), dtype=np.float32)
        made = media_of(noise, RATE)
        assert made.audio_type == ("audio/mpeg" if mp3 else "audio/ogg")
        samples, rate = soundfile.read(io.BytesIO(made.audio))
        assert rate == 24_000
        assert len(samples) / rate == pytest.approx(3, abs=0.1)
        assert np.sqrt(np.mean(np.square(samples))) == pytest.approx(0.1, rel=0.25)
        assert len(made.audio) < 3 * 12_000
        assert len(made.image) < 6_000


@pytest.mark.parametrize("rate", [8000, 10_000, 96_000])
def test_any_rate_can_be_listened_to(rate: int) -> None:
    samples, found = soundfile.read(io.BytesIO(media_of(np.asarray(0.1 * np.ones(rate), dtype=np.float32), rate).audio))
    assert len(samples) / found == pytest.approx(1, abs=0.1)


# --- the file ---------------------------------------------------------------------------------------------------------


def test_everything_is_said_and_nothing_comes_from_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    seen: list[tuple[int, int]] = []
    size = make_page(path, [library()], ONTOLOGY, progress=lambda done, total: seen.append((done, total)))
    assert size == path.stat().st_size
    assert seen[-1] == (6, 6)
    text = path.read_text(encoding="utf-8")
    for said in (
        "<q>a bell &lt;i&gt;ringing&lt;/i&gt;</q>",
        "hum &amp; buzz",
        "<span>sustained</span>",
        "AudioSet: Bell",
        "sounds of things",
        'easily taken for <a href="#s0-2">whistle</a>',
        "3 sounds, 6 recordings, 0.1 minutes",
        "CC-BY-3.0",
    ):
        assert said in text, said
    assert not re.search(r"https?://|<link|@import|url\(", text)
    assert "{{" not in text
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_page_for_any_number_of_processes(tmp_path: Path) -> None:
    for number in (1, 2):
        make_page(tmp_path / f"{number}.html", [library()], num_proc=number)
    assert (tmp_path / "1.html").read_bytes() == (tmp_path / "2.html").read_bytes()


def test_libraries_with_the_same_labels_do_not_mix(tmp_path: Path) -> None:
    other = library("folder:other")
    louder = [replace(one, samples=tone(2000, one.duration_ms / 1000)) for one in other.recordings]
    make_page(tmp_path / "page.html", [library(), replace(other, recordings=tuple(louder))])
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count('<h2 class="source">') == 2
    assert len(set(re.findall(r'<article id="([^"]+)"', text))) == 6
    assert len(set(re.findall(r'data-audio="([^"]+)"', text))) == 8  # the other's two lengths are the same tone for all labels


def test_built_in_sounds_are_chosen_by_family(tmp_path: Path) -> None:
    families = {sound.synthesize.__module__.rpartition(".")[2]: label for label, sound in SOUNDS.items()}
    labels = sorted(families.values())
    recordings = tuple(Recording(f"builtin/{label}/0", label, tone(400, 0.6), 600, True) for label in labels)
    sounds = tuple(AtomicSound(label, f"a {label}", f"{label} sounds") for label in labels)
    make_page(tmp_path / "page.html", [SoundLibrary("builtin", RATE, sounds, recordings)])
    buttons = re.findall(r'<button type="button" aria-pressed="false">([^<]+)<', (tmp_path / "page.html").read_text())
    assert len(buttons) == len(families)
    assert "bells and struck" in buttons
    assert not any("_" in button for button in buttons)


def test_a_library_without_recordings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SoundLibraryError, match="folder:mine: there is no recording to listen to"):
        make_page(tmp_path / "page.html", [replace(library(), recordings=())])
    assert not list(tmp_path.iterdir())


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp("page")
    many = library()
    sounds = [replace(many.sounds[2], label=f"zz {n:02}", noun=f"thing {n}", clause=f"thing {n} sounds") for n in range(15)]
    recordings = [Recording(f"zz/{n}", sound.label, tone(400, 0.6), 600, True) for n, sound in enumerate(sounds)]
    made = SoundLibrary("many", RATE, (*many.sounds, *sounds), (*many.recordings, *recordings), many.relations)
    make_page(folder / "page.html", [made], ONTOLOGY)
    with browser(folder / "profile") as page:
        page.open(folder / "page.html")
        yield page
        assert page.errors == []


SHOWN = "[...document.querySelectorAll('article')].filter(a => !a.hidden).map(a => a.querySelector('h3').textContent)"
PLAYING = "[...document.querySelectorAll('.playing')].map(b => b.getAttribute('aria-label'))"


def test_every_recording_decodes(opened: Browser) -> None:
    seconds = opened.evaluate(
        """Promise.all([...document.querySelectorAll('.take')].slice(0, 6).map(async take => {
            const bytes = Uint8Array.from(atob(take.dataset.audio), letter => letter.charCodeAt(0));
            const sound = await new OfflineAudioContext(1, 24000, 24000).decodeAudioData(bytes.buffer);
            const loudest = Math.max(...sound.getChannelData(0).map(Math.abs));
            return loudest > 0.05 ? sound.duration : 0;
        }))"""
    )
    assert seconds == pytest.approx([0.6, 0.8] * 3, abs=0.08)


def test_pictures_are_decoded_when_they_come_near(opened: Browser) -> None:
    opened.evaluate("scrollTo(0, 0)")
    opened.wait("document.querySelector('.take img').naturalWidth == 160")
    assert opened.evaluate("document.querySelector('.take img').naturalHeight") == 64
    last = "[...document.querySelectorAll('.take img')].at(-1)"
    assert opened.evaluate(f"{last}.naturalWidth") == 0
    opened.evaluate("scrollTo(0, document.body.scrollHeight)")
    opened.wait(f"{last}.naturalWidth == 160")
    opened.evaluate("scrollTo(0, 0)")


def test_one_recording_plays_at_a_time(opened: Browser) -> None:
    opened.click("#s0-0 li:nth-child(1) button")
    opened.click("#s0-0 li:nth-child(2) button")
    assert opened.evaluate(PLAYING) == ["Play bell, 2 of 2, 0.8 s"]
    opened.wait("document.querySelectorAll('.playing').length == 0")  # it plays to its end
    assert opened.evaluate("document.querySelectorAll('.failed').length") == 0
    opened.click("#s0-0 li:nth-child(1) button")
    opened.click("#s0-0 li:nth-child(1) button")
    assert opened.evaluate(PLAYING) == []


def test_keys(opened: Browser) -> None:
    opened.click("#s0-0 li:nth-child(1) button")
    for key, playing in (
        ("ArrowRight", "bell, 2"),
        ("ArrowRight", "hum & buzz, 1"),
        ("ArrowLeft", "bell, 2"),
        ("ArrowDown", "hum & buzz, 1"),
        ("ArrowUp", "bell, 1"),
    ):
        opened.press(key)
        (found,) = opened.evaluate(PLAYING)
        assert found.startswith(f"Play {playing} of 2")
    opened.press(" ")
    assert opened.evaluate(PLAYING) == []
    opened.press(" ")
    assert len(opened.evaluate(PLAYING)) == 1
    opened.press(" ")
    opened.press("/")
    assert opened.evaluate("document.activeElement.id") == "filter"
    opened.press("Escape")
    assert opened.evaluate("document.activeElement.id") != "filter"


def test_filters(opened: Browser) -> None:
    def type_in(words: str) -> list[str]:
        opened.evaluate(f"filter.value = {words!r}; filter.dispatchEvent(new Event('input'))")
        return list(opened.evaluate(SHOWN))

    assert type_in("SUSTAINED") == ["hum & buzz"]
    assert type_in("rings a") == ["bell"]
    assert type_in("thing 13") == ["zz 13"]
    assert type_in("nothing is called so") == []
    assert opened.evaluate("document.getElementById('shown').textContent") == "0 of 18 sounds"
    opened.evaluate("location.hash = '#s0-2'")  # a link to a sound that is filtered out
    opened.wait(f"{SHOWN}.length == 18")
    opened.wait("document.getElementById('s0-2').getBoundingClientRect().top >= document.querySelector('header').offsetHeight")
    opened.click(".groups button")
    assert opened.evaluate(SHOWN) == ["bell"]
    opened.click(".groups button")
    assert len(type_in("")) == 18


def test_nothing_is_fetched(opened: Browser) -> None:
    assert set(opened.requests) <= {"file", "data"}
    assert "file" in opened.requests
