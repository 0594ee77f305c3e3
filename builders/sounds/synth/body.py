"""Sounds that people make with their bodies, and tunes they hum and whistle."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    RATE,
    Signal,
    bandpass,
    bubble,
    convolve,
    count,
    curve,
    decay,
    envelope,
    formants,
    glottis,
    lowpass,
    noise,
    place,
    ramp,
    room,
    shaped_noise,
    sine,
    sparse,
    steps,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import Strokes, beast, mouth, strokes

family = Family()


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


@family.sound("heartbeat", "a heart beating", "a heart beats", "/m/01jg02")
def heartbeat(take: Take) -> Signal:
    period, tone, thumps = take.spread(0.55, 0.72), take.spread(40, 62), []
    at = ramp(0.3)
    fade = np.exp(-at * 40) * np.minimum(at / 0.021, 1)
    for k in range(3):
        for delay, level, high in ((0.0, 1.0, 1.0), (0.385 * period * take.uniform(0.97, 1.03), take.spread(0.56, 0.8), 1.5)):
            thump = np.sin(2 * np.pi * tone * high * at * (1 - 0.92 * at)) * fade
            valve = shaped_noise(take.rng, 0.3, (30, 0), (135, -3), (405, -20), (4000, -60)) * fade
            thumps.append((k * period + delay + 0.02, level * take.uniform(0.9, 1.1) * (0.86 * unit(thump) + 0.14 * unit(valve))))
    chest = unit(room(take.rng, place(2.9 * period, thumps), 0.15, 0.05))
    murmur = shaped_noise(take.rng, len(chest) / RATE, (40, 0), (200, -6), (1200, -30), (8000, -60))
    return chest + 0.065 * murmur[: len(chest)]


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


@family.sound("chewing", "a person crunching crisps", "a person crunches crisps", "/m/07s12q4")
def chewing(take: Take) -> Signal:
    pace, bites = take.spread(0.5313, 0.70265), []
    for k in range(4):
        length = pace * 0.657 * take.uniform(0.85, 1.1)
        # The jaws close, and what is between them cracks.
        cracks = sparse(take.rng, length, take.spread(90.77, 153.4), 12) * curve(length, (0, 0), (0.202, 1), (1, 0.15))
        crunch = convolve(cracks, noise(take.rng, 0.00309) * decay(0.00309, 0.00309, 0.0003))[: count(length)]
        mouth = [(f, 0.243 * f, gain) for f, gain in ((551, 4.7), (1280, 0.0), (4500, 0.987), (6350, -10.2))]
        munch = noise(take.rng, length) * np.clip(wander(take.rng, length, 120, 0.6), 0.05, 3)
        wet = unit(formants(munch, [(1390, 695, 0), (3336, 1390, -5)])) * curve(length, (0, 0), (0.6, 1), (1, 0.1))
        bites.append((k * pace * take.uniform(0.97, 1.03), (unit(formants(crunch, mouth)) + 0.03 * wet) * (1 - 0.08 * k)))
    heard = room(take.rng, place(bites[-1][0] + pace, bites), 0.15, 0.127)
    return unit(heard) + 0.0797 * shaped_noise(take.rng, len(heard) / RATE, (100, 0), (8000, -26))


@family.sound("stomach rumble", "a stomach rumbling", "a stomach rumbles", "/m/01g90h")
def stomach_rumble(take: Take) -> Signal:
    length, base = take.spread(1.28, 2.0), take.spread(30, 47.5)
    rise = [(0, 0.8), (0.3, take.uniform(1, 1.4)), (0.55, take.uniform(0.8, 1.1)), (0.8, take.uniform(1, 1.6)), (1, 1.0)]
    pitch = base * curve(length, *rise) * wander(take.rng, length, 12, 0.145)
    squelch = np.clip(wander(take.rng, length, 14, 0.6), 0.05, 2.5)
    opening = np.clip(0.5 + 0.5 * (wander(take.rng, length, 5, 1) - 1), 0, 1)
    size = take.spread(0.85, 1.18)
    shut = [(f * size, 0.354 * f, gain) for f, gain in ((230, 0.0), (535, -1.0), (851, -13.0))]
    wide = [(1.44 * f, bandwidth, gain) for f, bandwidth, gain in shut]
    gut = beast(take.rng, pitch, shut, wide, opening, slope=-2, breath=1.06, rough=0.6, doubled=0.3)
    gas = np.zeros(count(length))
    for tone in np.exp(take.rng.uniform(np.log(250), np.log(1000), 14)):
        gas += convolve(sparse(take.rng, length, 30 / 14, 5), bubble(0.1, float(tone), 0.333))[: len(gas)]
    belly = lowpass((unit(gut * squelch) + 0.6 * unit(gas * squelch)) * envelope(length, 0.12, 0.3), 1200, 1)
    return unit(belly) + 0.012 * shaped_noise(take.rng, length, (60, 0), (300, -8), (3000, -30), (8000, -40))


@family.sound(
    "humming",
    "a person humming a tune",
    "a person hums a tune",
    "/m/02fxyj",
    sustained=True,
    confusable=("mains hum", "whistling"),
)
def humming(take: Take) -> Signal:
    length, base = take.spread(4.2, 5.3), take.choose(110, 132, 175, 220, 262)
    scale = np.array([1, 9 / 8, 5 / 4, 4 / 3, 3 / 2, 5 / 3])
    notes = scale[np.clip(np.cumsum(take.rng.integers(-1, 2, int(take.choose(6, 7, 8, 9, 10)))) + 2, 0, 5)]
    pitch = base * steps(length, list(notes), 0.08) * vibrato(length, 5.3, 0.008) * wander(take.rng, length, 6, 0.006)
    nose = [(260, 70, 0.0), (950, 200, -16), (1900, 300, -24), (2900, 400, -28)]
    tone = mouth(unit(glottis(pitch * wander(take.rng, length, 60, 0.006))) + 0.03 * noise(take.rng, length), nose, nose, 0.0)
    swell = 0.75 + 0.25 * np.sin(np.pi * (ramp(length) / length * len(notes) % 1)) ** 0.5
    return room(take.rng, unit(tone) * swell, take.spread(0.2, 0.5), 0.2)[: len(tone)]
