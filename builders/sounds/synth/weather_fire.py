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
    ramp,
    resonate,
    room,
    shaped_noise,
    sine,
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


@family.sound("rustling leaves", "leaves rustling", "leaves rustle", sustained=True, confusable=("rain",))
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


@family.sound("earthquake", "the ground rumbling in an earthquake", "the ground rumbles in an earthquake", "/m/07phhsh", sustained=True)
def earthquake(take: Take) -> Signal:
    length = take.spread(4.3, 5.4)
    heave = np.clip(wander(take.rng, length, take.spread(1.5, 4), 0.35), 0.3, 2)
    rumble = shaped_noise(take.rng, length, (32, 0), (60, 3), (120, 0), (250, -10), (700, -24), (3000, -42)) * heave
    rattle = struck(sparse(take.rng, length, 60, 5), shells(take.rng, 200, 2500, 24, 0.05)) * heave
    return rumble + take.spread(0.03, 0.15) * unit(rattle)


@family.sound("rockslide", "rocks tumbling down a slope", "rocks tumble down a slope", sustained=True)
def rockslide(take: Take) -> Signal:
    length, size = take.spread(4.2, 5.3), take.spread(0.6, 1.7)
    total = 0.3 * shaped_noise(take.rng, length, (40, 0), (150, 2), (500, -4), (2000, -10), (8000, -24))
    for low, rate, gain in ((120, 14, 1.0), (300, 30, 0.7), (700, 60, 0.5)):
        knocks = struck(sparse(take.rng, length, rate / size, 6), shells(take.rng, low / size, low * 12, 16, 0.05))
        total += gain * unit(knocks)
    gravel = grains(take.rng, length, 250, 900, 6000, length=0.015)
    return compress(total + 0.5 * gravel, 0.15, 0.5)


@family.sound("frying", "food frying in a pan", "food fries in a pan", "/m/0dxrf", sustained=True, confusable=("rain",))
def frying(take: Take) -> Signal:
    length, fierce = take.spread(4.2, 5.3), take.spread(60, 500)
    spit = grains(take.rng, length, fierce, 1800, 10_000, length=0.006, bands=8, spread_db=8)
    pops = struck(sparse(take.rng, length, fierce / 12, 6), shells(take.rng, 900, 7000, 16, 0.012))
    hiss = shaped_noise(take.rng, length, (100, -34), (800, -18), (3000, -2), (6000, 0), (11000, -3), (15000, -8))
    return compress(hiss * np.clip(wander(take.rng, length, 6, 0.1), 0.6, 1.5) + 0.8 * spit + 0.3 * unit(pops), 0.1, 0.4)


@family.sound("burning fuse", "a fuse burning down", "a fuse burns down", sustained=True, confusable=("steam",))
def burning_fuse(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    low = take.spread(1500, 3500)
    fizz = shaped_noise(take.rng, length, (200, -30), (low, -4), (low * 2, 0), (14000, -4))
    fizz *= np.clip(wander(take.rng, length, 45, 0.45), 0.15, 2.5)
    sparks = grains(take.rng, length, take.spread(60, 220), 2500, 12_000, length=0.008, spread_db=7)
    return compress(fizz + 0.8 * sparks, 0.15, 0.5)


@family.sound("ice cracking", "ice cracking", "ice cracks", "/m/07qs1cx")
def ice_cracking(take: Take) -> Signal:
    length = take.spread(0.9, 1.9)
    at = np.sort(np.concatenate([[0.0], take.rng.uniform(0, 1, int(take.choose(9, 14, 20, 28, 16))) ** 1.2 * (length - 0.3)]))
    blows = train(length, at, 10 ** (take.rng.uniform(-14, 0, len(at)) / 20))
    snap = struck(blows, shells(take.rng, 700 * take.spread(0.6, 1.6), 8000, 22, 0.03))
    chirp = sine(400 + take.spread(2500, 5000) * decay(0.3, 0.12)) * decay(0.3, 0.15)
    crunch = grains(take.rng, length, 150, 900, 7000, length=0.012) * np.interp(ramp(length), at, np.abs(take.rng.normal(0, 1, len(at))))
    return room(take.rng, (unit(snap) + 0.2 * struck(blows, chirp) + 0.25 * crunch) * envelope(length, 0.001, 0.15), 0.5, 0.3)
