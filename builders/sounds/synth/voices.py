"""Voices of people and animals: vocal folds, breath, and a vocal tract whose shape moves from one vowel to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from builders.sounds.synth.blocks import (
    RATE,
    Rng,
    Signal,
    beats,
    curve,
    decay,
    envelope,
    formants,
    glottis,
    noise,
    phase,
    place,
    ramp,
    room,
    saw,
    series,
    shaped_noise,
    sparse,
    unit,
    wander,
)
from builders.sounds.synth.declare import Take

VOWELS: dict[str, tuple[float, float, float]] = {
    "i": (270, 2290, 3010),
    "e": (530, 1840, 2480),
    "ae": (660, 1720, 2410),
    "a": (730, 1090, 2440),
    "o": (570, 840, 2410),
    "u": (300, 870, 2240),
    "er": (490, 1350, 1690),
    "uh": (640, 1190, 2390),
    "m": (250, 900, 2200),
}
"""First three formants in Hz, means of 33 men (Peterson & Barney 1952); "m" is a closed mouth."""


Peaks: TypeAlias = Sequence[tuple[float, float, float]]
"""Formants: (frequency, bandwidth, gain dB)."""


def tract(vowel: str, size: float = 1.0) -> Peaks:
    """Formants of a vowel in a vocal tract `size` times a man's."""
    f1, f2, f3 = VOWELS[vowel]
    peaks = [(f1, 80, 0.0), (f2, 110, -4.0), (f3, 160, -9.0), (3500, 250, -14.0), (4500, 300, -20.0)]
    return [(f / size, bandwidth / size, gain) for f, bandwidth, gain in peaks]


def mouth(source: Signal, first: Peaks, second: Peaks, blend: Signal | float) -> Signal:
    """A source through a tract that is `first` at `blend` = 0 and `second` at 1; the two outputs are cross-faded."""
    if first == second:
        return formants(source, first)
    return formants(source, first) * (1 - blend) + formants(source, second) * blend


def call(rng: Rng, pitch: Signal, first: Peaks, second: Peaks, blend: Signal | float, *, breath: float, rough: float) -> Signal:
    """A voice of unit RMS through any tract.

    Args:
        pitch: of the vocal folds, a curve in Hz; its length is the sound's.
        first, second: formants at `blend` = 0 and `blend` = 1.
        breath: share of noise in the source.
        rough: 0 to 1: irregular vibration of the folds (pitch jitter, and every second pulse weaker).
    """
    seconds = len(pitch) / RATE
    shaken = pitch * wander(rng, seconds, 60, 0.006 + 0.06 * rough)
    source = unit(glottis(shaken))
    if rough:
        source *= 1 - 0.6 * rough * (np.floor(phase(shaken)) % 2)
        source *= wander(rng, seconds, 45, 0.5 * rough)
    return unit(mouth(source + 3 * breath * noise(rng, seconds), first, second, blend))


def voice(
    rng: Rng,
    pitch: Signal,
    vowels: tuple[str, str],
    blend: Signal | float = 0.0,
    *,
    size: float = 1.0,
    breath: float = 0.03,
    rough: float = 0.0,
) -> Signal:
    """`call` from one vowel of `VOWELS` to another in a vocal tract `size` times a man's (0.6 is a baby's)."""
    return call(rng, pitch, tract(vowels[0], size), tract(vowels[1], size), blend, breath=breath, rough=rough)


# --- calls of animals -------------------------------------------------------------------------------------------------


