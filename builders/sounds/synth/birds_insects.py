"""Birds and insects."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    RATE,
    Signal,
    bandpass,
    count,
    curve,
    envelope,
    formants,
    noise,
    place,
    ramp,
    saw,
    series,
    shaped_noise,
    sine,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import voice

family = Family()


@family.sound("rooster crow", "a rooster crowing", "a rooster crows", "/m/07qn5dc")
def rooster_crow(take: Take) -> Signal:
    base, tempo = take.spread(430, 620), take.spread(0.85, 1.15)
    calls = []
    for length, rise, fall in ((0.16, 0.8, 1.0), (0.2, 1.0, 1.1), (0.18, 1.1, 1.15), (0.75, 1.25, 0.7)):
        length *= tempo * take.uniform(0.95, 1.05)
        pitch = base * curve(length, (0, rise * 0.9), (0.25, rise), (0.6, (rise + fall) / 2), (1, fall))
        call = voice(take.rng, pitch, ("e", "a"), curve(length, (0, 0), (0.5, 1)), size=0.7, breath=0.1, rough=0.25)
        calls.append(call * envelope(length, 0.03, 0.06))
    return series(calls, 0.04)


@family.sound("duck quack", "a duck quacking", "a duck quacks", "/m/07qdb04")
def duck_quack(take: Take) -> Signal:
    base, quacks = take.spread(170, 270), []
    for k in range(int(take.choose(3, 4, 4, 5))):
        length = take.uniform(0.15, 0.21)
        pitch = base * (1 - 0.03 * k) * curve(length, (0, 1.15), (0.3, 1.1), (1, 0.75))
        source = voice(take.rng, pitch, ("ae", "ae"), size=0.8, breath=0.15, rough=0.3)
        nasal = formants(source, [(1250, 180, 0), (2100, 250, -2), (3000, 300, -4)])
        quacks.append(nasal * envelope(length, 0.02, 0.07) * (1 - 0.08 * k))
    return series(quacks, take.spread(0.06, 0.16))


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
    base, caws = take.spread(330, 470), []
    for _ in range(int(take.choose(2, 3, 2, 3))):
        length = take.uniform(0.3, 0.4)
        pitch = base * curve(length, (0, 0.9), (0.3, 1.06), (1, 0.85))
        caw = voice(take.rng, pitch, ("ae", "a"), curve(length, (0, 0), (1, 1)), size=0.62, breath=0.3, rough=0.75)
        caws.append(formants(caw, [(1500, 350, 0), (2100, 600, -4), (900, 400, -6)]) * envelope(length, 0.03, 0.1))
    return series(caws, take.spread(0.14, 0.22))


@family.sound("crickets", "crickets chirping", "crickets chirp", "/m/09xqv", sustained=True)
def crickets(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    base, total = take.spread(3250, 3650), np.zeros(count(length))
    for _ in range(5):
        rate, pulses = take.uniform(1.8, 3.2), int(take.rng.integers(3, 6))
        cycle = (ramp(length) * rate * wander(take.rng, length, 0.5, 0.02) + take.uniform(0, 1)) % 1
        wing = cycle * 1.6 * pulses % 1
        chirp = np.where(cycle < 1 / 1.6, np.sin(np.pi * wing) ** 1.5, 0.0)
        total += chirp * sine(base * take.uniform(0.95, 1.06) * wander(take.rng, length, 2, 0.002)) * take.uniform(0.6, 1)
    trill = sine(np.full(count(length), base * 0.9)) * (0.6 + 0.4 * np.sin(2 * np.pi * take.spread(32, 48) * ramp(length)))
    return total + 0.45 * trill + 0.02 * noise(take.rng, length)


@family.sound("bee buzz", "a bee buzzing", "a bee buzzes", "/m/01h3n", sustained=True)
def bee_buzz(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = take.spread(165, 245) * wander(take.rng, length, 2.5, 0.04) * wander(take.rng, length, 25, 0.012)
    wings = saw(pitch) + 0.5 * saw(pitch * 1.004)
    body = formants(wings, [(450, 300, 0), (1100, 500, -5), (2600, 900, -10)]) + 0.12 * wings
    near = wander(take.rng, length, 0.8, 0.22) * wander(take.rng, length, 15, 0.08)
    return body * np.maximum(near, 0.3) + 0.02 * noise(take.rng, length)


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
        knocks.append((float(when), (knock + 0.5 * shaped_noise(take.rng, ring, (300, 0), (4000, -10)) * np.exp(-300 * ramp(ring)))
                       * take.uniform(0.85, 1.1) * (1 - 0.4 * when / length)))
    return place(length + 0.1, knocks)


@family.sound("wing flap", "wings flapping", "wings flap", "/m/01dwxx")
def wing_flap(take: Take) -> Signal:
    length, rate = take.spread(1.1, 1.8), take.spread(7, 11)
    cycle = ramp(length) * rate * wander(take.rng, length, 2, 0.01) % 1
    stroke = np.exp(-(((cycle - 0.3) / 0.16) ** 2)) + 0.35 * np.exp(-(((cycle - 0.75) / 0.1) ** 2))
    air = shaped_noise(take.rng, length, (80, 0), (250, 2), (900, -4), (3500, -14), (9000, -26))
    return unit(air) * stroke * envelope(length, 0.1, 0.2)


