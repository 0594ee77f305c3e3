"""Many people at once."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    RATE,
    Rng,
    Signal,
    compress,
    convolve,
    count,
    curve,
    decay,
    envelope,
    formants,
    glottis,
    lowpass,
    noise,
    ramp,
    room,
    shaped_noise,
    sparse,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import mouth, tract

family = Family()

_VOWELS = ("i", "e", "ae", "a", "o", "u", "uh")
_HZ = 200
"""Values a second of the talkers' melodies and loudness."""


def babble(
    rng: Rng,
    seconds: float,
    talkers: int,
    pitches: tuple[float, float],
    *,
    size: float,
    pace: float = 5.0,
    swing: float = 0.2,
    pauses: float = 0.25,
    far_db: float = 14.0,
    hiss: float = 0.2,
    bright: float = 3400.0,
) -> Signal:
    """Many people who speak or shout at once, without words; unit RMS, shape [n].

    The pulses of everybody's vocal folds are sorted by vowel, and each vowel is one vocal tract: a crowd costs no more filters
    than a single person.

    Args:
        talkers: how many.
        pitches: lowest and highest voice in Hz.
        size: of their vocal tracts, as a share of a man's.
        pace: syllables a second; swing: standard deviation of the pitch from one to the next, as a share.
        pauses: share of the syllables that are silent.
        far_db: by how much the farthest is weaker than the nearest.
        hiss: level of the consonants.
        bright: Hz up to which the vocal folds give full strength.
    """
    at = np.arange(int(seconds * _HZ) + 2) / _HZ
    pulses = np.zeros((len(_VOWELS), count(seconds)))
    consonants = np.zeros(len(at))
    for _ in range(talkers):
        near, base = 10 ** (-rng.uniform(0, far_db) / 20), float(np.exp(rng.uniform(*np.log(pitches))))
        lengths = rng.uniform(0.5, 1.5, int(2 * seconds * pace) + 8) / pace
        starts = np.cumsum(lengths) - rng.uniform(0.1, 1.0)
        said = rng.integers(0, len(_VOWELS), len(starts))
        loud = rng.uniform(0.4, 1, len(starts)) * (rng.random(len(starts)) > pauses)
        which = np.clip(np.searchsorted(starts, at, side="right") - 1, 0, len(starts) - 1)
        through = np.clip((at - starts[which]) / lengths[which], 0, 1)
        level = near * loud[which] * np.sin(np.pi * np.clip((through - 0.15) / 0.85, 0, 1)) ** 0.7
        consonants += near * loud[which] * np.exp(-0.5 * np.square((through - 0.08) / 0.07)) * (said[which] % 2)
        # The melody glides from syllable to syllable, trembles, and falls within each.
        notes = 1 + swing * rng.standard_normal(len(starts))
        melody = base * np.interp(at, starts, notes) * (1.08 - 0.16 * through) * (1 + 0.008 * rng.standard_normal(len(at)))
        turns = np.cumsum(np.maximum(melody, 60)) / _HZ
        times = np.interp(np.arange(1, int(turns[-1])), turns, at)
        times = times[times < seconds - 1 / RATE]
        frame = (times * _HZ).astype(int)
        np.add.at(pulses, (said[which[frame]], (times * RATE).astype(int)), level[frame] / np.sqrt(base))
    voices = sum(formants(lowpass(one, bright, 1), tract(name, size)) for one, name in zip(pulses, _VOWELS, strict=True))
    breath = shaped_noise(rng, seconds, (1000, -20), (3000, -3), (6000, 0), (10_000, -8))
    breath *= np.interp(ramp(seconds), at, consonants / max(float(consonants.mean()), 1e-9))
    return unit(unit(np.asarray(voices)) + hiss * breath)


@family.sound("choir", "a choir singing", "a choir sings", "/m/0l14jd", sustained=True)
def choir(take: Take) -> Signal:
    length, root = take.spread(4.2, 5.2), take.spread(118, 165)
    names = ("a", "o", "u", "e")
    vowels = (names[take.number % 4], names[(take.number + 1) % 4])
    blend = curve(length, (0.2, 0.0), (0.8, 0.7))
    sections = []
    # Singers of a section share a vocal tract: the filters are linear, so their sources may be added first.
    for ratios, size in (((1, 1, 1.5, 1.5), 1.03), ((2, 2, 2.5, 2.5, 3, 3), 0.86)):
        source = np.zeros(count(length))
        for ratio in ratios:
            pitch = root * ratio * take.uniform(0.994, 1.006) * vibrato(length, take.uniform(4.6, 6), take.uniform(0.005, 0.01))
            source += glottis(pitch * wander(take.rng, length, 4, 0.004))
        sections.append(
            unit(mouth(unit(source) + 0.05 * noise(take.rng, length), tract(vowels[0], size), tract(vowels[1], size), blend))
        )
    return room(take.rng, compress(sections[0] + sections[1], 0.3, 0.6), 1.2, 0.6)[: count(length)]


