"""Strings, winds and keyboards."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    count,
    curve,
    envelope,
    formants,
    harmonics,
    lowpass,
    modes,
    noise,
    place,
    pluck,
    pulse,
    ramp,
    resonate,
    room,
    saw,
    shaped_noise,
    sine,
    steps,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()

MAJOR = (0, 2, 4, 5, 7, 9, 11, 12)
"""Semitones of the major scale."""


def semitones(steps_up: float) -> float:
    return float(2 ** (steps_up / 12))


def melody(take: Take, seconds: float, root: float, rate: float, glide: float = 0.02) -> Signal:
    """Pitch curve of a tune in a major key that moves by small steps, some `rate` notes a second."""
    degree, notes = int(take.rng.integers(1, 6)), []
    for _ in range(max(int(seconds * rate), 2)):
        notes.append(root * semitones(MAJOR[degree]))
        degree = int(np.clip(degree + take.rng.choice([-2, -1, 1, 2]), 0, 7))
    return steps(seconds, notes, glide)


@family.sound("violin", "a violin playing", "a violin plays", "/m/07y_7", sustained=True)
def violin(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = (
        melody(take, length, take.spread(390, 600), 1.6, 0.05) * vibrato(length, 5.8, 0.008) * wander(take.rng, length, 8, 0.002)
    )
    string = saw(pitch) + 0.06 * noise(take.rng, length)
    # The main resonances of a violin's air and body, and the "bridge hill" around 2.5 kHz.
    body = formants(string, [(280, 60, -3), (460, 60, 0), (700, 120, -2), (1200, 250, -4), (2500, 900, -1), (3800, 900, -9)])
    bow = np.clip(wander(take.rng, length, 3, 0.12), 0.6, 1.3)
    return room(take.rng, unit(body) * bow * envelope(length, 0.08, 0.08), 0.8, 0.3)[: count(length)]


@family.sound("flute", "a flute playing", "a flute plays", "/m/0l14j_", sustained=True)
def flute(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = melody(take, length, take.spread(480, 760), 2.0, 0.04) * vibrato(length, 5.0, 0.005)
    tone = harmonics(pitch, (1, 0.45, 0.22, 0.07, 0.04))
    air = bandpass(noise(take.rng, length), 700, 5000) * 0.08
    tremolo = 1 + 0.15 * np.sin(2 * np.pi * 5.0 * ramp(length))
    return room(take.rng, (tone * tremolo + air) * envelope(length, 0.06, 0.08), 0.9, 0.3)[: count(length)]


@family.sound("organ", "an organ playing", "an organ plays", "/m/013y1f", sustained=True)
def organ(take: Take) -> Signal:
    length, root = take.spread(4.2, 5.3), take.spread(125, 185)
    chords = [(0, 4, 7), (5, 9, 12), (7, 11, 14), (0, 4, 7)]
    ranks = (1.0, 0.8, 0.25, 0.6, 0.1, 0.2, 0.05, 0.35)  # principals of 8', 4', 2⅔', 2'...
    total = np.zeros(count(length))
    turn = int(take.rng.integers(0, 3))
    for voice_number in range(3):
        notes = [root * semitones(chords[(turn + k) % 4][voice_number]) for k in range(4)]
        total += harmonics(steps(length, notes, 0.03) * take.uniform(0.999, 1.001), ranks)
    pedal = harmonics(steps(length, [root / 2 * semitones(chords[(turn + k) % 4][0]) for k in range(4)], 0.03), (1, 0.5, 0.2))
    return room(take.rng, (total + pedal) * envelope(length, 0.06, 0.08), 1.5, 0.6)[: count(length)]


@family.sound("bagpipes", "bagpipes playing", "bagpipes play", "/m/0192l", sustained=True)
def bagpipes(take: Take) -> Signal:
    length, root = take.spread(4.2, 5.3), take.spread(410, 520)
    chanter = pulse(melody(take, length, root, 3.2, 0.012), 0.12)
    drones = sum(saw(np.full(count(length), root * ratio * take.uniform(0.998, 1.002))) for ratio in (0.5, 0.5, 0.25))
    reed = formants(chanter, [(1100, 250, 0), (2200, 500, -1), (3400, 700, -3)])
    return unit(reed) + 0.5 * unit(lowpass(np.asarray(drones), 2500))


@family.sound("didgeridoo", "a didgeridoo playing", "a didgeridoo plays", "/m/02bxd", sustained=True)
def didgeridoo(take: Take) -> Signal:
    length, rate = take.spread(4.2, 5.3), take.spread(1.8, 3.4)
    drone = saw(take.spread(62, 88) * wander(take.rng, length, 3, 0.004)) + 0.05 * noise(take.rng, length)
    mouth = 0.5 + 0.5 * np.sin(2 * np.pi * rate * ramp(length) + 2 * np.sin(np.pi * rate * ramp(length)))
    closed = formants(drone, [(220, 60, 0), (600, 90, -10), (1250, 150, -20)])
    wide = formants(drone, [(380, 80, 0), (1100, 110, -3), (1900, 160, -5), (2600, 250, -12)])
    return np.asarray(unit(closed) * (1 - mouth) + unit(wide) * mouth + 0.25 * unit(lowpass(drone, 160)))


@family.sound("accordion", "an accordion playing", "an accordion plays", "/m/0mkg", sustained=True)
def accordion(take: Take) -> Signal:
    length, root = take.spread(4.2, 5.3), take.spread(260, 400)
    tune = melody(take, length, root, 2.6, 0.015)
    reeds = pulse(tune * 0.996, 0.3) + pulse(tune * 1.004, 0.35)
    rate = take.spread(2.2, 3.0)
    chord = sum(saw(np.full(count(length), root / 2 * semitones(s))) for s in (0, 4, 7))
    pumping = np.where(ramp(length) * rate % 1 < 0.45, 1.0, 0.35)
    total = reeds + 0.5 * np.asarray(chord) * lowpass(pumping, 30)
    return formants(total, [(500, 500, 0), (1300, 700, -2), (2600, 1100, -4)]) + 0.1 * total


@family.sound("guitar strum", "a guitar strumming", "a guitar strums", "/m/07s0s5r")
def guitar_strum(take: Take) -> Signal:
    length, key, speed = take.spread(1.5, 2.3), semitones(take.spread(-3, 4)), take.spread(0.02, 0.05)
    frets = (82.4, 123.5, 164.8, 207.7, 246.9, 329.6) if take.number % 2 else (87.3, 110.0, 164.8, 220.0, 261.6, 329.6)
    strums = []
    for stroke, at in enumerate(np.arange(0, length - 0.5, take.spread(0.38, 0.55))):
        order = range(6) if stroke % 2 == 0 else range(5, -1, -1)
        for k, string in enumerate(order):
            tone = pluck(take.rng, length - at - k * speed, frets[string] * key, 2.2, take.uniform(0.35, 0.55))
            strums.append((float(at + k * speed), tone * take.uniform(0.7, 1)))
    box = place(length, strums)
    return (box + 0.8 * resonate(box, 105, 30) + 0.5 * resonate(box, 210, 40)) * envelope(length, 0.001, 0.25)


@family.sound("harp", "a harp playing", "a harp plays", "/m/03m5k")
def harp(take: Take) -> Signal:
    root, pace, up = take.spread(125, 200), take.spread(0.055, 0.085), take.number % 2 == 0
    notes = [root * semitones(12 * (k // 7) + MAJOR[k % 7]) for k in range(18)]
    length = 18 * pace + 0.9
    tones = [
        (k * pace, pluck(take.rng, 1.6, note, 1.8, 0.3) * take.uniform(0.8, 1))
        for k, note in enumerate(notes if up else notes[::-1])
    ]
    return room(take.rng, lowpass(place(length, tones), 5000) * envelope(length, 0.001, 0.3), 0.8, 0.25)


@family.sound("piano", "a piano playing", "a piano plays", "/m/05r5c")
def piano(take: Take) -> Signal:
    root, pace = take.spread(200, 330), take.spread(0.26, 0.4)
    pattern = ((0, 4, 7, 12), (12, 7, 4, 0), (0, 7, 4, 12), (7, 4, 9, 7))[take.number % 4]
    length = 4 * pace + 0.8
    notes = []
    for k, step in enumerate(pattern):
        for octave in (0, -12) if k == 0 else (0,):
            f = root * semitones(step + octave)
            # Stiff strings: partials are stretched by sqrt(1 + B k²) (Fletcher 1964).
            partials = [
                (h * f * (1 + 0.0006 * h * h) ** 0.5 * d, 3.5 / h**0.6, h**-1.1) for h in range(1, 14) for d in (1, 1.0008)
            ]
            hammer = lowpass(noise(take.rng, 1.6), 1200) * np.exp(-ramp(1.6) * 90) * 0.8
            notes.append((k * pace, (modes(1.6, partials, 0.002) + hammer) * envelope(1.6, 0.001, 0.3) * take.uniform(0.8, 1)))
    return room(take.rng, place(length, notes), 0.6, 0.2)


@family.sound("trumpet", "a trumpet playing", "a trumpet plays", "/m/07gql")
def trumpet(take: Take) -> Signal:
    length, root = take.spread(1.3, 2.1), take.spread(290, 420)
    tune = ((0, 4, 7, 12), (7, 7, 7, 12), (0, 0, 4, 7), (12, 7, 4, 7))[take.number % 4]
    pitch = steps(length, [root * semitones(s) for s in tune], 0.015) * vibrato(length, 5.5, 0.004)
    tongue = np.clip((ramp(length) / length * 4 % 1) * length / 4 / 0.035, 0.15, 1)
    soft = harmonics(pitch, (1, 0.6, 0.3, 0.1))
    bright = harmonics(pitch, (0.7, 0.9, 1, 0.95, 0.8, 0.6, 0.45, 0.35, 0.25, 0.18, 0.12, 0.08))
    blow = tongue * curve(length, (0, 0.8), (0.5, 0.9), (1, 1))
    return room(take.rng, (soft * (1 - blow) + bright * blow) * tongue * envelope(length, 0.03, 0.08), 0.6, 0.25)


@family.sound("theremin", "a theremin playing", "a theremin plays", "/m/07kc_", sustained=True)
def theremin(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    points = [(k / 5, take.uniform(0.75, 1.5)) for k in range(6)]
    pitch = take.spread(560, 900) * curve(length, *points) * vibrato(length, 6.2, 0.018)
    return (
        sine(pitch)
        + 0.25 * sine(2 * pitch)
        + 0.08 * sine(3 * pitch)
        + 0.004 * shaped_noise(take.rng, length, (100, 0), (9000, -10))
    )
