"""Drums, and what is shaken or struck beside them."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    beats,
    count,
    curve,
    decay,
    formants,
    highpass,
    modes,
    noise,
    place,
    ramp,
    room,
    sine,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound(
    "drum roll", "a snare drum rolling", "a snare drum rolls", "/m/02k_mr", sustained=True, confusable=("sewing machine",)
)
def drum_roll(take: Take) -> Signal:
    length, rate, tone = take.spread(4.2, 5.3), take.spread(13, 17), take.spread(165, 250)
    wires, low, ring = take.spread(0.3, 0.9), take.spread(450, 1200), take.spread(0.14, 0.24)
    hits = []
    for k, at in enumerate(beats(take.rng, length, rate, 0.08)):
        skin = modes(0.2, [(tone * r, t, a) for r, t, a in ((1, 0.1, 1), (1.59, 0.08, 0.6), (2.14, 0.06, 0.4), (2.9, 0.05, 0.3))])
        snares = bandpass(noise(take.rng, 0.2), low, 9000) * decay(0.2, ring, 0.0005)
        hits.append((float(at), (skin + wires * snares) * take.uniform(0.7, 1) * (1 - 0.15 * (k % 2))))
    return room(take.rng, place(length, hits), 0.5, 0.3)[: count(length)]


@family.sound("bongo", "bongos playing", "bongos play", None, confusable=("tabla",))
def bongo(take: Take) -> Signal:
    pace, tone, hits = take.spread(0.12, 0.18), take.spread(270, 390), []
    patterns = ("HhLhHhLL", "HLhLHLhh", "LhHhLHHh", "HHLhLhHL")
    for k, stroke in enumerate(patterns[take.number % 4]):
        f = tone * (0.68 if stroke == "L" else 1) * take.uniform(0.99, 1.01)
        skin = modes(0.3, [(f, 0.28, 1), (f * 1.59, 0.15, 0.5), (f * 2.3, 0.1, 0.3)])
        slap = bandpass(noise(take.rng, 0.3), 600, 3500) * np.exp(-ramp(0.3) * 130) * 0.6
        hits.append((k * pace, (skin + slap) * (0.5 if stroke == "h" else 1)))
    return room(take.rng, place(8 * pace + 0.3, hits), 0.3, 0.15)


@family.sound("timpani", "timpani rolling", "timpani roll", "/m/011k_j", sustained=True)
def timpani(take: Take) -> Signal:
    length, low, rate, t60 = take.spread(4.2, 5.3), take.spread(70, 125), take.spread(7, 12), take.spread(1.2, 3)
    # The air in the kettle tunes a membrane's modes to 1 : 1.5 : 2 : 2.44 (Rossing 2000).
    ratios = ((1, 1, 1), (1.5, 0.8, 0.8), (1.98, 0.6, 0.5), (2.44, 0.5, 0.4), (0.85, 0.2, 0.4))
    skin = modes(1.6, [(low * r, t60 * t, a) for r, t, a in ratios])
    hits = []
    for at in beats(take.rng, length + 0.5, rate, 0.06):
        felt = bandpass(noise(take.rng, 0.15), 100, 1500) * decay(0.15, 0.06, 0.002)
        strength = take.uniform(0.5, 1)
        hits += [(float(at), skin * strength), (float(at), 0.5 * strength * felt)]
    return room(take.rng, place(length + 0.5, hits), 1.5, take.spread(0.6, 0.9))[count(0.5) : count(length + 0.5)]


@family.sound("tabla", "a tabla playing", "a tabla plays", "/m/01p970")
def tabla(take: Take) -> Signal:
    high, low, pace = take.spread(230, 330), take.spread(65, 90), take.spread(0.11, 0.17)
    patterns = ("DnnNDnnN", "GNnTGnNT", "DnTTDnnT", "GnnNTTDn", "DTnNGTnN")
    hits = []
    for k, stroke in enumerate(patterns[take.number % 5] + "D"):
        ring = modes(
            0.5,
            [
                (high * r, t, a)
                for r, t, a in ((1, 0.18, 0.4), (2, 0.2, 1), (3.01, 0.16, 0.6), (4.02, 0.1, 0.3), (5.0, 0.06, 0.2))
            ],
        )
        edge = bandpass(noise(take.rng, 0.5), 900, 6000) * decay(0.5, 0.025, 0.0003)
        bend = low * (1 + take.uniform(0.2, 0.6) * np.minimum(ramp(0.5) / 0.25, 1))
        bass = sine(bend) * decay(0.5, 0.55, 0.002)
        dry = modes(0.5, [(high * 1.5, 0.05, 1), (high * 2.6, 0.04, 0.7)])
        stroke_sound = {"D": ring + 1.3 * bass, "G": 1.5 * bass, "N": ring, "n": 0.5 * ring, "T": 0.8 * dry}[stroke]
        hits.append((k * pace * take.uniform(0.99, 1.01), (stroke_sound + 0.4 * edge) * take.uniform(0.8, 1)))
    return room(take.rng, place(8 * pace + 0.5, hits), 0.3, take.spread(0.05, 0.2))


@family.sound(
    "bass drum",
    "a bass drum beating",
    "a bass drum beats",
    "/m/0bm02",
    confusable=("bongo", "drum machine", "heartbeat", "tabla", "timpani"),
)
def bass_drum(take: Take) -> Signal:
    low, pace, t60, hits = take.spread(48, 75), take.spread(0.25, 0.38), take.spread(1, 2.5), []
    for k in range(int(take.choose(4, 5, 6, 5, 6))):
        skin = modes(1.2, [(low * r, t60 * t, a) for r, t, a in ((1, 1, 1), (1.5, 0.7, 0.7), (1.98, 0.5, 0.5), (2.44, 0.4, 0.4))])
        felt = bandpass(noise(take.rng, 1.2), 100, 1500) * decay(1.2, 0.06, 0.002)
        hits.append((k * pace, (skin + 0.5 * felt) * (1, 0.7)[k % 2]))
    return room(take.rng, place(hits[-1][0] + 0.5, hits), 1.2, take.spread(0.4, 0.9))


@family.sound(
    "rimshot", "a snare drum cracking with rimshots", "a snare drum cracks with rimshots", "/m/03t3fj", confusable=("wood block",)
)
def rimshot(take: Take) -> Signal:
    tone, pace, wires, ring = take.spread(180, 243), take.spread(0.12, 0.165), take.spread(0.2, 0.5), take.spread(0.2, 0.3)
    rhythm, hits = ("x.xxx.xx", "xx.x.xxx.x", "x.x.xxxx", "xxx.xxx.x", "x.x.xx.xx")[take.number % 5], []
    for k, step in enumerate(rhythm):
        if step == "x":
            ratios = ((1, 0.18, 0.8), (1.59, 0.12, 0.5), (4.4, 0.08, 0.4), (9.3, 0.04, 0.4))
            rim = modes(0.35, [(tone * r, t, a) for r, t, a in ratios])
            snares = bandpass(noise(take.rng, 0.35), 800, 11_000) * decay(0.35, ring, 0.0003)
            crack = highpass(noise(take.rng, 0.35), 1000) * decay(0.35, 0.01, 0.0002)
            hits.append((k * pace, (rim + wires * snares + 0.5 * crack) * take.uniform(0.7, 1)))
    return room(take.rng, place(hits[-1][0] + 0.35, hits), 0.4, take.spread(0.1, 0.3))


@family.sound(
    "maracas", "maracas rattling", "maracas rattle", "/m/0xzly", sustained=True, confusable=("sleigh bells", "tambourine")
)
def maracas(take: Take) -> Signal:
    length, rate, tone = take.spread(4.2, 5.3), take.spread(5.5, 8.5), take.spread(3200, 5200)
    hits = []
    for k, at in enumerate(beats(take.rng, length + 0.2, rate, 0.04)):
        beans = noise(take.rng, 0.16) * curve(0.16, (0, 0), (0.3, 1), (0.45, 0.6), (1, 0))
        hits.append((float(at), beans * (1, 0.7)[k % 2] * take.uniform(0.8, 1)))
    rolling = take.spread(0.15, 0.22) * noise(take.rng, length + 0.2)
    gourd = [(tone, 1400, 0), (tone * 1.8, 2500, 0), (tone * 0.35, 500, -12)]
    return formants(place(length + 0.2, hits) + rolling, gourd)[count(0.1) : count(length + 0.1)]


@family.sound("wood block", "a wood block clopping", "a wood block clops", "/m/01sm1g")
def wood_block(take: Take) -> Signal:
    tone, pace = take.spread(700, 1300), take.spread(0.16, 0.3)
    hits = []
    for k in range(int(take.choose(5, 6, 7, 8, 6))):
        f = tone * (1, 0.75)[int(take.rng.integers(0, 2))]
        block = modes(0.2, [(f, 0.07, 1), (f * 1.51, 0.05, 0.5), (f * 2.7, 0.035, 0.4), (f * 4.2, 0.02, 0.3)])
        stick = bandpass(noise(take.rng, 0.2), 1500, 8000) * decay(0.2, 0.008, 0.0002)
        hits.append((k * pace, (block + 0.5 * stick) * take.uniform(0.7, 1)))
    return room(take.rng, place(hits[-1][0] + 0.25, hits), 0.4, take.spread(0.1, 0.4))
