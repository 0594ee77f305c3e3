"""Animals of the house and the farm."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
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
    ramp,
    room,
    series,
    shaped_noise,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import Call, Strokes, call, calls, strokes

family = Family()


@family.sound("dog bark", "a dog barking", "a dog barks", "/m/05tny_")
def dog_bark(take: Take) -> Signal:
    pitch, size, gap = take.spread(420, 760), take.spread(1.2, 0.8), take.spread(0.22, 0.1)
    barks = []
    for _ in range(int(take.choose(2, 3, 3, 4))):
        length = take.uniform(0.14, 0.2)
        arch = pitch * take.uniform(0.95, 1.05) * curve(length, (0, 0.55), (0.25, 1.1), (0.55, 0.95), (1, 0.45))
        shut = [(450 / size, 250, 0.0), (1100 / size, 350, -4), (2600 / size, 700, -16)]
        wide = [(800 / size, 300, 0.0), (1500 / size, 400, -1), (2700 / size, 700, -8), (4200 / size, 900, -16)]
        bark = call(take.rng, arch, shut, wide, curve(length, (0, 0), (0.25, 1), (0.6, 0.9), (1, 0)), breath=0.35, rough=0.3)
        barks.append(bark * envelope(length, 0.012, 0.1) * np.exp(-ramp(length) * 6))
    return room(take.rng, series(barks, gap), 0.35, 0.3)


@family.sound("cat meow", "a cat meowing", "a cat meows", "/m/07qrkrw", confusable=("puppy whimper", "scream"))
def cat_meow(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.7,
            pitch=650,
            contour=((0, 0.6), (0.27, 1), (0.61, 0.94), (1, 0.57)),
            shut=(810, 2340, 2900, 3900),
            wide=(1070, 3000, 2710, 3900),
            opening=((0, 0.33), (0.27, 0.5), (0.61, 1.0), (1, 0.16)),
            gains=(0.0, 0.67, -2.2, -8.8),
            narrow=0.15,
            slope=5.2,
            breath=0.52,
            rough=0.044,
            doubled=0.1,
            attack=0.07,
            release=0.091,
            fall=5.7,
            air=-38.0,
            tremble=(8.8, 0.0, 0.021),
        ),
        0.12,
    )


@family.sound("cat purr", "a cat purring", "a cat purrs", "/m/02yds9", sustained=True)
def cat_purr(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    breathing = phase(take.spread(0.459, 0.607) * wander(take.rng, length, 1, 0.05)) + take.uniform(0, 6) / (2 * np.pi)
    breath = 0.5 + 0.5 * np.sin(2 * np.pi * breathing)
    turns = phase(take.spread(22.14, 27.78) * wander(take.rng, length, 8, 0.0913) * (0.894 + 0.212 * breath))
    puffs = np.diff(np.floor(turns), prepend=0.0) * np.clip(wander(take.rng, length, 20, 0.0), 0.2, 2)
    burst = noise(take.rng, 0.05) * decay(0.05, 0.0147, 0.002)
    thump = np.sin(2 * np.pi * 141 * ramp(0.05)) * decay(0.05, 0.022, 0.002)
    throat = convolve(puffs, unit(thump) + 0.727 * unit(burst))[: count(length)]
    hush = noise(take.rng, length) * np.exp(-5.32 * (turns % 1))
    size = take.spread(0.88, 1.14)
    peaks = [(337, 445, 0.0), (780, 1030, -0.6), (1960, 2587, -13.5), (4100, 5412, -18.4)]
    heard = formants(unit(throat) + 0.313 * unit(hush), [(f * size, width, gain) for f, width, gain in peaks])
    air = shaped_noise(take.rng, length, (100, 0), (8000, -24))
    return compress(unit(heard) * (0.713 + 0.287 * breath) + 0.048 * air, 0.15, 0.5)


@family.sound("cow moo", "a cow mooing", "a cow moos", "/m/07rpkh9")
def cow_moo(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=1.6,
            pitch=130,
            contour=((0, 0.56), (0.3, 1.1), (0.7, 1.3), (1, 0.71)),
            shut=(220, 830, 1780, 1640),
            wide=(630, 1070, 1760, 2770),
            opening=((0, 0.65), (0.3, 0.64), (0.7, 0.46), (1, 0.37)),
            gains=(2.7, -2.2, -8.6, -15),
            narrow=0.11,
            slope=-0.95,
            breath=0.5,
            rough=0.065,
            doubled=0.69,
            attack=0.088,
            release=0.29,
            fall=0.13,
            tremble=(6.9, 0.18, 0.0087),
            air=-35,
        ),
        0.1,
    )


@family.sound("sheep bleat", "a sheep bleating", "a sheep bleats", "/m/07q0h5t")
def sheep_bleat(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.75,
            pitch=250,
            contour=((0, 0.91), (0.3, 1.1), (0.7, 0.74), (1, 1.1)),
            shut=(520, 1500, 2220, 3490),
            wide=(1180, 970, 1850, 5030),
            opening=((0, 0.0), (0.3, 0.38), (0.7, 0.0), (1, 0.26)),
            gains=(5.5, 0.88, 1.5, -24),
            narrow=0.11,
            slope=0.25,
            breath=0.19,
            rough=0.22,
            doubled=1.0,
            attack=0.039,
            release=0.26,
            fall=2,
            tremble=(10, 0.89, 0.11),
            air=-35,
        ),
        0.15,
    )


@family.sound("horse trot", "a horse trotting", "a horse trots", "/m/07rv9rh", confusable=("wood block",))
def horse_trot(take: Take) -> Signal:
    return strokes(
        take,
        Strokes(
            length=1.5,
            rate=7.0,
            jitter=0.09,
            attack=0.003,
            fade=0.11,
            centres=(780, 900, 2600),
            widths=(0.3, 0.2, 0.53),
            gains=(-13.0, 1.0, -18.0),
            grain=0.0,
            grains=260.0,
            uneven=1.3,
            place=(0.12, 0.0),
            air=-20.0,
            second=(0.05, 0.22, 1.3),
        ),
        0.2,
    )


@family.sound("dog panting", "a dog panting", "a dog pants", "/m/07pyy8b", sustained=True, confusable=("sniffing",))
def dog_panting(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(2.9, 4.6)
    cycle = phase(rate * wander(take.rng, length, 2, 0.05)) % 1
    outward = np.sin(np.pi * np.clip(cycle / 0.37, 0, 1)) ** 1.3
    inward = np.sin(np.pi * np.clip((cycle - 0.41) / 0.57, 0, 1)) ** 0.7
    air, size = noise(take.rng, length) * np.clip(wander(take.rng, length, 60, 0.15), 0.1, 2.5), take.spread(0.85, 1.18)
    out = formants(air, [(518 * size, 118, 0), (1350 * size, 308, -0.6), (3170 * size, 723, -14), (6000, 3000, -12)])
    into = formants(air, [(761 * size, 118, 2.6), (1985 * size, 308, -0.6), (4660 * size, 723, -11), (6500, 3000, -9)])
    folds = glottis(242 * take.spread(0.85, 1.2) * wander(take.rng, length, 40, 0.05))
    voiced = unit(formants(folds, [(518 * size, 155, 0), (1350 * size, 405, -0.6)])) * outward**2
    breath = unit(out) * outward + take.spread(0.25, 0.42) * unit(into) * inward + 0.07 * voiced
    heard = compress(room(take.rng, breath, 0.48, 0.18)[: count(length)], 0.3, 0.35)
    return unit(heard) + 0.09 * shaped_noise(take.rng, length, (100, 0), (8000, -26))


@family.sound("pig oink", "a pig oinking", "a pig oinks", "/t/dd00018", confusable=("snoring",))
def pig_oink(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.19,
            pitch=60,
            contour=((0, 0.87), (0.3, 1.5), (0.7, 0.75), (1, 1.1)),
            shut=(570, 740, 2840, 2930),
            wide=(1170, 830, 1440, 6080),
            opening=((0, 0.0), (0.3, 0.096), (0.7, 0.65), (1, 0.31)),
            gains=(0.51, -8.1, -12, -16),
            narrow=0.12,
            number=(3, 4, 3, 4),
            gap=0.15,
            slope=1.8,
            breath=0.84,
            rough=0.6,
            doubled=0.15,
            attack=0.022,
            release=0.065,
            tremble=(9.8, 0.0, 0.00086),
            air=-35,
        ),
        0.18,
    )


@family.sound("horse neigh", "a horse neighing", "a horse neighs", "/m/07q5rw0")
def horse_neigh(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=1.5,
            pitch=1710,
            contour=((0, 0.73), (0.15, 0.95), (0.5, 0.84), (1, 0.5)),
            shut=(730, 2030, 2300, 2600),
            wide=(870, 3540, 2790, 3940),
            opening=((0, 0.3), (0.15, 0.92), (0.5, 0.37), (1, 0.2)),
            gains=(0.0, -1.5, -3.3, -12),
            narrow=0.17,
            slope=1.1,
            breath=0.72,
            doubled=0.84,
            attack=0.049,
            release=0.41,
            fall=2,
            tremble=(11, 0.38, 0.029),
            air=-35,
        ),
        0.12,
    )


@family.sound("puppy whimper", "a puppy whimpering", "a puppy whimpers", "/t/dd00136")
def puppy_whimper(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.43,
            pitch=950,
            contour=((0, 1.1), (0.3, 0.85), (0.7, 0.74), (1, 0.56)),
            shut=(870, 1800, 3970, 7910),
            wide=(860, 1500, 2400, 5990),
            opening=((0, 0.0), (0.3, 0.097), (0.7, 0.3), (1, 0.47)),
            gains=(-0.35, -5.5, -6.7, -23),
            narrow=0.23,
            number=(2, 3, 2, 3),
            gap=0.15,
            slope=-6,
            breath=0.26,
            rough=0.24,
            doubled=0.23,
            attack=0.082,
            release=0.25,
            fall=0.77,
            tremble=(6.6, 0.0, 0.058),
            air=-38,
        ),
        0.15,
    )
