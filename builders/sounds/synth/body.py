"""Sounds that people make with their bodies."""

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
    noise,
    place,
    ramp,
    room,
    series,
    shaped_noise,
    sine,
    steps,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import VOWELS, tract, voice

family = Family()


@family.sound("cough", "a person coughing", "a person coughs", "/m/01b_21")
def cough(take: Take) -> Signal:
    size, pitch, coughs = take.spread(0.8, 1.1), take.spread(110, 230), []
    for k in range(int(take.choose(2, 3, 2, 3))):
        length = take.uniform(0.28, 0.38)
        air = formants(noise(take.rng, length), tract("uh", size, 4))
        burst = unit(air) * (np.exp(-ramp(length) * 16) + 0.18) * envelope(length, 0.006, 0.1)
        folds = voice(take.rng, pitch * curve(length, (0, 1.2), (1, 0.8)), ("uh", "uh"), size=size, breath=0.4, rough=0.7)
        coughs.append(burst + 0.55 * folds * curve(length, (0, 0), (0.2, 0.3), (0.5, 1), (1, 0)) * (1 - 0.15 * k))
    return series(coughs, take.spread(0.05, 0.15))


@family.sound("sneeze", "a person sneezing", "a person sneezes", "/m/01hsr_")
def sneeze(take: Take) -> Signal:
    size, intake, burst = take.spread(0.8, 1.1), take.spread(0.35, 0.6), take.spread(0.4, 0.6)
    pitch = take.spread(180, 330)
    ah = voice(take.rng, pitch * curve(intake, (0, 0.9), (1, 1.4)), ("uh", "ae"), size=size, breath=0.5)
    ah *= curve(intake, (0, 0.05), (0.8, 0.3), (1, 0.25)) * envelope(intake, 0.1, 0.05)
    air = shaped_noise(take.rng, burst, (300, -12), (1500, -3), (3500, 0), (7000, -2), (12000, -10))
    choo = 0.9 * air * envelope(burst, 0.01, 0.3) * np.exp(-ramp(burst) * 5)
    vowel = voice(take.rng, pitch * 1.3 * curve(burst, (0, 1.3), (1, 0.6)), ("i", "u"), 0.6, size=size, breath=0.3)
    return series([ah, choo + 0.6 * vowel * envelope(burst, 0.04, 0.3)], 0.03)


@family.sound("laughter", "a person laughing", "a person laughs", "/m/01j3sz")
def laughter(take: Take) -> Signal:
    size, pitch, rate = take.spread(0.78, 1.08), take.spread(330, 170), take.spread(4.6, 6.0)
    number, laughs = int(take.choose(6, 7, 8, 9)), []
    for k in range(number):
        length = 1 / rate
        fall = 1 - 0.35 * k / number
        tone = pitch * (1.15 - 0.35 * k / number) * curve(length, (0, 1.1), (0.4, 1.15), (1, 0.85))
        ha = voice(take.rng, tone, ("a", "ae"), take.uniform(0, 0.6), size=size, breath=0.2) * envelope(length, 0.04, 0.09)
        h = formants(noise(take.rng, length), tract("a", size, 3)) * curve(length, (0, 0.3), (0.35, 1), (0.5, 0.05), (1, 0.4))
        laughs.append((ha * curve(length, (0, 0), (0.25, 0.2), (0.45, 1), (1, 0.3)) + 0.25 * unit(h)) * fall)
    return np.concatenate(laughs)


@family.sound("baby cry", "a baby crying", "a baby cries", "/t/dd00002")
def baby_cry(take: Take) -> Signal:
    pitch, cries = take.spread(390, 520), []
    for _ in range(int(take.choose(2, 2, 3, 2))):
        length = take.uniform(0.75, 1.0)
        tone = pitch * curve(length, (0, 0.8), (0.2, 1.1), (0.6, 1.05), (1, 0.75)) * vibrato(length, 6, 0.01)
        cry = voice(take.rng, tone, ("ae", "a"), curve(length, (0, 0), (0.5, 0.8), (1, 0.3)), size=0.6, breath=0.1, rough=0.2)
        breath = formants(noise(take.rng, 0.16), [(1500, 500, 0), (3000, 900, -3)])
        cries += [cry * envelope(length, 0.08, 0.15), 0.12 * unit(breath) * envelope(0.16, 0.05, 0.05)]
    return series(cries[:-1], 0.03)


@family.sound("snoring", "a person snoring", "a person snores", "/m/01d3sd")
def snoring(take: Take) -> Signal:
    length = take.spread(1.1, 1.7)
    flutter = take.spread(24, 42) * wander(take.rng, length, 6, 0.08) * curve(length, (0, 0.85), (0.6, 1.1), (1, 0.9))
    snore = voice(take.rng, flutter, ("er", "uh"), curve(length, (0, 0), (1, 1)), size=1.15, breath=0.25, rough=0.4, width=2)
    nose = formants(noise(take.rng, length), [(500, 300, 0), (1300, 500, -4)])
    return (unit(snore) + 0.3 * unit(nose)) * curve(length, (0, 0.1), (0.3, 0.6), (0.75, 1), (1, 0.5)) * envelope(length, 0.15, 0.15)


