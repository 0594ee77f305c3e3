"""What becomes of candidates: cut to where they are audible, or left out for a reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.errors import SoundLibraryError, UnusableRecordingError
from builders.logic import Relations
from builders.recipe import Recipe
from builders.sounds.audible import audible_span
from builders.sounds.candidates import FileCandidate
from builders.sounds.cutting import AGREED_MS, cut, measured_error
from builders.sounds.folder import source as folder_source
from builders.sounds.library import AtomicSound, Candidate, Recording, Samples, SoundLibrary, Source
from builders.sounds.screening import prepare

RECIPE = Recipe()
RATE = RECIPE.sample_rate


def noise(ms: int, seed: int = 0, level: float = 0.1) -> Samples:
    return np.random.default_rng(seed).normal(0, level, ms * RATE // 1000).astype(np.float32)


def silence(ms: int) -> Samples:
    return np.zeros(ms * RATE // 1000, np.float32)


@dataclass(frozen=True)
class Made:
    """A candidate that is there already."""

    id: str
    label: str
    samples: Samples
    license: str = "CC0"
    attribution: str = ""
    source: str = ""
    original: str = ""
    uploader: str = ""
    part: str = ""

    def read(self, sample_rate: int) -> Samples:
        assert sample_rate == RATE
        if self.id.endswith("broken"):
            raise UnusableRecordingError("broken for a test")
        return self.samples


def made_source(*candidates: Candidate, relations: Relations = Relations()) -> Source:
    labels = sorted({candidate.label for candidate in candidates})
    sounds = tuple(AtomicSound(label, f"a {label}", f"{label} sounds") for label in labels)
    return Source("made", sounds, candidates, relations)


def reasons(library: SoundLibrary) -> dict[str, str]:
    return {rejection.id or f"sound {rejection.label}": rejection.reason for rejection in library.rejected}


# --- cutting ----------------------------------------------------------------------------------------------------------


def test_cut_to_where_it_is_audible() -> None:
    piece = cut(np.concatenate([silence(700), noise(1200), silence(300)]), RECIPE)
    assert piece.duration_ms == pytest.approx(1200, abs=35)
    assert piece.duration_ms % 5 == 0
    assert len(piece.samples) == piece.duration_ms * RATE // 1000
    assert piece.continuous
    assert piece.error_ms <= AGREED_MS
    assert piece.note == ""


def test_fades_are_not_baked_in() -> None:
    whole = noise(1000)
    np.testing.assert_allclose(cut(whole, RECIPE).samples, whole, atol=1e-3)


def test_the_longest_piece_is_used() -> None:
    piece = cut(np.concatenate([noise(600), silence(700), noise(900, 1), silence(700), noise(600, 2)]), RECIPE)
    assert piece.duration_ms == pytest.approx(900, abs=35)
    assert piece.note == "the longest of 3 pieces"


@pytest.mark.parametrize(("gap_ms", "continuous"), [(0, True), (200, True), (400, False)])
def test_continuous(gap_ms: int, continuous: bool) -> None:
    piece = cut(np.concatenate([noise(600), silence(gap_ms), noise(600, 1)]), RECIPE)
    assert piece.continuous is continuous
    assert piece.duration_ms == pytest.approx(1200 + gap_ms, abs=35)


def test_too_long_is_cut_and_too_short_refused() -> None:
    piece = cut(noise(8000), RECIPE)
    assert piece.duration_ms == 6000
    assert piece.note == "its first 6 s, of 8 s"
    with pytest.raises(UnusableRecordingError, match=r"too short: it is audible for 0\.4"):
        cut(np.concatenate([silence(100), noise(400), silence(100)]), RECIPE)
    with pytest.raises(UnusableRecordingError, match="longest of 2 audible pieces"):
        cut(np.concatenate([noise(400), silence(800), noise(300)]), RECIPE)
    with pytest.raises(UnusableRecordingError, match="silence"):
        cut(silence(1000), RECIPE)


def test_offset_is_removed_and_noted_and_padding_stays_silent() -> None:
    piece = cut(np.concatenate([silence(1000), noise(1000) + np.float32(0.3), silence(3000)]), RECIPE)
    assert piece.note == "a DC offset of 0.30 was removed"
    assert abs(float(piece.samples.mean())) < 0.01
    assert piece.duration_ms == pytest.approx(1000, abs=35)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(20, 700), st.floats(-60, 0)), min_size=1, max_size=8), st.integers(0, 99))
def test_the_declared_ends_are_the_measured_ones_anywhere_in_a_clip(parts: list[tuple[int, float]], seed: int) -> None:
    sound = np.concatenate([noise(ms, seed + i, 0.1 * 10 ** (db / 20)) for i, (ms, db) in enumerate(parts)])
    try:
        piece = cut(sound, RECIPE)
    except UnusableRecordingError:
        return
    assert piece.error_ms == measured_error(piece.samples, RECIPE) <= RECIPE.audible.max_error_ms
    assert RECIPE.audible.min_piece_ms <= piece.duration_ms <= RECIPE.audible.max_piece_ms


# --- the real recordings ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(shared: Path) -> SoundLibrary:
    return prepare(folder_source(shared / "sounds/real"), RECIPE)


def _errors(recording: Recording, onset_ms: int) -> tuple[int, int]:
    """Measured in ten seconds of silence, independently of `measured_error`."""
    clip = silence(10_000)
    fade = np.sin(np.linspace(0, np.pi / 2, RATE // 100, dtype=np.float32)) ** 2
    samples = recording.samples.copy()
    samples[: len(fade)] *= fade
    samples[-len(fade) :] *= fade[::-1]
    start = onset_ms * RATE // 1000
    clip[start : start + len(samples)] = samples
    span = audible_span(clip, RATE)
    assert span is not None
    return abs(span.start_ms - onset_ms), abs(span.end_ms - onset_ms - recording.duration_ms)


def test_real_recordings_are_audible_where_they_are_said_to_be(real: SoundLibrary) -> None:
    worst = [max(_errors(recording, 1000 + number % 7)) for number, recording in enumerate(real.recordings)]
    share = sum(error <= AGREED_MS for error in worst) / len(worst)
    print(f"{len(worst)} usable, {share:.1%} within {AGREED_MS} ms at both ends, at worst {max(worst)} ms")
    assert share >= 0.95
    assert max(worst) <= RECIPE.audible.max_error_ms


def test_real_recordings_keep_the_rules(real: SoundLibrary) -> None:
    assert len(real.recordings) >= 235
    assert [recording.id for recording in real.recordings] == sorted(recording.id for recording in real.recordings)
    for recording in real.recordings:
        assert recording.samples.dtype == np.float32
        assert not recording.samples.flags.writeable
        assert recording.duration_ms % 5 == 0
        assert len(recording.samples) == RECIPE.samples(recording.duration_ms)
        assert 500 <= recording.duration_ms <= 6000
        assert recording.license
        assert recording.source
    assert all(rejection.reason.startswith(("too short", "none of its")) for rejection in real.rejected)


def test_worker_processes_change_nothing(shared: Path) -> None:
    source = folder_source(shared / "sounds/real")
    part = replace(source, candidates=source.candidates[::9])
    backwards = replace(part, candidates=part.candidates[::-1])
    alone, together = prepare(part, RECIPE), prepare(backwards, RECIPE, num_proc=2)
    assert alone.digest == together.digest
    assert alone.rejected == together.rejected
    assert [recording.id for recording in alone.recordings] == [recording.id for recording in together.recordings]


# --- the odd files ----------------------------------------------------------------------------------------------------

NASTY_NOTES = {
    "dc_offset_diesel.ogg": "a DC offset of 0.22 was removed; its first 6 s, of 9.095 s",
    "dc_offset_rain.ogg": "a DC offset of 0.23 was removed",
    "long_67s_dc_offset.ogg": "a DC offset of 0.28 was removed; its first 6 s, of 67.285 s",
    "two_events.wav": "the longest of 2 pieces",
    "ok.wav": "",
}


def test_a_folder_of_odd_files_is_used_as_far_as_it_can_be(shared: Path, tmp_path: Path) -> None:
    files = sorted((shared / "sounds/nasty").iterdir())
    for number, file in enumerate(files):
        (tmp_path / f"kind {number:02}").mkdir()
        (tmp_path / f"kind {number:02}" / file.name).symlink_to(file)
    library = prepare(folder_source(tmp_path), RECIPE)
    name = {recording.id.split("/")[1]: recording for recording in library.recordings}
    why = {rejection.id.split("/")[-1]: rejection.reason for rejection in library.rejected if rejection.id}
    assert name.keys() | why.keys() == {file.name for file in files}
    for file, note in NASTY_NOTES.items():
        if file in name:
            assert name[file].note == note
    assert {"two_events.wav", "dc_offset_rain.ogg", "gsm.wav", "float_over_1.wav", "u8.wav"} <= name.keys()
    assert why["drip_quiet.ogg"].startswith("too short: it is audible for 0.24 s")
    assert "another label" in why["same_audio_badger.ogg"]
    assert "same_audio_beaver.ogg" in why["same_audio_badger.ogg"]
    assert "same_audio_badger.ogg" in why["same_audio_beaver.ogg"]
    assert "another label" in why["ok.caf"]  # the same samples as ok.wav, in another container
    assert sum(not rejection.id for rejection in library.rejected) == len(why)


@pytest.mark.parametrize("file", NASTY_NOTES)
def test_notes_on_preparation(shared: Path, file: str) -> None:
    candidate = FileCandidate("a", "a", shared / "sounds/nasty" / file)
    (recording,) = prepare(made_source(candidate), RECIPE).recordings
    assert recording.note == NASTY_NOTES[file]


# --- the library ------------------------------------------------------------------------------------------------------


def test_the_same_audio_under_two_labels_and_twice_under_one() -> None:
    library = prepare(
        made_source(
            Made("a/1", "a", noise(1000, 1)),
            Made("b/1", "b", noise(1000, 1)),
            Made("c/1", "c", noise(1000, 2)),
            Made("c/2", "c", noise(1000, 2)),
        ),
        RECIPE,
    )
    assert [recording.id for recording in library.recordings] == ["c/1"]
    assert library.labels == ("c",)
    assert reasons(library) == {
        "a/1": "the same audio as 'b/1', which has another label ('b'); neither is used",
        "b/1": "the same audio as 'a/1', which has another label ('a'); neither is used",
        "c/2": "the same audio as 'c/1'",
        "sound a": "none of its 1 recordings can be used",
        "sound b": "none of its 1 recordings can be used",
    }


def test_sounds_left_without_a_recording_leave_the_relations_too() -> None:
    relations = Relations({"a": frozenset({"b", "c"})}, {"b": frozenset({"c"}), "c": frozenset({"b"})})
    candidates = (Made("a/1", "a", noise(1000, 1)), Made("b/broken", "b", noise(1)), Made("c/1", "c", noise(1000, 2)))
    library = prepare(made_source(*candidates, relations=relations), RECIPE)
    assert library.relations == Relations({"a": frozenset({"c"})}, {})
    assert reasons(library) == {"b/broken": "broken for a test", "sound b": "none of its 1 recordings can be used"}


@pytest.mark.parametrize("num_proc", [1, 2])
def test_strict_stops_at_the_first_problem(num_proc: int) -> None:
    candidates = [Made(f"a/{i}{'-broken' if i in (2, 4) else ''}", "a", noise(600, i)) for i in range(6)]
    with pytest.raises(SoundLibraryError, match="'a/2-broken' cannot be used: broken for a test"):
        prepare(made_source(*candidates), RECIPE, strict=True, num_proc=num_proc)
    with pytest.raises(SoundLibraryError, match=r"'a/2' cannot be used: the same audio as 'a/1'"):
        prepare(made_source(*(Made(f"a/{i}", "a", noise(600)) for i in (1, 2))), RECIPE, strict=True)


def test_progress_and_interrupt() -> None:
    seen: list[tuple[int, int]] = []
    source = made_source(*(Made(f"a/{i}", "a", noise(600, i)) for i in range(3)))
    prepare(source, RECIPE, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]

    def interrupt(done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    for num_proc in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            prepare(source, RECIPE, num_proc=num_proc, progress=interrupt)


def _variants(one: Made, source: Source) -> Iterator[Source]:
    yield replace(source, candidates=(replace(one, id="a/2"),))
    yield replace(source, candidates=(replace(one, samples=noise(1000, 9)),))
    yield replace(source, sounds=(replace(source.sounds[0], noun="another"),))
    yield replace(source, sounds=(replace(source.sounds[0], sustained=True),))


def test_the_digest_is_of_what_can_change_a_corpus() -> None:
    one = Made("a/1", "a", noise(1000))
    source = made_source(one)
    digest = prepare(source, RECIPE).digest
    assert len(digest) == 64
    assert prepare(replace(source, name="x", candidates=(replace(one, license="MIT"),)), RECIPE).digest == digest
    assert all(prepare(variant, RECIPE).digest != digest for variant in _variants(one, source))


def test_ids_are_unique() -> None:
    one = Made("a/1", "a", noise(1000))
    with pytest.raises(SoundLibraryError, match="two recordings have the id 'a/1'"):
        prepare(made_source(one, one), RECIPE)
