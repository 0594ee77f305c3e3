"""What comes out of people's mouths and noses: coughs, snores, screams, laughs."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    RATE,
    Signal,
    curve,
    envelope,
    formants,
    noise,
    ramp,
    room,
    series,
    shaped_noise,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import Call, beast, call, calls, shaped, tract, voice

family = Family()


@family.sound("cough", "a person coughing", "a person coughs", "/m/01b_21", confusable=("sneeze",))
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


@family.sound("baby cry", "a baby crying", "a baby cries", "/t/dd00002", confusable=("cat meow",))
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


@family.sound("sniffing", "a person sniffing", "a person sniffs", "/m/07ppn3j")
def sniffing(take: Take) -> Signal:
    size, sniffs = take.spread(0.85, 1.18), []
    for _ in range(int(take.choose(2, 3, 3, 2))):
        length = take.spread(0.213, 0.2818) * take.uniform(0.88, 1.12)
        air = noise(take.rng, length) * np.clip(wander(take.rng, length, 60, 0.235), 0.1, 2)
        snort = [(464 * size, 92.8, 0.0)]
        folds = beast(take.rng, 152 * curve(length, (0, 1.0), (1, 1.72)), snort, snort, 0.0, breath=0.3, rough=0.3)
        # The nostrils narrow: their resonances rise.
        wide = [(f / size, 0.221 * f, gain) for f, gain in ((464, 2.29), (1570, 4.03), (2640, -6.99), (5910, -13.3))]
        narrow = [(1.43 * f, bandwidth, gain) for f, bandwidth, gain in wide[:3]] + wide[3:]
        pull = unit(shaped(air, wide, narrow, curve(length, (0, 0), (1, 1)), -1.95)) + 0.0753 * folds
        sniffs.append(pull * curve(length, (0, 0.176), (0.654, 1), (1, 0.194)) * envelope(length, 0.0541, 0.0688))
    heard = room(take.rng, series(sniffs, take.spread(0.217, 0.339)), take.spread(0.133, 0.225), 0.0362)
    return unit(heard) + 0.1 * shaped_noise(take.rng, len(heard) / RATE, (100, 0), (8000, -26))


@family.sound("gasp", "a person gasping", "a person gasps", "/m/07s0dtb", confusable=("groan", "sigh"))
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
            number=(2,),
            gap=0.22,
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
            length=1.1,
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


@family.sound("hiccup", "a person hiccupping", "a person hiccups", "/m/02p3nc")
def hiccup(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.13,
            pitch=590,
            contour=((0, 0.92), (0.3, 0.95), (0.7, 1.2), (1, 0.82)),
            shut=(450, 1590, 2120, 3830),
            wide=(610, 1900, 4340, 2110),
            opening=((0, 0.47), (0.3, 0.81), (0.7, 0.61), (1, 0.28)),
            gains=(-2.7, -4, -10, -24),
            narrow=0.083,
            number=(2, 2, 3, 2),
            gap=0.4,
            slope=0.25,
            breath=0.55,
            rough=0.59,
            doubled=0.32,
            attack=0.012,
            release=0.05,
            tremble=(14, 0.0, 0.0074),
        ),
        0.18,
    )


@family.sound("groan", "a person groaning", "a person groans", "/m/07s2xch", confusable=("sigh",))
def groan(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.89,
            pitch=87,
            contour=((0, 0.93), (0.3, 1.5), (0.7, 1.0), (1, 0.58)),
            shut=(250, 1270, 1700, 5090),
            wide=(400, 1190, 1360, 6300),
            opening=((0, 0.34), (0.3, 1.0), (0.7, 0.34), (1, 0.53)),
            gains=(12, 2.8, -11, -13),
            narrow=0.078,
            slope=-2.4,
            breath=0.46,
            rough=0.34,
            doubled=0.64,
            attack=0.078,
            release=0.45,
            tremble=(13, 0.0, 0.089),
            air=-40,
        ),
        0.18,
    )
