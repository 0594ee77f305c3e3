"""Clocks, things that are typed on, torn, dropped and broken, and what bangs."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    count,
    curve,
    decay,
    envelope,
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
    saw,
    shaped_noise,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import firings, thud

family = Family()


@family.sound("clock tick", "a clock ticking", "a clock ticks", "/m/07qjznl", confusable=("wood block",))
def clock_tick(take: Take) -> Signal:
    rate, tone = take.spread(4.4, 6.2), take.spread(0.85, 1.2)
    number = int(take.choose(8, 9, 10, 11))
    ticks = []
    for k in range(number):
        high = (1.0, 0.82)[k % 2] * tone
        spring = modes(
            0.06, [(f * high, t, a) for f, t, a in ((2300, 0.02, 1), (3600, 0.025, 0.8), (5200, 0.015, 0.6), (900, 0.02, 0.3))]
        )
        click = highpass(noise(take.rng, 0.06), 2500) * decay(0.06, 0.012, 0.0002) * 1.5
        ticks.append((k / rate, (spring + click) * take.uniform(0.85, 1)))
        ticks.append((k / rate + 0.018, 0.3 * (spring + click)))
    return room(take.rng, place(number / rate, ticks), 0.15, 0.15)


@family.sound("zipper", "a zipper closing", "a zipper closes", "/m/01s0vc")
def zipper(take: Take) -> Signal:
    low, pace, pulls, at = 2600 * take.spread(0.9, 1.1), 383.3 * take.spread(0.88, 1.14), [], 0.0
    for _ in range(int(take.choose(2, 3, 2, 3, 2))):  # a pull and another, as far as the arm reaches
        long = 0.3463 * take.uniform(0.9, 1.1)
        speed = curve(long, (0, 0.3), (0.5, 0.9), (0.9, 1.1), (1, 0.8)) * wander(take.rng, long, 15, 0.06)
        rate = pace * speed
        teeth = 0.9 * saw(rate) + 0.446 * firings(take.rng, rate, rough=0.4, jitter=0.0888)
        teeth = teeth + noise(take.rng, long) * (1 + 0.893 * np.sin(2 * np.pi * phase(rate)))
        tape = formants(
            teeth, [(low, 0.3 * low, 0), (2.2 * low, 0.5 * low, -4.2), (4 * low, low, -8.4), (7 * low, 2 * low, -8.4)]
        )
        pulls.append((at, (tape + 0.225 * highpass(teeth, 500)) * speed * envelope(long, 0.02, 0.03)))
        at += long + 0.1 * take.uniform(0.8, 1.2)
    return place(at, pulls)


@family.sound("paper tearing", "paper tearing", "paper tears", "/m/07qcx4z", confusable=("rustling leaves",))
def paper_tearing(take: Take) -> Signal:
    length, low = take.spread(0.8, 1.5), take.spread(1600, 2200)
    # Fibres give way in bursts, the finer the higher: every band has a rhythm of its own.
    total = np.zeros(count(length))
    for octave in range(3):
        fibres = np.clip(wander(take.rng, length, 75 * 2**octave, 0.6), 0.02, 4) ** 2.8
        centre = low * 2 ** (0.95 * octave)
        total += 10 ** (0.12 * octave) * fibres * bandpass(noise(take.rng, length), 0.6 * centre, min(1.6 * centre, 14_000))
    pull = curve(length, (0, 0.4), (0.3, 0.8), (0.85, 1.2), (1, 0.7)) * np.clip(wander(take.rng, length, 30, 0.4), 0.15, 2)
    return total * pull * envelope(length, 0.03, 0.05)


@family.sound("glass breaking", "glass breaking", "glass breaks", "/m/07rn7sz")
def glass_breaking(take: Take) -> Signal:
    length, size = take.spread(0.9, 1.5), take.spread(0.8, 1.25)
    crash = highpass(noise(take.rng, 0.5), 1500) * decay(0.5, 0.35, 0.0005) * 1.6
    pane = modes(0.5, random_modes(take.rng, 1500 / size, 11_000, 60, 0.3)) * 0.35
    pieces: list[tuple[float, Signal]] = [(0.0, crash), (0.0, pane)]
    for at in take.rng.uniform(0, 1, 60) ** 1.5 * (length - 0.3):
        shard = modes(0.2, random_modes(take.rng, 2400 / size, 12_000, 6, 0.12))
        tick = highpass(noise(take.rng, 0.2), 3000) * decay(0.2, 0.03, 0.0003)
        pieces.append((0.04 + float(at), (shard + tick) * np.exp(-1.8 * at) * take.uniform(0.2, 0.8)))
    return room(take.rng, place(length, pieces) * envelope(length, 0.001, 0.1), 0.4, 0.3)


@family.sound("coin drop", "a coin dropping", "a coin drops", "/m/0242l", confusable=("cutlery", "keys jangling"))
def coin_drop(take: Take) -> Signal:
    tone, gap, shrink = 3925 * take.spread(0.84, 1.19), 0.1739 * take.spread(0.84, 1.19), 0.766 * take.spread(0.96, 1.04)
    at, gain, hits = 0.0, 1.0, []
    sizes = [
        (ratio * take.uniform(0.98, 1.02), level)
        for ratio, level in ((1, 0.5), (1.71, 0.8), (2.31, 0.7), (3.02, 0.5), (3.73, 0.4))
    ]
    table = thud(take.rng, 0.03, (150, 0), (500, 0), (3000, -14))
    while gap > 0.012 and at < 1.6:
        ring = modes(0.25, [(tone * ratio, 0.03164 / ratio, level * take.uniform(0.4, 1)) for ratio, level in sizes])
        tap = highpass(noise(take.rng, 0.25), 2087) * decay(0.25, 0.008018, 0.0003)
        level = gain * take.uniform(0.7, 1)
        hits += [(at, (ring + 2.405 * tap) * level), (at, 0.3226 * table * level)]
        at, gap, gain = at + gap, gap * shrink, max(gain * 0.8633, 0.15)
    return place(at + 0.25, hits)


@family.sound("gunshot", "a gun firing", "a gun fires", "/m/032s66", confusable=("whip",))
def gunshot(take: Take) -> Signal:
    length, echo = take.spread(0.8, 1.2), take.spread(0.09, 0.2)
    # A muzzle blast is a single sharp pulse of pressure (Friedlander 1946); what is heard for longer is the place around it.
    at = ramp(0.05)
    pulse_ = (1 - at / 0.0012) * np.exp(-at / 0.0012) * 12
    gas = noise(take.rng, 0.05) * decay(0.05, 0.03, 0.0001) * 3
    shot = pulse_ + gas
    tail = shaped_noise(take.rng, length, (60, -2), (300, 2), (1200, 0), (4000, -8), (12000, -20))
    tail *= 2.5 * decay(length, length * 1.5, 0.004) + 0.3 * np.exp(-((ramp(length) - echo) ** 2) / 0.0004)
    return place(length, [(0.0, shot), (0.003, tail), (echo, 0.2 * lowpass(shot, 3000))]) * envelope(length, 0.0001, 0.2)


@family.sound("footsteps", "someone walking", "someone walks", "/m/07pbtc8", confusable=("horse trot",))
def footsteps(take: Take) -> Signal:
    pace, number, walk = take.spread(0.4, 0.5), int(take.choose(4, 5, 4, 5)), []
    for k in range(number):
        heel = lowpass(noise(take.rng, 0.2), 250) * decay(0.2, 0.1) * 2.5
        heel += formants(noise(take.rng, 0.2) * decay(0.2, 0.035, 0.0005), [(700, 500, 0), (1800, 900, -2), (3600, 1800, -6)]) * 2
        toe = bandpass(noise(take.rng, 0.2), 500, 5000) * decay(0.2, 0.12, 0.02) * 0.5
        walk += [(k * pace, heel * take.uniform(0.8, 1)), (k * pace + 0.12, toe * take.uniform(0.8, 1))]
    return room(take.rng, place(number * pace, walk), 0.6, 0.5)