@family.sound("whistling", "a person whistling", "a person whistles", "/m/01w250")
def whistling(take: Take) -> Signal:
    length, base = take.spread(1.5, 2.3), take.spread(1050, 1500)
    scale = np.array([1, 9 / 8, 5 / 4, 4 / 3, 3 / 2, 5 / 3])
    notes = scale[take.rng.integers(0, len(scale), 6)]
    pitch = base * steps(length, list(notes), 0.05) * vibrato(length, 5.5, 0.006) * wander(take.rng, length, 20, 0.002)
    tone = sine(pitch) + 0.04 * sine(2 * pitch)
    air = bandpass(noise(take.rng, length), base * 0.8, base * 2.5) * 0.05
    swell = 0.7 + 0.3 * np.sin(np.pi * (ramp(length) / length * 6 % 1)) ** 0.5
    return room(take.rng, (tone + air) * swell * envelope(length, 0.06, 0.12), 0.3, 0.25)


@family.sound("choir", "a choir singing", "a choir sings", "/m/0l14jd", sustained=True)
def choir(take: Take) -> Signal:
    length, root = take.spread(4.2, 5.2), take.spread(118, 165)
    names = ("a", "o", "u", "e")
    vowels = (names[take.number % 4], names[(take.number + 1) % 4])
    blend = curve(length, (0.2, 0.0), (0.8, 0.7))
    total = np.zeros(count(length))
    for ratio, size in ((1, 1.05), (1.5, 1.0), (2, 0.88), (2.5, 0.85), (3, 0.85)):
        for _ in range(2):
            pitch = root * ratio * take.uniform(0.994, 1.006) * vibrato(length, take.uniform(4.6, 6), take.uniform(0.005, 0.01))
            pitch = pitch * wander(take.rng, length, 2, 0.003)
            total += voice(take.rng, pitch, vowels, blend, size=size * take.uniform(0.96, 1.04), breath=0.02)
    return room(take.rng, compress(total, 0.3, 0.6), 1.2, 0.6)[: count(length)] * envelope(length, 0.12, 0.1)


@family.sound("crowd chatter", "a crowd chattering", "a crowd chatters", "/m/07rkbfh", sustained=True)
def crowd_chatter(take: Take) -> Signal:
    length, total = take.spread(4.2, 5.3), np.zeros(count(take.spread(4.2, 5.3)))
    length = len(total) / 32_000
    names = tuple(VOWELS)
    for _ in range(12):
        rate, female = take.uniform(3.5, 6), take.uniform(0, 1) < 0.5
        number = int(length * rate)
        pitch = take.uniform(*((170, 250) if female else (90, 140))) * wander(take.rng, length, 2.5, 0.12)
        syllables = steps(length, list(take.rng.uniform(0, 1, number) * (take.rng.uniform(0, 1, number) > 0.15)), 0.06)
        first, second = take.rng.choice(len(names) - 1, 2, replace=False)
        blend = steps(length, list(take.rng.uniform(0, 1, number)), 0.07)
        talk = voice(take.rng, pitch, (names[first], names[second]), blend, size=0.85 if female else 1.0, breath=0.15)
        total += talk * (0.05 + syllables) * take.uniform(0.4, 1)
    return compress(room(take.rng, total, 0.8, 0.7)[: count(length)], 0.3, 0.7) * envelope(length, 0.02, 0.02)


@family.sound("applause", "an audience applauding", "an audience applauds", "/m/028ght", sustained=True)
def applause(take: Take) -> Signal:
    length, people = take.spread(4.2, 5.3), int(take.spread(24, 60))
    grains = [
        bandpass(noise(take.rng, 0.02), f / 1.7, min(f * 1.7, 12_000)) * np.exp(-ramp(0.02) * 260)
        for f in take.rng.uniform(900, 2600, 8)
    ]
    claps = []
    for person in range(people):
        rate, near = take.uniform(3.2, 5), 10 ** (take.uniform(-14, 0) / 20)
        for at in np.arange(take.uniform(0, 0.3), length, 1 / rate):
            claps.append((max(float(at + take.rng.normal(0, 0.02)), 0.0), grains[person % 8] * near * take.uniform(0.7, 1.2)))
    wash = shaped_noise(take.rng, length, (300, -14), (1000, -2), (2500, 0), (6000, -8), (12000, -20))
    dry = place(length, claps)
    return room(take.rng, unit(dry) + 0.25 * wash, 0.7, 0.5)[: count(length)]
