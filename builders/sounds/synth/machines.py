"""Appliances, fans and machinery."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    count,
    harmonics,
    phase,
    room,
    shaped_noise,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import firings, shells, struck, thud, whine

family = Family()


@family.sound("vacuum cleaner", "a vacuum cleaner running", "a vacuum cleaner runs", "/m/0d31p", sustained=True)
def vacuum_cleaner(take: Take) -> Signal:
    length, peak, dull = take.spread(4.2, 5.3), take.spread(340, 520), take.spread(5, 8)
    pitch = take.spread(230, 340) * wander(take.rng, length, 2, 0.0018)
    motor = harmonics(pitch, [k**-0.8 for k in range(1, 17)])
    air = shaped_noise(
        take.rng, length, (60, -16), (peak / 2, -8), (peak, 0), (2 * peak, -dull / 2), (4 * peak, -dull), (14000, -27)
    )
    dry = air + take.spread(0.25, 0.5) * unit(motor)
    return room(take.rng, dry, 0.3, 0.53)[: len(dry)]


@family.sound("sewing machine", "a sewing machine stitching", "a sewing machine stitches", "/m/0llzx", sustained=True)
def sewing_machine(take: Take) -> Signal:
    length, low = take.spread(4.2, 5.3), take.spread(585, 700)
    rate = take.spread(12.8, 17) * wander(take.rng, length, 3, 0.005)
    downs = firings(take.rng, rate, rough=take.spread(0.1, 0.27), jitter=0.03, group=1)
    ups = np.roll(downs, count(take.uniform(0.32, 0.46) / float(rate.mean())))
    needle = struck(downs, shells(take.rng, take.spread(1450, 2200), 6500, 18, 0.07))
    feed = struck(ups, shells(take.rng, take.spread(950, 1980), 7500, 18, 0.055))
    table = struck(downs, thud(take.rng, 0.025, (60, 0), (take.spread(160, 600), 3), (1500, -10), (6000, -30)))
    motor = whine(take.rng, rate * take.uniform(9.6, 12), (1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.3, 0.2), 0.12)
    whir = shaped_noise(take.rng, length, (60, -12), (low / 2, -4), (low, 0), (3 * low, -8), (14000, -22))
    whir *= 1 + 0.45 * np.sin(2 * np.pi * phase(rate))
    dry = unit(needle) + take.spread(0.22, 0.6) * unit(feed) + take.spread(0.1, 0.5) * unit(table)
    return room(take.rng, dry + take.spread(0.13, 0.5) * motor + take.spread(0.8, 1.15) * whir, 0.33, 1.05)[: len(dry)]


@family.sound(
    "blender",
    "a blender whizzing",
    "a blender whizzes",
    "/m/02pjr4",
    sustained=True,
    confusable=("power drill", "vacuum cleaner"),
)
def blender(take: Take) -> Signal:
    length, peak, dull = take.spread(4.2, 5.3), take.spread(350, 600), take.spread(1.2, 6)
    pitch = take.spread(150, 225) * wander(take.rng, length, 2, take.spread(0.002, 0.008))
    motor = harmonics(pitch, [k**-0.4 for k in range(1, 17)])
    air = shaped_noise(
        take.rng, length, (60, -19), (peak / 2, -9), (peak, 0), (2 * peak, -dull / 2), (4 * peak, -dull), (14000, -16)
    )
    dry = air + take.spread(0.4, 0.55) * unit(motor)
    return room(take.rng, dry, 0.24, 0.62)[: len(dry)]


@family.sound(
    "air conditioner",
    "an air conditioner humming",
    "an air conditioner hums",
    "/m/025wky1",
    sustained=True,
    confusable=("blender", "shower", "vacuum cleaner"),
)
def air_conditioner(take: Take) -> Signal:
    length, peak, slope = take.spread(4.2, 5.3), take.spread(200, 300), take.spread(-6, -4.5)
    pitch = take.spread(100, 320) * wander(take.rng, length, 2, 0.0015)
    fan = harmonics(pitch, [0.58**k for k in range(6)])
    mains = harmonics(np.full(count(length), take.uniform(54, 58)), (0, 1, 0, 0.5, 0, 0.2))
    air = shaped_noise(take.rng, length, (40, 0), (peak, 0), (2 * peak, slope), (14000, slope * np.log2(14000 / peak)))
    dry = air + take.spread(0.1, 0.5) * unit(fan) + take.spread(0.02, 0.1) * unit(mains)
    return room(take.rng, dry, 0.57, take.spread(0.4, 0.7))[: len(dry)]


@family.sound(
    "electric shaver",
    "an electric shaver buzzing",
    "an electric shaver buzzes",
    "/m/02g901",
    sustained=True,
    confusable=("electric toothbrush", "power drill"),
)
def electric_shaver(take: Take) -> Signal:
    length, body = take.spread(4.2, 5.3), take.spread(300, 450)
    pitch = take.spread(113, 132) * wander(take.rng, length, 5, take.spread(0.002, 0.008))
    # Up to 5 kHz the blades' harmonics are nearly equal; the housing lifts those around its resonance.
    order = np.arange(1, 40)
    lifted_db = 9.5 * np.exp(-0.5 * np.square(np.log2(order * 122 / body))) - take.spread(0.4, 2) * np.log2(order)
    blades = harmonics(pitch, list(10 ** (lifted_db / 20))) * np.clip(
        wander(take.rng, length, 18, take.spread(0.02, 0.2)), 0.2, 2
    )
    peak = take.spread(2300, 3700)
    scrape = shaped_noise(take.rng, length, (200, -24), (peak / 2, -6), (peak, 0), (2 * peak, -3), (14000, -12))
    dry = unit(blades) + take.spread(0.15, 0.28) * scrape
    return room(take.rng, dry, take.spread(0.17, 0.25), 0.31)[: len(dry)]
