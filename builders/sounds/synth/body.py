"""Sounds that people make with their bodies."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    beats,
    bubble,
    compress,
    convolve,
    count,
    curve,
    decay,
    envelope,
    formants,
    glottis,
    noise,
    phase,
    place,
    ramp,
    room,
    series,
    shaped_noise,
    sine,
    sparse,
    steps,
    train,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import Call, Strokes, beast, call, calls, mouth, strokes, tract, voice

family = Family()


@family.sound("cough", "a person coughing", "a person coughs", "/m/01b_21")
def cough(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.33,
            pitch=350,
            contour=((0, 0.88), (0.31, 1), (0.8, 1.2), (1, 0.72)),
            shut=(450, 1000, 2510, 5030),
            wide=(600, 1400, 2840, 5030),
            opening=((0, 0.0), (0.31, 0.91), (0.8, 0.61), (1, 0.38)),
            gains=(0.0, -5.1, -8.4, -15.0),
            narrow=0.12,
            slope=-3.9,
            breath=2.7,
            rough=0.89,
            doubled=0.18,
            attack=0.02,
            release=0.24,
            fall=14.0,
            air=-30.0,
            number=(2, 3, 2, 3),
            gap=0.24,
            tremble=(7.5, 0.0, 0.024),
        ),
        0.3,
    )


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
    return calls(
        take,
        Call(
            length=0.96,
            pitch=98,
            contour=((0, 1.1), (0.4, 1), (0.62, 0.98), (1, 0.96)),
            shut=(350, 1190, 2490, 4880),
            wide=(560, 1470, 2760, 4880),
            opening=((0, 0.42), (0.4, 0.34), (0.62, 0.63), (1, 0.48)),
            gains=(0.0, 2.3, -11.0, -7.9),
            narrow=0.12,
            slope=-0.37,
            breath=0.54,
            rough=0.7,
            doubled=0.7,
            attack=0.05,
            release=0.054,
            fall=1.0,
            air=-45.0,
        ),
        0.3,
    )


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


@family.sound("heartbeat", "a heart beating", "a heart beats", "/m/01jg02")
def heartbeat(take: Take) -> Signal:
    period, tone, thumps = take.spread(0.62, 0.85), take.spread(42, 75), []
    for k in range(3):
        for delay, level, high in ((0.0, 1.0, 1.0), (take.spread(0.24, 0.32), take.spread(0.5, 0.9), 1.35)):
            at = ramp(0.2)
            thump = np.sin(2 * np.pi * tone * high * at * (1 - at)) * np.exp(-at * 28) * np.minimum(at / 0.008, 1)
            valve = (
                shaped_noise(take.rng, 0.2, (40, 0), (120, -6), (400, -26), (2000, -50))
                * np.exp(-at * 35)
                * np.minimum(at / 0.01, 1)
            )
            thumps.append((k * period + delay + take.uniform(-0.01, 0.01) + 0.02, level * (thump + 0.35 * valve)))
    length = 2 * period + 0.6
    return place(length, thumps) + 0.004 * shaped_noise(take.rng, length, (40, 0), (200, -12), (4000, -40))


@family.sound("finger snapping", "someone snapping their fingers", "someone snaps their fingers", "/m/025_jnm")
def finger_snapping(take: Take) -> Signal:
    tone, period, snaps = take.spread(1500, 2700), take.spread(0.3, 0.52), []
    for k in range(int(take.choose(3, 4, 3, 4))):
        crack = noise(take.rng, 0.08) * decay(0.08, take.uniform(0.012, 0.02), 0.0006)
        pop = formants(crack, [(tone * take.uniform(0.95, 1.05), 350, 0), (tone * 2.1, 900, -6), (tone * 0.45, 250, -8)])
        slide = 0.05 * bandpass(noise(take.rng, 0.05), 1500, 6000) * envelope(0.05, 0.03, 0.005)
        at = k * period * take.uniform(0.98, 1.02)
        snaps += [(at, 0.3 * slide), (at + 0.05, unit(pop) * take.uniform(0.8, 1.1))]
    return room(take.rng, place(snaps[-1][0] + 0.2, snaps), take.spread(0.2, 0.5), 0.25)


@family.sound("hand clapping", "someone clapping their hands", "someone claps their hands", "/m/0l15bq")
def hand_clapping(take: Take) -> Signal:
    return strokes(
        take,
        Strokes(
            length=1.9,
            rate=3.9,
            jitter=0.0,
            attack=0.001,
            fade=0.055,
            centres=(900, 1680, 6000),
            widths=(1.2, 0.29, 0.75),
            gains=(-8.0, -5.0, -14.0),
            grain=0.97,
            grains=130.0,
            uneven=0.36,
            place=(0.56, 0.17),
            air=-60.0,
            second=(0.048, 0.65, 1.5),
        ),
        0.15,
    )


@family.sound("sniffing", "a person sniffing", "a person sniffs", "/m/07ppn3j")
def sniffing(take: Take) -> Signal:
    nose, sniffs = take.spread(0.85, 1.2), []
    for _ in range(int(take.choose(2, 3, 3, 4))):
        length = take.uniform(0.17, 0.34) * take.spread(0.8, 1.2)
        air = noise(take.rng, length) * np.clip(wander(take.rng, length, 70, 0.35), 0.1, 2)
        pull = formants(air, [(1100 / nose, 600, -5), (2300 / nose, 900, 0), (3900 / nose, 1500, 0), (6500 / nose, 3000, -3)])
        sniffs.append(pull * curve(length, (0, 0.1), (0.5, 0.7), (0.85, 1), (1, 0.2)) * envelope(length, 0.03, 0.03))
    return room(take.rng, series(sniffs, take.spread(0.09, 0.22)), 0.25, 0.15)


@family.sound("chewing", "a person crunching crisps", "a person crunches crisps", "/m/03cczk")
def chewing(take: Take) -> Signal:
    pace, hard, bites = take.spread(0.42, 0.62), take.spread(150, 420), []
    for k in range(4):
        length = pace * take.uniform(0.55, 0.75)
        # The jaws close: what cracks between them gets smaller and more.
        cracks = sparse(take.rng, length, hard * (1 + 0.5 * k), 8) * curve(length, (0, 0.2), (0.3, 1), (1, 0.25))
        crunch = convolve(cracks, noise(take.rng, 0.006) * decay(0.006, 0.01))[: count(length)]
        heard = formants(crunch, [(450, 300, 2), (1300, 800, 0), (3200, 1800, 0), (6500, 3000, -4)])
        wet = 0.15 * unit(bandpass(noise(take.rng, length), 400, 2500)) * curve(length, (0, 0), (0.6, 1), (1, 0.1))
        bites.append((k * pace * take.uniform(0.97, 1.03), unit(heard) * (1 - 0.12 * k) + wet))
    return room(take.rng, place(bites[-1][0] + pace, bites), 0.15, 0.1)


@family.sound("gargling", "a person gargling", "a person gargles", "/m/0939n_", sustained=True)
def gargling(take: Take) -> Signal:
    length, size = take.spread(4.2, 5.3), take.spread(0.8, 1.1)
    pops = take.spread(14, 30) * wander(take.rng, length, 6, 0.2)
    bubbles = phase(np.maximum(pops, 4)) % 1
    gate = (0.25 + 0.75 * np.sin(np.pi * bubbles) ** 2) * np.clip(wander(take.rng, length, 25, 0.35), 0.15, 2)
    pitch = take.spread(105, 230) * wander(take.rng, length, 5, 0.06) * (1 + 0.08 * np.sin(2 * np.pi * bubbles))
    throat = voice(take.rng, pitch, ("a", "o"), 0.5 + 0.5 * np.sin(2 * np.pi * bubbles), size=size, breath=0.15, rough=0.4)
    water = np.zeros(count(length))
    for at in take.rng.uniform(0, length - 0.1, int(55 * length)):
        drop = bubble(0.06, float(take.rng.uniform(500, 2200)), 0.3) * take.rng.uniform(0.2, 1)
        water[count(at) : count(at) + len(drop)] += drop
    return compress(throat * gate + take.spread(0.3, 0.7) * unit(water), 0.4, 0.5)


@family.sound("running", "a person running", "a person runs", "/m/06h7j")
def running(take: Take) -> Signal:
    rate, ground, steps_ = take.spread(2.7, 3.9), take.spread(0.3, 1.0), []
    for k, at in enumerate(beats(take.rng, take.spread(1.7, 2.1), rate, 0.03, 0.02)):
        thud = shaped_noise(take.rng, 0.2, (50, 0), (160, -2), (600, -16), (3000, -34)) * decay(0.2, 0.13, 0.004)
        slap = formants(noise(take.rng, 0.2) * decay(0.2, 0.06, 0.002), [(700, 500, 0), (1800, 1200, -5), (4200, 2500, -12)])
        grit = bandpass(sparse(take.rng, 0.2, 900), 1500, 9000) * curve(0.2, (0, 0.2), (0.3, 1), (1, 0))
        step = unit(thud) + 0.9 * unit(slap) + ground * unit(grit) * 0.6
        steps_.append((float(at), step * take.uniform(0.85, 1.1) * (1.0, 0.85)[k % 2]))
    return room(take.rng, place(steps_[-1][0] + 0.25, steps_), 0.3, 0.2)


@family.sound("stomach rumble", "a stomach rumbling", "a stomach rumbles", "/m/01g90h")
def stomach_rumble(take: Take) -> Signal:
    length, base = take.spread(1.3, 2.1), take.spread(75, 140)
    pitch = base * curve(length, (0, 0.8), (0.3, 1.3), (0.55, 0.9), (0.8, 1.5), (1, 1.1)) * wander(take.rng, length, 12, 0.12)
    squelch = np.clip(wander(take.rng, length, 14, 0.8), 0, 2.5)
    gut = beast(
        take.rng,
        pitch,
        [(170, 90, 0), (420, 200, -6), (900, 500, -18)],
        [(290, 120, 0), (700, 300, -6), (1300, 600, -18)],
        0.5 + 0.5 * np.clip(wander(take.rng, length, 5, 0.5) - 1, -1, 1),
        slope=-4,
        breath=0.3,
        rough=0.7,
    )
    gas = place(
        length,
        [
            (float(t), bubble(0.15, take.uniform(180, 520), 0.4) * take.uniform(0.3, 1))
            for t in take.rng.uniform(0, length - 0.15, 22)
        ],
    )
    return (gut * squelch + 1.2 * unit(gas)) * envelope(length, 0.15, 0.3)


@family.sound("crowd cheer", "a crowd cheering", "a crowd cheers", "/m/053hz1", sustained=True)
def crowd_cheer(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    total = {vowel: np.zeros(count(length)) for vowel in ("a", "ae", "o", "e")}
    for _ in range(26):
        pitch = take.choose(230, 290, 340, 420, 520) * take.uniform(0.8, 1.25)
        shout = take.uniform(0.5, 1.6)
        tone = pitch * curve(shout, (0, 0.8), (0.3, take.uniform(1, 1.3)), (1, 0.75)) * wander(take.rng, shout, 50, 0.02)
        yell = unit(glottis(tone, 0.45)) * envelope(shout, 0.1, 0.3) * take.uniform(0.2, 1)
        at, vowel = count(take.uniform(-0.4, length - 0.5)), list(total)[int(take.rng.integers(4))]
        piece = yell[max(-at, 0) :][: count(length) - max(at, 0)]
        total[vowel][max(at, 0) :][: len(piece)] += piece
    voices = sum(formants(source, tract(vowel, 0.85)) for vowel, source in total.items())
    roar = unit(formants(noise(take.rng, length), [(700, 500, 0), (1300, 800, -1), (2800, 1500, -8), (4500, 3000, -16)]))
    mass = roar * np.clip(wander(take.rng, length, 6, 0.15), 0.4, 1.6)
    return compress(room(take.rng, unit(np.asarray(voices)) + take.spread(0.5, 1.1) * mass, 0.9, 0.5)[: count(length)], 0.4, 0.6)


@family.sound("children playing", "children playing", "children play", "/t/dd00013", sustained=True)
def children_playing(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    total = {vowel: np.zeros(count(length)) for vowel in ("i", "e", "a", "o", "ae")}
    for _ in range(int(take.choose(24, 30, 36, 42, 48))):
        syllable, base = take.uniform(0.12, 0.5), take.uniform(300, 620)
        tone = (
            base
            * curve(syllable, (0, take.uniform(0.8, 1.2)), (0.4, take.uniform(1, 1.4)), (1, 0.8))
            * wander(take.rng, syllable, 50, 0.02)
        )
        cry = unit(glottis(tone, 0.5)) * envelope(syllable, 0.03, 0.1) * 10 ** (take.uniform(-18, 0) / 20)
        at, vowel = count(take.uniform(0, length - 0.1)), list(total)[int(take.rng.integers(5))]
        piece = cry[: count(length) - at]
        total[vowel][at : at + len(piece)] += piece
    voices = sum(formants(source, tract(vowel, 0.66)) for vowel, source in total.items())
    yard = shaped_noise(take.rng, length, (100, 0), (500, -6), (2000, -14), (8000, -30))
    heard = compress(room(take.rng, unit(np.asarray(voices)), 0.7, 0.45)[: count(length)], 0.4, 0.5)
    return unit(heard) + take.spread(0.06, 0.2) * yard


@family.sound("humming", "a person humming a tune", "a person hums a tune", "/m/02fxyj", sustained=True)
def humming(take: Take) -> Signal:
    length, base = take.spread(4.2, 5.3), take.choose(110, 132, 175, 220, 262)
    scale = np.array([1, 9 / 8, 5 / 4, 4 / 3, 3 / 2, 5 / 3])
    notes = scale[np.clip(np.cumsum(take.rng.integers(-1, 2, int(take.choose(6, 7, 8, 9, 10)))) + 2, 0, 5)]
    pitch = base * steps(length, list(notes), 0.08) * vibrato(length, 5.3, 0.008) * wander(take.rng, length, 6, 0.006)
    nose = [(260, 70, 0.0), (950, 200, -16), (1900, 300, -24), (2900, 400, -28)]
    tone = mouth(unit(glottis(pitch * wander(take.rng, length, 60, 0.006))) + 0.03 * noise(take.rng, length), nose, nose, 0.0)
    swell = 0.75 + 0.25 * np.sin(np.pi * (ramp(length) / length * len(notes) % 1)) ** 0.5
    return room(take.rng, unit(tone) * swell, take.spread(0.2, 0.5), 0.2)[: len(tone)]


@family.sound("gasp", "a person gasping", "a person gasps", "/m/07s0dtb")
def gasp(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.42,
            pitch=520,
            contour=((0, 0.68), (0.25, 1), (0.62, 1.1), (1, 0.76)),
            shut=(500, 1740, 3410, 5440),
            wide=(620, 2420, 3800, 5440),
            opening=((0, 0.086), (0.25, 0.84), (0.62, 0.59), (1, 0.086)),
            gains=(0.0, -10.0, -11.0, -23.0),
            narrow=0.13,
            slope=0.21,
            breath=0.93,
            rough=0.22,
            doubled=0.14,
            attack=0.2,
            release=0.08,
            fall=5.1,
            air=-49.0,
        ),
        0.3,
    )


@family.sound("sigh", "a person sighing", "a person sighs", "/m/07plz5l")
def sigh(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.8,
            pitch=100,
            contour=((0, 0.64), (0.38, 1), (0.7, 1.2), (1, 0.8)),
            shut=(400, 1190, 2600, 4570),
            wide=(560, 1750, 2690, 4570),
            opening=((0, 0.2), (0.38, 0.63), (0.7, 0.37), (1, 0.005)),
            gains=(0.0, 2.9, -16.0, -17.0),
            narrow=0.12,
            slope=0.52,
            breath=3.5,
            rough=0.41,
            doubled=0.28,
            attack=0.2,
            release=0.68,
            fall=5.9,
            air=-39.0,
            tremble=(5.0, 0.0, 0.018),
        ),
        0.4,
    )


@family.sound("scream", "a person screaming", "a person screams", "/m/03qc9zr")
def scream(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.83,
            pitch=1400,
            contour=((0, 1.1), (0.35, 1), (0.73, 0.81), (1, 0.72)),
            shut=(860, 1940, 2740, 4420),
            wide=(1250, 2390, 3110, 4420),
            opening=((0, 0.19), (0.35, 0.94), (0.73, 0.33), (1, 0.51)),
            gains=(0.0, -1.1, -19.0, -16.0),
            narrow=0.48,
            slope=1.9,
            breath=0.57,
            rough=0.038,
            doubled=0.46,
            attack=0.08,
            release=0.29,
            fall=4.8,
            air=-37.0,
            tremble=(6.7, 0.0, 0.023),
        ),
        0.12,
    )
