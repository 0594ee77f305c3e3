"""Water: falling, flowing, poured, boiling."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    bubble,
    compress,
    count,
    curve,
    decay,
    envelope,
    noise,
    place,
    ramp,
    resonate,
    room,
    shaped_noise,
    sine,
    sparse,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound(
    "rain", "rain falling", "rain falls", "/m/06mb1", sustained=True, confusable=("stream", "steam", "radio static", "applause")
)
def rain(take: Take) -> Signal:
    length, heavy = take.spread(4.2, 5.4), take.spread(0.25, 1.0)
    hiss = shaped_noise(take.rng, length, (100, -24), (500, -8), (1500, -2), (4000, 0), (9000, -6), (15000, -12))
    drops = np.zeros(count(length))
    for frequency in take.rng.uniform(900, 6500, 6):
        drops += resonate(sparse(take.rng, length, 160 * heavy), frequency, frequency * 0.25)
    splat = bandpass(sparse(take.rng, length, 900 * heavy, 5), 1500, 11_000)
    return unit(hiss) * (0.5 + 0.4 * heavy) + 0.5 * unit(drops) + 0.6 * unit(splat)


@family.sound("stream", "a stream babbling", "a stream babbles", "/m/0j6m2", sustained=True)
def stream(take: Take) -> Signal:
    length, size, events = take.spread(4.2, 5.3), take.spread(0.75, 1.4), []
    for _ in range(int(length * 110)):
        frequency = float(np.exp(take.rng.uniform(np.log(380), np.log(2600)))) / size
        gain = (600 / frequency) ** 0.7 * 10 ** (take.rng.normal(0, 5) / 20)
        events.append((take.uniform(0, length - 0.05), gain * bubble(0.06, frequency, take.uniform(0, 0.3))))
    flow = shaped_noise(take.rng, length, (100, -14), (400, -2), (900, 0), (2500, -10), (8000, -26))
    return compress(unit(place(length, events)) + 0.3 * flow, 0.25, 0.6)


@family.sound("splash", "something splashing into water", "something splashes into water", "/m/07rrlb6")
def splash(take: Take) -> Signal:
    length, size = take.spread(0.9, 1.5), take.spread(0.8, 1.4)
    water = shaped_noise(take.rng, length, (100, -8), (500 / size, 0), (2000, -2), (6000, -6), (14000, -16))
    at = ramp(length)
    water = (
        water * (np.exp(-at * 6) + 0.4 * np.exp(-((at - 0.3) ** 2) / 0.02)) * np.clip(wander(take.rng, length, 50, 0.4), 0.2, 2.5)
    )
    water *= envelope(length, 0.012, 0.2)
    drops = [
        (float(when), bubble(0.08, take.uniform(450, 2200) / size, 0.3) * take.uniform(0.3, 1) * np.exp(-2 * when))
        for when in take.rng.uniform(0.05, length - 0.15, 90)
    ]
    plunge = bandpass(noise(take.rng, length), 80, 350 / size) * np.exp(-at * 12) * 1.5
    return water + place(length, drops) + plunge


@family.sound("dripping", "water dripping", "water drips", "/m/07r5v4s")
def dripping(take: Take) -> Signal:
    length, rate, tone = take.spread(1.2, 2.0), take.spread(4.4, 6.0), take.spread(800, 1300)
    drops = []
    for at in np.arange(0, length - 0.15, 1 / rate):
        rise = tone * take.uniform(0.8, 1.25) * curve(0.12, (0, 0.7), (1, 1.5))
        plink = sine(rise) * decay(0.12, 0.14, 0.004)
        tick = bandpass(noise(take.rng, 0.12), 1500, 8000) * decay(0.12, 0.015, 0.0003) * 0.7
        second = bubble(0.12, tone * take.uniform(1.4, 2.2), 0.4) * 0.4
        drops.append((float(at + take.uniform(0, 0.25 / rate)), (plink + tick + second) * take.uniform(0.6, 1)))
    return room(take.rng, place(length, drops), 0.5, 0.35)
