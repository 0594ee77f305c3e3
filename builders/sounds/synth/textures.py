"""Larger blocks for what goes on: engines, motors, bubbling water, grains, and bodies that pass by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from builders.sounds.synth.blocks import (
    RATE,
    Rng,
    Signal,
    bandpass,
    bubble,
    convolve,
    count,
    decay,
    modes,
    noise,
    phase,
    ramp,
    random_modes,
    shaped_noise,
    sparse,
    train,
    unit,
    wander,
)

Points = Sequence[tuple[float, float]]
"""A spectrum: (frequency, dB)."""


def thud(rng: Rng, t60: float, *points: tuple[float, float], attack: float = 0.0005) -> Signal:
    """A dull body's answer to one blow: noise of the given spectrum that dies away, of unit energy."""
    answer = shaped_noise(rng, 1.2 * t60, *points) * decay(1.2 * t60, t60, attack)
    return np.asarray(answer / np.sqrt(np.square(answer).sum()))


def shells(rng: Rng, low: float, high: float, number: int, t60: float) -> Signal:
    """An irregular stiff body's answer to one blow (housing, sheet metal, wood), of unit energy."""
    answer = modes(1.2 * t60, random_modes(rng, low, high, number, t60))
    return np.asarray(answer / np.sqrt(np.square(answer).sum()))


def struck(events: Signal, answer: Signal) -> Signal:
    """Impulses sent through a body's answer, at the events' length."""
    return convolve(events, answer)[: len(events)]


def firings(rng: Rng, rate: Signal, *, rough: float, uneven: float = 0.0, group: int = 4, jitter: float = 0.02) -> Signal:
    """Impulses at each full cycle of `rate`, a curve in Hz.

    Args:
        rough: share by which the strength of each varies at random.
        uneven: the same between the members of a `group` that comes round and round (the cylinders of an engine).
        jitter: of the times, as a share of the period.
    """
    seconds = len(rate) / RATE
    turns = phase(rate) + rng.uniform(0, 1)
    at = np.flatnonzero(np.diff(np.floor(turns))) / RATE
    at = at + rng.standard_normal(len(at)) * jitter / rate[np.minimum((at * RATE).astype(int), len(rate) - 1)]
    members = np.maximum(1 + uneven * rng.standard_normal(group), 0.1)
    gains = members[np.arange(len(at)) % group] * np.maximum(1 + rough * rng.standard_normal(len(at)), 0.05)
    return train(seconds, at, gains)


def engine(
    rng: Rng,
    rate: Signal,
    *,
    rough: float,
    uneven: float,
    pipe: Points,
    ring: float = 0.04,
    soft: float = 0.002,
    clatter: float = 0.3,
    knock: tuple[float, float] = (800, 5000),
    hiss: float = 0.3,
    hiss_points: Points = ((60, 0), (300, -3), (1500, -10), (6000, -24)),
    breath: float = 0.4,
    group: int = 4,
    jitter: float = 0.02,
) -> Signal:
    """A piston engine, of about unit RMS: exhaust pulses through a pipe, the clatter of its metal, and the rush of air.

    Args:
        rate: firings a second, a curve.
        rough, uneven, group, jitter: as of `firings`.
        pipe, ring, soft: spectrum, decay and rise of the exhaust's answer to one firing.
        clatter, knock: level of the blows on the engine's block, and the band that they excite.
        hiss, hiss_points, breath: level and spectrum of the air, and how far it breathes with the firings.
    """
    seconds = len(rate) / RATE
    events = firings(rng, rate, rough=rough, uneven=uneven, group=group, jitter=jitter)
    exhaust = struck(events, thud(rng, ring, *pipe, attack=soft))
    taps = firings(rng, rate * 2, rough=0.5, uneven=0.4, group=8, jitter=0.06)
    metal = struck(taps, shells(rng, *knock, 24, 0.025)) + struck(taps, thud(rng, 0.025, (knock[0], 0), (knock[1], 0), (14000, -20)))
    air = 1 - breath + breath * np.cos(2 * np.pi * phase(rate))
    return unit(exhaust) + clatter * unit(metal) + hiss * shaped_noise(rng, seconds, *hiss_points) * air


