"""Sounds that people make with their bodies."""

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
    glottis,
    noise,
    ramp,
    room,
    series,
    shaped_noise,
    sine,
    steps,
    train,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import call, mouth, tract, voice

family = Family()


@family.sound("cough", "a person coughing", "a person coughs", "/m/01b_21")
def cough(take: Take) -> Signal:
    size, pitch, coughs = take.spread(0.8, 1.1), take.spread(120, 230), []
    for k in range(int(take.choose(2, 3, 2, 3))):
        length = take.uniform(0.26, 0.36)
        at = ramp(length)
        air = unit(formants(noise(take.rng, length), [(f, 3 * b, g / 2) for f, b, g in tract("uh", size)]))
        burst = air * (np.exp(-at * 30) + 0.3 * np.exp(-((at - 0.12) ** 2) / 0.004)) * envelope(length, 0.003, 0.1)
        folds = voice(take.rng, pitch * curve(length, (0, 1.4), (1, 0.7)), ("uh", "er"), 0.3, size=size, breath=0.9, rough=0.6)
        voiced = folds * np.exp(-((at - 0.1) ** 2) / 0.004) * envelope(length, 0.01, 0.08)
        coughs.append((1.2 * burst + 0.3 * voiced) * (1 - 0.15 * k))
    return room(take.rng, series(coughs, take.spread(0.03, 0.12)), 0.3, 0.25)


@family.sound("sneeze", "a person sneezing", "a person sneezes", "/m/01hsr_")
def sneeze(take: Take) -> Signal:
    size, intake, burst = take.spread(0.8, 1.1), take.spread(0.35, 0.6), take.spread(0.4, 0.6)
    pitch = take.spread(180, 330)
    ah = voice(take.rng, pitch * curve(intake, (0, 0.9), (1, 1.4)), ("uh", "ae"), size=size, breath=0.5)
    ah *= curve(intake, (0, 0.05), (0.8, 0.3), (1, 0.25)) * envelope(intake, 0.1, 0.05)
    air = shaped_noise(take.rng, burst, (300, -12), (1500, -3), (3500, 0), (7000, -2), (12000, -10))
    choo = 0.9 * air * envelope(burst, 0.01, 0.3) * np.exp(-ramp(burst) * 5)
    vowel = voice(take.rng, pitch * 1.3 * curve(burst, (0, 1.3), (1, 0.6)), ("i", "u"), 0.6, size=size, breath=0.3)
    return room(take.rng, series([ah, 1.3 * choo + 0.4 * vowel * envelope(burst, 0.04, 0.3)], 0.03), 0.4, 0.35)


@family.sound("laughter", "a person laughing", "a person laughs", "/m/01j3sz")
def laughter(take: Take) -> Signal:
    size, pitch, rate = take.spread(0.78, 1.08), take.spread(330, 170), take.spread(4.6, 6.0)
    number, laughs = int(take.choose(6, 7, 8, 9)), []
    for k in range(number):
        length = 1 / rate
        fall = 1 - 0.35 * k / number
        tone = pitch * (1.15 - 0.35 * k / number) * curve(length, (0, 1.1), (0.4, 1.15), (1, 0.85))
        ha = voice(take.rng, tone, ("a", "ae"), take.uniform(0, 0.6), size=size, breath=0.2) * envelope(length, 0.04, 0.09)
        h = formants(noise(take.rng, length), [(f, 3 * b, g) for f, b, g in tract("a", size)]) * curve(
            length, (0, 0.3), (0.35, 1), (0.5, 0.05), (1, 0.4)
        )
        laughs.append((ha * curve(length, (0, 0), (0.25, 0.2), (0.45, 1), (1, 0.3)) + 0.25 * unit(h)) * fall)
    return room(take.rng, np.concatenate(laughs), 0.4, 0.35)


@family.sound("baby cry", "a baby crying", "a baby cries", "/t/dd00002")
def baby_cry(take: Take) -> Signal:
    pitch, cries = take.spread(400, 560), []
    shut = [(1100, 200, 0.0), (2800, 350, -6), (4200, 600, -12)]
    wide = [(1250, 220, 0.0), (2500, 350, 0.0), (3900, 600, -4), (5600, 900, -10)]
    for _ in range(int(take.choose(2, 2, 3, 2))):
        length = take.uniform(0.75, 1.0)
        tone = pitch * curve(length, (0, 0.75), (0.15, 1.1), (0.6, 1.0), (1, 0.7)) * vibrato(length, 7, 0.015)
        cry = call(take.rng, tone, shut, wide, curve(length, (0, 0), (0.3, 1), (0.8, 0.8), (1, 0)), breath=0.1, rough=0.12)
        gasp = formants(noise(take.rng, 0.16), [(1500, 500, 0), (3000, 900, -3)])
        cries += [cry * envelope(length, 0.06, 0.2), 0.12 * unit(gasp) * envelope(0.16, 0.05, 0.05)]
    return room(take.rng, series(cries[:-1], 0.03), 0.3, 0.25)