def shaped(source: Signal, shut: Peaks, wide: Peaks, opening: Signal | float, slope: float = 0.0) -> Signal:
    """A source through a mouth that moves: its formants glide from those of `shut` (`opening` = 0) to those of `wide` (1).

    Args:
        slope: dB an octave around 1 kHz, on top of the formants.
    """
    window, hop = 1024, 256
    taper = np.sin(np.pi * (np.arange(window) + 0.5) / window)
    padded = np.concatenate([np.zeros(window), source, np.zeros(2 * window)])
    frames = np.lib.stride_tricks.sliding_window_view(padded, window)[::hop]
    at = np.clip(np.arange(len(frames)) * hop - window // 2, 0, len(source) - 1)
    share = np.broadcast_to(opening, len(source))[at][:, None]
    bins = np.fft.rfftfreq(window, 1 / RATE)[None, :]
    gain = np.zeros((len(frames), bins.shape[1]))
    for (f1, b1, g1), (f2, b2, g2) in zip(shut, wide, strict=True):
        centre, width = f1 * (f2 / f1) ** share, b1 * (b2 / b1) ** share
        gain += 10 ** ((g1 + (g2 - g1) * share) / 20) / np.sqrt(1 + np.square((bins - centre) / (width / 2)))
    gain *= 10 ** (slope * np.log2(np.maximum(bins, 60) / 1000) / 20)
    spectra = np.fft.irfft(np.fft.rfft(frames * taper, axis=1) * gain, window, axis=1) * taper
    total = np.zeros((len(frames) + 3, hop))
    for k in range(4):  # overlap and add, a quarter of the window at a time
        total[k : k + len(frames)] += spectra[:, k * hop : (k + 1) * hop]
    return np.asarray(total.ravel()[window : window + len(source)] / 2)


def beast(
    rng: Rng,
    pitch: Signal,
    shut: Peaks,
    wide: Peaks,
    opening: Signal | float,
    *,
    slope: float = 0.0,
    breath: float = 0.1,
    rough: float = 0.0,
    doubled: float = 0.0,
) -> Signal:
    """A call of unit RMS: folds that close sharply, through a mouth that moves (`shaped`).

    Args:
        pitch: of the folds, a curve in Hz; its length is the call's.
        breath: RMS of noise against that of the folds.
        rough: 0 to 1: the folds' pitch and strength jump about irregularly.
        doubled: 0 to 1: every second pulse is weaker (the pitch falls an octave, with a growl).
    """
    seconds = len(pitch) / RATE
    shaken = np.maximum(pitch * wander(rng, seconds, 90, 0.004 + 0.12 * rough), 15)
    source = saw(shaken) * np.clip(wander(rng, seconds, 60, 0.05 + 0.5 * rough), 0.1, 3)
    source *= 1 - doubled * (np.floor(phase(shaken)) % 2)
    return unit(shaped(unit(source) + breath * noise(rng, seconds), shut, wide, opening, slope))


@dataclass(frozen=True, slots=True)
class Call:
    """What a call of one animal or person is like: the middle of what its takes are.

    Attributes:
        number: how many calls follow each other; a take has one of these.
        length, gap: of each call and between two, in seconds.
        pitch: Hz; contour: (fraction of the length, share of the pitch).
        shut, wide: centres of the first formants, Hz; gains: theirs in dB; narrow: their bandwidth as a share of the centre.
        opening: (fraction of the length, 0 to 1): how far the mouth is between `shut` and `wide`.
        slope, breath, rough, doubled: as `beast` has them.
        attack, release: seconds; fall: how fast each call dies away, 1/s.
        tremble: rate in Hz, and depths of loudness (0 to 1) and of pitch.
        air: dB of the place's noise against the call.
    """

    length: float
    pitch: float
    contour: Sequence[tuple[float, float]]
    shut: Sequence[float]
    wide: Sequence[float]
    opening: Sequence[tuple[float, float]]
    gains: Sequence[float] = (0.0, -4.0, -10.0, -16.0)
    narrow: float = 0.3
    number: tuple[int, ...] = (1,)
    gap: float = 0.1
    slope: float = 0.0
    breath: float = 0.1
    rough: float = 0.0
    doubled: float = 0.0
    attack: float = 0.03
    release: float = 0.15
    fall: float = 0.0
    tremble: tuple[float, float, float] = (8.0, 0.0, 0.0)
    air: float = -45.0


def calls(take: Take, call: Call, vary: float = 0.15) -> Signal:
    """One take of a call: its size, pitch, pace and manner are off the middle by up to some `vary` each."""
    low, high = 1 / (1 + vary), 1 + vary
    pitch, size, pace = call.pitch * take.spread(low, high), take.spread(low**0.7, high**0.7), take.spread(low, high)
    breath, rough = call.breath * take.spread(low**2, high**2), min(call.rough * take.spread(low**2, high**2), 1.0)
    slope, shift = call.slope + 10 * take.spread(-vary, vary), take.spread(-vary, vary)
    rate = call.tremble[0] * take.spread(low, high)
    tones: list[Signal] = []
    for _ in range(int(take.choose(*call.number))):
        length = call.length * pace * take.uniform(0.93, 1.07)
        bent = [(at, value * (1 + shift * (at - 0.5)) * take.uniform(0.97, 1.03)) for at, value in call.contour]
        shake = np.sin(2 * np.pi * rate * ramp(length))
        folds = pitch * take.uniform(0.97, 1.03) * curve(length, *bent) * (1 + call.tremble[2] * shake)
        # An open mouth is louder above.
        shut = [(f / size, f / size * call.narrow, g) for f, g in zip(call.shut, call.gains, strict=True)]
        wide = [(f / size, f / size * call.narrow, g + 4 * (g < 0)) for f, g in zip(call.wide, call.gains, strict=True)]
        tone = beast(
            take.rng,
            folds,
            shut,
            wide,
            curve(length, *call.opening),
            slope=slope,
            breath=breath,
            rough=rough,
            doubled=call.doubled,
        )
        tone *= envelope(length, call.attack, min(call.release, 0.7 * length)) * np.exp(-call.fall * ramp(length))
        tones.append(tone * (1 - call.tremble[1] * (0.5 + 0.5 * shake)))
    whole = unit(series(tones, call.gap * pace))
    return whole + 10 ** (call.air / 20) * shaped_noise(take.rng, len(whole) / RATE, (100, 0), (10_000, -26))


# --- breaths, claps and steps -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Strokes:
    """Short noises that follow each other: hands, hooves, feet, breaths.

    Attributes:
        length: seconds of the whole; rate: strokes a second; jitter: of their times, as a share of the period.
        attack, fade: seconds in which each sets in and falls by 60 dB.
        centres, widths, gains: of three resonances: Hz, bandwidth as a share of the centre, dB.
        grain: 0 to 1: how much of the noise is single cracks, `grains` a second.
        second: what follows each stroke: seconds later, how strong, its resonances that much higher.
        thump: Hz, level and seconds of a low tone under each.
        uneven: dB by which strokes differ.
        place: reverberation time and level; air: dB of noise against the whole.
    """

    length: float
    rate: float
    attack: float
    fade: float
    centres: tuple[float, float, float]
    widths: tuple[float, float, float]
    gains: tuple[float, float, float]
    jitter: float = 0.03
    grain: float = 0.0
    grains: float = 500.0
    second: tuple[float, float, float] = (0.0, 0.0, 1.0)
    thump: tuple[float, float, float] = (80.0, 0.0, 0.1)
    uneven: float = 1.0
    place: tuple[float, float] = (0.2, 0.1)
    air: float = -45.0


def strokes(take: Take, kind: Strokes, vary: float = 0.15) -> Signal:
    """One take: its pace, size and manner are off the middle by up to some `vary` each."""
    rng, low, high = take.rng, 1 / (1 + vary), 1 + vary
    pace, size, fade = kind.rate * take.spread(low, high), take.spread(low, high), kind.fade * take.spread(low**2, high**2)
    grain, tilt = min(kind.grain * take.spread(low**2, high**2), 1.0), 20 * take.spread(-vary, vary)
    shift = take.spread(low**0.5, high**0.5)
    gains = [gain + tilt * (k - 1) for k, gain in enumerate(kind.gains)]
    span = min(1.2 * fade + 2 * kind.attack + 0.01, 1.6)
    events: list[tuple[float, Signal]] = []
    for at in beats(rng, kind.length * take.spread(low, high), pace, kind.jitter, 0.02):
        for delay, level, higher in ((0.0, 1.0, 1.0), kind.second):
            if level:
                cracks = unit(sparse(rng, span, kind.grains)) if grain else 0.0
                burst = (noise(rng, span) * (1 - grain) + grain * cracks) * decay(span, fade, kind.attack)
                scale = higher * take.uniform(0.94, 1.06) / size * np.array([shift, 1.0, 1 / shift])
                peaks = [(f * s, f * w, g) for f, w, g, s in zip(kind.centres, kind.widths, gains, scale, strict=True)]
                stroke = formants(burst, peaks)
                stroke /= max(float(np.abs(stroke).max()), 1e-9)
                tone, loud, ring = kind.thump
                if loud:
                    stroke += loud * np.sin(2 * np.pi * tone * scale[1] * ramp(span)) * decay(span, ring, 0.004)
                events.append(
                    (float(at) + delay / pace * kind.rate, stroke * level * 10 ** (rng.standard_normal() * kind.uneven / 20))
                )
    whole = room(rng, place(events[-1][0] + span, events), *kind.place)
    return unit(whole) + 10 ** (kind.air / 20) * shaped_noise(rng, len(whole) / RATE, (100, 0), (10_000, -26))