@family.sound(
    "applause",
    "an audience applauding",
    "an audience applauds",
    "/m/028ght",
    sustained=True,
    confusable=("crowd cheer", "hand clapping", "rain"),
)
def applause(take: Take) -> Signal:
    length, people = take.spread(4.2, 5.3), take.spread(136, 393)
    total = np.zeros(count(length))
    for _ in range(8):  # kinds of hands, each with its own resonance
        claps = sparse(take.rng, length, people * 4 / 8, 8.0)
        hand = 1530 * take.uniform(0.7, 1.3)
        clap = noise(take.rng, 0.0144) * decay(0.0144, 0.0096 * take.uniform(0.7, 1.4), 0.0004)
        answer = formants(clap, [(hand, 0.595 * hand, 0), (1.5 * hand, 0.893 * hand, -6), (6500, 5000, -13)])
        total += convolve(claps, unit(answer))[: len(total)]
    wash = shaped_noise(take.rng, length, (150, -17.6), (600, -7.3), (1500, 0), (4000, -7.2), (12_000, -10.5))
    heard = room(take.rng, unit(total) + take.spread(0.118, 0.231) * wash, take.spread(1.22, 1.75), take.spread(0.41, 0.59))
    return compress(heard[: len(total)], 0.2, 0.7)


@family.sound("crowd cheer", "a crowd cheering", "a crowd cheers", "/m/053hz1", sustained=True)
def crowd_cheer(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    people, lowest, size, pace = take.spread(16, 35.5), take.spread(286, 378), take.spread(0.776, 0.905), take.spread(1.61, 2.32)
    voices = babble(
        take.rng, length, int(people), (lowest, 628), size=size, pace=pace, swing=0.144, pauses=0.16, far_db=9.1, hiss=0.084
    )
    mass = shaped_noise(take.rng, length, (80, 2), (300, -1), (1000, 0), (3000, -6), (9000, -12))
    mass *= np.clip(wander(take.rng, length, 8, 0.2), 0.3, 2)
    hall = unit(room(take.rng, voices, take.spread(0.84, 1.21), take.spread(0.8, 1.15))[: count(length)])
    return compress(hall + take.spread(0.092, 0.18) * mass, 0.4, 0.6)


@family.sound(
    "children playing",
    "children playing",
    "children play",
    "/t/dd00013",
    sustained=True,
    confusable=("crowd cheer", "laughter", "scream"),
)
def children_playing(take: Take) -> Signal:
    length, cries = take.spread(4.2, 5.3), int(take.spread(27.8, 54.5))
    total = {vowel: np.zeros(count(length)) for vowel in ("i", "e", "a", "o", "ae")}
    for k in range(cries):
        syllable, base = 0.237 * np.exp(take.uniform(-1, 1) * 0.557), 445 * np.exp(take.uniform(-1, 1) * 0.494)
        arch = curve(syllable, (0, take.uniform(0.8, 1.2)), (0.4, take.uniform(1, 1.06)), (1, 0.932))
        cry = unit(glottis(base * arch * wander(take.rng, syllable, 50, 0.02), 0.447))
        cry *= envelope(syllable, 0.0201, 0.0829) * 10 ** (take.uniform(-21.7, 0) / 20)
        # Somebody cries at any time: each has a share of the time, give or take some.
        at = int(np.clip(count((length - 0.1) * (k + take.uniform(-4.12, 4.12)) / cries), 0, count(length - 0.1)))
        vowel = list(total)[int(take.rng.integers(5))]
        piece = cry[: count(length) - at]
        total[vowel][at : at + len(piece)] += piece
    voices = sum(formants(source, tract(vowel, 0.639)) for vowel, source in total.items())
    yard = shaped_noise(take.rng, length, (100, -0.5), (500, -10.2), (2000, -17.4), (8000, -32))
    heard = compress(room(take.rng, unit(np.asarray(voices)), take.spread(0.3975, 0.5724), 0.332)[: count(length)], 0.4, 0.7)
    return unit(heard) + take.spread(0.1686, 0.3304) * yard