@family.sound("snoring", "a person snoring", "a person snores", "/m/01d3sd")
def snoring(take: Take) -> Signal:
    length = take.spread(1.1, 1.7)
    flutter = take.spread(50, 85) * wander(take.rng, length, 10, 0.12) * curve(length, (0, 0.85), (0.6, 1.15), (1, 0.9))
    throat = [(400, 150, 0.0), (1050, 250, -2.0), (2000, 400, -8), (3100, 700, -14)]
    rattle = call(take.rng, flutter, throat, throat, 0.0, breath=0.3, rough=0.7)
    air = unit(formants(noise(take.rng, length), [(600, 400, 0), (1600, 700, -3), (3200, 1500, -8)]))
    swell = curve(length, (0, 0.15), (0.3, 0.6), (0.75, 1), (1, 0.6))
    return room(take.rng, (rattle + 0.4 * air) * swell * envelope(length, 0.15, 0.15), 0.25, 0.15)


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
    sections = []
    # Singers of a section share a vocal tract: the filters are linear, so their sources may be added first.
    for ratios, size in (((1, 1, 1.5, 1.5), 1.03), ((2, 2, 2.5, 2.5, 3, 3), 0.86)):
        source = np.zeros(count(length))
        for ratio in ratios:
            pitch = root * ratio * take.uniform(0.994, 1.006) * vibrato(length, take.uniform(4.6, 6), take.uniform(0.005, 0.01))
            source += glottis(pitch * wander(take.rng, length, 4, 0.004))
        sections.append(
            unit(mouth(unit(source) + 0.05 * noise(take.rng, length), tract(vowels[0], size), tract(vowels[1], size), blend))
        )
    return room(take.rng, compress(sections[0] + sections[1], 0.3, 0.6), 1.2, 0.6)[: count(length)]


@family.sound("crowd chatter", "a crowd chattering", "a crowd chatters", "/m/07rkbfh", sustained=True)
def crowd_chatter(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    names = ("i", "e", "ae", "a", "o", "u", "uh")
    said, fricatives = {name: np.zeros(count(length)) for name in names}, np.zeros(count(length))
    # Every talker moves among the vowels; the talkers share one vocal tract a vowel, which costs seven filters, not seven each.
    for _ in range(9):
        number, base = int(length * take.uniform(5, 8)), take.choose(100, 120, 185, 220) * take.uniform(0.85, 1.15)
        melody = base * steps(length, list(take.rng.uniform(0.8, 1.3, number)), 0.09) * wander(take.rng, length, 60, 0.01)
        source = unit(glottis(melody)) * take.uniform(0.4, 1)
        spoken = take.rng.integers(0, len(names) + 2, number)  # the last two are a consonant and a pause
        for k, name in enumerate(names):
            said[name] += source * steps(length, list((spoken == k) * take.rng.uniform(0.5, 1, number)), 0.07)
        fricatives += noise(take.rng, length) * steps(length, list((spoken == len(names)) * 1.0), 0.05) * take.uniform(0.2, 0.5)
    voices = sum(formants(source, tract(name, 0.93)) for name, source in said.items())
    talk = unit(np.asarray(voices)) + 0.2 * unit(bandpass(fricatives, 2500, 9000))
    return compress(room(take.rng, talk, 0.5, 0.3)[: count(length)], 0.3, 0.6)


@family.sound("applause", "an audience applauding", "an audience applauds", "/m/028ght", sustained=True)
def applause(take: Take) -> Signal:
    length, people = take.spread(4.2, 5.3), int(take.spread(60, 150))
    total = np.zeros(count(length))
    for _ in range(12):  # kinds of hands, each with its own resonance; every clap has its own noise
        claps = np.zeros(len(total))
        for _ in range(people // 12):
            at = beats(take.rng, length, take.uniform(3.2, 5), 0.12, take.uniform(0, 0.3))
            claps += train(length, at, take.rng.uniform(0.5, 1.2, len(at)) * 10 ** (take.uniform(-14, 0) / 20))
        shape = convolve(claps, decay(0.03, 0.03, 0.001))[: len(total)]
        centre = take.uniform(800, 2800)
        total += bandpass(shape * noise(take.rng, length), centre / 1.7, centre * 1.7)
    wash = shaped_noise(take.rng, length, (300, -14), (1000, -2), (2500, 0), (6000, -8), (12000, -20))
    return room(take.rng, unit(total) + 0.35 * wash, 0.9, 0.7)[: len(total)]
