"""Bells, bars, plates and drums."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    beats,
    convolve,
    count,
    curve,
    decay,
    envelope,
    highpass,
    modes,
    noise,
    place,
    ramp,
    random_modes,
    room,
    shaped_noise,
    sine,
    train,
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.resonators import BALL, PENTATONIC, bar, cast, melody, tap, tube

family = Family()

GONG = (1, 1.53, 1.98, 2.44, 2.94, 3.57, 4.3, 5.1)
"""Ratios of a gong's lowest modes."""


@family.sound("church bell", "a church bell tolling", "a church bell tolls", "/m/03w41f", confusable=("gong", "tubular bells"))
def church_bell(take: Take) -> Signal:
    length, bell = take.spread(2.2, 3.3), cast(take, take.spread(330, 620), 3.0, take.spread(-0.5, 0.4), take.spread(1.6, 3.5))
    # Bells are heard from afar, over roofs: more of the air between than of the bell.
    return room(take.rng, bell * envelope(3.0, 0.0005, 0.5), 2.0, take.spread(0.7, 1.2))[: count(length)] * envelope(
        length, 0, 0.4
    )


@family.sound(
    "bicycle bell", "a bicycle bell ringing", "a bicycle bell rings", "/m/0gy1t2s", confusable=("ringtone", "telephone")
)
def bicycle_bell(take: Take) -> Signal:
    tone, rate, length = take.spread(1700, 2350), take.spread(13, 20), take.spread(0.9, 1.4)
    ratios = ((1, 0.8, 1), (1.9, 0.5, 0.7), (2.77, 0.35, 0.6), (4.1, 0.2, 0.4))
    dome = [(tone * r * split, t, a) for r, t, a in ratios for split in (1, 1.007)]
    bell, hits = modes(0.9, dome), []
    for ring in (0.0, length / 2):  # "ring, ring": two strokes of the thumb
        for k, at in enumerate(ring + beats(take.rng, 0.28, rate, 0.08)):
            clapper = highpass(noise(take.rng, 0.9), 2500) * decay(0.9, 0.02, 0.0003)
            hits.append((float(at), (bell + clapper) * take.uniform(0.6, 1) * 0.8**k))
    return place(length + 0.4, hits) * envelope(length + 0.4, 0.0005, 0.2)


@family.sound("wind chime", "wind chimes tinkling", "wind chimes tinkle", "/m/026fgl", sustained=True)
def wind_chime(take: Take) -> Signal:
    length, root, t60, lead = take.spread(4.2, 5.3), take.spread(1500, 2600), take.spread(1.6, 4), 1.0
    # A free bar's partials: 1, 2.756, 5.404.
    bars = [
        bar(1.5, root * r, (1, t60, 1), (2.756, 0.55 * t60, 0.6), (5.404, 0.35 * t60, 0.35))
        for r in (1, 1.122, 1.26, 1.498, 1.682, 2)
    ]
    times = [*beats(take.rng, length + lead, 4, 0.25), *take.rng.uniform(0, length + lead, int(take.spread(4, 10) * length))]
    strikes = [(float(at), bars[int(take.rng.integers(0, 6))] * take.uniform(0.2, 1)) for at in times]
    return place(length + lead, strikes)[count(lead) :]


@family.sound("xylophone", "a xylophone playing", "a xylophone plays", "/m/0dwsp")
def xylophone(take: Take) -> Signal:
    root, pace = take.spread(520, 800), take.spread(0.13, 0.2)
    scale, degree, notes = (1, 1.125, 1.25, 1.5, 1.667, 2), int(take.rng.integers(0, 6)), []
    for k in range(int(take.choose(7, 8, 9, 10))):
        f = root * scale[degree]
        degree = int(np.clip(degree + take.rng.choice([-2, -1, 1, 2]), 0, 5))
        bar = modes(0.5, [(f, 0.45, 1), (3 * f, 0.2, 0.5), (6.1 * f, 0.08, 0.25)])
        mallet = bandpass(noise(take.rng, 0.5), 800, 4000) * np.exp(-ramp(0.5) * 300) * 0.4
        notes.append((k * pace, (bar + mallet) * take.uniform(0.75, 1)))
    return place(notes[-1][0] + 0.5, notes)


@family.sound("cymbal", "a cymbal crashing", "a cymbal crashes", "/m/01qbl", confusable=("gong",))
def cymbal(take: Take) -> Signal:
    length, bright = take.spread(1.4, 2.2), take.spread(0.8, 1.35)
    plate = modes(length, random_modes(take.rng, 320 * bright, 9000, 90, 2.2 * length))
    wash = shaped_noise(take.rng, length, (300, -24), (2500 * bright, -2), (6000 * bright, 0), (13000, -6))
    swell = np.exp(-ramp(length) * 4.4 / length) * (1 - 0.6 * np.exp(-ramp(length) * 40))
    return (unit(highpass(plate, 300)) * 0.6 + wash * swell) * envelope(length, 0.002, 0.3)


