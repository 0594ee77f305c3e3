"""Insects."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    compress,
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


@family.sound("crickets", "crickets chirping", "crickets chirp", "/m/09xqv", sustained=True)
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


@family.sound("bee buzz", "a bee buzzing", "a bee buzzes", "/m/01h3n", sustained=True)
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


@family.sound("fly buzz", "a fly buzzing about", "a fly buzzes about", "/m/0h2mp", sustained=True, confusable=("bee buzz",))
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


@family.sound("cicadas", "cicadas droning", "cicadas drone", None, sustained=True, confusable=("crickets",))
def cicadas(take: Take) -> Signal:
    length, base = take.spread(4.2, 5.3), take.spread(4200, 7600)
    rate, total = take.spread(220, 480), np.zeros(count(length))
    for _ in range(3):
        click = phase(rate * take.uniform(0.95, 1.05) * wander(take.rng, length, 3, 0.02)) % 1
        centre = base * take.uniform(0.94, 1.06)
        drum = bandpass(noise(take.rng, length), centre * 0.93, centre * 1.08) + 0.5 * sine(
            centre * wander(take.rng, length, 40, 0.01)
        )
        total += unit(drum) * np.exp(-3 * click) * np.clip(wander(take.rng, length, 1.5, 0.3), 0.3, 1.8)
    slow = 1 - take.spread(0.1, 0.8) * (0.5 + 0.5 * np.sin(2 * np.pi * take.spread(1.2, 9) * ramp(length)))
    return unit(total * slow) + 0.12 * shaped_noise(take.rng, length, (200, -6), (2000, -10), (9000, 0))


@family.sound("grasshopper", "a grasshopper rasping", "a grasshopper rasps", None, sustained=True)
def grasshopper(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(3.2, 9)
    stroke = (phase(rate * wander(take.rng, length, 1, 0.05))) % 1
    teeth = phase(take.spread(160, 320) * wander(take.rng, length, 5, 0.05)) % 1
    scrape = np.where(stroke < 0.72, np.sin(np.pi * np.clip(stroke / 0.72, 0, 1)) ** 0.7, 0.0)
    low = take.spread(5200, 8200)
    wing = bandpass(noise(take.rng, length), low, min(low * 1.7, 14_000))
    meadow = shaped_noise(take.rng, length, (150, 0), (1500, -14), (5000, -8), (12_000, -14))
    return unit(wing * np.exp(-5 * teeth) * scrape) + take.spread(0.13, 0.22) * meadow


@family.sound("hornet swarm", "a swarm of hornets humming", "a swarm of hornets hums", None, sustained=True)
def hornet_swarm(take: Take) -> Signal:
    length, base = take.spread(4.2, 5.3), take.spread(120, 230)
    total = np.zeros(count(length))
    for _ in range(int(take.choose(5, 7, 9, 12, 15))):
        pitch = base * take.uniform(0.8, 1.35) * wander(take.rng, length, 2, 0.06)
        total += saw(pitch) * np.exp(0.8 * (wander(take.rng, length, 1.5, 1) - 1).clip(-2, 1.5))
    hum = formants(total, [(350, 250, 0), (900, 500, -2), (2300, 1200, -6), (4500, 2000, -12)])
    return compress(unit(hum) + take.spread(0.02, 0.08) * noise(take.rng, length), 0.4, take.spread(0.2, 0.8))
