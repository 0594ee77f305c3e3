"""Wild animals other than birds and insects."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    convolve,
    count,
    curve,
    decay,
    envelope,
    noise,
    phase,
    place,
    ramp,
    room,
    shaped_noise,
    sine,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import Call, beast, calls

family = Family()


@family.sound("wolf howl", "a wolf howling", "a wolf howls", "/m/07qf0zm")
def wolf_howl(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=2.4,
            pitch=710,
            contour=((0, 0.7), (0.2, 0.74), (0.7, 1.2), (1, 0.68)),
            shut=(860, 790, 2460, 1890),
            wide=(300, 1010, 1210, 3880),
            opening=((0, 0.41), (0.2, 0.83), (0.7, 0.7), (1, 0.45)),
            gains=(3.4, 9.4, -13, -30),
            narrow=0.099,
            slope=-5,
            breath=0.17,
            rough=0.11,
            doubled=1.0,
            attack=0.19,
            release=0.83,
            fall=0.5,
            tremble=(8.8, 0.17, 0.016),
            air=-30,
        ),
        0.2,
    )


@family.sound("lion roar", "a lion roaring", "a lion roars", "/m/04cvmfc")
def lion_roar(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=1.4,
            pitch=180,
            contour=((0, 0.73), (0.3, 1.1), (0.7, 1.6), (1, 0.64)),
            shut=(360, 340, 1160, 1350),
            wide=(490, 520, 1760, 4150),
            opening=((0, 0.0), (0.3, 0.71), (0.7, 0.0), (1, 1.0)),
            gains=(-12, 4.7, -17, -23),
            narrow=0.14,
            slope=-4.6,
            breath=0.86,
            rough=0.77,
            doubled=0.92,
            attack=0.38,
            release=0.88,
            fall=1.0,
            tremble=(12, 0.0, 0.0),
            air=-35,
        ),
        0.15,
    )


@family.sound("frog croak", "a frog croaking", "a frog croaks", "/m/07st88b")
def frog_croak(take: Take) -> Signal:
    return calls(
        take,
        Call(
            length=0.67,
            pitch=460,
            contour=((0, 0.56), (0.3, 1.1), (0.7, 1.3), (1, 0.96)),
            shut=(950, 890, 2790, 1420),
            wide=(1380, 1800, 1690, 2560),
            opening=((0, 0.89), (0.3, 0.1), (0.7, 0.89), (1, 0.093)),
            gains=(5.6, 7.1, 4.8, -9.8),
            narrow=0.089,
            number=(2, 3, 2, 3),
            gap=0.12,
            slope=4.8,
            breath=0.56,
            rough=0.87,
            attack=0.016,
            release=0.056,
            fall=2.4,
            tremble=(34, 0.98, 0.05),
            air=-26,
        ),
        0.15,
    )


@family.sound("rattlesnake", "a rattlesnake rattling", "a rattlesnake rattles", "/m/07qn4z3", sustained=True)
def rattlesnake(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(42, 85)
    total, low = np.zeros(count(length)), take.spread(3500, 6000)
    for k in range(5):  # segments of the rattle knock against each other out of step
        shakes = phase(rate * wander(take.rng, length, 5, 0.04)) + take.uniform(0, 1)
        clicks = np.diff(np.floor(shakes), prepend=0.0) * np.clip(wander(take.rng, length, 90, 0.5), 0.1, 2.5)
        shell = convolve(clicks, noise(take.rng, 0.012) * decay(0.012, take.spread(0.012, 0.03)))[: len(total)]
        total += bandpass(shell, low * (0.8 + 0.1 * k), low * (1.9 + 0.15 * k))
    swell = np.clip(wander(take.rng, length, take.spread(0.5, 2), 0.25), 0.4, 1.6)
    return unit(total) * swell + 0.06 * shaped_noise(take.rng, length, (100, 0), (1000, -10), (8000, -20))


@family.sound("whale song", "a whale singing", "a whale sings", "/m/032n05", sustained=True)
def whale_song(take: Take) -> Signal:
    length, moans, at = take.spread(4.3, 5.2), [], -0.2
    shut = [(309, 267, 0.0), (960, 829.4, -7.91), (2920, 2522.9, -22.0)]
    wide = [(1.05 * f, width, gain) for f, width, gain in shut]
    while at < length:
        long = take.spread(0.9167, 1.32) * take.uniform(0.75, 1.3)
        base = take.spread(231.7, 333.6) * float(take.rng.choice([1, 1.51, 0.7]))
        first, third, last = take.rng.uniform(1 / 1.72, 1.72, 3)
        pitch = base * curve(long, (0, first), (0.3, 1), (0.7, third), (1, last)) * wander(take.rng, long, 15, 0.0298)
        opening, doubled = curve(long, (0, 0), (0.5, 1), (1, 0)), 0.286 * take.uniform(0, 1)
        moan = beast(take.rng, pitch, shut, wide, opening, slope=-3.38, breath=0.0979, rough=0.0302, doubled=doubled)
        moan *= envelope(long, 0.15 * long, 0.35 * long) * (1 - 0.361 * (0.5 + 0.5 * np.sin(2 * np.pi * 9.08 * ramp(long))))
        moans.append((max(at, 0.0), moan[count(max(-at, 0.0)) :]))
        at += long * 0.834 * take.uniform(0.85, 1.1)
    sea = shaped_noise(take.rng, length, (40, 0), (200, -4), (1000, -14), (6000, -36))
    return (
        room(take.rng, place(length, moans), take.spread(1.0417, 1.5), 0.349)[: count(length)] + take.spread(0.1264, 0.2478) * sea
    )


@family.sound(
    "dolphin clicks",
    "a dolphin clicking and whistling",
    "a dolphin clicks and whistles",
    None,
    confusable=("geiger counter", "woodpecker"),
)
def dolphin_clicks(take: Take) -> Signal:
    length, rate = take.spread(1.2, 2.0), take.spread(25, 70)
    clicks = phase(rate * curve(length, (0, 0.6), (0.5, 1.6), (0.8, 2.6), (1, 1.2)))
    ticks = np.diff(np.floor(clicks), prepend=0.0)
    train_ = bandpass(convolve(ticks, decay(0.004, 0.004, 0.0002))[: count(length)], 2500, 13_000)
    whistle = take.spread(5500, 9000) * curve(length, (0, 0.8), (0.3, 1.2), (0.5, 0.85), (0.75, 1.3), (1, 0.9))
    tone = sine(whistle) * curve(length, (0.1, 0), (0.3, 1), (0.7, 0.8), (0.9, 0))
    return room(take.rng, unit(train_) + take.spread(0.3, 0.9) * tone, 0.4, 0.3)
