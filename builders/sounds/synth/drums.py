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
    envelope,
    formants,
    highpass,
    modes,
    noise,
    place,
    ramp,
    random_modes,
    room,
    shaped_noise,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


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


@family.sound("timpani", "timpani booming", "timpani boom", "/m/011k_j")
def timpani(take: Take) -> Signal:
    low, pace = take.spread(75, 125), take.spread(0.22, 0.4)
    hits = []
    for k in range(int(take.choose(4, 5, 6, 5, 4))):
        f = low * (1, 1, 1.333, 1, 1.333, 1)[k]
        # The air in the kettle tunes a membrane's modes to 1 : 1.5 : 2 : 2.44 (Rossing 2000).
        skin = modes(1.4, [(f * r, t, a) for r, t, a in ((1, 1.6, 1), (1.5, 1.3, 0.7), (1.98, 1.0, 0.45), (2.44, 0.8, 0.3), (0.85, 0.3, 0.5))])
        mallet = bandpass(noise(take.rng, 1.4), 100, 900) * decay(1.4, 0.1, 0.002)
        hits.append((k * pace, (skin + 0.4 * mallet) * take.uniform(0.7, 1)))
    length = hits[-1][0] + 1.1
    return room(take.rng, place(length, hits) * envelope(length, 0.001, 0.3), 1.3, take.spread(0.2, 0.5))


@family.sound("tabla", "a tabla playing", "a tabla plays", "/m/01p970")
def tabla(take: Take) -> Signal:
    high, low, pace = take.spread(330, 480), take.spread(80, 120), take.spread(0.12, 0.19)
    patterns = ("DnnNDnnN", "GNnTGnNT", "DnTTDnnT", "GnnNTTDn", "DTnNGTnN")
    hits = []
    for k, stroke in enumerate(patterns[take.number % 5] + "D"):
        ring = modes(0.5, [(high * r, t, a) for r, t, a in ((1, 0.45, 0.4), (2, 0.5, 1), (3.01, 0.4, 0.6), (4.02, 0.25, 0.3), (5.0, 0.15, 0.2))])
        edge = bandpass(noise(take.rng, 0.5), 900, 6000) * decay(0.5, 0.025, 0.0003)
        bend = low * (1 + take.uniform(0.2, 0.6) * np.minimum(ramp(0.5) / 0.25, 1))
        bass = np.sin(2 * np.pi * np.cumsum(bend) / 32_000) * decay(0.5, 0.55, 0.002)
        dry = modes(0.5, [(high * 1.5, 0.05, 1), (high * 2.6, 0.04, 0.7)])
        stroke_sound = {"D": ring + 1.3 * bass, "G": 1.5 * bass, "N": ring, "n": 0.5 * ring, "T": 0.8 * dry}[stroke]
        hits.append((k * pace * take.uniform(0.99, 1.01), (stroke_sound + 0.4 * edge) * take.uniform(0.8, 1)))
    return room(take.rng, place(8 * pace + 0.5, hits), 0.3, take.spread(0.05, 0.2))


@family.sound("bass drum", "a bass drum beating", "a bass drum beats", "/m/0bm02")
def bass_drum(take: Take) -> Signal:
    low, pace = take.spread(48, 78), take.spread(0.3, 0.52)
    hits = []
    for k in range(4):
        drop = low * (1 + 0.5 * np.exp(-ramp(0.7) * 25))
        skin = np.sin(2 * np.pi * np.cumsum(drop) / 32_000) * decay(0.7, take.spread(0.4, 0.8), 0.002)
        over = modes(0.7, [(low * 2.3, 0.2, 0.3), (low * 3.6, 0.12, 0.2)])
        felt = bandpass(noise(take.rng, 0.7), 120, 1800) * decay(0.7, 0.04, 0.001)
        hits.append((k * pace, (skin + over + 0.5 * felt) * (1, 0.75)[k % 2]))
    return room(take.rng, place(3 * pace + 0.6, hits), 0.5, take.spread(0.1, 0.4))


@family.sound("rimshot", "a drumstick hitting the rim of a snare drum", "a drumstick hits the rim of a snare drum", "/m/03t3fj")
def rimshot(take: Take) -> Signal:
    tone, pace = take.spread(170, 250), take.spread(0.17, 0.34)
    hits = []
    for k in range(int(take.choose(4, 5, 6, 4, 5))):
        rim = modes(0.35, [(tone * r, t, a) for r, t, a in ((1, 0.18, 0.7), (2.1, 0.14, 0.5), (4.4, 0.12, 0.9), (9.3, 0.06, 0.7), (15.5, 0.04, 0.4))])
        snares = bandpass(noise(take.rng, 0.35), 1500, 11_000) * decay(0.35, 0.2, 0.0003)
        crack = highpass(noise(take.rng, 0.35), 1000) * decay(0.35, 0.015, 0.0002)
        hits.append((k * pace, (rim + 0.7 * snares + crack) * take.uniform(0.7, 1)))
    return room(take.rng, place(hits[-1][0] + 0.4, hits), 0.5, take.spread(0.1, 0.4))