@family.sound("gong", "a gong sounding", "a gong sounds", "/m/0mbct", confusable=("tubular bells",))
def gong(take: Take) -> Signal:
    length, low, bloom = take.spread(2.4, 3.3), take.spread(58, 100), take.spread(0.25, 0.5)
    body = modes(length, [(low * r * s, 6, r**-0.5) for r in GONG for s in (1, 1.004)])
    # The blow's energy climbs from mode to mode: the shimmer comes after the boom.
    shimmer = modes(length, random_modes(take.rng, 2.5 * low, take.spread(1500, 4000), 110, 3)) * (
        1 - np.exp(-ramp(length) / bloom)
    )
    return room(take.rng, (unit(body) + take.spread(0.4, 1) * unit(shimmer)) * envelope(length, 0.004, 0.5), 2.0, 0.6)


@family.sound("tambourine", "a tambourine jingling", "a tambourine jingles", "/m/07brj")
def tambourine(take: Take) -> Signal:
    length, rate, tone, t60 = take.spread(1.2, 2.2), take.spread(3.2, 5.5), take.spread(3300, 4400), take.spread(0.4, 0.8)
    hits = np.zeros(count(length))
    for _ in range(12):
        pair = bar(t60, tone * take.uniform(0.7, 1.6), *((r * s, t60 / r**0.5, a) for r, a in BALL for s in (1, 1.01)))
        at = [float(b + abs(take.rng.normal(0, 0.04))) for b in beats(take.rng, length - 0.2, rate, 0.02) for _ in range(5)]
        at += [float(b) for b in take.rng.uniform(0, length, int(24 * length))]
        gains = take.rng.uniform(0.2, 1, len(at)) * np.where(np.arange(len(at)) < len(at) - int(24 * length), 1, 0.3)
        hits += convolve(train(length, at, gains), pair)[: len(hits)]
    return hits * envelope(length, 0.001, 0.2)


@family.sound("cowbell", "a cowbell clanking", "a cowbell clanks", "/m/0239kh", confusable=("wood block",))
def cowbell(take: Take) -> Signal:
    tone, rate, number = take.spread(480, 900), take.spread(3.2, 6), int(take.choose(4, 5, 6, 7, 5))
    ratios = ((1, 0.45, 1), (1.48, 0.42, 0.9), (2.3, 0.3, 0.5), (3.1, 0.24, 0.5), (4.4, 0.16, 0.4), (6.1, 0.1, 0.3))
    hits = []
    for k in range(number):
        clank = bar(0.45, tone * take.uniform(0.997, 1.003), *((r, t, a * take.uniform(0.6, 1)) for r, t, a in ratios))
        hits.append((k / rate * take.uniform(0.95, 1.05), (clank + tap(take.rng, 0.45, 1500, 8000, 0.02)) * take.uniform(0.6, 1)))
    return room(take.rng, place(number / rate + 0.3, hits), 0.5, take.spread(0.1, 0.4))


@family.sound(
    "sleigh bells",
    "sleigh bells jingling",
    "sleigh bells jingle",
    "/m/027m70_",
    sustained=True,
    confusable=("tambourine", "wind chime"),
)
def sleigh_bells(take: Take) -> Signal:
    length, rate, tone, t60 = take.spread(4.2, 5.3), take.spread(2.4, 4.4), take.spread(4000, 5600), take.spread(0.1, 0.2)
    bells = [
        bar(t60, tone * take.uniform(0.7, 1.6), *((r * s, t60 / r**0.5, a) for r, a in BALL for s in (1, 1.01)))
        for _ in range(12)
    ]
    jingles = train(length + 0.3, (), ())
    for bell in bells:
        shaken = [float(b + abs(take.rng.normal(0, 0.05))) for b in beats(take.rng, length + 0.3, rate, 0.03) for _ in range(5)]
        loose = take.rng.uniform(0, length + 0.3, int(40 * length))
        times = [*shaken, *(float(at) for at in loose)]
        gains = [*take.rng.uniform(0.2, 1, len(shaken)), *take.rng.uniform(0.15, 0.45, len(loose))]
        jingles += convolve(train(length + 0.3, times, gains), bell)[: len(jingles)]
    return jingles[count(0.3) :]


@family.sound("tubular bells", "tubular bells chiming", "tubular bells chime", "/m/016622")
def tubular_bells(take: Take) -> Signal:
    root, pace, bright = take.spread(250, 430), take.spread(0.45, 0.65), take.spread(0.3, 0.7)
    notes = [
        (k * pace, tube(take, root * PENTATONIC[degree], bright) * take.uniform(0.8, 1))
        for k, degree in enumerate(melody(take, 4))
    ]
    length = 3 * pace + 1.2
    return room(take.rng, place(length, notes) * envelope(length, 0.0005, 0.4), 1.5, take.spread(0.7, 1.1))


