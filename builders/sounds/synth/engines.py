"""Vehicles, engines, aircraft and trains."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    compress,
    count,
    curve,
    envelope,
    formants,
    harmonics,
    noise,
    phase,
    place,
    pulse,
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
