"""Bells, bars, plates and drums."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    beats,
    count,
    curve,
    decay,
    envelope,
    highpass,
    modes,
    noise,
    place,
    ramp,
    random_modes,
    room,
    shaped_noise,
    unit,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("church bell", "a church bell tolling", "a church bell tolls", "/m/03w41f")
def church_bell(take: Take) -> Signal:
    length, prime = take.spread(2.2, 3.3), take.spread(210, 390)
    # Hum, prime, tierce (a minor third), quint, nominal and above: the partials to which bells are tuned (Rossing 2000).
    ratios = (
        (0.5, 14, 0.6),
        (1, 9, 0.8),
        (1.19, 8, 0.9),
        (1.5, 5, 0.4),
        (2, 6, 1.0),
        (2.66, 3, 0.6),
        (3, 2.4, 0.5),
        (4.1, 1.6, 0.4),
    )
    partials = [(prime * r * split, t * length / 2.7, a) for r, t, a in ratios for split in (1, 1.0025)]
    clapper = bandpass(noise(take.rng, length), 1500, 8000) * decay(length, 0.08, 0.0005) * 2
    return room(take.rng, (modes(length, partials) + clapper) * envelope(length, 0.0005, 0.5), 1.0, 0.2)[: count(length)]


@family.sound("bicycle bell", "a bicycle bell ringing", "a bicycle bell rings", "/m/0gy1t2s", confusable=("telephone",))
def bicycle_bell(take: Take) -> Signal:
    tone, rate, length = take.spread(1700, 2350), take.spread(13, 20), take.spread(0.9, 1.4)
    ratios = ((1, 0.8, 1), (1.9, 0.5, 0.7), (2.77, 0.35, 0.6), (4.1, 0.2, 0.4))
    dome = [(tone * r * split, t, a) for r, t, a in ratios for split in (1, 1.007)]
    bell, hits = modes(0.9, dome), []
    for ring in (0.0, length / 2):  # "ring, ring": two strokes of the thumb
        for k, at in enumerate(ring + beats(take.rng, 0.28, rate, 0.08)):
            clapper = highpass(noise(take.rng, 0.9), 2500) * decay(0.9, 0.02, 0.0003)
            hits.append((float(at), (bell + clapper) * take.uniform(0.6, 1) * 0.8**k))
    return place(length + 0.4, hits) * envelope(length + 0.4, 0.0005, 0.2)


@family.sound("wind chime", "wind chimes tinkling", "wind chimes tinkle", "/m/026fgl", sustained=True)
def wind_chime(take: Take) -> Signal:
    length, root = take.spread(4.2, 5.3), take.spread(950, 1350)
    # A free bar's partials: 1, 2.756, 5.404.
    bars = [
        modes(1.2, [(root * r, 1.6, 1), (root * r * 2.756, 0.8, 0.5), (root * r * 5.404, 0.35, 0.25)])
        for r in (1, 1.122, 1.26, 1.498, 1.682, 2)
    ]
    times = np.concatenate([beats(take.rng, length + 1, 5, 0.25), take.rng.uniform(0, length + 1, int(4 * length))])
    strikes = [(float(at), bars[int(take.rng.integers(0, 6))] * take.uniform(0.5, 1)) for at in times]
    return place(length + 1, strikes)[count(0.8) :]


@family.sound("xylophone", "a xylophone playing", "a xylophone plays", "/m/0dwsp")
def xylophone(take: Take) -> Signal:
    root, pace = take.spread(520, 800), take.spread(0.13, 0.2)
    scale, degree, notes = (1, 1.125, 1.25, 1.5, 1.667, 2), int(take.rng.integers(0, 6)), []
    for k in range(int(take.choose(7, 8, 9, 10))):
        f = root * scale[degree]
        degree = int(np.clip(degree + take.rng.choice([-2, -1, 1, 2]), 0, 5))
        bar = modes(0.5, [(f, 0.45, 1), (3 * f, 0.2, 0.5), (6.1 * f, 0.08, 0.25)])
        mallet = bandpass(noise(take.rng, 0.5), 800, 4000) * np.exp(-ramp(0.5) * 300) * 0.4
        notes.append((k * pace, (bar + mallet) * take.uniform(0.75, 1)))
    return place(notes[-1][0] + 0.5, notes)


@family.sound("cymbal", "a cymbal crashing", "a cymbal crashes", "/m/01qbl")
def cymbal(take: Take) -> Signal:
    length, bright = take.spread(1.4, 2.2), take.spread(0.8, 1.35)
    plate = modes(length, random_modes(take.rng, 320 * bright, 9000, 90, 2.2 * length))
    wash = shaped_noise(take.rng, length, (300, -24), (2500 * bright, -2), (6000 * bright, 0), (13000, -6))
    swell = np.exp(-ramp(length) * 4.4 / length) * (1 - 0.6 * np.exp(-ramp(length) * 40))
    return (unit(highpass(plate, 300)) * 0.6 + wash * swell) * envelope(length, 0.002, 0.3)


@family.sound("gong", "a gong sounding", "a gong sounds", "/m/0mbct", confusable=("church bell",))
def gong(take: Take) -> Signal:
    length, low = take.spread(2.4, 3.3), take.spread(75, 125)
    body = modes(length, [(low * r, 4 * length / r**0.4, r**-0.7) for r in (1, 1.53, 1.98, 2.44, 2.94, 3.57, 4.3)])
    shimmer = modes(length, random_modes(take.rng, 5 * low, 3500, 60, 2.6)) * curve(length, (0, 0.05), (0.2, 1), (1, 0.6))
    return (unit(body) + 0.7 * unit(shimmer) * np.exp(-ramp(length) * 0.6)) * envelope(length, 0.01, 0.6)


@family.sound("drum roll", "a snare drum rolling", "a snare drum rolls", "/m/02k_mr", sustained=True)
def drum_roll(take: Take) -> Signal:
    length, rate, tone = take.spread(4.2, 5.3), take.spread(19, 28), take.spread(165, 230)
    hits = []
    for k, at in enumerate(beats(take.rng, length, rate, 0.08)):
        skin = modes(0.12, [(tone * r, t, a) for r, t, a in ((1, 0.08, 0.8), (1.59, 0.06, 0.5), (2.14, 0.05, 0.3))])
        snares = bandpass(noise(take.rng, 0.12), 1200, 9000) * decay(0.12, 0.1, 0.0005)
        hits.append((float(at), (skin + snares) * take.uniform(0.7, 1) * (1 - 0.2 * (k % 2))))
    wires = shaped_noise(take.rng, length, (1500, -10), (4500, 0), (10000, -6)) * 0.08
    return place(length, hits) + wires


@family.sound("bongo", "bongos playing", "bongos play", None)
def bongo(take: Take) -> Signal:
    pace, tone, hits = take.spread(0.12, 0.18), take.spread(270, 390), []
    patterns = ("HhLhHhLL", "HLhLHLhh", "LhHhLHHh", "HHLhLhHL")
    for k, stroke in enumerate(patterns[take.number % 4]):
        f = tone * (0.68 if stroke == "L" else 1) * take.uniform(0.99, 1.01)
        skin = modes(0.3, [(f, 0.28, 1), (f * 1.59, 0.15, 0.5), (f * 2.3, 0.1, 0.3)])
        slap = bandpass(noise(take.rng, 0.3), 600, 3500) * np.exp(-ramp(0.3) * 130) * 0.6
        hits.append((k * pace, (skin + slap) * (0.5 if stroke == "h" else 1)))
    return room(take.rng, place(8 * pace + 0.3, hits), 0.3, 0.15)


@family.sound("tambourine", "a tambourine shaking", "a tambourine shakes", "/m/07brj")
def tambourine(take: Take) -> Signal:
    length, rate = take.spread(1.1, 1.9), take.spread(5.5, 8)
    pairs = [modes(0.1, random_modes(take.rng, 2400, 12_000, 30, 0.12)) for _ in range(8)]
    jingles = []
    for k, at in enumerate(np.arange(0, length - 0.15, 1 / rate)):
        for _ in range(9):
            ring = pairs[int(take.rng.integers(0, 8))] * take.uniform(0.3, 1) * (1 - 0.4 * (k % 2))
            jingles.append((float(at + abs(take.rng.normal(0, 0.015))), ring))
    rustle = highpass(noise(take.rng, length), 4000) * 0.15 * np.exp(-8 * (ramp(length) * rate % 1) / rate * 4)
    return highpass(unit(place(length, jingles)) + rustle, 1500)
