"""Birds and insects."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    count,
    curve,
    envelope,
    formants,
    noise,
    phase,
    place,
    ramp,
    room,
    saw,
    series,
    shaped_noise,
    sine,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import call

family = Family()


@family.sound("rooster crow", "a rooster crowing", "a rooster crows", "/m/07qn5dc")
def rooster_crow(take: Take) -> Signal:
    base, tempo, calls = take.spread(420, 600), take.spread(0.85, 1.15), []
    throat = [(1050, 350, 0.0), (1900, 500, 1.0), (3000, 700, -2), (4500, 1200, -10)]
    for length, rise, fall in ((0.13, 0.75, 1.0), (0.2, 1.05, 1.2), (0.14, 1.25, 1.2), (0.85, 1.5, 0.7)):
        length *= tempo * take.uniform(0.95, 1.05)
        pitch = base * curve(length, (0, rise * 0.8), (0.15, rise), (0.5, rise * 0.95), (1, fall))
        crow = call(take.rng, pitch, throat, throat, 0.0, breath=0.25, rough=0.3)
        calls.append(crow * envelope(length, 0.02, 0.08))
    return room(take.rng, series(calls, 0.03), 0.25, 0.2)


@family.sound("duck quack", "a duck quacking", "a duck quacks", "/m/07qdb04")
def duck_quack(take: Take) -> Signal:
    base, quacks = take.spread(190, 300), []
    bill = [(1150, 250, 0.0), (1900, 350, 0.0), (2800, 500, -3), (4200, 900, -10)]
    for k in range(int(take.choose(3, 4, 4, 5))):
        length = take.uniform(0.14, 0.2)
        pitch = base * (1 - 0.03 * k) * curve(length, (0, 1.2), (0.3, 1.1), (1, 0.7))
        quack = call(take.rng, pitch, bill, bill, 0.0, breath=0.2, rough=0.35)
        quacks.append(quack * envelope(length, 0.012, 0.07) * (1 - 0.08 * k))
    return room(take.rng, series(quacks, take.spread(0.06, 0.16)), 0.25, 0.2)


@family.sound("owl hoot", "an owl hooting", "an owl hoots", "/m/07r_80w")
def owl_hoot(take: Take) -> Signal:
    base, hoots = take.spread(320, 470), []
    for length in (0.16, 0.14, 0.4, 0.42)[: int(take.choose(3, 4, 3, 4))]:
        length *= take.uniform(0.95, 1.15)
        tone = sine(base * curve(length, (0, 0.92), (0.3, 1), (1, 0.93)))
        air = bandpass(noise(take.rng, length), base * 0.8, base * 2) * 0.12
        hoots.append((tone + 0.12 * tone**2 + air) * envelope(length, 0.05, 0.1))
    return series(hoots, take.spread(0.1, 0.19))


@family.sound("bird chirp", "a bird chirping", "a bird chirps", "/m/07pggtn")
def bird_chirp(take: Take) -> Signal:
    base, tempo, chirps = take.spread(2500, 3300), take.spread(0.8, 1.25), []
    shape = [(take.uniform(0.8, 1.2), take.uniform(0.85, 1.25), take.uniform(0.75, 1.1)) for _ in range(3)]
    for k in range(int(take.choose(7, 8, 9, 10))):
        length = tempo * take.uniform(0.08, 0.13)
        a, b, c = shape[k % 3]
        trill = 1 + 0.05 * np.sin(2 * np.pi * 38 * ramp(length)) * (k % 3 == 2)
        chirps.append(sine(base * trill * curve(length, (0, a), (0.4, b), (1, c))) * envelope(length, 0.012, 0.05))
        chirps.append(np.zeros(count(tempo * take.uniform(0.03, 0.09))))
    return np.concatenate(chirps)


@family.sound("crow caw", "a crow cawing", "a crow caws", "/m/07r5c2p")
def crow_caw(take: Take) -> Signal:
    base, caws = take.spread(270, 400), []
    throat = [(1150, 300, 0.0), (1650, 350, 1), (2700, 600, -6), (4000, 900, -12)]
    for _ in range(int(take.choose(2, 3, 2, 3))):
        length = take.uniform(0.28, 0.38)
        pitch = base * curve(length, (0, 0.85), (0.3, 1.05), (1, 0.8))
        caw = call(take.rng, pitch, throat, throat, 0.0, breath=0.45, rough=0.6)
        caws.append(caw * envelope(length, 0.03, 0.12))
    return room(take.rng, series(caws, take.spread(0.14, 0.2)), 0.5, 0.35)


@family.sound("crickets", "crickets chirping", "crickets chirp", "/m/09xqv", sustained=True)
def crickets(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    base, total = take.spread(3250, 3700), np.zeros(count(length))
    for _ in range(7):
        rate, pulses = take.uniform(1.6, 3.2), int(take.rng.integers(3, 6))
        cycle = (ramp(length) * rate * wander(take.rng, length, 0.7, 0.02) + take.uniform(0, 1)) % 1
        chirp = np.where(cycle < 0.55, np.sin(np.pi * (cycle / 0.55 * pulses % 1)) ** 2, 0.0)
        wings = sine(base * take.uniform(0.9, 1.08) * wander(take.rng, length, 30, 0.004))
        total += chirp * wings * take.uniform(0.5, 1)
    field = bandpass(noise(take.rng, length), base * 0.85, base * 1.15) * (
        0.6 + 0.4 * np.sin(2 * np.pi * take.spread(32, 48) * ramp(length))
    )
    night = shaped_noise(take.rng, length, (200, -12), (1000, -8), (5000, 0), (9000, -6))
    return total + 0.5 * unit(field) + 0.1 * night


@family.sound("bee buzz", "a bee buzzing", "a bee buzzes", "/m/01h3n", sustained=True)
def bee_buzz(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = take.spread(165, 245) * wander(take.rng, length, 3, 0.05) * wander(take.rng, length, 40, 0.03)
    wings = saw(pitch) + 0.4 * noise(take.rng, length) * (phase(pitch) % 1)
    body = formants(wings, [(350, 250, 0), (900, 500, -3), (2300, 1200, -8), (4500, 2000, -14)])
    near = np.clip(wander(take.rng, length, 1.0, 0.3), 0.4, 1.6) * np.clip(wander(take.rng, length, 25, 0.15), 0.5, 1.5)
    return unit(body) * near + 0.05 * noise(take.rng, length)


@family.sound("woodpecker", "a woodpecker drumming", "a woodpecker drums", None)
def woodpecker(take: Take) -> Signal:
    rate, length, tone = take.spread(15, 22), take.spread(0.9, 1.5), take.spread(850, 1250)
    at = np.arange(0, length, 1 / rate)
    knocks = []
    for when in at:
        ring = 0.09
        knock = sum(
            a * np.sin(2 * np.pi * tone * r * ramp(ring)) * np.exp(-ramp(ring) * d)
            for a, r, d in ((1.0, 1.0, 70), (0.7, 1.63, 90), (0.4, 2.7, 130))
        )
        knocks.append(
            (
                float(when),
                (knock + 0.5 * shaped_noise(take.rng, ring, (300, 0), (4000, -10)) * np.exp(-300 * ramp(ring)))
                * take.uniform(0.85, 1.1)
                * (1 - 0.4 * when / length),
            )
        )
    return place(length + 0.1, knocks)