def whine(rng: Rng, pitch: Signal, partials: Sequence[float], blur: float = 0.1) -> Signal:
    """A fast motor's tones at 1, 2, 3... × `pitch`: each wavers on its own as bearings and brushes make it, of unit RMS."""
    seconds = len(pitch) / RATE
    turn = 2 * np.pi * phase(pitch)
    total = np.zeros(len(pitch))
    top = float(pitch.max())
    for k, strength in enumerate(partials, 1):
        if strength and k * top < 0.45 * RATE:
            sway = wander(rng, seconds, 20, 4 * blur) - 1
            total += strength * wander(rng, seconds, 25, 2 * blur) * np.sin(k * turn + sway * np.sqrt(k) + rng.uniform(0, 6.28))
    return unit(total)


def bubbles(
    rng: Rng, seconds: float, rate: float, low: float, high: float, *, tilt: float = 0.7, rise: float = 0.15, spread_db: float = 5
) -> Signal:
    """`rate` bubbles a second at random, of sizes between `low` and `high` Hz; the larger are louder by `tilt`. Unit RMS."""
    total = np.zeros(count(seconds))
    tones = np.exp(rng.uniform(np.log(low), np.log(high), 28))
    for tone in tones:
        answer = bubble(min(0.25, 60 / tone + 0.02), float(tone), rise * rng.uniform(0, 2))
        total += struck(sparse(rng, seconds, rate / len(tones), spread_db), answer) * (low / tone) ** tilt
    return unit(total)


def grains(
    rng: Rng, seconds: float, rate: float, low: float, high: float, *, length: float = 0.012, bands: int = 6, spread_db: float = 6
) -> Signal:
    """`rate` short bursts of noise a second at random, each in one of `bands` bands between `low` and `high` Hz. Unit RMS."""
    total = np.zeros(count(seconds))
    for centre in np.exp(rng.uniform(np.log(low), np.log(high), bands)):
        burst = struck(np.abs(sparse(rng, seconds, rate / bands, spread_db)), decay(1.2 * length, length, 0.0003))
        total += unit(bandpass(burst * noise(rng, seconds), centre * 0.6, min(centre * 1.6, 0.45 * RATE)))
    return unit(total)


def passing(signal: Signal, closest: float, speed: float, distance: float) -> Signal:
    """What stands still, as it drives past: Doppler shift, level by distance, and dull where it is far.

    Args:
        closest: when it is nearest, in seconds.
        speed: in m/s.
        distance: from its path, in metres.
    """
    at = ramp(len(signal) / RATE)
    metres = np.sqrt(distance**2 + (speed * (at - closest)) ** 2)
    heard = np.interp(at - metres / 343, at, signal)
    return np.asarray(heard * distance / metres)


def strokes(rng: Rng, seconds: float, rate: float, back: float = 0.6) -> Signal:
    """Level of a tool moved to and fro `rate` times a second: two humps a turn, the way back at `back`; no turn like another."""
    turns = phase(rate * np.clip(wander(rng, seconds, rate, 0.1), 0.6, 1.4)) + rng.uniform(0, 0.2)
    gains = rng.uniform(0.8, 1.1, int(turns[-1]) * 2 + 4)
    half = np.floor(2 * turns).astype(int)
    return np.asarray(np.abs(np.sin(2 * np.pi * turns)) ** 0.7 * gains[half] * np.where(half % 2, back, 1.0))


def eased(values: Signal, seconds: float = 0.03) -> Signal:
    """A curve with its jumps rounded over some `seconds`."""
    from scipy.ndimage import uniform_filter1d

    half = max(count(seconds / 2), 1)
    return np.asarray(uniform_filter1d(uniform_filter1d(values, half, mode="nearest"), half, mode="nearest"))
