"""Winds and keyboards."""

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
    highpass,
    lowpass,
    modes,
    noise,
    place,
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
from builders.sounds.synth.tunes import melody, picked, semitones, tongued, tune

family = Family()


@family.sound("flute", "a flute playing", "a flute plays", "/m/0l14j_", sustained=True, confusable=("theremin", "whistling"))
def flute(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    pitch = melody(take, length, take.spread(480, 760), 2.0, 0.04) * vibrato(length, 5.0, 0.005)
    tone = harmonics(pitch, (1, 0.45, 0.22, 0.07, 0.04))
    air = bandpass(noise(take.rng, length), 700, 5000) * 0.08
    tremolo = 1 + 0.15 * np.sin(2 * np.pi * 5.0 * ramp(length))
    return room(take.rng, (tone * tremolo + air) * envelope(length, 0.06, 0.08), 0.9, 0.3)[: count(length)]


@family.sound("organ", "an organ playing", "an organ plays", "/m/013y1f", sustained=True, confusable=("synthesizer",))
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


@family.sound(
    "accordion",
    "an accordion playing",
    "an accordion plays",
    "/m/0mkg",
    sustained=True,
    confusable=("bagpipes", "harmonica", "organ"),
)
def accordion(take: Take) -> Signal:
    length, root = take.spread(4.2, 5.3), take.spread(260, 400)
    tune = melody(take, length, root, 2.6, 0.015)
    reeds = pulse(tune * 0.996, 0.3) + pulse(tune * 1.004, 0.35)
    rate = take.spread(2.2, 3.0)
    chord = sum(saw(np.full(count(length), root / 2 * semitones(s))) for s in (0, 4, 7))
    pumping = np.where(ramp(length) * rate % 1 < 0.45, 1.0, 0.35)
    total = reeds + 0.5 * np.asarray(chord) * lowpass(pumping, 30)
    return formants(total, [(500, 500, 0), (1300, 700, -2), (2600, 1100, -4)]) + 0.1 * total


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


@family.sound("clarinet", "a clarinet playing", "a clarinet plays", "/m/01wy6", sustained=True, confusable=("saxophone",))
def clarinet(take: Take) -> Signal:
    length, notes = take.spread(4.2, 5.3), int(take.choose(6, 8, 9, 11, 13))
    pitch = steps(length, tune(take, notes, take.spread(170, 330)), 0.03) * wander(take.rng, length, 6, 0.0015)
    # A cylinder closed at the reed: the odd harmonics, and even ones only high up.
    low = harmonics(pitch, (1, 0.02, 0.45, 0.03, 0.25, 0.06, 0.14))
    high = harmonics(pitch, (0, 0.03, 0.4, 0.08, 0.5, 0.15, 0.4, 0.2, 0.25, 0.2, 0.15, 0.12, 0.08, 0.06))
    blow = tongued(length, notes, 0.25, 0.06) * np.clip(wander(take.rng, length, 2, 0.12), 0.6, 1.3)
    air = bandpass(noise(take.rng, length), 1500, 6000) * 0.02
    return room(take.rng, (low + high * blow**2 * 0.6 + air) * blow * envelope(length, 0.06, 0.08), 0.8, 0.25)[: count(length)]


@family.sound("saxophone", "a saxophone playing", "a saxophone plays", "/m/06ncr", sustained=True)
def saxophone(take: Take) -> Signal:
    length, notes = take.spread(4.2, 5.3), int(take.choose(13, 15, 17, 19, 21))
    pitch = steps(length, tune(take, notes, take.spread(130, 215)), 0.04) * vibrato(length, 4.4, 0.008)
    pitch = pitch * wander(take.rng, length, 12, 0.004)
    reed = 0.2 * pulse(pitch, 0.2) + 0.8 * saw(pitch) + 0.005 * noise(take.rng, length)
    horn = take.spread(560, 660)
    tube = formants(reed, [(horn, 120, 0), (2.1 * horn, 165, -4.5), (3.6 * horn, 240, -3), (5.6 * horn, 360, -6)])
    tone = unit(tube) + 0.45 * unit(reed)
    blow = tongued(length, notes, 0.25, 0.025) * np.clip(wander(take.rng, length, 3, 0.12), 0.5, 1.3)
    bright = 0.53 * blow**2  # blown harder, it is not only louder
    return room(take.rng, (lowpass(tone, 1200) * (1 - bright) + tone * bright) * blow * envelope(length, 0.05, 0.08), 0.8, 0.5)[
        : count(length)
    ]


@family.sound(
    "french horn", "a French horn playing", "a French horn plays", "/m/0319l", sustained=True, confusable=("trombone", "trumpet")
)
def french_horn(take: Take) -> Signal:
    length, notes = take.spread(4.2, 5.3), int(take.choose(4, 5, 6, 7, 8))
    pitch = steps(length, tune(take, notes, take.spread(140, 230)), 0.05) * wander(take.rng, length, 5, 0.002)
    soft = harmonics(pitch, (1, 0.7, 0.4, 0.15, 0.06, 0.03))
    bright = harmonics(pitch, (0.8, 1, 0.9, 0.7, 0.45, 0.3, 0.2, 0.12, 0.08, 0.05))
    blow = tongued(length, notes, 0.3, 0.08) * np.clip(wander(take.rng, length, 2, 0.15), 0.5, 1.3)
    return room(take.rng, (soft + bright * blow**2) * blow * envelope(length, 0.08, 0.1), 1.6, 0.5)[: count(length)]


@family.sound("trombone", "a trombone playing", "a trombone plays", "/m/07c6l", confusable=("trumpet",))
def trombone(take: Take) -> Signal:
    length, root = take.spread(1.3, 2.3), 175 * take.spread(0.78, 1.28)
    slide = (((0, 0), (0.3, 0), (0.7, 7), (1, 7)), ((0, 7), (0.25, 7), (0.6, 0), (1, 0)), ((0, 0), (0.4, 5), (0.6, 5), (1, -2)))
    pitch = root * 2 ** (curve(length, *slide[take.number % 3]) / 12) * vibrato(length, 5.0, 0.002489)
    tongue = tongued(length, 2, 0.3, 0.02685)
    bright = harmonics(pitch, [k**0.7452 * float(np.exp(-k / 2.929)) for k in range(1, 24)])
    soft = harmonics(pitch, [float(np.exp(-k / 2.093)) for k in range(1, 10)])
    blow = tongue * np.clip(wander(take.rng, length, 6, 0.1), 0.6, 1.2)
    return room(take.rng, (soft * (1 - blow) + 0.6337 * bright * blow) * tongue * envelope(length, 0.04, 0.1), 0.8, 0.4171)


@family.sound("harmonica", "a harmonica playing", "a harmonica plays", "/m/03qjg", sustained=True, confusable=("organ",))
def harmonica(take: Take) -> Signal:
    length, root, notes = take.spread(4.2, 5.3), take.spread(330, 560), int(take.choose(6, 8, 10, 12, 14))
    tops = tune(take, notes, root)
    total = np.zeros(count(length))
    for below, level in ((0, 1.0), (-4, 0.5), (-7, 0.4)):
        pitch = steps(length, [note * semitones(below) for note in tops], 0.02)
        bent = 1 - 0.02 * (1 - tongued(length, notes, 0, 0.06))
        total += level * pulse(pitch * bent * take.uniform(0.997, 1.003), take.uniform(0.2, 0.4))
    reeds = formants(total + 0.05 * noise(take.rng, length), [(700, 400, -4), (1500, 500, 0), (2600, 800, 0), (4200, 1300, -6)])
    hands = 1 + 0.3 * np.sin(2 * np.pi * take.spread(4.5, 7) * ramp(length))
    return room(take.rng, unit(reeds) * hands * tongued(length, notes, 0.35, 0.04) * envelope(length, 0.05, 0.08), 0.5, 0.2)[
        : count(length)
    ]


@family.sound(
    "synthesizer", "a synthesizer playing", "a synthesizer plays", "/m/0l14qv", sustained=True, confusable=("theremin",)
)
def synthesizer(take: Take) -> Signal:
    length, root, rate = take.spread(4.2, 5.3), take.spread(55, 110), take.spread(6, 11)
    number = int(length * rate)
    pattern = ((0, 12, 7, 12, 3, 12, 10, 12), (0, 0, 12, 0, 10, 0, 7, 3), (0, 3, 7, 12, 15, 12, 7, 3))[take.number % 3]
    pitch = steps(length, [root * semitones(pattern[k % 8]) for k in range(number)], 0.004)
    voices = saw(pitch) + saw(pitch * 1.006) + pulse(pitch * 0.5, 0.4)
    gate = np.exp(-(ramp(length) * number / length % 1) * take.spread(1.5, 4))
    sweep = curve(length, (0, 0.2), (0.5, 1), (1, 0.3))
    closed, wide = lowpass(voices, 500, 4), lowpass(voices, 5000, 4) + 1.5 * resonate(voices, 1800, 200)
    return np.asarray((closed * (1 - sweep * gate) + wide * sweep * gate) * (0.3 + 0.7 * gate))


@family.sound("harpsichord", "a harpsichord playing", "a harpsichord plays", "/m/03q5t", sustained=True, confusable=("piano",))
def harpsichord(take: Take) -> Signal:
    length, root, rate = take.spread(4.2, 5.3), take.spread(120, 190), take.spread(5.5, 9)
    chords, notes = ((0, 4, 7, 12, 16, 12, 7, 4), (5, 9, 12, 17, 21, 17, 12, 9), (7, 11, 14, 19, 23, 19, 14, 11)), []
    for k in range(int(length * rate)):
        pitch = root * semitones(chords[k // 8 % 3][k % 8])
        notes += [(k / rate, pitch), (k / rate + 0.002, 2.001 * pitch)]
        if k % 8 == 0:
            notes.append((k / rate, pitch / 2))
    quills = picked(take, length, notes, 0.9, 2.5, 1.0, damp=0.25, pick=0.1)
    jacks = picked(take, length, [(at, 500.0) for at, _ in notes], 0.02, 0.05, 1.0)
    return highpass(quills, 150) + 0.4 * resonate(quills, 3000, 2500) + 0.3 * highpass(jacks, 1500)