@family.sound("vibraphone", "a vibraphone playing", "a vibraphone plays", "/m/0dwt5", confusable=("xylophone",))
def vibraphone(take: Take) -> Signal:
    root, pace, motor = take.spread(260, 420), take.spread(0.2, 0.36), take.spread(4, 7)
    notes = []
    for k, degree in enumerate(melody(take, int(take.choose(5, 6, 7, 5, 6)), 8)):
        f = root * PENTATONIC[degree]
        notes.append(
            (k * pace, bar(1.6, f, (1, 2.4, 1), (4, 0.8, 0.25), (10.2, 0.2, 0.06)) + tap(take.rng, 1.6, 500, 2500, 0.02) * 0.15)
        )
    length = notes[-1][0] + 1.0
    fans = 1 + 0.35 * np.sin(2 * np.pi * motor * ramp(length))
    return room(take.rng, place(length, notes) * fans * envelope(length, 0.0005, 0.3), 1.2, 0.2)


@family.sound(
    "glockenspiel",
    "a glockenspiel playing",
    "a glockenspiel plays",
    "/m/0dwtp",
    confusable=("ice cream van", "steelpan", "vibraphone", "wind chime", "xylophone"),
)
def glockenspiel(take: Take) -> Signal:
    root, pace = take.spread(1100, 1700), take.spread(0.15, 0.26)
    notes = []
    for k, degree in enumerate(melody(take, int(take.choose(6, 7, 8, 9, 7)), 7)):
        f = root * PENTATONIC[degree]
        plate = bar(1.2, f, (1, 1.6, 1), (2.756, 0.6, 0.4), (5.404, 0.25, 0.25)) + tap(take.rng, 1.2, 3000, 10_000, 0.015) * 0.6
        notes.append((k * pace, plate * take.uniform(0.7, 1)))
    length = notes[-1][0] + 0.8
    return room(take.rng, place(length, notes) * envelope(length, 0.0005, 0.3), 1.2, take.spread(0.1, 0.3))


@family.sound("steelpan", "a steelpan playing", "a steelpan plays", "/m/0l156b")
def steelpan(take: Take) -> Signal:
    root, pace = take.spread(400, 560), take.spread(0.15, 0.24)
    notes = []
    for k, degree in enumerate(melody(take, int(take.choose(7, 8, 9, 10, 8)), 6)):
        f = root * PENTATONIC[degree]
        # The octave and the twelfth swell after the blow, as the note's dent drives its neighbours.
        swell = 1 - np.exp(-ramp(0.9) * 60)
        pan = bar(0.9, f, (1, 1.0, 1)) + swell * bar(0.9, f, (2.003, 0.9, 2), (3.01, 0.6, 1.2), (4.02, 0.5, 1.0))
        notes.append((k * pace, (pan + tap(take.rng, 0.9, 600, 3000, 0.02) * 0.2) * take.uniform(0.7, 1)))
    return room(take.rng, place(notes[-1][0] + 0.9, notes), 0.6, take.spread(0.1, 0.3))


@family.sound("singing bowl", "a singing bowl humming", "a singing bowl hums", "/m/0l14t7", sustained=True)
def singing_bowl(take: Take) -> Signal:
    length, low = take.spread(4.2, 5.3), take.spread(170, 420)
    tones = np.zeros(count(length))
    for ratio, level in ((1, 1.0), (2.71, 0.5), (5.0, 0.2), (7.9, 0.08)):
        # Each mode is a pair, a little apart: they beat.
        beat = take.uniform(0.6, 1.8)
        for side in (-0.5, 0.5):
            tones += level * take.uniform(0.4, 1) * sine(np.full(count(length), low * ratio + side * beat * ratio**0.5))
    rub = bandpass(noise(take.rng, length), 800, 5000) * wander(take.rng, length, 2, 0.2)
    return unit(tones) * curve(length, (0, 0.8), (0.4, 1), (1, 0.85)) + take.spread(0.005, 0.03) * rub


@family.sound(
    "bell peal", "bells pealing", "bells peal", "/m/0150b9", sustained=True, confusable=("church bell", "gong", "tubular bells")
)
def bell_peal(take: Take) -> Signal:
    length, pace, tenor, lead = take.spread(4.2, 5.3), take.spread(0.2, 0.32), take.spread(340, 520), 1.6
    tilt, t60 = take.spread(-0.4, 0.3), take.spread(1.6, 3)
    bells = [cast(take, tenor * r, 1.8, tilt, t60) for r in (1, 1.125, 1.25, 1.333, 1.5, 1.667)]
    order, hits, at = [5, 4, 3, 2, 1, 0], [], 0.0
    while at < length + lead:
        for bell in order:
            hits.append((at, bells[bell] * take.uniform(0.7, 1)))
            at += pace * take.uniform(0.92, 1.08)
        # Ringers change the order by swapping neighbours.
        swap = int(take.rng.integers(0, 5))
        order[swap], order[swap + 1] = order[swap + 1], order[swap]
    return room(take.rng, place(length + lead, hits), 2.0, take.spread(0.8, 1.2))[count(lead) : count(length + lead)]
