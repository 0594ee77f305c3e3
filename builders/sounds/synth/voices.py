"""Voices of people and animals: vocal folds, breath, and a vocal tract whose shape moves from one vowel to another."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import Rng, Signal, formants, glottis, noise, unit, wander
from builders.sounds.synth.blocks import RATE as RATE

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


def tract(vowel: str, size: float = 1.0, width: float = 1.0) -> list[tuple[float, float, float]]:
    """Formants (frequency, bandwidth, gain dB) of a vowel in a vocal tract `size` times a man's; `width` scales bandwidths."""
    f1, f2, f3 = VOWELS[vowel]
    peaks = [(f1, 80, 0.0), (f2, 110, -4.0), (f3, 160, -9.0), (3500, 250, -14.0), (4500, 300, -20.0)]
    return [(f / size, bandwidth / size * width, gain) for f, bandwidth, gain in peaks]


def voice(
    rng: Rng,
    pitch: Signal,
    vowels: tuple[str, str],
    blend: Signal | float = 0.0,
    *,
    size: float = 1.0,
    breath: float = 0.03,
    rough: float = 0.0,
    width: float = 1.0,
) -> Signal:
    """A voice of unit RMS.

    Args:
        pitch: of the vocal folds, a curve in Hz; its length is the sound's.
        vowels: the first at `blend` = 0, the second at `blend` = 1 (their outputs are cross-faded).
        size: of the vocal tract; 1 is a man, 0.6 a baby, 2 a cow.
        breath: share of noise in the source.
        rough: 0 to 1: irregular vibration of the folds (pitch jitter, and every second pulse weaker).
    """
    seconds = len(pitch) / RATE
    shaken = pitch * wander(rng, seconds, 60, 0.006 + 0.06 * rough)
    source = unit(glottis(shaken))
    if rough:
        source *= 1 - 0.6 * rough * (np.floor(np.cumsum(shaken) / RATE) % 2)
        source *= wander(rng, seconds, 45, 0.5 * rough)
    source = source + breath * 3 * noise(rng, seconds)
    first = formants(source, tract(vowels[0], size, width))
    if vowels[1] == vowels[0]:
        return unit(first)
    return unit(first * (1 - blend) + formants(source, tract(vowels[1], size, width)) * blend)
