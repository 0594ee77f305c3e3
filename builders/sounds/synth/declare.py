"""How a synthesised sound is declared, and what makes its takes differ.

A family module holds a `Family` and decorates one function per sound; the function returns the sound at `blocks.RATE`, at any
level, with or without silence around it. `finish` brings it to the form in which a recording is handed out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from builders.sounds.audible import frame_levels, frame_start_ms
from builders.sounds.library import Samples
from builders.sounds.synth.blocks import RATE, Signal, highpass, room

TAKES = 5
"""Recordings of each sound."""

PEAK = 0.7
"""Peak of every finished recording, full scale 1.0."""

SLOPE_DB = 2.0
"""dB an octave by which takes are brighter or darker at most, around 1 kHz."""
PRESENCE_DB = 6.0
"""dB by which a band of some two octaves stands out or falls back at most."""

_EDGE_DB = 25.0
_ATTACK_MS = 10
_RELEASE_MS = 40
_PAD_MS = 25


class Take:
    """One performance of a sound: its own random numbers, and parameters that differ from those of the other takes.

    Everything is drawn from seeds made of the label and the take's number, so a take does not depend on what was made before.
    """

    def __init__(self, label: str, number: int) -> None:
        seed = int.from_bytes(hashlib.sha256(label.encode()).digest()[:8], "big")
        self.number = number
        self.rng = np.random.default_rng(np.random.SeedSequence([seed, 1 + number]))
        self._shared = np.random.default_rng(np.random.SeedSequence([seed, 0]))

    def spread(self, low: float, high: float) -> float:
        """A value in [low, high) from a part of the range that no other take uses; ranges above 0 are divided by equal ratios."""
        part = self._shared.permutation(TAKES)[self.number % TAKES]
        place = (part + self.rng.uniform(0.25, 0.75)) / TAKES
        return float(low * (high / low) ** place if min(low, high) > 0 else low + (high - low) * place)

    def choose(self, *values: float) -> float:
        """One of `values`; all takes get different ones as far as there are enough."""
        order = self._shared.permutation(len(values))
        return float(values[order[self.number % len(values)]])

    def uniform(self, low: float, high: float) -> float:
        """A value in [low, high), independent of the other takes."""
        return float(self.rng.uniform(low, high))

    def situation(self, signal: Signal) -> Signal:
        """The sound as another microphone in another place gives it: brighter or darker, nearer or farther, as takes of real
        sounds are. Drawn after everything else, so that it does not change what a sound draws for itself."""
        slope, presence = self.spread(-SLOPE_DB, SLOPE_DB), self.spread(-PRESENCE_DB, PRESENCE_DB)
        bins = np.fft.rfftfreq(len(signal), 1 / RATE)
        octaves = np.log2(np.maximum(bins, 60) / 1000)
        centre = self.spread(250, 5000)
        gain_db = slope * octaves + presence * np.exp(-0.5 * np.square(np.log2(np.maximum(bins, 60) / centre) / 0.7))
        heard = np.fft.irfft(np.fft.rfft(signal) * 10 ** (gain_db / 20), len(signal))
        return room(self.rng, heard, self.spread(0.12, 0.5), self.spread(0.02, 0.3))


@dataclass(frozen=True, slots=True)
class SynthSound:
    """A declared sound. `noun`, `clause`, `sustained` and `audioset_id` are those of `builders.sounds.library.AtomicSound`.

    Attributes:
        synthesize: the sound of a take, float64 [n] at `blocks.RATE`, at any level.
        confusable: labels that a careful listener may take for this one; one direction is enough.
    """

    label: str
    noun: str
    clause: str
    sustained: bool
    audioset_id: str | None
    confusable: tuple[str, ...]
    synthesize: Callable[[Take], Signal]


@dataclass(slots=True)
class Family:
    """The sounds of one module."""

    sounds: list[SynthSound] = field(default_factory=list)

    def sound(
        self,
        label: str,
        noun: str,
        clause: str,
        audioset_id: str | None = None,
        *,
        sustained: bool = False,
        confusable: tuple[str, ...] = (),
    ) -> Callable[[Callable[[Take], Signal]], Callable[[Take], Signal]]:
        """Declares the sound that the decorated function makes."""

        def declare(synthesize: Callable[[Take], Signal]) -> Callable[[Take], Signal]:
            self.sounds.append(SynthSound(label, noun, clause, sustained, audioset_id, confusable, synthesize))
            return synthesize

        return declare


def render(sound: SynthSound, number: int, sample_rate: int) -> Samples:
    """Take `number` of a sound: mono float32 [n] at `sample_rate`, peak 0.7, without DC, with clean ends in 25 ms of silence."""
    take = Take(sound.label, number)
    dry = sound.synthesize(take)
    signal = take.situation(dry)
    if sound.sustained:  # it goes on: its room does not answer an end
        signal = signal[: len(dry)]
    if sample_rate != RATE:
        import soxr

        signal = soxr.resample(signal, RATE, sample_rate, quality="VHQ")
    return finish(signal, sample_rate)


def finish(signal: Signal, sample_rate: int) -> Samples:
    """Cuts a sound to where it is within 25 dB of its loudest frame, with short fades into silence around it.

    A tail that lingers around the limit of audibility (30 dB) would make the measured offset a matter of chance; here the level
    falls through it in a few ms. This is done after resampling, because a lower rate takes away high frequencies and thereby
    shifts what is within 25 dB.
    """
    signal = highpass(signal, 30, sample_rate)
    levels = frame_levels(signal.astype(np.float32), sample_rate)
    loud = np.flatnonzero(levels >= levels.max() - _EDGE_DB)
    per_ms = sample_rate / 1000
    attack, release, pad = (round(ms * per_ms) for ms in (_ATTACK_MS, _RELEASE_MS, _PAD_MS))
    start = max(round(frame_start_ms(int(loud[0])) * per_ms), 0)
    end = min(round((frame_start_ms(int(loud[-1])) + 20) * per_ms), len(signal))
    # The attack's fade lies before the first loud frame and the release's after the last, so neither touches what is loud,
    # save where the sound begins or ends too abruptly to leave room.
    first, last = max(start - attack, 0), min(end + release, len(signal))
    cut = signal[first:last].copy()
    if first < start:
        cut[: start - first] *= _ease(start - first)
    release = max(last - end, round(0.005 * sample_rate))
    cut[-release:] *= _ease(release)[::-1]
    # The mean is taken away with a window that is 0 at both ends, so that no step arises there.
    window, edge = np.ones(len(cut)), _ease(round(0.005 * sample_rate))
    window[: len(edge)] *= edge
    window[-len(edge) :] *= edge[::-1]
    cut -= window * (cut.sum() / window.sum())
    cut *= PEAK / np.abs(cut).max()
    return np.concatenate([np.zeros(pad), cut, np.zeros(pad)]).astype(np.float32)


def _ease(length: int) -> Signal:
    """Raised cosine from 0 to 1, shape [length]."""
    return np.asarray(0.5 - 0.5 * np.cos(np.pi * (np.arange(length) + 0.5) / length))
