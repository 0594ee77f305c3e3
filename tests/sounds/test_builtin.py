"""The built-in library: what is declared, and what the recordings sound like as far as numbers tell."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from scipy import fft

from builders.errors import UnusableRecordingError
from builders.logic import Truth
from builders.sounds.audible import audible_span, frame_levels, longest_gap_ms
from builders.sounds.builtin import SynthCandidate, source
from builders.sounds.library import Samples, Source
from builders.sounds.synth import TAKES

ROOT = Path(__file__).resolve().parents[2]
RATE = 32_000
EDGE_MS = 20
FADE = 0.5 - 0.5 * np.cos(np.pi * (np.arange(RATE // 100) + 0.5) / (RATE // 100))

Recordings = dict[str, list[Samples]]


@pytest.fixture(scope="module")
def library() -> Source:
    return source()


@pytest.fixture(scope="module")
def recordings(library: Source) -> Recordings:
    """All takes of each label at 32 kHz."""
    found: Recordings = defaultdict(list)
    for candidate in library.candidates:
        found[candidate.label].append(candidate.read(RATE))
    return found


def cut(samples: Samples) -> Samples:
    """From the first to the last audible frame, with 10 ms raised-cosine fades, as a recording is prepared for a clip."""
    span = audible_span(samples, RATE)
    assert span is not None
    piece = samples[span.start_ms * RATE // 1000 : span.end_ms * RATE // 1000].copy()
    piece[: len(FADE)] *= FADE
    piece[-len(FADE) :] *= FADE[::-1]
    return piece


def longest_gap(samples: Samples) -> int:
    return longest_gap_ms(frame_levels(samples, RATE))


# --- what is declared -------------------------------------------------------------------------------------------------


def test_there_are_enough_sounds(library: Source) -> None:
    assert len(library.sounds) == 200
    assert sum(sound.sustained for sound in library.sounds) >= 80
    assert TAKES >= 5


def test_names_are_unique(library: Source) -> None:
    for attribute in ("label", "noun", "clause"):
        names = [getattr(sound, attribute) for sound in library.sounds]
        assert len(set(names)) == len(names), attribute
    ids = [sound.audioset_id for sound in library.sounds if sound.audioset_id]
    assert len(set(ids)) == len(ids)


def test_phrases_read_as_english(library: Source) -> None:
    for sound in library.sounds:
        assert re.fullmatch(r"[a-z]+( [a-z]+)*", sound.label), sound
        assert re.search(r"\w+ing\b", sound.noun), f"{sound.noun!r} has no participle"
        assert sound.noun.split()[0] == sound.clause.split()[0] or sound.noun.startswith(("a ", "an "))
        for phrase in (sound.noun, sound.clause):
            assert phrase == phrase.strip()
            assert {word for word in phrase.split() if word != word.lower()} <= {"DJ", "French", "Geiger"}
            for article, word in re.findall(r"\b(an?) (\w)", phrase):
                assert (article == "an") == (word in "aeiou"), phrase
        # The clause is the noun phrase with a finite verb: they begin with the same subject.
        subject = re.split(r" \w+ing\b", sound.noun)[0]
        assert sound.clause.startswith(subject + " "), sound


def test_candidates_are_sorted_and_say_where_they_come_from(library: Source) -> None:
    assert library.name == "builtin"
    assert [sound.label for sound in library.sounds] == sorted(sound.label for sound in library.sounds)
    ids = [candidate.id for candidate in library.candidates]
    assert ids == sorted(set(ids))
    assert len(ids) == TAKES * len(library.sounds)
    assert "builtin/dog bark/0" in ids
    for candidate in library.candidates:
        assert (candidate.license, candidate.source) == ("CC0-1.0", "builtin")
        assert candidate.attribution == "ReasonAudio built-in synthesis"
        assert pickle.loads(pickle.dumps(candidate)) == candidate  # noqa: S301  # our own object


def test_confusable_is_symmetric_and_rare(library: Source) -> None:
    labels = {sound.label for sound in library.sounds}
    confusable = library.relations.confusable
    for label, others in confusable.items():
        assert label in labels
        assert label not in others
        for other in others:
            assert label in confusable[other]
            assert library.relations.holds(label, other) is Truth.UNCLEAR
    assert not library.relations.ancestors
    assert sum(map(len, confusable.values())) / 2 <= 1.25 * len(labels)


def test_audioset_classes_exist_and_none_holds_another(library: Source) -> None:
    path = Path(os.environ.get("REASONAUDIO_SHARED", ROOT.parent / "shared")) / "data" / "audioset_ontology.json"
    if not path.exists():
        pytest.skip(f"no AudioSet ontology at {path}; set REASONAUDIO_SHARED to the folder that holds data/")
    children = {entry["id"]: entry["child_ids"] for entry in json.loads(path.read_text(encoding="utf-8"))}
    used = {sound.audioset_id: sound.label for sound in library.sounds if sound.audioset_id}
    assert used.keys() <= children.keys()
    for top, label in used.items():
        below, rest = set(), list(children[top])
        while rest:
            below.add(rest[-1])
            rest.extend(children[rest.pop()])
        assert not below & used.keys(), f"{label} is above {[used[one] for one in below & used.keys()]}"


# --- the same samples everywhere --------------------------------------------------------------------------------------

_DIGEST = """
import hashlib
from builders.sounds.builtin import SynthCandidate
for label, take in {order}:
    print(label, take, hashlib.sha256(SynthCandidate(label, take).read(32000).tobytes()).hexdigest())
