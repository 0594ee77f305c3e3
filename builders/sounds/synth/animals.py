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
    lowpass,
    modes,
    noise,
    place,
    ramp,
    random_modes,
    series,
    shaped_noise,
    train,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import voice

family = Family()


@family.sound("dog bark", "a dog barking", "a dog barks", "/m/05tny_")
def dog_bark(take: Take) -> Signal:
    pitch, size, gap = take.spread(260, 620), take.spread(1.15, 0.8), take.spread(0.24, 0.1)
    barks = []
    for _ in range(int(take.choose(2, 3, 3, 4))):
        length = take.uniform(0.17, 0.24)
        rise = curve(length, (0, 0.6), (0.3, 1.1), (0.6, 1.0), (1, 0.55)) * pitch * take.uniform(0.95, 1.06)
        bark = voice(take.rng, rise, ("o", "a"), curve(length, (0, 0), (0.4, 1), (1, 0.3)), size=size, breath=0.25, rough=0.35)
        barks.append(bark * envelope(length, 0.015, 0.13) * take.uniform(0.8, 1))
    return series(barks, gap)


@family.sound("cat meow", "a cat meowing", "a cat meows", "/m/07qrkrw")
def cat_meow(take: Take) -> Signal:
    length = take.spread(0.75, 1.3)
    pitch = take.spread(480, 760) * curve(length, (0, 0.8), (0.25, 1.15), (0.6, 1.05), (1, 0.75))
    opening = curve(length, (0, 0), (0.35, 1), (0.6, 0.9), (1, 0.1))
    front = voice(take.rng, pitch, ("i", "a"), opening, size=0.62, breath=0.04)
    closing = voice(take.rng, pitch, ("a", "u"), 1 - opening, size=0.62, breath=0.04)
    turn = curve(length, (0.45, 0), (0.75, 1))
    return (front * (1 - turn) + closing * turn) * envelope(length, 0.12, 0.25)


