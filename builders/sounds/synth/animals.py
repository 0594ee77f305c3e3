"""Mammals and a frog."""

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
    noise,
    phase,
    place,
    ramp,
    room,
    series,
    shaped_noise,
    train,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import call, voice

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


@family.sound("cat meow", "a cat meowing", "a cat meows", "/m/07qrkrw")
def cat_meow(take: Take) -> Signal:
    length = take.spread(0.65, 1.15)
    pitch = take.spread(520, 760) * curve(length, (0, 0.8), (0.3, 1.12), (0.65, 1.0), (1, 0.65))
    # "Mi-a-ow": from the first half's vowels to the second's while the mouth is widest.
    opening = curve(length, (0, 0), (0.35, 1), (0.6, 1), (1, 0.1))
    front = voice(take.rng, pitch, ("i", "a"), opening, size=0.6, breath=0.05, rough=0.04)
    back = voice(take.rng, pitch, ("u", "a"), opening, size=0.6, breath=0.05, rough=0.04)
    turn = curve(length, (0.4, 0), (0.6, 1))
    return room(take.rng, (front * (1 - turn) + back * turn) * envelope(length, 0.12, 0.3), 0.25, 0.15)


@family.sound("cat purr", "a cat purring", "a cat purrs", "/m/02yds9", sustained=True)
def cat_purr(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    breath = 0.5 + 0.5 * np.sin(2 * np.pi * ramp(length) / take.spread(1.2, 1.8))
    cycle = phase(take.spread(23, 30) * wander(take.rng, length, 8, 0.08) * (0.88 + 0.24 * breath)) % 1
    flutter = 0.35 + np.exp(-cycle * 4) * np.clip(wander(take.rng, length, 20, 0.25), 0.3, 2)
    body = shaped_noise(take.rng, length, (40, -30), (120, -6), (300, 0), (800, -2), (2000, -6), (5000, -14), (9000, -26))
    return compress(body * flutter, 0.12, 0.6) * (0.55 + 0.45 * breath)


@family.sound("cow moo", "a cow mooing", "a cow moos", "/m/07rpkh9")
def cow_moo(take: Take) -> Signal:
    length = take.spread(1.4, 2.3)
    pitch = take.spread(130, 210) * curve(length, (0, 0.7), (0.2, 0.85), (0.5, 1.2), (0.85, 1.1), (1, 0.65))
    pitch = pitch * wander(take.rng, length, 12, 0.01)
    shut = [(260, 120, 0.0), (700, 250, -10), (1400, 400, -18), (2400, 700, -24)]
    wide = [(520, 220, 0.0), (1000, 300, 0.0), (1750, 450, -4), (2900, 800, -10), (4300, 1200, -18)]
    opening = curve(length, (0, 0), (0.25, 0.2), (0.5, 1), (0.9, 0.9), (1, 0.4))
    moo = call(take.rng, pitch, shut, wide, opening, breath=0.06, rough=0.15)
    return room(take.rng, moo * envelope(length, 0.15, 0.3) * curve(length, (0, 0.5), (0.5, 1)), 0.3, 0.2)


@family.sound("sheep bleat", "a sheep bleating", "a sheep bleats", "/m/07q0h5t")
def sheep_bleat(take: Take) -> Signal:
    length, shake = take.spread(0.8, 1.3), take.spread(7, 10.5)
    tremble = phase(shake * wander(take.rng, length, 4, 0.08))
    pitch = take.spread(150, 250) * (1 + 0.06 * np.sin(2 * np.pi * tremble)) * curve(length, (0, 0.9), (0.25, 1.05), (1, 0.8))
    tremor = 0.5 + 0.5 * np.clip(np.sin(2 * np.pi * tremble) * 1.3, -0.8, 1)
    throat = [(720, 180, 0.0), (1650, 300, -2.0), (2600, 400, -4), (3600, 600, -10)]
    bleat = call(take.rng, pitch, throat, throat, 0.0, breath=0.2, rough=0.35)
    return room(take.rng, bleat * tremor * envelope(length, 0.06, 0.2), 0.2, 0.12)


@family.sound("wolf howl", "a wolf howling", "a wolf howls", "/m/07qf0zm")
def wolf_howl(take: Take) -> Signal:
    length, top = take.spread(2.2, 3.2), take.spread(360, 560)
    pitch = top * curve(length, (0, 0.5), (0.12, 1), (0.35, take.uniform(1.0, 1.08)), (0.7, take.uniform(0.88, 0.96)), (1, 0.6))
    pitch = pitch * wander(take.rng, length, 6, 0.008)
    throat = [(550, 250, 0.0), (1100, 350, 0.0), (1900, 600, -8), (3200, 900, -16)]
    howl = call(take.rng, pitch, throat, throat, 0.0, breath=0.06, rough=0.12)
    return room(take.rng, howl * envelope(length, 0.2, 0.5), 0.8, 0.3)


@family.sound("horse trot", "a horse trotting", "a horse trots", "/m/07rv9rh")
def horse_trot(take: Take) -> Signal:
    length, rate = take.spread(1.5, 2.2), take.spread(4.6, 6.4)
    hooves = []
    for k, at in enumerate(beats(take.rng, length - 0.15, rate, 0.04)):
        tone = take.uniform(0.93, 1.07) * (1.0, 1.18, 0.92, 1.1)[k % 4]
        knock = formants(
            noise(take.rng, 0.15) * decay(0.15, 0.05, 0.0005),
            [(520 * tone, 90, 0), (1050 * tone, 120, 0), (1900 * tone, 250, -3)],
        )
        scuff = bandpass(noise(take.rng, 0.15), 300, 4000) * decay(0.15, 0.12, 0.01) * 0.06
        hooves.append((float(at), (knock + scuff) * take.uniform(0.75, 1.1)))
    return room(take.rng, place(length, hooves), 0.3, 0.3)


@family.sound("lion roar", "a lion roaring", "a lion roars", "/m/04cvmfc")
def lion_roar(take: Take) -> Signal:
    length = take.spread(1.6, 2.6)
    pitch = take.spread(110, 180) * curve(length, (0, 0.7), (0.3, 1.25), (0.6, 1.15), (1, 0.5))
    throat = [(420, 200, 0.0), (900, 300, -1), (1600, 500, -5), (2700, 800, -12)]
    growl = call(take.rng, pitch, throat, throat, 0.0, breath=0.5, rough=1.0)
    air = formants(noise(take.rng, length), [(500, 300, 0), (1100, 500, -4), (2300, 900, -10)])
    return room(take.rng, (growl + 0.4 * unit(air)) * envelope(length, 0.25, 0.6), 0.8, 0.4)


@family.sound("frog croak", "a frog croaking", "a frog croaks", "/m/07st88b")
def frog_croak(take: Take) -> Signal:
    rate, size, croaks = take.spread(28, 46), take.spread(0.85, 1.25), []
    throat = [(480 / size, 140, 0.0), (1150 / size, 220, -1), (2100 / size, 400, -8)]
    for _ in range(int(take.choose(2, 3, 2, 3))):
        length = take.uniform(0.28, 0.42)
        at = beats(take.rng, length - 0.03, rate, 0.08)
        puffs = train(length, at, (0.4 + 0.6 * (at / length)) * take.rng.uniform(0.7, 1, len(at)))
        source = convolve(puffs, noise(take.rng, 0.025) * decay(0.025, 0.03))[: count(length)]
        croaks.append(formants(source + 0.02 * noise(take.rng, length), throat) * envelope(length, 0.04, 0.05))
    return room(take.rng, series(croaks, take.spread(0.05, 0.16)), 0.3, 0.25)
