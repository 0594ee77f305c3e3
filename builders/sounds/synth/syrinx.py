"""Birds' voices: whistled notes, and the songs and places they are put together to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from builders.sounds.synth.blocks import RATE, Rng, Signal, curve, envelope, ramp, shaped_noise, sine, unit, wander

Points = Sequence[tuple[float, float]]
"""(fraction of the length, value) of a curve."""


def note(
    rng: Rng,
    seconds: float,
    base: float,
    points: Points,
    *,
    trill: tuple[float, float] = (0.0, 0.0),
    second: float = 0.08,
    attack: float = 0.015,
    release: float = 0.04,
) -> Signal:
    """A whistled note of peak 1 or so.

    Args:
        points: pitch over the note, times `base` Hz.
        trill: rate in Hz and depth of a regular tremble of the pitch, which shakes the loudness as well.
        second: level of the second harmonic.
    """
    rate, depth = trill
    shake = np.sin(2 * np.pi * rate * ramp(seconds))
    pitch = base * curve(seconds, *points) * (1 + depth * shake) * wander(rng, seconds, 40, 0.003)
    tone = sine(pitch) + second * sine(2 * pitch)
    loud = np.clip(wander(rng, seconds, 12, 0.15), 0.3, 1.5) * (1 - min(5 * depth, 0.5) * (0.5 + 0.5 * shake))
    return np.asarray(tone * loud * envelope(seconds, attack, min(release, 0.6 * seconds)))


def outdoors(rng: Rng, signal: Signal, level_db: float, slope: float = -5.0) -> Signal:
    """The signal at unit RMS over the noise of open country, `level_db` against it and falling by `slope` dB an octave."""
    air = shaped_noise(rng, len(signal) / RATE, (80, 0), (12_000, slope * 7.2))
    return np.asarray(unit(signal) + 10 ** (level_db / 20) * air)
