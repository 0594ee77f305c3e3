"""Appliances, fans and machinery."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    beats,
    count,
    decay,
    harmonics,
    highpass,
    modes,
    noise,
    phase,
    place,
    random_modes,
    room,
    shaped_noise,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("vacuum cleaner", "a vacuum cleaner running", "a vacuum cleaner runs", "/m/0d31p", sustained=True)
def vacuum_cleaner(take: Take) -> Signal:
    length, peak, dull = take.spread(4.2, 5.3), take.spread(340, 780), take.spread(5, 8)
    pitch = take.spread(240, 420) * wander(take.rng, length, 2, 0.0018)
    motor = harmonics(pitch, [k**-0.8 for k in range(1, 17)])
    air = shaped_noise(
        take.rng, length, (60, -16), (peak / 2, -8), (peak, 0), (2 * peak, -dull / 2), (4 * peak, -dull), (14000, -27)
    )
    dry = air + take.spread(0.2, 0.45) * unit(motor)
    return room(take.rng, dry, 0.3, 0.53)[: len(dry)]


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


@family.sound(
    "hair dryer", "a hair dryer blowing", "a hair dryer blows", "/m/03wvsk", sustained=True, confusable=("vacuum cleaner",)
)
def hair_dryer(take: Take) -> Signal:
    length, peak, dull = take.spread(4.2, 5.3), take.spread(530, 660), take.spread(1.8, 5)
    pitch = take.spread(370, 620) * wander(take.rng, length, 2, take.spread(0.0015, 0.006))
    motor = harmonics(pitch, [k**-0.4 for k in range(1, 31)])
    air = shaped_noise(
        take.rng, length, (60, -22), (peak / 2, -11), (peak, 0), (2 * peak, -dull / 2), (4 * peak, -dull), (14000, -16)
    )
    dry = air + take.spread(0.1, 0.4) * unit(motor)
    return room(take.rng, dry, take.spread(0.35, 0.7), 0.7)[: len(dry)]


@family.sound("blender", "a blender whizzing", "a blender whizzes", "/m/02pjr4", sustained=True)
def blender(take: Take) -> Signal:
    length, peak, dull = take.spread(4.2, 5.3), take.spread(350, 600), take.spread(1.2, 6)
    pitch = take.spread(150, 225) * wander(take.rng, length, 2, take.spread(0.002, 0.008))
    motor = harmonics(pitch, [k**-0.4 for k in range(1, 17)])
    air = shaped_noise(
        take.rng, length, (60, -19), (peak / 2, -9), (peak, 0), (2 * peak, -dull / 2), (4 * peak, -dull), (14000, -16)
    )
    dry = air + take.spread(0.4, 0.55) * unit(motor)
    return room(take.rng, dry, 0.24, 0.62)[: len(dry)]
