"""Insects."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    count,
    formants,
    noise,
    phase,
    ramp,
    saw,
    shaped_noise,
    sine,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("crickets", "crickets chirping", "crickets chirp", "/m/09xqv", sustained=True, confusable=("rattlesnake",))
def crickets(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    base, total = take.spread(3250, 3700), np.zeros(count(length))
    for _ in range(7):
        rate, pulses = take.uniform(1.6, 3.2), int(take.rng.integers(3, 6))
        cycle = (ramp(length) * rate * wander(take.rng, length, 0.7, 0.02) + take.uniform(0, 1)) % 1
        chirp = np.where(cycle < 0.55, np.sin(np.pi * (cycle / 0.55 * pulses % 1)) ** 2, 0.0)
        wings = sine(base * take.uniform(0.9, 1.08) * wander(take.rng, length, 30, 0.004))
        total += chirp * wings * take.uniform(0.5, 1)
    field = bandpass(noise(take.rng, length), base * 0.85, base * 1.15) * (
        0.6 + 0.4 * np.sin(2 * np.pi * take.spread(32, 48) * ramp(length))
    )
    night = shaped_noise(take.rng, length, (200, -12), (1000, -8), (5000, 0), (9000, -6))
    return total + 0.5 * unit(field) + 0.1 * night


@family.sound("bee buzz", "a bee buzzing", "a bee buzzes", "/m/01h3n", sustained=True, confusable=("fly buzz", "mosquito whine"))
def bee_buzz(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = take.spread(165, 245) * wander(take.rng, length, 3, 0.05) * wander(take.rng, length, 40, 0.03)
    wings = saw(pitch) + 0.4 * noise(take.rng, length) * (phase(pitch) % 1)
    body = formants(wings, [(350, 250, 0), (900, 500, -3), (2300, 1200, -8), (4500, 2000, -14)])
    near = np.clip(wander(take.rng, length, 1.0, 0.3), 0.4, 1.6) * np.clip(wander(take.rng, length, 25, 0.15), 0.5, 1.5)
    return unit(body) * near + 0.05 * noise(take.rng, length)


@family.sound("mosquito whine", "a mosquito whining", "a mosquito whines", "/m/09f96", sustained=True)
def mosquito_whine(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    turns = (wander(take.rng, length, take.spread(1.25, 2.45), 1) - 1).clip(-1.5, 1.5)
    pitch = take.spread(378.8, 483.6) * (1 + 0.0859 * turns) * wander(take.rng, length, 38.7, 0.0405)
    wings = saw(pitch) * np.clip(wander(take.rng, length, 56.6, 0.512), 0.2, 2)
    wings += 0.635 * noise(take.rng, length) * (phase(pitch) % 1) ** 2
    size = take.spread(0.9, 1.1)
    body = formants(
        wings, [(555 * size, 293.6, -2.5), (1280 * size, 677.1, 0), (3300 * size, 1745.7, -5.87), (6500, 3000, -11.5)]
    )
    air = shaped_noise(take.rng, length, (100, 0), (1000, -10), (8000, -24))
    return unit(body) * np.exp(0.298 * turns) + take.spread(0.0365, 0.0821) * air


@family.sound("fly buzz", "a fly buzzing about", "a fly buzzes about", "/m/0h2mp", sustained=True, confusable=("mosquito whine",))
def fly_buzz(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    # It circles: pitch and loudness rise and fall together, and it turns abruptly.
    turns = wander(take.rng, length, take.spread(1.2, 3), 1) - 1
    pitch = take.spread(150, 290) * (1 + 0.09 * turns.clip(-1.5, 1.5)) * wander(take.rng, length, 60, 0.02)
    cycle = phase(pitch) % 1
    wings = saw(pitch) * np.clip(wander(take.rng, length, 50, 0.3), 0.2, 2) + 0.5 * noise(take.rng, length) * cycle**2
    body = formants(wings, [(450, 300, -2), (1300, 700, 0), (3100, 1500, -3), (5600, 2500, -8)])
    air = take.spread(0.05, 0.11) * shaped_noise(take.rng, length, (100, 0), (1000, -10), (8000, -24))
    return unit(body) * np.exp(0.45 * turns.clip(-1.4, 1.2)) + air
