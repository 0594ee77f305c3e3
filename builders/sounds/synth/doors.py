"""Doors, drawers and hinges."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    RATE,
    Signal,
    bandpass,
    curve,
    decay,
    envelope,
    formants,
    harmonics,
    highpass,
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
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import firings, shells, struck, thud

family = Family()


@family.sound("door knock", "someone knocking on a door", "someone knocks on a door", "/m/07r4wb8")
def door_knock(take: Take) -> Signal:
    pace, panel, knocks = take.spread(0.17, 0.26), take.spread(0.8, 1.35), []
    number = int(take.choose(4, 5, 6, 4))
    for k in range(number):
        wood = modes(
            0.22, [(130 * panel, 0.16, 1.0), (265 * panel, 0.12, 0.9), (430 * panel, 0.08, 0.6), (900 * panel, 0.04, 0.4)]
        )
        knuckle = bandpass(noise(take.rng, 0.22), 400, 2500) * decay(0.22, 0.025)
        knocks.append((k * pace * take.uniform(0.97, 1.03), (wood + 0.7 * knuckle) * take.uniform(0.8, 1)))
    return room(take.rng, place(number * pace + 0.1, knocks), 0.25, 0.2)


@family.sound("door slam", "a door slamming", "a door slams", "/m/07rjzl8")
def door_slam(take: Take) -> Signal:
    panel, latch, t60 = take.spread(0.75, 1.3), take.spread(0.03, 0.08), take.spread(0.9, 1.4)
    thud = shaped_noise(take.rng, 0.6, (50, 0), (120 * panel, 3), (400 * panel, 0), (1500, -8), (6000, -20))
    thud = thud * (decay(0.6, 0.14, 0.0005) + 0.5 * decay(0.6, 0.9, 0.002))
    rattle = bandpass(noise(take.rng, 0.25), 800, 4000) * decay(0.25, 0.12) * np.clip(wander(take.rng, 0.25, 60, 0.8), 0, 3)
    click = highpass(noise(take.rng, 0.15), 1200) * decay(0.15, 0.03) * 0.5
    return room(take.rng, place(0.8, [(0.0, click), (latch, thud * 2), (latch + 0.03, 0.5 * rattle)]), t60, 1.8)


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


@family.sound("drawer", "a drawer closing", "a drawer closes", "/m/0fqfqc")
def drawer(take: Take) -> Signal:
    length, low = take.spread(0.5, 0.9), take.spread(140, 260)
    speed = curve(length, (0, 0.3), (0.6, 1), (1, 0.8))
    rough = np.clip(wander(take.rng, length, 40, 0.4), 0.1, 2.5) * speed
    runners = shaped_noise(take.rng, length, (60, -6), (take.spread(250, 600), 0), (2500, -8), (10_000, -24)) * rough
    bumps = struck(np.abs(sparse(take.rng, length, 50, 5)) * speed, shells(take.rng, low, 3500, 24, 0.05))
    stop = shells(take.rng, low, 4000, 30, 0.12)
    stop = place(len(stop) / RATE, [(0.0, stop), (0.0, thud(take.rng, 0.05, (300, 0), (1500, 0), (6000, -12)))])
    inside = struck(np.abs(sparse(take.rng, 0.3, 50, 6)) * decay(0.3, 0.3), shells(take.rng, 1200, 9000, 12, 0.05))
    slide = 0.06 * (unit(runners) + unit(bumps)) * envelope(length, 0.06, 0.03)
    return room(
        take.rng,
        place(length + 0.4, [(0.0, slide), (length, stop), (length + 0.07, 0.4 * stop), (length, 0.15 * inside)]),
        0.3,
        0.25,
    )


@family.sound("sliding door", "a sliding door closing", "a sliding door closes", "/m/02y_763", confusable=("drawer",))
def sliding_door(take: Take) -> Signal:
    length, low = take.spread(0.9, 1.5), take.spread(90, 170)
    speed = curve(length, (0, 0.2), (0.5, 1), (1, 0.9))
    rough = np.clip(wander(take.rng, length, 20, 0.3), 0.1, 2.5) * speed
    roll = shaped_noise(take.rng, length, (50, -3), (take.spread(150, 400), 0), (2000, -8), (11_000, -22)) * rough
    wheels = struck(
        firings(take.rng, take.spread(22, 45) * speed + 2, rough=0.5, jitter=0.2), shells(take.rng, low, 2500, 20, 0.05)
    )
    stop = shells(take.rng, low, 3000, 30, 0.2)
    stop = place(len(stop) / RATE, [(0.0, stop), (0.0, 0.5 * thud(take.rng, 0.08, (200, 0), (1500, -3), (6000, -16)))])
    rolling = 0.08 * (unit(roll) + 0.6 * unit(wheels)) * envelope(length, 0.1, 0.03)
    return room(take.rng, place(length + 0.5, [(0.0, rolling), (length, stop)]), 0.5, 0.4)


@family.sound("squeak", "a hinge squeaking", "a hinge squeaks", "/m/07q6cd_", confusable=("door creak",))
def squeak(take: Take) -> Signal:
    pitch, pace, events = take.spread(900, 2200), take.spread(0.28, 0.42), []
    for k in range(int(take.choose(3, 4, 5, 3, 4))):
        long = pace * take.uniform(0.6, 0.9)
        tone = pitch * (1 + 0.12 * (k % 2)) * curve(long, (0, 0.8), (0.4, 1), (1, 0.9)) * wander(take.rng, long, 25, 0.02)
        slip = harmonics(tone, (1, 0.6, 0.45, 0.3, 0.2, 0.15, 0.1)) + 0.05 * bandpass(noise(take.rng, long), 1500, 8000)
        events.append(
            (
                k * pace,
                slip * np.clip(wander(take.rng, long, 60, 0.4), 0.1, 2) * envelope(long, 0.02, 0.04) * take.uniform(0.6, 1),
            )
        )
    return room(take.rng, place(len(events) * pace, events), 0.4, 0.3)
