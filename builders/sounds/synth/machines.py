"""Appliances, fans and machinery."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    beats,
    count,
    curve,
    decay,
    harmonics,
    highpass,
    modes,
    noise,
    phase,
    place,
    random_modes,
    shaped_noise,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("vacuum cleaner", "a vacuum cleaner running", "a vacuum cleaner runs", "/m/0d31p", sustained=True)
def vacuum_cleaner(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = take.spread(210, 330) * curve(length, (0, 0.985), (0.3, 1)) * wander(take.rng, length, 2, 0.003)
    whine = harmonics(pitch, (0.5, 1, 0.4, 0.8, 0.3, 0.6, 0.25, 0.5, 0.2, 0.35, 0.15, 0.25, 0.1, 0.15))
    air = shaped_noise(take.rng, length, (60, -14), (200, -4), (700, 0), (2000, -1), (5000, -6), (14000, -20))
    return air + 0.6 * unit(whine) * wander(take.rng, length, 30, 0.05)


@family.sound("sewing machine", "a sewing machine stitching", "a sewing machine stitches", "/m/0llzx", sustained=True)
def sewing_machine(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(9, 14)
    at, clacks = beats(take.rng, length, rate, 0.03), []
    needle, feed = random_modes(take.rng, 900, 5500, 14, 0.05), random_modes(take.rng, 350, 2500, 10, 0.06)
    for when in at:
        tick = highpass(noise(take.rng, 0.08), 1200) * decay(0.08, 0.03, 0.0005)
        clacks.append((float(when), (modes(0.08, needle) + tick) * take.uniform(0.8, 1)))
        clacks.append((float(when) + 0.45 / rate, 0.7 * (modes(0.08, feed) + tick) * take.uniform(0.7, 1)))
    pitch = np.full(count(length), rate * 12) * wander(take.rng, length, 3, 0.01)
    whir = shaped_noise(take.rng, length, (200, -4), (900, 0), (3000, -4), (9000, -18)) * (
        0.7 + 0.3 * np.sin(2 * np.pi * phase(pitch))
    )
    return unit(place(length, clacks)) + 0.12 * unit(harmonics(pitch, (1, 0.8, 0.6, 0.5))) + 0.5 * whir
