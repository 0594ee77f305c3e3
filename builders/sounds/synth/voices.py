"""Voices of people and animals: vocal folds, breath, and a vocal tract whose shape moves from one vowel to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from builders.sounds.synth.blocks import RATE, Rng, Signal, formants, glottis, noise, phase, unit, wander

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