"""
_PROBES = [("dog bark", 0), ("rain", 3), ("church bell", 1), ("guitar strum", 2), ("crowd cheer", 0), ("siren", 1)]


def test_samples_do_not_depend_on_process_order_or_hash_seed(recordings: Recordings) -> None:
    here = {f"{label} {take}": hashlib.sha256(recordings[label][take].tobytes()).hexdigest() for label, take in _PROBES}
    for hash_seed, order in (("1", _PROBES), ("2", _PROBES[::-1])):
        done = subprocess.run(  # our own interpreter and script
            [sys.executable, "-c", _DIGEST.format(order=order)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert dict(line.rsplit(" ", 1) for line in done.stdout.splitlines()) == here


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 192_000])
def test_other_rates_give_the_same_sound(recordings: Recordings, rate: int) -> None:
    for label in ("dog bark", "crickets", "church bell", "glass breaking"):
        samples = SynthCandidate(label, 0).read(rate)
        assert samples.dtype == np.float32
        assert np.abs(samples).max() == pytest.approx(0.7, abs=1e-3)
        if label != "glass breaking" or rate > RATE:  # at a low rate little is left of the last shards
            assert len(samples) / rate == pytest.approx(len(recordings[label][0]) / RATE, abs=0.15), label


@pytest.mark.parametrize("rate", [0, 4_000, 200_000])
def test_other_rates_are_refused(rate: int) -> None:
    with pytest.raises(UnusableRecordingError, match=str(rate)):
        SynthCandidate("rain", 0).read(rate)


# --- what the recordings sound like -----------------------------------------------------------------------------------


def test_samples_are_clean(recordings: Recordings) -> None:
    for label, takes in recordings.items():
        for samples in takes:
            assert samples.dtype == np.float32
            assert samples.ndim == 1
            assert np.isfinite(samples).all(), label
            assert 0.1 <= np.abs(samples).max() <= 0.99, label
            assert abs(float(samples.mean(dtype=np.float64))) < 1e-5, label


def test_takes_differ(recordings: Recordings) -> None:
    for label, takes in recordings.items():
        size = fft.next_fast_len(2 * max(map(len, takes)), real=True)
        spectra = [fft.rfft(take / np.sqrt(np.sum(np.square(take))), size) for take in takes]
        for i, first in enumerate(spectra):
            for second in spectra[:i]:
                assert np.abs(fft.irfft(first * np.conj(second), size)).max() < 0.9, label


def test_lengths_and_continuity(library: Source, recordings: Recordings) -> None:
    continuous, usual, single = 0, 0, 0
    for sound in library.sounds:
        lengths = [len(cut(take)) / RATE for take in recordings[sound.label]]
        gaps = [longest_gap(take) for take in recordings[sound.label]]
        if sound.sustained:
            assert 4 <= min(lengths) <= max(lengths) <= 5.5, sound.label
            assert max(gaps) == 0, sound.label
        else:
            assert 0.55 <= min(lengths) <= max(lengths) <= 3.5, sound.label
            assert max(gaps) < 600, sound.label
            single += 1
            usual += all(0.7 <= length <= 2.2 for length in lengths)
            continuous += max(gaps) <= 250
    assert continuous >= 0.75 * single
    assert usual > 0.5 * single


def test_sustained_sounds_are_even(library: Source, recordings: Recordings) -> None:
    """Wherever one is cut, its first and last frames are audible, and no rare spike sets the level."""
    for sound in library.sounds:
        if sound.sustained:
            for take in recordings[sound.label]:
                levels = frame_levels(cut(take), RATE)[8:-8]
                assert levels.max() - levels.min() < 27, sound.label
                assert levels.max() - np.median(levels) < 13, sound.label


def test_onset_and_offset_are_found_again(recordings: Recordings) -> None:
    rng = np.random.default_rng(0)
    for label, takes in recordings.items():
        for take, samples in enumerate(takes):
            piece = cut(samples)
            onset = int(rng.integers(100, 4_000))
            clip = np.zeros(10 * RATE, dtype=np.float32)
            clip[onset * RATE // 1000 :][: len(piece)] = piece
            span = audible_span(clip, RATE)
            assert span is not None
            assert abs(span.start_ms - onset) <= EDGE_MS, (label, take)
            assert abs(span.end_ms - onset - len(piece) * 1000 // RATE) <= EDGE_MS, (label, take)


def test_sounds_spread_over_the_spectrum(recordings: Recordings) -> None:
    """Half of a sound's energy lies below its median frequency: low, middle and high ones are all common."""
    medians = []
    for takes in recordings.values():
        energy = np.cumsum(np.square(np.abs(np.fft.rfft(takes[0]))))
        medians.append(np.searchsorted(energy, energy[-1] / 2) * RATE / len(takes[0]))
    share = np.histogram(medians, [0, 400, 1500, 16_000])[0] / len(medians)
    assert share.min() > 0.15, share
