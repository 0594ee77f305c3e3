"""Larger blocks for what is struck: bars, bells, tubes, the blow itself, and tunes to play on them."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import Rng, Signal, bandpass, decay, modes, noise
from builders.sounds.synth.declare import Take

PENTATONIC = (1, 1.125, 1.25, 1.5, 1.667, 2, 2.25, 2.5, 3)
"""Ratios of a scale in which any two notes go together."""

BALL = ((1, 1.0), (1.35, 0.6), (2.1, 0.7), (2.8, 0.5), (3.7, 0.4))
"""(ratio, amplitude) of the partials of a jingle: a small bell or a pair of plates."""

BELL = (0.5, 1, 1.19, 1.5, 2, 2.51, 2.66, 3.01, 3.36, 4.18, 5.43, 6.8, 8.2, 9.9, 11.7)
"""Ratios of a cast bell's partials to its prime: hum, prime, tierce (a minor third), quint, nominal and above (Rossing 2000)."""


def bar(length: float, frequency: float, *partials: tuple[float, float, float]) -> Signal:
    """A struck body of the given length with (ratio, T60 in seconds, amplitude) partials over `frequency`."""
    return modes(length, [(frequency * ratio, t60, amplitude) for ratio, t60, amplitude in partials])


def melody(take: Take, number: int, top: int = 5) -> list[int]:
    """`number` degrees of a scale, 0 to `top`, that move by a step or two."""
    degrees = [int(take.rng.integers(0, top + 1))]
    for _ in range(number - 1):
        degrees.append(int(np.clip(degrees[-1] + take.rng.choice([-2, -1, 1, 2]), 0, top)))
    return degrees


def tap(rng: Rng, length: float, low: float, high: float, t60: float) -> Signal:
    """The blow itself: a burst of noise between `low` and `high` Hz."""
    return bandpass(noise(rng, length), low, high) * decay(length, t60, 0.0003)


def tube(take: Take, frequency: float, bright: float) -> Signal:
    """A stroke of a chime's tube that is heard at `frequency`, 2 s; the higher `bright`, the stronger its upper partials."""
    # A free bar's fourth to sixth modes are as 81 : 121 : 169, so nearly as 2 : 3 : 4 that the ear hears a 1
    # (Rossing 2000); here it sounds.
    ratios = (1, 2, 3.02, 4.2, 5.43, 6.8, 8.2, 10)
    return bar(2.0, frequency, *((r, 3 / r**0.6, r**bright) for r in ratios)) + 0.3 * tap(take.rng, 2.0, 1000, 6000, 0.03)


def cast(take: Take, prime: float, length: float, tilt: float, t60: float) -> Signal:
    """A stroke of a cast bell.

    Args:
        prime: frequency of the second partial.
        tilt: power of the ratio by which the partials' strength grows.
        t60: decay of the prime, in seconds; higher partials are shorter.
    """
    # A bell that is not quite round has two tones in each mode, which beat.
    bell = bar(length, prime, *((r * s, t60 / r**0.8, r**tilt) for r in BELL for s in (1, 1.003)))
    return bell + 0.3 * tap(take.rng, length, 1500, 8000, 0.05)
