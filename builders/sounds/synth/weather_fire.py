"""Weather, earth and fire."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    compress,
    convolve,
    count,
    curve,
    decay,
    envelope,
    lowpass,
    noise,
    place,
    resonate,
    shaped_noise,
    sparse,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("wind", "wind howling", "wind howls", "/m/03m9d0z", sustained=True)
def wind(take: Take) -> Signal:
    length, centre = take.spread(4.3, 5.4), take.spread(260, 460)
    rumble = shaped_noise(take.rng, length, (40, 0), (120, -2), (300, -10), (900, -24), (4000, -44))
    gust = np.clip(wander(take.rng, length, 0.6, 0.3), 0.45, 1.6)
    # A whistle whose pitch follows the gusts: noise in three neighbouring narrow bands, each loudest at its own wind speed.
    whistle = np.zeros(count(length))
    for step, ratio in ((0.7, 0.8), (1.0, 1.0), (1.3, 1.25)):
        whistle += unit(resonate(noise(take.rng, length), centre * ratio, 22)) * np.exp(-(((gust - step) / 0.28) ** 2))
    return compress(0.9 * unit(rumble) * gust + 0.8 * whistle, 0.4, 0.6)


@family.sound("thunder", "thunder rumbling", "thunder rumbles", "/m/0ngt1")
def thunder(take: Take) -> Signal:
    length = take.spread(2.4, 3.4)
    total = np.zeros(count(length))
    # The channel of the lightning is kilometres long and bent: its parts arrive one after the other, the farther the duller.
    for at in np.concatenate([[0.02], take.rng.uniform(0.02, 0.75 * length, 26)]):
        far = at / length
        roll = lowpass(noise(take.rng, 0.9), 1600 * (1 - far) ** 3 + 90, 1) * decay(0.9, 0.5 + 0.6 * far, 0.008 + 0.08 * far)
        total += place(length, [(float(at), unit(roll) * take.uniform(0.2, 1) ** 1.5 * np.exp(-2.2 * far))])
    crack = shaped_noise(take.rng, 0.5, (100, 0), (600, 0), (3000, -6), (9000, -16)) * decay(0.5, 0.25, 0.001)
    rumble = shaped_noise(take.rng, length, (30, -6), (60, 0), (120, -3), (300, -16), (1500, -40)) * curve(
        length, (0, 0), (0.2, 0.7), (1, 0.1)
    )
    crackle = place(length, [(0.0, take.spread(0.4, 1.4) * crack), (take.uniform(0.05, 0.12), 0.5 * crack)])
    return (total + 0.8 * rumble + crackle) * envelope(length, 0.003, 0.4)


@family.sound("fire", "a fire crackling", "a fire crackles", "/m/02_41", sustained=True)
def fire(take: Take) -> Signal:
    length, lively = take.spread(4.2, 5.3), take.spread(30, 70)
    roar = shaped_noise(take.rng, length, (40, -4), (120, 0), (300, -4), (900, -14), (4000, -26))
    roar *= np.clip(wander(take.rng, length, 6, 0.15), 0.5, 1.5)
    crackles = np.zeros(count(length))
    for frequency in take.rng.uniform(900, 6000, 5):
        burst = convolve(sparse(take.rng, length, lively / 5, 6), decay(0.015, 0.012, 0.0003))[: count(length)]
        crackles += bandpass(burst * noise(take.rng, length), frequency * 0.5, min(frequency * 2, 13_000))
    hiss = shaped_noise(take.rng, length, (1000, -16), (4000, 0), (9000, -4)) * 0.1
    loud = crackles / np.percentile(np.abs(crackles), 97)
    return np.asarray(0.5 * unit(roar) + hiss + 1.3 * np.tanh(loud))


@family.sound("steam", "steam hissing", "steam hisses", "/m/06wzb", sustained=True, confusable=("radio static",))
def steam(take: Take) -> Signal:
    length, low = take.spread(4.2, 5.3), take.spread(2300, 3400)
    jet = shaped_noise(take.rng, length, (300, -40), (low * 0.6, -18), (low, 0), (low * 2, 0), (14000, -8))
    return jet * wander(take.rng, length, 8, 0.05) * np.clip(wander(take.rng, length, 0.7, 0.15), 0.6, 1.4)