@family.sound("cat purr", "a cat purring", "a cat purrs", "/m/02yds9", sustained=True)
def cat_purr(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    rate = take.spread(22, 29) * wander(take.rng, length, 3, 0.03)
    breath = 0.5 + 0.5 * np.sin(2 * np.pi * ramp(length) / take.spread(1.4, 2.0))
    cycle = np.cumsum(rate * (0.94 + 0.12 * breath)) / 32_000 % 1
    flutter = 0.25 + np.exp(-cycle * 7)
    body = shaped_noise(take.rng, length, (30, -30), (70, 0), (180, 2), (400, -8), (1500, -16), (4000, -30), (9000, -50))
    return compress(body * flutter, 0.12, 0.7) * (0.75 + 0.25 * breath)


@family.sound("cow moo", "a cow mooing", "a cow moos", "/m/07rpkh9")
def cow_moo(take: Take) -> Signal:
    length = take.spread(1.4, 2.3)
    pitch = take.spread(95, 150) * curve(length, (0, 0.8), (0.2, 0.95), (0.55, 1.15), (0.85, 1.05), (1, 0.75))
    opening = curve(length, (0, 0), (0.35, 0.15), (0.6, 1), (1, 0.7))
    return voice(take.rng, pitch, ("m", "o"), opening, size=1.35, breath=0.05, rough=0.12) * envelope(length, 0.2, 0.25)


@family.sound("sheep bleat", "a sheep bleating", "a sheep bleats", "/m/07q0h5t")
def sheep_bleat(take: Take) -> Signal:
    length = take.spread(0.8, 1.3)
    shake = take.spread(6.5, 9.5)
    pitch = take.spread(190, 310) * vibrato(length, shake, 0.05) * curve(length, (0, 0.95), (0.3, 1.05), (1, 0.85))
    tremor = 0.65 + 0.35 * np.sin(2 * np.pi * shake * ramp(length))
    call = voice(take.rng, pitch, ("ae", "e"), 0.3, size=0.85, breath=0.12, rough=0.2)
    return call * tremor * envelope(length, 0.06, 0.2)


@family.sound("wolf howl", "a wolf howling", "a wolf howls", "/m/07qf0zm")
def wolf_howl(take: Take) -> Signal:
    length = take.spread(2.2, 3.2)
    top = take.spread(420, 640)
    pitch = top * curve(length, (0, 0.55), (0.18, 1), (0.6, take.uniform(0.9, 1.05)), (0.8, 0.95), (1, 0.65))
    pitch = pitch * vibrato(length, 4.5, 0.008)
    howl = voice(take.rng, pitch, ("u", "o"), curve(length, (0, 0.2), (0.4, 0.7), (1, 0)), size=1.0, breath=0.02)
    return lowpass(howl, 2500) * envelope(length, 0.25, 0.5)


@family.sound("horse trot", "a horse trotting", "a horse trots", "/m/07rv9rh")
def horse_trot(take: Take) -> Signal:
    length, rate = take.spread(1.5, 2.2), take.spread(4.6, 6.4)
    hooves = []
    for k, at in enumerate(beats(take.rng, length - 0.15, rate, 0.04)):
        tone = take.uniform(0.95, 1.05) * (1.0, 1.18, 0.92, 1.1)[k % 4]
        clop = modes(0.2, [(620 * tone, 0.13, 1.0), (1150 * tone, 0.09, 0.7), (1900 * tone, 0.05, 0.4)])
        scuff = bandpass(noise(take.rng, 0.2), 300, 3000) * decay(0.2, 0.16) * 0.25
        hooves.append((float(at), (clop + scuff) * take.uniform(0.75, 1.1)))
    return place(length, hooves)


@family.sound("lion roar", "a lion roaring", "a lion roars", "/m/04cvmfc")
def lion_roar(take: Take) -> Signal:
    length = take.spread(1.6, 2.6)
    pitch = take.spread(62, 95) * curve(length, (0, 1.3), (0.25, 1.6), (1, 0.8))
    growl = voice(take.rng, pitch, ("a", "o"), curve(length, (0, 0.3), (0.4, 0.2), (1, 1)), size=1.5, breath=0.5, rough=0.9)
    air = formants(noise(take.rng, length), [(450, 300, 0), (1100, 500, -6), (2300, 900, -14)])
    return (growl + 0.8 * unit(air) * wander(take.rng, length, 30, 0.3)) * envelope(length, 0.2, 0.5)


@family.sound("frog croak", "a frog croaking", "a frog croaks", "/m/07st88b")
def frog_croak(take: Take) -> Signal:
    rate, size = take.spread(38, 62), take.spread(0.85, 1.25)
    croaks = []
    for _ in range(int(take.choose(2, 3, 2, 3))):
        length = take.uniform(0.28, 0.42)
        at = beats(take.rng, length, rate, 0.04)
        pulses = train(length, at, 0.5 + 0.5 * np.sin(np.pi * (at / length) ** 0.6))
        body = modes(0.06, [(520 / size, 0.05, 1.0), (1150 / size, 0.035, 0.9), (2300 / size, 0.02, 0.35)])
        croaks.append(convolve(pulses, body))
    return series(croaks, take.spread(0.05, 0.16))


@family.sound("mouse squeak", "a mouse squeaking", "a mouse squeaks", "/m/04rmv")
def mouse_squeak(take: Take) -> Signal:
    squeaks = []
    base = take.spread(2300, 3100)
    for _ in range(int(take.choose(5, 6, 7, 8))):
        length = take.uniform(0.06, 0.11)
        pitch = base * take.uniform(0.92, 1.08) * curve(length, (0, 0.85), (0.5, 1.1), (1, 0.9))
        squeak = np.sin(2 * np.pi * np.cumsum(pitch) / 32_000) + 0.3 * np.sin(4 * np.pi * np.cumsum(pitch) / 32_000)
        squeaks.append(squeak * envelope(length, 0.015, 0.04) * take.uniform(0.6, 1))
        squeaks.append(np.zeros(count(take.uniform(0.03, 0.12))))
    return np.concatenate(squeaks)
