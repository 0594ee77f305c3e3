"""Bells, bars, plates and drums."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Rng,
    Signal,
    bandpass,
    beats,
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
    unit,
    wander,
)
from builders.sounds.synth.declare import Family, Take

family = Family()


@family.sound("church bell", "a church bell tolling", "a church bell tolls", "/m/03w41f")
def church_bell(take: Take) -> Signal:
    length, prime = take.spread(2.2, 3.3), take.spread(210, 390)
    # Hum, prime, tierce (a minor third), quint, nominal and above: the partials to which bells are tuned (Rossing 2000).
    ratios = (
        (0.5, 14, 0.6),
        (1, 9, 0.8),
        (1.19, 8, 0.9),
        (1.5, 5, 0.4),
        (2, 6, 1.0),
        (2.66, 3, 0.6),
        (3, 2.4, 0.5),
        (4.1, 1.6, 0.4),
    )
    partials = [(prime * r * split, t * length / 2.7, a) for r, t, a in ratios for split in (1, 1.0025)]
    clapper = bandpass(noise(take.rng, length), 1500, 8000) * decay(length, 0.08, 0.0005) * 2
    return room(take.rng, (modes(length, partials) + clapper) * envelope(length, 0.0005, 0.5), 1.0, 0.2)[: count(length)]


@family.sound("bicycle bell", "a bicycle bell ringing", "a bicycle bell rings", "/m/0gy1t2s", confusable=("telephone",))
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
    length, root = take.spread(4.2, 5.3), take.spread(950, 1350)
    # A free bar's partials: 1, 2.756, 5.404.
    bars = [
        modes(1.2, [(root * r, 1.6, 1), (root * r * 2.756, 0.8, 0.5), (root * r * 5.404, 0.35, 0.25)])
        for r in (1, 1.122, 1.26, 1.498, 1.682, 2)
    ]
    times = np.concatenate([beats(take.rng, length + 1, 5, 0.25), take.rng.uniform(0, length + 1, int(4 * length))])
    strikes = [(float(at), bars[int(take.rng.integers(0, 6))] * take.uniform(0.5, 1)) for at in times]
    return place(length + 1, strikes)[count(0.8) :]


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


@family.sound("cymbal", "a cymbal crashing", "a cymbal crashes", "/m/01qbl")
def cymbal(take: Take) -> Signal:
    length, bright = take.spread(1.4, 2.2), take.spread(0.8, 1.35)
    plate = modes(length, random_modes(take.rng, 320 * bright, 9000, 90, 2.2 * length))
    wash = shaped_noise(take.rng, length, (300, -24), (2500 * bright, -2), (6000 * bright, 0), (13000, -6))
    swell = np.exp(-ramp(length) * 4.4 / length) * (1 - 0.6 * np.exp(-ramp(length) * 40))
    return (unit(highpass(plate, 300)) * 0.6 + wash * swell) * envelope(length, 0.002, 0.3)


@family.sound("gong", "a gong sounding", "a gong sounds", "/m/0mbct", confusable=("church bell",))
def gong(take: Take) -> Signal:
    length, low = take.spread(2.4, 3.3), take.spread(75, 125)
    body = modes(length, [(low * r, 4 * length / r**0.4, r**-0.7) for r in (1, 1.53, 1.98, 2.44, 2.94, 3.57, 4.3)])
    shimmer = modes(length, random_modes(take.rng, 5 * low, 3500, 60, 2.6)) * curve(length, (0, 0.05), (0.2, 1), (1, 0.6))
    return (unit(body) + 0.7 * unit(shimmer) * np.exp(-ramp(length) * 0.6)) * envelope(length, 0.01, 0.6)


@family.sound("tambourine", "a tambourine shaking", "a tambourine shakes", "/m/07brj")
def tambourine(take: Take) -> Signal:
    length, rate = take.spread(1.1, 1.9), take.spread(5.5, 8)
    pairs = [modes(0.1, random_modes(take.rng, 2400, 12_000, 30, 0.12)) for _ in range(8)]
    jingles = []
    for k, at in enumerate(np.arange(0, length - 0.15, 1 / rate)):
        for _ in range(9):
            ring = pairs[int(take.rng.integers(0, 8))] * take.uniform(0.3, 1) * (1 - 0.4 * (k % 2))
            jingles.append((float(at + abs(take.rng.normal(0, 0.015))), ring))
    rustle = highpass(noise(take.rng, length), 4000) * 0.15 * np.exp(-8 * (ramp(length) * rate % 1) / rate * 4)
    return highpass(unit(place(length, jingles)) + rustle, 1500)


def bar(length: float, frequency: float, *partials: tuple[float, float, float]) -> Signal:
    """A struck body of the given length with (ratio, T60 in seconds, amplitude) partials over `frequency`."""
    return modes(length, [(frequency * ratio, t60, amplitude) for ratio, t60, amplitude in partials])


def melody(take: Take, number: int, top: int = 5) -> list[int]:
    """Degrees of a scale, 0 to `top`, that move by a step or two."""
    degrees = [int(take.rng.integers(0, top + 1))]
    for _ in range(number - 1):
        degrees.append(int(np.clip(degrees[-1] + take.rng.choice([-2, -1, 1, 2]), 0, top)))
    return degrees


def tap(rng: Rng, length: float, low: float, high: float, t60: float) -> Signal:
    """The blow itself: a burst of noise between `low` and `high` Hz."""
    return bandpass(noise(rng, length), low, high) * decay(length, t60, 0.0003)


PENTATONIC = (1, 1.125, 1.25, 1.5, 1.667, 2, 2.25, 2.5, 3)


@family.sound("cowbell", "a cowbell clanking", "a cowbell clanks", "/m/0239kh")
def cowbell(take: Take) -> Signal:
    tone, rate, number = take.spread(480, 900), take.spread(3.2, 6), int(take.choose(4, 5, 6, 7, 5))
    ratios = ((1, 0.3, 1), (1.48, 0.28, 0.9), (2.3, 0.2, 0.5), (3.1, 0.16, 0.5), (4.4, 0.12, 0.4), (6.1, 0.08, 0.3))
    hits = []
    for k in range(number):
        clank = bar(0.45, tone * take.uniform(0.997, 1.003), *((r, t, a * take.uniform(0.6, 1)) for r, t, a in ratios))
        hits.append((k / rate * take.uniform(0.95, 1.05), (clank + tap(take.rng, 0.45, 1500, 8000, 0.02)) * take.uniform(0.6, 1)))
    return room(take.rng, place(number / rate + 0.3, hits), 0.5, take.spread(0.1, 0.4))


@family.sound("sleigh bells", "sleigh bells jingling", "sleigh bells jingle", "/m/027m70_", sustained=True)
def sleigh_bells(take: Take) -> Signal:
    length, rate, tone = take.spread(4.2, 5.3), take.spread(2.2, 4.2), take.spread(2200, 3400)
    bells = []
    for _ in range(10):
        pitch = tone * take.uniform(0.8, 1.5)
        bells.append(bar(0.4, pitch, (1, 0.35, 1), (1.52, 0.3, 0.7), (2.1, 0.22, 0.5), (2.9, 0.15, 0.4)))
    hits = []
    for beat in beats(take.rng, length + 0.4, rate, 0.03):
        for _ in range(16):
            at = beat + abs(take.rng.normal(0, 0.05))
            hits.append((float(at), bells[int(take.rng.integers(0, 10))] * take.uniform(0.2, 1)))
    loose = [(float(at), bells[int(take.rng.integers(0, 10))] * 0.25) for at in take.rng.uniform(0, length + 0.4, 70)]
    return place(length + 0.4, hits + loose)[count(0.4) :]


@family.sound("tubular bells", "tubular bells chiming", "tubular bells chime", "/m/016622", confusable=("church bell",))
def tubular_bells(take: Take) -> Signal:
    root, pace = take.spread(260, 420), take.spread(0.36, 0.55)
    # A tube's strike note is an octave below its fourth partial; the ratios are those of a free bar.
    ratios = ((1.0, 2.5, 0.25), (2.0, 2.8, 1), (3.02, 2.2, 0.9), (4.2, 1.6, 0.7), (5.43, 1.1, 0.5), (6.8, 0.8, 0.3), (8.2, 0.5, 0.2))
    notes = []
    for k, degree in enumerate(melody(take, 4)):
        tube = bar(2.0, root * PENTATONIC[degree], *ratios) + 0.5 * tap(take.rng, 2.0, 1000, 6000, 0.03)
        notes.append((k * pace, tube * take.uniform(0.8, 1)))
    return room(take.rng, place(3 * pace + 1.2, notes) * envelope(3 * pace + 1.2, 0.0005, 0.4), 1.4, take.spread(0.2, 0.5))


@family.sound("vibraphone", "a vibraphone playing", "a vibraphone plays", "/m/0dwt5", confusable=("xylophone",))
def vibraphone(take: Take) -> Signal:
    root, pace, motor = take.spread(260, 420), take.spread(0.2, 0.36), take.spread(4, 7)
    notes = []
    for k, degree in enumerate(melody(take, int(take.choose(5, 6, 7, 5, 6)), 8)):
        f = root * PENTATONIC[degree]
        notes.append((k * pace, bar(1.6, f, (1, 2.4, 1), (4, 0.8, 0.25), (10.2, 0.2, 0.06)) + tap(take.rng, 1.6, 500, 2500, 0.02) * 0.15))
    length = notes[-1][0] + 1.0
    fans = 1 + 0.35 * np.sin(2 * np.pi * motor * ramp(length))
    return room(take.rng, place(length, notes) * fans * envelope(length, 0.0005, 0.3), 1.2, 0.2)


@family.sound("glockenspiel", "a glockenspiel playing", "a glockenspiel plays", "/m/0dwtp", confusable=("xylophone", "wind chime"))
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
    root, pace = take.spread(270, 440), take.spread(0.13, 0.22)
    notes = []
    for k, degree in enumerate(melody(take, int(take.choose(7, 8, 9, 10, 8)), 8)):
        f = root * PENTATONIC[degree]
        # The octave and the twelfth swell after the blow, as the note's dent drives its neighbours.
        swell = 1 - np.exp(-ramp(0.7) * 90)
        pan = bar(0.7, f, (1, 0.8, 1)) + swell * bar(0.7, f, (2.003, 0.7, 0.9), (3.01, 0.5, 0.45), (4.02, 0.35, 0.3), (5.2, 0.2, 0.2))
        notes.append((k * pace, (pan + tap(take.rng, 0.7, 600, 3000, 0.02) * 0.3) * take.uniform(0.7, 1)))
    return room(take.rng, place(notes[-1][0] + 0.7, notes), 0.6, take.spread(0.1, 0.3))


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


@family.sound("tuning fork", "a tuning fork ringing", "a tuning fork rings", "/m/07n_g")
def tuning_fork(take: Take) -> Signal:
    length, tone = take.spread(1.4, 2.6), take.spread(256, 880)
    fork = bar(length, tone, (1, 9, 1), (2, 3, 0.05), (6.27, 0.7, 0.35), (17.5, 0.2, 0.1))
    return (fork + 0.15 * tap(take.rng, length, 1500, 8000, 0.02)) * envelope(length, 0.001, 0.3)


@family.sound("service bell", "a service bell dinging", "a service bell dings", "/m/07phxs1", confusable=("bicycle bell",))
def service_bell(take: Take) -> Signal:
    tone, gap = take.spread(1900, 3200), take.spread(0.22, 0.5)
    dome = bar(1.4, tone, *((r * s, t, a) for r, t, a in ((1, 1.8, 1), (2.4, 0.9, 0.4), (4.1, 0.4, 0.25)) for s in (1, 1.002)))
    button = tap(take.rng, 1.4, 800, 7000, 0.02) * 0.5
    hits = [(k * gap * take.uniform(0.9, 1.1), (dome + button) * take.uniform(0.7, 1)) for k in range(int(take.choose(1, 2, 2, 3, 1)))]
    length = hits[-1][0] + 1.1
    return room(take.rng, place(length, hits) * envelope(length, 0.0005, 0.3), 0.6, take.spread(0.05, 0.3))


@family.sound("bell peal", "bells pealing", "bells peal", "/m/0150b9", sustained=True, confusable=("church bell",))
def bell_peal(take: Take) -> Signal:
    length, pace, tenor, lead = take.spread(4.2, 5.3), take.spread(0.2, 0.3), take.spread(180, 300), 1.6
    ratios = ((0.5, 4, 0.5), (1, 3, 0.8), (1.19, 2.5, 0.8), (1.5, 1.5, 0.4), (2, 2, 1), (2.66, 1, 0.5), (3, 0.8, 0.5), (4.1, 0.5, 0.4))
    bells = [bar(2.2, tenor * r, *ratios) + tap(take.rng, 2.2, 1500, 7000, 0.05) * 0.8 for r in (1, 1.125, 1.25, 1.333, 1.5, 1.667)]
    order, hits, at = [5, 4, 3, 2, 1, 0], [], 0.0
    while at < length + lead:
        for bell in order:
            hits.append((at * 1.0, bells[bell] * take.uniform(0.7, 1)))
            at += pace * take.uniform(0.92, 1.08)
        # Ringers change the order by swapping neighbours.
        swap = int(take.rng.integers(0, 5))
        order[swap], order[swap + 1] = order[swap + 1], order[swap]
    return room(take.rng, place(length + lead, hits), 1.5, take.spread(0.2, 0.6))[count(lead) : count(length + lead)]


@family.sound("music box", "a music box tinkling", "a music box tinkles")
def music_box(take: Take) -> Signal:
    root, pace = take.spread(850, 1300), take.spread(0.16, 0.24)
    notes: list[tuple[float, Signal]] = []
    for k, degree in enumerate(melody(take, int(take.choose(9, 10, 11, 12, 10)), 8)):
        f = root * PENTATONIC[degree]
        comb = bar(1.0, f, (1, 1.1, 1), (6.27, 0.25, 0.35), (2.0, 0.5, 0.1)) + tap(take.rng, 1.0, 2000, 9000, 0.006) * 0.5
        notes.append((k * pace, comb * take.uniform(0.7, 1)))
        if k % 4 == 0:
            notes.append((k * pace, bar(1.0, root / 2 * (1, 1.5)[k // 4 % 2], (1, 1.2, 0.8), (6.27, 0.2, 0.2))))
    length = notes[-1][0] + 1.0
    works = 0.02 * bandpass(noise(take.rng, length), 1500, 7000)
    return place(length, notes) * envelope(length, 0.0005, 0.4) + works


@family.sound("triangle", "a triangle tinging", "a triangle tings", confusable=("service bell",))
def triangle(take: Take) -> Signal:
    length, low, rate = take.spread(1.3, 2.4), take.spread(1300, 1900), take.spread(3, 5.5)
    steel = modes(1.4, [(f, t, a) for f, t, a in random_modes(take.rng, low, 14_000, 22, 3.5)])
    hits = []
    for k, at in enumerate(beats(take.rng, length - 0.5, rate, 0.02)):
        hits.append((float(at), steel * (1, 0.5, 0.7, 0.5)[k % 4]))
    return highpass(place(length, hits), 1000) * envelope(length, 0.0005, 0.3)
