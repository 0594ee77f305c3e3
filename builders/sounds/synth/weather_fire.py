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
    noise,
    ramp,
    resonate,
    room,
    shaped_noise,
    sparse,
    train,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.textures import (
    grains,
    shells,
    struck,
    thud,
)

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
    length, centre = take.spread(2.4, 3.4), take.spread(130, 250)
    # The channel of the lightning is kilometres long and bent: its parts arrive one after the other.
    late = np.sort(take.rng.uniform(0, 1, int(take.choose(8, 12, 16, 22, 30))))
    at = np.concatenate([[0.0], late * (length - 0.4)])
    gains = take.rng.uniform(0.3, 1, len(at)) * np.exp(-take.spread(0.1, 1.2) * at / length)
    gains[0] *= 1.3
    clap = thud(
        take.rng, take.spread(0.12, 0.3), (30, -6), (centre, 0), (2 * centre, -11), (8 * centre, -33), (12000, -60), attack=0.015
    )
    slope = take.spread(-8, -4.5)
    rumble = shaped_noise(take.rng, length, (32, -3), (centre, 0), (2 * centre, slope), (8 * centre, 3 * slope), (8000, -60))
    rumble *= np.clip(wander(take.rng, length, take.spread(1.5, 5.5), 0.45), 0.1, 3) * curve(length, (0, 0.4), (0.3, 1), (1, 0.5))
    crack = shaped_noise(take.rng, length, (100, 0), (600, 0), (2500, -8), (9000, -20)) * np.exp(-6 * ramp(length))
    rain = shaped_noise(take.rng, length, (100, -20), (800, -6), (3000, 0), (9000, -8))
    dry = unit(struck(train(length, at, gains), clap)) + 0.6 * rumble + take.spread(0.02, 0.12) * crack + 0.09 * rain
    return room(take.rng, compress(dry, 0.5, 0.4) * envelope(length, 0.005, 0.4), take.spread(0.9, 1.5), 0.15)


@family.sound("fire", "a fire crackling", "a fire crackles", "/m/02_41", sustained=True, confusable=("frying",))
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


@family.sound("steam", "steam hissing", "steam hisses", "/m/06wzb", sustained=True, confusable=("waterfall",))
def steam(take: Take) -> Signal:
    length, low = take.spread(4.2, 5.3), take.spread(2300, 3400)
    jet = shaped_noise(take.rng, length, (300, -40), (low * 0.6, -18), (low, 0), (low * 2, 0), (14000, -8))
    return jet * wander(take.rng, length, 8, 0.05) * np.clip(wander(take.rng, length, 0.7, 0.15), 0.6, 1.4)


@family.sound("rustling leaves", "leaves rustling", "leaves rustle", sustained=True)
def rustling_leaves(take: Take) -> Signal:
    length = take.spread(4.3, 5.4)
    gust = np.clip(wander(take.rng, length, take.spread(0.8, 2.2), 0.35), 0.3, 1.9)
    flutter = shaped_noise(take.rng, length, (150, -20), (600, -8), (2000, -2), (4500, 0), (9000, -6), (15000, -14))
    leaves = grains(take.rng, length, take.spread(60, 220), 1200, 8000, length=0.02, bands=8, spread_db=7)
    air = shaped_noise(take.rng, length, (40, 0), (150, -2), (500, -12), (2000, -30))
    return (flutter * np.clip(wander(take.rng, length, 14, 0.2), 0.4, 1.7) + 0.7 * leaves) * gust + 0.35 * air


@family.sound("hail", "hail pelting a roof", "hail pelts a roof", sustained=True, confusable=("rain",))
def hail(take: Take) -> Signal:
    length, dense = take.spread(4.2, 5.3), take.spread(35, 130)
    sheet = struck(sparse(take.rng, length, dense, 5), shells(take.rng, 300 * take.spread(0.7, 2.0), 5000, 24, 0.06))
    ticks = grains(take.rng, length, 2 * dense, 1500, 9000, length=0.006)
    rain_ = shaped_noise(take.rng, length, (100, -16), (600, -6), (2500, 0), (7000, -4), (14000, -12))
    return compress(unit(sheet) + 0.7 * ticks + take.spread(0.15, 0.4) * rain_, 0.2, 0.4)


@family.sound(
    "earthquake",
    "the ground rumbling in an earthquake",
    "the ground rumbles in an earthquake",
    "/m/07phhsh",
    sustained=True,
    confusable=("thunder",),
)
def earthquake(take: Take) -> Signal:
    length, centre = take.spread(4.3, 5.4), take.spread(100, 120)
    rumble = shaped_noise(take.rng, length, (32, -3), (centre, 0), (2 * centre, -17.5), (8 * centre, -52), (8000, -70))
    heave = np.clip(wander(take.rng, length, take.spread(1.7, 4.2), take.spread(0.22, 0.5)), 0.15, 3)
    crack = thud(take.rng, take.spread(0.1, 0.5), (40, 0), (take.spread(180, 300), 4), (600, -16), (3000, -40))
    blows = struck(sparse(take.rng, length, take.spread(13, 50), 5), crack)
    rattle = struck(sparse(take.rng, length, take.spread(30, 120), 5), shells(take.rng, take.spread(260, 700), 2500, 24, 0.05))
    dry = compress(rumble * heave + 0.045 * unit(blows) + take.spread(0.003, 0.009) * unit(rattle), 0.5, take.spread(0.4, 0.8))
    return room(take.rng, dry, take.spread(0.3, 1.1), 0.22)[: len(dry)]


@family.sound(
    "frying", "food frying in a pan", "food fries in a pan", "/m/0dxrf", sustained=True, confusable=("hail", "rain", "steam")
)
def frying(take: Take) -> Signal:
    length, fierce = take.spread(4.2, 5.3), take.spread(60, 500)
    spit = grains(take.rng, length, fierce, 1800, 10_000, length=0.006, bands=8, spread_db=8)
    pops = struck(sparse(take.rng, length, fierce / 12, 6), shells(take.rng, 900, 7000, 16, 0.012))
    hiss = shaped_noise(take.rng, length, (100, -34), (800, -18), (3000, -2), (6000, 0), (11000, -3), (15000, -8))
    return compress(hiss * np.clip(wander(take.rng, length, 6, 0.1), 0.6, 1.5) + 0.8 * spit + 0.3 * unit(pops), 0.1, 0.4)
