"""Engines, vehicles and tools."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    RATE,
    Signal,
    bandpass,
    beats,
    compress,
    convolve,
    count,
    curve,
    decay,
    envelope,
    formants,
    harmonics,
    highpass,
    lowpass,
    modes,
    noise,
    phase,
    place,
    pulse,
    ramp,
    random_modes,
    saturate,
    saw,
    shaped_noise,
    sine,
    train,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("engine idling", "an engine idling", "an engine idles", "/m/07pb8fc", sustained=True)
def engine_idling(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    firing = take.spread(19, 34) * wander(take.rng, length, 3, 0.012)
    turns = phase(firing)
    strength = take.rng.uniform(0.7, 1, 4)[np.floor(turns).astype(int) % 4]
    explosion = np.exp(-(turns % 1) * 5) * strength
    exhaust = formants(np.diff(explosion, prepend=0.0), [(75, 40, 0), (140, 60, -3), (310, 120, -10), (700, 300, -20)])
    rattle = bandpass(noise(take.rng, length), 500, 3500) * (0.3 + explosion) * 0.06
    return unit(exhaust) + rattle + 0.15 * shaped_noise(take.rng, length, (40, 0), (200, -8), (2000, -30))


@family.sound("helicopter", "a helicopter hovering", "a helicopter hovers", "/m/09ct_", sustained=True)
def helicopter(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(10.5, 16)
    cycle = phase(rate * wander(take.rng, length, 0.5, 0.01)) % 1
    chop = np.exp(-(((cycle - 0.3) / 0.12) ** 2))
    thump = lowpass(noise(take.rng, length), 180) * chop * 3 + sine(np.full(count(length), rate * 5)) * chop
    swish = shaped_noise(take.rng, length, (150, 0), (500, -3), (1500, -10), (6000, -26)) * (0.25 + 0.75 * chop)
    turbine = sine(take.spread(900, 1500) * wander(take.rng, length, 1, 0.003)) * 0.05
    return unit(thump) + 0.6 * swish + turbine


@family.sound("vacuum cleaner", "a vacuum cleaner running", "a vacuum cleaner runs", "/m/0d31p", sustained=True)
def vacuum_cleaner(take: Take) -> Signal:
    length, motor = take.spread(4.2, 5.3), take.spread(190, 290)
    pitch = motor * wander(take.rng, length, 1, 0.004)
    whine = harmonics(pitch, (0.6, 1, 0.3, 0.6, 0.2, 0.4, 0.15, 0.3, 0.1, 0.2))
    air = shaped_noise(take.rng, length, (80, -10), (250, -2), (800, 0), (2500, -4), (6000, -12), (14000, -24))
    return air + 0.35 * unit(whine) + 0.15 * sine(pitch * 9.03)


@family.sound("power drill", "a power drill whirring", "a power drill whirs", "/m/01d380", sustained=True)
def power_drill(take: Take) -> Signal:
    length, speed = take.spread(4.2, 5.3), take.spread(330, 520)
    pitch = speed * curve(length, (0, 0.9), (0.08, 1), (1, 0.97)) * wander(take.rng, length, 4, 0.02)
    gears = saw(pitch) + 0.7 * saw(pitch * 2.31) + 0.3 * saw(pitch * 0.25)
    whirr = formants(gears, [(900, 400, 0), (2100, 500, 2), (3600, 800, 0)])
    bite = bandpass(noise(take.rng, length), 1500, 7000) * (0.4 + 0.6 * (phase(pitch / 8) % 1))
    return unit(whirr) * wander(take.rng, length, 12, 0.08) + 0.35 * unit(bite)


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


@family.sound("sewing machine", "a sewing machine stitching", "a sewing machine stitches", "/m/0llzx", sustained=True)
def sewing_machine(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(9, 14)
    at = beats(take.rng, length, rate, 0.02)
    needle = modes(0.1, random_modes(take.rng, 900, 4500, 12, 0.06))
    feed = modes(0.1, random_modes(take.rng, 350, 2000, 10, 0.08))
    clack = convolve(train(length, at, np.ones(len(at))), needle) + 0.7 * convolve(
        train(length, at + 0.45 / rate, take.rng.uniform(0.7, 1, len(at))), feed
    )
    motor = harmonics(np.full(count(length), rate * 12) * wander(take.rng, length, 2, 0.005), (1, 0.8, 0.6, 0.5, 0.3, 0.2))
    whir = shaped_noise(take.rng, length, (200, -4), (900, 0), (3000, -8), (9000, -24))
    return unit(clack[: count(length)]) + 0.25 * unit(motor) + 0.22 * whir


@family.sound("propeller plane", "a propeller plane droning", "a propeller plane drones", "/m/0k5j", sustained=True)
def propeller_plane(take: Take) -> Signal:
    length, blades = take.spread(4.2, 5.3), take.spread(72, 105)
    pitch = blades * wander(take.rng, length, 0.6, 0.006)
    drone = saw(pitch) + 0.8 * saw(pitch * 1.007) + 0.5 * saw(pitch * 0.5)
    body = formants(drone, [(150, 80, 0), (320, 120, -2), (800, 300, -8), (1700, 600, -16)])
    wash = shaped_noise(take.rng, length, (80, 0), (300, -2), (1000, -10), (5000, -30))
    return unit(body) + 0.3 * wash


@family.sound("train whistle", "a train whistle blowing", "a train whistle blows", "/m/04zmvq")
def train_whistle(take: Take) -> Signal:
    length, root = take.spread(1.3, 2.2), take.spread(290, 390)
    scoop = curve(length, (0, 0.94), (0.1, 1), (0.88, 1), (1, 0.93))
    chime = sum(harmonics(root * ratio * scoop, (1, 0.5, 0.35, 0.2, 0.12)) for ratio in (1, 1.19, 1.49, 1.78))
    blast = shaped_noise(take.rng, length, (300, -10), (1200, 0), (4000, -4), (10000, -16))
    return (unit(np.asarray(chime)) + 0.3 * blast) * envelope(length, 0.09, 0.22)


@family.sound("car horn", "a car horn honking", "a car horn honks", "/m/0912c9")
def car_horn(take: Take) -> Signal:
    low, honks = take.spread(350, 460), []
    lengths = ((0.3, 0.3), (0.9,), (0.2, 0.6), (0.25, 0.25, 0.5))[take.number % 4]
    at = 0.0
    for length in lengths:
        length *= take.uniform(0.95, 1.1)
        flat = np.full(count(length), low)
        horn = pulse(flat, 0.2) + pulse(flat * 1.255, 0.2)
        horn = formants(horn, [(1000, 700, 0), (2300, 900, 1), (3500, 1000, -4)]) + 0.2 * horn
        honks.append((at, horn * envelope(length, 0.015, 0.03)))
        at += length + take.uniform(0.08, 0.14)
    return place(at, honks)


@family.sound("foghorn", "a foghorn blowing", "a foghorn blows", "/m/04fq5q")
def foghorn(take: Take) -> Signal:
    length, low = take.spread(1.8, 2.9), take.spread(82, 128)
    pitch = low * curve(length, (0, 0.9), (0.08, 1), (0.92, 1), (1, 0.9)) * wander(take.rng, length, 4, 0.003)
    horn = formants(saw(pitch) + 0.5 * saw(pitch * 1.003), [(180, 90, 0), (380, 120, -3), (750, 250, -12)])
    return (unit(horn) + 0.03 * noise(take.rng, length)) * envelope(length, 0.15, 0.25)


@family.sound("hand saw", "a hand saw cutting wood", "a hand saw cuts wood", "/m/01b82r")
def hand_saw(take: Take) -> Signal:
    length, rate = take.spread(1.5, 2.3), take.spread(2.3, 3.2)
    stroke = np.sin(np.pi * (2 * rate * ramp(length))) ** 2
    forward = np.floor(2 * rate * ramp(length)).astype(int) % 2 == 0
    teeth = train(length, np.cumsum(1 / take.rng.uniform(180, 320, int(length * 300))), take.rng.uniform(0.5, 1, int(length * 300)))
    wood = formants(teeth + 0.12 * noise(take.rng, length), [(650, 250, -6), (1900, 700, 0), (3100, 900, 1), (5200, 1500, -4)])
    return wood * (0.06 + stroke) * np.where(forward, 1.0, 0.7)


@family.sound("ratchet", "a ratchet clicking", "a ratchet clicks", "/m/02bm9n")
def ratchet(take: Take) -> Signal:
    length, rate = take.spread(0.9, 1.6), take.spread(17, 30)
    at = beats(take.rng, length, rate, 0.03)
    click = modes(0.05, random_modes(take.rng, 1500, 7500, 14, 0.035))
    return convolve(train(length, at, take.rng.uniform(0.7, 1, len(at))), click)


@family.sound("hammering", "a hammer hitting a nail", "a hammer hits a nail", "/m/03l9g")
def hammering(take: Take) -> Signal:
    number, pace = int(take.choose(4, 5, 6, 5)), take.spread(0.24, 0.34)
    nail, strikes = take.spread(1900, 2700), []
    for k in range(number):
        f = nail * (1 + 0.04 * k)
        ring = modes(0.2, [(f, 0.16, 1), (f * 1.52, 0.12, 0.7), (f * 2.31, 0.08, 0.4)])
        board = modes(0.2, [(190, 0.12, 1.5), (330, 0.1, 1.0), (520, 0.06, 0.8)])
        smack = highpass(noise(take.rng, 0.2), 500) * decay(0.2, 0.03) * 0.6
        strikes.append((k * pace * take.uniform(0.98, 1.02), (ring + board + smack) * take.uniform(0.8, 1)))
    return place(number * pace + 0.1, strikes)


