"""Engines, vehicles and tools."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
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
    room,
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
    turns = phase(take.spread(20, 34) * wander(take.rng, length, 3, 0.015))
    strength = take.rng.uniform(0.6, 1, 4)[np.floor(turns).astype(int) % 4]
    puff = np.exp(-(turns % 1) * 5) * strength * np.clip(wander(take.rng, length, 12, 0.15), 0.5, 1.5)
    source = np.diff(puff, prepend=0.0) * 8 + 0.7 * puff * noise(take.rng, length)
    exhaust = formants(source, [(85, 60, 0), (190, 120, -2), (420, 250, -8), (1100, 600, -16)])
    valves = bandpass(noise(take.rng, length), 900, 5000) * (0.2 + np.exp(-(2 * turns % 1) * 8)) * 0.16
    hum = shaped_noise(take.rng, length, (40, 0), (250, -4), (1200, -18), (6000, -36))
    return compress(unit(exhaust) + valves + 0.35 * hum, 0.1, 0.5)


@family.sound("helicopter", "a helicopter hovering", "a helicopter hovers", "/m/09ct_", sustained=True)
def helicopter(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(10.5, 16)
    cycle = phase(rate * wander(take.rng, length, 0.5, 0.01)) % 1
    chop = np.exp(-(((cycle - 0.4) / 0.18) ** 2))
    thump = bandpass(noise(take.rng, length), 45, 220) * (0.12 + chop)
    swish = shaped_noise(take.rng, length, (150, 0), (500, -2), (1500, -8), (6000, -24)) * (0.3 + 0.7 * chop)
    turbine = sine(take.spread(900, 1500) * wander(take.rng, length, 1, 0.003)) * 0.04
    return compress(unit(thump) + 0.7 * swish + turbine, 0.06, 0.35)


@family.sound("vacuum cleaner", "a vacuum cleaner running", "a vacuum cleaner runs", "/m/0d31p", sustained=True)
def vacuum_cleaner(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = take.spread(210, 330) * curve(length, (0, 0.985), (0.3, 1)) * wander(take.rng, length, 2, 0.003)
    whine = harmonics(pitch, (0.5, 1, 0.4, 0.8, 0.3, 0.6, 0.25, 0.5, 0.2, 0.35, 0.15, 0.25, 0.1, 0.15))
    air = shaped_noise(take.rng, length, (60, -14), (200, -4), (700, 0), (2000, -1), (5000, -6), (14000, -20))
    return air + 0.6 * unit(whine) * wander(take.rng, length, 30, 0.05)


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
    "propeller plane",
    "a propeller plane droning",
    "a propeller plane drones",
    "/m/02l6bg",
    sustained=True,
    confusable=("engine idling",),
)
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
