"""Tools, by hand and by motor."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    beats,
    convolve,
    count,
    curve,
    decay,
    formants,
    highpass,
    lowpass,
    modes,
    noise,
    phase,
    place,
    ramp,
    random_modes,
    room,
    saturate,
    saw,
    shaped_noise,
    train,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("power drill", "a power drill whirring", "a power drill whirs", "/m/01d380", sustained=True)
def power_drill(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = take.spread(150, 260) * curve(length, (0, 0.8), (0.08, 1), (1, 0.95)) * wander(take.rng, length, 6, 0.03)
    gears = saw(pitch) + 0.6 * saw(pitch * 4.37) + 0.5 * noise(take.rng, length) * (phase(pitch / 2) % 1)
    whirr = formants(gears, [(700, 500, -3), (1700, 700, 0), (3100, 1000, 0), (5200, 1800, -4)])
    bite = bandpass(noise(take.rng, length), 1500, 8000) * np.clip(wander(take.rng, length, 25, 0.3), 0.3, 2)
    return unit(whirr) + 0.6 * unit(bite)


@family.sound("jackhammer", "a jackhammer pounding", "a jackhammer pounds", "/m/03p19w", sustained=True)
def jackhammer(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(17, 26)
    at = beats(take.rng, length, rate, 0.05)
    blows = train(length, at, take.rng.uniform(0.75, 1, len(at)))
    steel = modes(0.08, [(take.spread(1100, 1500), 0.05, 0.8), (2750, 0.04, 0.5), (4100, 0.03, 0.3)])
    thud = modes(0.08, [(85, 0.09, 2.0), (170, 0.07, 1.2)])
    grit = shaped_noise(take.rng, 0.08, (200, 0), (1500, 0), (6000, -8)) * decay(0.08, 0.07) * 0.8
    exhaust = shaped_noise(take.rng, length, (300, -6), (1500, 0), (6000, -8)) * 0.12
    return saturate(convolve(blows, steel + thud + grit)[: count(length)] + exhaust, 0.7)


@family.sound("hand saw", "a hand saw cutting wood", "a hand saw cuts wood", "/m/01b82r")
def hand_saw(take: Take) -> Signal:
    length, rate = take.spread(1.5, 2.3), take.spread(2.3, 3.2)
    stroke = np.sin(np.pi * (2 * rate * ramp(length))) ** 2
    forward = np.floor(2 * rate * ramp(length)).astype(int) % 2 == 0
    teeth = train(
        length, np.cumsum(1 / take.rng.uniform(180, 320, int(length * 300))), take.rng.uniform(0.5, 1, int(length * 300))
    )
    wood = formants(teeth + 0.12 * noise(take.rng, length), [(650, 250, -6), (1900, 700, 0), (3100, 900, 1), (5200, 1500, -4)])
    return wood * (0.06 + stroke) * np.where(forward, 1.0, 0.7)


@family.sound("ratchet", "a ratchet clicking", "a ratchet clicks", "/m/02bm9n")
def ratchet(take: Take) -> Signal:
    length, rate = take.spread(0.9, 1.6), take.spread(17, 30)
    steel = random_modes(take.rng, 1500, 7500, 14, 0.03)
    clicks = []
    for at in beats(take.rng, length, rate, 0.04):
        click = modes(0.04, [(f * take.uniform(0.97, 1.03), t, a) for f, t, a in steel])
        scrape = highpass(noise(take.rng, 0.04), 2000) * decay(0.04, 0.02, 0.0003) * 2
        clicks.append((float(at), (click + scrape) * take.uniform(0.7, 1)))
    return room(take.rng, place(length + 0.05, clicks), 0.2, 0.2)


@family.sound("hammering", "a hammer hitting a nail", "a hammer hits a nail", "/m/03l9g")
def hammering(take: Take) -> Signal:
    number, pace, nail, strikes = int(take.choose(4, 5, 6, 5)), take.spread(0.24, 0.34), take.spread(1900, 2700), []
    for k in range(number):
        ring = modes(
            0.2, [(nail * (1 + 0.04 * k) * r, t, a) for r, t, a in ((1, 0.07, 0.5), (1.52, 0.05, 0.4), (2.31, 0.04, 0.3))]
        )
        board = lowpass(noise(take.rng, 0.2), 700) * decay(0.2, 0.1, 0.0005) * 2
        smack = highpass(noise(take.rng, 0.2), 700) * decay(0.2, 0.04, 0.0003)
        strikes.append((k * pace * take.uniform(0.98, 1.02), (ring + board + smack) * take.uniform(0.8, 1)))
    return room(take.rng, place(number * pace, strikes), 0.35, 0.35)
