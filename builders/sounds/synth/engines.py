"""Piston engines, and what they drive on the spot."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    count,
    curve,
    envelope,
    noise,
    phase,
    place,
    room,
    shaped_noise,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import (
    eased,
    engine,
    whine,
)

family = Family()


@family.sound(
    "engine idling",
    "an engine idling",
    "an engine idles",
    "/m/07pb8fc",
    sustained=True,
    confusable=("engine revving", "engine starting", "helicopter", "jackhammer", "lawn mower", "motorcycle", "propeller plane"),
)
def engine_idling(take: Take) -> Signal:
    length, peak = take.spread(4.2, 5.3), take.spread(700, 1350)
    rate = take.spread(18, 36) * wander(take.rng, length, 6, take.spread(0.004, 0.015))
    dry = engine(
        take.rng,
        rate,
        rough=take.spread(0.06, 0.25),
        uneven=0.33,
        group=6,
        pipe=[(125, 0), (peak / 2, -3), (peak, take.spread(0, 4)), (2 * peak, -8), (8000, -16)],
        ring=take.spread(0.03, 0.06),
        soft=0.004,
        clatter=take.spread(0.13, 0.55),
        knock=(take.spread(600, 1700), 4800),
        hiss=take.spread(0.06, 0.3),
        jitter=0.005,
    )
    return room(take.rng, dry, 0.5, 0.35)[: len(dry)]


@family.sound("lawn mower", "a lawn mower mowing", "a lawn mower mows", "/m/01yg9g", sustained=True, confusable=("motorcycle",))
def lawn_mower(take: Take) -> Signal:
    length, peak = take.spread(4.2, 5.3), take.spread(600, 1000)
    rate = take.spread(31, 43) * wander(take.rng, length, 4, take.spread(0.007, 0.02))
    motor = engine(
        take.rng,
        rate,
        rough=0.16,
        uneven=0.0,
        pipe=[(32, 3), (125, 0), (250, -4.5), (500, -9), (1000, -14), (2000, -18), (4000, -23), (8000, -27)],
        ring=take.spread(0.015, 0.03),
        soft=0.0005,
        clatter=take.spread(0.22, 0.42),
        knock=(1050, 3700),
        hiss=take.spread(0.25, 0.8),
        jitter=0.004,
        breath=0.2,
    )
    blade = shaped_noise(take.rng, length, (60, -10), (peak / 2, -3), (peak, 0), (3 * peak, -7), (14000, -24))
    blade *= 1 + 0.3 * np.cos(2 * np.pi * phase(2 * rate))
    belt = whine(take.rng, rate * take.uniform(7, 12), (1, 0.7, 0.5, 0.3), 0.07)
    return room(take.rng, motor + take.spread(0.5, 0.9) * blade + take.spread(0.35, 0.6) * belt, 0.5, 0.35)[: len(blade)]


@family.sound(
    "chainsaw",
    "a chainsaw sawing",
    "a chainsaw saws",
    "/m/01j4z9",
    sustained=True,
    confusable=("lawn mower", "motorcycle", "power drill", "race car"),
)
def chainsaw(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    rate = take.spread(135, 200) * wander(take.rng, length, 12, take.spread(0.03, 0.08))
    motor = engine(
        take.rng,
        rate,
        rough=0.06,
        uneven=0.25,
        group=2,
        pipe=[(60, -11), (125, -5), (250, 0), (500, -5), (1000, -11), (2000, -16), (4000, -21), (8000, -26)],
        ring=take.spread(0.006, 0.01),
        soft=0.0005,
        clatter=take.spread(0.45, 0.75),
        hiss=0.18,
        jitter=0.003,
    )
    chips = bandpass(noise(take.rng, length), 1500, 8000) * np.clip(wander(take.rng, length, 20, 0.3), 0.2, 2)
    return motor + take.spread(0.25, 0.6) * unit(chips)


@family.sound("engine starting", "an engine starting up", "an engine starts up", "/t/dd00130")
def engine_starting(take: Take) -> Signal:
    crank, run = take.spread(0.7, 1.4), take.spread(1.0, 1.5)
    turn = take.spread(8, 13) * wander(take.rng, crank, 5, 0.03)
    load = 0.55 + 0.45 * np.sin(2 * np.pi * phase(turn))
    starter = whine(take.rng, 34 * turn * (1.1 - 0.15 * load), (0.6, 1, 0.7, 0.5, 0.4, 0.3, 0.2), 0.3) * (0.3 + load)
    grind = shaped_noise(take.rng, crank, (100, 0), (600, 0), (2500, -4), (8000, -18)) * (0.3 + load)
    rate = take.spread(45, 65) * curve(run, (0, 0.5), (0.2, 1.5), (0.6, 0.75), (1, 0.7)) * wander(take.rng, run, 4, 0.02)
    motor = engine(
        take.rng,
        rate,
        rough=0.3,
        uneven=0.2,
        pipe=[(40, 0), (90, 2), (250, -2), (700, -8), (2500, -18), (8000, -34)],
        ring=0.05,
        clatter=0.25,
        hiss=0.5,
    ) * envelope(run, 0.06, 0.3)
    return place(crank + run, [(0.0, 0.6 * (unit(starter) + 0.7 * grind) * envelope(crank, 0.02, 0.05)), (crank - 0.03, motor)])


@family.sound(
    "engine revving",
    "an engine revving up",
    "an engine revs up",
    "/m/07q2z82",
    confusable=("engine starting", "motorcycle", "propeller plane", "race car"),
)
def engine_revving(take: Take) -> Signal:
    length = take.spread(1.5, 2.4)
    blips = int(take.choose(1, 2, 3, 2, 1))
    x = np.linspace(0, blips, count(length)) % 1
    revs = 1 + take.spread(1.2, 2.2) * np.where(x < 0.4, (x / 0.4) ** 1.3, np.exp(-(x - 0.4) * 3.5))
    rate = eased(take.spread(45, 80) * revs)
    motor = engine(
        take.rng,
        rate,
        rough=0.2,
        uneven=0.2,
        pipe=[(50, -2), (120, 2), (300, 0), (800, -4), (2500, -12), (8000, -28)],
        ring=0.035,
        clatter=0.15,
        hiss=0.3,
    )
    return motor * (0.3 + 0.7 * (revs - 1)) * envelope(length, 0.05, 0.2)
