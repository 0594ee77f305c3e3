"""Many people at once."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import (
    Signal,
    bandpass,
    compress,
    convolve,
    count,
    curve,
    decay,
    envelope,
    formants,
    glottis,
    noise,
    room,
    shaped_noise,
    sparse,
    steps,
    unit,
    vibrato,
    wander,
)
from builders.sounds.synth.declare import Family, Take
from builders.sounds.synth.voices import mouth, tract

family = Family()


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


@family.sound("crowd chatter", "a crowd chattering", "a crowd chatters", "/m/07rkbfh", sustained=True)
def crowd_chatter(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    names = ("i", "e", "ae", "a", "o", "u", "uh")
    said, fricatives = {name: np.zeros(count(length)) for name in names}, np.zeros(count(length))
    # Every talker moves among the vowels; the talkers share one vocal tract a vowel, which costs seven filters, not seven each.
    for _ in range(9):
        number, base = int(length * take.uniform(5, 8)), take.choose(100, 120, 185, 220) * take.uniform(0.85, 1.15)
        melody = base * steps(length, list(take.rng.uniform(0.8, 1.3, number)), 0.09) * wander(take.rng, length, 60, 0.01)
        source = unit(glottis(melody)) * take.uniform(0.4, 1)
        spoken = take.rng.integers(0, len(names) + 2, number)  # the last two are a consonant and a pause
        for k, name in enumerate(names):
            said[name] += source * steps(length, list((spoken == k) * take.rng.uniform(0.5, 1, number)), 0.07)
        fricatives += noise(take.rng, length) * steps(length, list((spoken == len(names)) * 1.0), 0.05) * take.uniform(0.2, 0.5)
    voices = sum(formants(source, tract(name, 0.93)) for name, source in said.items())
    talk = unit(np.asarray(voices)) + 0.2 * unit(bandpass(fricatives, 2500, 9000))
    return compress(room(take.rng, talk, 0.5, 0.3)[: count(length)], 0.3, 0.6)


@family.sound("applause", "an audience applauding", "an audience applauds", "/m/028ght", sustained=True)
def applause(take: Take) -> Signal:
    length, people = take.spread(4.2, 5.3), take.spread(80, 240)
    total = np.zeros(count(length))
    for _ in range(8):  # kinds of hands, each with its own resonance
        claps = sparse(take.rng, length, people * 4 / 8, 7.0)
        hand = 1530 * take.uniform(0.73, 1.37)
        clap = noise(take.rng, 0.016) * decay(0.016, 0.0104 * take.uniform(0.7, 1.4), 0.0004)
        answer = formants(clap, [(hand, 0.7 * hand, 0), (1.5 * hand, hand, -8.2), (6500, 5000, -13)])
        total += convolve(claps, unit(answer))[: len(total)]
    wash = shaped_noise(take.rng, length, (150, -18), (600, -6), (1500, 0), (4000, -7), (12_000, -10))
    heard = room(take.rng, unit(total) + take.spread(0.12, 0.23) * wash, take.spread(1.35, 1.95), take.spread(0.5, 0.72))
    return compress(heard[: len(total)], 0.2, 0.7)


@family.sound("crowd cheer", "a crowd cheering", "a crowd cheers", "/m/053hz1", sustained=True)
def crowd_cheer(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    total = {vowel: np.zeros(count(length)) for vowel in ("a", "ae", "o", "e")}
    for _ in range(26):
        pitch = take.choose(230, 290, 340, 420, 520) * take.uniform(0.8, 1.25)
        shout = take.uniform(0.5, 1.6)
        tone = pitch * curve(shout, (0, 0.8), (0.3, take.uniform(1, 1.3)), (1, 0.75)) * wander(take.rng, shout, 50, 0.02)
        yell = unit(glottis(tone, 0.45)) * envelope(shout, 0.1, 0.3) * take.uniform(0.2, 1)
        at, vowel = count(take.uniform(-0.4, length - 0.5)), list(total)[int(take.rng.integers(4))]
        piece = yell[max(-at, 0) :][: count(length) - max(at, 0)]
        total[vowel][max(at, 0) :][: len(piece)] += piece
    voices = sum(formants(source, tract(vowel, 0.85)) for vowel, source in total.items())
    roar = unit(formants(noise(take.rng, length), [(700, 500, 0), (1300, 800, -1), (2800, 1500, -8), (4500, 3000, -16)]))
    mass = roar * np.clip(wander(take.rng, length, 6, 0.15), 0.4, 1.6)
    return compress(room(take.rng, unit(np.asarray(voices)) + take.spread(0.5, 1.1) * mass, 0.9, 0.5)[: count(length)], 0.4, 0.6)


@family.sound("children playing", "children playing", "children play", "/t/dd00013", sustained=True)
def children_playing(take: Take) -> Signal:
    length = take.spread(4.2, 5.3)
    total = {vowel: np.zeros(count(length)) for vowel in ("i", "e", "a", "o", "ae")}
    cries = int(take.choose(48, 56, 64, 72, 80))
    for k in range(cries):
        syllable, base = take.uniform(0.12, 0.5), take.uniform(300, 620)
        tone = (
            base
            * curve(syllable, (0, take.uniform(0.8, 1.2)), (0.4, take.uniform(1, 1.4)), (1, 0.8))
            * wander(take.rng, syllable, 50, 0.02)
        )
        cry = unit(glottis(tone, 0.5)) * envelope(syllable, 0.03, 0.1) * 10 ** (take.uniform(-12, 0) / 20)
        # Some cry at any time: each has a share of the time to itself.
        at, vowel = count((length - 0.1) * (k + take.uniform(-0.5, 0.5)) / cries), list(total)[int(take.rng.integers(5))]
        at = max(at, 0)
        piece = cry[: count(length) - at]
        total[vowel][at : at + len(piece)] += piece
    voices = sum(formants(source, tract(vowel, 0.66)) for vowel, source in total.items())
    yard = shaped_noise(take.rng, length, (100, 0), (500, -6), (2000, -14), (8000, -30))
    heard = compress(room(take.rng, unit(np.asarray(voices)), 0.7, 0.45)[: count(length)], 0.4, 0.5)
    return unit(heard) + take.spread(0.06, 0.2) * yard
