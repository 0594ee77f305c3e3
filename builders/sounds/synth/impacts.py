"""Blows, bounces, snaps and what swings, rolls or grinds."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    curve,
    decay,
    envelope,
    harmonics,
    highpass,
    lowpass,
    noise,
    phase,
    place,
    ramp,
    room,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("spring boing", "a spring boinging", "a spring boings", "/t/dd00121")
def spring_boing(take: Take) -> Signal:
    length, low, wobble = take.spread(0.8, 1.5), take.spread(120, 230), take.spread(6, 9.5)
    sway = np.sin(2 * np.pi * phase(wobble * curve(length, (0, 1), (1, 1.5)))) * np.exp(-2 * ramp(length) / length)
    pitch = low * (1 + take.spread(0.5, 0.8) * sway) * curve(length, (0, 1), (1, take.spread(0.7, 1.1)))
    return harmonics(pitch, [k**-0.4 for k in range(1, 16)]) * decay(length, 1.5 * length, 0.002)


@family.sound("whip", "a whip cracking", "a whip cracks", "/m/07rbp7_")
def whip(take: Take) -> Signal:
    pace, air, edge = take.spread(0.5, 0.62), take.spread(0.3, 0.6), take.spread(1000, 2000)
    lashes = []
    for k in range(int(take.choose(2, 3, 2, 3, 2))):
        swing = take.uniform(0.26, 0.34)
        rush = lowpass(noise(take.rng, swing), 2500) * curve(swing, (0, 0), (0.9, 1), (1, 0.5)) ** 4
        # The tip outruns sound: a shock, and no more.
        crack = highpass(noise(take.rng, 0.2), edge) * decay(0.2, take.spread(0.02, 0.04), 0.0001)
        lashes += [(k * pace, air * unit(rush)), (k * pace + swing, take.uniform(6, 9) * crack)]
    return place(lashes[-1][0] + 0.25, lashes)


@family.sound("squeaky toy", "a rubber toy squeaking", "a rubber toy squeaks", "/m/07q6cd_")
def squeaky_toy(take: Take) -> Signal:
    tone, pace = take.spread(900, 1900), take.spread(0.28, 0.45)
    squeaks = []
    for k in range(int(take.choose(2, 3, 4, 3, 2))):
        length = take.uniform(0.16, 0.28)
        pitch = tone * curve(length, (0, 0.7), (0.3, 1.1), (0.7, 1.0), (1, 0.6)) * wander(take.rng, length, 30, 0.02)
        reed = harmonics(pitch, (1, 0.5, 0.6, 0.3, 0.3, 0.2, 0.15)) + 0.2 * bandpass(noise(take.rng, length), tone, 4 * tone)
        squeaks.append((k * pace * take.uniform(0.9, 1.1), reed * envelope(length, 0.015, 0.06)))
    return room(take.rng, place(squeaks[-1][0] + 0.35, squeaks), 0.3, take.spread(0.05, 0.2))
