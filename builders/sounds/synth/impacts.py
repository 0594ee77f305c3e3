"""Blows, bounces, snaps and what swings, rolls or grinds."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    count,
    curve,
    decay,
    envelope,
    harmonics,
    highpass,
    lowpass,
    modes,
    noise,
    phase,
    place,
    ramp,
    random_modes,
    room,
    shaped_noise,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.resonators import tap

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


@family.sound("swish", "a stick swishing through the air", "a stick swishes through the air", "/m/07rqsjt")
def swish(take: Take) -> Signal:
    pace, high = take.spread(0.32, 0.55), take.spread(1000, 2600)
    swings = []
    for k in range(int(take.choose(3, 4, 3, 2, 4))):
        length = take.uniform(0.25, 0.38)
        speed = curve(length, (0, 0), (0.55, 1), (1, 0))
        air = np.zeros(count(length))
        for level in (0.5, 0.75, 1.0):
            air += bandpass(noise(take.rng, length), 0.6 * level * high, 1.4 * level * high) * speed ** (1 + 4 * level)
        swings.append((k * pace * take.uniform(0.92, 1.08), air * take.uniform(0.7, 1)))
    return place(swings[-1][0] + 0.45, swings)


@family.sound("bowling strike", "a bowling ball scattering the pins", "a bowling ball scatters the pins")
def bowling_strike(take: Take) -> Signal:
    roll, tone = take.spread(0.6, 1.1), take.spread(420, 650)
    ball = shaped_noise(take.rng, roll, (40, 0), (150, 0), (600, -14), (3000, -30)) * curve(roll, (0, 0.25), (1, 0.6))
    hits: list[tuple[float, Signal]] = [(0.0, 0.5 * ball)]
    for at in [0.0, *np.abs(take.rng.normal(0, 0.12, 12)), *take.rng.uniform(0.1, 0.6, 12)]:
        f = tone * take.uniform(0.8, 1.25)
        pin = modes(0.2, [(f, 0.1, 1), (2.6 * f, 0.06, 0.7), (4.9 * f, 0.04, 0.4)]) + tap(take.rng, 0.2, 800, 5000, 0.02)
        hits.append((roll + float(at), pin * take.uniform(0.3, 1) * np.exp(-1.5 * at) * 2.5))
    return room(take.rng, place(roll + 0.9, hits), 1.0, take.spread(0.3, 0.6))


@family.sound("shelf collapse", "a shelf crashing down", "a shelf crashes down", "/m/07pjjrj")
def shelf_collapse(take: Take) -> Signal:
    length, low = take.spread(1.0, 1.8), take.spread(120, 260)
    hits = []
    for at in [0.0, *(take.rng.uniform(0, 1, 45) ** 2.2 * (length - 0.4))]:
        kind = take.uniform(0, 1)
        if kind < 0.5:
            piece = modes(0.4, random_modes(take.rng, low, 2500, 12, 0.12)) + tap(take.rng, 0.4, 200, 4000, 0.05)
        else:
            piece = modes(0.4, random_modes(take.rng, 6 * low, 9000, 14, 0.3)) + tap(take.rng, 0.4, 2000, 10_000, 0.03)
        hits.append((float(at), piece * take.uniform(0.3, 1) * np.exp(-1.6 * float(at) / length)))
    blast = shaped_noise(take.rng, 0.5, (60, 0), (400, 0), (2000, -4), (9000, -12)) * decay(0.5, 0.4, 0.001)
    return room(take.rng, place(length, [*hits, (0.0, 1.5 * blast)]), 0.6, take.spread(0.3, 0.6))


@family.sound("machine gun", "a machine gun rattling", "a machine gun rattles", confusable=("gunshot", "jackhammer"))
def machine_gun(take: Take) -> Signal:
    rate, number = take.spread(9, 14), int(take.choose(9, 12, 14, 16, 11))
    hits = []
    for k in range(number):
        blast = shaped_noise(take.rng, 0.3, (80, 2), (500, 0), (2500, -4), (9000, -12)) * decay(
            0.3, take.spread(0.1, 0.25), 0.0002
        )
        hits.append((k / rate * take.uniform(0.995, 1.005), blast * take.uniform(0.8, 1)))
    return np.tanh(room(take.rng, place(number / rate + 0.3, hits), 1.2, take.spread(0.3, 0.7)) * 0.7)


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
