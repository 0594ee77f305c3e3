"""Doors, drawers and hinges."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    curve,
    envelope,
    formants,
    modes,
    noise,
    phase,
    place,
    room,
    shaped_noise,
    sparse,
    unit,
    wander,
)
from builders.sounds.synth.contacts import blow
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import shells, struck, thud

family = Family()


@family.sound("door knock", "someone knocking on a door", "someone knocks on a door", "/m/07r4wb8")
def door_knock(take: Take) -> Signal:
    pace, panel, number, knocks = take.spread(0.17, 0.26), take.spread(0.8, 1.35), int(take.choose(4, 5, 6, 4)), []
    wood = [
        (127.5 * panel * ratio, 0.09392 / ratio**0.5, level)
        for ratio, level in ((1, 1.0), (2.04, 0.9), (3.3, 0.6), (6.9, 0.3748))
    ]
    for k in range(number):
        knuckle = thud(take.rng, 0.05758, (100, -4), (662.3 * panel, 0), (4 * 662.3, -6.351), (9000, -18.351))
        knocks.append((k * pace * take.uniform(0.97, 1.03), modes(0.3, wood) * take.uniform(0.8, 1)))
        knocks.append((k * pace * take.uniform(0.99, 1.01), 1.635 * knuckle))
    return room(take.rng, place(number * pace + 0.1, knocks), 0.2298, 0.2)


@family.sound("door slam", "a door slamming", "a door slams", "/m/07rjzl8")
def door_slam(take: Take) -> Signal:
    panel, shut = take.spread(0.8, 1.25), take.spread(0.34, 0.46)
    slam = thud(take.rng, 0.16, (40, -4), (190 * panel, 2), (760 * panel, -1.5), (3000, -23), (10_000, -39))
    frame = shells(take.rng, 150 * panel, 1800, 16, 0.28)
    latch = shells(take.rng, 900, 7000, 12, 0.04)
    swing = shaped_noise(take.rng, shut, (80, 0), (400, -3), (2000, -14)) * envelope(shut, 0.6 * shut, 0.02)
    parts = [(0.0, 0.006 * swing), (shut, slam), (shut, take.uniform(0.2, 0.35) * frame)]
    parts += [
        (shut, 0.15 * latch),
        (shut + take.spread(0.012, 0.06), 0.1 * latch),
        (shut + take.spread(0.18, 0.26), 0.25 * latch),
        (shut + 0.3, 0.2 * latch),
    ]
    return room(take.rng, place(shut + 0.5, parts), take.spread(1.0, 1.6), 0.15)


@family.sound("door creak", "a door creaking", "a door creaks", "/m/07qh7jl")
def door_creak(take: Take) -> Signal:
    length, tone = take.spread(1.1, 1.9), take.spread(850, 1250)
    # Stick and slip: the hinge lets go some 40 to 200 times a second, faster as the door gathers speed.
    slips = take.spread(55, 95) * curve(length, (0, 0.6), (0.35, 1.5), (0.7, 2.2), (1, 0.7))
    slips = slips * np.clip(wander(take.rng, length, 9, 0.15), 0.4, 2)
    cycle = np.diff(np.floor(phase(slips)), prepend=0.0) * np.clip(wander(take.rng, length, 30, 0.4), 0.1, 2.5)
    hinge = [(tone, 120, 0), (tone * 1.57, 160, 0), (tone * 2.36, 220, -2), (tone * 3.4, 400, -6)]
    creak = formants(cycle + 0.006 * noise(take.rng, length), hinge)
    return room(take.rng, creak * envelope(length, 0.06, 0.15), 0.4, 0.35)


@family.sound("sliding door", "a sliding door closing", "a sliding door closes", "/m/02y_763", confusable=("door slam",))
def sliding_door(take: Take) -> Signal:
    length, low = 0.6 * take.spread(0.8, 1.25), 324.5 * take.spread(0.87, 1.15)
    speed = curve(length, (0, 0.3), (0.6, 1), (1, 0.8))
    rough = np.clip(wander(take.rng, length, 16.35, 0.3709), 0.1, 2.5) * speed
    rail = 354.1 * take.spread(0.85, 1.18)
    roll = shaped_noise(take.rng, length, (60, -6), (rail, 0), (5 * rail, -12.9), (10_000, -28.9)) * rough
    bumps = struck(np.abs(sparse(take.rng, length, 10.5, 5)) * speed, shells(take.rng, low, 14 * low, 24, 0.088))
    stop = blow(take, low, 16 * low, 30, 0.141, 0.84, 0.015)
    slide = 0.017 * (unit(roll) + 0.9655 * unit(bumps)) * envelope(length, 0.06, 0.03)
    return room(take.rng, place(length + 0.4, [(0.0, slide), (length, stop), (length + 0.07, 0.25 * stop)]), 0.3, 0.25)
