"""What instruments play, and the string that many of them share."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import RATE, Rng, Signal, count, place, ramp, steps
from builders.sounds.synth.declare import Take

MAJOR = (0, 2, 4, 5, 7, 9, 11, 12)
"""Semitones of the major scale."""


def semitones(steps_up: float) -> float:
    return float(2 ** (steps_up / 12))


def tune(take: Take, number: int, root: float) -> list[float]:
    """Pitches, in Hz, of `number` notes that move by small steps in the major key of `root`."""
    degree, notes = int(take.rng.integers(1, 6)), []
    for _ in range(number):
        notes.append(root * semitones(MAJOR[degree]))
        degree = int(np.clip(degree + take.rng.choice([-2, -1, 1, 2]), 0, 7))
    return notes


def melody(take: Take, seconds: float, root: float, rate: float, glide: float = 0.02) -> Signal:
    """Pitch curve of a tune in a major key that moves by small steps, some `rate` notes a second."""
    return steps(seconds, tune(take, max(int(seconds * rate), 2), root), glide)


def tongued(seconds: float, number: int, low: float, rise: float = 0.04) -> Signal:
    """Level of `number` notes of equal length, each begun anew: from `low` up to 1 in `rise` seconds."""
    since = ramp(seconds) * number / seconds % 1 * seconds / number
    return np.asarray(low + (1 - low) * np.clip(since / rise, 0, 1) * np.clip((seconds / number - since) / 0.02, 0, 1))


def string(
    rng: Rng,
    seconds: float,
    frequency: float,
    t60: float,
    brightness: float = 0.5,
    *,
    damp: float = 0.5,
    pick: float = 0.2,
    scrape: float = 0.3,
    bend: Signal | None = None,
) -> Signal:
    """A plucked string: the loop of `blocks.pluck`, set off by a plectrum rather than by noise, in tune, for fast and bent notes.

    Args:
        frequency, t60, brightness: as of `pluck`.
        damp: 0 to 0.5: how fast high partials die away.
        pick: where it is plucked, as a share of its length: the nearer to its end, the sharper.
        scrape: 0 to 1: from the ideal pluck to noise, as hard picks, wound strings and rattling frets have it.
        bend: factor on the pitch, a curve of the length of the note.
    """
    from scipy.signal import lfilter

    period = int(RATE / frequency - damp)
    length = count(seconds) * 2 if bend is not None else count(1.05 * seconds) + 1
    line = np.zeros(1 + period + length)
    # The force on the bridge after an ideal pluck is a rectangle once a period, whose spectrum falls as sin(pi k pick) / k.
    # Noise between the same two ends lacks the same partials.
    width = max(round(pick * period), 1)
    rough = rng.uniform(-1, 1, period)
    first = (1 - scrape) * (np.arange(period) < width) + scrape * (rough - np.roll(rough, width))
    # A burst without its mean: the loop would hold a constant for long.
    line[1 : 1 + period] = lfilter([brightness], [1, brightness - 1], first - first.mean())
    loss = 10 ** (-3 * period / (RATE * t60))
    for at in range(1 + period, len(line), period):
        stop = min(at + period, len(line))
        line[at:stop] = loss * ((1 - damp) * line[at - period : stop - period] + damp * line[at - period - 1 : stop - period - 1])
    # The loop's delay is a whole number of samples and `damp`; reading it faster or slower brings it to its pitch.
    speed = frequency * (period + damp) / RATE
    where = np.cumsum(speed * bend) if bend is not None else speed * np.arange(count(seconds))
    return np.asarray(np.interp(where, np.arange(length), line[1 : 1 + length]))


def picked(
    take: Take,
    seconds: float,
    notes: list[tuple[float, float]],
    ring: float,
    t60: float,
    brightness: float,
    *,
    damp: float = 0.5,
    pick: float = 0.2,
    scrape: float = 0.3,
) -> Signal:
    """Strings plucked at (start in seconds, frequency), none quite as loud as another, each for `ring` seconds at most."""
    played = []
    for at, frequency in notes:
        tone = string(take.rng, ring, frequency, t60, brightness, damp=damp, pick=pick, scrape=scrape)
        played.append((at, tone * np.minimum((ring - ramp(ring)) / 0.03, 1) * take.uniform(0.75, 1)))
    return place(seconds, played)