@family.sound("drum kit", "a drum kit playing", "a drum kit plays", confusable=("drum machine",))
def drum_kit(take: Take) -> Signal:
    pace, size = take.spread(0.11, 0.17), take.spread(0.85, 1.2)
    plates = highpass(modes(0.6, random_modes(take.rng, 3000, 13_000, 50, 0.5)), 4000)
    sounds = {
        "k": modes(0.4, [(58 * size, 0.3, 1.4), (105 * size, 0.15, 0.5)]) + 0.5 * bandpass(noise(take.rng, 0.4), 800, 4000) * decay(0.4, 0.02),
        "s": modes(0.4, [(195 * size, 0.16, 0.8), (340 * size, 0.1, 0.4)]) + 0.8 * bandpass(noise(take.rng, 0.4), 1200, 10_000) * decay(0.4, 0.22),
        "h": 1.2 * plates[: count(0.1)] * decay(0.1, 0.09),
        "o": 1.2 * plates * decay(0.6, 0.6),
        "t": modes(0.5, [(110 * size, 0.4, 1), (172 * size, 0.25, 0.5)]) + 0.3 * bandpass(noise(take.rng, 0.5), 400, 3000) * decay(0.5, 0.05),
    }
    patterns = ("k.h.s.h.k.k.s.hs", "k.hks.hhk.hks.tt", "k.o.s.o.kko.s.ts", "h.k.h.s.h.k.s.tt", "k.s.kks.k.s.ktts")
    hits = [(k * pace * take.uniform(0.99, 1.01), sounds[step] * take.uniform(0.7, 1)) for k, step in enumerate(patterns[take.number]) if step != "."]
    return room(take.rng, place(16 * pace + 0.3, hits), 0.5, take.spread(0.1, 0.3))


@family.sound("maracas", "maracas shaking", "maracas shake", "/m/0xzly", sustained=True)
def maracas(take: Take) -> Signal:
    length, rate, tone = take.spread(4.2, 5.3), take.spread(4.5, 8), take.spread(3200, 5200)
    hits = []
    for k, at in enumerate(beats(take.rng, length + 0.2, rate, 0.04)):
        beans = noise(take.rng, 0.16) * curve(0.16, (0, 0), (0.3, 1), (0.45, 0.5), (1, 0)) ** 2
        hits.append((float(at), beans * (1, 0.6)[k % 2] * take.uniform(0.8, 1)))
    rolling = 0.06 * noise(take.rng, length + 0.2)
    gourd = [(tone, 1400, 0), (tone * 1.8, 2500, 0), (tone * 0.35, 500, -12)]
    return formants(place(length + 0.2, hits) + rolling, gourd)[count(0.1) : count(length + 0.1)]


@family.sound("wood block", "a wood block clopping", "a wood block clops", "/m/01sm1g", confusable=("horse trot",))
def wood_block(take: Take) -> Signal:
    tone, pace = take.spread(700, 1300), take.spread(0.16, 0.3)
    hits = []
    for k in range(int(take.choose(5, 6, 7, 8, 6))):
        f = tone * (1, 0.75)[int(take.rng.integers(0, 2))]
        block = modes(0.2, [(f, 0.07, 1), (f * 1.51, 0.05, 0.5), (f * 2.7, 0.035, 0.4), (f * 4.2, 0.02, 0.3)])
        stick = bandpass(noise(take.rng, 0.2), 1500, 8000) * decay(0.2, 0.008, 0.0002)
        hits.append((k * pace, (block + 0.5 * stick) * take.uniform(0.7, 1)))
    return room(take.rng, place(hits[-1][0] + 0.25, hits), 0.4, take.spread(0.1, 0.4))


@family.sound("rattle", "a baby's rattle shaking", "a baby's rattle shakes", sustained=True, confusable=("maracas",))
def rattle(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(3, 6)
    shell = modes(0.05, random_modes(take.rng, take.spread(900, 1800), 7000, 16, 0.035))
    hits = []
    for at in beats(take.rng, length + 0.3, 2 * rate, 0.05):
        for _ in range(7):
            hits.append((float(at + abs(take.rng.normal(0, 0.025))), shell * take.uniform(0.2, 1)))
    loose = [(float(at), 0.3 * shell) for at in take.rng.uniform(0, length + 0.3, 120)]
    return place(length + 0.3, hits + loose)[count(0.2) : count(length + 0.2)]


@family.sound("castanets", "castanets clacking", "castanets clack", confusable=("wood block",))
def castanets(take: Take) -> Signal:
    tone, pace = take.spread(1500, 2400), take.spread(0.3, 0.42)
    hits = []
    for k in range(4):
        for roll in range(int(take.rng.choice([1, 4, 3]))):
            clack = modes(0.08, [(tone * take.uniform(0.98, 1.02) * r, t, a) for r, t, a in ((1, 0.025, 1), (1.7, 0.02, 0.8), (2.6, 0.015, 0.6))])
            snap = highpass(noise(take.rng, 0.08), 2500) * decay(0.08, 0.006, 0.0002)
            hits.append((k * pace + 0.055 * roll, (clack + 0.5 * snap) * take.uniform(0.6, 1)))
    return room(take.rng, place(4 * pace, hits), 0.5, take.spread(0.1, 0.4))


@family.sound("guiro", "a guiro scraping", "a guiro scrapes")
def guiro(take: Take) -> Signal:
    tone, pace, teeth = take.spread(1400, 2600), take.spread(0.3, 0.45), take.spread(70, 130)
    gourd = [(tone, 350, 0), (tone * 1.9, 700, 0), (tone * 3.1, 1500, -4)]
    strokes = []
    for k, stroke in enumerate("L.sL.s"[: int(take.choose(4, 6, 6, 4, 6))].replace(".", "s")):
        length = 0.26 if stroke == "L" else 0.08
        at = np.cumsum(np.full(count(length), teeth) * curve(length, (0, 0.7), (1, 1.4))) / 32_000
        ridges = np.diff(np.floor(at), prepend=0.0) * np.clip(wander(take.rng, length, 60, 0.2), 0.2, 2)
        strokes.append((k * pace * 0.75, unit(formants(ridges, gourd)) * envelope(length, 0.01, 0.02) * (1 if stroke == "L" else 0.7)))
    return room(take.rng, place(strokes[-1][0] + 0.35, strokes), 0.3, take.spread(0.05, 0.3))
